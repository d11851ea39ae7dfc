//! `--format`: how results are printed.

use clap::{Arg, ValueEnum};

use crate::word::Word;

/// How a result is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    #[default]
    #[value(alias = "text")]
    Table,
    /// For programs; errors become JSON too.
    Json,
    /// For spreadsheets.
    Csv,
    /// Markdown.
    Md,
    /// For papers.
    Latex,
    /// One page with figures.
    Html,
    /// Limits and baseline as tests, for build servers.
    Junit,
    /// For geographic programs.
    Geojson,
    /// For graph programs.
    Graphml,
}

/// The formats of a report.
pub const REPORT: &[Format] =
    &[Format::Table, Format::Json, Format::Csv, Format::Md, Format::Latex, Format::Html, Format::Junit];

/// The flag of a command that prints a result.
#[derive(Clone, Copy, Default, clap::Args)]
#[command(next_help_heading = "Output")]
pub struct FormatFlag {
    /// How to print the result.
    #[arg(long, default_value = "table", value_parser = among(&[Format::Table, Format::Json]))]
    pub format: Format,
}

impl Format {
    /// Lets `--format` of a command take these formats.
    pub fn offer(formats: &'static [Self]) -> impl FnOnce(Arg) -> Arg {
        move |arg| arg.value_parser(among(formats))
    }

    /// The format of a report; the table for formats that reports do not have.
    pub fn of_report(self) -> report::Format {
        let word = self.to_possible_value();
        word.and_then(|word| word.get_name().parse().ok()).unwrap_or(report::Format::Table)
    }
}

const fn among(formats: &'static [Format]) -> Word<Format> {
    Word { values: formats, lead: "" }
}
