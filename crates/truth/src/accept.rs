//! Batch acceptance (specification T-GEN): what meets every limit is accepted in the name of the rule, the doubtful is
//! left to a person.

use std::collections::BTreeMap;
use std::f64::consts::PI;

use model::{RelationRecord, RelationStatus};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::support::{Support, support};

/// Limits that a proposal must meet to be accepted without a person. Each default is ours: chosen on the simulated mazes
/// of seeds 1 to 60 and checked on others, see docs/ground-truth.md.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AcceptRule {
    /// Share of the points with a partner in the other scan, at least. Default 0.5.
    pub min_overlap: f64,
    /// Share of the pairs within the noise of a laser, at least. Default 0.9.
    pub min_inliers: f64,
    /// Root mean square distance of the pairs, at most. Default 0.025 m.
    pub max_rms_m: f64,
    /// Share of the points where the other scan looked through, at most. Default 0.05.
    pub max_contradicted: f64,
    /// How far the match moved the displacement of the trajectory, at most; not asked of steps whose scans give the same
    /// displacement without the trajectory, which would be judged by what agrees with it. Default 0.15 m.
    pub max_moved_m: f64,
    /// How far it turned it, at most. Default 5 degrees.
    pub max_turned_rad: f64,
    /// Standard deviation of the position in its worst direction, at most. Default 0.02 m.
    pub max_sigma_m: f64,
    /// Standard deviation of the heading, at most. Default 0.5 degrees.
    pub max_sigma_rad: f64,
    /// Other revisits from other keyframes that agree, at least; asked of revisits only. Default 1.
    pub min_witnesses: usize,
    /// Steps between the visits that their scans turn by more than a degree or move by more than 0.1 m, at most; asked of
    /// revisits only. Default 0.
    pub max_bent_steps: usize,
}

/// Tag of a displacement that was found again from starts that know nothing of the poses: how far it lies from them is no
/// doubt about it, it may be one about them.
pub const CONFIRMED: &str = "confirmed";
/// Tag of a displacement beside which another one fits about as well.
pub const AMBIGUOUS: &str = "ambiguous";

/// A step that its scans correct by more than this is bent. Ours: of 60 simulated mazes, those in which the mapper found
/// its path have no such step, save one of them, and those in which it did not have at least five.
const BENT_RAD: f64 = PI / 180.0;
const BENT_M: f64 = 0.1;

impl Default for AcceptRule {
    fn default() -> Self {
        Self {
            min_overlap: 0.5,
            min_inliers: 0.9,
            max_rms_m: 0.025,
            max_contradicted: 0.05,
            max_moved_m: 0.15,
            max_turned_rad: 5.0 * PI / 180.0,
            max_sigma_m: 0.02,
            max_sigma_rad: 0.5 * PI / 180.0,
            min_witnesses: 1,
            max_bent_steps: 0,
        }
    }
}

/// Why a rule leaves a proposal to a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Doubt {
    /// No two scans were matched, or nothing is known about the match.
    NoMatch,
    /// The scans fix no displacement in one direction.
    Degenerate,
    /// Too few points have a partner.
    Overlap,
    /// Too many pairs are too far apart.
    Inliers,
    /// The pairs are too far apart.
    Rms,
    /// Points lie where the other scan looked through.
    Contradicted,
    /// The match left the trajectory.
    Moved,
    /// The displacement is not known well enough.
    Sigma,
    /// Another displacement fits the scans about as well.
    Ambiguous,
    /// No other revisit agrees: the place may only look alike.
    Witnesses,
    /// The path between the visits is bent: the poses may have taken one place for another.
    Bent,
}

impl Doubt {
    /// The doubt in words, of one or several proposals.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::NoMatch => "their scans do not match",
            Self::Degenerate => "their scans fix nothing in one direction",
            Self::Overlap => "too small an overlap",
            Self::Inliers => "too few inliers",
            Self::Rms => "too large a distance of the pairs",
            Self::Contradicted => "points where the other scan sees through",
            Self::Moved => "the match left the poses it began with",
            Self::Sigma => "too large a deviation",
            Self::Ambiguous => "another displacement fits about as well",
            Self::Witnesses => "no other revisit agrees",
            Self::Bent => "the poses between the visits are bent",
        }
    }
}

impl AcceptRule {
    /// The first limit that a proposal does not meet, those of revisits apart; none if it meets them.
    #[must_use]
    pub fn doubt(&self, record: &RelationRecord) -> Option<Doubt> {
        if record.icp.and_then(|icp| icp.evidence).is_none() {
            return Some(Doubt::NoMatch);
        }
        if record.tags.iter().any(|tag| tag == AMBIGUOUS) {
            return Some(Doubt::Ambiguous);
        }
        self.limits_of_scans(record.icp.as_ref())
            .iter()
            .find(|limit| !limit.is_met() && !limit.is_void_of(record))
            .map(|limit| limit.doubt)
    }

    const fn doubt_of_revisit(&self, support: Support) -> Option<Doubt> {
        if support.witnesses < self.min_witnesses {
            Some(Doubt::Witnesses)
        } else if support.bent_steps > self.max_bent_steps {
            Some(Doubt::Bent)
        } else {
            None
        }
    }

    /// The rule in words, as the reviewer of what it accepts.
    #[must_use]
    pub fn name(&self) -> String {
        format!(
            "rule: overlap >= {}, inliers >= {}, rms <= {} m, contradicted <= {}, moved <= {} m and {:.3} deg, \
             or found without the poses, sigma <= {} m and {:.3} deg, witnesses of revisits >= {}, bent steps between visits <= {}, not degenerate",
            self.min_overlap,
            self.min_inliers,
            self.max_rms_m,
            self.max_contradicted,
            self.max_moved_m,
            self.max_turned_rad.to_degrees(),
            self.max_sigma_m,
            self.max_sigma_rad.to_degrees(),
            self.min_witnesses,
            self.max_bent_steps
        )
    }
}

/// The entries to append for the proposals that a rule accepts, and how many of the others each doubt keeps back. What a
/// person or another rule has decided stays.
#[must_use]
pub fn accept(
    records: &[RelationRecord],
    rule: &AcceptRule,
    time: Option<&str>,
) -> (Vec<RelationRecord>, Vec<(Doubt, usize)>) {
    let (mut clear, mut doubts) = (Vec::new(), BTreeMap::new());
    // A rule settles no dispute between people.
    let is_open =
        |record: &&RelationRecord| record.status == RelationStatus::Proposed && !record.is_disputed();
    for record in records.iter().filter(is_open) {
        match rule.doubt(record) {
            Some(doubt) => *doubts.entry(doubt).or_insert(0) += 1,
            None => clear.push(record),
        }
    }
    let support = support(records, &clear, &clear, is_bent);
    let name = rule.name();
    let mut accepted = Vec::new();
    for (record, support) in clear.into_iter().zip(support) {
        if let Some(doubt) = rule.doubt_of_revisit(support).filter(|_| is_revisit(record)) {
            *doubts.entry(doubt).or_insert(0) += 1;
            continue;
        }
        accepted.push(RelationRecord {
            status: RelationStatus::Accepted,
            reviewer: Some(name.clone()),
            time: time.map(str::to_owned),
            ..record.clone()
        });
    }
    (accepted, doubts.into_iter().collect())
}

/// What is known about each revisit beyond its two scans, and nothing about steps between neighbours: the others of a
/// record that meet the limits of scans, and those that were accepted, are the witnesses.
#[must_use]
pub fn support_of_revisits(records: &[RelationRecord], rule: &AcceptRule) -> Vec<Option<Support>> {
    let is_clear =
        |record: &&RelationRecord| record.status != RelationStatus::Rejected && rule.doubt(record).is_none();
    let clear: Vec<&RelationRecord> = records.iter().filter(is_clear).collect();
    let all: Vec<&RelationRecord> = records.iter().collect();
    let support = support(records, &clear, &all, is_bent);
    records.iter().zip(support).map(|(record, support)| is_revisit(record).then_some(support)).collect()
}

/// Whether the scans of a step say that the poses bent it.
fn is_bent(step: &RelationRecord) -> bool {
    let evidence = step.icp.and_then(|icp| icp.evidence);
    evidence.is_some_and(|found| {
        found.turned_rad > BENT_RAD || (found.moved_m > BENT_M && found.degenerate_rad.is_none())
    })
}

/// Whether the robot had been away: between neighbours no place can be taken for another.
#[must_use]
pub fn is_revisit(record: &RelationRecord) -> bool {
    !record.tags.iter().any(|tag| tag == "consecutive")
}

/// Names of relations that were accepted without a reviewer.
#[must_use]
pub fn undecided(records: &[RelationRecord]) -> Vec<&str> {
    let is_nobody = |record: &&RelationRecord| {
        record.is_truth() && record.reviewer.as_deref().is_none_or(|name| name.trim().is_empty())
    };
    records.iter().filter(is_nobody).map(|record| record.id.as_str()).collect()
}

#[cfg(test)]
mod tests {
    use model::{MatchEvidence, ScanMatch};

    use super::*;
    use crate::example::relation;

    const EVIDENCE: MatchEvidence = MatchEvidence {
        inliers: 0.97,
        contradicted: 0.0,
        moved_m: 0.01,
        turned_rad: 0.01,
        covariance: [1e-4, 0.0, 0.0, 1e-4, 0.0, 1e-5],
        degenerate_rad: None,
    };

    fn record(id: &str, evidence: Option<MatchEvidence>) -> RelationRecord {
        let icp = Some(ScanMatch { rms_m: 0.01, overlap: 0.8, evidence });
        RelationRecord {
            icp,
            tags: vec!["consecutive".to_owned(), "local".to_owned()],
            ..RelationRecord::proposed(id.to_owned(), relation(0.0, 1.0, 0.5, 0.0, 0.0))
        }
    }

    #[test]
    fn what_meets_all_limits_is_accepted_in_the_name_of_the_rule() {
        let rule = AcceptRule::default();
        let (accepted, doubts) = accept(&[record("a", Some(EVIDENCE))], &rule, Some("2026-01-01"));
        assert_eq!((accepted.len(), doubts.len(), accepted[0].is_truth()), (1, 0, true));
        assert_eq!(accepted[0].reviewer.as_deref(), Some(rule.name().as_str()));
        assert_eq!(accepted[0].time.as_deref(), Some("2026-01-01"));
        assert!(undecided(&accepted).is_empty());
    }

    #[test]
    fn each_limit_keeps_a_proposal_back() {
        let rule = AcceptRule::default();
        let spoiled: [(MatchEvidence, Doubt); 6] = [
            (MatchEvidence { degenerate_rad: Some(0.0), ..EVIDENCE }, Doubt::Degenerate),
            (MatchEvidence { inliers: 0.5, ..EVIDENCE }, Doubt::Inliers),
            (MatchEvidence { contradicted: 0.2, ..EVIDENCE }, Doubt::Contradicted),
            (MatchEvidence { turned_rad: 0.3, ..EVIDENCE }, Doubt::Moved),
            (MatchEvidence { covariance: [1e-2, 0.0, 0.0, 1e-4, 0.0, 1e-5], ..EVIDENCE }, Doubt::Sigma),
            (MatchEvidence { moved_m: f64::NAN, ..EVIDENCE }, Doubt::Moved),
        ];
        for (evidence, doubt) in spoiled {
            assert_eq!(rule.doubt(&record("a", Some(evidence))), Some(doubt));
        }
        assert_eq!(rule.doubt(&record("a", None)), Some(Doubt::NoMatch));
        assert_eq!(rule.doubt(&RelationRecord { icp: None, ..record("a", None) }), Some(Doubt::NoMatch));
    }

    /// A rule that asks relations to agree with the poses that they are to judge would accept what agrees alone.
    #[test]
    fn a_step_that_contradicts_the_poses_is_accepted_if_it_was_found_without_them() {
        let rule = AcceptRule::default();
        let bent = MatchEvidence { turned_rad: 0.2, moved_m: 0.4, ..EVIDENCE };
        let tagged = |tag: &str| {
            let mut record = record("a", Some(bent));
            record.tags.push(tag.to_owned());
            record
        };
        assert_eq!(rule.doubt(&record("a", Some(bent))), Some(Doubt::Moved));
        assert_eq!((rule.doubt(&tagged(CONFIRMED)), rule.doubt_of(&tagged(CONFIRMED), None)), (None, None));
        assert_eq!(rule.doubt(&tagged(AMBIGUOUS)), Some(Doubt::Ambiguous));
        assert_eq!(rule.doubt_of(&tagged(AMBIGUOUS), None).unwrap().code, Doubt::Ambiguous);
    }

    #[test]
    fn a_revisit_that_nothing_bears_out_stays_proposed() {
        let revisit = RelationRecord { tags: vec!["loops".to_owned()], ..record("a", Some(EVIDENCE)) };
        let (accepted, doubts) = accept(std::slice::from_ref(&revisit), &AcceptRule::default(), None);
        assert_eq!((accepted.len(), doubts), (0, vec![(Doubt::Witnesses, 1)]));
        let alone = AcceptRule { min_witnesses: 0, ..AcceptRule::default() };
        assert_eq!(accept(&[revisit], &alone, None).0.len(), 1);
    }

    #[test]
    fn a_rule_settles_no_dispute() {
        let mut disputed = record("a", Some(EVIDENCE));
        disputed.tags.push(RelationRecord::DISPUTED.to_owned());
        assert_eq!(accept(&[disputed], &AcceptRule::default(), None), (Vec::new(), Vec::new()));
    }

    #[test]
    fn what_somebody_decided_stays() {
        let rejected = RelationRecord { status: RelationStatus::Rejected, ..record("a", Some(EVIDENCE)) };
        assert_eq!(accept(&[rejected], &AcceptRule::default(), None), (Vec::new(), Vec::new()));
        let nobody = RelationRecord { status: RelationStatus::Accepted, ..record("b", None) };
        assert_eq!(undecided(&[nobody]), ["b"]);
    }
}
