//! The review of proposals by people (T-REVIEW), as a value: what to ask whom, what the scans say about a displacement,
//! what was decided. Terminal and page are two ways to call it.
//!
//! Each decision is appended to the record at once, and only if the last line of its relation is still the one that the
//! person saw. The record may be appended to by others meanwhile: only what is new is read.

mod announced;
mod lines;
mod proposal;
mod queue;
mod record_index;
mod scans;
mod summary;
mod verdict;

use align::closed_form::{Motion, PointPair, fit, rms_m};
use mapper::{measure, refine};
use model::{Point2, Pose2, Relation, RelationRecord};
use schemars::JsonSchema;
use serde::Serialize;
use truth::{AcceptRule, SecondOpinions};

pub use lines::{MemoryLines, NewLines, RecordLine, RecordLines};
pub(super) use proposal::scan_match;
pub use proposal::{Ellipse, Evaluation, HistoryLine, Refined, ReviewNumber, ReviewProposal, ReviewRow};
pub use queue::{Asked, Listed, NextProposals, Sight, Skipped};
pub use record_index::ReviewCounts;
use record_index::{Indexed, RecordIndex};
pub use scans::{Ends, ReviewScans, RunView, ScanView};
pub use summary::{OpenLoop, ReviewLimit, ReviewSummary};
pub use truth::Agreement;
pub use verdict::{Act, By, Decided, Refusal, Verdict, Written};

use crate::JobError;
use crate::files::relations_text;

/// How a review goes.
#[derive(Clone, Debug, PartialEq)]
pub struct ReviewSettings {
    /// The record as it is named to people.
    pub record: String,
    /// The log as it is named to people.
    pub log: String,
    /// BLAKE3 hash of the log; none if it is not known.
    pub log_blake3: Option<String>,
    /// What it doubts comes first.
    pub rule: AcceptRule,
    /// Which relations go to another person.
    pub second: SecondOpinions,
}

/// A record under review.
pub struct Review {
    settings: ReviewSettings,
    lines: Box<dyn RecordLines>,
    index: RecordIndex,
    scans: ReviewScans,
    /// Relations along which the run was laid out.
    laid_out: usize,
    /// Open loops, and the number of lines that they were computed for.
    open_loops: Option<(usize, Vec<OpenLoop>)>,
}

/// Pairs of clicked points that should lie on each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClickedPair {
    /// In the frame of the first scan.
    pub first: Point2,
    /// In the frame of the second scan.
    pub second: Point2,
}

/// The displacement that brings clicked pairs together.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ClickedFit {
    /// The pose of the second scan seen from the first.
    pub delta: Pose2,
    /// sqrt(Σ length² / n).
    pub rms_m: f64,
    /// In the order of the pairs.
    pub residuals: Vec<ClickedResidual>,
}

/// From where a point of the second scan lies to its partner in the first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ClickedResidual {
    /// Along x, metres.
    pub dx_m: f64,
    /// Along y, metres.
    pub dy_m: f64,
    /// sqrt(dx² + dy²), metres.
    pub length_m: f64,
}

impl Review {
    /// Opens a record with the scans of its log.
    ///
    /// # Errors
    /// The record cannot be read, holds no relation, or was made from another log.
    pub fn open(
        settings: ReviewSettings,
        lines: Box<dyn RecordLines>,
        scans: ReviewScans,
    ) -> Result<Self, JobError> {
        let index = RecordIndex::default();
        let mut review = Self { settings, lines, index, scans, laid_out: 0, open_loops: None };
        review.follow()?;
        if review.index.relations.is_empty() {
            let why = format!("expected relations, found {} lines that are none", review.index.unreadable);
            return Err(JobError::NoRelations { path: review.settings.record.clone(), why });
        }
        review.check_log()?;
        Ok(review)
    }

    /// Refuses a log whose scans are not those that the proposals were measured by. Old records do not name theirs.
    fn check_log(&self) -> Result<(), JobError> {
        let Some(given) = &self.settings.log_blake3 else { return Ok(()) };
        let named = |known: &Indexed| known.last.log_blake3.clone().filter(|named| named != given);
        match self.index.relations.iter().find_map(named) {
            None => Ok(()),
            Some(named) => Err(JobError::OtherLog {
                record: self.settings.record.clone(),
                log: self.settings.log.clone(),
                expected: named,
                found: given.clone(),
            }),
        }
    }

    /// Reads what others have appended; true if there was something.
    ///
    /// # Errors
    /// The record cannot be read.
    pub fn follow(&mut self) -> Result<bool, JobError> {
        let new = self.lines.follow()?;
        let is_new = new.is_anew || !new.lines.is_empty();
        self.index.take(new, &self.settings.rule);
        self.lay_out();
        Ok(is_new)
    }

    fn lay_out(&mut self) {
        if self.laid_out != self.index.relations.len() {
            self.scans.lay_out(self.index.relations.iter().map(|known| &known.last));
            self.laid_out = self.index.relations.len();
        }
    }

    /// How the review goes.
    #[must_use]
    pub const fn settings(&self) -> &ReviewSettings {
        &self.settings
    }

    /// How many relations have each status.
    #[must_use]
    pub const fn counts(&self) -> ReviewCounts {
        self.index.counts
    }

    /// Lines of the record that were read; changes whenever the record does.
    #[must_use]
    pub const fn lines(&self) -> usize {
        self.index.lines
    }

    /// The last line of a relation, and its version.
    #[must_use]
    pub fn last(&self, id: &str) -> Option<(&RelationRecord, String)> {
        self.index.get(id).map(|known| (&known.last, known.version()))
    }

    /// The relations that judge: accepted and adjusted ones, and nothing that is disputed.
    #[must_use]
    pub fn truth(&self) -> Vec<RelationRecord> {
        let all = self.index.relations.iter().map(|known| &known.last);
        all.filter(|entry| entry.is_truth()).cloned().collect()
    }

    /// The relations that judge as rows `t1 t2 x y z roll pitch yaw`; none if nothing is accepted.
    #[must_use]
    pub fn exported(&self) -> Option<String> {
        let relations: Vec<Relation> = self.truth().iter().map(RelationRecord::final_relation).collect();
        relations_text(&relations, "relations").filter(|_| !relations.is_empty())
    }

    /// All lines of a relation, the first one first.
    ///
    /// # Errors
    /// The record cannot be read.
    pub fn history(&mut self, id: &str) -> Result<Vec<RelationRecord>, JobError> {
        let Some(known) = self.index.get(id) else { return Ok(Vec::new()) };
        self.lines.entries_at(&known.places)
    }

    /// Both scans of a relation: points in the frame of their robots. None if the log has no scans of these times.
    pub(super) fn scan_hits(&self, entry: &RelationRecord) -> Option<(&[Point2], &[Point2])> {
        let (first, second) = self.scans.pair(entry)?;
        Some((&first.hits_in_robot, &second.hits_in_robot))
    }

    /// What the scans say about a displacement as it is, by the code that measured the proposal; none if there is no such
    /// relation. Without scans, or where no points meet, the numbers have no values.
    #[must_use]
    pub fn evaluate(&self, id: &str, delta: Pose2) -> Option<Evaluation> {
        let known = self.index.get(id)?;
        let found = self.scans.pair(&known.last).and_then(|(first, second)| measure(first, second, delta));
        Some(Evaluation::of_match(found.as_ref(), proposed(&known.last), &self.settings.rule))
    }

    /// Lays the scans on each other from a displacement on; none if they do not match from there, or if there is no such
    /// relation.
    #[must_use]
    pub fn refine(&self, id: &str, start: Pose2) -> Option<Refined> {
        let known = self.index.get(id)?;
        let (first, second) = self.scans.pair(&known.last)?;
        let found = refine(first, second, start).filter(|_| start.is_finite())?;
        let evaluation = Evaluation::of_match(Some(&found), proposed(&known.last), &self.settings.rule);
        Some(Refined { delta: found.first_from_second, evaluation })
    }
}

/// The displacement that brings clicked pairs together with the least sum of squares; one pair gives a translation, none
/// nothing.
#[must_use]
pub fn fit_clicked(pairs: &[ClickedPair]) -> Option<ClickedFit> {
    let as_pair = |pair: &ClickedPair| PointPair { in_map: pair.second, in_truth: pair.first };
    let pairs: Vec<PointPair> = pairs.iter().map(as_pair).collect();
    let found = fit(&pairs, Motion::Rigid)?;
    let residual = |pair: &PointPair| {
        let moved = found * pair.in_map;
        let (dx_m, dy_m) = (pair.in_truth.x_m - moved.x_m, pair.in_truth.y_m - moved.y_m);
        ClickedResidual { dx_m, dy_m, length_m: dx_m.hypot(dy_m) }
    };
    let residuals = pairs.iter().map(residual).collect();
    Some(ClickedFit { delta: found.pose(), rms_m: rms_m(&pairs, found)?, residuals })
}

/// The displacement as it was proposed.
fn proposed(entry: &RelationRecord) -> Pose2 {
    entry.relation.pose().planar()
}

#[cfg(test)]
mod tests;
