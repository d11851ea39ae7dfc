//! The keys of a job: out of the text of a job file, or out of values.

use std::path::PathBuf;
use std::sync::OnceLock;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::floors::check_floors;
use super::job::Job;
use super::job_inputs::JobInputs;
use super::resolutions::Resolutions;
use super::rules::RuleFiles;
use crate::keys::{KeyHelp, described_keys, struct_keys, unknown_key, with_nearest};
use crate::{Plan, ReadOptions};

/// Keys of a job file beside those of the inputs and of the plan.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
struct OtherKeys {
    /// How map files are read.
    read: ReadOptions,
    /// A file of rules that values must keep.
    limits: Option<PathBuf>,
    /// An earlier JSON report that values must not be worse than.
    baseline: Option<PathBuf>,
    /// Relative change that still counts as the same; none: 1e-9.
    baseline_tolerance: Option<f64>,
}

impl OtherKeys {
    fn rules(&self) -> RuleFiles {
        RuleFiles {
            limits: self.limits.clone(),
            baseline: self.baseline.clone(),
            baseline_tolerance: self.baseline_tolerance,
        }
    }
}

impl Job {
    /// Reads the text of a job file.
    ///
    /// # Errors
    /// Line and what was expected there, or a key that does not exist.
    pub fn parse(text: &str) -> Result<Self, String> {
        let fault = |error: toml::de::Error| with_nearest(&error.to_string());
        let table: toml::Table = toml::from_str(text).map_err(fault)?;
        if let Some(fault) = unknown_key(text, table.keys(), &Self::keys()) {
            return Err(fault);
        }
        let other: OtherKeys = toml::from_str(text).map_err(fault)?;
        let inputs: JobInputs = toml::from_str(text).map_err(fault)?;
        check_floors(&inputs, text)?;
        Ok(Self {
            inputs,
            resolutions: toml::from_str(text).map_err(fault)?,
            plan: toml::from_str(text).map_err(fault)?,
            rules: other.rules(),
            read: other.read,
        })
    }

    /// A job out of values under the keys of a job file, as programs give them.
    ///
    /// # Errors
    /// A key that does not exist, or what was expected of a value.
    pub fn of_values(values: &serde_json::Map<String, Value>) -> Result<Self, String> {
        static KNOWN: OnceLock<Vec<String>> = OnceLock::new();
        if let Some(fault) = unknown_key("", values.keys(), KNOWN.get_or_init(Self::keys)) {
            return Err(fault);
        }
        let values = Value::Object(values.clone());
        let fault = |error: serde_json::Error| with_nearest(&error.to_string());
        let other = OtherKeys::deserialize(&values).map_err(fault)?;
        let inputs = JobInputs::deserialize(&values).map_err(fault)?;
        check_floors(&inputs, "")?;
        Ok(Self {
            inputs,
            resolutions: Resolutions::deserialize(&values).map_err(fault)?,
            plan: Plan::deserialize(&values).map_err(fault)?,
            rules: other.rules(),
            read: other.read,
        })
    }

    /// The keys of a job file.
    #[must_use]
    pub fn keys() -> Vec<String> {
        let other = struct_keys::<OtherKeys>();
        [struct_keys::<JobInputs>(), struct_keys::<Resolutions>(), Plan::keys(), other].concat()
    }

    /// The keys of a job file, and of its tables as `table.key`, with what they mean and take.
    #[must_use]
    pub fn described_keys() -> Vec<KeyHelp> {
        let (inputs, resolutions) = (described_keys::<JobInputs>(), described_keys::<Resolutions>());
        [inputs, resolutions, described_keys::<Plan>(), described_keys::<OtherKeys>()].concat()
    }
}
