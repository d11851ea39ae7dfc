//! A job: files to judge and how, from a TOML file, from flags, or from code.
//!
//! Flags go over the job file, the job file over the defaults. Paths in a job file are relative to its folder.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use report::Report;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::alignment_file::AlignmentFile;
use super::loader::Loader;
use super::names::case_names;
use super::rules::RuleFiles;
use crate::judge::{Judged, choose, judge_case};
use crate::plan::{struct_keys, unknown_key};
use crate::trajectory::compare_runs;
use crate::{JobError, Loaded, Plan, ReadOptions, Subject, Truth, Verdict, hold, new_report};

/// What is to be judged and how. The default reads and measures as the documentation says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Job {
    /// The files.
    pub inputs: JobInputs,
    /// How they are read.
    pub read: ReadOptions,
    /// How they are judged.
    pub plan: Plan,
    /// What the values are held against.
    pub rules: RuleFiles,
}

/// The files of a job, under the keys that a job file uses.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct JobInputs {
    /// The ground-truth map.
    pub truth: Option<PathBuf>,
    /// The maps, one case each.
    pub maps: Vec<PathBuf>,
    /// Where the fiducials stand, in the coordinate frame of the truth.
    pub layout: Option<PathBuf>,
    /// Vector layers, detection lists and the robot's path that belong to the map; only with a single map.
    pub annotations: Vec<PathBuf>,
    /// The same of the truth.
    pub truth_annotations: Vec<PathBuf>,
    /// A transform file, as `mapjudge align` writes it; goes over `align`.
    pub transform: Option<PathBuf>,
    /// The trajectories, one case each.
    pub trajectories: Vec<PathBuf>,
    /// The true trajectory.
    pub truth_trajectory: Option<PathBuf>,
    /// True displacements.
    pub relations: Option<PathBuf>,
    /// Odometry of the run, for `associate = "filled"`.
    pub odometry: Option<PathBuf>,
    /// A map to draw trajectories on.
    pub background: Option<PathBuf>,
    /// Kinds of log records whose poses are taken: `odom`, `flaser`, `rlaser`, `robotlaser`, `truepos`; empty: scans.
    pub records: Vec<String>,
    /// Faulty rows of trajectories that may be left out.
    pub skip_bad: usize,
    /// Labelled points, one case each.
    pub points: Vec<PathBuf>,
    /// Where the labelled points are.
    pub truth_points: Option<PathBuf>,
}

/// Keys of a job file beside those of the inputs and of the plan.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
struct OtherKeys {
    read: ReadOptions,
    limits: Option<PathBuf>,
    baseline: Option<PathBuf>,
    baseline_tolerance: Option<f64>,
}

/// What a job gave.
#[derive(Debug)]
pub struct Evaluation {
    /// The report.
    pub report: Report,
    /// Whether limits, baseline and the metrics asked for by name held.
    pub verdict: Verdict,
}

/// Carries out a job: load, judge each, hold against limits. `progress` is called with the number of finished cases.
///
/// # Errors
/// A file that cannot be read, a name or parameter that does not exist, maps that cannot be compared.
pub fn evaluate(job: &Job, progress: &(dyn Fn(usize) + Sync)) -> Result<Evaluation, JobError> {
    job.check()?;
    let loader = job.loader();
    let truth = job.load_truth(&loader)?;
    let (plan, rules) = (job.load_plan()?, job.rules.load(&loader)?);
    let done = AtomicUsize::new(0);
    let one = |source: &Source| {
        let judged = job.load_subject(&loader, source).and_then(|s| judge_case(&s, &truth, &plan));
        progress(done.fetch_add(1, Ordering::Relaxed) + 1);
        judged
    };
    let judged: Vec<Judged> = job.sources().par_iter().map(one).collect::<Result<_, JobError>>()?;
    let comparison = compare_runs(&plan, &truth, &judged);
    let mut cases: Vec<_> = judged.into_iter().map(|judged| judged.report).collect();
    if let (Some((_, finding)), Some(first)) = (&comparison, cases.first_mut()) {
        first.findings.push(finding.clone());
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
    Ok(Evaluation { report, verdict })
}

/// The file that a case is about.
struct Source {
    name: String,
    file: SourceFile,
}

enum SourceFile {
    Map(PathBuf),
    Trajectory(PathBuf),
    Points(PathBuf),
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

    /// Reads the text of a job file.
    ///
    /// # Errors
    /// Line and what was expected there, or a key that does not exist.
    pub fn parse(text: &str) -> Result<Self, String> {
        let fault = |error: toml::de::Error| error.to_string();
        let table: toml::Table = toml::from_str(text).map_err(fault)?;
        let known = [struct_keys::<JobInputs>(), Plan::keys(), struct_keys::<OtherKeys>()].concat();
        if let Some(fault) = unknown_key(text, table.keys(), &known) {
            return Err(fault);
        }
        let other: OtherKeys = toml::from_str(text).map_err(fault)?;
        Ok(Self {
            inputs: toml::from_str(text).map_err(fault)?,
            read: other.read,
            plan: toml::from_str(text).map_err(fault)?,
            rules: RuleFiles {
                limits: other.limits,
                baseline: other.baseline,
                baseline_tolerance: other.baseline_tolerance,
            },
        })
    }

    fn relative_to(mut self, folder: &Path) -> Self {
        let inputs = &mut self.inputs;
        let single = [
            &mut inputs.truth,
            &mut inputs.layout,
            &mut inputs.transform,
            &mut inputs.truth_trajectory,
            &mut inputs.relations,
            &mut inputs.odometry,
            &mut inputs.background,
            &mut inputs.truth_points,
            &mut self.rules.limits,
            &mut self.rules.baseline,
        ];
        let lists = [
            &mut inputs.maps,
            &mut inputs.annotations,
            &mut inputs.truth_annotations,
            &mut inputs.trajectories,
            &mut inputs.points,
        ];
        for path in single.into_iter().flatten().chain(lists.into_iter().flatten()) {
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
        let is_alone = inputs.truth.is_none() && inputs.layout.is_none();
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
        if !inputs.annotations.is_empty() && inputs.maps.len() > 1 {
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
            files.iter().zip(names).map(|(file, name)| Source { name, file: make(file.clone()) }).collect()
        };
        let inputs = &self.inputs;
        let maps = named(&inputs.maps, SourceFile::Map);
        let runs = named(&inputs.trajectories, SourceFile::Trajectory);
        maps.into_iter().chain(runs).chain(named(&inputs.points, SourceFile::Points)).collect()
    }

    fn load_truth(&self, loader: &Loader) -> Result<Truth, JobError> {
        let inputs = &self.inputs;
        fn load<T>(
            path: &Option<PathBuf>,
            read: impl Fn(&Path) -> Result<Loaded<T>, JobError>,
        ) -> Result<Option<Loaded<T>>, JobError> {
            path.as_deref().map(read).transpose()
        }
        Ok(Truth {
            map: load(&inputs.truth, |path| loader.map(path))?,
            annotations: loader.annotations(&inputs.truth_annotations)?,
            layout: load(&inputs.layout, |path| loader.layout(path))?,
            trajectory: load(&inputs.truth_trajectory, |path| self.load_trajectory(loader, path))?,
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
        let transform = self.inputs.transform.as_deref().map(AlignmentFile::read).transpose()?;
        let mut plan = self.plan.clone();
        if let Some(file) = transform {
            plan.transform = Some(file.alignment);
        }
        Ok(plan)
    }

    fn load_subject(&self, loader: &Loader, source: &Source) -> Result<Subject, JobError> {
        let name = source.name.clone();
        Ok(match &source.file {
            SourceFile::Map(path) => Subject {
                name,
                map: Some(loader.map(path)?),
                annotations: loader.annotations(&self.inputs.annotations)?,
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
    fn unknown_keys_are_refused_with_place_and_suggestion() {
        let error = Job::parse("maps = []\nmetricks = []\n").unwrap_err();
        assert!(error.contains("line 2") && error.contains("`metrics`"), "{error}");
        assert!(Job::parse("[matching]\nmax_gap = 1.0\n").is_err());
        assert!(Job::parse("window = \"everything\"\n").unwrap_err().contains("line 1"));
    }
}
