//! A commented contest file for a folder of submissions, to be completed by a judge.

use std::fmt::Write;
use std::path::Path;

use super::contest_file::find_profile;
use crate::JobError;
use crate::contest::{Profile, Role};

/// Folders of teams that are listed.
const MAX_TEAMS: usize = 2000;

/// The text of a contest file for the folders below `folder`, under a profile.
///
/// # Errors
/// There is no such profile, or the folder cannot be read.
pub fn skeleton(folder: &Path, profile: &str) -> Result<String, JobError> {
    let rules = find_profile(profile, folder)?;
    let (teams, files) = listing(folder)?;
    let mut text = format!(
        "# A contest of mapjudge. Score it with:  mapjudge contest FILE --out result\n\
         title = \"Contest\"\n\
         profile = {}    # {}; `mapjudge contest profiles` lists them all\n\
         # combine = \"sum\"    # scores of several missions: sum, mean or best\n\
         # start = [0.0, 0.0]    # where robots enter, metres in the frame of the truth\n\n",
        quoted(profile),
        rules.title
    );
    text.push_str("# The truth, beside this file.\n[truth]\n");
    for role in truth_roles(&rules) {
        let guess = files.iter().find(|name| is_truth(name, role));
        let line = format!("{} = {}", role.name(), quoted(guess.map_or("CHANGE-ME", String::as_str)));
        let _ = writeln!(text, "{}{line}", if guess.is_some() { "" } else { "# " });
    }
    text.push_str("\n# File names in the folder of each team; * and ? stand for letters, {mission} for the mission.\n[files]\n");
    for (role, rule) in &rules.inputs {
        let need = if rule.required { "required" } else { "optional" };
        let pattern = guess_pattern(folder, &teams, *role).unwrap_or_else(|| rule.pattern.clone());
        let _ = writeln!(text, "{} = {}    # {need}", role.name(), quoted(&pattern));
    }
    text.push_str("\n# Numbers of the rules that this contest sets otherwise.\n[constants]\n");
    for (name, value) in rules.weights.iter().chain(&rules.constants) {
        let _ = writeln!(text, "# {name} = {value}");
    }
    text.push_str("\n# One entry per mission; leave them out if there is only one.\n# [[missions]]\n# name = \"final\"\n# weight = 1.0\n");
    for team in &teams {
        let _ = write!(
            text,
            "\n[[teams]]\nname = {}\nfolder = {}\noperators = 1\n# values = {{ {} = 1.0 }}    # what a judge enters; marked as such everywhere\n",
            quoted(team),
            quoted(team),
            rules.parts.first().map_or("E", |part| part.name.as_str())
        );
    }
    if teams.is_empty() {
        text.push_str("\n[[teams]]\nname = \"CHANGE-ME\"\nfolder = \"CHANGE-ME\"\noperators = 1\n");
    }
    Ok(text)
}

/// Names of folders and of files in a folder, sorted. Names beginning with a point are left out.
fn listing(folder: &Path) -> Result<(Vec<String>, Vec<String>), JobError> {
    let entries = std::fs::read_dir(folder).map_err(|source| JobError::file(folder, source))?;
    let (mut folders, mut files) = (Vec::new(), Vec::new());
    for entry in entries.filter_map(Result::ok).take(2 * MAX_TEAMS) {
        let Ok(name) = entry.file_name().into_string() else { continue };
        if name.starts_with('.') {
            continue;
        }
        if entry.path().is_dir() { folders.push(name) } else { files.push(name) }
    }
    folders.sort();
    files.sort();
    Ok((folders, files))
}

/// The roles for which the truth has a file: those of the inputs, and what only the truth has.
fn truth_roles(rules: &Profile) -> Vec<Role> {
    let uses = |prefix: &str| rules.metrics().iter().any(|id| id.starts_with(prefix));
    let mut roles: Vec<Role> = rules.inputs.keys().copied().filter(|role| *role != Role::Path).collect();
    if uses("fiducial") {
        roles.push(Role::Layout);
    }
    if uses("relative_displacement") {
        roles.push(Role::Relations);
    }
    roles
}

/// Whether a file looks like the truth of a role.
fn is_truth(name: &str, role: Role) -> bool {
    let lower = name.to_lowercase();
    let ends = |endings: &[&str]| endings.iter().any(|ending| lower.ends_with(ending));
    match role {
        Role::Map => lower.contains("truth") && ends(&[".yaml", ".png", ".tif", ".txt"]),
        Role::Layout => lower.contains("layout") && ends(&[".toml", ".csv"]),
        Role::Trajectory => lower.contains("truth") && ends(&[".tum", ".log"]),
        other => {
            lower.contains(other.name()) && ends(&[".csv", ".mif", ".geojson", ".pts", ".relations", ".txt"])
        }
    }
}

/// A pattern of the first team's files, if one of them looks like the role.
fn guess_pattern(folder: &Path, teams: &[String], role: Role) -> Option<String> {
    let (_, files) = listing(&folder.join(teams.first()?)).ok()?;
    let has = |ending: &str| files.iter().any(|name| name.to_lowercase().ends_with(ending));
    if role == Role::Annotations {
        return [".geojson", ".mif"]
            .into_iter()
            .find(|ending| has(ending))
            .map(|ending| format!("*{ending}"));
    }
    let fits = |name: &&String| match role {
        Role::Map => name.to_lowercase().contains("map") && is_map(name),
        Role::Path => name.to_lowercase().contains("robot_path"),
        other => name.to_lowercase().contains(other.name()),
    };
    files.iter().find(fits).or_else(|| files.iter().find(|name| role == Role::Map && is_map(name))).cloned()
}

fn is_map(name: &str) -> bool {
    [".yaml", ".tif", ".png"].iter().any(|ending| name.to_lowercase().ends_with(ending))
}

/// A TOML string.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::SHIPPED;
    use crate::files::contest::ContestFolder;

    #[test]
    fn the_skeleton_of_every_profile_can_be_read() {
        let folder = tempfile::tempdir().unwrap();
        for team in ["alpha", "b \"quoted\" é", "c"] {
            std::fs::create_dir(folder.path().join(team)).unwrap();
        }
        std::fs::write(folder.path().join("truth.yaml"), "").unwrap();
        std::fs::write(folder.path().join("alpha/map.yaml"), "").unwrap();
        for (name, _) in SHIPPED {
            let text = skeleton(folder.path(), name).unwrap();
            let contest = ContestFolder::parse(&text, name, folder.path().to_owned()).unwrap();
            assert_eq!(contest.file.teams.len(), 3, "{text}");
        }
        assert!(skeleton(folder.path(), "vr-2008").unwrap().contains("map = \"truth.yaml\""));
        assert!(skeleton(folder.path(), "vr-2008").unwrap().contains("map = \"map.yaml\""));
    }

    #[test]
    fn an_empty_folder_gives_a_file_to_complete() {
        let folder = tempfile::tempdir().unwrap();
        assert!(skeleton(folder.path(), "vr-2008").unwrap().contains("CHANGE-ME"));
    }
}
