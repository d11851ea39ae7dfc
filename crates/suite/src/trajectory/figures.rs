//! The pictures of a run.

use std::path::Path;

use metrics::trajectory::Runs;
use report::CasePictures;

use super::job::TrajectoryJob;
use crate::JobError;

/// A map to draw paths on.
pub(super) struct Background {}

impl Background {
    pub(super) fn read(_path: &Path, _job: &TrajectoryJob) -> Result<Self, JobError> {
        Ok(Self {})
    }
}

/// Draws a run.
pub(super) fn figures(_run: &Runs, _background: Option<&Background>) -> CasePictures {
    CasePictures::default()
}
