//! An office floor: corridors in a ring, rooms on both sides, doors, furniture.
//!
//! The outside and the inside of solid things are unknown, as in the map of a robot that saw everything it
//! could. Each free cell can be reached from the corridors.

use model::{CellClass, Grid, GridGeometry, Pose2};

use super::canvas::Canvas;
use super::door_leaf::hang_doors;
use super::furniture::furnish;
use super::layout::{Layout, SpaceKind, lay_out};
use crate::SimError;

/// What an office floor should be like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OfficePlan {
    /// Chooses the floor: same seed, same cells. Default 2; ours, chosen by eye for print.
    pub seed: u64,
    /// Width of the grid in metres. Default 24; ours, a floor that fits a page at one pixel per cell.
    pub width_m: f64,
    /// Height of the grid in metres. Default 16; ours, enough for two corridors that form a ring.
    pub height_m: f64,
    /// Edge of a cell in metres, 0.02 to 0.1. Default 0.05, the usual cell of indoor maps; coarser cells would
    /// close the gaps between chairs and tables.
    pub cell_size_m: f64,
    /// Unknown border around the building in metres, at least one cell. Default 1; ours, so that a map that
    /// is moved or bent a little stays on the grid.
    pub margin_m: f64,
    /// Clear width of a corridor in metres, 1 to 5. Default 1.6; ours, a common office corridor.
    pub corridor_width_m: f64,
    /// Clear width of a door in metres, 0.6 to 1.5. Default 0.9; ours, the clear width of an accessible door.
    pub door_width_m: f64,
    /// Thickness of the outer and of the corridor walls in metres, up to 0.5. Default 0.1: two cells, as a
    /// laser map shows a wall seen from both sides. Partitions between rooms are half as thick.
    pub wall_thickness_m: f64,
}

impl Default for OfficePlan {
    fn default() -> Self {
        Self {
            seed: 2,
            width_m: 24.0,
            height_m: 16.0,
            cell_size_m: 0.05,
            margin_m: 1.0,
            corridor_width_m: 1.6,
            door_width_m: 0.9,
            wall_thickness_m: 0.1,
        }
    }
}

impl OfficePlan {
    /// A length in whole cells, at least one.
    pub(super) fn cells(&self, length_m: f64) -> i64 {
        ((length_m / self.cell_size_m).round() as i64).max(1)
    }

    fn check(&self) -> Result<(), SimError> {
        let check = SimError::check_range;
        check("cell_size_m", self.cell_size_m, 0.02..=0.1, "0.02 to 0.1")?;
        check("margin_m", self.margin_m, 0.0..=1e6, "0 or more")?;
        check("corridor_width_m", self.corridor_width_m, 1.0..=5.0, "1 to 5")?;
        check("door_width_m", self.door_width_m, 0.6..=1.5, "0.6 to 1.5")?;
        check("wall_thickness_m", self.wall_thickness_m, 0.0..=0.5, "0 to 0.5")?;
        check("width_m", self.width_m, 1.0..=1e6, "1 or more")?;
        check("height_m", self.height_m, 1.0..=1e6, "1 or more")
    }

    fn geometry(&self) -> Result<GridGeometry, SimError> {
        let (width, height) = (self.cells(self.width_m) as usize, self.cells(self.height_m) as usize);
        Ok(GridGeometry::new(width, height, self.cell_size_m, Pose2::IDENTITY)?)
    }
}

/// The floor of a plan, its lower-left corner at the world's origin.
///
/// # Errors
/// A parameter outside of its range, or a floor too small for a corridor with rooms on both sides.
pub fn office(plan: &OfficePlan) -> Result<Grid, SimError> {
    plan.check()?;
    let geometry = plan.geometry()?;
    let layout = lay_out(plan, &geometry)?;
    let mut canvas = Canvas::unknown(geometry);
    paint_walls(&mut canvas, &layout, plan);
    paint_spaces(&mut canvas, &layout);
    paint_openings(&mut canvas, &layout);
    hang_doors(&mut canvas, &layout, plan);
    furnish(&mut canvas, &layout, plan);
    canvas.into_grid()
}

/// A wall is what surrounds a space; where spaces meet without a gap there is none.
fn paint_walls(canvas: &mut Canvas, layout: &Layout, plan: &OfficePlan) {
    let thickness = plan.cells(plan.wall_thickness_m);
    for space in &layout.spaces {
        canvas.fill(space.rect.grown(thickness, thickness), CellClass::Occupied);
    }
}

fn paint_spaces(canvas: &mut Canvas, layout: &Layout) {
    for space in &layout.spaces {
        let class = if space.kind == SpaceKind::Shaft { CellClass::Unknown } else { CellClass::Free };
        canvas.fill(space.rect, class);
    }
}

fn paint_openings(canvas: &mut Canvas, layout: &Layout) {
    for opening in &layout.openings {
        canvas.fill(opening.rect, CellClass::Free);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::canvas::Rect;
    use super::*;
    use crate::damage::{ThickWalls, thick_walls};

    fn default_office(seed: u64) -> Grid {
        office(&OfficePlan { seed, ..OfficePlan::default() }).unwrap()
    }

    /// FNV-1a, 64 bits.
    fn hash(bytes: &[u8]) -> u64 {
        bytes.iter().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x100_0000_01b3))
    }

    /// The free cells reached from a cell by steps to cells that share an edge.
    fn reached_from(grid: &Grid, start: usize) -> Vec<bool> {
        let (width, classes) = (grid.geometry().width(), grid.classes());
        let mut reached = vec![false; classes.len()];
        let mut open = vec![start];
        while let Some(index) = open.pop() {
            if classes[index] == CellClass::Free && !std::mem::replace(&mut reached[index], true) {
                // The border is never free, so each free cell has four neighbours.
                open.extend([index - 1, index + 1, index - width, index + width]);
            }
        }
        reached
    }

    /// The cells of a space, by index.
    fn cells_of(rect: Rect, geometry: &GridGeometry) -> impl Iterator<Item = usize> {
        let columns = rect.left as usize..rect.right as usize;
        let rows = rect.bottom as usize..rect.top as usize;
        rows.flat_map(move |j| columns.clone().map(move |i| model::Cell { i, j }))
            .map(|cell| geometry.index_of(cell))
    }

    /// What is reached from the first free cell of a corridor.
    fn reached_from_corridor(grid: &Grid, layout: &Layout) -> Vec<bool> {
        let corridor = layout.spaces.iter().find(|s| s.kind == SpaceKind::Corridor).unwrap();
        let start = cells_of(corridor.rect, grid.geometry()).find(|&c| grid.classes()[c] == CellClass::Free);
        reached_from(grid, start.unwrap())
    }

    fn reached_part(plan: &OfficePlan, grid: &Grid) -> f64 {
        let layout = lay_out(plan, grid.geometry()).unwrap();
        let reached = reached_from_corridor(grid, &layout);
        let free = grid.class_counts()[CellClass::Free as usize];
        reached.iter().filter(|r| **r).count() as f64 / free as f64
    }

    /// The first free cell that lies on the border or touches an unknown cell.
    fn leak(grid: &Grid) -> Option<model::Cell> {
        let geometry = grid.geometry();
        let is_leak = |cell: &model::Cell| {
            if cell.i == 0 || cell.j == 0 || cell.i + 1 == geometry.width() || cell.j + 1 == geometry.height()
            {
                return true;
            }
            (cell.i - 1..=cell.i + 1).any(|i| {
                (cell.j - 1..=cell.j + 1)
                    .any(|j| grid.classes()[geometry.index_of(model::Cell { i, j })] == CellClass::Unknown)
            })
        };
        let free = (0..geometry.cells()).filter(|&index| grid.classes()[index] == CellClass::Free);
        free.map(|index| geometry.cell_of(index)).find(is_leak)
    }

    #[test]
    fn the_default_office_never_changes() {
        let grid = office(&OfficePlan::default()).unwrap();
        assert_eq!((grid.geometry().width(), grid.geometry().height()), (480, 320));
        assert_eq!(hash(grid.class_bytes()), 6_808_673_184_207_191_873);
    }

    #[test]
    fn seeds_give_different_floors() {
        let mut hashes: Vec<u64> = (0..50).map(|seed| hash(default_office(seed).class_bytes())).collect();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), 50);
    }

    #[test]
    fn walls_are_closed() {
        for seed in 0..50 {
            assert_eq!(leak(&default_office(seed)), None, "seed {seed}");
        }
    }

    #[test]
    fn the_free_floor_is_one_part() {
        for seed in 0..50 {
            let plan = OfficePlan { seed, ..OfficePlan::default() };
            let part = reached_part(&plan, &office(&plan).unwrap());
            assert_eq!(part, 1.0, "seed {seed}");
        }
    }

    #[test]
    fn most_of_the_building_is_free_floor() {
        for seed in 0..50 {
            let counts = default_office(seed).class_counts();
            // The building takes 22 x 14 of 24 x 16 m, less the corner that is cut off and a shaft.
            assert!(counts[CellClass::Free as usize] > 480 * 320 / 2, "seed {seed}: {counts:?}");
        }
    }

    #[test]
    fn a_robot_half_a_metre_wide_reaches_each_room() {
        for seed in 0..50 {
            let plan = OfficePlan { seed, ..OfficePlan::default() };
            let grid = office(&plan).unwrap();
            let layout = lay_out(&plan, grid.geometry()).unwrap();
            let for_robot = thick_walls(&grid, &ThickWalls { growth_cells: 5 }).unwrap();
            let reached = reached_from_corridor(&for_robot, &layout);
            for space in layout.spaces.iter().filter(|s| s.kind != SpaceKind::Shaft) {
                let is_reached = cells_of(space.rect, grid.geometry()).any(|cell| reached[cell]);
                assert!(is_reached, "seed {seed}: {space:?}");
            }
        }
    }

    #[test]
    fn senseless_plans_are_refused() {
        let plan = OfficePlan::default();
        for refused in [
            OfficePlan { cell_size_m: 0.0, ..plan },
            OfficePlan { cell_size_m: f64::NAN, ..plan },
            OfficePlan { width_m: f64::INFINITY, ..plan },
            OfficePlan { width_m: 5.0, ..plan },
            OfficePlan { height_m: -1.0, ..plan },
            OfficePlan { door_width_m: 3.0, ..plan },
            OfficePlan { width_m: 1e6, height_m: 1e6, ..plan },
        ] {
            assert!(office(&refused).is_err(), "{refused:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn floors_of_any_measure_are_closed_and_in_one_part(
            seed in any::<u64>(),
            sides_m in (14.0..60.0f64, 14.0..40.0f64),
            cell_size_m in prop::sample::select(vec![0.025, 0.05, 0.1]),
            margin_m in 0.0..2.0f64,
            corridor_width_m in 1.0..3.0f64,
            door_width_m in 0.6..1.5f64,
            wall_thickness_m in 0.0..0.5f64,
        ) {
            let plan = OfficePlan {
                seed, width_m: sides_m.0, height_m: sides_m.1, cell_size_m, margin_m, corridor_width_m,
                door_width_m, wall_thickness_m,
            };
            // Wide corridors and margins may leave no room for rooms; such plans are refused, and that is right.
            let floor = office(&plan);
            prop_assume!(!matches!(floor, Err(SimError::TooSmall { .. })));
            let grid = floor.unwrap();
            prop_assert_eq!(leak(&grid), None);
            prop_assert_eq!(reached_part(&plan, &grid), 1.0);
        }
    }
}
