//! What a judge should look at, the most urgent first.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a judge should look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Attention {
    /// It cannot be read.
    Broken,
    /// A worker died of it.
    WorkerDied,
    /// A question or an appeal is open.
    Question,
    /// It has no score.
    Undefined,
    /// A value that judges enter is missing.
    ValueMissing,
    /// The hand-made transform is of an older map.
    FrameOutdated,
    /// The mirror image of the map fits better.
    Mirrored,
    /// The map may lie elsewhere.
    FrameUncertain,
    /// It came too late.
    Late,
    /// A rejudging would change its score.
    ChangedByDraft,
    /// Nobody has verified it.
    ToVerify,
}
