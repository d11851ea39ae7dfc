//! Alignment, brokenness, warps and barrels against damage whose truth is known.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that cannot go on has failed"
)]

use std::collections::BTreeMap;

use align::Verdict;
use mapjudge::{
    AlignBy, AlignMethod, Aligning, DamagedMap, Loaded, MIN_BARREL_QUALITY, Map, Plan, Radius, SearchMethod,
    Subject, Truth, align_maps, detect_barrels, judge,
};
use model::{CellClass, Grid};
use report::MetricRecord;
use sim::BarrelArena;
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

/// How far an alignment that calls itself certain is off, in metres at the middle of the floor and in degrees; none if it
/// is not certain.
fn off(truth: &Grid, draw: u64) -> Option<[f64; 2]> {
    let moved = damaged(truth, "shift=0.8m,rotate=4deg", draw);
    let found = aligned(&moved.map, truth);
    if found.certificate.verdict != Verdict::Certain {
        return None;
    }
    let (found, true_one) = (found.truth_from_map.unwrap(), moved.truth_from_map().unwrap());
    let middle = model::Point2::new(8.0, 6.0);
    let (at, expected) = (found * middle, true_one * middle);
    let off_deg = model::wrap(found.theta_rad - true_one.theta_rad).abs().to_degrees();
    Some([(at.x_m - expected.x_m).hypot(at.y_m - expected.y_m), off_deg])
}

fn aligned(map: &Grid, truth: &Grid) -> align::Alignment {
    let method = AlignMethod::Search(SearchMethod::Correlative);
    align_maps(&loaded(map), &loaded(truth), &method, &Aligning::default()).unwrap().file.alignment
}

/// Where two draws of a floor are certain, they are as near as `sixty_draws` asks; its mirror image is not certain.
fn certain_is_right(seed: u64) {
    let truth = floor(seed);
    let certain: Vec<[f64; 2]> = [1, 2].into_iter().filter_map(|draw| off(&truth, draw)).collect();
    assert!(!certain.is_empty(), "no draw is certain");
    assert!(certain.iter().all(|[off_m, off_deg]| *off_m <= 0.06 && *off_deg <= 0.4), "{certain:?}");
    let mirrored = aligned(&damaged(&truth, "mirror", 1).map, &truth);
    assert_ne!(mirrored.certificate.verdict, Verdict::Certain, "the mirror image");
}

#[test]
fn a_certain_alignment_of_the_first_floor_is_right() {
    certain_is_right(FLOORS[0]);
}

#[test]
fn a_certain_alignment_of_the_second_floor_is_right() {
    certain_is_right(FLOORS[1]);
}

#[test]
fn a_certain_alignment_of_the_third_floor_is_right() {
    certain_is_right(FLOORS[2]);
}

/// Of 60 draws two are a little further off: jagged walls of a turned map fit there better than at their true place.
#[test]
#[ignore = "a minute: every draw behind the three tests above"]
fn sixty_draws() {
    let (mut certain, mut further) = (0, Vec::new());
    for seed in FLOORS {
        let truth = floor(seed);
        for draw in 1..=20 {
            let Some([off_m, off_deg]) = off(&truth, draw) else { continue };
            certain += 1;
            if off_m > 0.05 || off_deg > 0.2 {
                further.push(format!("floor {seed}, draw {draw}: {off_m} m, {off_deg} degrees"));
            }
            assert!(off_m <= 0.06 && off_deg <= 0.4, "{further:?}");
        }
    }
    println!("{certain} of 60 are certain, further off are {further:?}");
    assert!(certain >= 54 && further.len() <= 2, "{certain} certain, {further:?}");
}

/// Walls that moved alike.
struct Group {
    /// Which links moved them.
    moved_by: Vec<bool>,
    /// Where they were and where they are.
    walls: Vec<[model::Point2; 2]>,
}

/// The parts of a torn map that hold at least 5 % of the walls.
fn groups(truth: &Grid, damaged: &DamagedByChain) -> Vec<Group> {
    let mut walls: BTreeMap<Vec<bool>, Vec<[model::Point2; 2]>> = BTreeMap::new();
    let geometry = truth.geometry();
    for (index, _) in truth.classes().iter().enumerate().filter(|(_, class)| **class == CellClass::Occupied) {
        let from = geometry.center_of(geometry.cell_of(index));
        let mut point = from;
        let moves = damaged.links.iter().map(|link| {
            let to = link.motion.moved(point).unwrap();
            let is_moved = to != point;
            point = to;
            is_moved
        });
        let moved_by = moves.collect();
        walls.entry(moved_by).or_default().push([from, point]);
    }
    let all: usize = walls.values().map(Vec::len).sum();
    let groups = walls.into_iter().map(|(moved_by, walls)| Group { moved_by, walls });
    groups.filter(|group| group.walls.len() * 20 >= all).collect()
}

/// The number of different frames: parts count as one where the motion of one puts more than half of the other's walls within
/// 0.2 m, the slip that brokenness absorbs (twice its `tau_m`), of where they are.
fn frames(truth: &Grid, damaged: &DamagedByChain) -> usize {
    let groups = groups(truth, damaged);
    let is_alike = |one: &Group, other: &Group| {
        let pieces = damaged.links.iter().zip(&one.moved_by).filter(|(_, is_moved)| **is_moved);
        let motion =
            pieces.fold(model::Similarity2::IDENTITY, |all, (link, _)| link.pieces[1].map_from_truth * all);
        let near = other.walls.iter().filter(|[from, to]| {
            let at = motion * *from;
            (at.x_m - to.x_m).hypot(at.y_m - to.y_m) <= 0.2
        });
        near.count() * 2 > other.walls.len()
    };
    let mut frames: Vec<&Group> = Vec::new();
    for group in &groups {
        if !frames.iter().any(|known| is_alike(known, group) || is_alike(group, known)) {
            frames.push(group);
        }
    }
    frames.len()
}

/// Parts that were found, whether they are called a lower bound, and the frames that there are.
fn torn(seed: u64, draw: u64, cuts: usize, slip_m: f64) -> (usize, bool, usize) {
    let truth = floor(seed);
    let torn = damaged(&truth, &vec![format!("cut={slip_m}"); cuts].join(","), draw);
    let detail = measured(&torn.map, &truth, "brokenness").detail;
    let is_bound = detail["lower_bound"].as_bool().unwrap();
    (detail["parts"].as_u64().unwrap() as usize, is_bound, frames(&truth, &torn))
}

/// One cut is always counted; of several none is counted twice. (Cuts whose slips are alike give pieces with one transform,
/// which are one part.)
#[test]
fn brokenness_counts_the_parts_of_a_torn_map() {
    for seed in FLOORS {
        let truth = floor(seed);
        let parts = |cuts: &str| {
            let torn = damaged(&truth, cuts, seed);
            let record = measured(&torn.map, &truth, "brokenness");
            (record.detail["parts"].as_u64().unwrap() as usize, groups(&truth, &torn).len())
        };
        assert_eq!(parts("cut=0.8"), (2, 2), "floor {seed}");
        let (found, pieces) = parts("cut=0.8,cut=0.8,cut=0.8");
        assert!((2..=pieces).contains(&found), "floor {seed}: {found} of {pieces}");
    }
}

/// Every floor, five draws, one to three cuts.
#[test]
#[ignore = "some minutes: all draws behind the test above"]
fn cuts_of_all_draws() {
    for slip_m in [0.4, 0.8] {
        for cuts in 1..=3 {
            let draws = FLOORS.iter().flat_map(|seed| (1..=5).map(move |draw| (*seed, draw)));
            let found: Vec<(usize, bool, usize)> =
                draws.map(|(seed, draw)| torn(seed, draw, cuts, slip_m)).collect();
            let count =
                |holds: fn(&(usize, bool, usize)) -> bool| found.iter().filter(|one| holds(one)).count();
            println!(
                "{cuts} cuts of {slip_m} m: equal {}, above {}, below {}, below without a bound {}: {found:?}",
                count(|(parts, _, frames)| parts == frames),
                count(|(parts, _, frames)| parts > frames),
                count(|(parts, _, frames)| parts < frames),
                count(|(parts, is_bound, frames)| parts < frames && !is_bound),
            );
        }
    }
}

/// Does the penalty of the warp follow the strength of a bend? It does not; this says how far it is from it.
#[test]
#[ignore = "a minute: the numbers behind the card of warp_penalty"]
fn warps_of_a_bend() {
    for seed in FLOORS {
        let truth = floor(seed);
        let value = |level: usize| {
            let bent = damaged(&truth, &format!("bend={}m", [0.1, 0.2, 0.4, 0.8, 1.6, 3.2][level]), seed);
            measured(&bent.map, &truth, "warp_penalty").value
        };
        println!("floor {seed}: {:?}", (0..6).map(value).collect::<Vec<_>>());
    }
}

/// Barrels of a layout, carried by the damage, lie within half a cell of where they are found in the damaged map.
#[test]
#[ignore = "written and not measured yet: its numbers are not known"]
fn carried_barrels_lie_where_they_are_found() {
    let arena = BarrelArena { jitter_cells: 0.0, missing_share: 0.0, ..BarrelArena::default() };
    let arena = arena.mapped().unwrap();
    let map_from_truth = model::Similarity2::from(arena.truth_from_map).inverse();
    let mut layout = arena.layout.clone();
    layout.parts.iter_mut().for_each(|part| part.center = map_from_truth * part.center);
    for chain in ["shift=0.4m", "bend=0.4m", "cut=0.4m", "bend=0.2m,cut=0.2m,shift=0.1m"] {
        let mut damaged = DamagedMap::new(&loaded(&arena.map), &chain.parse().unwrap(), 1).unwrap();
        let seams: Vec<[model::Point2; 2]> =
            damaged.record.chain.iter().flat_map(|link| link.seams.clone()).collect();
        let carried = damaged.carried_layout(&layout);
        assert_eq!(carried.parts.len(), layout.parts.len());
        let found =
            detect_barrels(damaged.map(), "map", Radius::Metres(0.25, 0.35), MIN_BARREL_QUALITY).unwrap();
        // A barrel through which a seam runs is none any more.
        let is_whole =
            |part: &&model::FiducialPart| seams.iter().all(|seam| distance_m(part.center, seam) > 0.4);
        let whole: Vec<_> = carried.parts.iter().filter(is_whole).collect();
        let nearest = |part: &&&model::FiducialPart| {
            let distances = found
                .detections
                .iter()
                .map(|barrel| (barrel.x_m - part.center.x_m).hypot(barrel.y_m - part.center.y_m));
            distances.fold(f64::INFINITY, f64::min)
        };
        let off: Vec<f64> = whole.iter().map(|part| nearest(&part)).collect();
        println!("{chain}: {off:.3?}");
        assert!(off.len() >= 10 && off.iter().all(|off| *off <= 0.025), "{chain}: {off:?}");
    }
}

/// From a point to the line through a seam.
fn distance_m(point: model::Point2, [from, to]: &[model::Point2; 2]) -> f64 {
    let (dx, dy) = (to.x_m - from.x_m, to.y_m - from.y_m);
    ((point.x_m - from.x_m) * dy - (point.y_m - from.y_m) * dx).abs() / dx.hypot(dy)
}
