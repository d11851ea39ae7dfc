//! The report as JSON: pretty, keys in the order of the schema, numbers as shortest round-trip decimals.

use crate::{RenderError, Report};

/// The report as JSON with a newline at the end.
pub(crate) fn json(report: &Report) -> Result<String, RenderError> {
    let mut text = serde_json::to_string_pretty(report)?;
    text.push('\n');
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;

    #[test]
    fn reading_it_back_gives_the_same_report() {
        let report = example::two_cases();
        let text = json(&report).unwrap();
        assert_eq!(serde_json::from_str::<Report>(&text).unwrap(), report);
        assert!(text.ends_with("}\n"));
    }

    #[test]
    fn keys_keep_the_order_of_the_schema() {
        let text = json(&example::two_cases()).unwrap();
        let at = |key: &str| text.find(&format!("\"{key}\"")).unwrap();
        assert!(at("schema") < at("tool") && at("tool") < at("cases") && at("cases") < at("limits"));
    }

    #[test]
    fn a_number_that_is_none_is_null() {
        let report = example::one_metric(metrics::Better::Lower, None, &[Some(f64::NAN)]);
        assert!(json(&report).unwrap().contains("\"value\": null"));
    }
}
