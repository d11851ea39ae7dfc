//! Two cases side by side: every metric of both, the difference, and which is better.

mod page;

use std::fmt::Write;

use metrics::contest::map_quality::Direction;
use metrics::{Better, Unit};
use serde::Serialize;

use crate::number::ColumnDigits;
use crate::printable::printable;
use crate::text_table::{Column, Screen, TextTable, Tone};
use crate::{CaseReport, MetricRecord, Status};

pub use page::side_by_side_html;

/// Schema of the JSON that [`SideBySide`] becomes.
pub const COMPARE_SCHEMA: &str = "mapjudge.compare/1";

/// Two cases metric by metric.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SideBySide {
    /// [`COMPARE_SCHEMA`].
    pub schema: &'static str,
    /// Name of the first case.
    pub a: String,
    /// Name of the second case.
    pub b: String,
    /// Metrics under which the first is better.
    pub a_better: usize,
    /// Metrics under which the second is better.
    pub b_better: usize,
    /// Metrics under which both are equal.
    pub equal: usize,
    /// Metrics that are undefined for one of them.
    pub undefined: usize,
    /// Metric by metric, in the order of the report.
    pub metrics: Vec<PairedMetric>,
}

/// One metric of both cases.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairedMetric {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Its unit.
    pub unit: Unit,
    /// Which values are better.
    pub better: Better,
    /// Of the first case; null if undefined.
    pub a: Option<f64>,
    /// Of the second case; null if undefined.
    pub b: Option<f64>,
    /// Second minus first; null if one is undefined.
    pub difference: Option<f64>,
    /// Which is better; null if one is undefined.
    pub winner: Option<Winner>,
    /// Whether either value carries a warning.
    pub doubtful: bool,
}

impl PairedMetric {
    /// Both values and their difference as tables print them.
    fn numbers(&self) -> [String; 3] {
        let values = [self.a, self.b, self.difference];
        let digits = ColumnDigits::of(values);
        values.map(|value| digits.shown(value))
    }
}

/// Which of two is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Winner {
    /// The first.
    A,
    /// The second.
    B,
    /// Neither.
    Equal,
}

/// Values that differ by less than this share are equal.
const SAME: f64 = 1e-12;

/// Holds two cases against each other; metrics that only one of them has count as undefined for the other.
#[must_use]
pub fn side_by_side(a: &CaseReport, b: &CaseReport) -> SideBySide {
    let only_b = b.metrics.iter().filter(|record| a.metric(&record.id).is_none());
    let metrics: Vec<PairedMetric> = a
        .metrics
        .iter()
        .map(|record| paired(Some(record), b.metric(&record.id)))
        .chain(only_b.map(|record| paired(None, Some(record))))
        .flatten()
        .collect();
    let count = |winner: Option<Winner>| metrics.iter().filter(|metric| metric.winner == winner).count();
    SideBySide {
        schema: COMPARE_SCHEMA,
        a: a.name.clone(),
        b: b.name.clone(),
        a_better: count(Some(Winner::A)),
        b_better: count(Some(Winner::B)),
        equal: count(Some(Winner::Equal)),
        undefined: count(None),
        metrics,
    }
}

fn paired(a: Option<&MetricRecord>, b: Option<&MetricRecord>) -> Option<PairedMetric> {
    let facts = a.or(b)?;
    let value = |record: Option<&MetricRecord>| record.and_then(|record| record.value);
    let both = value(a).zip(value(b));
    let direction = Direction::of(facts.better, facts.best);
    let winner = both.map(|(a, b)| {
        let (merit_a, merit_b) = (direction.merit(a), direction.merit(b));
        if (merit_a - merit_b).abs() <= SAME * merit_a.abs().max(merit_b.abs()) {
            Winner::Equal
        } else if merit_a > merit_b {
            Winner::A
        } else {
            Winner::B
        }
    });
    let warns = |record: Option<&MetricRecord>| record.is_some_and(|record| record.status == Status::Warning);
    Some(PairedMetric {
        id: facts.id.clone(),
        title: facts.title.clone(),
        unit: facts.unit,
        better: facts.better,
        a: value(a),
        b: value(b),
        difference: both.map(|(a, b)| b - a),
        winner,
        doubtful: warns(a) || warns(b),
    })
}

impl SideBySide {
    /// The name of the better case; empty if there is none.
    fn winner_name(&self, metric: &PairedMetric) -> String {
        match metric.winner {
            Some(Winner::A) => printable(&self.a),
            Some(Winner::B) => printable(&self.b),
            Some(Winner::Equal) => "equal".to_owned(),
            None => String::new(),
        }
    }

    /// The verdict in a sentence.
    #[must_use]
    pub fn summary(&self) -> String {
        let (a, b) = (printable(&self.a), printable(&self.b));
        let undefined = match self.undefined {
            0 => String::new(),
            count => format!("; {count} undefined for one of them"),
        };
        format!(
            "{a} is better under {} metrics, {b} under {}, equal under {}{undefined}.",
            self.a_better, self.b_better, self.equal
        )
    }

    /// As a table for the terminal.
    #[must_use]
    pub fn text(&self) -> String {
        self.text_on(Screen::default())
    }

    /// As a table for a screen.
    #[must_use]
    pub fn text_on(&self, screen: Screen) -> String {
        let mut table = TextTable::new(vec![
            Column::left("metric", 0),
            Column::left("unit", 2),
            Column::left("better", 1),
            Column::right(printable(&self.a), 0),
            Column::right(printable(&self.b), 0),
            Column::right("difference", 3),
            Column::left("winner", 0),
        ]);
        for metric in &self.metrics {
            let tone = if metric.doubtful { Tone::Doubtful } else { Tone::Plain };
            table.row(self.row(metric).map(|text| (text, tone)));
        }
        format!("{}\n\n{}\n", table.shown_on(screen), self.summary())
    }

    fn row(&self, metric: &PairedMetric) -> [String; 7] {
        let mark = if metric.doubtful { " (!)" } else { "" };
        let [a, b, difference] = metric.numbers();
        [
            metric.id.clone(),
            metric.unit.symbol().to_owned(),
            metric.better.name().to_owned(),
            a,
            b,
            difference,
            format!("{}{mark}", self.winner_name(metric)),
        ]
    }

    /// As GitHub Markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        let safe =
            |text: &str| printable(text).replace('\\', "\\\\").replace('|', "\\|").replace('<', "&lt;");
        let mut text = format!(
            "| metric | unit | better | {} | {} | difference | winner |\n|---|---|---|---:|---:|---:|---|\n",
            safe(&self.a),
            safe(&self.b)
        );
        for metric in &self.metrics {
            let cells = self.row(metric).map(|cell| safe(&cell));
            // Writing into a string cannot fail.
            let _ = writeln!(text, "| {} |", cells.join(" | "));
        }
        let _ = writeln!(text, "\n{}", safe(&self.summary()));
        text
    }

    /// As CSV with every digit; lines end with CR LF.
    #[must_use]
    pub fn csv(&self) -> String {
        let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
        let mut text = "metric,unit,better,a,b,difference,winner\r\n".to_owned();
        for metric in &self.metrics {
            let winner = match metric.winner {
                Some(Winner::A) => "a",
                Some(Winner::B) => "b",
                Some(Winner::Equal) => "equal",
                None => "",
            };
            let _ = write!(
                text,
                "{},{},{},{},{},{},{winner}\r\n",
                metric.id,
                metric.unit.symbol(),
                metric.better.name(),
                number(metric.a),
                number(metric.b),
                number(metric.difference)
            );
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;

    #[test]
    fn lower_errors_win_and_what_is_missing_wins_nothing() {
        let report = example::two_cases();
        let found = side_by_side(&report.cases[0], &report.cases[1]);
        let error = &found.metrics[0];
        assert_eq!(
            (error.id.as_str(), error.difference, error.winner),
            ("overall_error", Some(-9.0), Some(Winner::B))
        );
        assert_eq!((found.metrics[1].winner, found.undefined, found.b_better), (None, 1, 1));
        let own = side_by_side(&report.cases[1], &report.cases[1]);
        assert_eq!((own.equal, own.a_better + own.b_better), (2, 0));
    }

    #[test]
    fn every_rendering_holds_both_and_no_name_breaks_out() {
        let report = example::two_cases();
        let mut found = side_by_side(&report.cases[0], &report.cases[1]);
        found.a = "<b>|\n".to_owned();
        assert!(found.text().contains("overall_error") && found.text().contains("undefined for one"));
        assert!(found.markdown().contains("\\|") && !found.markdown().contains("<b>"));
        assert_eq!(found.csv().lines().count(), 3);
        let page = side_by_side_html(&found, &[]).unwrap();
        assert!(page.contains("overall_error") && !page.contains("<b>"), "{page}");
    }
}
