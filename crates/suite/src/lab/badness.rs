//! Badness: a value with the sign of its direction, so that more is always worse.

use metrics::{Better, MetricSpec};

/// The badness of a value: `closer` metrics are as bad as they are far from their best value.
pub(super) fn badness(spec: &MetricSpec, value: f64) -> f64 {
    match spec.better {
        // A description has no worse end; its curve is drawn as it is.
        Better::Lower | Better::Neither => value,
        Better::Higher => 0.0 - value,
        Better::Closer => (value - spec.best.unwrap_or(0.0)).abs(),
    }
}
