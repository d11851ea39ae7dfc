//! A challenge run (W-SUBMIT): a recorded log is served to the programs of teams, one after the other, their poses are
//! collected and judged together.
//!
//! The program runs in an empty folder with a cleared environment, in a group of processes of its own that ends with it.
//! While it runs no open file and no folder of this process leads to the relations, which must be the same after it as
//! before. A hostile program of the same user is not contained by that: it can read what the user can read.

use std::io::Read;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use formats::usarsim::{DEFAULT_MAX_BAD_SHARE, MessageLog, read_message_log};
use sim::replay::{ReplayOptions, ReplayReport, ReplayServer, Speed, Until};

use crate::files::foreign_program::EmptyFolder;
use crate::files::team_program::TeamProgram;
use crate::files::{Evaluation, Job, OutputFolder, evaluate, read_small};
use crate::{Figures, JobError};

/// What is served to whom, and how the result is judged.
#[derive(Clone, Debug)]
pub struct Challenge {
    /// The message log.
    pub log: PathBuf,
    /// The ground truth. It is read before and after the program, and must not change.
    pub relations: PathBuf,
    /// Whose programs run, in this order.
    pub teams: Vec<Team>,
    /// How the log is served.
    pub replay: ReplayOptions,
    /// The program is ended after this time, seconds; none: the time of the log and 15 minutes, as in the contest.
    pub timeout_s: Option<f64>,
    /// Where the poses of the programs are kept.
    pub out: OutputFolder,
    /// How poses and relations are read and matched.
    pub judging: Job,
}

/// A team and its program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Team {
    /// Names its poses in the folder of results and its row in the tables.
    pub name: String,
    /// The program with its arguments; `{host}`, `{port}` and `{out}` are replaced.
    pub command: String,
}

/// Name of a team without a name.
pub const ONLY_TEAM: &str = "poses";

impl Team {
    /// Whose program it is, in errors. The command itself may hold what others must not see.
    fn told(&self) -> String {
        if self.name == ONLY_TEAM {
            "the program".to_owned()
        } else {
            format!("the program of {}", self.name)
        }
    }

    /// The file of its poses in the folder of results.
    #[must_use]
    pub fn poses_name(&self) -> String {
        format!("{}.xyt", self.name)
    }
}

/// What a challenge gave.
#[derive(Debug)]
pub struct Challenged {
    /// The judgement of every team that wrote poses.
    pub evaluation: Evaluation,
    /// What became of each team, in their order.
    pub runs: Vec<ProgramRun>,
}

/// How the program of a team ran.
#[derive(Debug)]
pub struct ProgramRun {
    /// Name of the team.
    pub team: String,
    /// What the program was sent.
    pub served: ReplayReport,
    /// Seconds that the program ran.
    pub time_s: f64,
    /// Why it has no poses, in words.
    pub failure: Option<String>,
}

/// Name of the file of poses in the folder of a program.
const POSES_NAME: &str = "poses.xyt";
/// Processing time of the contest, seconds (X-TIME).
const PROCESSING_S: f64 = 900.0;
/// Largest file of poses.
const MAX_POSES_BYTES: u64 = 1 << 30;
/// Largest file of relations.
const MAX_RELATIONS_BYTES: u64 = 1 << 30;

/// Serves, runs, collects, judges. `note` is told what happens, in words. Nothing of one team is written before the last
/// one has ended, so that none can read another's poses. The program of a single team must not fail; of several, those
/// that do are left out and told.
///
/// # Errors
/// The log cannot be read or served, every program fails (cannot be started, takes too long or writes no poses), the
/// relations changed meanwhile, or no poses can be judged.
pub fn challenge(challenge: &Challenge, note: &(dyn Fn(&str) + Sync)) -> Result<Challenged, JobError> {
    let max_bad_share = challenge.judging.read.max_bad_share.unwrap_or(DEFAULT_MAX_BAD_SHARE);
    let log = read_message_log(&challenge.log, max_bad_share)?;
    let relations = fingerprint(&challenge.relations)?;
    let (mut runs, mut written, mut first_failure) = (Vec::new(), Vec::new(), None);
    for team in &challenge.teams {
        let ran = run_program(challenge, team, &log, note)?;
        if fingerprint(&challenge.relations)? != relations {
            let why = format!("{} is not what it was before it ran", challenge.relations.display());
            return Err(JobError::Program { command: team.told(), why });
        }
        let failure = match ran.poses {
            Ok(poses) => {
                written.push((team.poses_name(), poses));
                None
            }
            Err(error) => {
                let words = error.to_string();
                first_failure.get_or_insert(error);
                Some(words)
            }
        };
        runs.push(ProgramRun { team: team.name.clone(), served: ran.served, time_s: ran.time_s, failure });
    }
    if let Some(error) = first_failure.filter(|_| written.is_empty()) {
        return Err(error);
    }
    let paths: Vec<PathBuf> = written.iter().map(|(name, _)| challenge.out.path().join(name)).collect();
    for (name, poses) in written {
        challenge.out.write(&name, poses)?;
    }
    challenge.out.commit()?;
    Ok(Challenged { evaluation: judge(challenge, paths)?, runs })
}

/// What came of the program of one team.
struct Ran {
    served: ReplayReport,
    time_s: f64,
    /// What it wrote, or why there is nothing.
    poses: Result<Vec<u8>, JobError>,
}

/// Serves the log to the program of one team, in an empty folder of its own.
fn run_program(
    challenge: &Challenge,
    team: &Team,
    log: &MessageLog,
    note: &(dyn Fn(&str) + Sync),
) -> Result<Ran, JobError> {
    let timeout_s =
        challenge.timeout_s.unwrap_or_else(|| duration_s(log, challenge.replay.speed) + PROCESSING_S);
    let place = EmptyFolder::make("challenge")?;
    let poses_inside = place.path.join(POSES_NAME);
    let replay = ReplayOptions { until: Until::Stopped, ..challenge.replay };
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let server = ReplayServer::bind(address, log.clone(), MessageLog::default(), replay)?;
    let address = server.address().map_err(|source| JobError::file(&challenge.log, source))?;
    let begun = Instant::now();
    let mut program = match TeamProgram::start(&team.command, address, &place.path, &poses_inside) {
        Ok(program) => program,
        Err(error) => return Ok(Ran { served: ReplayReport::default(), time_s: 0.0, poses: Err(error) }),
    };
    let stop = AtomicBool::new(false);
    let (served, ended) = std::thread::scope(|scope| {
        let serving = scope.spawn(|| server.run(&stop, note));
        let ended = program.wait(Duration::from_secs_f64(timeout_s.clamp(0.0, 1e9)));
        stop.store(true, Ordering::Relaxed);
        (serving.join().unwrap_or_default(), ended)
    });
    let time_s = begun.elapsed().as_secs_f64();
    drop(program);
    let poses = check(ended, timeout_s, team).and_then(|()| collect(&poses_inside, team));
    Ok(Ran { served, time_s, poses })
}

/// The hash of a file.
fn fingerprint(path: &Path) -> Result<blake3::Hash, JobError> {
    let file = std::fs::File::open(path).map_err(|source| JobError::file(path, source))?;
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(file.take(MAX_RELATIONS_BYTES)).map_err(|source| JobError::file(path, source))?;
    Ok(hasher.finalize())
}

/// The time that a log takes to be served, seconds.
fn duration_s(log: &MessageLog, speed: Speed) -> f64 {
    let times_s: Vec<f64> = log.times_s().into_iter().flatten().collect();
    let extent_s = match (times_s.first(), times_s.last()) {
        (Some(first_s), Some(last_s)) => (last_s - first_s).max(0.0),
        _ => 0.0,
    };
    match speed {
        Speed::Times(times) => extent_s / times,
        Speed::Max => 0.0,
    }
}

fn check(ended: std::io::Result<Option<ExitStatus>>, timeout_s: f64, team: &Team) -> Result<(), JobError> {
    let failed = |why: String| Err(JobError::Program { command: team.told(), why });
    match ended {
        Ok(Some(status)) if status.success() => Ok(()),
        Ok(Some(status)) => failed(format!("it ended with {status}")),
        Ok(None) => failed(format!("it was ended after {timeout_s} s")),
        Err(error) => failed(error.to_string()),
    }
}

/// The poses in the program's folder. A link could lead anywhere, so only a plain file is taken.
fn collect(inside: &Path, team: &Team) -> Result<Vec<u8>, JobError> {
    let about = std::fs::symlink_metadata(inside).ok().filter(|about| about.file_type().is_file());
    let Some(about) = about else {
        let why = "it wrote no poses to {out}".to_owned();
        return Err(JobError::Program { command: team.told(), why });
    };
    if about.len() > MAX_POSES_BYTES {
        return Err(JobError::FileTooLarge { path: POSES_NAME.to_owned(), max_bytes: MAX_POSES_BYTES });
    }
    read_small(inside, MAX_POSES_BYTES)
}

fn judge(challenge: &Challenge, poses: Vec<PathBuf>) -> Result<Evaluation, JobError> {
    let mut job = challenge.judging.clone();
    job.inputs.trajectories = poses;
    job.inputs.relations = Some(challenge.relations.clone());
    job.plan.figures = Figures::Draw;
    evaluate(&job, &|_| {})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_no_file_of_poses() {
        let folder = tempfile::tempdir().unwrap();
        let (secret, link) = (folder.path().join("secret"), folder.path().join("link"));
        std::fs::write(&secret, "0 0 0 0\n").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(&secret, &link).unwrap();
        let team = Team { name: ONLY_TEAM.to_owned(), command: String::new() };
        assert!(collect(&link, &team).is_err());
        assert_eq!(collect(&secret, &team).unwrap(), b"0 0 0 0\n");
    }
}
