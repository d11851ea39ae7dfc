//! Times that no relation covers.

use model::Relation;
use schemars::JsonSchema;
use serde::Serialize;

use super::CheckParams;

/// A time without a timestamp of any relation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Gap {
    /// The last timestamp before it, in seconds.
    pub start_s: f64,
    /// The first timestamp after it, in seconds.
    pub end_s: f64,
}

pub(super) struct Gaps {
    pub(super) span_s: Option<(f64, f64)>,
    pub(super) count: usize,
    pub(super) longest: Vec<Gap>,
}

/// Gaps of at least `gap_s` between timestamps that follow each other.
pub(super) fn gaps(relations: &[Relation], params: &CheckParams) -> Gaps {
    let mut times: Vec<f64> =
        relations.iter().flat_map(|relation| [relation.from_s, relation.to_s]).collect();
    times.sort_by(f64::total_cmp);
    let gap = |pair: &[f64]| Gap { start_s: pair[0], end_s: pair[1] };
    let mut longest: Vec<Gap> =
        times.windows(2).map(gap).filter(|gap| gap.end_s - gap.start_s >= params.gap_s).collect();
    let count = longest.len();
    longest.sort_by(|a, b| (b.end_s - b.start_s).total_cmp(&(a.end_s - a.start_s)));
    longest.truncate(params.worst);
    Gaps { span_s: times.first().copied().zip(times.last().copied()), count, longest }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::relation;

    #[test]
    fn a_gap_lies_between_moments_and_the_longest_comes_first() {
        let relations = [relation(0.0, 1.0, 0.0, 0.0, 0.0), relation(60.0, 20.0, 0.0, 0.0, 0.0)];
        let found = gaps(&relations, &CheckParams::default());
        assert_eq!((found.span_s, found.count), (Some((0.0, 60.0)), 2));
        assert_eq!(found.longest[0], Gap { start_s: 20.0, end_s: 60.0 });
    }
}
