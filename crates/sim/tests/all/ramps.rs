//! Levelling in a maze of ramps: the share of beams that tilt spoils drops by 90 % and more.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use mapjudge_sim::arena::{Arena, Drawing, MazePlan, Slope};
use mapjudge_sim::robot::RobotModel;
use mapjudge_sim::run::{Simulator, WaypointDriver, every_pallet};
use mapjudge_sim::sensor::{Laser, Levelling, TiltCensus, tilt_census};

/// Beams by kind over a drive at the usual speed through every pallet of a maze of 6 x 4 pallets, with ramps wherever
/// they can be.
fn census(seed: u64, ramp_slope: Slope, height_m: f64, levelling: Option<Levelling>) -> TiltCensus {
    let maze =
        MazePlan { seed, width_m: 7.2, height_m: 4.8, ramp_share: 1.0, ramp_slope, ..MazePlan::default() };
    let plan = MazePlan { barrels: 0, ..maze }.plan().unwrap();
    let arena = Arena::build(&plan).unwrap();
    let points = every_pallet(&Drawing::read(&plan.drawing).unwrap(), plan.pallet_m);
    // Every fourth beam: the share needs no more.
    let mut laser = Laser { beams: 167, ..Laser::urg_04lx() };
    laser.robot_from_laser.position_m[2] = height_m;
    let robot = RobotModel { levelling, lasers: vec![laser.clone()], ..RobotModel::default() };
    let mut simulator = Simulator::new(&arena, robot, seed);
    let mut driver = WaypointDriver::new(points);
    let mut total = TiltCensus::default();
    while let Some(command) = driver.command(simulator.truth_pose(), simulator.robot()) {
        simulator.step(command, 0.1);
        assert!(simulator.time_s() < 1200.0, "seed {seed}: stuck at {:?}", simulator.truth_pose());
        total += tilt_census(simulator.world(), &laser, simulator.world_from_laser(0));
    }
    total
}

/// The tops of steep ramps lie at 0.32 m: a scanner at 0.3 m looks along them, and whether a beam meets one is a matter
/// of a hundredth of a degree. There it is a median of 89 % (example `levelling`).
#[test]
fn levelling_removes_nine_of_ten_spoilt_beams() {
    for (slope, height_m) in [(Slope::Gentle, 0.3), (Slope::Steep, 0.4)] {
        for seed in 1..=5 {
            let fixed = census(seed, slope, height_m, None);
            let levelled = census(seed, slope, height_m, Some(Levelling::default()));
            let (before, after) = (fixed.spoilt_share().unwrap(), levelled.spoilt_share().unwrap());
            assert!(before > 0.005, "{slope:?}, seed {seed}: {fixed:?}");
            assert!(after <= 0.1 * before, "{slope:?}, seed {seed}: {fixed:?} {levelled:?}");
        }
    }
}
