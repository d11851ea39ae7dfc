//! Second step: a candidate is moved, turned and scaled as long as its score rises (pattern search).

use crate::candidate::Candidate;
use crate::wall_score::WallScore;

/// How far and how finely a candidate is moved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pattern {
    /// First step in cells of the truth.
    pub(crate) first_cells: f64,
    /// The search ends when steps would fall below this.
    pub(crate) last_cells: f64,
    /// Half the longer side of the map: turning by a step over it moves its rim by that step.
    pub(crate) half_side_cells: f64,
    /// Scales that are allowed; equal ones keep the scale.
    pub(crate) scale_range: (f64, f64),
}

/// Climbs from a candidate to the nearest top of the score.
pub(crate) fn refine(score: &WallScore, start: Candidate, pattern: &Pattern) -> (f64, Candidate) {
    let (mut candidate, mut best) = (start, score.score(&start));
    let moves = moves(pattern);
    let mut step = pattern.first_cells;
    while step >= pattern.last_cells {
        // Moves in a row that do not help from here, and the one that leads back to where the candidate was worse.
        let (mut in_vain, mut back) = (0, None);
        for number in (0..moves.len()).cycle() {
            if in_vain == moves.len() {
                break;
            }
            let mut helped = false;
            if back != Some(number) {
                // Go on in a direction that helps.
                while let Some((better, moved)) =
                    better_candidate(score, &candidate, best, moves[number], step, pattern)
                {
                    (best, candidate, helped) = (better, moved, true);
                }
            }
            if helped {
                (in_vain, back) = (1, Some(number ^ 1));
            } else {
                in_vain += 1;
            }
        }
        step /= 2.0;
    }
    (best, candidate)
}

/// Right, down, yaw, growth.
type Move = [f64; 4];

/// Each move beside the one that leads back.
fn moves(pattern: &Pattern) -> Vec<Move> {
    let axes = if pattern.scale_range.0 < pattern.scale_range.1 { 4 } else { 3 };
    (0..axes)
        .flat_map(|axis| [1.0, -1.0].map(|sign| std::array::from_fn(|i| if i == axis { sign } else { 0.0 })))
        .collect()
}

fn better_candidate(
    score: &WallScore,
    candidate: &Candidate,
    best: f64,
    [right, down, yaw, grow]: Move,
    step: f64,
    pattern: &Pattern,
) -> Option<(f64, Candidate)> {
    let rim = pattern.half_side_cells * candidate.scale;
    let moved = Candidate {
        at: [candidate.at[0] + right * step, candidate.at[1] + down * step],
        theta_rad: candidate.theta_rad + yaw * step / rim,
        scale: candidate.scale * (grow * step / rim).exp(),
    };
    let (min, max) = pattern.scale_range;
    if grow != 0.0 && !(min..=max).contains(&moved.scale) {
        return None;
    }
    let value = score.score(&moved);
    (value > best).then_some((value, moved))
}
