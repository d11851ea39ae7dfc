//! The columns of merged rows: a fixed beginning, one per metric, one per tag.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::rows::{Row, RowStatus};

/// More columns than this are no table.
const MAX_COLUMNS: usize = 4096;

/// Metrics and tags that rows have.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ColumnNames {
    metrics: BTreeSet<String>,
    tags: BTreeMap<String, TagKind>,
}

/// What the values of a tag are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TagKind {
    /// Nothing but null so far.
    Empty,
    Boolean,
    Integer,
    Number,
    Text,
}

/// What the values of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ColumnKind {
    Boolean,
    Integer,
    Number,
    Text,
}

/// One cell.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum CellValue {
    Empty,
    Boolean(bool),
    Integer(i64),
    Number(f64),
    Text(String),
}

/// One column.
#[derive(Clone, Debug)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) kind: ColumnKind,
    source: Source,
}

#[derive(Clone, Debug)]
enum Source {
    Line,
    Fixed(fn(&Row) -> CellValue),
    Metric(String),
    Tag(String),
}

impl ColumnNames {
    /// Notes what a row has.
    pub(super) fn add<'a>(
        &mut self,
        metrics: impl Iterator<Item = &'a str>,
        tags: &Map<String, Value>,
    ) -> Result<(), String> {
        for metric in metrics {
            if !self.metrics.contains(metric) {
                self.metrics.insert(metric.to_owned());
            }
        }
        for (tag, value) in tags {
            match self.tags.get_mut(tag) {
                Some(kind) => *kind = kind.with(value),
                None => drop(self.tags.insert(tag.clone(), TagKind::Empty.with(value))),
            }
        }
        if self.metrics.len() + self.tags.len() > MAX_COLUMNS {
            return Err(format!("more than {MAX_COLUMNS} different metrics and tags"));
        }
        Ok(())
    }

    /// All columns in their order: line and name, status, alignment, metrics, tags, hashes.
    pub(super) fn columns(&self) -> Vec<Column> {
        let fixed = |(name, kind, cell): &(&str, ColumnKind, fn(&Row) -> CellValue)| Column {
            name: (*name).to_owned(),
            kind: *kind,
            source: Source::Fixed(*cell),
        };
        let line = Column { name: "line".to_owned(), kind: ColumnKind::Integer, source: Source::Line };
        let metric = |id: &String| Column {
            name: id.clone(),
            kind: ColumnKind::Number,
            source: Source::Metric(id.clone()),
        };
        let tag = |(name, kind): (&String, &TagKind)| Column {
            name: format!("tags.{name}"),
            kind: kind.column(),
            source: Source::Tag(name.clone()),
        };
        let before = std::iter::once(line).chain(BEFORE.iter().map(fixed));
        let own = self.metrics.iter().map(metric).chain(self.tags.iter().map(tag));
        before.chain(own).chain(BEHIND.iter().map(fixed)).collect()
    }
}

impl TagKind {
    /// The kind that also holds another value.
    fn with(self, value: &Value) -> Self {
        let other = match value {
            Value::Null => return self,
            Value::Bool(_) => Self::Boolean,
            Value::Number(number) if number.is_i64() => Self::Integer,
            Value::Number(_) => Self::Number,
            _ => Self::Text,
        };
        match (self, other) {
            (Self::Empty, other) => other,
            (own, other) if own == other => own,
            (Self::Integer | Self::Number, Self::Integer | Self::Number) => Self::Number,
            _ => Self::Text,
        }
    }

    fn column(self) -> ColumnKind {
        match self {
            Self::Boolean => ColumnKind::Boolean,
            Self::Integer => ColumnKind::Integer,
            Self::Number => ColumnKind::Number,
            Self::Empty | Self::Text => ColumnKind::Text,
        }
    }
}

impl Column {
    /// The cell of a row that stands in a line of the manifest.
    pub(super) fn cell(&self, line: u64, row: &Row) -> CellValue {
        match &self.source {
            Source::Line => CellValue::Integer(i64::try_from(line).unwrap_or(i64::MAX)),
            Source::Fixed(cell) => cell(row),
            Source::Metric(id) => number(row.values.get(id).copied().flatten()),
            Source::Tag(name) => row.tags.get(name).map_or(CellValue::Empty, |value| self.tag_cell(value)),
        }
    }

    fn tag_cell(&self, value: &Value) -> CellValue {
        match (self.kind, value) {
            (_, Value::Null) => CellValue::Empty,
            (ColumnKind::Boolean, Value::Bool(value)) => CellValue::Boolean(*value),
            (ColumnKind::Integer, value) => value.as_i64().map_or(CellValue::Empty, CellValue::Integer),
            (ColumnKind::Number, value) => number(value.as_f64()),
            (_, Value::String(text)) => CellValue::Text(text.clone()),
            (_, other) => CellValue::Text(other.to_string()),
        }
    }
}

type Fixed = (&'static str, ColumnKind, fn(&Row) -> CellValue);

const BEFORE: &[Fixed] = &[
    ("id", ColumnKind::Text, |row| CellValue::Text(row.id.clone())),
    ("status", ColumnKind::Text, |row| {
        CellValue::Text(if row.status == RowStatus::Ok { "ok" } else { "error" }.to_owned())
    }),
    ("code", ColumnKind::Text, |row| text(row.code.as_ref())),
    ("message", ColumnKind::Text, |row| text(row.message.as_ref())),
    ("coverage", ColumnKind::Number, |row| number(row.coverage)),
    ("align_method", ColumnKind::Text, |row| text(row.alignment.as_ref().map(|alignment| &alignment.method))),
    ("align_verdict", ColumnKind::Text, |row| {
        text(row.alignment.as_ref().and_then(|alignment| alignment.verdict.as_ref()))
    }),
    ("truth_from_map_x_m", ColumnKind::Number, |row| transform(row, |t| t.x_m)),
    ("truth_from_map_y_m", ColumnKind::Number, |row| transform(row, |t| t.y_m)),
    ("truth_from_map_theta_rad", ColumnKind::Number, |row| transform(row, |t| t.theta_rad)),
    ("truth_from_map_scale", ColumnKind::Number, |row| transform(row, |t| t.scale)),
];

const BEHIND: &[Fixed] = &[
    ("reasons", ColumnKind::Text, |row| {
        let is_there = !row.reasons.is_empty();
        text(is_there.then(|| serde_json::to_string(&row.reasons).unwrap_or_default()).as_ref())
    }),
    ("missed", ColumnKind::Text, |row| {
        text((!row.missed.is_empty()).then(|| row.missed.join("; ")).as_ref())
    }),
    ("row", ColumnKind::Text, |row| CellValue::Text(row.row.clone())),
    ("key", ColumnKind::Text, |row| CellValue::Text(row.key.clone())),
];

fn text(text: Option<&String>) -> CellValue {
    text.map_or(CellValue::Empty, |text| CellValue::Text(text.clone()))
}

fn number(value: Option<f64>) -> CellValue {
    value.filter(|value| value.is_finite()).map_or(CellValue::Empty, CellValue::Number)
}

fn transform(row: &Row, part: fn(&report::Transform) -> f64) -> CellValue {
    let transform = row.alignment.as_ref().and_then(|alignment| alignment.truth_from_map.as_ref());
    number(transform.map(part))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_tag_column_holds_all_its_values() {
        let kind =
            |values: &[Value]| values.iter().fold(TagKind::Empty, |kind, value| kind.with(value)).column();
        assert_eq!(kind(&[json!(1), json!(null), json!(2)]), ColumnKind::Integer);
        assert_eq!(kind(&[json!(1), json!(2.5)]), ColumnKind::Number);
        assert_eq!(kind(&[json!(true), json!(1)]), ColumnKind::Text);
        assert_eq!(kind(&[json!(null)]), ColumnKind::Text);
        assert_eq!(kind(&[json!([1])]), ColumnKind::Text);
    }

    #[test]
    fn columns_have_a_fixed_order() {
        let mut names = ColumnNames::default();
        names
            .add(["occupied_f1", "baron_correlation"].into_iter(), json!({"seed": 3}).as_object().unwrap())
            .unwrap();
        let columns = names.columns();
        let order: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        assert_eq!(&order[..3], ["line", "id", "status"]);
        assert_eq!(
            &order[order.len() - 7..],
            ["baron_correlation", "occupied_f1", "tags.seed", "reasons", "missed", "row", "key"]
        );
    }

    #[test]
    fn columns_without_end_are_refused() {
        let mut names = ColumnNames::default();
        let tags: Map<String, Value> = (0..MAX_COLUMNS + 1).map(|n| (n.to_string(), json!(n))).collect();
        assert!(names.add(std::iter::empty(), &tags).is_err());
    }
}
