//! The exploration loop at the wheel of a simulated robot, and what it came to.

use std::cell::Cell;

use align::trajectory::{FitMethod, fit};
use explore::Ending;
use model::{CellClass, Grid, Pose2, PoseSource, StampedPose, Trajectory};
use sim::arena::Arena;

use super::explorer::Explorer;
use super::localizer::{Localize, Tracker};
use super::{
    Bench, LocalizationReport, Simulation, SimulationEnding, SimulationProgress, SimulationReport, ground,
};
use crate::JobError;

/// A robot that explores keeps this far from walls, beyond its radius: half a cell and its wheels' error.
const CLEARANCE_M: f64 = 0.05;
/// An exploration that ended by itself and knows less than this share of the free ground was led astray. Ours.
const MIN_EXPLORED_SHARE: f64 = 0.9;

/// Map and trajectory of the mapper by which a robot drove, in the coordinate frame of the arena.
#[derive(Clone, Debug)]
pub(crate) struct OwnMap {
    pub map: Grid,
    pub trajectory: Trajectory,
}

/// Lets the exploration loop drive.
pub(super) fn explore_arena(
    arena: &Arena,
    bench: &mut Bench,
    simulation: &Simulation,
    localize: Localize,
    progress: &dyn Fn(SimulationProgress),
) -> Result<(SimulationReport, Option<OwnMap>), JobError> {
    let truth = ground(arena, bench.simulator.robot())?;
    let [free_cells, _, _] = truth.class_counts();
    let free_m2 = (free_cells as f64 * arena.cell_size_m * arena.cell_size_m).max(f64::MIN_POSITIVE);
    let tracker = match localize {
        Localize::Truth => None,
        Localize::Mapper(entry) => {
            Some(Tracker::new(entry, simulation.seed, arena.start, arena.floor.highest_m())?)
        }
    };
    let params = run_params(bench.simulator.robot().outer_radius_m(), simulation.longest_s);
    let scans = Cell::new(0);
    let Bench { simulator, recorder, tilt, snapshots } = bench;
    let mut explorer =
        Explorer::new(simulator, recorder, tilt, snapshots.take(), *truth.geometry(), tracker, &scans);
    let told = |area_m2: f64| {
        progress(SimulationProgress { scans: scans.get(), share: (area_m2 / free_m2).min(1.0) });
    };
    let run =
        explore::run(&mut explorer, &params, &told).map_err(|error| JobError::Robot(error.to_string()))?;
    explorer.failure.take().map_or(Ok(()), Err)?;
    let is_seen =
        |(known, truth): &(&CellClass, &CellClass)| **known == CellClass::Free && **truth == CellClass::Free;
    let known = explorer.seen().unwrap_or(&run.map);
    let seen = known.iter().zip(truth.classes()).filter(is_seen).count();
    let share = seen as f64 / free_cells.max(1) as f64;
    let ending = match run.ending {
        Ending::Explored => SimulationEnding::Explored,
        Ending::Unsafe => SimulationEnding::Unsafe,
        Ending::TimeLimit | Ending::DistanceLimit => SimulationEnding::TimeLimit,
    };
    let is_finished = ending != SimulationEnding::TimeLimit && share >= MIN_EXPLORED_SHARE;
    let own = explorer.tracker.take();
    let (localization, own) = own.map_or((None, None), |tracker| judged(tracker, arena, bench));
    let report = SimulationReport {
        explored_m2: Some(run.area.final_area_m2()),
        explored_share: Some(share),
        localize,
        localization,
        ..SimulationReport::ended(ending, is_finished)
    };
    Ok((report, own))
}

fn run_params(radius_m: f64, longest_s: f64) -> explore::RunParams {
    let mut planning = explore::Planning { robot_radius_m: radius_m, ..explore::Planning::default() };
    planning.discomfort.d_min_m = radius_m + CLEARANCE_M;
    explore::RunParams { planning, max_time_s: longest_s, ..explore::RunParams::default() }
}

/// What a mapper made of its run, against the truth.
pub(super) fn judged(
    mut tracker: Tracker,
    arena: &Arena,
    bench: &Bench,
) -> (Option<LocalizationReport>, Option<OwnMap>) {
    tracker.mapper.finish();
    let poses = tracker.stamped_poses();
    let truth = bench.recorder.truth();
    let mut true_poses = truth.iter().peekable();
    let mut pairs: Vec<(Pose2, Pose2)> = Vec::with_capacity(poses.len());
    for (time_s, pose) in &poses {
        while true_poses.next_if(|known| known.time_s < *time_s).is_some() {}
        if let Some(known) = true_poses.peek().filter(|known| known.time_s == *time_s) {
            pairs.push((*pose, known.world_from_robot.planar()));
        }
    }
    let matched = tracker.mapper.trajectory(mapper::Hindsight::Final);
    let report = fit(FitMethod::Se2, pairs.iter().copied()).map(|fit| LocalizationReport {
        ate_m: rms_m(pairs.iter().map(|(pose, truth)| (fit.apply(*pose), *truth))),
        ate_unfitted_m: rms_m(pairs.iter().copied()),
        end_error_m: rms_m(pairs.last().copied().into_iter()),
        loops: tracker.mapper.loops(),
        scans: tracker.scans,
        matched: matched.iter().filter(|pose| pose.is_matched).count(),
    });
    let own = tracker.mapper.map().and_then(|map| OwnMap::of(&map, arena.start, &poses));
    (report, own)
}

/// Root mean square of the distances; 0 without a pair.
fn rms_m(pairs: impl Iterator<Item = (Pose2, Pose2)>) -> f64 {
    let (sum, count) = pairs.fold((0.0, 0_usize), |(sum, count), (pose, truth)| {
        (sum + pose.position().distance_m(truth.position()).powi(2), count + 1)
    });
    (sum / count.max(1) as f64).sqrt()
}

impl OwnMap {
    fn of(map: &Grid, world_from_map: Pose2, poses: &[(f64, Pose2)]) -> Option<Self> {
        let geometry = map.geometry();
        let origin = world_from_map * geometry.origin();
        let moved =
            model::GridGeometry::new(geometry.width(), geometry.height(), geometry.cell_size_m(), origin);
        let map = Grid::new(moved.ok()?, map.classes().to_vec()).ok()?;
        let stamped = |(time_s, pose): &(f64, Pose2)| StampedPose {
            time_s: *time_s,
            world_from_robot: (*pose).into(),
            source: PoseSource::Measured,
        };
        let poses = poses.iter().map(stamped).collect();
        let (time_base, dimension) = (model::TimeBase::Seconds, model::Dimension::Planar);
        Some(Self { map, trajectory: Trajectory { time_base, dimension, poses } })
    }
}
