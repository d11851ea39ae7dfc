//! The report value and its renderings: table, JSON, CSV, Markdown, LaTeX, JUnit, HTML; limits and baselines.
//!
//! Everything here is a pure function of the report value. [`render`] is the door to all renderings,
//! [`Limits`] and [`check`] judge values by rules, [`compare`] judges them by an earlier report.

mod baseline;
mod comparison;
mod edit_distance;
#[cfg(test)]
mod example;
mod footer;
mod format;
#[cfg(test)]
mod golden;
mod json;
mod limits;
mod number;
mod printable;
mod schema;
mod table;
mod value;

pub use baseline::{BaselineError, DEFAULT_RELATIVE_TOLERANCE, compare, read_baseline};
pub use format::{CasePictures, Format, FormatError, RenderError, render};
pub use limits::{Limit, Limits, LimitsError, Relation, check};
pub use schema::schema;
pub use value::{
    Alignment, BaselineResult, CaseReport, Change, GridRecord, Input, LimitResult, MetricRecord, Report,
    SCHEMA, Status, Tool, Transform,
};
