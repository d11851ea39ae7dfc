//! Charts with a row per run: names on the left, a horizontal plot, a remark on the right.

use super::axis::{Axis, Scale};
use super::frame::{Anchor, Area, MARGIN, WIDTH, X_AXIS_PX, note, open, text, x_axis};
use super::lettering::{LINE_PX, cut, width_px};

pub(super) const ROW_PX: f64 = 26.0;
const GAP_PX: f64 = 12.0;
/// Longer names and remarks are cut, so that the plot keeps at least a third of the chart.
const MAX_LABEL_PX: f64 = 180.0;
const MAX_REMARK_PX: f64 = 270.0;
/// A chart of more rows is no chart; the caller's table has them all.
pub(super) const MAX_ROWS: usize = 200;

/// The places of the rows.
pub(super) struct Rows {
    pub(super) area: Area,
    labels: Vec<String>,
    remarks: Vec<String>,
    left_out: usize,
}

impl Rows {
    /// Rows with their names and remarks; only the first of too many.
    pub(super) fn new<'a>(rows: impl Iterator<Item = (&'a str, String)>) -> Self {
        let (mut labels, mut remarks): (Vec<_>, Vec<_>) =
            rows.map(|(label, remark)| (cut(label, MAX_LABEL_PX), cut(&remark, MAX_REMARK_PX))).unzip();
        let left_out = labels.len().saturating_sub(MAX_ROWS);
        labels.truncate(MAX_ROWS);
        remarks.truncate(MAX_ROWS);
        let widest = |texts: &[String]| texts.iter().map(|text| width_px(text)).fold(0.0, f64::max);
        let left = (widest(&labels) + GAP_PX).max(MARGIN);
        let right = (widest(&remarks) + GAP_PX).max(MARGIN);
        let height = labels.len() as f64 * ROW_PX;
        let area = Area { left, top: 6.0, width: WIDTH - left - right, height };
        Self { area, labels, remarks, left_out }
    }

    /// The ticks for which the axis below the rows has room.
    pub(super) fn most_ticks(&self) -> usize {
        (self.area.width / 52.0) as usize
    }

    pub(super) fn middle(&self, row: usize) -> f64 {
        self.area.top + (row as f64 + 0.5) * ROW_PX
    }

    /// Opens the chart: axis, names and remarks.
    pub(super) fn open(&self, about: &str, scale: &Scale, axis: Axis<'_>) -> String {
        let note_px = if self.left_out > 0 { LINE_PX } else { 0.0 };
        let mut svg = open(self.area.bottom() + X_AXIS_PX + note_px, about);
        x_axis(&mut svg, self.area, scale, &scale.title(axis));
        for (row, (label, remark)) in self.labels.iter().zip(&self.remarks).enumerate() {
            let y = self.middle(row);
            text(&mut svg, (self.area.left - GAP_PX, y), Anchor::End, label);
            text(&mut svg, (self.area.right() + GAP_PX, y), Anchor::Start, remark);
        }
        if self.left_out > 0 {
            let words = format!("the first {MAX_ROWS} of {} runs are drawn", MAX_ROWS + self.left_out);
            note(&mut svg, (self.area.left, self.area.bottom() + X_AXIS_PX + 0.3 * LINE_PX), &words);
        }
        svg
    }
}
