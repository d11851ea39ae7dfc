//! Contingency table of two class planes: how often each truth class meets each map class.
//!
//! All cell metrics follow from these nine counts, so the planes are read once. Memory speed is the
//! limit: two bytes per cell.

use crate::dispatch::dispatched;

/// Counts of cells by class in the truth (first index) and in the map (second index).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contingency {
    /// `counts[truth][map]`, classes in the order free, unknown, occupied.
    pub counts: [[u64; 3]; 3],
}

impl Contingency {
    /// Number of cells compared.
    pub fn total(&self) -> u64 {
        self.counts.iter().flatten().sum()
    }

    /// Cells of each class in the truth.
    pub fn truth_counts(&self) -> [u64; 3] {
        self.counts.map(|row| row.iter().sum())
    }

    /// Cells of each class in the map.
    pub fn map_counts(&self) -> [u64; 3] {
        std::array::from_fn(|map| self.counts.iter().map(|row| row[map]).sum())
    }

    /// The table with truth and map swapped.
    #[must_use]
    pub fn transposed(&self) -> Self {
        Self { counts: std::array::from_fn(|map| std::array::from_fn(|truth| self.counts[truth][map])) }
    }
}

/// Counts all pairs of classes of two planes with bytes 0, 1 and 2.
///
/// # Panics
/// The planes differ in size. Bytes above 2 are a caller's mistake: the counts are then senseless, or an
/// overflow is caught in builds that look for it.
pub fn contingency(truth: &[u8], map: &[u8]) -> Contingency {
    assert_eq!(truth.len(), map.len(), "planes of unequal size");
    let [unknown, occupied, map_unknown, map_occupied, uu, ou, uo, oo] = tally(truth, map);
    let (fu, fo) = (map_unknown - uu - ou, map_occupied - uo - oo);
    let free = truth.len() as u64 - unknown - occupied;
    let of_free = [free - fu - fo, fu, fo];
    let of_unknown = [unknown - uu - uo, uu, uo];
    let of_occupied = [occupied - ou - oo, ou, oo];
    Contingency { counts: [of_free, of_unknown, of_occupied] }
}

dispatched! {
    /// The eight counts that are no remainder: truth unknown, truth occupied, map unknown, map occupied,
    /// then both unknown, occupied-unknown, unknown-occupied, both occupied (truth first).
    fn tally(truth: &[u8], map: &[u8]) -> [u64; 8] = tally_kernel;
}

/// Cells handled at once: one register of AVX-512, two of AVX2.
const LANES: usize = 64;
/// Two counts share a byte, four bits each, so they are moved out after this many steps.
const NIBBLE_STEPS: usize = 15;
/// 17 * 15 = 255 steps fill a byte.
const BYTE_STEPS: usize = 17 * NIBBLE_STEPS;

/// One counter per lane for each of the eight counts.
type LaneCounters = [[u8; LANES]; 8];

#[inline(always)]
fn tally_kernel(truth: &[u8], map: &[u8]) -> [u64; 8] {
    let mut sums = [0_u64; 8];
    let stretches = truth.chunks(LANES * BYTE_STEPS).zip(map.chunks(LANES * BYTE_STEPS));
    for (truth, map) in stretches {
        let mut counters: LaneCounters = [[0; LANES]; 8];
        for (truth, map) in truth.chunks(LANES * NIBBLE_STEPS).zip(map.chunks(LANES * NIBBLE_STEPS)) {
            count_short_stretch(truth, map, &mut counters);
        }
        for (sum, lanes) in sums.iter_mut().zip(&counters) {
            *sum += u64::from(lanes.iter().map(|&count| u32::from(count)).sum::<u32>());
        }
    }
    sums
}

/// Counts at most [`NIBBLE_STEPS`] blocks. The truth's class becomes a byte of two counters, 1 for unknown
/// and 16 for occupied; added where the map is unknown or occupied it counts two pairs at once.
#[inline(always)]
fn count_short_stretch(truth: &[u8], map: &[u8], counters: &mut LaneCounters) {
    let (truth_blocks, truth_rest) = truth.as_chunks::<LANES>();
    let (map_blocks, map_rest) = map.as_chunks::<LANES>();
    let mut pairs = [[0_u8; LANES]; 3];
    let mut map_counts = [[0_u8; LANES]; 2];
    let mut step = |truth: &[u8; LANES], map: &[u8; LANES]| {
        for lane in 0..LANES {
            let class = truth[lane];
            let weight = class.wrapping_add(if class == 2 { 14 } else { 0 });
            let unknown = if map[lane] == 1 { 0xFF } else { 0 };
            let occupied = if map[lane] == 2 { 0xFF } else { 0 };
            pairs[0][lane] = pairs[0][lane].wrapping_add(weight);
            pairs[1][lane] = pairs[1][lane].wrapping_add(weight & unknown);
            pairs[2][lane] = pairs[2][lane].wrapping_add(weight & occupied);
            map_counts[0][lane] = map_counts[0][lane].wrapping_sub(unknown);
            map_counts[1][lane] = map_counts[1][lane].wrapping_sub(occupied);
        }
    };
    truth_blocks.iter().zip(map_blocks).for_each(|(truth, map)| step(truth, map));
    if !truth_rest.is_empty() {
        // Filled up with free cells: those are the remainder and need no counter.
        let (mut truth, mut map) = ([0; LANES], [0; LANES]);
        truth[..truth_rest.len()].copy_from_slice(truth_rest);
        map[..map_rest.len()].copy_from_slice(map_rest);
        step(&truth, &map);
    }
    for lane in 0..LANES {
        counters[0][lane] += pairs[0][lane] & 15;
        counters[1][lane] += pairs[0][lane] >> 4;
        counters[2][lane] += map_counts[0][lane];
        counters[3][lane] += map_counts[1][lane];
        counters[4][lane] += pairs[1][lane] & 15;
        counters[5][lane] += pairs[1][lane] >> 4;
        counters[6][lane] += pairs[2][lane] & 15;
        counters[7][lane] += pairs[2][lane] >> 4;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn one_by_one(truth: &[u8], map: &[u8]) -> Contingency {
        let mut counts = [[0; 3]; 3];
        truth.iter().zip(map).for_each(|(&t, &m)| counts[usize::from(t)][usize::from(m)] += 1);
        Contingency { counts }
    }

    #[test]
    fn counts_each_pair_of_classes_by_hand() {
        let truth = [0, 0, 0, 1, 1, 2, 2, 2, 2];
        let map = [0, 2, 2, 1, 0, 2, 2, 2, 1];
        let table = contingency(&truth, &map);
        assert_eq!(table.counts, [[1, 0, 2], [1, 1, 0], [0, 1, 3]]);
        assert_eq!(table.truth_counts(), [3, 2, 4]);
        assert_eq!(table.map_counts(), [2, 2, 5]);
        assert_eq!(table.transposed(), contingency(&map, &truth));
        assert_eq!(table.total(), 9);
    }

    #[test]
    fn no_cells_give_an_empty_table() {
        assert_eq!(contingency(&[], &[]), Contingency::default());
    }

    #[test]
    fn counters_do_not_overflow_on_uniform_planes() {
        for (truth, map) in [(2, 2), (1, 1), (2, 1), (1, 2), (0, 2)] {
            let cells = LANES * BYTE_STEPS * 3 + 65;
            let table = contingency(&vec![truth; cells], &vec![map; cells]);
            assert_eq!(table.counts[usize::from(truth)][usize::from(map)], cells as u64);
            assert_eq!(table.total(), cells as u64);
        }
    }

    #[test]
    fn narrow_and_wide_instructions_agree() {
        let truth: Vec<u8> =
            (0..70_001_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 16) as u8 % 3).collect();
        let map: Vec<u8> = (0..70_001_u32).map(|i| (i.wrapping_mul(40_503) >> 8) as u8 % 3).collect();
        assert_eq!(tally(&truth, &map), tally_kernel(&truth, &map));
        assert_eq!(contingency(&truth, &map), one_by_one(&truth, &map));
    }

    proptest! {
        #[test]
        fn equals_counting_one_by_one(cells in proptest::collection::vec((0..3_u8, 0..3_u8), 0..3000)) {
            let (truth, map): (Vec<u8>, Vec<u8>) = cells.into_iter().unzip();
            prop_assert_eq!(contingency(&truth, &map), one_by_one(&truth, &map));
        }
    }
}
