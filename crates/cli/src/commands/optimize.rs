//! `mapjudge optimize GRAPH.g2o`: the poses that fit the measurements of a pose graph best.

use std::path::PathBuf;

use align::pose_graph::KernelShape;
use mapjudge::{Optimized, optimize, processor_time_s};
use serde::Serialize;
use serde_json::Value;

use crate::Global;
use crate::failure::Failure;
use crate::flags::ForceFlag;
use crate::format::FormatFlag;
use crate::output::{Answer, Printed};
use crate::word::Word;

/// Solve a pose graph.
///
/// Finds the poses that fit the measurements of a planar pose graph best (g2o or TORO), and tells by how much chi2, the
/// sum of the squared Mahalanobis errors, fell. The solver follows each of its starts to the end (the poses in the file, the
/// chain of measurements, rotations first; with a kernel also least squares, the kernel graduated), keeps the solution
/// with the lowest cost, and names the start that led there.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mapjudge optimize graph.g2o                         chi2 before and after
  mapjudge optimize graph.g2o --out solved.g2o        and the poses
  mapjudge optimize graph.g2o --kernel gnc            leaves out false loop closures and tells which
  mapjudge optimize graph.g2o --kernel cauchy --kernel-width 2 --format json
      measurements that do not fit count less")]
pub struct Optimize {
    /// Pose graph to solve.
    #[arg(value_name = "GRAPH")]
    input: PathBuf,
    /// File to write the solved graph to.
    #[arg(long, value_name = "FILE.g2o")]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: ForceFlag,
    /// How measurements count that do not fit.
    #[arg(long, default_value = "square", value_parser = Word::<KernelShape>::new())]
    kernel: KernelShape,
    /// Error in standard deviations from which on a kernel bends the cost [default: 1, of gnc 3.3682].
    #[arg(long, value_name = "SIGMAS")]
    kernel_width: Option<f64>,
    #[command(flatten)]
    format: FormatFlag,
    #[command(flatten)]
    reading: formats::LogReadOptions,
}

impl Optimize {
    pub fn run(&self, _: &Global) -> Result<Answer, Failure> {
        self.out.iter().try_for_each(|path| self.force.check(path))?;
        let width = self.kernel_width.unwrap_or(self.kernel.default_width());
        let kernel = self.kernel.with_width(width).map_err(|_| {
            Failure::new(format!("--kernel-width {width}: expected a finite number above 0"))
                .hint("1 bends the cost at one standard deviation")
        })?;
        let before_s = processor_time_s();
        let solved = optimize(&self.input, self.out.as_deref(), kernel, &self.reading.options)?;
        let cpu_s = processor_time_s() - before_s;
        let findings = solved.findings.clone();
        let mut output = Printed::new(Solved { solved, cpu_s }, table).noting(&findings);
        output.notes.extend(self.out.iter().map(|path| format!("wrote {}", path.display())));
        Ok(self.format.answer(output))
    }
}

/// A solved graph and the time it took.
#[derive(Serialize)]
struct Solved {
    #[serde(flatten)]
    solved: Optimized,
    cpu_s: f64,
}

fn table(Solved { solved, cpu_s }: &Solved) -> String {
    let Optimized { path, vertices, edges, parts, chi2_start, chi2_initialised, chi2, iterations, .. } =
        solved;
    let start = serde_json::to_value(solved.start).ok();
    let start = start.as_ref().and_then(Value::as_str).unwrap_or_default();
    let rejected = match solved.rejected.len() {
        0 => String::new(),
        count => format!("  left out    {count} measurements that contradict the others\n"),
    };
    format!(
        "{path}\n  graph       {vertices} poses, {edges} edges, {parts} connected parts\n  \
         chi2        {chi2_start:.6} before, {chi2:.6} after\n  \
         start       {start}, chi2 {chi2_initialised:.6}\n  iterations  {iterations}\n{rejected}  time        {cpu_s:.3} s\n"
    )
}
