//! The edge of the library: paths and bytes to loaded values, results to folders and archives.
//!
//! Nothing else in the library touches a path. [`Loader`] reads; [`evaluate`] carries out a [`Job`]: load, judge each,
//! hold against limits; [`write_report`] writes a folder.

mod alignment;
mod archive;
pub mod conform;
pub mod contest;
mod convert;
mod describe;
mod earlier_results;
mod floors;
pub(crate) mod foreign_program;
mod held_values;
mod history;
mod job;
mod job_inputs;
mod job_keys;
mod lab_rows;
mod layers;
pub mod lint;
mod loader;
mod lost_run;
mod names;
mod output_folder;
mod recording;
mod regions;
pub mod relations;
mod resolutions;
pub mod rows;
mod rules;
mod run_log;
mod saved_runs;
mod small_file;
mod sort;
mod staging;
pub(crate) mod team_program;
mod truth_names;
mod view;
mod walk;
mod whole_file;
mod worker_process;

pub use alignment::write_alignment;
pub use archive::{ArchiveLimits, TakeFile, Unpacked, is_archive, unpack_archive};
pub(crate) use convert::relations_text;
pub use convert::{Background, Converted, Loss, convert, convert_document, map_files};
pub use describe::{
    CellCounts, Counts, FileInfo, INFO_SCHEMA, Info, LayerInfo, TimeRange, TopicInfo, describe,
    describe_document, describe_inside,
};
pub use earlier_results::RunName;
pub use floors::{FloorInput, FloorTruthInput};
#[cfg(target_os = "linux")]
pub use foreign_program::{adopt_orphans, adopt_orphans_and_close};
pub use held_values::{Held, HeldValue};
pub use history::{Added, HistoryFolder, LoadedHistory};
pub use job::{Evaluation, Job, evaluate};
pub use job_inputs::JobInputs;
pub use lab_rows::LabRowFile;
pub use layers::{ForbiddenColours, Layers, OwnedLayer, write_layers};
pub use loader::Loader;
pub use lost_run::relocalize_files;
pub use names::{case_names, shown_path};
pub use output_folder::{OutputFolder, Replaced, write_report};
pub use recording::Recording;
pub use regions::read_regions;
pub use resolutions::Resolutions;
pub use rules::RuleFiles;
pub use run_log::{RunLog, read_run_log, write_log_page};
pub use saved_runs::read_saved_runs;
pub(crate) use small_file::{MAX_SETTINGS_BYTES, read_small, read_small_text};
pub use sort::{FileSort, sort_of};
pub use truth_names::is_truth_name;
pub use view::read_viewed;
pub use walk::{is_junk, walk};
pub use whole_file::{Overwrite, WholeFile, check_overwrite, write_same_or_new};
pub(crate) use whole_file::{holds, refuse_over_input, write_whole};
pub use worker_process::{
    Failed as ProcessFailure, WorkerLimits, cause as process_failure, memory as memory_words,
};

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
