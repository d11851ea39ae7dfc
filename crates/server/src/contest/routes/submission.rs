//! `/submissions/{id}`: one submission with its findings, parts, files and history.

use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::IntoResponse;
use futures_util::TryStreamExt;
use report::{MissionResult, Outcome, RankedTeam};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use super::figures::{Figure, figures};
use super::notes::{Note, thread};
use super::submissions::told;
use super::values::{EnteredValue, told as told_value};
use super::{seen, sees_score};
use crate::answer::{AnyFile, Bytes, List, Tagged};
use crate::contest::accept::ReceivedFile;
use crate::contest::app::{ContestApp, lost_object};
use crate::contest::blind;
use crate::contest::chain::{COLUMNS, Event};
use crate::contest::desks::{FrameOnTruth, frame_told};
use crate::contest::difference::parsed;
use crate::contest::jobs::findings::SubmissionFinding;
use crate::contest::openapi::Embedded;
use crate::contest::operation::{Operation, Verb};
use crate::contest::publications;
use crate::contest::roles::{Needs, Who};
use crate::contest::store::{StoreError, Transaction};
use crate::contest::submissions::{Submission, SubmissionRow, Surroundings, etag, files};
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
        ),
    ]
}

/// A submission, whole.
#[derive(Serialize, JsonSchema)]
struct SubmissionDetail {
    #[serde(flatten)]
    submission: Submission,
    files: Vec<ReceivedFile>,
    findings: Vec<SubmissionFinding>,
    /// Of the ranking that who asks may see; empty if it counts in none.
    parts: Vec<Part>,
    /// The formula of the score with its numbers.
    formula: Option<String>,
    /// `scored`, `broken` or `undefined`; null outside of a ranking.
    outcome: Option<Outcome>,
    /// What judges entered; for judges.
    values: Vec<EnteredValue>,
    notes: Vec<Note>,
    history: Vec<Happening>,
    /// How the map was laid on the truth; null if it was not.
    frame: Option<FrameOnTruth>,
    /// Figures of its sheet, for whoever may see the truth.
    pictures: Vec<Figure>,
}

/// A part of a score.
#[derive(Serialize, JsonSchema)]
struct Part {
    name: String,
    /// For people.
    title: String,
    /// Null for a part that judges enter.
    measured: Value,
    /// Null where nothing was entered.
    entered: Value,
    status: PartStatus,
    /// Why it has no value, or another one than was measured.
    reasons: Vec<String>,
    /// What the value rests on.
    detail: Value,
}

/// Where the value of a part comes from.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum PartStatus {
    Measured,
    Entered,
    /// The rules say what counts where nothing can be measured.
    StandIn,
    Undefined,
}

/// An event of a submission, in words.
#[derive(Serialize, JsonSchema)]
struct Happening {
    seq: i64,
    at: String,
    person: String,
    kind: String,
    words: String,
}

async fn one(
    State(app): State<Arc<ContestApp>>,
    who: Who,
    Path(id): Path<String>,
) -> Result<Tagged<SubmissionDetail>, Problem> {
    app.read(move |app, t| {
        let row = seen(t, &who.scope(), &id)?;
        let around = Surroundings::read(t, &app.rules)?;
        let counts = around.counts(&row).is_some();
        // One that does not count has no result, though its team may stand in the ranking with another.
        let is_ranked = counts || !who.is_judge();
        let result = if is_ranked { in_ranking(app, t, &row, &who)? } else { None };
        let values = if who.is_judge() {
            let values = decisions::values(t, &row.id, app.rules.settings.judges)?;
            values.iter().map(|value| told_value(app, &who, value)).collect()
        } else {
            Vec::new()
        };
        let file = |(name, blake3, bytes): (String, String, i64)| ReceivedFile {
            name,
            blake3,
            bytes: u64::try_from(bytes).unwrap_or(0),
        };
        let mut submission = told(app, t, &around, &row, &who)?;
        submission.score = result.as_ref().and_then(|result| result.score);
        let detail = SubmissionDetail {
            submission,
            files: files(t, &row.id)?.into_iter().map(file).collect(),
            findings: found(app, &row)?,
            parts: result.as_ref().map_or_else(Vec::new, parts),
            formula: result.as_ref().map(|result| result.substituted.clone()),
            outcome: result.map(|result| result.outcome),
            values,
            notes: thread(t, &row.id)?,
            history: past(app, t, &row, &who)?,
            frame: frame_told(app, t, &row.id)?,
            pictures: figures(app, t, &who, &row.id)?,
        };
        Ok(Tagged { tag: etag(&row), value: detail })
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

fn parts(result: &MissionResult) -> Vec<Part> {
    let part = |part: &report::PartRecord| {
        let entered = result.entered.iter().find(|entered| entered.name == part.name);
        let status = match (part.by_judge, part.stand_in, part.value.is_null()) {
            (true, ..) => PartStatus::Entered,
            (_, true, _) => PartStatus::StandIn,
            (_, _, true) => PartStatus::Undefined,
            _ => PartStatus::Measured,
        };
        Part {
            name: part.name.clone(),
            title: part.title.clone(),
            measured: if part.by_judge { Value::Null } else { part.value.clone() },
            entered: json!(entered.map(|entered| &entered.value)),
            status,
            reasons: part.reason.iter().cloned().collect(),
            detail: json!(part.detail),
        }
    };
    result.parts.iter().map(part).collect()
}

fn found(app: &ContestApp, row: &SubmissionRow) -> Result<Vec<SubmissionFinding>, Problem> {
    let Some(hash) = &row.findings else { return Ok(Vec::new()) };
    let bytes = app.objects.read(hash, MAX_FINDINGS_BYTES).map_err(|_| lost_object())?;
    serde_json::from_slice(&bytes).map_err(|_| lost_object())
}

/// The events of a submission; a team is told nothing of what judges do before it is published.
fn past(
    app: &ContestApp,
    t: &mut dyn Transaction,
    row: &SubmissionRow,
    who: &Who,
) -> Result<Vec<Happening>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM event WHERE subject = $1 ORDER BY seq LIMIT 1000");
    let rows = t.query(&sql, &[(&row.id).into()])?;
    let mut events = rows.iter().map(Event::of_row).collect::<Result<Vec<_>, _>>()?;
    blind::hold_back_values(app, t, who, &mut events)?;
    let mut past = Vec::new();
    for event in events {
        if who.is_judge() || history::is_for_teams(&event.kind) {
            let words = history::words(&event);
            let Event { seq, at, person, kind, .. } = event;
            past.push(Happening { seq, at, person, kind, words });
        }
    }
    Ok(past)
}

async fn findings(
    State(app): State<Arc<ContestApp>>,
    who: Who,
    Path(id): Path<String>,
) -> Result<Json<List<SubmissionFinding>>, Problem> {
    app.read(move |app, t| {
        let row = seen(t, &who.scope(), &id)?;
        Ok(Json(List { items: found(app, &row)? }))
    })
    .await
}

async fn result(
    State(app): State<Arc<ContestApp>>,
    who: Who,
    Path(id): Path<String>,
) -> Result<Json<Embedded<MissionResult>>, Problem> {
    app.read(move |app, t| {
        let row = seen(t, &who.scope(), &id)?;
        let result = in_ranking(app, t, &row, &who)?;
        let result =
            result.ok_or_else(|| Problem::not_found("no ranking that you may see has this submission"))?;
        Ok(Json(Embedded(result)))
    })
    .await
}

/// Teams' files are never shown, always saved.
async fn file(
    State(app): State<Arc<ContestApp>>,
    who: Who,
    Path((id, name)): Path<(String, String)>,
) -> Result<Bytes<AnyFile>, Problem> {
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
    Ok(Bytes::of(answer))
}
