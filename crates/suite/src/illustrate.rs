//! The figures of a case: where map and truth agree, and how far the wrong cells are off.

use std::sync::Arc;

use align::{Resample, Window, common_grid};
use metrics::Case;
use model::{Grid, Similarity2};
use report::{Figure, MetricRecord, OVERLAY_LEGEND, errors_figure, overlay_figure, overlay_layers};

use crate::JobError;
use crate::fiducials::figures;
use crate::layer_figure::layer_figure;
use crate::parts_figure::parts_figure;
use crate::route_figure::route_figure;

/// The figures of a case; those of its cells only where there is something to compare.
pub fn illustrate(case: &Case, metrics: &[MetricRecord]) -> Result<Vec<Figure>, JobError> {
    let mut found = Vec::new();
    if let Ok(grids) = case.grids() {
        found.push(overlay_figure(&grids.truth, &grids.map)?);
        found.push(errors_figure(&grids.truth, &case.wrong_walls().unwrap_or_default())?);
    }
    found.extend(layer_figure(case));
    found.extend(figures(case));
    found.extend(parts_figure(case));
    found.extend(route_figure(case, metrics)?);
    Ok(found)
}

/// Truth and map as the files place them, and as the alignment does; what cannot be drawn is left out.
pub fn before_and_after(
    truth: &Arc<Grid>,
    map: &Arc<Grid>,
    truth_from_map: Option<Similarity2>,
) -> Result<Vec<Figure>, JobError> {
    let legend: Vec<&str> = OVERLAY_LEGEND[4..].iter().map(|(_, meaning)| *meaning).collect();
    let caption = format!("Black, light and strong orange, light and strong blue: {}.", legend.join("; "));
    let figure = |name: &str, title: &str, transform: Similarity2| -> Result<Option<Figure>, JobError> {
        let Ok(grids) = common_grid(truth, map, transform, Window::Truth, Resample::OccupiedWins) else {
            return Ok(None);
        };
        Ok(Some(Figure::new(name, title, &caption[..], overlay_layers(&grids.truth, &grids.map)?)))
    };
    let before = figure("before_alignment", "Before alignment", Similarity2::IDENTITY)?;
    let after =
        truth_from_map.map(|found| figure("after_alignment", "After alignment", found)).transpose()?;
    Ok(before.into_iter().chain(after.flatten()).collect())
}
