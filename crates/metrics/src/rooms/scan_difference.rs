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
//! Sees: noise, shift, rotate, bend, cut, thick_walls, ghost_walls, resolution, scale, mirror; late: moved_room,
//! closed_door, opened_wall; blind to: missing_wing, unseen; undefined under: blur. Damage of docs/lab.md, five
//! generated floors.
//! Undefined: if no place is free in both maps, or no beam meets a wall in both.

use model::CellClass;

use super::virtual_scan::{Beam, cast};
use crate::AlignedGrids;
use crate::prelude::*;

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
    const SPEC: MetricSpec = MetricSpec::new(Family::Rooms, "scan_difference", "X-VSCAN", "Scan difference")
        .measured_in(Unit::Metres, Better::Lower)
        .best(0.0)
        .over_floors(Aggregate::None);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let grids = case.grids()?;
        let poses = poses(grids, self.spacing_m / grids.geometry().cell_size_m());
        if poses.is_empty() {
            return Err(Reason::NoTargets.into());
        }
        let cast_beams = poses.len() * self.beams;
        let mut differences_m: Vec<f64> =
            poses.iter().flat_map(|&pose| self.differences_m(grids, pose)).collect();
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
            .with("coverage", case.coverage()?)
            .of_seen(case.coverage()?))
    }

    fn samples(&self, case: &Case, _: &Score) -> Vec<Samples> {
        let (Ok(grids), Ok(blocks)) = (case.grids(), case.blocks()) else { return Vec::new() };
        let (width, cell_size_m) = (grids.geometry().width(), grids.geometry().cell_size_m());
        let poses = poses(grids, self.spacing_m / cell_size_m).into_iter();
        vec![blocks.ratio(poses.map(|pose| {
            let differences_m = self.differences_m(grids, pose);
            let cell = pose.1 as usize * width + pose.0 as usize;
            (cell, differences_m.iter().sum(), differences_m.len() as f64)
        }))]
    }
}

impl ScanDifference {
    /// Differences of the ranges of one scan, of the beams that meet a wall in both maps, metres.
    fn differences_m(&self, grids: &AlignedGrids, pose: (f64, f64)) -> Vec<f64> {
        let cell_size_m = grids.geometry().cell_size_m();
        let difference_m = |beam: usize| {
            let angle_rad = std::f64::consts::TAU * beam as f64 / self.beams as f64;
            let in_map = |grid| cast(grid, pose, angle_rad, self.range_m / cell_size_m);
            match (in_map(&*grids.truth), in_map(&*grids.map)) {
                (Beam::Wall(truth), Beam::Wall(map)) => Some((truth - map).abs() * cell_size_m),
                _ => None,
            }
        };
        (0..self.beams).filter_map(difference_m).collect()
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
