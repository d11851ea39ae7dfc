//! `mapjudge-bench OP`: runs one operation of the benchmark kit and prints its line.
//!
//! ```text
//! mapjudge-bench psi --inputs inputs/maps/800 --size 800 --map=robot --seconds 1 --json
//! ```

use std::process::ExitCode;

use clap::Parser;
use mapjudge_bench::{Arguments, run};

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
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
