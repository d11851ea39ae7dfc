//! What is to be done, out of the tables: nothing is lost that has no job, and a ranking follows every change.

use std::time::Duration;

use serde_json::Value as Json;

use super::JobsError;
use super::record::OF_REJUDGING;
use crate::contest::basis::{Basis, CountedSubmission, FileRef, Sources};
use crate::contest::clock::Time;
use crate::contest::counting::{Counted, counted};
use crate::contest::decisions::{self, Decision};
use crate::contest::jobs::materialise::LoadedContest;
use crate::contest::store::job_table::{JobKind, enqueue};
use crate::contest::store::{Database, Row, StoreError, Transaction};
use mapjudge::files::contest::{Counts, Number, SignedValue};

/// A change is ranked when nothing followed it for so long.
const QUIET: Duration = Duration::from_secs(1);
/// While changes follow each other a ranking is made this often.
const RANKED_AT_LEAST: Duration = Duration::from_secs(10);
/// After a ranking that took longer than this, workers do other things for so many times as long.
const RANKS_LONG: Duration = Duration::from_secs(2);
const RESTS_TIMES: i64 = 4;
/// How often missing jobs are looked for.
pub const DERIVED_EVERY: Duration = Duration::from_secs(60);
/// Subject of the ranking that judges see.
pub const RANK_ALL: &str = "all";
/// Between a submission and the rejudging for which it is measured, in the subject of a job.
pub const FOR_REJUDGING: char = '@';

/// Events after which a ranking may be another one.
const MOVES_SCORES: &str = "'measured', 'submission_broken', 'value_entered', 'value_removed', 'frame_saved', 'frame_removed', \
                            'counts_chosen', 'counts_released', 'rejudging_applied', 'contest_opened'";

/// The contest that rankings rest on: as it was opened, or the last change of its folder that judges applied.
///
/// # Errors
/// The database fails.
pub fn sources(t: &mut dyn Transaction) -> Result<Option<Sources>, StoreError> {
    let sql = "SELECT event.body FROM rejudging JOIN event ON event.seq = rejudging.seq WHERE rejudging.state = 'applied'";
    let mut applied = Vec::new();
    for row in t.query(sql, &[])? {
        applied.extend(row.json(0)?["contest"].as_i64());
    }
    for row in t.query(OPENED, &[])? {
        if row.text(1)? == "contest_opened" || applied.contains(&row.int(0)?) {
            return parsed(&row).map(Some);
        }
    }
    Ok(None)
}

/// The contest as the server found it last, whatever was decided about it.
///
/// # Errors
/// The database fails.
pub fn newest_sources(t: &mut dyn Transaction) -> Result<Option<Sources>, StoreError> {
    t.one(&format!("{OPENED} LIMIT 1"), &[])?.map(|row| parsed(&row)).transpose()
}

const OPENED: &str =
    "SELECT seq, kind, body FROM event WHERE kind IN ('contest_opened', 'contest_changed') ORDER BY seq DESC";

fn parsed(row: &Row) -> Result<Sources, StoreError> {
    serde_json::from_value(row.json(2)?).map_err(|error| StoreError::Row(error.to_string()))
}

/// The changed contest that a rejudging is the draft of; none if it is one of submissions.
///
/// # Errors
/// The database fails.
pub fn sources_of_draft(t: &mut dyn Transaction, rejudging: &str) -> Result<Option<Sources>, StoreError> {
    let sql = "SELECT body FROM event WHERE subject = $1 AND kind = 'rejudging_made'";
    let made = t.one(sql, &[rejudging.into()])?.map(|row| row.json(0)).transpose()?;
    let Some(seq) = made.and_then(|body| body["contest"].as_i64()) else { return Ok(None) };
    let sql = "SELECT seq, kind, body FROM event WHERE seq = $1";
    t.one(sql, &[seq.into()])?.map(|row| parsed(&row)).transpose()
}

/// The files of a submission as they are judged: those of an archive in its place.
///
/// # Errors
/// The database fails.
pub fn judged_files(t: &mut dyn Transaction, submission: &str) -> Result<Vec<FileRef>, StoreError> {
    let sql =
        "SELECT body FROM event WHERE subject = $1 AND kind = 'submission_checked' ORDER BY seq DESC LIMIT 1";
    let checked = t.one(sql, &[submission.into()])?.map(|row| row.json(0)).transpose()?;
    if let Some(unpacked) = checked.map(|body| body["unpacked"].clone()).filter(|files| !files.is_null()) {
        return serde_json::from_value(unpacked).map_err(|error| StoreError::Row(error.to_string()));
    }
    handed_in_files(t, submission)
}

/// The files of a submission as they came.
///
/// # Errors
/// The database fails.
pub fn handed_in_files(t: &mut dyn Transaction, submission: &str) -> Result<Vec<FileRef>, StoreError> {
    let sql = "SELECT name, blake3, bytes FROM submission_file WHERE submission = $1 ORDER BY name";
    let file = |row: &Row| {
        let bytes = u64::try_from(row.int(2)?).unwrap_or(0);
        Ok(FileRef { name: row.text(0)?, blake3: row.text(1)?, bytes })
    };
    t.query(sql, &[submission.into()])?.iter().map(file).collect()
}

/// The transform file that a judge saved for a submission.
fn saved_frame(t: &mut dyn Transaction, submission: &str) -> Result<Option<String>, StoreError> {
    let made = decisions::of_submission(t, Decision::Frame, submission)?;
    Ok(made.last().and_then(|made| made.value.as_str()).map(str::to_owned))
}

/// What is judged of one submission.
///
/// # Errors
/// The database fails.
pub fn entry_of(t: &mut dyn Transaction, submission: &str) -> Result<CountedSubmission, StoreError> {
    let number = t.one("SELECT number FROM submission WHERE id = $1", &[submission.into()])?;
    Ok(CountedSubmission {
        submission: Some(submission.to_owned()),
        number: number.map(|row| row.int(0)).transpose()?,
        files: judged_files(t, submission)?,
        frame: saved_frame(t, submission)?,
        ..CountedSubmission::default()
    })
}

/// What counts now, and what of it was not measured yet.
#[derive(Clone, Debug)]
pub struct Standing {
    /// What a ranking would rest on.
    pub basis: Basis,
    /// Counted submissions that have to be measured before.
    pub missing: Vec<String>,
    /// The last event that was looked at.
    pub upto_seq: i64,
}

/// What counts now; of a rejudging, what it measured anew.
///
/// # Errors
/// The database fails.
pub fn standing(
    t: &mut dyn Transaction,
    loaded: &LoadedContest,
    rejudging: Option<&str>,
) -> Result<Standing, StoreError> {
    let settings = loaded.folder.file.serve.clone().unwrap_or_default();
    let counts: Counted = counted(t, settings.counts == Counts::Chosen)?;
    let mut basis = loaded.empty_basis();
    let mut places = Vec::new();
    for ((team, mission), (submission, _)) in counts {
        let Some(place) = loaded.place(&team, &mission) else { continue };
        let mut entry = entry_of(t, &submission)?;
        for opinions in decisions::values(t, &submission, settings.judges)? {
            let Some(value) = opinions.value.as_ref().and_then(number) else { continue };
            let joined = |part: fn(&decisions::Made) -> &String| {
                let all: Vec<&str> = opinions.opinions.iter().map(|made| part(made).as_str()).collect();
                Some(all.join("; ")).filter(|words| !words.is_empty())
            };
            let signed =
                SignedValue { value, by: joined(|made| &made.by), reason: joined(|made| &made.reason) };
            entry.values.insert(opinions.name, signed);
        }
        basis.entries[place.0][place.1] = entry;
        places.push((place, submission));
    }
    let written = loaded.with(&basis);
    let mut missing = Vec::new();
    for (place, submission) in places {
        let key = loaded.key(&written, &basis, place).unwrap_or_default();
        let entry = &mut basis.entries[place.0][place.1];
        entry.measured = measured(t, &submission, &key, rejudging)?;
        if entry.measured.is_some() {
            continue;
        }
        entry.broken = death(t, &submission, rejudging)?;
        if entry.broken.is_none() {
            missing.push(submission);
        }
    }
    let upto_seq = crate::contest::chain::head(t)?.seq;
    Ok(Standing { basis, missing, upto_seq })
}

/// A number or list of numbers, as a judge enters it.
#[must_use]
pub fn number(value: &Json) -> Option<Number> {
    match value {
        Json::Array(list) => Some(Number::List(list.iter().map(Json::as_f64).collect::<Option<_>>()?)),
        one => one.as_f64().map(Number::One),
    }
}

/// The hash of a measurement: of a rejudging where that made one.
fn measured(
    t: &mut dyn Transaction,
    submission: &str,
    key: &str,
    rejudging: Option<&str>,
) -> Result<Option<String>, StoreError> {
    let sql = "SELECT measured FROM measurement WHERE submission = $1 AND key = $2";
    let keys = rejudging.map(|id| format!("{key}{OF_REJUDGING}{id}")).into_iter().chain([key.to_owned()]);
    for key in keys {
        if let Some(row) = t.one(sql, &[submission.into(), key.into()])? {
            return row.text(0).map(Some);
        }
    }
    Ok(None)
}

/// Whether a submission needs no measurement: it has one under this key, for a rejudging one of its own. What a changed
/// contest leaves as it was is not measured again for its draft.
///
/// # Errors
/// The database fails.
pub fn is_measured(
    t: &mut dyn Transaction,
    submission: &str,
    key: &str,
    rejudging: Option<&str>,
) -> Result<bool, StoreError> {
    let sql = "SELECT 1 FROM measurement JOIN submission ON submission.id = measurement.submission \
               WHERE measurement.submission = $1 AND key = $2 AND state IN ('measured', 'broken')";
    let mut has = |key: &str| Ok::<_, StoreError>(t.one(sql, &[submission.into(), key.into()])?.is_some());
    let Some(id) = rejudging else { return has(key) };
    if has(&format!("{key}{OF_REJUDGING}{id}"))? {
        return Ok(true);
    }
    let is_as_it_was = has(key)?;
    Ok(is_as_it_was && sources_of_draft(t, id)?.is_some())
}

/// Why a submission was given up without a measurement.
fn death(
    t: &mut dyn Transaction,
    submission: &str,
    rejudging: Option<&str>,
) -> Result<Option<String>, StoreError> {
    if let Some(id) = rejudging {
        let subject = format!("{submission}{FOR_REJUDGING}{id}");
        let sql =
            "SELECT error FROM job WHERE subject = $1 AND kind = 'measure' AND state = 'failed' LIMIT 1";
        if let Some(row) = t.one(sql, &[subject.into()])? {
            return row.text_or_none(0);
        }
    }
    let sql = "SELECT error FROM submission WHERE id = $1 AND state = 'broken'";
    t.one(sql, &[submission.into()])?.map_or(Ok(None), |row| row.text_or_none(0))
}

/// Adds the jobs that are missing: submissions without findings, without a measurement, rejudgings that stand still.
///
/// # Errors
/// The database fails.
pub fn derive_missing(database: &Database, at: Time) -> Result<usize, StoreError> {
    let lacking = |state: &str, kind: JobKind| {
        format!(
            "SELECT id FROM submission WHERE state = '{state}' AND NOT EXISTS (SELECT 1 FROM job \
             WHERE subject = submission.id AND kind = '{}' AND state IN ('waiting', 'leased'))",
            kind.name()
        )
    };
    let all = [("received", JobKind::Lint), ("checked", JobKind::Measure)];
    let find = |t: &mut dyn Transaction| -> Result<Vec<(JobKind, String)>, StoreError> {
        let mut found = Vec::new();
        for (state, kind) in all {
            for row in t.query(&lacking(state, kind), &[])? {
                found.push((kind, row.text(0)?));
            }
        }
        Ok(found)
    };
    // Most of the time nothing is missing, and nobody is kept from writing.
    if database.read(find)?.is_empty() {
        return Ok(0);
    }
    database.write(|t| {
        let missing = find(t)?;
        for (kind, subject) in &missing {
            enqueue(t, at, *kind, subject, kind.priority())?;
        }
        Ok(missing.len())
    })
}

/// Sees to it that a ranking follows every change, and that no job is missing. One per contest, in the server.
#[derive(Debug)]
pub struct Ranker {
    ranked_upto: i64,
    derived_at: Option<Time>,
    /// Since when a worker makes a ranking.
    ranks_since: Option<Time>,
    rests_until: Option<Time>,
}

impl Ranker {
    /// Begins where the last ranking ended.
    ///
    /// # Errors
    /// The database fails.
    pub fn new(database: &Database) -> Result<Self, StoreError> {
        let sql = "SELECT max(upto_seq) FROM ranking WHERE draft_of IS NULL";
        let row = database.read(|t| t.one(sql, &[]))?;
        let ranked_upto = row.map(|row| row.int_or_none(0)).transpose()?.flatten().unwrap_or(0);
        Ok(Self { ranked_upto, derived_at: None, ranks_since: None, rests_until: None })
    }

    /// To be called several times a second.
    ///
    /// # Errors
    /// The database fails.
    pub fn look(&mut self, database: &Database, now: Time) -> Result<(), StoreError> {
        let is_due = |at: Time| now >= at.plus_s(i64::try_from(DERIVED_EVERY.as_secs()).unwrap_or(60));
        if self.derived_at.is_none_or(is_due) {
            derive_missing(database, now)?;
            self.derived_at = Some(now);
        }
        let sql = format!(
            "SELECT max(seq), min(at), max(at) FROM event WHERE seq > $1 AND kind IN ({MOVES_SCORES})"
        );
        let Some(row) = database.read(|t| t.one(&sql, &[self.ranked_upto.into()]))? else { return Ok(()) };
        let Some(last) = row.int_or_none(0)? else { return self.rank_rejudgings(database, now) };
        let (first_at, last_at) = (row.text(1)?, row.text(2)?);
        let before = |passed: Duration| now.plus_s(-i64::try_from(passed.as_secs()).unwrap_or(0)).text();
        let is_asked = last_at <= before(QUIET) || first_at <= before(RANKED_AT_LEAST);
        if self.may_rank(database, now)? && is_asked {
            database.write(|t| enqueue(t, now, JobKind::Rank, RANK_ALL, JobKind::Rank.priority()))?;
            self.ranked_upto = last;
        }
        self.rank_rejudgings(database, now)
    }

    /// Whether a ranking may be asked for: no worker makes one, and the last one took a small part of the time. One of
    /// thousands of teams takes long, and must not keep workers from measuring.
    fn may_rank(&mut self, database: &Database, now: Time) -> Result<bool, StoreError> {
        let sql = "SELECT 1 FROM job WHERE subject = $1 AND kind = 'rank' AND state = 'leased' AND lease_until >= $2 LIMIT 1";
        if database.read(|t| t.one(sql, &[RANK_ALL.into(), now.text().into()]))?.is_some() {
            self.ranks_since.get_or_insert(now);
            return Ok(false);
        }
        if let Some(since) = self.ranks_since.take() {
            let took_s = i64::try_from(now.since(since).as_secs()).unwrap_or(0);
            let is_long = now.since(since) > RANKS_LONG;
            self.rests_until = is_long.then(|| now.plus_s(RESTS_TIMES * took_s));
        }
        Ok(self.rests_until.is_none_or(|until| now >= until))
    }

    /// Ranks rejudgings of which everything was measured anew.
    fn rank_rejudgings(&self, database: &Database, now: Time) -> Result<(), StoreError> {
        let running = database.read(|t| t.query("SELECT id FROM rejudging WHERE state = 'running'", &[]))?;
        for row in running {
            let id = row.text(0)?;
            let of_it = format!("%{FOR_REJUDGING}{id}");
            let waits = |t: &mut dyn Transaction| {
                let open = "SELECT 1 FROM job WHERE kind = 'measure' AND subject LIKE $1 AND state IN ('waiting', 'leased') LIMIT 1";
                let ranked = "SELECT 1 FROM job WHERE kind = 'rank' AND subject = $1 AND state IN ('waiting', 'leased') LIMIT 1";
                let subject = format!("{FOR_REJUDGING}{id}");
                Ok::<_, StoreError>(
                    t.one(open, &[(&of_it).into()])?.is_some() || t.one(ranked, &[subject.into()])?.is_some(),
                )
            };
            if !database.read(waits)? {
                let subject = format!("{FOR_REJUDGING}{id}");
                database.write(|t| enqueue(t, now, JobKind::Rank, &subject, JobKind::Rank.priority()))?;
            }
        }
        Ok(())
    }
}

impl From<JobsError> for StoreError {
    fn from(error: JobsError) -> Self {
        match error {
            JobsError::Store(error) => error,
            other => Self::Failed(other.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::store::job_table::MAX_ATTEMPTS;

    #[test]
    fn a_long_ranking_is_made_once_at_a_time_and_leaves_time_to_measure() {
        let folder = tempfile::tempdir().unwrap();
        let database = Database::open(folder.path().join("judge.db").to_str().unwrap()).unwrap();
        let at = |seconds: i64| Time::from_unix_ms(1_000_000_000_000).plus_s(seconds);
        let change = |seconds: i64| {
            let (now, body) = (at(seconds), serde_json::json!({}));
            let event =
                crate::contest::chain::NewEvent { person: "jo", kind: "value_entered", subject: "s", body };
            database.write(|t| crate::contest::chain::append(t, now, event)).unwrap();
        };
        let mut ranker = Ranker::new(&database).unwrap();
        let mut asks = |seconds: i64| {
            ranker.look(&database, at(seconds)).unwrap();
            let sql = "SELECT count(*) FROM job WHERE kind = 'rank' AND state = 'waiting'";
            database.read(|t| t.one(sql, &[])).unwrap().unwrap().int(0).unwrap() == 1
        };
        change(0);
        assert!(asks(1), "after a second of quiet");
        let job = database.lease("w", "1", at(1)).unwrap().unwrap();
        assert_eq!((job.kind, job.attempt < MAX_ATTEMPTS), (JobKind::Rank, true));
        change(2);
        assert!(!asks(12), "one is made");
        assert!(database.finish(&job, at(22), |_| Ok::<_, StoreError>(())).unwrap());
        assert!(!asks(22) && !asks(60), "it took ten seconds: others have forty");
        assert!(asks(62), "nothing is forgotten");
    }

    #[test]
    fn jobs_that_were_lost_are_made_again_within_a_minute() {
        use crate::contest::accept::received;
        use crate::contest::objects::Object;
        let folder = tempfile::tempdir().unwrap();
        let database = Database::open(folder.path().join("judge.db").to_str().unwrap()).unwrap();
        let at = |seconds: i64| Time::from_unix_ms(1_000_000_000_000).plus_s(seconds);
        let object = Object { hash: "0".repeat(64), bytes: 1 };
        let files = std::collections::BTreeMap::from([("map.tif".to_owned(), object)]);
        let received = |t: &mut dyn Transaction| received(t, at(0), "al", ("A", ""), &files, false);
        let id = database.write(received).unwrap().subject;
        let mut ranker = Ranker::new(&database).unwrap();
        let mut found = |seconds: i64| {
            ranker.look(&database, at(seconds)).unwrap();
            let job = database.lease("w", "1", at(seconds)).unwrap()?;
            assert!(database.finish(&job, at(seconds), |_| Ok::<_, StoreError>(())).unwrap());
            Some((job.kind, job.subject))
        };
        assert_eq!(found(1), Some((JobKind::Lint, id.clone())), "no job was made with it");
        assert_eq!(found(60), None, "looked for every minute");
        let checked = "UPDATE submission SET state = 'checked'";
        database.write(|t| t.execute(checked, &[])).unwrap();
        assert_eq!(found(62), Some((JobKind::Measure, id)));
        database.write(|t| t.execute("UPDATE submission SET state = 'measured'", &[])).unwrap();
        assert_eq!(found(130), None);
    }
}
