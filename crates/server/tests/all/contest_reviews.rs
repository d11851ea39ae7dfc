//! Records of relations on the desk of a contest.

use axum::http::StatusCode;
use mapjudge::ground_truth::Review;
use mapjudge::ground_truth::review::{MemoryLines, NewLines, RecordLines, ReviewScans};
use mapjudge::mapper::RangeLimits;
use mapjudge::{JobError, ReadOptions};
use mapjudge_server::contest::chain::{NewEvent, append};
use mapjudge_server::contest::clock::Time;
use mapjudge_server::{Problem, ReviewDesk};
use model::RelationRecord;
use serde_json::{Value, json};

use crate::contest_place::{Guest, Place, beside};
use crate::reviews::{folder, review};

fn place_with(record: &tempfile::TempDir) -> Place {
    let place = Place::new("");
    put_on_desk(&place, review(record.path(), 1.0)).unwrap();
    place
}

fn put_on_desk(place: &Place, review: Review) -> Result<(), Problem> {
    let desk = ReviewDesk::new(review, String::new(), None);
    beside(|| place.app.set_reviews(vec![desk]))
}

#[tokio::test]
async fn judges_decide_in_their_own_names_and_each_decision_is_an_event() {
    let record = folder(3);
    let place = place_with(&record);
    let (jo, ada) = (place.guest("jo"), place.guest("ada"));
    assert_eq!(
        jo.get("/api/v1/contest").await.json()["reviews"],
        json!([{ "id": "1", "record": "record.jsonl" }])
    );
    assert_eq!(place.public().get("/api/v1/contest").await.json()["reviews"], json!(null));
    let next = jo.get("/api/v1/reviews/1/next").await.json();
    let shown = &next["proposals"][0];
    let verdict =
        json!({ "id": shown["id"], "version": shown["version"], "verdict": "accept", "note": "two doors" });
    let decided = jo.send("POST", "/api/v1/reviews/1/verdicts", verdict.clone()).await;
    assert_eq!(decided.json()["entry"]["reviewer"], "jo");
    let late = ada.send("POST", "/api/v1/reviews/1/verdicts", verdict).await;
    assert_eq!(late.status, StatusCode::PRECONDITION_FAILED, "the other judge saw an older line");
    let blind =
        ada.get(&format!("/api/v1/reviews/1/relations/{}", shown["id"].as_str().unwrap())).await.json();
    assert_eq!(blind["blind"], true, "asked for a second opinion without seeing the first");
    let second = json!({ "id": shown["id"], "version": blind["version"], "verdict": "reject" });
    let second = ada.send("POST", "/api/v1/reviews/1/verdicts", second).await.json();
    assert_eq!((&second["entry"]["reviewer"], &second["disputed"]), (&json!("ada"), &json!(true)));
    let audit = jo.get("/api/v1/audit").await.json();
    let events: Vec<_> =
        audit["items"].as_array().unwrap().iter().filter(|event| event["kind"] == "review_verdict").collect();
    let told: Vec<_> =
        events.iter().map(|event| (&event["person"], &event["body"]["line"]["status"])).collect();
    assert_eq!(told, [(&json!("jo"), &json!("accepted")), (&json!("ada"), &json!("rejected"))]);
    assert_eq!(events[0]["body"]["record"], "record.jsonl");
    let lines = std::fs::read_to_string(record.path().join("record.jsonl")).unwrap();
    assert_eq!(lines.lines().count(), 3 + 3, "two decisions, and the line of the rule that they differ");
    assert_eq!(jo.get("/api/v1/reviews/1").await.json()["contest"], true);
    assert_eq!(jo.get("/api/v1/reviews/1/agreement").await.status, StatusCode::OK);
}

#[tokio::test]
async fn only_judges_see_records_and_others_are_not_there() {
    let record = folder(1);
    let place = place_with(&record);
    for path in ["reviews", "reviews/1", "reviews/1/next", "reviews/1/export"] {
        assert_eq!(place.guest("al").get(&format!("/api/v1/{path}")).await.status, StatusCode::FORBIDDEN);
        assert_eq!(place.public().get(&format!("/api/v1/{path}")).await.status, StatusCode::UNAUTHORIZED);
    }
    for id in ["0", "2", "-1", "x", "18446744073709551616"] {
        let answer = place.guest("jo").get(&format!("/api/v1/reviews/{id}")).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{id}");
    }
}

async fn decided(judge: &Guest<'_>, id: &str, verdict: &str) -> Value {
    let shown = judge.get(&format!("/api/v1/reviews/1/relations/{id}")).await.json();
    let sent = json!({ "id": id, "version": shown["version"], "verdict": verdict });
    judge.send("POST", "/api/v1/reviews/1/verdicts", sent).await.json()
}

async fn verdicts(judge: &Guest<'_>) -> Vec<Value> {
    let audit = judge.get("/api/v1/audit").await.json();
    let is_one = |event: &&Value| event["kind"].as_str().unwrap().starts_with("review_verdict");
    audit["items"].as_array().unwrap().iter().filter(is_one).cloned().collect()
}

fn lines_of(record: &tempfile::TempDir) -> Vec<String> {
    let text = std::fs::read_to_string(record.path().join("record.jsonl")).unwrap();
    text.lines().map(str::to_owned).collect()
}

#[tokio::test]
async fn a_verdict_whose_line_a_crash_prevented_is_written_at_the_next_start_and_once() {
    let record = folder(2);
    let place = place_with(&record);
    decided(&place.guest("jo"), "r0", "accept").await;
    decided(&place.guest("ada"), "r0", "reject").await;
    let whole = lines_of(&record);
    assert_eq!(whole.len(), 2 + 3, "two opinions, and the line that they differ");
    // The power failed before the lines of the last verdict were written, or between them.
    for left in [3, 4, 5] {
        std::fs::write(record.path().join("record.jsonl"), whole[..left].join("\n") + "\n").unwrap();
        let place = Place::again_on(&place, "");
        put_on_desk(&place, review(record.path(), 1.0)).unwrap();
        assert_eq!(lines_of(&record), whole, "from {left} lines on");
    }
    // A judge who uses another program has decided meanwhile: that is the last word.
    let other = whole[2].replace("\"jo\"", "\"eve\"");
    std::fs::write(record.path().join("record.jsonl"), format!("{}\n{other}\n", whole[..3].join("\n")))
        .unwrap();
    let place = Place::again_on(&place, "");
    put_on_desk(&place, review(record.path(), 1.0)).unwrap();
    assert_eq!(lines_of(&record).len(), 4, "nothing is added");
}

/// Lines in memory that end in a full disk.
struct FullDisk(MemoryLines);

impl RecordLines for FullDisk {
    fn follow(&mut self) -> Result<NewLines, JobError> {
        self.0.follow()
    }

    fn append(&mut self, decide: &mut dyn FnMut(NewLines) -> Vec<RelationRecord>) -> Result<(), JobError> {
        let entries = decide(self.0.follow()?);
        let source = std::io::Error::from(std::io::ErrorKind::StorageFull);
        let path = "record.jsonl".to_owned();
        if entries.is_empty() { Ok(()) } else { Err(JobError::File { path, source }) }
    }

    fn entries_at(&mut self, places: &[u64]) -> Result<Vec<RelationRecord>, JobError> {
        self.0.entries_at(places)
    }
}

#[tokio::test]
async fn a_verdict_that_could_not_be_written_says_so_and_is_not_written_later() {
    let record = folder(1);
    let files = |name: &str| record.path().join(name);
    let lines = mapjudge::formats::read_relation_records(&files("record.jsonl")).unwrap().records;
    let log = mapjudge::formats::read_document(&files("run.log"), &ReadOptions::default()).unwrap();
    let mapjudge::formats::Content::Log(log) = log.content else { panic!("a log expected") };
    let scans = ReviewScans::of(&log, RangeLimits { min_m: 0.02, max_m: 80.0 });
    let settings = review(record.path(), 1.0).settings().clone();
    let place = Place::new("");
    let full = Review::open(settings, Box::new(FullDisk(MemoryLines::new(lines))), scans).unwrap();
    put_on_desk(&place, full).unwrap();
    let jo = place.guest("jo");
    let refused = decided(&jo, "r0", "accept").await;
    assert!(refused["status"].as_u64().unwrap() >= 400, "{refused}");
    let kinds: Vec<_> = verdicts(&jo).await.iter().map(|event| event["kind"].clone()).collect();
    assert_eq!(kinds, ["review_verdict", "review_verdict_failed"]);
    let again = Place::again_on(&place, "");
    put_on_desk(&again, review(record.path(), 1.0)).unwrap();
    assert_eq!(lines_of(&record).len(), 1, "the judge was told that it is not there");
}

#[tokio::test]
async fn an_event_that_holds_no_line_is_told_and_keeps_no_other_record_from_the_desk() {
    let record = folder(1);
    let place = Place::new("");
    let body = json!({ "record": "record.jsonl", "line": { "id": 7 }, "version": "1-0" });
    let event = NewEvent { person: "jo", kind: "review_verdict", subject: "1", body };
    beside(|| place.app.database().write(|t| append(t, Time::now(), event))).unwrap();
    assert!(put_on_desk(&place, review(record.path(), 1.0)).is_err());
    assert_eq!(place.guest("jo").get("/api/v1/reviews/1").await.status, StatusCode::OK);
}

#[tokio::test]
async fn the_audit_shows_no_first_opinion_to_whoever_is_asked_for_the_second() {
    let record = folder(1);
    let place = place_with(&record);
    let (jo, ada) = (place.guest("jo"), place.guest("ada"));
    decided(&jo, "r0", "reject").await;
    assert_eq!(verdicts(&jo).await[0]["body"]["line"]["status"], "rejected", "one's own");
    let blind = verdicts(&ada).await;
    assert_eq!(blind[0]["body"]["line"], Value::Null);
    assert!(!blind[0].to_string().contains("rejected"), "{}", blind[0]);
    assert_eq!(blind[0]["hash"], verdicts(&jo).await[0]["hash"], "the event is the same");
    decided(&ada, "r0", "accept").await;
    assert_eq!(verdicts(&ada).await[0]["body"]["line"]["status"], "rejected", "both have decided");
}
