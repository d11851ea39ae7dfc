//! Operations of the benchmark kit (`mapjudge-bench`) and studies over sets of real data (`mapjudge-study`).

mod inputs;
mod line;
mod measure;
mod ops;
mod scores;
#[cfg(any(test, feature = "studies"))]
pub mod studies;

use std::path::PathBuf;

pub use inputs::BenchError;
pub use ops::run;

/// Arguments of one run, as `bench.toml` gives them.
#[derive(clap::Parser)]
#[command(
    name = "mapjudge-bench",
    version,
    about = "Runs one operation of the benchmark kit and prints its line."
)]
pub struct Arguments {
    /// Operation of the kit, such as `psi`.
    op: String,
    /// Folder with the inputs of this size.
    #[arg(long)]
    inputs: PathBuf,
    /// Side of the maps in cells, or number of poses.
    #[arg(long)]
    size: usize,
    /// Name of the damaged map.
    #[arg(long, default_value = "robot")]
    map: String,
    /// How long calls are repeated.
    #[arg(long, default_value_t = 1.0)]
    seconds: f64,
    /// Prints the line as JSON; the only form there is.
    #[arg(long)]
    json: bool,
}
