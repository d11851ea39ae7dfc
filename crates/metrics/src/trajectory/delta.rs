//! How far apart the two poses of a pair are: `1f`, `1m`, `1s`, `0.1rad`.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// What is counted between the two poses of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeltaUnit {
    Frames,
    /// Metres along the path.
    Metres,
    Seconds,
    /// Radians of turning along the path.
    Radians,
}

/// A distance between two poses of a pair; always positive, whole for frames.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Delta {
    pub amount: f64,
    pub unit: DeltaUnit,
}

impl Default for Delta {
    fn default() -> Self {
        Self { amount: 1.0, unit: DeltaUnit::Frames }
    }
}

const UNITS: [(&str, DeltaUnit); 4] = [
    ("rad", DeltaUnit::Radians),
    ("f", DeltaUnit::Frames),
    ("m", DeltaUnit::Metres),
    ("s", DeltaUnit::Seconds),
];

impl FromStr for Delta {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || {
            format!("'{text}': expected a positive number and f, m, s or rad, such as 1f, 1m, 1s or 0.1rad")
        };
        let parts = UNITS.iter().find_map(|(suffix, unit)| Some((text.trim().strip_suffix(suffix)?, *unit)));
        let (number, unit) = parts.ok_or_else(expected)?;
        let amount: f64 = number.trim().parse().map_err(|_| expected())?;
        let is_whole = unit != DeltaUnit::Frames || amount.fract() == 0.0;
        let is_usable = amount.is_finite() && amount > 0.0 && is_whole && amount <= 1e15;
        is_usable.then_some(Self { amount, unit }).ok_or_else(expected)
    }
}

impl fmt::Display for Delta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suffix = UNITS.iter().find(|(_, unit)| *unit == self.unit).map_or("", |(suffix, _)| suffix);
        write!(f, "{}{suffix}", self.amount)
    }
}

impl TryFrom<String> for Delta {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Delta> for String {
    fn from(delta: Delta) -> Self {
        delta.to_string()
    }
}

impl JsonSchema for Delta {
    fn schema_name() -> Cow<'static, str> {
        "Delta".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^[0-9.eE+-]+(f|m|s|rad)$" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_back() {
        for text in ["1f", "1m", "0.5s", "0.1rad", "20f"] {
            assert_eq!(text.parse::<Delta>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn senseless_words_are_refused() {
        for text in ["", "1", "m", "0m", "-1s", "1.5f", "nanm", "1km", "infs"] {
            assert!(text.parse::<Delta>().is_err(), "{text}");
        }
    }
}
