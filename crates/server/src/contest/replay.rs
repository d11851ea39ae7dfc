//! The tables out of the events: what a person or a worker did is written once as an event, and its rows follow from it.

use serde_json::Value as Json;

use super::chain::Event;
use super::store::{StoreError, Transaction};
use super::{accept, decisions, jobs, publications};

/// Writes the rows of one event. Codes, sessions and tokens have none: their secrets are in no event.
///
/// # Errors
/// The database fails.
pub fn event(t: &mut dyn Transaction, event: &Event) -> Result<(), StoreError> {
    accept::replay(t, event)?;
    decisions::replay(t, event)?;
    publications::replay(t, event)?;
    jobs::record::replay(t, event)?;
    match event.kind.as_str() {
        "person_added" => person(t, event),
        "person_revoked" => {
            let id = text(&event.body["id"]);
            t.execute("UPDATE person SET revoked = 1 WHERE id = $1", &[id.into()]).map(|_| ())
        }
        "note_added" => note(t, event),
        "notice_added" => {
            let sql = "INSERT INTO notice (seq, at, person, text) VALUES ($1, $2, $3, $4)";
            let words = text(&event.body["text"]);
            let params = [event.seq.into(), (&event.at).into(), (&event.person).into(), words.into()];
            t.execute(sql, &params).map(|_| ())
        }
        "rejudging_made" => rejudging(t, event),
        "rejudging_applied" | "rejudging_dropped" => {
            if event.kind == "rejudging_applied" {
                jobs::apply_rejudging(t, &event.subject)?;
            }
            let state = event.kind.trim_start_matches("rejudging_");
            let sql = "UPDATE rejudging SET state = $2 WHERE id = $1";
            t.execute(sql, &[(&event.subject).into(), state.into()]).map(|_| ())
        }
        _ => Ok(()),
    }
}

fn text(value: &Json) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn person(t: &mut dyn Transaction, event: &Event) -> Result<(), StoreError> {
    let sql = "INSERT INTO person (id, name, role, team) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING";
    let team = event.body["team"].as_str();
    let (id, role) = (text(&event.body["id"]), text(&event.body["role"]));
    t.execute(sql, &[id.into(), (&event.subject).into(), role.into(), team.into()]).map(|_| ())
}

fn note(t: &mut dyn Transaction, event: &Event) -> Result<(), StoreError> {
    let sql = "INSERT INTO note (id, seq, submission, at, person, role, kind, text) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    let words = ["role", "kind", "text"].map(|key| text(&event.body[key]));
    let [role, kind, words] = words;
    let params = [
        text(&event.body["id"]).into(),
        event.seq.into(),
        (&event.subject).into(),
        (&event.at).into(),
        (&event.person).into(),
        role.into(),
        kind.into(),
        words.into(),
    ];
    t.execute(sql, &params).map(|_| ())
}

fn rejudging(t: &mut dyn Transaction, event: &Event) -> Result<(), StoreError> {
    let sql = "INSERT INTO rejudging (id, seq, at, person, reason, scope, state) VALUES ($1, $2, $3, $4, $5, $6, 'running')";
    let params = [
        (&event.subject).into(),
        event.seq.into(),
        (&event.at).into(),
        (&event.person).into(),
        text(&event.body["reason"]).into(),
        event.body["submissions"].to_string().into(),
    ];
    t.execute(sql, &params).map(|_| ())
}
