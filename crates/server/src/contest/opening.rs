//! What is written down when a contest is opened: which files it rests on, and whether they changed since.

use std::collections::BTreeMap;

use mapjudge::files::contest::{ContestFolder, load_contest};
use serde_json::{Value as Json, json};

use super::chain::{NewEvent, PROGRAM, append};
use super::clock::Time;
use super::store::{Database, StoreError, Transaction};

/// Hashes of the contest file, the rules in effect, and every file of the truth.
///
/// # Errors
/// The truth cannot be read.
pub fn basis(folder: &ContestFolder) -> Result<Json, mapjudge::JobError> {
    let contest = load_contest(folder)?;
    let hash = |value: &Json| blake3::hash(value.to_string().as_bytes()).to_hex().to_string();
    let truth: BTreeMap<String, Json> =
        contest.missions.iter().map(|mission| (mission.name.clone(), json!(mission.inputs))).collect();
    Ok(json!({
        "contest": hash(&json!(folder.file)), "profile": hash(&json!(folder.profile)), "truth": hash(&json!(truth)),
    }))
}

/// What opening a contest found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opened {
    /// It was never opened before.
    First,
    /// Its files are as they were.
    Same,
    /// They changed.
    Changed,
}

/// Writes an event if the contest is opened the first time, or if its files changed.
///
/// # Errors
/// The database fails.
pub fn note(db: &Database, at: Time, basis: &Json) -> Result<Opened, StoreError> {
    db.write(|t| {
        let before = known(t)?;
        let (kind, body, opened) = match before {
            None => ("contest_opened", json!({ "basis": basis }), Opened::First),
            Some(before) if before == *basis => return Ok(Opened::Same),
            Some(before) => ("contest_changed", json!({ "basis": basis, "before": before }), Opened::Changed),
        };
        append(t, at, NewEvent { person: PROGRAM, kind, subject: "", body })?;
        Ok(opened)
    })
}

fn known(t: &mut dyn Transaction) -> Result<Option<Json>, StoreError> {
    let sql = "SELECT body FROM event WHERE kind IN ('contest_opened', 'contest_changed') ORDER BY seq DESC LIMIT 1";
    Ok(t.one(sql, &[])?.map(|row| row.json(0)).transpose()?.map(|body| body["basis"].clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_leaves_both_hashes() {
        let folder = tempfile::tempdir().unwrap();
        let db = Database::open(folder.path().join("judge.db").to_str().unwrap()).unwrap();
        let opened = |basis: &str| note(&db, Time::from_unix_ms(0), &json!(basis)).unwrap();
        assert_eq!(
            [opened("a"), opened("a"), opened("b"), opened("b")],
            [Opened::First, Opened::Same, Opened::Changed, Opened::Same]
        );
        let row = db.read(|t| t.one("SELECT body FROM event WHERE seq = 2", &[])).unwrap().unwrap();
        assert_eq!(row.json(0).unwrap(), json!({ "basis": "b", "before": "a" }));
    }
}
