//! `mapjudge relations filter|convert IN OUT`.

use std::path::PathBuf;

use mapjudge::files::Loss;
use mapjudge::files::relations::{convert, filter};

use super::written;
use crate::Global;
use crate::failure::Failure;
use crate::flags::ForceFlag;
use crate::output::Answer;

#[derive(clap::Args)]
pub struct Filter {
    /// File of relations.
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// File to write: .relations, .jsonl, .csv or .json.
    #[arg(value_name = "OUT")]
    output: PathBuf,
    #[command(flatten)]
    force: ForceFlag,
    /// Min. length of the displacement in metres.
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    min_distance: Option<f64>,
    /// Max. length of the displacement in metres.
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    max_distance: Option<f64>,
    /// Min. time between the timestamps in seconds.
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    min_gap: Option<f64>,
    /// Max. time between the timestamps in seconds.
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    max_gap: Option<f64>,
    /// Both timestamps at or after this one, in seconds.
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    from: Option<f64>,
    /// Both timestamps at or before this one, in seconds.
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    to: Option<f64>,
    /// With this tag. `local` (at most 10 s) and `loop` (more) follow from the times where there is no tag.
    #[arg(long, value_name = "TAG")]
    tag: Option<String>,
    /// So many of those that are left, at random.
    #[arg(long, value_name = "N", value_parser = crate::flags::count)]
    sample: Option<usize>,
    #[command(flatten)]
    reading: formats::LogReadOptions,
}

#[derive(clap::Args)]
pub struct Convert {
    /// File of relations.
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// File to write: .relations, .jsonl, .csv or .json.
    #[arg(value_name = "OUT")]
    output: PathBuf,
    #[command(flatten)]
    force: ForceFlag,
    /// Go on even if the form of OUT cannot hold everything.
    #[arg(long)]
    lossy: bool,
    #[command(flatten)]
    reading: formats::LogReadOptions,
}

impl Filter {
    pub fn run(&self, global: &Global) -> Result<Answer, Failure> {
        let wanted = truth::Filter {
            min_distance_m: self.min_distance,
            max_distance_m: self.max_distance,
            min_gap_s: self.min_gap,
            max_gap_s: self.max_gap,
            from_s: self.from,
            to_s: self.to,
            tag: self.tag.clone(),
            sample: self.sample,
            seed: global.seed(),
        };
        self.force.check(&self.output)?;
        let left = filter(&self.input, &self.output, &wanted, &self.reading.options)?;
        Ok(written(&left, &self.output, "relations"))
    }
}

impl Convert {
    pub fn run(&self) -> Result<Answer, Failure> {
        let loss = if self.lossy { Loss::Accepted } else { Loss::Refused };
        self.force.check(&self.output)?;
        let converted = convert(&self.input, &self.output, loss, &self.reading.options)?;
        Ok(written(&converted, &self.output, "relations"))
    }
}
