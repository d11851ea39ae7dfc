//! How tables show their numbers, and under which names.

use clap::ValueEnum;
use mapjudge::report::{AngleUnit, LengthUnit, Report, TableStyle};

use crate::failure::Failure;
use crate::judged::Judged;
use crate::word::Word;

/// How tables show their numbers, and under which names.
#[derive(clap::Args)]
#[command(next_help_heading = "Tables")]
pub struct TableFlags {
    /// Digits after the point in md and latex [default: five significant digits].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=15))]
    digits: Option<u8>,
    /// Units of lengths and angles in md and latex, with commas [default: m,deg].
    #[arg(long, value_name = "UNITS", value_delimiter = ',', value_parser = Word::<TableUnit>::new())]
    unit: Vec<TableUnit>,
    /// Swap rows and columns in md and latex.
    #[arg(long)]
    transpose: bool,
    /// Show a run or map under another name; may be repeated.
    #[arg(long, value_name = "OLD=NEW", value_parser = parse_name)]
    name: Vec<(String, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TableUnit {
    Mm,
    Cm,
    M,
    Deg,
    Rad,
}

fn parse_name(text: &str) -> Result<(String, String), String> {
    let (old, new) = text.split_once('=').ok_or_else(|| format!("'{text}': expected OLD=NEW"))?;
    if new.trim().is_empty() {
        return Err(format!("'{text}': expected a name behind '='"));
    }
    Ok((old.to_owned(), new.to_owned()))
}

impl TableFlags {
    /// The report under its new names, shown in this style.
    pub fn apply(&self, mut judged: Judged) -> Result<Judged, Failure> {
        self.rename(&mut judged.report)?;
        judged.style = self.style();
        Ok(judged)
    }

    fn style(&self) -> TableStyle {
        let mut style = TableStyle {
            digits: self.digits.map(usize::from),
            is_transposed: self.transpose,
            ..TableStyle::default()
        };
        for unit in &self.unit {
            match unit {
                TableUnit::Mm => style.length = LengthUnit::Mm,
                TableUnit::Cm => style.length = LengthUnit::Cm,
                TableUnit::M => style.length = LengthUnit::M,
                TableUnit::Deg => style.angle = AngleUnit::Deg,
                TableUnit::Rad => style.angle = AngleUnit::Rad,
            }
        }
        style
    }

    /// Gives the cases of a report their new names.
    fn rename(&self, report: &mut Report) -> Result<(), Failure> {
        for (old, new) in &self.name {
            if report.cases.iter().any(|case| case.name == *new) {
                return Err(Failure::new(format!(
                    "--name {old}={new}: another one is called '{new}' already"
                )));
            }
            if !report.rename(old, new) {
                let names: Vec<&str> = report.cases.iter().map(|case| case.name.as_str()).collect();
                let message = format!("--name {old}={new}: nothing is called '{old}'");
                return Err(Failure::new(message).hint(format!("the names are {}", names.join(", "))));
            }
        }
        Ok(())
    }
}
