//! `mapjudge metrics [ID]`: the list of metrics, or the card of one.

use std::fmt::Write;

use metrics::Entry;
use serde_json::json;

use crate::Global;
use crate::failure::Failure;
use crate::format::{Format, FormatFlag};
use crate::output::{self, Answer, Output};

/// List the metrics, or show the card of one.
///
/// A card has formula, unit, range, paper, known bias and parameters.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mapjudge metrics                      all of them, by family
  mapjudge metrics overall_error        the card of one
  mapjudge metrics --format json        for programs")]
pub struct Metrics {
    /// The metric to show.
    id: Option<String>,
    #[command(flatten)]
    format: FormatFlag,
}

impl Metrics {
    pub fn run(&self, _: &Global) -> Result<Answer, Failure> {
        Ok(self.format.answer(match &self.id {
            None => Shown::All(metrics::all().collect()),
            Some(id) => Shown::Card(find(id)?),
        }))
    }
}

enum Shown {
    All(Vec<&'static Entry>),
    Card(&'static Entry),
}

impl Output for Shown {
    fn render(&self, format: Format) -> Result<String, Failure> {
        match (self, format) {
            (Self::All(entries), Format::Json) => {
                output::json(&entries.iter().map(|entry| described(entry)).collect::<Vec<_>>())
            }
            (Self::Card(entry), Format::Json) => output::json(&[described(entry)]),
            (Self::All(entries), _) => Ok(list(entries)),
            (Self::Card(entry), _) => Ok(card(entry)),
        }
    }
}

fn find(id: &str) -> Result<&'static Entry, Failure> {
    metrics::find(id).ok_or_else(|| {
        let mut meant = metrics::search(id);
        if meant.is_empty() {
            meant.extend(report::nearest(id, metrics::all().map(|entry| entry.spec.id)));
        }
        let failure = Failure::new(format!("no metric '{id}'"));
        match meant.is_empty() {
            true => failure.hint("`mapjudge metrics` lists them all"),
            false => failure.hint(crate::hints::meant(&meant)),
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

fn described(entry: &Entry) -> serde_json::Value {
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
}
