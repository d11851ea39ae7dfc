//! `mapjudge metrics [ID]`: the list of metrics, or the card of one.

use std::fmt::Write;
use std::process::ExitCode;

use clap::ValueEnum;
use metrics::Entry;
use serde_json::json;

use crate::output::{Failure, print};

/// List the metrics, or show the card of one: formula, unit, range, paper, known bias and parameters.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mapjudge metrics                      all of them, by family
  mapjudge metrics overall_error        the card of one
  mapjudge metrics --format json        for programs")]
pub struct Metrics {
    /// The metric to show.
    id: Option<String>,
    /// How to print.
    #[arg(long, default_value = "table")]
    format: CardFormat,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum CardFormat {
    Table,
    Json,
}

impl Metrics {
    pub fn run(&self) -> Result<ExitCode, Failure> {
        let entries: Vec<&Entry> = match &self.id {
            None => metrics::all().collect(),
            Some(id) => vec![find(id)?],
        };
        let text = match (self.format, &self.id) {
            (CardFormat::Json, _) => as_json(&entries)?,
            (CardFormat::Table, None) => list(&entries),
            (CardFormat::Table, Some(_)) => entries.iter().map(|entry| card(entry)).collect(),
        };
        print(&text)?;
        Ok(ExitCode::SUCCESS)
    }
}

fn find(id: &str) -> Result<&'static Entry, Failure> {
    metrics::find(id).ok_or_else(|| {
        let nearest = report::nearest(id, metrics::all().map(|entry| entry.spec.id));
        let failure = Failure::new(format!("no metric '{id}'"));
        match nearest {
            Some(name) => failure.hint(format!("did you mean '{name}'?")),
            None => failure.hint("`mapjudge metrics` lists them all"),
        }
    })
}

fn list(entries: &[&Entry]) -> String {
    let width = entries.iter().map(|entry| entry.spec.id.len()).max().unwrap_or(0);
    let mut text = String::new();
    let mut family = None;
    for spec in entries.iter().map(|entry| entry.spec) {
        if family != Some(spec.family) {
            let gap = if family.is_some() { "\n" } else { "" };
            let _ = writeln!(text, "{gap}{}", spec.family.name());
            family = Some(spec.family);
        }
        let (unit, better) = (spec.unit.symbol(), spec.better.name());
        let _ = writeln!(text, "  {:width$}  {:10} {unit:6} {better:7} {}", spec.id, spec.code, spec.title);
    }
    text + "\n`mapjudge metrics ID` shows the card of one.\n"
}

fn card(entry: &Entry) -> String {
    let spec = entry.spec;
    let mut text = format!("# {} ({}, {})\n\n{}\n", spec.title, spec.id, spec.code, spec.card());
    let params = entry.param_docs();
    if !params.is_empty() {
        text.push_str("\nParameters (--set METRIC.NAME=VALUE):\n\n");
    }
    for param in params {
        let choices = if param.choices.is_empty() {
            String::new()
        } else {
            format!(" ({})", param.choices.join(" | "))
        };
        let _ = writeln!(text, "- `{}.{}` = {}{choices}: {}", spec.id, param.name, param.default, param.text);
    }
    text
}

fn as_json(entries: &[&Entry]) -> Result<String, Failure> {
    let describe = |entry: &&Entry| {
        let spec = entry.spec;
        let params = entry
            .param_docs()
            .into_iter()
            .map(|p| json!({"name": p.name, "default": p.default, "choices": p.choices, "text": p.text}));
        json!({
            "id": spec.id, "code": spec.code, "title": spec.title, "family": spec.family.name(),
            "unit": spec.unit, "better": spec.better, "best": spec.best, "worst": spec.worst,
            "meaning": spec.meaning(), "card": spec.card(), "params": params.collect::<Vec<_>>(),
        })
    };
    let list: Vec<_> = entries.iter().map(describe).collect();
    let text = serde_json::to_string_pretty(&list).map_err(|error| Failure::new(error.to_string()))?;
    Ok(text + "\n")
}
