//! A map of a stranger, limits and a transform, judged from end to end in memory: for the tests and for the fuzz program.
//!
//! The three parts are separated by zero bytes: a map in any format that is text or has no zero byte, a limits file, and
//! an alignment file. A report comes out whole, with finite numbers, and can be read again, or nothing does.

use mapjudge::AlignmentFile;
use mapjudge::formats::{NamedBytes, read_map_bytes};
use mapjudge::report::{Format, Limits, Tolerances, check as check_limits, compare, read_baseline, render};
use mapjudge::{Loaded, Map, Plan, ReadOptions, Subject, Truth, judge, new_report};

/// Larger maps take too long for millions of runs.
const MAX_CELLS: usize = 1 << 12;

const TRUTH: &str = "resolution: 0.05\norigin: 0 0 0\n########\n#..#...#\n#......#\n#..#...#\n########\n";

fn map_of(bytes: &[u8]) -> Option<Loaded<Map>> {
    let file = NamedBytes { name: "map.txt", bytes };
    let map = read_map_bytes(file, &[], &ReadOptions::default()).ok()?;
    (map.grid.geometry().cells() <= MAX_CELLS).then(|| Loaded::in_memory(Map::new(map.grid)))
}

/// Judges what the bytes hold.
///
/// # Panics
/// The report is not what it should be.
pub fn check(bytes: &[u8]) {
    let mut parts = bytes.splitn(3, |byte| *byte == 0);
    let [map, limits, transform] = [(); 3].map(|()| parts.next().unwrap_or_default());
    let Some(map) = map_of(map) else { return };
    let truth = Truth { map: map_of(TRUTH.as_bytes()), ..Truth::default() };
    let transform = AlignmentFile::parse(transform).ok();
    let plan = Plan { transform, ..Plan::default() };
    let Ok(case) = judge(&Subject::of_map("map", map), &truth, &plan) else { return };
    assert!(case.metrics.iter().all(|metric| metric.value.is_none_or(f64::is_finite)));
    let report = new_report(vec![case]);
    if let Some(limits) = std::str::from_utf8(limits).ok().and_then(|text| Limits::parse(text).ok()) {
        let _ = check_limits(&report, &limits);
    }
    let json = render(&report, Format::Json).unwrap();
    let again = read_baseline(&json).unwrap();
    let _ = compare(&report, &again, &Tolerances::default());
}

#[cfg(test)]
#[test]
fn the_corpus_is_judged_or_refused() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/any_format/judged");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 4, "{files:?}");
    for file in files {
        check(&std::fs::read(file).unwrap()[1..]);
    }
}

#[cfg(test)]
#[test]
fn damaged_submissions_never_panic() {
    let mut random = testkit::Random(7);
    let transform = r#"{"schema":"mapjudge.alignment/1","inputs":[],"method":"points","truth_from_map":{"x_m":0.1,"y_m":0,"theta_rad":0.5,"scale":1},"hypotheses":[]}"#;
    let seed = [TRUTH.as_bytes(), b"\0overall_error <= 5\n\0", transform.as_bytes()].concat();
    for _ in 0..400 {
        let mut bytes = seed.clone();
        for _ in 0..=random.below(4) {
            let at = random.below(bytes.len());
            match random.below(4) {
                0 => bytes[at] = b"0123456789.-eE#?\n:"[random.below(18)],
                1 => drop(bytes.remove(at)),
                2 => bytes.insert(at, b"0123456789.-eE#?\n:"[random.below(18)]),
                _ => bytes[at] ^= 1 << random.below(8),
            }
        }
        check(&bytes);
    }
    testkit::check_peak_memory(512);
}
