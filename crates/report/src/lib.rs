//! The report value and its renderings: table, JSON, CSV, Markdown, LaTeX, JUnit, HTML; limits and baselines.
//!
//! Everything here is a pure function of the report value. [`render`] is the door to all renderings,
//! [`Limits`] and [`check`] judge values by rules, [`compare`] judges them by an earlier report.

mod baseline;
mod change_comment;
pub mod chart;
mod comparison;
mod conform;
mod contest;
mod csv;
mod edit_distance;
mod error_statistics;
mod error_table;
#[cfg(test)]
mod example;
mod figure;
mod footer;
mod format;
#[cfg(test)]
mod golden;
mod history;
mod html;
mod json;
mod junit;
mod lab;
mod latex;
mod limits;
mod markdown;
mod natural_order;
mod number;
mod page;
mod pdf;
mod plot;
mod printable;
mod run_comparison;
mod run_figures;
mod run_page;
mod schema;
mod side_by_side;
mod sparkline;
mod table;
mod table_style;
mod text_table;
mod tolerance;
mod value;

pub use baseline::{BaselineError, compare, read_baseline};
pub use conform::{
    CONFORM_SCHEMA, ConformAnswer, ConformMetric, ConformReport, ConformValue, ConformVerdict, VectorsRecord,
    VerdictCounts, badge_json, badge_svg, conform_page, conform_table, shown_params,
};
pub use contest::{
    CONTEST_SCHEMA, ContestFinding, ContestReport, EnteredRecord, Flip, MissionResult, Outcome, Overlay,
    PairShare, ParetoAxisRecord, ParetoRecord, PartRecord, RankedTeam, RecordHead, Rules, Sheet, SheetTable,
    Significance, contest_schema, overview, ranking, ranking_on, sheet,
};
pub use csv::csv_field;
pub use edit_distance::nearest;
pub use error_table::{ErrorTable, error_table_names, errors_csv, read_errors_csv};
pub use figure::{
    Cells, Content, Figure, GROUND_COLOURS, HEAT_STOPS, ImageError, Layer, LegendEntry, MARK_COLOURS, Mark,
    OPEN, OVERLAY_LEGEND, Palette, Reduction, Rgb, Ring, RingKind, Symbol, VectorShape, Vectors,
    errors_figure, labels_png, marked_png, overlay_entries, overlay_figure, overlay_layers, tile_png,
};
pub use format::{Format, FormatError, RenderError, render, render_styled};
pub use history::{
    EntryName, HISTORY_CHECK_SCHEMA, HISTORY_SCHEMA, HISTORY_SERIES_SCHEMA, History, HistoryCase,
    HistoryEntry, HistorySeries, MetricFacts, MetricSeries, Trend, TrendCheck, TrendOutcome, TrendResult,
    TrendRule, TrendRules, check_history, check_markdown, check_table, history_page, history_series,
    history_table,
};
pub use html::html;
pub use lab::{
    LAB_SCHEMA, LabAnswer, LabCost, LabCurve, LabKind, LabMap, LabMetric, LabReport, LabVerdict,
    lab_costs_csv, lab_matrix_csv, lab_matrix_markdown, lab_page, lab_table,
};
pub use limits::{Limit, Limits, LimitsError, Relation, check};
pub use number::{ColumnDigits, fixed, percent as shown_percent, shown_number};
pub use printable::{name as shown_name, printable, steers};
pub use run_comparison::{Algorithm, RankedRun, RunComparison, RunPair};
pub use run_figures::run_figures;
pub use run_page::{Frame, RunPage, run_page};
pub use schema::schema;
pub use side_by_side::{COMPARE_SCHEMA, PairedMetric, SideBySide, Winner, side_by_side, side_by_side_html};
pub use table::table_on;
pub use table_style::{AngleUnit, LengthUnit, TableStyle};
pub use text_table::Screen;
pub use tolerance::{Amount, DEFAULT_RELATIVE_TOLERANCE, Tolerance, Tolerances};
pub use value::{
    Alignment, BaselineResult, CaseReport, Change, GridRecord, Input, LimitResult, MetricRecord,
    RelationsCoverage, Report, SCHEMA, Status, Tool, Transform,
};
