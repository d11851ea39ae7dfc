//! The highest ranks of a plane of translations, of which only those places are computed that may hold one.

use raster::moved_points::highest;

/// Cells around a peak that belong to it.
const PEAK_RADIUS: usize = 3;
/// Rows of a band: peaks of two bands with one between them are far enough apart that no third peak covers both.
const BAND_ROWS: usize = 2 * PEAK_RADIUS + 1;

/// Ranks by row and column; what was not computed is 0, and too low for a peak.
#[derive(Default)]
pub(super) struct Ranks {
    values: Vec<f32>,
    wide: usize,
    most: usize,
    best_of_bands: Vec<f32>,
    /// 0 for rows of which nothing was set; their values are left over from before.
    best_of_rows: Vec<f32>,
    least: f32,
}

impl Ranks {
    /// Empty ranks, of which so many peaks will be asked for.
    pub(super) fn clear(&mut self, (wide, high): (usize, usize), most: usize) {
        self.values.resize(wide * high, 0.0);
        self.best_of_rows.clear();
        self.best_of_rows.resize(high, 0.0);
        self.best_of_bands.clear();
        self.best_of_bands.resize(high.div_ceil(BAND_ROWS), 0.0);
        (self.wide, self.most, self.least) = (wide, most, 0.0);
    }

    /// No place with a lower rank is a peak.
    pub(super) fn least(&self) -> f32 {
        self.least
    }

    /// Sets the ranks of a row from a column on; those beyond its end are dropped.
    pub(super) fn set(&mut self, row: usize, column: usize, ranks: &[f32]) {
        let count = ranks.len().min(self.wide.saturating_sub(column));
        let best = highest(&ranks[..count]);
        if best <= 0.0 {
            return;
        }
        let of_row = &mut self.values[row * self.wide..][..self.wide];
        if self.best_of_rows[row] == 0.0 {
            of_row.fill(0.0);
        }
        of_row[column..][..count].copy_from_slice(&ranks[..count]);
        self.best_of_rows[row] = self.best_of_rows[row].max(best);
        let of_band = &mut self.best_of_bands[row / BAND_ROWS];
        if best > *of_band {
            *of_band = best;
            if best > self.least {
                self.raise_least();
            }
        }
    }

    /// Of every second band the best: as many of these as there will be peaks are all peaks, or give way to better ones.
    fn raise_least(&mut self) {
        for first in 0..2 {
            let mut bests: Vec<f32> = self.best_of_bands.iter().copied().skip(first).step_by(2).collect();
            if self.most > 0 && self.most <= bests.len() {
                let (_, of_most, _) = bests.select_nth_unstable_by(self.most - 1, |a, b| b.total_cmp(a));
                self.least = self.least.max(*of_most);
            }
        }
    }

    /// Row and column of the highest ranks, each with its surroundings taken out before the next is looked for.
    pub(super) fn peaks(&mut self) -> Vec<(usize, usize)> {
        let (rank, best_of_rows, wide) = (&mut self.values, &mut self.best_of_rows, self.wide.max(1));
        let mut peaks = Vec::with_capacity(self.most);
        for _ in 0..self.most {
            let best = highest(best_of_rows);
            if best <= 0.0 {
                break;
            }
            let row = best_of_rows.iter().position(|&value| value == best).unwrap_or(0);
            let column = rank[row * wide..][..wide].iter().position(|&value| value == best).unwrap_or(0);
            peaks.push((row, column));
            let columns = column.saturating_sub(PEAK_RADIUS)..(column + PEAK_RADIUS + 1).min(wide);
            for near in row.saturating_sub(PEAK_RADIUS)..(row + PEAK_RADIUS + 1).min(best_of_rows.len()) {
                if best_of_rows[near] > 0.0 {
                    rank[near * wide..][columns.clone()].fill(0.0);
                    best_of_rows[near] = highest(&rank[near * wide..][..wide]);
                }
            }
        }
        peaks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_below_the_least_rank_changes_no_peak() {
        let mut random = testkit::Random(17);
        let (wide, high) = (40, 90);
        for round in 0..50 {
            let all: Vec<f32> = (0..wide * high).map(|_| random.below(1000) as f32 / 1000.0).collect();
            for most in [1, 3, 5] {
                let (mut whole, mut lazy) = (Ranks::default(), Ranks::default());
                whole.clear((wide, high), most);
                lazy.clear((wide, high), most);
                let mut left_out = 0;
                for (row, ranks) in all.chunks(wide).enumerate() {
                    whole.set(row, 0, ranks);
                    for (block, ranks) in ranks.chunks(16).enumerate() {
                        if highest(ranks) < lazy.least() {
                            left_out += 1;
                        } else {
                            lazy.set(row, 16 * block, ranks);
                        }
                    }
                }
                assert_eq!(whole.peaks(), lazy.peaks(), "round {round}, {most} peaks");
                assert!(left_out > 0);
            }
        }
    }

    #[test]
    fn peaks_take_their_surroundings_out() {
        let mut ranks = Ranks::default();
        ranks.clear((10, 1), 3);
        ranks.set(0, 0, &[0.1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.0, 0.0, 0.3, 0.2]);
        assert_eq!(ranks.peaks(), [(0, 1), (0, 5), (0, 9)]);
        ranks.clear((2, 2), 3);
        assert!(ranks.peaks().is_empty());
    }
}
