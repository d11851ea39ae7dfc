//! One resource of a contest per file. The list of operations makes both the router and the description.

mod audit;
mod contest;
mod events;
mod figures;
mod freeze;
mod notes;
mod overlay;
mod publications;
mod ranking;
mod rejudgings;
mod reviews;
mod session;
mod submission;
mod submissions;
mod users;
mod value_grid;
mod values;
mod verification;

use axum::http::{HeaderMap, StatusCode, header};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::app::ContestApp;
use super::operation::Operation;
use super::roles::{Scope, Who};
use super::store::Transaction;
use super::submissions::{SubmissionRow, etag, one};
use crate::problem::Problem;
pub(crate) use crate::routes::{Body, body};

/// Entries of a list, unless fewer are asked for.
const MAX_ITEMS: i64 = 200;
/// Letters of a reason, a note or a notice.
const MAX_TEXT: usize = 4000;
/// A reason says something.
const MIN_REASON: usize = 10;

/// Every operation of the interface.
#[must_use]
pub fn operations() -> Vec<Operation> {
    [
        contest::operations(),
        session::operations(),
        ranking::operations(),
        publications::operations(),
        submissions::operations(),
        submission::operations(),
        values::operations(),
        value_grid::operations(),
        verification::operations(),
        notes::operations(),
        overlay::operations(),
        figures::operations(),
        rejudgings::operations(),
        reviews::operations(),
        freeze::operations(),
        events::operations(),
        audit::operations(),
        users::operations(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Which part of a list is asked for.
#[derive(Debug, Deserialize)]
struct Asked<T> {
    /// Behind this entry.
    after: Option<T>,
    /// So many.
    limit: Option<i64>,
}

/// A reason, where a decision needs one.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Reason {
    /// Why, in 10 to 4000 letters.
    #[serde(default)]
    reason: String,
}

/// What a decision leaves: the new version of its submission.
#[derive(Serialize, JsonSchema)]
struct Version {
    etag: String,
}

impl Version {
    fn of(row: &SubmissionRow) -> Self {
        Self { etag: etag(row) }
    }
}

/// Checks a reason.
fn reason(text: &str) -> Result<String, Problem> {
    let text = text.trim();
    let letters = text.chars().count();
    if (MIN_REASON..=MAX_TEXT).contains(&letters) {
        return Ok(text.to_owned());
    }
    let detail = format!("a reason of {letters} letters: expected {MIN_REASON} to {MAX_TEXT}");
    Err(Problem::unprocessable("REASON_MISSING", detail)
        .hint("say what you saw, so that it can be defended later"))
}

/// Checks a text of somebody.
fn text(text: &str) -> Result<String, Problem> {
    let letters = text.trim().chars().count();
    if (1..=MAX_TEXT).contains(&letters) {
        return Ok(text.trim().to_owned());
    }
    Err(Problem::unprocessable("TEXT_INVALID", format!("{letters} letters: expected 1 to {MAX_TEXT}")))
}

/// A submission that whoever asks may see.
fn seen(t: &mut dyn Transaction, scope: &Scope, id: &str) -> Result<SubmissionRow, Problem> {
    one(t, scope, id)?.ok_or_else(|| Problem::not_found("there is no such submission"))
}

/// Refuses a change of something that somebody else has changed meanwhile. `other` is what the other one left.
fn unchanged(headers: &HeaderMap, row: &SubmissionRow, other: impl FnOnce() -> Json) -> Result<(), Problem> {
    let Some(expected) = headers.get(header::IF_MATCH).and_then(|tag| tag.to_str().ok()) else {
        return Ok(());
    };
    let tag = etag(row);
    if expected == "*" || expected.trim_matches('"') == tag.trim_matches('"') {
        return Ok(());
    }
    let detail = "somebody else has changed this submission meanwhile";
    Err(Problem::new(
        StatusCode::PRECONDITION_FAILED,
        "CHANGED_MEANWHILE",
        "Somebody else was faster",
        detail,
    )
    .hint("look at it again, then decide")
    .with("value", other())
    .with("etag", tag.into()))
}

/// How many entries are asked for.
fn limit(asked: Option<i64>) -> i64 {
    asked.unwrap_or(MAX_ITEMS).clamp(1, MAX_ITEMS)
}

/// A link to what follows in a list.
fn link_next(list: &str, next: &[(&str, Option<String>)], after: &str, most: i64) -> String {
    let mut query = format!("after={after}&limit={most}");
    for (name, value) in next {
        if let Some(value) = value {
            let coded: String = value.bytes().map(|byte| format!("%{byte:02X}")).collect();
            query.push_str(&format!("&{name}={coded}"));
        }
    }
    format!("</api/v1/{list}?{query}>; rel=\"next\"")
}

/// Whether somebody sees scores of the own submissions that are not published.
fn sees_score(app: &ContestApp, who: &Who) -> bool {
    who.is_judge() || app.rules.settings.feedback == mapjudge::files::contest::Feedback::Score
}
