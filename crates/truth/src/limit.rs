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

use model::{RelationRecord, ScanMatch};
use serde::Serialize;

use crate::support::Support;
use crate::{AcceptRule, Doubt};

/// On which side of its limit a value should lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
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
#[derive(Clone, Debug, PartialEq, Serialize)]
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

impl Limit {
    const fn new(
        doubt: Doubt,
        name: &'static str,
        title: &'static str,
        value: Option<f64>,
        limit: (LimitSense, Option<f64>),
    ) -> Self {
        Self { name, title, value, limit: limit.1, unit: "", sense: limit.0, doubt }
    }

    const fn at_least(
        doubt: Doubt,
        name: &'static str,
        title: &'static str,
        value: Option<f64>,
        limit: f64,
    ) -> Self {
        Self::new(doubt, name, title, value, (LimitSense::AtLeast, Some(limit)))
    }

    const fn at_most(
        doubt: Doubt,
        name: &'static str,
        title: &'static str,
        value: Option<f64>,
        limit: f64,
    ) -> Self {
        Self::new(doubt, name, title, value, (LimitSense::AtMost, Some(limit)))
    }

    const fn absent(doubt: Doubt, name: &'static str, title: &'static str, value: Option<f64>) -> Self {
        Self::new(doubt, name, title, value, (LimitSense::Absent, None))
    }

    const fn measured_in(self, unit: &'static str) -> Self {
        Self { unit, ..self }
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
        let mut limits = self.limits_of_scans(icp).to_vec();
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
        let missed = self.limits(record.icp.as_ref(), support).into_iter().filter(|limit| !limit.is_met());
        // The first of equal ones, so that the order is that of the rule.
        missed.map(|limit| limit.doubt_of()).reduce(
            |worst, other| {
                if other.rank() > worst.rank() { other } else { worst }
            },
        )
    }

    /// The limits that the two scans alone decide, in the order in which they are asked.
    pub(crate) fn limits_of_scans(&self, icp: Option<&ScanMatch>) -> [Limit; 9] {
        let evidence = icp.and_then(|icp| icp.evidence);
        let of = |value: fn(&model::MatchEvidence) -> f64| evidence.as_ref().map(value);
        let free = Limit::absent(
            Doubt::Degenerate,
            "degenerate_rad",
            "direction that the scans leave free",
            evidence.and_then(|found| found.degenerate_rad),
        );
        let (overlap, rms_m) = (icp.map(|icp| icp.overlap), icp.map(|icp| icp.rms_m));
        let heading = "correction of the heading";
        let (sigma_m, sigma_rad) = (of(model::MatchEvidence::sigma_m), of(model::MatchEvidence::sigma_rad));
        let turned = of(|e| e.turned_rad);
        let seen_through = of(|e| e.contradicted);
        [
            free.measured_in("rad"),
            Limit::at_least(Doubt::Overlap, "overlap", "overlap", overlap, self.min_overlap),
            Limit::at_least(
                Doubt::Inliers,
                "inliers",
                "share of inliers",
                of(|e| e.inliers),
                self.min_inliers,
            ),
            Limit::at_most(Doubt::Rms, "rms_m", "rms of the pairs", rms_m, self.max_rms_m).measured_in("m"),
            Limit::at_most(
                Doubt::Contradicted,
                "contradicted",
                "share seen through",
                seen_through,
                self.max_contradicted,
            ),
            Limit::at_most(Doubt::Moved, "moved_m", "correction", of(|e| e.moved_m), self.max_moved_m)
                .measured_in("m"),
            Limit::at_most(Doubt::Moved, "turned_rad", heading, turned, self.max_turned_rad)
                .measured_in("rad"),
            Limit::at_most(Doubt::Sigma, "sigma_m", "deviation", sigma_m, self.max_sigma_m).measured_in("m"),
            Limit::at_most(
                Doubt::Sigma,
                "sigma_rad",
                "deviation of the heading",
                sigma_rad,
                self.max_sigma_rad,
            )
            .measured_in("rad"),
        ]
    }

    fn limits_of_revisit(&self, support: Option<Support>) -> [Limit; 2] {
        let witnesses = support.map(|support| support.witnesses as f64);
        let bent = support.map(|support| support.bent_steps as f64);
        let agreeing = "other revisits that agree";
        let (min, max) = (self.min_witnesses as f64, self.max_bent_steps as f64);
        [
            Limit::at_least(Doubt::Witnesses, "witnesses", agreeing, witnesses, min),
            Limit::at_most(Doubt::Bent, "bent_steps", "bent steps between the visits", bent, max),
        ]
    }
}

#[cfg(test)]
mod tests {
    use model::MatchEvidence;

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
