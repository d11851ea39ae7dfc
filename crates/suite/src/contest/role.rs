//! What a file of a submission, or of the truth, is for.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The map; of the truth the ground-truth map.
    Map,
    /// Victims: reported, or true.
    Victims,
    /// The way of the robot.
    Path,
    /// Places and areas with words.
    Annotations,
    /// Labelled points of the league.
    Points,
    /// Artifacts and other objects with points for their place.
    Artifacts,
    /// Poses over time.
    Trajectory,
    /// True displacements; of the truth only.
    Relations,
    /// Places of fiducials; of the truth only.
    Layout,
    /// The character matrix of the junior league.
    Matrix,
}

impl Role {
    /// The word in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Map => "map",
            Self::Victims => "victims",
            Self::Path => "path",
            Self::Annotations => "annotations",
            Self::Points => "points",
            Self::Artifacts => "artifacts",
            Self::Trajectory => "trajectory",
            Self::Relations => "relations",
            Self::Layout => "layout",
            Self::Matrix => "matrix",
        }
    }
}
