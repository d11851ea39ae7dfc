//! Labelled points of a submission beside those of the truth: which is which, and how far each is off.

use align::Mirror;
use align::labelled_points::{LabelledPoint, LabelledPoints, PointAssignment, PointFrame, assign_labelled};
use model::Point2;

use super::point_rules::{DistanceRule, FrameRule, LabelRule, PointRules, normal};
use crate::{Reason, Undefined};

/// A point with what is written beside it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MarkedPoint {
    /// Identifier for people; need not be unique.
    pub id: String,
    /// Type word as written; empty if the file has none.
    pub kind: String,
    /// Name as written.
    pub name: String,
    /// Position x, y, z in metres.
    pub position_m: [f64; 3],
}

/// Two lists of labelled points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PointInputs {
    /// Where the points are.
    pub truth: Vec<MarkedPoint>,
    /// Where the team says they are.
    pub submission: Vec<MarkedPoint>,
}

/// Matched points up to which all distances between them are compared.
pub const MAX_MATCHED: usize = 2000;

impl MarkedPoint {
    /// The type under the rules: as written, else as the name speaks of it.
    #[must_use]
    pub fn type_under(&self, rules: &PointRules) -> String {
        if self.kind.trim().is_empty() {
            rules.type_in(&self.name).unwrap_or_default()
        } else {
            rules.type_of(&self.kind)
        }
    }

    /// What the point can be told by.
    #[must_use]
    pub fn label(&self, rules: &PointRules) -> String {
        let name = normal(&self.name);
        match rules.label {
            LabelRule::Name => name,
            LabelRule::Type => self.type_under(rules),
            // A name without a type beside it holds both.
            LabelRule::TypeAndName if self.kind.trim().is_empty() => name,
            LabelRule::TypeAndName => format!("{} {name}", self.type_under(rules)).trim().to_owned(),
        }
    }

    fn at(&self) -> Point2 {
        Point2::new(self.position_m[0], self.position_m[1])
    }

    fn distance_m(&self, other: &Self, rule: DistanceRule) -> f64 {
        let [dx, dy, dz] = [0, 1, 2].map(|axis| self.position_m[axis] - other.position_m[axis]);
        match rule {
            DistanceRule::Plane => dx.hypot(dy),
            DistanceRule::Space => dx.hypot(dy).hypot(dz),
        }
    }
}

/// One matched point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatchedPoint {
    /// Index in the truth.
    pub truth: usize,
    /// Index in the submission.
    pub submission: usize,
    /// Mean difference of its distances to all other matched points; none for a point alone.
    pub pairwise_m: Option<f64>,
    /// Distance from its true place after the transform, metres.
    pub offset_m: f64,
}

/// What is known before any point is given.
#[derive(Clone, Debug)]
pub struct PointComparison<'a> {
    inputs: &'a PointInputs,
    rules: &'a PointRules,
    submission_labels: Vec<String>,
    /// The pairing and its transform.
    pub assignment: PointAssignment,
    /// One entry per pair, in order of label and place.
    pub matches: Vec<MatchedPoint>,
    /// Mean ratio of true to submitted distances; none if there is no distance.
    pub scale: Option<f64>,
}

impl<'a> PointComparison<'a> {
    /// Pairs the points and measures them.
    ///
    /// # Errors
    /// No point in the truth, more points than can be paired, or numbers out of range.
    pub fn of(inputs: &'a PointInputs, rules: &'a PointRules) -> Result<Self, Undefined> {
        if inputs.truth.is_empty() {
            return Err(Reason::NoReference.into());
        }
        let labelled = |points: &[MarkedPoint]| -> Vec<LabelledPoint> {
            points.iter().map(|point| LabelledPoint { label: point.label(rules), at: point.at() }).collect()
        };
        let (truth, submission) = (labelled(&inputs.truth), labelled(&inputs.submission));
        let frame = match rules.frame {
            FrameRule::Fitted => PointFrame::Fitted,
            FrameRule::Given => PointFrame::Given,
        };
        let params = LabelledPoints { frame, ..LabelledPoints::default() };
        let assignment = assign_labelled(&truth, &submission, &params)
            .map_err(|_| Undefined::because(Reason::TooManyPoints))?;
        if assignment.pairs.len() > MAX_MATCHED {
            return Err(Reason::TooManyPoints.into());
        }
        let mut pairs = assignment.pairs.clone();
        let place = |point: &MarkedPoint| point.position_m;
        pairs.sort_by(|&(a, _), &(b, _)| {
            let (pa, pb) = (place(&inputs.truth[a]), place(&inputs.truth[b]));
            let by_place = pa.iter().zip(&pb).map(|(a, b)| a.total_cmp(b)).find(|order| order.is_ne());
            truth[a].label.cmp(&truth[b].label).then(by_place.unwrap_or(std::cmp::Ordering::Equal))
        });
        let submission_labels = submission.into_iter().map(|point| point.label).collect();
        let mut found =
            Self { inputs, rules, submission_labels, assignment, matches: Vec::new(), scale: None };
        found.scale = found.mean_ratio(&pairs);
        found.matches = found.measured(&pairs);
        let is_finite = |m: &MatchedPoint| m.offset_m.is_finite() && m.pairwise_m.is_none_or(f64::is_finite);
        if found.matches.iter().all(is_finite) { Ok(found) } else { Err(Reason::NotFinite.into()) }
    }

    /// True if the mirror image of the submission is what fits.
    #[must_use]
    pub fn is_mirrored(&self) -> bool {
        self.assignment.mirror == Mirror::Mirrored
    }

    /// The error of a matched point under the rules; none for a point alone in a frame that is searched.
    ///
    /// Distances between points cannot tell a mirror image, so in one the place counts too.
    #[must_use]
    pub fn error_m(&self, matched: &MatchedPoint) -> Option<f64> {
        match self.rules.frame {
            FrameRule::Given => Some(matched.offset_m),
            FrameRule::Fitted if self.is_mirrored() => matched.pairwise_m.map(|m| m.max(matched.offset_m)),
            FrameRule::Fitted => matched.pairwise_m,
        }
    }

    /// The pairwise errors with all submitted distances multiplied by this.
    #[must_use]
    pub fn pairwise_errors_m(&self, scale: f64) -> Vec<Option<f64>> {
        let pairs: Vec<(usize, usize)> = self.matches.iter().map(|m| (m.truth, m.submission)).collect();
        self.pairwise(&pairs, scale)
    }

    /// Difference of the distances between two matched points, submission minus truth.
    #[must_use]
    pub fn pair_error_m(&self, a: &MatchedPoint, b: &MatchedPoint) -> f64 {
        let [truth, submitted] = self.distances_m((a.truth, a.submission), (b.truth, b.submission));
        submitted - truth
    }

    /// Other submitted points of the same label, with their distance from the true place after the transform.
    #[must_use]
    pub fn alternatives(&self, matched: &MatchedPoint) -> Vec<(usize, f64)> {
        let label = &self.submission_labels[matched.submission];
        let others = self.submission_labels.iter().enumerate();
        let others = others.filter(|(index, other)| *index != matched.submission && *other == label);
        let mut found: Vec<(usize, f64)> =
            others.map(|(index, _)| (index, self.offset_m(matched.truth, index))).collect();
        found.sort_by(|a, b| a.1.total_cmp(&b.1));
        found
    }

    fn distances_m(&self, a: (usize, usize), b: (usize, usize)) -> [f64; 2] {
        let (truth, submission, rule) = (&self.inputs.truth, &self.inputs.submission, self.rules.distance);
        [truth[a.0].distance_m(&truth[b.0], rule), submission[a.1].distance_m(&submission[b.1], rule)]
    }

    fn pairwise(&self, pairs: &[(usize, usize)], scale: f64) -> Vec<Option<f64>> {
        let of_one = |(index, &pair): (usize, &(usize, usize))| {
            let others = pairs.iter().enumerate().filter(|(other, _)| *other != index);
            let sum: f64 = others
                .map(|(_, &other)| {
                    let [truth, submitted] = self.distances_m(pair, other);
                    (truth - submitted * scale).abs()
                })
                .sum();
            (pairs.len() > 1).then(|| sum / (pairs.len() - 1) as f64)
        };
        pairs.iter().enumerate().map(of_one).collect()
    }

    fn mean_ratio(&self, pairs: &[(usize, usize)]) -> Option<f64> {
        let (mut sum, mut count) = (0.0, 0_u64);
        for (index, &a) in pairs.iter().enumerate() {
            for &b in &pairs[..index] {
                let [truth, submitted] = self.distances_m(a, b);
                if submitted > 0.0 {
                    (sum, count) = (sum + truth / submitted, count + 1);
                }
            }
        }
        Some(sum / count as f64).filter(|mean| count > 0 && mean.is_finite())
    }

    fn measured(&self, pairs: &[(usize, usize)]) -> Vec<MatchedPoint> {
        let measure = |(&(truth, submission), pairwise_m): (&(usize, usize), Option<f64>)| MatchedPoint {
            truth,
            submission,
            pairwise_m,
            offset_m: self.offset_m(truth, submission),
        };
        pairs.iter().zip(self.pairwise(pairs, 1.0)).map(measure).collect()
    }

    /// Distance of a submitted point from a true place after the transform.
    fn offset_m(&self, truth: usize, submission: usize) -> f64 {
        let (truth, submitted) = (&self.inputs.truth[truth], &self.inputs.submission[submission]);
        let Some(frame) = self.assignment.truth_from_submission else { return f64::NAN };
        let moved = frame * submitted.at();
        let [_, _, z_m] = submitted.position_m;
        MarkedPoint { position_m: [moved.x_m, moved.y_m, z_m], ..MarkedPoint::default() }
            .distance_m(truth, self.rules.distance)
    }
}
