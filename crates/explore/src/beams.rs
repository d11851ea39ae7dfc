//! A planar laser on a grid: which cells its beams cross, and where they end.

use std::f64::consts::PI;

use model::{GridGeometry, Pose2};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ExploreError;

/// A planar laser. The default is a Hokuyo URG-04LX: 240 degrees, 668 beams, 5.6 m (its data sheet).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Laser {
    /// Angle between the first and the last beam, radians.
    pub field_of_view_rad: f64,
    pub beams: usize,
    /// Longest range, metres.
    pub max_range_m: f64,
}

impl Default for Laser {
    fn default() -> Self {
        Self { field_of_view_rad: PI * 4.0 / 3.0, beams: 668, max_range_m: 5.6 }
    }
}

/// What a beam does in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Light {
    /// It goes on.
    Passes,
    /// It ends.
    Ends,
}

impl Laser {
    /// Refuses lasers that see nothing or take forever.
    pub(crate) fn check(&self) -> Result<(), ExploreError> {
        const MAX_BEAMS: usize = 100_000;
        let angle = self.field_of_view_rad;
        ExploreError::check(
            "field_of_view_rad",
            angle,
            angle > 0.0 && angle <= 2.0 * PI,
            "above 0, at most 2 pi",
        )?;
        ExploreError::check(
            "beams",
            self.beams as f64,
            (2..=MAX_BEAMS).contains(&self.beams),
            "2 to 100000",
        )?;
        ExploreError::check("max_range_m", self.max_range_m, self.max_range_m > 0.0, "above 0")
    }

    /// Shows the cells that each beam crosses, from the sensor on, until `each` ends it or its range is over.
    pub(crate) fn cast(
        &self,
        geometry: &GridGeometry,
        world_from_laser: Pose2,
        mut each: impl FnMut(usize) -> Light,
    ) {
        let position = model::Point2::new(world_from_laser.x_m, world_from_laser.y_m);
        let from = geometry.grid_point_of_world(position);
        let grid_theta_rad = world_from_laser.theta_rad - geometry.origin().theta_rad;
        let range_cells = self.max_range_m / geometry.cell_size_m();
        let step_rad = self.field_of_view_rad / (self.beams - 1) as f64;
        for beam in 0..self.beams {
            let angle_rad = grid_theta_rad - self.field_of_view_rad / 2.0 + beam as f64 * step_rad;
            walk(geometry, from, angle_rad, range_cells, &mut each);
        }
    }
}

/// Cells along one ray (Amanatides and Woo 1987): where it meets a corner it goes through a side cell.
fn walk(
    geometry: &GridGeometry,
    from: (f64, f64),
    angle_rad: f64,
    range_cells: f64,
    each: &mut impl FnMut(usize) -> Light,
) {
    let (dy, dx) = angle_rad.sin_cos();
    let (mut i, mut j) = (from.0.floor(), from.1.floor());
    let axis = |at: f64, cell: f64, direction: f64| {
        let border = if direction > 0.0 { cell + 1.0 - at } else { at - cell };
        let speed = direction.abs();
        if speed < 1e-12 { (f64::INFINITY, f64::INFINITY) } else { (border / speed, 1.0 / speed) }
    };
    let (mut next_x, step_x) = axis(from.0, i, dx);
    let (mut next_y, step_y) = axis(from.1, j, dy);
    let (width, height) = (geometry.width() as f64, geometry.height() as f64);
    loop {
        if !(i >= 0.0 && i < width && j >= 0.0 && j < height) {
            return;
        }
        let index = (geometry.height() - 1 - j as usize) * geometry.width() + i as usize;
        if each(index) == Light::Ends || next_x.min(next_y) > range_cells {
            return;
        }
        if next_x < next_y {
            i += dx.signum();
            next_x += step_x;
        } else {
            j += dy.signum();
            next_y += step_y;
        }
    }
}

#[cfg(test)]
mod tests {
    use testkit::grid;

    use super::*;

    fn seen(rows: &[&str], laser: Laser, pose: Pose2) -> String {
        let map = grid(rows);
        let mut drawn: Vec<char> = rows.concat().chars().map(|_| ' ').collect();
        laser.cast(map.geometry(), pose, |cell| {
            let is_wall = map.classes()[cell] == model::CellClass::Occupied;
            drawn[cell] = if is_wall { '#' } else { '.' };
            if is_wall { Light::Ends } else { Light::Passes }
        });
        drawn.chunks(rows[0].len()).map(|row| row.iter().collect::<String>()).collect::<Vec<_>>().join("/")
    }

    const ROOM: [&str; 3] = ["#####", "#...#", "#####"];

    #[test]
    fn a_full_circle_sees_the_room_and_a_narrow_beam_a_strip() {
        let circle = Laser { field_of_view_rad: 2.0 * PI, beams: 720, max_range_m: 9.0 };
        assert_eq!(seen(&ROOM, circle, Pose2::new(2.5, 1.5, 0.3)), " ### /#...#/ ### ");
        let narrow = Laser { field_of_view_rad: 0.1, beams: 3, max_range_m: 9.0 };
        assert_eq!(seen(&ROOM, narrow, Pose2::new(1.5, 1.5, 0.0)), "     / ...#/     ");
        let short = Laser { max_range_m: 1.0, ..narrow };
        assert_eq!(seen(&ROOM, short, Pose2::new(1.5, 1.5, 0.0)), "     / ..  /     ");
    }

    #[test]
    fn beams_do_not_slip_through_corners() {
        let rows = ["..#", ".#.", "#.."];
        let circle = Laser { field_of_view_rad: 2.0 * PI, beams: 721, max_range_m: 9.0 };
        let drawn = seen(&rows, circle, Pose2::new(0.5, 2.5, -PI / 4.0));
        assert_eq!(drawn, "..#/.# /#  ");
    }
}
