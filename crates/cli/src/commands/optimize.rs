//! `mapjudge optimize GRAPH.g2o`: the poses that fit the measurements of a pose graph best.

use std::path::PathBuf;
use std::process::ExitCode;

use align::pose_graph::Kernel;
use clap::ValueEnum;
use mapjudge::{Optimized, optimize};
use rustix::time::{ClockId, clock_gettime};
use serde_json::Value;

use super::info::finding_line;
use crate::output::{Failure, note, print};
use crate::reading::ReadingFlags;

/// Find the poses that fit the measurements of a planar pose graph best (g2o or TORO), and say by how much chi2, the sum
/// of the squared Mahalanobis errors, fell. The solver begins at the best of three starts and names it: the poses in
/// the file, the chain of measurements, rotations first.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mapjudge optimize graph.g2o                         chi2 before and after
  mapjudge optimize graph.g2o --out solved.g2o        and the poses
  mapjudge optimize graph.g2o --kernel cauchy --kernel-width 2 --format json
      measurements that do not fit count less")]
pub struct Optimize {
    /// Pose graph to solve.
    #[arg(value_name = "GRAPH")]
    input: PathBuf,
    /// File to write the solved graph to.
    #[arg(long, value_name = "FILE.g2o")]
    out: Option<PathBuf>,
    /// How measurements count that do not fit.
    #[arg(long, default_value = "square")]
    kernel: KernelName,
    /// Error in standard deviations from which on a kernel bends the cost.
    #[arg(long, default_value_t = 1.0, value_name = "SIGMAS")]
    kernel_width: f64,
    /// How to print.
    #[arg(long, default_value = "table")]
    format: OptimizeFormat,
    #[command(flatten)]
    reading: ReadingFlags,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum KernelName {
    Square,
    Huber,
    Cauchy,
    GemanMcclure,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum OptimizeFormat {
    Table,
    Json,
}

impl Optimize {
    pub fn run(&self, quiet: bool) -> Result<ExitCode, Failure> {
        let before_s = cpu_s();
        let solved = optimize(&self.input, self.out.as_deref(), self.kernel()?, &self.reading.options()?)?;
        let cpu_s = cpu_s() - before_s;
        if !quiet {
            solved.findings.iter().for_each(|finding| note(&finding_line(finding)));
            self.out.iter().for_each(|path| note(&format!("wrote {}", path.display())));
        }
        print(&match self.format {
            OptimizeFormat::Table => as_text(&solved, cpu_s),
            OptimizeFormat::Json => as_json(&solved, cpu_s)?,
        })?;
        Ok(ExitCode::SUCCESS)
    }

    fn kernel(&self) -> Result<Kernel, Failure> {
        let width = self.kernel_width;
        if !(width.is_finite() && width > 0.0) {
            let message = format!("--kernel-width {width}: expected a finite number above 0");
            return Err(Failure::new(message).hint("1 bends the cost at one standard deviation"));
        }
        Ok(match self.kernel {
            KernelName::Square => Kernel::Square,
            KernelName::Huber => Kernel::Huber(width),
            KernelName::Cauchy => Kernel::Cauchy(width),
            KernelName::GemanMcclure => Kernel::GemanMcClure(width),
        })
    }
}

/// User and system time of the program so far, seconds.
fn cpu_s() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

fn as_json(solved: &Optimized, cpu_s: f64) -> Result<String, Failure> {
    let failed = |error: serde_json::Error| Failure::new(error.to_string());
    let mut value = serde_json::to_value(solved).map_err(failed)?;
    if let Value::Object(fields) = &mut value {
        fields.insert("cpu_s".to_owned(), cpu_s.into());
    }
    Ok(serde_json::to_string_pretty(&value).map_err(failed)? + "\n")
}

fn as_text(solved: &Optimized, cpu_s: f64) -> String {
    let Optimized { path, vertices, edges, parts, chi2_start, chi2_initialised, chi2, iterations, .. } =
        solved;
    let start = serde_json::to_value(solved.start).ok();
    let start = start.as_ref().and_then(Value::as_str).unwrap_or_default();
    format!(
        "{path}\n  graph       {vertices} poses, {edges} edges, {parts} connected parts\n  \
         chi2        {chi2_start:.6} before, {chi2:.6} after\n  \
         start       {start}, chi2 {chi2_initialised:.6}\n  iterations  {iterations}\n  time        {cpu_s:.3} s\n"
    )
}
