//! The JSON Schema of the report, made from the types that write it.

use serde_json::{Value, json};

use crate::{Report, SCHEMA};

/// The JSON Schema of `mapjudge.report/1`.
#[must_use]
pub fn schema() -> Value {
    let mut schema = schemars::schema_for!(Report).to_value();
    schema["$id"] = json!(format!("urn:{}", SCHEMA.replace('/', ":")));
    schema["title"] = json!("mapjudge report, version 1");
    schema["properties"]["schema"]["const"] = json!(SCHEMA);
    schema
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_itself_and_fixes_the_name_in_reports() {
        let schema = schema();
        assert_eq!(schema["$id"], "urn:mapjudge.report:1");
        assert_eq!(schema["properties"]["schema"]["const"], "mapjudge.report/1");
    }

    #[test]
    fn knows_every_key_of_a_report() {
        let schema = schema();
        let report = serde_json::to_value(crate::example::two_cases()).unwrap();
        for key in report.as_object().unwrap().keys() {
            assert!(schema["properties"].get(key).is_some(), "{key} is missing");
        }
        let record = &report["cases"][0]["metrics"][0];
        for key in record.as_object().unwrap().keys() {
            assert!(schema["$defs"]["MetricRecord"]["properties"].get(key).is_some(), "{key} is missing");
        }
    }
}
