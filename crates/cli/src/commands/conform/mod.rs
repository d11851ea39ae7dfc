//! `mapjudge conform run|list|show|init|export`: other programs held against the conformance vectors.

mod export;
mod init;
mod list;
mod run;
mod show;

use clap::Subcommand;

use crate::Global;
use crate::failure::Failure;
use crate::output::Answer;

/// Hold other programs against the conformance vectors.
///
/// The vectors are tiny maps, map files and trajectories with the expected value of each metric. A program is described by
/// a tool file and is called, never linked.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mapjudge conform list
      the vectors and the metrics that have values
  mapjudge conform show e1
      the inputs and values of a vector
  mapjudge conform init > tool.toml
      a commented file that says how a program is run
  mapjudge conform run tool.toml --out result
      result/ gets conform.json, index.html, badge.json and badge.svg; exit code 1 if something unexpected differs
  mapjudge conform run conformance/tools/evo.toml --path venv/bin --jobs 2
      a program of a virtual environment, two at once
  mapjudge conform export --out vectors
      the vectors as an archive for other projects")]
pub struct Conform {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Run a program on the vectors and compare its values.
    Run(Box<run::Run>),
    /// List the vectors, or the metrics that have values.
    List(list::List),
    /// Show the inputs and the expected values of a vector.
    Show(show::Show),
    /// Print a commented tool file, or one that is shipped.
    Init(init::Init),
    /// Write the vectors as an archive.
    Export(export::Export),
}

impl Conform {
    pub fn run(&self, global: &Global) -> Result<Answer, Failure> {
        match &self.action {
            Action::Run(action) => action.run(global),
            Action::List(action) => action.run(),
            Action::Show(action) => action.run(),
            Action::Init(action) => Ok(action.run()),
            Action::Export(action) => action.run(),
        }
    }
}

/// Which vectors.
#[derive(clap::Args)]
struct VectorFlags {
    /// Version such as 1.0, or a folder with an unpacked set [default: those of this program].
    #[arg(long, value_name = "VERSION|DIR")]
    vectors: Option<String>,
}

impl VectorFlags {
    fn load(&self) -> Result<mapjudge::conform::VectorSet, Failure> {
        Ok(mapjudge::files::conform::load_vectors(self.vectors.as_deref())?)
    }
}
