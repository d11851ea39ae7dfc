//! A map on the truth: numbers, fits, searches, tiles, and what is saved.

use axum::http::StatusCode;
use mapjudge::{AlignmentFile, Plan, Subject, Truth, judge};
use model::Similarity2;
use serde_json::{Value, json};

use crate::visitor::{Visitor, loaded, overlay_of, rooms};

fn transform(x_m: f64, theta_rad: f64) -> Value {
    json!({ "x_m": x_m, "y_m": 0.25, "theta_rad": theta_rad, "scale": 1.0 })
}

async fn visitor() -> Visitor {
    Visitor::inside(overlay_of(vec![("a.yaml", rooms()), ("b.yaml", rooms())])).await
}

#[tokio::test]
async fn the_desk_names_truth_and_maps() {
    let desk = visitor().await.get("/api/v1/desk").await.json();
    assert_eq!((&desk["kind"], &desk["start"]), (&json!("overlay"), &json!("/compare?of=1,2")));
    assert_eq!((&desk["truth"]["id"], &desk["maps"][1]["name"]), (&json!("truth"), &json!("b.yaml")));
    let geometry = &desk["maps"][0]["geometry"];
    assert!(geometry["width"].as_u64() > Some(10) && geometry["origin"]["x_m"] == json!(0.0), "{geometry}");
}

#[tokio::test]
async fn numbers_at_rest_are_those_of_score() {
    let body = json!({ "truth_from_map": transform(0.5, 0.1), "exact": true });
    let answer = visitor().await.post("/api/v1/submissions/1/live", body).await.json();
    let lying = AlignmentFile::by_hand(Similarity2::new(0.5, 0.25, 0.1, 1.0));
    let plan = Plan { transform: Some(lying), ..Plan::default() };
    let truth = Truth { map: Some(loaded(rooms())), ..Truth::default() };
    let report = judge(&Subject::of_map("a", loaded(rooms())), &truth, &plan).unwrap();
    let mut compared = 0;
    for number in answer["numbers"].as_array().unwrap() {
        if let Some(record) = report.metric(number["id"].as_str().unwrap()) {
            assert_eq!(json!(record.value), number["value"], "{number}");
            compared += 1;
        }
    }
    assert_eq!((compared, &answer["exact"]), (5, &json!(true)));
}

#[tokio::test]
async fn the_search_finds_the_place_and_a_climb_leads_there() {
    let visitor = visitor().await;
    let found = visitor.post("/api/v1/submissions/1/align", json!({})).await.json();
    assert_eq!(found["alignment"]["certificate"]["verdict"], "certain");
    assert!(found["words"].as_str().unwrap().starts_with("certain"));
    let start = json!({ "truth_from_map": transform(0.1, 0.01) });
    let climbed = visitor.post("/api/v1/submissions/1/climb", start).await.json();
    assert!(climbed["score_after"].as_f64() > climbed["score_before"].as_f64(), "{climbed}");
    assert!(climbed["truth_from_map"]["x_m"].as_f64().unwrap().abs() < 0.1, "{climbed}");
    let unknown = visitor.post("/api/v1/submissions/1/align", json!({ "method": "magic" })).await;
    assert_eq!(unknown.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn pairs_give_a_transform_with_residuals() {
    let pair = |x: f64, y: f64| json!({ "map": [x, y], "truth": [x + 1.0, y], "on": true });
    let fit = json!({ "pairs": [pair(0.0, 0.0), pair(2.0, 0.0), pair(0.0, 3.0)], "motion": "turn" });
    let visitor = visitor().await;
    let fitted = visitor.post("/api/v1/submissions/1/fit", fit.clone()).await.json();
    assert!((fitted["truth_from_map"]["x_m"].as_f64().unwrap() - 1.0).abs() < 1e-9, "{fitted}");
    assert_eq!(fitted["residuals"].as_array().unwrap().len(), 3);
    let polynomial = json!({ "pairs": fit["pairs"], "motion": "polynomial", "degree": 2 });
    let refused = visitor.post("/api/v1/submissions/1/fit", polynomial).await.json();
    assert_eq!((&refused["refused"]["pairs_needed"], &refused["truth_from_map"]), (&json!(7), &Value::Null));
    let bend = |x: f64, y: f64| json!({ "map": [x, y], "truth": [x, y + 0.02 * x * x] });
    let places = (0..4).flat_map(|i| (0..3).map(move |j| (f64::from(i), f64::from(j))));
    let pairs: Vec<Value> = places.map(|(x, y)| bend(x, y)).collect();
    let bent = json!({ "pairs": pairs, "motion": "polynomial", "degree": 2 });
    let bent = visitor.post("/api/v1/submissions/1/fit", bent).await.json()["bent"].clone();
    assert!(bent["psi_after"].as_f64() > Some(0.0) && bent["penalty_m"].as_f64() > Some(0.0));
    assert!(bent["picture"]["png"].as_str().unwrap().starts_with("iVBOR"), "a PNG");
    let text = visitor.post("/api/v1/points/format", json!({ "pairs": fit["pairs"] })).await.json();
    let parsed = visitor.post("/api/v1/points/parse", text).await.json();
    assert_eq!(parsed["pairs"], fit["pairs"]);
}

#[tokio::test]
async fn tiles_and_differences_are_images() {
    let visitor = visitor().await;
    let tile = visitor.get("/api/v1/submissions/1/planes/map/0/0/0.png?ink=map").await;
    assert_eq!((tile.status, &tile.body[1..4]), (StatusCode::OK, &b"PNG"[..]));
    for gone in ["map/0/7/0.png", "map/9/0/0.png", "sky/0/0/0.png", "map/0/0/0"] {
        let answer = visitor.get(&format!("/api/v1/submissions/1/planes/{gone}")).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{gone}");
    }
    let window = "x=0&y=0&theta=0&scale=1&west=0&south=0&cell=0.1&width=50&height=40";
    let difference = visitor.get(&format!("/api/v1/submissions/1/difference.png?{window}")).await;
    assert_eq!((difference.status, &difference.body[1..4]), (StatusCode::OK, &b"PNG"[..]));
    let huge = window.replace("width=50", "width=500000");
    let refused = visitor.get(&format!("/api/v1/submissions/1/difference.png?{huge}")).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn a_frame_is_saved_by_somebody_and_not_over_another_ones() {
    let visitor = visitor().await;
    let path = "/api/v1/submissions/1/frame";
    let frame =
        |by: &str, reason: &str| json!({ "truth_from_map": transform(4.0, 0.0), "by": by, "reason": reason });
    let empty = visitor.get(path).await;
    assert_eq!((&empty.json()["file"], &empty.headers["etag"]), (&Value::Null, &"\"0\"".parse().unwrap()));
    assert_eq!(visitor.put(path, None, frame("", "")).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    let saved = visitor.put(path, Some("\"0\""), frame("Ada", "")).await;
    assert_eq!(saved.json()["saved_to"], "frame-0.json");
    assert_eq!(saved.json()["file"]["alignment"]["method"], "manual");
    let late = visitor.put(path, Some("\"0\""), frame("Bob", "")).await;
    assert_eq!(late.status, StatusCode::PRECONDITION_FAILED);
    assert!(late.json()["detail"].as_str().unwrap().contains("Ada"));
    visitor.post("/api/v1/submissions/1/align", json!({})).await;
    let without = visitor.put(path, Some("\"1\""), frame("Bob", "no")).await;
    assert!(without.json()["detail"].as_str().unwrap().contains("reason"), "{}", without.json());
    let with = visitor.put(path, Some("\"1\""), frame("Bob", "the doors were moved")).await;
    assert_eq!(with.status, StatusCode::OK);
    let text = with.json()["file"].to_string();
    let parsed = visitor.post("/api/v1/frame/parse", json!({ "text": text, "id": "1" })).await.json();
    assert_eq!((&parsed["by"], &parsed["truth_from_map"]), (&json!("Bob"), &transform(4.0, 0.0)));
    assert_eq!(visitor.app.saved_frames(), [("a.yaml".to_owned(), "frame-0.json".to_owned())]);
}

#[tokio::test]
async fn rooms_are_a_layer() {
    let layer = visitor().await.get("/api/v1/submissions/1/layers/rooms").await.json();
    assert_eq!(layer["items"].as_array().unwrap().len(), 7);
}
