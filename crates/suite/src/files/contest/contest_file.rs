//! The contest file: truth, missions, teams, operators, what judges enter, and the profile that scores.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::JobError;
use crate::contest::{Combine, Profile, Quantity, Role};
use crate::files::loader::Loader;

/// A contest, as its file says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ContestFile {
    /// Title of the pages.
    #[serde(default)]
    pub title: String,
    /// Name of a shipped profile, or a file ending in `.toml` beside this one.
    pub profile: String,
    /// How the scores of several missions become one.
    #[serde(default)]
    pub combine: Combine,
    /// Numbers of the profile that this contest sets otherwise.
    #[serde(default)]
    pub constants: BTreeMap<String, f64>,
    /// Parameters of metrics that this contest sets otherwise: metric, then name, then value.
    #[serde(default)]
    pub set: BTreeMap<String, BTreeMap<String, serde_json::Value>>,
    /// Where robots and responders enter, x and y in metres in the frame of the truth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<[f64; 2]>,
    /// The truth, beside this file.
    #[serde(default)]
    pub truth: BTreeMap<Role, Paths>,
    /// File names in the folder of each team; they go over those of the profile.
    #[serde(default)]
    pub files: BTreeMap<Role, String>,
    /// The missions; none is one mission without a name.
    #[serde(default)]
    pub missions: Vec<MissionEntry>,
    /// The teams.
    pub teams: Vec<TeamEntry>,
}

/// One mission.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MissionEntry {
    /// Name, for `{mission}` in file names too.
    pub name: String,
    /// How much the mission counts.
    #[serde(default = "one")]
    pub weight: f64,
    /// Where robots and responders enter, over that of the contest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<[f64; 2]>,
    /// Truth of this mission, over that of the contest.
    #[serde(default)]
    pub truth: BTreeMap<Role, Paths>,
    /// File names of this mission, over those of the contest.
    #[serde(default)]
    pub files: BTreeMap<Role, String>,
}

/// One file or several.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Paths {
    /// One.
    One(PathBuf),
    /// Several.
    Many(Vec<PathBuf>),
}

impl Paths {
    /// All of them.
    #[must_use]
    pub fn all(&self) -> &[PathBuf] {
        match self {
            Self::One(path) => std::slice::from_ref(path),
            Self::Many(paths) => paths,
        }
    }
}

/// One team.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TeamEntry {
    /// Name, as the ranking shows it.
    pub name: String,
    /// Folder of its files, beside the contest file.
    pub folder: PathBuf,
    /// Human operators.
    #[serde(default = "one_operator")]
    pub operators: u32,
    /// File names of this team, over those of mission and contest.
    #[serde(default)]
    pub files: BTreeMap<Role, String>,
    /// What judges entered: under the name of a part, of a criterion or of a measured value.
    #[serde(default)]
    pub values: BTreeMap<String, Entered>,
    /// What holds for one mission only, by its name.
    #[serde(default)]
    pub missions: BTreeMap<String, TeamMission>,
}

/// A team in one mission.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct TeamMission {
    /// Human operators.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operators: Option<u32>,
    /// File names.
    pub files: BTreeMap<Role, String>,
    /// What judges entered.
    pub values: BTreeMap<String, Entered>,
}

/// What a judge entered: a number or a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Entered {
    /// One number.
    Number(f64),
    /// One per victim, for instance.
    List(Vec<f64>),
}

impl From<&Entered> for Quantity {
    fn from(entered: &Entered) -> Self {
        match entered {
            Entered::Number(number) => Self::Number(*number),
            Entered::List(list) => Self::List(list.clone()),
        }
    }
}

const fn one() -> f64 {
    1.0
}

const fn one_operator() -> u32 {
    1
}

/// A larger file is no contest file.
const MAX_BYTES: u64 = 4 << 20;
/// More entries than this are a mistake, and would fill the disk with pages.
const MAX_TEAMS: usize = 2000;
const MAX_MISSIONS: usize = 100;

/// A contest that was read, with the profile in effect and the folder that paths are relative to.
#[derive(Clone, Debug, PartialEq)]
pub struct ContestFolder {
    /// What the file says; at least one mission.
    pub file: ContestFile,
    /// The rules, with the constants of the file in effect.
    pub profile: Profile,
    /// Folder of the contest file.
    pub folder: PathBuf,
}

impl ContestFolder {
    /// Reads a contest file.
    ///
    /// # Errors
    /// The file, or its profile, cannot be read or does not hold together.
    pub fn from_file(path: &Path) -> Result<Self, JobError> {
        let text = Loader::default().text(path, MAX_BYTES)?.value;
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let place = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        Self::parse(&text, &place, folder)
    }

    /// Reads the text of a contest file whose paths are relative to `folder`.
    ///
    /// # Errors
    /// As [`ContestFolder::from_file`].
    pub fn parse(text: &str, place: &str, folder: PathBuf) -> Result<Self, JobError> {
        let hint = "`mapjudge contest init FOLDER` writes a commented one";
        let mut file: ContestFile =
            toml::from_str(text).map_err(|error| JobError::contest(place, error.to_string(), hint))?;
        if file.missions.is_empty() {
            let (truth, files) = (BTreeMap::new(), BTreeMap::new());
            file.missions.push(MissionEntry { name: String::new(), weight: 1.0, start: None, truth, files });
        }
        check(&file).map_err(|(message, hint)| JobError::contest(place, message, hint))?;
        let mut profile = find_profile(&file.profile, &folder)?;
        for (name, value) in &file.constants {
            let slot = match profile.weights.get_mut(name) {
                Some(weight) => weight,
                None => profile.constants.get_mut(name).ok_or_else(|| unknown_constant(place, name))?,
            };
            *slot = *value;
        }
        for (metric, params) in &file.set {
            profile.plan.set.entry(metric.clone()).or_default().extend(params.clone());
        }
        Ok(Self { file, profile, folder })
    }
}

fn unknown_constant(place: &str, name: &str) -> JobError {
    let hint = "`mapjudge contest profiles NAME` shows the weights and constants of a profile";
    JobError::contest(place, format!("the profile has no weight or constant '{name}'"), hint)
}

/// What a contest file must hold to be scored, or what is wrong and what to do.
fn check(file: &ContestFile) -> Result<(), (String, String)> {
    let wrong = |message: String, hint: &str| Err((message, hint.to_owned()));
    if file.teams.is_empty() || file.teams.len() > MAX_TEAMS || file.missions.len() > MAX_MISSIONS {
        let message = format!("{} teams in {} missions", file.teams.len(), file.missions.len());
        return wrong(message, "expected 1 to 2000 teams and at most 100 missions");
    }
    let repeated = |names: Vec<&str>| {
        let twice = |(index, name): (usize, &&str)| names[..index].contains(name).then(|| (*name).to_owned());
        names.iter().enumerate().find_map(twice)
    };
    if let Some(name) = repeated(file.teams.iter().map(|team| team.name.as_str()).collect()) {
        return wrong(format!("two teams are called {name:.80?}"), "give each team its own name");
    }
    if let Some(name) = repeated(file.missions.iter().map(|mission| mission.name.as_str()).collect()) {
        return wrong(format!("two missions are called {name:.80?}"), "give each mission its own name");
    }
    if let Some(mission) = file.missions.iter().find(|m| !(m.weight.is_finite() && m.weight >= 0.0)) {
        return wrong(
            format!("mission {:.80?}: weight {}", mission.name, mission.weight),
            "expected 0 or more",
        );
    }
    for team in &file.teams {
        let known = |name: &&String| file.missions.iter().all(|mission| mission.name != **name);
        if let Some(name) = team.missions.keys().find(known) {
            let message = format!("team {:.80?}: there is no mission {name:.80?}", team.name);
            return wrong(message, "list it under [[missions]]");
        }
        let operators = team.missions.values().filter_map(|m| m.operators).chain([team.operators]);
        if operators.into_iter().any(|operators| operators < 1) {
            return wrong(format!("team {:.80?}: operators below 1", team.name), "expected 1 or more");
        }
    }
    Ok(())
}

/// A larger file is no profile.
const MAX_PROFILE_BYTES: u64 = 1 << 20;

/// The profile of a name, or of a file: a word that ends in `.toml` is a file beside the contest file.
///
/// # Errors
/// There is none of that name, or the file is no valid profile.
pub(super) fn find_profile(word: &str, folder: &Path) -> Result<Profile, JobError> {
    let (name, variant) = Profile::name_and_variant(word);
    if !name.ends_with(".toml") {
        return Profile::shipped(word);
    }
    let text = Loader::default().text(&folder.join(name), MAX_PROFILE_BYTES)?.value;
    Profile::parse(&text, name)?.read_as(variant, name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<ContestFolder, JobError> {
        ContestFolder::parse(text, "contest.toml", PathBuf::new())
    }

    const TEAMS: &str = "[[teams]]\nname = 'A'\nfolder = 'a'\n[[teams]]\nname = 'B'\nfolder = 'b'\n";

    #[test]
    fn a_contest_without_missions_has_one() {
        let contest = read(&format!("profile = 'vr-2008'\n{TEAMS}")).unwrap();
        assert_eq!((contest.file.missions.len(), contest.file.teams[1].operators), (1, 1));
    }

    #[test]
    fn constants_go_over_those_of_the_profile() {
        let contest = read(&format!("profile = 'vr-2008'\nconstants = {{ w_V = 10 }}\n{TEAMS}")).unwrap();
        assert_eq!(contest.profile.constant("w_V"), Some(10.0));
        let error = read(&format!("profile = 'vr-2008'\nconstants = {{ w_X = 1 }}\n{TEAMS}")).unwrap_err();
        assert!(error.to_string().contains("no weight or constant 'w_X'"));
    }

    #[test]
    fn what_cannot_be_scored_is_refused_with_a_remedy() {
        let faults = [
            "profile = 'vr-2008'\nteams = []",
            "profile = 'vr-2008'\n[[teams]]\nname = 'A'\nfolder = 'a'\n[[teams]]\nname = 'A'\nfolder = 'b'",
            "profile = 'vr-2008'\n[[teams]]\nname = 'A'\nfolder = 'a'\noperators = 0",
            "profile = 'vr-2008'\n[[teams]]\nname = 'A'\nfolder = 'a'\n[teams.missions.final]\noperators = 2",
            "profile = 'vr-2008'\nmisions = 1\n[[teams]]\nname = 'A'\nfolder = 'a'",
            "profile = 'nothing'\n[[teams]]\nname = 'A'\nfolder = 'a'",
        ];
        for text in faults {
            assert!(matches!(read(text), Err(JobError::Contest { hint, .. }) if !hint.is_empty()), "{text}");
        }
    }
}
