//! `mapjudge conform list`: the vectors, and which metrics have values.

use mapjudge::conform::VectorSet;
use report::shown_params;
use serde_json::{Value, json};

use super::VectorFlags;
use crate::failure::Failure;
use crate::format::{Format, FormatFlag};
use crate::output::{Answer, Printed};

/// List the vectors, or the metrics that have values.
#[derive(clap::Args)]
#[command(mut_arg("format", Format::offer(&[Format::Table, Format::Json])))]
pub struct List {
    /// List metrics and their variants instead of vectors.
    #[arg(long)]
    metrics: bool,
    #[command(flatten)]
    vectors: VectorFlags,
    #[command(flatten)]
    format: FormatFlag,
}

impl List {
    pub fn run(&self) -> Result<Answer, Failure> {
        let set = self.vectors.load()?;
        let rows = if self.metrics { metrics(&set) } else { vectors(&set) };
        let value = json!({ "version": set.record.version, "sha256": set.record.sha256, "rows": rows });
        Ok(self.format.answer(Printed::new(value, table)))
    }
}

fn vectors(set: &VectorSet) -> Vec<Value> {
    let row = |vector: &mapjudge::conform::Vector| json!({ "name": vector.name, "kind": vector.kind.name(), "values": vector.expected.len() });
    set.vectors.iter().map(row).collect()
}

fn metrics(set: &VectorSet) -> Vec<Value> {
    let mut rows = Vec::new();
    for metric in set.metrics() {
        for params in set.variants(metric) {
            let has = |vector: &&mapjudge::conform::Vector| vector.expects(metric, params).is_some();
            let values = set.vectors.iter().filter(has).count();
            rows.push(
                json!({ "name": metric, "kind": shown_params(params), "values": values, "params": params }),
            );
        }
    }
    rows
}

/// A line per row, columns aligned.
fn table(value: &Value) -> String {
    let rows: Vec<&Value> = value["rows"].as_array().into_iter().flatten().collect();
    let text = |row: &Value, key: &str| row[key].as_str().map_or_else(|| row[key].to_string(), str::to_owned);
    let width = |key: &str| rows.iter().map(|row| text(row, key).chars().count()).max().unwrap_or(0);
    let (names, kinds) = (width("name"), width("kind"));
    let mut lines = String::new();
    let mut values = 0;
    for row in &rows {
        values += row["values"].as_u64().unwrap_or(0);
        lines.push_str(&format!(
            "{:names$}  {:kinds$}  {:>4} values\n",
            text(row, "name"),
            text(row, "kind"),
            text(row, "values")
        ));
    }
    let version = value["version"].as_str().unwrap_or_default();
    format!("{lines}version {version}: {} rows, {values} values\n", rows.len())
}
