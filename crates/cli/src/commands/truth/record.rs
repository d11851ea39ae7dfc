//! `mapjudge truth check|export|import`: records of relations.

use std::path::PathBuf;

use mapjudge::ground_truth::{Checking, check, export, import};

use super::super::relations::check::CheckLimits;
use super::super::relations::written;
use super::tables::check_table;
use crate::failure::Failure;
use crate::flags::ForceFlag;
use crate::format::FormatFlag;
use crate::output::{Answer, Printed};

#[derive(clap::Args)]
pub struct Check {
    /// Record, or file of relations.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Check what is only proposed too.
    #[arg(long)]
    proposals: bool,
    #[command(flatten)]
    limits: CheckLimits,
    #[command(flatten)]
    format: FormatFlag,
    #[command(flatten)]
    reading: formats::LogReadOptions,
}

#[derive(clap::Args)]
pub struct Export {
    /// Record.
    #[arg(value_name = "RECORD.jsonl")]
    record: PathBuf,
    /// File to write: .relations, .txt, .csv or .json.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    force: ForceFlag,
}

#[derive(clap::Args)]
pub struct Import {
    /// File of relations.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Record to begin; one that exists is not overwritten.
    #[arg(long, value_name = "RECORD.jsonl")]
    out: PathBuf,
    /// Person or source that confirms them; without one they are proposals.
    #[arg(long, value_name = "NAME")]
    reviewer: Option<String>,
    /// What entries carry as their time.
    #[arg(long, value_name = "TIME")]
    time: Option<String>,
    #[command(flatten)]
    reading: formats::LogReadOptions,
}

impl Check {
    pub fn run(&self) -> Result<Answer, Failure> {
        let checking = if self.proposals { Checking::Proposals } else { Checking::Truth };
        let checked = check(&self.file, checking, &self.limits.params(), &self.reading.options)?;
        let findings = checked.findings.clone();
        Ok(self.format.answer(Printed::new(checked, check_table).checked(&findings)))
    }
}

impl Export {
    pub fn run(&self) -> Result<Answer, Failure> {
        self.force.check(&self.out)?;
        Ok(written(&export(&self.record, &self.out)?, &self.out, "relations"))
    }
}

impl Import {
    pub fn run(&self) -> Result<Answer, Failure> {
        let (reviewer, time) = (self.reviewer.as_deref(), self.time.as_deref());
        let imported = import(&self.file, &self.out, reviewer, time, &self.reading.options)?;
        Ok(written(&imported, &self.out, "relations"))
    }
}
