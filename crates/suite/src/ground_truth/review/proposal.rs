//! What a person is shown about a proposal, as values that a page and a terminal draw.

use mapper::RefinedMatch;
use model::{MatchEvidence, Pose2, RelationRecord, Rigid, ScanMatch};
use schemars::JsonSchema;
use serde::Serialize;
use truth::{AcceptRule, Doubt, DoubtOf, Limit};

use super::scans::{Ends, ScanView};

/// A value of a match beside its limit.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ReviewNumber {
    /// Stable name for programs.
    pub name: &'static str,
    /// Name for people.
    pub title: &'static str,
    /// Null where the scans give none.
    pub value: Option<f64>,
    /// Null if the value should be absent.
    pub limit: Option<f64>,
    /// `m`, `rad`, or empty for shares and counts.
    pub unit: &'static str,
    /// Whether the limit is met.
    pub met: bool,
}

/// Where the position may lie: half axes of three standard deviations, in the frame of the first scan.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Ellipse {
    /// Half of the longer axis, metres.
    pub major_m: f64,
    /// Half of the shorter axis, metres.
    pub minor_m: f64,
    /// Of the major axis, counter-clockwise from x.
    pub angle_rad: f64,
}

/// What the scans say about a displacement.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Evaluation {
    /// One per limit of the rule.
    pub numbers: Vec<ReviewNumber>,
    /// Null where the scans give no covariance.
    pub ellipse: Option<Ellipse>,
    /// Direction along which the scans fix nothing, seen from the first pose; radians.
    pub degenerate_rad: Option<f64>,
}

/// A displacement that the scans found, with what they say about it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Refined {
    /// The pose of the second scan seen from the first.
    pub delta: Pose2,
    /// What the scans say about it.
    #[serde(flatten)]
    pub evaluation: Evaluation,
}

/// One line of the history of a relation.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct HistoryLine {
    /// Word of the record, such as `accepted`.
    pub status: &'static str,
    /// Who decided, a person or a rule.
    pub reviewer: Option<String>,
    /// As the reviewer's clock wrote it.
    pub time: Option<String>,
    /// What the reviewer wrote.
    pub note: Option<String>,
    /// 1, 2 or 3; null for rules and older records.
    pub opinion: Option<u8>,
    /// How long the reviewer looked at it.
    pub seconds: Option<f64>,
    /// The displacement that the line states.
    pub delta: Pose2,
    /// Who took a decision back by this line.
    pub undone_by: Option<String>,
    /// Who asked for a second opinion.
    pub second_by: Option<String>,
}

/// A relation as a person is asked about it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ReviewProposal {
    /// Name of the relation.
    pub id: String,
    /// Changes with every line of the relation; a decision names the version that it was made on.
    pub version: String,
    /// `proposed` while another person's opinion is hidden.
    pub status: &'static str,
    /// Timestamp of the first scan, seconds.
    pub from_s: f64,
    /// Timestamp of the second scan, seconds.
    pub to_s: f64,
    /// What it was made from.
    pub source: Option<String>,
    /// The displacement to begin with: the proposed one while another person's opinion is hidden.
    pub delta: Pose2,
    /// The limit that it misses by the largest ratio; null if it misses none.
    pub doubt: Option<DoubtOf>,
    /// What the record says about the match.
    #[serde(flatten)]
    pub evaluation: Evaluation,
    /// In the frame of the first scan.
    pub first: ScanView,
    /// In the frame of the second scan.
    pub second: ScanView,
    /// Hits of other scans near the first one, in its frame.
    pub near: Vec<[f64; 2]>,
    /// Null where the run has no pose at these times.
    #[serde(rename = "where")]
    pub place: Option<Ends>,
    /// Which opinion a decision would be: 1, 2 or 3.
    pub opinion: u8,
    /// True if the opinions of others are hidden.
    pub blind: bool,
    /// Empty while the opinions of others are hidden.
    pub history: Vec<HistoryLine>,
}

/// A row of the list of relations.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ReviewRow {
    /// Name of the relation.
    pub id: String,
    /// `proposed` while another person's opinion is hidden.
    pub status: &'static str,
    /// The ratio of the doubt; null without a doubt, or where it is no number.
    pub doubt: Option<f64>,
    /// Which limit is missed.
    pub code: Option<Doubt>,
    /// The doubt in words.
    pub words: Option<String>,
    /// Timestamp of the first scan, seconds.
    pub from_s: f64,
    /// Timestamp of the second scan, seconds.
    pub to_s: f64,
    /// Who decided; null while that is hidden.
    pub reviewer: Option<String>,
    /// How many people have given one.
    pub opinions: usize,
    /// Whether two of them differ.
    pub disputed: bool,
}

impl HistoryLine {
    pub(super) fn of(entry: &RelationRecord) -> Self {
        Self {
            status: entry.status.name(),
            reviewer: entry.reviewer.clone(),
            time: entry.time.clone(),
            note: entry.note.clone(),
            opinion: entry.opinion,
            seconds: entry.seconds,
            delta: entry.final_relation().pose().planar(),
            undone_by: entry.undone_by.clone(),
            second_by: entry.second_by.clone(),
        }
    }
}

impl From<&Limit> for ReviewNumber {
    fn from(limit: &Limit) -> Self {
        let &Limit { name, title, value, limit: at, unit, .. } = limit;
        Self {
            name,
            title,
            value: value.filter(|value| value.is_finite()),
            limit: at,
            unit,
            met: limit.is_met(),
        }
    }
}

impl Evaluation {
    /// The numbers of a match against the limits of a rule.
    pub(super) fn of(icp: Option<&ScanMatch>, limits: &[Limit]) -> Self {
        let evidence = icp.and_then(|icp| icp.evidence);
        Self {
            numbers: limits.iter().map(ReviewNumber::from).collect(),
            ellipse: evidence.and_then(|found| Ellipse::of(found.covariance)),
            degenerate_rad: evidence.and_then(|found| found.degenerate_rad),
        }
    }

    /// The numbers of a displacement that was measured or found now; how far it lies from the proposed one stands where
    /// the correction of the poses stands in a record.
    pub(super) fn of_match(found: Option<&RefinedMatch>, proposed: Pose2, rule: &AcceptRule) -> Self {
        let icp = found.map(|found| scan_match(found, proposed));
        let mut evaluation = Self::of(icp.as_ref(), &rule.limits(icp.as_ref(), None));
        for number in &mut evaluation.numbers {
            match number.name {
                "moved_m" => number.title = "distance from the proposal",
                "turned_rad" => number.title = "heading from the proposal",
                // Nothing is known about directions where no points meet.
                "degenerate_rad" => number.met &= icp.is_some(),
                _ => {}
            }
        }
        evaluation
    }
}

/// A match as a record holds it, moved from where it began.
pub(in crate::ground_truth) fn scan_match(found: &RefinedMatch, start: Pose2) -> ScanMatch {
    let moved = found.first_from_second.seen_from(start);
    let evidence = MatchEvidence {
        inliers: found.inliers,
        contradicted: found.contradicted,
        moved_m: moved.distance_m(),
        turned_rad: moved.angle_rad(),
        covariance: found.covariance,
        degenerate_rad: found.degenerate_rad,
    };
    ScanMatch { rms_m: found.rms_m, overlap: found.overlap, evidence: Some(evidence) }
}

impl Ellipse {
    /// Of a covariance xx, xy, xt, yy, yt, tt; none if it is none.
    fn of([xx, xy, _, yy, ..]: [f64; 6]) -> Option<Self> {
        let (mean, root) = (f64::midpoint(xx, yy), (0.25 * (xx - yy) * (xx - yy) + xy * xy).sqrt());
        let axis_m = |variance: f64| 3.0 * variance.max(0.0).sqrt();
        let ellipse = Self {
            major_m: axis_m(mean + root),
            minor_m: axis_m(mean - root),
            angle_rad: 0.5 * (2.0 * xy).atan2(xx - yy),
        };
        (xx + xy + yy).is_finite().then_some(ellipse)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ellipse_has_the_axes_of_its_covariance() {
        // Variances 4 and 1 along axes turned by 45 degrees: xx = yy = 2.5, xy = 1.5.
        let ellipse = Ellipse::of([2.5, 1.5, 0.0, 2.5, 0.0, 0.25]).unwrap();
        assert!((ellipse.major_m - 6.0).abs() < 1e-12 && (ellipse.minor_m - 3.0).abs() < 1e-12);
        assert!((ellipse.angle_rad - std::f64::consts::FRAC_PI_4).abs() < 1e-12);
        assert_eq!(Ellipse::of([f64::NAN; 6]), None);
    }
}
