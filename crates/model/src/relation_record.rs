//! Relations with their history: where they come from, and what a person decided about them.

use serde::{Deserialize, Serialize};

use crate::Relation;

/// What was decided about a relation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RelationStatus {
    /// Nothing yet.
    #[default]
    Proposed,
    /// It is right.
    Accepted,
    /// It is right after a correction.
    Adjusted,
    /// It is wrong.
    Rejected,
}

impl RelationStatus {
    /// Every status, in the order of a review.
    pub const ALL: [Self; 4] = [Self::Proposed, Self::Accepted, Self::Adjusted, Self::Rejected];

    /// The word in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Proposed => "proposed",
            Self::Accepted => "accepted",
            Self::Adjusted => "adjusted",
            Self::Rejected => "rejected",
        }
    }
}

/// How well two scans lie on each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScanMatch {
    /// Root mean square distance of the pairs of points, in metres.
    pub rms_m: f64,
    /// Share of the points that have a partner.
    pub overlap: f64,
    /// What a refinement found beyond that, where it is known.
    pub evidence: Option<MatchEvidence>,
}

/// What the displacement between two scans rests on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchEvidence {
    /// Share of the pairs whose distance fits the noise of a laser.
    pub inliers: f64,
    /// Share of the points that lie where the other scan looked through.
    pub contradicted: f64,
    /// How far the match moved the displacement that it began with, metres.
    pub moved_m: f64,
    /// How far it turned it, radians.
    pub turned_rad: f64,
    /// Covariance of x, y, theta: xx, xy, xt, yy, yt, tt in metres and radians.
    pub covariance: [f64; 6],
    /// Direction, seen from the first pose, along which the scans fix nothing, such as along a corridor; radians.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub degenerate_rad: Option<f64>,
}

impl MatchEvidence {
    /// Largest standard deviation of the position in any direction, metres.
    pub fn sigma_m(&self) -> f64 {
        let [xx, xy, _, yy, ..] = self.covariance;
        (f64::midpoint(xx, yy) + (0.25 * (xx - yy) * (xx - yy) + xy * xy).sqrt()).sqrt()
    }

    /// Standard deviation of the heading, radians.
    pub fn sigma_rad(&self) -> f64 {
        self.covariance[5].sqrt()
    }
}

/// A displacement: x, y, z in metres; roll, pitch, yaw in radians.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Displacement {
    /// x, y, z in metres.
    pub translation_m: [f64; 3],
    /// Roll, pitch, yaw in radians.
    pub roll_pitch_yaw_rad: [f64; 3],
}

/// A relation with its history (specification T-GEN).
#[derive(Clone, Debug, PartialEq)]
pub struct RelationRecord {
    /// Name that no other relation of the file has.
    pub id: String,
    /// The relation as it was proposed.
    pub relation: Relation,
    /// What it was made from.
    pub source: Option<String>,
    /// How well the scans of both moments lie on each other.
    pub icp: Option<ScanMatch>,
    pub status: RelationStatus,
    /// The displacement after a correction.
    pub delta_final: Option<Displacement>,
    /// Who decided, a person or a rule.
    pub reviewer: Option<String>,
    /// When it was decided, as the reviewer's clock wrote it.
    pub time: Option<String>,
    pub note: Option<String>,
    /// Which opinion on the relation the decision is: 1, a blind 2, or a 3 that settles a dispute.
    pub opinion: Option<u8>,
    /// How long the reviewer looked at it, seconds.
    pub seconds: Option<f64>,
    /// Who took a decision back: the entry restores what stood before it.
    pub undone_by: Option<String>,
    /// Who asked for a second opinion.
    pub second_by: Option<String>,
    /// BLAKE3 hash, in hexadecimal digits, of the log whose scans were measured.
    pub log_blake3: Option<String>,
    /// Words that select relations, such as `local` and `loop`.
    pub tags: Vec<String>,
    /// Fields that only the program which wrote them knows: name and JSON text.
    pub others: Vec<(String, String)>,
}

impl RelationRecord {
    /// The tag of a relation on which two opinions differ.
    pub const DISPUTED: &'static str = "disputed";

    /// A relation about which nothing is known yet.
    pub fn proposed(id: String, relation: Relation) -> Self {
        Self {
            id,
            relation,
            source: None,
            icp: None,
            status: RelationStatus::Proposed,
            delta_final: None,
            reviewer: None,
            time: None,
            note: None,
            opinion: None,
            seconds: None,
            undone_by: None,
            second_by: None,
            log_blake3: None,
            tags: Vec::new(),
            others: Vec::new(),
        }
    }

    /// True if two opinions on it differ and nobody has settled it: it may not judge.
    pub fn is_disputed(&self) -> bool {
        self.status == RelationStatus::Proposed && self.tags.iter().any(|tag| tag == Self::DISPUTED)
    }

    /// True if a rule decided, not a person.
    pub fn is_by_rule(&self) -> bool {
        self.reviewer.as_deref().is_some_and(|name| name.starts_with("rule: "))
    }

    /// A relation of a file that holds nothing but ground truth.
    pub fn accepted(id: String, relation: Relation) -> Self {
        Self { status: RelationStatus::Accepted, ..Self::proposed(id, relation) }
    }

    /// The relation with its correction, if it has one.
    pub fn final_relation(&self) -> Relation {
        self.delta_final.map_or(self.relation, |Displacement { translation_m, roll_pitch_yaw_rad }| {
            Relation { translation_m, roll_pitch_yaw_rad, ..self.relation }
        })
    }

    /// True if it may judge: a person or a rule said that it is right.
    pub const fn is_truth(&self) -> bool {
        matches!(self.status, RelationStatus::Accepted | RelationStatus::Adjusted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_proposal_is_disputed() {
        let relation =
            Relation { from_s: 0.0, to_s: 1.0, translation_m: [0.0; 3], roll_pitch_yaw_rad: [0.0; 3] };
        let tags = vec![RelationRecord::DISPUTED.to_owned()];
        let disputed = RelationRecord { tags, ..RelationRecord::proposed("a".to_owned(), relation) };
        assert!(disputed.is_disputed() && !disputed.is_truth() && !disputed.is_by_rule());
        let settled = RelationRecord { status: RelationStatus::Accepted, ..disputed };
        assert!(!settled.is_disputed());
    }

    #[test]
    fn the_largest_deviation_is_that_of_the_long_axis() {
        // Variances 4 and 1 along axes turned by 45 degrees: xx = yy = 2.5, xy = 1.5.
        let evidence = MatchEvidence {
            inliers: 1.0,
            contradicted: 0.0,
            moved_m: 0.0,
            turned_rad: 0.0,
            covariance: [2.5, 1.5, 0.0, 2.5, 0.0, 0.25],
            degenerate_rad: None,
        };
        assert_eq!((evidence.sigma_m(), evidence.sigma_rad()), (2.0, 0.5));
    }
}
