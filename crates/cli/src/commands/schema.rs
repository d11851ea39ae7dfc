//! `mapjudge schema`: the JSON Schema of the report, or of a contest.

use crate::Global;
use crate::failure::Failure;
use crate::output::{Answer, json};

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
    pub fn run(&self, _: &Global) -> Result<Answer, Failure> {
        let schema = if self.of == "contest" { report::contest_schema() } else { report::schema() };
        Ok(Answer::text(json(&schema)?))
    }
}
