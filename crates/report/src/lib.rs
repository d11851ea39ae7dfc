//! The report value and its renderings: table, JSON, CSV, Markdown, LaTeX, JUnit, HTML; limits and baselines.

mod value;

pub use value::{
    Alignment, BaselineResult, CaseReport, Change, GridRecord, Input, LimitResult, MetricRecord, Report,
    SCHEMA, Status, Tool, Transform,
};
