//! `mapjudge-bench OP`: runs one operation of the benchmark kit and prints its line.
//!
//! ```text
//! mapjudge-bench psi --inputs inputs/maps/800 --size 800 --map=robot --seconds 1 --json
//! mapjudge-bench study align
//! mapjudge-bench study fiducials
//! mapjudge-bench study rooms
//! ```
//!
//! A study runs over a whole set of real data, prints a table and fails if a figure that must hold does not.

mod endpoints;
mod inputs;
mod line;
mod measure;
mod ops;
mod scores;
mod studies;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

/// Arguments of one run, as `bench.toml` gives them.
#[derive(Parser)]
#[command(version, about)]
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

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    if words.next().as_deref() == Some("study") {
        return studies::run(&words.collect::<Vec<_>>());
    }
    let arguments = Arguments::parse();
    match ops::run(&arguments) {
        Ok(line) => {
            line.print();
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
