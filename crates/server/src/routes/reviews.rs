//! `/reviews/{record}`: proposals of relations, what the scans say about them, and what a person decides (T-REVIEW).

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::routing::{get, post};
use axum::{Json, Router};
use mapjudge::ground_truth::Review;
use mapjudge::ground_truth::review::{
    Act, Agreement, Asked, By, ClickedFit, ClickedPair, Decided, Evaluation, Listed, NextProposals, Refined,
    Refusal, ReviewCounts, ReviewProposal, ReviewSummary, Sight, Skipped, Verdict, Written, fit_clicked,
};
use model::{Point2, Pose2, RelationRecord, RelationStatus};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Body, MAX_PAIRS, body, yes};
use crate::answer::{Bytes, PlainText};
use crate::app::App;
use crate::contest::roles::Who;
use crate::problem::Problem;
use crate::review_desk::Seat;
use crate::routes::host::{NewVerdict, ReviewHost};

/// Proposals that are sent ahead, at most; each has thousands of points.
const MAX_AHEAD: usize = 20;
/// Rows of the list at a time.
const MAX_ROWS: usize = 200;

pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/reviews/{record}", get(summary::<App>))
        .route("/reviews/{record}/next", get(next::<App>))
        .route("/reviews/{record}/list", get(list::<App>))
        .route("/reviews/{record}/relations/{id}", get(relation::<App>))
        .route("/reviews/{record}/evaluate", post(evaluate::<App>))
        .route("/reviews/{record}/refine", post(refine::<App>))
        .route("/reviews/{record}/fit", post(fit::<App>))
        .route("/reviews/{record}/verdicts", post(decide::<App>))
        .route("/reviews/{record}/agreement", get(agreement::<App>))
        .route("/reviews/{record}/export", get(export::<App>))
}

/// How far a review is.
#[derive(Serialize, JsonSchema)]
pub struct ReviewAnswer {
    #[serde(flatten)]
    summary: ReviewSummary,
    /// Whether the page leads back to a contest; missing if not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    contest: bool,
}

pub async fn summary<H: ReviewHost>(
    State(host): State<Arc<H>>,
    who: Who,
    Path(record): Path<String>,
) -> Result<Json<ReviewAnswer>, Problem> {
    let summary = host.on_review(record, who, |seat, review| {
        review.follow()?;
        Ok(ReviewAnswer { summary: review.summary(&seat.reviewer), contest: seat.is_of_contest })
    });
    Ok(Json(summary.await?))
}

pub async fn agreement<H: ReviewHost>(
    State(host): State<Arc<H>>,
    who: Who,
    Path(record): Path<String>,
) -> Result<Json<Agreement>, Problem> {
    let agreement = host.on_review(record, who, |_, review| {
        review.follow()?;
        Ok(review.agreement())
    });
    Ok(Json(agreement.await?))
}

#[derive(Deserialize)]
pub struct NextQuery {
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

pub async fn next<H: ReviewHost>(
    State(host): State<Arc<H>>,
    who: Who,
    Path(record): Path<String>,
    Query(query): Query<NextQuery>,
) -> Result<Json<NextProposals>, Problem> {
    let next = host.on_review(record, who, move |seat, review| {
        let skip: Vec<String> = query.skip.split(',').map(str::to_owned).collect();
        let asked = Asked {
            reviewer: &seat.reviewer,
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
pub struct ListQuery {
    after: Option<String>,
    #[serde(default = "fifty")]
    limit: usize,
    status: Option<String>,
}

const fn fifty() -> usize {
    50
}

pub async fn list<H: ReviewHost>(
    State(host): State<Arc<H>>,
    who: Who,
    Path(record): Path<String>,
    Query(query): Query<ListQuery>,
) -> Result<Json<Listed>, Problem> {
    let listed = host.on_review(record, who, move |seat, review| {
        let status = query.status.as_deref().filter(|name| !name.is_empty()).map(|name| {
            RelationStatus::ALL.into_iter().find(|status| status.name() == name).ok_or_else(|| {
                let expected = "expected proposed, accepted, adjusted or rejected";
                Problem::unprocessable("STATUS_UNKNOWN", expected)
            })
        });
        review.follow()?;
        let limit = query.limit.clamp(1, MAX_ROWS);
        Ok(review.list(&seat.reviewer, status.transpose()?, query.after.as_deref(), limit))
    });
    Ok(Json(listed.await?))
}

#[derive(Deserialize)]
pub struct SightQuery {
    #[serde(default = "yes")]
    blind: bool,
}

pub async fn relation<H: ReviewHost>(
    State(host): State<Arc<H>>,
    who: Who,
    Path((record, id)): Path<(String, String)>,
    Query(query): Query<SightQuery>,
) -> Result<Json<ReviewProposal>, Problem> {
    let shown = host.on_review(record, who, move |seat, review| {
        let shown = review.relation(&id, &seat.reviewer, sight(query.blind))?;
        shown.ok_or_else(|| no_relation(&id))
    });
    Ok(Json(shown.await?))
}

fn no_relation(id: &str) -> Problem {
    Problem::not_found(format!("the record has no relation '{id:.100}'"))
}

/// A relation, and the pose of its second scan seen from the first that is to be judged.
#[derive(Deserialize, JsonSchema)]
pub struct ScanPlacement {
    id: String,
    delta: Pose2,
}

pub async fn evaluate<H: ReviewHost>(
    State(host): State<Arc<H>>,
    who: Who,
    Path(record): Path<String>,
    placement: Body<ScanPlacement>,
) -> Result<Json<Evaluation>, Problem> {
    let ScanPlacement { id, delta } = body(placement)?;
    let found = host
        .on_review(record, who, move |_, review| review.evaluate(&id, delta).ok_or_else(|| no_relation(&id)));
    Ok(Json(found.await?))
}

pub async fn refine<H: ReviewHost>(
    State(host): State<Arc<H>>,
    who: Who,
    Path(record): Path<String>,
    placement: Body<ScanPlacement>,
) -> Result<Json<Refined>, Problem> {
    let ScanPlacement { id, delta } = body(placement)?;
    let found = host.on_review(record, who, move |_, review| {
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

#[derive(Deserialize, JsonSchema)]
pub struct SentPair {
    first: [f64; 2],
    second: [f64; 2],
}

#[derive(Deserialize, JsonSchema)]
pub struct SentPairs {
    pairs: Vec<SentPair>,
}

pub async fn fit<H: ReviewHost>(
    State(host): State<Arc<H>>,
    who: Who,
    Path(record): Path<String>,
    pairs: Body<SentPairs>,
) -> Result<Json<ClickedFit>, Problem> {
    host.on_review(record, who, |_, _| Ok(())).await?;
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

#[derive(Deserialize, JsonSchema)]
pub struct SentVerdict {
    id: String,
    version: String,
    verdict: VerdictKind,
    delta: Option<Pose2>,
    note: Option<String>,
    seconds: Option<f64>,
    opinion: Option<u8>,
    /// What the next proposal should not be.
    #[serde(default)]
    skip: Vec<String>,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum VerdictKind {
    Accept,
    Reject,
    Adjust,
    Undo,
    Second,
}

/// What a verdict leaves.
#[derive(Serialize, JsonSchema)]
pub struct VerdictAnswer {
    /// The line of the record.
    entry: Value,
    /// The version of the relation.
    version: String,
    /// Whether it differs from an earlier opinion.
    disputed: bool,
    counts: ReviewCounts,
    /// What this person is still asked about.
    left: usize,
    /// What comes next; null at the end.
    next: Option<ReviewProposal>,
}

pub async fn decide<H: ReviewHost>(
    State(host): State<Arc<H>>,
    who: Who,
    Path(record): Path<String>,
    sent: Body<SentVerdict>,
) -> Result<Json<VerdictAnswer>, Problem> {
    let sent = body(sent)?;
    let act = match (sent.verdict, sent.delta) {
        (VerdictKind::Accept, _) => Act::Accept,
        (VerdictKind::Reject, _) => Act::Reject,
        (VerdictKind::Adjust, Some(delta)) => Act::Adjust(delta),
        (VerdictKind::Adjust, None) => {
            return Err(Problem::unprocessable("VERDICT_INVALID", "expected the displacement that is right"));
        }
        (VerdictKind::Undo, _) => Act::Undo,
        (VerdictKind::Second, _) => Act::AskSecond,
    };
    let SentVerdict { id, version, note, seconds, opinion, skip, .. } = sent;
    let note = note.filter(|note| !note.trim().is_empty());
    let verdict = Verdict { id, version, act, note, seconds, opinion };
    let (keeper, of, decider) = (Arc::clone(&host), record.clone(), who.clone());
    let answer = host.on_review(record, who, move |seat, review| {
        let by = By { reviewer: &seat.reviewer, time: seat.time.as_deref() };
        let mut kept: Vec<RelationRecord> = Vec::new();
        let new = NewVerdict { record: &of, who: &decider, version: &verdict.version, lines: &[] };
        let outcome = review.decide_announced(by, &verdict, &mut |lines| {
            keeper.keep_verdict(&NewVerdict { lines, ..new })?;
            kept = lines.to_vec();
            Ok::<_, Problem>(())
        });
        match outcome.inspect_err(|_| keeper.verdict_failed(&NewVerdict { lines: &kept, ..new }))? {
            Decided::Written(written) => {
                keeper.verdict_written();
                decided(seat, review, &written, &skip)
            }
            Decided::Conflict(line) => Err(collision(seat, review, &line)?),
            Decided::Refused(Refusal::NoRelation(id)) => Err(no_relation(&id)),
            Decided::Refused(refusal) => Err(Problem::unprocessable(refusal.code(), refusal.to_string())),
        }
    });
    answer.await
}

fn decided(
    seat: &Seat,
    review: &mut Review,
    written: &Written,
    skip: &[String],
) -> Result<Json<VerdictAnswer>, Problem> {
    let asked = Asked { skip, skipped: Skipped::LeftOut, ..Asked::by(&seat.reviewer, 1) };
    let next = review.next(&asked)?;
    Ok(Json(VerdictAnswer {
        entry: line_of(&written.entry),
        version: written.version.clone(),
        disputed: written.is_disputed,
        counts: review.counts(),
        left: next.left,
        next: next.proposals.into_iter().next(),
    }))
}

/// Somebody else was faster: their line, unless this person is to give a second opinion without having seen it.
fn collision(seat: &Seat, review: &mut Review, line: &RelationRecord) -> Result<Problem, Problem> {
    let shown = review.relation(&line.id, &seat.reviewer, Sight::Blind)?;
    let is_blind = shown.is_some_and(|shown| shown.blind);
    let who = line.reviewer.as_deref().unwrap_or("somebody");
    let detail = format!("{who:.200} has decided about '{:.100}' meanwhile; nothing was written", line.id);
    let status = StatusCode::PRECONDITION_FAILED;
    Ok(Problem::new(status, "DECIDED_MEANWHILE", "Somebody else was faster", detail)
        .hint("look at the relation again")
        .with("entry", if is_blind { Value::Null } else { line_of(line) }))
}

/// A line as it stands in the record.
pub(crate) fn line_of(entry: &RelationRecord) -> Value {
    let line = mapjudge::formats::write_relation_records(std::slice::from_ref(entry));
    serde_json::from_str(&line).unwrap_or_default()
}

pub async fn export<H: ReviewHost>(
    State(host): State<Arc<H>>,
    who: Who,
    Path(record): Path<String>,
) -> Result<Bytes<PlainText>, Problem> {
    let text = host
        .on_review(record, who, |_, review| {
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
    Ok(Bytes::of((headers, text)))
}
