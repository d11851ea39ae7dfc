//! Corner count: the number of corners of the map's walls, by Harris' response.
//!
//! ```text
//! R = det M - k (trace M)²                                              M: sums of products of Sobel derivatives
//! corners = groups of cells with R > 0.01 max R, grown by one cell      reading = groups
//! corners = peaks of R above 0.01 max R, at least ten cells apart       reading = peaks
//! ```
//!
//! Unit: corners. Range: 0 upwards. Better: neither, it describes the map.
//! Paper: Filatov et al. 2017, one of three signs of a map without a truth: walls drawn twice have more corners.
//! Departure: the paper gives no numbers; those of the readings are of the programs named below. `groups`: Laplacian of a Gaussian
//! (one cell), median of 3 x 3, block 10, aperture 9, k 0.2, unknown cells beside known ones drawn as walls, whatever the length of
//! the outline. `peaks`: Gaussian of 5 x 5 cells (one cell), Laplacian, block 2, aperture 3, k 0.04.
//! Unknown: a grey between wall and floor in `peaks`; in `groups` free but for the rim of the known part.
//! Known bias: a description, not a sign of quality: furniture, noise and rough walls have corners too.
//! Variants: on one map two public programs print 98 and 141. `groups` is the reading of SLAM-maps-evaluation, which prints two
//! numbers per group and counts the background as one (98 stands for 48 corners), `peaks` that of cartographer_tuner, as their code
//! reads; neither was run here.
//! Undefined: if the map has no occupied cell.

use model::{CellClass, Grid};
use raster::components::{Connectivity, label};

use super::harris::{Border, Image, harris};
use super::places::with_cells;
use crate::prelude::*;

/// Parameters of the corner count.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CornerCount {
    /// What is counted. Default `groups`.
    pub reading: CornerReading,
}

/// What is counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CornerReading {
    /// Connected cells of strong response.
    #[default]
    Groups,
    /// Local maxima of the response.
    Peaks,
}

/// Grey values of image files: free, unknown, occupied.
const GREYS: [f32; 3] = [254.0, 205.0, 0.0];
/// Responses below this share of the largest are none.
const MIN_SHARE: f32 = 0.01;
/// Peaks nearer than this to a stronger one are none, cells.
const MIN_APART_CELLS: usize = 10;

impl Metric for CornerCount {
    const SPEC: MetricSpec =
        MetricSpec::new(Family::Plausibility, "corner_count", "X-PLAUS-K", "Corner count")
            .measured_in(Unit::Ratio, Better::Neither)
            .over_floors(Aggregate::None);

    /// Only where it is asked for by name.
    fn applies(_: &Case) -> bool {
        false
    }

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let map = case.map()?;
        if map.class_counts()[CellClass::Occupied as usize] == 0 {
            return Err(Reason::NoOccupiedMap.into());
        }
        let (count, cells) = match self.reading {
            CornerReading::Groups => groups(map),
            CornerReading::Peaks => {
                let peaks = peaks(map);
                (peaks.len(), peaks)
            }
        };
        Ok(with_cells(Score::new(count as f64), "corner_places", map, &cells))
    }
}

/// The number of groups of strong response, and their cells.
fn groups(map: &Grid) -> (usize, Vec<usize>) {
    let (width, height) = (map.geometry().width(), map.geometry().height());
    let edges = laplacian_of_gaussian(&with_rim(map));
    let response = harris(&median(&edges), 10, 9, 0.2);
    let response = largest_around(&response);
    let limit = limit_of(&response);
    let strong: Vec<u8> = response.values.iter().map(|value| u8::from(*value > limit)).collect();
    let count = label(&strong, width, height, Connectivity::Eight).count as usize;
    (count, (0..strong.len()).filter(|&cell| strong[cell] != 0).collect())
}

/// Walls black, all else white; unknown cells that touch a free one are walls too.
fn with_rim(map: &Grid) -> Image {
    let (width, height) = (map.geometry().width(), map.geometry().height());
    let classes = map.classes();
    let is_free_around = |cell: usize| {
        let (x, y) = (cell % width, cell / width);
        let rows = y.saturating_sub(1)..=(y + 1).min(height - 1);
        let mut columns = rows.flat_map(|row| {
            (x.saturating_sub(1)..=(x + 1).min(width - 1)).map(move |column| row * width + column)
        });
        columns.any(|near| classes[near] == CellClass::Free)
    };
    let grey = |cell: usize| match classes[cell] {
        CellClass::Occupied => GREYS[2],
        CellClass::Free => GREYS[0],
        CellClass::Unknown if is_free_around(cell) => GREYS[2],
        CellClass::Unknown => 255.0,
    };
    Image { width, values: (0..classes.len()).map(grey).collect() }
}

/// Weights of a Gaussian of one cell out to four, and of its second derivative.
fn laplacian_of_gaussian(image: &Image) -> Image {
    let all: Vec<f64> = (-4..=4).map(|at| (-0.5 * f64::from(at * at)).exp()).collect();
    let sum: f64 = all.iter().sum();
    let smooth: Vec<f64> = all.iter().map(|weight| weight / sum).collect();
    let curved: Vec<f64> =
        smooth.iter().zip(-4..=4).map(|(weight, at)| weight * (f64::from(at * at) - 1.0)).collect();
    let along = image.filtered([&curved, &smooth], [4; 2], Border::Reflected);
    let across = image.filtered([&smooth, &curved], [4; 2], Border::Reflected);
    let values = along.values.iter().zip(&across.values).map(|(a, b)| a + b).collect();
    Image { width: image.width, values }
}

/// The nine cells around each cell, the edge of the image repeated.
fn around(image: &Image, of: impl Fn(&mut [f32; 9]) -> f32) -> Image {
    let (width, height) = (image.width, image.values.len() / image.width.max(1));
    let at = |x: usize, y: usize| {
        let near = |at: usize, step: usize, length: usize| (at + step).saturating_sub(1).min(length - 1);
        let mut values = [0.0; 9];
        for (index, value) in values.iter_mut().enumerate() {
            *value = image.values[near(y, index / 3, height) * width + near(x, index % 3, width)];
        }
        of(&mut values)
    };
    let values = (0..image.values.len()).map(|cell| at(cell % width, cell / width)).collect();
    Image { width, values }
}

fn median(image: &Image) -> Image {
    around(image, |values| {
        values.sort_by(f32::total_cmp);
        values[4]
    })
}

fn largest_around(image: &Image) -> Image {
    around(image, |values| values.iter().copied().fold(f32::MIN, f32::max))
}

/// The response from which on a cell counts; one that nothing reaches where no response is positive.
fn limit_of(response: &Image) -> f32 {
    let largest = response.values.iter().copied().fold(f32::MIN, f32::max);
    if largest > 0.0 { MIN_SHARE * largest } else { f32::MAX }
}

/// Local maxima of the response, the strongest first.
fn peaks(map: &Grid) -> Vec<usize> {
    let (width, height) = (map.geometry().width(), map.geometry().height());
    let values = map.classes().iter().map(|class| GREYS[*class as usize]).collect();
    let gauss: Vec<f64> = (-2..=2).map(|at| (-0.5 * f64::from(at * at)).exp()).collect();
    let sum: f64 = gauss.iter().sum();
    let gauss: Vec<f64> = gauss.iter().map(|weight| weight / sum).collect();
    let mut smooth = Image { width, values }.filtered([&gauss, &gauss], [2; 2], Border::Mirrored);
    // The programs keep whole grey values.
    smooth.values.iter_mut().for_each(|value| *value = value.round());
    let (differ, same) = ([1.0, -2.0, 1.0], [0.0, 1.0, 0.0]);
    let along = smooth.filtered([&differ, &same], [1; 2], Border::Mirrored);
    let across = smooth.filtered([&same, &differ], [1; 2], Border::Mirrored);
    let values = along.values.iter().zip(&across.values).map(|(a, b)| a + b).collect();
    let response = harris(&Image { width, values }, 2, 3, 0.04);
    let (limit, largest) = (limit_of(&response), largest_around(&response));
    let is_peak = |cell: &usize| {
        let (x, y) = (cell % width, cell / width);
        let is_inside = x > 0 && y > 0 && x + 1 < width && y + 1 < height;
        is_inside && response.values[*cell] > limit && response.values[*cell] == largest.values[*cell]
    };
    let mut candidates: Vec<usize> = (0..response.values.len()).filter(is_peak).collect();
    candidates.sort_by(|a, b| response.values[*b].total_cmp(&response.values[*a]).then(b.cmp(a)));
    far_apart(&candidates, width)
}

/// The candidates that lie far enough from every earlier one. Squares as wide as the distance hold at most a few.
fn far_apart(candidates: &[usize], width: usize) -> Vec<usize> {
    let mut kept: Vec<usize> = Vec::new();
    let mut squares: std::collections::BTreeMap<(usize, usize), Vec<usize>> =
        std::collections::BTreeMap::new();
    let square = |cell: usize| (cell % width / MIN_APART_CELLS, cell / width / MIN_APART_CELLS);
    let is_near = |one: usize, other: usize| {
        let (dx, dy) = ((one % width).abs_diff(other % width), (one / width).abs_diff(other / width));
        dx * dx + dy * dy < MIN_APART_CELLS * MIN_APART_CELLS
    };
    for &cell in candidates {
        let (column, row) = square(cell);
        let rows = row.saturating_sub(1)..=row + 1;
        let mut near = rows.flat_map(|row| (column.saturating_sub(1)..=column + 1).map(move |c| (c, row)));
        if !near.any(|at| squares.get(&at).is_some_and(|own| own.iter().any(|other| is_near(cell, *other)))) {
            squares.entry((column, row)).or_default().push(cell);
            kept.push(cell);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn value(reading: CornerReading, rows: &[String]) -> f64 {
        let case = Case::of_map_alone(Arc::new(testkit::grid(rows)));
        Metric::evaluate(&CornerCount { reading }, &case).unwrap().value
    }

    /// Free floor with a solid block of 40 x 30 cells in it.
    fn block() -> Vec<String> {
        let row = |y: usize| {
            let cell = |x: usize| if (30..70).contains(&x) && (25..55).contains(&y) { '#' } else { '.' };
            (0..100).map(cell).collect()
        };
        (0..80).map(row).collect()
    }

    #[test]
    fn a_block_has_four_corners() {
        assert_eq!(value(CornerReading::Groups, &block()), 4.0);
        assert_eq!(value(CornerReading::Peaks, &block()), 4.0);
    }

    #[test]
    fn a_wall_drawn_twice_has_more_corners() {
        let wall = |rows: &[usize]| -> Vec<String> {
            let cell =
                |x: usize, y: usize| if rows.contains(&y) && (20..80).contains(&x) { '#' } else { '.' };
            (0..80).map(|y| (0..100).map(|x| cell(x, y)).collect()).collect()
        };
        let (once, twice) = (wall(&[39, 40]), wall(&[24, 25, 54, 55]));
        for reading in [CornerReading::Groups, CornerReading::Peaks] {
            assert_eq!(value(reading, &twice), 2.0 * value(reading, &once), "{reading:?}");
        }
    }

    #[test]
    fn tiny_maps_have_a_number_and_maps_without_walls_none() {
        for rows in [vec!["#"], vec!["#."], vec!["#", "?"]] {
            let case = Case::of_map_alone(Arc::new(testkit::grid(rows)));
            for reading in [CornerReading::Groups, CornerReading::Peaks] {
                assert!(Metric::evaluate(&CornerCount { reading }, &case).unwrap().value >= 0.0);
            }
        }
        let case = Case::of_map_alone(Arc::new(testkit::grid(["..?"])));
        assert!(Metric::evaluate(&CornerCount::default(), &case).is_err());
    }
}
