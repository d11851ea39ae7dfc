//! What ramps did to the first scanner of a run (L-TILT, L-LEVEL): tilt of the robot, what levelling left of it, and the
//! beams that were spoilt.

use schemars::JsonSchema;
use serde::Serialize;
use sim::run::Simulator;
use sim::sensor::{TiltCensus, tilt_census};

/// Every so many steps of a tilted scanner its beams are counted: casting them again, and level ones beside, takes
/// longer than the scan.
const CENSUS_EVERY: usize = 5;
/// Tilts below this are none, radians.
const LEVEL_RAD: f64 = 1e-6;

/// Tilt over a run, and what it spoilt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct TiltFigures {
    /// Root mean square of the robot's tilt over the run, degrees.
    pub robot_rms_deg: f64,
    /// Its maximum, degrees.
    pub robot_max_deg: f64,
    /// Root mean square of the tilt that the scanner has: that of the robot, or what levelling left of it, degrees.
    pub residual_rms_deg: f64,
    /// Its maximum, degrees.
    pub residual_max_deg: f64,
    /// Share of beams that miss a wall which a level beam meets within range (kind 2), 0 to 1.
    pub missed_share: f64,
    /// Share of beams that end on the floor where a level beam does not (kind 3), 0 to 1.
    pub phantom_share: f64,
    /// Share of beams of either kind, 0 to 1.
    pub spoilt_share: f64,
    /// Share of beams that end on a ramp, as a level beam does too (kind 4), 0 to 1.
    pub level_on_ramp_share: f64,
    /// Beams that were counted: those of each fifth scan.
    pub beams: usize,
}

/// Counts step by step.
#[derive(Clone, Debug, Default)]
pub(super) struct TiltCounter {
    steps: usize,
    robot: Tilts,
    scanner: Tilts,
    census: TiltCensus,
}

/// Squares and maximum of a tilt.
#[derive(Clone, Copy, Debug, Default)]
struct Tilts {
    sum_rad2: f64,
    max_rad: f64,
}

impl Tilts {
    fn add(&mut self, tilt_rad: f64) {
        self.sum_rad2 += tilt_rad * tilt_rad;
        self.max_rad = self.max_rad.max(tilt_rad);
    }

    fn rms_deg(&self, steps: usize) -> f64 {
        (self.sum_rad2 / steps.max(1) as f64).sqrt().to_degrees()
    }
}

impl TiltCounter {
    /// Counts the scanner as it stands before a step.
    pub(super) fn count(&mut self, simulator: &Simulator) {
        let Some(laser) = simulator.robot().lasers.first() else { return };
        self.robot.add(tilt_rad(simulator.true_pose().matrix()));
        let world_from_laser = simulator.world_from_laser(0);
        let residual_rad = tilt_rad(world_from_laser.matrix());
        self.scanner.add(residual_rad);
        let is_counted = self.steps.is_multiple_of(CENSUS_EVERY);
        self.steps += 1;
        if !is_counted {
            return;
        }
        // Without tilt no beam is spoilt; whether it ends on a ramp must be looked at wherever there are ramps.
        let is_flat = simulator.world().floor().highest_m() == 0.0;
        self.census += if is_flat && residual_rad < LEVEL_RAD {
            TiltCensus { beams: laser.beams, ..TiltCensus::default() }
        } else {
            tilt_census(simulator.world(), laser, world_from_laser)
        };
    }

    pub(super) fn figures(&self) -> TiltFigures {
        let share = |count: usize| count as f64 / self.census.beams.max(1) as f64;
        TiltFigures {
            robot_rms_deg: self.robot.rms_deg(self.steps),
            robot_max_deg: self.robot.max_rad.to_degrees(),
            residual_rms_deg: self.scanner.rms_deg(self.steps),
            residual_max_deg: self.scanner.max_rad.to_degrees(),
            missed_share: share(self.census.missed_walls),
            phantom_share: share(self.census.phantom_floors),
            spoilt_share: share(self.census.missed_walls + self.census.phantom_floors),
            level_on_ramp_share: share(self.census.level_on_ramp),
            beams: self.census.beams,
        }
    }
}

/// Angle between the z axis of a pose in space and the vertical, by its matrix.
fn tilt_rad(matrix: [f64; 12]) -> f64 {
    matrix[2].hypot(matrix[6]).atan2(matrix[10])
}

#[cfg(test)]
mod tests {
    use model::Pose3;
    use sim::arena::{Arena, Plan};
    use sim::robot::RobotModel;
    use sim::sensor::Levelling;

    use super::*;

    #[test]
    fn tilt_is_the_angle_to_the_vertical() {
        let tilt_deg = |roll_deg: f64, pitch_deg: f64| {
            let attitude = [roll_deg.to_radians(), pitch_deg.to_radians(), 0.7];
            tilt_rad(Pose3::of_roll_pitch_yaw([1.0, 2.0, 3.0], attitude).matrix()).to_degrees()
        };
        assert!(tilt_deg(0.0, 0.0) < 1e-9 && (tilt_deg(0.0, -15.0) - 15.0).abs() < 1e-9);
        assert!((tilt_deg(10.0, 0.0) - 10.0).abs() < 1e-9);
    }

    fn on_a_ramp(levelling: Option<Levelling>) -> TiltFigures {
        let text = "drawing = '''\n+---+---+---+\n| S  >>  == |\n+---+---+---+\n'''";
        let arena = Arena::build(&Plan::read(text).unwrap()).unwrap();
        let robot = RobotModel { levelling, slips_per_m: 0.0, ..RobotModel::default() };
        let mut simulator = Simulator::new(&arena, robot, 1);
        let mut counter = TiltCounter::default();
        for _ in 0..30 {
            counter.count(&simulator);
            let command = simulator.robot().command(0.4, 0.0);
            simulator.step(command, 0.1);
        }
        counter.figures()
    }

    #[test]
    fn a_ramp_tilts_the_scanner_and_levelling_takes_most_of_it_back() {
        let (fixed, levelled) = (on_a_ramp(None), on_a_ramp(Some(Levelling::default())));
        assert!((fixed.robot_max_deg - 15.0).abs() < 0.1, "{fixed:?}");
        assert!((fixed.robot_max_deg - levelled.robot_max_deg).abs() < 1e-9);
        assert_eq!(fixed.residual_rms_deg, fixed.robot_rms_deg);
        assert!(levelled.residual_rms_deg < 0.5 * fixed.residual_rms_deg, "{levelled:?}");
        assert!(fixed.level_on_ramp_share > 0.0 && fixed.beams == 6 * 668);
        assert!((fixed.spoilt_share - fixed.missed_share - fixed.phantom_share).abs() < 1e-12);
    }
}
