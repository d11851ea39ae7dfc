//! Precision, recall and F1 of walls over a growing tolerance, and the area under the F1 curve.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::wall_distances::WallDistances;
use crate::{Case, Curve, Score, Undefined};

/// One point of the curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CurvePoint {
    /// Walls at most this far apart count as the same, in cells.
    pub tolerance_cells: u32,
    /// The same in metres.
    pub tolerance_m: f64,
    /// Share of the map's walls that have a wall of the truth within the tolerance.
    pub precision: f64,
    /// Share of the truth's walls that have a wall of the map within the tolerance.
    pub recall: f64,
    /// Harmonic mean of the two.
    pub f1: f64,
}

/// The curve from tolerance 0 to the largest, one point per cell.
#[must_use]
pub fn tolerance_curve(distances: &WallDistances, largest_cells: u32, cell_size_m: f64) -> Vec<CurvePoint> {
    let share = |within: u64, all: u64| within as f64 / all as f64;
    (0..=largest_cells)
        .map(|tolerance_cells| {
            let (map, truth) = (&distances.map_to_truth, &distances.truth_to_map);
            let precision = share(map.within_cells(tolerance_cells), map.count());
            let recall = share(truth.within_cells(tolerance_cells), truth.count());
            let f1 = f1(precision, recall);
            let tolerance_m = f64::from(tolerance_cells) * cell_size_m;
            CurvePoint { tolerance_cells, tolerance_m, precision, recall, f1 }
        })
        .collect()
}

/// The area under the F1 curve as a score, with the curve.
///
/// # Errors
/// There are no maps to compare.
pub fn area_score(case: &Case, distances: &WallDistances, largest_cells: u32) -> Result<Score, Undefined> {
    let cell_size_m = case.grids()?.geometry().cell_size_m();
    let curve = tolerance_curve(distances, largest_cells, cell_size_m);
    let series = |of: fn(&CurvePoint) -> f64| curve.iter().map(of).collect::<Vec<f64>>();
    let values = Curve {
        name: "curve".into(),
        axis: "tolerance_cells".into(),
        at: series(|point| point.tolerance_cells.into()),
        series: vec![
            ("precision".into(), series(|point| point.precision)),
            ("recall".into(), series(|point| point.recall)),
            ("f1".into(), series(|point| point.f1)),
        ],
    };
    let area = area_under_f1(&series(|point| point.f1));
    Ok(Score::new(area).with("curve", curve).with("coverage", case.coverage()?).with_curve(values))
}

/// The harmonic mean of precision and recall; 0 where both are.
#[must_use]
pub fn f1(precision: f64, recall: f64) -> f64 {
    let sum = precision + recall;
    if sum > 0.0 { 2.0 * precision * recall / sum } else { 0.0 }
}

/// Area under F1 at the tolerances 0, 1, .. cells by trapezoids, divided by its width: 1 if every wall is exact. A curve of
/// a single point has its F1.
#[must_use]
pub fn area_under_f1(f1: &[f64]) -> f64 {
    let strips = f1.windows(2).map(|pair| f64::midpoint(pair[0], pair[1]));
    match f1 {
        [only] => *only,
        _ => strips.sum::<f64>() / (f1.len() - 1) as f64,
    }
}
