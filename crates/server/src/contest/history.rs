//! Events in words, for the history of a submission.

use serde_json::Value as Json;

use super::chain::Event;

/// Whether a team is told of events of this kind about its submissions.
#[must_use]
pub fn is_for_teams(kind: &str) -> bool {
    matches!(
        kind,
        "submission_received"
            | "submission_checked"
            | "measured"
            | "submission_broken"
            | "rejudged"
            | "note_added"
            | "counts_chosen"
            | "counts_released"
    )
}

/// An event in words.
#[must_use]
pub fn words(event: &Event) -> String {
    let text = |key: &str| event.body[key].as_str().unwrap_or_default();
    let reason = match text("reason") {
        "" => String::new(),
        reason => format!(": {reason}"),
    };
    match event.kind.as_str() {
        "submission_received" => {
            let files = event.body["files"].as_array().map_or(0, Vec::len);
            let late = if event.body["late"] == Json::Bool(true) { ", late" } else { "" };
            format!("handed in as number {} with {files} files{late}", event.body["number"])
        }
        "submission_checked" => "its files were checked".to_owned(),
        "measured" => "it was measured".to_owned(),
        "rejudged" => format!("it was judged anew{reason}"),
        "submission_broken" => format!("it cannot be scored: {}", text("why")),
        "value_entered" if event.body["value"].is_null() => format!("{} was entered", text("name")),
        "value_entered" => format!("{} = {} was entered{reason}", text("name"), event.body["value"]),
        "value_removed" => format!("the value of {} was taken back{reason}", text("name")),
        "frame_saved" => format!("its map was laid on the truth by hand{reason}"),
        "frame_removed" => format!("the hand-made transform was taken back{reason}"),
        "verified" => "it was verified".to_owned(),
        "unverified" => format!("the verification was taken back{reason}"),
        "counts_chosen" => format!("it was chosen to count{reason}"),
        "counts_released" => format!("the choice was taken back{reason}"),
        "note_added" => format!("a note ({})", text("kind")),
        other => other.replace('_', " "),
    }
}
