//! Alignment, brokenness, warps and barrels against damage whose truth is known.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that cannot go on has failed"
)]

use align::closed_form::{Motion, PointPair, fit, rms_m};
use align::{Aligner, Correlative, Verdict};
use mapjudge::{
    AlignBy, DamagedMap, Loaded, MIN_BARREL_QUALITY, Map, Plan, Radius, Subject, Truth, detect_barrels, judge,
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
    Correlative::default().align(truth, map).unwrap()
}

/// A certain alignment is right to a cell and a fifth of a degree. Draw 10 of the first and of the third floor were not: the
/// jags of their turned walls fitted better 0.39 degrees and 0.058 m beside the true place. The mirror image is not certain.
fn certain_is_right(seed: u64) {
    let truth = floor(seed);
    let [off_m, off_deg] = off(&truth, 10).expect("draw 10 is certain");
    assert!(off_m <= 0.05 && off_deg <= 0.2, "{off_m} m, {off_deg} degrees");
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

#[test]
#[ignore = "a minute: every draw behind the three tests above"]
fn sixty_draws() {
    let mut offs = Vec::new();
    for seed in FLOORS {
        let truth = floor(seed);
        for draw in 1..=20 {
            offs.extend(off(&truth, draw));
        }
    }
    let worst = |axis: usize| offs.iter().map(|off| off[axis]).fold(0.0, f64::max);
    println!("{} of 60 are certain, off by up to {:.3} m and {:.3} degrees", offs.len(), worst(0), worst(1));
    assert!(offs.len() >= 54 && worst(0) <= 0.05 && worst(1) <= 0.2);
}

/// A part of brokenness holds at least this share of the walls.
const MIN_PART_SHARE: f64 = 0.05;
/// The slip that brokenness absorbs, twice its `tau_m`: motions that differ less count as one.
const ABSORBED_M: f64 = 0.2;

/// What was found on a torn map, and what is there.
#[derive(Debug)]
struct Torn {
    parts: usize,
    is_lower_bound: bool,
    /// Different frames of pieces that are large enough for a part.
    frames: usize,
    /// Different frames of all pieces.
    all_frames: usize,
    /// Pieces with motions of their own, however near to each other.
    pieces: usize,
}

fn torn(seed: u64, draw: u64, cuts: usize, slip_m: f64) -> Torn {
    let truth = floor(seed);
    let torn = damaged(&truth, &vec![format!("cut={slip_m}"); cuts].join(","), draw);
    let detail = measured(&torn.map, &truth, "brokenness").detail;
    Torn {
        parts: detail["parts"].as_u64().unwrap() as usize,
        is_lower_bound: detail["lower_bound"].as_bool().unwrap(),
        frames: torn.different_motions(&truth, MIN_PART_SHARE, ABSORBED_M),
        all_frames: torn.different_motions(&truth, 0.0, ABSORBED_M),
        pieces: torn.moved_groups(&truth).len(),
    }
}

impl Torn {
    /// Never more parts than pieces, and fewer than frames, the smallest counted too, only with the warning.
    fn is_sound(&self) -> bool {
        self.parts <= self.pieces && (self.parts >= self.all_frames || self.is_lower_bound)
    }

    /// All frames that count are found, and nothing that is no piece.
    fn is_right(&self) -> bool {
        (self.frames..=self.pieces).contains(&self.parts)
    }
}

/// The numbers of one draw of each floor. Of five draws a narrow part may be hidden now and then: see the test below.
#[test]
fn brokenness_counts_the_parts_of_a_torn_map() {
    for (seed, cuts) in [(11, 1), (11, 2), (12, 2), (13, 2), (12, 3)] {
        let found = torn(seed, 2, cuts, 0.4);
        assert!(found.parts == found.frames && found.is_sound(), "floor {seed}, {cuts} cuts: {found:?}");
    }
}

/// Every floor, five draws, one to three cuts; and floors by which nothing was chosen.
#[test]
#[ignore = "some minutes: all draws behind the test above"]
fn cuts_of_all_draws() {
    for floors in [FLOORS, [41, 42, 43], [61, 62, 63], [81, 82, 83], [91, 92, 93]] {
        let (mut right, mut all, mut unsound) = (0, 0, 0);
        for slip_m in [0.4, 0.6, 0.8, 1.2, 1.6] {
            let draws =
                |cuts| floors.iter().flat_map(move |seed| (1..=5).map(move |draw| (*seed, draw, cuts)));
            let draws = (1..=3).flat_map(draws);
            let found: Vec<Torn> = draws.map(|(seed, draw, cuts)| torn(seed, draw, cuts, slip_m)).collect();
            let count = |holds: fn(&Torn) -> bool| found.iter().filter(|one| holds(one)).count();
            let equal = count(|one| one.parts == one.frames);
            right += count(Torn::is_right);
            all += found.len();
            println!(
                "floors {floors:?}, {slip_m} m: of {} equal {equal} (all pieces counted {}), more than frames {}, than pieces {}, \
                 fewer without a warning {}",
                found.len(),
                count(|one| one.parts == one.all_frames),
                count(|one| one.parts > one.frames),
                count(|one| one.parts > one.pieces),
                count(|one| one.parts < one.all_frames && !one.is_lower_bound),
            );
            // A piece too small for a part may be hidden: one of 1125 maps has one without a warning.
            let is_bounded = |one: &Torn| one.is_sound() || one.is_right();
            assert!(found.iter().all(is_bounded), "{found:#?}");
            unsound += count(|one| !one.is_sound());
        }
        assert!(unsound <= 1, "{unsound} small pieces are hidden without a warning");
        println!("floors {floors:?}: {right} of {all} are right");
        assert!(right * 10 >= all * 9, "{right} of {all}");
    }
}

/// Closed doors are walls that the truth does not have. Some fit other walls of the truth, on which the map has walls already: no part.
#[test]
fn closed_doors_are_no_part() {
    for (seed, doors, draw) in [(1, 4, 4), (2, 4, 3), (4, 6, 5)] {
        let truth = office(&OfficePlan { seed, ..OfficePlan::default() }).unwrap();
        let closed = damaged(&truth, &format!("closed_door={doors}"), draw);
        let found = measured(&closed.map, &truth, "brokenness");
        assert_eq!(found.value, Some(1.0), "floor {seed}, {doors} doors");
    }
}

/// What no rigid motion explains of the field of the damage, as root mean square over the walls.
fn true_distortion_m(truth: &Grid, damaged: &DamagedByChain) -> f64 {
    let geometry = truth.geometry();
    let walls = truth.classes().iter().enumerate().filter(|(_, class)| **class == CellClass::Occupied);
    let pair = |(index, _): (usize, &CellClass)| {
        let in_map = geometry.center_of(geometry.cell_of(index));
        PointPair { in_map, in_truth: damaged.moved(in_map).unwrap() }
    };
    let pairs: Vec<PointPair> = walls.map(pair).collect();
    rms_m(&pairs, fit(&pairs, Motion::Rigid).unwrap()).unwrap()
}

/// Values of a metric along a ladder of bends, and the true distortions.
fn along_a_bend(seed: u64, draw: u64, metric: &str, levels: &[f64]) -> Vec<(Option<f64>, f64)> {
    let truth = floor(seed);
    let value = |end_m: &f64| {
        let bent = damaged(&truth, &format!("bend={end_m}m"), draw);
        (measured(&bent.map, &truth, metric).value, true_distortion_m(&truth, &bent))
    };
    levels.iter().map(value).collect()
}

/// The wall distortion is that of the damage: to half a cell where it is small, to a tenth where it is large.
#[test]
fn wall_distortion_measures_a_bend() {
    let found = along_a_bend(FLOORS[0], 1, "wall_distortion", &[0.1, 0.4, 1.6]);
    for (value, expected) in &found {
        let value = value.unwrap();
        assert!((value - expected).abs() <= 0.0125_f64.max(0.1 * expected), "{found:?}");
    }
    assert!(found.is_sorted_by(|one, next| one.0 < next.0), "{found:?}");
}

/// `wall_distortion` grows with every step of the ladder of bends; `warp_penalty` of the paper does not.
#[test]
#[ignore = "minutes: the numbers behind the cards of both metrics"]
fn bends_of_all_floors() {
    const LADDER: [f64; 6] = [0.1, 0.2, 0.4, 0.8, 1.6, 3.2];
    for metric in ["wall_distortion", "warp_penalty"] {
        for seed in FLOORS {
            let found = along_a_bend(seed, seed, metric, &LADDER);
            let (levels, values): (Vec<f64>, Vec<f64>) =
                LADDER.iter().zip(&found).filter_map(|(level, (value, _))| Some((*level, (*value)?))).unzip();
            let tau = mapjudge::lab::statistics::tau_b(&levels, &values);
            println!("{metric}, floor {seed}: tau {tau:.2?}, {found:.4?}");
            assert!(metric == "warp_penalty" || tau == Some(1.0), "{found:?}");
        }
    }
}

/// Where barrels are found in the undamaged map, carried by the damage, is within half a cell of where they are found in the damaged
/// one. (From where they were drawn the detector itself is up to 0.027 m off.) Some are found no more: a seam runs through them,
/// or walls drawn three times over are too thick.
#[test]
fn carried_barrels_lie_where_they_are_found() {
    let arena = BarrelArena { jitter_cells: 0.0, missing_share: 0.0, ..BarrelArena::default() };
    let arena = arena.mapped().unwrap();
    let half_a_cell_m = arena.map.geometry().cell_size_m() / 2.0;
    let detected = |map: &Grid| {
        let found = detect_barrels(map, "map", Radius::Metres(0.25, 0.35), MIN_BARREL_QUALITY).unwrap();
        found.detections.iter().map(|barrel| model::Point2::new(barrel.x_m, barrel.y_m)).collect::<Vec<_>>()
    };
    let before = detected(&arena.map);
    assert!(before.len() >= 9, "{before:?}");
    for (chain, kept) in [
        ("shift=0.4m", 9),
        ("bend=0.4m", 9),
        ("cut=0.4m", 7),
        ("rotate=4deg", 9),
        ("bend=0.2m,rotate=1deg,shift=0.1m", 5),
    ] {
        let mut damaged = DamagedMap::new(&loaded(&arena.map), &chain.parse().unwrap(), 1).unwrap();
        let mut layout = arena.layout.clone();
        let part = layout.parts[0].clone();
        layout.parts =
            before.iter().map(|center| model::FiducialPart { center: *center, ..part.clone() }).collect();
        let after = detected(damaged.map());
        let nearest_m = |part: &model::FiducialPart| {
            after.iter().map(|barrel| barrel.distance_m(part.center)).fold(f64::INFINITY, f64::min)
        };
        let off_m: Vec<f64> = damaged.carried_layout(&layout).parts.iter().map(nearest_m).collect();
        let found: Vec<f64> = off_m.iter().copied().filter(|off_m| *off_m <= 0.3).collect();
        assert!(
            found.len() >= kept && found.iter().all(|off_m| *off_m <= half_a_cell_m),
            "{chain}: {off_m:.3?}"
        );
    }
}
