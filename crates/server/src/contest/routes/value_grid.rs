//! `/values`: a grid of teams by entered criteria, as a spreadsheet.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::values::{Number, checked, replaces, told};
use super::{Body, body, reason, seen};
use crate::contest::app::ContestApp;
use crate::contest::clock::Time;
use crate::contest::counting::counted;
use crate::contest::decisions::{self, Decision, Replaces, Subject};
use crate::contest::operation::{Operation, Verb};
use crate::contest::roles::{Needs, Who};
use crate::contest::store::Transaction;
use crate::problem::Problem;

/// Cells that are saved at once.
const MAX_CELLS: usize = 1000;

pub fn operations() -> Vec<Operation> {
    vec![
        Operation::new(Verb::Get, "/values", Needs::Judge, "All entered values of what counts.", grid),
        Operation::new(Verb::Put, "/values", Needs::Judge, "Enter many values at once; all or none.", enter)
            .takes::<Cells>(),
    ]
}

async fn grid(State(app): State<Arc<ContestApp>>, who: Who) -> Result<Json<Value>, Problem> {
    app.read(move |app, t| {
        let counted = counted(t, app.rules.is_chosen())?;
        let mut rows = Vec::new();
        for team in &app.rules.teams {
            for mission in &app.rules.missions {
                let submission = counted.get(&(team.clone(), mission.name.clone())).map(|(id, _)| id);
                let cells = submission.map_or_else(|| Ok(Map::new()), |id| cells(app, t, &who, id))?;
                rows.push(json!({ "team": team, "mission": mission.name, "submission": submission, "cells": cells }));
            }
        }
        Ok(Json(json!({ "criteria": app.rules.criteria_json(), "rows": rows })))
    })
    .await
}

fn cells(
    app: &ContestApp,
    t: &mut dyn Transaction,
    who: &Who,
    submission: &str,
) -> Result<Map<String, Value>, Problem> {
    let values = decisions::values(t, submission, app.rules.settings.judges)?;
    let cell = |value: &decisions::Opinions| {
        let shown = told(app, who, value);
        let own = value.opinions.iter().find(|made| made.by == who.name()).map(|made| &made.value);
        let cell = json!({
            "value": shown["value"], "opinions": value.opinions.len(), "own": own, "reason": shown["reason"],
            "by": shown["by"], "version": version(app, who, value),
        });
        (value.name.clone(), cell)
    };
    Ok(values.iter().map(cell).collect())
}

/// What a new value would replace: the event of the last opinion that this judge replaces.
fn version(app: &ContestApp, who: &Who, value: &decisions::Opinions) -> i64 {
    let is_own = |made: &&decisions::Made| replaces(app) == Replaces::All || made.by == who.name();
    value.opinions.iter().rev().find(is_own).map_or(0, |made| made.seq)
}

#[derive(Deserialize, JsonSchema)]
struct Cells {
    cells: Vec<Cell>,
}

#[derive(Deserialize, JsonSchema)]
struct Cell {
    submission: String,
    name: String,
    value: Number,
    #[serde(default)]
    reason: String,
    /// The version of the cell that the judge saw; 0 if it was empty. Left out: whatever is there is replaced.
    #[serde(default)]
    version: Option<i64>,
}

/// What somebody else entered after this judge had looked; null if nobody did.
fn collision(app: &ContestApp, t: &mut dyn Transaction, who: &Who, cell: &Cell) -> Result<Value, Problem> {
    let Some(seen) = cell.version else { return Ok(Value::Null) };
    let values = decisions::values(t, &cell.submission, app.rules.settings.judges)?;
    let there = values.iter().find(|known| known.name == cell.name);
    let version = there.map_or(0, |value| version(app, who, value));
    if version == seen {
        return Ok(Value::Null);
    }
    let value = there.map_or(Value::Null, |value| told(app, who, value));
    Ok(json!({ "submission": cell.submission, "name": cell.name, "version": version, "value": value }))
}

async fn enter(
    State(app): State<Arc<ContestApp>>,
    who: Who,
    cells: Body<Cells>,
) -> Result<Json<Value>, Problem> {
    let Cells { cells } = body(cells)?;
    if cells.len() > MAX_CELLS {
        let detail = format!("{} cells: expected at most {MAX_CELLS}", cells.len());
        return Err(Problem::unprocessable("TOO_MANY_CELLS", detail));
    }
    app.write(move |app, t| {
        let mut collisions = Vec::new();
        for cell in &cells {
            collisions.push(collision(app, t, &who, cell)?);
        }
        collisions.retain(|collision| !collision.is_null());
        if !collisions.is_empty() {
            let detail = format!("somebody else changed {} of these values meanwhile", collisions.len());
            let status = StatusCode::PRECONDITION_FAILED;
            return Err(Problem::new(status, "CHANGED_MEANWHILE", "Somebody else was faster", detail)
                .hint("nothing was saved; look at theirs, then decide")
                .with("cells", collisions.into()));
        }
        for cell in &cells {
            let (value, why) = (checked(app, &cell.name, &cell.value)?, reason(&cell.reason)?);
            let row = seen(t, &who.scope(), &cell.submission)?;
            let subject = Subject { kind: Decision::Value, submission: &row.id, name: &cell.name };
            decisions::decide(t, Time::now(), who.name(), subject, (&value, &why), replaces(app))?;
        }
        Ok(Json(json!({ "saved": cells.len() })))
    })
    .await
}
