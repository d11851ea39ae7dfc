//! What is missing before the day of a contest: truth, files of teams, values that only judges can enter.

use std::collections::BTreeMap;

use super::contest_file::ContestFolder;
use super::load::load_contest;
use crate::contest::{FaultKind, Role, Source, Submissions, missing_truth};

/// Something that a judge should settle before the contest is scored.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Gap {
    /// Whether a score cannot be made without it.
    pub blocks: bool,
    /// Where: `truth`, `teams`, a team.
    pub place: String,
    /// What is missing.
    pub message: String,
    /// What to do.
    pub hint: String,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct ContestCheck {
    /// Number of teams.
    pub teams: usize,
    /// Teams whose required files are all there, one each.
    pub ready: usize,
    /// What is missing, what blocks a score first.
    pub gaps: Vec<Gap>,
}

impl ContestCheck {
    /// Whether something blocks a score.
    #[must_use]
    pub fn is_blocked(&self) -> bool {
        self.gaps.iter().any(|gap| gap.blocks)
    }
}

/// Looks at truth, files and judges' values of a contest without measuring anything.
#[must_use]
pub fn check_contest(folder: &ContestFolder) -> ContestCheck {
    let mut gaps = truth_gaps(folder);
    let (teams, ready) = team_gaps(folder);
    gaps.extend(teams);
    gaps.extend(judge_gaps(folder));
    gaps.sort_by_key(|gap| !gap.blocks);
    ContestCheck { teams: folder.file.teams.len(), ready, gaps }
}

fn gap(blocks: bool, place: &str, message: String, hint: impl Into<String>) -> Gap {
    Gap { blocks, place: place.to_owned(), message, hint: hint.into() }
}

fn truth_gaps(folder: &ContestFolder) -> Vec<Gap> {
    match load_contest(folder) {
        Err(error) => vec![gap(true, "truth", error.to_string(), "correct the path under [truth]")],
        Ok(contest) => {
            let missing = missing_truth(&contest, folder);
            missing.iter().map(|missing| gap(true, "truth", missing.message(), missing.hint())).collect()
        }
    }
}

/// What teams lack, and the number of those that lack nothing required.
fn team_gaps(folder: &ContestFolder) -> (Vec<Gap>, usize) {
    let mut gaps = Vec::new();
    let mut ready = 0;
    let mut without: BTreeMap<Role, Vec<&str>> = BTreeMap::new();
    let is_required = |role: &Role| folder.profile.inputs.get(role).is_some_and(|rule| rule.required);
    for (index, team) in folder.file.teams.iter().enumerate() {
        let mut is_ready = true;
        for (number, mission) in folder.file.missions.iter().enumerate() {
            let of =
                if mission.name.is_empty() { String::new() } else { format!(", mission '{}'", mission.name) };
            for (role, fault) in folder.team_files(index, number).faults {
                let is_blocking = is_required(&role) || fault.kind == FaultKind::Ambiguous;
                if is_blocking {
                    is_ready = false;
                    let place = format!("team {}{of}", team.name);
                    let hint = format!("files = {{ {} = \"NAME\" }} in the entry of the team", role.name());
                    gaps.push(gap(true, &place, format!("{}: {}", role.name(), fault.why), hint));
                } else {
                    let teams = without.entry(role).or_default();
                    if teams.last() != Some(&team.name.as_str()) {
                        teams.push(&team.name);
                    }
                }
            }
        }
        ready += usize::from(is_ready);
    }
    for (role, teams) in without {
        let message = format!("no {} (optional) of {}", role.name(), listed(&teams, folder.file.teams.len()));
        gaps.push(gap(false, "teams", message, format!("check {} under [files]", role.name())));
    }
    (gaps, ready)
}

/// Values that only a judge can enter, and the teams for which nobody did.
fn judge_gaps(folder: &ContestFolder) -> Vec<Gap> {
    let mut gaps = Vec::new();
    for part in &folder.profile.parts {
        let Source::Judge { about } = &part.from else { continue };
        let is_open = |team: &usize| {
            !(0..folder.file.missions.len()).all(|mission| folder.has_entered(*team, mission, &part.name))
        };
        let open = (0..folder.file.teams.len()).filter(is_open);
        let open: Vec<&str> = open.map(|team| folder.file.teams[team].name.as_str()).collect();
        if open.is_empty() {
            continue;
        }
        let stand_in =
            part.if_undefined.map_or_else(String::new, |number| format!("; {number} stands in for it"));
        let names = listed(&open, folder.file.teams.len());
        let message = format!("judges enter {} ({about}): open for {names}{stand_in}", part.name);
        let hint = format!("values.{} = {{ value = 1.0, by = \"NAME\", reason = \"WHY\" }}", part.name);
        gaps.push(gap(part.if_undefined.is_none(), "judges", message, hint));
    }
    gaps
}

/// Names in a line; all of them are not listed.
fn listed(names: &[&str], all: usize) -> String {
    const MAX_NAMES: usize = 6;
    match names.len() {
        count if count == all && count > 1 => format!("all {count} teams"),
        count if count > MAX_NAMES => {
            format!("{} and {} more", names[..MAX_NAMES].join(", "), count - MAX_NAMES)
        }
        _ => names.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_that_is_missing_is_listed_before_the_day() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, name).unwrap();
        };
        write("a/map.tif");
        write("a/a_victims.csv");
        write("b/one.tif");
        write("b/two.tif");
        write("b/b_victims.csv");
        let teams = "[[teams]]\nname = 'A'\nfolder = 'a'\n[[teams]]\nname = 'B'\nfolder = 'b'\n\
                     [[teams]]\nname = 'C'\nfolder = 'c'\n";
        let text = format!("profile = 'rrl-2007'\n{teams}");
        let contest = ContestFolder::parse(&text, "contest.toml", folder.path().to_owned()).unwrap();
        let check = check_contest(&contest);
        assert_eq!((check.teams, check.ready, check.is_blocked()), (3, 1, true));
        let words: Vec<String> =
            check.gaps.iter().map(|gap| format!("{}: {}", gap.place, gap.message)).collect();
        for expected in [
            "truth: the contest names no true map",
            "team B: map: 2 files fit",
            "team C: map: the folder",
            "judges enter hand",
        ] {
            assert!(words.iter().any(|words| words.contains(expected)), "{expected}: {words:#?}");
        }
    }
}
