//! What the contest file says, as routes need it: teams, missions, files that are asked for, values that judges enter.

use std::collections::BTreeSet;

use mapjudge::contest::{Part, Source};
use mapjudge::files::contest::{ContestFolder, Counts, ServeSettings};
use schemars::JsonSchema;
use serde::Serialize;

use super::clock::Time;

/// The rules of one contest.
#[derive(Clone, Debug)]
pub struct Rules {
    /// Title of the contest.
    pub title: String,
    /// How it is run.
    pub settings: ServeSettings,
    /// Names of the teams.
    pub teams: Vec<String>,
    /// The missions.
    pub missions: Vec<MissionRules>,
    /// Values that judges enter.
    pub criteria: Vec<Criterion>,
    /// Every name under which a value may be entered.
    enterable: BTreeSet<String>,
    /// The rules by which it is judged.
    pub profile: ProfileName,
}

/// One mission.
#[derive(Clone, Debug)]
pub struct MissionRules {
    /// Name; empty for the only one.
    pub name: String,
    /// From when on submissions are taken.
    pub opens: Option<String>,
    /// After this they are late.
    pub closes: Option<String>,
    files: Vec<FileRule>,
}

/// A file that teams are asked for.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FileRule {
    role: &'static str,
    /// What its name has to be like.
    pattern: String,
    #[serde(rename = "required")]
    is_required: bool,
    /// All of it, for people.
    words: String,
}

/// A mission, as pages are told.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Mission {
    /// Name; empty for the only one.
    id: String,
    /// For people.
    title: String,
    /// From when on submissions are taken.
    opens: Option<String>,
    /// After this they are late.
    closes: Option<String>,
    /// Whether submissions are taken now and in time.
    is_open: bool,
    files: Vec<FileRule>,
}

/// The rules by which a contest is judged.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProfileName {
    /// With its version.
    name: String,
    /// For people.
    title: String,
}

/// How much a team can hand in at once.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct UploadLimits {
    /// Of one file.
    file_bytes: u64,
    /// Of one submission.
    submission_bytes: u64,
    /// Files of one submission.
    files: u32,
}

/// A value that judges enter.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Criterion {
    /// The part.
    pub name: String,
    /// For people.
    pub title: String,
    /// What the judge has to do.
    pub about: String,
    /// Whether a score waits for it. Others are measured or stood in for, and a judge may know better.
    #[serde(rename = "required")]
    pub is_required: bool,
}

/// When a mission takes submissions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Not yet.
    Before,
    /// Now.
    Open,
    /// They are late.
    After,
}

impl Rules {
    /// The rules of a contest that was read.
    #[must_use]
    pub fn of(contest: &ContestFolder) -> Self {
        let (file, profile) = (&contest.file, &contest.profile);
        let mission = |mission: &mapjudge::files::contest::MissionEntry| {
            let rules = profile.inputs.iter().map(|(role, rule)| (*role, rule.pattern.as_str()));
            let mut patterns: std::collections::BTreeMap<_, _> = rules.collect();
            patterns.extend(file.files.iter().chain(&mission.files).map(|(role, p)| (*role, p.as_str())));
            let asked = patterns.into_iter().map(|(role, pattern)| {
                let is_required = profile.inputs.get(&role).is_some_and(|rule| rule.required);
                FileRule::new(role.name(), pattern.replace("{mission}", &mission.name), is_required)
            });
            MissionRules {
                name: mission.name.clone(),
                opens: mission.opens.clone(),
                closes: mission.closes.clone(),
                files: asked.collect(),
            }
        };
        let entered = profile.parts.iter().flat_map(criteria);
        Self {
            title: file.title.clone(),
            settings: file.serve.clone().unwrap_or_default(),
            teams: file.teams.iter().map(|team| team.name.clone()).collect(),
            missions: file.missions.iter().map(mission).collect(),
            criteria: entered.collect(),
            enterable: profile.enterable().into_iter().map(str::to_owned).collect(),
            profile: ProfileName { name: profile.full_name(), title: profile.title.clone() },
        }
    }

    /// A mission by name.
    #[must_use]
    pub fn mission(&self, name: &str) -> Option<&MissionRules> {
        self.missions.iter().find(|mission| mission.name == name)
    }

    /// Whether a value may be entered under this name.
    #[must_use]
    pub fn is_enterable(&self, name: &str) -> bool {
        self.enterable.contains(name)
    }

    /// Whether a judge chooses each submission that counts.
    #[must_use]
    pub fn is_chosen(&self) -> bool {
        self.settings.counts == Counts::Chosen
    }

    /// What pages are told about limits.
    #[must_use]
    pub fn upload_limits(&self) -> UploadLimits {
        let limits = &self.settings.limits;
        UploadLimits {
            file_bytes: limits.file_mib << 20,
            submission_bytes: limits.submission_mib << 20,
            files: limits.files,
        }
    }
}

/// The values of a part that a judge enters, or may enter over what was measured.
fn criteria(part: &Part) -> Vec<Criterion> {
    match &part.from {
        Source::Judge { about } => vec![Criterion {
            name: part.name.clone(),
            title: part.title.clone(),
            about: about.clone(),
            is_required: part.if_undefined.is_none(),
        }],
        Source::MapQuality { criteria, .. } => {
            let told = |criterion: &mapjudge::contest::Criterion| Criterion {
                name: criterion.name.clone(),
                title: format!("{}: {}", part.title, criterion.name),
                about: format!("over the measured {}; larger is better", criterion.value),
                is_required: false,
            };
            criteria.iter().map(told).collect()
        }
        _ => Vec::new(),
    }
}

impl MissionRules {
    /// Whether submissions are taken.
    #[must_use]
    pub fn phase(&self, now: Time) -> Phase {
        let now = now.text();
        // Times of the file have no milliseconds: a Z sorts behind a dot.
        let has_passed = |time: &Option<String>| {
            time.as_ref().is_some_and(|time| format!("{}.000Z", time.trim_end_matches('Z')) <= now)
        };
        match (has_passed(&self.closes), self.opens.is_none() || has_passed(&self.opens)) {
            (true, _) => Phase::After,
            (false, true) => Phase::Open,
            (false, false) => Phase::Before,
        }
    }

    /// What pages are told; `title` is that of the contest.
    #[must_use]
    pub fn told(&self, title: &str, now: Time) -> Mission {
        let title = if self.name.is_empty() { title } else { &self.name };
        Mission {
            id: self.name.clone(),
            title: title.to_owned(),
            opens: self.opens.clone(),
            closes: self.closes.clone(),
            is_open: self.phase(now) == Phase::Open,
            files: self.files.clone(),
        }
    }
}

impl FileRule {
    fn new(role: &'static str, pattern: String, is_required: bool) -> Self {
        let need = if is_required { "required" } else { "optional" };
        let words = format!("{role} ({need}): a file called {pattern}");
        Self { role, pattern, is_required, words }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn rules(text: &str) -> Rules {
        let text = format!("profile = 'rvrl-2022'\n{text}\n[[teams]]\nname = 'A'\nfolder = 'a'\n");
        Rules::of(&ContestFolder::parse(&text, "contest.toml", PathBuf::new()).unwrap())
    }

    #[test]
    fn a_mission_opens_and_closes_to_the_second() {
        let text =
            "missions = [{ name = 'final', opens = 2001-09-09T01:46:40Z, closes = 2001-09-09T01:46:50Z }]";
        let rules = rules(text);
        let phase =
            |ms: u64| rules.mission("final").unwrap().phase(Time::from_unix_ms(1_000_000_000_000 + ms));
        assert_eq!(rules.missions[0].phase(Time::from_unix_ms(999_999_999_999)), Phase::Before);
        assert_eq!(
            [phase(0), phase(1), phase(9_999), phase(10_000)],
            [Phase::Open, Phase::Open, Phase::Open, Phase::After]
        );
    }

    #[test]
    fn what_is_asked_for_is_told() {
        let rules = rules("");
        let mission = rules.missions[0].told("Cup", Time::from_unix_ms(0));
        assert_eq!((mission.id.as_str(), mission.is_open), ("", true));
        assert!(mission.files.iter().any(|file| file.role == "map"));
        let required = rules.criteria.iter().filter(|criterion| criterion.is_required);
        assert_eq!((required.count(), rules.criteria.len()), (0, 4), "{:?}", rules.criteria);
        assert!(rules.is_enterable(&rules.criteria[0].name) && !rules.is_enterable("nothing"));
    }
}
