//! The pictures of a case: where map and truth agree, and how far the wrong cells are off.

use metrics::Case;
use report::{CasePictures, heat_max_cells, heat_png, overlay_png};

use crate::JobError;
use crate::fiducials::figures;
use crate::parts_figure::parts_figure;

/// Whether pictures are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pictures {
    /// Numbers only.
    None,
    /// An overlay and an error map for each case.
    Draw,
}

/// Draws the pictures of a case; empty ones where there is nothing to compare.
pub fn illustrate(case: &Case) -> Result<CasePictures, JobError> {
    let Ok(grids) = case.grids() else {
        return Ok(CasePictures { figures: figures(case)?, ..Default::default() });
    };
    let (width, height) = (grids.geometry().width(), grids.geometry().height());
    let (truth, map) = (grids.truth.classes(), grids.map.classes());
    let wrong = case.wrong_walls().unwrap_or_default();
    Ok(CasePictures {
        overlay_png: overlay_png(truth, map, width, height)?,
        heat_png: heat_png(&wrong, truth, width, height)?,
        heat_max_m: f64::from(heat_max_cells(&wrong)) * grids.geometry().cell_size_m(),
        figures: figures(case)?.into_iter().chain(parts_figure(case)?).collect(),
    })
}
