//! The report value and its renderings: table, JSON, CSV, Markdown, LaTeX, JUnit, HTML; limits and baselines.
//!
//! Everything here is a pure function of the report value. [`render`] is the door to all renderings,
//! [`Limits`] and [`check`] judge values by rules, [`compare`] judges them by an earlier report.

mod baseline;
pub mod chart;
mod comparison;
mod contest;
mod csv;
mod edit_distance;
#[cfg(test)]
mod example;
mod figure;
mod footer;
mod format;
#[cfg(test)]
mod golden;
mod html;
mod json;
mod junit;
mod latex;
mod limits;
mod markdown;
mod number;
mod plot;
mod printable;
mod run_figures;
mod schema;
mod side_by_side;
mod table;
mod value;

pub use baseline::{BaselineError, DEFAULT_RELATIVE_TOLERANCE, compare, read_baseline};
pub use contest::{
    CONTEST_SCHEMA, ContestFinding, ContestReport, Flip, MissionResult, Outcome, Overlay, PairShare,
    ParetoAxisRecord, ParetoRecord, PartRecord, RankedTeam, Rules, Sheet, Significance, contest_schema,
    overview, ranking, sheet,
};
pub use edit_distance::nearest;
pub use figure::{
    Cells, Content, Figure, GROUND_COLOURS, HEAT_STOPS, ImageError, Layer, LegendEntry, MARK_COLOURS, Mark,
    OPEN, OVERLAY_LEGEND, Palette, Reduction, Rgb, Ring, RingKind, errors_figure, labels_png, marked_png,
    overlay_figure, overlay_layers,
};
pub use format::{Format, FormatError, RenderError, render};
pub use html::html;
pub use limits::{Limit, Limits, LimitsError, Relation, check};
pub use number::{percent as shown_percent, shown_number};
pub use printable::{name as shown_name, printable};
pub use run_figures::run_figures;
pub use schema::schema;
pub use side_by_side::{COMPARE_SCHEMA, PairedMetric, SideBySide, Winner, side_by_side, side_by_side_html};
pub use value::{
    Algorithm, Alignment, BaselineResult, CaseReport, Change, GridRecord, Input, LimitResult, MetricRecord,
    RankedRun, Report, RunComparison, RunPair, SCHEMA, Status, Tool, Transform,
};
