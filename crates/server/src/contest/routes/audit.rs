//! `/audit`, `/jobs`: who did what, and what is being done.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use schemars::JsonSchema;
use serde::Serialize;

use super::{Asked, limit, link_next};
use crate::answer::Linked;
use crate::contest::app::ContestApp;
use crate::contest::blind;
use crate::contest::chain::{COLUMNS, Event, Head, head};
use crate::contest::operation::{Operation, Verb};
use crate::contest::roles::{Needs, Who};
use crate::contest::store::{Row, StoreError};
use crate::problem::Problem;

pub fn operations() -> Vec<Operation> {
    vec![
        Operation::new(
            Verb::Get,
            "/audit",
            Needs::Judge,
            "Events with their hashes, in order; what a judge is to decide blind is held back.",
            audit,
        )
        .query(&[("after", "the event behind which to begin"), ("limit", "at most 200")]),
        Operation::new(Verb::Get, "/jobs", Needs::Judge, "What is being done, and by whom.", jobs),
    ]
}

/// A part of the record.
#[derive(Serialize, JsonSchema)]
struct Audit {
    /// The events.
    items: Vec<Event>,
    /// The end of the record.
    head: Head,
}

async fn audit(
    State(app): State<Arc<ContestApp>>,
    who: Who,
    Query(asked): Query<Asked<i64>>,
) -> Result<Linked<Audit>, Problem> {
    let reader = who.clone();
    let (mut items, head) = app
        .read(move |app, t| {
            let sql = format!("SELECT {COLUMNS} FROM event WHERE seq > $1 ORDER BY seq LIMIT $2");
            let rows = t.query(&sql, &[asked.after.unwrap_or(0).into(), limit(asked.limit).into()])?;
            let mut items = rows.iter().map(Event::of_row).collect::<Result<Vec<_>, _>>()?;
            blind::hold_back_values(app, t, &reader, &mut items)?;
            Ok((items, head(t)?))
        })
        .await?;
    app.run(move |app| {
        blind::hold_back_verdicts(app, &who, &mut items)?;
        let last = items.last().filter(|last| last.seq < head.seq);
        let next = last.map(|last| link_next("audit", &[], &last.seq.to_string(), limit(asked.limit)));
        Ok(Linked { value: Audit { items, head }, next })
    })
    .await
}

/// Something to be done, or that could not be done.
#[derive(Serialize, JsonSchema)]
struct Job {
    id: String,
    /// `lint`, `measure` or `rank`.
    kind: String,
    /// What it is about: a submission, mostly.
    subject: String,
    /// `waiting`, `leased` or `failed`.
    state: String,
    attempts: i64,
    /// The worker that does it.
    leased_by: Option<String>,
    /// Why the last attempt failed.
    error: Option<String>,
}

/// A program that does jobs.
#[derive(Serialize, JsonSchema)]
struct Worker {
    name: String,
    version: String,
    /// Jobs that it does now.
    busy: i64,
    seen_at: String,
}

/// What is being done, and by whom.
#[derive(Serialize, JsonSchema)]
struct Jobs {
    items: Vec<Job>,
    workers: Vec<Worker>,
}

async fn jobs(State(app): State<Arc<ContestApp>>) -> Result<Json<Jobs>, Problem> {
    app.read(move |_, t| {
        let jobs = "SELECT id, kind, subject, state, attempts, leased_by, error FROM job \
                    WHERE state <> 'done' ORDER BY state, priority DESC, id LIMIT 200";
        let job = |row: &Row| {
            let (id, kind, subject, state) = (row.text(0)?, row.text(1)?, row.text(2)?, row.text(3)?);
            let (attempts, leased_by, error) = (row.int(4)?, row.text_or_none(5)?, row.text_or_none(6)?);
            Ok::<_, StoreError>(Job { id, kind, subject, state, attempts, leased_by, error })
        };
        let items = t.query(jobs, &[])?.iter().map(job).collect::<Result<Vec<_>, _>>()?;
        let workers = "SELECT id, version, busy, seen_at FROM worker ORDER BY seen_at DESC LIMIT 50";
        let worker = |row: &Row| {
            let (name, version) = (row.text(0)?, row.text(1)?);
            Ok::<_, StoreError>(Worker { name, version, busy: row.int(2)?, seen_at: row.text(3)? })
        };
        let workers = t.query(workers, &[])?.iter().map(worker).collect::<Result<Vec<_>, _>>()?;
        Ok(Json(Jobs { items, workers }))
    })
    .await
}
