//! `/submissions/{id}/notes`: questions and appeals, as a thread on a submission.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Body, body, seen, text};
use crate::answer::{List, Made};
use crate::contest::app::ContestApp;
use crate::contest::chain::{NewEvent, append};
use crate::contest::clock::{Time, new_id};
use crate::contest::operation::{Operation, Verb};
use crate::contest::roles::{Needs, Who};
use crate::contest::store::{Row, StoreError, Transaction};
use crate::contest::{decisions, replay};
use crate::problem::Problem;

pub fn operations() -> Vec<Operation> {
    vec![
        Operation::new(
            Verb::Get,
            "/submissions/{id}/notes",
            Needs::Submitter,
            "Questions and answers.",
            list,
        ),
        Operation::new(
            Verb::Post,
            "/submissions/{id}/notes",
            Needs::Submitter,
            "Ask, answer or appeal.",
            add,
        )
        .takes::<NewNote>(),
    ]
}

/// What a note is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoteKind {
    /// Somebody wants to know.
    Question,
    /// Somebody says.
    Answer,
    /// A team does not agree.
    Appeal,
    /// What judges decide about it.
    Decision,
}

/// A note of a thread.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Note {
    id: String,
    at: String,
    by: String,
    role: String,
    #[schemars(with = "NoteKind")]
    kind: String,
    text: String,
}

/// The thread of a submission, the oldest first.
pub fn thread(t: &mut dyn Transaction, submission: &str) -> Result<Vec<Note>, StoreError> {
    let sql = "SELECT id, at, person, role, kind, text FROM note WHERE submission = $1 ORDER BY seq";
    let note = |row: &Row| {
        let (id, at, by) = (row.text(0)?, row.text(1)?, row.text(2)?);
        Ok(Note { id, at, by, role: row.text(3)?, kind: row.text(4)?, text: row.text(5)? })
    };
    t.query(sql, &[submission.into()])?.iter().map(note).collect()
}

async fn list(
    State(app): State<Arc<ContestApp>>,
    who: Who,
    Path(id): Path<String>,
) -> Result<Json<List<Note>>, Problem> {
    app.read(move |_, t| {
        let row = seen(t, &who.scope(), &id)?;
        Ok(Json(List { items: thread(t, &row.id)? }))
    })
    .await
}

#[derive(Deserialize, JsonSchema)]
struct NewNote {
    kind: NoteKind,
    text: String,
}

async fn add(
    State(app): State<Arc<ContestApp>>,
    who: Who,
    Path(id): Path<String>,
    note: Body<NewNote>,
) -> Result<Made<Note>, Problem> {
    let NewNote { kind, text: words } = body(note)?;
    let words = text(&words)?;
    if kind == NoteKind::Decision && !who.is_judge() {
        let detail = "judges decide about appeals";
        return Err(Problem::new(StatusCode::FORBIDDEN, "NOT_ALLOWED", "Not for you", detail));
    }
    app.write(move |_, t| {
        let row = seen(t, &who.scope(), &id)?;
        let now = Time::now();
        let note = new_id(now).map_err(|error| StoreError::Failed(error.to_string()))?;
        let role = who.person().map_or("", |person| person.role.name());
        let body = json!({ "id": note, "role": role, "kind": kind, "text": words });
        let event =
            append(t, now, NewEvent { person: who.name(), kind: "note_added", subject: &row.id, body })?;
        replay::event(t, &event)?;
        decisions::touch(t, &event)?;
        let kind = event.body["kind"].as_str().unwrap_or_default().to_owned();
        let note =
            Note { id: note, at: event.at, by: event.person, role: role.to_owned(), kind, text: words };
        Ok(Made::of(note))
    })
    .await
}
