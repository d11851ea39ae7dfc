//! Contests in folders: the contest file, the files of teams, the pages and bundles.

mod alone;
mod check;
mod choice;
mod content;
mod contest_file;
mod entered;
mod floors;
mod folder_store;
mod frames;
mod linting;
mod load;
mod mission;
mod mission_entry;
mod names;
mod output;
mod pattern;
mod secret;
mod serve_settings;
mod skeleton;
mod worker;
mod workers;
mod zip;

pub use super::worker_process::WorkerLimits;
pub use alone::{FilesOfRole, SubmissionCheck};
pub use check::{ContestCheck, Gap, check_contest};
pub use contest_file::{ContestFile, ContestFolder, Paths, StartPose, TeamEntry, TeamMission};
pub use entered::{Entered, Number, SignedValue};
pub use folder_store::FolderStore;
pub use load::load_contest;
pub use mission_entry::MissionEntry;
pub use output::{CONTEST_FILES, refuse_among_submissions, write_contest};
pub use secret::Secret;
pub use serve_settings::{Counts, Feedback, Public, ServeLimits, ServeSettings, TruthShown};
pub use skeleton::skeleton;
pub use worker::ContestWorker;
pub use workers::Workers;
#[cfg(test)]
pub(crate) use zip::Zip;
