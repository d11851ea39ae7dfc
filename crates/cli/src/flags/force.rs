//! `--force`: whether a command that writes one file may replace another.

use std::path::Path;

use mapjudge::files::{Overwrite, check_overwrite};

use crate::failure::Failure;
use crate::invocation::refuse_input;

/// The flag of a command that writes one file.
#[derive(Clone, Copy, clap::Args)]
pub struct ForceFlag {
    /// Replace a file that is there already. An input is never replaced.
    #[arg(long)]
    force: bool,
}

impl ForceFlag {
    /// Whether a file may be replaced.
    pub fn overwrite(self) -> Overwrite {
        if self.force { Overwrite::Allowed } else { Overwrite::Refused }
    }

    /// Refuses an input in any case and a file that is there already unless told, before anything is computed.
    pub fn check(self, path: &Path) -> Result<(), Failure> {
        refuse_input(path)?;
        Ok(check_overwrite(path, self.overwrite())?)
    }
}
