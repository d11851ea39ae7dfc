//! SQLite: a file beside the contest, in WAL mode with every commit on the disk.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, OpenFlags, ToSql, params_from_iter};

use super::{Access, Outcome, Row, Store, StoreError, Transaction, Value, Work};

/// Another process of this machine may write meanwhile; its transactions take milliseconds.
const BUSY: Duration = Duration::from_secs(10);
/// Readers that are kept open.
const MAX_READERS: usize = 8;

/// A database in a file.
pub struct SqliteStore {
    path: PathBuf,
    writer: Mutex<Connection>,
    readers: Mutex<Vec<Connection>>,
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Failed(error.to_string())
    }
}

impl SqliteStore {
    /// Opens a database, or makes an empty one.
    ///
    /// # Errors
    /// The file cannot be opened, or the file system cannot keep what is confirmed.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let failed = |error: rusqlite::Error| StoreError::Open(error.to_string());
        let writer = Connection::open(path).map_err(failed)?;
        writer.busy_timeout(BUSY).map_err(failed)?;
        let mode: String =
            writer.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0)).map_err(failed)?;
        if mode != "wal" {
            let why = format!("its journal is '{mode}', expected 'wal'; put it on a disk of this machine");
            return Err(StoreError::Refused(why));
        }
        writer
            .execute_batch("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF")
            .map_err(failed)?;
        Ok(Self { path: path.to_owned(), writer: Mutex::new(writer), readers: Mutex::default() })
    }

    fn reader(&self) -> Result<Connection, StoreError> {
        if let Some(kept) = self.readers.lock().unwrap_or_else(PoisonError::into_inner).pop() {
            return Ok(kept);
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let reader = Connection::open_with_flags(&self.path, flags)?;
        reader.busy_timeout(BUSY)?;
        reader.execute_batch("PRAGMA query_only = ON; PRAGMA trusted_schema = OFF")?;
        Ok(reader)
    }

    fn keep(&self, reader: Connection) {
        let mut readers = self.readers.lock().unwrap_or_else(PoisonError::into_inner);
        if readers.len() < MAX_READERS {
            readers.push(reader);
        }
    }
}

impl Store for SqliteStore {
    fn run(&self, access: Access, work: Work<'_>) -> Result<(), StoreError> {
        match access {
            Access::Read => {
                let reader = self.reader()?;
                transact(&reader, "BEGIN DEFERRED", work)?;
                self.keep(reader);
                Ok(())
            }
            Access::Write => {
                let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
                transact(&writer, "BEGIN IMMEDIATE", work)
            }
        }
    }

    fn copy_to(&self, file: &Path) -> Result<(), StoreError> {
        let name = file.to_str().ok_or_else(|| StoreError::Refused("a file name that is no text".into()))?;
        let reader = Connection::open_with_flags(&self.path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        reader.busy_timeout(BUSY)?;
        reader.execute("VACUUM INTO ?1", [name])?;
        Ok(())
    }
}

fn transact(connection: &Connection, begin: &str, work: Work<'_>) -> Result<(), StoreError> {
    // What a panic left open.
    if !connection.is_autocommit() {
        connection.execute_batch("ROLLBACK")?;
    }
    connection.execute_batch(begin)?;
    let outcome = work(&mut Open(connection));
    let end = match outcome {
        Outcome::Commit => connection.execute_batch("COMMIT"),
        // A failed statement may have ended it.
        Outcome::Rollback if connection.is_autocommit() => Ok(()),
        Outcome::Rollback => connection.execute_batch("ROLLBACK"),
    };
    if end.is_err() && !connection.is_autocommit() {
        let _ = connection.execute_batch("ROLLBACK");
    }
    Ok(end?)
}

struct Open<'a>(&'a Connection);

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Int(number) => ValueRef::Integer(*number),
            Self::Real(number) => ValueRef::Real(*number),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
        }))
    }
}

/// SQLite numbers its parameters `?1`.
fn numbered(sql: &str) -> String {
    sql.replace('$', "?")
}

impl Transaction for Open<'_> {
    fn execute(&mut self, sql: &str, params: &[Value]) -> Result<u64, StoreError> {
        let mut statement = self.0.prepare_cached(&numbered(sql))?;
        Ok(statement.execute(params_from_iter(params))? as u64)
    }

    fn query(&mut self, sql: &str, params: &[Value]) -> Result<Vec<Row>, StoreError> {
        let mut statement = self.0.prepare_cached(&numbered(sql))?;
        let columns = statement.column_count();
        let mut rows = statement.query(params_from_iter(params))?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            let values = (0..columns).map(|column| value(row.get_ref(column)?));
            found.push(Row(values.collect::<Result<_, _>>()?));
        }
        Ok(found)
    }

    fn batch(&mut self, sql: &str) -> Result<(), StoreError> {
        Ok(self.0.execute_batch(sql)?)
    }
}

fn value(found: ValueRef<'_>) -> Result<Value, StoreError> {
    Ok(match found {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Int(number),
        ValueRef::Real(number) => Value::Real(number),
        ValueRef::Text(bytes) => {
            let text = std::str::from_utf8(bytes);
            Value::Text(text.map_err(|_| StoreError::Row("a text that is not UTF-8".into()))?.to_owned())
        }
        ValueRef::Blob(_) => return Err(StoreError::Row("bytes where none are kept".into())),
    })
}
