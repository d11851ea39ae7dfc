//! Properties of GeoJSON features as columns and attributes, and back.

use model::{Attribute, Column, ColumnType, Finding, Level};
use serde_json::{Map, Value, json};

use crate::error::excerpt;
use crate::notices::Notices;
use crate::{Place, ReadError};

/// The columns that a file of ours states.
pub(crate) fn stated_columns(file: &str, stated: &Value) -> Result<Vec<Column>, ReadError> {
    let wrong = || {
        let place = Place::field("mapjudge.columns");
        let expected = "a list of {\"name\", \"type\": text, integer, real or logical, \"width\" of texts}";
        ReadError::malformed(file, place, expected, excerpt(stated.to_string().as_bytes()))
    };
    let column = |value: &Value| {
        let kind = match value.get("type")?.as_str()? {
            "text" => ColumnType::Text { width: usize::try_from(value.get("width")?.as_u64()?).ok()? },
            "integer" => ColumnType::Integer,
            "real" => ColumnType::Real,
            "logical" => ColumnType::Logical,
            _ => return None,
        };
        Some(Column { name: value.get("name")?.as_str()?.to_owned(), kind })
    };
    let columns: Option<Vec<_>> = stated.as_array().and_then(|list| list.iter().map(column).collect());
    columns.ok_or_else(wrong)
}

/// The columns as a member of a file of ours.
pub(crate) fn columns_member(columns: &[Column]) -> Value {
    let column = |Column { name, kind }: &Column| match kind {
        ColumnType::Text { width } => json!({"name": name, "type": "text", "width": width}),
        ColumnType::Integer => json!({"name": name, "type": "integer"}),
        ColumnType::Real => json!({"name": name, "type": "real"}),
        ColumnType::Logical => json!({"name": name, "type": "logical"}),
    };
    columns.iter().map(column).collect()
}

/// The columns of properties: their names in the order in which they first stand in the file, and the narrowest type
/// that holds all values. Values of different types make a column of texts.
pub(crate) fn columns_of<'v>(
    properties: impl Iterator<Item = &'v Map<String, Value>>,
    notices: &mut Notices,
) -> Vec<Column> {
    let mut kinds: Map<String, Value> = Map::new();
    let mut columns: Vec<Column> = Vec::new();
    for (name, value) in properties.flatten() {
        // An index by name keeps files with many different names fast.
        let index =
            match kinds.get(name).and_then(Value::as_u64).and_then(|index| usize::try_from(index).ok()) {
                Some(index) => index,
                None if value.is_null() => continue,
                None => {
                    kinds.insert(name.clone(), json!(columns.len()));
                    columns.push(Column { name: name.clone(), kind: kind_of(value) });
                    continue;
                }
            };
        let column = &mut columns[index];
        if !value.is_null() {
            column.kind = joined(column.kind, kind_of(value), name, notices);
        }
    }
    columns
}

fn kind_of(value: &Value) -> ColumnType {
    match value {
        Value::Bool(_) => ColumnType::Logical,
        Value::Number(number) if number.is_i64() => ColumnType::Integer,
        Value::Number(_) => ColumnType::Real,
        other => ColumnType::Text { width: as_text(other).chars().count().max(1) },
    }
}

fn joined(a: ColumnType, b: ColumnType, name: &str, notices: &mut Notices) -> ColumnType {
    match (a, b) {
        (a, b) if a == b => a,
        (ColumnType::Text { width: a }, ColumnType::Text { width: b }) => {
            ColumnType::Text { width: a.max(b) }
        }
        (ColumnType::Integer, ColumnType::Real) | (ColumnType::Real, ColumnType::Integer) => ColumnType::Real,
        (a, b) => {
            notices.count("PROPERTY_OF_MIXED_TYPES", || {
                let message =
                    format!("the property '{name}' has values of different types; they were read as texts");
                Finding::warning("PROPERTY_OF_MIXED_TYPES", message)
            });
            // Numbers and words of other rows need room too; 64 characters hold any of them.
            let width = |kind| if let ColumnType::Text { width } = kind { width } else { 64 };
            ColumnType::Text { width: width(a).max(width(b)) }
        }
    }
}

/// The attributes of a feature, one per column; the error says what was expected and found.
pub(crate) fn attributes(
    columns: &[Column],
    properties: Option<&Map<String, Value>>,
    notices: &mut Notices,
) -> Result<Vec<Attribute>, (String, String)> {
    let attribute = |column: &Column| {
        let value = properties.and_then(|map| map.get(&column.name)).unwrap_or(&Value::Null);
        if value.is_array() || value.is_object() {
            notices.count("PROPERTY_NESTED", || {
                let message =
                    format!("the property '{}' is a list or an object; it was read as its text", column.name);
                Finding::new(Level::Info, "PROPERTY_NESTED", message)
            });
        }
        attribute(column.kind, value).ok_or_else(|| {
            (format!("{:?} under '{}'", column.kind, column.name), excerpt(value.to_string().as_bytes()))
        })
    };
    columns.iter().map(attribute).collect()
}

fn attribute(kind: ColumnType, value: &Value) -> Option<Attribute> {
    match (kind, value) {
        (_, Value::Null) => Some(Attribute::Missing),
        (ColumnType::Text { .. }, value) => Some(Attribute::Text(as_text(value))),
        (ColumnType::Integer, value) => value.as_i64().map(Attribute::Integer),
        (ColumnType::Real, value) => value.as_f64().filter(|number| number.is_finite()).map(Attribute::Real),
        (ColumnType::Logical, value) => value.as_bool().map(Attribute::Logical),
    }
}

/// A text as it is, anything else as JSON writes it.
fn as_text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_narrow_as_their_values_allow() {
        let rows = [
            json!({"n": 1, "r": 1, "t": "ab", "b": true, "m": 1, "x": null}),
            json!({"r": 2.5, "t": "abcd", "late": {"a": [1]}, "m": "one"}),
        ];
        let mut notices = Notices::default();
        let columns = columns_of(rows.iter().filter_map(Value::as_object), &mut notices);
        let found: Vec<_> = columns.iter().map(|column| (column.name.as_str(), column.kind)).collect();
        let text = |width| ColumnType::Text { width };
        let expected = [
            ("n", ColumnType::Integer),
            ("r", ColumnType::Real),
            ("t", text(4)),
            ("b", ColumnType::Logical),
            ("m", text(64)),
            ("late", text(9)),
        ];
        assert_eq!(found, expected);
        let first = attributes(&columns, rows[0].as_object(), &mut notices).unwrap();
        assert_eq!((&first[1], &first[4]), (&Attribute::Real(1.0), &Attribute::Text("1".to_owned())));
        let second = attributes(&columns, rows[1].as_object(), &mut notices).unwrap();
        assert_eq!(
            (&second[0], &second[5]),
            (&Attribute::Missing, &Attribute::Text("{\"a\":[1]}".to_owned()))
        );
        let codes: Vec<_> = notices.into_findings().into_iter().map(|finding| finding.code).collect();
        assert_eq!(codes, ["PROPERTY_OF_MIXED_TYPES", "PROPERTY_NESTED"]);
    }

    #[test]
    fn stated_columns_come_back_and_broken_ones_are_refused() {
        let kinds =
            [ColumnType::Text { width: 7 }, ColumnType::Integer, ColumnType::Real, ColumnType::Logical];
        let columns: Vec<_> =
            kinds.into_iter().map(|kind| Column { name: format!("{kind:?}"), kind }).collect();
        assert_eq!(stated_columns("f", &columns_member(&columns)).unwrap(), columns);
        for broken in [json!({}), json!([{"name": "a"}]), json!([{"name": "a", "type": "text", "width": -1}])]
        {
            assert!(stated_columns("f", &broken).unwrap_err().to_string().contains("mapjudge.columns"));
        }
    }
}
