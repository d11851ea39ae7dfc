//! How many beams of a scan are spoilt by tilt, by the kinds of L-TILT.
//!
//! Kind 2: a wall that a level beam would have met within range is missed. Kind 3: a beam ends on the floor where a
//! level one would not have. Kind 4: a level beam, too, would have ended on the ramp. Kind 1, the stretched range, is
//! the rest.

use std::ops::AddAssign;

use model::Pose3;

use super::laser::Laser;
use crate::world::{HitKind, Ray, World};

/// Beams by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TiltCensus {
    pub beams: usize,
    /// Kind 2.
    pub missed_walls: usize,
    /// Kind 3.
    pub phantom_floors: usize,
    /// Kind 4.
    pub level_on_ramp: usize,
}

impl TiltCensus {
    /// Share of kinds 2 and 3; none without beams.
    #[must_use]
    pub fn spoilt_share(&self) -> Option<f64> {
        (self.beams > 0).then(|| (self.missed_walls + self.phantom_floors) as f64 / self.beams as f64)
    }
}

impl AddAssign for TiltCensus {
    fn add_assign(&mut self, other: Self) {
        self.beams += other.beams;
        self.missed_walls += other.missed_walls;
        self.phantom_floors += other.phantom_floors;
        self.level_on_ramp += other.level_on_ramp;
    }
}

/// Counts the beams of a scan from a pose of the scanner; a level scanner has the same place and heading.
#[must_use]
pub fn tilt_census(world: &World, laser: &Laser, world_from_laser: Pose3) -> TiltCensus {
    let directions = laser.directions();
    let [_, _, yaw_rad] = world_from_laser.roll_pitch_yaw();
    let level = Pose3::of_roll_pitch_yaw(world_from_laser.position_m, [0.0, 0.0, yaw_rad]);
    let m = level.matrix();
    let mut census = TiltCensus::default();
    let hits = laser.true_hits(world, world_from_laser, &directions);
    for (hit, [sin, cos]) in hits.zip(&directions) {
        let direction = [m[0] * cos + m[1] * sin, m[4] * cos + m[5] * sin, 0.0];
        let ray = Ray { origin_m: world_from_laser.position_m, direction };
        let level_kind = world.cast(&ray, laser.max_range_m).map(|hit| hit.kind);
        census.beams += 1;
        match (hit.map(|hit| hit.kind), level_kind) {
            (Some(HitKind::Floor), Some(HitKind::Floor)) => census.level_on_ramp += 1,
            (Some(HitKind::Floor), _) => census.phantom_floors += 1,
            // A wall just within range that the stretched beam no longer reaches is not counted as missed.
            (None, Some(HitKind::Wall | HitKind::Barrel)) if !is_stretched_out(world, laser, &ray) => {
                census.missed_walls += 1;
            }
            _ => {}
        }
    }
    census
}

/// Whether the level beam ends so near to the largest range that a stretch of 4 % (15 degrees) leaves it.
fn is_stretched_out(world: &World, laser: &Laser, level: &Ray) -> bool {
    const STRETCH: f64 = 1.04;
    world.cast(level, laser.max_range_m).is_some_and(|hit| hit.range_m * STRETCH > laser.max_range_m)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::{Arena, Plan};

    #[test]
    fn a_scanner_pitched_up_misses_far_walls_and_one_pitched_down_sees_the_floor() {
        let plan = Plan::read(
            "size_m = [10, 10]\n[start]\nat_m = [1, 5]\n[[wall]]\nfrom_m = [9, 0]\nto_m = [9, 10]\n",
        )
        .unwrap();
        let world = World::new(&Arena::build(&plan).unwrap());
        let laser = Laser { beams: 3, field_of_view_rad: 0.2, max_range_m: 20.0, ..Laser::urg_04lx() };
        let tilted = |pitch_deg: f64| {
            let attitude = [0.0, pitch_deg.to_radians(), 0.0];
            tilt_census(&world, &laser, Pose3::of_roll_pitch_yaw([1.0, 5.0, 0.3], attitude))
        };
        assert_eq!(tilted(0.0), TiltCensus { beams: 3, ..TiltCensus::default() });
        assert_eq!(tilted(-10.0), TiltCensus { beams: 3, missed_walls: 3, ..TiltCensus::default() });
        assert_eq!(tilted(10.0), TiltCensus { beams: 3, phantom_floors: 3, ..TiltCensus::default() });
        assert_eq!(tilted(10.0).spoilt_share(), Some(1.0));
        assert_eq!(TiltCensus::default().spoilt_share(), None);
    }
}
