//! JSON with sorted keys and without spaces: the same value has the same bytes, whoever wrote it.

use std::collections::BTreeMap;

use serde_json::Value;

/// The value as text with the keys of all objects sorted.
#[must_use]
pub fn canonical_json(value: &Value) -> String {
    match value {
        Value::Object(map) => {
            let sorted: BTreeMap<&String, &Value> = map.iter().collect();
            let entry = |(key, value): (&String, &Value)| {
                format!("{}:{}", Value::from(key.as_str()), canonical_json(value))
            };
            format!("{{{}}}", sorted.into_iter().map(entry).collect::<Vec<_>>().join(","))
        }
        Value::Array(list) => {
            format!("[{}]", list.iter().map(canonical_json).collect::<Vec<_>>().join(","))
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_spaces_do_not_matter() {
        let one: Value = serde_json::from_str(r#"{"b": [1, {"y": null, "x": "ü\""}], "a": 0.1}"#).unwrap();
        let other: Value = serde_json::from_str(r#"{"a":0.1,"b":[1,{"x":"ü\"","y":null}]}"#).unwrap();
        assert_eq!(canonical_json(&one), r#"{"a":0.1,"b":[1,{"x":"ü\"","y":null}]}"#);
        assert_eq!(canonical_json(&one), canonical_json(&other));
    }
}
