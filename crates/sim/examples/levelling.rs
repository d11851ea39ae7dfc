//! How much of what tilt spoils levelling removes, over 20 mazes of ramps at the usual speed.
//!
//! `cargo run -p mapjudge-sim --release --example levelling`

use std::error::Error;
use std::io::Write;

use mapjudge_sim::arena::{Arena, Drawing, MazePlan, Slope};
use mapjudge_sim::robot::RobotModel;
use mapjudge_sim::run::{Simulator, WaypointDriver, every_pallet};
use mapjudge_sim::sensor::{Laser, Levelling, TiltCensus, tilt_census};

const SEEDS: u64 = 20;

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = std::io::stdout().lock();
    for (slope, height_m) in [(Slope::Gentle, 0.3), (Slope::Steep, 0.3), (Slope::Steep, 0.4)] {
        let (mut before, mut drops) = (Vec::new(), Vec::new());
        for seed in 1..=SEEDS {
            let fixed = spoilt_share(seed, slope, height_m, None)?;
            let levelled = spoilt_share(seed, slope, height_m, Some(Levelling::default()))?;
            before.push(fixed);
            drops.push(1.0 - levelled / fixed);
        }
        before.sort_by(f64::total_cmp);
        drops.sort_by(f64::total_cmp);
        let middle = drops.len() / 2;
        writeln!(
            out,
            "{slope:?} ramps, scanner at {height_m} m: {:.2} to {:.2} % of the beams are spoilt; levelling removes {:.1} % \
             (median), {:.1} % (worst)",
            100.0 * before[0],
            100.0 * before[before.len() - 1],
            100.0 * drops[middle],
            100.0 * drops[0]
        )?;
    }
    Ok(())
}

/// Share of the beams of kinds 2 and 3 over a drive through every pallet of a maze of 6 x 4 pallets, with ramps wherever
/// they can be.
fn spoilt_share(
    seed: u64,
    ramp_slope: Slope,
    height_m: f64,
    levelling: Option<Levelling>,
) -> Result<f64, Box<dyn Error>> {
    let maze =
        MazePlan { seed, width_m: 7.2, height_m: 4.8, ramp_share: 1.0, ramp_slope, ..MazePlan::default() };
    let plan = MazePlan { barrels: 0, ..maze }.plan()?;
    let arena = Arena::build(&plan)?;
    let mut driver = WaypointDriver::new(every_pallet(&Drawing::read(&plan.drawing)?, plan.pallet_m));
    // Every fourth beam: the share needs no more.
    let mut laser = Laser { beams: 167, ..Laser::urg_04lx() };
    laser.robot_from_laser.position_m[2] = height_m;
    let robot = RobotModel { levelling, lasers: vec![laser.clone()], ..RobotModel::default() };
    let mut simulator = Simulator::new(&arena, robot, seed);
    let mut total = TiltCensus::default();
    while let Some(command) = driver.command(simulator.truth_pose(), simulator.robot()) {
        simulator.step(command, 0.1);
        total += tilt_census(simulator.world(), &laser, simulator.world_from_laser(0));
        if simulator.time_s() > 1200.0 {
            return Err(format!("seed {seed}: stuck at {:?}", simulator.truth_pose()).into());
        }
    }
    total.spoilt_share().ok_or_else(|| "no beam".into())
}
