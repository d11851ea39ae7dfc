//! The Pareto view of a contest as a chart.

use super::value::ContestReport;
use crate::chart::{Axis, ParetoDot, pareto};
use crate::printable::name;

/// The first two axes as a chart; none if fewer than two, or no team has both values.
pub(super) fn pareto_chart(contest: &ContestReport) -> Option<String> {
    let record = contest.pareto.as_ref()?;
    let [x, y, ..] = record.axes.as_slice() else { return None };
    let dots: Vec<ParetoDot> = contest
        .ranking
        .iter()
        .zip(&record.values)
        .filter_map(|(team, values)| {
            let value = |index: usize| values.get(index).copied().flatten();
            let is_front = record.front.contains(&team.team);
            Some(ParetoDot { label: name(&team.team), x: value(0)?, y: value(1)?, is_front })
        })
        .collect();
    let (x, y) = (label(&x.title, x.better), label(&y.title, y.better));
    pareto(Axis { label: &x, unit: "" }, Axis { label: &y, unit: "" }, &dots)
}

fn label(title: &str, better: metrics::Better) -> String {
    format!("{} ({} is better)", name(title), better.name())
}
