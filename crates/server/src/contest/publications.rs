//! What the public sees: one published ranking, as stored bytes, and whether it is frozen.

use serde_json::json;

use super::chain::{Event, Head, NewEvent, PROGRAM, append};
use super::clock::Time;
use super::rules::Rules;
use super::store::{Row, StoreError, Transaction};

/// A ranking that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankingRow {
    /// Its event.
    pub seq: i64,
    /// Its bytes among the objects.
    pub contest_json: String,
    /// When it was made.
    pub at: String,
    /// The rejudging that it is a draft of.
    pub draft_of: Option<String>,
}

fn ranking_row(row: &Row) -> Result<RankingRow, StoreError> {
    let (seq, contest_json) = (row.int(0)?, row.text(1)?);
    Ok(RankingRow { seq, contest_json, at: row.text(2)?, draft_of: row.text_or_none(3)? })
}

const RANKING: &str = "ranking.seq, ranking.contest_json, ranking.at, ranking.draft_of";

/// The ranking that judges see: the newest that is no draft.
///
/// # Errors
/// The database fails.
pub fn newest(t: &mut dyn Transaction) -> Result<Option<RankingRow>, StoreError> {
    let sql = format!("SELECT {RANKING} FROM ranking WHERE draft_of IS NULL ORDER BY seq DESC LIMIT 1");
    t.one(&sql, &[])?.map(|row| ranking_row(&row)).transpose()
}

/// A ranking by its event.
///
/// # Errors
/// The database fails.
pub fn ranking(t: &mut dyn Transaction, seq: i64) -> Result<Option<RankingRow>, StoreError> {
    let sql = format!("SELECT {RANKING} FROM ranking WHERE seq = $1");
    t.one(&sql, &[seq.into()])?.map(|row| ranking_row(&row)).transpose()
}

/// A publication.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct Publication {
    /// Its event.
    pub seq: i64,
    /// The ranking that it shows.
    pub ranking: i64,
    /// When.
    pub at: String,
    /// Who published it; for judges.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// What it says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Hash of its event.
    pub hash: String,
    /// Bytes of the ranking among the objects.
    #[serde(skip)]
    pub contest_json: String,
}

/// Publications, the newest first: those older than one, where that is given.
///
/// # Errors
/// The database fails.
pub fn all(
    t: &mut dyn Transaction,
    older_than: Option<i64>,
    limit: i64,
) -> Result<Vec<Publication>, StoreError> {
    let sql = "SELECT p.seq, p.ranking, p.at, p.person, p.note, event.hash, ranking.contest_json FROM publication p \
               JOIN event ON event.seq = p.seq JOIN ranking ON ranking.seq = p.ranking WHERE p.seq < $1 ORDER BY p.seq DESC LIMIT $2";
    let publication = |row: &Row| {
        Ok(Publication {
            seq: row.int(0)?,
            ranking: row.int(1)?,
            at: row.text(2)?,
            by: Some(row.text(3)?),
            note: row.text_or_none(4)?,
            hash: row.text(5)?,
            contest_json: row.text(6)?,
        })
    };
    t.query(sql, &[older_than.unwrap_or(i64::MAX).into(), limit.into()])?.iter().map(publication).collect()
}

/// What the public sees now.
///
/// # Errors
/// The database fails.
pub fn shown(t: &mut dyn Transaction) -> Result<Option<Publication>, StoreError> {
    Ok(all(t, None, 1)?.into_iter().next())
}

/// The end of the chain as the public may know it: that of the publication, so that nobody counts what happens meanwhile.
#[must_use]
pub fn public_head(shown: Option<&Publication>) -> Head {
    let beginning = Head { seq: 0, hash: super::chain::BEGINNING.to_owned() };
    shown.map_or(beginning, |shown| Head { seq: shown.seq, hash: shown.hash.clone() })
}

/// Publishes a ranking.
///
/// # Errors
/// The database fails.
pub fn publish(
    t: &mut dyn Transaction,
    at: Time,
    by: &str,
    ranking: i64,
    note: Option<&str>,
) -> Result<Event, StoreError> {
    let body = json!({ "ranking": ranking, "note": note });
    let event =
        append(t, at, NewEvent { person: by, kind: "published", subject: &ranking.to_string(), body })?;
    replay(t, &event)?;
    Ok(event)
}

/// Writes the row of a publication.
///
/// # Errors
/// The database fails.
pub fn replay(t: &mut dyn Transaction, event: &Event) -> Result<(), StoreError> {
    if event.kind != "published" {
        return Ok(());
    }
    let sql = "INSERT INTO publication (seq, ranking, at, person, note) VALUES ($1, $2, $3, $4, $5)";
    let ranking = event.body["ranking"].as_i64().unwrap_or(0);
    let note = event.body["note"].as_str();
    let params = [event.seq.into(), ranking.into(), (&event.at).into(), (&event.person).into(), note.into()];
    t.execute(sql, &params)?;
    Ok(())
}

/// Since when the public ranking is frozen, if it is: somebody froze it, or the time of the contest file has come and
/// nobody has lifted the freeze since.
///
/// # Errors
/// The database fails.
pub fn frozen_since(
    t: &mut dyn Transaction,
    now: Time,
    planned: Option<&str>,
) -> Result<Option<String>, StoreError> {
    let sql = "SELECT kind, at FROM event WHERE kind IN ('frozen', 'unfrozen') ORDER BY seq DESC LIMIT 1";
    let last = t.one(sql, &[])?.map(|row| Ok::<_, StoreError>((row.text(0)?, row.text(1)?))).transpose()?;
    // Times of the file have no milliseconds.
    let planned = planned.map(|time| format!("{}.000Z", time.trim_end_matches('Z')));
    let planned = planned.filter(|time| *time <= now.text());
    Ok(match (last, planned) {
        (Some((kind, at)), _) if kind == "frozen" => Some(at),
        (Some((_, lifted)), Some(planned)) => (lifted < planned).then_some(planned),
        (Some(_), None) => None,
        (None, planned) => planned,
    })
}

/// Freezes, or lifts the freeze.
///
/// # Errors
/// The database fails.
pub fn freeze(t: &mut dyn Transaction, at: Time, by: &str, is_frozen: bool) -> Result<Event, StoreError> {
    let kind = if is_frozen { "frozen" } else { "unfrozen" };
    append(t, at, NewEvent { person: by, kind, subject: "", body: json!({}) })
}

/// Submissions that a ranking counts, that were measured, and that no judge has verified.
///
/// # Errors
/// The database fails.
pub fn unverified(t: &mut dyn Transaction, ranking: i64) -> Result<Vec<String>, StoreError> {
    let sql = "SELECT rs.submission FROM ranking_submission rs JOIN submission s ON s.id = rs.submission \
               WHERE rs.ranking = $1 AND s.state = 'measured' AND NOT EXISTS (SELECT 1 FROM decision d \
               WHERE d.subject = rs.submission AND d.kind = 'verification' AND d.ended_by_seq IS NULL) ORDER BY 1";
    t.query(sql, &[ranking.into()])?.iter().map(|row| row.text(0)).collect()
}

/// Publishes the newest ranking where the contest publishes by itself and nothing is frozen; whether it did.
///
/// # Errors
/// The database fails.
pub fn publish_by_itself(t: &mut dyn Transaction, now: Time, rules: &Rules) -> Result<bool, StoreError> {
    let Some(newest) = newest(t)? else { return Ok(false) };
    let is_shown = shown(t)?.is_some_and(|shown| shown.ranking >= newest.seq);
    let is_held = frozen_since(t, now, rules.settings.freeze.as_deref())?.is_some()
        || (rules.settings.verify && !unverified(t, newest.seq)?.is_empty());
    if is_shown || is_held {
        return Ok(false);
    }
    publish(t, now, PROGRAM, newest.seq, None)?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::store::Database;

    #[test]
    fn a_freeze_begins_at_its_time_and_ends_when_somebody_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let database = Database::open(folder.path().join("judge.db").to_str().unwrap()).unwrap();
        let at = |seconds: i64| Time::from_unix_ms(1_000_000_000_000).plus_s(seconds);
        let planned = Some("2001-09-09T01:46:50Z");
        let since = |seconds| database.read(|t| frozen_since(t, at(seconds), planned)).unwrap();
        let set = |seconds, frozen| database.write(|t| freeze(t, at(seconds), "a", frozen)).unwrap();
        assert_eq!((since(9), since(10)), (None, Some("2001-09-09T01:46:50.000Z".to_owned())));
        set(2, true);
        assert_eq!(since(3), Some("2001-09-09T01:46:42.000Z".to_owned()));
        set(4, false);
        assert_eq!((since(5), since(10).is_some()), (None, true), "lifted before its time");
        set(11, false);
        assert_eq!(since(12), None);
    }
}
