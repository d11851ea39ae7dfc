//! The truth of a mission, and the readers that submissions share with it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use report::Input;

use super::contest_file::ContestFolder;
use super::floors::load_building;
use super::mission_entry::MissionEntry;
use crate::contest::{CharacterMatrix, MAX_REPORTS, Mission, Place, Role, places};
use crate::files::loader::Loader;
use crate::floors::Building;
use crate::{JobError, Loaded, Truth};

/// Roles whose files are read as annotations of a map.
pub(super) const NOTES: [Role; 3] = [Role::Victims, Role::Path, Role::Annotations];
/// A larger matrix file is refused.
const MAX_MATRIX_BYTES: u64 = 32 << 20;

/// A mission with its truth.
///
/// # Errors
/// A file of the truth cannot be read.
pub(super) fn load_mission(folder: &ContestFolder, entry: &MissionEntry) -> Result<Mission, JobError> {
    let mut paths: BTreeMap<Role, Vec<PathBuf>> = BTreeMap::new();
    for (role, files) in folder.file.truth.iter().chain(&entry.truth) {
        let resolved = files.all().iter().map(|path| folder.resolved(path).map(|(place, _)| place));
        let hint = "ask for an ordinary zip archive, or for the files themselves";
        let resolved = resolved.collect::<Result<_, _>>();
        paths.insert(*role, resolved.map_err(|why| JobError::contest("truth", why, hint))?);
    }
    let loader = folder.loader();
    let one = |role: Role| paths.get(&role).and_then(|paths| paths.first()).map(PathBuf::as_path);
    let mut inputs = Vec::new();
    let map = one(Role::Map).map(|path| truth_loader(&loader).map(path)).transpose()?;
    inputs.extend(map.iter().flat_map(|map| map.inputs("truth")));
    let building = load_building(folder, entry, &loader)?;
    inputs.extend(building.iter().flat_map(Building::inputs));
    let layout = one(Role::Layout).map(|path| loader.layout(path)).transpose()?;
    inputs.extend(layout.iter().flat_map(|layout| layout.inputs("layout")));
    let mut keep = |role: Role, found: Vec<Input>| {
        inputs
            .extend(found.into_iter().map(|input| Input { role: format!("true_{}", role.name()), ..input }));
    };
    for role in NOTES {
        for path in paths.get(&role).into_iter().flatten() {
            keep(role, loader.document(path)?.inputs(""));
        }
    }
    let notes: Vec<PathBuf> = NOTES.iter().filter_map(|role| paths.get(role)).flatten().cloned().collect();
    let points = one(Role::Points).map(|path| loader.points(path)).transpose()?;
    keep(Role::Points, points.iter().flat_map(|points| points.inputs("")).collect());
    let artifacts = one(Role::Artifacts).map(|path| load_places(&loader, path)).transpose()?;
    keep(Role::Artifacts, artifacts.iter().flat_map(|places| places.inputs("")).collect());
    let trajectory = one(Role::Trajectory).map(|path| loader.trajectory(path)).transpose()?;
    keep(Role::Trajectory, trajectory.iter().flat_map(|run| run.inputs("")).collect());
    let relations = one(Role::Relations).map(|path| loader.relations(path)).transpose()?;
    keep(Role::Relations, relations.iter().flat_map(|relations| relations.inputs("")).collect());
    let matrix = one(Role::Matrix).map(|path| load_matrix(&loader, path)).transpose()?;
    keep(Role::Matrix, matrix.iter().flat_map(|matrix| matrix.inputs("")).collect());
    let annotations = loader.annotations(&notes)?;
    Ok(Mission {
        name: entry.name.clone(),
        weight: entry.weight,
        start: entry.start.or(folder.file.start),
        building,
        truth: Truth { map, annotations, layout, trajectory, relations, points, background: None },
        artifacts: artifacts.map(|places| places.value),
        matrix: matrix.map(|matrix| matrix.value),
        inputs,
    })
}

/// The truth is drawn as the organisers draw it: the palette of the submissions does not hold for it.
pub(super) fn truth_loader(loader: &Loader) -> Loader {
    let mut loader = loader.clone();
    loader.reading.palette = None;
    loader
}

/// Places of a truth or a submission.
pub(super) fn load_places(loader: &Loader, path: &Path) -> Result<Loaded<Vec<Place>>, JobError> {
    let name = loader.told(path);
    loader.document(path)?.try_map(|content| {
        let found = places(&content).ok_or_else(|| {
            let hint = "give a detection list, a point list or a vector layer of points";
            JobError::contest(&name, format!("expected places, found {}", content.kind().noun()), hint)
        })?;
        if found.len() > MAX_REPORTS {
            let message = format!("{} places: expected at most {MAX_REPORTS}", found.len());
            return Err(JobError::contest(&name, message, "hand in each find once"));
        }
        Ok(found)
    })
}

/// The matrix of the junior league.
pub(super) fn load_matrix(loader: &Loader, path: &Path) -> Result<Loaded<CharacterMatrix>, JobError> {
    let hint = "one row per line, cells with commas between, the start tile is 5";
    loader.text(path, MAX_MATRIX_BYTES)?.try_map(|text| {
        CharacterMatrix::parse(&text)
            .map_err(|error| JobError::contest(loader.told(path), error.to_string(), hint))
    })
}
