//! Rooms by how wide the free space is: a corridor that opens into a hall over its whole width is another room, without any
//! door between them. For sketches and outlines, in which rooms differ by width and few are closed by doors.
//!
//! 1. the largest disc without a wall that covers each cell;
//! 2. from the widest cell on, connected cells with discs at most `margin` smaller are a region;
//! 3. neighbours of similar width that touch along a wide line are one region;
//! 4. regions too small for their width (corners that no disc enters, doors, niches) belong to their wider neighbour;
//! 5. step 3 again, and what is small on the scale of the map belongs to the neighbour it touches most.
//!
//! Discs of a room bulge through a door in a wall that is thin beside the room, so plans are better divided by the other
//! methods. Everything is relative to widths, so that maps without metres have rooms. Ours; the idea of grouping cells by the
//! largest circle that covers them is that of MAORIS (Mielle, Magnusson, Lilienthal 2018), whose steps and limits differ.

use std::collections::BTreeMap;

use model::Grid;

use super::Rooms;
use super::discs::disc_radii_squared;
use super::obstacles::{Ignored, UnknownCells, blocked_plane};
use super::watershed::{falling_order, squared_clearances};
use crate::neighbours::beside;

/// Parameters of the method. All values were chosen on one half of the sketches of MAORIS (`docs/rooms.md`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FreeSpace {
    /// Obstacles smaller than this are ignored, metres. Default 0.3, ours.
    pub min_obstacle_m: f64,
    /// Niches and holes that no disc of this radius enters are wall, metres. Default 0.
    pub smoothing_m: f64,
    /// By how much the discs of a region may differ, relative to the largest. Default 0.2.
    pub margin: f64,
    /// Regions of fewer squared disc radii are parts of their neighbour. Default 1: a door is about as deep as it is half
    /// wide.
    pub own_area: f64,
    /// Neighbours with at least this ratio of their radii may be one region. Default 0.7.
    pub similar: f64,
    /// They are one if they touch along at least this share of the narrower one's width. Default 0.7.
    pub wide: f64,
    /// Regions below this many squares of the map's median radius are parts of their neighbour. Default 0.02.
    pub min_area: f64,
}

impl Default for FreeSpace {
    fn default() -> Self {
        Self {
            min_obstacle_m: 0.3,
            smoothing_m: 0.0,
            margin: 0.2,
            own_area: 1.0,
            similar: 0.7,
            wide: 0.7,
            min_area: 0.02,
        }
    }
}

/// Finds the rooms of a map; none if it is too long for exact distances (46340 cells along its diagonal).
pub fn free_space_rooms(grid: &Grid, params: &FreeSpace) -> Option<Rooms> {
    let (width, cell_size_m) = (grid.geometry().width(), grid.geometry().cell_size_m());
    let ignored = Ignored::of_metres(params.min_obstacle_m, params.smoothing_m, cell_size_m);
    let blocked = blocked_plane(grid, UnknownCells::Block, ignored);
    let radii_squared = disc_radii_squared(&squared_clearances(&blocked, width)?, width);
    let (labels, radii) = regions_of_equal_width(&radii_squared, width, params.margin);
    let mut regions = Regions::new(&labels, width, radii);
    regions.join_similar(params);
    regions.absorb_those_small_for_their_width(params.own_area);
    regions.join_similar(params);
    let scale_cells = f64::from(quantile_squared(&radii_squared, 0.5)).sqrt();
    regions.absorb_below(params.min_area * scale_cells.powi(2));
    let marks: Vec<u32> = labels.iter().map(|&label| regions.root(label)).collect();
    Some(Rooms::of_marks(&marks, width))
}

/// A quantile of the squared disc radii over the open cells; 0 without any.
pub(super) fn quantile_squared(radii_squared: &[u32], share: f64) -> u32 {
    let mut open: Vec<u32> = radii_squared.iter().copied().filter(|&radius| radius > 0).collect();
    let index = (open.len().saturating_sub(1) as f64 * share) as usize;
    if open.is_empty() { 0 } else { *open.select_nth_unstable(index).1 }
}

/// Region of each cell, 1 upwards by falling width, and the largest disc radius of each in cells (entry 0: none).
fn regions_of_equal_width(radii_squared: &[u32], width: usize, margin: f64) -> (Vec<u32>, Vec<f64>) {
    let mut labels = vec![0_u32; radii_squared.len()];
    let mut radii = vec![0.0];
    let mut open = Vec::new();
    for first in falling_order(radii_squared) {
        if labels[first as usize] != 0 {
            continue;
        }
        let (label, squared) = (radii.len() as u32, f64::from(radii_squared[first as usize]));
        radii.push(squared.sqrt());
        let least = (1.0 - margin).max(0.0).powi(2) * squared;
        labels[first as usize] = label;
        open.push(first as usize);
        while let Some(cell) = open.pop() {
            for next in beside(cell, width, labels.len()) {
                let radius = radii_squared[next];
                if labels[next] == 0 && radius > 0 && f64::from(radius) >= least {
                    labels[next] = label;
                    open.push(next);
                }
            }
        }
    }
    (labels, radii)
}

/// Regions with their borders; joined ones are one.
struct Regions {
    /// Largest disc radius, cells; entry 0 stands for walls.
    radii: Vec<f64>,
    cells: Vec<f64>,
    /// Number of cell edges shared with each neighbour.
    touching: Vec<BTreeMap<u32, usize>>,
    parents: Vec<u32>,
}

impl Regions {
    fn new(labels: &[u32], width: usize, radii: Vec<f64>) -> Self {
        let count = radii.len();
        let mut cells = vec![0.0; count];
        let mut touching = vec![BTreeMap::new(); count];
        for (cell, &label) in labels.iter().enumerate().filter(|(_, label)| **label != 0) {
            cells[label as usize] += 1.0;
            for other in beside(cell, width, labels.len()).map(|next| labels[next]) {
                if other != 0 && other != label {
                    *touching[label as usize].entry(other).or_default() += 1;
                }
            }
        }
        Self { radii, cells, touching, parents: (0..count as u32).collect() }
    }

    fn root(&self, mut region: u32) -> u32 {
        while self.parents[region as usize] != region {
            region = self.parents[region as usize];
        }
        region
    }

    fn is_alive(&self, region: u32) -> bool {
        self.parents[region as usize] == region
    }

    fn alive(&self) -> Vec<u32> {
        (1..self.radii.len() as u32).filter(|&region| self.is_alive(region)).collect()
    }

    /// The first region becomes part of the second.
    fn join(&mut self, part: u32, whole: u32) {
        self.parents[part as usize] = whole;
        self.cells[whole as usize] += self.cells[part as usize];
        self.radii[whole as usize] = self.radii[whole as usize].max(self.radii[part as usize]);
        self.touching[whole as usize].remove(&part);
        for (other, edges) in std::mem::take(&mut self.touching[part as usize]) {
            if other == whole {
                continue;
            }
            *self.touching[whole as usize].entry(other).or_default() += edges;
            let of_other = &mut self.touching[other as usize];
            of_other.remove(&part);
            *of_other.entry(whole).or_default() += edges;
        }
    }

    /// The neighbour with the longest common border among those that will do; of equals the first.
    fn longest(&self, region: u32, will_do: impl Fn(u32, usize) -> bool) -> Option<u32> {
        let neighbours =
            self.touching[region as usize].iter().filter(|(other, edges)| will_do(**other, **edges));
        neighbours.max_by_key(|(other, edges)| (**edges, std::cmp::Reverse(**other))).map(|(other, _)| *other)
    }

    fn join_similar(&mut self, params: &FreeSpace) {
        loop {
            let alive = self.alive();
            let count = alive.len();
            for region in alive {
                let radius = self.radii[region as usize];
                let is_similar = |other: u32, edges: usize| {
                    let wider = self.radii[other as usize];
                    (wider > radius || (wider >= radius && other < region))
                        && radius >= params.similar * wider
                        && edges as f64 >= params.wide * 2.0 * radius
                };
                if let Some(whole) = self.longest(region, is_similar) {
                    self.join(region, whole);
                }
            }
            if self.alive().len() == count {
                return;
            }
        }
    }

    /// Widest first, so that a corner goes to its room band by band; then those without a wider neighbour.
    fn absorb_those_small_for_their_width(&mut self, own_area: f64) {
        for any_neighbour in [false, true] {
            let mut order = self.alive();
            order.sort_by(|&a, &b| self.radii[b as usize].total_cmp(&self.radii[a as usize]).then(a.cmp(&b)));
            for region in
                order.into_iter().filter(|&region| self.cells[region as usize] > 0.0).collect::<Vec<_>>()
            {
                let radius = self.radii[region as usize];
                if !self.is_alive(region) || self.cells[region as usize] >= own_area * radius * radius {
                    continue;
                }
                let will_do = |other: u32, _| any_neighbour || self.radii[other as usize] >= radius;
                if let Some(whole) = self.longest(region, will_do) {
                    self.join(region, whole);
                }
            }
        }
    }

    /// Small regions, the smallest first.
    fn absorb_below(&mut self, min_cells: f64) {
        let mut order = self.alive();
        order.sort_by(|&a, &b| self.cells[a as usize].total_cmp(&self.cells[b as usize]).then(a.cmp(&b)));
        for region in order {
            if self.cells[region as usize] < min_cells
                && let Some(whole) = self.longest(region, |_, _| true)
            {
                self.join(region, whole);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use testkit::grid;

    use super::*;

    fn areas(rows: &[String]) -> Vec<usize> {
        free_space_rooms(&grid(rows), &FreeSpace::default()).unwrap().areas_cells()[1..].to_vec()
    }

    /// A hall of 20 x 20 cells, and a corridor of 6 x 30 that opens into it over its whole width.
    fn hall_with_corridor() -> Vec<String> {
        let row = |y: usize| match y {
            0 | 21 => "#".repeat(52),
            8..14 => format!("#{}#", ".".repeat(50)),
            _ => format!("#{}{}", ".".repeat(20), "#".repeat(31)),
        };
        (0..22).map(row).collect()
    }

    #[test]
    fn a_corridor_without_a_door_is_a_room_of_its_own() {
        let found = areas(&hall_with_corridor());
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!(found.iter().sum::<usize>(), 580);
        assert!(
            (400..=436).contains(&found[0]),
            "the hall, and what its discs reach of the mouth: {found:?}"
        );
    }

    #[test]
    fn two_halls_with_a_passage_are_three_and_one_is_one() {
        // A passage of 8 x 4 cells; discs of the halls reach a cell or two into its mouths.
        let row = |y: usize| match y {
            0 | 21 => "#".repeat(50),
            9..13 => format!("#{}#", ".".repeat(48)),
            _ => format!("#{0}{1}{0}#", ".".repeat(20), "#".repeat(8)),
        };
        let rows: Vec<String> = (0..22).map(row).collect();
        let found = areas(&rows);
        assert_eq!((found.len(), found.iter().sum::<usize>()), (3, 832), "{found:?}");
        assert!(found[..2].iter().all(|area| (400..=416).contains(area)), "the halls come first: {found:?}");
        let hall: Vec<String> = rows.iter().map(|row| format!("{}#", &row[..21])).collect();
        assert_eq!(areas(&hall), [400]);
    }

    #[test]
    fn maps_without_walls_and_without_free_cells() {
        assert_eq!(areas(&["......".to_owned()]), [6]);
        assert!(areas(&["##".to_owned(), "??".to_owned()]).is_empty());
    }
}
