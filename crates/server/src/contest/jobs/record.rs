//! Events that work leaves, and the rows that follow from them: replaying writes the same rows.

use serde_json::{Value as Json, json};

use crate::contest::basis::FileRef;
use crate::contest::chain::{Event, NewEvent, PROGRAM, append};
use crate::contest::clock::Time;
use crate::contest::store::{StoreError, Transaction};
use crate::contest::submissions::Attention;

/// Between the key of a measurement and the rejudging for which it was made anew.
pub const OF_REJUDGING: char = '~';

/// What was measured of a submission, as an event holds it.
#[derive(Clone, Debug, PartialEq)]
pub struct NewMeasurement {
    /// Key of the measurement.
    pub key: String,
    /// Hash of what was measured.
    pub measured: String,
    /// `[{name, title, words, blake3}]`.
    pub pictures: Json,
    /// `{map?, layers?}`, hashes.
    pub planes: Json,
    /// What a judge should look at.
    pub signs: Vec<Attention>,
    /// Hash of the findings.
    pub findings: String,
    /// Why it is broken.
    pub broken: Option<String>,
}

/// Appends that a submission was checked; `unpacked` replaces its files where an archive was among them.
///
/// # Errors
/// The database fails.
pub fn checked(
    t: &mut dyn Transaction,
    at: Time,
    submission: &str,
    findings: &str,
    unpacked: Option<&[FileRef]>,
) -> Result<Event, StoreError> {
    let body = json!({ "findings": findings, "unpacked": unpacked });
    record(t, at, "submission_checked", submission, body)
}

/// Appends that a submission was measured.
///
/// # Errors
/// The database fails.
pub fn measured(
    t: &mut dyn Transaction,
    at: Time,
    submission: &str,
    new: &NewMeasurement,
) -> Result<Event, StoreError> {
    let body = json!({
        "key": new.key, "measured": new.measured, "pictures": new.pictures, "planes": new.planes, "signs": new.signs,
        "findings": new.findings, "broken": new.broken, "tool_version": env!("CARGO_PKG_VERSION"),
    });
    record(t, at, "measured", submission, body)
}

/// Whether the newest ranking is this one already.
///
/// # Errors
/// The database fails.
pub fn is_newest_ranking(t: &mut dyn Transaction, body: &Json) -> Result<bool, StoreError> {
    let sql = "SELECT event.body FROM ranking JOIN event ON event.seq = ranking.seq WHERE draft_of IS NULL \
               ORDER BY ranking.seq DESC LIMIT 1";
    let newest = t.one(sql, &[])?.map(|row| row.json(0)).transpose()?;
    let is_same = |key: &str, newest: &Json| newest[key] == body[key];
    Ok(newest.is_some_and(|newest| is_same("contest_json", &newest) && is_same("basis", &newest)))
}

/// Appends that a ranking was made.
///
/// # Errors
/// The database fails.
pub fn ranking_made(t: &mut dyn Transaction, at: Time, body: Json) -> Result<Event, StoreError> {
    record(t, at, "ranking_made", "ranking", body)
}

fn record(
    t: &mut dyn Transaction,
    at: Time,
    kind: &str,
    subject: &str,
    body: Json,
) -> Result<Event, StoreError> {
    let event = append(t, at, NewEvent { person: PROGRAM, kind, subject, body })?;
    replay(t, &event)?;
    Ok(event)
}

/// Writes the rows of an event of this module; other events are left alone.
///
/// # Errors
/// The database fails.
pub fn replay(t: &mut dyn Transaction, event: &Event) -> Result<(), StoreError> {
    match event.kind.as_str() {
        "submission_checked" => replay_checked(t, event),
        "measured" => replay_measured(t, event),
        "ranking_made" => replay_ranking(t, event),
        _ => Ok(()),
    }
}

fn text<'a>(body: &'a Json, key: &str) -> &'a str {
    body[key].as_str().unwrap_or_default()
}

fn replay_checked(t: &mut dyn Transaction, event: &Event) -> Result<(), StoreError> {
    let sql = "UPDATE submission SET findings = $2, checked_at = $3, changed_seq = $4, \
               state = CASE WHEN state = 'received' THEN 'checked' ELSE state END WHERE id = $1";
    let params =
        [(&event.subject).into(), text(&event.body, "findings").into(), (&event.at).into(), event.seq.into()];
    t.execute(sql, &params)?;
    Ok(())
}

fn replay_measured(t: &mut dyn Transaction, event: &Event) -> Result<(), StoreError> {
    let body = &event.body;
    let key = text(body, "key");
    t.execute(
        "DELETE FROM measurement WHERE submission = $1 AND key = $2",
        &[(&event.subject).into(), key.into()],
    )?;
    let sql = "INSERT INTO measurement (submission, key, measured, pictures, planes, signs, tool_version, at, seq) \
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    let json = |name: &str| body[name].to_string();
    let params = [
        (&event.subject).into(),
        key.into(),
        text(body, "measured").into(),
        json("pictures").into(),
        json("planes").into(),
        json("signs").into(),
        text(body, "tool_version").into(),
        (&event.at).into(),
        event.seq.into(),
    ];
    t.execute(sql, &params)?;
    if key.contains(OF_REJUDGING) {
        // It counts once the rejudging is applied.
        return Ok(());
    }
    let broken = body["broken"].as_str();
    let state = if broken.is_some() { "broken" } else { "measured" };
    let sql = "UPDATE submission SET state = $2, error = $3, findings = $4, measured_at = $5, changed_seq = $6 WHERE id = $1";
    let params = [
        (&event.subject).into(),
        state.into(),
        broken.into(),
        text(body, "findings").into(),
        (&event.at).into(),
        event.seq.into(),
    ];
    t.execute(sql, &params)?;
    Ok(())
}

fn replay_ranking(t: &mut dyn Transaction, event: &Event) -> Result<(), StoreError> {
    let body = &event.body;
    let sql = "INSERT INTO ranking (seq, at, contest_json, upto_seq, draft_of) VALUES ($1, $2, $3, $4, $5)";
    let params = [
        event.seq.into(),
        (&event.at).into(),
        text(body, "contest_json").into(),
        body["upto_seq"].as_i64().unwrap_or(0).into(),
        body["draft_of"].as_str().into(),
    ];
    t.execute(sql, &params)?;
    let sql = "INSERT INTO ranking_submission (ranking, submission, score) VALUES ($1, $2, $3)";
    for (submission, score) in body["scores"].as_object().into_iter().flatten() {
        let score =
            score.as_f64().map_or(crate::contest::store::Value::Null, crate::contest::store::Value::Real);
        t.execute(sql, &[event.seq.into(), submission.into(), score])?;
    }
    if let Some(rejudging) = body["draft_of"].as_str() {
        let sql = "UPDATE rejudging SET state = 'ready', ranking = $2 WHERE id = $1 AND state = 'running'";
        t.execute(sql, &[rejudging.into(), event.seq.into()])?;
    }
    Ok(())
}

/// Makes what a rejudging measured anew count. The event that says so is its caller's.
///
/// # Errors
/// The database fails.
pub fn apply_rejudging(t: &mut dyn Transaction, rejudging: &str) -> Result<(), StoreError> {
    let sql = "SELECT submission, body FROM (SELECT subject AS submission, body, seq FROM event WHERE kind = 'measured') m \
               JOIN measurement USING (submission, seq) WHERE key LIKE $1 ORDER BY m.seq";
    let rows = t.query(sql, &[format!("%{OF_REJUDGING}{rejudging}").into()])?;
    for row in rows {
        let (submission, mut body) = (row.text(0)?, row.json(1)?);
        let key = text(&body, "key").split(OF_REJUDGING).next().unwrap_or_default().to_owned();
        body["key"] = json!(key);
        let sql =
            "SELECT seq, at FROM event WHERE kind = 'measured' AND subject = $1 ORDER BY seq DESC LIMIT 1";
        let Some(last) = t.one(sql, &[(&submission).into()])? else { continue };
        let [person, kind, prev, hash] = Default::default();
        let event = Event {
            seq: last.int(0)?,
            at: last.text(1)?,
            person,
            kind,
            subject: submission,
            body,
            prev,
            hash,
        };
        replay_measured(t, &event)?;
    }
    Ok(())
}
