//! A manifest line to a row: load the pair, hash what was read, judge, hold against limits.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use align::Anchoring;
use report::{Limits, check};
use serde_json::{Map, Value, json};

use super::input_hashes::{contents_of, contents_unfinished, contents_unread, key_of};
use super::line::{LineJobs, ManifestLine};
use super::manifest::{Manifest, folder_of};
use super::truth_cache::TruthCache;
use crate::files::{Job, JobInputs, Loader};
use crate::judge::choose;
use crate::rows::{Row, RowDetail, RowHeader, RowNames, RowRules, Shard};
use crate::{AlignBy, JobError, Plan, Subject, Truth, judge, new_report};

/// Lines that are looked at to tell whether rows need a search that no option asks for.
const PROBED_LINES: usize = 3;

/// What rows are computed from, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct RowJob {
    /// What holds for every line; it names no map. Its limits hold for every row.
    pub job: Job,
    /// The manifest.
    pub manifest: PathBuf,
    /// How much of a case a row keeps.
    pub detail: RowDetail,
    /// Room for decoded truths, bytes.
    pub truth_cache_bytes: u64,
}

/// Turns lines of a manifest into rows.
pub struct RowScorer {
    jobs: LineJobs,
    manifest: Manifest,
    header: RowHeader,
    limits: Option<Limits>,
    truths: TruthCache,
}

/// What became of a line.
#[derive(Clone, Debug, PartialEq)]
pub enum Scored {
    /// A result with this key is known already.
    Known(String),
    /// A new row.
    Row(Box<Row>),
}

impl RowScorer {
    /// Checks job and manifest, every line of it.
    ///
    /// # Errors
    /// A job that names maps of its own, rules that cannot be read, or lines that cannot be used.
    pub fn new(row_job: &RowJob) -> Result<Self, JobError> {
        let unchecked = Self::trusting_manifest(row_job)?;
        let manifest = Manifest::check(&row_job.manifest, &unchecked.jobs)?;
        Ok(Self { manifest, ..unchecked })
    }

    /// As [`RowScorer::new`], for a manifest that another process has checked.
    pub(super) fn trusting_manifest(row_job: &RowJob) -> Result<Self, JobError> {
        let mut job = row_job.job.clone();
        refuse_own_cases(&job, &row_job.manifest)?;
        job.plan.figures = crate::Figures::None;
        job.plan.check()?;
        choose(&job.plan.metrics, &job.plan.set)?;
        let limits = job.rules.load(&Loader::default())?.limits;
        job.plan = job.load_plan()?;
        job.inputs.transform = None;
        let folder = folder_of(&row_job.manifest);
        let rules = RowRules {
            plan: job.plan.clone(),
            read: job.read.clone(),
            resolutions: job.resolutions,
            limits: limits.as_ref().map(RowRules::limit_texts).unwrap_or_default(),
            detail: row_job.detail,
        };
        let header = RowHeader::new(rules, relative_inputs(&job.inputs, &folder));
        let jobs = LineJobs::new(job, folder);
        let manifest = Manifest::unchecked(&row_job.manifest);
        let truths = TruthCache::new(row_job.truth_cache_bytes);
        Ok(Self { jobs, manifest, header, limits, truths })
    }

    /// The header of the rows.
    #[must_use]
    pub fn header(&self) -> &RowHeader {
        &self.header
    }

    /// The manifest.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The row of a line, unless its key is among those that are known. It does not fail: what goes wrong is a row too.
    #[must_use]
    pub fn score(&self, line: &ManifestLine, is_known: &dyn Fn(&str) -> bool) -> Scored {
        // A fault of ours in one row must not end the others.
        let scored = catch_unwind(AssertUnwindSafe(|| self.scored(line, is_known)));
        scored.unwrap_or_else(|_| {
            let key = self.unfinished_key(line);
            if is_known(&key) {
                return Scored::Known(key);
            }
            let hint = "please report it with the files of this line".to_owned();
            let message = "the program failed on this line".to_owned();
            Scored::Row(Box::new(Row::of_error(names(line, key), "INTERNAL", message, Some(hint))))
        })
    }

    fn scored(&self, line: &ManifestLine, is_known: &dyn Fn(&str) -> bool) -> Scored {
        let job = match self.jobs.job_of(line) {
            Ok(job) => job,
            Err(why) => {
                let key = key_of(&self.header.hash, line.options(), &[]);
                let row = Row::of_error(names(line, key), "MANIFEST_INVALID", why, None);
                return Scored::Row(Box::new(row));
            }
        };
        let loader = self.loader(&job);
        let loaded = self.load(&job, &loader, line);
        let contents = match &loaded {
            Ok((subject, truth, _)) => contents_of(subject, truth, &job),
            Err(_) => contents_unread(&job, &loader),
        };
        let key = key_of(&self.header.hash, line.options(), &contents);
        if is_known(&key) {
            return Scored::Known(key);
        }
        let judged = loaded.and_then(|(subject, truth, plan)| judge(&subject, &truth, &plan));
        Scored::Row(Box::new(match judged {
            Ok(case) => {
                let (case, missed) = self.held(case);
                Row::of_case(names(line, key), case, missed, self.header.job.detail)
            }
            Err(error) => self.error_row(names(line, key), &error),
        }))
    }

    /// The key of the files as they are now, and that of a row whose process ended.
    pub(super) fn keys_now(&self, line: &ManifestLine) -> [String; 2] {
        let now = std::cell::RefCell::new(String::new());
        let _ = self.score(line, &|key| {
            key.clone_into(&mut now.borrow_mut());
            true
        });
        [now.into_inner(), self.unfinished_key(line)]
    }

    /// The key of a row whose process ended before it had read everything.
    pub(super) fn unfinished_key(&self, line: &ManifestLine) -> String {
        let contents = self.jobs.job_of(line).map(|job| contents_unfinished(&job)).unwrap_or_default();
        key_of(&self.header.hash, line.options(), &contents)
    }

    /// Lines without a choice of metrics whose maps have to be searched in the truth: the slowest metrics are among the
    /// default ones, and a search makes them slower.
    ///
    /// # Errors
    /// The manifest cannot be read any more.
    pub fn searches_with_all_metrics(&self) -> Result<bool, JobError> {
        if !self.base().plan.metrics.is_empty() {
            return Ok(false);
        }
        let mut lines = self.manifest.of_shard(Shard::WHOLE)?;
        let mut probed = 0;
        while let Some(line) = lines.next_line()? {
            let Ok(job) = self.jobs.job_of(&line) else { continue };
            if !job.plan.metrics.is_empty() || job.plan.transform.is_some() || job.inputs.transform.is_some()
            {
                continue;
            }
            match job.plan.align {
                AlignBy::Auto | AlignBy::Search(_) => return Ok(true),
                AlignBy::Georeference if probed < PROBED_LINES => {
                    probed += 1;
                    let loaded = self.load(&job, &self.loader(&job), &line);
                    if loaded.is_ok_and(|(subject, truth, _)| is_without_origin(&subject, &truth)) {
                        return Ok(true);
                    }
                }
                _ => {}
            }
        }
        Ok(false)
    }

    /// Names in messages and cases are relative to the folder of the manifest.
    fn loader(&self, job: &Job) -> Loader {
        Loader { root: Some(self.jobs.folder().to_owned()), ..job.loader() }
    }

    fn load(
        &self,
        job: &Job,
        loader: &Loader,
        line: &ManifestLine,
    ) -> Result<(Subject, Arc<Truth>, Plan), JobError> {
        let truth = self.truths.truth(job, loader)?;
        let subject = job.load_only_map(loader, &line.id, &truth)?;
        Ok((subject, truth, job.load_plan()?))
    }

    /// The case with the rules that it missed.
    fn held(&self, case: report::CaseReport) -> (report::CaseReport, Vec<String>) {
        let Some(limits) = &self.limits else { return (case, Vec::new()) };
        let name = case.name.clone();
        let mut report = new_report(vec![case]);
        let results = check(&report, limits).into_iter().filter(|result| !result.held && result.case == name);
        let missed = results.map(|result| format!("{} {}", result.metric, result.rule)).collect();
        // The report has the one case that was put in.
        (report.cases.swap_remove(0), missed)
    }

    fn error_row(&self, names: RowNames, error: &JobError) -> Row {
        let folder = format!("{}/", self.jobs.folder().display());
        let told = |text: String| if folder == "/" { text } else { text.replace(&folder, "") };
        let hint = match error {
            JobError::Read(error) => error.hint().map(&told),
            _ => None,
        };
        Row::of_error(names, error.code(), told(error.to_string()), hint)
    }

    pub(super) fn base(&self) -> &Job {
        self.jobs.base()
    }

    /// What computed the rows of a header, if this program would compute the same.
    ///
    /// # Errors
    /// The manifest cannot be used, or the header is of another program.
    pub(super) fn of_header(header: &RowHeader, manifest: &Path) -> Result<Self, JobError> {
        let inputs: JobInputs = serde_json::from_value(header.inputs.clone()).unwrap_or_default();
        let RowRules { plan, read, resolutions, detail, .. } = header.job.clone();
        let job = Job { inputs, read, resolutions, plan, ..Job::default() }.relative_to(&folder_of(manifest));
        let row_job = RowJob { job, manifest: manifest.to_owned(), detail, truth_cache_bytes: 0 };
        // Limits change no key but through the header.
        Ok(Self { header: header.clone(), ..Self::trusting_manifest(&row_job)? })
    }
}

fn names(line: &ManifestLine, key: String) -> RowNames {
    RowNames { row: line.row.clone(), key, id: line.id.clone(), tags: line.tags.clone() }
}

fn is_without_origin(subject: &Subject, truth: &Truth) -> bool {
    let maps = subject.map.iter().chain(&truth.map);
    maps.into_iter().any(|map| map.value.anchoring == Anchoring::Assumed)
}

/// A job whose lines are all there is: it must not name cases of its own.
fn refuse_own_cases(job: &Job, manifest: &Path) -> Result<(), JobError> {
    let inputs = &job.inputs;
    let lists = [&inputs.maps, &inputs.trajectories, &inputs.points];
    if lists.iter().all(|list| list.is_empty()) && job.rules.baseline.is_none() {
        return Ok(());
    }
    let message = "the job names maps, trajectories, points or a baseline beside the manifest";
    let hint = "the lines of a manifest name the maps; merged rows can be compared with earlier ones";
    Err(JobError::rows(manifest.display().to_string(), "MANIFEST_AND_MAPS", message, hint))
}

/// The files that a job gives to every line, relative to the folder of the manifest, so that a header is the same wherever
/// the command is called from.
fn relative_inputs(inputs: &JobInputs, folder: &Path) -> Value {
    let mut inputs = inputs.clone();
    for path in inputs.paths() {
        *path = relative(folder, path).unwrap_or_else(|| path.clone());
    }
    let keys = json!(inputs).as_object().cloned().unwrap_or_default();
    let is_given = |value: &Value| {
        !value.is_null() && value.as_array().is_none_or(|list| !list.is_empty()) && *value != json!(0)
    };
    Value::Object(keys.into_iter().filter(|(_, value)| is_given(value)).collect::<Map<_, _>>())
}

fn relative(folder: &Path, path: &Path) -> Option<PathBuf> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let (folder, path) = (folder.canonicalize().ok()?, path.canonicalize().ok()?);
    let shared = folder.components().zip(path.components()).take_while(|(a, b)| a == b).count();
    let up = folder.components().skip(shared).map(|_| Component::ParentDir);
    Some(up.chain(path.components().skip(shared)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_to_the_manifest() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::create_dir(path("a")).unwrap();
        std::fs::write(path("t.txt"), "").unwrap();
        assert_eq!(relative(&path("a"), &path("t.txt")), Some("../t.txt".into()));
        assert_eq!(relative(folder.path(), &path("a/../t.txt")), Some("t.txt".into()));
        assert_eq!(relative(folder.path(), &path("none")), None);
    }
}
