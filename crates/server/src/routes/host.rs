//! Who has maps on a desk, and records under review: a program with one of them, or a contest with many.

use std::future::Future;
use std::sync::Arc;

use mapjudge::ground_truth::Review;
use serde_json::Value;

use crate::app::{App, Desk};
use crate::contest::roles::Who;
use crate::events::Event;
use crate::overlay_desk::OverlayDesk;
use crate::problem::Problem;
use crate::review_desk::Seat;

/// The record of a program in addresses: there is one.
const ONLY: &str = "1";

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

/// Has records of relations that people decide about.
pub trait ReviewHost: Send + Sync + Sized + 'static {
    /// Works on the review of a record for whoever asks, beside the async threads.
    fn on_review<T: Send + 'static>(
        self: &Arc<Self>,
        record: String,
        who: Who,
        work: impl FnOnce(&Seat, &mut Review) -> Result<T, Problem> + Send + 'static,
    ) -> impl Future<Output = Result<T, Problem>> + Send;

    /// A line stands in the record: whoever should know is told.
    fn verdict_written(
        self: &Arc<Self>,
        record: String,
        who: Who,
        line: Value,
    ) -> impl Future<Output = Result<(), Problem>> + Send;
}

impl ReviewHost for App {
    async fn on_review<T: Send + 'static>(
        self: &Arc<Self>,
        record: String,
        _: Who,
        work: impl FnOnce(&Seat, &mut Review) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        self.compute(move |app| {
            let desk = app.review_desk()?;
            if record != ONLY {
                return Err(Problem::not_found("there is no such record"));
            }
            work(&desk.seat(), &mut desk.review())
        })
        .await
    }

    async fn verdict_written(self: &Arc<Self>, _: String, _: Who, _: Value) -> Result<(), Problem> {
        self.events.tell(Event::Review);
        Ok(())
    }
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
