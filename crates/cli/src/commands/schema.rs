//! `mapjudge schema`: the JSON Schema of the report, or of a contest.

use std::process::ExitCode;

use crate::output::{Failure, print};

/// Print the JSON Schema of the report, or of a contest, for programs that read it.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mapjudge schema > report.schema.json
  mapjudge schema contest > contest.schema.json")]
pub struct Schema {
    /// Which schema.
    #[arg(default_value = "report", value_parser = ["report", "contest"], value_name = "report|contest")]
    of: String,
}

impl Schema {
    pub fn run(&self) -> Result<ExitCode, Failure> {
        let schema = if self.of == "contest" { report::contest_schema() } else { report::schema() };
        let text = serde_json::to_string_pretty(&schema);
        print(&format!("{}\n", text.map_err(|error| Failure::new(error.to_string()))?))?;
        Ok(ExitCode::SUCCESS)
    }
}
