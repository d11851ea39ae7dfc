//! Reports over time: the values of each, whether the newest stands out, and how every metric moved.

mod check;
mod page;
mod series;
mod table;
mod trend;
mod value;

pub use check::{HISTORY_CHECK_SCHEMA, TrendCheck, TrendOutcome, TrendResult, TrendRules, check_history};
pub use page::history_page;
pub use series::{HISTORY_SERIES_SCHEMA, HistorySeries, MetricSeries, history_series};
pub use table::{check_markdown, check_table, history_table};
pub(crate) use trend::median;
pub use trend::{Trend, TrendRule};
pub use value::{EntryName, HISTORY_SCHEMA, History, HistoryCase, HistoryEntry, MetricFacts};
