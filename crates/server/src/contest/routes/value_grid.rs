//! `/values`: a grid of teams by entered criteria, as a spreadsheet.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::values::{Number, checked, replaces, told};
use super::{Body, body, reason, seen};
use crate::contest::app::ContestApp;
use crate::contest::clock::Time;
use crate::contest::counting::counted;
use crate::contest::decisions::{self, Decision, Replaces, Subject};
use crate::contest::operation::{Operation, Verb};
use crate::contest::roles::{Needs, Who};
use crate::contest::rules::Criterion;
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

/// Entered values by team, mission and criterion.
#[derive(Serialize, JsonSchema)]
struct ValuesTable {
    criteria: Vec<Criterion>,
    rows: Vec<ValuesRow>,
}

/// A team in a mission.
#[derive(Serialize, JsonSchema)]
struct ValuesRow {
    team: String,
    mission: String,
    /// The one that counts; null if none does.
    submission: Option<String>,
    /// By criterion; those without an opinion are missing.
    cells: BTreeMap<String, ValueCell>,
}

/// An entered value.
#[derive(Serialize, JsonSchema)]
struct ValueCell {
    /// What counts; null while there are too few opinions, or those of others are hidden.
    #[schemars(with = "Option<Number>")]
    value: Option<Value>,
    /// How many there are.
    opinions: usize,
    /// What this judge entered.
    #[schemars(with = "Option<Number>")]
    own: Option<Value>,
    reason: Option<String>,
    by: Option<String>,
    /// What a new value would replace; 0 if nothing.
    version: i64,
}

async fn grid(State(app): State<Arc<ContestApp>>, who: Who) -> Result<Json<ValuesTable>, Problem> {
    app.read(move |app, t| {
        let counted = counted(t, app.rules.is_chosen())?;
        let mut rows = Vec::new();
        for team in &app.rules.teams {
            for mission in &app.rules.missions {
                let (team, mission) = (team.clone(), mission.name.clone());
                let submission = counted.get(&(team.clone(), mission.clone())).map(|(id, _)| id.clone());
                let cells = submission.as_ref().map(|id| cells(app, t, &who, id)).transpose()?;
                rows.push(ValuesRow { team, mission, submission, cells: cells.unwrap_or_default() });
            }
        }
        Ok(Json(ValuesTable { criteria: app.rules.criteria.clone(), rows }))
    })
    .await
}

fn cells(
    app: &ContestApp,
    t: &mut dyn Transaction,
    who: &Who,
    submission: &str,
) -> Result<BTreeMap<String, ValueCell>, Problem> {
    let values = decisions::values(t, submission, app.rules.settings.judges)?;
    let cell = |value: &decisions::Opinions| {
        let shown = told(app, who, value);
        let own = value.opinions.iter().find(|made| made.by == who.name()).map(|made| made.value.clone());
        let (opinions, version) = (value.opinions.len(), version(app, who, value));
        let cell =
            ValueCell { value: shown.value, opinions, own, reason: shown.reason, by: shown.by, version };
        (value.name.clone(), cell)
    };
    Ok(values.iter().map(cell).collect())
}

/// What a new value would replace: the event of the last opinion that this judge replaces.
fn version(app: &ContestApp, who: &Who, value: &decisions::Opinions) -> i64 {
    let is_own = |made: &&decisions::Made| replaces(app) == Replaces::All || made.by == who.name();
    value.opinions.iter().rev().find(is_own).map_or(0, |made| made.seq)
}

/// How much was saved.
#[derive(Serialize, JsonSchema)]
struct SavedCells {
    saved: usize,
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
    let value = there.map(|value| told(app, who, value));
    Ok(json!({ "submission": cell.submission, "name": cell.name, "version": version, "value": value }))
}

async fn enter(
    State(app): State<Arc<ContestApp>>,
    who: Who,
    cells: Body<Cells>,
) -> Result<Json<SavedCells>, Problem> {
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
        Ok(Json(SavedCells { saved: cells.len() }))
    })
    .await
}
