//! How work is done behind a contest: workers lease jobs, start a process for strangers' files, store what it hands back.

pub mod child;
pub mod judge_child;
pub mod materialise;
pub mod sandbox;
pub mod scratch;
pub mod task;

use super::store::StoreError;

/// Why a job, or something that rests on jobs, came to no end.
#[derive(Debug, thiserror::Error)]
pub enum JobsError {
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An object, or a folder on the way.
    #[error("{place}: {source}")]
    Files {
        /// What was read or written.
        place: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// The contest of the organisers.
    #[error("{0}")]
    Contest(#[from] mapjudge::JobError),
    /// What stands in the database, or was handed back, is not what it should be.
    #[error("{0}")]
    Content(String),
    /// The process that judges came to no answer.
    #[error("{0}")]
    Died(String),
    /// The program ends, or somebody else has the job.
    #[error("stopped")]
    Stopped,
}

impl JobsError {
    pub(crate) fn files(place: impl Into<String>) -> impl FnOnce(std::io::Error) -> Self {
        let place = place.into();
        move |source| Self::Files { place, source }
    }

    pub(crate) fn content(why: impl Into<String>) -> Self {
        Self::Content(why.into())
    }
}
