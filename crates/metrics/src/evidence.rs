//! What a score rests on, as values: named numbers, samples, places, layers of cells, curves, tables.
//!
//! Certainty of rankings, tables, figures and browser layers are made from this. The JSON of a report is made from
//! `detail` at the very end and is never parsed back.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::contest::point_score::PointScoreEvidence;
use crate::fiducials::FiducialEvidence;
use crate::paths::path_usefulness::RoutesEvidence;
use crate::topology::portal_coverage::PortalsEvidence;
use crate::trajectory::absolute_errors::TrajectoryFit;
use crate::trajectory::relative_displacement::RelationsEvidence;

/// A name that is usually known at compile time.
pub type Name = Cow<'static, str>;

/// What a score rests on, as values.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Evidence {
    /// Numbers and lists beside the score's own value.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<NamedValue>,
    /// Empty until somebody asks for them by [`crate::AnyMetric::samples`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub samples: Vec<Samples>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<Place>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub layers: Vec<CellLayer>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub curves: Vec<Curve>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<FactTable>,
    /// What only this metric knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of_metric: Option<MetricEvidence>,
}

/// What one metric alone knows, typed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MetricEvidence {
    /// Of `fiducial_coverage`: every part of the layout, found or not, and how sure its placement is.
    Fiducials(FiducialEvidence),
    /// Of the `ate_` metrics: how the estimate was laid on the truth.
    Fit(TrajectoryFit),
    /// Of `point_score`.
    PointScore(PointScoreEvidence),
    /// Of `portal_coverage`.
    Portals(PortalsEvidence),
    /// Of `relative_displacement`.
    Relations(RelationsEvidence),
    /// Of `path_usefulness`: what became of each target, with the rules that decided it.
    Routes(RoutesEvidence),
}

/// A named number or list beside the score's own value, such as `located` of `victims`: what a rule profile may ask
/// for as `metric.name`. The name is the dotted path of the value in `detail`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NamedValue {
    pub name: Name,
    pub value: Quantity,
}

/// A number or a list of numbers, always finite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Quantity {
    Number(f64),
    List(Vec<f64>),
}

/// Elements that make a value, so that it can be resampled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Samples {
    /// Empty for the score's own value, else the name of the [`NamedValue`] that the elements make.
    pub of: Name,
    pub unit: SampleUnit,
    pub make: Make,
}

/// What is drawn. Elements of equal units belong to the truth and are drawn together for all teams.
/// Displays as `400 blocks of cells`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SampleUnit {
    /// In the plural, such as `blocks of cells`.
    pub name: Name,
    pub count: usize,
}

impl SampleUnit {
    #[must_use]
    pub fn new(name: impl Into<Name>, count: usize) -> Self {
        Self { name: name.into(), count }
    }
}

impl fmt::Display for SampleUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.count, self.name)
    }
}

/// How elements make a value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Make {
    Sum(Vec<f64>),
    /// Sum of the first by sum of the second.
    Ratio(Vec<f64>, Vec<f64>),
    /// Root of the sum of the first (squares) by the sum of the second (weights).
    RootMeanSquare(Vec<f64>, Vec<f64>),
    /// The list of those that are there.
    List(Vec<Option<f64>>),
}

impl Make {
    /// A ratio of pairs: what each element adds above and below the line.
    #[must_use]
    pub fn ratio(parts: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let (of, by) = parts.into_iter().unzip();
        Self::Ratio(of, by)
    }

    /// How many elements there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        match self {
            Self::Sum(of) | Self::Ratio(of, _) | Self::RootMeanSquare(of, _) => of.len(),
            Self::List(of) => of.len(),
        }
    }

    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value if each element is there so many times; none if it is undefined then.
    #[must_use]
    pub fn value(&self, times: &[u32]) -> Option<Quantity> {
        let sum = |of: &[f64]| -> f64 { of.iter().zip(times).map(|(x, n)| x * f64::from(*n)).sum() };
        let quotient = |of: &[f64], by: &[f64]| Some(sum(by)).filter(|by| *by > 0.0).map(|by| sum(of) / by);
        match self {
            Self::Sum(of) => Some(Quantity::Number(sum(of))),
            Self::Ratio(of, by) => quotient(of, by).map(Quantity::Number),
            Self::RootMeanSquare(of, by) => quotient(of, by).map(|mean| Quantity::Number(mean.sqrt())),
            Self::List(of) => {
                let drawn = of.iter().zip(times).flat_map(|(x, n)| std::iter::repeat_n(*x, *n as usize));
                Some(Quantity::List(drawn.flatten().collect()))
            }
        }
    }
}

impl Samples {
    /// The elements of the score's own value.
    #[must_use]
    pub fn own(unit: SampleUnit, make: Make) -> Self {
        Self::named("", unit, make)
    }

    /// The elements of a named value.
    #[must_use]
    pub fn named(of: impl Into<Name>, unit: SampleUnit, make: Make) -> Self {
        Self { of: of.into(), unit, make }
    }

    /// Whether the elements give back what was measured, to 1e-9 of it.
    #[must_use]
    pub fn gives_back(&self, measured: &Quantity) -> bool {
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * b.abs().max(1e-3);
        match (self.make.value(&vec![1; self.make.len()]), measured) {
            (Some(Quantity::Number(a)), Quantity::Number(b)) => near(a, *b),
            (Some(Quantity::List(a)), Quantity::List(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| near(*a, *b))
            }
            _ => false,
        }
    }
}

/// A place in the coordinate frame of the truth that a reader should look at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Place {
    /// What is there, such as `leak_places`.
    pub name: Name,
    pub x_m: f64,
    pub y_m: f64,
    /// How much it weighs, in the unit of the metric's detail: cells, metres.
    pub weight: f64,
}

/// Cells that a figure or a browser may mark.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CellLayer {
    pub name: Name,
    /// Columns of the compared grid.
    pub width: usize,
    /// Indices in image order.
    pub cells: Vec<u32>,
}

/// Several series over one axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    pub name: Name,
    /// What the axis counts, such as `tolerance_cells`.
    pub axis: Name,
    pub at: Vec<f64>,
    /// As long as `at`, each.
    pub series: Vec<(Name, Vec<f64>)>,
}

impl Curve {
    /// The points of one series.
    #[must_use]
    pub fn points(&self, series: &str) -> Vec<(f64, f64)> {
        let found = self.series.iter().find(|(name, _)| name == series);
        found
            .map(|(_, values)| self.at.iter().copied().zip(values.iter().copied()).collect())
            .unwrap_or_default()
    }
}

/// Rows of equal columns: what a report lists element by element.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FactTable {
    pub name: Name,
    pub columns: Vec<String>,
    pub rows: Vec<Vec<Fact>>,
}

/// One field of a table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Fact {
    #[default]
    None,
    Flag(bool),
    Number(f64),
    Text(String),
}

impl FactTable {
    /// The table of a list of records; nested values are left out.
    pub(crate) fn of_records(name: Name, records: &Value) -> Self {
        let mut table = Self { name, ..Self::default() };
        for record in records.as_array().into_iter().flatten().filter_map(Value::as_object) {
            let flat = || record.iter().filter(|(_, value)| !value.is_array() && !value.is_object());
            for (column, _) in flat() {
                if !table.columns.contains(column) {
                    table.columns.push(column.clone());
                }
            }
            let mut row = vec![Fact::None; table.columns.len()];
            for (column, value) in flat() {
                if let Some(index) = table.columns.iter().position(|known| known == column) {
                    row[index] = Fact::of(value);
                }
            }
            table.rows.push(row);
        }
        let columns = table.columns.len();
        table.rows.iter_mut().for_each(|row| row.resize(columns, Fact::None));
        table
    }
}

impl Fact {
    fn of(value: &Value) -> Self {
        match value {
            Value::Bool(flag) => Self::Flag(*flag),
            Value::Number(number) => number.as_f64().map_or(Self::None, Self::Number),
            Value::String(text) => Self::Text(text.clone()),
            _ => Self::None,
        }
    }
}

impl Evidence {
    /// A named value.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&Quantity> {
        value_in(&self.values, name)
    }

    /// A named number.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<f64> {
        match self.value(name)? {
            Quantity::Number(number) => Some(*number),
            Quantity::List(_) => None,
        }
    }

    /// A curve by its name.
    #[must_use]
    pub fn curve(&self, name: &str) -> Option<&Curve> {
        self.curves.iter().find(|curve| curve.name == name)
    }

    /// A table by its name.
    #[must_use]
    pub fn table(&self, name: &str) -> Option<&FactTable> {
        self.tables.iter().find(|table| table.name == name)
    }
}

/// A named value of a list.
pub(crate) fn value_in<'a>(values: &'a [NamedValue], name: &str) -> Option<&'a Quantity> {
    values.iter().find(|value| value.name == name).map(|value| &value.value)
}

/// Sets a named value.
pub(crate) fn set_value(values: &mut Vec<NamedValue>, name: Name, value: Quantity) {
    match values.iter_mut().find(|known| known.name == name) {
        Some(known) => known.value = value,
        None => values.push(NamedValue { name, value }),
    }
}

/// Adds the numbers of a fact by their dotted paths: numbers, flags as 0 or 1, lists of numbers, and of a list of
/// records the list of each key without its nulls.
pub(crate) fn add_numbers(values: &mut Vec<NamedValue>, path: Name, fact: &Value) {
    match fact {
        Value::Number(number) => {
            if let Some(number) = number.as_f64() {
                set_value(values, path, Quantity::Number(number));
            }
        }
        Value::Bool(flag) => set_value(values, path, Quantity::Number(f64::from(u8::from(*flag)))),
        Value::Array(list) if list.iter().any(Value::is_object) => add_columns(values, &path, list),
        Value::Array(list) => {
            let numbers: Option<Vec<f64>> = list.iter().map(Value::as_f64).collect();
            if let Some(numbers) = numbers {
                set_value(values, path, Quantity::List(numbers));
            }
        }
        Value::Object(parts) => {
            for (key, part) in parts {
                add_numbers(values, format!("{path}.{key}").into(), part);
            }
        }
        Value::Null | Value::String(_) => {}
    }
}

/// The numeric columns of a list of records.
fn add_columns(values: &mut Vec<NamedValue>, path: &str, records: &[Value]) {
    let mut columns: Vec<(&String, Option<Vec<f64>>)> = Vec::new();
    for (key, value) in records.iter().filter_map(Value::as_object).flatten() {
        let index = columns.iter().position(|(known, _)| *known == key).unwrap_or(columns.len());
        if index == columns.len() {
            columns.push((key, Some(Vec::new())));
        }
        let column = &mut columns[index].1;
        match (value.as_f64(), value) {
            (Some(number), _) => column.iter_mut().for_each(|list| list.push(number)),
            (None, Value::Null) => {}
            _ => *column = None,
        }
    }
    for (key, numbers) in columns {
        if let Some(numbers) = numbers {
            set_value(values, format!("{path}.{key}").into(), Quantity::List(numbers));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_sample_gives_back_its_value_and_follows_the_draw() {
        let ratio = Make::Ratio(vec![1.0, 0.0, 3.0], vec![1.0, 2.0, 3.0]);
        assert_eq!(ratio.value(&[1, 1, 1]), Some(Quantity::Number(4.0 / 6.0)));
        assert_eq!(ratio.value(&[0, 2, 1]), Some(Quantity::Number(3.0 / 7.0)));
        assert_eq!(ratio.value(&[0, 0, 0]), None, "nothing drawn is undefined, not 0");
        let list = Make::List(vec![Some(1.0), None, Some(0.5)]);
        assert_eq!(list.value(&[1, 5, 2]), Some(Quantity::List(vec![1.0, 0.5, 0.5])));
        let root = Make::RootMeanSquare(vec![9.0, 0.0], vec![1.0, 1.0]);
        assert_eq!(root.value(&[2, 0]), Some(Quantity::Number(3.0)));
        let own = Samples::own(SampleUnit::new("labels", 3), ratio);
        assert!(own.gives_back(&Quantity::Number(2.0 / 3.0)) && !own.gives_back(&Quantity::Number(0.6)));
        assert_eq!(own.unit.to_string(), "3 labels");
    }

    #[test]
    fn the_numbers_of_a_fact_are_named_by_their_path() {
        let mut values = Vec::new();
        let fact = json!({"mean": 2, "held": true, "word": "x", "none": null,
            "rows": [{"error_m": 0.5, "id": "a"}, {"error_m": null, "id": "b"}], "list": [1, 2]});
        add_numbers(&mut values, "t".into(), &fact);
        let of = |name: &str| value_in(&values, name).cloned();
        assert_eq!(of("t.mean"), Some(Quantity::Number(2.0)));
        assert_eq!(of("t.held"), Some(Quantity::Number(1.0)));
        assert_eq!(of("t.rows.error_m"), Some(Quantity::List(vec![0.5])));
        assert_eq!(of("t.list"), Some(Quantity::List(vec![1.0, 2.0])));
        assert_eq!((of("t.word"), of("t.none"), of("t.rows.id")), (None, None, None));
    }

    #[test]
    fn a_table_has_equal_rows() {
        let table = FactTable::of_records("t".into(), &json!([{"a": 1}, {"a": null, "b": "x", "c": [1]}]));
        assert_eq!(table.columns, ["a", "b"]);
        assert_eq!(table.rows[0], [Fact::Number(1.0), Fact::None]);
        assert_eq!(table.rows[1], [Fact::None, Fact::Text("x".into())]);
    }
}
