//! Rooms of a map (R-ROOM): methods to find them, what describes one, and which lie side by side.
//!
//! [`visibility`] is the paper's method: points on the walls that see the same walls belong together. [`watershed`]
//! floods the distance to the walls from the middle of the rooms. [`combined`] gives basins of the latter to rooms of the
//! former. [`doors`] closes the gaps of walls first. [`free_space`] tells rooms apart by their width. [`automatic`] takes the one that suits the map. All give
//! [`Rooms`].

pub mod agreement;
pub mod automatic;
mod clustering;
pub mod combined;
mod control_points;
mod corridors;
pub mod descriptor;
mod discs;
pub mod doors;
mod flooding;
pub mod free_space;
mod gaps;
mod obstacles;
mod params;
pub mod visibility;
pub mod watershed;

pub use clustering::Linkage;
pub use params::{FoundRooms, RoomParams};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::components::{Connectivity, label};

/// How rooms are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "snake_case")]
pub enum RoomFinder {
    /// The method that suits the map: by doors, furniture and clutter.
    #[default]
    Auto,
    /// Basins given to the rooms that are seen.
    Combined,
    /// Gaps in walls are closed, and what is left is divided at narrow passes.
    Doors,
    /// Parts of different width, for sketches and outlines without doors.
    FreeSpace,
    /// Points on the walls that see the same walls belong together (Pellenz).
    Visibility,
    /// Basins of the distance to the walls.
    Watershed,
}

impl RoomFinder {
    /// Its name in flags and reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Combined => "combined",
            Self::Doors => "doors",
            Self::FreeSpace => "free_space",
            Self::Visibility => "visibility",
            Self::Watershed => "watershed",
        }
    }
}

/// The rooms of one map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rooms {
    /// 0 where there is no room, else 1 to `count`, numbered by each room's first cell in image order.
    pub labels: Vec<u32>,
    pub count: u32,
    /// Columns of the plane.
    pub width: usize,
}

impl Rooms {
    /// Rooms out of a plane of marks (0: none); marks may be any numbers.
    pub fn of_marks(marks: &[u32], width: usize) -> Self {
        let largest = marks.iter().copied().max().unwrap_or(0) as usize;
        let mut numbers = vec![0; largest + 1];
        let mut count = 0;
        let mut number_of = |mark: u32| {
            if mark != 0 && numbers[mark as usize] == 0 {
                count += 1;
                numbers[mark as usize] = count;
            }
            numbers[mark as usize]
        };
        let mut labels = Vec::with_capacity(marks.len());
        for same in marks.chunk_by(|one, next| one == next) {
            labels.resize(labels.len() + same.len(), number_of(same[0]));
        }
        Self { labels, count, width }
    }

    /// Each connected stretch of a mask as one room, without those below a number of cells.
    pub fn of_components(mask: &[u8], width: usize, min_cells: usize) -> Self {
        let height = mask.len() / width.max(1);
        let mut rooms =
            Self { labels: label(mask, width, height, Connectivity::Four).labels, count: 0, width };
        rooms.drop_small(min_cells);
        rooms
    }

    /// Rows of the plane.
    pub fn height(&self) -> usize {
        self.labels.len() / self.width.max(1)
    }

    /// Number of cells of each room; entry 0 counts the cells without one.
    pub fn areas_cells(&self) -> Vec<usize> {
        areas_cells(&self.labels)
    }

    /// Rooms below a number of cells are no rooms; the others are numbered anew.
    fn drop_small(&mut self, min_cells: usize) {
        let areas = self.areas_cells();
        for label in &mut self.labels {
            if areas[*label as usize] < min_cells {
                *label = 0;
            }
        }
        *self = Self::of_marks(&self.labels, self.width);
    }

    /// Pairs of rooms that share the edge of a cell, the smaller number first, sorted.
    pub fn neighbours(&self) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        self.for_each_meeting(|one, other| {
            let (one, other) = (self.labels[one], self.labels[other]);
            let pair = (one.min(other), one.max(other));
            if pairs.last() != Some(&pair) {
                pairs.push(pair);
            }
        });
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// Calls with the two cells of each edge on which two rooms meet.
    fn for_each_meeting(&self, mut meet: impl FnMut(usize, usize)) {
        let width = self.width.max(1);
        let is_meeting = |one: u32, other: u32| one != other && one != 0 && other != 0;
        for (row, here) in self.labels.chunks(width).enumerate() {
            let below = self.labels.get((row + 1) * width..).unwrap_or(&[]);
            for (column, (&one, &other)) in here.iter().zip(&here[1..]).enumerate() {
                if is_meeting(one, other) {
                    meet(row * width + column, row * width + column + 1);
                }
            }
            for (column, (&one, &other)) in here.iter().zip(below).enumerate() {
                if is_meeting(one, other) {
                    meet(row * width + column, (row + 1) * width + column);
                }
            }
        }
    }
}

/// Number of cells with each mark.
fn areas_cells(marks: &[u32]) -> Vec<usize> {
    let mut areas = vec![0; marks.iter().copied().max().unwrap_or(0) as usize + 1];
    marks.chunk_by(|one, next| one == next).for_each(|same| areas[same[0] as usize] += same.len());
    areas
}

/// Lengths of a map in whole cells and areas in numbers of cells.
fn cells_of(length_m: f64, cell_size_m: f64) -> usize {
    // A length that is a whole number of cells must not lose one to rounding.
    (length_m / cell_size_m - 1e-9).ceil().max(0.0) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rooms_are_numbered_by_their_first_cell() {
        let rooms = Rooms::of_marks(&[0, 7, 7, 3, 0, 3], 3);
        assert_eq!((rooms.labels, rooms.count), (vec![0, 1, 1, 2, 0, 2], 2));
    }

    #[test]
    fn rooms_side_by_side_are_neighbours_across_an_edge_only() {
        let rooms = Rooms::of_marks(&[1, 1, 2, 3, 0, 0], 3);
        assert_eq!(rooms.neighbours(), [(1, 2), (1, 3)]);
    }

    #[test]
    fn small_components_are_no_rooms() {
        let rooms = Rooms::of_components(&[1, 0, 1, 1, 0, 1], 3, 2);
        assert_eq!(rooms.labels, [1, 0, 2, 1, 0, 2]);
        assert_eq!(Rooms::of_components(&[1, 0, 1, 0, 0, 1], 3, 2).labels, [0, 0, 1, 0, 0, 1]);
    }
}
