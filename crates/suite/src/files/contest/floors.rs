//! Missions of several floors (X-FLOORS): their truths, and the map of each floor among the files of a team.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::contest_file::{ContestFile, ContestFolder};
use super::mission::truth_loader;
use super::mission_entry::MissionEntry;
use super::pattern::{NoFile, files};
use crate::contest::{FaultKind, Role};
use crate::files::floors::{FloorInput, PLACE, check_floor_list};
use crate::files::loader::Loader;
use crate::floors::{Building, Connector, Floor, FloorMaps};
use crate::{JobError, Loaded, Map, Truth};

/// Map files of a team in a mission of several floors.
pub(super) enum FloorFiles {
    /// One for each floor in its order; none where a floor has no file.
    Named(Vec<Option<PathBuf>>),
    /// Files that do not say which floor they show.
    Unnamed(Vec<PathBuf>),
}

/// Refuses floors that make no sense, with the line, and a truth map beside floors.
pub(super) fn check_floors(file: &ContestFile, text: &str) -> Result<(), (String, String)> {
    let hint = "see `mapjudge help floors`".to_owned();
    let lists = file.missions.iter().map(|mission| (&mission.floors, &mission.connectors));
    for (floors, connectors) in lists.chain([(&file.floors, &file.connectors)]) {
        check_floor_list(floors, connectors, text).map_err(|message| (message, hint.clone()))?;
    }
    let has_both = |mission: &MissionEntry| {
        let (floors, _) = floors_of(file, mission);
        !floors.is_empty() && file.truth.keys().chain(mission.truth.keys()).any(|role| *role == Role::Map)
    };
    if file.missions.iter().any(has_both) {
        let message = "both floors and one map of the truth".to_owned();
        return Err((message, "each floor has its own truth map: leave `map` out under truth".to_owned()));
    }
    Ok(())
}

/// The floors and connectors of a mission: its own, else those of the contest.
pub(super) fn floors_of<'a>(
    file: &'a ContestFile,
    mission: &'a MissionEntry,
) -> (&'a [FloorInput], &'a [Connector]) {
    if mission.floors.is_empty() {
        (&file.floors, &file.connectors)
    } else {
        (&mission.floors, &mission.connectors)
    }
}

/// What decides how the maps of floors are read, beside their bytes.
pub(super) fn floors_content(file: &ContestFile, mission: &MissionEntry) -> Value {
    let (floors, connectors) = floors_of(file, mission);
    json!([floors, connectors])
}

/// The building of a mission; none if it has no floors.
///
/// # Errors
/// The truth of a floor cannot be read.
pub(super) fn load_building(
    folder: &ContestFolder,
    entry: &MissionEntry,
    loader: &Loader,
) -> Result<Option<Building>, JobError> {
    let (floors, connectors) = floors_of(&folder.file, entry);
    if floors.is_empty() {
        return Ok(None);
    }
    let hint = "ask for an ordinary zip archive, or for the files themselves";
    let floor = |floor: &FloorInput| {
        let (path, _) =
            folder.resolved(&floor.truth.map).map_err(|why| JobError::contest("floors", why, hint))?;
        let map = Some(truth_loader(loader).map(&path)?);
        Ok(Floor { name: floor.name.clone(), truth: Truth { map, ..Truth::default() } })
    };
    let floors = floors.iter().map(floor).collect::<Result<_, JobError>>()?;
    Ok(Some(Building { floors, connectors: connectors.to_vec() }))
}

/// The map files that a pattern finds for floors.
///
/// # Errors
/// Why there is none, or why nobody but a judge can say which counts.
pub(super) fn floor_files(
    folder: &Path,
    pattern: &str,
    floors: &[FloorInput],
) -> Result<FloorFiles, (String, FaultKind)> {
    let missing = |why: NoFile| (why.to_string(), FaultKind::Missing);
    if !pattern.contains(PLACE) {
        let found = files(folder, pattern, "").map_err(missing)?;
        if found.len() > floors.len() {
            let why = format!("{} files fit '{pattern}' for {} floors", found.len(), floors.len());
            return Err((why, FaultKind::Ambiguous));
        }
        return Ok(FloorFiles::Unnamed(found));
    }
    let mut named = Vec::new();
    for floor in floors {
        let own = pattern.replace(PLACE, &floor.name);
        match files(folder, &own, "") {
            Ok(found) if found.len() > 1 => {
                let why = format!("{} files fit '{own}': two files for one floor", found.len());
                return Err((why, FaultKind::Ambiguous));
            }
            Ok(found) => named.extend(found.into_iter().map(Some)),
            // A floor that nobody mapped has no file.
            Err(NoFile::None(_)) => named.push(None),
            Err(why) => return Err(missing(why)),
        }
    }
    if named.iter().all(Option::is_none) {
        return Err((format!("no file '{pattern}' for any floor"), FaultKind::Missing));
    }
    Ok(FloorFiles::Named(named))
}

impl FloorFiles {
    /// Every file.
    pub(super) fn paths(&self) -> Vec<&PathBuf> {
        match self {
            Self::Named(paths) => paths.iter().flatten().collect(),
            Self::Unnamed(paths) => paths.iter().collect(),
        }
    }

    /// The maps of the files.
    ///
    /// # Errors
    /// The first one that cannot be read.
    pub(super) fn load(&self, loader: &Loader) -> Result<FloorMaps, JobError> {
        let load = |path: &PathBuf| loader.map(path);
        Ok(match self {
            Self::Named(paths) => {
                let maps = paths.iter().map(|path| path.as_ref().map(load).transpose());
                FloorMaps::Named(maps.collect::<Result<_, _>>()?)
            }
            Self::Unnamed(paths) => FloorMaps::Unnamed(paths.iter().map(load).collect::<Result<_, _>>()?),
        })
    }
}

/// The maps that are there.
pub(super) fn present(maps: &FloorMaps) -> Vec<&Loaded<Map>> {
    match maps {
        FloorMaps::Named(maps) => maps.iter().flatten().collect(),
        FloorMaps::Unnamed(maps) => maps.iter().collect(),
    }
}

#[cfg(test)]
mod tests {
    use metrics::Reason;

    use super::*;
    use crate::contest::{ContestOptions, ContestResult, Quantity, judge_contest};
    use crate::files::contest::load_contest;

    const GROUND: &str = "resolution: 0.5\norigin: 0 0 0\n######\n#....#\n#....#\n######\n";
    const FIRST: &str = "resolution: 0.5\norigin: 0 0 0\n######\n#.#..#\n#.#..#\n#....#\n";
    const RULES: &str = "name = 'floors'\ntitle = 'Floors'\nsource = 'test'\nformula = '100 * C + S'\nbetter = 'higher'\n\
                         [inputs]\nmap = { pattern = 'map_{floor}.txt', required = true }\n\
                         [plan]\nalign = 'none'\n\
                         [[parts]]\nname = 'C'\ntitle = 'Coverage'\nfrom = { kind = 'measured', value = 'known_coverage' }\n\
                         [[parts]]\nname = 'S'\ntitle = 'Similarity'\nif_undefined = 0.0\n\
                         from = { kind = 'measured', value = 'structural_similarity' }\n";
    const FLOORS: &str = "[[floors]]\nname = 'ground'\ntruth = { map = 'ground.txt' }\n\
                          [[floors]]\nname = 'first'\ntruth = { map = 'first.txt' }\n\
                          [[connectors]]\nname = 'stairs'\nkind = 'stairs'\nlength_m = 6.0\n\
                          from = { floor = 'ground', at_m = [0.75, 0.75] }\n\
                          to = { floor = 'first', at_m = [0.75, 0.75] }\n";

    /// A contest of teams whose folders hold these files.
    fn contest(teams: &[(&str, &[(&str, &str)])]) -> (tempfile::TempDir, String) {
        let folder = tempfile::tempdir().unwrap();
        let write = |path: PathBuf, text: &str| {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        for (name, text) in [("ground.txt", GROUND), ("first.txt", FIRST), ("rules.toml", RULES)] {
            write(folder.path().join(name), text);
        }
        let mut text = format!("profile = 'rules.toml'\n{FLOORS}");
        for (name, files) in teams {
            text.push_str(&format!("[[teams]]\nname = '{name}'\nfolder = '{name}'\n"));
            files.iter().for_each(|(file, content)| write(folder.path().join(name).join(file), content));
        }
        (folder, text)
    }

    fn judged(teams: &[(&str, &[(&str, &str)])]) -> ContestResult {
        let (folder, text) = contest(teams);
        let folder_of_contest =
            ContestFolder::parse(&text, "contest.toml", folder.path().to_owned()).unwrap();
        let contest = load_contest(&folder_of_contest).unwrap();
        judge_contest(&contest, &folder_of_contest, &ContestOptions::default(), None, &|_| {}).unwrap()
    }

    #[test]
    fn a_team_is_scored_over_all_floors_and_a_missing_one_costs_its_share() {
        let both = [("map_ground.txt", GROUND), ("map_first.txt", FIRST)];
        let result = judged(&[("whole", &both), ("half", &both[..1]), ("none", &[])]);
        let score = |team: usize, value: &str| result.entries[team][0].measured.value(value);
        assert_eq!(score(0, "known_coverage"), Ok(Quantity::Number(1.0)));
        // 24 of 48 cells.
        assert_eq!(score(1, "known_coverage"), Ok(Quantity::Number(0.5)));
        // Nothing says how this one is put together, and the value of a floor does not stand in for it.
        let why = score(0, "structural_similarity").unwrap_err();
        assert_eq!(why, Reason::NoAggregate.meaning());
        let names: Vec<&str> =
            result.entries[0][0].measured.cases.iter().map(|case| case.name.as_str()).collect();
        assert_eq!(names, ["whole", "whole/ground", "whole/first"]);
        assert!(result.entries[2][0].measured.broken.is_some());
    }

    #[test]
    fn maps_without_a_name_are_assigned_and_equal_ones_are_for_the_judges() {
        let rules = RULES.replace("map_{floor}.txt", "*.txt");
        let result = |files: &[(&str, &str)]| {
            let (folder, text) = contest(&[("team", files)]);
            std::fs::write(folder.path().join("rules.toml"), &rules).unwrap();
            let of_contest = ContestFolder::parse(&text, "contest.toml", folder.path().to_owned()).unwrap();
            let contest = load_contest(&of_contest).unwrap();
            judge_contest(&contest, &of_contest, &ContestOptions::default(), None, &|_| {}).unwrap()
        };
        let assigned = result(&[("a.txt", FIRST), ("b.txt", GROUND)]);
        let coverage = assigned.entries[0][0].measured.value("known_coverage");
        assert_eq!(coverage, Ok(Quantity::Number(1.0)));
        let alike = result(&[("a.txt", GROUND), ("b.txt", GROUND)]);
        assert!(alike.entries[0][0].measured.undecided.is_some());
        let three = result(&[("a.txt", GROUND), ("b.txt", GROUND), ("c.txt", FIRST)]);
        assert!(three.entries[0][0].measured.undecided.as_ref().unwrap().contains("3 files fit"));
    }

    #[test]
    fn floors_and_one_truth_map_do_not_go_together() {
        let (folder, text) = contest(&[("team", &[])]);
        let parse = |text: &str| {
            ContestFolder::parse(text, "contest.toml", folder.path().to_owned()).unwrap_err().to_string()
        };
        assert!(
            parse(&text.replace("[[teams]]", "[truth]\nmap = 'ground.txt'\n[[teams]]"))
                .contains("both floors")
        );
        let unknown = parse(&text.replace("floor = 'first'", "floor = 'roof'"));
        assert!(unknown.contains("line 13") && unknown.contains("unknown floor 'roof'"), "{unknown}");
    }

    #[test]
    fn another_connector_is_another_contest_for_the_store() {
        let (folder, text) = contest(&[("team", &[("map_ground.txt", GROUND)])]);
        let content = |text: &str| {
            let of_contest = ContestFolder::parse(text, "contest.toml", folder.path().to_owned()).unwrap();
            of_contest.contents_of(0)
        };
        assert_eq!(content(&text), content(&text));
        assert_ne!(content(&text), content(&text.replace("length_m = 6.0", "length_m = 7.0")));
    }
}
