//! Files and folders of results as things to look at.

use std::path::{Path, PathBuf};

use formats::Content;
use model::{Point2, Similarity2};
use report::{CaseReport, ContestReport, Input, MetricRecord, RankedTeam, read_baseline};

use super::{FileSort, Loader, shown_path, sort_of};
use crate::overlay::{barrel_outlines, place_layer, shape_layer};
use crate::{JobError, Loaded, Map, Viewed, ViewedScore};

/// A larger report is shown by its own page alone.
const MAX_REPORT_BYTES: u64 = 256 << 20;
/// Files of a folder that are shown, at most.
const MAX_FILES: usize = 40;

/// What files and folders hold. What cannot be shown says why, and the rest is shown.
#[must_use]
pub fn read_viewed(paths: &[PathBuf], loader: &Loader) -> Vec<Viewed> {
    paths
        .iter()
        .flat_map(|path| if path.is_dir() { of_folder(path, loader) } else { of_file(path, loader) })
        .collect()
}

/// A folder of results: its report or ranking, or else the maps, runs and shapes in it.
fn of_folder(folder: &Path, loader: &Loader) -> Vec<Viewed> {
    let results: Vec<PathBuf> = ["report.json", "contest.json"].map(|name| folder.join(name)).into();
    let results: Vec<PathBuf> = results.into_iter().filter(|path| path.is_file()).collect();
    let mut files = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .collect::<Vec<_>>();
    files.sort();
    let is_shown = |path: &PathBuf| {
        let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        matches!(ending.as_str(), "yaml" | "tif" | "tiff" | "tum" | "geojson" | "mif" | "log" | "clf" | "g2o")
    };
    let shown = files.into_iter().filter(is_shown).take(MAX_FILES);
    let found: Vec<Viewed> =
        results.into_iter().chain(shown).flat_map(|path| of_file(&path, loader)).collect();
    let is_all_broken = found.iter().all(|viewed| matches!(viewed, Viewed::Broken { .. }));
    if found.is_empty() || is_all_broken {
        let error =
            JobError::file(folder, std::io::Error::other("the folder holds nothing that can be shown"));
        return vec![broken(folder, error)];
    }
    found.into_iter().filter(|viewed| !matches!(viewed, Viewed::Broken { .. })).collect()
}

fn broken(path: &Path, error: JobError) -> Viewed {
    Viewed::Broken { name: shown_path(path), error: Box::new(error) }
}

fn of_file(path: &Path, loader: &Loader) -> Vec<Viewed> {
    let found = match sort_of(path) {
        FileSort::Result(schema) if schema == "mapjudge.report/1" => of_report(path, loader),
        FileSort::Result(schema) if schema == "mapjudge.contest/1" => of_contest(path, loader),
        _ => of_document(path, loader).map(|viewed| vec![viewed]),
    };
    found.unwrap_or_else(|error| vec![broken(path, error)])
}

fn of_document(path: &Path, loader: &Loader) -> Result<Viewed, JobError> {
    let name = shown_path(path);
    let Loaded { value: content, .. } = loader.document(path)?;
    let kind = content.kind();
    Ok(match content {
        Content::Raster(_) => {
            Viewed::Map { name, map: Box::new(loader.map(path)?), frame: Similarity2::IDENTITY }
        }
        Content::Trajectory(_) | Content::Log(_) | Content::Graph(_) => {
            Viewed::Trajectory { name, trajectory: loader.trajectory(path)?.value }
        }
        Content::Vector(layer) => Viewed::Layer(shape_layer(&layer)),
        Content::Layout(layout) => Viewed::Layer(barrel_outlines(&layout)),
        other => match crate::points::marked_points(other) {
            Some(points) => Viewed::Layer(place_layer(
                &name,
                points
                    .into_iter()
                    .map(|point| (Point2::new(point.position_m[0], point.position_m[1]), point.name)),
            )),
            None => return Err(JobError::NoPoints { path: name, found: kind.noun() }),
        },
    })
}

/// The scores of a report, with its maps where their files are still the same.
fn of_report(path: &Path, loader: &Loader) -> Result<Vec<Viewed>, JobError> {
    let text = loader.text(path, MAX_REPORT_BYTES)?.value;
    let report = read_baseline(&text)
        .map_err(|error| JobError::JobFile { path: shown_path(path), message: error.to_string() })?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut shown: Vec<Viewed> = Vec::new();
    let truth = report.cases.iter().find_map(|case| same_map(case, "truth", folder, loader));
    shown.extend(truth.map(|(name, map)| Viewed::Map {
        name,
        map: Box::new(map),
        frame: Similarity2::IDENTITY,
    }));
    for case in &report.cases {
        if let Some((_, map)) = same_map(case, "map", folder, loader) {
            let frame = case.alignment.as_ref().and_then(|alignment| alignment.truth_from_map);
            let frame =
                frame.map_or(Similarity2::IDENTITY, |t| Similarity2::new(t.x_m, t.y_m, t.theta_rad, t.scale));
            shown.push(Viewed::Map { name: case.name.clone(), map: Box::new(map), frame });
        }
        shown.push(Viewed::Scores {
            name: case.name.clone(),
            rows: case.metrics.iter().map(score_row).collect(),
        });
    }
    Ok(shown)
}

/// A map of a case, if its file is still there with the same bytes.
fn same_map(case: &CaseReport, role: &str, folder: &Path, loader: &Loader) -> Option<(String, Loaded<Map>)> {
    let input: &Input = case.inputs.iter().find(|input| input.role == role)?;
    let places = [PathBuf::from(&input.path), folder.join(&input.path)];
    let map = places.iter().find_map(|place| loader.map(place).ok())?;
    let is_same = map.provenance.files.first().is_some_and(|file| file.blake3 == input.blake3);
    is_same.then(|| (input.path.clone(), map))
}

fn score_row(record: &MetricRecord) -> ViewedScore {
    let reasons = || record.reasons.iter().map(|reason| reason.code()).collect::<Vec<_>>().join(", ");
    ViewedScore {
        id: record.id.clone(),
        title: record.title.clone(),
        value: match record.value {
            Some(value) => {
                format!("{} {}", report::shown_number(value), record.unit.symbol()).trim_end().to_owned()
            }
            None => format!("undefined: {}", reasons()),
        },
    }
}

/// The ranking of a contest.
fn of_contest(path: &Path, loader: &Loader) -> Result<Vec<Viewed>, JobError> {
    let text = loader.text(path, MAX_REPORT_BYTES)?.value;
    let contest: ContestReport = serde_json::from_str(&text)
        .map_err(|error| JobError::JobFile { path: shown_path(path), message: error.to_string() })?;
    let row = |team: &RankedTeam| ViewedScore {
        id: team.rank.map_or_else(String::new, |rank| format!("rank {rank}")),
        title: team.team.clone(),
        value: team.score.map_or_else(|| "undefined".to_owned(), report::shown_number),
    };
    Ok(vec![Viewed::Scores { name: contest.title.clone(), rows: contest.ranking.iter().map(row).collect() }])
}
