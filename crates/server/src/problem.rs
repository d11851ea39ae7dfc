//! Errors as pages and programs get them: RFC 9457, without paths of this machine.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use mapjudge::JobError;
use serde::Serialize;

/// What went wrong, and what to do about it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Problem {
    /// Stable name for programs.
    #[serde(rename = "type")]
    pub kind: String,
    /// In a few words.
    pub title: String,
    /// HTTP status.
    pub status: u16,
    /// What was found and expected.
    pub detail: String,
    /// What to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl Problem {
    /// A problem with this status.
    #[must_use]
    pub fn new(status: StatusCode, kind: &str, title: &str, detail: impl Into<String>) -> Self {
        let (kind, title) = (kind.to_owned(), title.to_owned());
        Self { kind, title, status: status.as_u16(), detail: detail.into(), hint: None }
    }

    /// The same with what to do about it.
    #[must_use]
    pub fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    /// Nothing of this name.
    #[must_use]
    pub fn not_found(what: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "NOT_FOUND", "There is no such thing", what)
    }

    /// A request that makes no sense.
    #[must_use]
    pub fn unprocessable(kind: &str, detail: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, kind, "This cannot be done", detail)
    }
}

impl From<JobError> for Problem {
    fn from(error: JobError) -> Self {
        Self::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            error.code(),
            "This cannot be computed",
            error.to_string(),
        )
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let body = serde_json::to_vec(&self).unwrap_or_default();
        (status, [(header::CONTENT_TYPE, "application/problem+json")], body).into_response()
    }
}
