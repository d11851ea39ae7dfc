//! Random mazes are explored whole, without a collision, on a path that is not much longer than the baseline's.
//! `mapjudge-study explore` does this with fifty seeds.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use explore::{Laser, RunParams};
use formats::ReadOptions;
use mapjudge::{Comparison, ExploreJob, ExplorePlan, explore_place};
use sim::arena::MazePlan;

#[test]
fn mazes_are_explored_whole_and_without_collisions() {
    for seed in [1, 2] {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("maze.toml");
        let plan = MazePlan { seed, ..MazePlan::default() }.plan().unwrap();
        std::fs::write(&place, plan.to_text()).unwrap();
        let (laser, params) = (Laser::default(), RunParams::default());
        let plan = ExplorePlan { robots: 1, laser, params, comparison: Comparison::NearestFrontier };
        let job = ExploreJob { place, read: ReadOptions::default(), start: None, plan };
        let report = explore_place(&job, &|_| {}).unwrap().report;
        assert!(report.run.coverage >= 0.99, "seed {seed}: coverage {}", report.run.coverage);
        assert_eq!(report.run.collisions, 0, "seed {seed}");
        assert!(report.path_ratio.unwrap() <= 1.35, "seed {seed}: {:?}", report.path_ratio);
    }
}
