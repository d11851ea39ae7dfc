//! Rays per second in the maze and the time of a 20-minute run with the whole simulator, on one thread: processor time
//! where the system tells it, so that other programs do not count.
//!
//! `cargo run -p mapjudge-sim --release --example ray_rate`

use std::error::Error;
use std::io::Write;
use std::time::Instant;

use mapjudge_sim::arena::{Arena, Drawing, MazePlan};
use mapjudge_sim::robot::RobotModel;
use mapjudge_sim::run::{Simulator, WaypointDriver, every_pallet};
use mapjudge_sim::world::{Ray, World};

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = std::io::stdout().lock();
    let begun = Instant::now();
    for ramp_share in [0.0, 0.5] {
        let plan = MazePlan { ramp_share, ..MazePlan::default() }.plan()?;
        let arena = Arena::build(&plan)?;
        let points = every_pallet(&Drawing::read(&plan.drawing)?, plan.pallet_m);
        let world = World::new(&arena);
        let start_s = cpu_s(begun);
        let (mut rays, mut sum_m) = (0_usize, 0.0);
        while cpu_s(begun) - start_s < 2.0 {
            for point in &points {
                for beam in 0..668 {
                    let (sin, cos) = (f64::from(beam) * 0.0094).sin_cos();
                    let ray = Ray { origin_m: [point.x_m + 0.1, point.y_m, 0.3], direction: [cos, sin, 0.0] };
                    sum_m += world.cast(&ray, 4.0).map_or(4.0, |hit| hit.range_m);
                    rays += 1;
                }
            }
        }
        let rate = rays as f64 / (cpu_s(begun) - start_s);
        let mean_m = sum_m / rays as f64;
        writeln!(out, "ramps {ramp_share}: {:.2} M rays/s, mean range {mean_m:.2} m", rate / 1e6)?;
        let mut simulator = Simulator::new(&arena, RobotModel::default(), 1);
        let mut driver = WaypointDriver::new(points.clone());
        let (start_s, mut scans) = (cpu_s(begun), 0);
        while simulator.time_s() < 1200.0 {
            let command = driver.command(simulator.truth_pose(), simulator.robot());
            match command {
                Some(command) => scans += simulator.step(command, 0.1).len() / 4,
                None => driver = WaypointDriver::new(points.clone()),
            }
        }
        writeln!(out, "20 minutes, {scans} scans of 668 beams: {:.2} s", cpu_s(begun) - start_s)?;
    }
    Ok(())
}

/// Processor time of this thread in seconds; elapsed time where the system does not tell.
fn cpu_s(begun: Instant) -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds = text.split_whitespace().next().and_then(|number| number.parse::<f64>().ok());
    nanoseconds.map_or_else(|| begun.elapsed().as_secs_f64(), |ns| ns * 1e-9)
}
