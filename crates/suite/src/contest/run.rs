//! A whole contest: read the truth, measure every submission, score, rank, say how sure the order is.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use report::ContestReport;

use super::cache::{Cache, key};
use super::file::Contest;
use super::formula::Formula;
use super::measure::measure;
use super::measured::Measured;
use super::mission_truth::MissionTruth;
use super::rank::contest_report;
use super::standing::{Entries, Entry, standing};
use super::submission::{Submission, submissions};
use crate::{JobError, Pictures};

/// How a contest is judged.
#[derive(Clone, Debug)]
pub struct ContestOptions {
    /// Resamples behind the significance; 0 for none.
    pub resamples: usize,
    /// Seed of the resamples.
    pub seed: u64,
    /// Whether pictures are drawn; they need a cache to lie in.
    pub pictures: Pictures,
    /// Time of judging, for pages and JSON; none leaves every output as it would be at any time.
    pub stamp: Option<String>,
}

impl Default for ContestOptions {
    fn default() -> Self {
        Self { resamples: 1000, seed: crate::DEFAULT_SEED, pictures: Pictures::None, stamp: None }
    }
}

/// A contest that was judged.
pub struct JudgedContest<'a> {
    /// Ranking, significance, findings.
    pub report: ContestReport,
    /// What was measured, by team in the order of the file, then by mission.
    pub entries: Entries<'a>,
    /// Keys of the cache, in the same order.
    pub keys: Vec<Vec<Option<String>>>,
    /// Submissions that were measured in this run.
    pub measured_now: usize,
}

/// Judges a contest. `progress` is called with the number of finished submissions.
///
/// # Errors
/// The truth cannot be read, or the cache cannot be written to. A broken submission is no error.
pub fn judge_contest<'a>(
    contest: &'a Contest,
    options: &ContestOptions,
    cache: Option<&Cache>,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<JudgedContest<'a>, JobError> {
    let missions = contest.file.missions.len();
    let truths: Vec<MissionTruth> =
        contest.file.missions.iter().map(|m| MissionTruth::read(contest, m)).collect::<Result<_, _>>()?;
    let formula = Formula::parse(&contest.profile.formula)
        .map_err(|error| JobError::contest("formula", error.to_string(), "see the profile"))?;
    let (done, now) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let one = |submission: Submission<'a>| {
        let truth = &truths[submission.mission_index];
        let (measured, key, is_new) = measured(contest, truth, &submission, options, cache)?;
        now.fetch_add(usize::from(is_new), Ordering::Relaxed);
        progress(done.fetch_add(1, Ordering::Relaxed) + 1);
        Ok((Entry { submission, measured }, key))
    };
    let found: Vec<(Entry<'a>, Option<String>)> =
        submissions(contest).into_par_iter().map(one).collect::<Result<_, JobError>>()?;
    if let Some(cache) = cache {
        cache.keep_only(&found.iter().filter_map(|(_, key)| key.clone()).collect::<BTreeSet<_>>());
    }
    let (mut entries, mut keys): (Entries<'a>, Vec<Vec<Option<String>>>) = (Vec::new(), Vec::new());
    for (index, (entry, key)) in found.into_iter().enumerate() {
        if index % missions == 0 {
            entries.push(Vec::new());
            keys.push(Vec::new());
        }
        if let (Some(team), Some(team_keys)) = (entries.last_mut(), keys.last_mut()) {
            team.push(entry);
            team_keys.push(key);
        }
    }
    let value = |team: usize, mission: usize, name: &str| {
        let entry: &Entry<'_> = &entries[team][mission];
        entry.measured.value(name)
    };
    let standing = standing(contest, &formula, &entries, &value);
    let report = contest_report(contest, &formula, &entries, &standing, &truths, options);
    Ok(JudgedContest { report, entries, keys, measured_now: now.into_inner() })
}

/// What was measured before, or now; the key, and whether it was now.
fn measured(
    contest: &Contest,
    truth: &MissionTruth,
    submission: &Submission<'_>,
    options: &ContestOptions,
    cache: Option<&Cache>,
) -> Result<(Measured, Option<String>, bool), JobError> {
    let Some(cache) = cache else {
        return Ok((measure(contest, truth, submission, options.pictures).measured, None, true));
    };
    let key = key(contest, truth, submission, options.pictures);
    if let Some(measured) = key.as_ref().and_then(|key| cache.get(key, contest)) {
        return Ok((measured, key, false));
    }
    let drawn = measure(contest, truth, submission, options.pictures);
    match &key {
        Some(name) => Ok((cache.put(name, drawn)?, key, true)),
        None => Ok((drawn.measured, None, true)),
    }
}
