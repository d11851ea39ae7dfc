//! A file that a command cannot use: what it is instead, and the command that takes it.

use std::path::{Path, PathBuf};

use formats::Kind;
use mapjudge::files::{FileSort, sort_of};

/// Codes of errors that a sound file of another kind may cause, with the kinds that are right there.
const CAUSES: &[(&str, &[Kind])] = &[
    ("ARENA_INVALID", &[]),
    ("BASELINE_INVALID", &[]),
    ("CONTEST_INVALID", &[]),
    ("FILE_NOT_READABLE", &[]),
    ("JOB_FILE_INVALID", &[]),
    ("LIMITS_FILE_INVALID", &[]),
    ("MALFORMED", &[]),
    ("NOT_A_MAP", &[Kind::Raster]),
    ("NO_ANNOTATIONS", &[Kind::Vector, Kind::Table, Kind::Trajectory]),
    ("NO_LAYOUT", &[Kind::Layout]),
    ("NO_LOG", &[Kind::Log]),
    ("NO_MAP", &[Kind::Log]),
    ("NO_POINTS", &[Kind::Table]),
    ("NO_POSE_GRAPH", &[Kind::Graph]),
    ("NO_RELATIONS", &[Kind::Trajectory, Kind::Relations, Kind::Log]),
    ("NO_TRAJECTORY", &[Kind::Trajectory, Kind::Relations, Kind::Log]),
    ("TRANSFORM_FILE_INVALID", &[]),
    ("UNKNOWN_FORMAT", &[]),
];

/// Commands that take maps: a map that they refuse is not of a wrong kind.
const TAKE_MAPS: [&str; 15] = [
    "score",
    "align",
    "compare",
    "consensus",
    "rooms",
    "paths",
    "graph",
    "portals",
    "fiducials",
    "explore",
    "plan",
    "convert",
    "info",
    "lint",
    "demo",
];

/// What to do about an error with this code and file, if the file is something else than the command takes.
pub fn advice(arguments: &[String], code: &str, file: &str) -> Option<String> {
    let (_, right) = CAUSES.iter().find(|(cause, _)| *cause == code)?;
    let command = command_of(arguments)?;
    let path = path_of(arguments, file);
    let shown = path.display();
    Some(match sort_of(&path) {
        FileSort::Missing(Some(similar)) => format!("did you mean {}?", similar.display()),
        FileSort::EmptyFolder => {
            format!("the folder {shown} is empty; name a file, or fetch its files again")
        }
        FileSort::Folder(Some(file)) => format!("name a file in the folder, such as {}", file.display()),
        FileSort::Folder(None) if command == "contest" => {
            format!("`mapjudge contest init {shown} > {shown}/contest.toml` drafts a contest file")
        }
        FileSort::Folder(None) => "name a file in the folder".to_owned(),
        FileSort::Empty => format!("{shown} has no bytes; write or fetch it again"),
        FileSort::Content(Kind::Bag) if code == "NO_MAP" => {
            format!("`mapjudge info {shown}` lists the topics; name the scans with --topic")
        }
        FileSort::Content(kind) => {
            let is_right = right.contains(&kind) || kind == Kind::Bag;
            let is_read_otherwise = kind == Kind::Raster && TAKE_MAPS.contains(&command);
            let sentence = command_for(kind, &shown.to_string(), is_truth(arguments, &path));
            let is_own = sentence.contains(&format!("`mapjudge {command} "));
            if is_right || is_read_otherwise || is_own && code == "MALFORMED" {
                return None;
            }
            format!("{shown} holds {}: {sentence}", kind.noun())
        }
        FileSort::Result(schema) => of_result(&schema, &shown.to_string()),
        FileSort::ContestFile if command != "contest" => {
            format!("{shown} is a contest file: `mapjudge contest {shown} --out DIR` judges the teams")
        }
        FileSort::RuleProfile => {
            format!("{shown} is a rule profile; write profile = \"{shown}\" into the contest file")
        }
        FileSort::JobFile if code != "JOB_FILE_INVALID" => {
            format!("{shown} is a job file: `mapjudge score --job {shown}` carries it out")
        }
        FileSort::LimitsFile if code != "LIMITS_FILE_INVALID" => {
            format!("{shown} is a file of limits: give it with --limits")
        }
        FileSort::Archive => format!("{shown} is an archive; unpack it and name a file of it"),
        FileSort::Unknown if code == "UNKNOWN_FORMAT" => {
            "`mapjudge help formats` lists what can be read; `mapjudge info FILE` tells what a file is"
                .to_owned()
        }
        _ => return None,
    })
}

/// The command that takes a kind of file.
fn command_for(kind: Kind, file: &str, is_truth: bool) -> String {
    match (kind, is_truth) {
        (Kind::Raster, false) => format!("`mapjudge score {file} --truth MAP` judges maps"),
        (Kind::Raster, true) => format!("`mapjudge score MAP --truth {file}` judges maps"),
        (Kind::Trajectory, false) => format!("`mapjudge traj {file} --truth TRAJECTORY` judges trajectories"),
        (Kind::Trajectory, true) => format!("`mapjudge traj TRAJECTORY --truth {file}` judges trajectories"),
        (Kind::Relations, _) => format!("`mapjudge traj TRAJECTORY --relations {file}` judges by relations"),
        (Kind::Log, _) => format!("`mapjudge map {file} --out DIR` makes a map of it"),
        (Kind::Graph, _) => {
            format!("`mapjudge optimize {file}` solves it, `mapjudge traj {file}` judges its poses")
        }
        (Kind::Bag, _) => format!("`mapjudge info {file}` lists its topics; name one with --topic"),
        (Kind::Table, false) => format!("`mapjudge points {file} --truth POINTS` scores them"),
        (Kind::Table, true) => format!("`mapjudge points POINTS --truth {file}` scores points"),
        (Kind::Layout, _) => format!("`mapjudge fiducials MAP --layout {file}` judges maps by it"),
        (Kind::Vector, _) => format!("`mapjudge score MAP --truth MAP --annotations {file}` takes it"),
    }
}

fn of_result(schema: &str, file: &str) -> String {
    match schema.split('/').next().unwrap_or_default() {
        "mapjudge.report" => {
            format!("{file} is a report of mapjudge; --baseline {file} of score and traj compares with it")
        }
        "mapjudge.contest" => {
            format!("{file} is the result of a contest; give the contest file, which ends in .toml")
        }
        "mapjudge.alignment" => format!("{file} is a transform; `mapjudge score MAP --align {file}` uses it"),
        _ => format!("{file} is a result of mapjudge ({schema}), not a file to judge"),
    }
}

/// The first argument that is no flag.
fn command_of(arguments: &[String]) -> Option<&str> {
    arguments.iter().skip(1).map(String::as_str).find(|word| !word.starts_with('-'))
}

/// The path as it was given; messages show the file name alone where it was absolute.
fn path_of(arguments: &[String], file: &str) -> PathBuf {
    let names_file = |word: &&String| Path::new(word).file_name().is_some_and(|name| name == file);
    let given = arguments.iter().skip(2).find(|word| *word == file);
    PathBuf::from(given.or_else(|| arguments.iter().skip(2).find(names_file)).map_or(file, String::as_str))
}

/// Whether the file was given as the truth.
fn is_truth(arguments: &[String], path: &Path) -> bool {
    let mut pairs = arguments.windows(2);
    pairs.any(|pair| pair[0] == "--truth" && Path::new(&pair[1]) == path)
}
