//! Registration piece by piece (M-BROKEN): the parts of a map that each fit the truth in a frame of their own.
//!
//! After Birk, as Schwertfeger et al. 2010 describe it in section 5: find what fits, cut it out, register the rest.
//! Repeat until little is left:
//!
//! 1. the frame with the largest score Σ max(0, 1 - d / (τ + 1)) over the walls that are left, d their city-block
//!    distance to the truth's walls: all rotations and shifts on a grid, the five best refined by pattern search;
//! 2. of the walls with d ≤ τ the largest stretch without gaps;
//! 3. the frame of that stretch alone; it joins an earlier part whose frame fits it, or is a new part.
//!
//! A plain count of inliers would prefer a compromise frame that half fits two parts; all inliers at once would steal
//! walls of other parts that happen to run along the shift.

mod field;
mod frame;
mod search;
mod stretch;

use model::{Cell, CellClass, Grid, Pose2};

use field::WallField;
use frame::Frame;
use search::{Finding, Search};
use stretch::largest_stretch;

/// Parameters; lengths in metres become whole cells of the truth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piecewise {
    /// Walls this near count as registered, metres. Default 0.1, at least one cell.
    pub tau_m: f64,
    /// Largest rotation tried, degrees. Default 20.
    pub theta_max_deg: f64,
    /// Step of the rotation, degrees. Default 1.
    pub theta_step_deg: f64,
    /// Largest shift tried along each axis, metres. Default 2.
    pub shift_max_m: f64,
    /// Walls farther apart than this are different stretches, metres. Default 0.3.
    pub gap_m: f64,
    /// A stretch of fewer cells ends the search. Default: the larger of 20 and 0.5 % of the map's walls.
    pub join_cells: Option<usize>,
    /// A part of its own has at least so many cells. Default: the larger of 20 and 5 % of the map's walls.
    pub min_part_cells: Option<usize>,
    /// The search ends when at most this share of the walls is left. Default 0.05.
    pub stop_fraction: f64,
}

impl Default for Piecewise {
    fn default() -> Self {
        Self {
            tau_m: 0.1,
            theta_max_deg: 20.0,
            theta_step_deg: 1.0,
            shift_max_m: 2.0,
            gap_m: 0.3,
            join_cells: None,
            min_part_cells: None,
            stop_fraction: 0.05,
        }
    }
}

/// A part of the map that one rigid motion brings onto the truth.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The motion, in the frame of the truth.
    pub truth_from_part: Pose2,
    /// Its cells, in image order of the common grid.
    pub cells: Vec<usize>,
    /// Mean city-block distance of its cells to the truth's walls after the motion, cells.
    pub mean_distance_cells: f64,
}

/// The map taken apart.
#[derive(Clone, Debug, PartialEq)]
pub struct Parts {
    /// In the order in which they were found.
    pub parts: Vec<Part>,
    /// Occupied cells that fit nowhere, in image order.
    pub unregistered: Vec<usize>,
    /// Occupied cells of the map.
    pub walls: usize,
    /// Walls this near count as registered, cells.
    pub tau_cells: u32,
}

impl Parts {
    /// Share of the walls in the largest part.
    #[must_use]
    pub fn largest_share(&self) -> f64 {
        let largest = self.parts.iter().map(|part| part.cells.len()).max().unwrap_or(0);
        largest as f64 / self.walls.max(1) as f64
    }

    /// Share of the walls that fit nowhere.
    #[must_use]
    pub fn unregistered_share(&self) -> f64 {
        self.unregistered.len() as f64 / self.walls.max(1) as f64
    }
}

/// Takes a map apart. Both maps lie on the same cells.
///
/// None if either has no occupied cell.
#[must_use]
pub fn piecewise(truth: &Grid, map: &Grid, params: &Piecewise) -> Option<Parts> {
    let geometry = truth.geometry();
    let cell_size_m = geometry.cell_size_m();
    let whole_cells = |length_m: f64| (length_m / cell_size_m + 1e-9).floor().max(0.0) as u32;
    let tau = if params.tau_m > 0.0 { whole_cells(params.tau_m).max(1) } else { 0 };
    let shift_max = whole_cells(params.shift_max_m) as usize;
    let field = WallField::of(truth, tau, shift_max)?;
    let is_wall = |index: &usize| map.classes()[*index] == CellClass::Occupied;
    let mut left: Vec<usize> = (0..map.classes().len()).filter(is_wall).collect();
    let walls = left.len();
    if walls == 0 {
        return None;
    }
    let place = |index: usize| {
        let Cell { i, j } = geometry.cell_of(index);
        (i as f64, j as f64)
    };
    let join_cells = params.join_cells.unwrap_or_else(|| (walls / 200).max(20));
    let min_part_cells = params.min_part_cells.unwrap_or_else(|| (walls / 20).max(20));
    let search = Search::over(params, shift_max, geometry);
    let mut found: Vec<(Frame, Vec<usize>)> = Vec::new();
    while left.len() as f64 > params.stop_fraction * walls as f64 {
        let points: Vec<(f64, f64)> = left.iter().map(|&index| place(index)).collect();
        let Finding { frame, starts } = search.best_frame(&field, &points);
        let fits = |&index: &usize| field.distance(frame.apply(place(index))) <= tau;
        let inliers: Vec<usize> = left.iter().copied().filter(fits).collect();
        let stretch = largest_stretch(&inliers, geometry.width(), whole_cells(params.gap_m) as usize);
        if stretch.len() < join_cells {
            break;
        }
        let points: Vec<(f64, f64)> = stretch.iter().map(|&index| place(index)).collect();
        let frame = search.refit(&field, &points, &starts, frame);
        let earlier =
            found.iter().position(|(frame, _)| share_within(&field, frame, &points, tau + 1) >= 0.8);
        if earlier.is_none() && stretch.len() < min_part_cells {
            break;
        }
        left.retain(|index| stretch.binary_search(index).is_err());
        match earlier {
            Some(part) => found[part].1.extend(stretch),
            None => found.push((frame, stretch)),
        }
    }
    let part = |(frame, mut cells): (Frame, Vec<usize>)| {
        cells.sort_unstable();
        let distances = cells.iter().map(|&index| f64::from(field.distance(frame.apply(place(index)))));
        let mean_distance_cells = distances.sum::<f64>() / cells.len() as f64;
        Part { truth_from_part: frame.in_world(geometry), cells, mean_distance_cells }
    };
    Some(Parts { parts: found.into_iter().map(part).collect(), unregistered: left, walls, tau_cells: tau })
}

/// Share of the points that lie within a distance of the truth's walls under a frame.
fn share_within(field: &WallField, frame: &Frame, points: &[(f64, f64)], distance_cells: u32) -> f64 {
    let near = points.iter().filter(|&&point| field.distance(frame.apply(point)) <= distance_cells).count();
    near as f64 / points.len().max(1) as f64
}

#[cfg(test)]
mod tests;
