//! Reports of victims that are none, where they are so many that finding victims says nothing.

use metrics::Quantity;
use model::Finding;
use report::CaseReport;

/// Fewer are honest mistakes.
const MIN_FALSE_ALARMS: f64 = 5.0;

/// A finding if more reports are false than there are victims.
pub(super) fn false_alarms(cases: &[CaseReport]) -> Option<Finding> {
    let record = cases.iter().find_map(|case| case.metric("victims"))?;
    let number = |name: &str| {
        let value = record.evidence.values.iter().find(|value| value.name.as_ref() == name)?;
        match &value.value {
            Quantity::Number(number) => Some(*number),
            Quantity::List(_) => None,
        }
    };
    let (wrong, all) = (number("false_alarms")?, number("true_victims")?);
    (wrong >= MIN_FALSE_ALARMS && wrong > all).then(|| {
        let message = format!("{wrong} reports are no victims, {all} victims are there");
        Finding::warning("VICTIMS_FALSE_ALARMS", message).hint(
            "a grid of reports finds every victim; a weight of false alarms in the rules takes points off",
        )
    })
}
