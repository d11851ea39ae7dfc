//! A commented contest file for a folder of submissions, to be completed by a judge.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use super::choice::{Choice, choose, may_be, takes_one};
use super::contest_file::find_profile;
use super::pattern::files;
use crate::JobError;
use crate::contest::{Profile, Role, needs_layout_alone};
use crate::files::archive::{Unpacked, is_archive};
use crate::files::truth_names::is_truth_name;
use crate::files::walk::{companions, ending, is_junk, walk};

/// Folders of teams that are listed.
const MAX_TEAMS: usize = 2000;
/// Names of files that a comment lists.
const MAX_NAMES: usize = 8;

/// The text of a contest file for the folders and archives below `folder`, or for those in an archive, under a profile.
///
/// # Errors
/// There is no such profile, or the folder cannot be read.
pub fn skeleton(folder: &Path, profile: &str) -> Result<String, JobError> {
    let rules = find_profile(profile, folder)?;
    let stick = Stick::of(folder)?;
    let mut text = format!(
        "# A contest of mapjudge. Look for gaps with:  mapjudge contest check FILE\n\
         # Score it with:                             mapjudge contest FILE --out result\n\
         title = \"Contest\"\n\
         profile = {}    # {}; `mapjudge contest profiles` lists them all\n\
         # combine = \"sum\"    # scores of several missions: sum, mean or best\n\
         # align = \"georeference\"    # how maps come onto the truth: georeference, auto, fiducials, none ..\n\
         # start = [0.0, 0.0]    # where robots enter, metres in the frame of the truth\n\n",
        quoted(profile),
        rules.title
    );
    text.push_str(&truth_section(&stick, &rules));
    text.push_str("\n# File names in the folder of each team, in any case; * and ? stand for letters, {mission} for the mission.\n[files]\n");
    let mut patterns = BTreeMap::new();
    for (role, rule) in &rules.inputs {
        let pattern = stick.pattern(*role, &rule.pattern);
        let need = if rule.required { "required" } else { "optional" };
        let _ = writeln!(
            text,
            "{} = {}    # {need}; {}",
            role.name(),
            quoted(&pattern),
            stick.fit(*role, &pattern)
        );
        patterns.insert(*role, (pattern, rule.required));
    }
    text.push_str("\n# Numbers of the rules that this contest sets otherwise.\n[constants]\n");
    for (name, value) in rules.weights.iter().chain(&rules.constants) {
        let _ = writeln!(text, "# {name} = {value}");
    }
    text.push_str("\n# One entry per mission; leave them out if there is only one.\n# [[missions]]\n# name = \"final\"\n# weight = 1.0\n");
    let part = rules.parts.first().map_or("E", |part| part.name.as_str());
    for team in &stick.teams {
        let _ = write!(
            text,
            "\n[[teams]]\nname = {}\nfolder = {}\noperators = 1\n{}\
             # values.{part} = {{ value = 1.0, by = \"JUDGE\", reason = \"WHY\" }}    # marked as entered everywhere\n",
            quoted(&team.name),
            quoted(&team.folder),
            team.files_line(&patterns),
        );
    }
    if stick.teams.is_empty() {
        text.push_str("\n[[teams]]\nname = \"CHANGE-ME\"\nfolder = \"CHANGE-ME\"\noperators = 1\n");
    }
    Ok(text)
}

/// The truth where it was found, and a line to complete where it was not.
fn truth_section(stick: &Stick, rules: &Profile) -> String {
    let mut text = String::from("# The truth, beside this file.\n[truth]\n");
    for role in truth_roles(rules) {
        let found = stick.truth(role);
        let name = role.name();
        let _ = match found.as_slice() {
            [] => writeln!(text, "# {name} = \"CHANGE-ME\""),
            [only] => writeln!(text, "{name} = {}", quoted(only)),
            [first, others @ ..] if takes_one(role) => {
                writeln!(text, "{name} = {}    # or {}", quoted(first), one_line(&others.join(", ")))
            }
            all => {
                let all: Vec<String> = all.iter().map(|path| quoted(path)).collect();
                writeln!(text, "{name} = [{}]", all.join(", "))
            }
        };
    }
    text
}

/// The roles for which the truth has a file: those of the inputs, and what only the truth has.
fn truth_roles(rules: &Profile) -> Vec<Role> {
    let uses = |prefix: &str| rules.metrics().iter().any(|id| id.starts_with(prefix));
    let mut roles: Vec<Role> = rules.inputs.keys().copied().filter(|role| *role != Role::Path).collect();
    if rules.metrics().iter().all(|id| needs_layout_alone(id)) {
        roles.retain(|role| *role != Role::Map);
    }
    if uses("fiducial") {
        roles.push(Role::Layout);
    }
    if uses("relative_displacement") {
        roles.push(Role::Relations);
    }
    roles
}

/// What lies on a stick: teams, and files of the truth.
struct Stick {
    teams: Vec<Team>,
    /// Files of a folder of the truth, or beside the teams: path in the contest file, place on the disk.
    truth: Vec<(String, PathBuf)>,
    /// Keeps a stick in an archive unpacked.
    _whole: Option<Unpacked>,
}

/// A folder or an archive of a team.
struct Team {
    name: String,
    /// As the contest file says it.
    folder: String,
    place: PathBuf,
    /// Keeps an archive unpacked.
    _unpacked: Option<Unpacked>,
}

impl Stick {
    fn of(path: &Path) -> Result<Self, JobError> {
        let whole = if is_archive(path) { Some(Unpacked::of(path)?) } else { None };
        let prefix = whole.as_ref().map_or_else(String::new, |_| format!("{}/", name_of(path)));
        let folder = &whole.as_ref().map_or(path, Unpacked::folder).to_owned();
        let mut stick = Self { teams: Vec::new(), truth: Vec::new(), _whole: whole };
        let listing = std::fs::read_dir(folder).map_err(|source| JobError::file(folder, source))?;
        let mut entries: Vec<PathBuf> = listing.filter_map(|entry| Some(entry.ok()?.path())).collect();
        entries.sort();
        for place in entries.into_iter().take(2 * MAX_TEAMS) {
            let name = name_of(&place);
            let (is_folder, is_zip) = (place.is_dir(), is_archive(&place));
            if is_junk(&name) {
                continue;
            }
            if is_folder && is_truth_name(&name) {
                let files = walk(&place)?.into_iter();
                let named = |file: PathBuf| (format!("{prefix}{}", below(folder, &file)), file);
                stick.truth.extend(files.map(named));
            } else if is_folder || is_zip {
                // A damaged archive is a team all the same.
                let unpacked = if is_zip { Unpacked::of(&place).ok() } else { None };
                let stem = name.strip_suffix(".zip").unwrap_or(&name).to_owned();
                let inner = unpacked.as_ref().map_or(place.clone(), |unpacked| unpacked.folder().to_owned());
                let team =
                    Team { name: stem, folder: format!("{prefix}{name}"), place: inner, _unpacked: unpacked };
                stick.teams.push(team);
            } else {
                stick.truth.push((format!("{prefix}{name}"), place));
            }
        }
        Ok(stick)
    }

    /// Files that may be the truth of a role, the likeliest first.
    fn truth(&self, role: Role) -> Vec<String> {
        let places: Vec<PathBuf> = self.truth.iter().map(|(_, place)| place.clone()).collect();
        let belonging = companions(&places);
        let fits = |(path, place): &&(String, PathBuf)| {
            !belonging.contains(place) && may_be(role, place) && speaks_of(role, path)
        };
        let mut found: Vec<&String> = self.truth.iter().filter(fits).map(|(path, _)| path).collect();
        // A file that is called the truth goes before one that only has the name of the role.
        found.sort_by_key(|path| !path.split('/').any(is_truth_name));
        found.into_iter().cloned().collect()
    }

    /// The pattern that gives exactly one file for most teams; that of the profile where none is better.
    fn pattern(&self, role: Role, default: &str) -> String {
        let mut candidates = vec![default.to_owned()];
        for file in self.teams.iter().flat_map(|team| team.files_of(role)) {
            let name = name_of(&file).to_lowercase();
            let ending_of = name.rsplit_once('.').map_or("", |(_, ending)| ending).to_owned();
            // Annotations are any number of layers; a word would leave some out.
            let words = if role == Role::Annotations { &[] } else { words_of(role) };
            let word = words.iter().find(|word| name.contains(**word));
            candidates.extend(word.map(|word| format!("*{word}*.{ending_of}")));
            candidates.extend([format!("*.{ending_of}"), name]);
        }
        let mut best = (0, default.to_owned());
        for candidate in candidates {
            let fitting = self.teams.iter().filter(|team| team.fits(role, &candidate) == Fit::One).count();
            if fitting > best.0 {
                best = (fitting, candidate);
            }
        }
        best.1
    }

    /// How many teams a pattern fits, and whom it does not.
    fn fit(&self, role: Role, pattern: &str) -> String {
        let names = |fit: Fit| {
            let teams = self.teams.iter().filter(move |team| team.fits(role, pattern) == fit);
            teams.map(|team| one_line(&team.name)).collect::<Vec<_>>()
        };
        let mut words = format!("fits {} of {} teams", names(Fit::One).len(), self.teams.len());
        for (fit, what) in [(Fit::None, "no match"), (Fit::Several, "several")] {
            let teams = names(fit);
            if !teams.is_empty() {
                let _ = write!(words, "; {what}: {}", teams.join(", "));
            }
        }
        words
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Fit {
    None,
    One,
    Several,
}

impl Team {
    /// Files of the team that may be those of a role.
    fn files_of(&self, role: Role) -> Vec<PathBuf> {
        let all = walk(&self.place).unwrap_or_default();
        let belonging = companions(&all);
        // The rows of a MIF file lie beside it, under a name that may differ in case, or alone where the MIF is missing.
        let is_near = |file: &PathBuf| file.parent() == Some(&self.place) && ending(file) != "mid";
        let fits = |file: &PathBuf| is_near(file) && !belonging.contains(file) && may_be(role, file);
        let found: Vec<PathBuf> = all.into_iter().filter(fits).collect();
        let (named, others): (Vec<PathBuf>, Vec<PathBuf>) =
            found.into_iter().partition(|file| speaks_of(role, &name_of(file)));
        // A text may be anything, such as an excuse.
        let is_table = |file: &PathBuf| ending(file) != "txt";
        if named.is_empty() && takes_one(role) {
            others.into_iter().filter(is_table).collect()
        } else {
            named
        }
    }

    fn fits(&self, role: Role, pattern: &str) -> Fit {
        match files(&self.place, pattern, "") {
            Err(_) => Fit::None,
            Ok(_) if !takes_one(role) => Fit::One,
            Ok(found) if found.len() > 1 && matches!(choose(role, found.clone()), Choice::Several(_)) => {
                Fit::Several
            }
            Ok(_) => Fit::One,
        }
    }

    /// The team's own `files`: in effect where there is one candidate, a comment where a judge must choose.
    fn files_line(&self, patterns: &BTreeMap<Role, (String, bool)>) -> String {
        let mut text = String::new();
        for (role, (pattern, is_required)) in patterns {
            let fit = self.fits(*role, pattern);
            if fit == Fit::One || (fit == Fit::None && !is_required) {
                continue;
            }
            let found: Vec<String> = match files(&self.place, pattern, "") {
                Ok(found) => {
                    let own = found.iter().filter(|file| ending(file) != "mid");
                    own.map(|file| below(&self.place, file)).collect()
                }
                Err(_) => self.files_of(*role).iter().map(|file| below(&self.place, file)).collect(),
            };
            let line = |name: &str| format!("files.{} = {}", role.name(), quoted(name));
            let listed: Vec<String> = found.iter().take(MAX_NAMES).map(|name| one_line(name)).collect();
            let _ = match (fit, found.as_slice()) {
                (Fit::None, [only]) => {
                    writeln!(text, "{}    # nothing fits '{}'", line(only), one_line(pattern))
                }
                (_, []) => writeln!(text, "# {}    # there is no such file", line("CHANGE-ME")),
                (_, [first, ..]) => writeln!(text, "# {}    # choose: {}", line(first), listed.join(", ")),
            };
        }
        text
    }
}

/// Words in names of files of a role.
fn words_of(role: Role) -> &'static [&'static str] {
    match role {
        Role::Map => &["map", "nav", "1m", "grid"],
        Role::Points => &["pois", "poi", "points", "qr", "detections", "labels", "objects"],
        Role::Artifacts => &["artifacts", "artefacts", "objects", "finds", "reports"],
        Role::Path => &["robot_path", "path"],
        Role::Trajectory => &["trajectory", "traj", "poses", "run"],
        Role::Victims => &["victims", "victim"],
        Role::Annotations => &["annotations", "labels", "hazards", "groups", "skeleton"],
        Role::Relations => &["relations"],
        Role::Layout => &["layout", "fiducials", "barrels"],
        Role::Matrix => &["matrix", "answer", "map"],
    }
}

/// Whether a path speaks of a role. A map, points or a matrix may have any name that speaks of no other role.
fn speaks_of(role: Role, path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let has = |role: Role| words_of(role).iter().any(|word| name.contains(word));
    let of_others = [Role::Victims, Role::Path, Role::Layout, Role::Relations, Role::Trajectory];
    let is_open =
        matches!(role, Role::Map | Role::Points | Role::Artifacts | Role::Matrix | Role::Trajectory);
    let is_others = of_others.into_iter().any(|other| other != role && has(other));
    let is_truth = path.split('/').any(is_truth_name);
    has(role) && (!is_others || !is_open) || (is_open && is_truth && !is_others)
}

fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

/// The path of a file below a folder, with `/`.
fn below(folder: &Path, file: &Path) -> String {
    file.strip_prefix(folder).unwrap_or(file).to_string_lossy().replace('\\', "/")
}

/// A stranger's name inside a comment.
fn one_line(name: &str) -> String {
    name.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).take(80).collect()
}

/// A TOML string.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::SHIPPED;
    use crate::files::contest::{ContestFolder, Zip};

    fn write(folder: &Path, name: &str, content: &str) {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    #[test]
    fn the_skeleton_of_every_profile_can_be_read() {
        let folder = tempfile::tempdir().unwrap();
        for team in ["alpha", "b \"quoted\" é", "c"] {
            std::fs::create_dir(folder.path().join(team)).unwrap();
        }
        write(folder.path(), "truth.yaml", "");
        write(folder.path(), "alpha/map.yaml", "");
        for (name, _) in SHIPPED {
            let text = skeleton(folder.path(), name).unwrap();
            let contest = ContestFolder::parse(&text, name, folder.path().to_owned()).unwrap();
            assert_eq!(contest.file.teams.len(), 3, "{text}");
        }
        let text = skeleton(folder.path(), "vr-2008").unwrap();
        assert!(text.contains("map = \"truth.yaml\"") && text.contains("map = \"*map*.yaml\""), "{text}");
    }

    #[test]
    fn an_empty_folder_gives_a_file_to_complete() {
        let folder = tempfile::tempdir().unwrap();
        assert!(skeleton(folder.path(), "vr-2008").unwrap().contains("CHANGE-ME"));
    }

    #[test]
    fn the_truth_is_no_team_and_patterns_fit_most_teams() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path();
        write(place, "Ground_Truth/pois.csv", "t");
        write(place, "Ground_Truth/map.yaml", "image: map.pgm\n");
        write(place, "Ground_Truth/map.pgm", "x");
        // The first team has a copy with another name; the others have one list each.
        write(place, "a/pois.csv", "1");
        write(place, "a/pois_old.csv", "2");
        for team in ["b", "c", "d"] {
            write(place, &format!("{team}/team_{team}_POIS.CSV"), team);
        }
        write(place, "e/list.csv", "5");
        std::fs::create_dir(place.join("f")).unwrap();
        let mut zip = Zip::default();
        zip.add("pois.csv", b"7").unwrap();
        std::fs::write(place.join("g.zip"), zip.finish().unwrap()).unwrap();
        write(place, "Thumbs.db", "");
        let text = skeleton(place, "rrl-2025").unwrap();
        let contest = ContestFolder::parse(&text, "contest.toml", place.to_owned()).unwrap();
        let teams: Vec<&str> = contest.file.teams.iter().map(|team| team.name.as_str()).collect();
        assert_eq!(teams, ["a", "b", "c", "d", "e", "f", "g"], "{text}");
        let truth = |role: Role| contest.file.truth.get(&role).map(|paths| paths.all()[0].clone());
        assert_eq!(truth(Role::Points), Some("Ground_Truth/pois.csv".into()), "{text}");
        assert_eq!(truth(Role::Map), Some("Ground_Truth/map.yaml".into()), "{text}");
        assert!(text.contains("points = \"{mission}*.csv\"    # required; fits 5 of 7 teams"), "{text}");
        assert!(text.contains("no match: ") && text.contains("several: a"), "{text}");
        assert!(text.contains("# files.points = \"pois.csv\"    # choose: pois.csv, pois_old.csv"), "{text}");
        assert!(text.contains("# files.points = \"CHANGE-ME\"    # there is no such file"), "{text}");
    }

    #[test]
    fn the_rows_of_a_mif_file_are_never_proposed() {
        let folder = tempfile::tempdir().unwrap();
        for team in ["a", "b", "c"] {
            write(folder.path(), &format!("{team}/nav.tif"), "");
        }
        // One team's rows have another case than their layer, and another team has rows alone.
        write(folder.path(), "a/Found.mif", "");
        write(folder.path(), "a/FOUND.mid", "");
        write(folder.path(), "b/seen.mid", "");
        let text = skeleton(folder.path(), "vr-2008").unwrap();
        assert!(!text.to_lowercase().contains(".mid"), "{text}");
    }
}
