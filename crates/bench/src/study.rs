//! `mapjudge-study NAME [DATA]`: runs one study over a whole set of real data, prints a table and fails if a figure that
//! must hold does not. `DATA` is the folder of the data sets, `../shared/data` if not given.
//!
//! ```text
//! cargo run --release -p mapjudge-bench --features studies --bin mapjudge-study align
//! ```

use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    mapjudge_bench::studies::run(&words)
}
