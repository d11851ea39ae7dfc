//! Records of relations on the desk of a contest.

use axum::http::StatusCode;
use mapjudge_server::ReviewDesk;
use serde_json::json;

use crate::contest_place::Place;
use crate::reviews::{folder, review};

fn place_with(record: &tempfile::TempDir) -> Place {
    let place = Place::new("");
    place.app.set_reviews(vec![ReviewDesk::new(review(record.path(), 1.0), String::new(), None)]);
    place
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
