//! A contest that has run for long.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use mapjudge_server::contest::accept::received;
use mapjudge_server::contest::chain::{NewEvent, append};
use mapjudge_server::contest::clock::Time;
use mapjudge_server::contest::objects::Object;
use mapjudge_server::contest::store::StoreError;
use serde_json::json;

use crate::contest_place::Place;
use crate::visitor::processor_time;

fn filled(submissions: usize, events: usize) -> Place {
    let place = Place::new("submissions = 100000");
    let object = place.app.objects().put(b"map").unwrap();
    let files = BTreeMap::from([("map.tif".to_owned(), Object { hash: object.hash, bytes: 3 })]);
    let filled = place.app.database().write(|t| {
        for number in 0..submissions {
            let team = if number % 2 == 0 { "Alpha" } else { "Beta" };
            received(t, Time::now(), "al", (team, ""), &files, false)?;
        }
        for _ in submissions..events {
            let event = NewEvent { person: "jo", kind: "logged_in", subject: "jo", body: json!({}) };
            append(t, Time::now(), event)?;
        }
        t.execute("UPDATE submission SET state = 'measured'", &[])?;
        Ok::<_, StoreError>(())
    });
    filled.unwrap();
    place
}

/// Opens the contest anew and asks for what pages ask for first, by this clock.
async fn first_answers(place: Place, most: Duration, clock: impl Fn() -> Duration) {
    let began = clock();
    let place = place.again("submissions = 100000");
    assert_eq!(place.public().get("/api/v1/contest").await.status, StatusCode::OK);
    let opened = clock() - began;
    assert!(opened < most, "{opened:?} until the first answer");
    let judge = place.guest("jo");
    for path in ["submissions", "queue", "values", "jobs", "audit?after=5000"] {
        let began = clock();
        let answer = judge.get(&format!("/api/v1/{path}")).await;
        assert_eq!(answer.status, StatusCode::OK);
        let took = clock() - began;
        println!("{path}: {took:?} for {} bytes", answer.body.len());
        assert!(took < most, "{path}: {took:?}");
    }
}

#[tokio::test]
async fn a_contest_of_two_thousand_submissions_opens_at_once() {
    first_answers(filled(2000, 4000), Duration::from_secs(5), processor_time).await;
}

#[tokio::test]
#[ignore = "10,000 submissions and 100,000 events: half a minute; run on a quiet machine"]
async fn a_contest_of_ten_thousand_submissions_opens_within_a_second() {
    let started = Instant::now();
    first_answers(filled(10_000, 100_000), Duration::from_secs(1), || started.elapsed()).await;
}
