//! Limits files and baselines.

use std::path::PathBuf;

use report::{Limits, read_baseline};

use super::loader::Loader;
use crate::{JobError, Rules};

/// A larger file is no limits file.
const MAX_LIMITS_BYTES: u64 = 16 << 20;
/// A larger file is no report that anyone compares with.
const MAX_BASELINE_BYTES: u64 = 1 << 30;

/// The files that values are held against.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RuleFiles {
    /// Rules such as `overall_error <= 5000`, one per line.
    pub limits: Option<PathBuf>,
    /// An earlier JSON report.
    pub baseline: Option<PathBuf>,
    /// Relative change that still counts as the same; none: 1e-9.
    pub baseline_tolerance: Option<f64>,
}

impl RuleFiles {
    /// Reads the files.
    ///
    /// # Errors
    /// A file cannot be read or does not hold what it should.
    pub fn load(&self, loader: &Loader) -> Result<Rules, JobError> {
        let limits = self.limits.as_deref().map(|path| {
            let text = loader.text(path, MAX_LIMITS_BYTES)?.value;
            Limits::parse(&text).map_err(|source| JobError::Limits { path: loader.told(path), source })
        });
        let baseline = self.baseline.as_deref().map(|path| {
            let text = loader.text(path, MAX_BASELINE_BYTES)?.value;
            let wrong = |error| JobError::Baseline { path: loader.told(path), source: Box::new(error) };
            read_baseline(&text).map_err(wrong)
        });
        Ok(Rules {
            limits: limits.transpose()?,
            baseline: baseline.transpose()?,
            baseline_tolerance: self.baseline_tolerance,
        })
    }
}
