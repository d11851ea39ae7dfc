//! The ranking of several runs on the page.

use minijinja::{Value, context};

use super::unit_of;
use crate::footer::{basis_words, tie_words};
use crate::number::{MISSING, percent, shown};
use crate::printable::printable;
use crate::{Algorithm, RankedRun, RunComparison};

pub(super) fn view(comparison: &RunComparison) -> Value {
    let runs: Vec<Value> = comparison.ranking.iter().map(run_view).collect();
    let algorithms: Vec<Value> = comparison.algorithms.iter().map(algorithm_view).collect();
    context! {
        basis => basis_words(comparison),
        unit => unit_of(comparison.unit),
        ties => tie_words(comparison),
        runs,
        algorithms,
    }
}

fn run_view(run: &RankedRun) -> Value {
    context! {
        rank => run.rank.map_or_else(|| MISSING.to_owned(), |rank| rank.to_string()),
        name => printable(&run.name),
        value => shown(run.value),
        low => shown(run.low),
        high => shown(run.high),
        coverage => run.coverage.map_or_else(|| MISSING.to_owned(), percent),
        reason => run.reason.as_deref().map(printable),
    }
}

fn algorithm_view(algorithm: &Algorithm) -> Value {
    context! {
        name => printable(&algorithm.name),
        trials => format!("{} of {}", algorithm.trials, algorithm.runs),
        mean => shown(algorithm.mean),
        std => shown(algorithm.std),
        min => shown(algorithm.min),
        max => shown(algorithm.max),
    }
}
