//! The contest file: truth, missions, teams, operators, what judges enter, and the profile that scores.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::entered::Entered;
use super::floors::check_floors;
use super::mission_entry::MissionEntry;
use super::names::check_names;
use super::serve_settings::ServeSettings;
use crate::contest::{Combine, Profile, Role};
use crate::files::archive::{Unpacked, is_archive};
use crate::files::floors::FloorInput;
use crate::files::loader::Loader;
use crate::files::walk;
use crate::floors::Connector;
use crate::keys::with_nearest;
use crate::{AlignBy, JobError};

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
    /// How maps come into the coordinate frame of the truth, over what the profile says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub align: Option<AlignBy>,
    /// Where robots and responders enter, x and y in metres in the frame of the truth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<[f64; 2]>,
    /// The truth, beside this file.
    #[serde(default)]
    pub truth: BTreeMap<Role, Paths>,
    /// File names in the folder of each team; they go over those of the profile.
    #[serde(default)]
    pub files: BTreeMap<Role, String>,
    /// The floors of a place with several, each with its truth map; `{floor}` in the name of the map stands for their names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub floors: Vec<FloorInput>,
    /// Stairs, ramps and lifts between the floors.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub connectors: Vec<Connector>,
    /// The missions; none is one mission without a name.
    #[serde(default)]
    pub missions: Vec<MissionEntry>,
    /// The teams.
    pub teams: Vec<TeamEntry>,
    /// How a server runs the contest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub serve: Option<ServeSettings>,
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
    /// Folder of its files, or a zip archive of them, beside the contest file.
    pub folder: PathBuf,
    /// Cell size of its map, metres, where the file states none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolution_m: Option<f64>,
    /// Where its map has the origin of its coordinate frame, for robots that begin at (0, 0, 0) of their own map.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_pose: Option<StartPose>,
    /// Transform file that lays its map on the truth, beside the contest file, as `mapjudge align --by-hand` saves it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub align: Option<PathBuf>,
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

/// A pose in the coordinate frame of the truth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StartPose {
    /// Metres.
    pub x_m: f64,
    /// Metres.
    pub y_m: f64,
    /// Degrees, counter-clockwise from the x axis.
    #[serde(default)]
    pub theta_deg: f64,
}

/// A team in one mission.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct TeamMission {
    /// Folder of its files in this mission, over that of the team.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folder: Option<PathBuf>,
    /// Why its submission cannot be judged, such as a limit that was reached: it is broken, and none of its files is opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub broken: Option<String>,
    /// Transform file of this mission, over that of the team.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub align: Option<PathBuf>,
    /// Human operators.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operators: Option<u32>,
    /// File names.
    pub files: BTreeMap<Role, String>,
    /// What judges entered.
    pub values: BTreeMap<String, Entered>,
}

pub(super) const fn one() -> f64 {
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
/// Numbers that a judge enters under one name.
const MAX_LIST: usize = 1000;

/// A contest that was read, with the profile in effect and the folder that paths are relative to.
#[derive(Clone, Debug, PartialEq)]
pub struct ContestFolder {
    /// What the file says; at least one mission.
    pub file: ContestFile,
    /// The rules, with the constants of the file in effect.
    pub profile: Profile,
    /// Folder of the contest file.
    pub folder: PathBuf,
    /// The archives that folders of teams and files of the truth lie in, or why one cannot be used.
    pub(super) archives: BTreeMap<PathBuf, Result<Arc<Unpacked>, String>>,
}

impl ContestFolder {
    /// Reads a contest file.
    ///
    /// # Errors
    /// The file, or its profile, cannot be read or does not hold together.
    pub fn from_file(path: &Path) -> Result<Self, JobError> {
        if is_archive(path) {
            return Self::from_archive(path);
        }
        let inner = path.join("contest.toml");
        if path.is_dir() && !inner.exists() {
            let is_empty = std::fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none());
            let what = if is_empty { "the folder is empty" } else { "the folder holds no contest.toml" };
            let hint = "`mapjudge contest init FOLDER > FOLDER/contest.toml` writes one";
            return Err(JobError::contest(path.display().to_string(), what, hint));
        }
        let path = if path.is_dir() { inner.as_path() } else { path };
        let text = Loader::default().text(path, MAX_BYTES)?.value;
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let place = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        Self::parse(&text, &place, folder)
    }

    /// Reads the contest file of an archive that holds the whole contest, at its top or in its only folder.
    fn from_archive(path: &Path) -> Result<Self, JobError> {
        let unpacked = Arc::new(Unpacked::of(path)?);
        let files = walk(unpacked.folder())?;
        let depth = |file: &&PathBuf| file.components().count();
        let named = files.iter().filter(|file| file.ends_with("contest.toml"));
        let Some(file) = named.min_by_key(depth) else {
            let hint = "`mapjudge contest init ARCHIVE > contest.toml` writes one beside it";
            return Err(JobError::contest(path.display().to_string(), "it holds no contest.toml", hint));
        };
        let mut contest = Self::from_file(file)?;
        contest.archives.insert(path.to_owned(), Ok(unpacked));
        Ok(contest)
    }

    /// The folder of a team's files in a mission, as the contest file names it.
    #[must_use]
    pub fn team_folder<'a>(&self, team: &'a TeamEntry, mission: &MissionEntry) -> &'a Path {
        let own = team.missions.get(&mission.name).and_then(|own| own.folder.as_deref());
        own.unwrap_or(&team.folder)
    }

    /// Where a path of the contest file is: inside an archive, the place where that was unpacked.
    ///
    /// # Errors
    /// Why the archive cannot be used.
    pub(super) fn resolved(&self, path: &Path) -> Result<(PathBuf, PathBuf), String> {
        let whole = self.folder.join(path);
        for (archive, unpacked) in &self.archives {
            if let Ok(rest) = whole.strip_prefix(archive) {
                let unpacked = unpacked.as_ref().map_err(Clone::clone)?;
                let inner = if rest.as_os_str().is_empty() {
                    unpacked.folder().to_owned()
                } else {
                    unpacked.folder().join(rest)
                };
                return Ok((inner, unpacked.root().to_owned()));
            }
        }
        Ok((whole, self.folder.clone()))
    }

    /// Reads the text of a contest file whose paths are relative to `folder`.
    ///
    /// # Errors
    /// As [`ContestFolder::from_file`].
    pub fn parse(text: &str, place: &str, folder: PathBuf) -> Result<Self, JobError> {
        let hint = "`mapjudge contest init FOLDER` writes a commented one";
        let mut file: ContestFile = toml::from_str(text)
            .map_err(|error| JobError::contest(place, with_nearest(&error.to_string()), hint))?;
        if file.missions.is_empty() {
            file.missions.push(MissionEntry::unnamed());
        }
        check_floors(&file, text).map_err(|(message, hint)| JobError::contest(place, message, hint))?;
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
        check_names(&file, &profile, place)?;
        if let Some(align) = &file.align {
            profile.plan.align = *align;
        }
        let archives = unpacked_archives(&file, &folder);
        Ok(Self { file, profile, folder, archives })
    }
}

/// Unpacks every archive that a path of the contest file leads into.
fn unpacked_archives(file: &ContestFile, folder: &Path) -> BTreeMap<PathBuf, Result<Arc<Unpacked>, String>> {
    let truth = file.truth.values().chain(file.missions.iter().flat_map(|mission| mission.truth.values()));
    let floors = file.floors.iter().chain(file.missions.iter().flat_map(|mission| &mission.floors));
    let own = file.teams.iter().flat_map(|team| team.missions.values().filter_map(|own| own.folder.as_ref()));
    let paths = truth.flat_map(Paths::all).chain(file.teams.iter().map(|team| &team.folder));
    let paths = paths.chain(floors.map(|floor| &floor.truth.map)).chain(own);
    let mut archives = BTreeMap::new();
    for path in paths {
        let whole = folder.join(path);
        let archive = whole.ancestors().find(|place| is_archive(place) && place.is_file());
        if let Some(archive) = archive
            && !archives.contains_key(archive)
        {
            let unpacked = Unpacked::of(archive).map(Arc::new).map_err(|error| error.to_string());
            archives.insert(archive.to_owned(), unpacked);
        }
    }
    archives
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
    if let Some(fault) = file.serve.as_ref().and_then(ServeSettings::fault) {
        return wrong(fault.to_owned(), "see `mapjudge help serve`");
    }
    for team in &file.teams {
        let known = |name: &&String| file.missions.iter().all(|mission| mission.name != **name);
        if let Some(name) = team.missions.keys().find(known) {
            let message = format!("team {:.80?}: there is no mission {name:.80?}", team.name);
            return wrong(message, "list it under [[missions]]");
        }
        let is_bad =
            |pose: StartPose| ![pose.x_m, pose.y_m, pose.theta_deg].iter().all(|number| number.is_finite());
        let is_size = |size_m: f64| size_m.is_finite() && size_m > 0.0;
        if team.start_pose.is_some_and(is_bad) || !team.resolution_m.is_none_or(is_size) {
            let message = format!("team {:.80?}: start_pose or resolution_m", team.name);
            return wrong(message, "expected finite numbers, and a cell size above 0");
        }
        let lists = team.values.values().chain(team.missions.values().flat_map(|m| m.values.values()));
        if let Some(length) = lists.map(Entered::length).find(|length| *length > MAX_LIST) {
            let message = format!("team {:.80?}: a list of {length} numbers", team.name);
            return wrong(message, "expected at most 1000, one per victim or artifact");
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
    use crate::contest::{Quantity, Signature};

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
    fn a_value_says_who_entered_it_and_why() {
        let values = "values = { P = 8.0, I = { value = 3, by = 'R. Judge', reason = 'seen' } }";
        let text = format!("profile = 'rrl-2025'\n[[teams]]\nname = 'A'\nfolder = 'a'\n{values}\n");
        let values = &read(&text).unwrap().file.teams[0].values;
        assert_eq!(Quantity::from(&values["P"]), Quantity::Number(8.0));
        assert_eq!(Quantity::from(&values["I"]), Quantity::Number(3.0));
        let signature = Signature { by: Some("R. Judge".into()), reason: Some("seen".into()) };
        assert_eq!((values["I"].signature(), values["P"].signature()), (signature, Signature::default()));
        assert!(read(&text.replace("reason =", "reson =")).is_err());
    }

    #[test]
    fn a_contest_sets_alignment_and_a_team_its_resolution_and_start() {
        let text = "profile = 'vr-2008'\nalign = 'auto'\n[[teams]]\nname = 'A'\nfolder = 'a'\n\
                    resolution_m = 0.1\nstart_pose = { x_m = 1, y_m = 2, theta_deg = 90 }\n";
        let contest = read(text).unwrap();
        assert_ne!(contest.profile.plan.align, Profile::shipped("vr-2008").unwrap().plan.align);
        assert_eq!(contest.file.teams[0].start_pose.map(|pose| pose.theta_deg), Some(90.0));
        assert!(read(&text.replace("0.1", "-0.1")).is_err());
        assert!(read(&text.replace("x_m = 1", "x_m = inf")).is_err());
    }

    #[test]
    fn constants_go_over_those_of_the_profile() {
        let contest = read(&format!("profile = 'vr-2008'\nconstants = {{ w_V = 10 }}\n{TEAMS}")).unwrap();
        assert_eq!(contest.profile.constant("w_V"), Some(10.0));
        let error = read(&format!("profile = 'vr-2008'\nconstants = {{ w_X = 1 }}\n{TEAMS}")).unwrap_err();
        assert!(error.to_string().contains("no weight or constant 'w_X'"));
    }

    #[test]
    fn a_misspelt_value_key_or_parameter_is_refused_with_a_suggestion() {
        let hint_of = |text: &str| match read(text) {
            Err(JobError::Contest { message, hint, .. }) => format!("{message} {hint}"),
            other => panic!("{text}: {other:?}"),
        };
        let team = "[[teams]]\nname = 'A'\nfolder = 'a'\n";
        let value = hint_of(&format!("profile = 'rrl-2025'\n{team}values = {{ PP = 8.0 }}"));
        assert!(value.contains("'PP'") && value.contains("did you mean 'P'?"), "{value}");
        let of_mission = format!(
            "profile = 'rrl-2025'\nmissions = [{{ name = 'one' }}]\n{team}[teams.missions.one]\nvalues = {{ Erorr = 1 }}"
        );
        assert!(hint_of(&of_mission).contains("did you mean 'Err'?"), "{}", hint_of(&of_mission));
        let key = hint_of(&format!("profile = 'vr-2008'\nmisions = []\n{team}"));
        assert!(key.contains("did you mean `missions`?"), "{key}");
        let key = hint_of(&format!("profile = 'vr-2008'\n{team}folders = 'b'\n"));
        assert!(key.contains("did you mean `folder`?"), "{key}");
        for set in ["overal_error = { x = 1 }", "picture_distance = { xyz = 1 }"] {
            assert!(read(&format!("profile = 'vr-2008'\nset = {{ {set} }}\n{team}")).is_err(), "{set}");
        }
        let good = format!("profile = 'rrl-2025'\n{team}values = {{ P = 8.0, 'point_score.error_m' = 0.1 }}");
        assert!(read(&good).is_ok(), "{:?}", read(&good));
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
        let numbers = "1,".repeat(MAX_LIST + 1);
        let long = format!(
            "profile = 'rrl-2025'\n[[teams]]\nname = 'A'\nfolder = 'a'\nvalues = {{ P = [{numbers}] }}"
        );
        for text in faults.into_iter().chain([long.as_str()]) {
            assert!(matches!(read(text), Err(JobError::Contest { hint, .. }) if !hint.is_empty()), "{text}");
        }
    }
}
