//! One line of a manifest: a pair of maps, a name, tags, and options that go over the job.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::files::{Job, JobInputs, Resolutions};
use crate::judge::choose;
use crate::keys::struct_keys;
use crate::rows::{canonical_json, row_hash};
use crate::{Plan, ReadOptions};

/// Keys of a job that name files, and that a line may have.
const INPUT_KEYS: [&str; 4] = ["layout", "annotations", "truth_annotations", "transform"];
/// Combinations of options whose job is kept.
const MAX_KEPT_JOBS: usize = 1024;

/// A pair of maps of a manifest.
#[derive(Clone, Debug, PartialEq)]
pub struct ManifestLine {
    /// Counted from 1.
    pub number: u64,
    /// Hash of the line.
    pub row: String,
    /// Name for people: `id`, or the map as the line names it.
    pub id: String,
    /// Passed through to the row.
    pub tags: Map<String, Value>,
    map: PathBuf,
    truth: Option<PathBuf>,
    /// Keys of a job that name files.
    inputs: Map<String, Value>,
    /// The other keys of a job, as text with sorted keys; empty for none.
    options: String,
    text: String,
}

impl ManifestLine {
    /// Reads a line.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(number: u64, text: &str) -> Result<Self, String> {
        let value: Value = serde_json::from_str(text).map_err(|error| format!("no JSON: {error}"))?;
        let Value::Object(mut keys) = value else {
            return Err(
                "expected a JSON object such as {\"map\": \"a.yaml\", \"truth\": \"t.yaml\"}".to_owned()
            );
        };
        let map = taken_text(&mut keys, "map")?.ok_or("lacks `map`")?;
        let truth = taken_text(&mut keys, "truth")?;
        let id = taken_text(&mut keys, "id")?.unwrap_or_else(|| map.clone());
        let tags = match keys.shift_remove("tags") {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Object(tags)) => tags,
            Some(other) => return Err(format!("`tags`: expected an object, found {other}")),
        };
        let (mut inputs, mut options) = (Map::new(), Map::new());
        for (key, value) in keys {
            check_key(&key)?;
            if INPUT_KEYS.contains(&key.as_str()) {
                inputs.insert(key, value);
            } else {
                options.insert(key, value);
            }
        }
        let options =
            if options.is_empty() { String::new() } else { canonical_json(&Value::Object(options)) };
        let (map, truth) = (map.into(), truth.map(PathBuf::from));
        Ok(Self { number, row: row_hash(text), id, tags, map, truth, inputs, options, text: text.to_owned() })
    }

    /// The line as it stands in the manifest.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The options of the line beside its files, as text with sorted keys; empty for none.
    #[must_use]
    pub fn options(&self) -> &str {
        &self.options
    }
}

/// A text under a key that is taken out.
fn taken_text(keys: &mut Map<String, Value>, key: &str) -> Result<Option<String>, String> {
    match keys.shift_remove(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if !text.is_empty() => Ok(Some(text)),
        Some(other) => Err(format!("`{key}`: expected a text, found {other}")),
    }
}

/// Refuses keys that a line must not have, with the nearest one that it may.
fn check_key(key: &str) -> Result<(), String> {
    static KNOWN: OnceLock<BTreeSet<String>> = OnceLock::new();
    let known = KNOWN.get_or_init(|| {
        let inputs = INPUT_KEYS.iter().map(|key| (*key).to_owned());
        let own = ["map", "truth", "id", "tags", "read"].iter().map(|key| (*key).to_owned());
        inputs.chain(own).chain(Plan::keys()).chain(struct_keys::<Resolutions>()).collect()
    });
    if known.contains(key) {
        return Ok(());
    }
    if ["limits", "baseline", "baseline_tolerance"].contains(&key) {
        return Err(format!("`{key}` belongs to the job, not to a line"));
    }
    if struct_keys::<JobInputs>().iter().any(|of_job| of_job == key) {
        return Err(format!("`{key}`: a line is one pair, `map` and `truth`"));
    }
    let near = report::nearest(key, known.iter().map(String::as_str));
    let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
    Err(format!("unknown key `{key}`{near}"))
}

/// Makes the job of each line; jobs with the same options are made once.
pub(super) struct LineJobs {
    base: Job,
    folder: PathBuf,
    kept: Mutex<HashMap<String, Arc<Job>>>,
}

impl LineJobs {
    /// Lines over this job; their paths are relative to this folder.
    pub(super) fn new(base: Job, folder: PathBuf) -> Self {
        Self { base, folder, kept: Mutex::default() }
    }

    pub(super) fn base(&self) -> &Job {
        &self.base
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The job of a line: one map, one truth, and the options of the line over those of all lines.
    ///
    /// # Errors
    /// What is wrong with the line.
    pub(super) fn job_of(&self, line: &ManifestLine) -> Result<Job, String> {
        let mut job = if line.options.is_empty() {
            self.base.clone()
        } else {
            Job::clone(&*self.with_options(&line.options)?)
        };
        let inside = |path: &Path| self.folder.join(path);
        job.inputs.maps = vec![inside(&line.map)];
        if let Some(truth) = &line.truth {
            job.inputs.truth = Some(inside(truth));
        }
        if job.inputs.truth.is_none() {
            return Err("lacks `truth`".to_owned());
        }
        for (key, value) in &line.inputs {
            let wrong = |error: serde_json::Error| format!("`{key}`: {error}");
            let list = || Vec::<PathBuf>::deserialize_from(value).map_err(wrong);
            let one = || Option::<PathBuf>::deserialize_from(value).map_err(wrong);
            let all = |list: Vec<PathBuf>| list.iter().map(|path| inside(path)).collect();
            match key.as_str() {
                "annotations" => job.inputs.annotations = all(list()?),
                "truth_annotations" => job.inputs.truth_annotations = all(list()?),
                "layout" => job.inputs.layout = one()?.map(|path| inside(&path)),
                _ => job.inputs.transform = one()?.map(|path| inside(&path)),
            }
        }
        Ok(job)
    }

    fn with_options(&self, options: &str) -> Result<Arc<Job>, String> {
        let kept = || self.kept.lock().ok()?.get(options).cloned();
        if let Some(job) = kept() {
            return Ok(job);
        }
        let job = Arc::new(over(&self.base, options)?);
        if let Ok(mut kept) = self.kept.lock()
            && kept.len() < MAX_KEPT_JOBS
        {
            kept.insert(options.to_owned(), Arc::clone(&job));
        }
        Ok(job)
    }
}

trait DeserializeFrom: DeserializeOwned {
    fn deserialize_from(value: &Value) -> Result<Self, serde_json::Error> {
        serde_json::from_value(value.clone())
    }
}

impl<T: DeserializeOwned> DeserializeFrom for T {}

/// A job with options over it, checked.
fn over(base: &Job, options: &str) -> Result<Job, String> {
    let options: Map<String, Value> = serde_json::from_str(options).map_err(|error| error.to_string())?;
    let (mut plan, mut resolutions, mut read) = (Map::new(), Map::new(), Map::new());
    let of_resolutions = struct_keys::<Resolutions>();
    for (key, value) in options {
        match value {
            Value::Object(keys) if key == "read" => read = keys,
            other if key == "read" => return Err(format!("`read`: expected an object, found {other}")),
            value if of_resolutions.contains(&key) => drop(resolutions.insert(key, value)),
            value => drop(plan.insert(key, value)),
        }
    }
    let mut job = base.clone();
    if plan.contains_key("align") {
        // As on the command line: a method that is named goes over a transform that is given for all.
        (job.plan.transform, job.inputs.transform) = (None, None);
    }
    let kept = (job.plan.figures, job.plan.resampling);
    job.plan = patched(&job.plan, plan)?;
    (job.plan.figures, job.plan.resampling) = kept;
    job.resolutions = patched(&job.resolutions, resolutions)?;
    job.read = patched::<ReadOptions>(&job.read, read)?;
    job.plan.check().map_err(|error| error.to_string())?;
    choose(&job.plan.metrics, &job.plan.set).map_err(|error| error.to_string())?;
    Ok(job)
}

/// A value with some keys replaced; objects are merged key by key.
fn patched<T: Serialize + DeserializeOwned>(base: &T, patch: Map<String, Value>) -> Result<T, String> {
    let mut value = json!(base);
    merge(&mut value, Value::Object(patch));
    serde_json::from_value(value).map_err(|error| error.to_string())
}

fn merge(base: &mut Value, patch: Value) {
    match (base, patch) {
        (Value::Object(base), Value::Object(patch)) => {
            for (key, value) in patch {
                merge(base.entry(key).or_insert(Value::Null), value);
            }
        }
        (base, patch) => *base = patch,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AlignBy;

    fn job_of(text: &str) -> Result<Job, String> {
        let mut base = Job::default();
        base.plan.set("baron_correlation", "input", json!("trinary"));
        LineJobs::new(base, "folder".into()).job_of(&ManifestLine::parse(1, text)?)
    }

    #[test]
    fn a_line_names_a_pair_relative_to_the_manifest() {
        let text =
            r#"{"map": "a.yaml", "truth": "t.yaml", "id": "run 7", "align": "none", "tags": {"seed": 3}}"#;
        let line = ManifestLine::parse(4, text).unwrap();
        assert_eq!((line.number, line.id.as_str(), &line.tags["seed"]), (4, "run 7", &json!(3)));
        assert_eq!(line.options(), r#"{"align":"none"}"#);
        let job = job_of(text).unwrap();
        assert_eq!(job.inputs.maps, [PathBuf::from("folder/a.yaml")]);
        assert_eq!((job.inputs.truth, job.plan.align), (Some("folder/t.yaml".into()), AlignBy::None));
    }

    #[test]
    fn options_go_over_the_job_key_by_key() {
        let text = r#"{"map":"a","truth":"t","set":{"overall_error":{"occupied_above":0.6}},"read":{"resolution_m":0.1},
            "map_resolution_m":0.2,"aligning":{"scale_max":2.0},"layout":"l.txt","annotations":["v.mif"]}"#;
        let job = job_of(text);
        // The parameter may not exist; what matters is that both metrics are there, or that the error names it.
        if let Ok(job) = &job {
            assert!(job.plan.set.contains_key("baron_correlation"));
        }
        let text = text.replace(r#""set":{"overall_error":{"occupied_above":0.6}},"#, "");
        let job = job_of(&text).unwrap();
        assert_eq!((job.read.resolution_m, job.resolutions.map_resolution_m), (Some(0.1), Some(0.2)));
        assert_eq!((job.plan.aligning.scale_max, job.plan.aligning.scale_min), (2.0, 1.0));
        assert_eq!(job.inputs.layout, Some("folder/l.txt".into()));
        assert_eq!(job.inputs.annotations, [PathBuf::from("folder/v.mif")]);
        assert!(job.plan.set.contains_key("baron_correlation"));
    }

    #[test]
    fn a_plan_survives_options() {
        assert_eq!(patched(&Plan::default(), Map::new()).unwrap(), Plan::default());
        assert_eq!(patched(&ReadOptions::default(), Map::new()).unwrap(), ReadOptions::default());
    }

    #[test]
    fn faults_are_named() {
        let pair = |rest: &str| format!(r#"{{"map":"a","truth":"t",{rest}}}"#);
        let cases = [
            ("x".to_owned(), "no JSON"),
            ("[]".to_owned(), "expected a JSON object"),
            (r#"{"truth":"t"}"#.to_owned(), "lacks `map`"),
            (r#"{"map":"a"}"#.to_owned(), "lacks `truth`"),
            (r#"{"map":1,"truth":"t"}"#.to_owned(), "`map`: expected a text, found 1"),
            (r#"{"map":"","truth":"t"}"#.to_owned(), "`map`: expected a text"),
            (pair(r#""tags":[]"#), "`tags`: expected an object"),
            (pair(r#""metric":["cells"]"#), "did you mean `metrics`?"),
            (pair(r#""limits":"l""#), "belongs to the job"),
            (pair(r#""trajectories":[]"#), "one pair"),
            (pair(r#""maps":[]"#), "one pair"),
            (pair(r#""metrics":["nonsense"]"#), "nonsense"),
            (pair(r#""align":"sideways""#), "sideways"),
            (pair(r#""layout":7"#), "`layout`"),
            (pair(r#""read":7"#), "`read`"),
            (pair(r#""read":{"resolutoin_m":1}"#), "resolutoin_m"),
        ];
        for (text, words) in cases {
            let error = job_of(&text).unwrap_err();
            assert!(error.contains(words), "{text}: {error}");
        }
    }

    #[test]
    fn a_truth_of_the_job_serves_every_line() {
        let base =
            Job { inputs: JobInputs { truth: Some("t".into()), ..JobInputs::default() }, ..Job::default() };
        let line = ManifestLine::parse(1, r#"{"map":"a"}"#).unwrap();
        assert_eq!(LineJobs::new(base, "f".into()).job_of(&line).unwrap().inputs.truth, Some("t".into()));
        assert_eq!(line.id, "a");
    }
}
