//! How sure a ranking is: the share of resamples in which one team stays above another.
//!
//! What values are made of (blocks of cells, fiducials, victims, labels) is drawn with replacement, the same draw for all
//! teams of a mission, since it belongs to the truth; everything that follows is computed anew. Values without such
//! elements stay as measured and are named. The draw does not know of errors that hang together over more than a block.

use std::collections::{BTreeMap, BTreeSet};

use metrics::SampleUnit;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;
use report::{PairShare, Significance, shown_name, shown_percent};

use super::combine::Details;
use super::entrants::Contest;
use super::formula::Formula;
use super::standing::{Entries, Standing, merit, standing};

/// All pairs are listed up to so many teams, neighbours beyond.
const MAX_TEAMS_IN_PAIRS: usize = 12;

/// What resampling told.
pub struct Resampled {
    /// Pairs of teams, in the order of the ranking.
    pub pairs: Vec<PairShare>,
    /// 95 % interval of each team's total.
    pub intervals: Vec<Option<[f64; 2]>>,
    /// On what it rests.
    pub basis: Significance,
}

/// Draws so many times. `order` lists the teams from the best to the worst.
#[must_use]
pub fn significance(
    contest: &Contest,
    formula: &Formula,
    entries: &Entries,
    order: &[usize],
    (resamples, seed): (usize, u64),
) -> Resampled {
    let basis = basis(contest, entries, resamples, seed);
    let none = Resampled { pairs: Vec::new(), intervals: vec![None; entries.len()], basis: basis.clone() };
    if resamples == 0 || basis.resampled.is_empty() {
        return Resampled { basis: Significance { resamples: 0, ..basis }, ..none };
    }
    let units = units(entries);
    let draw = |index: usize| {
        let mut stream = ChaCha8Rng::seed_from_u64(seed);
        stream.set_stream(index as u64 + 1);
        let draws: BTreeMap<(usize, &SampleUnit), Vec<u32>> =
            units.iter().map(|(key, count)| (*key, times(&mut stream, *count))).collect();
        resampled(contest, formula, entries, &draws).totals
    };
    let totals: Vec<Vec<Option<f64>>> = (0..resamples).into_par_iter().map(draw).collect();
    let pairs = pairs(contest, order, &totals);
    let intervals =
        (0..entries.len()).map(|team| interval(totals.iter().filter_map(|row| row[team]))).collect();
    Resampled { pairs, intervals, basis }
}

/// Everything that can be drawn: mission and unit, with the number of elements.
fn units(entries: &Entries) -> BTreeMap<(usize, &SampleUnit), usize> {
    let mut units: BTreeMap<(usize, &SampleUnit), usize> = BTreeMap::new();
    for (mission, entry) in entries.iter().flat_map(|missions| missions.iter().enumerate()) {
        for sample in entry.measured.samples.values() {
            let count = units.entry((mission, &sample.unit)).or_default();
            *count = (*count).max(sample.make.len());
        }
    }
    units
}

/// How often each element is drawn.
fn times(stream: &mut ChaCha8Rng, count: usize) -> Vec<u32> {
    let mut times = vec![0; count];
    for _ in 0..count {
        // The bias of the multiplication is below one in a million.
        times[((u128::from(stream.next_u64()) * count as u128) >> 64) as usize] += 1;
    }
    times
}

fn resampled(
    contest: &Contest,
    formula: &Formula,
    entries: &Entries,
    draws: &BTreeMap<(usize, &SampleUnit), Vec<u32>>,
) -> Standing {
    let value = |team: usize, mission: usize, name: &str| {
        let measured = &entries[team][mission].measured;
        let original = measured.value(name)?;
        let Some(sample) = measured.samples.get(name) else { return Ok(original) };
        let times = draws.get(&(mission, &sample.unit));
        times
            .map_or(Some(original), |times| sample.make.value(times))
            .ok_or_else(|| "nothing was drawn".to_owned())
    };
    standing(contest, formula, entries, &value, Details::LeftOut)
}

fn pairs(contest: &Contest, order: &[usize], totals: &[Vec<Option<f64>>]) -> Vec<PairShare> {
    let name = |team: usize| contest.teams[team].as_str();
    let reach = if order.len() <= MAX_TEAMS_IN_PAIRS { order.len() } else { 2 };
    let mut pairs = Vec::new();
    for (rank, &above) in order.iter().enumerate() {
        for &below in order.iter().take(rank + reach).skip(rank + 1) {
            let wins = |row: &Vec<Option<f64>>| {
                let (a, b) =
                    (merit(contest.profile.better, row[above]), merit(contest.profile.better, row[below]));
                if a > b {
                    1.0
                } else if a < b {
                    0.0
                } else {
                    0.5
                }
            };
            let share = totals.iter().map(wins).sum::<f64>() / totals.len() as f64;
            let (above, below) = (name(above).to_owned(), name(below).to_owned());
            let (shown_above, shown_below) = (shown_name(&above), shown_name(&below));
            let percent = shown_percent(share);
            let statement =
                format!("{shown_above} above {shown_below} in {percent} of {} resamples", totals.len());
            pairs.push(PairShare { above, below, share, statement });
        }
    }
    pairs
}

/// The middle 95 % of the totals; none below 40 of them.
fn interval(totals: impl Iterator<Item = f64>) -> Option<[f64; 2]> {
    let mut totals: Vec<f64> = totals.collect();
    if totals.len() < 40 {
        return None;
    }
    totals.sort_by(f64::total_cmp);
    let at = |share: f64| totals[((totals.len() - 1) as f64 * share).round() as usize];
    Some([at(0.025), at(0.975)])
}

/// What is resampled and what is not.
fn basis(contest: &Contest, entries: &Entries, resamples: usize, seed: u64) -> Significance {
    let used: BTreeSet<&str> = contest.profile.parts.iter().flat_map(|part| part.from.measured()).collect();
    let all = || entries.iter().flatten();
    let (mut resampled, mut fixed) = (Vec::new(), Vec::new());
    for name in used {
        let units: BTreeSet<String> =
            all().filter_map(|entry| Some(entry.measured.samples.get(name)?.unit.to_string())).collect();
        if !units.is_empty() {
            resampled.push(format!("{name}: {}", units.into_iter().collect::<Vec<_>>().join(", ")));
        } else if all().any(|entry| entry.measured.value(name).is_ok()) {
            fixed.push(name.to_owned());
        }
    }
    Significance { resamples, seed, resampled, fixed }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_elements_are_drawn_as_there_are() {
        let mut stream = ChaCha8Rng::seed_from_u64(1);
        assert_eq!(times(&mut stream, 50).iter().sum::<u32>(), 50);
        assert!(times(&mut stream, 0).is_empty());
    }

    #[test]
    fn an_interval_needs_some_totals() {
        assert_eq!(interval([1.0].into_iter()), None);
        assert_eq!(interval((0..=1000).map(f64::from)), Some([25.0, 975.0]));
    }
}
