//! Maps of the published ranking, for whoever may see the truth: as they lay and were measured when it was published, so that
//! nothing of what judges do meanwhile is seen.

use std::sync::{Arc, Mutex, PoisonError};

use mapjudge::files::contest::TruthShown;
use serde_json::Value as Json;

use super::app::{ContestApp, lost_object};
use super::basis::{Basis, CountedSubmission};
use super::desks::{Known, Newest};
use super::publications;
use super::roles::{Scope, Who};
use super::store::{StoreError, Transaction};
use super::submissions;
use crate::problem::Problem;

/// A longer basis is none of ours.
const MAX_BASIS_BYTES: u64 = 64 << 20;

/// A submission whose map was published.
#[derive(Clone, Debug)]
pub struct PublishedMap {
    /// Id.
    pub id: String,
    /// Team.
    pub team: String,
    /// Mission.
    pub mission: String,
    /// Figures of its sheet: `[{name, title, words, blake3}]`.
    pub pictures: Json,
    /// The map.
    map: Known,
}

/// Whether somebody may see the truth now.
///
/// # Errors
/// The database fails.
pub fn sees_truth(app: &ContestApp, t: &mut dyn Transaction, who: &Who) -> Result<bool, StoreError> {
    Ok(match app.rules.settings.truth {
        _ if who.is_judge() => true,
        TruthShown::Judges => false,
        TruthShown::Published => publications::shown(t)?.is_some(),
        TruthShown::Everyone => true,
    })
}

/// The basis of the published ranking that was read last, by its hash: each tile of a map asks for it.
pub type KeptBasis = Mutex<Option<(String, Arc<Basis>)>>;

/// The published maps that somebody may see: none before anything is published, or while the truth is for judges.
///
/// # Errors
/// The database fails, or an object is lost.
pub fn all(app: &ContestApp, t: &mut dyn Transaction, who: &Who) -> Result<Vec<PublishedMap>, Problem> {
    let Some(basis) = published_basis(app, t, who)? else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for entry in basis.entries.iter().flatten() {
        found.extend(published(t, entry)?);
    }
    Ok(found)
}

/// Those of these submissions, in this order.
///
/// # Errors
/// One is not among them.
pub fn some(
    app: &ContestApp,
    t: &mut dyn Transaction,
    who: &Who,
    ids: &[String],
) -> Result<Vec<Known>, Problem> {
    let unknown = || Problem::not_found("there is no such map");
    // Without a map the truth alone would be seen.
    let basis = published_basis(app, t, who)?.filter(|_| !ids.is_empty()).ok_or_else(unknown)?;
    let mut found = Vec::with_capacity(ids.len());
    for id in ids {
        let entry = basis.entries.iter().flatten().find(|entry| entry.submission.as_ref() == Some(id));
        found.push(published(t, entry.ok_or_else(unknown)?)?.ok_or_else(unknown)?.map);
    }
    Ok(found)
}

/// What the published ranking rests on, for whoever may see the truth.
fn published_basis(
    app: &ContestApp,
    t: &mut dyn Transaction,
    who: &Who,
) -> Result<Option<Arc<Basis>>, Problem> {
    if !sees_truth(app, t, who)? {
        return Ok(None);
    }
    let Some(shown) = publications::shown(t)? else { return Ok(None) };
    let made = t.one("SELECT body FROM event WHERE seq = $1", &[shown.ranking.into()])?;
    let made = made.map(|row| row.json(0)).transpose()?;
    let Some(hash) = made.as_ref().and_then(|body| body["basis"].as_str()) else { return Ok(None) };
    let mut kept = app.desks.basis.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, basis)) = kept.as_ref().filter(|(known, _)| known == hash) {
        return Ok(Some(Arc::clone(basis)));
    }
    let bytes = app.objects.read(hash, MAX_BASIS_BYTES).map_err(|_| lost_object())?;
    let basis: Arc<Basis> = Arc::new(serde_json::from_slice(&bytes).map_err(|_| lost_object())?);
    *kept = Some((hash.to_owned(), Arc::clone(&basis)));
    Ok(Some(basis))
}

/// The map of an entry; none if nothing counted, or nothing of it was measured.
fn published(t: &mut dyn Transaction, entry: &CountedSubmission) -> Result<Option<PublishedMap>, StoreError> {
    let (Some(id), Some(measured)) = (&entry.submission, &entry.measured) else { return Ok(None) };
    let Some(row) = submissions::one(t, &Scope::All, id)? else { return Ok(None) };
    let Some(newest) = measurement(t, id, measured)?.filter(|newest| newest.planes["map"].is_string()) else {
        return Ok(None);
    };
    let pictures = newest.pictures.clone();
    let map = Known {
        id: id.clone(),
        name: format!("{} {}", row.team, row.number),
        mission: row.mission.clone(),
        measured: Some(newest),
        frame: entry.frame.clone(),
        error: None,
    };
    Ok(Some(PublishedMap { id: id.clone(), team: row.team, mission: row.mission, pictures, map }))
}

/// A measurement by its hash, out of the events: the tables hold the newest alone.
fn measurement(t: &mut dyn Transaction, id: &str, hash: &str) -> Result<Option<Newest>, StoreError> {
    let sql = "SELECT seq, body FROM event WHERE subject = $1 AND kind = 'measured' ORDER BY seq DESC";
    for row in t.query(sql, &[id.into()])? {
        let body = row.json(1)?;
        if body["measured"] == hash {
            let part = |key: &str| body.get(key).cloned().unwrap_or(Json::Null);
            let (planes, pictures) = (part("planes"), part("pictures"));
            return Ok(Some(Newest { seq: row.int(0)?, measured: hash.to_owned(), planes, pictures }));
        }
    }
    Ok(None)
}
