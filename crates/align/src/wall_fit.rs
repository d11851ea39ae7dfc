//! The wall score of two maps under any transform, and the climb to the nearest top: for people who lay a map by hand.

use std::sync::Arc;

use model::{Grid, Similarity2};

use crate::candidate::Candidate;
use crate::correlative::climb_finely;
use crate::levels::{Allowance, Levels};

/// Walls of each map that the score looks at, as the last round of the search does.
const WALLS: usize = 20_000;

/// Two maps, prepared once for the wall scores of many transforms.
#[derive(Clone, Debug)]
pub struct WallFit {
    levels: Levels,
    truth: Arc<Grid>,
    map: Arc<Grid>,
}

/// What a climb found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Climbed {
    pub truth_from_map: Similarity2,
    /// The wall score where the climb began, 0 to 1.
    pub score_before: f64,
    /// The wall score at its top.
    pub score_after: f64,
}

impl WallFit {
    /// Prepares both maps; none if one of them has no wall, or their cells cannot be compared.
    pub fn new(truth: Arc<Grid>, map: Arc<Grid>) -> Option<Self> {
        let levels = Levels::new(&Allowance::default(), &truth, &map)?;
        Some(Self { levels, truth, map })
    }

    /// S of the search: how well the walls of both maps lie on each other, 0 to 1.
    pub fn score(&self, truth_from_map: Similarity2) -> f64 {
        self.levels.fine(WALLS).score(&self.candidate(truth_from_map))
    }

    /// Moves and turns the map from where it lies to the nearest top of the wall score; its scale stays. A top that is no
    /// higher leaves it where it is.
    pub fn climb(&self, start: Similarity2) -> Climbed {
        let score_before = self.score(start);
        let stay = Climbed { truth_from_map: start, score_before, score_after: score_before };
        let top = climb_finely(&self.levels, &[(score_before, self.candidate(start))]);
        let Some(&(score_after, candidate)) = top.first() else { return stay };
        match candidate.truth_from_map(&self.truth, &self.map, self.levels.pivot) {
            Some(truth_from_map) if score_after > score_before => Climbed {
                truth_from_map: Similarity2 { scale: start.scale, ..truth_from_map },
                score_before,
                score_after,
            },
            _ => stay,
        }
    }

    fn candidate(&self, truth_from_map: Similarity2) -> Candidate {
        Candidate::of(truth_from_map, &self.truth, &self.map, self.levels.pivot)
    }
}

#[cfg(test)]
mod tests {
    use testkit::grid_at;

    use super::*;

    fn room() -> Arc<Grid> {
        let mut rows = vec![format!("{}{}", "#".repeat(60), "?".repeat(4)); 1];
        rows.extend((0..40).map(|row| {
            let inner = if row == 12 { "#".repeat(25) + &".".repeat(33) } else { ".".repeat(58) };
            format!("#{inner}#????")
        }));
        rows.push(format!("{}????", "#".repeat(60)));
        Arc::new(grid_at(&rows, 0.05, model::Pose2::IDENTITY))
    }

    #[test]
    fn a_map_on_itself_has_the_best_score_and_a_climb_finds_it() {
        let fit = WallFit::new(room(), room()).unwrap();
        assert!((fit.score(Similarity2::IDENTITY) - 1.0).abs() < 1e-6);
        let start = Similarity2::new(0.12, -0.08, 0.03, 1.0);
        let Climbed { truth_from_map, score_before, score_after } = fit.climb(start);
        assert!(score_before < 0.8 && score_after > 0.98, "{score_before} {score_after}");
        assert!(truth_from_map.x_m.abs() < 0.01 && truth_from_map.y_m.abs() < 0.01, "{truth_from_map:?}");
        assert!(truth_from_map.theta_rad.abs() < 0.005 && truth_from_map.scale == 1.0);
    }

    #[test]
    fn a_map_without_walls_has_no_fit() {
        let empty = Arc::new(grid_at(["...", "..."], 0.05, model::Pose2::IDENTITY));
        assert!(WallFit::new(room(), empty).is_none());
    }
}
