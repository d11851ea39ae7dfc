//! The first line of a row file: what its rows are results of.

use report::{Limits, Tool};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::canonical::canonical_json;
use crate::contest::FINGERPRINT;
use crate::files::Resolutions;
use crate::{Plan, ReadOptions};

/// The name of the form of row files.
pub const ROWS_SCHEMA: &str = "mapjudge.rows/1";

/// How much of a case a row keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RowDetail {
    /// Values and reasons.
    #[default]
    Values,
    /// The whole case as well.
    Full,
}

/// The effective job of all rows of a file; a manifest line may change single keys for its own row.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RowRules {
    /// How maps are judged.
    pub plan: Plan,
    /// How files are read.
    pub read: ReadOptions,
    /// Cell sizes for one side alone.
    pub resolutions: Resolutions,
    /// The rules that values were held against, such as `overall_error <= 5000`.
    pub limits: Vec<String>,
    /// How much of a case a row keeps.
    pub detail: RowDetail,
}

/// The first line of a row file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RowHeader {
    /// Always `mapjudge.rows/1`.
    pub schema: String,
    /// What computed the rows.
    pub tool: Tool,
    /// Hash of the source code of the program; another program may give other values.
    pub build: String,
    /// The effective job.
    pub job: RowRules,
    /// BLAKE3 hash of all of the above.
    pub hash: String,
    /// Files that the job gives to every line, relative to the folder of the manifest; their contents are in the keys.
    pub inputs: Value,
}

impl RowHeader {
    /// The header of the rows that this program computes under these rules.
    #[must_use]
    pub fn new(job: RowRules, inputs: Value) -> Self {
        let tool = Tool { name: "mapjudge".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() };
        let mut header = Self {
            schema: ROWS_SCHEMA.to_owned(),
            tool,
            build: FINGERPRINT.to_owned(),
            job,
            hash: String::new(),
            inputs,
        };
        header.hash = header.computed_hash();
        header
    }

    /// Reads the first line of a row file.
    ///
    /// # Errors
    /// It is no header, one of another version of the form, or was changed.
    pub fn parse(line: &str) -> Result<Self, String> {
        let header: Self = serde_json::from_str(line)
            .map_err(|error| format!("expected a header of {ROWS_SCHEMA}: {error}"))?;
        if header.schema != ROWS_SCHEMA {
            return Err(format!("expected the schema {ROWS_SCHEMA}, found {:?}", header.schema));
        }
        if header.hash.len() != 64 {
            return Err(format!("expected a hash of 64 hexadecimal digits, found {:?}", header.hash));
        }
        Ok(header)
    }

    /// The line, with its end.
    #[must_use]
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }

    /// What is different in another header, in words; none for rows of the same kind.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Option<String> {
        if self.hash == other.hash {
            return None;
        }
        let (own, found) = (&self.tool, &other.tool);
        if own != found {
            return Some(format!("its rows were computed by {} {}", found.name, found.version));
        }
        if self.build != other.build {
            return Some(format!("its rows were computed by another build of {} {}", own.name, own.version));
        }
        let (own, found) = (json!(self.job), json!(other.job));
        let is_other = |key: &&&str| own.get(**key) != found.get(**key);
        let parts: Vec<&str> =
            ["plan", "read", "resolutions", "limits", "detail"].iter().filter(is_other).copied().collect();
        Some(format!("its rows were computed by another job ({} differ)", parts.join(", ")))
    }

    fn computed_hash(&self) -> String {
        let hashed = json!({
            "schema": self.schema, "tool": self.tool, "build": self.build, "job": self.job,
        });
        blake3::hash(canonical_json(&hashed).as_bytes()).to_hex().to_string()
    }
}

impl RowRules {
    /// The rules of a limits file as a header states them.
    #[must_use]
    pub fn limit_texts(limits: &Limits) -> Vec<String> {
        let text = |limit: &report::Limit| {
            let rule = format!("{} {} {}", limit.metric, limit.relation.sign(), limit.bound);
            limit.case.as_ref().map_or_else(|| rule.clone(), |case| format!("{case}: {rule}"))
        };
        limits.rules.iter().map(text).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_read_as_it_was_written() {
        let mut rules = RowRules::default();
        rules.plan.set("baron_correlation", "input", json!("trinary"));
        let header = RowHeader::new(rules, json!({"truth": "t.yaml"}));
        let line = header.to_line();
        assert_eq!(line.matches('\n').count(), 1);
        assert_eq!(RowHeader::parse(&line).unwrap(), header);
        assert_eq!(RowHeader::parse(&line).unwrap().computed_hash(), header.hash, "numbers survive the text");
    }

    #[test]
    fn files_of_the_job_are_not_hashed_but_rules_are() {
        let header = |rules: RowRules, truth: &str| RowHeader::new(rules, json!({"truth": truth}));
        let plain = header(RowRules::default(), "a");
        assert_eq!(plain.difference(&header(RowRules::default(), "b")), None);
        let full = RowRules { detail: RowDetail::Full, ..RowRules::default() };
        assert!(plain.difference(&header(full, "a")).unwrap().contains("(detail differ)"));
        let other = RowHeader { build: "0".to_owned(), hash: "1".to_owned(), ..plain.clone() };
        assert!(plain.difference(&other).unwrap().contains("another build"));
    }

    #[test]
    fn other_texts_are_no_headers() {
        for text in ["", "{}", "[]", "\u{0}", "{\"schema\":\"mapjudge.report/1\"}", "null"] {
            assert!(RowHeader::parse(text).is_err(), "{text}");
        }
        let line = RowHeader::new(RowRules::default(), Value::Null).to_line().replace("rows/1", "rows/2");
        assert!(RowHeader::parse(&line).unwrap_err().contains("mapjudge.rows/1"));
    }
}
