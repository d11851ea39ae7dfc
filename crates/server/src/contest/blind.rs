//! What a judge must not see of others before deciding too: values where several judges enter one, and first opinions on a
//! relation that another person is to be asked about. The events stay what they are; their bodies are held back.

use mapjudge::ground_truth::review::Sight;
use serde_json::json;

use super::app::ContestApp;
use super::chain::Event;
use super::decisions;
use super::records::VERDICT;
use super::roles::Who;
use super::store::{StoreError, Transaction};
use crate::problem::Problem;

/// What stands in the place of a body that is held back.
const HELD_BACK: &str = "shown once you have decided too";

/// Whether a judge may see what others entered for a value: the own one is there, or nobody is asked any more.
#[must_use]
pub fn is_open(judges: u32, who: &Who, opinions: &[decisions::Made]) -> bool {
    judges <= 1 || opinions.len() >= judges as usize || opinions.iter().any(|made| made.by == who.name())
}

/// Holds back values of other judges.
///
/// # Errors
/// The database fails.
pub fn hold_back_values(
    app: &ContestApp,
    t: &mut dyn Transaction,
    who: &Who,
    events: &mut [Event],
) -> Result<(), StoreError> {
    let judges = app.rules.settings.judges;
    if judges <= 1 {
        return Ok(());
    }
    for event in events.iter_mut().filter(|event| event.kind == "value_entered" && event.person != who.name())
    {
        let values = decisions::values(t, &event.subject, judges)?;
        let value = values.iter().find(|value| event.body["name"] == *value.name);
        if !is_open(judges, who, value.map_or(&[], |value| value.opinions.as_slice())) {
            event.body = json!({ "name": event.body["name"], "held_back": HELD_BACK });
        }
    }
    Ok(())
}

/// Holds back first opinions on relations that this person is to be asked about. Waits for records, so that no transaction
/// must be open.
///
/// # Errors
/// A record cannot be read.
pub fn hold_back_verdicts(app: &ContestApp, who: &Who, events: &mut [Event]) -> Result<(), Problem> {
    for event in events.iter_mut().filter(|event| event.kind == VERDICT && event.person != who.name()) {
        let desk = app.records().iter().find(|desk| event.body["record"] == *desk.record());
        let (Some(desk), Some(id)) = (desk, event.body["line"]["id"].as_str()) else { continue };
        let shown = desk.review().relation(id, who.name(), Sight::Open)?;
        if shown.is_some_and(|shown| shown.blind) {
            event.body = json!({ "record": desk.record(), "id": id, "held_back": HELD_BACK });
        }
    }
    Ok(())
}
