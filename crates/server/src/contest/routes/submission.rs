//! `/submissions/{id}`: one submission with its findings, parts, files and history.

use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::TryStreamExt;
use report::{MissionResult, RankedTeam};
use serde_json::{Value, json};

use super::notes::thread;
use super::overlay::pictures;
use super::submissions::told;
use super::values::told as told_value;
use super::{seen, sees_score};
use crate::contest::app::{ContestApp, lost_object};
use crate::contest::blind;
use crate::contest::chain::{COLUMNS, Event};
use crate::contest::desks::frame_told;
use crate::contest::difference::parsed;
use crate::contest::operation::{Operation, Verb};
use crate::contest::publications;
use crate::contest::roles::{Needs, Who};
use crate::contest::store::{StoreError, Transaction};
use crate::contest::submissions::{SubmissionRow, Surroundings, etag, files};
use crate::contest::{decisions, history};
use crate::problem::Problem;

/// Largest list of findings.
const MAX_FINDINGS_BYTES: u64 = 16 << 20;

pub fn operations() -> Vec<Operation> {
    vec![
        Operation::new(Verb::Get, "/submissions/{id}", Needs::Submitter, "A submission, whole.", one),
        Operation::new(
            Verb::Get,
            "/submissions/{id}/findings",
            Needs::Submitter,
            "What was noticed about its files.",
            findings,
        ),
        Operation::new(
            Verb::Get,
            "/submissions/{id}/report",
            Needs::Submitter,
            "Its result in the ranking.",
            result,
        ),
        Operation::new(
            Verb::Get,
            "/submissions/{id}/files/{*name}",
            Needs::Submitter,
            "A file, as it was handed in.",
            file,
        )
        .answers_with(200, "application/octet-stream", json!({ "type": "string" })),
    ]
}

async fn one(
    State(app): State<Arc<ContestApp>>,
    who: Who,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    app.read(move |app, t| {
        let row = seen(t, &who.scope(), &id)?;
        let around = Surroundings::read(t, &app.rules)?;
        let mut whole = told(app, t, &around, &row, &who)?;
        let parts = parts(app, t, &row, &who, around.counts(&row).is_some())?;
        let values = if who.is_judge() {
            let values = decisions::values(t, &row.id, app.rules.settings.judges)?;
            values.iter().map(|value| told_value(app, &who, value)).collect()
        } else {
            Value::Array(Vec::new())
        };
        let list: Vec<Value> = files(t, &row.id)?
            .into_iter()
            .map(|(name, hash, bytes)| json!({ "name": name, "bytes": bytes, "blake3": hash }))
            .collect();
        let rest = json!({
            "files": list, "findings": found(app, &row)?, "values": values, "notes": thread(t, &row.id)?,
            "history": past(app, t, &row, &who)?, "frame": frame_told(app, t, &row.id)?,
            "pictures": pictures(app, t, &who, &row.id)?,
        });
        for part in [parts, rest] {
            if let (Some(whole), Value::Object(part)) = (whole.as_object_mut(), part) {
                whole.extend(part);
            }
        }
        Ok(([(header::ETAG, etag(&row))], Json(whole)).into_response())
    })
    .await
}

/// What is known of the score: from the newest ranking for judges, from the published one for the team.
fn in_ranking(
    app: &ContestApp,
    t: &mut dyn Transaction,
    row: &SubmissionRow,
    who: &Who,
) -> Result<Option<MissionResult>, Problem> {
    let (seq, hash) = if sees_score(app, who) {
        let Some(newest) = publications::newest(t)? else { return Ok(None) };
        (newest.seq, newest.contest_json)
    } else {
        let Some(shown) = publications::shown(t)? else { return Ok(None) };
        (shown.ranking, shown.contest_json)
    };
    let sql = "SELECT 1 FROM ranking_submission WHERE ranking = $1 AND submission = $2";
    if t.one(sql, &[seq.into(), (&row.id).into()])?.is_none() {
        return Ok(None);
    }
    let is_own = |team: &RankedTeam| team.team == row.team;
    let team = parsed(&app.ranking_bytes(&hash)?)?.ranking.into_iter().find(is_own);
    Ok(team.and_then(|team| team.missions.into_iter().find(|mission| mission.mission == row.mission)))
}

fn parts(
    app: &ContestApp,
    t: &mut dyn Transaction,
    row: &SubmissionRow,
    who: &Who,
    counts: bool,
) -> Result<Value, Problem> {
    let result = if counts || !who.is_judge() { in_ranking(app, t, row, who)? } else { None };
    let Some(result) = result else { return Ok(json!({ "parts": [], "score": null, "formula": null })) };
    let part = |part: &report::PartRecord| {
        let entered = result.entered.iter().find(|entered| entered.name == part.name);
        let status = match (part.by_judge, part.stand_in, part.value.is_null()) {
            (true, ..) => "entered",
            (_, true, _) => "stand_in",
            (_, _, true) => "undefined",
            _ => "measured",
        };
        json!({
            "name": part.name, "title": part.title, "measured": (!part.by_judge).then_some(&part.value),
            "entered": entered.map(|entered| &entered.value), "status": status,
            "reasons": part.reason.iter().collect::<Vec<_>>(), "detail": part.detail,
        })
    };
    let parts: Vec<Value> = result.parts.iter().map(part).collect();
    Ok(
        json!({ "parts": parts, "score": result.score, "formula": result.substituted, "outcome": result.outcome }),
    )
}

fn found(app: &ContestApp, row: &SubmissionRow) -> Result<Value, Problem> {
    let Some(hash) = &row.findings else { return Ok(json!([])) };
    let bytes = app.objects.read(hash, MAX_FINDINGS_BYTES).map_err(|_| lost_object())?;
    serde_json::from_slice(&bytes).map_err(|_| lost_object())
}

/// The events of a submission; a team is told nothing of what judges do before it is published.
fn past(
    app: &ContestApp,
    t: &mut dyn Transaction,
    row: &SubmissionRow,
    who: &Who,
) -> Result<Vec<Value>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM event WHERE subject = $1 ORDER BY seq LIMIT 1000");
    let rows = t.query(&sql, &[(&row.id).into()])?;
    let mut events = rows.iter().map(Event::of_row).collect::<Result<Vec<_>, _>>()?;
    blind::hold_back_values(app, t, who, &mut events)?;
    let mut past = Vec::new();
    for event in events {
        if who.is_judge() || history::is_for_teams(&event.kind) {
            past.push(json!({
                "seq": event.seq, "at": event.at, "person": event.person, "kind": event.kind,
                "words": history::words(&event),
            }));
        }
    }
    Ok(past)
}

async fn findings(
    State(app): State<Arc<ContestApp>>,
    who: Who,
    Path(id): Path<String>,
) -> Result<Json<Value>, Problem> {
    app.read(move |app, t| {
        let row = seen(t, &who.scope(), &id)?;
        Ok(Json(json!({ "items": found(app, &row)? })))
    })
    .await
}

async fn result(
    State(app): State<Arc<ContestApp>>,
    who: Who,
    Path(id): Path<String>,
) -> Result<Json<Value>, Problem> {
    app.read(move |app, t| {
        let row = seen(t, &who.scope(), &id)?;
        let result = in_ranking(app, t, &row, &who)?;
        let result =
            result.ok_or_else(|| Problem::not_found("no ranking that you may see has this submission"))?;
        Ok(Json(json!(result)))
    })
    .await
}

/// Teams' files are never shown, always saved.
async fn file(
    State(app): State<Arc<ContestApp>>,
    who: Who,
    Path((id, name)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let (handle, bytes, name) = app
        .read(move |app, t| {
            let row = seen(t, &who.scope(), &id)?;
            let known = files(t, &row.id)?.into_iter().find(|(known, ..)| *known == name);
            let (name, hash, bytes) = known.ok_or_else(|| Problem::not_found("it has no such file"))?;
            Ok((app.objects.open_object(&hash).map_err(|_| lost_object())?, bytes, name))
        })
        .await?;
    let chunks = futures_util::stream::try_unfold(Some(handle), |handle| async move {
        let Some(mut handle) = handle else { return Ok::<_, std::io::Error>(None) };
        let read = tokio::task::spawn_blocking(move || {
            let mut block = vec![0; 256 << 10];
            let bytes = std::io::Read::read(&mut handle, &mut block)?;
            block.truncate(bytes);
            Ok::<_, std::io::Error>((handle, block))
        });
        let (handle, block) = read.await.map_err(std::io::Error::other)??;
        Ok((!block.is_empty()).then_some((block, Some(handle))))
    });
    let base = name.rsplit('/').next().unwrap_or(&name);
    let coded: String = base.bytes().map(|byte| format!("%{byte:02X}")).collect();
    let disposition = format!("attachment; filename*=UTF-8''{coded}");
    let mut answer = (StatusCode::OK, Body::from_stream(chunks.into_stream())).into_response();
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(bytes));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'; sandbox"));
    if let Ok(value) = HeaderValue::from_str(&disposition) {
        headers.insert(header::CONTENT_DISPOSITION, value);
    }
    Ok(answer)
}
