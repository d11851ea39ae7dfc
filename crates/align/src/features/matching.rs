//! From features to frames: candidates by descriptor, frames from two candidates, agreement of the others.

use super::Feature;
use crate::certificate::Scored;
use crate::closed_form::{Motion, PointPair, fit};
use crate::frame::Frame;
use crate::levels::Levels;

/// How different two descriptors are, 0 to 1.
pub(super) type Distance = fn(&[f32], &[f32]) -> f32;

/// Candidates per feature of the map.
const BEST: usize = 5;
/// Descriptors further apart are no candidates.
const DIFFERENT: f32 = 0.5;
/// Candidates of which all pairs are tried: 50 000 frames in the order of their descriptors.
const TRIED: usize = 317;
/// Frames that get their score.
const KEPT: usize = 40;

struct Candidate {
    difference: f32,
    truth: [f64; 2],
    map: [f64; 2],
}

/// The frames with which most candidates agree, with their score, best first.
pub(super) fn frames(levels: &Levels, truth: &[Feature], map: &[Feature], distance: Distance) -> Vec<Scored> {
    let candidates = candidates(truth, map, distance);
    let mut agreed: Vec<(usize, Frame)> = Vec::new();
    let tried = &candidates[..candidates.len().min(TRIED)];
    for (index, first) in tried.iter().enumerate() {
        for second in &tried[index + 1..] {
            if let Some(frame) = frame_of(levels, &[first, second]) {
                agreed.push((agreeing(levels, &candidates, &frame).len(), frame));
            }
        }
    }
    agreed.sort_by_key(|&(count, _)| std::cmp::Reverse(count));
    let mut kept: Vec<Frame> = Vec::new();
    for (_, frame) in agreed {
        if kept.len() == KEPT {
            break;
        }
        if kept.iter().all(|other| levels.differ(&frame, other)) {
            let refit = frame_of(levels, &agreeing(levels, &candidates, &frame));
            kept.push(refit.unwrap_or(frame));
        }
    }
    let score = levels.fine(1500);
    let mut scored: Vec<Scored> = kept.into_iter().map(|frame| (score.fit(&frame).score, frame)).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    scored
}

/// For each feature of the map the best of the truth, all in the order of their descriptors.
fn candidates(truth: &[Feature], map: &[Feature], distance: Distance) -> Vec<Candidate> {
    let mut all = Vec::new();
    for feature in map {
        let difference = |other: &Feature| distance(&feature.descriptor, &other.descriptor);
        let mut best: Vec<Candidate> = truth
            .iter()
            .map(|other| Candidate { difference: difference(other), truth: other.at, map: feature.at })
            .filter(|candidate| candidate.difference <= DIFFERENT)
            .collect();
        best.sort_by(|a, b| a.difference.total_cmp(&b.difference));
        best.truncate(BEST);
        all.extend(best);
    }
    all.sort_by(|a, b| a.difference.total_cmp(&b.difference));
    all
}

/// The frame of matched places; none if their lengths do not agree.
fn frame_of(levels: &Levels, matched: &[&Candidate]) -> Option<Frame> {
    let (least, most) = levels.sizes.scale_range;
    if let [first, second] = matched {
        let length = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
        let (in_truth, in_map) = (length(first.truth, second.truth), length(first.map, second.map));
        // 10 % and 0.5 m, where the tolerance is 0.3 m.
        let slack = 5.0 / 3.0 * levels.sizes.tol_cells;
        let fits = in_truth >= 0.9 * least * in_map - slack && in_truth <= 1.1 * most * in_map + slack;
        if !fits || in_map * least < 4.0 * levels.sizes.tol_cells {
            return None;
        }
    }
    let point = |[x, y]: [f64; 2]| model::Point2::new(x, y);
    let pair = |c: &&Candidate| PointPair { in_map: point(c.map), in_truth: point(c.truth) };
    let pairs: Vec<PointPair> = matched.iter().map(pair).collect();
    // The rigid fit of places already brought to the middle scale, or a similarity within the range.
    let scale = if least < most { fit(&pairs, Motion::Similarity)?.scale.clamp(least, most) } else { least };
    let scaled: Vec<PointPair> = pairs
        .iter()
        .map(|p| PointPair { in_map: point([p.in_map.x_m * scale, p.in_map.y_m * scale]), ..*p })
        .collect();
    let rigid = fit(&scaled, Motion::Rigid)?;
    let at = rigid * point([levels.pivot[0] * scale, levels.pivot[1] * scale]);
    Some(Frame { at: [at.x_m, at.y_m], theta_rad: rigid.theta_rad, scale })
}

/// Candidates that lie within two tolerances under a frame; of several for one feature the first counts.
fn agreeing<'a>(levels: &Levels, candidates: &'a [Candidate], frame: &Frame) -> Vec<&'a Candidate> {
    let motion = frame.motion(levels.pivot);
    let limit = 2.0 * levels.sizes.tol_cells;
    let agrees = |candidate: &&Candidate| {
        let [x, y] = motion.apply(candidate.map);
        (x - candidate.truth[0]).hypot(y - candidate.truth[1]) <= limit
    };
    candidates.iter().filter(agrees).collect()
}
