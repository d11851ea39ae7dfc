//! Metres to pixels with one scale for both axes, and the scale bar.

use std::fmt::Write;

use model::Point2;

use super::TopView;
use crate::chart::axis::{drawable, extent, tick_step};
use crate::chart::frame::{Anchor, Area, WIDTH, round_tenth, text};

pub(super) const MAX_HEIGHT: f64 = 520.0;
const MIN_HEIGHT: f64 = 150.0;
pub(super) const TOP: f64 = 12.0;
pub(super) const LEFT: f64 = 12.0;
/// Room on the right for the colours and their numbers.
pub(super) const COLOUR_BAR_PX: f64 = 110.0;
/// Room below for the scale bar.
pub(super) const FOOT_PX: f64 = 44.0;
/// From the outermost point to the edge, for rings and their numbers.
const INSET: f64 = 18.0;
/// The scale bar takes at most this share of the width.
const SCALE_BAR_SHARE: f64 = 0.25;

/// Where metres lie in the figure.
pub(super) struct Layout {
    pub(super) area: Area,
    min: Point2,
    top_y_m: f64,
    px_per_m: f64,
}

impl Layout {
    /// The layout that holds every point of the view, and as much of the background as lies around them.
    pub(super) fn of(view: &TopView<'_>) -> Option<Self> {
        let lines = view.relations.iter().flat_map(|line| [line.from, line.to]);
        let corners = view.background.iter().flat_map(|background| [background.min, background.max]);
        let path = view.path.iter().map(|point| point.at).chain(view.truth.iter().copied());
        let worst = view.worst.iter().map(|place| place.at);
        let points = path.chain(lines).chain(worst);
        let area = Area { left: LEFT, top: TOP, width: WIDTH - LEFT - COLOUR_BAR_PX, height: MAX_HEIGHT };
        Self::around(points, corners, area)
    }

    /// The layout that holds all points and corners in an area, which it makes lower where they are flat; none
    /// without a point.
    pub(super) fn around(
        points: impl Iterator<Item = Point2> + Clone,
        corners: impl Iterator<Item = Point2>,
        area: Area,
    ) -> Option<Self> {
        if !points.clone().any(is_drawable) {
            return None;
        }
        let points: Vec<Point2> = points.chain(corners).filter(|&point| is_drawable(point)).collect();
        let (left_m, right_m) = extent(points.iter().map(|point| point.x_m))?;
        let (low_m, top_y_m) = extent(points.iter().map(|point| point.y_m))?;
        let room_px = area.width - 2.0 * INSET;
        // A path without length is drawn as one of a metre.
        let (width_m, height_m) = ((right_m - left_m).max(1e-9), (top_y_m - low_m).max(1e-9));
        let longest_m = if width_m.max(height_m) < 1e-6 { 1.0 } else { 0.0 };
        let px_per_m =
            (room_px / width_m.max(longest_m)).min((area.height - 2.0 * INSET) / height_m.max(longest_m));
        let height = (height_m * px_per_m + 2.0 * INSET).clamp(MIN_HEIGHT.min(area.height), area.height);
        // A narrow path lies in the middle of the figure.
        let spare = |room_px: f64, span_m: f64| (room_px / px_per_m - span_m).max(0.0) / 2.0;
        let min = Point2::new(left_m - spare(room_px, width_m), low_m);
        let top_y_m = top_y_m + spare(height - 2.0 * INSET, height_m);
        Some(Self { area: Area { height, ..area }, min, top_y_m, px_per_m })
    }

    /// The same metres at another place of the chart.
    pub(super) fn moved_to(&self, left: f64, top: f64) -> Self {
        Self { area: Area { left, top, ..self.area }, ..*self }
    }

    /// The pixel of a point.
    pub(super) fn place(&self, point: Point2) -> (f64, f64) {
        (
            self.area.left + INSET + (point.x_m - self.min.x_m) * self.px_per_m,
            self.area.top + INSET + (self.top_y_m - point.y_m) * self.px_per_m,
        )
    }

    /// A bar of a round number of metres, below the figure.
    pub(super) fn draw_scale_bar(&self, svg: &mut String) {
        let most_m = self.area.width * SCALE_BAR_SHARE / self.px_per_m;
        let step_m = tick_step(most_m, 2);
        let length_m = if 2.0 * step_m <= most_m { 2.0 * step_m } else { step_m };
        let (x, y) = (self.area.left, round_tenth(self.area.bottom() + 14.0));
        let length = round_tenth(length_m * self.px_per_m);
        // Writing into a string cannot fail.
        let _ = writeln!(
            svg,
            "<path d=\"M{x} {}v8m0 -4h{length}m0 -4v8\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.6\"/>",
            y - 4.0
        );
        text(
            svg,
            (x + length + 8.0, y),
            Anchor::Start,
            &format!("{} m", crate::number::shown(Some(length_m))),
        );
    }
}

/// True for a point that can be drawn.
pub(super) fn is_drawable(point: Point2) -> bool {
    drawable(point.x_m) && drawable(point.y_m)
}
