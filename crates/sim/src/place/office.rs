//! An office floor: corridors in a ring, rooms on both sides, doors, furniture.
//!
//! The outside and the inside of solid things are unknown, as in the map of a robot that saw everything it
//! could. Each free cell can be reached from the corridors.

use model::{CellClass, Grid, GridGeometry, Pose2};

use super::canvas::{Canvas, Rect};
use super::furniture::furnish;
use super::layout::{Axis, Layout, Opening, Passage, SpaceKind, lay_out};
use crate::SimError;
use crate::dice::Dice;

/// What an office floor should be like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OfficePlan {
    /// Chooses the floor: same seed, same cells. Default 1.
    pub seed: u64,
    /// Width of the grid in metres. Default 24; ours, a floor that fits a page at one pixel per cell.
    pub width_m: f64,
    /// Height of the grid in metres. Default 16; ours, enough for two corridors that form a ring.
    pub height_m: f64,
    /// Edge of a cell in metres, 0.02 to 0.2. Default 0.05, the usual cell of indoor maps.
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
            seed: 1,
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
        check("cell_size_m", self.cell_size_m, 0.02..=0.2, "0.02 to 0.2")?;
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
    paint_openings(&mut canvas, &layout, plan);
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

fn paint_openings(canvas: &mut Canvas, layout: &Layout, plan: &OfficePlan) {
    let mut dice = Dice::new(plan.seed, 1);
    for opening in &layout.openings {
        canvas.fill(opening.rect, CellClass::Free);
        if opening.passage == Passage::Door && dice.chance(0.6) {
            paint_door_leaf(canvas, opening, layout.spaces[opening.room].rect, &mut dice);
        }
    }
}

/// An open door stands in the room as a thin line, a little more or less than a quarter turn from the wall.
fn paint_door_leaf(canvas: &mut Canvas, opening: &Opening, room: Rect, dice: &mut Dice) {
    let rect = opening.rect;
    let across = opening.axis == Axis::Vertical;
    let length = if across { rect.width() } else { rect.height() };
    let lean = dice.one_of(&[-2, 0, 0, 2, 4]) * length / 18;
    let at_far_end = dice.chance(0.5);
    let inwards_up = if across { room.bottom >= rect.top } else { room.left >= rect.right };
    let hinge = match (across, at_far_end) {
        (true, false) => rect.left - 1,
        (true, true) => rect.right,
        (false, false) => rect.bottom - 1,
        (false, true) => rect.top,
    };
    let outwards = if at_far_end { 1 } else { -1 };
    let mut previous = hinge;
    for step in 0..length {
        let side = hinge + outwards * (lean * step / length);
        let (low, high) = (side.min(previous), side.max(previous) + 1);
        previous = side;
        let cells = match (across, inwards_up) {
            (true, true) => Rect::new(low, rect.top + step, high, rect.top + step + 1),
            (true, false) => Rect::new(low, rect.bottom - step - 1, high, rect.bottom - step),
            (false, true) => Rect::new(rect.right + step, low, rect.right + step + 1, high),
            (false, false) => Rect::new(rect.left - step - 1, low, rect.left - step, high),
        };
        canvas.fill(cells, CellClass::Occupied);
    }
}
