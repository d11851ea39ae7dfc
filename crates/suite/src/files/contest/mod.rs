//! Contests in folders: the contest file, the files of teams, the pages and bundles.

mod contest_file;
mod folder_store;
mod load;
mod output;
mod pattern;
mod skeleton;
mod zip;

pub use contest_file::{ContestFile, ContestFolder, Entered, MissionEntry, Paths, TeamEntry, TeamMission};
pub use folder_store::FolderStore;
pub use load::load_contest;
pub use output::write_contest;
pub use skeleton::skeleton;
