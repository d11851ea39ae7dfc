//! The ranking of a contest, computed in this process from what was measured before: no file of a team is opened.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use mapjudge::contest::{ContestOptions, ContestResult, Measured, Measurement, Measurer, judge_contest_by};
use mapjudge::files::contest::ContestFolder;
use mapjudge::{Figures, JobError};
use report::Format;

use super::basis::Basis;
use super::jobs::JobsError;
use super::jobs::materialise::LoadedContest;
use super::objects::Objects;

/// A longer measurement is none of ours.
const MAX_MEASURED_BYTES: u64 = 64 << 20;

/// Makes rankings, and keeps the measurements of the last one parsed for the next.
#[derive(Debug)]
pub struct RankingMaker {
    objects: Objects,
    kept: Mutex<HashMap<String, Arc<Measured>>>,
}

/// How much of a ranking is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// As `mapjudge contest` does by default.
    Whole,
    /// Scores and order, without how certain they are.
    Quick,
}

impl RankingMaker {
    /// Over these objects.
    #[must_use]
    pub fn new(objects: Objects) -> Self {
        Self { objects, kept: Mutex::default() }
    }

    /// What was measured, by its hash.
    ///
    /// # Errors
    /// The object is missing or no measurement.
    pub fn measured(&self, hash: &str) -> Result<Arc<Measured>, JobsError> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = kept.get(hash) {
            return Ok(Arc::clone(known));
        }
        let bytes = self.objects.read(hash, MAX_MEASURED_BYTES).map_err(JobsError::files("a measurement"))?;
        let measured: Measured = serde_json::from_slice(&bytes)
            .map_err(|error| JobsError::content(format!("a measurement: {error}")))?;
        let measured = Arc::new(measured);
        kept.insert(hash.to_owned(), Arc::clone(&measured));
        Ok(measured)
    }

    /// Forgets what no longer counts: a long contest has thousands of submissions, and ranks a few of them.
    fn keep_only(&self, basis: &Basis) {
        let entries = basis.entries.iter().flatten();
        let counting: HashSet<&str> = entries.filter_map(|entry| entry.measured.as_deref()).collect();
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|hash, _| counting.contains(hash.as_str()));
    }

    /// The ranking of a basis.
    ///
    /// # Errors
    /// A measurement is missing, or the rules do not hold together.
    pub fn rank(
        &self,
        loaded: &LoadedContest,
        basis: &Basis,
        depth: Depth,
    ) -> Result<ContestResult, JobsError> {
        let written = loaded.with(basis);
        let found = basis.entries.iter().map(|missions| {
            let one = |entry: &super::basis::CountedSubmission| {
                entry.measured.as_deref().map(|hash| self.measured(hash)).transpose()
            };
            missions.iter().map(one).collect::<Result<Vec<_>, _>>()
        });
        let found = found.collect::<Result<Vec<_>, JobsError>>()?;
        self.keep_only(basis);
        let resamples = if depth == Depth::Whole { ContestOptions::default().resamples } else { 0 };
        let options = ContestOptions { resamples, figures: Figures::None, ..ContestOptions::default() };
        let kept = Kept { loaded, written: &written, found: &found };
        Ok(judge_contest_by(&loaded.contest, &written, &options, &kept, None, &|_| ())?)
    }
}

/// The bytes that pages show and `mapjudge contest` writes.
///
/// # Errors
/// The report cannot be written; none that numbers can cause.
pub fn contest_json(result: &ContestResult) -> Result<Vec<u8>, JobsError> {
    let text = report::ranking(&result.report, Format::Json).map_err(JobError::from)?;
    Ok(text.into_bytes())
}

/// Measurements that were made before. What has none has no files either: nothing was handed in, or it is broken beforehand.
struct Kept<'a> {
    loaded: &'a LoadedContest,
    written: &'a ContestFolder,
    found: &'a [Vec<Option<Arc<Measured>>>],
}

impl Measurer for Kept<'_> {
    fn measure(&self, team: usize, mission: usize) -> Measurement {
        let kept = self.found.get(team).and_then(|missions| missions.get(mission)).and_then(Option::as_ref);
        let measured = kept.map_or_else(
            || self.written.measure_submission(&self.loaded.contest, (team, mission), Figures::None).1,
            |kept| Measured::clone(kept),
        );
        Measurement { measured, is_repeatable: true }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::basis::{CountedSubmission, Sources};

    #[test]
    fn what_no_longer_counts_is_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let objects = Objects::open(folder.path()).unwrap();
        let put = |why: &str| objects.put(&serde_json::to_vec(&Measured::broken(why)).unwrap()).unwrap().hash;
        let hashes = ["first", "second", "third"].map(put);
        let maker = RankingMaker::new(objects.clone());
        for hash in &hashes {
            assert!(maker.measured(hash).unwrap().broken.is_some());
        }
        let entry = |hash: &String| CountedSubmission {
            measured: Some(hash.clone()),
            ..CountedSubmission::default()
        };
        let entries = vec![vec![entry(&hashes[2])], vec![CountedSubmission::default()]];
        let basis = Basis { schema: String::new(), sources: Sources::default(), entries };
        maker.keep_only(&basis);
        assert_eq!(maker.kept.lock().unwrap().keys().collect::<Vec<_>>(), [&hashes[2]]);
        assert_eq!(
            maker.measured(&hashes[0]).unwrap().broken.as_deref(),
            Some("first"),
            "read again when it is asked for"
        );
    }
}
