//! One result: what a pair of maps gave, or why it gave nothing.

use std::collections::BTreeMap;

use report::{CaseReport, Transform};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::header::{ROWS_SCHEMA, RowDetail};

/// Whether a pair was scored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RowStatus {
    /// It was; single metrics may still be undefined.
    Ok,
    /// It was not; `code` says why.
    Error,
}

/// How the map came into the coordinate frame of the truth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RowAlignment {
    /// `none`, `georeference`, or the name of a search.
    pub method: String,
    /// How sure a search is; absent where nothing was searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<String>,
    /// The transform; null where none was found.
    pub truth_from_map: Option<Transform>,
}

/// One line of a row file behind the header: one pair of a manifest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Row {
    /// BLAKE3 hash of the manifest line: which pair is meant.
    pub row: String,
    /// BLAKE3 hash of header, options of the line and contents of all input files: what the result rests on.
    pub key: String,
    /// The id of the manifest line, or the map as the line names it.
    pub id: String,
    /// Whether the pair was scored.
    pub status: RowStatus,
    /// Stable name of the error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The error in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// What to do about the error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// Share of the truth's known cells that the map knows too, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<f64>,
    /// How the map came into the coordinate frame of the truth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alignment: Option<RowAlignment>,
    /// Metric id to value; null where it is undefined.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub values: BTreeMap<String, Option<f64>>,
    /// Metric id to what limits its value, or keeps it undefined.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub reasons: BTreeMap<String, Vec<String>>,
    /// Rules of the limits file that the values missed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missed: Vec<String>,
    /// The tags of the manifest line.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub tags: Map<String, Value>,
    /// The whole case, where the job asks for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case: Option<Box<CaseReport>>,
}

/// What identifies a row.
#[derive(Clone, Debug, PartialEq)]
pub struct RowNames {
    /// Hash of the manifest line.
    pub row: String,
    /// Hash of what the result rests on.
    pub key: String,
    /// Name for people.
    pub id: String,
    /// Passed through.
    pub tags: Map<String, Value>,
}

/// The hash that stands for a manifest line: of its bytes without white space around them.
#[must_use]
pub fn row_hash(line: &str) -> String {
    blake3::hash(line.trim_ascii().as_bytes()).to_hex().to_string()
}

/// Errors that say something about the file system at that time: the same inputs may give a result later.
#[must_use]
pub fn is_of_file_system(code: &str) -> bool {
    ["FILE_NOT_READABLE", "IMAGE_MISSING"].contains(&code)
}

/// Errors that say nothing about the inputs alone: time, memory and the file system. Results with the same key may differ
/// by them.
#[must_use]
pub fn is_circumstance(code: &str) -> bool {
    is_of_file_system(code) || ["ROW_TIMEOUT", "ROW_MEMORY", "WORKER_DIED", "OVER_MEMORY"].contains(&code)
}

impl Row {
    /// The row of a case that was judged, held against limits already.
    #[must_use]
    pub fn of_case(names: RowNames, case: CaseReport, missed: Vec<String>, detail: RowDetail) -> Self {
        let values =
            case.metrics.iter().map(|record| (record.id.clone(), record.value.filter(|v| v.is_finite())));
        let with_reasons = case.metrics.iter().filter(|record| !record.reasons.is_empty());
        let reasons = with_reasons.map(|record| {
            (record.id.clone(), record.reasons.iter().map(|reason| reason.code().to_owned()).collect())
        });
        let alignment = case.alignment.as_ref().map(|alignment| {
            let verdict = alignment.certificate.as_ref().and_then(|facts| facts.get("verdict")?.as_str());
            RowAlignment {
                method: alignment.method.clone(),
                verdict: verdict.map(str::to_owned),
                truth_from_map: alignment.truth_from_map,
            }
        });
        Self {
            status: RowStatus::Ok,
            coverage: case.coverage(),
            alignment,
            values: values.collect(),
            reasons: reasons.collect(),
            missed,
            case: (detail == RowDetail::Full).then(|| Box::new(case)),
            ..Self::empty(names)
        }
    }

    /// The row of a pair that could not be scored.
    #[must_use]
    pub fn of_error(names: RowNames, code: &str, message: String, hint: Option<String>) -> Self {
        Self { code: Some(code.to_ascii_uppercase()), message: Some(message), hint, ..Self::empty(names) }
    }

    fn empty(names: RowNames) -> Self {
        let RowNames { row, key, id, tags } = names;
        Self {
            row,
            key,
            id,
            status: RowStatus::Error,
            code: None,
            message: None,
            hint: None,
            coverage: None,
            alignment: None,
            values: BTreeMap::new(),
            reasons: BTreeMap::new(),
            missed: Vec::new(),
            tags,
            case: None,
        }
    }

    /// Reads a line behind the header.
    ///
    /// # Errors
    /// It is no row.
    pub fn parse(line: &str) -> Result<Self, String> {
        let row: Self = serde_json::from_str(line).map_err(|error| format!("expected a row: {error}"))?;
        let is_hash = |text: &str| text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_hash(&row.row) || !is_hash(&row.key) {
            return Err("expected hashes of 64 hexadecimal digits in `row` and `key`".to_owned());
        }
        Ok(row)
    }

    /// The line, with its end.
    #[must_use]
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }
}

/// The JSON Schema of a row, with that of the header under `$defs`.
#[must_use]
pub fn rows_schema() -> Value {
    let mut schema = schemars::schema_for!(Row).to_value();
    let mut header = schemars::schema_for!(super::RowHeader).to_value();
    schema["$id"] = json!(format!("urn:{}", ROWS_SCHEMA.replace('/', ":")));
    schema["title"] = json!("a row of mapjudge rows, version 1; the first line of a file is a RowHeader");
    let own = header.as_object_mut().and_then(|header| header.remove("$defs"));
    if let Some(defs) = schema["$defs"].as_object_mut() {
        defs.extend(own.and_then(|own| own.as_object().cloned()).unwrap_or_default());
        if let Some(fields) = header.as_object_mut() {
            fields.remove("$schema");
        }
        defs.insert("RowHeader".to_owned(), header);
    }
    schema
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Loaded, Map as Cells, Plan, Subject, Truth, judge};

    fn names() -> RowNames {
        let tags = json!({"seed": 3}).as_object().cloned().unwrap();
        RowNames { row: row_hash("{}"), key: row_hash("k"), id: "run 7".to_owned(), tags }
    }

    fn case() -> CaseReport {
        let map = |rows: [&str; 2]| Loaded::in_memory(Cells::new(testkit::grid(rows)));
        let truth = Truth { map: Some(map(["##.", "#.."])), ..Truth::default() };
        let plan = Plan {
            metrics: vec!["overall_error".to_owned(), "baron_correlation".to_owned()],
            align: crate::AlignBy::None,
            ..Plan::default()
        };
        judge(&Subject::of_map("run 7", map(["#..", "#.#"])), &truth, &plan).unwrap()
    }

    #[test]
    fn a_row_has_the_values_of_its_case() {
        let row = Row::of_case(names(), case(), Vec::new(), RowDetail::Values);
        // Cells 2 and 6 of six differ.
        assert_eq!(row.values["overall_error"], Some(2.0));
        assert_eq!((row.status, row.coverage), (RowStatus::Ok, Some(1.0)));
        assert_eq!(row.alignment.as_ref().unwrap().method, "none");
        assert_eq!(Row::parse(&row.to_line()).unwrap(), row);
        let full = Row::of_case(names(), case(), vec!["overall_error < 1".to_owned()], RowDetail::Full);
        assert_eq!(Row::parse(&full.to_line()).unwrap().to_line(), full.to_line());
        assert!(full.to_line().contains("\"case\":{\"name\":\"run 7\""));
    }

    #[test]
    fn an_error_is_a_row() {
        let row = Row::of_error(names(), "malformed", "a.txt: row 2".to_owned(), None);
        let line = row.to_line();
        assert!(line.contains(r#""status":"error","code":"MALFORMED","message":"a.txt: row 2""#), "{line}");
        assert!(!line.contains("values"));
        assert_eq!(Row::parse(&line).unwrap(), row);
    }

    #[test]
    fn white_space_around_a_line_does_not_change_its_hash() {
        assert_eq!(row_hash("{\"map\":\"a\"}\r\n"), row_hash("{\"map\":\"a\"}"));
        assert_ne!(row_hash("{\"map\": \"a\"}"), row_hash("{\"map\":\"a\"}"));
    }

    #[test]
    fn hostile_lines_are_refused_without_a_panic() {
        let good = Row::of_error(names(), "x", String::new(), None).to_line();
        let deep = "[".repeat(100_000);
        for text in
            ["", "{}", "null", "\u{feff}", &deep, &good[..good.len() / 2], &good.replace("error", "maybe")]
        {
            assert!(Row::parse(text).is_err());
        }
        let short = good.replace(&row_hash("k"), "12");
        assert!(Row::parse(&short).unwrap_err().contains("64 hexadecimal"));
        let wide = good.replace(&row_hash("k"), &"é".repeat(32));
        assert!(Row::parse(&wide).is_err(), "64 bytes, but no digits");
    }

    #[test]
    fn the_schema_knows_every_key() {
        let schema = rows_schema();
        let row = serde_json::to_value(Row::of_case(names(), case(), Vec::new(), RowDetail::Full)).unwrap();
        for key in row.as_object().unwrap().keys() {
            assert!(schema["properties"].get(key).is_some(), "{key} is missing");
        }
        assert_eq!(schema["$id"], "urn:mapjudge.rows:1");
        assert!(schema["$defs"]["RowHeader"]["properties"].get("hash").is_some());
        assert!(schema["$defs"].get("Plan").is_some(), "the parts of a header are there too");
    }
}
