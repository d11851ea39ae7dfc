//! City-block (L1) distances between cells of one colour in two planes.
//!
//! ```text
//! sum(c, a -> b) = Σ over cells x of a with colour c of min over cells y of b with colour c of |x - y|₁
//! ```
//!
//! The kernel of the picture-distance metrics. Distances are found with bytes first; rows in which some
//! distance is 255 or more are repeated with 16-bit numbers, and beyond 65534 with 32-bit ones.

use std::ops::Range;

use crate::dispatch::dispatched;
use crate::nearness::{ColumnSweep, Size};
use crate::spread::{RowSum, Spread};

/// Distances from all cells of a colour in one plane to the nearest cell of that colour in the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DirectedDistances {
    /// Sum of the distances, cells.
    pub sum: u64,
    /// Number of cells the sum runs over.
    pub count: u64,
    /// Largest distance, cells; none without a cell to start from.
    pub max: Option<u32>,
}

/// Both directions for one colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColourDistances {
    /// The colour, that is the byte of the class.
    pub colour: u8,
    /// From the truth's cells to the map's; none if the map has no cell of this colour.
    pub truth_to_map: Option<DirectedDistances>,
    /// From the map's cells to the truth's; none if the truth has no cell of this colour.
    pub map_to_truth: Option<DirectedDistances>,
}

/// Sums of the city-block distances for each colour of a list, in both directions.
///
/// Needs about a fifth of a byte per cell beside the planes for three colours.
///
/// # Panics
/// A plane does not have `width * height` cells.
pub fn colour_distance_sums(
    truth: &[u8],
    map: &[u8],
    width: usize,
    height: usize,
    colours: &[u8],
) -> Vec<ColourDistances> {
    assert_eq!(truth.len(), width * height, "truth plane of another size");
    assert_eq!(map.len(), width * height, "map plane of another size");
    let size = Size { width, height };
    let mut found: Vec<ColourDistances> = Vec::with_capacity(colours.len());
    let mut searches: Vec<Search> = Vec::new();
    for (index, Survey { colour, counts: [in_truth, in_map], distant }) in
        survey(truth, map, size, colours).into_iter().enumerate()
    {
        let start =
            |count, targets| (targets > 0).then_some(DirectedDistances { count, ..Default::default() });
        let (truth_to_map, map_to_truth) = (start(in_truth, in_map), start(in_map, in_truth));
        found.push(ColourDistances { colour, truth_to_map, map_to_truth });
        if in_truth > 0 && in_map > 0 {
            let [from_truth, from_map] = distant;
            searches.push(Search::new(truth, map, colour, (index, Direction::TruthToMap), from_truth));
            searches.push(Search::new(map, truth, colour, (index, Direction::MapToTruth), from_map));
        }
    }
    for Search { slot: (index, direction), total, .. } in sums_of(searches, size) {
        let directed = match direction {
            Direction::TruthToMap => &mut found[index].truth_to_map,
            Direction::MapToTruth => &mut found[index].map_to_truth,
        };
        if let Some(directed) = directed {
            (directed.sum, directed.max) = (total.sum, Some(total.max));
        }
    }
    found
}

/// City-block distance of each cell to the nearest cell of a colour; none if there is no such cell.
///
/// # Panics
/// The plane does not have `width * height` cells.
pub fn city_block_transform(plane: &[u8], colour: u8, width: usize, height: usize) -> Option<Vec<u32>> {
    assert_eq!(plane.len(), width * height, "plane of another size");
    if !plane.contains(&colour) {
        return None;
    }
    let mut distances: Vec<u32> =
        plane.iter().map(|&class| if class == colour { 0 } else { u32::MAX }).collect();
    // Down with the neighbours above and to the left, then up with the others: reversed, both are the same.
    for _ in 0..2 {
        let mut above = vec![u32::MAX; width];
        for row in distances.chunks_exact_mut(width.max(1)) {
            row.iter_mut().zip(&above).for_each(|(cell, above)| *cell = (*cell).min(above.saturating_add(1)));
            let mut left = u32::MAX;
            for cell in row.iter_mut() {
                left = left.saturating_add(1).min(*cell);
                *cell = left;
            }
            above.copy_from_slice(row);
        }
        distances.reverse();
    }
    Some(distances)
}

#[derive(Clone, Copy)]
enum Direction {
    TruthToMap,
    MapToTruth,
}

/// One colour in one direction: cells of `askers` look for the nearest in `targets`.
struct Search<'a> {
    askers: &'a [u8],
    targets: &'a [u8],
    colour: u8,
    slot: (usize, Direction),
    /// Sum and maximum over the rows that are finished.
    total: RowSum,
    /// Rows still to be summed.
    pending: Vec<bool>,
}

impl<'a> Search<'a> {
    fn new(
        askers: &'a [u8],
        targets: &'a [u8],
        colour: u8,
        slot: (usize, Direction),
        pending: Vec<bool>,
    ) -> Self {
        Self { askers, targets, colour, slot, total: RowSum::default(), pending }
    }

    fn is_finished(&self) -> bool {
        !self.pending.contains(&true)
    }
}

/// Finishes all searches, each row with the narrowest numbers that hold its distances.
fn sums_of(mut searches: Vec<Search>, size: Size) -> Vec<Search> {
    sweep::<u8>(&mut searches, size);
    sweep::<u16>(&mut searches, size);
    sweep::<u32>(&mut searches, size);
    searches
}

/// Runs all unfinished searches together, so that each row of the planes is fetched once per sweep. Rows
/// for which the numbers are too narrow stay pending.
fn sweep<T: Spread>(searches: &mut [Search], size: Size) {
    let start = |search| {
        let &mut Search { targets, colour, .. } = search;
        (search, ColumnSweep::<T>::new(targets, colour, size))
    };
    let mut running: Vec<(&mut Search, ColumnSweep<T>)> =
        searches.iter_mut().filter(|search| !search.is_finished()).map(start).collect();
    if running.is_empty() {
        return;
    }
    for row in (0..size.height).rev() {
        running.iter_mut().for_each(|(_, columns)| columns.rise(row));
    }
    let mut buffers = Buffers { band: Vec::new(), row: vec![T::default(); size.padded_width()] };
    for rows in size.bands() {
        for (search, columns) in &mut running {
            sum_band(search, columns, size, rows.clone(), &mut buffers);
        }
    }
}

/// Scratch memory that all searches share.
struct Buffers<T> {
    band: Vec<T>,
    row: Vec<T>,
}

/// Second sweep of one search through one band.
fn sum_band<T: Spread>(
    search: &mut Search,
    columns: &mut ColumnSweep<T>,
    size: Size,
    rows: Range<usize>,
    buffers: &mut Buffers<T>,
) {
    if search.pending[rows.clone()].contains(&true) {
        columns.enter_band(rows.clone(), &mut buffers.band);
    }
    for row in rows {
        if !search.pending[row] {
            columns.skip(row);
            continue;
        }
        columns.descend(row, &buffers.band, &mut buffers.row);
        let RowSum { sum, max } =
            T::spread_and_sum(&mut buffers.row, size.row(search.askers, row), search.colour);
        if max < T::HERE.into() {
            search.total.sum += sum;
            search.total.max = search.total.max.max(max);
            search.pending[row] = false;
        }
    }
}

/// What one pass over the planes tells about a colour; truth first, then map.
struct Survey {
    colour: u8,
    /// Cells of this colour.
    counts: [u64; 2],
    /// Rows in which some cell of this colour has another one in the other plane.
    distant: [Vec<bool>; 2],
}

/// Surveys all colours row by row, so that the planes are fetched once.
fn survey(truth: &[u8], map: &[u8], size: Size, colours: &[u8]) -> Vec<Survey> {
    let empty = |&colour: &u8| {
        let rows = || Vec::with_capacity(size.height);
        Survey { colour, counts: [0; 2], distant: [rows(), rows()] }
    };
    let mut surveys: Vec<Survey> = colours.iter().map(empty).collect();
    for row in 0..size.height {
        let (truth, map) = (size.row(truth, row), size.row(map, row));
        for Survey { colour, counts, distant } in &mut surveys {
            counts[0] += count_of(truth, *colour);
            counts[1] += count_of(map, *colour);
            distant[0].push(has_distant_asker(truth, map, *colour));
            distant[1].push(has_distant_asker(map, truth, *colour));
        }
    }
    surveys
}

dispatched! {
    /// True if some cell has the colour among the askers but not among the targets.
    fn has_distant_asker(askers: &[u8], targets: &[u8], colour: u8) -> bool = distant_kernel;
}

#[inline(always)]
fn distant_kernel(askers: &[u8], targets: &[u8], colour: u8) -> bool {
    askers.chunks(256).zip(targets.chunks(256)).any(|(askers, targets)| {
        askers.iter().zip(targets).fold(false, |any, (&a, &t)| any | ((a == colour) & (t != colour)))
    })
}

dispatched! {
    /// Number of cells of one colour.
    fn count_of(plane: &[u8], colour: u8) -> u64 = count_kernel;
}

#[inline(always)]
fn count_kernel(plane: &[u8], colour: u8) -> u64 {
    // 128 counts fit into a byte, which keeps the additions in narrow lanes.
    let count = |cells: &[u8]| cells.iter().map(|&class| u8::from(class == colour)).sum::<u8>();
    plane.chunks(128).map(|cells| u64::from(count(cells))).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn plane(rows: &[&str]) -> (Vec<u8>, usize, usize) {
        let grid = testkit::grid(rows);
        let cells = grid.classes().iter().map(|&class| class as u8).collect();
        (cells, grid.geometry().width(), grid.geometry().height())
    }

    /// Tries all pairs of cells.
    fn brute_force(askers: &[u8], targets: &[u8], width: usize, colour: u8) -> Option<DirectedDistances> {
        let cells = |plane: &[u8]| -> Vec<(usize, usize)> {
            let hits = plane.iter().enumerate().filter(|(_, class)| **class == colour);
            hits.map(|(index, _)| (index % width, index / width)).collect()
        };
        let (askers, targets) = (cells(askers), cells(targets));
        let nearest = |&(x, y): &(usize, usize)| {
            targets.iter().map(|&(u, v)| (x.abs_diff(u) + y.abs_diff(v)) as u32).min()
        };
        if targets.is_empty() {
            return None;
        }
        let distances: Vec<u32> = askers.iter().filter_map(nearest).collect();
        Some(DirectedDistances {
            sum: distances.iter().map(|&d| u64::from(d)).sum(),
            count: distances.len() as u64,
            max: distances.iter().copied().max(),
        })
    }

    fn check(truth: &[u8], map: &[u8], width: usize, height: usize, colours: &[u8]) {
        let found = colour_distance_sums(truth, map, width, height, colours);
        for (distances, &colour) in found.iter().zip(colours) {
            assert_eq!(distances.colour, colour);
            assert_eq!(distances.truth_to_map, brute_force(truth, map, width, colour), "colour {colour}");
            assert_eq!(distances.map_to_truth, brute_force(map, truth, width, colour), "colour {colour}");
        }
    }

    #[test]
    fn e7_transform_of_two_cells() {
        let (cells, width, height) = plane(&["..#..", ".....", "#...."]);
        let distances = city_block_transform(&cells, 2, width, height).unwrap();
        assert_eq!(distances, [2, 1, 0, 1, 2, 1, 2, 1, 2, 3, 0, 1, 2, 3, 4]);
        assert_eq!(city_block_transform(&cells, 1, width, height), None);
    }

    #[test]
    fn distances_of_a_moved_wall_by_hand() {
        // The wall moves one column; the map's upper right cell is unknown.
        let (truth, width, height) = plane(&["#..", "#.."]);
        let (map, ..) = plane(&[".#?", ".#."]);
        let found = colour_distance_sums(&truth, &map, width, height, &[0, 1, 2]);
        let directed = |sum, count, max| Some(DirectedDistances { sum, count, max });
        // Free: column 1 is one cell from column 0, the upper right cell one from the lower right.
        assert_eq!(found[0].truth_to_map, directed(3, 4, Some(1)));
        assert_eq!(found[0].map_to_truth, directed(2, 3, Some(1)));
        assert_eq!(found[1].truth_to_map, directed(0, 0, None));
        assert_eq!(found[1].map_to_truth, None);
        assert_eq!(found[2].truth_to_map, directed(2, 2, Some(1)));
    }

    #[test]
    fn equal_planes_are_at_distance_zero() {
        let (cells, width, height) = plane(&["#.?", "..#", "???"]);
        for colour in colour_distance_sums(&cells, &cells, width, height, &[0, 1, 2]) {
            assert_eq!(colour.truth_to_map.map(|d| (d.sum, d.max)), Some((0, Some(0))));
            assert_eq!(colour.truth_to_map, colour.map_to_truth);
        }
    }

    #[test]
    fn distances_beyond_a_byte_and_beyond_16_bits_are_exact() {
        for length in [254, 255, 256, 257, 1000, 65_534, 65_535, 65_536, 65_537, 70_000] {
            for (width, height) in [(length + 1, 1), (1, length + 1)] {
                let (mut truth, mut map) = (vec![0; length + 1], vec![0; length + 1]);
                (truth[0], map[length]) = (2, 2);
                let found = colour_distance_sums(&truth, &map, width, height, &[2]);
                let expected = DirectedDistances { sum: length as u64, count: 1, max: Some(length as u32) };
                assert_eq!(found[0].truth_to_map, Some(expected), "{width} x {height}");
                assert_eq!(found[0].map_to_truth, Some(expected), "{width} x {height}");
            }
        }
    }

    #[test]
    fn empty_planes_have_no_colours() {
        let found = colour_distance_sums(&[], &[], 0, 0, &[2]);
        assert_eq!((found[0].truth_to_map, found[0].map_to_truth), (None, None));
    }

    #[test]
    fn five_colours_on_many_bands_equal_brute_force() {
        let noise = |seed: u32| -> Vec<u8> {
            (0..70 * 101_u32).map(|i| ((i ^ seed).wrapping_mul(2_654_435_761) >> 20) as u8 % 5).collect()
        };
        check(&noise(1), &noise(77), 70, 101, &[0, 1, 2, 3, 4]);
    }

    proptest! {
        #[test]
        fn equals_brute_force(
            width in 1..150_usize, height in 1..40_usize, rare in 1..60_u8, seed in any::<u64>(),
        ) {
            let mut state = seed | 1;
            let mut draw = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let byte = (state >> 56) as u8;
                if byte < rare { byte % 3 } else { 0 }
            };
            let truth: Vec<u8> = (0..width * height).map(|_| draw()).collect();
            let map: Vec<u8> = (0..width * height).map(|_| draw()).collect();
            check(&truth, &map, width, height, &[0, 1, 2]);
        }
    }
}
