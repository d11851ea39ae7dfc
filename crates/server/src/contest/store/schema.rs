//! The tables, and how an older database gets them. Forward only; a database of a later program is refused.

use std::path::Path;

use super::{Database, StoreError, Transaction};

/// The steps from an empty database on. A step that was ever released is never changed.
pub const MIGRATIONS: [&str; 2] = [FIRST, SECOND];

const FIRST: &str = "
CREATE TABLE event (
  seq BIGINT PRIMARY KEY, at TEXT NOT NULL, person TEXT NOT NULL, kind TEXT NOT NULL, subject TEXT NOT NULL,
  body TEXT NOT NULL, prev TEXT NOT NULL, hash TEXT NOT NULL UNIQUE);
CREATE INDEX event_subject ON event (subject, seq);

CREATE TABLE person (
  id TEXT PRIMARY KEY, name TEXT NOT NULL, role TEXT NOT NULL, team TEXT, revoked BIGINT NOT NULL DEFAULT 0,
  seen_at TEXT);
CREATE UNIQUE INDEX person_name ON person (name) WHERE revoked = 0;
CREATE TABLE code (hash TEXT PRIMARY KEY, person TEXT NOT NULL, ends_at TEXT NOT NULL, used_at TEXT);
CREATE INDEX code_person ON code (person);
CREATE TABLE token (hash TEXT PRIMARY KEY, person TEXT NOT NULL, made_at TEXT NOT NULL);
CREATE TABLE session (
  token_hash TEXT PRIMARY KEY, person TEXT NOT NULL, seen_at TEXT NOT NULL, ends_at TEXT NOT NULL);

CREATE TABLE submission (
  id TEXT PRIMARY KEY, team TEXT NOT NULL, mission TEXT NOT NULL, number BIGINT NOT NULL, person TEXT NOT NULL,
  received_at TEXT NOT NULL, late BIGINT NOT NULL, state TEXT NOT NULL, checked_at TEXT, measured_at TEXT, error TEXT,
  findings TEXT, seq BIGINT NOT NULL, hash TEXT NOT NULL, changed_seq BIGINT NOT NULL,
  UNIQUE (team, mission, number));
CREATE TABLE submission_file (
  submission TEXT NOT NULL, name TEXT NOT NULL, blake3 TEXT NOT NULL, bytes BIGINT NOT NULL,
  PRIMARY KEY (submission, name));
CREATE TABLE measurement (
  submission TEXT NOT NULL, key TEXT NOT NULL, measured TEXT NOT NULL, pictures TEXT NOT NULL, planes TEXT NOT NULL,
  signs TEXT NOT NULL DEFAULT '[]', tool_version TEXT NOT NULL, at TEXT NOT NULL, seq BIGINT NOT NULL,
  PRIMARY KEY (submission, key));
CREATE TABLE decision (
  seq BIGINT PRIMARY KEY, subject TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
  reason TEXT NOT NULL, person TEXT NOT NULL, at TEXT NOT NULL, ended_by_seq BIGINT);
CREATE INDEX decision_subject ON decision (subject, kind, name);
CREATE TABLE ranking (
  seq BIGINT PRIMARY KEY, at TEXT NOT NULL, contest_json TEXT NOT NULL, upto_seq BIGINT NOT NULL, draft_of TEXT);
CREATE TABLE ranking_submission (
  ranking BIGINT NOT NULL, submission TEXT NOT NULL, score DOUBLE PRECISION, PRIMARY KEY (ranking, submission));
CREATE TABLE publication (
  seq BIGINT PRIMARY KEY, ranking BIGINT NOT NULL, at TEXT NOT NULL, person TEXT NOT NULL, note TEXT);
CREATE TABLE rejudging (
  id TEXT PRIMARY KEY, seq BIGINT NOT NULL, at TEXT NOT NULL, person TEXT NOT NULL, reason TEXT NOT NULL,
  scope TEXT NOT NULL, state TEXT NOT NULL, ranking BIGINT);
CREATE TABLE note (
  id TEXT PRIMARY KEY, seq BIGINT NOT NULL, submission TEXT NOT NULL, at TEXT NOT NULL, person TEXT NOT NULL,
  role TEXT NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL);
CREATE INDEX note_submission ON note (submission, seq);
CREATE TABLE notice (seq BIGINT PRIMARY KEY, at TEXT NOT NULL, person TEXT NOT NULL, text TEXT NOT NULL);
CREATE TABLE idempotency (
  person TEXT NOT NULL, key TEXT NOT NULL, request TEXT NOT NULL, answer TEXT NOT NULL, at TEXT NOT NULL,
  PRIMARY KEY (person, key));

CREATE TABLE job (
  id TEXT PRIMARY KEY, kind TEXT NOT NULL, subject TEXT NOT NULL, priority BIGINT NOT NULL, state TEXT NOT NULL,
  attempts BIGINT NOT NULL, leased_by TEXT, lease_until TEXT, error TEXT, made_at TEXT NOT NULL, ended_at TEXT);
CREATE UNIQUE INDEX job_open ON job (kind, subject) WHERE state = 'waiting';
CREATE INDEX job_state ON job (state, priority, id);
CREATE INDEX job_subject ON job (subject, kind);
CREATE TABLE worker (id TEXT PRIMARY KEY, version TEXT NOT NULL, seen_at TEXT NOT NULL, busy BIGINT NOT NULL);
";

/// The most urgent job, and events of a kind, without a look at all of them.
const SECOND: &str = "
CREATE INDEX job_next ON job (state, priority DESC, id);
CREATE INDEX event_kind ON event (kind, seq);
";

/// Runs the steps that a database has not had yet. A SQLite file with content is copied beside itself before.
///
/// # Errors
/// The database is of a later program, or a step fails; then nothing has changed.
pub fn migrate(database: &Database, steps: &[&str], file: Option<&Path>) -> Result<(), StoreError> {
    let known = steps.len() as i64;
    let version = database.write(|t| {
        t.batch("CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)")?;
        version_of(t)
    })?;
    if version > known {
        return Err(StoreError::Newer { found: version, known });
    }
    if version == known {
        return Ok(());
    }
    if let (1.., Some(file)) = (version, file) {
        let copy = file.with_extension(format!("before-{known}.db"));
        // One of an earlier attempt holds the same.
        if !copy.exists() {
            database.copy_to(&copy)?;
        }
    }
    database.write(|t| {
        // Another process may have been faster.
        let done = usize::try_from(version_of(t)?).unwrap_or(0);
        for step in steps.iter().skip(done) {
            t.batch(step)?;
        }
        set_meta(t, "schema", &known.to_string())
    })
}

fn version_of(t: &mut dyn Transaction) -> Result<i64, StoreError> {
    let Some(text) = meta(t, "schema")? else { return Ok(0) };
    text.parse().map_err(|_| StoreError::Row(format!("schema: expected a number, found '{text:.20}'")))
}

/// A setting of the database itself.
///
/// # Errors
/// The database fails.
pub fn meta(t: &mut dyn Transaction, key: &str) -> Result<Option<String>, StoreError> {
    t.one("SELECT value FROM meta WHERE key = $1", &[key.into()])?.map(|row| row.text(0)).transpose()
}

/// Sets it.
///
/// # Errors
/// The database fails.
pub fn set_meta(t: &mut dyn Transaction, key: &str, value: &str) -> Result<(), StoreError> {
    let sql = "INSERT INTO meta (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value";
    t.execute(sql, &[key.into(), value.into()])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_goes_forward_with_a_copy_and_never_back() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("judge.db");
        let database = Database::open(file.to_str().unwrap()).unwrap();
        let later = [FIRST, SECOND, "CREATE TABLE later (x BIGINT)"];
        migrate(&database, &later, Some(&file)).unwrap();
        assert!(folder.path().join("judge.before-3.db").exists());
        migrate(&database, &later, Some(&file)).unwrap();
        drop(database);
        let refused = Database::open(file.to_str().unwrap()).err().unwrap();
        assert!(matches!(refused, StoreError::Newer { found: 3, known: 2 }), "{refused}");
    }

    #[test]
    fn a_step_that_fails_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("judge.db");
        let database = Database::open(file.to_str().unwrap()).unwrap();
        assert!(
            migrate(&database, &[FIRST, SECOND, "CREATE TABLE later (x BIGINT); NONSENSE"], None).is_err()
        );
        assert!(database.read(|t| t.query("SELECT * FROM later", &[])).is_err());
    }
}
