//! Alignment, brokenness, warps and barrels against damage whose truth is known.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;

use align::Verdict;
use mapjudge::{
    AlignBy, AlignMethod, Aligning, Loaded, Map, Plan, SearchMethod, Subject, Truth, align_maps, judge,
};
use model::{CellClass, Grid};
use report::MetricRecord;
use sim::damage::{Chain, DamagedByChain};
use sim::place::{OfficePlan, office};

const FLOORS: [u64; 3] = [11, 12, 13];

fn floor(seed: u64) -> Grid {
    office(&OfficePlan { seed, width_m: 16.0, height_m: 12.0, ..OfficePlan::default() }).unwrap()
}

fn loaded(grid: &Grid) -> Loaded<Map> {
    Loaded::in_memory(Map::new(grid.clone()))
}

fn damaged(truth: &Grid, chain: &str, seed: u64) -> DamagedByChain {
    chain.parse::<Chain>().unwrap().apply(truth, seed).unwrap()
}

fn measured(map: &Grid, truth: &Grid, metric: &str) -> MetricRecord {
    let plan = Plan { metrics: vec![metric.to_owned()], align: AlignBy::None, ..Plan::default() };
    let truth = Truth { map: Some(loaded(truth)), ..Truth::default() };
    let report = judge(&Subject::of_map("map", loaded(map)), &truth, &plan).unwrap();
    report.metric(metric).unwrap().clone()
}

/// Within a cell and 0.2 degrees where the search is certain, which it nearly always is; a mirrored map never is. Of 60 draws two
/// are a little further off: jagged walls of a turned map fit there better than at their true place.
#[test]
fn a_certain_alignment_is_the_true_one() {
    let method = AlignMethod::Search(SearchMethod::Correlative);
    let (mut certain, mut further) = (0, Vec::new());
    for seed in FLOORS {
        let truth = floor(seed);
        let align = |map: &Grid| {
            align_maps(&loaded(map), &loaded(&truth), &method, &Aligning::default()).unwrap().file.alignment
        };
        for draw in 1..=20 {
            let moved = damaged(&truth, "shift=0.8m,rotate=4deg", draw);
            let found = align(&moved.map);
            if found.certificate.verdict != Verdict::Certain {
                continue;
            }
            certain += 1;
            let (found, true_one) = (found.truth_from_map.unwrap(), moved.truth_from_map().unwrap());
            let middle = model::Point2::new(8.0, 6.0);
            let (at, expected) = (found * middle, true_one * middle);
            let off_m = (at.x_m - expected.x_m).hypot(at.y_m - expected.y_m);
            let off_deg = model::wrap(found.theta_rad - true_one.theta_rad).abs().to_degrees();
            if off_m > 0.05 || off_deg > 0.2 {
                further.push(format!("floor {seed}, draw {draw}: {off_m} m, {off_deg} degrees"));
            }
            assert!(off_m <= 0.06 && off_deg <= 0.4, "{further:?}");
        }
        let mirrored = align(&damaged(&truth, "mirror", 1).map);
        assert_ne!(mirrored.certificate.verdict, Verdict::Certain, "the mirror image of floor {seed}");
    }
    assert!(certain >= 54, "only {certain} of 60 are certain");
    assert!(further.len() <= 2, "{further:?}");
}

/// The number of motions that at least 5 % of the walls have.
fn frames(truth: &Grid, damaged: &DamagedByChain) -> usize {
    let mut walls: BTreeMap<Vec<bool>, usize> = BTreeMap::new();
    let geometry = truth.geometry();
    for (index, _) in truth.classes().iter().enumerate().filter(|(_, class)| **class == CellClass::Occupied) {
        let mut point = geometry.center_of(geometry.cell_of(index));
        let moves = damaged.links.iter().map(|link| {
            let to = link.motion.moved(point).unwrap();
            let is_moved = to != point;
            point = to;
            is_moved
        });
        *walls.entry(moves.collect()).or_default() += 1;
    }
    let all: usize = walls.values().sum();
    walls.values().filter(|count| **count * 20 >= all).count()
}

/// One cut is always counted; of several none is counted twice. (Cuts whose slips are alike give pieces with one transform, which
/// are one part.)
#[test]
fn brokenness_counts_the_parts_of_a_torn_map() {
    for seed in FLOORS {
        let truth = floor(seed);
        let parts = |cuts: &str| {
            let torn = damaged(&truth, cuts, seed);
            let record = measured(&torn.map, &truth, "brokenness");
            (record.detail["parts"].as_u64().unwrap() as usize, frames(&truth, &torn))
        };
        assert_eq!(parts("cut=0.8"), (2, 2), "floor {seed}");
        let (found, pieces) = parts("cut=0.8,cut=0.8,cut=0.8");
        assert!((2..=pieces).contains(&found), "floor {seed}: {found} of {pieces}");
    }
}
