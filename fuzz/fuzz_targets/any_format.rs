#![no_main]
//! Any bytes as any file: the first byte selects the reader, the rest is the file.
//!
//! A selector is the byte '0' plus the place of its line in `selectors.txt`; other bytes wrap around. Readers of the
//! formats crate are checked by the harness of its tests, the others here.

use libfuzzer_sys::fuzz_target;
use mapjudge::AlignmentFile;
use mapjudge::files::contest::ContestFolder;
use mapjudge::files::rows::ManifestLine;
use mapjudge::rows::{Row, RowHeader};
use mapjudge::contest::{CharacterMatrix, Formula, Profile, Quantity, matrix_score};
use mapjudge_report::{Format, Limits, Tolerances, compare, read_baseline, render};
use mapjudge_sim::arena::{Arena, Plan};

#[path = "../../crates/formats/tests/all/hostile/readers.rs"]
mod readers;

#[path = "../../crates/suite/tests/all/judged.rs"]
mod judged;

fuzz_target!(|bytes: &[u8]| {
    let Some((selector, bytes)) = bytes.split_first() else { return };
    let lines = readers::SELECTORS.lines();
    let place = usize::from(selector.wrapping_sub(b'0')) % lines.clone().count();
    let selector = lines.clone().nth(place).and_then(|line| line.split(' ').next()).unwrap_or_default();
    if readers::is_reader(selector) {
        return readers::check(selector, bytes);
    }
    if selector == "judged" {
        judged::check(bytes);
    } else if selector == "transform" {
        let _ = AlignmentFile::parse(bytes);
    } else if let Ok(text) = std::str::from_utf8(bytes) {
        check_text(selector, text);
    }
});

fn check_text(selector: &str, text: &str) {
    match selector {
        "arena_plan" => check_plan(text),
        "baseline" => check_baseline(text),
        "character_matrix" => check_matrix(text),
        "contest_file" => drop(ContestFolder::parse(text, "contest.toml", "nowhere".into())),
        "contest_profile" => check_profile(text),
        "limits" => drop(Limits::parse(text)),
        "manifest" => drop(ManifestLine::parse(1, text)),
        "row" => check_row(text),
        "waypoints" => drop(mapjudge_sim::run::read_waypoints(text)),
        other => panic!("no reader for the selector '{other}'"),
    }
}

/// A row that can be read is written and read again.
fn check_row(text: &str) {
    if let Ok(row) = Row::parse(text) {
        assert_eq!(Row::parse(&row.to_line()).map(|again| again.to_line()), Ok(row.to_line()));
    }
    drop(RowHeader::parse(text));
}

/// A plan that can be read is built, and a small arena drawn.
fn check_plan(text: &str) {
    let Ok(plan) = Plan::read(text) else { return };
    if let Ok(arena) = Arena::build(&plan)
        && arena.geometry().is_ok_and(|geometry| geometry.cells() < 1 << 20)
    {
        let _ = arena.truth(plan.slice_heights_m[0]);
        let _ = mapjudge_sim::world::World::new(&arena);
    }
    assert_eq!(Plan::read(&plan.to_text()).map(|again| again.to_text()), Ok(plan.to_text()));
}

/// An earlier report that is accepted is rendered and compared with itself.
fn check_baseline(text: &str) {
    let Ok(report) = read_baseline(text) else { return };
    let _ = compare(&report, &report, &Tolerances::default());
    for format in Format::ALL {
        let _ = render(&report, format);
    }
}

/// A matrix is scored against a small answer.
fn check_matrix(text: &str) {
    if let (Ok(answer), Ok(submission)) =
        (CharacterMatrix::parse("1 1 1\n1 5 H\n1 0 1"), CharacterMatrix::parse(text))
        && let Ok(score) = matrix_score(&answer, &submission)
    {
        assert!((0.0..=1.0).contains(&score.value));
    }
}

/// Any text as a rule profile, and as the formula of one.
fn check_profile(text: &str) {
    let _ = Profile::parse(text, "profile.toml");
    if let Ok(formula) = Formula::parse(text) {
        let scope = |_: &str| Ok(Quantity::List(vec![1.0, 0.0]));
        let _ = formula.evaluate(&scope);
        let _ = formula.substituted(&scope);
    }
}
