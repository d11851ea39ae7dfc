//! Charts as plain SVG: pure functions of numbers, the same bytes each time, readable on white, on black and in print.
//!
//! Text and axes take the colour of the page (`currentColor`). Foreign text is escaped and cut, labels keep apart and
//! inside the figure, and a million points make a small file in which no peak is lost.

mod association;
mod axis;
mod box_plot;
mod cell_view;
mod frame;
mod ink;
mod legend;
mod lettering;
mod pareto;
mod point_errors;
mod rank_interval;
mod rows;
mod scan_pair;
mod series;
mod states;
mod thinning;
mod top_view;
mod trend;

pub use association::{Association, Timeline, association};
pub use axis::Axis;
pub use box_plot::{BoxSummary, box_plot};
pub use cell_view::{CellView, cell_view};
pub use pareto::{ParetoDot, pareto};
pub use point_errors::{PointError, point_errors};
pub use rank_interval::{Ranked, rank_interval};
pub use scan_pair::{ScanPair, scan_pair};
pub use series::{Series, Span, error_over};
pub use states::{StateLine, StatePanel, states};
pub use top_view::{
    Background, PathPoint, Place, RelationLine, RunPath, TopView, runs_by_error, runs_together, top_view,
};
pub use trend::{TrendLine, trend};

pub(crate) use axis::tick_step;
pub(crate) use frame::round_tenth;
pub(crate) use ink::{COLOURS, DASHES};
pub(crate) use lettering::escaped;
