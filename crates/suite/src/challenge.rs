//! A challenge run (W-SUBMIT): a recorded log is served to a team's program, its poses are collected and judged.
//!
//! The program runs in an empty folder with a cleared environment. The relations are opened only after it ended. A
//! hostile program of the same user is not contained by that: it can read what the user can read.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use formats::usarsim::{DEFAULT_MAX_BAD_SHARE, MessageLog, read_message_log};
use metrics::MetricEvidence;
use sim::replay::{ReplayOptions, ReplayReport, ReplayServer, Speed, Until};

use crate::files::{Evaluation, Job, evaluate};
use crate::{Figures, JobError};

/// What is served to whom, and how the result is judged.
#[derive(Clone, Debug)]
pub struct Challenge {
    /// The message log.
    pub log: PathBuf,
    /// The ground truth, opened after the program ended.
    pub relations: PathBuf,
    /// The program with its arguments; `{host}`, `{port}` and `{out}` are replaced.
    pub command: String,
    /// How the log is served.
    pub replay: ReplayOptions,
    /// The program is ended after this time, seconds; none: the time of the log and 15 minutes, as in the contest.
    pub timeout_s: Option<f64>,
    /// Where the poses of the program are kept.
    pub out: PathBuf,
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
/// The search path of the program.
const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

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
    std::fs::create_dir_all(&challenge.out).map_err(|source| JobError::file(&challenge.out, source))?;
    let place = EmptyFolder::make()?;
    let poses_inside = place.path.join(POSES_NAME);
    let replay = ReplayOptions { until: Until::Stopped, ..challenge.replay };
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let server = ReplayServer::bind(address, log, MessageLog::default(), replay)?;
    let address = server.address().map_err(|source| JobError::file(&challenge.log, source))?;
    let mut child = start(&challenge.command, address, &place.path, &poses_inside)?;
    let begun = Instant::now();
    let stop = AtomicBool::new(false);
    let (served, ended) = std::thread::scope(|scope| {
        let serving = scope.spawn(|| server.run(&stop, note));
        let ended = wait(&mut child, Duration::from_secs_f64(timeout_s.clamp(0.0, 1e9)));
        stop.store(true, Ordering::Relaxed);
        (serving.join().unwrap_or_default(), ended)
    });
    let time_s = begun.elapsed().as_secs_f64();
    check(ended, timeout_s)?;
    let poses = challenge.out.join(POSES_NAME);
    collect(&poses_inside, &poses)?;
    let evaluation = judge(challenge, &poses)?;
    Ok(Challenged { evaluation, served, time_s, poses })
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

/// A folder of its own that is removed in the end.
struct EmptyFolder {
    path: PathBuf,
}

impl EmptyFolder {
    fn make() -> Result<Self, JobError> {
        let base = std::env::temp_dir();
        let mut last = None;
        for number in 0..1000 {
            let path = base.join(format!("mapjudge-challenge-{}-{number}", std::process::id()));
            match std::fs::create_dir(&path) {
                Ok(()) => return Ok(Self { path }),
                Err(source) => last = Some(source),
            }
        }
        let source = last.unwrap_or_else(|| std::io::ErrorKind::AlreadyExists.into());
        Err(JobError::file(base, source))
    }
}

impl Drop for EmptyFolder {
    fn drop(&mut self) {
        // What cannot be removed is left to the system's own cleaning of temporary files.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// Starts the program. Words that name existing files become absolute, since the program runs elsewhere.
fn start(command: &str, address: SocketAddr, folder: &Path, poses: &Path) -> Result<Child, JobError> {
    let unusable = |why: String| JobError::Program { command: command.to_owned(), why };
    let words = words_of(command).ok_or_else(|| unusable("a quote is not closed".to_owned()))?;
    let replaced = words.into_iter().map(|word| {
        let word = word.replace("{host}", &address.ip().to_string());
        let word = word.replace("{port}", &address.port().to_string());
        word.replace("{out}", &poses.display().to_string())
    });
    let absolute = replaced.map(|word| match std::fs::canonicalize(&word) {
        Ok(path) if !word.is_empty() => path.into_os_string(),
        _ => word.into(),
    });
    let words: Vec<std::ffi::OsString> = absolute.collect();
    let (program, arguments) = words.split_first().ok_or_else(|| unusable("it is empty".to_owned()))?;
    Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .env_clear()
        .env("PATH", PATH)
        .stdin(Stdio::null())
        .stdout(std::io::stderr())
        .stderr(std::io::stderr())
        .spawn()
        .map_err(|error| unusable(error.to_string()))
}

/// Words with blanks between; quotes of both kinds hold blanks together. None if a quote is not closed.
fn words_of(command: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let (mut word, mut quote) = (None::<String>, None::<char>);
    for letter in command.chars() {
        match quote {
            Some(open) if letter == open => quote = None,
            Some(_) => word.get_or_insert_default().push(letter),
            None if letter == '"' || letter == '\'' => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            None if letter.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

/// Waits for the program; none if it had to be ended.
fn wait(child: &mut Child, timeout: Duration) -> std::io::Result<Option<ExitStatus>> {
    const GLANCE: Duration = Duration::from_millis(20);
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if begun.elapsed() >= timeout {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(GLANCE);
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

/// Copies the poses out of the program's folder. A link could lead anywhere, so only a plain file is taken.
fn collect(inside: &Path, poses: &Path) -> Result<(), JobError> {
    let is_file = std::fs::symlink_metadata(inside).is_ok_and(|about| about.file_type().is_file());
    if !is_file {
        let why = "it wrote no poses to {out}".to_owned();
        return Err(JobError::Program { command: "the program".to_owned(), why });
    }
    std::fs::copy(inside, poses).map_err(|source| JobError::file(poses, source))?;
    Ok(())
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
    fn words_are_split_as_a_shell_would() {
        let split = |text: &str| words_of(text);
        assert_eq!(split("a  b\tc").unwrap(), ["a", "b", "c"]);
        assert_eq!(split("sh -c \"a 'b' c\" ''").unwrap(), ["sh", "-c", "a 'b' c", ""]);
        assert_eq!(split(" ").unwrap(), Vec::<String>::new());
        assert_eq!(split("a 'b"), None);
    }

    #[test]
    fn a_program_that_does_not_end_is_ended() {
        let mut child = Command::new("sleep").arg("60").spawn().unwrap();
        assert!(wait(&mut child, Duration::from_millis(100)).unwrap().is_none());
        let mut child = Command::new("true").spawn().unwrap();
        assert!(wait(&mut child, Duration::from_secs(60)).unwrap().unwrap().success());
    }

    #[test]
    fn a_link_is_no_file_of_poses() {
        let folder = tempfile::tempdir().unwrap();
        let (secret, link) = (folder.path().join("secret"), folder.path().join("link"));
        std::fs::write(&secret, "0 0 0 0\n").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(&secret, &link).unwrap();
        assert!(collect(&link, &folder.path().join("out")).is_err());
        assert!(collect(&secret, &folder.path().join("out")).is_ok());
    }
}
