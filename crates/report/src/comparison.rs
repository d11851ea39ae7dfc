//! Metrics against cases: the table behind every rendering, with the best value of each row found.

use metrics::{Better, Reason};

use crate::number::ColumnDigits;
use crate::{CaseReport, MetricRecord, Report};

/// The metrics whose value is the coverage that every case carries.
pub(crate) const COVERAGE_METRICS: [&str; 2] = ["known_coverage", "trajectory_coverage"];

/// All metrics of a report, family by family, with one slot per case.
pub(crate) struct Comparison<'a> {
    pub(crate) cases: &'a [CaseReport],
    pub(crate) rows: Vec<Row<'a>>,
}

/// One metric over all cases.
pub(crate) struct Row<'a> {
    /// The record of the first case that has the metric; id, title, unit and direction are the same in all.
    pub(crate) facts: &'a MetricRecord,
    /// Name of the family; `other` for a metric this version does not know.
    pub(crate) family: &'static str,
    /// One slot per case, in the order of the cases.
    pub(crate) slots: Vec<Slot<'a>>,
}

impl Row<'_> {
    /// How all values of the metric are printed.
    pub(crate) fn digits(&self) -> ColumnDigits {
        ColumnDigits::of(self.slots.iter().map(Slot::value))
    }
}

/// One metric of one case.
#[derive(Clone, Copy)]
pub(crate) struct Slot<'a> {
    /// None if the metric was not computed for this case.
    pub(crate) record: Option<&'a MetricRecord>,
    /// The best of its row; ties are all best. Never set if there is only one case.
    pub(crate) is_best: bool,
}

impl Slot<'_> {
    /// The value; none if it is undefined or was not computed.
    pub(crate) fn value(&self) -> Option<f64> {
        self.record.and_then(|record| record.value)
    }
}

impl<'a> Comparison<'a> {
    pub(crate) fn of(report: &'a Report) -> Self {
        let mut rows: Vec<Row<'a>> = Vec::new();
        for facts in report.cases.iter().flat_map(|case| &case.metrics) {
            if rows.iter().all(|row| row.facts.id != facts.id) {
                rows.push(row_of(facts, &report.cases));
            }
        }
        // Stable: inside a family the order of the report stays.
        let mut families: Vec<&str> = Vec::new();
        for row in &rows {
            if !families.contains(&row.family) {
                families.push(row.family);
            }
        }
        rows.sort_by_key(|row| families.iter().position(|&family| family == row.family));
        Self { cases: &report.cases, rows }
    }

    /// True if the share of the truth that the map knows needs a row of its own, because no metric gives it.
    pub(crate) fn needs_coverage_row(&self) -> bool {
        self.rows.iter().all(|row| !COVERAGE_METRICS.contains(&row.facts.id.as_str()))
    }

    /// True if any value carries the mark of the best.
    pub(crate) fn has_best(&self) -> bool {
        self.rows.iter().any(|row| row.slots.iter().any(|slot| slot.is_best))
    }

    /// Every reason that occurs, in the order of the list of reasons.
    pub(crate) fn reasons(&self) -> Vec<Reason> {
        let records = || self.rows.iter().flat_map(|row| &row.slots).filter_map(|slot| slot.record);
        let occurs = |reason: &&Reason| records().any(|record| record.reasons.contains(reason));
        Reason::ALL.iter().filter(occurs).copied().collect()
    }
}

/// The family of a metric; `other` for one this version does not know.
pub(crate) fn family_of(metric_id: &str) -> &'static str {
    metrics::find(metric_id).map_or("other", |entry| entry.spec.family.name())
}

fn row_of<'a>(facts: &'a MetricRecord, cases: &'a [CaseReport]) -> Row<'a> {
    let records: Vec<_> = cases.iter().map(|case| case.metric(&facts.id)).collect();
    let losses: Vec<_> = records.iter().map(|record| record.and_then(loss)).collect();
    let least = losses.iter().flatten().copied().min_by(f64::total_cmp);
    let is_best = |own: &Option<f64>| cases.len() > 1 && own.is_some() && *own == least;
    let slots = records.iter().zip(&losses);
    let slots = slots.map(|(&record, own)| Slot { record, is_best: is_best(own) }).collect();
    Row { facts, family: family_of(&facts.id), slots }
}

/// What is smaller for the better value; none if the value cannot be the best.
pub(crate) fn loss(record: &MetricRecord) -> Option<f64> {
    // An empty map can look good by accident; it never wins.
    if record.reasons.contains(&Reason::NoOccupiedMap) {
        return None;
    }
    let value = record.value.filter(|value| value.is_finite())?;
    match record.better {
        // Adding zero makes -0 and 0 one value.
        Better::Lower => Some(value + 0.0),
        Better::Higher => Some(-value + 0.0),
        Better::Closer => record.best.map(|best| (value - best).abs()),
        Better::Neither => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;

    fn best_of(better: Better, best: Option<f64>, values: &[Option<f64>]) -> Vec<bool> {
        let report = example::one_metric(better, best, values);
        Comparison::of(&report).rows[0].slots.iter().map(|slot| slot.is_best).collect()
    }

    #[test]
    fn the_lowest_the_highest_or_the_closest_is_best() {
        let values = [Some(3.0), Some(1.5), Some(0.4)];
        assert_eq!(best_of(Better::Lower, None, &values), [false, false, true]);
        assert_eq!(best_of(Better::Higher, None, &values), [true, false, false]);
        assert_eq!(best_of(Better::Closer, Some(1.0), &values), [false, true, false]);
    }

    #[test]
    fn ties_are_all_best_and_undefined_is_never() {
        let values = [Some(2.0), None, Some(2.0)];
        assert_eq!(best_of(Better::Lower, None, &values), [true, false, true]);
        assert_eq!(best_of(Better::Lower, None, &[None, None]), [false, false]);
    }

    #[test]
    fn the_coverage_has_one_row() {
        let mut report = example::two_cases();
        assert!(Comparison::of(&report).needs_coverage_row());
        report.cases[0].metrics[1].id = COVERAGE_METRICS[0].into();
        assert!(!Comparison::of(&report).needs_coverage_row());
    }

    /// One rule for all renderings for people: the same decimals, as many cases as there are.
    #[test]
    fn the_values_of_a_metric_have_the_same_decimals_in_every_table() {
        use crate::{Format, render};
        let few = [Some(0.5), Some(0.1234), Some(1.0)];
        let many: Vec<Option<f64>> = few.iter().copied().cycle().take(9).collect();
        for values in [few.as_slice(), many.as_slice()] {
            let report = example::one_metric(Better::Lower, Some(0.0), values);
            for format in [Format::Table, Format::Md, Format::Latex, Format::Html] {
                let text = render(&report, format).unwrap();
                for number in ["0.5000", "0.1234", "1.0000"] {
                    assert!(text.contains(number), "{number} in {}: {text}", format.name());
                }
            }
            for format in [Format::Csv, Format::Json] {
                assert!(!render(&report, format).unwrap().contains("0.5000"), "{}", format.name());
            }
        }
    }

    #[test]
    fn a_single_map_has_no_rival() {
        assert_eq!(best_of(Better::Lower, None, &[Some(2.0)]), [false]);
    }

    #[test]
    fn closer_without_a_best_value_marks_nothing() {
        assert_eq!(best_of(Better::Closer, None, &[Some(1.0), Some(2.0)]), [false, false]);
    }

    #[test]
    fn an_empty_map_never_wins() {
        let mut report = example::one_metric(Better::Lower, None, &[Some(1.0), Some(2.0)]);
        report.cases[0].metrics[0].reasons.push(Reason::NoOccupiedMap);
        let comparison = Comparison::of(&report);
        let best: Vec<_> = comparison.rows[0].slots.iter().map(|slot| slot.is_best).collect();
        assert_eq!(best, [false, true]);
    }

    #[test]
    fn a_metric_of_one_case_only_has_a_hole_in_the_other() {
        let mut report = example::one_metric(Better::Lower, None, &[Some(1.0), Some(2.0)]);
        report.cases[0].metrics.clear();
        let comparison = Comparison::of(&report);
        assert!(comparison.rows[0].slots[0].record.is_none());
        assert!(comparison.rows[0].slots[1].is_best);
    }
}
