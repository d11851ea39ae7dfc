//! `mapjudge schema`: the JSON Schema of the report, of a contest, or of rows.

use crate::Global;
use crate::failure::Failure;
use crate::output::{Answer, json};

/// Print the JSON Schema of the report, of a contest or of rows, for programs that read it.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mapjudge schema > report.schema.json
  mapjudge schema contest > contest.schema.json
  mapjudge schema rows > rows.schema.json")]
pub struct Schema {
    /// Which schema.
    #[arg(default_value = "report", value_parser = ["report", "contest", "rows"], value_name = "report|contest|rows")]
    of: String,
}

impl Schema {
    pub fn run(&self, _: &Global) -> Result<Answer, Failure> {
        let schema = match self.of.as_str() {
            "contest" => report::contest_schema(),
            "rows" => mapjudge::rows::rows_schema(),
            _ => report::schema(),
        };
        Ok(Answer::text(json(&schema)?))
    }
}
