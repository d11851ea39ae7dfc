//! A challenge run (W-SUBMIT): a recorded log is served to a team's program, its poses are collected and judged.
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
use metrics::MetricEvidence;
use sim::replay::{ReplayOptions, ReplayReport, ReplayServer, Speed, Until};

use crate::files::team_program::{EmptyFolder, TeamProgram};
use crate::files::{Evaluation, Job, OutputFolder, evaluate, read_small};
use crate::{Figures, JobError};

/// What is served to whom, and how the result is judged.
#[derive(Clone, Debug)]
pub struct Challenge {
    /// The message log.
    pub log: PathBuf,
    /// The ground truth. It is read before and after the program, and must not change.
    pub relations: PathBuf,
    /// The program with its arguments; `{host}`, `{port}` and `{out}` are replaced.
    pub command: String,
    /// How the log is served.
    pub replay: ReplayOptions,
    /// The program is ended after this time, seconds; none: the time of the log and 15 minutes, as in the contest.
    pub timeout_s: Option<f64>,
    /// Where the poses of the program are kept.
    pub out: OutputFolder,
    /// How poses and relations are read and matched.
    pub judging: Job,
}

/// What a challenge gave.
#[derive(Debug)]
pub struct Challenged {
    /// The judgement.
    pub evaluation: Evaluation,
    /// What the program was sent.
    pub served: ReplayReport,
    /// Seconds that the program ran.
    pub time_s: f64,
    /// The poses that it wrote.
    pub poses: PathBuf,
}

/// Name of the file of poses in the folder of results.
const POSES_NAME: &str = "poses.xyt";
/// Processing time of the contest, seconds (X-TIME).
const PROCESSING_S: f64 = 900.0;
/// Largest file of poses.
const MAX_POSES_BYTES: u64 = 1 << 30;
/// Largest file of relations.
const MAX_RELATIONS_BYTES: u64 = 1 << 30;

/// Serves, runs, collects, judges. `note` is told what happens, in words.
///
/// # Errors
/// The log cannot be read or served, the program cannot be started, fails, takes too long or writes no poses, or the
/// poses cannot be judged.
pub fn challenge(challenge: &Challenge, note: &(dyn Fn(&str) + Sync)) -> Result<Challenged, JobError> {
    let max_bad_share = challenge.judging.read.max_bad_share.unwrap_or(DEFAULT_MAX_BAD_SHARE);
    let log = read_message_log(&challenge.log, max_bad_share)?;
    let timeout_s =
        challenge.timeout_s.unwrap_or_else(|| duration_s(&log, challenge.replay.speed) + PROCESSING_S);
    let relations = fingerprint(&challenge.relations)?;
    let place = EmptyFolder::make()?;
    let poses_inside = place.path.join(POSES_NAME);
    let replay = ReplayOptions { until: Until::Stopped, ..challenge.replay };
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let server = ReplayServer::bind(address, log, MessageLog::default(), replay)?;
    let address = server.address().map_err(|source| JobError::file(&challenge.log, source))?;
    let mut program = TeamProgram::start(&challenge.command, address, &place.path, &poses_inside)?;
    let begun = Instant::now();
    let stop = AtomicBool::new(false);
    let (served, ended) = std::thread::scope(|scope| {
        let serving = scope.spawn(|| server.run(&stop, note));
        let ended = program.wait(Duration::from_secs_f64(timeout_s.clamp(0.0, 1e9)));
        stop.store(true, Ordering::Relaxed);
        (serving.join().unwrap_or_default(), ended)
    });
    let time_s = begun.elapsed().as_secs_f64();
    drop(program);
    check(ended, timeout_s)?;
    if fingerprint(&challenge.relations)? != relations {
        let why = format!("{} is not what it was before it ran", challenge.relations.display());
        return Err(JobError::Program { command: "the program".to_owned(), why });
    }
    let poses = collect(&poses_inside)?;
    challenge.out.write(POSES_NAME, poses)?;
    challenge.out.commit()?;
    let poses = challenge.out.path().join(POSES_NAME);
    let evaluation = judge(challenge, &poses)?;
    Ok(Challenged { evaluation, served, time_s, poses })
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

fn check(ended: std::io::Result<Option<ExitStatus>>, timeout_s: f64) -> Result<(), JobError> {
    let failed = |why: String| Err(JobError::Program { command: "the program".to_owned(), why });
    match ended {
        Ok(Some(status)) if status.success() => Ok(()),
        Ok(Some(status)) => failed(format!("it ended with {status}")),
        Ok(None) => failed(format!("it was ended after {timeout_s} s")),
        Err(error) => failed(error.to_string()),
    }
}

/// The poses in the program's folder. A link could lead anywhere, so only a plain file is taken.
fn collect(inside: &Path) -> Result<Vec<u8>, JobError> {
    let about = std::fs::symlink_metadata(inside).ok().filter(|about| about.file_type().is_file());
    let Some(about) = about else {
        let why = "it wrote no poses to {out}".to_owned();
        return Err(JobError::Program { command: "the program".to_owned(), why });
    };
    if about.len() > MAX_POSES_BYTES {
        return Err(JobError::FileTooLarge { path: POSES_NAME.to_owned(), max_bytes: MAX_POSES_BYTES });
    }
    read_small(inside, MAX_POSES_BYTES)
}

fn judge(challenge: &Challenge, poses: &Path) -> Result<Evaluation, JobError> {
    let mut job = challenge.judging.clone();
    job.inputs.trajectories = vec![poses.to_owned()];
    job.inputs.relations = Some(challenge.relations.clone());
    job.plan.figures = Figures::Draw;
    evaluate(&job, &|_| {})
}

/// The table of Kleiner et al. 2009 (Table 1) as Markdown: mean, deviation and largest of the absolute and of the
/// squared error, of translation and of rotation.
#[must_use]
pub fn error_table(evaluation: &Evaluation) -> String {
    let mut text = String::from(
        "| team | relations | abs. trans. (m) | sqr. trans. (m²) | max. trans. (m) | abs. rot. (deg) | max. rot. (deg) |\n|---|---|---|---|---|---|---|\n",
    );
    for case in &evaluation.report.cases {
        let evidence = case.metrics.iter().find_map(|record| match &record.evidence.of_metric {
            Some(MetricEvidence::Relations(relations)) => Some(relations),
            _ => None,
        });
        let Some(relations) = evidence else { continue };
        let (trans, rot) = (&relations.translation_m, &relations.rotation_deg);
        text.push_str(&format!(
            "| {} | {} | {:.4} ± {:.4} | {:.4} ± {:.4} | {:.4} | {:.4} ± {:.4} | {:.4} |\n",
            case.name,
            relations.matched,
            trans.mean,
            trans.std,
            trans.mean_square,
            trans.std_square,
            trans.max,
            rot.mean,
            rot.std,
            rot.max,
        ));
    }
    text
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
        assert!(collect(&link).is_err());
        assert_eq!(collect(&secret).unwrap(), b"0 0 0 0\n");
    }
}
