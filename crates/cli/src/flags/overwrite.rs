//! `--overwrite`: whether results may replace files of a folder that are not theirs.

use std::path::Path;

use mapjudge::files::{OutputFolder, Overwrite};

use crate::invocation::{report_folder, results};

/// The flag of a command that writes a folder of results.
#[derive(Clone, Copy, Default, clap::Args)]
#[command(next_help_heading = "Output")]
pub struct OverwriteFlag {
    /// Replace files of the folder that are there already. Those that the same command made are replaced without it,
    /// unless somebody changed them since, and those of map, simulate, arena and challenge only by the same input; an
    /// input never is.
    #[arg(long)]
    overwrite: bool,
}

impl OverwriteFlag {
    /// Whether files may be replaced.
    pub fn overwrite(self) -> Overwrite {
        if self.overwrite { Overwrite::Allowed } else { Overwrite::Refused }
    }

    /// The folder for a report of this run.
    pub fn report_folder(self, out: &Path) -> OutputFolder {
        report_folder(out, self.overwrite())
    }

    /// The folder for the results of this run.
    pub fn results(self, out: &Path) -> OutputFolder {
        results(out, self.overwrite())
    }
}
