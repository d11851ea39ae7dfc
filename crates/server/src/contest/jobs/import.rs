//! What a server finds when it starts: the contest of the organisers, and files that teams have in their folders already.

use std::path::Path;

use mapjudge::files::contest::{ContestFolder, Counts};
use serde_json::json;

use super::JobsError;
use super::materialise::{files_of_team, sources};
use super::queue;
use crate::contest::basis::{FileRef, Sources};
use crate::contest::chain::{NewEvent, PROGRAM, append};
use crate::contest::clock::{Time, new_id};
use crate::contest::counting::counted;
use crate::contest::objects::Objects;
use crate::contest::replay;
use crate::contest::store::job_table::{JobKind, enqueue};
use crate::contest::store::{Database, StoreError, Transaction};

/// Why there is a draft that no judge asked for.
const CHANGED: &str = "the contest file, its profile or its truth changed";

/// Opens a contest: keeps what it rests on, says so in the chain if that is new, and makes the files in folders of teams
/// their first submissions. Returns how many those are. The path is that of a contest file or of its folder.
///
/// # Errors
/// The contest cannot be read, or database or disk refuse.
pub fn import_folders(database: &Database, objects: &Objects, path: &Path) -> Result<u64, JobsError> {
    let found = sources(path, objects)?;
    let contest = ContestFolder::from_file(path)?;
    let only_chosen = contest.file.serve.as_ref().is_some_and(|serve| serve.counts == Counts::Chosen);
    database.write(|t| open(t, &found, only_chosen))?;
    let mut made = 0;
    for team in 0..contest.file.teams.len() {
        let name = contest.file.teams[team].name.clone();
        let sql = "SELECT 1 FROM submission WHERE team = $1 LIMIT 1";
        if database.read(|t| t.one(sql, &[(&name).into()]))?.is_some() {
            continue;
        }
        let files = files_of_team(&contest, &found, team, objects)?;
        if files.is_empty() {
            continue;
        }
        for mission in &contest.file.missions {
            database.write(|t| import(t, &name, &mission.name, &files))?;
            made += 1;
        }
    }
    Ok(made)
}

/// Says what the contest rests on, if that is not what was said last. Where something was ranked already, the change counts
/// once judges have looked at its draft.
fn open(t: &mut dyn Transaction, found: &Sources, only_chosen: bool) -> Result<(), JobsError> {
    let before = queue::newest_sources(t)?;
    if before.as_ref() == Some(found) {
        return Ok(());
    }
    let is_ranked = t.one("SELECT 1 FROM ranking LIMIT 1", &[])?.is_some();
    let kind = if is_ranked { "contest_changed" } else { "contest_opened" };
    let mut body = serde_json::to_value(found).map_err(|error| JobsError::content(error.to_string()))?;
    body["hash"] = json!(found.hash());
    body["hash_before"] = json!(before.as_ref().map(Sources::hash));
    let event = append(t, Time::now(), NewEvent { person: PROGRAM, kind, subject: "contest", body })?;
    if is_ranked {
        drop_drafts(t)?;
        if queue::sources(t)?.as_ref() != Some(found) {
            draft(t, event.seq, only_chosen)?;
        }
    }
    Ok(())
}

/// Drafts of earlier changes are of no use any more.
fn drop_drafts(t: &mut dyn Transaction) -> Result<(), StoreError> {
    let rows = t.query("SELECT id FROM rejudging WHERE state IN ('running', 'ready')", &[])?;
    for row in rows {
        let id = row.text(0)?;
        if queue::sources_of_draft(t, &id)?.is_some() {
            let event =
                NewEvent { person: PROGRAM, kind: "rejudging_dropped", subject: &id, body: json!({}) };
            let event = append(t, Time::now(), event)?;
            replay::event(t, &event)?;
        }
    }
    Ok(())
}

/// Has everything that counts judged by the changed contest, as a draft that judges apply or drop.
fn draft(t: &mut dyn Transaction, contest: i64, only_chosen: bool) -> Result<(), StoreError> {
    let now = Time::now();
    let ids: Vec<String> = counted(t, only_chosen)?.into_values().map(|(id, _)| id).collect();
    let id = new_id(now).map_err(|error| StoreError::Failed(error.to_string()))?;
    let body = json!({ "submissions": ids, "contest": contest, "reason": CHANGED });
    let event = append(t, now, NewEvent { person: PROGRAM, kind: "rejudging_made", subject: &id, body })?;
    replay::event(t, &event)?;
    for submission in &ids {
        let subject = format!("{submission}{}{id}", queue::FOR_REJUDGING);
        enqueue(t, now, JobKind::Measure, &subject, JobKind::Measure.priority() - 1)?;
    }
    Ok(())
}

/// Adds a submission of files that are kept already: the next of its team in its mission. Returns its id.
///
/// # Errors
/// The database fails.
pub fn import(
    t: &mut dyn Transaction,
    team: &str,
    mission: &str,
    files: &[FileRef],
) -> Result<String, StoreError> {
    let now = Time::now();
    let id = new_id(now).map_err(|error| StoreError::Failed(error.to_string()))?;
    let sql = "SELECT max(number) FROM submission WHERE team = $1 AND mission = $2";
    let last = t.one(sql, &[team.into(), mission.into()])?;
    let number = last.map(|row| row.int_or_none(0)).transpose()?.flatten().unwrap_or(0) + 1;
    let body = json!({ "team": team, "mission": mission, "number": number, "late": false, "files": files });
    let event =
        append(t, now, NewEvent { person: PROGRAM, kind: "submission_received", subject: &id, body })?;
    let sql = "INSERT INTO submission (id, team, mission, number, person, received_at, late, state, seq, hash, changed_seq) \
               VALUES ($1, $2, $3, $4, $5, $6, 0, 'received', $7, $8, $7)";
    let params = [
        (&id).into(),
        team.into(),
        mission.into(),
        number.into(),
        PROGRAM.into(),
        (&event.at).into(),
        event.seq.into(),
        (&event.hash).into(),
    ];
    t.execute(sql, &params)?;
    let sql = "INSERT INTO submission_file (submission, name, blake3, bytes) VALUES ($1, $2, $3, $4)";
    for file in files {
        let bytes = i64::try_from(file.bytes).unwrap_or(i64::MAX);
        t.execute(sql, &[(&id).into(), (&file.name).into(), (&file.blake3).into(), bytes.into()])?;
    }
    enqueue(t, now, JobKind::Lint, &id, JobKind::Lint.priority())?;
    Ok(id)
}
