//! `mapjudge conform init [TOOL]`: a tool file to start from.

use mapjudge::conform::{SHIPPED_TOOLS, TEMPLATE};

use crate::output::Answer;

/// Print a commented tool file, or one that is shipped.
///
/// The shipped files of evo, scikit-image and SciPy call a script that stands beside them in the folder conformance/tools.
#[derive(clap::Args)]
pub struct Init {
    /// A shipped file instead of the commented one.
    #[arg(value_name = "TOOL", value_parser = SHIPPED_TOOLS.map(|(name, _)| name))]
    tool: Option<String>,
}

impl Init {
    pub fn run(&self) -> Answer {
        let shipped = SHIPPED_TOOLS.iter().find(|(name, _)| self.tool.as_deref() == Some(*name));
        Answer::text(shipped.map_or(TEMPLATE, |(_, text)| text))
    }
}
