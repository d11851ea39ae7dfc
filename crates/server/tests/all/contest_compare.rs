//! Published maps on the truth, for whoever may see it.

use std::fmt::Write as _;

use axum::http::StatusCode;
use mapjudge_server::contest::clock::Time;
use mapjudge_server::contest::jobs::record::{self, NewMeasurement};
use mapjudge_server::contest::planes::write_planes;
use mapjudge_server::contest::store::StoreError;
use model::Grid;
use serde_json::{Value, json};

use crate::contest_place::{Guest, Place, beside, contest_json};
use crate::visitor::{loaded, rooms};

const YAML: &str = "image: truth.pgm\nresolution: 0.05\norigin: [0, 0, 0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.2\n";

fn place(truth: &str) -> Place {
    let place = Place::new(&format!("verify = false\ntruth = \"{truth}\"\n[truth]\nmap = \"truth.yaml\""));
    let mut image = String::from("P2\n30 20\n255\n");
    for row in 0..20 {
        for column in 0..30 {
            let is_wall = row % 19 == 0 || column % 29 == 0 || column == 12 && row > 5;
            write!(image, "{} ", if is_wall { 0 } else { 254 }).unwrap();
        }
    }
    std::fs::write(place.folder.path().join("truth.pgm"), image).unwrap();
    std::fs::write(place.folder.path().join("truth.yaml"), YAML).unwrap();
    place
}

/// What a worker hands back about the map of a submission; the hash of its measurement.
fn measured(place: &Place, id: &str, key: &str, map: Grid) -> String {
    let mut cells = Vec::new();
    write_planes(&loaded(map), &mut cells).unwrap();
    let put = |bytes: &[u8]| place.app.objects().put(bytes).unwrap().hash;
    let new = NewMeasurement {
        key: key.to_owned(),
        measured: put(key.as_bytes()),
        pictures: json!([{ "name": "map.png", "title": "Map", "words": "the map", "blake3": put(b"png") }]),
        planes: json!({ "map": put(&cells) }),
        signs: Vec::new(),
        findings: put(b"[]"),
        broken: None,
    };
    beside(|| place.app.database().write(|t| record::measured(t, Time::now(), id, &new))).unwrap();
    new.measured
}

/// Ranks these submissions with these measurements, and publishes that.
async fn published(place: &Place, entries: &[(&str, String)]) {
    let entry = |(id, hash): &(&str, String)| json!([{ "submission": id, "files": [], "values": {}, "measured": hash }]);
    let basis = json!({
        "schema": "mapjudge.basis/1", "contest": "contest.toml", "sources": [],
        "entries": entries.iter().map(entry).collect::<Vec<_>>(),
    });
    let put = |value: &Value| place.app.objects().put(value.to_string().as_bytes()).unwrap().hash;
    let body = json!({
        "contest_json": put(&contest_json(&[("Alpha", 1.0), ("Beta", 2.0)])), "basis": put(&basis), "upto_seq": 0,
        "draft_of": null, "scores": {},
    });
    let db = place.app.database();
    let made = beside(|| db.write(|t| Ok::<_, StoreError>(record::ranking_made(t, Time::now(), body)?.seq)));
    let sent = json!({ "ranking": made.unwrap() });
    let answer = place.guest("jo").send("POST", "/api/v1/publications", sent).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{}", String::from_utf8_lossy(&answer.body));
}

/// What somebody gets of a map: desk, a tile of the truth, a figure of its sheet, numbers.
async fn seen(guest: &Guest<'_>, ids: &str) -> [StatusCode; 4] {
    let first = ids.split(',').next().unwrap();
    let lying = json!({ "truth_from_map": { "x_m": 0.0, "y_m": 0.0, "theta_rad": 0.0, "scale": 1.0 } });
    let path = |rest: &str| format!("/api/v1/submissions/{first}/{rest}");
    [
        guest.get(&format!("/api/v1/desk?of={ids}")).await.status,
        guest.get(&path("planes/truth/0/0/0.png")).await.status,
        guest.get(&path("pictures/map.png")).await.status,
        guest.send("POST", &path("live"), lying).await.status,
    ]
}

const NOT_THERE: [StatusCode; 4] = [StatusCode::NOT_FOUND; 4];
const THERE: [StatusCode; 4] = [StatusCode::OK; 4];

#[tokio::test]
async fn published_maps_are_compared_by_everybody_once_the_truth_may_be_seen() {
    let place = place("published");
    let (one, other) = (place.guest("al").handed_in(b"map").await, place.guest("bo").handed_in(b"b").await);
    let hashes =
        [(&*one, measured(&place, &one, "k1", rooms())), (&*other, measured(&place, &other, "k2", rooms()))];
    let both = format!("{one},{other}");
    let (public, team) = (place.public(), place.guest("al"));
    for guest in [&public, &team] {
        assert_eq!(seen(guest, &both).await, NOT_THERE, "nothing is published");
        assert_eq!(guest.get("/api/v1/ranking/maps").await.json()["items"], json!([]));
    }
    assert_eq!(public.get("/api/v1/contest").await.json()["sees_truth"], false);
    published(&place, &hashes).await;
    let maps = public.get("/api/v1/ranking/maps").await.json()["items"].clone();
    let pictures = json!([{ "name": "map.png", "title": "Map", "words": "the map" }]);
    assert_eq!(maps[1], json!({ "id": other, "team": "Beta", "mission": "", "pictures": pictures }));
    assert_eq!(public.get("/api/v1/contest").await.json()["sees_truth"], true);
    for guest in [&public, &team, &place.guest("vi")] {
        assert_eq!(seen(guest, &both).await, THERE);
        assert_eq!(seen(guest, "truth").await, NOT_THERE, "the truth is seen beside a map alone");
    }
    let desk = public.get(&format!("/api/v1/desk?of={both}")).await.json();
    assert_eq!((&desk["maps"][0]["name"], &desk["saves_to"]), (&json!("Alpha 1"), &Value::Null));
    for path in ["fit", "align", "climb"] {
        let answer = public.send("POST", &format!("/api/v1/submissions/{one}/{path}"), json!({})).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{path} is for judges");
    }
}

#[tokio::test]
async fn what_was_not_published_is_not_seen() {
    let place = place("published");
    let one = place.guest("al").handed_in(b"map").await;
    let hash = measured(&place, &one, "k1", rooms());
    published(&place, &[(&one, hash)]).await;
    let (public, judge) = (place.public(), place.guest("jo"));
    let later = place.guest("al").handed_in(b"later").await;
    measured(&place, &later, "k3", rooms());
    assert_eq!(seen(&public, &later).await, NOT_THERE);
    assert_eq!(seen(&judge, &later).await, THERE);
    let desk = format!("/api/v1/desk?of={one}");
    let before = public.get(&desk).await.json()["maps"].clone();
    // Measured anew for a decision that nobody has published.
    measured(&place, &one, "k4", testkit::grid(["##", ".."]));
    assert_eq!(public.get(&desk).await.json()["maps"], before);
    assert_ne!(judge.get(&desk).await.json()["maps"], before);
}

#[tokio::test]
async fn a_truth_for_judges_stays_theirs() {
    let place = place("judges");
    let one = place.guest("al").handed_in(b"map").await;
    let hash = measured(&place, &one, "k1", rooms());
    published(&place, &[(&one, hash)]).await;
    for guest in [place.public(), place.guest("al"), place.guest("bo"), place.guest("vi")] {
        assert_eq!(seen(&guest, &one).await, NOT_THERE);
        assert_eq!(guest.get("/api/v1/contest").await.json()["sees_truth"], false);
    }
    assert_eq!(seen(&place.guest("jo"), &one).await, THERE);
}

#[tokio::test]
async fn a_truth_for_everyone_is_on_the_own_sheet_before_anything_is_published() {
    async fn figure(guest: Guest<'_>, id: &str) -> StatusCode {
        guest.get(&format!("/api/v1/submissions/{id}/pictures/map.png")).await.status
    }
    for (truth, own) in [("everyone", StatusCode::OK), ("published", StatusCode::NOT_FOUND)] {
        let place = place(truth);
        let one = place.guest("al").handed_in(b"map").await;
        measured(&place, &one, "k1", rooms());
        assert_eq!(figure(place.guest("al"), &one).await, own, "{truth}");
        assert_eq!(figure(place.guest("bo"), &one).await, StatusCode::NOT_FOUND, "{truth}: of another team");
        assert_eq!(figure(place.public(), &one).await, StatusCode::NOT_FOUND, "{truth}: not published");
        assert_eq!(place.public().get("/api/v1/contest").await.json()["sees_truth"], truth == "everyone");
    }
}
