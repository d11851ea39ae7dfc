//! A job: files to judge and how, from a TOML file, from flags, or from code.
//!
//! Flags go over the job file, the job file over the defaults. Paths in a job file are relative to its folder.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use model::{Finding, Level};
use rayon::prelude::*;
use report::{CaseReport, Report};

use super::floors::{evaluate_floors, without_single_floor};
use super::job_inputs::JobInputs;
use super::loader::Loader;
use super::names::case_names;
use super::resolutions::Resolutions;
use super::rules::RuleFiles;
use crate::judge::{Judged, choose, judge_case, judge_last};
use crate::trajectory::compare_runs;
use crate::{JobError, Loaded, Plan, ReadOptions, Subject, Truth, Verdict, hold, new_report};

/// What is to be judged and how. The default reads and measures as the documentation says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Job {
    /// The files.
    pub inputs: JobInputs,
    /// How they are read.
    pub read: ReadOptions,
    /// Cell sizes for one side alone.
    pub resolutions: Resolutions,
    /// How they are judged.
    pub plan: Plan,
    /// What the values are held against.
    pub rules: RuleFiles,
}

/// What a job gave.
#[derive(Debug)]
pub struct Evaluation {
    /// The report.
    pub report: Report,
    /// Whether limits, baseline and the metrics asked for by name held.
    pub verdict: Verdict,
    /// The cases that could not be judged, by name, and why; the report has each as a case with an error.
    pub failures: Vec<(String, JobError)>,
}

/// Carries out a job: load, judge each, hold against limits. `progress` is called with the number of finished cases.
///
/// A case that cannot be read or judged does not stop the others.
///
/// # Errors
/// A truth or rule that cannot be read, a name or parameter that does not exist, or one error that every case has.
pub fn evaluate(job: &Job, progress: &(dyn Fn(usize) + Sync)) -> Result<Evaluation, JobError> {
    let job = &without_single_floor(job);
    job.check()?;
    if !job.inputs.floors.is_empty() {
        return evaluate_floors(job, progress);
    }
    let loader = job.loader();
    let mut truth = job.load_truth(&loader)?;
    let (plan, rules) = (job.load_plan()?, job.rules.load(&loader)?);
    let sources = job.sources();
    let outcomes = job.judge_all(&loader, &sources, &mut truth, &plan, progress);
    let outcomes = unless_all_fail_alike(outcomes)?;
    let judged: Vec<&Judged> = outcomes.iter().flatten().collect();
    let comparison = compare_runs(&plan, &truth, &judged);
    let mut failures = Vec::new();
    let mut cases = Vec::with_capacity(outcomes.len());
    for (source, outcome) in sources.iter().zip(outcomes) {
        cases.push(outcome.map_or_else(
            |error| {
                let case = source.not_judged(&loader, &error);
                failures.push((source.name.clone(), error));
                case
            },
            |judged| judged.report,
        ));
    }
    if let (Some((_, finding)), Some(first)) = (&comparison, cases.first_mut()) {
        first.findings.push(finding.clone());
    }
    if let Some(first) = cases.first_mut() {
        first.findings.extend(rules.baseline.as_ref().and_then(|baseline| unseen(baseline, &sources)));
    }
    let mut report = new_report(cases);
    report.comparison = comparison.map(|(comparison, _)| comparison);
    let named = |id: &str| {
        plan.metrics.iter().any(|name| name == id)
            || truth.relations.is_some() && id == "relative_displacement"
    };
    let verdict = hold(&mut report, &rules, &named).map_err(|source| JobError::Baseline {
        path: job.rules.baseline.as_deref().map_or_else(String::new, |path| loader.told(path)),
        source: Box::new(source),
    })?;
    Ok(Evaluation { report, verdict, failures })
}

impl Job {
    /// Each source judged, in their order. After the only one the truth has no poses left.
    fn judge_all(
        &self,
        loader: &Loader,
        sources: &[Source],
        truth: &mut Truth,
        plan: &Plan,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Vec<Result<Judged, JobError>> {
        if let [only] = sources {
            let judged = self
                .load_subject(loader, only, truth)
                .and_then(|mut subject| judge_last(&mut subject, truth, plan));
            progress(1);
            return vec![judged];
        }
        let (truth, done) = (&*truth, AtomicUsize::new(0));
        let one = |source: &Source| {
            let judged = self.load_subject(loader, source, truth).and_then(|s| judge_case(&s, truth, plan));
            progress(done.fetch_add(1, Ordering::Relaxed) + 1);
            judged
        };
        sources.par_iter().map(one).collect()
    }
}

/// The finding about cases that a baseline has and a job has not: a map that fell out of a nightly run is no success.
fn unseen(baseline: &Report, sources: &[Source]) -> Option<Finding> {
    let is_seen = |name: &str| sources.iter().any(|source| source.name == name);
    let names = baseline.cases.iter().map(|case| case.name.as_str()).filter(|name| !is_seen(name));
    let names: Vec<String> = names.map(|name| format!("'{name}'")).collect();
    if names.is_empty() || names.len() == baseline.cases.len() {
        return None;
    }
    let message = format!("the baseline has cases that were not judged now: {}", names.join(", "));
    let hint = "judge them too, or renew the baseline";
    Some(Finding::warning("BASELINE_CASES_UNSEEN", message).hint(hint))
}

/// What every case of a job says, or the only one, is the fault of the job and not of a file.
fn unless_all_fail_alike(
    mut outcomes: Vec<Result<Judged, JobError>>,
) -> Result<Vec<Result<Judged, JobError>>, JobError> {
    let words: Option<Vec<String>> =
        outcomes.iter().map(|outcome| outcome.as_ref().err().map(ToString::to_string)).collect();
    let is_common = words.is_some_and(|words| words.windows(2).all(|pair| pair[0] == pair[1]));
    match outcomes.first() {
        Some(Err(_)) if is_common => outcomes.swap_remove(0).map(|_| Vec::new()),
        _ => Ok(outcomes),
    }
}

/// The file that a case is about.
struct Source {
    name: String,
    /// Among the files of its kind.
    index: usize,
    file: SourceFile,
}

enum SourceFile {
    Map(PathBuf),
    Trajectory(PathBuf),
    Points(PathBuf),
}

impl Source {
    /// The case of a report that says why this file was not judged.
    fn not_judged(&self, loader: &Loader, error: &JobError) -> CaseReport {
        let (role, path) = match &self.file {
            SourceFile::Map(path) => ("map", path),
            SourceFile::Trajectory(path) => ("trajectory", path),
            SourceFile::Points(path) => ("points", path),
        };
        let finding = not_judged(error, path);
        CaseReport::not_judged(self.name.clone(), vec![loader.unread_input(role, path)], finding)
    }
}

/// Why a file was not judged.
pub(super) fn not_judged(error: &JobError, path: &Path) -> Finding {
    let hint = match error {
        JobError::Read(error) => error.hint(),
        _ => None,
    };
    Finding {
        level: Level::Error,
        code: error.code().to_ascii_uppercase().into(),
        line: None,
        message: without_folder(path, &error.to_string()),
        hint: hint.map(|hint| without_folder(path, &hint)),
    }
}

/// A message without the folder of an absolute path: a report says nothing about a machine.
fn without_folder(path: &Path, message: &str) -> String {
    match path.parent().filter(|_| path.is_absolute()) {
        Some(folder) => message.replace(&format!("{}/", folder.display()), ""),
        None => message.to_owned(),
    }
}

impl Job {
    /// Reads a job file; its paths are taken relative to its folder.
    ///
    /// # Errors
    /// The file cannot be read, or is no valid job.
    pub fn from_file(path: &Path) -> Result<Self, JobError> {
        let text = Loader::default().text(path, 16 << 20)?.value;
        let job = Self::parse(&text)
            .map_err(|message| JobError::JobFile { path: path.display().to_string(), message })?;
        Ok(job.relative_to(path.parent().unwrap_or(Path::new(""))))
    }

    pub(super) fn relative_to(mut self, folder: &Path) -> Self {
        let rules = [&mut self.rules.limits, &mut self.rules.baseline];
        for path in self.inputs.paths().into_iter().chain(rules.into_iter().flatten()) {
            *path = folder.join(&*path);
        }
        self
    }

    /// What the job lacks, before anything is read.
    fn check(&self) -> Result<(), JobError> {
        let inputs = &self.inputs;
        self.plan.check()?;
        choose(&self.plan.metrics, &self.plan.set)?;
        if inputs.maps.is_empty() && inputs.trajectories.is_empty() && inputs.points.is_empty() {
            return Err(JobError::Incomplete("map"));
        }
        // What a map tells about itself is computed only if it is asked for: a forgotten truth must be noticed.
        let is_alone = inputs.truth.is_none() && inputs.layout.is_none() && inputs.floors.is_empty();
        if !inputs.maps.is_empty() && is_alone && self.plan.metrics.is_empty() {
            return Err(JobError::Incomplete("truth"));
        }
        if !inputs.trajectories.is_empty() && inputs.truth_trajectory.is_none() && inputs.relations.is_none()
        {
            return Err(JobError::Incomplete("truth or relations"));
        }
        if !inputs.points.is_empty() && inputs.truth_points.is_none() {
            return Err(JobError::Incomplete("true points"));
        }
        if !inputs.annotations.is_empty() && inputs.maps.len() > 1
            || inputs.map_annotations.len() > inputs.maps.len()
        {
            return Err(JobError::WhoseAnnotations(inputs.maps.len()));
        }
        Ok(())
    }

    /// The loader of the files of this job.
    #[must_use]
    pub fn loader(&self) -> Loader {
        let (records, skip_bad) = (self.inputs.records.clone(), self.inputs.skip_bad);
        Loader { reading: self.read.clone(), records, skip_bad, ..Loader::default() }
    }

    fn sources(&self) -> Vec<Source> {
        let named = |files: &[PathBuf], make: fn(PathBuf) -> SourceFile| -> Vec<Source> {
            let names = case_names(files).into_iter();
            let source = |(index, (file, name)): (usize, (&PathBuf, String))| Source {
                name,
                index,
                file: make(file.clone()),
            };
            files.iter().zip(names).enumerate().map(source).collect()
        };
        let inputs = &self.inputs;
        let maps = named(&inputs.maps, SourceFile::Map);
        let runs = named(&inputs.trajectories, SourceFile::Trajectory);
        maps.into_iter().chain(runs).chain(named(&inputs.points, SourceFile::Points)).collect()
    }

    pub(super) fn load_truth(&self, loader: &Loader) -> Result<Truth, JobError> {
        let inputs = &self.inputs;
        fn load<T>(
            path: &Option<PathBuf>,
            read: impl Fn(&Path) -> Result<Loaded<T>, JobError>,
        ) -> Result<Option<Loaded<T>>, JobError> {
            path.as_deref().map(read).transpose()
        }
        let mut of_truth = loader.clone();
        if inputs.truth_topic.is_some() {
            of_truth.reading.topic.clone_from(&inputs.truth_topic);
        }
        Ok(Truth {
            map: load(&inputs.truth, |path| {
                Loader { reading: self.resolutions.of_truth(&self.read), ..loader.clone() }.map(path)
            })?,
            annotations: loader.annotations(&inputs.truth_annotations)?,
            layout: load(&inputs.layout, |path| loader.layout(path))?,
            trajectory: load(&inputs.truth_trajectory, |path| self.load_trajectory(&of_truth, path))?,
            relations: load(&inputs.relations, |path| loader.relations(path))?,
            points: load(&inputs.truth_points, |path| loader.points(path))?,
            background: load(&inputs.background, |path| loader.map(path))?,
        })
    }

    /// The plan with the transform file read.
    ///
    /// # Errors
    /// The transform file cannot be read.
    pub fn load_plan(&self) -> Result<Plan, JobError> {
        let mut plan = self.plan.clone();
        if let Some(path) = &self.inputs.transform {
            plan.transform = Some(Loader::default().alignment(path)?.value);
        }
        Ok(plan)
    }

    fn load_subject(&self, loader: &Loader, source: &Source, truth: &Truth) -> Result<Subject, JobError> {
        let name = source.name.clone();
        Ok(match &source.file {
            SourceFile::Map(path) => Subject {
                name,
                map: Some({
                    let reading = self.resolutions.of_map(&self.read, truth.map.as_ref());
                    Loader { reading, ..loader.clone() }.map(path)?
                }),
                annotations: loader.annotations(&self.inputs.annotations_of(source.index))?,
                ..Subject::default()
            },
            SourceFile::Trajectory(path) => Subject {
                name,
                trajectory: Some(self.load_trajectory(loader, path)?),
                odometry: self.inputs.odometry.as_deref().map(|path| loader.trajectory(path)).transpose()?,
                ..Subject::default()
            },
            SourceFile::Points(path) => {
                Subject { name, points: Some(loader.points(path)?), ..Subject::default() }
            }
        })
    }

    /// The only map of a job with what belongs to it, under a name.
    pub(super) fn load_only_map(
        &self,
        loader: &Loader,
        name: &str,
        truth: &Truth,
    ) -> Result<Subject, JobError> {
        let path = self.inputs.maps.first().ok_or(JobError::Incomplete("map"))?;
        let source = Source { name: name.to_owned(), index: 0, file: SourceFile::Map(path.clone()) };
        self.load_subject(loader, &source, truth)
    }

    /// A trajectory whose timestamps tell its poses apart, unless poses are matched by index.
    fn load_trajectory(&self, loader: &Loader, path: &Path) -> Result<Loaded<model::Trajectory>, JobError> {
        let loaded = loader.trajectory(path)?;
        let by_index = self.plan.matching.associate == Some(align::trajectory::Associate::Index)
            || loaded.value.time_base == model::TimeBase::Index;
        let is_destroyed = loaded.findings.iter().any(|finding| finding.code == "DESTROYED_STAMPS");
        if is_destroyed && !by_index {
            let found = "stamps that cannot tell its poses apart".to_owned();
            return Err(JobError::NoTrajectory { path: loader.told(path), found, why: "destroyed_stamps" });
        }
        Ok(loaded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_file_is_flat_and_its_paths_are_relative_to_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("job.toml");
        let text = "trajectories = [\"a.tum\"]\ntruth_trajectory = \"t.tum\"\nlimits = \"l.txt\"\n\
                    metrics = [\"trajectory\"]\n[read]\nresolution_m = 0.1\n[matching]\nassociate = \"interpolate\"\n\
                    max_gap_s = 0.5\n[set.rpe_translation]\ndelta = \"1m\"\n";
        std::fs::write(&path, text).unwrap();
        let job = Job::from_file(&path).unwrap();
        assert_eq!(job.inputs.trajectories, [folder.path().join("a.tum")]);
        assert_eq!(job.rules.limits, Some(folder.path().join("l.txt")));
        assert_eq!(job.plan.metrics, ["trajectory"]);
        assert_eq!(job.read.resolution_m, Some(0.1));
        assert_eq!(job.plan.matching.max_gap_s, 0.5);
        assert_eq!(job.plan.set["rpe_translation"]["delta"], "1m");
    }

    #[test]
    fn values_and_text_give_the_same_job() {
        let text = "maps = [\"a.pgm\"]\ntruth = \"t.pgm\"\nalign = \"auto\"\nmetrics = [\"cells\"]\n[read]\nresolution_m = 0.1\n\
                    [set.ssim]\nwindow = 7\n";
        let values = serde_json::json!({
            "maps": ["a.pgm"], "truth": "t.pgm", "align": "auto", "metrics": ["cells"],
            "read": {"resolution_m": 0.1}, "set": {"ssim": {"window": 7}},
        });
        let of_values = |values: &serde_json::Value| Job::of_values(values.as_object().unwrap());
        assert_eq!(of_values(&values).unwrap(), Job::parse(text).unwrap());
        let error = of_values(&serde_json::json!({"metricks": []})).unwrap_err();
        assert!(error.contains("did you mean `metrics`?"), "{error}");
        assert!(of_values(&serde_json::json!({"window": "everything"})).is_err());
    }

    #[test]
    fn resolutions_of_one_side_are_keys_of_a_job() {
        let job = Job::parse("map_resolution_m = 0.1\nforce = true\n").unwrap();
        let expected = Resolutions { map_resolution_m: Some(0.1), force: true, ..Resolutions::default() };
        assert_eq!(job.resolutions, expected);
    }

    #[test]
    fn unknown_keys_are_refused_with_place_and_suggestion() {
        let error = Job::parse("maps = []\nmetricks = []\n").unwrap_err();
        assert!(error.contains("line 2") && error.contains("`metrics`"), "{error}");
        for (text, meant) in [
            ("[matching]\nmax_gap = 1.0\n", "max_gap_s"),
            ("[read]\nresolution = 1.0\n", "resolution_m"),
            ("[aligning]\ntol = 1.0\n", "tol_m"),
            ("[paths]\nrobot_radius = 1.0\n", "robot_radius_m"),
            ("[ranking]\nresample = 1\n", "resamples"),
            ("map_resolution = 0.1\n", "map_resolution_m"),
        ] {
            let error = Job::parse(text).unwrap_err();
            assert!(error.contains(&format!("did you mean `{meant}`?")), "{error}");
        }
        assert!(Job::parse("window = \"everything\"\n").unwrap_err().contains("line 1"));
    }
}
