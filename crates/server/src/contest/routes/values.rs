//! `/submissions/{id}/values/{name}`: what judges enter, with a reason, beside what was measured.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Body, Reason, Version, body, reason, seen, unchanged};
use crate::contest::app::ContestApp;
use crate::contest::blind;
use crate::contest::clock::Time;
use crate::contest::decisions::{self, Decision, Opinions, Replaces, Subject};
use crate::contest::difference::{Change, ChangedTeam, between, parsed};
use crate::contest::operation::{Operation, Verb};
use crate::contest::publications;
use crate::contest::roles::{Needs, Who};
use crate::contest::submissions::etag;
use crate::problem::Problem;

/// Numbers of a list.
const MAX_LIST: usize = 1000;

pub fn operations() -> Vec<Operation> {
    let path = "/submissions/{id}/values/{name}";
    vec![
        Operation::new(Verb::Put, path, Needs::Judge, "Enter a value, with a reason.", enter)
            .takes::<Entered>(),
        Operation::new(Verb::Delete, path, Needs::Judge, "Take a value back, with a reason.", remove)
            .takes::<Reason>(),
        Operation::new(
            Verb::Post,
            "/submissions/{id}/values/{name}/preview",
            Needs::Judge,
            "Score and ranks before and after a value; nothing is saved.",
            preview,
        )
        .takes::<Proposed>(),
    ]
}

/// A value with its reason.
#[derive(Deserialize, JsonSchema)]
pub struct Entered {
    /// A number or a list of numbers.
    pub value: Number,
    /// Why, in 10 to 4000 letters.
    #[serde(default)]
    pub reason: String,
}

#[derive(Deserialize, JsonSchema)]
struct Proposed {
    value: Number,
}

/// A number, or one per victim for instance.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Number {
    /// One.
    One(f64),
    /// Several.
    List(Vec<f64>),
}

/// Checks a value of a name.
pub fn checked(app: &ContestApp, name: &str, value: &Number) -> Result<Value, Problem> {
    if !app.rules.is_enterable(name) {
        let detail = format!("the rules read no value '{name:.80}'");
        return Err(Problem::unprocessable("VALUE_UNKNOWN", detail));
    }
    match value {
        Number::One(number) if number.is_finite() => Ok(json!(number)),
        Number::List(list) if list.len() <= MAX_LIST && list.iter().all(|number| number.is_finite()) => {
            Ok(json!(list))
        }
        _ => {
            Err(Problem::unprocessable("VALUE_INVALID", "expected a finite number, or at most 1000 of them"))
        }
    }
}

/// Whose earlier opinions a new one replaces.
pub fn replaces(app: &ContestApp) -> Replaces {
    if app.rules.settings.judges > 1 { Replaces::Own } else { Replaces::All }
}

/// A value as a judge sees it: what others say only once the own opinion is there.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct EnteredValue {
    /// The criterion.
    name: String,
    /// What counts; null while there are too few opinions, or those of others are hidden.
    #[schemars(with = "Option<Number>")]
    pub(super) value: Option<Value>,
    /// Of the own opinion, else of the last one.
    pub(super) reason: Option<String>,
    pub(super) by: Option<String>,
    at: Option<String>,
    /// Those that are shown.
    opinions: Vec<Opinion>,
    /// Whether there are enough, and all are equal.
    agreed: bool,
}

/// What one judge entered.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Opinion {
    by: String,
    #[schemars(with = "Number")]
    value: Value,
}

/// A value, and the version of its submission.
#[derive(Serialize, JsonSchema)]
struct SavedValue {
    #[serde(flatten)]
    value: EnteredValue,
    etag: String,
}

/// A value as a judge sees it: opinions of others only once the own one is there.
pub fn told(app: &ContestApp, who: &Who, opinions: &Opinions) -> EnteredValue {
    let judges = app.rules.settings.judges as usize;
    let own = opinions.opinions.iter().find(|made| made.by == who.name());
    let is_open = blind::is_open(app.rules.settings.judges, who, &opinions.opinions);
    let shown = opinions.opinions.iter().filter(|made| is_open || made.by == who.name());
    let list = shown.map(|made| Opinion { by: made.by.clone(), value: made.value.clone() }).collect();
    let is_agreed = opinions.opinions.len() >= judges
        && opinions.opinions.windows(2).all(|two| two[0].value == two[1].value);
    let last = own.or_else(|| opinions.opinions.last().filter(|_| is_open));
    EnteredValue {
        name: opinions.name.clone(),
        value: opinions.value.clone().filter(|_| is_open),
        reason: last.map(|made| made.reason.clone()),
        by: last.map(|made| made.by.clone()),
        at: last.map(|made| made.at.clone()),
        opinions: list,
        agreed: is_agreed,
    }
}

async fn enter(
    State(app): State<Arc<ContestApp>>,
    who: Who,
    Path((id, name)): Path<(String, String)>,
    headers: HeaderMap,
    entered: Body<Entered>,
) -> Result<Json<SavedValue>, Problem> {
    let entered = body(entered)?;
    let (value, why) = (checked(&app, &name, &entered.value)?, reason(&entered.reason)?);
    app.write(move |app, t| {
        let row = seen(t, &who.scope(), &id)?;
        let before = decisions::values(t, &row.id, app.rules.settings.judges)?;
        let own = |values: &[Opinions]| {
            values.iter().find(|known| known.name == name).map(|known| told(app, &who, known))
        };
        let other = || json!(own(&before));
        unchanged(&headers, &row, other)?;
        let subject = Subject { kind: Decision::Value, submission: &row.id, name: &name };
        decisions::decide(t, Time::now(), who.name(), subject, (&value, &why), replaces(app))?;
        let after = decisions::values(t, &row.id, app.rules.settings.judges)?;
        let value = own(&after).ok_or_else(|| Problem::not_found("the value"))?;
        Ok(Json(SavedValue { value, etag: etag(&seen(t, &who.scope(), &id)?) }))
    })
    .await
}

async fn remove(
    State(app): State<Arc<ContestApp>>,
    who: Who,
    Path((id, name)): Path<(String, String)>,
    headers: HeaderMap,
    why: Body<Reason>,
) -> Result<Json<Version>, Problem> {
    let why = reason(&body(why)?.reason)?;
    app.write(move |app, t| {
        let row = seen(t, &who.scope(), &id)?;
        unchanged(&headers, &row, || Value::Null)?;
        let subject = Subject { kind: Decision::Value, submission: &row.id, name: &name };
        if !decisions::take_back(t, Time::now(), who.name(), subject, &why, replaces(app))? {
            return Err(Problem::not_found("there is no such value to take back"));
        }
        Ok(Json(Version::of(&seen(t, &who.scope(), &id)?)))
    })
    .await
}

/// What a value would change.
#[derive(Serialize, JsonSchema)]
struct ValuePreview {
    /// Of the submission in its mission.
    score: Change<f64>,
    ranks: Vec<ChangedRank>,
}

/// The rank of a team.
#[derive(Serialize, JsonSchema)]
struct ChangedRank {
    team: String,
    #[serde(flatten)]
    rank: Change<usize>,
}

async fn preview(
    State(app): State<Arc<ContestApp>>,
    who: Who,
    Path((id, name)): Path<(String, String)>,
    proposed: Body<Proposed>,
) -> Result<Json<ValuePreview>, Problem> {
    let value = checked(&app, &name, &body(proposed)?.value)?;
    let unavailable = |why: String| {
        Problem::new(StatusCode::CONFLICT, "NO_PREVIEW", "Nothing to show yet", why)
            .hint("the value can be saved; the ranking follows")
    };
    app.run(move |app| {
        let (row, newest) =
            app.db.read(|t| Ok::<_, Problem>((seen(t, &who.scope(), &id)?, publications::newest(t)?)))?;
        let newest = newest.ok_or_else(|| unavailable("nothing was ranked yet".to_owned()))?;
        let before = app.ranking_bytes(&newest.contest_json)?;
        let preview = app.preview.get().ok_or_else(|| unavailable("nobody ranks here".to_owned()))?;
        let after = preview.with_value(&row.id, &name, &value).map_err(unavailable)?;
        let score = |bytes: &[u8]| -> Result<Option<f64>, Problem> {
            let report = parsed(bytes)?;
            let team = report.ranking.into_iter().find(|team| team.team == row.team);
            let mission = team.and_then(|team| team.missions.into_iter().find(|m| m.mission == row.mission));
            Ok(mission.and_then(|mission| mission.score))
        };
        let score = Change { before: score(&before)?, after: score(&after)? };
        let difference = between(Some(&(newest.seq, before)), &(newest.seq, after))?;
        let rank = |row: ChangedTeam| ChangedRank { team: row.team, rank: row.rank };
        let ranks = difference.rows.into_iter().map(rank).collect();
        Ok(Json(ValuePreview { score, ranks }))
    })
    .await
}
