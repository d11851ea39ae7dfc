//! `/submissions`, `/queue`: handing in, the list, and what a judge should look at.

use std::sync::Arc;

use axum::Json;
use axum::extract::{DefaultBodyLimit, FromRequest, Multipart, Query, Request, State};
use axum::http::{StatusCode, header};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{limit, link_next, sees_score};
use crate::answer::{Linked, List, Made};
use crate::contest::accept::{ReceivedSubmission, Upload, accept, is_repeated};
use crate::contest::app::ContestApp;
use crate::contest::clock::Time;
use crate::contest::operation::{Operation, Verb};
use crate::contest::receive::{check_disk, form};
use crate::contest::roles::{Needs, Person, PersonRole, Scope, Who};
use crate::contest::store::{StoreError, Transaction};
use crate::contest::submissions::{self, Asked, Attention, Submission, SubmissionRow, Surroundings};
use crate::problem::Problem;

/// Bytes of a form beside its files: boundaries, names, fields.
const FORM_BYTES: u64 = 1 << 20;
/// Letters of an Idempotency-Key.
const MAX_KEY: usize = 200;

pub fn operations() -> Vec<Operation> {
    let form = json!({
        "type": "object", "required": ["file"],
        "properties": {
            "mission": { "type": "string" }, "team": { "type": "string", "description": "For judges." },
            "keep": { "type": "string", "description": "A submission whose other files are taken too." },
            "file": { "type": "array", "items": { "type": "string", "contentMediaType": "application/octet-stream" } },
        },
    });
    let mut upload = Operation::new(
        Verb::Post,
        "/submissions",
        Needs::Submitter,
        "Hand in. The answer is a receipt: from then on nothing is lost. `Idempotency-Key` makes a repetition harmless.",
        upload,
    )
    .takes_form(form);
    // Bytes are counted while they come in.
    upload.handler = upload.handler.layer(DefaultBodyLimit::disable());
    vec![
        Operation::new(
            Verb::Get,
            "/submissions",
            Needs::Submitter,
            "Submissions: the own ones, or all for judges.",
            list,
        )
        .query(&[
            ("team", "of one team"),
            ("mission", "of one mission"),
            ("after", "the id behind which to begin"),
            ("limit", "at most 200"),
        ]),
        upload,
        Operation::new(
            Verb::Get,
            "/queue",
            Needs::Judge,
            "What a judge should look at, the most urgent first.",
            attention,
        ),
    ]
}

#[derive(Deserialize)]
struct Filter {
    team: Option<String>,
    mission: Option<String>,
    after: Option<String>,
    limit: Option<i64>,
}

async fn list(
    State(app): State<Arc<ContestApp>>,
    who: Who,
    Query(filter): Query<Filter>,
) -> Result<Linked<List<Submission>>, Problem> {
    app.read(move |app, t| {
        let Filter { team, mission, after, limit: most } = filter;
        let most = limit(most);
        let next = [("team", team.clone()), ("mission", mission.clone())];
        let asked = Asked { team, mission, after, limit: most };
        let rows = submissions::list(t, &who.scope(), &asked)?;
        let around = Surroundings::read(t, &app.rules)?;
        let items = rows
            .iter()
            .map(|row| told(app, t, &around, row, &who))
            .collect::<Result<Vec<_>, StoreError>>()?;
        let last = rows.last().filter(|_| rows.len() as i64 == most);
        let next = last.map(|last| link_next("submissions", &next, &last.id, most));
        Ok(Linked { value: List { items }, next })
    })
    .await
}

/// Signs of the newest measurement of a submission.
pub fn signs(t: &mut dyn Transaction, id: &str) -> Result<Vec<Attention>, StoreError> {
    let sql = "SELECT signs FROM measurement WHERE submission = $1 ORDER BY seq DESC LIMIT 1";
    let Some(row) = t.one(sql, &[id.into()])? else { return Ok(Vec::new()) };
    Ok(serde_json::from_value(row.json(0)?).unwrap_or_default())
}

/// A submission as whoever asks may see it.
pub fn told(
    app: &ContestApp,
    t: &mut dyn Transaction,
    around: &Surroundings,
    row: &SubmissionRow,
    who: &Who,
) -> Result<Submission, StoreError> {
    // What judges should look at is theirs.
    let attention =
        if who.is_judge() { around.attention(row, &app.rules, &signs(t, &row.id)?) } else { Vec::new() };
    Ok(around.told(row, attention, sees_score(app, who)))
}

/// Submissions that judges should look at.
#[derive(Serialize, JsonSchema)]
struct Queue {
    /// The most urgent first.
    items: Vec<Submission>,
    /// Jobs that wait for a worker.
    waiting: i64,
}

async fn attention(State(app): State<Arc<ContestApp>>, who: Who) -> Result<Json<Queue>, Problem> {
    app.read(move |app, t| {
        let around = Surroundings::read(t, &app.rules)?;
        let mut found: Vec<(Attention, SubmissionRow, Vec<Attention>)> = Vec::new();
        let mut after = String::new();
        loop {
            let asked = Asked { after: Some(after.clone()), limit: 1000, ..Asked::default() };
            let rows = submissions::list(t, &Scope::All, &asked)?;
            let Some(last) = rows.last() else { break };
            after.clone_from(&last.id);
            for row in rows {
                // What does not count needs a look only where somebody asks, or where it was late.
                let counts = around.counts(&row).is_some();
                let signs = if counts { signs(t, &row.id)? } else { Vec::new() };
                let chips = around.attention(&row, &app.rules, &signs);
                // The kinds of attention are ordered by their urgency.
                if let Some(most) = chips.iter().min() {
                    found.push((*most, row, chips));
                }
            }
        }
        found.sort_by(|a, b| (a.0, &a.1.id).cmp(&(b.0, &b.1.id)));
        found.truncate(200);
        let with_score = sees_score(app, &who);
        let told = |(_, row, chips)| around.told(&row, chips, with_score);
        let items = found.into_iter().map(told).collect();
        let waiting = t.one("SELECT count(*) FROM job WHERE state = 'waiting'", &[])?;
        let waiting = waiting.map_or(Ok(0), |row| row.int(0))?;
        Ok(Json(Queue { items, waiting }))
    })
    .await
}

async fn upload(
    State(app): State<Arc<ContestApp>>,
    who: Who,
    request: Request,
) -> Result<Made<ReceivedSubmission>, Problem> {
    let Some(person) = who.person().cloned() else {
        return Err(Problem::not_found("nobody is logged in"));
    };
    let headers = request.headers();
    let length =
        headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    let most_mib = app.rules.settings.limits.submission_mib;
    if length.is_some_and(|length| length > (most_mib << 20) + FORM_BYTES) {
        let detail = format!("the upload: expected at most {most_mib} MiB");
        return Err(Problem::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "TOO_LARGE",
            "The upload was not taken",
            detail,
        ));
    }
    let key = headers.get("idempotency-key").and_then(|value| value.to_str().ok());
    let key = key.filter(|key| !key.is_empty()).map(str::to_owned);
    if key.as_ref().is_some_and(|key| key.len() > MAX_KEY) {
        return Err(Problem::unprocessable("IDEMPOTENCY_KEY_INVALID", "expected at most 200 letters"));
    }
    let is_repeated = admit(&app, &person, key.clone()).await?;
    let multipart = Multipart::from_request(request, &()).await.map_err(|rejection| {
        Problem::new(rejection.status(), "FORM_INVALID", "The upload was not taken", rejection.body_text())
            .hint("send multipart/form-data with the parts mission and file")
    })?;
    let form = form(&app, multipart).await?;
    let upload = Upload { person, form, key };
    // Whom a judge hands in for stands in the form.
    if upload.person.role != PersonRole::Team && !is_repeated {
        count_upload(&app, &upload.team(&app)?)?;
    }
    let answer = app.write(move |app, t| accept(app, t, Time::now(), &upload)).await?;
    let location = Some(format!("/api/v1/submissions/{}", answer.id));
    Ok(Made { value: answer, location })
}

/// Refuses too many uploads of a team, and any while the disk is nearly full, before their bytes come in; whether the upload
/// repeats an earlier one.
async fn admit(app: &Arc<ContestApp>, person: &Person, key: Option<String>) -> Result<bool, Problem> {
    let sender = person.clone();
    let is_repeated = app
        .read(move |app, t| {
            check_disk(app)?;
            Ok(key.map_or(Ok(false), |key| is_repeated(t, &sender, &key))?)
        })
        .await?;
    if person.role == PersonRole::Team && !is_repeated {
        count_upload(app, person.team.as_deref().unwrap_or_default())?;
    }
    Ok(is_repeated)
}

/// Counts an upload for a team, whoever sends it and whatever becomes of it.
fn count_upload(app: &ContestApp, team: &str) -> Result<(), Problem> {
    let most = app.rules.settings.limits.uploads_per_minute;
    if app.rates.may_upload(team, most) {
        return Ok(());
    }
    let detail = format!("more than {most} uploads for a team within a minute");
    Err(Problem::new(StatusCode::TOO_MANY_REQUESTS, "TOO_MANY_UPLOADS", "Wait a minute", detail))
}
