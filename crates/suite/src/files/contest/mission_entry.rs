//! A mission of a contest file.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::contest_file::Paths;
use super::serve_settings::time_or_none;
use crate::contest::Role;
use crate::files::floors::FloorInput;
use crate::floors::Connector;

/// One mission.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MissionEntry {
    /// Name, for `{mission}` in file names too.
    pub name: String,
    /// How much the mission counts.
    #[serde(default = "super::contest_file::one")]
    pub weight: f64,
    /// Where robots and responders enter, over that of the contest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<[f64; 2]>,
    /// Truth of this mission, over that of the contest.
    #[serde(default)]
    pub truth: BTreeMap<Role, Paths>,
    /// File names of this mission, over those of the contest.
    #[serde(default)]
    pub files: BTreeMap<Role, String>,
    /// Floors of this mission, with its connectors, over those of the contest.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub floors: Vec<FloorInput>,
    /// Connectors of these floors.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub connectors: Vec<Connector>,
    /// From when on a server takes submissions.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "time_or_none")]
    #[schemars(with = "Option<String>")]
    pub opens: Option<String>,
    /// After this, submissions are late: they count only if a judge says so.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "time_or_none")]
    #[schemars(with = "Option<String>")]
    pub closes: Option<String>,
}

impl MissionEntry {
    /// The only mission of a contest that names none.
    pub(super) fn unnamed() -> Self {
        Self {
            name: String::new(),
            weight: 1.0,
            start: None,
            truth: BTreeMap::new(),
            files: BTreeMap::new(),
            floors: Vec::new(),
            connectors: Vec::new(),
            opens: None,
            closes: None,
        }
    }
}
