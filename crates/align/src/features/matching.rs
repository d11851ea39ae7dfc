//! From features to candidates: matches by descriptor, candidates from two matches, agreement of the others.

use super::Feature;
use crate::candidate::Candidate;
use crate::certificate::Scored;
use crate::closed_form::{Motion, PointPair, fit};
use crate::levels::Levels;

/// How different two descriptors are, 0 to 1.
pub(super) type Distance = fn(&[f32], &[f32]) -> f32;

/// Matches per feature of the map.
const BEST: usize = 5;
/// Descriptors further apart are no matches.
const DIFFERENT: f32 = 0.5;
/// Matches of which all pairs are tried: 50 000 candidates in the order of their descriptors.
const TRIED: usize = 317;
/// Candidates that get their score.
const KEPT: usize = 40;

struct Match {
    difference: f32,
    truth: [f64; 2],
    map: [f64; 2],
}

/// The candidates with which most matches agree, with their score, best first.
pub(super) fn candidates(
    levels: &Levels,
    truth: &[Feature],
    map: &[Feature],
    distance: Distance,
) -> Vec<Scored> {
    let matches = matches(truth, map, distance);
    let mut agreed: Vec<(usize, Candidate)> = Vec::new();
    let tried = &matches[..matches.len().min(TRIED)];
    for (index, first) in tried.iter().enumerate() {
        for second in &tried[index + 1..] {
            if let Some(candidate) = candidate_of(levels, &[first, second]) {
                agreed.push((agreeing(levels, &matches, &candidate).len(), candidate));
            }
        }
    }
    agreed.sort_by_key(|&(count, _)| std::cmp::Reverse(count));
    let mut kept: Vec<Candidate> = Vec::new();
    for (_, candidate) in agreed {
        if kept.len() == KEPT {
            break;
        }
        if kept.iter().all(|other| levels.differ(&candidate, other)) {
            let refit = candidate_of(levels, &agreeing(levels, &matches, &candidate));
            kept.push(refit.unwrap_or(candidate));
        }
    }
    let score = levels.fine(1500);
    let mut scored: Vec<Scored> =
        kept.into_iter().map(|candidate| (score.score(&candidate), candidate)).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    scored
}

/// For each feature of the map the best of the truth, all in the order of their descriptors.
fn matches(truth: &[Feature], map: &[Feature], distance: Distance) -> Vec<Match> {
    let mut all = Vec::new();
    for feature in map {
        let difference = |other: &Feature| distance(&feature.descriptor, &other.descriptor);
        let mut best: Vec<Match> = truth
            .iter()
            .map(|other| Match { difference: difference(other), truth: other.at, map: feature.at })
            .filter(|pair_match| pair_match.difference <= DIFFERENT)
            .collect();
        best.sort_by(|a, b| a.difference.total_cmp(&b.difference));
        best.truncate(BEST);
        all.extend(best);
    }
    all.sort_by(|a, b| a.difference.total_cmp(&b.difference));
    all
}

/// The candidate of matched places; none if their lengths do not agree.
fn candidate_of(levels: &Levels, matched: &[&Match]) -> Option<Candidate> {
    let (min, max) = levels.sizes.scale_range;
    if let [first, second] = matched {
        let length = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
        let (in_truth, in_map) = (length(first.truth, second.truth), length(first.map, second.map));
        // 10 % and 0.5 m, where the tolerance is 0.3 m.
        let slack = 5.0 / 3.0 * levels.sizes.tol_cells;
        let fits = in_truth >= 0.9 * min * in_map - slack && in_truth <= 1.1 * max * in_map + slack;
        if !fits || in_map * min < 4.0 * levels.sizes.tol_cells {
            return None;
        }
    }
    let point = |[x, y]: [f64; 2]| model::Point2::new(x, y);
    let pair = |c: &&Match| PointPair { in_map: point(c.map), in_truth: point(c.truth) };
    let pairs: Vec<PointPair> = matched.iter().map(pair).collect();
    // The rigid fit of places already brought to the middle scale, or a similarity within the range.
    let scale = if min < max { fit(&pairs, Motion::Similarity)?.scale.clamp(min, max) } else { min };
    let scaled: Vec<PointPair> = pairs
        .iter()
        .map(|p| PointPair { in_map: point([p.in_map.x_m * scale, p.in_map.y_m * scale]), ..*p })
        .collect();
    let rigid = fit(&scaled, Motion::Rigid)?;
    let at = rigid * point([levels.pivot[0] * scale, levels.pivot[1] * scale]);
    Some(Candidate { at: [at.x_m, at.y_m], theta_rad: rigid.theta_rad, scale })
}

/// Matches that lie within two tolerances under a candidate; of several for one feature the first counts.
fn agreeing<'a>(levels: &Levels, matches: &'a [Match], candidate: &Candidate) -> Vec<&'a Match> {
    let motion = candidate.motion(levels.pivot);
    let limit = 2.0 * levels.sizes.tol_cells;
    let agrees = |pair_match: &&Match| {
        let [x, y] = motion.apply(pair_match.map);
        (x - pair_match.truth[0]).hypot(y - pair_match.truth[1]) <= limit
    };
    matches.iter().filter(agrees).collect()
}
