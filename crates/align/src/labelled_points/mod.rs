//! `labelled_points`: which labelled point of a submission is which of the truth, jointly with the rigid transform.
//!
//! ```text
//! minimise over one-to-one pairings within each label, and over turn and shift (never a reflection):
//!     Σ | truth_i - R submission_π(i) - t |²        as many pairs per label as the shorter list has points
//! ```
//!
//! Labels may repeat; a point without one has no partner where others have labels. A first answer comes from alternating between pairing and fitting, from many starts; a search
//! that cuts every branch whose pairs alone already fit worse then proves it best, or finds the better one. The search
//! is bounded: where the bound was hit, the answer is good and not `certified`. Ties keep the coordinates of the files, so
//! that a list compared with itself is paired with itself.
//! The mirror image of the submission gets the same treatment, to tell whether it fits better.

mod group;
mod moments;
mod pairing;
mod search;
mod starts;

use model::{Point2, Similarity2};

use crate::Mirror;
use crate::closed_form::{Motion, PointPair, fit, rms_m};
use group::groups;
use moments::Moments;
use pairing::{Pairing, paired_under};

/// A point that can be told from others by its label only.
#[derive(Clone, Debug, PartialEq)]
pub struct LabelledPoint {
    /// Points of equal labels can be confused with each other.
    pub label: String,
    /// Where it is, metres.
    pub at: Point2,
}

/// How labelled points are paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LabelledPoints {
    pub frame: PointFrame,
    /// Steps after which the search for a better pairing gives up. Ours: about a tenth of a second.
    pub max_steps: u64,
}

impl Default for LabelledPoints {
    fn default() -> Self {
        Self { frame: PointFrame::Fitted, max_steps: 2_000_000 }
    }
}

/// Where the frame of the submission comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PointFrame {
    /// Rotation and translation are found from the points.
    #[default]
    Fitted,
    /// Both lists stand in one frame.
    Given,
}

/// Which point is which.
#[derive(Clone, Debug, PartialEq)]
pub struct PointAssignment {
    /// Index in the truth and in the submission, in order of the truth.
    pub pairs: Vec<(usize, usize)>,
    /// The best turn and shift for these pairs; none without a pair.
    pub truth_from_submission: Option<Similarity2>,
    /// Root mean square distance of the pairs there.
    pub residual_m: Option<f64>,
    /// Whether the mirror image of the submission would fit better.
    pub mirror: Mirror,
    /// Root mean square distance if the submission is mirrored.
    pub mirrored_residual_m: Option<f64>,
    /// True if no other pairing fits better.
    pub certified: bool,
}

/// More points than can be paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{pairs} possible pairs of points with equal labels: expected at most {MAX_PAIRS}")]
pub struct TooManyPoints {
    /// How many there are.
    pub pairs: usize,
}

/// Possible pairs that are looked at: 1400 points of one label, or four million different ones.
pub const MAX_PAIRS: usize = 2_000_000;

/// A mirror image must fit better by this ratio to the points' spread, and this many times better: a poor list is poor
/// either way round.
const CLEARLY: f64 = 0.05;
const TIMES: f64 = 2.0;
/// Below this ratio to the spread a fit is perfect.
const PERFECT: f64 = 1e-9;

/// Pairs the points of equal labels; the order of the lists has no influence.
///
/// # Errors
/// So many points share a label that they cannot be paired.
pub fn assign_labelled(
    truth: &[LabelledPoint],
    submission: &[LabelledPoint],
    params: &LabelledPoints,
) -> Result<PointAssignment, TooManyPoints> {
    let groups = groups(truth, submission);
    let pairs = groups.iter().map(|g| g.truth.len().saturating_mul(g.submission.len()));
    let pairs = pairs.fold(0, usize::saturating_add);
    if pairs > MAX_PAIRS {
        return Err(TooManyPoints { pairs });
    }
    let in_truth: Vec<Point2> = truth.iter().map(|point| point.at).collect();
    let in_map: Vec<Point2> = submission.iter().map(|point| point.at).collect();
    let best = match params.frame {
        PointFrame::Given => paired_under(&groups, &in_truth, &in_map, Similarity2::IDENTITY),
        PointFrame::Fitted => search::best_pairing(&groups, &in_truth, &in_map, params.max_steps),
    };
    let flipped: Vec<Point2> = in_map.iter().map(|at| Point2::new(-at.x_m, at.y_m)).collect();
    let mirrored = search::best_pairing(&groups, &in_truth, &flipped, params.max_steps);
    let plain = match params.frame {
        PointFrame::Fitted => best.clone(),
        PointFrame::Given => search::best_pairing(&groups, &in_truth, &in_map, params.max_steps),
    };
    let (residual_m, mirrored_residual_m) =
        (fitted_rms_m(&plain, &in_truth, &in_map), fitted_rms_m(&mirrored, &in_truth, &flipped));
    let spread_m = spread_m(&best, &in_truth);
    let mut pairs = best.pairs.clone();
    pairs.sort_unstable();
    let couples = couples(&best, &in_truth, &in_map);
    let truth_from_submission = match params.frame {
        PointFrame::Fitted => fit(&couples, Motion::Rigid),
        PointFrame::Given => (!couples.is_empty()).then_some(Similarity2::IDENTITY),
    };
    Ok(PointAssignment {
        mirror: mirror(pairs.len(), residual_m, mirrored_residual_m, spread_m),
        pairs,
        residual_m: truth_from_submission.and_then(|transform| rms_m(&couples, transform)),
        truth_from_submission,
        mirrored_residual_m,
        certified: best.certified,
    })
}

fn couples(pairing: &Pairing, in_truth: &[Point2], in_map: &[Point2]) -> Vec<PointPair> {
    let couple = |&(t, s): &(usize, usize)| PointPair { in_map: in_map[s], in_truth: in_truth[t] };
    pairing.pairs.iter().map(couple).collect()
}

fn fitted_rms_m(pairing: &Pairing, in_truth: &[Point2], in_map: &[Point2]) -> Option<f64> {
    let couples = couples(pairing, in_truth, in_map);
    rms_m(&couples, fit(&couples, Motion::Rigid)?)
}

/// Root mean square distance of the paired points of the truth from their middle.
fn spread_m(pairing: &Pairing, in_truth: &[Point2]) -> f64 {
    let moments = pairing.pairs.iter().fold(Moments::default(), |sum, &(t, _)| {
        sum.with(PointPair { in_map: in_truth[t], in_truth: in_truth[t] })
    });
    (moments.map_squares() / pairing.pairs.len().max(1) as f64).sqrt()
}

/// Three places that are not in line tell a list from its mirror image.
fn mirror(pairs: usize, plain_m: Option<f64>, mirrored_m: Option<f64>, spread_m: f64) -> Mirror {
    let (Some(plain_m), Some(mirrored_m)) = (plain_m, mirrored_m) else { return Mirror::MirrorUndecided };
    let is_perfect = |residual_m: f64| residual_m <= PERFECT * spread_m;
    let (plain_is, mirrored_is) = (is_perfect(plain_m), is_perfect(mirrored_m));
    if pairs < 3 || (plain_is && mirrored_is) {
        Mirror::MirrorUndecided
    } else if mirrored_is || (plain_m - mirrored_m > CLEARLY * spread_m && plain_m > TIMES * mirrored_m) {
        Mirror::Mirrored
    } else if plain_is || mirrored_m - plain_m > CLEARLY * spread_m {
        Mirror::Plain
    } else {
        Mirror::MirrorUndecided
    }
}

#[cfg(test)]
mod tests;
