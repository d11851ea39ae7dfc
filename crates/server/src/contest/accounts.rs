//! Persons, and how they get in: a code of 130 bits in a link, once; then a session, or a token for programs. Only hashes
//! of codes, sessions and tokens are stored, so that a copy of the database lets nobody in.

use serde_json::json;

use super::chain::{NewEvent, append};
use super::clock::{Time, new_id};
use super::roles::{Person, PersonRole};
use super::store::{Row, StoreError, Transaction};
use crate::login::random_letters;

/// Until a code must be used.
const CODE_S: i64 = 24 * 3600;
/// Until a session that nobody uses ends.
const IDLE_S: i64 = 12 * 3600;
/// A session is not written anew at each request.
const SEEN_S: i64 = 300;
/// Letters of a name.
const MAX_NAME: usize = 80;

/// Why a person cannot be added or changed.
#[derive(Debug, thiserror::Error)]
pub enum AccountError {
    /// The database fails.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The system gives no randomness.
    #[error("the system gives no random numbers")]
    Random,
    /// Somebody has the name.
    #[error("somebody is called '{0}' already")]
    Known(String),
    /// Nobody has it.
    #[error("nobody is called '{0}'")]
    Unknown(String),
    /// What a name must be.
    #[error("a name has 1 to 80 letters and no control characters")]
    Name,
    /// Who hands in needs a team, others have none.
    #[error("{0}")]
    Team(String),
    /// Nobody could let others in.
    #[error("'{0}' is the last admin")]
    LastAdmin(String),
}

impl From<getrandom::Error> for AccountError {
    fn from(_: getrandom::Error) -> Self {
        Self::Random
    }
}

const COLUMNS: &str = "person.id, person.name, person.role, person.team";

fn person(row: &Row) -> Result<Person, StoreError> {
    let word = row.text(2)?;
    let role = PersonRole::of(&word).ok_or_else(|| StoreError::Row(format!("no role '{word:.20}'")))?;
    Ok(Person { id: row.text(0)?, name: row.text(1)?, role, team: row.text_or_none(3)? })
}

fn hash(secret: &str) -> String {
    blake3::hash(secret.as_bytes()).to_hex().to_string()
}

/// Adds a person; `teams` are those of the contest.
///
/// # Errors
/// The name is taken or none, or the team does not fit the role.
pub fn add(
    t: &mut dyn Transaction,
    at: Time,
    by: &str,
    (name, role, team): (&str, PersonRole, Option<&str>),
    teams: &[String],
) -> Result<Person, AccountError> {
    let is_name = !name.trim().is_empty() && name.chars().count() <= MAX_NAME;
    if !is_name || name.chars().any(char::is_control) {
        return Err(AccountError::Name);
    }
    match (role, team) {
        (PersonRole::Team, Some(team)) if teams.iter().any(|known| known == team) => {}
        (PersonRole::Team, Some(team)) => {
            return Err(AccountError::Team(format!("the contest has no team '{team:.80}'")));
        }
        (PersonRole::Team, None) => return Err(AccountError::Team("the role team needs a team".into())),
        (_, Some(_)) => return Err(AccountError::Team("only the role team has a team".into())),
        (_, None) => {}
    }
    if find(t, name)?.is_some() {
        return Err(AccountError::Known(name.to_owned()));
    }
    let id = new_id(at)?;
    let body = json!({ "id": id, "role": role, "team": team });
    append(t, at, NewEvent { person: by, kind: "person_added", subject: name, body })?;
    let sql = "INSERT INTO person (id, name, role, team) VALUES ($1, $2, $3, $4)";
    t.execute(sql, &[(&id).into(), name.into(), role.name().into(), team.into()])?;
    Ok(Person { id, name: name.to_owned(), role, team: team.map(str::to_owned) })
}

/// Somebody by name.
///
/// # Errors
/// The database fails.
pub fn find(t: &mut dyn Transaction, name: &str) -> Result<Option<Person>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM person WHERE name = $1 AND revoked = 0");
    t.one(&sql, &[name.into()])?.map(|row| person(&row)).transpose()
}

fn known(t: &mut dyn Transaction, name: &str) -> Result<Person, AccountError> {
    find(t, name)?.ok_or_else(|| AccountError::Unknown(name.to_owned()))
}

/// A person in a list.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[schemars(rename = "Person")]
pub struct Listed {
    /// Name.
    pub name: String,
    /// Role.
    pub role: PersonRole,
    /// The team of somebody who hands in.
    pub team: Option<String>,
    /// When the person was last here.
    pub seen_at: Option<String>,
    /// Whether the person was removed.
    pub revoked: bool,
    /// Whether a code waits to be used.
    pub has_code: bool,
}

/// Everybody, by name; who was removed too.
///
/// # Errors
/// The database fails.
pub fn list(t: &mut dyn Transaction, now: Time) -> Result<Vec<Listed>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS}, person.seen_at, person.revoked, (SELECT count(*) FROM code WHERE code.person = person.id \
         AND code.used_at IS NULL AND code.ends_at > $1) FROM person ORDER BY person.revoked, person.name, person.id"
    );
    let listed = |row: &Row| {
        let Person { name, role, team, .. } = person(row)?;
        let (seen_at, revoked, has_code) = (row.text_or_none(4)?, row.truth(5)?, row.truth(6)?);
        Ok(Listed { name, role, team, seen_at, revoked, has_code })
    };
    t.query(&sql, &[now.text().into()])?.iter().map(listed).collect()
}

/// A new code for somebody; earlier ones stop working.
///
/// # Errors
/// Nobody has the name.
pub fn new_code(t: &mut dyn Transaction, at: Time, by: &str, name: &str) -> Result<String, AccountError> {
    let person = known(t, name)?;
    let code = random_letters()?;
    t.execute("DELETE FROM code WHERE person = $1", &[(&person.id).into()])?;
    let ends_at = at.plus_s(CODE_S).text();
    let body = json!({ "what": "link", "ends_at": ends_at });
    append(t, at, NewEvent { person: by, kind: "code_made", subject: name, body })?;
    let sql = "INSERT INTO code (hash, person, ends_at) VALUES ($1, $2, $3)";
    t.execute(sql, &[hash(&code).into(), person.id.into(), ends_at.into()])?;
    Ok(code)
}

/// A new token for a program of somebody; earlier ones go on working.
///
/// # Errors
/// Nobody has the name.
pub fn new_token(t: &mut dyn Transaction, at: Time, by: &str, name: &str) -> Result<String, AccountError> {
    let person = known(t, name)?;
    let token = random_letters()?;
    append(
        t,
        at,
        NewEvent { person: by, kind: "code_made", subject: name, body: json!({ "what": "token" }) },
    )?;
    let sql = "INSERT INTO token (hash, person, made_at) VALUES ($1, $2, $3)";
    t.execute(sql, &[hash(&token).into(), person.id.into(), at.text().into()])?;
    Ok(token)
}

/// Removes somebody: codes, sessions and tokens end with it. What the person did stays.
///
/// # Errors
/// Nobody has the name, or nobody would be left to let others in.
pub fn revoke(t: &mut dyn Transaction, at: Time, by: &str, name: &str) -> Result<(), AccountError> {
    let person = known(t, name)?;
    if person.role == PersonRole::Admin && admins(t)? < 2 {
        return Err(AccountError::LastAdmin(name.to_owned()));
    }
    let body = json!({ "id": person.id });
    append(t, at, NewEvent { person: by, kind: "person_revoked", subject: name, body })?;
    for sql in [
        "DELETE FROM code WHERE person = $1",
        "DELETE FROM session WHERE person = $1",
        "DELETE FROM token WHERE person = $1",
        "UPDATE person SET revoked = 1 WHERE id = $1",
    ] {
        t.execute(sql, &[(&person.id).into()])?;
    }
    Ok(())
}

/// Number of admins.
///
/// # Errors
/// The database fails.
pub fn admins(t: &mut dyn Transaction) -> Result<i64, StoreError> {
    let row = t.one("SELECT count(*) FROM person WHERE role = 'admin' AND revoked = 0", &[])?;
    row.map_or(Ok(0), |row| row.int(0))
}

/// Opens a session with a code, which is used up by that; none if the code opens nothing. An earlier session of the same
/// browser is not continued.
///
/// # Errors
/// The database fails.
pub fn log_in(
    t: &mut dyn Transaction,
    at: Time,
    code: &str,
) -> Result<Option<(Person, String)>, AccountError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM code JOIN person ON person.id = code.person \
         WHERE code.hash = $1 AND code.used_at IS NULL AND code.ends_at > $2 AND person.revoked = 0"
    );
    let now = at.text();
    let Some(row) = t.one(&sql, &[hash(code).into(), (&now).into()])? else { return Ok(None) };
    let person = person(&row)?;
    let token = random_letters()?;
    t.execute("UPDATE code SET used_at = $2 WHERE hash = $1", &[hash(code).into(), (&now).into()])?;
    t.execute("DELETE FROM session WHERE ends_at < $1", &[(&now).into()])?;
    let sql = "INSERT INTO session (token_hash, person, seen_at, ends_at) VALUES ($1, $2, $3, $4)";
    let ends_at = at.plus_s(IDLE_S).text();
    t.execute(sql, &[hash(&token).into(), (&person.id).into(), (&now).into(), ends_at.into()])?;
    t.execute("UPDATE person SET seen_at = $2 WHERE id = $1", &[(&person.id).into(), now.into()])?;
    append(
        t,
        at,
        NewEvent { person: &person.name, kind: "logged_in", subject: &person.name, body: json!({}) },
    )?;
    Ok(Some((person, token)))
}

/// Ends a session.
///
/// # Errors
/// The database fails.
pub fn log_out(t: &mut dyn Transaction, token: &str) -> Result<(), StoreError> {
    t.execute("DELETE FROM session WHERE token_hash = $1", &[hash(token).into()])?;
    Ok(())
}

/// The person of a session, and whether the session is to be kept alive by [`keep_alive`].
///
/// # Errors
/// The database fails.
pub fn of_session(
    t: &mut dyn Transaction,
    now: Time,
    token: &str,
) -> Result<Option<(Person, bool)>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS}, session.seen_at FROM session JOIN person ON person.id = session.person \
         WHERE session.token_hash = $1 AND session.ends_at > $2 AND person.revoked = 0"
    );
    let Some(row) = t.one(&sql, &[hash(token).into(), now.text().into()])? else { return Ok(None) };
    Ok(Some((person(&row)?, row.text(4)? < now.plus_s(-SEEN_S).text())))
}

/// Lets a session last for twelve hours from now.
///
/// # Errors
/// The database fails.
pub fn keep_alive(t: &mut dyn Transaction, now: Time, token: &str) -> Result<(), StoreError> {
    let sql = "UPDATE session SET seen_at = $2, ends_at = $3 WHERE token_hash = $1";
    t.execute(sql, &[hash(token).into(), now.text().into(), now.plus_s(IDLE_S).text().into()])?;
    let sql = "UPDATE person SET seen_at = $2 WHERE id = (SELECT person FROM session WHERE token_hash = $1)";
    t.execute(sql, &[hash(token).into(), now.text().into()])?;
    Ok(())
}

/// The person of a token of a program.
///
/// # Errors
/// The database fails.
pub fn of_token(t: &mut dyn Transaction, token: &str) -> Result<Option<Person>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM token JOIN person ON person.id = token.person \
         WHERE token.hash = $1 AND person.revoked = 0"
    );
    t.one(&sql, &[hash(token).into()])?.map(|row| person(&row)).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::store::Database;

    const T0: Time = Time::from_unix_ms(1_000_000_000_000);

    fn database() -> (tempfile::TempDir, Database) {
        let folder = tempfile::tempdir().unwrap();
        let database = Database::open(folder.path().join("judge.db").to_str().unwrap()).unwrap();
        database.write(|t| add(t, T0, "x", ("ada", PersonRole::Admin, None), &[])).unwrap();
        (folder, database)
    }

    fn code(database: &Database) -> String {
        database.write(|t| new_code(t, T0, "x", "ada")).unwrap()
    }

    fn opened(database: &Database, code: &str, at: Time) -> Option<String> {
        database.write(|t| log_in(t, at, code)).unwrap().map(|(_, token)| token)
    }

    #[test]
    fn a_code_works_once_and_for_a_day() {
        let (_folder, database) = database();
        let late = code(&database);
        assert_eq!(opened(&database, &late, T0.plus_s(CODE_S)), None);
        let replaced = code(&database);
        let last = code(&database);
        assert_eq!((replaced.len(), opened(&database, &replaced, T0)), (26, None), "the newest works alone");
        assert!(opened(&database, &last, T0).is_some());
        assert_eq!(opened(&database, &last, T0), None);
        assert_eq!(opened(&database, "' OR 1=1 --", T0), None);
    }

    #[test]
    fn a_session_ends_after_twelve_idle_hours_and_with_its_person() {
        let (_folder, database) = database();
        database.write(|t| add(t, T0, "x", ("bob", PersonRole::Admin, None), &[])).unwrap();
        let token = opened(&database, &code(&database), T0).unwrap();
        let who =
            |at: Time| database.read(|t| of_session(t, at, &token)).unwrap().map(|(p, old)| (p.name, old));
        assert_eq!(who(T0), Some(("ada".into(), false)));
        assert_eq!(who(T0.plus_s(SEEN_S + 1)), Some(("ada".into(), true)));
        assert_eq!(who(T0.plus_s(IDLE_S)), None);
        database.write(|t| keep_alive(t, T0.plus_s(3600), &token)).unwrap();
        assert!(who(T0.plus_s(IDLE_S)).is_some());
        let bearer = database.write(|t| new_token(t, T0, "x", "ada")).unwrap();
        assert!(database.read(|t| of_token(t, &bearer)).unwrap().is_some());
        database.write(|t| revoke(t, T0, "x", "ada")).unwrap();
        assert_eq!(who(T0), None);
        assert_eq!(database.read(|t| of_token(t, &bearer)).unwrap(), None);
        database.write(|t| add(t, T0, "x", ("ada", PersonRole::Viewer, None), &[])).unwrap();
        assert_eq!(who(T0), None, "a namesake is somebody else");
    }

    #[test]
    fn no_secret_is_stored() {
        let (folder, database) = database();
        let code = code(&database);
        let token = opened(&database, &code, T0).unwrap();
        let bearer = database.write(|t| new_token(t, T0, "x", "ada")).unwrap();
        database.copy_to(&folder.path().join("copy.db")).unwrap();
        let bytes = std::fs::read(folder.path().join("copy.db")).unwrap();
        for secret in [code, token, bearer] {
            assert!(!bytes.windows(secret.len()).any(|part| part == secret.as_bytes()));
        }
    }

    #[test]
    fn who_makes_no_sense_is_refused() {
        let (_folder, database) = database();
        let teams = ["A".to_owned()];
        let added = |name: &str, role, team| {
            database.write(|t| add(t, T0, "x", (name, role, team), &teams)).map(|_| ())
        };
        let long = "x".repeat(81);
        for name in ["", " ", "a\nb", &long] {
            assert!(matches!(added(name, PersonRole::Judge, None), Err(AccountError::Name)), "{name}");
        }
        assert!(matches!(added("ada", PersonRole::Judge, None), Err(AccountError::Known(_))));
        assert!(matches!(added("b", PersonRole::Team, None), Err(AccountError::Team(_))));
        assert!(matches!(added("b", PersonRole::Team, Some("B")), Err(AccountError::Team(_))));
        assert!(matches!(added("b", PersonRole::Judge, Some("A")), Err(AccountError::Team(_))));
        added("b", PersonRole::Team, Some("A")).unwrap();
        let gone = database.write(|t| revoke(t, T0, "x", "ada"));
        assert!(matches!(gone, Err(AccountError::LastAdmin(_))));
    }
}
