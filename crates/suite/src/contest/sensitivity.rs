//! At which weight two neighbours of the ranking change places, all else as it is.

use std::cell::RefCell;

use report::{Flip, shown_name, shown_number};

use super::entrants::Contest;
use super::formula::Formula;
use super::standing::{Entries, MissionStanding, Standing, merit, total_under};

/// Steps of the search on each side of a weight; a flip and its reversal inside one step go unseen.
const STEPS: usize = 64;
/// Halvings of a step: finer than a double can tell.
const HALVINGS: usize = 60;
/// Weights are tried from 0 up to so many times their value.
const MAX_TIMES: f64 = 10.0;

/// Every weight for every pair of neighbours that both have a score.
#[must_use]
pub fn sensitivity(
    contest: &Contest,
    formula: &Formula,
    entries: &Entries,
    standing: &Standing,
    order: &[usize],
) -> Vec<Flip> {
    let mut flips = Vec::new();
    for pair in order.windows(2) {
        let (above, below) = (pair[0], pair[1]);
        if standing.totals[above].is_none() || standing.totals[below].is_none() {
            continue;
        }
        let of_team = |team: usize| {
            let broken: Vec<bool> =
                entries[team].iter().map(|entry| entry.measured.broken.is_some()).collect();
            let results: Vec<MissionStanding> =
                standing.results[team].iter().map(MissionStanding::plain).collect();
            (results, broken)
        };
        let both = [of_team(above), of_team(below)];
        for (weight, &value) in &contest.profile.weights {
            let profile = RefCell::new(contest.profile.clone());
            let lead = |weight_value: f64| {
                if let Some(known) = profile.borrow_mut().weights.get_mut(weight) {
                    *known = weight_value;
                }
                let profile = profile.borrow();
                let [above, below] = both.each_ref().map(|(results, broken)| {
                    merit(profile.better, total_under(contest, &profile, formula, results, broken))
                });
                above - below
            };
            let name = |team: usize| contest.teams[team].as_str();
            flips.extend(flip((name(above), name(below)), weight, value, &lead));
        }
    }
    flips
}

/// None for equal teams, which have no order, and where the weight moves neither of them.
fn flip((above, below): (&str, &str), weight: &str, value: f64, lead: &dyn Fn(f64) -> f64) -> Option<Flip> {
    let here = lead(value);
    if here.is_nan() || here <= 0.0 || value <= 0.0 || !value.is_finite() {
        return None;
    }
    let flips_below = crossing(value, 0.0, lead);
    let flips_above = crossing(value, MAX_TIMES * value, lead);
    let (first, second) = (shown_name(above), shown_name(below));
    let sides: Vec<String> = [("<", flips_below), (">", flips_above)]
        .into_iter()
        .filter_map(|(sign, at)| Some(format!("{weight} {sign} {}", shown_number(at?))))
        .collect();
    let statement = if sides.is_empty() {
        format!("no {weight} changes the order of {first} and {second}")
    } else {
        let now = shown_number(value);
        format!("order of {first} and {second} flips if {} (now {now})", sides.join(" or "))
    };
    let (above, below, weight) = (above.to_owned(), below.to_owned(), weight.to_owned());
    Some(Flip { above, below, weight, value, flips_below, flips_above, statement })
}

/// The place nearest to `from`, on the way to `to`, at which the lead is lost.
fn crossing(from: f64, to: f64, lead: &dyn Fn(f64) -> f64) -> Option<f64> {
    let at = |step: usize| from + (to - from) * step as f64 / STEPS as f64;
    let lost = |weight: f64| lead(weight) < 0.0;
    let step = (1..=STEPS).find(|step| lost(at(*step)))?;
    let (mut kept, mut gone) = (at(step - 1), at(step));
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(kept, gone);
        *if lost(middle) { &mut gone } else { &mut kept } = middle;
    }
    Some(gone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_flips_where_two_lines_cross() {
        // 10 w + 4 against 30 w: equal at w = 0.2.
        let lead = |w: f64| (10.0 * w + 4.0) - 30.0 * w;
        let found = flip(("A", "B"), "w", 0.1, &lead).unwrap();
        assert!((found.flips_above.unwrap() - 0.2).abs() < 1e-9 && found.flips_below.is_none());
        assert_eq!(found.statement, "order of A and B flips if w > 0.2 (now 0.1)");
    }

    #[test]
    fn equal_teams_have_no_order_to_flip() {
        assert!(flip(("A", "B"), "w", 1.0, &|_| 0.0).is_none());
        let stays = flip(("A", "B"), "w", 1.0, &|_| 1.0).unwrap();
        assert_eq!((stays.flips_below, stays.flips_above), (None, None));
    }
}
