//! `features` and `surf`: distinctive places of both maps, matched by what they look like (spec 07, R-FEAT).
//!
//! Any detector that gives place and descriptor serves; pairs of matches make candidates in closed form, and the
//! candidates with which most matches agree are ranked by the two-sided wall score, never by their number of matches.

mod corner;
mod matching;
mod surf;

use model::Grid;

use crate::certificate::{Found, Scored, certify};
use crate::correlative::climb_finely;
use crate::levels::{Allowance, Levels};
use crate::pooled::Pooled;
use crate::{AlignError, Aligner, Alignment, Method, rooms};

/// Which places are looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detector {
    /// Harris corners with counts of cells in rings and sectors.
    #[default]
    Corner,
    Surf,
}

/// Parameters of the method.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Features {
    pub allowance: Allowance,
    pub detector: Detector,
}

#[derive(Clone, Debug)]
pub(crate) struct Feature {
    /// Place in original cells, y down.
    pub(crate) at: [f64; 2],
    pub(crate) descriptor: Vec<f32>,
    pub(crate) strength: f32,
}

/// Tolerance of alignments, metres, and cells of the fine images per tolerance.
const TOL_M: f64 = 0.3;
const CELLS_PER_TOL: f64 = 4.0;
/// Places weaker than this ratio to the strongest are bends of a wall, not corners.
const MIN_STRENGTH_RATIO: f32 = 0.05;
/// Corners of larger maps are looked for in larger cells, so that the images of the detector stay small.
const MAX_DIAGONAL_CELLS: f64 = 3000.0;
/// The strongest features are kept.
const MAX_FEATURES: usize = 300;

impl Aligner for Features {
    fn method(&self) -> Method {
        match self.detector {
            Detector::Corner => Method::Features,
            Detector::Surf => Method::Surf,
        }
    }

    fn align(&self, truth: &Grid, map: &Grid) -> Result<Alignment, AlignError> {
        self.allowance.check()?;
        let Some(levels) = Levels::new(&self.allowance, truth, map) else {
            return Ok(Alignment::failed(self.method()));
        };
        let candidates = proposals(&levels, self.detector);
        let plain = climb_finely(&levels, &candidates);
        Ok(certify(self.method(), truth, map, &levels, &Found { plain, mirrored: None }))
    }
}

/// The candidates that matched features speak for, with their fine scores, best first.
pub(crate) fn proposals(levels: &Levels, detector: Detector) -> Vec<Scored> {
    let fine = levels.fine(usize::MAX);
    let (detect, distance): (Detect, matching::Distance) = match detector {
        Detector::Corner => (corner::corners, corner::distance),
        Detector::Surf => (surf::key_points, surf::distance),
    };
    let [truth_features, map_features] = [fine.truth, fine.map].map(|side| strongest(detect(&side.pooled)));
    matching::candidates(levels, &truth_features, &map_features, distance)
}

/// Places of the corners of a map's walls, strongest first, in cells from the upper left corner, y down.
pub fn corners_of(grid: &Grid) -> Vec<[f64; 2]> {
    let Some(known) = Pooled::known_part(grid) else { return Vec::new() };
    let factor = (known.diagonal() / MAX_DIAGONAL_CELLS).ceil().max(1.0) as usize;
    let found = strongest(corner::bare_corners(&Pooled::of(grid, known, factor)));
    let weakest = found.first().map_or(0.0, |first| MIN_STRENGTH_RATIO * first.strength);
    found.iter().filter(|corner| corner.strength >= weakest).map(|corner| corner.at).collect()
}

/// A key point: column and row in cells from the upper left corner, and what it looks like.
pub type KeyPoint = ([f64; 2], Vec<f64>);

/// SURF key points of a map, the strongest 300 first.
pub fn key_points_of(grid: &Grid) -> Vec<KeyPoint> {
    let geometry = grid.geometry();
    let in_cells = |feature: rooms::Feature| {
        let (right, up) = geometry.grid_point_of_world(feature.place);
        ([right, geometry.height() as f64 - up], feature.descriptor)
    };
    detected(grid, Detector::Surf).into_iter().map(in_cells).collect()
}

/// Features of a map in its own frame, metres, the strongest first.
pub(crate) fn detected(grid: &Grid, detector: Detector) -> Vec<rooms::Feature> {
    let Some(known) = Pooled::known_part(grid) else { return Vec::new() };
    let geometry = grid.geometry();
    // Descriptors count on cells of a quarter of 0.3 m.
    let per_tolerance = (TOL_M / CELLS_PER_TOL / geometry.cell_size_m()).floor();
    let factor = (known.diagonal() / MAX_DIAGONAL_CELLS).ceil().max(per_tolerance).max(1.0) as usize;
    let pooled = Pooled::of(grid, known, factor);
    let found = strongest(match detector {
        Detector::Corner => corner::corners(&pooled),
        Detector::Surf => surf::key_points(&pooled),
    });
    let in_metres = |feature: Feature| rooms::Feature {
        place: geometry.world_of_grid_point(feature.at[0], geometry.height() as f64 - feature.at[1]),
        descriptor: feature.descriptor.into_iter().map(f64::from).collect(),
        ..rooms::Feature::default()
    };
    found.into_iter().map(in_metres).collect()
}

/// Difference of two corners' descriptors, 0 to 1.
pub(crate) fn corner_difference(one: &[f64], other: &[f64]) -> f64 {
    f64::from(corner::distance(&narrowed(one), &narrowed(other)))
}

/// Difference of two SURF descriptors, 0 to 1.
pub fn surf_difference(one: &[f64], other: &[f64]) -> f64 {
    f64::from(surf::distance(&narrowed(one), &narrowed(other)))
}

fn narrowed(descriptor: &[f64]) -> Vec<f32> {
    descriptor.iter().map(|&value| value as f32).collect()
}

/// Finds features in an image.
type Detect = fn(&Pooled) -> Vec<Feature>;

fn strongest(mut features: Vec<Feature>) -> Vec<Feature> {
    features.sort_by(|a, b| b.strength.total_cmp(&a.strength));
    features.truncate(MAX_FEATURES);
    features
}
