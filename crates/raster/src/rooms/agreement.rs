//! How well found rooms agree with reference rooms.

use std::collections::BTreeMap;

use super::Rooms;

/// A found room and the reference room that it shares more than half of their union with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatchedRoom {
    /// Number of the reference room.
    pub reference: u32,
    /// Number of the found room.
    pub found: u32,
    /// Shared cells over cells of either.
    pub iou: f64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Agreement {
    /// Pairs with a shared part above one half: at most one per room, because rooms do not overlap.
    pub matches: Vec<MatchedRoom>,
    /// Rooms of the reference.
    pub reference_count: u32,
    pub found_count: u32,
}

impl Agreement {
    /// Share of the found rooms that are right; none without a found room.
    pub fn precision(&self) -> Option<f64> {
        (self.found_count > 0).then(|| self.matches.len() as f64 / f64::from(self.found_count))
    }

    /// Share of the reference rooms that were found; none without a reference room.
    pub fn recall(&self) -> Option<f64> {
        (self.reference_count > 0).then(|| self.matches.len() as f64 / f64::from(self.reference_count))
    }

    /// Harmonic mean of both; none without any room.
    pub fn f1(&self) -> Option<f64> {
        let rooms = self.found_count + self.reference_count;
        (rooms > 0).then(|| 2.0 * self.matches.len() as f64 / f64::from(rooms))
    }

    /// Mean shared part of the matched rooms; none without a match.
    pub fn mean_iou(&self) -> Option<f64> {
        let sum: f64 = self.matches.iter().map(|m| m.iou).sum();
        (!self.matches.is_empty()).then(|| sum / self.matches.len() as f64)
    }
}

/// Compares found rooms with reference rooms on the same cells.
///
/// # Panics
/// Planes of unequal size.
pub fn agreement(reference: &Rooms, found: &Rooms) -> Agreement {
    assert_eq!(reference.labels.len(), found.labels.len(), "planes of unequal size");
    let shared = counted_pairs(reference.labels.iter().copied().zip(found.labels.iter().copied()));
    let (of_reference, of_found) = (reference.areas_cells(), found.areas_cells());
    let matched = |(&(r, f), &cells): (&(u32, u32), &usize)| {
        let union = of_reference[r as usize] + of_found[f as usize] - cells;
        let iou = cells as f64 / union as f64;
        (iou > 0.5).then_some(MatchedRoom { reference: r, found: f, iou })
    };
    let matches = shared.iter().filter_map(matched).collect();
    Agreement { matches, reference_count: reference.count, found_count: found.count }
}

/// How often each pair of numbers other than 0 occurs. Neighbouring cells mostly have the same pair, so runs are counted.
pub fn counted_pairs(pairs: impl Iterator<Item = (u32, u32)>) -> BTreeMap<(u32, u32), usize> {
    let mut counts: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    let (mut pair, mut run) = ((0, 0), 0);
    for next in pairs.chain(std::iter::once((0, 0))) {
        if next == pair {
            run += 1;
            continue;
        }
        if pair.0 != 0 && pair.1 != 0 {
            *counts.entry(pair).or_default() += run;
        }
        (pair, run) = (next, 1);
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rooms_match_where_they_share_more_than_half() {
        // Room 1: 4 of 5 cells; room 2 is split in halves, none above one half.
        let reference = Rooms::of_marks(&[1, 1, 1, 1, 1, 2, 2, 2, 2, 0], 10);
        let found = Rooms::of_marks(&[1, 1, 1, 1, 0, 2, 2, 3, 3, 0], 10);
        let agreement = agreement(&reference, &found);
        assert_eq!(agreement.matches, [MatchedRoom { reference: 1, found: 1, iou: 0.8 }]);
        assert_eq!((agreement.precision(), agreement.recall()), (Some(1.0 / 3.0), Some(0.5)));
        assert_eq!((agreement.f1(), agreement.mean_iou()), (Some(0.4), Some(0.8)));
    }

    #[test]
    fn pairs_are_counted_over_all_runs() {
        let counts = counted_pairs([(1, 1), (1, 1), (0, 2), (2, 0), (1, 1), (2, 1)].into_iter());
        assert_eq!(counts, BTreeMap::from([((1, 1), 3), ((2, 1), 1)]));
        assert!(counted_pairs(std::iter::empty()).is_empty());
    }

    #[test]
    fn without_rooms_nothing_is_defined() {
        let none = Rooms::of_marks(&[0, 0], 2);
        let agreement = agreement(&none, &none);
        assert_eq!((agreement.f1(), agreement.precision(), agreement.mean_iou()), (None, None, None));
    }
}
