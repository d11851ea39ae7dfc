//! Rays per second in the maze and the time of a 20-minute run, on one thread.
//!
//! `cargo run -p mapjudge-sim --release --example ray_rate`

use std::error::Error;
use std::io::Write;
use std::time::Instant;

use mapjudge_sim::arena::{Arena, Drawing, MazePlan};
use mapjudge_sim::robot::RobotModel;
use mapjudge_sim::run::{Simulator, WayPointDriver, every_pallet};
use mapjudge_sim::world::{Ray, World};

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = std::io::stdout().lock();
    for ramp_share in [0.0, 0.5] {
        let plan = MazePlan { ramp_share, ..MazePlan::default() }.plan()?;
        let arena = Arena::build(&plan)?;
        let points = every_pallet(&Drawing::read(&plan.drawing)?, plan.pallet_m);
        let world = World::new(&arena);
        let start = Instant::now();
        let (mut rays, mut sum_m) = (0_usize, 0.0);
        while start.elapsed().as_secs_f64() < 2.0 {
            for point in &points {
                for beam in 0..668 {
                    let (sin, cos) = (f64::from(beam) * 0.0094).sin_cos();
                    let ray = Ray { origin_m: [point.x_m + 0.1, point.y_m, 0.3], direction: [cos, sin, 0.0] };
                    sum_m += world.cast(&ray, 4.0).map_or(4.0, |hit| hit.range_m);
                    rays += 1;
                }
            }
        }
        let rate = rays as f64 / start.elapsed().as_secs_f64();
        let mean_m = sum_m / rays as f64;
        writeln!(out, "ramps {ramp_share}: {:.2} M rays/s, mean range {mean_m:.2} m", rate / 1e6)?;
        let mut simulator = Simulator::new(&arena, RobotModel::default(), 1);
        let mut driver = WayPointDriver::new(points.clone());
        let (start, mut scans) = (Instant::now(), 0);
        while simulator.time_s() < 1200.0 {
            let command = driver.command(simulator.truth_pose(), simulator.robot());
            match command {
                Some(command) => scans += simulator.step(command, 0.1).len() / 4,
                None => driver = WayPointDriver::new(points.clone()),
            }
        }
        writeln!(out, "20 minutes, {scans} scans of 668 beams: {:.2} s", start.elapsed().as_secs_f64())?;
    }
    Ok(())
}
