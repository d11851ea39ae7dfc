//! A review in memory: two scans of one room, and proposals between them.

use std::f64::consts::FRAC_PI_2;

use model::{MatchEvidence, Relation, RelationStatus, ScanMatch};
use truth::Doubt;

use super::*;

/// The room of the scans: 181 beams ahead, a wall at x = 4 and one on each side.
fn log() -> model::SensorLog {
    let line = |x_m: f64, time_s: f64| {
        let range = |beam: u32| {
            let (sin, cos) = (f64::from(beam).to_radians() - FRAC_PI_2).sin_cos();
            let ahead = if cos > 1e-9 { (4.0 - x_m) / cos } else { f64::INFINITY };
            let beside = if sin.abs() > 1e-9 { 1.5 / sin.abs() } else { f64::INFINITY };
            format!("{:.3}", ahead.min(beside).min(20.0))
        };
        let ranges = (0..181).map(range).collect::<Vec<_>>().join(" ");
        format!("FLASER 181 {ranges} {x_m} 0 0 {x_m} 0 0 {time_s} host {time_s}\n")
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.log");
    std::fs::write(&path, line(0.0, 1.0) + &line(0.5, 2.0)).unwrap();
    let document = formats::read_document(&path, &formats::ReadOptions::default()).unwrap();
    let formats::Content::Log(log) = document.content else { panic!("a log expected") };
    log
}

pub(super) fn record(id: &str, overlap: f64) -> RelationRecord {
    let relation =
        Relation { from_s: 1.0, to_s: 2.0, translation_m: [0.5, 0.0, 0.0], roll_pitch_yaw_rad: [0.0; 3] };
    let evidence = MatchEvidence {
        inliers: 0.97,
        contradicted: 0.0,
        moved_m: 0.01,
        turned_rad: 0.01,
        covariance: [1e-4, 0.0, 0.0, 1e-4, 0.0, 1e-5],
        degenerate_rad: None,
    };
    RelationRecord {
        icp: Some(ScanMatch { rms_m: 0.01, overlap, evidence: Some(evidence) }),
        tags: vec!["consecutive".to_owned()],
        ..RelationRecord::proposed(id.to_owned(), relation)
    }
}

fn settings(share: f64) -> ReviewSettings {
    ReviewSettings {
        record: "r.jsonl".to_owned(),
        log: "run.log".to_owned(),
        log_blake3: Some("ab".repeat(32)),
        rule: AcceptRule::default(),
        second: SecondOpinions { share, seed: 1 },
    }
}

pub(super) fn review_of(records: Vec<RelationRecord>, share: f64) -> Review {
    let lines = Box::new(MemoryLines::new(records));
    let range = mapper::RangeLimits { min_m: 0.02, max_m: 80.0 };
    Review::open(settings(share), lines, ReviewScans::of(&log(), range)).unwrap()
}

pub(super) fn by(reviewer: &str) -> By<'_> {
    By { reviewer, time: Some("2026-05-01T10:00:00Z") }
}

fn decide(review: &mut Review, reviewer: &str, id: &str, act: Act) -> Decided {
    let (_, version) = review.last(id).unwrap();
    let verdict = Verdict { seconds: Some(3.0), ..Verdict::new(id.to_owned(), version, act) };
    review.decide(by(reviewer), &verdict).unwrap()
}

pub(super) fn written(review: &mut Review, reviewer: &str, id: &str, act: Act) -> Written {
    match decide(review, reviewer, id, act) {
        Decided::Written(written) => *written,
        other => panic!("{other:?}"),
    }
}

fn asked(review: &mut Review, reviewer: &str) -> Vec<(String, u8)> {
    let next = review.next(&Asked::by(reviewer, 100)).unwrap();
    assert_eq!(next.left, next.proposals.len());
    next.proposals.into_iter().map(|shown| (shown.id, shown.opinion)).collect()
}

fn ids(review: &mut Review, reviewer: &str) -> Vec<String> {
    asked(review, reviewer).into_iter().map(|(id, _)| id).collect()
}

/// Overlaps 0.8, 0.25 (missed 2 times), 0.1 (5 times); without a match; 0.8.
#[test]
fn the_most_doubtful_comes_first_and_skipped_ones_last() {
    let nothing = RelationRecord { icp: None, ..record("d", 0.8) };
    let records = vec![record("a", 0.8), record("b", 0.25), record("c", 0.1), nothing, record("e", 0.8)];
    let mut review = review_of(records, 0.0);
    assert_eq!(ids(&mut review, "Ada"), ["d", "c", "b", "a", "e"]);
    let skip = ["c".to_owned(), "d".to_owned()];
    let skipping = |skipped, count| Asked { skip: &skip, skipped, ..Asked::by("Ada", count) };
    let next = review.next(&skipping(Skipped::Last, 9)).unwrap();
    let order: Vec<_> = next.proposals.iter().map(|shown| shown.id.as_str()).collect();
    assert_eq!(order, ["b", "a", "e", "c", "d"]);
    let next = review.next(&skipping(Skipped::LeftOut, 2)).unwrap();
    let order: Vec<_> = next.proposals.iter().map(|shown| shown.id.as_str()).collect();
    assert_eq!((order, next.left), (vec!["b", "a"], 5));
    let shown = review.relation("c", "Ada", Sight::Blind).unwrap().unwrap();
    let doubt = shown.doubt.unwrap();
    assert_eq!((doubt.code, doubt.ratio), (Doubt::Overlap, Some(5.0)));
    assert!(review.relation("z", "Ada", Sight::Blind).unwrap().is_none());
}

#[test]
fn a_proposal_shows_scans_free_sight_numbers_and_place() {
    let mut review = review_of(vec![record("a", 0.25)], 0.0);
    let shown = review.relation("a", "Ada", Sight::Blind).unwrap().unwrap();
    assert_eq!((shown.first.hits.len(), shown.second.hits.len()), (181, 181));
    // Half a circle of beams: behind the robot the polygon goes back to the sensor.
    assert_eq!((shown.first.free.len(), shown.first.free.last()), (182, Some(&[0.0, 0.0])));
    assert_eq!(shown.evaluation.numbers.len(), 9);
    let missed: Vec<_> =
        shown.evaluation.numbers.iter().filter(|number| !number.met).map(|number| number.name).collect();
    assert_eq!(missed, ["overlap"]);
    let place = shown.place.unwrap();
    assert_eq!((place.from, place.to), ([0.0, 0.0], [0.5, 0.0]));
    assert_eq!(shown.near.len(), 181, "the other keyframe");
    assert_eq!(shown.history.len(), 1);
    let summary = review.summary("Ada");
    assert_eq!((summary.run.times, summary.limits.len()), (vec![1.0, 2.0], 11));
}

#[test]
fn numbers_follow_the_displacement_and_a_match_finds_it() {
    let review = review_of(vec![record("a", 0.8)], 0.0);
    let value = |evaluation: &Evaluation, name: &str| {
        evaluation.numbers.iter().find(|number| number.name == name).unwrap().value
    };
    let there = review.evaluate("a", Pose2::new(0.5, 0.0, 0.0)).unwrap();
    let beside = review.evaluate("a", Pose2::new(0.6, 0.03, 0.0)).unwrap();
    assert!(value(&there, "rms_m") < value(&beside, "rms_m"), "{there:?} {beside:?}");
    assert!((value(&beside, "moved_m").unwrap() - 0.1_f64.hypot(0.03)).abs() < 1e-12);
    let away = review.evaluate("a", Pose2::new(50.0, 0.0, 0.0)).unwrap();
    assert!(away.numbers.iter().all(|number| !number.met && number.value.is_none()), "{away:?}");
    let found = review.refine("a", Pose2::new(0.55, 0.02, 0.02)).unwrap();
    assert!((found.delta.x_m - 0.5).abs() < 0.01 && found.delta.y_m.abs() < 0.01, "{found:?}");
    assert!(review.refine("a", Pose2::new(50.0, 0.0, 0.0)).is_none());
    assert!(review.refine("a", Pose2::new(f64::NAN, 0.0, 0.0)).is_none());
    assert!(review.evaluate("z", Pose2::IDENTITY).is_none());
}

/// Three points turned by 90 degrees and moved by (1, 2): by hand, no residual. Half a centimetre apart on one of two
/// pairs leaves 2.5 mm on each.
#[test]
fn clicked_pairs_give_the_displacement() {
    let pair = |first: [f64; 2], second: [f64; 2]| ClickedPair {
        first: Point2::new(first[0], first[1]),
        second: Point2::new(second[0], second[1]),
    };
    let pairs = [pair([1.0, 2.0], [0.0, 0.0]), pair([1.0, 3.0], [1.0, 0.0]), pair([0.0, 2.0], [0.0, 1.0])];
    let found = fit_clicked(&pairs).unwrap();
    assert!((found.delta.theta_rad - FRAC_PI_2).abs() < 1e-12 && found.rms_m < 1e-12, "{found:?}");
    let found = fit_clicked(&[pair([0.0, 0.0], [0.0, 0.0]), pair([1.005, 0.0], [1.0, 0.0])]).unwrap();
    assert!((found.delta.x_m - 0.0025).abs() < 1e-12, "{found:?}");
    assert!(found.residuals.iter().all(|residual| (residual.length_m - 0.0025).abs() < 1e-12));
    assert_eq!(fit_clicked(&[]), None);
}

#[test]
fn opinions_that_differ_are_disputed_and_a_third_settles() {
    let mut review = review_of(vec![record("a", 0.8), record("b", 0.8)], 1.0);
    written(&mut review, "Ada", "a", Act::Accept);
    assert_eq!(asked(&mut review, "Ada"), [("b".to_owned(), 1)]);
    // Bob sees neither who decided nor what.
    let shown = review.relation("a", "Bob", Sight::Open).unwrap().unwrap();
    assert_eq!((shown.status, shown.opinion, shown.blind, shown.history.len()), ("proposed", 2, true, 0));
    let row = &review.list("Bob", None, None, 10).rows[0];
    assert_eq!((row.status, row.reviewer.as_deref(), row.opinions), ("proposed", None, 1));
    let disputed = written(&mut review, "Bob", "a", Act::Reject);
    assert!(disputed.is_disputed);
    assert_eq!((review.counts().disputed, review.counts().proposed, review.truth().len()), (1, 2, 0));
    let (last, _) = review.last("a").unwrap();
    assert_eq!((last.reviewer.as_deref(), last.is_disputed()), (Some("rule: opinions differ"), true));
    for person in ["Ada", "Bob"] {
        let refused = decide(&mut review, person, "a", Act::Accept);
        assert!(matches!(refused, Decided::Refused(Refusal::Opinion(_))), "{refused:?}");
    }
    assert_eq!(asked(&mut review, "Cid"), [("a".to_owned(), 3), ("b".to_owned(), 1)]);
    assert_eq!(review.relation("a", "Cid", Sight::Blind).unwrap().unwrap().history.len(), 0);
    assert_eq!(review.relation("a", "Cid", Sight::Open).unwrap().unwrap().history.len(), 4);
    let settled = written(&mut review, "Cid", "a", Act::Accept);
    assert_eq!(
        (settled.entry.opinion, settled.entry.tags.as_slice()),
        (Some(3), &["consecutive".to_owned()][..])
    );
    assert_eq!((review.counts().disputed, review.truth().len()), (0, 1));
    let agreement = review.agreement();
    assert_eq!((agreement.compared, agreement.agreed), (1, 0));
}

#[test]
fn adjustments_agree_within_5_cm_and_go_to_another_person_without_a_share() {
    let mut review = review_of(vec![record("a", 0.8), record("b", 0.8), record("c", 0.8)], 0.0);
    for (id, second_x_m) in [("a", 0.54), ("b", 0.60)] {
        written(&mut review, "Ada", id, Act::Adjust(Pose2::new(0.52, 0.0, 0.0)));
        written(&mut review, "Bob", id, Act::Adjust(Pose2::new(second_x_m, 0.0, 0.0)));
    }
    written(&mut review, "Ada", "c", Act::Adjust(Pose2::new(0.5, 0.0, 0.0)));
    assert_eq!(review.last("c").unwrap().0.status, RelationStatus::Accepted, "it was not moved");
    assert_eq!(asked(&mut review, "Cid"), [("b".to_owned(), 3)]);
    let agreement = review.agreement();
    assert_eq!((agreement.compared, agreement.agreed), (2, 1));
    assert!((agreement.median_distance_m.unwrap() - 0.05).abs() < 1e-12, "0.02 m and 0.08 m");
    let truth = review.truth();
    assert!((truth[0].final_relation().translation_m[0] - 0.54).abs() < 1e-12, "the last word");
}

#[test]
fn a_seed_decides_who_is_asked_again() {
    let asked_again = |seed: u64| {
        let records = (0..200).map(|number| record(&format!("r{number}"), 0.8)).collect();
        let mut review = review_of(records, 0.1);
        review.settings.second.seed = seed;
        for number in 0..200 {
            written(&mut review, "Ada", &format!("r{number}"), Act::Accept);
        }
        asked(&mut review, "Bob")
    };
    let first = asked_again(1);
    assert!(
        first.iter().all(|(_, opinion)| *opinion == 2) && first.len().abs_diff(20) < 17,
        "{}",
        first.len()
    );
    assert_eq!(first, asked_again(1));
    assert_ne!(first, asked_again(2));
}

#[test]
fn a_second_opinion_on_request() {
    let mut review = review_of(vec![record("a", 0.8)], 0.0);
    let asked_by = written(&mut review, "Ada", "a", Act::AskSecond);
    assert_eq!(asked_by.entry.second_by.as_deref(), Some("Ada"));
    let again = decide(&mut review, "Ada", "a", Act::AskSecond);
    assert_eq!(again, Decided::Refused(Refusal::AlreadyAsked));
    written(&mut review, "Ada", "a", Act::Accept);
    assert_eq!(asked(&mut review, "Bob"), [("a".to_owned(), 2)]);
    assert!(!written(&mut review, "Bob", "a", Act::Accept).is_disputed);
    assert_eq!((asked(&mut review, "Cid").len(), review.truth().len()), (0, 1));
    assert_eq!(decide(&mut review, "Cid", "a", Act::AskSecond), Decided::Refused(Refusal::TwoOpinions));
}

#[test]
fn who_comes_late_gets_the_line_of_the_other() {
    let mut review = review_of(vec![record("a", 0.8)], 0.0);
    let (_, seen) = review.last("a").unwrap();
    written(&mut review, "Bob", "a", Act::Reject);
    let verdict = Verdict::new("a".to_owned(), seen, Act::Accept);
    let Decided::Conflict(other) = review.decide(by("Ada"), &verdict).unwrap() else { panic!() };
    assert_eq!((other.reviewer.as_deref(), other.status), (Some("Bob"), RelationStatus::Rejected));
    assert_eq!(review.history("a").unwrap().len(), 2);
}

#[test]
fn undo_goes_back_step_by_step_and_touches_nobody_else() {
    let mut review = review_of(vec![record("a", 0.8)], 1.0);
    assert_eq!(decide(&mut review, "Ada", "a", Act::Undo), Decided::Refused(Refusal::NothingToUndo));
    written(&mut review, "Ada", "a", Act::Accept);
    written(&mut review, "Bob", "a", Act::Reject);
    assert_eq!(decide(&mut review, "Ada", "a", Act::Undo), Decided::Refused(Refusal::NothingToUndo));
    written(&mut review, "Cid", "a", Act::Accept);
    assert_eq!(written(&mut review, "Cid", "a", Act::Undo).entry.undone_by.as_deref(), Some("Cid"));
    assert_eq!(review.counts().disputed, 1);
    assert_eq!(decide(&mut review, "Cid", "a", Act::Undo), Decided::Refused(Refusal::NothingToUndo));
    written(&mut review, "Bob", "a", Act::Undo);
    let (last, _) = review.last("a").unwrap();
    assert_eq!((last.status, last.reviewer.as_deref()), (RelationStatus::Accepted, Some("Ada")));
    assert_eq!(asked(&mut review, "Bob"), [("a".to_owned(), 2)], "Bob is asked again");
    written(&mut review, "Ada", "a", Act::Undo);
    assert_eq!(review.last("a").unwrap().0.status, RelationStatus::Proposed);
    assert_eq!(asked(&mut review, "Ada"), [("a".to_owned(), 1)]);
    // Everything that happened is still there: the proposal, three decisions, a dispute, three lines that take back.
    assert_eq!(review.history("a").unwrap().len(), 8);
}

#[test]
fn a_decision_that_makes_no_sense_is_refused() {
    let mut review = review_of(vec![record("a", 0.8)], 0.0);
    let (_, version) = review.last("a").unwrap();
    let new = |act| Verdict::new("a".to_owned(), version.clone(), act);
    let mut refused = |reviewer: &str, verdict: Verdict| match review.decide(by(reviewer), &verdict).unwrap()
    {
        Decided::Refused(refusal) => refusal.code(),
        other => panic!("{other:?}"),
    };
    assert_eq!(refused("Ada", new(Act::Adjust(Pose2::new(f64::NAN, 0.0, 0.0)))), "VERDICT_INVALID");
    assert_eq!(refused(" ", new(Act::Accept)), "VERDICT_INVALID");
    assert_eq!(refused("rule: mine", new(Act::Accept)), "VERDICT_INVALID");
    assert_eq!(refused("Ada", Verdict { seconds: Some(-1.0), ..new(Act::Accept) }), "VERDICT_INVALID");
    assert_eq!(
        refused("Ada", Verdict { note: Some("x".repeat(5000)), ..new(Act::Accept) }),
        "VERDICT_INVALID"
    );
    assert_eq!(refused("Ada", Verdict { opinion: Some(2), ..new(Act::Accept) }), "OPINION_REFUSED");
    assert_eq!(refused("Ada", Verdict { id: "z".to_owned(), ..new(Act::Accept) }), "NO_RELATION");
    assert_eq!(review.history("a").unwrap().len(), 1);
}

#[test]
fn another_log_is_refused_and_a_record_that_names_none_is_not() {
    let open = |hash: Option<String>| {
        let records = vec![RelationRecord { log_blake3: hash, ..record("a", 0.8) }];
        Review::open(settings(0.0), Box::new(MemoryLines::new(records)), ReviewScans::default()).map(|_| ())
    };
    assert!(open(None).is_ok() && open(Some("ab".repeat(32))).is_ok());
    let error = open(Some("cd".repeat(32))).unwrap_err();
    assert_eq!(error.code(), "RECORD_OF_OTHER_LOG");
    assert!(error.to_string().contains("expected the hash cdcdcdcdcdcdcdcd, found abababab"), "{error}");
}

#[test]
fn a_review_goes_on_where_it_stopped_and_counts_its_rate() {
    let mut review = review_of(vec![record("a", 0.8), record("b", 0.8)], 0.5);
    written(&mut review, "Ada", "a", Act::Reject);
    written(&mut review, "Bob", "a", Act::Accept);
    // 3 s a decision.
    assert_eq!(
        (review.summary("Ada").rate_per_minute, review.summary("Cid").rate_per_minute),
        (Some(20.0), None)
    );
    let lines: Vec<RelationRecord> =
        ["a", "b"].into_iter().flat_map(|id| review.history(id).unwrap()).collect();
    let mut again = review_of(lines, 0.5);
    assert_eq!(again.counts(), review.counts());
    for person in ["Ada", "Bob", "Cid"] {
        assert_eq!(asked(&mut again, person), asked(&mut review, person));
    }
    assert_eq!(again.agreement(), review.agreement());
}

/// A square of 1 m whose fourth side is 0.3 m too long, as in the check of records.
#[test]
fn a_loop_that_no_longer_closes_is_told() {
    let side = |id: &str, from_s: f64, to_s: f64, x_m: f64| {
        let relation = Relation {
            from_s,
            to_s,
            translation_m: [x_m, 0.0, 0.0],
            roll_pitch_yaw_rad: [0.0, 0.0, FRAC_PI_2],
        };
        RelationRecord::proposed(id.to_owned(), relation)
    };
    let sides = vec![
        side("a", 0.0, 1.0, 1.0),
        side("b", 1.0, 2.0, 1.0),
        side("c", 2.0, 3.0, 1.0),
        side("d", 3.0, 0.0, 1.3),
    ];
    let mut review = review_of(sides, 0.0);
    for id in ["a", "b", "c"] {
        written(&mut review, "Ada", id, Act::Accept);
    }
    assert_eq!(review.summary("Ada").loops, []);
    written(&mut review, "Ada", "d", Act::Accept);
    let loops = review.summary("Ada").loops;
    assert_eq!((loops.len(), loops[0].ids.len()), (1, 4));
    assert!(loops[0].words.starts_with("0.300 m and 0.00 degrees"), "{loops:?}");
}

#[test]
fn the_list_goes_on_where_it_ended() {
    let records = (0..7).map(|number| record(&format!("r{number}"), 0.8)).collect();
    let mut review = review_of(records, 0.0);
    written(&mut review, "Ada", "r1", Act::Reject);
    let page = review.list("Ada", None, None, 4);
    assert_eq!((page.rows.len(), page.after.as_deref()), (4, Some("r3")));
    let page = review.list("Ada", None, page.after.as_deref(), 4);
    assert_eq!((page.rows.len(), page.after, page.rows[0].id.as_str()), (3, None, "r4"));
    let rejected = review.list("Ada", Some(RelationStatus::Rejected), None, 4);
    assert_eq!((rejected.rows.len(), rejected.rows[0].reviewer.as_deref()), (1, Some("Ada")));
}
