//! Corner match: how many corners of the walls are where the truth has one.
//!
//! ```text
//! F1 = 2 matched / (corners of the truth that the map knows + corners of the map that the truth knows)
//! ```
//!
//! Corners are the strongest 300 Harris corners of the walls (those of the `features` aligner); a pair lies within
//! `radius_m`, each corner is in one pair at most, as many pairs as possible, then the least sum of distances.
//!
//! Unit: none. Range: 0 to 1. Better: higher.
//! Paper: Schwertfeger et al. 2010, section 5, names the comparison by corner features; the details are ours.
//! Unknown: a corner where the other map knows nothing does not count.
//! Known bias: ragged walls have corners of their own, so that a noisy map loses here what it keeps elsewhere; a place
//! with more than 300 corners is judged by its sharpest.
//! Sees: shift, rotate, bend, blur, resolution, scale, mirror; late: noise, moved_room, missing_wing, thick_walls,
//! unseen, closed_door, opened_wall; saturates: cut, ghost_walls. Damage of docs/lab.md, five generated floors.
//! Undefined: if no map has a corner where the other one knows something.

use align::assignment::cheapest;
use model::{CellClass, Grid};

use crate::prelude::*;

/// Parameters of the corner match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CornerMatch {
    /// Largest distance of a pair, metres. Default 0.3, the tolerance of alignments.
    pub radius_m: f64,
}

impl Default for CornerMatch {
    fn default() -> Self {
        Self { radius_m: 0.3 }
    }
}

impl Metric for CornerMatch {
    const SPEC: MetricSpec = MetricSpec::share(Family::Rooms, "corner_match", "X-CORNER", "Corner match")
        .over_floors(Aggregate::None);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let Corners { truth, map, pairs } = self.corners(case)?;
        if truth.len() + map.len() == 0 {
            return Err(Reason::NoMatch.into());
        }
        let errors_m: Vec<f64> = pairs.iter().map(|(_, error_m)| *error_m).collect();
        let matched = errors_m.len() as f64;
        let mean_m = (matched > 0.0).then(|| errors_m.iter().sum::<f64>() / matched);
        Ok(Score::new(2.0 * matched / (truth.len() + map.len()) as f64)
            .with("matched", errors_m.len())
            .with("truth_corners", truth.len())
            .with("map_corners", map.len())
            .with("mean_error_m", mean_m)
            .with("coverage", case.coverage()?)
            .of_seen(case.coverage()?))
    }

    fn samples(&self, case: &Case, _: &Score) -> Vec<Samples> {
        let (Ok(corners), Ok(blocks)) = (self.corners(case), case.blocks()) else { return Vec::new() };
        let width = case.grids().map_or(1, |grids| grids.geometry().width());
        let cell = |[x, y]: [f64; 2]| y as usize * width + x as usize;
        let all = corners.truth.iter().chain(&corners.map).map(|&corner| (cell(corner), 0.0, 1.0));
        let matched = corners.pairs.iter().map(|(truth, _)| (cell(corners.truth[*truth]), 2.0, 0.0));
        vec![blocks.ratio(all.chain(matched))]
    }
}

/// Corners by column and row that the other map knows, and the pairs of them: number in the truth and distance in metres.
struct Corners {
    truth: Vec<[f64; 2]>,
    map: Vec<[f64; 2]>,
    pairs: Vec<(usize, f64)>,
}

impl CornerMatch {
    fn corners(&self, case: &Case) -> Result<Corners, Undefined> {
        let grids = case.grids()?;
        let [truth, map] = case.corners()?;
        let (truth, map) = (known_by(&grids.map, truth), known_by(&grids.truth, map));
        let pairs = self.matched(&truth, &map, grids.geometry().cell_size_m());
        Ok(Corners { truth, map, pairs })
    }

    fn matched(&self, truth: &[[f64; 2]], map: &[[f64; 2]], cell_size_m: f64) -> Vec<(usize, f64)> {
        let apart_m =
            |t: usize, m: usize| (truth[t][0] - map[m][0]).hypot(truth[t][1] - map[m][1]) * cell_size_m;
        // A pair gains more than all distances together can cost, so that as many as possible are made.
        let gain = 1.0 + self.radius_m * truth.len() as f64;
        let cost = |t: usize, m: usize| match apart_m(t, m) {
            apart if apart <= self.radius_m => apart - gain,
            _ => 0.0,
        };
        let pairs = cheapest(truth.len(), map.len(), cost).into_iter().enumerate();
        pairs.filter_map(|(t, m)| Some((t, apart_m(t, m?)))).collect()
    }
}

/// The corners that lie where the other map knows something.
fn known_by(other: &Grid, corners: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let width = other.geometry().width();
    let is_known = |&[x, y]: &[f64; 2]| {
        other.classes().get(y as usize * width + x as usize).is_some_and(|class| *class != CellClass::Unknown)
    };
    corners.iter().copied().filter(is_known).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::{case_of, nearly};

    /// A room of 30 x 24 cells of 0.1 m with walls two cells thick, moved to the right.
    fn room(right: usize, unknown_from: usize) -> Grid {
        let letter = |x: usize, y: usize| {
            let (x, inside) = (x as isize - right as isize, |v: isize, most: isize| (0..most).contains(&v));
            let y = y as isize - 8;
            match () {
                () if x + right as isize >= unknown_from as isize => '?',
                () if !inside(x - 8, 30) || !inside(y, 24) => '.',
                () if inside(x - 10, 26) && inside(y - 2, 20) => '.',
                () => '#',
            }
        };
        let rows: Vec<String> = (0..40).map(|y| (0..60).map(|x| letter(x, y)).collect()).collect();
        testkit::grid_at(&rows, 0.1, model::Pose2::IDENTITY)
    }

    fn score(map: Grid) -> Score {
        Metric::evaluate(&CornerMatch::default(), &case_of(room(0, 60), map)).unwrap()
    }

    #[test]
    fn a_map_has_its_own_corners_and_those_of_a_map_nearby() {
        nearly(score(room(0, 60)).value, 1.0, 1e-12);
        let moved = score(room(2, 60));
        nearly(moved.value, 1.0, 1e-12);
        nearly(moved.detail["mean_error_m"].as_f64().unwrap(), 0.2, 1e-9);
        nearly(score(room(9, 60)).value, 0.0, 1e-12);
    }

    #[test]
    fn corners_that_the_map_does_not_know_are_not_charged() {
        let half = score(room(0, 30));
        assert!(half.detail["truth_corners"].as_u64() < score(room(0, 60)).detail["truth_corners"].as_u64());
        assert!(half.value > 0.6, "{half:?}");
    }

    #[test]
    fn maps_without_a_corner_are_undefined() {
        let empty = || testkit::grid(["....", "...."]);
        assert!(Metric::evaluate(&CornerMatch::default(), &case_of(empty(), empty())).is_err());
    }
}
