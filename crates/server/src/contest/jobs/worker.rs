//! A worker: takes jobs, keeps their leases, does them, and never stands still because of one of them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use mapjudge::contest::FINGERPRINT;

use super::JobsError;
use super::materialise::LoadedContest;
use super::queue;
use super::scratch::remove_orphans;
use crate::contest::basis::Sources;
use crate::contest::clock::Time;
use crate::contest::objects::Objects;
use crate::contest::ranking::RankingMaker;
use crate::contest::store::job_table::{Job, JobKind};
use crate::contest::store::{Database, StoreError};

/// How often a lease is renewed.
const RENEWED_EVERY: Duration = Duration::from_secs(15);
/// How often an idle worker looks for jobs.
const LOOKED_EVERY: Duration = Duration::from_millis(200);
/// How long it waits after a failure of database or disk.
const PATIENCE: Duration = Duration::from_secs(2);
/// Digits of the fingerprint in a version.
const FINGERPRINT_DIGITS: usize = 16;

/// What a worker may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkerSettings {
    /// Jobs at once.
    pub jobs: usize,
    /// Memory of each process that judges.
    pub max_memory_bytes: u64,
    /// Time of each process that judges.
    pub max_time: Duration,
}

impl Default for WorkerSettings {
    fn default() -> Self {
        Self { jobs: 1, max_memory_bytes: 2 << 30, max_time: Duration::from_secs(300) }
    }
}

/// Starts this program once more, with an empty environment.
pub type Program = Box<dyn Fn() -> std::io::Result<Command> + Send + Sync>;

/// A worker over a database and its objects.
pub struct Worker {
    /// Its name, which no other has.
    pub id: String,
    pub(super) database: Arc<Database>,
    pub(super) objects: Objects,
    pub(super) settings: WorkerSettings,
    pub(super) program: Program,
    pub(super) rankings: Arc<RankingMaker>,
    loaded: Mutex<Vec<Arc<LoadedContest>>>,
    busy: AtomicUsize,
}

/// The version of this program, as workers and servers compare it.
#[must_use]
pub fn program_version() -> String {
    let digits = FINGERPRINT.get(..FINGERPRINT_DIGITS).unwrap_or(FINGERPRINT);
    format!("{}+{digits}", env!("CARGO_PKG_VERSION"))
}

impl Worker {
    /// A worker with a name of its own.
    ///
    /// # Errors
    /// The system has no randomness to give.
    pub fn new(
        database: Arc<Database>,
        objects: Objects,
        settings: WorkerSettings,
        program: Program,
    ) -> Result<Self, JobsError> {
        let id = crate::contest::clock::new_id(Time::now())
            .map_err(|error| JobsError::content(error.to_string()))?;
        let rankings = Arc::new(RankingMaker::new(objects.clone()));
        let (loaded, busy) = Default::default();
        Ok(Self { id, database, objects, settings, program, rankings, loaded, busy })
    }

    /// Works until it is told to stop; `tell` hears of failures. Jobs that are not done then go back.
    pub fn run(&self, stop: &AtomicBool, tell: &(dyn Fn(&str) + Sync)) {
        remove_orphans();
        std::thread::scope(|scope| {
            for _ in 0..self.settings.jobs.max(1) {
                scope.spawn(|| self.work_until(stop, tell));
            }
            scope.spawn(|| self.show_until(stop));
        });
        let gone = "DELETE FROM worker WHERE id = $1";
        let _ = self.database.write(|t| t.execute(gone, &[(&self.id).into()]));
    }

    fn work_until(&self, stop: &AtomicBool, tell: &(dyn Fn(&str) + Sync)) {
        let version = program_version();
        while !stop.load(Ordering::Relaxed) {
            match self.database.lease(&self.id, &version, Time::now()) {
                Ok(Some(job)) => {
                    self.busy.fetch_add(1, Ordering::Relaxed);
                    let ended = self.keep_and_do(&job, stop);
                    self.busy.fetch_sub(1, Ordering::Relaxed);
                    self.end(&job, ended, stop, tell);
                }
                Ok(None) => wait(LOOKED_EVERY, stop),
                Err(error) => {
                    tell(&error.to_string());
                    wait(PATIENCE, stop);
                }
            }
        }
    }

    /// Does a job while its lease is renewed; ends it when the lease was lost or the program ends.
    fn keep_and_do(&self, job: &Job, stop: &AtomicBool) -> Result<(), JobsError> {
        let lost = AtomicBool::new(false);
        let should_stop = || stop.load(Ordering::Relaxed) || lost.load(Ordering::Relaxed);
        let (done, is_done) = channel::<()>();
        std::thread::scope(|scope| {
            let lost = &lost;
            scope.spawn(move || {
                while is_done.recv_timeout(RENEWED_EVERY) == Err(RecvTimeoutError::Timeout) {
                    // A database that does not answer is asked again before the lease ends.
                    if matches!(self.database.renew(job, Time::now()), Ok(false)) {
                        lost.store(true, Ordering::Relaxed);
                        return;
                    }
                }
            });
            let result = catch_unwind(AssertUnwindSafe(|| self.perform(job, &should_stop)));
            drop(done);
            result.unwrap_or_else(|_| Err(JobsError::Died("an internal error; please report it".to_owned())))
        })
    }

    fn end(&self, job: &Job, ended: Result<(), JobsError>, stop: &AtomicBool, tell: &(dyn Fn(&str) + Sync)) {
        let written = match ended {
            Ok(()) => return,
            Err(JobsError::Stopped) => self.give_back(job),
            // The submission, or what it does to the program, is the cause.
            Err(error @ (JobsError::Died(_) | JobsError::Content(_))) => {
                let why = error.to_string();
                tell(&format!("{} {}: {why}", job.kind.name(), job.subject));
                self.database.fail(job, Time::now(), &why).map(|_| ())
            }
            // Rules that do not hold together make no ranking, and nothing else waits for it.
            Err(error @ JobsError::Contest(_)) if job.kind == JobKind::Rank => {
                let why = error.to_string();
                tell(&format!("{} {}: {why}", job.kind.name(), job.subject));
                self.database.fail(job, Time::now(), &why).map(|_| ())
            }
            // The machine is the cause: a full disk, a database that is gone, a contest that cannot be read.
            Err(error) => {
                tell(&format!("{} {}: {error}", job.kind.name(), job.subject));
                let given = self.give_back(job);
                wait(PATIENCE, stop);
                given
            }
        };
        if let Err(error) = written {
            tell(&error.to_string());
        }
    }

    /// Lets others have a job at once, as if it had not been tried.
    fn give_back(&self, job: &Job) -> Result<(), StoreError> {
        let sql = "UPDATE job SET lease_until = '', attempts = attempts - 1 \
                   WHERE id = $1 AND leased_by = $2 AND attempts = $3 AND state = 'leased'";
        self.database
            .write(|t| t.execute(sql, &[(&job.id).into(), (&job.worker).into(), job.attempt.into()]))
            .map(|_| ())
    }

    /// Says that it is there.
    fn show_until(&self, stop: &AtomicBool) {
        let sql = "INSERT INTO worker (id, version, seen_at, busy) VALUES ($1, $2, $3, $4) \
                   ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at, busy = excluded.busy";
        while !stop.load(Ordering::Relaxed) {
            let busy = i64::try_from(self.busy.load(Ordering::Relaxed)).unwrap_or(0);
            let params =
                [(&self.id).into(), program_version().into(), Time::now().text().into(), busy.into()];
            // Nobody misses one sign of life.
            let _ = self.database.write(|t| t.execute(sql, &params));
            wait(RENEWED_EVERY, stop);
        }
    }

    /// The contest that rankings rest on.
    pub(super) fn contest(&self) -> Result<Arc<LoadedContest>, JobsError> {
        self.loaded_of(self.database.read(|t| queue::sources(t))?)
    }

    /// The contest that a draft is judged by: the changed one, where it is the draft of a change.
    pub(super) fn contest_of_draft(&self, rejudging: &str) -> Result<Arc<LoadedContest>, JobsError> {
        let changed = self.database.read(|t| queue::sources_of_draft(t, rejudging))?;
        if changed.is_some() { self.loaded_of(changed) } else { self.contest() }
    }

    /// The contest as the server found it last: it has teams and missions that no ranking has yet.
    pub(super) fn newest_contest(&self) -> Result<Arc<LoadedContest>, JobsError> {
        self.loaded_of(self.database.read(|t| queue::newest_sources(t))?)
    }

    fn loaded_of(&self, sources: Option<Sources>) -> Result<Arc<LoadedContest>, JobsError> {
        let sources = sources.ok_or(JobsError::NoContest)?;
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = loaded.iter().find(|known| known.sources == sources) {
            return Ok(Arc::clone(known));
        }
        let new = Arc::new(LoadedContest::load(&sources, &self.objects)?);
        // The one in effect, and that of a draft.
        loaded.truncate(1);
        loaded.insert(0, Arc::clone(&new));
        Ok(new)
    }
}

/// Waits, but not beyond the end of the program.
fn wait(time: Duration, stop: &AtomicBool) {
    const GLANCE: Duration = Duration::from_millis(50);
    let until = std::time::Instant::now() + time;
    while !stop.load(Ordering::Relaxed) {
        let left = until.saturating_duration_since(std::time::Instant::now());
        if left.is_zero() {
            return;
        }
        std::thread::sleep(left.min(GLANCE));
    }
}
