//! What a ranking rests on: the contest as its organisers gave it, the submissions that count, the decisions in effect. All
//! of it under hashes, so that the contest folder can be made again at any time.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use mapjudge::contest::file_names;
use mapjudge::files::contest::{ContestFile, ContestFolder, Entered, Paths, SignedValue, TeamMission};
use mapjudge::files::is_archive;
use serde::{Deserialize, Serialize};

/// The schema of a basis.
pub const BASIS_SCHEMA: &str = "mapjudge.basis/1";
/// The folder of transform files that judges saved.
const FRAMES: &str = "frames-by-hand";

/// A file under its hash.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FileRef {
    /// Relative path, with `/`.
    pub name: String,
    /// Hash of its bytes.
    pub blake3: String,
    /// Its length.
    pub bytes: u64,
}

/// The files of organisers: contest file, profile, truth.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sources {
    /// Name of the contest file among them.
    pub contest: String,
    /// All of them, relative to the folder of the contest.
    pub sources: Vec<FileRef>,
}

impl Sources {
    /// One hash of all of them.
    #[must_use]
    pub fn hash(&self) -> String {
        let all = serde_json::to_vec(self).unwrap_or_default();
        blake3::hash(&all).to_hex().to_string()
    }

    /// The hash of a file.
    #[must_use]
    pub fn hash_of(&self, name: &Path) -> Option<&str> {
        let found = self.sources.iter().find(|source| Path::new(&source.name) == name);
        found.map(|source| source.blake3.as_str())
    }
}

/// What counts for a team in a mission.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CountedSubmission {
    /// Id of the submission; none if nothing counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub submission: Option<String>,
    /// Its number, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<i64>,
    /// Its files; those of an archive in place of it.
    pub files: Vec<FileRef>,
    /// What judges entered.
    pub values: BTreeMap<String, SignedValue>,
    /// Hash of the transform file that a judge saved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame: Option<String>,
    /// Why it cannot be judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broken: Option<String>,
    /// Hash of what was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured: Option<String>,
}

impl CountedSubmission {
    /// One hash of its files.
    #[must_use]
    pub fn files_hash(&self) -> String {
        let mut files: Vec<(&str, &str)> =
            self.files.iter().map(|file| (file.name.as_str(), file.blake3.as_str())).collect();
        files.sort_unstable();
        let all = serde_json::to_vec(&files).unwrap_or_default();
        blake3::hash(&all).to_hex().to_string()
    }
}

/// What a ranking rests on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Basis {
    /// Always `mapjudge.basis/1`.
    pub schema: String,
    /// The contest.
    #[serde(flatten)]
    pub sources: Sources,
    /// By team in the order of the contest file, then by mission.
    pub entries: Vec<Vec<CountedSubmission>>,
}

/// The folder of each team and mission in a contest folder that is made here: the team's own where it has one, and below it
/// one for each mission if there are several.
#[must_use]
pub fn folders(file: &ContestFile, sources: &Sources) -> Vec<Vec<PathBuf>> {
    let own: Vec<Option<&Path>> = (0..file.teams.len()).map(|team| own_folder(file, sources, team)).collect();
    let first = |path: &Path| path.iter().next().map(ToOwned::to_owned);
    let taken: BTreeSet<_> = sources
        .sources
        .iter()
        .filter_map(|source| first(Path::new(&source.name)))
        .chain(own.iter().flatten().filter_map(|path| first(path)))
        .collect();
    let bases = std::iter::once("teams".to_owned()).chain((2..).map(|number| format!("teams-{number}")));
    let base = bases.into_iter().find(|base| !taken.contains(std::ffi::OsStr::new(base)));
    let base = PathBuf::from(base.unwrap_or_default());
    let names = file_names(file.teams.iter().map(|team| team.name.as_str()));
    let missions = file_names(file.missions.iter().map(|mission| mission.name.as_str()));
    let of_team = |(own, name): (Option<&Path>, String)| {
        let folder = own.map_or_else(|| base.join(name), Path::to_owned);
        let of_mission = |mission: &String| match file.missions.len() {
            1 => folder.clone(),
            _ => folder.join(mission),
        };
        missions.iter().map(of_mission).collect()
    };
    own.into_iter().zip(names).map(of_team).collect()
}

/// The folder of a team, if it is a plain one below that of the contest which nobody else has a part in.
#[must_use]
pub fn own_folder<'a>(file: &'a ContestFile, sources: &Sources, team: usize) -> Option<&'a Path> {
    let folder = file.teams[team].folder.as_path();
    let is_plain = folder.components().all(|part| matches!(part, Component::Normal(_)));
    let is_text = folder.to_str().is_some() && !folder.as_os_str().is_empty();
    if !is_plain || !is_text || folder.ancestors().any(is_archive) {
        return None;
    }
    let meets = |other: &Path| other.starts_with(folder) || folder.starts_with(other);
    let others = file.teams.iter().enumerate().filter(|(other, _)| *other != team);
    let of_others = others.map(|(_, other)| other.folder.as_path());
    let of_sources = sources.sources.iter().map(|source| Path::new(&source.name));
    (!of_others.chain(of_sources).any(meets)).then_some(folder)
}

/// The contest file of a folder that is made here: as the organisers wrote it, with what counts and what was decided.
#[must_use]
pub fn contest_file(contest: &ContestFolder, basis: &Basis) -> ContestFile {
    let mut file = contest.file.clone();
    let folders = folders(&file, &basis.sources);
    let names = file_names(file.teams.iter().map(|team| team.name.as_str()));
    let missions: Vec<String> = file.missions.iter().map(|mission| mission.name.clone()).collect();
    let short = file_names(missions.iter().map(String::as_str));
    for (index, team) in file.teams.iter_mut().enumerate() {
        if missions.len() == 1 {
            team.folder.clone_from(&folders[index][0]);
        }
        let entries = basis.entries.get(index).into_iter().flatten();
        for ((place, (mission, short)), entry) in
            folders[index].iter().zip(missions.iter().zip(&short)).zip(entries)
        {
            let own = team.missions.entry(mission.clone()).or_default();
            own.folder = (missions.len() > 1).then(|| place.clone());
            if entry.broken.is_some() {
                own.broken.clone_from(&entry.broken);
            }
            if entry.frame.is_some() {
                own.align = Some(frame_path(&names[index], short, missions.len()));
            }
            let values = entry.values.iter();
            own.values.extend(values.map(|(name, value)| (name.clone(), Entered::Signed(value.clone()))));
        }
        team.missions.retain(|_, own| *own != TeamMission::default());
    }
    file
}

fn frame_path(team: &str, mission: &str, missions: usize) -> PathBuf {
    let name = if missions == 1 { format!("{team}.json") } else { format!("{team}-{mission}.json") };
    Path::new(FRAMES).join(name)
}

/// The hash of the transform file of a team in a mission: one that a judge saved, or one of the organisers.
#[must_use]
pub fn frame_hash(file: &ContestFile, basis: &Basis, (team, mission): (usize, usize)) -> Option<String> {
    let saved = basis.entries[team][mission].frame.clone();
    let entry = &file.teams[team];
    let own = entry.missions.get(&file.missions[mission].name).and_then(|own| own.align.as_ref());
    let given = || basis.sources.hash_of(own.or(entry.align.as_ref())?).map(str::to_owned);
    saved.or_else(given)
}

/// The paths of the truth that a contest file names: its own and those of missions.
pub fn truth_paths(file: &ContestFile) -> impl Iterator<Item = &PathBuf> {
    let of_missions = file.missions.iter().flat_map(|mission| mission.truth.values());
    file.truth.values().chain(of_missions).flat_map(Paths::all)
}

/// The transform files that a contest file names.
pub fn frame_paths(file: &ContestFile) -> impl Iterator<Item = &PathBuf> {
    file.teams
        .iter()
        .flat_map(|team| team.align.iter().chain(team.missions.values().filter_map(|own| own.align.as_ref())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contest(text: &str) -> ContestFolder {
        ContestFolder::parse(&format!("profile = 'vr-2008'\n{text}"), "contest.toml", PathBuf::new()).unwrap()
    }

    fn sources(names: &[&str]) -> Sources {
        let source = |name: &&str| FileRef { name: (*name).to_owned(), blake3: "00".to_owned(), bytes: 0 };
        Sources { contest: "contest.toml".to_owned(), sources: names.iter().map(source).collect() }
    }

    #[test]
    fn teams_keep_folders_of_their_own_and_get_new_ones_else() {
        let contest = contest(
            "[[teams]]\nname = 'A'\nfolder = 'a/b'\n[[teams]]\nname = 'B'\nfolder = '.'\n[[teams]]\nname = 'C'\nfolder = 'c.zip'\n\
             [[teams]]\nname = 'D'\nfolder = '../d'\n[[teams]]\nname = 'E'\nfolder = 'truth'\n",
        );
        let paths = folders(&contest.file, &sources(&["contest.toml", "truth/map.yaml"]));
        let names = file_names(["A", "B", "C", "D", "E"].into_iter());
        let expected = names.iter().enumerate().map(|(index, name)| match index {
            0 => PathBuf::from("a/b"),
            _ => Path::new("teams").join(name),
        });
        assert!(paths.iter().map(|of| of[0].clone()).eq(expected), "{paths:?}");
        let taken = folders(&contest.file, &sources(&["contest.toml", "teams/x"]));
        assert_eq!(taken[1][0], Path::new("teams-2").join(&names[1]));
    }

    #[test]
    fn decisions_stand_in_the_written_file_and_what_the_organisers_entered_stays() {
        let contest = contest(
            "[[missions]]\nname = 'one'\n[[missions]]\nname = 'the final'\n[[teams]]\nname = 'A'\nfolder = 'a'\nvalues = { grouping = 3 }\n\
             [teams.missions.one]\noperators = 2\nvalues = { utility = 1 }\n",
        );
        let value = SignedValue {
            value: mapjudge::files::contest::Number::One(2.0),
            by: Some("Ada".to_owned()),
            reason: Some("seen on the day".to_owned()),
        };
        let entry = CountedSubmission {
            values: BTreeMap::from([("utility".to_owned(), value.clone())]),
            frame: Some("ff".to_owned()),
            ..CountedSubmission::default()
        };
        let broken =
            CountedSubmission { broken: Some("too slow".to_owned()), ..CountedSubmission::default() };
        let basis = Basis {
            schema: BASIS_SCHEMA.to_owned(),
            sources: sources(&["contest.toml"]),
            entries: vec![vec![entry, broken]],
        };
        let file = contest_file(&contest, &basis);
        let team = &file.teams[0];
        let one = &team.missions["one"];
        assert_eq!((one.folder.as_deref(), one.operators), (Some(Path::new("a/one")), Some(2)));
        let name = file_names(["A"].into_iter()).remove(0);
        assert_eq!(one.align, Some(Path::new("frames-by-hand").join(format!("{name}-one.json"))));
        assert_eq!(one.values["utility"], Entered::Signed(value));
        assert_eq!(team.values["grouping"], Entered::Number(3.0));
        assert_eq!(team.missions["the final"].broken.as_deref(), Some("too slow"));
        let read = ContestFolder::parse(&file.to_toml().unwrap(), "contest.toml", PathBuf::new()).unwrap();
        assert_eq!(read.file, file);
        assert_eq!(frame_hash(&contest.file, &basis, (0, 0)).as_deref(), Some("ff"));
        assert_eq!(frame_hash(&contest.file, &basis, (0, 1)), None);
    }
}
