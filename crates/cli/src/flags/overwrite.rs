//! `--overwrite`: whether results may replace files of a folder that are not theirs.

use std::path::Path;

use mapjudge::files::{OutputFolder, Overwrite};

use crate::invocation::results;

/// The flag of a command that writes a folder of results.
#[derive(Clone, Copy, Default, clap::Args)]
#[command(next_help_heading = "Output")]
pub struct OverwriteFlag {
    /// Replace files of the folder that are there already. What the same command made from the same files is replaced
    /// without it, unless somebody changed it since; an input never is.
    #[arg(long)]
    overwrite: bool,
}

impl OverwriteFlag {
    /// Whether files may be replaced.
    pub fn overwrite(self) -> Overwrite {
        if self.overwrite { Overwrite::Allowed } else { Overwrite::Refused }
    }

    /// The folder for the results of this run.
    pub fn results(self, out: &Path) -> OutputFolder {
        results(out, self.overwrite())
    }
}
