//! The limits of a rule with the values of one proposal: what is missed, and by how much.
//!
//! ```text
//! ratio = value / limit    for a limit that a value may reach at most
//! ratio = limit / value    for one that it must reach
//! ratio = (value + 1) / (limit + 1), or its inverse, for counts, which may be 0
//! ```
//!
//! The doubt about a proposal is the missed limit with the largest ratio. What has no ratio (scans that do not match, or
//! that fix nothing in one direction) is doubted most.

use model::{MatchEvidence, RelationRecord, ScanMatch};
use schemars::JsonSchema;
use serde::Serialize;

use crate::support::Support;
use crate::{AMBIGUOUS, AcceptRule, CONFIRMED, Doubt};

/// On which side of its limit a value should lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LimitSense {
    AtLeast,
    AtMost,
    /// The value should not be there at all.
    Absent,
}

/// One limit of a rule, and the value of a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Limit {
    /// Stable name for programs.
    pub name: &'static str,
    pub title: &'static str,
    /// None where the scans do not match.
    pub value: Option<f64>,
    /// None if the value should be absent.
    pub limit: Option<f64>,
    /// `m`, `rad`, or empty for shares and counts.
    pub unit: &'static str,
    pub sense: LimitSense,
    /// What a proposal that misses it is doubted for.
    pub doubt: Doubt,
}

/// Why a proposal is doubted, in words.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct DoubtOf {
    /// By how much the limit is missed, above 1; none where that is no number: doubted most.
    pub ratio: Option<f64>,
    pub code: Doubt,
    pub words: String,
}

impl DoubtOf {
    /// The largest comes first in a review.
    #[must_use]
    pub fn rank(&self) -> f64 {
        self.ratio.unwrap_or(f64::INFINITY)
    }
}

/// A limit that has no name yet.
struct Bound {
    sense: LimitSense,
    limit: f64,
    value: Option<f64>,
}

impl Bound {
    fn named(self, name: &'static str, title: &'static str, unit: &'static str, doubt: Doubt) -> Limit {
        let Self { sense, limit, value } = self;
        Limit { name, title, value, limit: Some(limit), unit, sense, doubt }
    }
}

impl Limit {
    const fn at_least(limit: f64, value: Option<f64>) -> Bound {
        Bound { sense: LimitSense::AtLeast, limit, value }
    }

    const fn at_most(limit: f64, value: Option<f64>) -> Bound {
        Bound { sense: LimitSense::AtMost, limit, value }
    }

    /// False for what is no number.
    #[must_use]
    pub fn is_met(&self) -> bool {
        match (self.sense, self.value, self.limit) {
            (LimitSense::Absent, value, _) => value.is_none(),
            (LimitSense::AtLeast, Some(value), Some(limit)) => value >= limit,
            (LimitSense::AtMost, Some(value), Some(limit)) => value <= limit,
            _ => false,
        }
    }

    /// Whether the limit is not asked of a proposal: one that was found without the poses may lie far from them.
    pub(crate) fn is_void_of(&self, record: &RelationRecord) -> bool {
        self.doubt == Doubt::Moved && record.tags.iter().any(|tag| tag == CONFIRMED)
    }

    /// By how much the limit is missed: above 1 if it is; none where that is no number.
    #[must_use]
    pub fn ratio(&self) -> Option<f64> {
        let (value, limit) = self.value.zip(self.limit)?;
        let is_count = matches!(self.doubt, Doubt::Witnesses | Doubt::Bent);
        let (value, limit) = if is_count { (value + 1.0, limit + 1.0) } else { (value, limit) };
        let ratio = if self.sense == LimitSense::AtLeast { limit / value } else { value / limit };
        ratio.is_finite().then_some(ratio)
    }

    /// The limit alone, in words.
    #[must_use]
    pub fn words(&self) -> String {
        match (self.sense, self.limit) {
            (LimitSense::AtLeast, Some(limit)) => format!("{} at least {}", self.title, self.shown(limit)),
            (LimitSense::AtMost, Some(limit)) => format!("{} at most {}", self.title, self.shown(limit)),
            _ => format!("no {}", self.title),
        }
    }

    fn doubt_of(&self) -> DoubtOf {
        let ratio = self.ratio();
        let words = match (self.value, self.sense) {
            (Some(value), LimitSense::AtLeast | LimitSense::AtMost) => {
                let times = ratio.map_or_else(String::new, |ratio| format!(", {ratio:.1} times off"));
                format!("{} is {}: expected {}{times}", self.title, self.shown(value), self.words())
            }
            _ => self.doubt.words().to_owned(),
        };
        DoubtOf {
            ratio: if self.sense == LimitSense::Absent { None } else { ratio },
            code: self.doubt,
            words,
        }
    }

    /// A value of this limit as a person reads it: angles in degrees.
    fn shown(&self, value: f64) -> String {
        let rounded = |value: f64| {
            let text = format!("{value:.3}");
            if text.contains('.') {
                text.trim_end_matches('0').trim_end_matches('.').to_owned()
            } else {
                text
            }
        };
        match self.unit {
            "rad" => format!("{} deg", rounded(value.to_degrees())),
            "" => rounded(value),
            unit => format!("{} {unit}", rounded(value)),
        }
    }
}

impl AcceptRule {
    /// Every limit with the value of a match; those of revisits only where there is a support.
    #[must_use]
    pub fn limits(&self, icp: Option<&ScanMatch>, support: Option<Support>) -> Vec<Limit> {
        let mut limits = self.limits_of_scans(icp);
        limits.extend(support.into_iter().flat_map(|support| self.limits_of_revisit(Some(support))));
        limits
    }

    /// Every limit of the rule, those of revisits too, without values.
    #[must_use]
    pub fn all_limits(&self) -> Vec<Limit> {
        self.limits_of_scans(None).into_iter().chain(self.limits_of_revisit(None)).collect()
    }

    /// Why a proposal is doubted: the missed limit with the largest ratio.
    #[must_use]
    pub fn doubt_of(&self, record: &RelationRecord, support: Option<Support>) -> Option<DoubtOf> {
        let evidence = record.icp.and_then(|icp| icp.evidence);
        if evidence.is_none() {
            let words = Doubt::NoMatch.words().to_owned();
            return Some(DoubtOf { ratio: None, code: Doubt::NoMatch, words });
        }
        if record.tags.iter().any(|tag| tag == AMBIGUOUS) {
            let words = Doubt::Ambiguous.words().to_owned();
            return Some(DoubtOf { ratio: None, code: Doubt::Ambiguous, words });
        }
        let limits = self.limits(record.icp.as_ref(), support).into_iter();
        let missed = limits.filter(|limit| !limit.is_met() && !limit.is_void_of(record));
        // The first of equal ones, so that the order is that of the rule.
        missed.map(|limit| limit.doubt_of()).reduce(
            |worst, other| {
                if other.rank() > worst.rank() { other } else { worst }
            },
        )
    }

    /// The limits that the two scans alone decide, in the order in which they are asked.
    pub(crate) fn limits_of_scans(&self, icp: Option<&ScanMatch>) -> Vec<Limit> {
        let free = Limit {
            name: "degenerate_rad",
            title: "direction that the scans leave free",
            value: icp.and_then(|icp| icp.evidence?.degenerate_rad),
            limit: None,
            unit: "rad",
            sense: LimitSense::Absent,
            doubt: Doubt::Degenerate,
        };
        let pairs = self.limits_of_pairs(icp);
        let displacement = self.limits_of_displacement(icp.and_then(|icp| icp.evidence.as_ref()));
        [free].into_iter().chain(pairs).chain(displacement).collect()
    }

    /// How well points meet.
    fn limits_of_pairs(&self, icp: Option<&ScanMatch>) -> [Limit; 4] {
        let evidence = icp.and_then(|icp| icp.evidence.as_ref());
        let overlap = Limit::at_least(self.min_overlap, icp.map(|icp| icp.overlap));
        let inliers = Limit::at_least(self.min_inliers, evidence.map(|found| found.inliers));
        let rms = Limit::at_most(self.max_rms_m, icp.map(|icp| icp.rms_m));
        let through = Limit::at_most(self.max_contradicted, evidence.map(|found| found.contradicted));
        [
            overlap.named("overlap", "overlap", "", Doubt::Overlap),
            inliers.named("inliers", "share of inliers", "", Doubt::Inliers),
            rms.named("rms_m", "rms of the pairs", "m", Doubt::Rms),
            through.named("contradicted", "share seen through", "", Doubt::Contradicted),
        ]
    }

    /// How well the displacement is known, and how far it lies from the poses.
    fn limits_of_displacement(&self, evidence: Option<&MatchEvidence>) -> [Limit; 4] {
        let moved = Limit::at_most(self.max_moved_m, evidence.map(|found| found.moved_m));
        let turned = Limit::at_most(self.max_turned_rad, evidence.map(|found| found.turned_rad));
        let sigma = Limit::at_most(self.max_sigma_m, evidence.map(MatchEvidence::sigma_m));
        let sigma_rad = Limit::at_most(self.max_sigma_rad, evidence.map(MatchEvidence::sigma_rad));
        [
            moved.named("moved_m", "correction", "m", Doubt::Moved),
            turned.named("turned_rad", "correction of the heading", "rad", Doubt::Moved),
            sigma.named("sigma_m", "deviation", "m", Doubt::Sigma),
            sigma_rad.named("sigma_rad", "deviation of the heading", "rad", Doubt::Sigma),
        ]
    }

    fn limits_of_revisit(&self, support: Option<Support>) -> [Limit; 2] {
        let witnesses = support.map(|support| support.witnesses as f64);
        let bent = support.map(|support| support.bent_steps as f64);
        let witnesses = Limit::at_least(self.min_witnesses as f64, witnesses);
        let bent = Limit::at_most(self.max_bent_steps as f64, bent);
        [
            witnesses.named("witnesses", "other revisits that agree", "", Doubt::Witnesses),
            bent.named("bent_steps", "bent steps between the visits", "", Doubt::Bent),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::relation;

    fn record(overlap: f64, rms_m: f64) -> RelationRecord {
        let evidence = MatchEvidence {
            inliers: 0.97,
            contradicted: 0.0,
            moved_m: 0.01,
            turned_rad: 0.01,
            covariance: [1e-4, 0.0, 0.0, 1e-4, 0.0, 1e-5],
            degenerate_rad: None,
        };
        RelationRecord {
            icp: Some(ScanMatch { rms_m, overlap, evidence: Some(evidence) }),
            ..RelationRecord::proposed("a".to_owned(), relation(0.0, 1.0, 0.5, 0.0, 0.0))
        }
    }

    /// By hand: overlap 0.2 of 0.5 is missed 2.5 times, an rms of 0.1 m of 0.025 m 4 times.
    #[test]
    fn the_limit_that_is_missed_by_the_largest_ratio_is_the_doubt() {
        let rule = AcceptRule::default();
        assert_eq!(rule.doubt_of(&record(0.8, 0.01), None), None);
        let doubt = rule.doubt_of(&record(0.2, 0.02), None).unwrap();
        assert_eq!((doubt.code, doubt.ratio), (Doubt::Overlap, Some(2.5)));
        assert_eq!(doubt.words, "overlap is 0.2: expected overlap at least 0.5, 2.5 times off");
        let doubt = rule.doubt_of(&record(0.2, 0.1), None).unwrap();
        assert_eq!(doubt.code, Doubt::Rms);
        assert!((doubt.rank() - 4.0).abs() < 1e-12, "{doubt:?}");
    }

    /// No witness where one is needed: (1 + 1) / (0 + 1); three bent steps where none may be: (3 + 1) / (0 + 1).
    #[test]
    fn counts_of_zero_have_ratios_too() {
        let rule = AcceptRule::default();
        let support = |witnesses, bent_steps| Some(Support { witnesses, bent_steps });
        let doubt =
            |support| rule.doubt_of(&record(0.8, 0.01), support).map(|doubt| (doubt.code, doubt.ratio));
        assert_eq!(doubt(support(1, 0)), None);
        assert_eq!(doubt(support(0, 0)), Some((Doubt::Witnesses, Some(2.0))));
        assert_eq!(doubt(support(0, 3)), Some((Doubt::Bent, Some(4.0))));
    }

    #[test]
    fn what_has_no_ratio_is_doubted_most() {
        let rule = AcceptRule::default();
        let nothing = RelationRecord { icp: None, ..record(0.8, 0.01) };
        let doubt = rule.doubt_of(&nothing, None).unwrap();
        assert_eq!((doubt.code, doubt.ratio, doubt.rank()), (Doubt::NoMatch, None, f64::INFINITY));
        let mut corridor = record(0.2, 0.1);
        corridor.icp.as_mut().unwrap().evidence.as_mut().unwrap().degenerate_rad = Some(0.3);
        assert_eq!(rule.doubt_of(&corridor, None).unwrap().code, Doubt::Degenerate);
        assert_eq!(rule.doubt_of(&record(0.0, 0.01), None).unwrap().ratio, None);
    }

    #[test]
    fn limits_are_said_in_words_with_degrees() {
        let words: Vec<String> = AcceptRule::default().all_limits().iter().map(Limit::words).collect();
        assert_eq!(words.len(), 11);
        assert_eq!(words[0], "no direction that the scans leave free");
        assert_eq!(words[6], "correction of the heading at most 5 deg");
        assert_eq!(words[10], "bent steps between the visits at most 0");
    }
}
