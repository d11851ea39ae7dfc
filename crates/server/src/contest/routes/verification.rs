//! `/submissions/{id}/verification`, `/counts`: what a judge decides beside values and frames.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use serde_json::Value;

use super::{Body, Reason, Version, body, reason, seen, unchanged};
use crate::contest::app::ContestApp;
use crate::contest::clock::Time;
use crate::contest::counting::counted;
use crate::contest::decisions::{self, Decision, Replaces, Subject};
use crate::contest::operation::{Operation, Verb};
use crate::contest::roles::{Needs, Who};
use crate::contest::store::Transaction;
use crate::contest::submissions::SubmissionRow;
use crate::problem::Problem;

pub fn operations() -> Vec<Operation> {
    vec![
        Operation::new(Verb::Put, "/submissions/{id}/verification", Needs::Judge, "Verify.", verify),
        Operation::new(
            Verb::Delete,
            "/submissions/{id}/verification",
            Needs::Judge,
            "Take a verification back.",
            unverify,
        )
        .takes::<Reason>(),
        Operation::new(
            Verb::Put,
            "/submissions/{id}/counts",
            Needs::Judge,
            "Choose the submission that counts.",
            choose,
        )
        .takes::<Reason>(),
        Operation::new(
            Verb::Delete,
            "/submissions/{id}/counts",
            Needs::Judge,
            "Take a choice back.",
            release,
        )
        .takes::<Reason>(),
    ]
}

type Contest = State<Arc<ContestApp>>;

const fn about(kind: Decision, submission: &str) -> Subject<'_> {
    Subject { kind, submission, name: "" }
}

fn tag(row: &SubmissionRow) -> Json<Version> {
    Json(Version::of(row))
}

async fn verify(
    State(app): Contest,
    who: Who,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Json<Version>, Problem> {
    app.write(move |_, t| {
        let row = seen(t, &who.scope(), &id)?;
        unchanged(&headers, &row, || Value::Null)?;
        if row.state != "measured" {
            let detail = "it was not measured: there is nothing to verify";
            return Err(Problem::new(StatusCode::CONFLICT, "NOT_MEASURED", "Not verified", detail));
        }
        // Twice is once.
        if decisions::of_submission(t, Decision::Verification, &row.id)?.is_empty() {
            let subject = about(Decision::Verification, &row.id);
            decisions::decide(t, Time::now(), who.name(), subject, (&Value::Null, ""), Replaces::All)?;
        }
        Ok(tag(&seen(t, &who.scope(), &id)?))
    })
    .await
}

async fn unverify(
    State(app): Contest,
    who: Who,
    Path(id): Path<String>,
    headers: HeaderMap,
    why: Body<Reason>,
) -> Result<Json<Version>, Problem> {
    let why = reason(&body(why)?.reason)?;
    app.write(move |_, t| end(t, &who, &headers, (&id, Decision::Verification), &why)).await
}

async fn release(
    State(app): Contest,
    who: Who,
    Path(id): Path<String>,
    headers: HeaderMap,
    why: Body<Reason>,
) -> Result<Json<Version>, Problem> {
    let why = reason(&body(why)?.reason)?;
    app.write(move |_, t| end(t, &who, &headers, (&id, Decision::Counts), &why)).await
}

fn end(
    t: &mut dyn Transaction,
    who: &Who,
    headers: &HeaderMap,
    (id, kind): (&str, Decision),
    why: &str,
) -> Result<Json<Version>, Problem> {
    let row = seen(t, &who.scope(), id)?;
    unchanged(headers, &row, || Value::Null)?;
    let subject = about(kind, &row.id);
    if !decisions::take_back(t, Time::now(), who.name(), subject, why, Replaces::All)? {
        return Err(Problem::not_found("there is nothing to take back"));
    }
    Ok(tag(&seen(t, &who.scope(), id)?))
}

async fn choose(
    State(app): Contest,
    who: Who,
    Path(id): Path<String>,
    headers: HeaderMap,
    why: Body<Reason>,
) -> Result<Json<Version>, Problem> {
    let why = reason(&body(why)?.reason)?;
    app.write(move |app, t| {
        let row = seen(t, &who.scope(), &id)?;
        unchanged(&headers, &row, || Value::Null)?;
        let now = Time::now();
        // One of a team and mission is chosen at a time.
        let counted = counted(t, app.rules.is_chosen())?;
        if let Some((other, _)) = counted.get(&(row.team.clone(), row.mission.clone()))
            && *other != row.id
        {
            decisions::take_back(t, now, who.name(), about(Decision::Counts, other), &why, Replaces::All)?;
        }
        let subject = about(Decision::Counts, &row.id);
        decisions::decide(t, now, who.name(), subject, (&Value::Null, &why), Replaces::All)?;
        Ok(tag(&seen(t, &who.scope(), &id)?))
    })
    .await
}
