//! `/rejudgings`: a draft of a ranking after measuring anew, applied or dropped as a whole.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Asked, Body, body, limit, link_next, reason, seen};
use crate::answer::{Linked, List, Made};
use crate::contest::app::ContestApp;
use crate::contest::chain::{NewEvent, append};
use crate::contest::clock::{Time, new_id};
use crate::contest::counting::counted;
use crate::contest::difference::{Difference, between};
use crate::contest::operation::{Operation, Verb};
use crate::contest::roles::{Needs, Who};
use crate::contest::store::job_table::{JobKind, enqueue};
use crate::contest::store::{Row, StoreError, Transaction};
use crate::contest::{publications, replay};
use crate::problem::Problem;

pub fn operations() -> Vec<Operation> {
    vec![
        Operation::new(Verb::Get, "/rejudgings", Needs::Judge, "All rejudgings, the newest first.", list)
            .query(&[("after", "the id behind which to begin"), ("limit", "at most 200")]),
        Operation::new(Verb::Post, "/rejudgings", Needs::Judge, "Measure anew and rank, as a draft.", make)
            .takes::<NewRejudging>(),
        Operation::new(
            Verb::Get,
            "/rejudgings/{id}",
            Needs::Judge,
            "A rejudging and what it would change.",
            one,
        ),
        Operation::new(Verb::Post, "/rejudgings/{id}/apply", Needs::Judge, "Let the draft count.", apply),
        Operation::new(Verb::Post, "/rejudgings/{id}/drop", Needs::Judge, "Forget the draft.", drop_draft),
    ]
}

/// What is measured anew.
#[derive(Deserialize, JsonSchema)]
struct NewRejudging {
    submissions: Which,
    /// Why, in 10 to 4000 letters.
    #[serde(default)]
    reason: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Which {
    Some(Vec<String>),
    All(All),
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum All {
    All,
}

/// A rejudging.
#[derive(Serialize, JsonSchema)]
struct Rejudging {
    id: String,
    at: String,
    by: String,
    reason: String,
    state: RejudgingState,
    #[serde(skip)]
    ranking: Option<i64>,
}

/// How far a rejudging is.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum RejudgingState {
    /// Something is measured.
    Running,
    /// The draft can be looked at.
    Ready,
    Applied,
    Dropped,
}

impl RejudgingState {
    const fn word(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Ready => "ready",
            Self::Applied => "applied",
            Self::Dropped => "dropped",
        }
    }
}

/// A rejudging and what it would change.
#[derive(Serialize, JsonSchema)]
struct RejudgingDetail {
    #[serde(flatten)]
    rejudging: Rejudging,
    /// Null until everything is measured.
    difference: Option<Difference>,
}

/// A rejudging that was begun.
#[derive(Serialize, JsonSchema)]
struct RejudgingId {
    id: String,
}

/// How a rejudging ended.
#[derive(Serialize, JsonSchema)]
struct RejudgingEnd {
    id: String,
    state: RejudgingState,
}

const COLUMNS: &str = "id, at, person, reason, state, ranking";

fn rejudging(row: &Row) -> Result<Rejudging, StoreError> {
    use RejudgingState::{Applied, Dropped, Ready, Running};
    let (id, at, by) = (row.text(0)?, row.text(1)?, row.text(2)?);
    let (word, all) = (row.text(4)?, [Running, Ready, Applied, Dropped]);
    let state = all.into_iter().find(|state| state.word() == word);
    let state = state.ok_or_else(|| StoreError::Row(format!("a rejudging that is {word:.40}")))?;
    Ok(Rejudging { id, at, by, reason: row.text(3)?, state, ranking: row.int_or_none(5)? })
}

fn known(t: &mut dyn Transaction, id: &str) -> Result<Rejudging, Problem> {
    let row = t.one(&format!("SELECT {COLUMNS} FROM rejudging WHERE id = $1"), &[id.into()])?;
    Ok(rejudging(&row.ok_or_else(|| Problem::not_found("there is no such rejudging"))?)?)
}

async fn list(
    State(app): State<Arc<ContestApp>>,
    Query(asked): Query<Asked<String>>,
) -> Result<Linked<List<Rejudging>>, Problem> {
    app.read(move |_, t| {
        let (most, after) = (limit(asked.limit), asked.after.unwrap_or_default());
        let sql = format!(
            "SELECT {COLUMNS} FROM rejudging WHERE $1 = '' OR seq < (SELECT seq FROM rejudging WHERE id = $1) \
             ORDER BY seq DESC LIMIT $2"
        );
        let rows = t.query(&sql, &[after.into(), most.into()])?;
        let all = rows.iter().map(rejudging).collect::<Result<Vec<_>, StoreError>>()?;
        let last = all.last().filter(|_| all.len() as i64 == most);
        let next = last.map(|last| link_next("rejudgings", &[], &last.id, most));
        Ok(Linked { value: List { items: all }, next })
    })
    .await
}

async fn make(
    State(app): State<Arc<ContestApp>>,
    who: Who,
    asked: Body<NewRejudging>,
) -> Result<Made<RejudgingId>, Problem> {
    let NewRejudging { submissions, reason: why } = body(asked)?;
    let why = reason(&why)?;
    app.write(move |app, t| {
        let now = Time::now();
        let ids = match submissions {
            Which::All(All::All) => {
                counted(t, app.rules.is_chosen())?.into_values().map(|(id, _)| id).collect()
            }
            Which::Some(ids) => {
                for id in &ids {
                    seen(t, &who.scope(), id)?;
                }
                ids
            }
        };
        if ids.is_empty() {
            return Err(Problem::unprocessable("NOTHING_TO_REJUDGE", "no submission was named"));
        }
        let id = new_id(now).map_err(|error| StoreError::Failed(error.to_string()))?;
        let body = json!({ "submissions": ids, "reason": why });
        let event =
            append(t, now, NewEvent { person: who.name(), kind: "rejudging_made", subject: &id, body })?;
        replay::event(t, &event)?;
        for submission in &ids {
            let subject = format!("{submission}@{id}");
            enqueue(t, now, JobKind::Measure, &subject, JobKind::Measure.priority() - 1)?;
        }
        Ok(Made::of(RejudgingId { id }))
    })
    .await
}

async fn one(
    State(app): State<Arc<ContestApp>>,
    Path(id): Path<String>,
) -> Result<Json<RejudgingDetail>, Problem> {
    app.read(move |app, t| {
        let rejudging = known(t, &id)?;
        let Some(draft) = rejudging.ranking.map(|seq| publications::ranking(t, seq)).transpose()?.flatten()
        else {
            return Ok(Json(RejudgingDetail { rejudging, difference: None }));
        };
        let before = publications::newest(t)?
            .map(|newest| Ok::<_, Problem>((newest.seq, app.ranking_bytes(&newest.contest_json)?)))
            .transpose()?;
        let difference = between(before.as_ref(), &(draft.seq, app.ranking_bytes(&draft.contest_json)?))?;
        Ok(Json(RejudgingDetail { rejudging, difference: Some(difference) }))
    })
    .await
}

fn ready(t: &mut dyn Transaction, id: &str) -> Result<Rejudging, Problem> {
    let rejudging = known(t, id)?;
    if rejudging.state == RejudgingState::Ready {
        return Ok(rejudging);
    }
    let detail = format!("the rejudging is {}", rejudging.state.word());
    Err(Problem::new(StatusCode::CONFLICT, "NOT_READY", "This cannot be done", detail))
}

async fn apply(
    State(app): State<Arc<ContestApp>>,
    who: Who,
    Path(id): Path<String>,
) -> Result<Json<RejudgingEnd>, Problem> {
    app.write(move |_, t| {
        let rejudging = ready(t, &id)?;
        end(t, &who, &rejudging, "rejudging_applied")?;
        tell_teams(t, &who, &rejudging)?;
        Ok(Json(RejudgingEnd { id, state: RejudgingState::Applied }))
    })
    .await
}

async fn drop_draft(
    State(app): State<Arc<ContestApp>>,
    who: Who,
    Path(id): Path<String>,
) -> Result<Json<RejudgingEnd>, Problem> {
    app.write(move |_, t| {
        let rejudging = known(t, &id)?;
        if !matches!(rejudging.state, RejudgingState::Ready | RejudgingState::Running) {
            ready(t, &id)?;
        }
        end(t, &who, &rejudging, "rejudging_dropped")?;
        Ok(Json(RejudgingEnd { id, state: RejudgingState::Dropped }))
    })
    .await
}

/// Each team finds it in the history of its submission.
fn tell_teams(t: &mut dyn Transaction, who: &Who, rejudging: &Rejudging) -> Result<(), Problem> {
    let sql = "SELECT scope FROM rejudging WHERE id = $1";
    let scope = t.one(sql, &[(&rejudging.id).into()])?.map(|row| row.json(0)).transpose()?;
    for submission in scope.iter().filter_map(Value::as_array).flatten().filter_map(Value::as_str) {
        let body = json!({ "rejudging": rejudging.id, "reason": rejudging.reason });
        append(t, Time::now(), NewEvent { person: who.name(), kind: "rejudged", subject: submission, body })?;
    }
    Ok(())
}

fn end(t: &mut dyn Transaction, who: &Who, rejudging: &Rejudging, kind: &str) -> Result<(), Problem> {
    let body = json!({ "ranking": rejudging.ranking });
    let event = append(t, Time::now(), NewEvent { person: who.name(), kind, subject: &rejudging.id, body })?;
    Ok(replay::event(t, &event)?)
}
