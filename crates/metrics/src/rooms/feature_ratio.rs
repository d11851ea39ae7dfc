//! Feature ratio: how many features of the true map are found again in the map.
//!
//! ```text
//! ratio = features of the truth with a partner in the map / features of the truth
//! ```
//!
//! A pair lies within `radius_m`, each feature is in one pair at most, as many pairs as possible. `harris`: corners of the
//! walls. `hough`: straight lines with as many wall cells as 1 m has, at most 200, within 5 degrees. `sift`: SURF key points that
//! also look alike (descriptor difference at most 0.25).
//!
//! Unit: none. Range: 0 to 1. Better: higher.
//! Paper: Wagan, Godil and Li 2008, whom Schwertfeger et al. 2010, section 5, describe: features of the map that match, over
//! the features of the ground truth, by three detectors. We know it only from there; distances and limits are ours.
//! Departure: SURF, implemented here, stands in for SIFT.
//! Unknown: a feature where the map knows nothing has no partner and counts; `seen_ratio` leaves it out.
//! Known bias: a map full of clutter has a partner for everything; `corner_match` charges what the map has too much.
//! Sees: shift, rotate, bend, blur, resolution, mirror; late: noise, moved_room, missing_wing, thick_walls, unseen,
//! ghost_walls, closed_door, opened_wall, scale; saturates: cut. Damage of docs/lab.md, five generated floors.
//! Undefined: if the truth has no feature.

use align::assignment::cheapest;
use align::features::{key_points_of, surf_difference};
use model::{CellClass, Grid};

use super::hough_lines::{WallLine, hough_lines};
use crate::prelude::*;

/// Which features are looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Detector {
    /// Corners.
    #[default]
    Harris,
    /// Lines.
    Hough,
    /// Key points.
    Sift,
}

/// Parameters of the feature ratio.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FeatureRatio {
    /// Which features: `harris`, `hough` or `sift`. Default `harris`, ours; the paper uses all three.
    pub detector: Detector,
    /// Largest distance of a pair, metres. Default 0.3, the tolerance of alignments.
    pub radius_m: f64,
}

impl Default for FeatureRatio {
    fn default() -> Self {
        Self { detector: Detector::default(), radius_m: 0.3 }
    }
}

/// Lines are at least this long, metres, and may differ by this angle.
const MIN_LINE_M: f64 = 1.0;
const MAX_ANGLE_RAD: f64 = 5.0 * std::f64::consts::PI / 180.0;
/// Key points whose descriptors differ more are no pair.
const MAX_DIFFERENCE: f64 = 0.25;

impl Metric for FeatureRatio {
    const SPEC: MetricSpec = MetricSpec::share(Family::Rooms, "feature_ratio", "X-WAGAN", "Feature ratio")
        .over_floors(Aggregate::None);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        if !self.radius_m.is_finite() {
            return Err(Reason::NotFinite.into());
        }
        let grids = case.grids()?;
        let cell_size_m = grids.geometry().cell_size_m();
        let (truth, map) = (self.features(case, 0, &grids.truth)?, self.features(case, 1, &grids.map)?);
        if truth.is_empty() {
            return Err(Reason::NoMatch.into());
        }
        let pairs = self.pairs(&truth, &map, cell_size_m);
        let width = grids.geometry().width();
        let is_seen = |mark: &Mark| {
            let [x, y] = mark.at.map(|place| place.max(0.0) as usize);
            let class = (x < width).then(|| grids.map.classes().get(y * width + x)).flatten();
            class.is_some_and(|class| *class != CellClass::Unknown)
        };
        let seen = truth.iter().filter(|mark| is_seen(mark)).count();
        let seen_pairs = pairs.iter().filter(|&&pair| is_seen(&truth[pair])).count();
        Ok(Score::new(pairs.len() as f64 / truth.len() as f64)
            .with("matched", pairs.len())
            .with("truth_features", truth.len())
            .with("map_features", map.len())
            .with("seen_ratio", (seen > 0).then(|| seen_pairs as f64 / seen as f64))
            .with("coverage", case.coverage()?))
    }
}

/// A feature by column and row, with what else a partner must share.
struct Mark {
    at: [f64; 2],
    looks: Looks,
}

enum Looks {
    Anything,
    Line(WallLine),
    Descriptor(Vec<f64>),
}

impl FeatureRatio {
    /// Features of the truth (side 0) or of the map (side 1).
    fn features(&self, case: &Case, side: usize, grid: &Grid) -> Result<Vec<Mark>, Undefined> {
        Ok(match self.detector {
            Detector::Harris => {
                case.corners()?[side].iter().map(|&at| Mark { at, looks: Looks::Anything }).collect()
            }
            Detector::Hough => {
                let min_cells = (MIN_LINE_M / grid.geometry().cell_size_m()).ceil() as usize;
                let lines = hough_lines(grid, min_cells).into_iter();
                lines.map(|line| Mark { at: line.middle, looks: Looks::Line(line) }).collect()
            }
            Detector::Sift => {
                let points = key_points_of(grid).into_iter();
                points.map(|(at, looks)| Mark { at, looks: Looks::Descriptor(looks) }).collect()
            }
        })
    }

    /// Numbers of the truth's features that have a partner: as many as possible, then the nearest ones.
    fn pairs(&self, truth: &[Mark], map: &[Mark], cell_size_m: f64) -> Vec<usize> {
        let gain = 1.0 + self.radius_m.max(0.0) * truth.len() as f64;
        let cost = |t: usize, m: usize| match apart_m(&truth[t], &map[m], cell_size_m) {
            Some(apart_m) if apart_m <= self.radius_m => apart_m - gain,
            _ => 0.0,
        };
        let partners = cheapest(truth.len(), map.len(), cost).into_iter().enumerate();
        partners.filter_map(|(truth, partner)| partner.map(|_| truth)).collect()
    }
}

/// Distance of two features, metres; none if they look different. Lines are as far apart as the middle of the true one is from
/// the other.
fn apart_m(truth: &Mark, map: &Mark, cell_size_m: f64) -> Option<f64> {
    let apart_cells = (truth.at[0] - map.at[0]).hypot(truth.at[1] - map.at[1]);
    match (&truth.looks, &map.looks) {
        (Looks::Line(one), Looks::Line(other)) => {
            (one.angle_rad(other) <= MAX_ANGLE_RAD).then(|| one.distance_cells(other) * cell_size_m)
        }
        (Looks::Descriptor(one), Looks::Descriptor(other)) => {
            (surf_difference(one, other) <= MAX_DIFFERENCE).then_some(apart_cells * cell_size_m)
        }
        _ => Some(apart_cells * cell_size_m),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::{building, case_of, nearly, slipped_building};

    fn ratio(detector: Detector, map: Grid) -> Score {
        let metric = FeatureRatio { detector, ..FeatureRatio::default() };
        Metric::evaluate(&metric, &case_of(building(0), map)).unwrap()
    }

    #[test]
    fn every_detector_finds_a_map_in_itself_and_less_in_a_slipped_one() {
        for detector in [Detector::Harris, Detector::Hough, Detector::Sift] {
            let same = ratio(detector, building(0));
            nearly(same.value, 1.0, 1e-12);
            nearly(same.detail["seen_ratio"].as_f64().unwrap(), 1.0, 1e-12);
            assert!(same.detail["truth_features"].as_u64().unwrap() >= 4, "{detector:?}");
            let slipped = ratio(detector, slipped_building(6)).value;
            assert!(slipped < 0.9, "{detector:?}: {slipped}");
        }
    }

    #[test]
    fn one_line_of_two_is_found_again() {
        // Two lines of 20 m in the truth, the upper one in the map.
        let line = |row: usize, at: &[usize]| if at.contains(&row) { "#".repeat(20) } else { ".".repeat(20) };
        let grid = |at: &[usize]| testkit::grid((0..12).map(|row| line(row, at)).collect::<Vec<_>>());
        let metric = FeatureRatio { detector: Detector::Hough, ..FeatureRatio::default() };
        let score = Metric::evaluate(&metric, &case_of(grid(&[2, 9]), grid(&[2]))).unwrap();
        nearly(score.value, 0.5, 1e-12);
    }

    #[test]
    fn a_truth_without_features_is_undefined() {
        let empty = || testkit::grid(["....", "...."]);
        assert!(Metric::evaluate(&FeatureRatio::default(), &case_of(empty(), empty())).is_err());
    }
}
