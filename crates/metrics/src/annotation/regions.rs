//! Regions drawn as rings, on the cells of the truth: which region owns which cell.

use model::GridGeometry;

use super::inputs::Region;
use crate::Reason;

/// The region of each cell, and how many cells each region has.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RegionPlane {
    /// Number of the region plus one; 0 for none. In image order.
    pub owner: Vec<u32>,
    /// Cells that each region owns.
    pub cells: Vec<u64>,
}

/// Crossings of rings with rows that are followed; more is no drawing of rooms.
const MAX_CROSSINGS: u64 = 200_000_000;

/// Puts regions onto cells: a cell belongs to a region if its centre does, by the even-odd rule. Where regions overlap,
/// each cell goes to the smaller one; of equals to the first.
///
/// # Errors
/// More vertices than can be followed.
pub fn region_plane(regions: &[Region], geometry: &GridGeometry) -> Result<RegionPlane, Reason> {
    let height = geometry.height() as u64;
    let edges: u64 = regions.iter().flat_map(|region| &region.rings).map(|ring| ring.len() as u64).sum();
    if edges.saturating_mul(height.min(64)).max(regions.len() as u64) > MAX_CROSSINGS {
        return Err(Reason::TooManyPoints);
    }
    let spans: Vec<Vec<Span>> = regions.iter().map(|region| spans_of(region, geometry)).collect();
    let sizes: Vec<u64> = spans.iter().map(|spans| spans.iter().map(Span::cells).sum()).collect();
    if sizes.iter().fold(0_u64, |sum, size| sum.saturating_add(*size))
        > 16 * geometry.cells() as u64 + MAX_CROSSINGS
    {
        return Err(Reason::TooManyPoints);
    }
    // The largest first, so that smaller ones are painted over it.
    let mut order: Vec<usize> = (0..regions.len()).collect();
    order.sort_by_key(|&region| (std::cmp::Reverse(sizes[region]), std::cmp::Reverse(region)));
    let mut owner = vec![0_u32; geometry.cells()];
    for region in order {
        for span in &spans[region] {
            owner[span.first..span.last].fill(region as u32 + 1);
        }
    }
    let mut cells = vec![0_u64; regions.len()];
    for &region in owner.iter().filter(|region| **region > 0) {
        cells[region as usize - 1] += 1;
    }
    Ok(RegionPlane { owner, cells })
}

/// Consecutive cells of a row: index of the first, and of the one behind the last.
struct Span {
    first: usize,
    last: usize,
}

impl Span {
    const fn cells(&self) -> u64 {
        (self.last - self.first) as u64
    }
}

/// The cells whose centres lie inside the rings of a region, row by row.
fn spans_of(region: &Region, geometry: &GridGeometry) -> Vec<Span> {
    let (width, height) = (geometry.width(), geometry.height());
    let mut crossings: Vec<Vec<f64>> = vec![Vec::new(); height];
    for ring in &region.rings {
        let points: Vec<(f64, f64)> = ring.iter().map(|point| geometry.grid_point_of_world(*point)).collect();
        for pair in points.windows(2) {
            add_crossings(pair[0], pair[1], &mut crossings);
        }
    }
    let mut spans = Vec::new();
    for (up, crossed) in crossings.iter_mut().enumerate() {
        crossed.sort_by(f64::total_cmp);
        for pair in crossed.chunks_exact(2) {
            // Centres lie at i + 0.5.
            let column = |right: f64| ((right - 0.5).ceil().max(0.0) as usize).min(width);
            let (first, last) = (column(pair[0]), column(pair[1]));
            let row = (height - 1 - up) * width;
            if first < last {
                spans.push(Span { first: row + first, last: row + last });
            }
        }
    }
    spans
}

/// Where an edge crosses the middles of rows, counted from the bottom; the upper end belongs to it, the lower does not.
fn add_crossings(from: (f64, f64), to: (f64, f64), crossings: &mut [Vec<f64>]) {
    let (low, high) = if from.1 <= to.1 { (from, to) } else { (to, from) };
    if !(low.1.is_finite() && high.1.is_finite() && low.1 < high.1) {
        return;
    }
    let first = (low.1 - 0.5).ceil().max(0.0);
    let last = (high.1 - 0.5).ceil().min(crossings.len() as f64);
    if first >= last {
        return;
    }
    for (row, crossed) in crossings.iter_mut().enumerate().take(last as usize).skip(first as usize) {
        let share = (row as f64 + 0.5 - low.1) / (high.1 - low.1);
        crossed.push(low.0 + share * (high.0 - low.0));
    }
}

#[cfg(test)]
mod tests {
    use model::{Point2, Pose2};

    use super::*;

    fn square(left: f64, bottom: f64, edge: f64) -> Vec<Point2> {
        let corner = |x: f64, y: f64| Point2::new(left + x * edge, bottom + y * edge);
        vec![corner(0.0, 0.0), corner(1.0, 0.0), corner(1.0, 1.0), corner(0.0, 1.0), corner(0.0, 0.0)]
    }

    fn region(rings: Vec<Vec<Point2>>) -> Region {
        Region { label: "room".to_owned(), rings }
    }

    fn drawn(regions: &[Region]) -> Vec<String> {
        let geometry = GridGeometry::new(6, 4, 1.0, Pose2::IDENTITY).unwrap();
        let plane = region_plane(regions, &geometry).unwrap();
        plane.owner.chunks(6).map(|row| row.iter().map(u32::to_string).collect()).collect()
    }

    #[test]
    fn cells_whose_centres_are_inside() {
        assert_eq!(drawn(&[region(vec![square(1.0, 0.0, 2.0)])]), ["000000", "000000", "011000", "011000"]);
        assert_eq!(drawn(&[region(vec![square(0.6, 0.6, 1.0)])]), ["000000", "000000", "010000", "000000"]);
    }

    #[test]
    fn a_ring_inside_a_ring_is_a_hole_and_smaller_regions_win() {
        let with_hole = region(vec![square(0.0, 0.0, 4.0), square(1.0, 1.0, 2.0)]);
        assert_eq!(drawn(&[with_hole]), ["111100", "100100", "100100", "111100"]);
        let nested = [region(vec![square(1.0, 1.0, 2.0)]), region(vec![square(0.0, 0.0, 4.0)])];
        assert_eq!(drawn(&nested), ["222200", "211200", "211200", "222200"]);
    }

    #[test]
    fn what_lies_beyond_the_map_or_beyond_numbers_is_cut() {
        assert_eq!(drawn(&[region(vec![square(-50.0, -50.0, 100.0)])]), ["111111"; 4]);
        let lost = vec![Point2::new(f64::NAN, 0.0), Point2::new(1.0, f64::INFINITY), Point2::new(0.0, 0.0)];
        assert_eq!(drawn(&[region(vec![lost])]), ["000000"; 4]);
        assert_eq!(drawn(&[]), ["000000"; 4]);
    }
}
