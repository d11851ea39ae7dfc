//! Distances from each cell of a colour in one map to the nearest cell of that colour in the other, summed
//! by colour and direction: what both picture distances are made of.

use model::{CellClass, Grid};
use raster::city_block::{ColourDistances, DirectedDistances, colour_distance_sums};
use raster::euclidean::{EuclideanError, squared_distance_rows};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{AlignedGrids, Case, Reason, Undefined};

/// Distance between two cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CellDistance {
    /// City block, |dx| + |dy|, from the paper.
    #[default]
    L1,
    /// Euclidean.
    L2,
}

/// Which classes are the colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Layer {
    /// Free, unknown, occupied.
    #[default]
    Cells,
    /// The five classes of the navigation layer; both maps must have one.
    Navigation,
}

/// What a colour costs that only one of the maps has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Missing {
    /// Each such cell costs the largest distance in the window; for unknown, which makes no claim, that
    /// distance times the share of unknown cells.
    #[default]
    Max,
    /// The value is undefined.
    Inf,
    /// The term is left out.
    Skip,
}

/// A sum over the cells of one colour in one map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Directed {
    /// Sum of the distances in cells.
    pub sum: f64,
    pub count: u64,
    /// Largest distance in cells; none without a cell.
    pub max: Option<f64>,
}

impl Directed {
    /// psi(a, b, c): the mean; none without a cell.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }

    pub(crate) fn facts(&self) -> Value {
        json!({"sum": self.sum, "count": self.count, "mean": self.mean(), "max": self.max})
    }
}

/// Both directions of one colour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ColourTerms {
    /// Name of the class.
    pub name: &'static str,
    /// Whether the class makes no claim.
    pub is_unknown: bool,
    /// Cells of the truth with this colour.
    pub truth_cells: u64,
    /// Cells of the map with this colour.
    pub map_cells: u64,
    /// From the truth's cells to the map's; none if the map lacks the colour.
    pub truth_to_map: Option<Directed>,
    /// From the map's cells to the truth's; none if the truth lacks the colour.
    pub map_to_truth: Option<Directed>,
}

impl ColourTerms {
    /// Exactly one of the maps has the colour.
    #[must_use]
    pub const fn is_missing(&self) -> bool {
        (self.truth_cells == 0) != (self.map_cells == 0)
    }

    /// psi(G, M, c) + psi(M, G, c) under a rule for a missing colour; none if that makes it undefined.
    #[must_use]
    pub fn value(&self, missing: Missing, grids: &AlignedGrids) -> Option<f64> {
        if !self.is_missing() {
            let mean = |directed: Option<Directed>| directed.and_then(|d| d.mean()).unwrap_or(0.0);
            return Some(mean(self.truth_to_map) + mean(self.map_to_truth));
        }
        let cells = self.truth_cells + self.map_cells;
        match missing {
            Missing::Inf => None,
            Missing::Skip => Some(0.0),
            Missing::Max if self.is_unknown => {
                Some(largest_distance(grids) * cells as f64 / grids.cells() as f64)
            }
            Missing::Max => Some(largest_distance(grids)),
        }
    }
}

/// W + H - 2: the largest city-block distance in the window.
#[must_use]
pub fn largest_distance(grids: &AlignedGrids) -> f64 {
    (grids.geometry().width() + grids.geometry().height() - 2) as f64
}

/// The terms of every colour of a layer.
///
/// # Errors
/// There are no maps to compare, or one lacks the layer.
pub fn colour_terms(
    case: &Case,
    layer: Layer,
    distance: CellDistance,
) -> Result<Vec<ColourTerms>, Undefined> {
    let grids = case.grids()?;
    let (truth, map) = (plane_of(&grids.truth, layer)?, plane_of(&grids.map, layer)?);
    let colours: Vec<u8> = (0..layer.names().len() as u8).collect();
    let (width, height) = (grids.geometry().width(), grids.geometry().height());
    let both_ways: Vec<[Option<Directed>; 2]> = match (layer, distance) {
        (Layer::Cells, CellDistance::L1) => whole_cells(case.city_block_sums()?),
        (Layer::Navigation, CellDistance::L1) => {
            whole_cells(&colour_distance_sums(truth, map, width, height, &colours))
        }
        (_, CellDistance::L2) => {
            let to = |from, onto, colour| euclidean_sum(from, onto, colour, width, height);
            let both = |&c: &u8| Ok::<_, Undefined>([to(truth, map, c)?, to(map, truth, c)?]);
            colours.iter().map(both).collect::<Result<_, _>>()?
        }
    };
    let terms = colours.iter().zip(both_ways).map(|(&colour, [truth_to_map, map_to_truth])| ColourTerms {
        name: layer.names()[colour as usize],
        is_unknown: layer.names()[colour as usize] == CellClass::Unknown.name(),
        truth_cells: truth_to_map.map_or_else(|| cells_of(truth, colour), |d| d.count),
        map_cells: map_to_truth.map_or_else(|| cells_of(map, colour), |d| d.count),
        truth_to_map,
        map_to_truth,
    });
    Ok(terms.collect())
}

impl Layer {
    /// Names of the classes, in the order of their bytes.
    const fn names(self) -> &'static [&'static str] {
        match self {
            Self::Cells => &["free", "unknown", "occupied"],
            Self::Navigation => &["untraversable", "cleared", "uncleared", "unknown", "victim"],
        }
    }
}

fn plane_of(grid: &Grid, layer: Layer) -> Result<&[u8], Undefined> {
    match layer {
        Layer::Cells => Ok(grid.class_bytes()),
        Layer::Navigation => grid.navigation_bytes().ok_or_else(|| Reason::NoNavigation.into()),
    }
}

fn cells_of(plane: &[u8], colour: u8) -> u64 {
    plane.iter().filter(|&&c| c == colour).count() as u64
}

fn whole_cells(sums: &[ColourDistances]) -> Vec<[Option<Directed>; 2]> {
    let real =
        |d: DirectedDistances| Directed { sum: d.sum as f64, count: d.count, max: d.max.map(f64::from) };
    sums.iter().map(|both| [both.truth_to_map.map(real), both.map_to_truth.map(real)]).collect()
}

/// Sum of the Euclidean distances from the cells of a colour in one plane to the nearest in another; none if
/// the other lacks it.
fn euclidean_sum(
    from: &[u8],
    onto: &[u8],
    colour: u8,
    width: usize,
    height: usize,
) -> Result<Option<Directed>, Undefined> {
    let mut found = Directed { sum: 0.0, count: 0, max: None };
    let reached = squared_distance_rows(onto, colour, width, height, |row, squared| {
        for (&class, &squared) in from[row * width..][..width].iter().zip(squared) {
            if class == colour {
                let distance = f64::from(squared).sqrt();
                found.sum += distance;
                found.count += 1;
                found.max = Some(found.max.map_or(distance, |max: f64| max.max(distance)));
            }
        }
    });
    match reached {
        Ok(()) => Ok(Some(found)),
        Err(EuclideanError::NoSuchCell { .. }) => Ok(None),
        Err(EuclideanError::TooLarge { .. }) => Err(Reason::TooLarge.into()),
    }
}
