//! The job table: a cache of what is to be done. A worker leases a job, renews the lease while it works, and ends it by
//! compare-and-set on (id, worker, attempt), so that the result of a worker that was given up is dropped.

use serde_json::json;

use super::schema::{meta, set_meta};
use super::{Database, Row, StoreError, Transaction};
use crate::contest::chain::{NewEvent, PROGRAM, append};
use crate::contest::clock::{Time, new_id};

/// Seconds of a lease.
pub const LEASE_S: i64 = 60;
/// After so many deaths a job is given up.
pub const MAX_ATTEMPTS: i64 = 3;
/// The setting that names the program whose workers may take jobs.
const PROGRAM_VERSION: &str = "program";

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum JobKind {
    /// Findings of a submission.
    Lint,
    /// Its measurement.
    Measure,
    /// A search for the transform of its map.
    Align,
    /// A ranking.
    Rank,
    /// A folder of the whole contest.
    Export,
}

impl JobKind {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Lint, Self::Measure, Self::Align, Self::Rank, Self::Export];

    /// The word in the table.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lint => "lint",
            Self::Measure => "measure",
            Self::Align => "align",
            Self::Rank => "rank",
            Self::Export => "export",
        }
    }

    /// Larger is done first: people wait for findings.
    #[must_use]
    pub const fn priority(self) -> i64 {
        match self {
            Self::Lint => 100,
            Self::Align => 80,
            Self::Rank => 60,
            Self::Measure => 40,
            Self::Export => 20,
        }
    }

    fn of(name: &str) -> Result<Self, StoreError> {
        let known = Self::ALL.into_iter().find(|kind| kind.name() == name);
        known.ok_or_else(|| StoreError::Row(format!("no job is a '{name:.20}'")))
    }
}

/// A job that a worker holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Id.
    pub id: String,
    /// What is to be done.
    pub kind: JobKind,
    /// The submission, or what else it is about.
    pub subject: String,
    /// The how-manieth attempt, from 1.
    pub attempt: i64,
    /// Who holds it.
    pub worker: String,
}

/// Adds a job, unless the same one waits already.
///
/// # Errors
/// The database fails.
pub fn enqueue(
    t: &mut dyn Transaction,
    at: Time,
    kind: JobKind,
    subject: &str,
    priority: i64,
) -> Result<(), StoreError> {
    let id = new_id(at).map_err(|error| StoreError::Failed(error.to_string()))?;
    let sql = "INSERT INTO job (id, kind, subject, priority, state, attempts, made_at) \
               VALUES ($1, $2, $3, $4, 'waiting', 0, $5) ON CONFLICT DO NOTHING";
    let params = [id.into(), kind.name().into(), subject.into(), priority.into(), at.text().into()];
    t.execute(sql, &params)?;
    Ok(())
}

/// Names the program whose workers may take jobs: the one that serves.
///
/// # Errors
/// The database fails.
pub fn set_program(database: &Database, version: &str) -> Result<(), StoreError> {
    database.write(|t| set_meta(t, PROGRAM_VERSION, version))
}

impl Database {
    /// Takes the most urgent job. None: nothing waits, or the worker is of another program.
    ///
    /// # Errors
    /// The database fails.
    pub fn lease(&self, worker: &str, version: &str, now: Time) -> Result<Option<Job>, StoreError> {
        let is_waiting = |t: &mut dyn Transaction| -> Result<bool, StoreError> {
            let sql = "SELECT 1 FROM job WHERE state = 'waiting' OR (state = 'leased' AND lease_until < $1) LIMIT 1";
            Ok(t.one(sql, &[now.text().into()])?.is_some())
        };
        // Most of the time nothing waits, and nobody is kept from writing.
        if !self.read(is_waiting)? {
            return Ok(None);
        }
        self.write(|t| {
            if meta(t, PROGRAM_VERSION)?.is_some_and(|known| known != version) {
                return Ok(None);
            }
            give_up_dead(t, now)?;
            let Some(row) = most_urgent(t, now)? else { return Ok(None) };
            let (id, attempt) = (row.text(0)?, row.int(3)? + 1);
            let sql = "UPDATE job SET state = 'leased', leased_by = $2, lease_until = $3, attempts = $4 WHERE id = $1";
            let until = now.plus_s(LEASE_S).text();
            t.execute(sql, &[(&id).into(), worker.into(), until.into(), attempt.into()])?;
            let (kind, subject) = (JobKind::of(&row.text(1)?)?, row.text(2)?);
            Ok(Some(Job { id, kind, subject, attempt, worker: worker.to_owned() }))
        })
    }

    /// Keeps a job for another minute; false: it was given to somebody else.
    ///
    /// # Errors
    /// The database fails.
    pub fn renew(&self, job: &Job, now: Time) -> Result<bool, StoreError> {
        let sql = "UPDATE job SET lease_until = $4 WHERE id = $1 AND leased_by = $2 AND attempts = $3 AND state = 'leased'";
        let until = now.plus_s(LEASE_S).text();
        let params = [(&job.id).into(), (&job.worker).into(), job.attempt.into(), until.into()];
        Ok(self.write(|t| t.execute(sql, &params))? == 1)
    }

    /// Ends a job and writes its result, in one transaction; false: it was given to somebody else, and nothing is written.
    ///
    /// # Errors
    /// The work fails, or the database does.
    pub fn finish<E: From<StoreError>>(
        &self,
        job: &Job,
        now: Time,
        work: impl FnOnce(&mut dyn Transaction) -> Result<(), E>,
    ) -> Result<bool, E> {
        self.write(|t| {
            if !close(t, job, now, "done", None)? {
                return Ok(false);
            }
            work(t)?;
            Ok(true)
        })
    }

    /// Gives a job back after its attempt failed; after three it is given up, and its submission is broken.
    ///
    /// # Errors
    /// The database fails.
    pub fn fail(&self, job: &Job, now: Time, why: &str) -> Result<bool, StoreError> {
        self.write(|t| {
            if job.attempt < MAX_ATTEMPTS {
                return close(t, job, now, "waiting", Some(why));
            }
            let is_ours = close(t, job, now, "failed", Some(why))?;
            if is_ours {
                break_submission(t, now, &job.subject, why)?;
            }
            Ok(is_ours)
        })
    }
}

/// Of what waits and what was leased for too long. Each is found by the index: thousands may wait.
fn most_urgent(t: &mut dyn Transaction, now: Time) -> Result<Option<Row>, StoreError> {
    const COLUMNS: &str = "SELECT id, kind, subject, attempts, priority FROM job";
    let order = "ORDER BY priority DESC, id LIMIT 1";
    let waiting = t.one(&format!("{COLUMNS} WHERE state = 'waiting' {order}"), &[])?;
    let sql = format!("{COLUMNS} WHERE state = 'leased' AND lease_until < $1 {order}");
    let Some(dead) = t.one(&sql, &[now.text().into()])? else { return Ok(waiting) };
    let Some(waiting) = waiting else { return Ok(Some(dead)) };
    let is_first = (waiting.int(4)?, dead.text(0)?) > (dead.int(4)?, waiting.text(0)?);
    Ok(Some(if is_first { waiting } else { dead }))
}

/// Compare-and-set on (id, worker, attempt).
fn close(
    t: &mut dyn Transaction,
    job: &Job,
    now: Time,
    state: &str,
    error: Option<&str>,
) -> Result<bool, StoreError> {
    let ours = "id = $1 AND leased_by = $2 AND attempts = $3 AND state = 'leased'";
    let key = [(&job.id).into(), (&job.worker).into(), job.attempt.into()];
    // Where the same job was asked for again meanwhile, that one does it.
    if state == "waiting" {
        let sql = "SELECT 1 FROM job WHERE kind = $1 AND subject = $2 AND state = 'waiting'";
        if t.one(sql, &[job.kind.name().into(), (&job.subject).into()])?.is_some() {
            return Ok(t.execute(&format!("DELETE FROM job WHERE {ours}"), &key)? == 1);
        }
    }
    let sql = format!(
        "UPDATE job SET state = $4, error = $5, ended_at = $6, leased_by = NULL, lease_until = NULL WHERE {ours}"
    );
    let rest = [state.into(), error.into(), now.text().into()];
    let params: Vec<_> = key.into_iter().chain(rest).collect();
    Ok(t.execute(&sql, &params)? == 1)
}

/// Jobs whose workers died three times.
fn give_up_dead(t: &mut dyn Transaction, now: Time) -> Result<(), StoreError> {
    let sql = "SELECT id, subject, error, attempts FROM job WHERE state = 'leased' AND lease_until < $1 AND attempts >= $2";
    let dead: Vec<Row> = t.query(sql, &[now.text().into(), MAX_ATTEMPTS.into()])?;
    for row in dead {
        let (id, subject, attempts) = (row.text(0)?, row.text(1)?, row.int(3)?);
        let told = row.text_or_none(2)?.map_or_else(String::new, |error| format!(": {error}"));
        let why = format!("the worker died {attempts} times{told}");
        let sql = "UPDATE job SET state = 'failed', error = $2, ended_at = $3 WHERE id = $1";
        t.execute(sql, &[id.into(), (&why).into(), now.text().into()])?;
        break_submission(t, now, &subject, &why)?;
    }
    Ok(())
}

/// Marks a submission as broken, with an event that says why. Other subjects are left alone.
///
/// # Errors
/// The database fails.
pub fn break_submission(
    t: &mut dyn Transaction,
    now: Time,
    submission: &str,
    why: &str,
) -> Result<(), StoreError> {
    let is_one = t.one("SELECT 1 FROM submission WHERE id = $1", &[submission.into()])?.is_some();
    if !is_one {
        return Ok(());
    }
    let body = json!({ "why": why });
    let event =
        append(t, now, NewEvent { person: PROGRAM, kind: "submission_broken", subject: submission, body })?;
    let sql = "UPDATE submission SET state = 'broken', error = $2, changed_seq = $3 WHERE id = $1";
    t.execute(sql, &[submission.into(), why.into(), event.seq.into()])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn database() -> (tempfile::TempDir, Database) {
        let folder = tempfile::tempdir().unwrap();
        let database = Database::open(folder.path().join("judge.db").to_str().unwrap()).unwrap();
        (folder, database)
    }

    fn add(database: &Database, kind: JobKind, subject: &str) {
        database.write(|t| enqueue(t, at(0), kind, subject, kind.priority())).unwrap();
    }

    const fn at(seconds: u64) -> Time {
        Time::from_unix_ms(1_000_000_000_000 + seconds * 1000)
    }

    fn nothing(_: &mut dyn Transaction) -> Result<(), StoreError> {
        Ok(())
    }

    #[test]
    fn the_most_urgent_job_goes_first_and_the_same_waits_once() {
        let (_folder, database) = database();
        add(&database, JobKind::Measure, "a");
        add(&database, JobKind::Measure, "a");
        add(&database, JobKind::Lint, "b");
        let first = database.lease("w", "1", at(1)).unwrap().unwrap();
        assert_eq!((first.kind, first.attempt), (JobKind::Lint, 1));
        assert_eq!(database.lease("v", "1", at(1)).unwrap().unwrap().kind, JobKind::Measure);
        assert_eq!(database.lease("w", "1", at(1)).unwrap(), None);
        assert!(database.finish(&first, at(2), nothing).unwrap());
        assert!(!database.finish(&first, at(2), nothing).unwrap(), "once");
    }

    #[test]
    fn the_result_of_a_worker_that_was_given_up_is_dropped() {
        let (_folder, database) = database();
        add(&database, JobKind::Measure, "a");
        let slow = database.lease("slow", "1", at(0)).unwrap().unwrap();
        assert_eq!(database.lease("fast", "1", at(60)).unwrap(), None, "the lease holds");
        assert!(database.renew(&slow, at(30)).unwrap());
        assert_eq!(database.lease("fast", "1", at(61)).unwrap(), None, "it was renewed");
        let fast = database.lease("fast", "1", at(91)).unwrap().unwrap();
        assert_eq!(fast.attempt, 2);
        let panics = |_: &mut dyn Transaction| -> Result<(), StoreError> { panic!("a zombie wrote") };
        assert!(!database.finish(&slow, at(92), panics).unwrap());
        assert!(!database.renew(&slow, at(92)).unwrap());
        assert!(database.finish(&fast, at(92), nothing).unwrap());
    }

    #[test]
    fn after_three_deaths_a_job_is_given_up_and_the_queue_goes_on() {
        let (_folder, database) = database();
        add(&database, JobKind::Measure, "a");
        add(&database, JobKind::Rank, "all");
        let mut taken = Vec::new();
        for attempt in 0..5 {
            let job = database.lease("w", "1", at(attempt * 100)).unwrap();
            taken.extend(job.map(|job| (job.subject, job.attempt)));
        }
        let expected = [("all", 1), ("all", 2), ("all", 3), ("a", 1), ("a", 2)];
        assert_eq!(taken, expected.map(|(subject, attempt)| (subject.to_owned(), attempt)));
    }

    #[test]
    fn a_failed_attempt_is_repeated_with_its_cause_kept() {
        let (_folder, database) = database();
        add(&database, JobKind::Measure, "a");
        for attempt in 1..=MAX_ATTEMPTS {
            let job = database.lease("w", "1", at(0)).unwrap().unwrap();
            assert_eq!(job.attempt, attempt);
            assert!(database.fail(&job, at(0), "out of memory").unwrap());
        }
        assert_eq!(database.lease("w", "1", at(0)).unwrap(), None);
        let row = database.read(|t| t.one("SELECT state, error FROM job", &[])).unwrap().unwrap();
        assert_eq!(
            (row.text(0).unwrap().as_str(), row.text(1).unwrap().as_str()),
            ("failed", "out of memory")
        );
    }

    #[test]
    fn a_worker_of_another_program_takes_nothing() {
        let (_folder, database) = database();
        set_program(&database, "2").unwrap();
        add(&database, JobKind::Lint, "a");
        assert_eq!(database.lease("old", "1", at(0)).unwrap(), None);
        assert!(database.lease("new", "2", at(0)).unwrap().is_some());
    }
}
