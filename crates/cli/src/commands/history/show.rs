//! `mapjudge history show DIR`: how every metric moved.

use mapjudge::files::OutputFolder;
use report::{
    HistorySeries, TrendCheck, TrendRules, check_history, history_page, history_series, history_table,
};

use super::Selection;
use crate::failure::Failure;
use crate::format::Format;
use crate::output::{Answer, Output, OutputFlags, json};

/// Show how every metric moved.
#[derive(clap::Args)]
#[command(
    mut_arg("format", Format::offer(&[Format::Table, Format::Json, Format::Html])),
    mut_arg("out", |out| out.help("Also write history.html with a figure per metric, and history.json, into this folder"))
)]
pub struct Show {
    #[command(flatten)]
    selection: Selection,
    /// Only this case; may be repeated [default: all].
    #[arg(long = "case", value_name = "NAME")]
    cases: Vec<String>,
    #[command(flatten)]
    output: OutputFlags,
}

impl Show {
    pub fn run(&self) -> Result<Answer, Failure> {
        let (history, notes) = self.selection.load(None)?;
        let rules = TrendRules { metrics: self.selection.metrics.clone(), ..TrendRules::default() };
        let check = check_history(&history, &rules).filter(|_| self.cases.is_empty());
        let series = history_series(&history, &self.selection.metrics, &self.cases);
        if series.cases.is_empty() && !self.cases.is_empty() {
            return Err(Failure::new(format!("no case '{}' in the history", self.cases.join("', '")))
                .hint("cases have the names of the maps' files without extension"));
        }
        Ok(self.output.answer(Shown { series, check, notes }))
    }
}

struct Shown {
    series: HistorySeries,
    check: Option<TrendCheck>,
    notes: Vec<String>,
}

impl Output for Shown {
    fn render(&self, format: Format) -> Result<String, Failure> {
        match format {
            Format::Json => json(&self.series),
            Format::Html => Ok(history_page(&self.series, self.check.as_ref())?),
            _ => Ok(history_table(&self.series)),
        }
    }

    fn write(&self, folder: &OutputFolder) -> Result<(), Failure> {
        folder.write("history.html", self.render(Format::Html)?)?;
        Ok(folder.write("history.json", self.render(Format::Json)?)?)
    }

    fn notes(&self, _: Format) -> Vec<String> {
        self.notes.clone()
    }
}
