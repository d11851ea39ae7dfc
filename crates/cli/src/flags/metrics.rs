//! Which metrics are computed, and their parameters.

use mapjudge::Plan;
use serde_json::Value;

use super::over_list;

/// Which metrics are computed, and their parameters.
#[derive(clap::Args)]
pub struct MetricFlags {
    /// Ids and families to compute, with commas; `mapjudge metrics` lists both [default: all that apply].
    #[arg(long, value_name = "IDS", value_delimiter = ',')]
    metrics: Vec<String>,
    /// A parameter of a metric; may be repeated.
    #[arg(long, value_name = "METRIC.NAME=VALUE", value_parser = parse_setting)]
    set: Vec<Setting>,
}

#[derive(Clone)]
struct Setting {
    metric: String,
    name: String,
    value: Value,
}

impl MetricFlags {
    /// Puts the flags over a plan.
    pub fn apply(&self, plan: &mut Plan) {
        over_list(&mut plan.metrics, &self.metrics);
        for setting in &self.set {
            plan.set(&setting.metric, &setting.name, setting.value.clone());
        }
    }
}

fn parse_setting(text: &str) -> Result<Setting, String> {
    let expected = || format!("'{text}': expected METRIC.NAME=VALUE");
    let (key, value) = text.split_once('=').ok_or_else(expected)?;
    let (metric, name) = key.split_once('.').ok_or_else(expected)?;
    Ok(Setting { metric: metric.to_owned(), name: name.to_owned(), value: parse_value(value) })
}

/// A JSON value, or a word.
pub fn parse_value(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::from(text))
}
