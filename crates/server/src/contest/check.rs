//! `serve check`: the chain of events, the tables that must follow from them, and the bytes of every object.

use std::collections::BTreeSet;
use std::path::Path;

use mapjudge::rows::canonical_json;

use super::chain::{self, ChainError, Event, Head, walk};
use super::objects::Objects;
use super::replay;
use super::store::{Database, Row, StoreError, Value};

/// What follows from events, and the columns that do.
const TABLES: [(&str, &str); 11] = [
    ("person", "id, name, role, team, revoked"),
    ("submission", "id, team, mission, number, person, received_at, late, seq, hash"),
    ("submission_file", "submission, name, blake3, bytes"),
    ("decision", "seq, subject, kind, name, value, reason, person, at, ended_by_seq"),
    ("measurement", "submission, key, measured, pictures, planes, tool_version, seq"),
    ("ranking", "seq, contest_json, draft_of"),
    ("ranking_submission", "ranking, submission, score"),
    ("publication", "seq, ranking, at, person, note"),
    ("note", "id, seq, submission, at, person, role, kind, text"),
    ("notice", "seq, at, person, text"),
    ("rejudging", "id, seq, at, person, reason, scope"),
];
/// Columns that hold hashes of objects.
const HASHES: [(&str, &str); 4] = [
    ("submission_file", "blake3"),
    ("submission", "findings"),
    ("measurement", "measured"),
    ("ranking", "contest_json"),
];

/// What a check found.
#[derive(Debug)]
pub struct Checked {
    /// The end of the chain.
    pub head: Head,
    /// Objects that were read.
    pub objects: usize,
    /// What does not hold; empty if everything does.
    pub faults: Vec<String>,
}

/// Checks everything. `scratch` is an empty folder for the tables that are made anew.
///
/// # Errors
/// The database cannot be read at all.
pub fn check(db: &Database, objects: &Objects, scratch: &Path) -> Result<Checked, StoreError> {
    let mut faults = Vec::new();
    let mut events: Vec<Event> = Vec::new();
    let walked = db.read(|t| walk(t, &mut |event| events.push(event.clone())));
    let head = match walked {
        Ok(head) => head,
        Err(ChainError::Store(error)) => return Err(error),
        Err(broken @ ChainError::Broken { .. }) => {
            faults.push(broken.to_string());
            let last = events.last();
            let (seq, hash) = last.map_or((0, chain::BEGINNING.to_owned()), |e| (e.seq, e.hash.clone()));
            Head { seq, hash }
        }
    };
    let replayed = Database::open(&scratch.join("replayed.db").display().to_string())?;
    replayed.write(|t| {
        for event in &events {
            // Later events look back at earlier ones.
            chain::insert(t, event)?;
            if let Err(error) = replay::event(t, event) {
                faults.push(format!("event {}: it cannot be replayed: {error}", event.seq));
            }
        }
        Ok::<_, StoreError>(())
    })?;
    for (table, columns) in TABLES {
        faults.extend(difference(db, &replayed, table, columns)?);
    }
    let hashes = hashes(db)?;
    for hash in &hashes {
        if let Err(error) = objects.check(hash) {
            faults.push(format!("object {hash}: {error}"));
        }
    }
    Ok(Checked { head, objects: hashes.len(), faults })
}

/// Rows that are in one database and not in the other.
fn difference(
    db: &Database,
    replayed: &Database,
    table: &str,
    columns: &str,
) -> Result<Vec<String>, StoreError> {
    let rows = |db: &Database| -> Result<BTreeSet<String>, StoreError> {
        let found = db.read(|t| t.query(&format!("SELECT {columns} FROM {table}"), &[]))?;
        Ok(found
            .into_iter()
            .map(|Row(values)| format!("{:?}", values.into_iter().map(plain).collect::<Vec<_>>()))
            .collect())
    };
    let (here, there) = (rows(db)?, rows(replayed)?);
    let only = |what: &str, one: &BTreeSet<String>, other: &BTreeSet<String>| -> Vec<String> {
        let rows = one.difference(other).take(10);
        rows.map(|row| format!("table {table}: {what}: {row:.300}")).collect()
    };
    let mut found = only("a row that follows from no event", &here, &there);
    found.extend(only("a row that follows from an event is missing", &there, &here));
    Ok(found)
}

/// JSON with its keys in order: the order in which it was written means nothing.
fn plain(value: Value) -> Value {
    match value {
        Value::Text(text) if text.starts_with(['{', '[']) => {
            let parsed = serde_json::from_str(&text);
            parsed.map_or(Value::Text(text), |json| Value::Text(canonical_json(&json)))
        }
        other => other,
    }
}

/// Every object that a row names.
pub fn hashes(db: &Database) -> Result<BTreeSet<String>, StoreError> {
    let mut hashes = BTreeSet::new();
    for (table, column) in HASHES {
        let sql = format!("SELECT DISTINCT {column} FROM {table} WHERE {column} IS NOT NULL");
        for row in db.read(|t| t.query(&sql, &[]))? {
            hashes.insert(row.text(0)?);
        }
    }
    // Lists of images, planes and frames name theirs in JSON.
    for sql in [
        "SELECT pictures FROM measurement",
        "SELECT planes FROM measurement",
        "SELECT value FROM decision WHERE kind = 'frame'",
    ] {
        for row in db.read(|t| t.query(sql, &[]))? {
            named(&row.json(0)?, &mut hashes);
        }
    }
    Ok(hashes)
}

fn named(value: &serde_json::Value, found: &mut BTreeSet<String>) {
    use serde_json::Value;
    match value {
        Value::String(text) if text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
            found.insert(text.clone());
        }
        Value::Array(list) => list.iter().for_each(|value| named(value, found)),
        Value::Object(map) => map.values().for_each(|value| named(value, found)),
        _ => {}
    }
}
