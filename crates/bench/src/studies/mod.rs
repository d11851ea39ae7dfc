//! Studies over sets of real data, one per file: too long for ordinary tests.

mod align;
mod brokenness;
mod contest;
mod damage;
mod explore;
mod explore_ramps;
mod false_loops;
mod fiducials;
mod frames;
mod halves;
mod intact;
mod mapping;
mod paths;
mod rooms;
mod unseen;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::inputs::BenchError;
use halves::Half;

/// What a study found.
pub struct Findings {
    /// Lines of the table.
    pub table: Vec<String>,
    /// Figures that must hold and do not, one sentence each.
    pub missed: Vec<String>,
}

/// A study: the folder of the data sets in, findings out.
type Study = fn(&Path) -> Result<Findings, BenchError>;

/// All studies by name.
const STUDIES: &[(&str, Study)] = &[
    ("align", align::run),
    ("aligners", align::compare),
    ("brokenness", brokenness::run),
    ("contest", contest::run),
    ("damage", damage::run),
    ("explore", explore::run_study),
    ("explore-ramps", explore_ramps::run),
    ("false-loops", false_loops::run),
    ("fiducials", fiducials::run),
    ("frames", |data| frames::run(data, Half::Tuning)),
    ("frames-held-out", |data| frames::run(data, Half::HeldOut)),
    ("intact", intact::run),
    ("mapping-accept", mapping::accept),
    ("mapping-intel", mapping::intel),
    ("mapping-logs", mapping::logs),
    ("mapping-office", mapping::office),
    ("mapping-ramps", mapping::ramps),
    ("mapping-robust-held-out", mapping::robust_held_out),
    ("mapping-robust-tuning", mapping::robust_tuning),
    ("paths", paths::run),
    ("rooms", rooms::run),
    ("unseen-brokenness", |data| unseen::brokenness::run(data, Half::HeldOut)),
    ("unseen-brokenness-tuning", |data| unseen::brokenness::run(data, Half::Tuning)),
    ("unseen-copies", |data| unseen::alignment::copies(data, Half::HeldOut)),
    ("unseen-copies-tuning", |data| unseen::alignment::copies(data, Half::Tuning)),
    ("unseen-parts", |data| unseen::alignment::shared_parts(data, Half::HeldOut)),
    ("unseen-parts-tuning", |data| unseen::alignment::shared_parts(data, Half::Tuning)),
    ("unseen-disjoint", |data| unseen::alignment::disjoint(data, Half::HeldOut)),
    ("unseen-disjoint-tuning", |data| unseen::alignment::disjoint(data, Half::Tuning)),
    ("unseen-strangers", |data| unseen::alignment::strangers(data, Half::HeldOut)),
    ("unseen-strangers-tuning", |data| unseen::alignment::strangers(data, Half::Tuning)),
    ("unseen-rooms", |data| unseen::rooms::run(data, Half::HeldOut)),
    ("unseen-rooms-tuning", |data| unseen::rooms::run(data, Half::Tuning)),
    ("unseen-barrels", |data| unseen::barrels::run(data, Half::HeldOut)),
    ("unseen-barrels-tuning", |data| unseen::barrels::run(data, Half::Tuning)),
];

impl Findings {
    /// Adds a line of the table, which is also missed unless it holds.
    fn line(&mut self, line: String, holds: bool) {
        if !holds {
            self.missed.push(line.clone());
        }
        self.table.push(line);
    }
}

/// The quantile of some values, linear between order statistics; NaN without values.
fn quantile(values: &[f64], share: f64) -> f64 {
    if values.is_empty() {
        return f64::NAN;
    }
    metrics::trajectory::statistics::quantile(&mut values.to_vec(), share)
}

fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    quantile(&values.into_iter().collect::<Vec<f64>>(), 0.5)
}

/// Runs the study that the words name; the second word is the folder of the data sets.
#[allow(clippy::print_stdout, reason = "the table is this program's result")]
pub fn run(words: &[String]) -> ExitCode {
    let name = words.first().map_or("", String::as_str);
    let Some((_, study)) = STUDIES.iter().find(|(known, _)| *known == name) else {
        let names: Vec<&str> = STUDIES.iter().map(|(name, _)| *name).collect();
        eprintln!("error: study '{name}': expected one of {}", names.join(", "));
        return ExitCode::from(2);
    };
    let data = words.get(1).map_or_else(|| PathBuf::from("../shared/data"), PathBuf::from);
    match study(&data) {
        Ok(findings) => {
            findings.table.iter().for_each(|line| println!("{line}"));
            findings.missed.iter().for_each(|line| println!("MISSED: {line}"));
            ExitCode::from(u8::from(!findings.missed.is_empty()))
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
