//! Errors as pages and programs get them: RFC 9457, without paths of this machine.

use std::borrow::Cow;

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use mapjudge::JobError;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
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
    /// `code`, which is the kind as other errors of the program have it, and what belongs to this kind alone.
    #[serde(flatten)]
    pub more: Box<serde_json::Map<String, serde_json::Value>>,
}

impl Problem {
    /// A problem with this status.
    #[must_use]
    pub fn new(status: StatusCode, kind: &str, title: &str, detail: impl Into<String>) -> Self {
        let (kind, title) = (kind.to_owned(), title.to_owned());
        let more = Box::new(serde_json::Map::from_iter([("code".to_owned(), kind.as_str().into())]));
        Self { kind, title, status: status.as_u16(), detail: detail.into(), hint: None, more }
    }

    /// The same with a member of its own.
    #[must_use]
    pub fn with(mut self, name: &str, value: serde_json::Value) -> Self {
        self.more.insert(name.to_owned(), value);
        self
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

/// As it is on the wire: `code` and members of its own stand beside the others.
impl JsonSchema for Problem {
    fn schema_name() -> Cow<'static, str> {
        "Problem".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "description": "Why something was not done: RFC 9457. A kind may have members of its own.",
            "additionalProperties": true,
            "required": ["type", "code", "title", "status", "detail"],
            "properties": {
                "type": { "type": "string" }, "code": { "type": "string" }, "title": { "type": "string" },
                "status": { "type": "integer" }, "detail": { "type": "string" }, "hint": { "type": "string" },
            },
        })
    }
}

impl From<JobError> for Problem {
    fn from(error: JobError) -> Self {
        let detail = without_folders(&error.to_string());
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, error.code(), "This cannot be computed", detail)
    }
}

/// A message whose absolute paths are file names alone: a page is told of no folder of this machine.
fn without_folders(message: &str) -> String {
    let is_end =
        |letter: char| letter.is_whitespace() || matches!(letter, ':' | '\'' | '"' | '`' | ',' | ')');
    let is_joined = |letter: char| letter.is_alphanumeric() || letter == '.';
    let mut told = String::new();
    let mut rest = message;
    while let Some(at) = rest.find('/') {
        let (before, path) = rest.split_at(at);
        let (path, after) = path.split_at(path.find(is_end).unwrap_or(path.len()));
        told.push_str(before);
        let is_absolute = !before.ends_with(is_joined);
        told.push_str(if is_absolute { path.rsplit('/').next().unwrap_or(path) } else { path });
        rest = after;
    }
    told + rest
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let body = serde_json::to_vec(&self).unwrap_or_default();
        (status, [(header::CONTENT_TYPE, "application/problem+json")], body).into_response()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absolute_paths_become_names_and_others_stay() {
        for (message, told) in [
            ("/home/ada/cup/map.pgm: no such file", "map.pgm: no such file"),
            ("team/map.yaml: image '/srv/x/a.pgm' is missing", "team/map.yaml: image 'a.pgm' is missing"),
            ("expected 1/2 of it, m/s", "expected 1/2 of it, m/s"),
            ("../a/b.yaml", "../a/b.yaml"),
            ("/", ""),
        ] {
            assert_eq!(without_folders(message), told);
        }
    }
}
