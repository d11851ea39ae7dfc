//! Transforms by rooms on noisy and bent maps of seeded places: what the walls contradict is not scored.

use std::sync::Arc;

use align::{Resample, Window, common_grid};
use metrics::rooms::matched_features::WallCheck;
use metrics::rooms::room_match_error::RoomMatchError;
use metrics::rooms::segmentation::RoomParams;
use metrics::{Case, Metric, Score, Undefined};
use model::{Grid, Pose2};
use raster::rooms::RoomFinder;
use sim::arena::{Arena, MazePlan};
use sim::damage::{Bend, Noise, bend, noise};

/// The arena of the demonstration with another seed, at the height at which its truth is taken.
fn arena(seed: u64) -> Grid {
    let plan = MazePlan {
        seed,
        width_m: 12.0,
        height_m: 7.2,
        loop_share: 0.3,
        barrels: 8,
        victims: 5,
        ..MazePlan::default()
    };
    Arena::build(&plan.plan().unwrap()).unwrap().truth(0.5).unwrap()
}

fn score(truth: &Grid, map: Grid, walls: WallCheck) -> Result<Score, Undefined> {
    evaluated(&RoomMatchError { walls, ..RoomMatchError::default() }, truth, map)
}

fn evaluated(metric: &RoomMatchError, truth: &Grid, map: Grid) -> Result<Score, Undefined> {
    let (truth, map) = (Arc::new(truth.clone()), Arc::new(map));
    let grids = common_grid(&truth, &map, Pose2::IDENTITY, Window::Truth, Resample::OccupiedWins).unwrap();
    Metric::evaluate(metric, &Case::new(grids))
}

fn noisy(truth: &Grid, seed: u64) -> Grid {
    noise(truth, &Noise { seed, ..Noise::default() }).unwrap()
}

/// Seeds that no number was chosen by, and that of the demonstration.
const SEEDS: [u64; 4] = [11, 12, 13, 1];

#[test]
fn an_intact_noisy_map_is_refused_or_keeps_its_place_and_ranks_above_a_bent_one() {
    for seed in SEEDS {
        let truth = arena(seed);
        let drift = Bend { heading_drift_rad_per_m: 0.008, start_m: 2.0 };
        let bent = score(&truth, bend(&truth, &drift).unwrap(), WallCheck::Refine);
        let Ok(intact) = score(&truth, noisy(&truth, seed), WallCheck::Refine) else { continue };
        let turn_deg = intact.detail["turn_deg"].as_f64().unwrap();
        assert!(turn_deg.abs() < 1.0, "seed {seed}: turned by {turn_deg} degrees");
        assert!(intact.detail["shift_m"].as_f64().unwrap() < 0.1, "seed {seed}");
        if let Ok(bent) = bent {
            assert!(intact.value < bent.value, "seed {seed}: {} against {}", intact.value, bent.value);
        }
    }
}

#[test]
fn a_cheapest_matching_that_turns_an_intact_map_is_refused_or_placed_by_the_walls() {
    let usual = RoomMatchError::default();
    let mut turned_seeds = 0;
    for method in [RoomFinder::Combined, RoomFinder::Visibility, RoomFinder::Watershed] {
        let rooms = RoomParams { method, ..usual.rooms };
        let printed = RoomMatchError { walls: WallCheck::Ignore, min_share: 0.0, rooms, ..usual.clone() };
        let checked = RoomMatchError { min_share: 0.0, rooms, ..usual.clone() };
        for seed in 1..=6 {
            let truth = arena(seed);
            let turn_deg = |score: &Score| score.detail["turn_deg"].as_f64().unwrap().abs();
            let Ok(turned) = evaluated(&printed, &truth, noisy(&truth, seed)) else { continue };
            if turn_deg(&turned) <= 3.0 {
                continue;
            }
            turned_seeds += 1;
            if let Ok(placed) = evaluated(&checked, &truth, noisy(&truth, seed)) {
                assert!(turn_deg(&placed) < 1.0, "{method:?}, seed {seed}: {:?}", placed.detail);
            }
        }
    }
    assert!(turned_seeds > 0, "no cheapest matching turns a map: the test shows nothing");
}
