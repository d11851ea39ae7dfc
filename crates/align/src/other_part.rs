//! The other part of a map that is broken: a rival that is no other answer.
//!
//! A map whose halves are turned against each other about a place within it fits under two transforms, each of which
//! explains the walls that the other does not. Neither is wrong, so the better one is not ambiguous for the other's sake:
//! it is the transform of the larger part. A place that looks alike elsewhere (one aisle on, the other end of a corridor)
//! is not of this kind: it is reached by a shift, by a quarter turn, or about a place far outside of the map.

use crate::candidate::Candidate;
use crate::levels::Levels;

/// Between which angles parts are turned against each other.
const MIN_TURN_RAD: f64 = 3.0 * std::f64::consts::PI / 180.0;
const MAX_TURN_RAD: f64 = 15.0 * std::f64::consts::PI / 180.0;
/// Parts have one scale, to this factor.
const SAME_SCALE: f64 = 1.03;
/// Walls of the map that each of the two explains and the other does not, at least, as a share of all.
const MIN_OWN: f64 = 0.15;
/// Walls of the map that are looked at.
const WALLS: usize = 4_000;

/// A broken map under the transforms of two of its parts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Broken {
    /// Share of the walls of the map that have a wall of the truth within the tolerance under one of the two.
    pub(crate) explained: f64,
}

/// Whether a rival is the other part of a map that is broken.
pub(crate) fn other_part(levels: &Levels, winner: &Candidate, rival: &Candidate) -> Option<Broken> {
    let turn_rad = winner.yaw_rad(rival);
    if !(MIN_TURN_RAD..=MAX_TURN_RAD).contains(&turn_rad) || winner.growth(rival) > SAME_SCALE.ln() {
        return None;
    }
    let hinge = hinge(levels.pivot, winner, rival)?;
    if !levels.is_within_map(hinge) {
        return None;
    }
    let fine = levels.fine(WALLS);
    let near = |candidate: &Candidate| {
        let motion = candidate.motion(levels.pivot);
        let (walls, _) = fine.sample(fine.map);
        let near = |wall: &[f64; 2]| {
            fine.truth.distance(motion.apply(*wall)).is_some_and(|distance| distance <= fine.tol_cells)
        };
        walls.iter().map(near).collect::<Vec<bool>>()
    };
    let (of_winner, of_rival) = (near(winner), near(rival));
    let share = |counts: fn(bool, bool) -> bool| {
        let counted = of_winner.iter().zip(&of_rival).filter(|(a, b)| counts(**a, **b)).count();
        counted as f64 / of_winner.len().max(1) as f64
    };
    let is_broken = share(|a, b| a && !b) >= MIN_OWN && share(|a, b| b && !a) >= MIN_OWN;
    is_broken.then(|| Broken { explained: share(|a, b| a || b) })
}

/// The point of the map that both candidates send to the same place: with R1 p + b1 = R2 p + b2, all of them as complex
/// numbers, p = (b2 - b1) / (R1 - R2).
fn hinge(pivot: [f64; 2], one: &Candidate, other: &Candidate) -> Option<[f64; 2]> {
    let [ax, ay] = minus(turn(one), turn(other));
    let [bx, by] = minus(other.at, one.at);
    let square = ax * ax + ay * ay;
    let from_pivot = [(bx * ax + by * ay) / square, (by * ax - bx * ay) / square];
    (square > 0.0).then_some([pivot[0] + from_pivot[0], pivot[1] + from_pivot[1]])
}

fn turn(candidate: &Candidate) -> [f64; 2] {
    let (sin, cos) = candidate.theta_rad.sin_cos();
    [candidate.scale * cos, candidate.scale * sin]
}

fn minus(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hinge_stays_where_it_is() {
        let pivot = [30.0, 20.0];
        let one = Candidate { at: [100.0, 50.0], theta_rad: 0.4, scale: 1.0 };
        let hinge_at = [47.0, 11.0];
        let place = one.motion(pivot).apply(hinge_at);
        // Turned by 0.15 more about that place.
        let (sin, cos) = 0.15_f64.sin_cos();
        let [dx, dy] = minus(one.at, place);
        let at = [place[0] + cos * dx - sin * dy, place[1] + sin * dx + cos * dy];
        let other = Candidate { at, theta_rad: 0.55, scale: 1.0 };
        let found = hinge(pivot, &one, &other).unwrap();
        assert!((found[0] - 47.0).abs() < 1e-9 && (found[1] - 11.0).abs() < 1e-9, "{found:?}");
        assert_eq!(hinge(pivot, &one, &one), None);
    }
}
