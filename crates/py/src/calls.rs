//! Commands and jobs, called from Python: words or keys in, the text of `--format json` out.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use mapjudge::conform::VectorSet;
use mapjudge::files::{Job, Loader};
use mapjudge::{Stop, Verdict};
use mapjudge_cli::embedded::{self, Delivered, ReportFiles};
use pyo3::prelude::*;
use serde_json::Value;

use crate::errors;
use crate::pool::without_lock;

/// Text, lines for people, name of the verdict, and the page with figures.
type Answer = (String, Vec<String>, &'static str, Option<String>);

fn answer(delivered: Delivered) -> Answer {
    let verdict = match delivered.verdict {
        Verdict::Fine => "fine",
        Verdict::Missed => "missed",
        Verdict::Undefined => "undefined",
        Verdict::NotJudged => "not_judged",
    };
    (delivered.text, delivered.notes, verdict, delivered.page)
}

/// Carries out a command; the first word is the program.
#[pyfunction]
#[pyo3(signature = (words, threads=0))]
pub fn run(py: Python<'_>, words: Vec<String>, threads: usize) -> PyResult<Answer> {
    let stop = Stop::default();
    let of_work = stop.clone();
    let result = without_lock(py, threads, &stop, move || embedded::run(&words, of_work))?;
    result.map(answer).map_err(|failure| errors::failure(py, &failure))
}

/// Carries out a job, whose keys are given as JSON.
#[pyfunction]
#[pyo3(signature = (values, out=None, overwrite=false, page=false, threads=0))]
pub fn judge(
    py: Python<'_>,
    values: &str,
    out: Option<PathBuf>,
    overwrite: bool,
    page: bool,
    threads: usize,
) -> PyResult<Answer> {
    let values: Value =
        serde_json::from_str(values).map_err(|error| errors::internal(py, &error.to_string()))?;
    let stop = Stop::default();
    let of_work = stop.clone();
    let files = ReportFiles { out, overwrite, page };
    let work =
        move || embedded::judge(values.as_object().unwrap_or(&serde_json::Map::new()), &files, of_work);
    let result = without_lock(py, threads, &stop, work)?;
    result.map(answer).map_err(|failure| errors::failure(py, &failure))
}

/// A report, given as JSON, in another format.
#[pyfunction]
pub fn render(py: Python<'_>, report: String, format: String) -> PyResult<String> {
    let rendered = py.detach(|| embedded::render(&report, &format));
    rendered.map_err(|failure| errors::failure(py, &failure))
}

/// A report, given as JSON, held against the text of a limits file: the report with the results, and whether all held.
#[pyfunction]
pub fn hold(py: Python<'_>, report: String, limits: String, path: String) -> PyResult<(String, bool)> {
    let held = py.detach(|| embedded::hold(&report, &limits, &path));
    held.map_err(|failure| errors::failure(py, &failure))
}

/// Every command with its arguments, as JSON.
#[pyfunction]
pub fn commands() -> String {
    embedded::commands().to_string()
}

/// The keys of a job file.
#[pyfunction]
pub fn job_keys() -> Vec<String> {
    Job::keys()
}

/// The keys of a job file, and of its tables as `table.key`, with what they mean, the words they take, and their type.
#[pyfunction]
pub fn job_help() -> Vec<(String, String, Vec<String>, String)> {
    Job::described_keys().into_iter().map(|key| (key.name, key.description, key.words, key.kind)).collect()
}

/// What a file holds: `raster`, `trajectory`, or another kind of `mapjudge info`.
#[pyfunction]
pub fn content_kind(py: Python<'_>, path: PathBuf) -> PyResult<String> {
    let stop = Stop::default();
    let kind = without_lock(py, 1, &stop, move || kind_of(&path))?;
    kind.map_err(|error| errors::job(py, error))
}

fn kind_of(path: &Path) -> Result<String, mapjudge::JobError> {
    Ok(Loader::default().document(path)?.value.kind().name().to_owned())
}

/// The conformance vectors that the program holds: path inside of the set to content.
#[pyfunction]
pub fn vector_files() -> PyResult<BTreeMap<String, String>> {
    let set = VectorSet::builtin().map_err(pyo3::exceptions::PyRuntimeError::new_err)?;
    let text = |bytes: &[u8]| std::str::from_utf8(bytes).ok().map(str::to_owned);
    Ok(set.files.iter().filter_map(|(path, bytes)| Some((path.clone(), text(bytes)?))).collect())
}
