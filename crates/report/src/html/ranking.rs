//! The ranking of several runs on the page.

use minijinja::{Value, context};

use super::unit_of;
use crate::footer::{basis_words, tie_words};
use crate::number::{ColumnDigits, MISSING, percent};
use crate::printable::printable;
use crate::{Algorithm, RankedRun, RunComparison};

pub(super) fn view(comparison: &RunComparison) -> Value {
    let digits = comparison.digits();
    let runs: Vec<Value> = comparison.ranking.iter().map(|run| run_view(run, digits)).collect();
    let of_all = |one: &Algorithm| [one.mean, one.std, one.min, one.max];
    let digits = ColumnDigits::of(comparison.algorithms.iter().flat_map(of_all));
    let algorithms: Vec<Value> =
        comparison.algorithms.iter().map(|one| algorithm_view(one, digits)).collect();
    context! {
        basis => basis_words(comparison),
        unit => unit_of(comparison.unit),
        ties => tie_words(comparison),
        runs,
        algorithms,
    }
}

fn run_view(run: &RankedRun, digits: ColumnDigits) -> Value {
    context! {
        rank => run.rank.map_or_else(|| MISSING.to_owned(), |rank| rank.to_string()),
        name => printable(&run.name),
        value => digits.shown(run.value),
        low => digits.shown(run.low),
        high => digits.shown(run.high),
        coverage => run.coverage.map_or_else(|| MISSING.to_owned(), percent),
        reason => run.reason.as_deref().map(printable),
    }
}

fn algorithm_view(algorithm: &Algorithm, digits: ColumnDigits) -> Value {
    context! {
        name => printable(&algorithm.name),
        trials => format!("{} of {}", algorithm.trials, algorithm.runs),
        mean => digits.shown(algorithm.mean),
        std => digits.shown(algorithm.std),
        min => digits.shown(algorithm.min),
        max => digits.shown(algorithm.max),
    }
}
