//! The floors of a job: checked with their lines, loaded, and judged.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use report::{CaseReport, Report};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::job::{Evaluation, Job, not_judged};
use super::job_inputs::JobInputs;
use super::loader::Loader;
use crate::floors::{Building, Connector, Floor, FloorMaps, MAX_FLOORS, judge_building};
use crate::{JobError, Truth, hold, new_report};

/// The place of a floor's name in the path of a map.
pub(super) const PLACE: &str = "{floor}";

/// A floor of a job.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FloorInput {
    /// Its name, which `{floor}` in the paths of maps stands for.
    pub name: String,
    /// What it is judged against.
    pub truth: FloorTruthInput,
}

/// The truth of a floor.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FloorTruthInput {
    /// The ground-truth map.
    pub map: PathBuf,
}

/// Refuses floors and connectors that make no sense, with the line.
///
/// # Errors
/// Two floors of one name, more than eight, a connector to an unknown floor or of no length.
pub(super) fn check_floors(inputs: &JobInputs, text: &str) -> Result<(), String> {
    check_floor_list(&inputs.floors, &inputs.connectors, text)
}

/// The same for a list of floors and one of connectors.
///
/// # Errors
/// As [`check_floors`].
pub(super) fn check_floor_list(
    floors: &[FloorInput],
    connectors: &[Connector],
    text: &str,
) -> Result<(), String> {
    let line = |word: &str, skipped: usize| {
        let quoted = [format!("\"{word}\""), format!("'{word}'")];
        let mut lines =
            text.lines().enumerate().filter(|(_, line)| quoted.iter().any(|quoted| line.contains(quoted)));
        lines.nth(skipped).map_or_else(String::new, |(number, _)| format!("line {}: ", number + 1))
    };
    if floors.len() > MAX_FLOORS {
        return Err(format!("{} floors: expected at most {MAX_FLOORS}", floors.len()));
    }
    let mut names = BTreeSet::new();
    for floor in floors {
        if !names.insert(floor.name.as_str()) {
            return Err(format!("{}two floors of the name '{}'", line(&floor.name, 1), floor.name));
        }
        if floor.name.is_empty() || floor.name.contains(['/', '\\', '{', '}']) {
            return Err(format!(
                "{}the floor '{}': expected a name without / and brackets",
                line(&floor.name, 0),
                floor.name
            ));
        }
    }
    for connector in connectors {
        for end in [&connector.from, &connector.to] {
            if !names.contains(end.floor.as_str()) {
                let place = line(&end.floor, 0);
                return Err(format!(
                    "{place}the connector '{}' leads to the unknown floor '{}'",
                    connector.name, end.floor
                ));
            }
        }
        let is_sound = connector.length_m.is_finite() && connector.length_m >= 0.0;
        let places = [connector.from.at_m, connector.to.at_m];
        if !is_sound || places.iter().flatten().any(|number| !number.is_finite()) {
            let place = line(&connector.name, 0);
            return Err(format!(
                "{place}the connector '{}': expected finite places and a length from 0 on",
                connector.name
            ));
        }
        if connector.from.floor == connector.to.floor {
            let place = line(&connector.name, 0);
            return Err(format!("{place}the connector '{}' has both ends on one floor", connector.name));
        }
    }
    Ok(())
}

/// A job of one floor without a connector as a job without floors; any other as it is.
pub(super) fn without_single_floor(job: &Job) -> Job {
    let mut job = job.clone();
    if let ([floor], []) = (job.inputs.floors.as_slice(), job.inputs.connectors.as_slice()) {
        let (name, truth) = (floor.name.clone(), floor.truth.map.clone());
        job.inputs.maps = job.inputs.maps.iter().map(|map| of_floor(map, &name)).collect();
        job.inputs.truth = Some(truth);
        job.inputs.floors.clear();
    }
    job
}

fn of_floor(pattern: &Path, floor: &str) -> PathBuf {
    PathBuf::from(pattern.to_string_lossy().replace(PLACE, floor))
}

/// Carries out a job of several floors.
///
/// # Errors
/// A truth or a map cannot be read, maps do not fit the floors, or rules cannot be read.
pub(super) fn evaluate_floors(job: &Job, progress: &(dyn Fn(usize) + Sync)) -> Result<Evaluation, JobError> {
    let loader = job.loader();
    let (plan, rules) = (job.load_plan()?, job.rules.load(&loader)?);
    let building = load_building(job)?;
    let submissions = submissions(job)?;
    let (mut cases, mut failures) = (Vec::new(), Vec::new());
    for (number, (name, files)) in submissions.iter().enumerate() {
        let judged =
            load_maps(job, &building, files).and_then(|maps| judge_building(name, &maps, &building, &plan));
        match judged {
            Ok(judged) => cases.extend(judged),
            Err(error) if submissions.len() == 1 => return Err(error),
            Err(error) => {
                let finding = not_judged(&error, files.first());
                cases.push(CaseReport::not_judged(name.clone(), Vec::new(), finding));
                failures.push((name.clone(), error));
            }
        }
        progress(number + 1);
    }
    let mut report: Report = new_report(cases);
    let named = |id: &str| plan.metrics.iter().any(|name| name == id);
    let verdict = hold(&mut report, &rules, &named).map_err(|source| JobError::Baseline {
        path: job.rules.baseline.as_deref().map_or_else(String::new, |path| loader.told(path)),
        source: Box::new(source),
    })?;
    Ok(Evaluation { report, verdict, failures })
}

fn load_building(job: &Job) -> Result<Building, JobError> {
    let loader = Loader::new(job.resolutions.of_truth(&job.read));
    let floor = |floor: &FloorInput| {
        let truth = Truth { map: Some(loader.map(&floor.truth.map)?), ..Truth::default() };
        Ok(Floor { name: floor.name.clone(), truth })
    };
    let floors = job.inputs.floors.iter().map(floor).collect::<Result<_, JobError>>()?;
    Ok(Building { floors, connectors: job.inputs.connectors.clone() })
}

/// The files of a submission.
enum Files {
    /// A path with `{floor}` in it.
    Pattern(PathBuf),
    /// Files that do not say which floor they show.
    Unnamed(Vec<PathBuf>),
}

impl Files {
    /// One of the paths, whose folder is that of the others.
    fn first(&self) -> &Path {
        match self {
            Self::Pattern(path) => path,
            Self::Unnamed(paths) => paths.first().map_or(Path::new(""), PathBuf::as_path),
        }
    }
}

/// Each path with `{floor}` is a submission, all others together are one.
fn submissions(job: &Job) -> Result<Vec<(String, Files)>, JobError> {
    let (patterns, others): (Vec<&PathBuf>, Vec<&PathBuf>) =
        job.inputs.maps.iter().partition(|map| map.to_string_lossy().contains(PLACE));
    let floors = job.inputs.floors.len();
    if others.len() > floors {
        let message = format!("{} maps for {floors} floors: two files for one floor", others.len());
        return Err(JobError::JobFile { path: "maps".to_owned(), message });
    }
    let mut found: Vec<(String, Files)> = Vec::new();
    for pattern in patterns {
        let name = name_of(pattern);
        let is_taken = |name: &String| found.iter().any(|(taken, _)| taken == name);
        let name = if is_taken(&name) { format!("{name}-{}", found.len() + 1) } else { name };
        found.push((name, Files::Pattern(pattern.clone())));
    }
    if !others.is_empty() {
        found.push(("submission".to_owned(), Files::Unnamed(others.into_iter().cloned().collect())));
    }
    if found.is_empty() { Err(JobError::Incomplete("map")) } else { Ok(found) }
}

/// The name of a submission: what its path has beside the floor.
fn name_of(pattern: &Path) -> String {
    let stem = pattern.file_stem().unwrap_or_default().to_string_lossy().replace(PLACE, "");
    let stem = stem.trim_matches(['_', '-', '.', ' ']).to_owned();
    let folder =
        pattern.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned();
    let words = [stem, folder.replace(PLACE, "")];
    words.into_iter().find(|word| !word.is_empty()).unwrap_or_else(|| "submission".to_owned())
}

fn load_maps(job: &Job, building: &Building, files: &Files) -> Result<FloorMaps, JobError> {
    let load = |path: &Path, truth: Option<&Truth>| {
        let truth = truth.and_then(|truth| truth.map.as_ref());
        Loader::new(job.resolutions.of_map(&job.read, truth)).map(path)
    };
    match files {
        Files::Unnamed(paths) => {
            let first = building.floors.first().map(|floor| &floor.truth);
            Ok(FloorMaps::Unnamed(paths.iter().map(|path| load(path, first)).collect::<Result<_, _>>()?))
        }
        Files::Pattern(pattern) => {
            let of_floor = |floor: &Floor| {
                let path = of_floor(pattern, &floor.name);
                // A floor that nobody mapped has no file; one that cannot be read is an error.
                if path.exists() { load(&path, Some(&floor.truth)).map(Some) } else { Ok(None) }
            };
            let maps: Vec<_> = building.floors.iter().map(of_floor).collect::<Result<_, _>>()?;
            if maps.iter().all(Option::is_none) {
                let source = std::io::Error::new(std::io::ErrorKind::NotFound, "no file for any floor");
                return Err(JobError::file(pattern, source));
            }
            Ok(FloorMaps::Named(maps))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::job::evaluate;
    use super::*;

    const GROUND: &str = "resolution: 0.5\norigin: 0 0 0\n######\n#....#\n#....#\n######\n";
    const FIRST: &str = "resolution: 0.5\norigin: 0 0 0\n######\n#.#..#\n#.#..#\n#....#\n";

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [("ground.txt", GROUND), ("first.txt", FIRST), ("team_ground.txt", GROUND)] {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        std::fs::write(folder.path().join("team_first.txt"), FIRST.replace("#....#\n", "##...#\n")).unwrap();
        folder
    }

    fn run(folder: &tempfile::TempDir, text: &str) -> Result<Evaluation, JobError> {
        let path = folder.path().join("job.toml");
        std::fs::write(&path, text).unwrap();
        evaluate(&Job::from_file(&path)?, &|_| {})
    }

    const TWO: &str = "[[floors]]\nname = \"ground\"\ntruth = { map = \"ground.txt\" }\n\
                       [[floors]]\nname = \"first\"\ntruth = { map = \"first.txt\" }\n";

    #[test]
    fn one_floor_without_a_connector_gives_the_report_of_a_map() {
        let folder = folder();
        let plain = "truth = \"ground.txt\"\nmaps = [\"team_ground.txt\", \"first.txt\"]\n";
        let floors = "maps = [\"team_{floor}.txt\", \"first.txt\"]\n[[floors]]\nname = \"ground\"\n\
                      truth = { map = \"ground.txt\" }\n";
        let json = |text: &str| serde_json::to_string(&run(&folder, text).unwrap().report).unwrap();
        assert_eq!(json(plain), json(floors));
    }

    #[test]
    fn files_are_found_by_the_name_of_the_floor() {
        let folder = folder();
        let report = run(&folder, &format!("maps = [\"team_{{floor}}.txt\"]\n{TWO}")).unwrap().report;
        let names: Vec<&str> = report.cases.iter().map(|case| case.name.as_str()).collect();
        assert_eq!(names, ["team", "team/ground", "team/first"]);
        std::fs::remove_file(folder.path().join("team_first.txt")).unwrap();
        let report = run(&folder, &format!("maps = [\"team_{{floor}}.txt\"]\n{TWO}")).unwrap().report;
        assert!(report.cases[0].findings.iter().any(|finding| finding.code == "FLOOR_MISSING"));
    }

    #[test]
    fn faults_are_told_with_their_line() {
        let folder = folder();
        let refusal = |text: &str| run(&folder, text).unwrap_err().to_string();
        let twice = "[[floors]]\nname = \"ground\"\ntruth = { map = \"ground.txt\" }\n".repeat(2);
        assert!(refusal(&twice).contains("line 5: two floors of the name 'ground'"), "{}", refusal(&twice));
        let end = |floor: &str| format!("{{ floor = \"{floor}\", at_m = [0.75, 0.75] }}");
        let unknown = format!(
            "{TWO}[[connectors]]\nname = \"A\"\nkind = \"stairs\"\nfrom = {}\nto = {}\nlength_m = 6.0\n",
            end("ground"),
            end("roof")
        );
        assert!(
            refusal(&unknown).contains("line 11: the connector 'A' leads to the unknown floor 'roof'"),
            "{}",
            refusal(&unknown)
        );
        let three = format!("maps = [\"ground.txt\", \"first.txt\", \"team_first.txt\"]\n{TWO}");
        assert!(refusal(&three).contains("two files for one floor"), "{}", refusal(&three));
        assert!(
            refusal(&format!("maps = [\"nobody_{{floor}}.txt\"]\n{TWO}")).contains("no file for any floor")
        );
    }
}
