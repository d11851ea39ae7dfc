//! The review of relations, as its page asks for it.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use axum::http::StatusCode;
use mapjudge::ground_truth::review::{Act, Asked, By, Decided, Verdict};
use mapjudge::ground_truth::{Review, ReviewJob, open_review};
use mapjudge::mapper::RangeLimits;
use mapjudge::truth::{AcceptRule, SecondOpinions};
use mapjudge_server::{Desk, ReviewDesk};
use model::Pose2;
use serde_json::{Value, json};

use crate::visitor::{Answer, Visitor, processor_time};

const TIME: &str = "2026-05-01T10:00:00Z";
const VERDICTS: &str = "/api/v1/reviews/1/verdicts";

/// A log of two scans of one room, 0.5 m apart along x, and a record of proposals between them, less and less doubtful.
pub fn folder(proposals: usize) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let scan = |x_m: f64, time_s: f64| {
        let range = |beam: u32| {
            let (sin, cos) = (f64::from(beam).to_radians() - std::f64::consts::FRAC_PI_2).sin_cos();
            let ahead = if cos > 1e-9 { (4.0 - x_m) / cos } else { f64::INFINITY };
            let beside = if sin.abs() > 1e-9 { 1.5 / sin.abs() } else { f64::INFINITY };
            format!("{:.3}", ahead.min(beside).min(20.0))
        };
        let ranges = (0..181).map(range).collect::<Vec<_>>().join(" ");
        format!("FLASER 181 {ranges} {x_m} 0 0 {x_m} 0 0 {time_s} host {time_s}\n")
    };
    std::fs::write(folder.path().join("run.log"), scan(0.0, 1.0) + &scan(0.5, 2.0)).unwrap();
    let mut record = String::new();
    for index in 0..proposals {
        let overlap = 0.1 + 0.3 * index as f64 / proposals as f64;
        let icp = json!({
            "rms_m": 0.01, "overlap": overlap, "inliers": 0.99, "contradicted": 0.0, "moved_m": 0.01,
            "turned_rad": 0.001, "covariance": [1e-4, 0.0, 0.0, 1e-4, 0.0, 1e-5]
        });
        let delta = json!({ "x_m": 0.5, "y_m": 0.0, "theta_rad": 0.0 });
        let line = json!({ "id": format!("r{index}"), "t1": 1.0, "t2": 2.0, "delta": delta, "icp": icp,
            "status": "proposed", "tags": ["consecutive"] });
        writeln!(record, "{line}").unwrap();
    }
    std::fs::write(folder.path().join("record.jsonl"), record).unwrap();
    folder
}

pub fn review(folder: &Path, share: f64) -> Review {
    let job = ReviewJob {
        record: folder.join("record.jsonl"),
        log: folder.join("run.log"),
        reviewer: String::new(),
        time: None,
        figure: folder.join("record.svg"),
        rule: AcceptRule::default(),
        range: RangeLimits { min_m: 0.02, max_m: 80.0 },
        second: SecondOpinions { share, seed: 1 },
    };
    open_review(&job, &mapjudge::ReadOptions::default()).unwrap()
}

async fn visitor(folder: &Path, reviewer: &str, share: f64) -> Visitor {
    let desk = ReviewDesk::new(review(folder, share), reviewer.to_owned(), Some(TIME.to_owned()));
    Visitor::inside(Desk::Review(Box::new(desk))).await
}

async fn next(visitor: &Visitor) -> Value {
    visitor.get("/api/v1/reviews/1/next").await.json()
}

async fn verdict(visitor: &Visitor, shown: &Value, word: &str, more: Value) -> Answer {
    let mut body = json!({ "id": shown["id"], "version": shown["version"], "verdict": word, "seconds": 2.0 });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    visitor.post(VERDICTS, body).await
}

async fn relation(visitor: &Visitor, id: &str) -> Value {
    visitor.get(&format!("/api/v1/reviews/1/relations/{id}")).await.json()
}

#[tokio::test]
async fn the_desk_and_the_next_proposals_are_those_of_the_contract() {
    let folder = folder(6);
    let visitor = visitor(folder.path(), "Ada", 0.1).await;
    let desk = visitor.get("/api/v1/desk").await.json();
    assert_eq!(
        (&desk["kind"], &desk["start"], &desk["reviewer"]),
        (&json!("review"), &json!("/review/1"), &json!("Ada"))
    );
    let summary = visitor.get("/api/v1/reviews/1").await.json();
    assert_eq!((&summary["record"], &summary["log"]), (&json!("record.jsonl"), &json!("run.log")));
    assert_eq!(
        summary["counts"],
        json!({ "proposed": 6, "accepted": 0, "adjusted": 0, "rejected": 0, "disputed": 0 })
    );
    assert_eq!(summary["limits"][1]["words"], "overlap at least 0.5");
    assert_eq!(summary["limits"][1]["sense"], "at_least");
    assert_eq!((&summary["agreement"]["kappa"], &summary["rate_per_minute"]), (&Value::Null, &Value::Null));
    let answer = visitor.get("/api/v1/reviews/1/next?count=2&skip=r1").await.json();
    let ids: Vec<&Value> = answer["proposals"].as_array().unwrap().iter().map(|shown| &shown["id"]).collect();
    assert_eq!((ids, &answer["left"]), (vec![&json!("r0"), &json!("r2")], &json!(6)));
    let shown = &answer["proposals"][0];
    for key in [
        "id",
        "version",
        "status",
        "from_s",
        "to_s",
        "source",
        "delta",
        "doubt",
        "numbers",
        "ellipse",
        "degenerate_rad",
        "first",
        "second",
        "near",
        "where",
        "opinion",
        "history",
    ] {
        assert!(shown.get(key).is_some(), "{key}: {shown}");
    }
    assert_eq!((&shown["doubt"]["code"], &shown["doubt"]["ratio"]), (&json!("overlap"), &json!(5.0)));
    assert_eq!(shown["first"]["hits"].as_array().unwrap().len(), 181);
    assert_eq!(shown["delta"], json!({ "x_m": 0.5, "y_m": 0.0, "theta_rad": 0.0 }));
    assert_eq!(shown["where"], json!({ "from": [0.0, 0.0], "to": [0.5, 0.0] }));
    let list = visitor.get("/api/v1/reviews/1/list?limit=4&status=proposed").await.json();
    assert_eq!((list["rows"].as_array().unwrap().len(), &list["after"]), (4, &json!("r3")));
}

#[tokio::test]
async fn numbers_matches_and_clicked_pairs() {
    let folder = folder(1);
    let visitor = visitor(folder.path(), "Ada", 0.0).await;
    let at = |x_m: f64| json!({ "id": "r0", "delta": { "x_m": x_m, "y_m": 0.0, "theta_rad": 0.0 } });
    let value = |answer: &Value, name: &str| {
        let numbers = answer["numbers"].as_array().unwrap();
        numbers.iter().find(|number| number["name"] == name).unwrap()["value"].as_f64()
    };
    let there = visitor.post("/api/v1/reviews/1/evaluate", at(0.5)).await.json();
    let beside = visitor.post("/api/v1/reviews/1/evaluate", at(0.65)).await.json();
    assert!(value(&there, "overlap") > value(&beside, "overlap"), "{there} {beside}");
    let found = visitor.post("/api/v1/reviews/1/refine", at(0.6)).await.json();
    assert!((found["delta"]["x_m"].as_f64().unwrap() - 0.5).abs() < 0.01, "{found}");
    let refused = visitor.post("/api/v1/reviews/1/refine", at(50.0)).await;
    assert_eq!(
        (refused.status, &refused.json()["type"]),
        (StatusCode::UNPROCESSABLE_ENTITY, &json!("SCANS_DO_NOT_MATCH"))
    );
    let pairs = json!({ "pairs": [{ "first": [1.0, 2.0], "second": [0.5, 2.0] }, { "first": [3.0, 2.0], "second": [2.5, 2.0] }] });
    let fitted = visitor.post("/api/v1/reviews/1/fit", pairs).await.json();
    assert!((fitted["delta"]["x_m"].as_f64().unwrap() - 0.5).abs() < 1e-12, "{fitted}");
    assert_eq!(fitted["residuals"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn two_people_differ_and_a_third_settles() {
    let folder = folder(2);
    let (ada, bob) = (visitor(folder.path(), "Ada", 1.0).await, visitor(folder.path(), "Bob", 1.0).await);
    let shown = relation(&ada, "r0").await;
    let moved =
        json!({ "delta": { "x_m": 0.52, "y_m": 0.0, "theta_rad": 0.0 }, "note": "moved", "opinion": 1 });
    let answer = verdict(&ada, &shown, "adjust", moved).await.json();
    assert_eq!((&answer["entry"]["status"], &answer["entry"]["opinion"]), (&json!("adjusted"), &json!(1)));
    assert_eq!((&answer["entry"]["time"], &answer["entry"]["seconds"]), (&json!(TIME), &json!(2.0)));
    assert_eq!((&answer["next"]["id"], &answer["counts"]["adjusted"]), (&json!("r1"), &json!(1)));
    // Bob sees the proposal alone.
    let blind = relation(&bob, "r0").await;
    assert_eq!(
        (&blind["status"], &blind["opinion"], &blind["history"]),
        (&json!("proposed"), &json!(2), &json!([]))
    );
    assert_eq!(blind["delta"]["x_m"], 0.5);
    let answer = verdict(&bob, &blind, "reject", json!({})).await.json();
    assert_eq!((&answer["disputed"], &answer["counts"]["disputed"]), (&json!(true), &json!(1)));
    let export = ada.get("/api/v1/reviews/1/export").await;
    assert_eq!(export.json()["type"], "NO_RELATIONS", "nothing disputed is exported");
    let refused = verdict(&ada, &relation(&ada, "r0").await, "accept", json!({})).await;
    assert_eq!(
        (refused.status, &refused.json()["type"]),
        (StatusCode::UNPROCESSABLE_ENTITY, &json!("OPINION_REFUSED"))
    );
    let cid = visitor(folder.path(), "Cid", 1.0).await;
    let open = cid.get("/api/v1/reviews/1/relations/r0?blind=false").await.json();
    assert_eq!((&open["opinion"], open["history"].as_array().unwrap().len()), (&json!(3), 4));
    verdict(&cid, &open, "accept", json!({})).await;
    let export = ada.get("/api/v1/reviews/1/export").await;
    assert!(export.headers["content-disposition"].to_str().unwrap().starts_with("attachment"));
    let text = String::from_utf8(export.body).unwrap();
    let rows: Vec<Vec<f64>> = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split_whitespace().map(|word| word.parse().unwrap()).collect())
        .collect();
    assert_eq!((rows.len(), &rows[0][..3]), (1, &[1.0, 2.0, 0.5][..]), "as Cid accepted it");
    let agreement = ada.get("/api/v1/reviews/1/agreement").await.json();
    assert_eq!((&agreement["compared"], &agreement["agreed"]), (&json!(1), &json!(0)));
}

#[tokio::test]
async fn who_comes_late_gets_412_with_the_line_of_the_other() {
    let folder = folder(1);
    let (ada, bob) = (visitor(folder.path(), "Ada", 0.0).await, visitor(folder.path(), "Bob", 0.0).await);
    let (seen_by_ada, seen_by_bob) = (relation(&ada, "r0").await, relation(&bob, "r0").await);
    assert_eq!(verdict(&bob, &seen_by_bob, "reject", json!({})).await.status, StatusCode::OK);
    let late = verdict(&ada, &seen_by_ada, "accept", json!({})).await;
    assert_eq!(late.status, StatusCode::PRECONDITION_FAILED);
    assert_eq!(late.headers["content-type"], "application/problem+json");
    let problem = late.json();
    assert_eq!(
        (&problem["entry"]["reviewer"], &problem["entry"]["status"]),
        (&json!("Bob"), &json!("rejected"))
    );
    let undone = verdict(&bob, &relation(&bob, "r0").await, "undo", json!({})).await.json();
    assert_eq!((&undone["entry"]["undone_by"], &undone["counts"]["proposed"]), (&json!("Bob"), &json!(1)));
    let nothing = verdict(&bob, &relation(&bob, "r0").await, "undo", json!({})).await;
    assert_eq!(nothing.json()["type"], "NOTHING_TO_UNDO");
    assert_eq!(verdict(&ada, &relation(&ada, "r0").await, "second", json!({})).await.status, StatusCode::OK);
}

#[tokio::test]
async fn nonsense_is_refused_with_a_reason() {
    let folder = folder(1);
    let visitor = visitor(folder.path(), "Ada", 0.0).await;
    let shown = relation(&visitor, "r0").await;
    for (path, status) in [
        ("/api/v1/reviews/2", StatusCode::NOT_FOUND),
        ("/api/v1/reviews/1/relations/none", StatusCode::NOT_FOUND),
        ("/api/v1/reviews/1/list?status=lost", StatusCode::UNPROCESSABLE_ENTITY),
        ("/api/v1/reviews/1/export", StatusCode::UNPROCESSABLE_ENTITY),
        ("/api/v1/view", StatusCode::NOT_FOUND),
    ] {
        assert_eq!(visitor.get(path).await.status, status, "{path}");
    }
    for more in [json!({ "seconds": -1.0 }), json!({ "note": "x".repeat(5000) }), json!({ "opinion": 2 })] {
        assert_eq!(verdict(&visitor, &shown, "accept", more).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    }
    assert_eq!(verdict(&visitor, &shown, "adjust", json!({})).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(verdict(&visitor, &shown, "love", json!({})).await.status.is_client_error());
    assert_eq!(visitor.get("/api/v1/reviews/1").await.json()["counts"]["proposed"], 1);
}

/// What the script decides about the n-th proposal.
fn chosen(number: usize) -> (&'static str, Act) {
    match number % 4 {
        0 => ("reject", Act::Reject),
        1 => ("adjust", Act::Adjust(Pose2::new(0.51, 0.01, 0.0))),
        _ => ("accept", Act::Accept),
    }
}

/// Specification 13, section 6, number 7.
#[tokio::test]
async fn a_script_decides_200_in_60_s_and_the_record_is_that_of_the_library() {
    let (by_page, by_library) = (folder(200), folder(200));
    let visitor = visitor(by_page.path(), "Ada", 0.1).await;
    let begun = processor_time();
    let mut shown = next(&visitor).await["proposals"][0].clone();
    for number in 0..200 {
        let more = match chosen(number).1 {
            Act::Adjust(delta) => json!({ "delta": delta }),
            _ => json!({}),
        };
        let answer = verdict(&visitor, &shown, chosen(number).0, more).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", String::from_utf8_lossy(&answer.body));
        shown = answer.json()["next"].clone();
    }
    let took = processor_time() - begun;
    assert!(took < Duration::from_secs(60), "{took:?}");
    println!("200 verdicts through the routes: {took:?}");
    assert_eq!(shown, Value::Null, "all decided");
    let mut library = review(by_library.path(), 0.1);
    for number in 0..200 {
        let next = library.next(&Asked::by("Ada", 1)).unwrap();
        let shown = &next.proposals[0];
        let verdict = Verdict {
            seconds: Some(2.0),
            ..Verdict::new(shown.id.clone(), shown.version.clone(), chosen(number).1)
        };
        let decided = library.decide(By { reviewer: "Ada", time: Some(TIME) }, &verdict).unwrap();
        assert!(matches!(decided, Decided::Written(_)), "{decided:?}");
    }
    let record = |folder: &tempfile::TempDir| std::fs::read(folder.path().join("record.jsonl")).unwrap();
    assert!(record(&by_page) == record(&by_library), "the same bytes");
}

#[tokio::test]
async fn open_pages_are_told_when_the_record_changes() {
    let folder = folder(2);
    let ada = visitor(folder.path(), "Ada", 0.0).await;
    assert!(!ada.app.has_review_news());
    let bob = visitor(folder.path(), "Bob", 0.0).await;
    verdict(&bob, &relation(&bob, "r0").await, "reject", json!({})).await;
    assert!(ada.app.has_review_news(), "Bob's line");
    assert!(!ada.app.has_review_news(), "told once");
    assert_eq!(ada.get("/api/v1/reviews/1").await.json()["counts"]["rejected"], 1);
}

/// Specification 13, section 6, number 7: verdict to next proposal. The whole record is read once, and never again.
#[tokio::test]
async fn a_verdict_in_a_record_of_20_000_lines_does_not_read_it_again() {
    let folder = folder(20_000);
    let visitor = visitor(folder.path(), "Ada", 0.1).await;
    let mut shown = next(&visitor).await["proposals"][0].clone();
    let mut times = Vec::new();
    for _ in 0..60 {
        let begun = processor_time();
        let answer = verdict(&visitor, &shown, "accept", json!({})).await;
        times.push(processor_time() - begun);
        shown = answer.json()["next"].clone();
    }
    times.sort();
    println!("verdict to next: median {:?}, p95 {:?}", times[30], times[57]);
    // Reading 20,000 lines takes longer each time.
    assert!(times[30] < Duration::from_millis(100), "{:?}", times[30]);
}
