//! Submissions measured in processes of their own, with limits: one that exhausts memory, stack or time costs its team
//! a score and nobody else anything.
//!
//! A worker is this program once more. It is told the contest on its first line of input, then two numbers per line,
//! team and mission, and answers each with one line of JSON. A worker measures many submissions, because most of its
//! start is the truth; one that fails is replaced, and the submission is tried once more in a fresh worker, which holds
//! nothing of others.

use std::process::Command;
use std::sync::Mutex;

use model::{Finding, Level};

use super::contest_file::ContestFolder;
use super::worker::Task;
use crate::contest::{FileFinding, Measured, Measurement, Measurer};
use crate::files::worker_process::{Failed, WorkerLimits, WorkerProcess, memory};
use crate::{Figures, JobError};

/// Processes that measure the submissions of one contest; they end with this value.
pub struct Workers {
    folder: ContestFolder,
    task: Vec<u8>,
    limits: WorkerLimits,
    command: Box<dyn Fn() -> Command + Send + Sync>,
    idle: Mutex<Vec<WorkerProcess>>,
    /// Why no worker can be started at all.
    failed_start: Mutex<Option<String>>,
}

impl Workers {
    /// Workers for a contest; `command` starts one. None is started before there is something to measure.
    ///
    /// # Errors
    /// The contest cannot be told to another process, because a path is no text.
    pub fn new(
        folder: &ContestFolder,
        figures: Figures,
        limits: WorkerLimits,
        command: impl Fn() -> Command + Send + Sync + 'static,
    ) -> Result<Self, JobError> {
        let task = Task::of(folder, figures).to_line()?;
        let (idle, failed_start) = Default::default();
        let command = Box::new(command);
        Ok(Self { folder: folder.clone(), task, limits, command, idle, failed_start })
    }

    /// Why no worker could be started, if so: then nothing of the result holds.
    #[must_use]
    pub fn start_failure(&self) -> Option<String> {
        self.failed_start.lock().ok().and_then(|failed| failed.clone())
    }

    /// A worker that has measured others, or none.
    fn used(&self) -> Option<WorkerProcess> {
        self.idle.lock().ok().and_then(|mut idle| idle.pop())
    }

    /// Asks a worker, and keeps it for the next submission if it answers.
    fn ask(&self, mut worker: WorkerProcess, place: (usize, usize)) -> Result<Measured, Failed> {
        let (team, mission) = place;
        let answer = worker.exchange(format!("{team} {mission}\n").as_bytes(), self.limits.max_time)?;
        let measured = serde_json::from_slice(&answer)
            .map_err(|error| Failed::Ended(format!("gave no answer: {error}")))?;
        if let Ok(mut idle) = self.idle.lock() {
            idle.push(worker);
        }
        Ok(measured)
    }

    fn fresh(&self) -> Option<WorkerProcess> {
        if self.start_failure().is_some() {
            return None;
        }
        match WorkerProcess::start((self.command)(), &self.task, self.limits.max_time) {
            Ok(worker) => Some(worker),
            Err(why) => {
                self.failed_start.lock().ok()?.get_or_insert(why);
                None
            }
        }
    }

    /// The result of a submission whose measurement failed.
    fn refused(&self, (team, mission): (usize, usize), failed: &Failed) -> Measured {
        let (team, mission) = (&self.folder.file.teams[team], &self.folder.file.missions[mission]);
        let (code, why, hint) = match failed {
            Failed::TooLong => {
                let seconds = self.limits.max_time.as_secs_f64();
                let why = format!("the judging took longer than {seconds} s");
                ("JUDGING_TOO_LONG", why, "look at the files; allow more time if they are honest")
            }
            Failed::OutOfMemory => {
                let why = format!("the judging needed more than {}", memory(self.limits.max_memory_bytes));
                ("JUDGING_OUT_OF_MEMORY", why, "look at the files; allow more memory if they are honest")
            }
            Failed::Ended(how) => {
                ("JUDGING_ABORTED", format!("the judging {how}"), "please report it with the files")
            }
        };
        let file = self.folder.team_folder(team, mission).to_string_lossy().replace('\\', "/");
        let finding = Finding::new(Level::Error, code, why.clone()).hint(hint);
        Measured { findings: vec![FileFinding { file, finding }], ..Measured::broken(why) }
    }
}

impl Measurer for Workers {
    fn measure(&self, team: usize, mission: usize) -> Measurement {
        let place = (team, mission);
        if let Some(worker) = self.used() {
            match self.ask(worker, place) {
                Ok(measured) => return Measurement { measured, is_repeatable: true },
                Err(Failed::TooLong) => {
                    return Measurement {
                        measured: self.refused(place, &Failed::TooLong),
                        is_repeatable: false,
                    };
                }
                // What others left in its memory may be the cause: a fresh worker decides.
                Err(Failed::OutOfMemory | Failed::Ended(_)) => {}
            }
        }
        let Some(worker) = self.fresh() else {
            let failed = Failed::Ended("could not be started".to_owned());
            return Measurement { measured: self.refused(place, &failed), is_repeatable: false };
        };
        match self.ask(worker, place) {
            Ok(measured) => Measurement { measured, is_repeatable: true },
            Err(failed) => Measurement { measured: self.refused(place, &failed), is_repeatable: false },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::time::Duration;

    use super::*;

    /// Workers that are a script of the shell: `$team` is the number of the team.
    #[cfg(unix)]
    fn scripted(answer: &str, max_time_ms: u64) -> Workers {
        let teams = "[[teams]]\nname = 'A'\nfolder = 'a'\n[[teams]]\nname = 'B'\nfolder = 'b'\n";
        let text = format!("profile = 'vr-2008'\n{teams}");
        let folder = ContestFolder::parse(&text, "contest.toml", PathBuf::new()).unwrap();
        let script = format!("read task; echo ready; while read team mission; do {answer}; done");
        let limits = WorkerLimits { max_memory_bytes: 2 << 30, max_time: Duration::from_millis(max_time_ms) };
        let command = move || {
            let mut command = Command::new("sh");
            command.args(["-c", &script]);
            command
        };
        Workers::new(&folder, Figures::None, limits, command).unwrap()
    }

    #[cfg(unix)]
    fn good() -> String {
        format!("echo '{}'", serde_json::to_string(&Measured::default()).unwrap())
    }

    #[cfg(unix)]
    #[test]
    fn whatever_happens_to_the_process_of_one_team_the_next_is_measured() {
        let harms = [
            ("kill -ABRT $$", "JUDGING_ABORTED", "signal 6"),
            ("kill -KILL $$", "JUDGING_ABORTED", "signal 9"),
            ("exit 3", "JUDGING_ABORTED", "ended without an answer"),
            ("echo nonsense", "JUDGING_ABORTED", "gave no answer"),
            ("echo memory allocation of 9 bytes failed >&2; kill -ABRT $$", "JUDGING_OUT_OF_MEMORY", "2 GiB"),
            ("sleep 600", "JUDGING_TOO_LONG", "longer than 1.5 s"),
        ];
        for (harm, code, words) in harms {
            let workers = scripted(&format!("if [ $team = 0 ]; then {harm}; else {}; fi", good()), 1500);
            for _ in 0..2 {
                let kept = workers.measure(1, 0);
                assert_eq!((kept.measured.broken, kept.is_repeatable), (None, true), "{harm}");
                let lost = workers.measure(0, 0);
                let why = lost.measured.broken.unwrap();
                assert!(why.contains(words) && !lost.is_repeatable, "{harm}: {why}");
                assert_eq!(lost.measured.findings[0].finding.code, code, "{harm}");
                assert_eq!(lost.measured.findings[0].file, "a");
            }
            assert_eq!(workers.start_failure(), None);
        }
    }

    #[cfg(unix)]
    #[test]
    fn remains_of_others_in_a_process_are_no_fault_of_a_team() {
        // The second submission of a worker fails, whichever it is.
        let workers = scripted(&format!("n=$((n + 1)); [ $n -lt 2 ] || exit 1; {}", good()), 5000);
        for team in [0, 1, 0, 1] {
            assert_eq!(workers.measure(team, 0).measured.broken, None);
        }
    }

    #[cfg(unix)]
    #[test]
    fn processes_that_do_not_start_are_an_error_of_the_contest() {
        let text = "profile = 'vr-2008'\n[[teams]]\nname = 'A'\nfolder = 'a'\n";
        let folder = ContestFolder::parse(text, "contest.toml", PathBuf::new()).unwrap();
        let limits = WorkerLimits { max_memory_bytes: 1 << 30, max_time: Duration::from_secs(5) };
        for (program, words) in [("/no/such/program", "No such file"), ("false", "ended without an answer")] {
            let workers =
                Workers::new(&folder, Figures::None, limits, move || Command::new(program)).unwrap();
            assert!(workers.measure(0, 0).measured.broken.is_some());
            assert!(workers.start_failure().unwrap().contains(words), "{:?}", workers.start_failure());
        }
    }
}
