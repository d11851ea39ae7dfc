//! The contest as a folder that `mapjudge contest` judges to the very bytes that were shown.

use std::fs;
use std::path::Path;

use mapjudge::contest::file_names;
use serde_json::{Value as Json, json};

use super::basis::{Basis, FileRef};
use super::chain::{self, Event, Head, head};
use super::jobs::JobsError;
use super::jobs::materialise::{LoadedContest, copy_all, write_file, write_folder};
use super::jobs::queue::handed_in_files;
use super::objects::Objects;
use super::store::{Database, StoreError, Transaction};

/// A longer basis is none of ours.
const MAX_BASIS_BYTES: u64 = 256 << 20;
/// Of an export, what the server showed and knew lies here.
pub const RECORD: &str = "record";

/// How much is exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// What counts.
    Counted,
    /// All submissions and events as well.
    All,
}

/// What was exported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// The ranking, by its event.
    pub ranking: i64,
    /// Name of the contest file.
    pub contest: String,
}

/// Writes the contest as it was ranked last, or last up to an event, into an empty folder. What was shown lies in
/// `record/contest.json` below it.
///
/// # Errors
/// There is no ranking yet, the folder holds something, an object is missing, or the disk refuses.
pub fn export(
    database: &Database,
    objects: &Objects,
    to: &Path,
    at: Option<i64>,
    extent: Extent,
) -> Result<Exported, JobsError> {
    if fs::read_dir(to).is_ok_and(|mut entries| entries.next().is_some()) {
        return Err(JobsError::content(format!("{}: the folder is not empty", to.display())));
    }
    let (ranking, body) = database
        .read(|t| ranking_body(t, at))?
        .ok_or_else(|| JobsError::content("no ranking was made yet, or none so early"))?;
    let basis = basis(objects, &body)?;
    let loaded = LoadedContest::load(&basis.sources, objects)?;
    write_folder(&loaded, &basis, objects, to)?;
    let record = to.join(RECORD);
    let blake3 = body["contest_json"].as_str().unwrap_or_default().to_owned();
    let shown = FileRef { name: "contest.json".to_owned(), blake3, bytes: 0 };
    copy_all([&shown], objects, &record)?;
    write_file(&record, "head.json", json!(database.read(|t| head_at(t, at))?).to_string().as_bytes())?;
    if extent == Extent::All {
        write_events(database, &record)?;
        write_submissions(database, objects, &record)?;
    }
    Ok(Exported { ranking, contest: basis.sources.contest })
}

/// The end of the chain, or of its part up to an event: printed on sheets and bundles that are made of the export.
fn head_at(t: &mut dyn Transaction, at: Option<i64>) -> Result<Head, StoreError> {
    let Some(at) = at else { return head(t) };
    let sql = "SELECT seq, hash FROM event WHERE seq <= $1 ORDER BY seq DESC LIMIT 1";
    let row = t.one(sql, &[at.into()])?;
    row.map_or_else(|| head(t), |row| Ok(Head { seq: row.int(0)?, hash: row.text(1)? }))
}

/// The event of a ranking that is no draft: the last, or the last up to an event, or that of the publication with this very
/// event.
fn ranking_body(t: &mut dyn Transaction, at: Option<i64>) -> Result<Option<(i64, Json)>, StoreError> {
    let published = match at {
        Some(at) => t.one("SELECT ranking FROM publication WHERE seq = $1", &[at.into()])?,
        None => None,
    };
    let upto = published.map(|row| row.int(0)).transpose()?.or(at).unwrap_or(i64::MAX);
    // A draft that was published is what was shown.
    let sql = "SELECT ranking.seq, event.body FROM ranking JOIN event ON event.seq = ranking.seq \
               WHERE ranking.seq = $1 OR (ranking.seq < $1 AND draft_of IS NULL) ORDER BY ranking.seq DESC LIMIT 1";
    let row = t.one(sql, &[upto.into()])?;
    row.map(|row| Ok((row.int(0)?, row.json(1)?))).transpose()
}

/// The basis of a ranking, by the body of its event.
///
/// # Errors
/// The object is missing or no basis.
pub fn basis(objects: &Objects, body: &Json) -> Result<Basis, JobsError> {
    let hash = body["basis"].as_str().unwrap_or_default();
    let bytes = objects.read(hash, MAX_BASIS_BYTES).map_err(JobsError::files("the basis of the ranking"))?;
    serde_json::from_slice(&bytes).map_err(|error| JobsError::content(format!("the basis: {error}")))
}

/// One event per line, as the chain has them.
fn write_events(database: &Database, record: &Path) -> Result<(), JobsError> {
    let mut lines = Vec::new();
    let mut keep = |event: &Event| {
        // An event that was read from JSON can be written as JSON.
        if serde_json::to_writer(&mut lines, event).is_ok() {
            lines.push(b'\n');
        }
    };
    let walked = database.read(|t| Ok::<_, StoreError>(chain::walk(t, &mut keep)))?;
    walked.map_err(|error| JobsError::content(error.to_string()))?;
    write_file(record, "events.jsonl", &lines)
}

/// Every submission as it came: `submissions/TEAM/MISSION/NUMBER/..`.
fn write_submissions(database: &Database, objects: &Objects, record: &Path) -> Result<(), JobsError> {
    let sql = "SELECT id, team, mission, number FROM submission ORDER BY team, mission, number";
    let rows = database.read(|t| t.query(sql, &[]))?;
    let names = |column: usize| -> Result<Vec<String>, StoreError> {
        let mut names = rows.iter().map(|row| row.text(column)).collect::<Result<Vec<_>, _>>()?;
        names.sort();
        names.dedup();
        Ok(names)
    };
    let (teams, missions) = (names(1)?, names(2)?);
    let short = |names: &[String], name: &str| {
        let place = names.binary_search_by(|known| known.as_str().cmp(name)).unwrap_or(0);
        file_names(names.iter().map(String::as_str)).swap_remove(place)
    };
    for row in &rows {
        let files = database.read(|t| handed_in_files(t, &row.text(0)?))?;
        let folder = record
            .join("submissions")
            .join(short(&teams, &row.text(1)?))
            .join(short(&missions, &row.text(2)?))
            .join(row.int(3)?.to_string());
        copy_all(&files, objects, &folder)?;
    }
    Ok(())
}
