//! Arcs of one radius by the circular Hough transform (D-HOUGH).
//!
//! Schwertfeger et al. 2010 name the transform and found the barrels by hand; the steps are ours: vote on a lattice of
//! half a cell, collect the support of each maximum, fit the centre, reject straight lines and short arcs, drop what
//! shares its cells with something better. Rough walls give hundreds of false arcs, so that the list is fit for an
//! assignment to known places, not for people: see [`super::outlines`].

use std::f64::consts::TAU;

use super::padded::Padded;
use super::straight::line_rms;
use super::support::{Support, fit_center};
use super::{Arc, Circle, SearchError, check_radius};

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArcSearch {
    pub radius_cells: f64,
    /// The least visible opening; 2/3 of the part's own, as in the paper.
    pub min_opening_rad: f64,
    /// The best so many are kept.
    pub max_detections: usize,
}

/// Cells within this distance of the circle support it.
const TOLERANCE_CELLS: f64 = 0.75;
/// The longest break in an arc, in cells.
const MAX_GAP_CELLS: f64 = 2.5;
/// Fewer cells are no arc.
const MIN_SUPPORT: usize = 5;
/// Votes, summed over 3 x 3 places, for each cell of the least arc.
const MIN_VOTES_PER_CELL: f64 = 0.5;
/// Rows of cells whose votes are counted together.
const BAND_ROWS: usize = 128;

/// The arcs of a plane of classes: most cells first, then best fit.
///
/// # Errors
/// A radius that is too small or too large.
pub fn arcs(
    plane: &[u8],
    occupied: u8,
    width: usize,
    search: &ArcSearch,
) -> Result<Vec<Circle>, SearchError> {
    let radius = check_radius(search.radius_cells)?;
    if width == 0 || plane.is_empty() {
        return Ok(Vec::new());
    }
    let mask = Padded::of(plane, occupied, width, radius.ceil() as usize + 6);
    let peaks = peaks(&mask, search);
    let mut found: Vec<(Circle, Support)> =
        peaks.iter().filter_map(|&center| supported(&mask, center, search)).collect();
    found.sort_by(|(a, _), (b, _)| b.support.cmp(&a.support).then(a.rms_cells.total_cmp(&b.rms_cells)));
    Ok(with_cells_of_their_own(found, search.max_detections, &mask))
}

/// Places with the most votes around them, in cells of the padded mask.
fn peaks(mask: &Padded, search: &ArcSearch) -> Vec<[f64; 2]> {
    let ring = ring(search.radius_cells);
    let least = (MIN_VOTES_PER_CELL * search.min_opening_rad * search.radius_cells).max(3.0) as u16;
    let edges: Vec<Vec<usize>> = (0..mask.height()).map(|y| edge_columns(mask, y)).collect();
    let mut found = Vec::new();
    for top in mask.rows().step_by(BAND_ROWS) {
        let rows = top..(top + BAND_ROWS).min(mask.rows().end);
        let band = Band::vote(mask, &edges, &ring, rows);
        found.extend(band.peaks(least));
    }
    found
}

/// Columns of the edge cells of a row; none in the margin.
fn edge_columns(mask: &Padded, y: usize) -> Vec<usize> {
    if !mask.rows().contains(&y) {
        return Vec::new();
    }
    let is_edge = |&x: &usize| mask.cells[y * mask.stride + x] == 1 && mask.is_edge(x, y);
    mask.columns().filter(is_edge).collect()
}

/// Places of the half-cell lattice at one radius from a place, each once, row by row.
fn ring(radius: f64) -> Vec<[isize; 2]> {
    let reach = (2.0 * radius).ceil() as isize + 1;
    let lies_on = |right: isize, down: isize| ((right as f64).hypot(down as f64) - 2.0 * radius).abs() <= 0.5;
    let row =
        |down: isize| (-reach..=reach).filter(move |&right| lies_on(right, down)).map(move |x| [x, down]);
    (-reach..=reach).flat_map(row).collect()
}

/// Votes for the centres of a band of rows, with one lattice row and column more on each side.
struct Band {
    votes: Vec<u16>,
    stride: usize,
    top: usize,
}

impl Band {
    fn vote(mask: &Padded, edges: &[Vec<usize>], ring: &[[isize; 2]], rows: std::ops::Range<usize>) -> Self {
        let (stride, top) = (2 * mask.stride, 2 * rows.start - 2);
        let height = 2 * rows.len() + 4;
        let mut votes = vec![0_u16; stride * height];
        let reach = mask.margin;
        let near = rows.start - reach..(rows.end + reach).min(edges.len());
        for (y, columns) in near.clone().zip(&edges[near]) {
            for &[right, down] in ring {
                // The middle of a cell is an odd place of the lattice.
                let row = (2 * y + 1).wrapping_add_signed(down).wrapping_sub(top);
                if row >= height {
                    continue;
                }
                let start = (row * stride + 1).wrapping_add_signed(right);
                for &x in columns {
                    let vote = &mut votes[start.wrapping_add(2 * x)];
                    *vote = vote.saturating_add(1);
                }
            }
        }
        Self { votes, stride, top }
    }

    fn around(&self, row: usize, column: usize) -> u16 {
        let line = |row: usize| self.votes[row * self.stride + column - 1..][..3].iter().copied();
        (row - 1..=row + 1).flat_map(line).fold(0, u16::saturating_add)
    }

    /// Local maxima of the sums over 3 x 3 places.
    fn peaks(&self, least: u16) -> Vec<[f64; 2]> {
        let height = self.votes.len() / self.stride;
        let mut sums = vec![0_u16; self.votes.len()];
        for row in 1..height - 1 {
            for column in 1..self.stride - 1 {
                sums[row * self.stride + column] = self.around(row, column);
            }
        }
        let mut found = Vec::new();
        for row in 2..height - 2 {
            for column in 2..self.stride - 2 {
                let here = row * self.stride + column;
                if sums[here] >= least && is_peak(&sums, here, self.stride) {
                    found.push([column as f64 / 2.0, (row + self.top) as f64 / 2.0]);
                }
            }
        }
        found
    }
}

/// No neighbour has more, and none before it in row-major order as many.
fn is_peak(sums: &[u16], here: usize, stride: usize) -> bool {
    let before = [here - stride - 1, here - stride, here - stride + 1, here - 1];
    let after = [here + 1, here + stride - 1, here + stride, here + stride + 1];
    before.iter().all(|&there| sums[there] < sums[here])
        && after.iter().all(|&there| sums[there] <= sums[here])
}

/// The circle at a place after its fit, with the cells that support it, or none if it is no arc.
fn supported(mask: &Padded, center: [f64; 2], search: &ArcSearch) -> Option<(Circle, Support)> {
    let radius = search.radius_cells;
    let first = Support::collect(mask, center, radius, TOLERANCE_CELLS, |_| true);
    if first.cells.len() < MIN_SUPPORT {
        return None;
    }
    let center = fit_center(&first.points, center, radius)?;
    let support = Support::collect(mask, center, radius, TOLERANCE_CELLS, |_| true);
    let rms_cells = support.rms_from(center, radius)?;
    let arc = longest_arc(&support.angles(center), radius)?;
    let is_arc = support.cells.len() >= MIN_SUPPORT
        && arc.opening_rad >= search.min_opening_rad
        && line_rms(&support.points) > rms_cells;
    let circle = Circle {
        x_cells: center[0],
        y_cells: center[1],
        radius_cells: radius,
        arcs: vec![arc],
        support: support.cells.len(),
        rms_cells,
        quality: 0.0,
    };
    is_arc.then_some((circle, support))
}

/// The longest run of angles without a long gap, and the width of one cell.
fn longest_arc(sorted: &[f64], radius: f64) -> Option<Arc> {
    let count = sorted.len();
    let gap_after = |index: usize| (sorted[(index + 1) % count] - sorted[index]).rem_euclid(TAU);
    let is_long = |index: &usize| count == 1 || gap_after(*index) > MAX_GAP_CELLS / radius;
    let ends: Vec<usize> = (0..count).filter(is_long).collect();
    if ends.is_empty() && count > 0 {
        return Some(Arc { start_rad: 0.0, opening_rad: TAU });
    }
    let runs = ends.iter().enumerate().map(|(index, &end)| {
        let start = (ends[(index + ends.len() - 1) % ends.len()] + 1) % count;
        let width = 1.0 / radius;
        let opening_rad = (sorted[end] - sorted[start]).rem_euclid(TAU) + width;
        Arc { start_rad: (sorted[start] - width / 2.0).rem_euclid(TAU), opening_rad: opening_rad.min(TAU) }
    });
    runs.max_by(|a, b| a.opening_rad.total_cmp(&b.opening_rad))
}

/// Drops circles that share half of their cells with a better one. Not by distance: the halves on both sides of a
/// wall are only its thickness apart.
fn with_cells_of_their_own(found: Vec<(Circle, Support)>, most: usize, mask: &Padded) -> Vec<Circle> {
    let mut kept: Vec<(Circle, Support)> = Vec::new();
    for (circle, support) in found {
        if kept.len() >= most {
            break;
        }
        let is_near = |other: &Circle| {
            let reach = 2.0 * (circle.radius_cells + TOLERANCE_CELLS);
            (other.x_cells - circle.x_cells).abs() <= reach && (other.y_cells - circle.y_cells).abs() <= reach
        };
        let is_shared = |(other, cells): &(Circle, Support)| {
            is_near(other) && 2 * support.shared_with(cells) >= support.cells.len()
        };
        if !kept.iter().any(is_shared) {
            kept.push((circle, support));
        }
    }
    let margin = mask.margin as f64;
    let placed = |(circle, _): (Circle, Support)| Circle {
        x_cells: circle.x_cells - margin,
        y_cells: circle.y_cells - margin,
        ..circle
    };
    kept.into_iter().map(placed).collect()
}
