//! Where a contest keeps its state: one trait, SQLite beside the contest or PostgreSQL for several machines.
//!
//! One text of SQL serves both, with parameters `$1`, `$2` and types that both have (TEXT, BIGINT, DOUBLE PRECISION). A
//! writing transaction is alone until it ends, in SQLite by its lock and in PostgreSQL by ours, so that events have one order.

pub mod job_table;
mod postgres;
pub mod schema;
mod sqlite;
mod value;

use std::path::{Path, PathBuf};

pub use self::postgres::PostgresStore;
pub use self::sqlite::SqliteStore;
pub use self::value::{Row, Value};

/// Why the database did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// It cannot be reached or opened.
    #[error("the database cannot be opened: {0}")]
    Open(String),
    /// It would lose what it confirms, or is of another program.
    #[error("the database is refused: {0}")]
    Refused(String),
    /// It is of a later version of this program.
    #[error(
        "the database has the schema {found}, this program knows {known}: it was written by a later version"
    )]
    Newer {
        /// Of the database.
        found: i64,
        /// Of this program.
        known: i64,
    },
    /// A statement failed.
    #[error("the database failed: {0}")]
    Failed(String),
    /// A row has another form than this program writes.
    #[error("the database holds a row that makes no sense: {0}")]
    Row(String),
}

/// Statements inside of one transaction.
pub trait Transaction {
    /// Runs a statement; the number of rows that it changed.
    ///
    /// # Errors
    /// The database refuses it.
    fn execute(&mut self, sql: &str, params: &[Value]) -> Result<u64, StoreError>;

    /// The rows of a query.
    ///
    /// # Errors
    /// As [`Transaction::execute`].
    fn query(&mut self, sql: &str, params: &[Value]) -> Result<Vec<Row>, StoreError>;

    /// Several statements without parameters.
    ///
    /// # Errors
    /// As [`Transaction::execute`].
    fn batch(&mut self, sql: &str) -> Result<(), StoreError>;
}

impl dyn Transaction + '_ {
    /// The only row of a query, or none.
    ///
    /// # Errors
    /// As [`Transaction::execute`].
    pub fn one(&mut self, sql: &str, params: &[Value]) -> Result<Option<Row>, StoreError> {
        Ok(self.query(sql, params)?.into_iter().next())
    }
}

/// What a transaction may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Sees one state of all tables and changes nothing.
    Read,
    /// Is the only writer until it ends.
    Write,
}

/// Whether a transaction lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Its changes last; durable when the call returns.
    Commit,
    /// It leaves nothing.
    Rollback,
}

/// The work of a transaction, called once.
pub type Work<'a> = &'a mut dyn FnMut(&mut dyn Transaction) -> Outcome;

/// A database.
pub trait Store: Send + Sync {
    /// Runs one transaction. Blocks: not to be called on a thread of the async runtime.
    ///
    /// # Errors
    /// It cannot begin, or its end was not confirmed.
    fn run(&self, access: Access, work: Work<'_>) -> Result<(), StoreError>;

    /// Copies the database into one file that SQLite opens, beside running transactions.
    ///
    /// # Errors
    /// The database cannot be copied so.
    fn copy_to(&self, file: &Path) -> Result<(), StoreError>;
}

/// The database of a contest, with its schema in place.
pub struct Database {
    store: Box<dyn Store>,
}

impl Database {
    /// Opens `sqlite:PATH`, a path, or `postgres://..`, and brings its schema up to date.
    ///
    /// # Errors
    /// It cannot be opened, is not durable, or is of a later program.
    pub fn open(url: &str) -> Result<Self, StoreError> {
        let store: Box<dyn Store> = if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            Box::new(PostgresStore::open(url)?)
        } else {
            Box::new(SqliteStore::open(&sqlite_path(url))?)
        };
        let database = Self { store };
        schema::migrate(&database, &schema::MIGRATIONS, sqlite_file(url).as_deref())?;
        Ok(database)
    }

    /// One state of all tables.
    ///
    /// # Errors
    /// The work fails, or the database does.
    pub fn read<T, E: From<StoreError>>(
        &self,
        work: impl FnOnce(&mut dyn Transaction) -> Result<T, E>,
    ) -> Result<T, E> {
        self.run(Access::Read, work)
    }

    /// Changes all or nothing; what it returns is durable.
    ///
    /// # Errors
    /// The work fails, or the database does.
    pub fn write<T, E: From<StoreError>>(
        &self,
        work: impl FnOnce(&mut dyn Transaction) -> Result<T, E>,
    ) -> Result<T, E> {
        self.run(Access::Write, work)
    }

    fn run<T, E: From<StoreError>>(
        &self,
        access: Access,
        work: impl FnOnce(&mut dyn Transaction) -> Result<T, E>,
    ) -> Result<T, E> {
        let (mut work, mut result) = (Some(work), None);
        self.store.run(access, &mut |transaction| {
            let Some(work) = work.take() else { return Outcome::Rollback };
            let done = work(transaction);
            let outcome = if done.is_ok() { Outcome::Commit } else { Outcome::Rollback };
            result = Some(done);
            outcome
        })?;
        result.unwrap_or_else(|| Err(StoreError::Failed("the transaction was not run".to_owned()).into()))
    }

    /// As [`Store::copy_to`].
    ///
    /// # Errors
    /// As [`Store::copy_to`].
    pub fn copy_to(&self, file: &Path) -> Result<(), StoreError> {
        self.store.copy_to(file)
    }
}

fn sqlite_path(url: &str) -> PathBuf {
    PathBuf::from(url.strip_prefix("sqlite:").unwrap_or(url))
}

/// The file of a SQLite database; none for PostgreSQL.
fn sqlite_file(url: &str) -> Option<PathBuf> {
    (!url.starts_with("postgres")).then(|| sqlite_path(url))
}

#[cfg(test)]
mod tests {
    use super::*;

    pub fn empty() -> (tempfile::TempDir, Database) {
        let folder = tempfile::tempdir().unwrap();
        let database = Database::open(&format!("sqlite:{}", folder.path().join("judge.db").display()));
        (folder, database.unwrap())
    }

    fn count(database: &Database) -> i64 {
        let row = database.read(|t| t.one("SELECT count(*) FROM meta", &[])).unwrap().unwrap();
        row.int(0).unwrap()
    }

    #[test]
    fn a_transaction_that_fails_leaves_nothing() {
        let (_folder, database) = empty();
        let before = count(&database);
        let insert = "INSERT INTO meta (key, value) VALUES ($1, $2)";
        let failed: Result<(), StoreError> = database.write(|t| {
            t.execute(insert, &["a".into(), "1".into()])?;
            Err(StoreError::Refused("no".into()))
        });
        assert!(failed.is_err());
        assert_eq!(count(&database), before);
        let done: Result<u64, StoreError> = database.write(|t| t.execute(insert, &["a".into(), "1".into()]));
        assert_eq!((done.unwrap(), count(&database)), (1, before + 1));
    }

    #[test]
    fn words_of_strangers_stay_words() {
        let (_folder, database) = empty();
        let hostile = "'; DROP TABLE meta; -- $1 ?1";
        let insert = "INSERT INTO meta (key, value) VALUES ($1, $2)";
        database.write(|t| t.execute(insert, &[hostile.into(), hostile.into()])).unwrap();
        let row = database.read(|t| t.one("SELECT value FROM meta WHERE key = $1", &[hostile.into()]));
        assert_eq!(row.unwrap().unwrap().text(0).unwrap(), hostile);
    }

    #[test]
    fn a_reader_changes_nothing() {
        let (_folder, database) = empty();
        let wrote: Result<u64, StoreError> = database.read(|t| t.execute("DELETE FROM meta", &[]));
        assert!(wrote.is_err());
    }
}
