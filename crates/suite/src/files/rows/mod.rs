//! Manifests, row files and their merge: from one pair of maps to ten million.
//!
//! A [`Manifest`] is read line by line, never as a whole. [`RowScorer`] turns a line into a row, in this process or, through
//! [`RowWorkers`], in others; [`score_rows`] does so for all lines of a shard and appends the rows to a file that survives
//! being killed; [`merge_rows`] writes one result per line, in the order of the manifest. Specification: Z-ROWS.

mod done_rows;
mod estimate;
mod input_hashes;
mod line;
mod lines;
mod manifest;
mod merge;
mod merge_index;
mod merged_file;
#[cfg(feature = "parquet")]
mod parquet_file;
mod row_columns;
mod row_file;
mod run;
mod scorer;
mod truth_cache;
mod worker;

pub use estimate::{Estimate, estimate_rows};
pub use line::ManifestLine;
pub use manifest::Manifest;
pub use merge::{Merge, Merged, merge_rows};
pub use run::{Retry, RowRun, RowSummary, Trust, score_rows};
pub use scorer::{RowJob, RowScorer, Scored};
pub use worker::{RowWorker, RowWorkers};
