//! What the mappers reach: the maze of L-ACCEPT, a maze of ramps, the simulated office, the Intel log, and eight other logs.

mod accept;
mod errors;
mod intel;
mod logs;
mod office;
mod ramps;
mod robust;

use std::time::Instant;

use ::mapper::{GraphParams, Hindsight, MappedPose, Mapper, MappingInput};
use model::Pose2;

use super::quantile;

pub use accept::run as accept;
pub use intel::run as intel;
pub use logs::run as logs;
pub use office::run as office;
pub use ramps::run as ramps;
pub use robust::{held_out as robust_held_out, tuning as robust_tuning};

/// What a mapper made of a log.
struct Mapped {
    online: Vec<MappedPose>,
    last: Vec<MappedPose>,
    loops: usize,
    /// Milliseconds of each step.
    step_ms: Vec<f64>,
}

impl Mapped {
    fn of(mapper: &mut dyn Mapper, input: &MappingInput) -> Self {
        let mut step_ms = Vec::with_capacity(input.scans.len());
        for (scan, odom_from_robot) in &input.scans {
            let start = Instant::now();
            mapper.step(scan, *odom_from_robot);
            step_ms.push(start.elapsed().as_secs_f64() * 1e3);
        }
        let online = mapper.trajectory(Hindsight::Online);
        mapper.finish();
        Self { online, last: mapper.trajectory(Hindsight::Final), loops: mapper.loops(), step_ms }
    }

    fn final_poses(&self) -> Vec<Pose2> {
        self.last.iter().map(|pose| pose.map_from_robot).collect()
    }

    fn quantile_ms(&self, share: f64) -> f64 {
        quantile(&self.step_ms, share)
    }
}

/// The one set of parameters.
fn params() -> GraphParams {
    GraphParams::default()
}
