//! What a lab tries.

use metrics::Family;
use sim::damage::{Chance, HARMLESS_CHANGES, KINDS, Kind};

use super::change::{INVARIANCES, LabChange};
use crate::judge::choose;
use crate::{AlignBy, JobError};

/// What a lab tries.
#[derive(Clone, Debug)]
pub struct LabPlan {
    /// Kinds of damage, in the order of tables.
    pub kinds: Vec<Kind>,
    /// Ids and families of metrics.
    pub metrics: Vec<String>,
    /// Levels per kind, 1 to 6, spread over its ladder.
    pub levels: usize,
    /// Seeds per map, kind and level; kinds without chance have one.
    pub seeds: usize,
    /// How a damaged map comes into the coordinate frame of its truth.
    pub align: AlignBy,
    /// Seed of everything random.
    pub seed: u64,
}

impl Default for LabPlan {
    fn default() -> Self {
        let families = [Family::Cells, Family::Distance, Family::Paths, Family::Topology];
        Self {
            kinds: KINDS.to_vec(),
            metrics: families.iter().map(|family| family.name().to_owned()).collect(),
            levels: 6,
            seeds: 5,
            align: AlignBy::None,
            seed: crate::DEFAULT_SEED,
        }
    }
}

/// A map and what is done to it before it is judged.
#[derive(Clone, Debug, PartialEq)]
pub struct LabPair {
    /// Number of the map.
    pub map: usize,
    /// What is done to it.
    pub change: LabChange,
    /// Number of the seed, from 1.
    pub seed: usize,
}

/// Maps on which invariance is measured: values of more maps would cost time and say the same.
const MAPS_OF_INVARIANCE: usize = 3;

impl LabPlan {
    /// The ids of the metrics, in the order of rows.
    ///
    /// # Errors
    /// A name that is neither an id nor a family.
    pub fn metric_ids(&self) -> Result<Vec<String>, JobError> {
        let chosen = choose(&self.metrics, &std::collections::BTreeMap::new())?;
        Ok(chosen.iter().map(|chosen| chosen.metric.spec().id.to_owned()).collect())
    }

    /// The levels of a kind that are tried: spread evenly, the strongest always.
    #[must_use]
    pub fn levels_of(&self, kind: &Kind) -> Vec<usize> {
        let all = kind.spec.ladder.len();
        let wanted = self.levels.clamp(1, all.max(1));
        let mut levels: Vec<usize> = (1..=wanted).map(|level| (level * all).div_ceil(wanted)).collect();
        levels.dedup();
        levels
    }

    /// Every pair, map by map.
    #[must_use]
    pub fn pairs(&self, maps: usize) -> Vec<LabPair> {
        (0..maps).flat_map(|map| self.pairs_of_map(map)).collect()
    }

    fn pairs_of_map(&self, map: usize) -> Vec<LabPair> {
        let once = |change| LabPair { map, change, seed: 1 };
        let mut pairs = vec![once(LabChange::Nothing)];
        pairs.extend((0..HARMLESS_CHANGES).map(|number| once(LabChange::Harmless(number))));
        pairs.extend([once(LabChange::OneCell), once(LabChange::OneDegree)]);
        if map < MAPS_OF_INVARIANCE {
            pairs.push(once(LabChange::Sample));
            pairs.extend(INVARIANCES.iter().map(|(_, change)| once(LabChange::Invariance(*change))));
        }
        for kind in &self.kinds {
            let seeds = if kind.spec.chance == Chance::None { 1 } else { self.seeds.max(1) };
            for level in self.levels_of(kind) {
                let pair = |seed| LabPair { map, change: LabChange::Damage { kind: *kind, level }, seed };
                pairs.extend((1..=seeds).map(pair));
            }
        }
        pairs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_levels_are_spread_over_the_ladder() {
        let noise = Kind::find("noise").unwrap();
        let levels = |levels| LabPlan { levels, ..LabPlan::default() }.levels_of(&noise);
        assert_eq!(levels(6), [1, 2, 3, 4, 5, 6]);
        assert_eq!(levels(3), [2, 4, 6]);
        assert_eq!(levels(1), [6]);
        let mirror = Kind::find("mirror").unwrap();
        assert_eq!(LabPlan::default().levels_of(&mirror), [1]);
    }

    /// 9 kinds with chance of 6 levels and 5 seeds, 6 kinds without of 6 levels, one mirror; 1 + 20 + 2 + 9 changes besides.
    #[test]
    fn pairs_of_one_map_by_hand() {
        let seeded = KINDS.iter().filter(|kind| kind.spec.chance == Chance::Seeded).count();
        let expected = seeded * 30 + (15 - seeded) * 6 + 1 + 23 + 1 + INVARIANCES.len();
        assert_eq!(LabPlan::default().pairs(1).len(), expected);
    }
}
