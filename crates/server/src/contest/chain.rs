//! Events: everything that a person or a worker does, each with the hash of the one before.
//!
//! ```text
//! hash = blake3(prev ‖ canonical JSON of the row without its hash)
//! ```
//!
//! Events are the truth: other tables are written in the same transaction and can be replayed from them.

use mapjudge::rows::canonical_json;
use serde_json::{Value as Json, json};

use super::clock::Time;
use super::store::{Row, StoreError, Transaction};

/// The hash before the first event.
pub const BEGINNING: &str = "0000000000000000000000000000000000000000000000000000000000000000";
/// Who did what nobody did: the program itself.
pub const PROGRAM: &str = "mapjudge";

/// What happened, before it has a place in the chain.
#[derive(Clone, Debug, PartialEq)]
pub struct NewEvent<'a> {
    /// Name of the person, or of the program.
    pub person: &'a str,
    /// Kind of the event.
    pub kind: &'a str,
    /// What it is about: a submission, a person, a ranking.
    pub subject: &'a str,
    /// Everything that replaying needs.
    pub body: Json,
}

/// An event in the chain.
#[derive(Clone, Debug, PartialEq, serde::Serialize, schemars::JsonSchema)]
pub struct Event {
    /// Place in the chain, from 1.
    pub seq: i64,
    /// When.
    pub at: String,
    /// Who.
    pub person: String,
    /// Kind.
    pub kind: String,
    /// What it is about.
    pub subject: String,
    /// Everything else.
    pub body: Json,
    /// Hash of the event before.
    pub prev: String,
    /// Own hash.
    pub hash: String,
}

/// The end of the chain.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Head {
    /// Number of events.
    pub seq: i64,
    /// Hash of the last.
    pub hash: String,
}

/// The columns of an event, in the order of [`Event::of_row`].
pub const COLUMNS: &str = "seq, at, person, kind, subject, body, prev, hash";

impl Event {
    /// An event of a row with [`COLUMNS`].
    ///
    /// # Errors
    /// The row is no event.
    pub fn of_row(row: &Row) -> Result<Self, StoreError> {
        Ok(Self {
            seq: row.int(0)?,
            at: row.text(1)?,
            person: row.text(2)?,
            kind: row.text(3)?,
            subject: row.text(4)?,
            body: row.json(5)?,
            prev: row.text(6)?,
            hash: row.text(7)?,
        })
    }

    /// The hash that the event must have.
    #[must_use]
    pub fn expected_hash(&self) -> String {
        let row = json!({
            "seq": self.seq, "at": self.at, "person": self.person, "kind": self.kind, "subject": self.subject,
            "body": self.body, "prev": self.prev,
        });
        blake3::hash(format!("{}{}", self.prev, canonical_json(&row)).as_bytes()).to_hex().to_string()
    }
}

/// The end of the chain.
///
/// # Errors
/// The database fails.
pub fn head(t: &mut dyn Transaction) -> Result<Head, StoreError> {
    let row = t.one("SELECT seq, hash FROM event ORDER BY seq DESC LIMIT 1", &[])?;
    row.map_or_else(
        || Ok(Head { seq: 0, hash: BEGINNING.to_owned() }),
        |row| Ok(Head { seq: row.int(0)?, hash: row.text(1)? }),
    )
}

/// Appends an event; its transaction must be a writing one.
///
/// # Errors
/// The database fails.
pub fn append(t: &mut dyn Transaction, at: Time, new: NewEvent<'_>) -> Result<Event, StoreError> {
    let Head { seq, hash: prev } = head(t)?;
    // Letters that one of the databases has not must not be in the hash either.
    let plain = |text: &str| text.replace('\0', "\u{fffd}");
    let mut event = Event {
        seq: seq + 1,
        at: at.text(),
        person: plain(new.person),
        kind: new.kind.to_owned(),
        subject: plain(new.subject),
        body: new.body,
        prev,
        hash: String::new(),
    };
    event.hash = event.expected_hash();
    insert(t, &event)?;
    Ok(event)
}

/// Writes the row of an event as it is.
///
/// # Errors
/// The database fails.
pub fn insert(t: &mut dyn Transaction, event: &Event) -> Result<(), StoreError> {
    let sql = format!("INSERT INTO event ({COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)");
    let body = canonical_json(&event.body);
    let texts = [&event.at, &event.person, &event.kind, &event.subject, &body, &event.prev, &event.hash];
    let params: Vec<_> = std::iter::once(event.seq.into()).chain(texts.map(Into::into)).collect();
    t.execute(&sql, &params)?;
    Ok(())
}

/// Walks along the chain from its beginning and calls `each`.
///
/// # Errors
/// The database fails, or an event is not what the chain says: the message names its place.
pub fn walk(t: &mut dyn Transaction, each: &mut dyn FnMut(&Event)) -> Result<Head, ChainError> {
    let mut head = Head { seq: 0, hash: BEGINNING.to_owned() };
    loop {
        let sql = format!("SELECT {COLUMNS} FROM event WHERE seq > $1 ORDER BY seq LIMIT 1000");
        let rows = t.query(&sql, &[head.seq.into()])?;
        if rows.is_empty() {
            return Ok(head);
        }
        for row in &rows {
            let broken = |why: &'static str| ChainError::Broken { seq: head.seq + 1, why };
            let event = Event::of_row(row).map_err(|_| broken("its row is no event"))?;
            if event.seq != head.seq + 1 {
                return Err(broken("it is missing"));
            }
            if event.prev != head.hash {
                return Err(broken("it does not follow the event before"));
            }
            if event.hash != event.expected_hash() {
                return Err(broken("its content was changed"));
            }
            head = Head { seq: event.seq, hash: event.hash.clone() };
            each(&event);
        }
    }
}

/// Why the chain does not hold.
#[derive(Debug, thiserror::Error)]
pub enum ChainError {
    /// The database fails.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An event is not what it was.
    #[error("event {seq}: {why}")]
    Broken {
        /// Place of the event.
        seq: i64,
        /// What is wrong.
        why: &'static str,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::store::Database;

    fn database(folder: &tempfile::TempDir) -> Database {
        Database::open(folder.path().join("judge.db").to_str().unwrap()).unwrap()
    }

    fn three(database: &Database) {
        for (subject, number) in [("a", 1.0), ("b\0\u{202e}", 0.1), ("c", 1e300)] {
            let body = json!({ "z": number, "a": [null, "ü"] });
            let event = NewEvent { person: "ada", kind: "note_added", subject, body };
            database.write(|t| append(t, Time::from_unix_ms(5), event.clone())).unwrap();
        }
    }

    #[test]
    fn the_hash_is_that_of_the_written_form() {
        let folder = tempfile::tempdir().unwrap();
        let database = database(&folder);
        let event = NewEvent { person: "ada", kind: "frozen", subject: "", body: json!({ "b": 1, "a": 2 }) };
        let event = database.write(|t| append(t, Time::from_unix_ms(0), event.clone())).unwrap();
        let written = format!(
            r#"{BEGINNING}{{"at":"1970-01-01T00:00:00.000Z","body":{{"a":2,"b":1}},"kind":"frozen","person":"ada","prev":"{BEGINNING}","seq":1,"subject":""}}"#
        );
        assert_eq!(event.hash, blake3::hash(written.as_bytes()).to_hex().to_string());
    }

    #[test]
    fn a_changed_event_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let database = database(&folder);
        three(&database);
        let walked = |database: &Database| database.read(|t| walk(t, &mut |_| {}));
        assert_eq!(walked(&database).unwrap().seq, 3);
        for (change, told) in [
            ("UPDATE event SET person = 'eve' WHERE seq = 2", "event 2: its content"),
            ("UPDATE event SET prev = hash WHERE seq = 3", "event 2: its content"),
            ("DELETE FROM event WHERE seq = 2", "event 2: it is missing"),
        ] {
            database.write(|t| t.execute(change, &[])).unwrap();
            let told_now = walked(&database).unwrap_err().to_string();
            assert!(told_now.starts_with(told), "{told_now}");
        }
    }
}
