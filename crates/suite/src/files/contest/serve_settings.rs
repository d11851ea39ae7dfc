//! `[serve]` of a contest file: how a server runs the contest. Judging from the command line ignores it.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use crate::Timestamp;

/// How a server runs the contest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ServeSettings {
    /// What teams see of their own submissions before publication.
    pub feedback: Feedback,
    /// Who sees the truth.
    pub truth: TruthShown,
    /// Which submission of a team counts in a mission.
    pub counts: Counts,
    /// Whether a judge verifies each submission before publication.
    pub verify: bool,
    /// Opinions per entered value; the median counts, all are listed.
    pub judges: u32,
    /// When the public sees a new ranking.
    pub public: Public,
    /// When the public ranking is frozen.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "time_or_none")]
    #[schemars(with = "Option<String>")]
    pub freeze: Option<String>,
    /// Submissions per team and mission; broken ones do not count.
    pub submissions: u32,
    /// What teams can take at most.
    pub limits: ServeLimits,
}

impl Default for ServeSettings {
    fn default() -> Self {
        Self {
            feedback: Feedback::Findings,
            truth: TruthShown::Judges,
            counts: Counts::Last,
            verify: true,
            judges: 1,
            public: Public::Held,
            freeze: None,
            submissions: 20,
            limits: ServeLimits::default(),
        }
    }
}

/// What teams see of their own submissions before publication.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Feedback {
    /// What the linter and the readers noticed.
    Findings,
    /// The score too.
    Score,
}

/// Who sees the truth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TruthShown {
    /// Judges alone.
    Judges,
    /// Everyone once a ranking is published.
    Published,
    /// Everyone.
    Everyone,
}

/// Which submission of a team counts in a mission.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Counts {
    /// The last one in time, unless a judge chooses another.
    Last,
    /// The one that a judge chooses.
    Chosen,
}

/// When the public sees a new ranking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Public {
    /// When a judge publishes it.
    Held,
    /// At once, unless frozen.
    Auto,
}

/// What teams can take at most.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ServeLimits {
    /// Of one file, MiB.
    pub file_mib: u64,
    /// Of one submission, MiB.
    pub submission_mib: u64,
    /// Files of one submission.
    pub files: u32,
    /// Of all submissions of a team, MiB.
    pub team_mib: u64,
    /// Uploads of a team within a minute, broken ones included.
    pub uploads_per_minute: u32,
    /// Free space of the disk below which nothing is taken, MiB.
    pub free_mib: u64,
    /// Wrong codes of an address within a minute, before log-in is refused for the rest of it.
    pub wrong_codes_per_minute: u32,
    /// Live scores of a session within a second.
    pub live_per_second: u32,
    /// Of a JSON body, KiB.
    pub json_kib: u32,
    /// Connections at a time.
    pub connections: u32,
}

impl Default for ServeLimits {
    fn default() -> Self {
        Self {
            file_mib: 64,
            submission_mib: 256,
            files: 200,
            team_mib: 4096,
            uploads_per_minute: 6,
            free_mib: 1024,
            wrong_codes_per_minute: 5,
            live_per_second: 15,
            json_kib: 1024,
            connections: 512,
        }
    }
}

impl ServeSettings {
    /// What cannot be served, and what is expected.
    pub(super) fn fault(&self) -> Option<&'static str> {
        let ServeLimits { file_mib, submission_mib, files, .. } = self.limits;
        if !(1..=99).contains(&self.judges) {
            return Some("serve.judges: expected 1 to 99");
        }
        if self.submissions == 0 || files == 0 || file_mib == 0 || submission_mib < file_mib {
            return Some("serve: expected limits above 0, and submission_mib at least file_mib");
        }
        let ServeLimits { wrong_codes_per_minute, live_per_second, json_kib, connections, .. } = self.limits;
        if [wrong_codes_per_minute, live_per_second, json_kib, connections].contains(&0) {
            return Some("serve.limits: expected limits above 0");
        }
        // More than a machine has; products in bytes stay whole numbers.
        let is_large = [file_mib, submission_mib, self.limits.team_mib, self.limits.free_mib];
        is_large.into_iter().any(|mib| mib > 1 << 30).then_some("serve.limits: expected at most 2^30 MiB")
    }
}

/// A time as TOML has them, or in quotes; kept as UTC.
#[derive(Deserialize)]
#[serde(untagged)]
enum Given {
    Time(toml::value::Datetime),
    Text(String),
}

/// Reads a time: `2026-07-04T14:30:00Z`, with any offset.
///
/// # Errors
/// It is no time with an offset.
pub(super) fn time_or_none<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    let text = match Option::<Given>::deserialize(from)? {
        None => return Ok(None),
        Some(Given::Time(time)) => time.to_string(),
        Some(Given::Text(text)) => text,
    };
    let time = Timestamp::parse(&text).map(Timestamp::text).ok_or_else(|| {
        serde::de::Error::custom(format!(
            "{text:.40}: expected a time with its offset, such as 2026-07-04T14:30:00Z"
        ))
    })?;
    Ok(Some(time))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_with_their_defaults() {
        let read = |text: &str| toml::from_str::<ServeSettings>(text);
        assert_eq!(read("").unwrap(), ServeSettings::default());
        let settings =
            read("counts = 'chosen'\nfreeze = 2026-07-04T16:30:00+02:00\nlimits = { files = 3 }").unwrap();
        assert_eq!(settings.counts, Counts::Chosen);
        assert_eq!(settings.freeze.as_deref(), Some("2026-07-04T14:30:00Z"));
        assert_eq!((settings.limits.files, settings.limits.file_mib), (3, 64));
        assert_eq!(read(&toml::to_string(&settings).unwrap()).unwrap(), settings, "written and read back");
        for wrong in ["counts = 'best'", "freeze = 'noon'", "freeze = 2026-07-04T16:30:00", "judge = 1"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_cannot_be_served_is_refused() {
        assert_eq!(ServeSettings::default().fault(), None);
        assert!(ServeSettings { judges: 0, ..ServeSettings::default() }.fault().is_some());
        let limits = ServeLimits { submission_mib: 1, ..ServeLimits::default() };
        assert!(ServeSettings { limits, ..ServeSettings::default() }.fault().is_some());
        let limits = ServeLimits { team_mib: u64::MAX, ..ServeLimits::default() };
        assert!(ServeSettings { limits, ..ServeSettings::default() }.fault().is_some());
    }
}
