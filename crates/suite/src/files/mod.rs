//! The edge of the library: paths and bytes to loaded values, results to folders and archives.
//!
//! Nothing else in the library touches a path. [`Loader`] reads; [`evaluate`] carries out a [`Job`]: load, judge each,
//! hold against limits; [`write_report`] writes a folder.

mod alignment_file;
pub mod contest;
mod convert;
mod describe;
mod job;
pub mod lint;
mod loader;
mod names;
mod output_folder;
pub mod relations;
mod rules;

pub use alignment_file::{ALIGNMENT_SCHEMA, AlignmentFile};
pub use convert::{Converted, Loss, convert, convert_document};
pub use describe::{
    CellCounts, Counts, FileInfo, INFO_SCHEMA, Info, LayerInfo, TimeRange, TopicInfo, describe,
    describe_document,
};
pub use job::{Evaluation, Job, JobInputs, evaluate};
pub use loader::Loader;
pub use names::{case_names, shown_path};
pub use output_folder::{OutputFolder, write_report};
pub use rules::RuleFiles;

use std::path::Path;

use crate::JobError;

impl JobError {
    pub(crate) fn file(path: impl AsRef<Path>, source: std::io::Error) -> Self {
        Self::File { path: path.as_ref().display().to_string(), source }
    }

    pub(crate) fn output(path: impl AsRef<Path>, source: std::io::Error) -> Self {
        Self::Output { path: path.as_ref().display().to_string(), source }
    }
}
