//! Relations between the same two timestamps, and whether they agree.

use std::collections::HashMap;

use model::{Relation, Rigid};
use schemars::JsonSchema;
use serde::Serialize;

use super::CheckParams;

/// Two relations of the same timestamps that do not agree.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Repeated {
    /// Place of the first one in the file, counted from 1.
    pub first: usize,
    /// Place of the other one.
    pub second: usize,
    /// Difference of the displacements in metres.
    pub translation_m: f64,
    /// Difference of the rotations in radians.
    pub rotation_rad: f64,
}

/// All that repeat.
pub(super) struct AllRepeated {
    pub(super) count: usize,
    pub(super) contradicting: usize,
    pub(super) worst: Vec<Repeated>,
}

/// Compares each relation with the first one of the same timestamps, turned round where the timestamps are.
pub(super) fn repeated(relations: &[Relation], params: &CheckParams) -> AllRepeated {
    let mut first_of: HashMap<(u64, u64), usize> = HashMap::new();
    let mut count = 0;
    let mut contradictions = Vec::new();
    for (index, relation) in relations.iter().enumerate() {
        // Adding 0 makes one timestamp of 0 and -0.
        let (from, to) = ((relation.from_s + 0.0).to_bits(), (relation.to_s + 0.0).to_bits());
        let first = *first_of.entry((from.min(to), from.max(to))).or_insert(index);
        if first == index {
            continue;
        }
        count += 1;
        let other = &relations[first];
        let same = if other.from_s == relation.from_s { other.pose() } else { other.pose().inverse() };
        let rest = relation.pose().seen_from(same);
        let (translation_m, rotation_rad) = (rest.distance_m(), rest.angle_rad());
        if translation_m > params.agree_m || rotation_rad > params.agree_rad {
            contradictions.push(Repeated {
                first: first + 1,
                second: index + 1,
                translation_m,
                rotation_rad,
            });
        }
    }
    contradictions.sort_by(|a, b| b.translation_m.total_cmp(&a.translation_m).then(a.second.cmp(&b.second)));
    let contradicting = contradictions.len();
    contradictions.truncate(params.worst);
    AllRepeated { count, contradicting, worst: contradictions }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::relation;

    #[test]
    fn the_same_relation_turned_round_is_a_repetition_and_agrees() {
        use std::f64::consts::FRAC_PI_2;
        // (1, 0, 90 degrees) turned round is (0, 1, -90 degrees).
        let relations = [relation(0.0, 1.0, 1.0, 0.0, FRAC_PI_2), relation(1.0, 0.0, 0.0, 1.0, -FRAC_PI_2)];
        let found = repeated(&relations, &CheckParams::default());
        assert_eq!((found.count, found.contradicting), (1, 0));
    }

    #[test]
    fn a_contradiction_names_both_and_its_size() {
        let relations = [
            relation(0.0, 1.0, 1.0, 0.0, 0.0),
            relation(5.0, 6.0, 1.0, 0.0, 0.0),
            relation(0.0, 1.0, 1.0, 0.4, 0.0),
            relation(5.0, 6.0, 1.0, 0.1, 0.0),
        ];
        let found = repeated(&relations, &CheckParams::default());
        assert_eq!((found.count, found.contradicting), (2, 1));
        assert_eq!((found.worst[0].first, found.worst[0].second), (1, 3));
        assert!((found.worst[0].translation_m - 0.4).abs() < 1e-12);
    }
}
