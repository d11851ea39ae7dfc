//! Scan difference: how much the ranges of a virtual laser differ between map and truth.
//!
//! ```text
//! e = mean over poses and beams that meet a wall in both maps of |range in the truth - range in the map|
//! ```
//!
//! Unit: m. Range: 0 to `range_m`. Better: lower.
//! Paper: Schwertfeger et al. 2010, section 5, names the comparison by virtual scans; the details are ours.
//! Unknown: stops a beam; such a beam is not compared, but counted.
//! Known bias: walls near open space are seen from many poses and count more; what no pose sees does not count. Beams
//! along a wall jump by metres when it moves by a cell: read the median beside the mean.
//! Undefined: if no place is free in both maps, or no beam meets a wall in both.

use model::CellClass;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::virtual_scan::{Beam, cast};
use crate::{AlignedGrids, Better, Case, Family, Metric, MetricSpec, Reason, Score, Undefined, Unit};

/// Parameters of the scan difference.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScanDifference {
    /// Distance between the poses, metres. Default 1.
    pub spacing_m: f64,
    /// Beams of a scan, all around. Default 72.
    pub beams: usize,
    /// Range of the laser, metres. Default 10.
    pub range_m: f64,
}

impl Default for ScanDifference {
    fn default() -> Self {
        Self { spacing_m: 1.0, beams: 72, range_m: 10.0 }
    }
}

impl Metric for ScanDifference {
    const SPEC: MetricSpec = MetricSpec {
        id: "scan_difference",
        code: "X-VSCAN",
        title: "Scan difference",
        family: Family::Rooms,
        unit: Unit::Metres,
        better: Better::Lower,
        best: Some(0.0),
        worst: None,
        source: include_str!("scan_difference.rs"),
    };

    fn applies(case: &Case) -> bool {
        case.is_aligned_by_search()
    }

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let grids = case.grids()?;
        let cell_size_m = grids.geometry().cell_size_m();
        let poses = poses(grids, self.spacing_m / cell_size_m);
        if poses.is_empty() {
            return Err(Reason::NoTargets.into());
        }
        let (mut differences_m, mut cast_beams) = (Vec::new(), 0_u64);
        for &pose in &poses {
            for beam in 0..self.beams {
                let angle_rad = std::f64::consts::TAU * beam as f64 / self.beams as f64;
                let in_map = |grid| cast(grid, pose, angle_rad, self.range_m / cell_size_m);
                cast_beams += 1;
                if let (Beam::Wall(truth), Beam::Wall(map)) = (in_map(&*grids.truth), in_map(&*grids.map)) {
                    differences_m.push((truth - map).abs() * cell_size_m);
                }
            }
        }
        if differences_m.is_empty() {
            return Err(Reason::NoMatch.into());
        }
        differences_m.sort_by(f64::total_cmp);
        let count = differences_m.len();
        Ok(Score::new(differences_m.iter().sum::<f64>() / count as f64)
            .with("poses", poses.len())
            .with("compared_beams", count)
            .with("compared_share", count as f64 / cast_beams as f64)
            .with("median_m", differences_m[count / 2])
            .with("max_m", differences_m[count - 1])
            .with("coverage", case.coverage()?))
    }
}

/// Places (columns, rows down) that are free in both maps, on a square grid.
fn poses(grids: &AlignedGrids, spacing_cells: f64) -> Vec<(f64, f64)> {
    let (width, height) = (grids.geometry().width(), grids.geometry().height());
    let step = spacing_cells.max(1.0);
    let along = |side: usize| {
        (0..).map(move |k| ((k as f64 + 0.5) * step) as usize).take_while(move |&cell| cell < side)
    };
    let is_free = |&(x, y): &(usize, usize)| {
        let cell = y * width + x;
        [&grids.truth, &grids.map].iter().all(|grid| grid.classes()[cell] == CellClass::Free)
    };
    let places = along(height).flat_map(|y| along(width).map(move |x| (x, y)));
    places.filter(is_free).map(|(x, y)| (x as f64 + 0.5, y as f64 + 0.5)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::{case, nearly};

    #[test]
    fn a_wall_one_cell_farther_is_one_metre_farther() {
        // One row: poses in every free cell of both; the beam to the right ends one cell later in the map.
        let params = ScanDifference { beams: 1, ..ScanDifference::default() };
        let score = Metric::evaluate(&params, &case(&["#..#."], &["#...#"])).unwrap();
        nearly(score.value, 1.0, 1e-12);
        assert_eq!(score.detail["poses"], 2);
    }

    #[test]
    fn nothing_free_or_nothing_seen_is_undefined() {
        assert!(Metric::evaluate(&ScanDifference::default(), &case(&["##"], &[".."])).is_err());
        assert!(Metric::evaluate(&ScanDifference::default(), &case(&[".."], &[".."])).is_err());
    }
}
