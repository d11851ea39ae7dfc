//! What was measured before: a submission whose bytes, rules and program are the same is not measured again.
//!
//! The key of an entry is a hash of everything that a submission may be read from, of every file of the truth that was
//! opened, of the effective plan and rules, and of the build of the program.

use std::collections::BTreeMap;
use std::sync::Mutex;

use report::Input;
use serde_json::json;

use super::entrants::{Contest, Mission, Submission};
use crate::floors::{Building, FloorMaps};
use crate::{Figures, Loaded, Plan};

/// Keeps measurements under keys.
pub trait Store: Sync {
    /// The bytes of an entry, if there is one.
    fn get(&self, key: &str) -> Option<Vec<u8>>;

    /// Keeps the bytes of an entry. A store that cannot keep them loses time, nothing else.
    fn put(&self, key: &str, bytes: &[u8]);

    /// Tells which entries the contest uses; others may be removed.
    fn keep_only(&self, keys: &[String]);
}

/// A store in memory, for servers and tests.
#[derive(Debug, Default)]
pub struct MemoryStore {
    entries: Mutex<BTreeMap<String, Vec<u8>>>,
}

impl Store for MemoryStore {
    fn get(&self, key: &str) -> Option<Vec<u8>> {
        self.entries.lock().ok()?.get(key).cloned()
    }

    fn put(&self, key: &str, bytes: &[u8]) {
        if let Ok(mut entries) = self.entries.lock() {
            entries.insert(key.to_owned(), bytes.to_owned());
        }
    }

    fn keep_only(&self, keys: &[String]) {
        if let Ok(mut entries) = self.entries.lock() {
            entries.retain(|key, _| keys.contains(key));
        }
    }
}

/// The fingerprint of this build: a hash of the sources that it was compiled from.
pub const FINGERPRINT: &str = env!("MAPJUDGE_FINGERPRINT");

/// The key of a measurement, by the hash of the submission; none if the truth has a value without files behind it,
/// whose content has no hash.
pub(crate) fn key(
    contest: &Contest,
    mission: &Mission,
    plan: &Plan,
    (team, content): (&str, &str),
) -> Option<String> {
    if !truth_has_content(mission) {
        return None;
    }
    let profile = &contest.profile;
    let all = json!({
        "build": FINGERPRINT,
        "plan": plan,
        "figures": plan.figures == Figures::Draw,
        "read": profile.read,
        "inputs": profile.inputs,
        "lint": profile.lint,
        "rules": [json!(profile.artifacts), json!(profile.constants)],
        "truth": mission.inputs,
        "floors": mission.building.as_ref().map(Building::described),
        "team": team,
        "content": content,
    });
    Some(blake3::hash(all.to_string().as_bytes()).to_hex().to_string())
}

/// The hash of a submission in memory; none if a part of it has no files behind it.
pub(super) fn content_of(submission: &Submission) -> Option<String> {
    let subject = &submission.subject;
    let is_known_whole = is_known(&subject.map)
        && submission.floors.as_ref().is_none_or(FloorMaps::is_from_files)
        && is_known(&subject.annotations)
        && is_known(&subject.trajectory)
        && is_known(&subject.odometry)
        && is_known(&subject.points)
        && (submission.artifacts.is_none() || is_listed(&submission.inputs, "artifacts"))
        && (submission.matrix.is_none() || is_listed(&submission.inputs, "matrix"));
    let all = json!({
        "files": submission.inputs,
        "transform": submission.transform,
        "broken": submission.broken,
        "faults": submission.faults,
        "findings": submission.findings,
    });
    is_known_whole.then(|| blake3::hash(all.to_string().as_bytes()).to_hex().to_string())
}

fn truth_has_content(mission: &Mission) -> bool {
    let truth = &mission.truth;
    is_known(&truth.map)
        && mission.building.as_ref().is_none_or(|place| place.floors.iter().all(|f| is_known(&f.truth.map)))
        && is_known(&truth.annotations)
        && is_known(&truth.layout)
        && is_known(&truth.trajectory)
        && is_known(&truth.relations)
        && is_known(&truth.points)
        && (mission.artifacts.is_none() || is_listed(&mission.inputs, "true_artifacts"))
        && (mission.matrix.is_none() || is_listed(&mission.inputs, "true_matrix"))
}

/// Whether a part has files behind it, whose hashes are its content.
fn is_known<T>(part: &Option<Loaded<T>>) -> bool {
    part.as_ref().is_none_or(|loaded| !loaded.provenance.files.is_empty())
}

fn is_listed(inputs: &[Input], role: &str) -> bool {
    inputs.iter().any(|input| input.role == role)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_gives_back_what_it_was_given() {
        let store = MemoryStore::default();
        store.put("a", b"1");
        store.put("b", b"2");
        assert_eq!(store.get("a"), Some(b"1".to_vec()));
        store.keep_only(&["b".to_owned()]);
        assert_eq!((store.get("a"), store.get("b")), (None, Some(b"2".to_vec())));
    }

    #[test]
    fn the_fingerprint_is_a_hash() {
        assert!(FINGERPRINT.len() >= 16 && FINGERPRINT.bytes().all(|b| b.is_ascii_hexdigit()));
    }

    #[test]
    fn values_without_files_are_never_taken_for_others() {
        use crate::contest::CharacterMatrix;
        let mut submission = Submission::new(crate::Subject::default());
        assert!(content_of(&submission).is_some(), "nothing was handed in, and that is known");
        submission.matrix = CharacterMatrix::parse("5").ok();
        assert_eq!(content_of(&submission), None, "a matrix in memory has no hash");
        let mut mission = Mission::default();
        assert!(truth_has_content(&mission));
        mission.matrix = CharacterMatrix::parse("5").ok();
        assert!(!truth_has_content(&mission));
    }
}
