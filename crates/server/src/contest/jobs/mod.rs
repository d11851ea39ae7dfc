//! How work is done behind a contest: workers lease jobs, start a process for strangers' files, store what it hands back.

pub mod child;
pub mod findings;
pub mod import;
pub mod judge_child;
pub mod materialise;
mod perform;
mod preview;
pub mod queue;
pub mod record;
pub mod sandbox;
pub mod scratch;
pub mod task;
pub mod worker;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

pub use import::import_folders;
pub use record::apply_rejudging;
pub use worker::{Program, Worker, WorkerSettings, program_version};

use super::clock::Time;
use super::store::job_table::set_program;
use super::store::{Database, StoreError};

/// How often the server looks for changes that move scores.
const LOOKED_EVERY: Duration = Duration::from_millis(200);

/// Workers of a server in this process, with what sees to it that rankings follow changes. Ends with [`Work::stop`].
pub struct Work {
    stop: Arc<AtomicBool>,
    threads: Vec<std::thread::JoinHandle<()>>,
}

/// Starts the work behind a contest; `tell` hears of failures. Without jobs at once, workers elsewhere do everything.
///
/// # Errors
/// The database fails.
pub fn start(
    database: &Arc<Database>,
    worker: Option<Worker>,
    tell: impl Fn(&str) + Send + Sync + Clone + 'static,
) -> Result<Work, JobsError> {
    set_program(database, &program_version())?;
    let mut ranker = queue::Ranker::new(database)?;
    let stop = Arc::new(AtomicBool::new(false));
    let mut threads = Vec::new();
    let (told, stopped, looked) = (tell.clone(), Arc::clone(&stop), Arc::clone(database));
    threads.push(std::thread::spawn(move || {
        while !stopped.load(Ordering::Relaxed) {
            if let Err(error) = ranker.look(&looked, Time::now()) {
                told(&error.to_string());
            }
            std::thread::sleep(LOOKED_EVERY);
        }
    }));
    if let Some(worker) = worker {
        let stopped = Arc::clone(&stop);
        threads.push(std::thread::spawn(move || worker.run(&stopped, &tell)));
    }
    Ok(Work { stop, threads })
}

impl Work {
    /// Ends processes that judge, gives their jobs back, and waits for that.
    pub fn stop(self) {
        self.stop.store(true, Ordering::Relaxed);
        for thread in self.threads {
            // A thread that panicked has ended too.
            let _ = thread.join();
        }
    }
}

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
    /// No server has opened it.
    #[error("the database holds no contest yet: `mapjudge serve` opens one")]
    NoContest,
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
