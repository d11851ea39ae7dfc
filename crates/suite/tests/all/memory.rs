//! What the metrics take is what their families state.

use std::time::Instant;

use mapjudge::metrics::Family;
use mapjudge::model::{CellClass, Grid, GridGeometry, Pose2, SeededRng};
use mapjudge::report::CaseReport;
use mapjudge::{AlignBy, Loaded, Map, Plan, Subject, Truth, judge};
use sim::damage::{Chain, KINDS, Link};

/// Memory of one run beside its cells: threads, tables, and what the allocator keeps.
const FIXED_BYTES: u64 = 24 << 20;

fn grid(side: usize, cell_size_m: f64, class: impl FnMut(usize) -> CellClass) -> Grid {
    let geometry = GridGeometry::new(side, side, cell_size_m, Pose2::IDENTITY).unwrap();
    Grid::new(geometry, (0..side * side).map(class).collect()).unwrap()
}

fn rooms(side: usize) -> Grid {
    let is_wall = |a: usize, b: usize| a % 60 < 2 && !(20..32).contains(&(b % 60));
    grid(side, 0.05, |index| {
        let (x, y) = (index % side, index / side);
        if is_wall(x, y) || is_wall(y, x) { CellClass::Occupied } else { CellClass::Free }
    })
}

fn chequered(side: usize) -> Grid {
    grid(side, 0.05, |index| {
        if (index % side + index / side).is_multiple_of(2) { CellClass::Occupied } else { CellClass::Free }
    })
}

fn noise(side: usize) -> Grid {
    let mut random = SeededRng::new(3);
    grid(side, 0.05, |_| match random.below(4) {
        0 => CellClass::Occupied,
        1 => CellClass::Unknown,
        _ => CellClass::Free,
    })
}

fn judged(truth: Grid, map: Grid, metrics: &str) -> CaseReport {
    let subject = Subject::of_map("map", Loaded::in_memory(Map::new(map)));
    let truth = Truth { map: Some(Loaded::in_memory(Map::new(truth))), ..Truth::default() };
    let plan = Plan { metrics: vec![metrics.to_owned()], align: AlignBy::None, ..Plan::default() };
    judge(&subject, &truth, &plan).unwrap()
}

#[test]
fn families_take_no_more_memory_than_they_state() {
    if testkit::resident_memory().is_none() {
        return testkit::skip("the system does not report peak memory");
    }
    for family in [Family::Cells, Family::Distance, Family::Paths, Family::Topology, Family::Contest] {
        for (name, make) in
            [("rooms", rooms as fn(usize) -> Grid), ("chequered", chequered), ("noise", noise)]
        {
            let (truth, map) = (make(1200), make(1200));
            let cells = truth.geometry().cells() as u64;
            let walls = 2 * truth.class_counts()[CellClass::Occupied as usize];
            testkit::forget_peak_memory();
            let (_, before) = testkit::resident_memory().unwrap();
            judged(truth, map, family.name());
            let (peak, _) = testkit::resident_memory().unwrap();
            let memory = family.memory();
            let stated = cells * memory.per_cell + walls * memory.per_wall;
            let taken = peak.saturating_sub(before);
            eprintln!("{family:?} {name}: {} KiB of {} KiB", taken / 1024, stated / 1024);
            assert!(taken <= stated + FIXED_BYTES, "{family:?} {name}: {taken} of {stated} bytes");
        }
    }
}

/// What a kind takes at most per cell, beside the truth, the damaged map and the field (X-DAMAGE).
const DAMAGE_BYTES_PER_CELL: u64 = 6;

/// Damages a map of so many cells along a side at the third level, with the field; what it took beside map and field, and
/// its time; none where the map has nothing to damage.
fn damage_cost(kind: &sim::damage::Kind, truth: &Grid) -> Option<(u64, std::time::Duration)> {
    let level = 3.min(kind.spec.ladder.len());
    let chain = Chain(vec![Link { kind: *kind, strength: kind.level(level).unwrap() }]);
    testkit::forget_peak_memory();
    let (_, before) = testkit::resident_memory().unwrap();
    let begun = Instant::now();
    let damaged = chain.apply(truth, 1).ok()?;
    let field = damaged.field(truth);
    let took = begun.elapsed();
    let (peak, _) = testkit::resident_memory().unwrap();
    let probabilities = damaged.map.probabilities().map_or(0, <[f64]>::len);
    let kept = damaged.map.geometry().cells() + 8 * probabilities + 4 * (field[0].len() + field[1].len());
    Some((peak.saturating_sub(before).saturating_sub(kept as u64), took))
}

#[test]
fn damage_takes_six_bytes_per_cell_beside_map_and_field() {
    if testkit::resident_memory().is_none() {
        return testkit::skip("the system does not report peak memory");
    }
    let truth = rooms(1500);
    for kind in &KINDS {
        let (taken, _) = damage_cost(kind, &truth).unwrap();
        let stated = DAMAGE_BYTES_PER_CELL * truth.geometry().cells() as u64;
        assert!(taken <= stated + FIXED_BYTES, "{kind:?}: {taken} of {stated} bytes");
    }
}

/// The same without an allowance on the largest maps of the specification, and the time of each kind.
#[test]
#[ignore = "times, which say something alone on a machine"]
fn damage_of_sixteen_million_cells() {
    let truth = rooms(4000);
    let cells = truth.geometry().cells() as f64;
    let _warm = damage_cost(&KINDS[0], &truth);
    for kind in &KINDS {
        let Some((taken, took)) = damage_cost(kind, &truth) else {
            eprintln!("{:<13} nothing to damage", kind.spec.name);
            continue;
        };
        let (seconds, bytes) = (took.as_secs_f64(), taken as f64 / cells);
        eprintln!("{:<13} {seconds:.2} s, {bytes:.2} bytes per cell", kind.spec.name);
    }
}

/// Lengths in metres become many cells: a shift of 2 m is 20,000 cells of 0.1 mm.
#[test]
fn tiny_cells_do_not_ask_for_terabytes() {
    let tiny = |seed: u64| {
        let mut random = SeededRng::new(seed);
        grid(64, 1e-4, |_| if random.below(5) == 0 { CellClass::Occupied } else { CellClass::Free })
    };
    let report = judged(tiny(1), tiny(2), "metric_quality");
    assert_eq!(report.metrics.len(), 1);
    testkit::check_peak_memory(600);
}
