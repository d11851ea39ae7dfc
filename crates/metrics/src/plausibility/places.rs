//! Where the findings of a map lie.

use model::{Grid, Point2};
use raster::components::{Connectivity, label};
use raster::dilation::dilated;
use serde_json::{Value, json};

use crate::{CellLayer, Place, Score};

/// At most so many places are listed, the largest first.
const LISTED: usize = 20;

/// Groups cells (in image order) that lie within two cells of each other, the largest group first.
#[must_use]
pub fn groups(grid: &Grid, cells: &[usize]) -> Vec<(usize, Point2)> {
    let geometry = grid.geometry();
    let (width, height) = (geometry.width(), geometry.height());
    let mut mask = vec![0_u8; geometry.cells()];
    cells.iter().for_each(|&cell| mask[cell] = 1);
    let labels = label(&dilated(&mask, width, 1), width, height, Connectivity::Eight);
    let mut sums = vec![(0_usize, 0.0, 0.0); labels.count as usize + 1];
    for &cell in cells {
        let center = geometry.center_of(geometry.cell_of(cell));
        let sum = &mut sums[labels.labels[cell] as usize];
        *sum = (sum.0 + 1, sum.1 + center.x_m, sum.2 + center.y_m);
    }
    let mut found: Vec<(usize, Point2)> = sums
        .into_iter()
        .filter(|sum| sum.0 > 0)
        .map(|(count, x, y)| (count, Point2::new(x / count as f64, y / count as f64)))
        .collect();
    found.sort_by_key(|group| std::cmp::Reverse(group.0));
    found
}

/// The groups as facts: cells and middle.
#[must_use]
pub fn listed(groups: &[(usize, Point2)]) -> Value {
    let row = |(cells, place): &(usize, Point2)| json!({"x_m": place.x_m, "y_m": place.y_m, "cells": cells});
    Value::from(groups.iter().take(LISTED).map(row).collect::<Vec<_>>())
}

/// A score with cells (in image order) that explain it: as a layer, and their groups as places.
pub(super) fn with_cells(score: Score, key: &'static str, grid: &Grid, cells: &[usize]) -> Score {
    let mut found = groups(grid, cells);
    found.truncate(LISTED);
    let place = |(cells, at): &(usize, Point2)| {
        let (name, weight) = (key.into(), *cells as f64);
        Place { name, x_m: at.x_m, y_m: at.y_m, weight }
    };
    let layer = CellLayer {
        name: key.into(),
        width: grid.geometry().width(),
        cells: cells.iter().map(|&cell| cell as u32).collect(),
    };
    score.with(key, listed(&found)).with_places(found.iter().map(place)).with_layer(layer)
}
