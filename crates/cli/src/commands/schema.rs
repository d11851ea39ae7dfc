//! `mapjudge schema`: the JSON Schema of the report.

use std::process::ExitCode;

use crate::output::{Failure, print};

/// Print the JSON Schema of the report, for programs that read it.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  mapjudge schema > report.schema.json")]
pub struct Schema {}

impl Schema {
    pub fn run(&self) -> Result<ExitCode, Failure> {
        let text = serde_json::to_string_pretty(&report::schema());
        print(&format!("{}\n", text.map_err(|error| Failure::new(error.to_string()))?))?;
        Ok(ExitCode::SUCCESS)
    }
}
