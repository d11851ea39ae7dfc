//! What the probe knows of a truth, made when it is first needed: once for all maps of a run.

use std::sync::{Arc, OnceLock};

use model::{CellClass, Grid};
use raster::moved_points::BorderedField;

use super::sheet::Sheet;
use super::texture::MapTexture;
use super::wall_sample;

/// Distance at which a wall counts as missed, metres, and at least so many cells.
const TOL_M: f64 = 0.3;
const MIN_TOL_CELLS: f64 = 1.5;
/// Cells along the diagonal of the coarse and of the rough image.
const COARSE_DIAGONAL: f64 = 110.0;
const ROUGH_DIAGONAL: f64 = 40.0;
/// A cell of them is no larger than this: rooms must not melt into one.
const MAX_CELL_M: f64 = 1.0;
/// But so that no more than so many times as many cells lie along the diagonal: all translations are tried.
const MAX_TIMES: f64 = 3.0;
/// Tolerance in cells of the coarse and rough image.
const WIDE_TOL_CELLS: f64 = 2.5;

/// A truth that maps are held against, with what was made of it.
#[derive(Debug)]
pub struct ProbedTruth {
    grid: Arc<Grid>,
    texture: OnceLock<Option<MapTexture>>,
    walls: OnceLock<Option<(Vec<usize>, usize)>>,
    levels: OnceLock<Option<TruthLevels>>,
}

/// The truth at three levels of coarseness.
#[derive(Debug)]
pub(super) struct TruthLevels {
    pub(super) tol_m: f64,
    pub(super) fine: Sheet,
    pub(super) coarse: Sheet,
    pub(super) coarse_cell_m: f64,
    pub(super) coarse_tol_m: f64,
    pub(super) coarse_field: Layer,
    pub(super) rough_field: Layer,
}

/// Nearness at one level, on which all translations are tried at once.
#[derive(Debug)]
pub(super) struct Layer {
    pub(super) field: BorderedField,
    pub(super) width: usize,
    /// Original cells along the edge of a cell, and the corner in original cells.
    pub(super) factor: f64,
    pub(super) corner: [f64; 2],
}

impl ProbedTruth {
    /// Nothing is computed yet.
    #[must_use]
    pub fn new(grid: Arc<Grid>) -> Self {
        Self { grid, texture: OnceLock::new(), walls: OnceLock::new(), levels: OnceLock::new() }
    }

    /// The truth itself.
    #[must_use]
    pub fn grid(&self) -> &Arc<Grid> {
        &self.grid
    }

    /// What its cells look like; none if too little of it is known.
    #[must_use]
    pub fn texture(&self) -> Option<MapTexture> {
        *self.texture.get_or_init(|| MapTexture::of(&self.grid))
    }

    /// Whether any cell is known.
    #[must_use]
    pub fn has_known_cells(&self) -> bool {
        self.grid.classes().iter().any(|class| *class != CellClass::Unknown)
    }

    /// A sample of the walls at full resolution, and how many there are.
    pub(super) fn walls(&self) -> Option<&(Vec<usize>, usize)> {
        let sample = || wall_sample::sampled(self.grid.class_bytes(), super::sampled_fit::MAX_WALLS);
        self.walls.get_or_init(sample).as_ref()
    }

    pub(super) fn levels(&self) -> Option<&TruthLevels> {
        self.levels.get_or_init(|| TruthLevels::of(&self.grid)).as_ref()
    }
}

impl TruthLevels {
    fn of(grid: &Grid) -> Option<Self> {
        let cell_m = grid.geometry().cell_size_m();
        let tol_m = TOL_M.max(MIN_TOL_CELLS * cell_m);
        let fine = Sheet::fine(grid, tol_m)?;
        let fine_m = fine.pooled.factor as f64 * cell_m;
        let diagonal_m = (fine.pooled.width as f64).hypot(fine.pooled.height as f64) * fine_m;
        let level = |diagonal: f64| {
            let wanted_m = diagonal_m / diagonal;
            let times = (wanted_m.min(MAX_CELL_M).max(wanted_m / MAX_TIMES) / fine_m).round().max(1.0);
            let size_m = times * fine_m;
            let tol_m = tol_m.max(WIDE_TOL_CELLS * size_m);
            Some((fine.coarser(times as usize, tol_m / cell_m)?, size_m, tol_m))
        };
        let (coarse, coarse_cell_m, coarse_tol_m) = level(COARSE_DIAGONAL)?;
        let (rough, ..) = level(ROUGH_DIAGONAL)?;
        let (coarse_field, rough_field) = (Layer::of(&coarse), Layer::of(&rough));
        Some(Self { tol_m, fine, coarse, coarse_cell_m, coarse_tol_m, coarse_field, rough_field })
    }
}

impl Layer {
    fn of(sheet: &Sheet) -> Self {
        let (width, height) = (sheet.pooled.width, sheet.pooled.height);
        let corner = [sheet.pooled.corner.0 as f64, sheet.pooled.corner.1 as f64];
        let field = BorderedField::new(&sheet.nearness(), width, height, width.max(height));
        Self { field, width, factor: sheet.pooled.factor as f64, corner }
    }
}
