//! Contests end to end on damaged input: files of a team, contest files, rule files, limits, baselines and transforms are
//! mutated at random, from a seed. Whatever comes of it, nothing panics, and the other teams have the scores that they had.
//!
//! `MAPJUDGE_MUTATIONS` sets how many mutations of each kind are tried; a few dozen in every test run.

use std::collections::BTreeMap;
use std::path::Path;

use mapjudge::contest::{ContestOptions, Profile, SHIPPED, judge_contest};
use mapjudge::files::contest::{ContestFolder, load_contest};
use mapjudge::model::Similarity2;
use mapjudge::report::{
    Format, Limits, Report, SCHEMA, Tolerances, Tool, check, compare, read_baseline, render,
};
use mapjudge::{AlignBy, AlignmentFile, Loaded, Map, Plan, Subject, Truth, judge};
use testkit::Random;

use crate::contest_profiles::{FILES, content, write_truth};

/// Mutations of each kind in a test run.
const MUTATIONS: usize = 60;

fn mutations() -> usize {
    std::env::var("MAPJUDGE_MUTATIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(MUTATIONS)
}

/// What people and programs write where a number or a word should stand.
const WORDS: [&str; 16] = [
    "",
    "nan",
    "-inf",
    "1e308",
    "-1",
    "0",
    "0.0000001",
    "99999999999999999999",
    "4294967296",
    "\"",
    "'",
    "{",
    "[[",
    "../../etc",
    "\u{1f600}",
    "\0",
];

/// A damaged copy: bytes flipped, cut out, doubled, or numbers and words replaced.
fn mutated(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..1 + random.below(3) {
        let at = random.below(bytes.len());
        let length = random.below(bytes.len().saturating_sub(at).min(40)) + 1;
        let end = (at + length).min(bytes.len());
        match random.below(6) {
            0 if !bytes.is_empty() => bytes[at] ^= 1 << random.below(8),
            1 => drop(bytes.drain(at.min(end)..end)),
            2 => bytes.truncate(at),
            3 => {
                let copy = bytes[at.min(end)..end].to_vec();
                bytes.splice(end..end, copy);
            }
            _ => {
                let word = WORDS[random.below(WORDS.len())].bytes();
                let (from, to) = token(&bytes, at);
                bytes.splice(from..to, word);
            }
        }
    }
    bytes
}

/// The word or number around a place.
fn token(bytes: &[u8], at: usize) -> (usize, usize) {
    let is_inside = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    let from = bytes[..at].iter().rposition(|byte| !is_inside(byte)).map_or(0, |place| place + 1);
    let to = bytes[at..].iter().position(|byte| !is_inside(byte)).map_or(bytes.len(), |place| at + place);
    (from, to)
}

/// A contest of three teams with all files.
fn contest_in(folder: &Path, profile: &str) -> String {
    let mut text = format!("profile = '{profile}'\n{}[files]\n", write_truth(folder));
    for (role, name) in FILES {
        text.push_str(&format!("{} = '{name}'\n", role.name()));
    }
    for team in ["aurora", "boreal", "corvus"] {
        std::fs::create_dir_all(folder.join(team)).unwrap();
        for (role, name) in FILES {
            std::fs::write(folder.join(team).join(name), content(role)).unwrap();
        }
        text.push_str(&format!("[[teams]]\nname = '{team}'\nfolder = '{team}'\n"));
    }
    text
}

/// The scores of all teams; none if the contest is refused.
fn scores(text: &str, folder: &Path) -> Option<BTreeMap<String, Option<f64>>> {
    let contest = ContestFolder::parse(text, "contest.toml", folder.to_owned()).ok()?;
    let options = ContestOptions { resamples: 0, ..ContestOptions::default() };
    let loaded = load_contest(&contest).ok()?;
    let judged = judge_contest(&loaded, &contest, &options, None, &|_| {}).ok()?;
    Some(judged.report.ranking.iter().map(|team| (team.team.clone(), team.score)).collect())
}

/// Teams that are judged by their own files alone: what one hands in cannot move the others.
#[test]
fn a_damaged_submission_moves_nobody_else() {
    let mut random = Random(20_090_716);
    for profile in ["rrl-2024", "subt-2021", "rcj-2025"] {
        let folder = tempfile::tempdir().unwrap();
        let text = contest_in(folder.path(), profile);
        let before = scores(&text, folder.path()).unwrap();
        for number in 0..mutations() {
            let (role, name) = FILES[random.below(FILES.len())];
            let place = folder.path().join("boreal").join(name);
            std::fs::write(&place, mutated(&content(role), &mut random)).unwrap();
            let after = scores(&text, folder.path());
            let after =
                after.unwrap_or_else(|| panic!("{profile} {number}: a team's {name} ends the contest"));
            for team in ["aurora", "corvus"] {
                assert_eq!(
                    after[team], before[team],
                    "{profile} {number}: {team} after a change of boreal's {name}"
                );
            }
            std::fs::write(&place, content(role)).unwrap();
        }
        assert_eq!(
            scores(&text, folder.path()).unwrap(),
            before,
            "{profile}: the same once all is whole again"
        );
    }
}

#[test]
fn damaged_contest_files_and_rules_are_judged_or_refused() {
    let mut random = Random(20_190_802);
    let folder = tempfile::tempdir().unwrap();
    let (mut judged, mut refused) = (0, 0);
    let mut count = |scores: Option<BTreeMap<String, Option<f64>>>| match scores {
        Some(_) => judged += 1,
        None => refused += 1,
    };
    let text = contest_in(folder.path(), "rrl-2025");
    for _ in 0..mutations() {
        let bytes = mutated(text.as_bytes(), &mut random);
        count(scores(&String::from_utf8_lossy(&bytes), folder.path()));
    }
    let text = contest_in(folder.path(), "own.toml");
    for number in 0..mutations() {
        let (_, profile) = SHIPPED[number % SHIPPED.len()];
        let bytes = mutated(profile.as_bytes(), &mut random);
        let _ = Profile::parse(&String::from_utf8_lossy(&bytes), "own.toml");
        std::fs::write(folder.path().join("own.toml"), &bytes).unwrap();
        count(scores(&text, folder.path()));
    }
    assert!(judged > 0 && refused > 0, "{judged} judged, {refused} refused");
}

#[test]
fn damaged_limits_baselines_and_transforms_are_used_or_refused() {
    let grid = testkit::grid(["#####", "#...#", "#...#", "#####"]);
    let truth = Truth { map: Some(Loaded::in_memory(Map::new(grid.clone()))), ..Truth::default() };
    let subject = Subject::of_map("map", Loaded::in_memory(Map::new(grid)));
    let plan = Plan { metrics: vec!["cells".to_owned()], align: AlignBy::None, ..Plan::default() };
    let case = judge(&subject, &truth, &plan).unwrap();
    let tool = Tool { name: "mapjudge".to_owned(), version: String::new() };
    let schema = SCHEMA.to_owned();
    let report =
        Report { schema, tool, cases: vec![case], limits: Vec::new(), baseline: None, comparison: None };
    let baseline = render(&report, Format::Json).unwrap();
    let limits =
        "[limits]\noverall_error = \"<= 3\"\n[tolerances]\noverall_error = \"5 %\"\n[history]\nsigma = 3\n";
    let transform = AlignmentFile::by_hand(Similarity2::IDENTITY).to_json().unwrap();
    let mut random = Random(20_270_101);
    for number in 0..5 * mutations() {
        let bytes = mutated(limits.as_bytes(), &mut random);
        if let Ok(limits) = Limits::parse(&String::from_utf8_lossy(&bytes)) {
            let _ = check(&report, &limits);
        }
        let bytes = mutated(baseline.as_bytes(), &mut random);
        if let Ok(earlier) = read_baseline(&String::from_utf8_lossy(&bytes)) {
            let _ = compare(&report, &earlier, &Tolerances::default());
            let format = Format::ALL[number % Format::ALL.len()];
            assert!(render(&earlier, format).is_ok(), "{number}");
        }
        if let Ok(file) = AlignmentFile::parse(&mutated(transform.as_bytes(), &mut random)) {
            let plan = Plan { transform: Some(file), ..plan.clone() };
            let _ = judge(&subject, &truth, &plan);
        }
    }
}
