//! The module `mapjudge._core`: the command line and the library for Python. It computes no score itself; the Python files
//! beside it make classes and keywords of what it offers.

#![allow(clippy::result_large_err, reason = "a call fails once, and its message is not small")]
#![allow(clippy::needless_pass_by_value, reason = "Python hands its values over")]

mod arrays;
mod calls;
mod errors;
mod grid;
mod layer;
mod log;
mod mapper;
mod pool;
mod poses;
mod table;
mod writing;

use std::ffi::OsString;
use std::process::ExitCode;

use pyo3::prelude::*;

/// The program `mapjudge` with these words, the first of which is the program; its exit code.
#[pyfunction]
fn main(py: Python<'_>, words: Vec<OsString>) -> u8 {
    let code = py.detach(|| mapjudge_cli::main_of(words));
    (0..=u8::MAX).find(|number| ExitCode::from(*number) == code).unwrap_or(2)
}

/// Tells how the program is started again, for workers of contests.
#[pyfunction]
fn start_again_by(words: Vec<OsString>) {
    mapjudge_cli::start_again_by(words);
}

#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<grid::Grid>()?;
    module.add_class::<grid::Held>()?;
    module.add_class::<log::Log>()?;
    module.add_class::<poses::Poses>()?;
    module.add_class::<mapper::Mapper>()?;
    module.add_function(wrap_pyfunction!(main, module)?)?;
    module.add_function(wrap_pyfunction!(start_again_by, module)?)?;
    module.add_function(wrap_pyfunction!(calls::run, module)?)?;
    module.add_function(wrap_pyfunction!(calls::judge, module)?)?;
    module.add_function(wrap_pyfunction!(calls::render, module)?)?;
    module.add_function(wrap_pyfunction!(calls::hold, module)?)?;
    module.add_function(wrap_pyfunction!(calls::commands, module)?)?;
    module.add_function(wrap_pyfunction!(calls::job_keys, module)?)?;
    module.add_function(wrap_pyfunction!(calls::job_help, module)?)?;
    module.add_function(wrap_pyfunction!(calls::content_kind, module)?)?;
    module.add_function(wrap_pyfunction!(calls::vector_files, module)?)?;
    module.add_function(wrap_pyfunction!(layer::read_layer, module)?)?;
    module.add_function(wrap_pyfunction!(layer::write_layer, module)?)?;
    module.add_function(wrap_pyfunction!(table::arrow_stream, module)?)?;
    Ok(())
}
