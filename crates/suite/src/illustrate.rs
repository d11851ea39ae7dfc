//! The pictures of a case: where map and truth agree, and how far the wrong cells are off.

use std::sync::Arc;

use align::{Resample, Window, common_grid};
use metrics::Case;
use model::{Grid, Similarity2};
use report::{CasePictures, Figure, Image, OVERLAY_LEGEND, heat_max_cells, heat_png, overlay_png};

use crate::JobError;
use crate::fiducials::figures;
use crate::parts_figure::parts_figure;
use crate::route_figure::route_figure;

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
        figures: figures(case)?.into_iter().chain(parts_figure(case)?).chain(route_figure(case)?).collect(),
    })
}

/// Truth and map as the files place them, and as the alignment does; what cannot be drawn is left out.
pub fn before_and_after(
    truth: &Arc<Grid>,
    map: &Arc<Grid>,
    truth_from_map: Option<Similarity2>,
) -> Result<Vec<Figure>, JobError> {
    let legend: Vec<String> = OVERLAY_LEGEND[4..].iter().map(|(_, meaning)| (*meaning).to_owned()).collect();
    let figure = |name: &str, title: &str, frame: Similarity2| -> Result<Option<Figure>, JobError> {
        let Ok(grids) = common_grid(truth, map, frame, Window::Truth, Resample::OccupiedWins) else {
            return Ok(None);
        };
        let (width, height) = (grids.geometry().width(), grids.geometry().height());
        let png = overlay_png(grids.truth.classes(), grids.map.classes(), width, height)?;
        Ok(Some(Figure {
            name: name.to_owned(),
            title: title.to_owned(),
            caption: format!("Black, light and strong orange, light and strong blue: {}.", legend.join("; ")),
            image: Image::Png(png),
        }))
    };
    let before = figure("before_alignment", "Before alignment", Similarity2::IDENTITY)?;
    let after =
        truth_from_map.map(|frame| figure("after_alignment", "After alignment", frame)).transpose()?;
    Ok(before.into_iter().chain(after.flatten()).collect())
}
