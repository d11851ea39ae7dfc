//! What people do in a contest, from beginning to end.

use axum::http::StatusCode;
use mapjudge_server::contest::check::check;
use serde_json::{Value, json};

use crate::contest_place::{Guest, Place, contest_json};

const WHY: &str = "seen on the field by two judges";

#[tokio::test]
async fn a_team_hands_in_and_gets_a_receipt_that_is_in_the_chain() {
    let place = Place::new("");
    let team = place.guest("al");
    let answer = team.upload(&[("map.tif", b"first"), ("notes/victims.csv", b"id,x,y\n")]).await;
    assert_eq!(answer.status, StatusCode::CREATED);
    let receipt = answer.json();
    assert_eq!((receipt["number"].as_i64(), receipt["late"].as_bool()), (Some(1), Some(false)));
    let id = receipt["id"].as_str().unwrap();
    assert_eq!(answer.headers["location"], format!("/api/v1/submissions/{id}"));
    let audit = place.guest("jo").get("/api/v1/audit").await.json();
    let event =
        audit["items"].as_array().unwrap().iter().find(|event| event["subject"] == id).unwrap().clone();
    assert_eq!((&event["seq"], &event["hash"]), (&receipt["receipt"]["seq"], &receipt["receipt"]["hash"]));
    let file = team.get(&format!("/api/v1/submissions/{id}/files/notes/victims.csv")).await;
    assert_eq!(file.body, b"id,x,y\n");
    assert!(file.headers["content-disposition"].to_str().unwrap().starts_with("attachment"));
    assert!(file.headers["content-security-policy"].to_str().unwrap().contains("sandbox"));
    // The map anew, the victims kept.
    let second =
        team.upload_with(&[("mission", ""), ("keep", id)], &[("map.tif", b"second")], None).await.json();
    assert_eq!((second["number"].as_i64(), second["files"].as_array().unwrap().len()), (Some(2), 2));
    let list = team.get("/api/v1/submissions").await.json();
    assert_eq!(list["items"].as_array().unwrap().len(), 2);
    assert_eq!(list["items"][0]["state"], "received");
    assert!(list["items"][1]["queue"]["place"].as_i64().unwrap() >= 1);
}

#[tokio::test]
async fn a_judge_enters_verifies_and_publishes() {
    let place = Place::new("");
    let id = place.guest("al").handed_in(b"map").await;
    place.guest("bo").handed_in(b"other").await;
    let first = place.rank(&[("Alpha", 1.0), ("Beta", 2.0)]);
    let (judge, public) = (place.guest("jo"), place.public());
    let none = public.get("/api/v1/ranking").await;
    assert_eq!(
        (none.status, none.json()["code"].as_str()),
        (StatusCode::NOT_FOUND, Some("NOTHING_PUBLISHED"))
    );
    let criterion =
        judge.get("/api/v1/contest").await.json()["criteria"][0]["name"].as_str().unwrap().to_owned();
    let path = format!("/api/v1/submissions/{id}/values/{criterion}");
    let short = judge.send("PUT", &path, json!({ "value": 3, "reason": "because" })).await;
    assert_eq!(short.json()["code"], "REASON_MISSING");
    let entered = judge.send("PUT", &path, json!({ "value": 3, "reason": WHY })).await.json();
    assert_eq!((&entered["value"], &entered["by"]), (&json!(3.0), &json!("jo")));
    let refused = judge.send("POST", "/api/v1/publications", json!({ "ranking": first })).await;
    assert_eq!(refused.json()["code"], "NOT_VERIFIED");
    let queue = judge.get("/api/v1/queue").await.json();
    for item in queue["items"].as_array().unwrap() {
        let path = format!("/api/v1/submissions/{}/verification", item["id"].as_str().unwrap());
        assert_eq!(judge.send("PUT", &path, json!({})).await.status, StatusCode::OK);
    }
    let published =
        judge.send("POST", "/api/v1/publications", json!({ "ranking": first, "note": "final" })).await;
    assert_eq!(published.status, StatusCode::CREATED);
    let shown = public.get("/api/v1/ranking").await;
    let expected = contest_json(&[("Alpha", 1.0), ("Beta", 2.0)]).to_string();
    assert_eq!(String::from_utf8(shown.body.clone()).unwrap(), expected, "the very bytes");
    assert_eq!(shown.headers["x-ranking-seq"], first.to_string());
    let csv = public.get("/api/v1/ranking?format=csv").await;
    assert!(String::from_utf8_lossy(&csv.body).contains("Alpha"));
    let whole = place.guest("al").get(&format!("/api/v1/submissions/{id}")).await.json();
    assert_eq!((whole["state"].as_str(), whole["score"].as_f64()), (Some("published"), Some(1.0)));
    assert_eq!(whole["values"], json!([]), "what judges entered is theirs");
    let checked = check(place.app.database(), place.app.objects(), place.folder.path()).unwrap();
    assert_eq!(checked.faults, Vec::<String>::new());
}

#[tokio::test]
async fn nothing_leaks_while_frozen() {
    let place = Place::new("verify = false");
    let (admin, public) = (place.guest("ada"), place.public());
    place.guest("al").handed_in(b"map").await;
    let first = place.rank(&[("Alpha", 1.0)]);
    admin.send("POST", "/api/v1/publications", json!({ "ranking": first })).await;
    admin.send("PUT", "/api/v1/freeze", json!({ "frozen": true })).await;
    let seen = || async {
        let mut seen = Vec::new();
        for path in ["ranking", "publications", "contest", "submissions", "queue", "ranking?format=md"] {
            let answer = public.get(&format!("/api/v1/{path}")).await;
            let text = String::from_utf8(answer.body).unwrap();
            // The clock of the server is no secret.
            seen.push((answer.status, text.split("\"now\":").next().unwrap().to_owned()));
        }
        seen
    };
    let before = seen().await;
    place.guest("bo").handed_in(b"better").await;
    let second = place.rank(&[("Alpha", 1.0), ("Beta", 9.0)]);
    let refused = admin.send("POST", "/api/v1/publications", json!({ "ranking": second })).await;
    assert_eq!((refused.status, refused.json()["code"].as_str()), (StatusCode::CONFLICT, Some("FROZEN")));
    assert_eq!(seen().await, before);
    assert_eq!(public.get(&format!("/api/v1/ranking?of={second}")).await.status, StatusCode::NOT_FOUND);
    assert_eq!(place.guest("bo").get("/api/v1/ranking?of=jury").await.status, StatusCode::NOT_FOUND);
    admin.send("PUT", "/api/v1/freeze", json!({ "frozen": false })).await;
    admin.send("POST", "/api/v1/publications", json!({ "ranking": second })).await;
    assert_ne!(seen().await, before);
}

#[tokio::test]
async fn a_rejudging_is_applied_or_dropped_as_a_whole() {
    let place = Place::new("");
    let judge = place.guest("jo");
    let id = place.guest("al").handed_in(b"map").await;
    place.rank(&[("Alpha", 1.0)]);
    let made = judge.send("POST", "/api/v1/rejudgings", json!({ "submissions": "all", "reason": WHY })).await;
    assert_eq!(made.status, StatusCode::CREATED);
    let rejudging = made.json()["id"].as_str().unwrap().to_owned();
    let early = judge.send("POST", &format!("/api/v1/rejudgings/{rejudging}/apply"), json!({})).await;
    assert_eq!(early.json()["code"], "NOT_READY");
    let jobs = judge.get("/api/v1/jobs").await.json();
    let subject = format!("{id}@{rejudging}");
    assert!(jobs["items"].as_array().unwrap().iter().any(|job| job["subject"] == subject.as_str()));
    place.rank_draft(&[("Alpha", 4.0)], Some(&rejudging));
    let told = judge.get(&format!("/api/v1/rejudgings/{rejudging}")).await.json();
    let row = &told["difference"]["rows"][0];
    assert_eq!(row["score"], json!({ "before": 1.0, "after": 4.0 }));
    assert_eq!(row["causes"], json!(["E 1 → 4"]));
    let dropped = judge.send("POST", &format!("/api/v1/rejudgings/{rejudging}/drop"), json!({})).await.json();
    assert_eq!(dropped["state"], "dropped");
    let again = judge.send("POST", &format!("/api/v1/rejudgings/{rejudging}/apply"), json!({})).await;
    assert_eq!(again.status, StatusCode::CONFLICT);
}

#[tokio::test]
async fn teams_are_told_of_a_rejudging_that_is_applied() {
    let place = Place::new("");
    let (judge, team) = (place.guest("jo"), place.guest("al"));
    let id = team.handed_in(b"map").await;
    place.guest("bo").handed_in(b"other").await;
    place.rank(&[("Alpha", 1.0), ("Beta", 2.0)]);
    let asked = json!({ "submissions": [id], "reason": WHY });
    let made = judge.send("POST", "/api/v1/rejudgings", asked).await.json();
    let rejudging = made["id"].as_str().unwrap();
    place.rank_draft(&[("Alpha", 4.0), ("Beta", 2.0)], Some(rejudging));
    let applied = judge.send("POST", &format!("/api/v1/rejudgings/{rejudging}/apply"), json!({})).await;
    assert_eq!(applied.status, StatusCode::OK);
    let history = team.get(&format!("/api/v1/submissions/{id}")).await.json()["history"].clone();
    let told = history.as_array().unwrap().last().unwrap();
    assert_eq!(
        (&told["kind"], &told["words"]),
        (&json!("rejudged"), &json!(format!("it was judged anew: {WHY}")))
    );
    let checked = check(place.app.database(), place.app.objects(), place.folder.path()).unwrap();
    assert_eq!(checked.faults, Vec::<String>::new());
}

#[tokio::test]
async fn the_second_of_two_judges_gets_what_the_first_left() {
    let place = Place::new("");
    let id = place.guest("al").handed_in(b"map").await;
    let (one, other) = (place.guest("jo"), place.guest("ada"));
    let tag = one.get(&format!("/api/v1/submissions/{id}")).await.json()["etag"].as_str().unwrap().to_owned();
    let criterion =
        one.get("/api/v1/contest").await.json()["criteria"][0]["name"].as_str().unwrap().to_owned();
    let path = format!("/api/v1/submissions/{id}/values/{criterion}");
    let entered = one.send_if("PUT", &path, Some(&tag), json!({ "value": 3, "reason": WHY })).await;
    assert_eq!(entered.status, StatusCode::OK);
    let late = other.send_if("PUT", &path, Some(&tag), json!({ "value": 5, "reason": WHY })).await;
    assert_eq!(late.status, StatusCode::PRECONDITION_FAILED);
    let told = late.json();
    assert_eq!((&told["value"]["value"], &told["value"]["by"]), (&json!(3.0), &json!("jo")));
    let now = told["etag"].as_str().unwrap().to_owned();
    let replaced = other.send_if("PUT", &path, Some(&now), json!({ "value": 5, "reason": WHY })).await;
    assert_eq!(replaced.json()["value"], json!(5.0));
    let taken = one.send("DELETE", &path, json!({ "reason": WHY })).await;
    assert_eq!(taken.status, StatusCode::OK);
    let whole = one.get(&format!("/api/v1/submissions/{id}")).await.json();
    let kinds: Vec<&str> =
        whole["history"].as_array().unwrap().iter().filter_map(|event| event["kind"].as_str()).collect();
    assert_eq!(kinds, ["submission_received", "value_entered", "value_entered", "value_removed"]);
}

#[tokio::test]
async fn opinions_are_blind_until_the_own_one_is_there() {
    let place = Place::new("judges = 2");
    let id = place.guest("al").handed_in(b"map").await;
    let (one, other) = (place.guest("jo"), place.guest("ada"));
    let criterion =
        one.get("/api/v1/contest").await.json()["criteria"][0]["name"].as_str().unwrap().to_owned();
    let path = format!("/api/v1/submissions/{id}/values/{criterion}");
    one.send("PUT", &path, json!({ "value": 3, "reason": WHY })).await;
    let values = |told: Value| told["values"][0].clone();
    let blind = values(other.get(&format!("/api/v1/submissions/{id}")).await.json());
    assert_eq!((&blind["value"], &blind["opinions"]), (&Value::Null, &json!([])));
    // Neither the record nor the history of the submission says it; who entered it knows it.
    let entered = |events: &Value, key: &str| {
        let all = events.as_array().unwrap().iter();
        all.filter(|event| event["kind"] == "value_entered")
            .map(|event| event[key].clone())
            .collect::<Vec<_>>()
    };
    let body_for =
        async |judge: &Guest<'_>| entered(&judge.get("/api/v1/audit").await.json()["items"], "body");
    assert_eq!(body_for(&one).await[0]["value"], json!(3.0));
    assert_eq!(body_for(&other).await[0]["value"], Value::Null);
    assert!(!body_for(&other).await[0].to_string().contains(WHY), "nor why");
    let history = other.get(&format!("/api/v1/submissions/{id}")).await.json()["history"].clone();
    assert_eq!(entered(&history, "words"), [json!(format!("{criterion} was entered"))]);
    let open = other.send("PUT", &path, json!({ "value": 4, "reason": WHY })).await.json();
    assert_eq!((&open["value"], open["opinions"].as_array().unwrap().len()), (&json!(3.5), 2));
    assert_eq!(open["agreed"], false);
    assert_eq!(body_for(&other).await[0]["value"], json!(3.0), "both are there");
}

#[tokio::test]
async fn questions_are_a_thread_and_quotas_are_told() {
    let place = Place::new("submissions = 1\nlimits = { uploads_per_minute = 3 }");
    let (team, judge) = (place.guest("al"), place.guest("jo"));
    let id = team.handed_in(b"map").await;
    let notes = format!("/api/v1/submissions/{id}/notes");
    assert_eq!(
        team.send("POST", &notes, json!({ "kind": "question", "text": "why?" })).await.status,
        StatusCode::CREATED
    );
    let queue = judge.get("/api/v1/queue").await.json();
    assert_eq!(queue["items"][0]["attention"][0], "question");
    judge.send("POST", &notes, json!({ "kind": "answer", "text": "see the rules" })).await;
    let thread = team.get(&notes).await.json();
    assert_eq!(thread["items"].as_array().unwrap().len(), 2);
    assert_eq!(
        team.send("POST", &notes, json!({ "kind": "decision", "text": "won" })).await.status,
        StatusCode::FORBIDDEN
    );
    assert_eq!(team.upload(&[("map.tif", b"2")]).await.json()["code"], "QUOTA_USED");
    team.upload(&[("map.tif", b"3")]).await;
    let refused = team.upload(&[("map.tif", b"4")]).await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test]
async fn uploads_are_counted_by_team_whoever_sends_them() {
    let place = Place::new("limits = { uploads_per_minute = 3 }");
    let (team, judge, admin) = (place.guest("al"), place.guest("jo"), place.guest("ada"));
    let files: [(&str, &[u8]); 1] = [("map.tif", b"map")];
    let alpha = [("team", "Alpha")];
    assert_eq!(team.upload(&files).await.status, StatusCode::CREATED);
    assert_eq!(judge.upload_with(&alpha, &files, Some("key")).await.status, StatusCode::CREATED);
    // One that is refused for its content is an upload all the same; a repeated one is none.
    let empty = admin.upload_with(&alpha, &[], None).await;
    assert_eq!(empty.json()["code"], "NO_FILE");
    assert_eq!(judge.upload_with(&alpha, &files, Some("key")).await.status, StatusCode::CREATED);
    for refused in [judge.upload_with(&alpha, &files, None).await, team.upload(&files).await] {
        assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
        assert_eq!(refused.json()["code"], "TOO_MANY_UPLOADS");
    }
    let other = judge.upload_with(&[("team", "Beta")], &files, None).await;
    assert_eq!(other.status, StatusCode::CREATED, "another team");
    let nobody = judge.upload_with(&[("team", "Gamma")], &files, None).await;
    assert_eq!(nobody.json()["code"], "TEAM_UNKNOWN");
}

#[tokio::test]
async fn the_grid_refuses_what_another_judge_has_changed_and_saves_nothing_then() {
    let place = Place::new("");
    place.guest("al").handed_in(b"map").await;
    place.guest("bo").handed_in(b"other").await;
    place.rank(&[("Alpha", 1.0), ("Beta", 2.0)]);
    let (one, other) = (place.guest("jo"), place.guest("ada"));
    let grid = one.get("/api/v1/values").await.json();
    let name = grid["criteria"][0]["name"].as_str().unwrap().to_owned();
    let cell = |row: usize, value: f64, version: i64| json!({ "submission": grid["rows"][row]["submission"], "name": name, "value": value, "reason": WHY, "version": version });
    let saved = one.send("PUT", "/api/v1/values", json!({ "cells": [cell(0, 3.0, 0)] })).await;
    assert_eq!(saved.status, StatusCode::OK);
    let late =
        other.send("PUT", "/api/v1/values", json!({ "cells": [cell(1, 4.0, 0), cell(0, 5.0, 0)] })).await;
    assert_eq!(late.status, StatusCode::PRECONDITION_FAILED);
    let theirs = late.json()["cells"][0].clone();
    assert_eq!((&theirs["value"]["value"], &theirs["value"]["by"]), (&json!(3.0), &json!("jo")));
    let now = other.get("/api/v1/values").await.json();
    assert_eq!(now["rows"][1]["cells"][&name], Value::Null, "all or none");
    let version = theirs["version"].as_i64().unwrap();
    assert_eq!(now["rows"][0]["cells"][&name]["version"], version);
    let knowing = json!({ "cells": [cell(1, 4.0, 0), cell(0, 5.0, version)] });
    assert_eq!(other.send("PUT", "/api/v1/values", knowing).await.json()["saved"], 2);
}

#[tokio::test]
async fn live_numbers_are_asked_for_so_often_and_no_more() {
    let place = Place::new("");
    let id = place.guest("al").handed_in(b"map").await;
    let judge = place.guest("jo");
    let lying = json!({ "truth_from_map": { "x_m": 0, "y_m": 0, "theta_rad": 0, "scale": 1 } });
    let mut refused = 0;
    for _ in 0..40 {
        let answer = judge.send("POST", &format!("/api/v1/submissions/{id}/live"), lying.clone()).await;
        refused += usize::from(answer.status == StatusCode::TOO_MANY_REQUESTS);
    }
    assert!(refused > 0, "40 requests at once");
}
