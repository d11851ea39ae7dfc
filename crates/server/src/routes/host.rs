//! Who has maps on a desk: a program with one desk, or a contest with one for each submission.

use std::future::Future;
use std::sync::Arc;

use crate::app::{App, Desk};
use crate::overlay_desk::OverlayDesk;
use crate::problem::Problem;

/// Shows maps on a truth.
pub trait OverlayHost: Send + Sync + Sized + 'static {
    /// Works on the desk of these maps, beside the async threads. No map means the truth of what is shown.
    fn on_desk<T: Send + 'static>(
        self: &Arc<Self>,
        maps: Vec<String>,
        work: impl FnOnce(&OverlayDesk) -> Result<T, Problem> + Send + 'static,
    ) -> impl Future<Output = Result<T, Problem>> + Send;

    /// As [`OverlayHost::on_desk`], for what a program shows besides: an image of a part of a map.
    fn tile(
        self: &Arc<Self>,
        beside: String,
        of: String,
        tile: (usize, usize, usize),
        ink: mapjudge::overlay::Ink,
    ) -> impl Future<Output = Result<Option<Vec<u8>>, Problem>> + Send;
}

impl OverlayHost for App {
    async fn on_desk<T: Send + 'static>(
        self: &Arc<Self>,
        _: Vec<String>,
        work: impl FnOnce(&OverlayDesk) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        self.compute(move |app| work(app.overlay()?)).await
    }

    async fn tile(
        self: &Arc<Self>,
        _: String,
        of: String,
        (level, column, row): (usize, usize, usize),
        ink: mapjudge::overlay::Ink,
    ) -> Result<Option<Vec<u8>>, Problem> {
        self.compute(move |app| {
            let tiles = match &app.desk {
                Desk::Overlay(desk) => desk.tiles(&of)?,
                Desk::Review(_) => return Err(Problem::not_found("a review shows no maps")),
                Desk::View(desk) => desk.tiles(&of)?,
            };
            Ok(tiles.tile(level, column, row, ink)?)
        })
        .await
    }
}
