//! `/reviews/{record}`: proposals of relations, what the scans say about them, and what a person decides (T-REVIEW).

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use mapjudge::ground_truth::Review;
use mapjudge::ground_truth::review::{
    Act, Asked, By, ClickedPair, Decided, Refusal, Sight, Skipped, Verdict, Written, fit_clicked,
};
use model::{Point2, Pose2, RelationRecord, RelationStatus};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Body, MAX_PAIRS, body, yes};
use crate::app::App;
use crate::events::Event;
use crate::problem::Problem;
use crate::review_desk::ReviewDesk;

/// The record of this program in addresses: there is one.
const ONLY: &str = "1";
/// Proposals that are sent ahead, at most; each has thousands of points.
const MAX_AHEAD: usize = 20;
/// Rows of the list at a time.
const MAX_ROWS: usize = 200;

pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/reviews/{record}", get(summary))
        .route("/reviews/{record}/next", get(next))
        .route("/reviews/{record}/list", get(list))
        .route("/reviews/{record}/relations/{id}", get(relation))
        .route("/reviews/{record}/evaluate", post(evaluate))
        .route("/reviews/{record}/refine", post(refine))
        .route("/reviews/{record}/fit", post(fit))
        .route("/reviews/{record}/verdicts", post(decide))
        .route("/reviews/{record}/agreement", get(agreement))
        .route("/reviews/{record}/export", get(export))
}

/// The review of this address.
fn desk_of<'a>(app: &'a App, record: &str) -> Result<&'a ReviewDesk, Problem> {
    let desk = app.review_desk()?;
    (record == ONLY).then_some(desk).ok_or_else(|| Problem::not_found("there is no such record"))
}

/// Computes with the review of this address, beside the routes.
async fn with_review<T: Send + 'static>(
    app: &Arc<App>,
    record: String,
    work: impl FnOnce(&ReviewDesk, &mut Review) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    app.compute(move |app| {
        let desk = desk_of(app, &record)?;
        work(desk, &mut desk.review())
    })
    .await
}

async fn summary(
    State(app): State<Arc<App>>,
    Path(record): Path<String>,
) -> Result<impl IntoResponse, Problem> {
    let summary = with_review(&app, record, |desk, review| {
        review.follow()?;
        Ok(review.summary(desk.reviewer()))
    });
    Ok(Json(summary.await?))
}

async fn agreement(
    State(app): State<Arc<App>>,
    Path(record): Path<String>,
) -> Result<impl IntoResponse, Problem> {
    let agreement = with_review(&app, record, |_, review| {
        review.follow()?;
        Ok(review.agreement())
    });
    Ok(Json(agreement.await?))
}

#[derive(Deserialize)]
struct NextQuery {
    #[serde(default)]
    skip: String,
    #[serde(default = "four")]
    count: usize,
    #[serde(default = "yes")]
    blind: bool,
}

const fn four() -> usize {
    4
}

const fn sight(is_blind: bool) -> Sight {
    if is_blind { Sight::Blind } else { Sight::Open }
}

async fn next(
    State(app): State<Arc<App>>,
    Path(record): Path<String>,
    Query(query): Query<NextQuery>,
) -> Result<impl IntoResponse, Problem> {
    let next = with_review(&app, record, move |desk, review| {
        let skip: Vec<String> = query.skip.split(',').map(str::to_owned).collect();
        let asked = Asked {
            reviewer: desk.reviewer(),
            count: query.count.clamp(1, MAX_AHEAD),
            skip: &skip,
            skipped: Skipped::LeftOut,
            sight: sight(query.blind),
        };
        Ok(review.next(&asked)?)
    });
    Ok(Json(next.await?))
}

#[derive(Deserialize)]
struct ListQuery {
    after: Option<String>,
    #[serde(default = "fifty")]
    limit: usize,
    status: Option<String>,
}

const fn fifty() -> usize {
    50
}

async fn list(
    State(app): State<Arc<App>>,
    Path(record): Path<String>,
    Query(query): Query<ListQuery>,
) -> Result<impl IntoResponse, Problem> {
    let listed = with_review(&app, record, move |desk, review| {
        let status = query.status.as_deref().filter(|name| !name.is_empty()).map(|name| {
            RelationStatus::ALL.into_iter().find(|status| status.name() == name).ok_or_else(|| {
                let expected = "expected proposed, accepted, adjusted or rejected";
                Problem::unprocessable("STATUS_UNKNOWN", expected)
            })
        });
        review.follow()?;
        let limit = query.limit.clamp(1, MAX_ROWS);
        Ok(review.list(desk.reviewer(), status.transpose()?, query.after.as_deref(), limit))
    });
    Ok(Json(listed.await?))
}

#[derive(Deserialize)]
struct SightQuery {
    #[serde(default = "yes")]
    blind: bool,
}

async fn relation(
    State(app): State<Arc<App>>,
    Path((record, id)): Path<(String, String)>,
    Query(query): Query<SightQuery>,
) -> Result<impl IntoResponse, Problem> {
    let shown = with_review(&app, record, move |desk, review| {
        let shown = review.relation(&id, desk.reviewer(), sight(query.blind))?;
        shown.ok_or_else(|| no_relation(&id))
    });
    Ok(Json(shown.await?))
}

fn no_relation(id: &str) -> Problem {
    Problem::not_found(format!("the record has no relation '{id:.100}'"))
}

#[derive(Deserialize)]
struct Lying {
    id: String,
    delta: Pose2,
}

async fn evaluate(
    State(app): State<Arc<App>>,
    Path(record): Path<String>,
    lying: Body<Lying>,
) -> Result<impl IntoResponse, Problem> {
    let Lying { id, delta } = body(lying)?;
    let found = with_review(&app, record, move |_, review| {
        review.evaluate(&id, delta).ok_or_else(|| no_relation(&id))
    });
    Ok(Json(found.await?))
}

async fn refine(
    State(app): State<Arc<App>>,
    Path(record): Path<String>,
    lying: Body<Lying>,
) -> Result<impl IntoResponse, Problem> {
    let Lying { id, delta } = body(lying)?;
    let found = with_review(&app, record, move |_, review| {
        if review.last(&id).is_none() {
            return Err(no_relation(&id));
        }
        review.refine(&id, delta).ok_or_else(|| {
            Problem::unprocessable("SCANS_DO_NOT_MATCH", "the scans do not match from here")
                .hint("move the second scan nearer to the first, or click pairs of points")
        })
    });
    Ok(Json(found.await?))
}

#[derive(Deserialize)]
struct SentPair {
    first: [f64; 2],
    second: [f64; 2],
}

#[derive(Deserialize)]
struct SentPairs {
    pairs: Vec<SentPair>,
}

async fn fit(
    State(app): State<Arc<App>>,
    Path(record): Path<String>,
    pairs: Body<SentPairs>,
) -> Result<impl IntoResponse, Problem> {
    desk_of(&app, &record)?;
    let pairs = body(pairs)?.pairs;
    if pairs.len() > MAX_PAIRS {
        return Err(Problem::unprocessable("TOO_MANY_PAIRS", format!("expected at most {MAX_PAIRS} pairs")));
    }
    let point = |[x_m, y_m]: [f64; 2]| Point2::new(x_m, y_m);
    let pair = |pair: SentPair| ClickedPair { first: point(pair.first), second: point(pair.second) };
    let pairs: Vec<ClickedPair> = pairs.into_iter().map(pair).collect();
    fit_clicked(&pairs).map(Json).ok_or_else(|| {
        Problem::unprocessable("PAIRS_FIT_NOTHING", "expected at least one pair of finite points")
    })
}

#[derive(Deserialize)]
struct SentVerdict {
    id: String,
    version: String,
    verdict: Word,
    delta: Option<Pose2>,
    note: Option<String>,
    seconds: Option<f64>,
    opinion: Option<u8>,
    /// What the next proposal should not be.
    #[serde(default)]
    skip: Vec<String>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Word {
    Accept,
    Reject,
    Adjust,
    Undo,
    Second,
}

async fn decide(
    State(app): State<Arc<App>>,
    Path(record): Path<String>,
    sent: Body<SentVerdict>,
) -> Result<Response, Problem> {
    let sent = body(sent)?;
    let act = match (sent.verdict, sent.delta) {
        (Word::Accept, _) => Act::Accept,
        (Word::Reject, _) => Act::Reject,
        (Word::Adjust, Some(delta)) => Act::Adjust(delta),
        (Word::Adjust, None) => {
            return Err(Problem::unprocessable("VERDICT_INVALID", "expected the displacement that is right"));
        }
        (Word::Undo, _) => Act::Undo,
        (Word::Second, _) => Act::AskSecond,
    };
    let SentVerdict { id, version, note, seconds, opinion, skip, .. } = sent;
    let note = note.filter(|note| !note.trim().is_empty());
    let verdict = Verdict { id, version, act, note, seconds, opinion };
    let answer = with_review(&app, record, move |desk, review| {
        let time = desk.time();
        let by = By { reviewer: desk.reviewer(), time: time.as_deref() };
        match review.decide(by, &verdict)? {
            Decided::Written(written) => decided(desk, review, &written, &skip),
            Decided::Conflict(line) => collision(desk, review, &line),
            Decided::Refused(Refusal::NoRelation(id)) => Err(no_relation(&id)),
            Decided::Refused(refusal) => Err(Problem::unprocessable(refusal.code(), refusal.to_string())),
        }
    })
    .await?;
    app.events.tell(Event::Review);
    Ok(answer)
}

fn decided(
    desk: &ReviewDesk,
    review: &mut Review,
    written: &Written,
    skip: &[String],
) -> Result<Response, Problem> {
    let asked = Asked { skip, skipped: Skipped::LeftOut, ..Asked::by(desk.reviewer(), 1) };
    let next = review.next(&asked)?;
    let answer = json!({
        "entry": line_of(&written.entry),
        "version": written.version,
        "disputed": written.is_disputed,
        "counts": review.counts(),
        "left": next.left,
        "next": next.proposals.first(),
    });
    Ok(Json(answer).into_response())
}

/// Somebody else was faster: their line, unless this person is to give a second opinion without having seen it.
fn collision(desk: &ReviewDesk, review: &mut Review, line: &RelationRecord) -> Result<Response, Problem> {
    let shown = review.relation(&line.id, desk.reviewer(), Sight::Blind)?;
    let is_blind = shown.is_some_and(|shown| shown.blind);
    let who = line.reviewer.as_deref().unwrap_or("somebody");
    let detail = format!("{who:.200} has decided about '{:.100}' meanwhile; nothing was written", line.id);
    let problem = Problem::new(
        StatusCode::PRECONDITION_FAILED,
        "DECIDED_MEANWHILE",
        "Somebody else was faster",
        detail,
    )
    .hint("look at the relation again");
    let mut answer = json!(problem);
    answer["entry"] = if is_blind { Value::Null } else { line_of(line) };
    let kind = [(header::CONTENT_TYPE, "application/problem+json")];
    Ok((StatusCode::PRECONDITION_FAILED, kind, answer.to_string()).into_response())
}

/// A line as it stands in the record.
fn line_of(entry: &RelationRecord) -> Value {
    let line = mapjudge::formats::write_relation_records(std::slice::from_ref(entry));
    serde_json::from_str(&line).unwrap_or_default()
}

async fn export(State(app): State<Arc<App>>, Path(record): Path<String>) -> Result<Response, Problem> {
    let text = with_review(&app, record, |_, review| {
        review.follow()?;
        review.exported().ok_or_else(|| {
            Problem::unprocessable("NO_RELATIONS", "nothing is accepted yet")
                .hint("decide about some proposals first")
        })
    })
    .await?;
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"truth.relations\""),
    ];
    Ok((headers, text).into_response())
}
