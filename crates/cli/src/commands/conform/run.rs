//! `mapjudge conform run TOOL.toml`: a program on every vector.

use std::path::PathBuf;

use mapjudge::Verdict;
use mapjudge::files::OutputFolder;
use mapjudge::files::conform::{Conformance, conform};
use report::{ConformReport, badge_json, badge_svg, conform_page, conform_table};

use super::VectorFlags;
use crate::Global;
use crate::failure::Failure;
use crate::format::Format;
use crate::output::{Answer, Output, OutputFlags, json};
use crate::program;
use crate::progress::Progress;

/// Run a program on the vectors and compare its values.
///
/// Each run has an empty folder, a cleared environment, no shell, and a group of processes of its own that ends with it,
/// after 60 s or 1 MiB of output at the latest. A hostile program of the same user is not contained by that: it can read
/// what the user can read. The exit code is 1 if a value is not equal and the tool file does not expect it.
#[derive(clap::Args)]
#[command(
    mut_arg("format", Format::offer(&[Format::Table, Format::Json, Format::Html])),
    mut_arg("out", |out| out.help("Also write conform.json, index.html, badge.json and badge.svg into this folder"))
)]
pub struct Run {
    /// How the program is run; `mapjudge conform init` prints one.
    #[arg(value_name = "TOOL.toml")]
    tool: PathBuf,
    #[command(flatten)]
    vectors: VectorFlags,
    /// Ids of the metrics that are compared [default: all of the tool file].
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    metrics: Vec<String>,
    /// Folder that is searched for programs before those of the system. May be repeated.
    #[arg(long, value_name = "DIR")]
    path: Vec<PathBuf>,
    /// Programs that run at once [default: the number of cores].
    #[arg(long, value_name = "N", value_parser = crate::flags::count)]
    jobs: Option<usize>,
    /// Seconds after which a program is ended.
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    timeout: f64,
    #[command(flatten)]
    output: OutputFlags,
}

/// Names of the files of a result.
const NAMES: [&str; 4] = ["conform.json", "index.html", "badge.json", "badge.svg"];

impl Run {
    pub fn run(&self, global: &Global) -> Result<Answer, Failure> {
        if !(self.timeout > 0.0 && self.timeout.is_finite()) {
            return Err(Failure::new(format!("--timeout {}: expected seconds above 0", self.timeout)));
        }
        self.output.check(&NAMES)?;
        let set = self.vectors.load()?;
        let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let task = Conformance {
            tool: self.tool.clone(),
            search: self.path.clone(),
            jobs: self.jobs.unwrap_or_else(cores),
            timeout_s: self.timeout,
            metrics: self.metrics.clone(),
            this_program: program::words().map_err(|error| program::not_found(&error))?,
        };
        // Without it a process that leaves its group outlives its program.
        #[cfg(target_os = "linux")]
        mapjudge::files::adopt_orphans()
            .map_err(|error| Failure::new(format!("orphaned processes: {error}")))?;
        let bar = Progress::steps(0, global.quiet).counting("runs done");
        let report = conform(&task, &set, &|done, all| bar.done_of(done, all))?;
        Ok(self.output.answer(Conformed(report)))
    }
}

struct Conformed(ConformReport);

impl Output for Conformed {
    fn render(&self, format: Format) -> Result<String, Failure> {
        match format {
            Format::Json => json(&self.0),
            Format::Html => Ok(conform_page(&self.0).map_err(mapjudge::JobError::from)?),
            _ => Ok(conform_table(&self.0)),
        }
    }

    fn write(&self, folder: &OutputFolder) -> Result<(), Failure> {
        folder.write("conform.json", json(&self.0)?)?;
        folder.write("index.html", conform_page(&self.0).map_err(mapjudge::JobError::from)?)?;
        folder.write("badge.json", json(&badge_json(&self.0))?)?;
        Ok(folder.write("badge.svg", badge_svg(&self.0))?)
    }

    fn verdict(&self) -> Verdict {
        if self.0.counts.unexpected > 0 { Verdict::Missed } else { Verdict::Fine }
    }
}
