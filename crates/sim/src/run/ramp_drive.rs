//! A drive through a maze of ramps: what tilt does to a mapper, with and without levelling.
//!
//! Every pallet is visited along centre lines by the simulated robot, with its skidding and slipping wheels. The log holds
//! scans, odometry and attitudes; `SensorLog::tilts_of_scans_rad` gives roll and pitch for each scan.

use super::drive::drive_waypoints;
use super::maze_walk::every_pallet;
use super::recording::{Recorder, SimulatedRun};
use super::simulator::Simulator;
use crate::SimError;
use crate::arena::{Arena, Drawing, MazePlan, Slope};
use crate::robot::RobotModel;

/// A drive through a random maze of ramps.
#[derive(Clone, Debug, PartialEq)]
pub struct RampDrive {
    /// Chooses the maze and all noise.
    pub seed: u64,
    /// Pallets from left to right. Default 6, as in L-ACCEPT.
    pub columns: usize,
    /// Pallets from bottom to top. Default 4, as in L-ACCEPT.
    pub rows: usize,
    /// Share of the pallets that are ramps. Default 0.4: nearly all that can be.
    pub ramp_share: f64,
    /// Slope of the ramps. Default gentle, 10 degrees.
    pub ramp_slope: Slope,
    /// The robot; one with `levelling` keeps its scanners level. Default the usual one, with fixed scanners.
    pub robot: RobotModel,
}

impl Default for RampDrive {
    fn default() -> Self {
        Self {
            seed: 1,
            columns: 6,
            rows: 4,
            ramp_share: 0.4,
            ramp_slope: Slope::Gentle,
            robot: RobotModel::default(),
        }
    }
}

/// Time after which a drive ends, seconds per pallet: five times what it takes.
const MAX_S_PER_PALLET: f64 = 60.0;

impl RampDrive {
    /// The maze, and the drive through it. The truth has a pose in space for each time of a reading.
    ///
    /// # Errors
    /// No pallet, too many, or a share that is none.
    pub fn run(&self) -> Result<(Arena, SimulatedRun), SimError> {
        let bare = MazePlan::bare(self.seed, self.columns, self.rows)?;
        let plan = MazePlan { ramp_share: self.ramp_share, ramp_slope: self.ramp_slope, ..bare }.plan()?;
        let arena = Arena::build(&plan)?;
        let drawing = Drawing::read(&plan.drawing)?;
        let points = every_pallet(&drawing, bare.pallet_m);
        let mut simulator = Simulator::new(&arena, self.robot.clone(), self.seed);
        let mut recorder = Recorder::default();
        let longest_s = MAX_S_PER_PALLET * (drawing.columns() * drawing.rows()) as f64;
        drive_waypoints(&mut simulator, &mut recorder, &points, longest_s);
        Ok((arena, recorder.run(simulator.distance_m())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sensor::{Laser, Levelling};

    fn drive(levelling: Option<Levelling>) -> SimulatedRun {
        let lasers = vec![Laser { beams: 11, ..Laser::urg_04lx() }];
        let robot = RobotModel { levelling, lasers, ..RobotModel::default() };
        RampDrive { columns: 4, rows: 3, robot, ..RampDrive::default() }.run().unwrap().1
    }

    fn tilted_share(run: &SimulatedRun) -> f64 {
        let tilts = run.log.tilts_of_scans_rad(1e-6);
        let is_tilted = |tilt: &&Option<[f64; 2]>| tilt.unwrap().iter().any(|rad| rad.abs() > 0.05);
        tilts.iter().filter(is_tilted).count() as f64 / tilts.len() as f64
    }

    #[test]
    fn every_scan_has_a_tilt_and_a_levelled_one_has_little() {
        let (fixed, levelled) = (drive(None), drive(Some(Levelling::default())));
        for run in [&fixed, &levelled] {
            // Into each of 12 pallets and back.
            assert!((run.distance_m - 22.0 * 1.2).abs() < 2.0, "{}", run.distance_m);
            assert_eq!(run.log.scans().count(), run.truth.poses.len());
            assert_eq!(run.log.scans().count(), run.log.tilts_of_scans_rad(1e-6).iter().flatten().count());
        }
        assert!(tilted_share(&fixed) > 0.1, "{}", tilted_share(&fixed));
        assert!(tilted_share(&levelled) < 0.1 * tilted_share(&fixed), "{}", tilted_share(&levelled));
    }

    #[test]
    fn measured_tilts_are_those_of_the_truth_with_noise() {
        let run = drive(None);
        let tilts = run.log.tilts_of_scans_rad(1e-6);
        for (tilt, pose) in tilts.iter().zip(&run.truth.poses) {
            let [roll, pitch, _] = pose.world_from_robot.roll_pitch_yaw();
            let [measured_roll, measured_pitch] = tilt.unwrap();
            assert!((measured_roll - roll).abs() < 0.05 && (measured_pitch - pitch).abs() < 0.05);
        }
    }

    #[test]
    fn nonsense_is_refused() {
        assert!(RampDrive { columns: 0, rows: 0, ..RampDrive::default() }.run().is_err());
    }
}
