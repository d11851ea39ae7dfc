//! What a team handed in for a mission: its files by role, operators, and what judges entered.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::file::{Contest, MissionEntry, TeamEntry};
use super::formula::Quantity;
use super::pattern::files;
use super::role::Role;

/// A team in a mission.
#[derive(Clone, Debug, PartialEq)]
pub struct Submission<'a> {
    /// The team.
    pub team: &'a TeamEntry,
    /// The mission.
    pub mission: &'a MissionEntry,
    /// Index of the mission.
    pub mission_index: usize,
    /// Folder of the team.
    pub folder: PathBuf,
    /// The files that were found.
    pub files: BTreeMap<Role, Vec<PathBuf>>,
    /// Roles without a file: why, and whether one is required.
    pub missing: BTreeMap<Role, Missing>,
    /// Human operators.
    pub operators: u32,
    /// What judges entered.
    pub values: BTreeMap<String, Quantity>,
}

/// Why there is no file for a role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// Why.
    pub why: String,
    /// Whether the submission is broken without it.
    pub is_required: bool,
}

/// All submissions, team by team, inside a team mission by mission.
#[must_use]
pub fn submissions(contest: &Contest) -> Vec<Submission<'_>> {
    let of_team = |team| {
        contest
            .file
            .missions
            .iter()
            .enumerate()
            .map(move |(index, mission)| submission(contest, team, index, mission))
    };
    contest.file.teams.iter().flat_map(of_team).collect()
}

fn submission<'a>(
    contest: &'a Contest,
    team: &'a TeamEntry,
    mission_index: usize,
    mission: &'a MissionEntry,
) -> Submission<'a> {
    let own = team.missions.get(&mission.name);
    let folder = contest.folder.join(&team.folder);
    let mut patterns: BTreeMap<Role, &str> =
        contest.profile.inputs.iter().map(|(role, rule)| (*role, rule.pattern.as_str())).collect();
    let over =
        [Some(&contest.file.files), Some(&mission.files), Some(&team.files), own.map(|own| &own.files)];
    for (role, pattern) in over.into_iter().flatten().flatten() {
        patterns.insert(*role, pattern);
    }
    let (mut found, mut missing) = (BTreeMap::new(), BTreeMap::new());
    for (role, pattern) in patterns {
        match files(&folder, pattern, &mission.name) {
            Ok(paths) => {
                found.insert(role, paths);
            }
            Err(why) => {
                let is_required = contest.profile.inputs.get(&role).is_some_and(|rule| rule.required);
                missing.insert(role, Missing { why: why.to_string(), is_required });
            }
        }
    }
    let entered = team.values.iter().chain(own.into_iter().flat_map(|own| &own.values));
    Submission {
        team,
        mission,
        mission_index,
        folder,
        files: found,
        missing,
        operators: own.and_then(|own| own.operators).unwrap_or(team.operators),
        values: entered.map(|(name, value)| (name.clone(), value.into())).collect(),
    }
}

impl Submission<'_> {
    /// The one file of a role: the first by name.
    #[must_use]
    pub fn file(&self, role: Role) -> Option<&Path> {
        self.files.get(&role).and_then(|files| files.first()).map(PathBuf::as_path)
    }

    /// The files of some roles.
    pub fn files_of(&self, roles: &[Role]) -> impl Iterator<Item = (Role, &PathBuf)> {
        let files = self.files.iter().filter(|(role, _)| roles.contains(role));
        files.flat_map(|(role, paths)| paths.iter().map(|path| (*role, path)))
    }

    /// Every file, once.
    #[must_use]
    pub fn all_files(&self) -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> = self.files.values().flatten().cloned().collect();
        files.sort();
        files.dedup();
        files
    }
}
