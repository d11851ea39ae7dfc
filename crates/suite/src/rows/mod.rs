//! Rows: results of many pairs of maps, one line each, as values.
//!
//! A manifest names the pairs, one per line; shards divide its lines among processes; each finished pair is one [`Row`]
//! behind a [`RowHeader`] that says what was computed. [`choose_row`] decides between several results of one pair.
//! `files::rows` reads manifests, appends rows to files and merges them. Specification: Z-ROWS.

mod canonical;
mod choice;
mod header;
mod row;
mod shard;

pub use canonical::canonical_json;
pub use choice::{Candidate, RowChoice, choose_row};
pub use header::{ROWS_SCHEMA, RowDetail, RowHeader, RowRules};
pub use row::{
    Row, RowAlignment, RowNames, RowStatus, is_circumstance, is_of_file_system, row_hash, rows_schema,
};
pub use shard::Shard;
