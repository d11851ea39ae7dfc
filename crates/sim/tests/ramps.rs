//! Levelling in a maze of ramps: the share of beams that tilt spoils drops by 90 % and more.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use mapjudge_sim::arena::{Arena, Drawing, MazePlan};
use mapjudge_sim::robot::RobotModel;
use mapjudge_sim::run::{Simulator, WayPointDriver, every_pallet};
use mapjudge_sim::sensor::{Laser, Levelling, TiltCensus, tilt_census};

/// A robot takes ramps slowly. At 0.6 m/s the share drops by 87 to 92 %: the servos come late at each edge.
const SPEED_MPS: f64 = 0.3;

/// Beams by kind over a drive through every pallet of a maze of 6 x 4 pallets, half of them ramps.
fn census(seed: u64, levelling: Option<Levelling>) -> TiltCensus {
    let maze =
        MazePlan { seed, width_m: 7.2, height_m: 4.8, ramp_share: 0.5, barrels: 0, ..MazePlan::default() };
    let plan = maze.plan().unwrap();
    let arena = Arena::build(&plan).unwrap();
    let points = every_pallet(&Drawing::read(&plan.drawing).unwrap(), plan.pallet_m);
    // Every fourth beam: the share needs no more.
    let laser = Laser { beams: 167, ..Laser::urg_04lx() };
    let robot = RobotModel {
        levelling,
        max_speed_mps: SPEED_MPS,
        lasers: vec![laser.clone()],
        ..RobotModel::default()
    };
    let mut simulator = Simulator::new(&arena, robot, seed);
    let mut driver = WayPointDriver::new(points);
    let mut total = TiltCensus::default();
    while let Some(command) = driver.command(simulator.truth_pose(), simulator.robot()) {
        simulator.step(command, 0.1);
        assert!(simulator.time_s() < 1200.0, "seed {seed}: stuck at {:?}", simulator.truth_pose());
        total += tilt_census(simulator.world(), &laser, simulator.world_from_laser(0));
    }
    total
}

#[test]
fn levelling_removes_nine_of_ten_spoilt_beams() {
    for seed in 1..=3 {
        let (fixed, levelled) = (census(seed, None), census(seed, Some(Levelling::default())));
        let (before, after) = (fixed.spoilt_share().unwrap(), levelled.spoilt_share().unwrap());
        assert!(before > 0.05, "seed {seed}: {fixed:?}");
        assert!(after <= 0.1 * before, "seed {seed}: {before} to {after}: {fixed:?} {levelled:?}");
    }
}
