//! What stands under `[serve]` in the contest file, one key after the other.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use mapjudge_server::contest::stream;
use serde_json::{Value, json};

use crate::contest_place::{Guest, Place};

const WHY: &str = "the judges agreed on it";

async fn one(guest: &Guest<'_>, id: &str) -> Value {
    guest.get(&format!("/api/v1/submissions/{id}")).await.json()
}

#[tokio::test]
async fn feedback_says_whether_a_team_sees_its_score_before_publication() {
    for (feedback, score) in [("findings", Value::Null), ("score", json!(1.5))] {
        let place = Place::new(&format!("feedback = '{feedback}'"));
        let id = place.guest("al").handed_in(b"map").await;
        place.rank(&[("Alpha", 1.5)]);
        assert_eq!(one(&place.guest("al"), &id).await["score"], score, "{feedback}");
        assert_eq!(one(&place.guest("jo"), &id).await["score"], json!(1.5));
    }
}

#[tokio::test]
async fn where_judges_choose_nothing_counts_before() {
    let place = Place::new("counts = 'chosen'");
    let (team, judge) = (place.guest("al"), place.guest("jo"));
    let (first, second) = (team.handed_in(b"first").await, team.handed_in(b"second").await);
    place.rank(&[("Alpha", 1.0)]);
    assert_eq!(
        (one(&team, &first).await["counts"].clone(), one(&team, &second).await["counts"].clone()),
        (json!(false), json!(false))
    );
    let path = format!("/api/v1/submissions/{first}/counts");
    assert_eq!(judge.send("PUT", &path, json!({ "reason": WHY })).await.status, StatusCode::OK);
    assert_eq!(
        (one(&team, &first).await["counts"].clone(), one(&team, &second).await["counts"].clone()),
        (json!(true), json!(false))
    );
    let last = Place::new("counts = 'last'");
    last.guest("al").handed_in(b"first").await;
    let second = last.guest("al").handed_in(b"second").await;
    last.rank(&[("Alpha", 1.0)]);
    assert_eq!(one(&last.guest("jo"), &second).await["counts"], json!(true));
}

const MISSIONS: &str = "[[missions]]\nname = 'early'\nopens = 2999-01-01T00:00:00Z\n\
                        [[missions]]\nname = 'over'\ncloses = 2001-01-01T00:00:00Z\n";

#[tokio::test]
async fn what_comes_before_a_mission_opens_is_refused_and_what_comes_late_counts_if_a_judge_says_so() {
    let place = Place::new(MISSIONS);
    let (team, judge) = (place.guest("al"), place.guest("jo"));
    let early = team.upload_with(&[("mission", "early")], &[("map.tif", b"x")], None).await;
    assert_eq!((early.status, &early.json()["code"]), (StatusCode::CONFLICT, &json!("MISSION_NOT_OPEN")));
    let by_judge = [("mission", "early"), ("team", "Alpha")];
    assert_eq!(judge.upload_with(&by_judge, &[("map.tif", b"x")], None).await.status, StatusCode::CREATED);
    let late = team.upload_with(&[("mission", "over")], &[("map.tif", b"x")], None).await.json();
    assert_eq!(late["late"], json!(true), "{late}");
    let id = late["id"].as_str().unwrap();
    place.rank(&[("Alpha", 1.0)]);
    let told = one(&judge, id).await;
    assert_eq!((&told["counts"], &told["late"]), (&json!(false), &json!(true)));
    let queue = judge.get("/api/v1/queue").await.json();
    let chips =
        queue["items"].as_array().unwrap().iter().find(|item| item["id"] == *id).unwrap()["attention"]
            .clone();
    assert_eq!(chips, json!(["late"]));
    judge.send("PUT", &format!("/api/v1/submissions/{id}/counts"), json!({ "reason": WHY })).await;
    assert_eq!(one(&team, id).await["counts"], json!(true));
}

#[tokio::test]
async fn limits_are_those_of_the_contest_file() {
    let full = Place::new("limits = { free_mib = 1073741824 }");
    let answer = full.guest("al").upload(&[("map.tif", b"x")]).await;
    assert_eq!(
        (answer.status, &answer.json()["code"]),
        (StatusCode::INSUFFICIENT_STORAGE, &json!("DISK_FULL"))
    );
    let small = Place::new("limits = { team_mib = 1, json_kib = 1, wrong_codes_per_minute = 2 }");
    let team = small.guest("al");
    let files = [vec![1; 700_000], vec![2; 700_000]];
    assert_eq!(team.upload(&[("a.tif", &files[0])]).await.status, StatusCode::CREATED);
    let answer = team.upload(&[("a.tif", &files[1])]).await;
    assert_eq!((answer.status, &answer.json()["code"]), (StatusCode::PAYLOAD_TOO_LARGE, &json!("TOO_LARGE")));
    assert_eq!(
        small.guest("bo").upload(&[("a.tif", &files[1])]).await.status,
        StatusCode::CREATED,
        "another team"
    );
    let notice = json!({ "text": "x".repeat(2000) });
    assert_eq!(
        small.guest("jo").send("POST", "/api/v1/notices", notice).await.status,
        StatusCode::PAYLOAD_TOO_LARGE
    );
    let guess =
        || async { small.public().send("POST", "/api/v1/login", json!({ "code": "guess" })).await.status };
    assert_eq!(
        [guess().await, guess().await, guess().await],
        [StatusCode::FORBIDDEN, StatusCode::FORBIDDEN, StatusCode::TOO_MANY_REQUESTS]
    );
}

/// Until the public sees this ranking.
async fn shown(place: &Place, ranking: i64) -> bool {
    let until = Instant::now() + Duration::from_secs(60);
    while Instant::now() < until {
        let answer = place.public().get("/api/v1/ranking").await;
        if answer.headers.get("x-ranking-seq").is_some_and(|seq| *seq == ranking.to_string()) {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    false
}

#[tokio::test]
async fn a_contest_may_publish_by_itself_unless_something_is_to_be_verified_or_frozen() {
    let place = Place::new("public = 'auto'");
    let following = tokio::spawn(stream::follow(Arc::clone(&place.app)));
    let (judge, admin) = (place.guest("jo"), place.guest("ada"));
    let id = place.guest("al").handed_in(b"map").await;
    let first = place.rank(&[("Alpha", 1.0)]);
    assert_eq!(place.public().get("/api/v1/ranking").await.status, StatusCode::NOT_FOUND, "not verified");
    judge.send("PUT", &format!("/api/v1/submissions/{id}/verification"), json!({})).await;
    assert!(shown(&place, first).await);
    admin.send("PUT", "/api/v1/freeze", json!({ "frozen": true })).await;
    let second = place.rank(&[("Alpha", 2.0)]);
    // Whatever would publish it has looked by then.
    judge.send("POST", "/api/v1/notices", json!({ "text": "frozen" })).await;
    tokio::time::sleep(Duration::from_millis(600)).await;
    assert_eq!(place.public().get("/api/v1/ranking").await.headers["x-ranking-seq"], first.to_string());
    admin.send("PUT", "/api/v1/freeze", json!({ "frozen": false })).await;
    assert!(shown(&place, second).await);
    following.abort();
}

#[tokio::test]
async fn the_planned_freeze_is_an_event_and_holds_until_an_admin_lifts_it() {
    let place = Place::new("verify = false\nfreeze = 2001-01-01T00:00:00Z");
    let following = tokio::spawn(stream::follow(Arc::clone(&place.app)));
    let (judge, admin) = (place.guest("jo"), place.guest("ada"));
    place.guest("al").handed_in(b"map").await;
    let ranking = place.rank(&[("Alpha", 1.0)]);
    let until = Instant::now() + Duration::from_secs(60);
    let is_written = async || {
        let audit = judge.get("/api/v1/audit").await.json();
        audit["items"].as_array().unwrap().iter().any(|event| event["kind"] == "frozen")
    };
    while !is_written().await {
        assert!(Instant::now() < until, "the freeze is no event");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let sent = json!({ "ranking": ranking });
    assert_eq!(judge.send("POST", "/api/v1/publications", sent.clone()).await.json()["code"], "FROZEN");
    admin.send("PUT", "/api/v1/freeze", json!({ "frozen": false })).await;
    assert_eq!(judge.send("POST", "/api/v1/publications", sent).await.status, StatusCode::CREATED);
    following.abort();
}
