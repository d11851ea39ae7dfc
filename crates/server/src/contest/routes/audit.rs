//! `/audit`, `/jobs`: who did what, and what is being done.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::{Page, limit, link_next};
use crate::contest::app::ContestApp;
use crate::contest::blind;
use crate::contest::chain::{COLUMNS, Event, head};
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

async fn audit(
    State(app): State<Arc<ContestApp>>,
    who: Who,
    Query(asked): Query<Page<i64>>,
) -> Result<Response, Problem> {
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
        let mut answer = Json(json!({ "items": items, "head": head })).into_response();
        if let Some(last) = items.last().filter(|last| last.seq < head.seq) {
            link_next(&mut answer, "audit", &[], &last.seq.to_string(), limit(asked.limit));
        }
        Ok(answer)
    })
    .await
}

async fn jobs(State(app): State<Arc<ContestApp>>) -> Result<Json<Value>, Problem> {
    app.read(move |_, t| {
        let jobs = "SELECT id, kind, subject, state, attempts, leased_by, error FROM job \
                    WHERE state <> 'done' ORDER BY state, priority DESC, id LIMIT 200";
        let job = |row: &Row| {
            Ok::<_, StoreError>(json!({
                "id": row.text(0)?, "kind": row.text(1)?, "subject": row.text(2)?, "state": row.text(3)?,
                "attempts": row.int(4)?, "leased_by": row.text_or_none(5)?, "error": row.text_or_none(6)?,
            }))
        };
        let items = t.query(jobs, &[])?.iter().map(job).collect::<Result<Vec<_>, _>>()?;
        let workers = "SELECT id, version, busy, seen_at FROM worker ORDER BY seen_at DESC LIMIT 50";
        let worker = |row: &Row| {
            Ok::<_, StoreError>(json!({
                "name": row.text(0)?, "version": row.text(1)?, "busy": row.int(2)?, "seen_at": row.text(3)?,
            }))
        };
        let workers = t.query(workers, &[])?.iter().map(worker).collect::<Result<Vec<_>, _>>()?;
        Ok(Json(json!({ "items": items, "workers": workers })))
    })
    .await
}
