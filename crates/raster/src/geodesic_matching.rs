//! One-to-one matching of places by the length of the path between them: never through a wall.
//!
//! As many pairs as possible, and of those matchings the one with the least total length. Only pairs at most
//! `limit` apart count, so each place is searched for in a small window around it; the matching then is a
//! cheapest flow through the few pairs that are left (successive shortest augmenting paths).

use std::collections::VecDeque;

use crate::shortest_paths::{Diagonals, Roads};

/// A matching of places.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matching {
    /// Index of the place on the left, index on the right, length of the path between them in cells.
    pub pairs: Vec<(usize, usize, f64)>,
}

/// Matches cells on the left with cells on the right over the set cells of a mask.
///
/// # Panics
/// The mask does not have `width * height` cells.
pub fn geodesic_matching(
    mask: &[u8],
    width: usize,
    height: usize,
    left: &[usize],
    right: &[usize],
    limit_cells: f64,
) -> Matching {
    assert_eq!(mask.len(), width * height, "mask of another size");
    let candidates = near_pairs(mask, width, height, left, right, limit_cells);
    let pairs = cheapest_matching(left.len(), right.len(), &candidates);
    Matching { pairs }
}

type Pair = (usize, usize, f64);

/// All pairs at most `limit_cells` apart along a path.
fn near_pairs(
    mask: &[u8],
    width: usize,
    height: usize,
    left: &[usize],
    right: &[usize],
    limit_cells: f64,
) -> Vec<Pair> {
    let limit = limit_cells * (1.0 + 1e-9);
    let reach = (limit.max(0.0) as usize).min(width.max(height));
    let mut by_cell: Vec<(usize, usize)> =
        right.iter().enumerate().map(|(index, &cell)| (cell, index)).collect();
    by_cell.sort_unstable();
    let mut pairs = Vec::new();
    for (index, &from) in left.iter().enumerate().filter(|(_, cell)| **cell < mask.len()) {
        let (x, y) = (from % width, from / width);
        let (columns, rows) = (
            x.saturating_sub(reach)..(x + reach + 1).min(width),
            y.saturating_sub(reach)..(y + reach + 1).min(height),
        );
        let first = by_cell.partition_point(|(cell, _)| *cell < rows.start * width);
        let near: Vec<(usize, usize)> = by_cell[first..]
            .iter()
            .copied()
            .take_while(|(cell, _)| *cell < rows.end * width)
            .filter(|(cell, _)| columns.contains(&(cell % width)))
            .collect();
        if near.is_empty() {
            continue;
        }
        let window: Vec<u8> =
            rows.clone().flat_map(|row| mask[row * width..][columns.clone()].iter().copied()).collect();
        let inside = |cell: usize| (cell / width - rows.start) * columns.len() + cell % width - columns.start;
        let targets: Vec<usize> = near.iter().map(|(cell, _)| inside(*cell)).collect();
        let roads = Roads::new(&window, columns.len(), rows.len(), Diagonals::BothSidesSet);
        let lengths = roads.lengths_to(inside(from), &targets);
        for ((_, other), target) in near.iter().zip(targets) {
            let length = lengths.steps_to(target).map(crate::Steps::length_cells);
            pairs.extend(length.filter(|&length| length <= limit).map(|length| (index, *other, length)));
        }
    }
    pairs
}

/// As many pairs as possible with the least total cost.
fn cheapest_matching(left: usize, right: usize, pairs: &[Pair]) -> Vec<Pair> {
    let mut of_left = vec![Vec::new(); left];
    for (index, &(from, _, _)) in pairs.iter().enumerate() {
        of_left[from].push(index);
    }
    let mut flow =
        Flow { pairs, of_left, taken_by_left: vec![None; left], taken_by_right: vec![None; right] };
    while flow.augment() {}
    flow.taken_by_left.iter().flatten().map(|&pair| pairs[pair]).collect()
}

struct Flow<'a> {
    pairs: &'a [Pair],
    of_left: Vec<Vec<usize>>,
    taken_by_left: Vec<Option<usize>>,
    taken_by_right: Vec<Option<usize>>,
}

impl Flow<'_> {
    /// Adds one pair along the cheapest alternating path from a free left to a free right place.
    fn augment(&mut self) -> bool {
        // Rounding must not make a detour look cheaper than itself.
        const MIN_GAIN: f64 = 1e-9;
        let mut cost_left = vec![f64::INFINITY; self.taken_by_left.len()];
        let mut cost_right = vec![f64::INFINITY; self.taken_by_right.len()];
        let mut reached_by = vec![None; self.taken_by_right.len()];
        let mut queue: VecDeque<usize> =
            (0..cost_left.len()).filter(|&from| self.taken_by_left[from].is_none()).collect();
        queue.iter().for_each(|&from| cost_left[from] = 0.0);
        while let Some(from) = queue.pop_front() {
            for &pair in &self.of_left[from] {
                let (_, to, cost) = self.pairs[pair];
                let offer = cost_left[from] + cost;
                if self.taken_by_left[from] == Some(pair) || offer >= cost_right[to] - MIN_GAIN {
                    continue;
                }
                (cost_right[to], reached_by[to]) = (offer, Some(pair));
                if let Some(taken) = self.taken_by_right[to] {
                    let (back, _, given_up) = self.pairs[taken];
                    if offer - given_up < cost_left[back] - MIN_GAIN {
                        cost_left[back] = offer - given_up;
                        queue.push_back(back);
                    }
                }
            }
        }
        let free = (0..cost_right.len()).filter(|&to| self.taken_by_right[to].is_none());
        let best = free
            .filter(|&to| cost_right[to].is_finite())
            .min_by(|&a, &b| cost_right[a].total_cmp(&cost_right[b]));
        let Some(mut to) = best else { return false };
        while let Some(pair) = reached_by[to] {
            let from = self.pairs[pair].0;
            let before = self.taken_by_left[from].replace(pair);
            self.taken_by_right[to] = Some(pair);
            match before {
                Some(given_up) => to = self.pairs[given_up].1,
                None => break,
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matched(rows: &[&str], left: &[usize], right: &[usize], limit: f64) -> Vec<Pair> {
        let mask: Vec<u8> = rows.concat().bytes().map(|letter| u8::from(letter == b'.')).collect();
        geodesic_matching(&mask, rows[0].len(), rows.len(), left, right, limit).pairs
    }

    #[test]
    fn e3_a_wall_is_gone_round_and_not_through() {
        // 04-E3: (1,2) and (1,4) are 2 apart, but 6 along the path.
        let rows = ["#######", "#..#..#", "#..#..#", "#.....#", "#######"];
        assert_eq!(matched(&rows, &[9], &[11], 2.5), []);
        assert_eq!(matched(&rows, &[9], &[11], 6.0), [(0, 0, 6.0)]);
    }

    #[test]
    fn as_many_as_possible_come_before_the_shortest() {
        // Left at 1 and 3, right at 0 and 2: pairing 1-2 or 3-2 alone is short, both pairs need 1-0 and 3-2.
        assert_eq!(matched(&["....."], &[1, 3], &[0, 2], 1.0), [(0, 0, 1.0), (1, 1, 1.0)]);
        // Left 0 could take either; the total decides.
        assert_eq!(matched(&["......"], &[0, 5], &[1, 2], 5.0), [(0, 0, 1.0), (1, 1, 3.0)]);
    }

    #[test]
    fn equals_trying_all_matchings() {
        let mut random = testkit::Random(7);
        for _ in 0..200 {
            let (n, m) = (1 + random.below(4), 1 + random.below(4));
            let all = (0..n).flat_map(|a| (0..m).map(move |b| (a, b)));
            let mut draw = |(a, b)| (random.below(3) > 0).then(|| (a, b, 1.0 + random.below(9) as f64));
            let pairs: Vec<Pair> = all.filter_map(&mut draw).collect();
            let found = cheapest_matching(n, m, &pairs);
            let cost = |list: &[Pair]| list.iter().map(|pair| pair.2).sum::<f64>();
            assert_eq!((found.len(), cost(&found)), best(&pairs, &[]), "{pairs:?}");
        }
    }

    /// Most pairs, then least cost, by trying every subset.
    fn best(pairs: &[Pair], taken: &[Pair]) -> (usize, f64) {
        let Some((&first, rest)) = pairs.split_first() else {
            return (taken.len(), taken.iter().map(|pair| pair.2).sum());
        };
        let without = best(rest, taken);
        if taken.iter().any(|pair| pair.0 == first.0 || pair.1 == first.1) {
            return without;
        }
        let with = best(rest, &[taken, &[first]].concat());
        if (with.0, -with.1) > (without.0, -without.1) { with } else { without }
    }

    #[test]
    fn places_in_walls_and_outside_match_nothing() {
        assert_eq!(matched(&[".#."], &[1, 99], &[0, 2, 77], 5.0), []);
        assert_eq!(matched(&["..."], &[], &[0], 5.0), []);
    }
}
