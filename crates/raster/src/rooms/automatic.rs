//! Which method suits a map, by what can be measured on it.
//!
//! 1. **clutter**: obstacles of 0.3 to 2 m per square metre of free space. From [`CLUTTERED_PER_M2`] on, things up to 2 m
//!    long do not bound rooms, else things up to 1 m.
//! 2. A cluttered map is divided by basins ([`super::watershed`]): its walls are too ragged for doors to be seen.
//! 3. **few basins**: basins that end at narrow passes. If there are at most [`FEW_BASINS`] although the widths of the free
//!    space make at least twice as many rooms, and nothing stands about (small things of any size per square metre, below
//!    [`FURNISHED_PER_M2`]), the map has hardly any doors: rooms are told apart by width ([`super::free_space`]), as people
//!    do in sketches.
//! 4. Anything else is divided at the gaps of its walls ([`super::doors`]).
//!
//! Images without a resolution have cells of 1 m. A cell above [`COARSE_M`] is no measure of doors, so the scale is then set
//! by the free space: the widest quarter of it has a radius of [`WIDE_RADIUS_M`], as in the plans these limits come from.
//! Ours; chosen on one half of the plans, laser maps and sketches of `docs/rooms.md`.

use std::borrow::Cow;

use model::{CellClass, Grid, GridGeometry};

use super::discs::disc_radii_squared;
use super::doors::{Doors, door_rooms};
use super::free_space::{FreeSpace, free_space_rooms, quantile_squared};
use super::obstacles::{Ignored, UnknownCells, blocked_plane, obstacle_sides};
use super::watershed::{Watershed, squared_clearances, watershed_rooms};
use super::{RoomFinder, RoomParams, Rooms};

/// Obstacles of 0.3 to 2 m per square metre from which on a map is cluttered. Laser maps of lived-in places have 0.14 to
/// 0.42, furnished plans up to 0.07.
pub const CLUTTERED_PER_M2: f64 = 0.1;
/// Obstacles below 1 m per square metre from which on a map is furnished or rough. Drawn plans have at most 0.03, furnished
/// ones from 0.3 on.
pub const FURNISHED_PER_M2: f64 = 0.035;
/// Basins of a map that doors hardly divide.
pub const FEW_BASINS: u32 = 4;
/// Larger cells are no measure of doors, metres.
pub const COARSE_M: f64 = 0.25;
/// Radius of the free space that three quarters of the cells stay below, metres.
pub const WIDE_RADIUS_M: f64 = 2.2;
/// How the rooms of a map are found, and why.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// `doors`, `free_space` or `watershed`.
    pub method: RoomFinder,
    /// Obstacles smaller than this do not bound rooms, metres.
    pub min_obstacle_m: f64,
    /// Obstacles of 0.3 to 2 m per square metre of free space.
    pub clutter_per_m2: f64,
}

/// The rooms of a map by the method that suits it; none if it is too long for exact distances.
pub(super) fn automatic_rooms(grid: &Grid, params: &RoomParams) -> Option<(Rooms, Choice)> {
    let scaled = with_metres(grid)?;
    let things = Things::of(&scaled);
    let min_obstacle_m = if things.clutter_per_m2 >= CLUTTERED_PER_M2 { 2.0 } else { 1.0 };
    let choice = |method| Choice { method, min_obstacle_m, clutter_per_m2: things.clutter_per_m2 };
    let settled = |method| Some((rooms_by_method(&scaled, params, &choice(method))?, choice(method)));
    if things.clutter_per_m2 >= CLUTTERED_PER_M2 {
        return settled(RoomFinder::Watershed);
    }
    if things.furniture_per_m2 < FURNISHED_PER_M2 {
        let few = basins(&scaled, params, min_obstacle_m)?.count;
        if few <= FEW_BASINS {
            let by_width = by_width(&scaled, params, min_obstacle_m)?;
            if large_rooms(&by_width) >= 2 * few as usize {
                return Some((by_width, choice(RoomFinder::FreeSpace)));
            }
        }
    }
    settled(RoomFinder::Doors)
}

/// The rooms of a map by the method that was chosen for another one of the same place.
pub(super) fn rooms_by(grid: &Grid, params: &RoomParams, choice: &Choice) -> Option<Rooms> {
    rooms_by_method(&*with_metres(grid)?, params, choice)
}

fn rooms_by_method(scaled: &Grid, params: &RoomParams, choice: &Choice) -> Option<Rooms> {
    let min_obstacle_m = choice.min_obstacle_m;
    match choice.method {
        RoomFinder::FreeSpace => by_width(scaled, params, min_obstacle_m),
        RoomFinder::Doors => by_doors(scaled, params, min_obstacle_m),
        _ => basins(scaled, params, min_obstacle_m),
    }
}

fn basins(grid: &Grid, params: &RoomParams, min_obstacle_m: f64) -> Option<Rooms> {
    let smoothing_m = params.smoothing_m;
    watershed_rooms(grid, &Watershed { min_obstacle_m, smoothing_m, ..Watershed::default() })
}

fn by_doors(grid: &Grid, params: &RoomParams, min_obstacle_m: f64) -> Option<Rooms> {
    let doors = Doors::default();
    let basins = Watershed { min_obstacle_m, smoothing_m: params.smoothing_m, ..doors.basins };
    door_rooms(grid, &Doors { basins, ..doors })
}

fn by_width(grid: &Grid, params: &RoomParams, min_obstacle_m: f64) -> Option<Rooms> {
    let smoothing_m = params.smoothing_m;
    free_space_rooms(grid, &FreeSpace { min_obstacle_m, smoothing_m, ..FreeSpace::default() })
}

/// Rooms with at least a hundredth of the cells of all.
fn large_rooms(rooms: &Rooms) -> usize {
    let areas = rooms.areas_cells();
    let all: usize = areas.iter().skip(1).sum();
    areas.iter().skip(1).filter(|&&area| 100 * area >= all).count()
}

/// What stands about in a map.
struct Things {
    clutter_per_m2: f64,
    furniture_per_m2: f64,
}

impl Things {
    fn of(grid: &Grid) -> Self {
        let (width, cell_size_m) = (grid.geometry().width(), grid.geometry().cell_size_m());
        let plane = blocked_plane(grid, UnknownCells::Block, Ignored::default());
        let free = grid.classes().iter().filter(|class| **class == CellClass::Free).count();
        let area_m2 = (free as f64 * cell_size_m.powi(2)).max(f64::MIN_POSITIVE);
        let sides_m: Vec<f64> =
            obstacle_sides(&plane, width).into_iter().map(|cells| cells as f64 * cell_size_m).collect();
        let per_m2 = |range: std::ops::Range<f64>| {
            sides_m.iter().filter(|&&side| range.contains(&(side + 1e-9))).count() as f64 / area_m2
        };
        Self { clutter_per_m2: per_m2(0.3..2.0), furniture_per_m2: per_m2(0.0..1.0) }
    }
}

/// The map with cells of a size that metres can be measured by; none if it is too long for exact distances.
fn with_metres(grid: &Grid) -> Option<Cow<'_, Grid>> {
    let geometry = grid.geometry();
    if geometry.cell_size_m() <= COARSE_M {
        return Some(Cow::Borrowed(grid));
    }
    let plane = blocked_plane(grid, UnknownCells::Block, Ignored::default());
    let radii_squared = disc_radii_squared(&squared_clearances(&plane, geometry.width())?, geometry.width());
    let wide_cells = f64::from(quantile_squared(&radii_squared, 0.75)).sqrt();
    let cell_size_m = (WIDE_RADIUS_M / wide_cells.max(1.0)).min(geometry.cell_size_m());
    let (width, height) = (geometry.width(), geometry.height());
    let scaled = GridGeometry::new(width, height, cell_size_m, geometry.origin())
        .ok()
        .and_then(|geometry| Grid::new(geometry, grid.classes().to_vec()).ok());
    Some(scaled.map_or(Cow::Borrowed(grid), Cow::Owned))
}

#[cfg(test)]
mod tests {
    use model::Pose2;
    use testkit::grid_at;

    use super::*;

    /// Rows of a drawing, each cell `scale` x `scale` cells of 0.05 m.
    fn enlarged(rows: &[&str], scale: usize, cell_size_m: f64) -> Grid {
        let wide = |row: &str| row.chars().flat_map(|c| std::iter::repeat_n(c, scale)).collect::<String>();
        let text: Vec<String> = rows.iter().flat_map(|row| std::iter::repeat_n(wide(row), scale)).collect();
        grid_at(text, cell_size_m, Pose2::IDENTITY)
    }

    /// A hall, and a corridor with a bend that opens into it over its whole width: no door.
    const OUTLINE: [&str; 10] = [
        "####################",
        "#.......############",
        "#.......############",
        "#..................#",
        "#..................#",
        "#.......#########..#",
        "#.......#########..#",
        "#################..#",
        "#################..#",
        "####################",
    ];
    const ROOMS: [&str; 7] = [
        "################",
        "#....#....#....#",
        "#....#....#....#",
        "#..............#",
        "#....#....#....#",
        "#....#....#....#",
        "################",
    ];

    fn choice(grid: &Grid) -> (RoomFinder, u32) {
        let (rooms, choice) = automatic_rooms(grid, &RoomParams::default()).unwrap();
        (choice.method, rooms.count)
    }

    #[test]
    fn an_outline_without_doors_is_divided_by_width() {
        for cell_size_m in [0.05, 1.0] {
            let (method, count) = choice(&enlarged(&OUTLINE, 12, cell_size_m));
            assert_eq!(method, RoomFinder::FreeSpace, "cells of {cell_size_m} m");
            assert!(count >= 2, "{count}");
        }
    }

    #[test]
    fn rooms_with_doors_are_divided_at_the_doors() {
        assert_eq!(choice(&enlarged(&ROOMS, 16, 0.05)), (RoomFinder::Doors, 3));
    }

    #[test]
    fn furniture_does_not_hide_the_doors() {
        let mut text: Vec<String> = {
            let plan = enlarged(&ROOMS, 16, 0.05);
            let width = plan.geometry().width();
            let letter = |class: &CellClass| if *class == CellClass::Occupied { '#' } else { '.' };
            plan.classes().chunks(width).map(|row| row.iter().map(letter).collect()).collect()
        };
        // Legs of tables, each half a metre.
        for y in (20..text.len() - 20).step_by(12) {
            for x in (20..text[0].len() - 20).step_by(12) {
                text[y].replace_range(x..=x, "#");
            }
        }
        let (rooms, choice) =
            automatic_rooms(&grid_at(text, 0.05, Pose2::IDENTITY), &RoomParams::default()).unwrap();
        assert_eq!((choice.method, rooms.count), (RoomFinder::Doors, 3));
    }

    #[test]
    fn maps_without_walls_and_without_free_cells() {
        for (rows, count) in [(["##", "??"], 0), (["..", ".."], 1)] {
            assert_eq!(choice(&testkit::grid(rows)).1, count);
        }
    }
}
