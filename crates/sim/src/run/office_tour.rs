//! The run `sim-office`: around the corridor of an office floor into each of its 35 rooms, then around it twice more.
//!
//! The reference has 492 m and 7142 scans of 181 beams, range noise 1 cm, odometry +2 % and +3 %.

use model::Point2;

use super::recording::SimulatedRun;
use super::walk::Walk;
use crate::SimError;
use crate::arena::{Arena, OfficeFloor, OfficeFloorPlan, OfficeRoom};
use crate::sensor::{Laser, NoReturn, OdometryModel, RangeNoise};
use crate::world::World;

/// A tour of an office floor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OfficeTour {
    /// Chooses the floor and the noise.
    pub seed: u64,
    /// Laps around the corridor after the first, which goes into all rooms. Default 2: about 490 m (sim-office).
    pub more_laps: usize,
}

impl Default for OfficeTour {
    fn default() -> Self {
        Self { seed: 1, more_laps: 2 }
    }
}

impl OfficeTour {
    /// The floor, and the run over it.
    ///
    /// # Errors
    /// Too many laps.
    pub fn run(&self) -> Result<(Arena, SimulatedRun), SimError> {
        SimError::check_range("more_laps", self.more_laps as f64, 0.0..=100.0, "0 to 100")?;
        let floor = OfficeFloorPlan { seed: self.seed, ..OfficeFloorPlan::default() }.floor()?;
        let arena = Arena::build(&floor.plan)?;
        let walk = Walk {
            seed: self.seed,
            laser: office_laser(),
            odometry: OdometryModel::OFFICE,
            step_m: 0.1,
            turn_rad: 5_f64.to_radians(),
            step_s: 0.2,
        };
        let run = walk.along(&World::new(&arena), arena.start, &self.points(&floor));
        Ok((arena, run))
    }

    fn points(&self, floor: &OfficeFloor) -> Vec<Point2> {
        let mut points = Vec::new();
        for leg in 0..4 {
            let (from, to) = (floor.corridor[leg], floor.corridor[(leg + 1) % 4]);
            for room in rooms_along(&floor.rooms, from, to) {
                let inside = [room.behind_door, room.middle(), room.behind_door];
                points.push(room.before_door);
                points.extend(inside);
                points.push(room.before_door);
            }
            points.push(to);
        }
        for _ in 0..self.more_laps {
            points.extend((0..4).map(|corner| floor.corridor[(corner + 1) % 4]));
        }
        points
    }
}

/// Rooms whose doors open to a leg of the corridor, in the order of the walk.
fn rooms_along(rooms: &[OfficeRoom], from: Point2, to: Point2) -> Vec<OfficeRoom> {
    let length_m = (to.x_m - from.x_m).hypot(to.y_m - from.y_m);
    let along = Point2::new((to.x_m - from.x_m) / length_m, (to.y_m - from.y_m) / length_m);
    let place = |room: &OfficeRoom| {
        let (dx, dy) = (room.before_door.x_m - from.x_m, room.before_door.y_m - from.y_m);
        (dx * along.x_m + dy * along.y_m, dx * along.y_m - dy * along.x_m)
    };
    // A door faces this leg if one walks through it across the leg's direction.
    let faces = |room: &OfficeRoom| {
        let (dx, dy) =
            (room.behind_door.x_m - room.before_door.x_m, room.behind_door.y_m - room.before_door.y_m);
        place(room).1.abs() < 1e-6 && (dx * along.x_m + dy * along.y_m).abs() < 1e-6
    };
    let mut found: Vec<OfficeRoom> = rooms.iter().copied().filter(faces).collect();
    found.sort_by(|a, b| place(a).0.total_cmp(&place(b).0));
    found
}

/// 181 beams over half a turn, noise 1 cm (sim-office); 30 m and exact numbers, which the reference does not state.
fn office_laser() -> Laser {
    Laser {
        max_range_m: 30.0,
        noise: RangeNoise { sigma_m: 0.01, sigma_share: 0.0 },
        quantum_m: 0.0,
        no_return: NoReturn::MaxRange,
        ..Laser::sick_lms200()
    }
}

#[cfg(test)]
mod tests {
    use model::Pose2;

    use super::*;

    fn is_clear(world: &World, at: Pose2, radius_m: f64) -> bool {
        let round = (0..16).map(|k| std::f64::consts::TAU * f64::from(k) / 16.0);
        let place = Point2::new(at.x_m, at.y_m);
        round.into_iter().all(|angle| world.cast_level(place, angle, 0.3, radius_m).is_none())
    }

    #[test]
    fn the_tour_is_about_as_long_as_the_reference_and_touches_nothing() {
        let (arena, run) = OfficeTour::default().run().unwrap();
        let scans = run.log.scans().count();
        assert!((430.0..560.0).contains(&run.distance_m), "{} m", run.distance_m);
        assert!((6000..8500).contains(&scans), "{scans} scans");
        let world = World::new(&arena);
        for pose in run.truth.poses.iter().step_by(3) {
            let at = pose.world_from_robot.planar();
            assert!(is_clear(&world, at, 0.25), "{at:?}");
        }
    }
}
