//! Every map metric, one per file. `cells/overall_error.rs` is the one to read first.
//!
//! A metric is a parameter struct with a [`MetricSpec`] and a pure function; [`all`] lists them, [`find`]
//! looks one up by its id. The header of a metric's file is its card.

pub mod annotation;
mod case;
pub mod cells;
pub mod contest;
pub mod distance;
#[cfg(test)]
mod drawing;
mod evidence;
pub mod fiducials;
pub mod floors;
mod metric;
/// What the file of every metric needs.
mod prelude {
    pub(crate) use schemars::JsonSchema;
    pub(crate) use serde::{Deserialize, Serialize};

    pub(crate) use crate::{
        Aggregate, Better, Case, Family, Make, Metric, MetricEvidence, MetricSpec, Quantity, Reason,
        SampleUnit, Samples, Score, Undefined, Unit,
    };
}
pub mod paths;
mod plane_distance;
pub mod plausibility;
mod reason;
pub mod rooms;
mod score;
mod search;
mod spec;
pub mod topology;
pub mod trajectory;

pub use align::{AlignedGrids, Resample, Window};
pub use case::Case;
pub use evidence::{
    CellLayer, Curve, Evidence, Fact, FactTable, Make, MetricEvidence, NamedValue, Place, Quantity,
    SampleUnit, Samples,
};
pub use metric::{AnyMetric, Entry, Metric, ParamDoc, ParamError};
pub use reason::Reason;
pub use score::{Detail, Score, Undefined, facts};
pub use search::search;
pub use spec::{Aggregate, Better, CARD_KEYS, CellMemory, Family, MetricSpec, Unit};

/// Every metric, family by family, alphabetical inside.
pub fn all() -> impl Iterator<Item = &'static Entry> {
    let families = [
        cells::METRICS,
        distance::METRICS,
        paths::METRICS,
        topology::METRICS,
        fiducials::METRICS,
        rooms::METRICS,
        trajectory::METRICS,
        annotation::METRICS,
        contest::METRICS,
        plausibility::METRICS,
    ];
    families.into_iter().flatten()
}

/// The metric of this id.
#[must_use]
pub fn find(id: &str) -> Option<&'static Entry> {
    all().find(|entry| entry.spec.id == id)
}
