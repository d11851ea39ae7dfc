//! Failures as exceptions of `mapjudge._errors`, which knows the classes.

use mapjudge::JobError;
use mapjudge_cli::CommandFailure;
use model::Finding;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// Code, level, message and hint.
pub type PyFinding = (String, String, String, Option<String>);

/// What was noticed about an input.
pub fn findings(found: &[Finding]) -> Vec<PyFinding> {
    let level = |finding: &Finding| format!("{:?}", finding.level).to_lowercase();
    let one = |finding: &Finding| {
        (finding.code.to_string(), level(finding), finding.message.clone(), finding.hint.clone())
    };
    found.iter().map(one).collect()
}

/// The parts of an exception.
pub struct Raised<'a> {
    pub code: &'a str,
    pub message: &'a str,
    pub hint: Option<&'a str>,
    pub path: Option<&'a str>,
    pub place: Option<&'a str>,
}

impl Raised<'_> {
    /// The exception; names of values in memory are shown without their number.
    pub fn raise(&self, py: Python<'_>) -> PyErr {
        let made = || {
            let of = py.import("mapjudge._errors")?.getattr("of")?;
            of.call1((self.code, self.message, self.hint, self.path, self.place))
        };
        made().map_or_else(|_| PyRuntimeError::new_err(self.message.to_owned()), PyErr::from_value)
    }
}

/// An exception of an input: code, message and what to write instead.
pub fn input(py: Python<'_>, code: &str, message: &str, hint: Option<&str>) -> PyErr {
    Raised { code, message, hint, path: None, place: None }.raise(py)
}

/// What a command said before it gave up.
pub fn failure(py: Python<'_>, failure: &CommandFailure) -> PyErr {
    let raised = Raised {
        code: failure.code(),
        message: failure.message(),
        hint: failure.advice(),
        path: failure.file(),
        place: failure.place(),
    };
    raised.raise(py)
}

/// What the library said before it gave up.
pub fn job(py: Python<'_>, error: JobError) -> PyErr {
    failure(py, &error.into())
}

/// A fault of ours.
pub fn internal(py: Python<'_>, message: &str) -> PyErr {
    Raised { code: "INTERNAL", message, hint: None, path: None, place: None }.raise(py)
}
