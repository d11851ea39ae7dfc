//! `mapjudge conform show VECTOR`: the inputs and the expected values of a vector.

use std::fmt::Write;

use mapjudge::conform::Vector;
use report::{ConformAnswer, nearest, shown_params};
use serde_json::{Value, json};

use super::VectorFlags;
use crate::failure::Failure;
use crate::format::{Format, FormatFlag};
use crate::output::{Answer, Printed};

/// Show the inputs and the expected values of a vector.
#[derive(clap::Args)]
#[command(mut_arg("format", Format::offer(&[Format::Table, Format::Json])))]
pub struct Show {
    /// Name of the vector.
    #[arg(value_name = "VECTOR")]
    vector: String,
    #[command(flatten)]
    vectors: VectorFlags,
    #[command(flatten)]
    format: FormatFlag,
}

impl Show {
    pub fn run(&self) -> Result<Answer, Failure> {
        let set = self.vectors.load()?;
        let Some(vector) = set.vectors.iter().find(|vector| vector.name == self.vector) else {
            let near = nearest(&self.vector, set.vectors.iter().map(|vector| vector.name.as_str()));
            let hint = near.map_or_else(
                || "`mapjudge conform list` lists them".to_owned(),
                |near| format!("did you mean `{near}`?"),
            );
            return Err(Failure::new(format!("no vector '{}'", self.vector)).hint(hint));
        };
        let files: serde_json::Map<String, Value> =
            vector.files.keys().map(|name| (name.clone(), json!(vector.text(name)))).collect();
        let value =
            json!({ "name": vector.name, "kind": vector.kind, "files": files, "expected": vector.expected });
        let printed = Shown { value, text: text_of(vector) };
        Ok(self.format.answer(Printed::new(printed, |shown| shown.text.clone())))
    }
}

#[derive(serde::Serialize)]
#[serde(transparent)]
struct Shown {
    value: Value,
    #[serde(skip)]
    text: String,
}

fn text_of(vector: &Vector) -> String {
    let mut text = String::new();
    for name in vector.files.keys() {
        let _ = writeln!(text, "{name}\n{}", vector.text(name));
    }
    for expected in &vector.expected {
        let value = match &expected.value {
            None => format!("undefined {}", expected.reasons.join(" ")),
            Some(ConformAnswer::Number(number)) => number.to_string(),
            Some(ConformAnswer::Cells(rows)) => rows.join("/"),
        };
        let params = shown_params(&expected.params);
        let _ = writeln!(text, "{} ({params}) {value} [{}]", expected.metric, expected.source);
    }
    text
}
