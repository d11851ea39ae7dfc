//! Who has maps on a desk, and records under review: a program with one of them, or a contest with many.

use std::future::Future;
use std::sync::Arc;

use mapjudge::ground_truth::Review;
use model::RelationRecord;

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
    /// Works on the desk of these maps as somebody may see it, beside the async threads. No map means the truth of what is
    /// shown.
    fn on_desk<T: Send + 'static>(
        self: &Arc<Self>,
        who: Who,
        maps: Vec<String>,
        work: impl FnOnce(&OverlayDesk) -> Result<T, Problem> + Send + 'static,
    ) -> impl Future<Output = Result<T, Problem>> + Send;

    /// As [`OverlayHost::on_desk`], for what a program shows besides: an image of a part of a map.
    fn tile(
        self: &Arc<Self>,
        who: Who,
        of: TileOf,
        tile: (usize, usize, usize),
        ink: mapjudge::overlay::Ink,
    ) -> impl Future<Output = Result<Option<Vec<u8>>, Problem>> + Send;
}

/// The map that a tile is of.
#[derive(Clone, Debug)]
pub struct TileOf {
    /// The submission whose desk is looked at.
    pub beside: String,
    /// That submission, or the truth.
    pub map: String,
}

/// Lines that a verdict appends to a record.
#[derive(Clone, Copy, Debug)]
pub struct NewVerdict<'a> {
    /// The record as addresses have it.
    pub record: &'a str,
    /// Who decides.
    pub who: &'a Who,
    /// The version of the relation that the person saw.
    pub version: &'a str,
    /// The line of the decision; behind it that of a dispute which it makes.
    pub lines: &'a [RelationRecord],
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

    /// A verdict is about to be written: a contest keeps it as an event first. Blocks; the record is locked meanwhile.
    ///
    /// # Errors
    /// It cannot be kept, and is not to be written.
    fn keep_verdict(&self, verdict: &NewVerdict<'_>) -> Result<(), Problem>;

    /// What was kept could not be written.
    fn verdict_failed(&self, verdict: &NewVerdict<'_>);

    /// A verdict stands in the record: open pages are told.
    fn verdict_written(&self);
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

    fn keep_verdict(&self, _: &NewVerdict<'_>) -> Result<(), Problem> {
        Ok(())
    }

    fn verdict_failed(&self, _: &NewVerdict<'_>) {}

    fn verdict_written(&self) {
        self.events.tell(Event::Review);
    }
}

impl OverlayHost for App {
    async fn on_desk<T: Send + 'static>(
        self: &Arc<Self>,
        _: Who,
        _: Vec<String>,
        work: impl FnOnce(&OverlayDesk) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        self.compute(move |app| work(app.overlay()?)).await
    }

    async fn tile(
        self: &Arc<Self>,
        _: Who,
        of: TileOf,
        (level, column, row): (usize, usize, usize),
        ink: mapjudge::overlay::Ink,
    ) -> Result<Option<Vec<u8>>, Problem> {
        self.compute(move |app| {
            let tiles = match &app.desk {
                Desk::Overlay(desk) => desk.tiles(&of.map)?,
                Desk::Review(_) => return Err(Problem::not_found("a review shows no maps")),
                Desk::View(desk) => desk.tiles(&of.map)?,
            };
            Ok(tiles.tile(level, column, row, ink)?)
        })
        .await
    }
}
