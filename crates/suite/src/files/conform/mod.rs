//! Conformance runs (X-CONFORM): a tool file and vectors from disk, the program run on each vector, and the report.

mod command;
mod set;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use metrics::Detail;
use report::{ConformReport, ConformValue, Tool};

pub use set::{load_vectors, packed_vectors};

use super::foreign_program::{Door, EmptyFolder, Ending, Escaped, ForeignProgram, Outputs};
use super::{MAX_SETTINGS_BYTES, read_small, read_small_text};
use crate::JobError;
use crate::conform::{
    Asked, InputForm, OneOrMany, Outcome, ToolFile, ToolMetric, Vector, VectorSet, conform_report,
    judged_value, read_outcome, stage,
};
use command::{Placed, Places, resolved, words_for};

/// What a program may print.
const MAX_OUTPUT_BYTES: usize = 1 << 20;
/// Name of the file that `{out}` stands for.
const OUT_NAME: &str = "out.txt";
/// Longest version in a report, letters.
const MAX_VERSION: usize = 100;

/// A program that is held against the vectors.
#[derive(Clone, Debug)]
pub struct Conformance {
    /// The tool file.
    pub tool: PathBuf,
    /// Folders that are searched for programs before those of the system.
    pub search: Vec<PathBuf>,
    /// Programs that run at once.
    pub jobs: usize,
    /// A program is ended after this time, seconds.
    pub timeout_s: f64,
    /// Ids of the metrics that are compared; empty: all of the tool file.
    pub metrics: Vec<String>,
    /// The words that start this program, which a tool file calls `{mapjudge}`: it may live inside of another one.
    pub this_program: Vec<OsString>,
}

/// One run of the program.
struct Task<'a> {
    /// Among the metrics and variants that are asked for.
    asked: usize,
    metric: &'a ToolMetric,
    id: &'a str,
    vector: &'a Vector,
    form: InputForm,
    params: Detail,
}

/// Runs the program on every vector that it can read, and compares. `progress` is called with the number of runs that are
/// done and of all.
///
/// # Errors
/// The tool file is not valid, a program is not found, or its version cannot be had: all of it before any run. What a
/// program does in a run is a verdict, not an error.
pub fn conform(
    task: &Conformance,
    set: &VectorSet,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<ConformReport, JobError> {
    let text = read_small_text(&task.tool, MAX_SETTINGS_BYTES)?;
    let refused = |message: String| JobError::ToolFile { path: task.tool.display().to_string(), message };
    let tool = ToolFile::parse(&text).and_then(|tool| tool.check(set).map(|()| tool)).map_err(refused)?;
    let beside = task.tool.parent().unwrap_or(Path::new("")).to_owned();
    let search: Vec<PathBuf> = task.search.iter().map(std::path::absolute).filter_map(Result::ok).collect();
    let places = Places { beside: &beside, search: &search, this_program: &task.this_program };
    let runner = Runner { places, timeout: duration(task.timeout_s) };
    for metric in &tool.metrics {
        resolved(&metric.command, places).map_err(refused)?;
    }
    let version = runner.version(&tool.tool.version).map_err(refused)?;
    let is_wanted = |id: &str| task.metrics.is_empty() || task.metrics.iter().any(|wanted| wanted == id);
    let computed: Vec<&String> = tool.metrics.iter().flat_map(|metric| metric.id.list()).collect();
    if let Some(id) = task.metrics.iter().find(|id| !computed.contains(id)) {
        return Err(refused(format!("no [[metric]] computes '{id}'")));
    }
    let (asked, tasks) = plan(&tool, set, &is_wanted);
    if tasks.is_empty() {
        return Err(refused("no vector can be had in the form that it reads".to_owned()));
    }
    let done = AtomicUsize::new(0);
    let results: Vec<ConformValue> = in_parallel(&tasks, task.jobs, |task| {
        let value = runner.value(task);
        progress(done.fetch_add(1, Ordering::Relaxed) + 1, tasks.len());
        value
    })
    .into_iter()
    .collect::<Result<_, JobError>>()?;
    let mut grouped: Vec<(Asked, Vec<ConformValue>)> =
        asked.into_iter().map(|asked| (asked, Vec::new())).collect();
    for (task, value) in tasks.iter().zip(results) {
        if let Some((_, values)) = grouped.get_mut(task.asked) {
            values.push(value);
        }
    }
    grouped.retain(|(_, values)| !values.is_empty());
    Ok(conform_report(set, Tool { name: tool.tool.name, version }, grouped))
}

fn duration(seconds: f64) -> Duration {
    Duration::from_secs_f64(if seconds.is_finite() { seconds.clamp(0.0, 1e9) } else { 1e9 })
}

/// Every run, in the order of the tool file and of the vectors.
fn plan<'a>(
    tool: &'a ToolFile,
    set: &'a VectorSet,
    is_wanted: &dyn Fn(&str) -> bool,
) -> (Vec<Asked>, Vec<Task<'a>>) {
    let (mut all, mut tasks) = (Vec::new(), Vec::new());
    for metric in &tool.metrics {
        let form = metric.input.unwrap_or(tool.tool.input);
        for id in metric.id.list().iter().filter(|id| is_wanted(id)) {
            for params in metric.variants(id, set) {
                let mut asked =
                    Asked { metric: id.clone(), params: params.clone(), form, skipped: Vec::new() };
                for vector in set.vectors.iter().filter(|vector| vector.expects(id, &params).is_some()) {
                    let staged = stage(vector, form);
                    let has_places =
                        staged.is_some_and(|staged| command::has_places(&metric.command, &staged));
                    if has_places {
                        let params = params.clone();
                        tasks.push(Task { asked: all.len(), metric, id, vector, form, params });
                    } else {
                        asked.skipped.push(vector.name.clone());
                    }
                }
                all.push(asked);
            }
        }
    }
    (all, tasks)
}

/// Applies a function to each item on some threads; the results are in the order of the items.
fn in_parallel<T: Sync, R: Send>(items: &[T], threads: usize, apply: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let found: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::with_capacity(items.len()));
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, items.len().max(1)) {
            scope.spawn(|| {
                while let Some((index, item)) =
                    Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|at| Some((at, items.get(at)?)))
                {
                    let result = apply(item);
                    found.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((index, result));
                }
            });
        }
    });
    let mut found = found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    found.sort_by_key(|(index, _)| *index);
    found.into_iter().map(|(_, result)| result).collect()
}

/// How programs of the tool file are started.
struct Runner<'a> {
    places: Places<'a>,
    timeout: Duration,
}

/// What a program left behind.
struct Said {
    ending: Ending,
    output: Vec<u8>,
    errors: Vec<u8>,
}

impl Runner<'_> {
    fn run(&self, words: &[OsString], folder: &EmptyFolder) -> std::io::Result<Said> {
        let outputs = Outputs::Keep { max_bytes: MAX_OUTPUT_BYTES };
        let door = Door { search: self.places.search, outputs, escaped: Escaped::OfFolder };
        let mut program = ForeignProgram::start(words, &folder.path, door)?;
        let ending = program.wait(self.timeout)?;
        let [output, errors] = program.said();
        Ok(Said { ending, output, errors })
    }

    /// The first line that the command of the version prints, or the version itself.
    fn version(&self, version: &OneOrMany) -> Result<String, String> {
        let words = match version {
            OneOrMany::One(version) => return Ok(version.clone()),
            OneOrMany::Many(words) => resolved(words, self.places)?,
        };
        let failed = |why: String| format!("the command of the version: {why}");
        let folder = EmptyFolder::make("conform").map_err(|error| failed(error.to_string()))?;
        let said = self.run(&words, &folder).map_err(|error| failed(error.to_string()))?;
        let line = |bytes: &[u8]| {
            let text = String::from_utf8_lossy(bytes).into_owned();
            let line = text.lines().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned);
            line.map(|line| line.chars().take(MAX_VERSION).collect::<String>())
        };
        match said.ending {
            Ending::Exited(status) if status.success() => line(&said.output)
                .or_else(|| line(&said.errors))
                .ok_or_else(|| failed("it printed nothing".to_owned())),
            Ending::Exited(status) => {
                let words = String::from_utf8_lossy(&said.errors).into_owned();
                let last = words.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
                Err(failed(format!("{status}: {last}")))
            }
            Ending::TimedOut => Err(failed("it took too long".to_owned())),
            Ending::TooMuchOutput => Err(failed("it printed more than 1 MiB".to_owned())),
        }
    }

    /// Runs the program on a vector and judges its answer.
    fn value(&self, task: &Task<'_>) -> Result<ConformValue, JobError> {
        let outcome = self.outcome(task)?;
        let missing = || JobError::ToolFile { path: task.id.to_owned(), message: "no such value".to_owned() };
        let expected = task.vector.expects(task.id, &task.params).ok_or_else(missing)?;
        Ok(judged_value(task.vector, expected, outcome, &task.metric.known))
    }

    fn outcome(&self, task: &Task<'_>) -> Result<Outcome, JobError> {
        let Some(staged) = stage(task.vector, task.form) else {
            return Ok(Outcome::Crashed("the vector cannot be had in this form".to_owned()));
        };
        let folder = EmptyFolder::make("conform")?;
        for (name, bytes) in &staged.files {
            folder.write(name, bytes)?;
        }
        let placed = Placed { folder: &folder.path, staged: &staged, metric: task.id, params: &task.params };
        let words = words_for(&task.metric.command, &placed, OUT_NAME);
        let words = match resolved(&words, self.places) {
            Ok(words) => words,
            Err(why) => return Ok(Outcome::Crashed(why)),
        };
        let said = match self.run(&words, &folder) {
            Ok(said) => said,
            Err(error) => return Ok(Outcome::Crashed(format!("it could not be started: {error}"))),
        };
        let status = match said.ending {
            Ending::TimedOut => return Ok(Outcome::TimedOut),
            Ending::TooMuchOutput => return Ok(Outcome::Crashed("it printed more than 1 MiB".to_owned())),
            Ending::Exited(status) => status,
        };
        let writes_file = task.metric.command.iter().any(|word| word.contains("{out}"));
        let output = match writes_file.then(|| written(&folder.path.join(OUT_NAME))) {
            None => said.output,
            Some(Some(bytes)) => bytes,
            Some(None) if status.success() => {
                return Ok(Outcome::Crashed("it wrote no file to {out}, or a large one".to_owned()));
            }
            Some(None) => Vec::new(),
        };
        Ok(told_here(read_outcome(task.metric, status.code(), &output, &said.errors), &folder.path))
    }
}

/// A file that a program wrote. A link could lead anywhere, so only a plain file is taken.
fn written(path: &Path) -> Option<Vec<u8>> {
    let is_plain = std::fs::symlink_metadata(path).is_ok_and(|about| about.file_type().is_file());
    is_plain.then(|| read_small(path, MAX_OUTPUT_BYTES as u64).ok()).flatten()
}

/// The same without the name of the folder, which is another one in each run.
fn told_here(outcome: Outcome, folder: &Path) -> Outcome {
    match outcome {
        Outcome::Crashed(why) => Outcome::Crashed(why.replace(&folder.display().to_string(), ".")),
        other => other,
    }
}
