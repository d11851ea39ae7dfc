//! Names of a contest file that the rules must know: a misspelt one would be lost without a word.

use std::collections::BTreeSet;

use super::ContestFile;
use crate::JobError;
use crate::contest::Profile;

/// Refuses values that no part reads, and parameters that no metric has.
pub(super) fn check_names(file: &ContestFile, profile: &Profile, place: &str) -> Result<(), JobError> {
    crate::choose(&[], &profile.plan.set)?;
    let known = profile.enterable();
    for team in &file.teams {
        let of_missions = team.missions.values().flat_map(|mission| mission.values.keys());
        if let Some(name) = team.values.keys().chain(of_missions).find(|name| !known.contains(name.as_str()))
        {
            let message =
                format!("team {:.80?}: {} reads no value '{name:.80}'", team.name, profile.full_name());
            return Err(JobError::contest(place, message, meant(name, &known)));
        }
    }
    Ok(())
}

/// The nearest known name, or all of them.
pub(super) fn meant(name: &str, known: &BTreeSet<&str>) -> String {
    let near = report::nearest(name, known.iter().copied());
    near.map_or_else(
        || format!("known here: {}", known.iter().copied().collect::<Vec<_>>().join(", ")),
        |near| format!("did you mean '{near}'?"),
    )
}
