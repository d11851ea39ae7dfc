//! PostgreSQL: for several machines. Writers take one lock, since events are a chain.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use bytes::BytesMut;
use postgres::types::{IsNull, ToSql, Type, to_sql_checked};
use postgres::{Client, NoTls, Statement};

use super::{Access, Outcome, Row, Store, StoreError, Transaction, Value, Work};

/// Connections that are kept open.
const MAX_KEPT: usize = 8;
/// Number of the lock that writers hold; any that no other program takes ("mapjudge" in bytes).
const WRITERS_LOCK: i64 = 0x6d61_706a_7564_6765;

/// A database of a server.
pub struct PostgresStore {
    url: String,
    kept: Mutex<Vec<Connected>>,
}

struct Connected {
    client: Client,
    statements: HashMap<String, Statement>,
}

impl From<postgres::Error> for StoreError {
    fn from(error: postgres::Error) -> Self {
        Self::Failed(words(&error))
    }
}

/// The message of the server, which the error alone does not show.
fn words(error: &postgres::Error) -> String {
    error.as_db_error().map_or_else(|| error.to_string(), |told| told.message().to_owned())
}

impl PostgresStore {
    /// Connects.
    ///
    /// # Errors
    /// The server cannot be reached, or forgets what it confirmed when the power fails.
    pub fn open(url: &str) -> Result<Self, StoreError> {
        let store = Self { url: url.to_owned(), kept: Mutex::default() };
        let connected = store.connect()?;
        store.keep(connected);
        Ok(store)
    }

    fn connect(&self) -> Result<Connected, StoreError> {
        let open = |error: postgres::Error| StoreError::Open(words(&error));
        let mut client = Client::connect(&self.url, NoTls).map_err(open)?;
        for setting in ["synchronous_commit", "fsync"] {
            let value: String = client.query_one(&format!("SHOW {setting}"), &[]).map_err(open)?.get(0);
            if value == "off" {
                let why = format!("{setting} is off, so that confirmed uploads could be lost; switch it on");
                return Err(StoreError::Refused(why));
            }
        }
        Ok(Connected { client, statements: HashMap::new() })
    }

    fn taken(&self) -> Result<Connected, StoreError> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner).pop();
        // The server may have gone and come back.
        if kept.as_mut().is_some_and(|kept| kept.client.is_closed()) {
            kept = None;
        }
        kept.map_or_else(|| self.connect(), Ok)
    }

    fn keep(&self, connected: Connected) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() < MAX_KEPT {
            kept.push(connected);
        }
    }
}

impl Drop for PostgresStore {
    fn drop(&mut self) {
        let kept = std::mem::take(self.kept.get_mut().unwrap_or_else(PoisonError::into_inner));
        // The client says goodbye with a runtime of its own, which must not begin on a thread of another.
        let _ = std::thread::spawn(move || drop(kept)).join();
    }
}

impl Store for PostgresStore {
    fn run(&self, access: Access, work: Work<'_>) -> Result<(), StoreError> {
        let mut connected = self.taken()?;
        match access {
            Access::Read => {
                connected.client.batch_execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")?;
            }
            Access::Write => {
                let begin = format!("BEGIN; SELECT pg_advisory_xact_lock({WRITERS_LOCK})");
                connected.client.batch_execute(&begin)?;
            }
        }
        // A connection whose end is not confirmed is dropped with its transaction.
        match work(&mut connected) {
            Outcome::Commit => {
                // A transaction in which a statement failed is rolled back by COMMIT without an error.
                let rows = connected.client.simple_query("SELECT 1; COMMIT")?;
                drop(rows);
            }
            Outcome::Rollback => connected.client.batch_execute("ROLLBACK")?,
        }
        self.keep(connected);
        Ok(())
    }

    fn copy_to(&self, _file: &Path) -> Result<(), StoreError> {
        let why = "PostgreSQL is copied by its own programs: `pg_dump` beside a copy of the objects";
        Err(StoreError::Refused(why.to_owned()))
    }
}

impl ToSql for Value {
    fn to_sql(
        &self,
        kind: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match self {
            Self::Null => Ok(IsNull::Yes),
            Self::Int(number) if *kind == Type::FLOAT8 => (*number as f64).to_sql(kind, out),
            Self::Int(number) if *kind == Type::INT4 => i32::try_from(*number)?.to_sql(kind, out),
            Self::Int(number) => number.to_sql(kind, out),
            Self::Real(number) => number.to_sql(kind, out),
            Self::Text(text) => text.to_sql(kind, out),
        }
    }

    fn accepts(kind: &Type) -> bool {
        [Type::INT8, Type::INT4, Type::FLOAT8, Type::TEXT, Type::VARCHAR].contains(kind)
    }

    to_sql_checked!();
}

impl Connected {
    fn statement(&mut self, sql: &str) -> Result<Statement, StoreError> {
        if let Some(known) = self.statements.get(sql) {
            return Ok(known.clone());
        }
        let statement = self.client.prepare(sql)?;
        self.statements.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }
}

fn params(values: &[Value]) -> Vec<&(dyn ToSql + Sync)> {
    values.iter().map(|value| value as &(dyn ToSql + Sync)).collect()
}

impl Transaction for Connected {
    fn execute(&mut self, sql: &str, values: &[Value]) -> Result<u64, StoreError> {
        let statement = self.statement(sql)?;
        Ok(self.client.execute(&statement, &params(values))?)
    }

    fn query(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, StoreError> {
        let statement = self.statement(sql)?;
        let rows = self.client.query(&statement, &params(values))?;
        rows.iter().map(row).collect()
    }

    fn batch(&mut self, sql: &str) -> Result<(), StoreError> {
        Ok(self.client.batch_execute(sql)?)
    }
}

fn row(found: &postgres::Row) -> Result<Row, StoreError> {
    let value = |column: usize| -> Result<Value, StoreError> {
        let kind = found.columns()[column].type_();
        Ok(match *kind {
            Type::INT8 => found.try_get::<_, Option<i64>>(column)?.into(),
            Type::INT4 => found.try_get::<_, Option<i32>>(column)?.map(i64::from).into(),
            Type::BOOL => found.try_get::<_, Option<bool>>(column)?.into(),
            Type::FLOAT8 => found.try_get::<_, Option<f64>>(column)?.map_or(Value::Null, Value::Real),
            Type::TEXT | Type::VARCHAR => found.try_get::<_, Option<String>>(column)?.into(),
            _ => return Err(StoreError::Row(format!("a column of the type {kind}"))),
        })
    };
    Ok(Row((0..found.len()).map(value).collect::<Result<_, _>>()?))
}
