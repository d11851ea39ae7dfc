//! The program `mapjudge`.

use std::process::ExitCode;

fn main() -> ExitCode {
    mapjudge_cli::main()
}
