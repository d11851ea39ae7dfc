//! The truth of a mission, read once for all teams.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use formats::ReadOptions;
use metrics::Family;
use report::Input;

use super::character_matrix::CharacterMatrix;
use super::file::{Contest, MissionEntry, read_small};
use super::place::{Place, places};
use super::role::Role;
use crate::annotations::AnnotationFiles;
use crate::fiducials::LayoutInput;
use crate::inputs::MapInput;
use crate::{Chosen, Job, JobError, choose};

/// The truth of a mission, and how submissions are measured against it.
pub struct MissionTruth {
    /// How maps are read, aligned and measured.
    pub job: Job,
    /// Options of the readers.
    pub options: ReadOptions,
    /// Metrics of maps.
    pub chosen: Vec<Chosen>,
    /// Ids of the trajectory metrics.
    pub trajectory_metrics: Vec<String>,
    /// The true map.
    pub map: Option<MapInput>,
    /// Where fiducials stand.
    pub layout: Option<LayoutInput>,
    /// What is written on the true map: victims, labels, rooms.
    pub annotations: Option<AnnotationFiles>,
    /// True artifacts.
    pub artifacts: Option<Vec<Place>>,
    /// The answer of the junior league.
    pub matrix: Option<CharacterMatrix>,
    /// Paths by role.
    pub paths: BTreeMap<Role, Vec<PathBuf>>,
    /// Files with their hashes.
    pub inputs: Vec<Input>,
}

/// Roles whose files are read as annotations of a map.
pub(super) const NOTES: [Role; 3] = [Role::Victims, Role::Path, Role::Annotations];

/// Annotations, their files named relative to the contest file.
pub(super) fn annotations(
    paths: &[PathBuf],
    role: &str,
    options: &ReadOptions,
    folder: &Path,
) -> Result<AnnotationFiles, JobError> {
    let mut files = AnnotationFiles::read(paths, role, options)?;
    for (record, path) in files.records.iter_mut().zip(paths) {
        record.path = shown(path, folder);
    }
    Ok(files)
}

/// A larger matrix file is refused.
pub(super) const MOST_MATRIX_BYTES: u64 = 32 << 20;

impl MissionTruth {
    /// Reads the truth of a mission.
    ///
    /// # Errors
    /// A file of the truth cannot be read: without it nobody can be scored.
    pub fn read(contest: &Contest, mission: &MissionEntry) -> Result<Self, JobError> {
        let mut paths: BTreeMap<Role, Vec<PathBuf>> = BTreeMap::new();
        for (role, files) in contest.file.truth.iter().chain(&mission.truth) {
            paths.insert(*role, files.all().iter().map(|path| contest.folder.join(path)).collect());
        }
        let (mut job, trajectory_metrics) = job_of(contest)?;
        if let Some(start) = mission.start.or(contest.file.start) {
            job.paths.get_or_insert_default().start = Some(start);
        }
        let options = job.read.options()?;
        let one = |role: Role| paths.get(&role).and_then(|paths| paths.first());
        let mut inputs = Vec::new();
        let map = one(Role::Map).map(|path| MapInput::read(path, "truth", &truth_options(&options)));
        let map = map.transpose()?.map(|map| relative(map, &contest.folder));
        inputs.extend(map.iter().flat_map(|map| map.records.clone()));
        let layout = one(Role::Layout).map(|path| LayoutInput::read(path, &options)).transpose()?;
        let layout = layout.map(|mut layout| {
            layout.record.path = one(Role::Layout).map_or_else(String::new, |p| shown(p, &contest.folder));
            layout
        });
        inputs.extend(layout.iter().map(|layout| layout.record.clone()));
        for (role, files) in paths.iter().filter(|(role, _)| !matches!(role, Role::Map | Role::Layout)) {
            for path in files {
                if matches!(role, Role::Trajectory | Role::Relations | Role::Points) {
                    // Read with each submission; a truth that cannot be read is nobody's fault but the judge's.
                    formats::read_document(path, &options)?;
                }
                inputs.push(hashed(path, &format!("true_{}", role.name()), &contest.folder)?);
            }
        }
        let artifacts = one(Role::Artifacts).map(|path| read_places(path, &options)).transpose()?;
        let matrix = one(Role::Matrix).map(|path| read_matrix(path)).transpose()?;
        let notes: Vec<PathBuf> =
            NOTES.iter().filter_map(|role| paths.get(role)).flatten().cloned().collect();
        let annotations = (!notes.is_empty())
            .then(|| annotations(&notes, "truth_annotations", &options, &contest.folder))
            .transpose()?;
        let chosen = choose(&job.metrics, &job.set)?;
        Ok(Self {
            annotations,
            chosen,
            job,
            options,
            trajectory_metrics,
            map,
            layout,
            artifacts,
            matrix,
            paths,
            inputs,
        })
    }
}

/// The truth is drawn as the organisers draw it: the palette of the submissions does not hold for it.
fn truth_options(options: &ReadOptions) -> ReadOptions {
    let mut options = options.clone();
    options.palette.choice = formats::PaletteChoice::Auto;
    options
}

/// The job of the profile with the metrics that its parts ask for; those of trajectories apart.
fn job_of(contest: &Contest) -> Result<(Job, Vec<String>), JobError> {
    let mut job = contest.profile.job.clone();
    let asked = contest.profile.metrics();
    let named = job.metrics.iter().map(String::as_str).chain(asked).filter_map(metrics::find);
    let (runs, maps): (Vec<_>, Vec<_>) = named.partition(|entry| entry.spec.family == Family::Trajectory);
    let ids = |entries: Vec<&metrics::Entry>| {
        let mut ids: Vec<String> = entries.into_iter().map(|entry| entry.spec.id.to_owned()).collect();
        ids.sort();
        ids.dedup();
        ids
    };
    // An empty list would mean all metrics; coverage stands beside every score.
    job.metrics = ids(maps).into_iter().chain(["known_coverage".to_owned()]).collect();
    job.metrics.sort();
    job.metrics.dedup();
    job.set.retain(|id, _| metrics::find(id).is_some());
    Ok((job, ids(runs)))
}

/// Places of a truth or a submission.
pub(super) fn read_places(path: &Path, options: &ReadOptions) -> Result<Vec<Place>, JobError> {
    let document = formats::read_document(path, options)?;
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let wrong = || {
        let hint = "give a detection list, a point list or a vector layer of points";
        JobError::contest(&name, format!("expected places, found {}", document.format), hint)
    };
    let found = places(&document).ok_or_else(wrong)?;
    if found.len() > super::artifact_points::MOST_REPORTS {
        let message =
            format!("{} places: expected at most {}", found.len(), super::artifact_points::MOST_REPORTS);
        return Err(JobError::contest(&name, message, "hand in each find once"));
    }
    Ok(found)
}

/// The matrix of the junior league.
pub(super) fn read_matrix(path: &Path) -> Result<CharacterMatrix, JobError> {
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let hint = "one row per line, cells with commas between, the start tile is 5";
    CharacterMatrix::parse(&read_small(path, MOST_MATRIX_BYTES)?)
        .map_err(|error| JobError::contest(name, error.to_string(), hint))
}

/// A file with its hash, its path relative to the contest file.
pub(super) fn hashed(path: &Path, role: &str, folder: &Path) -> Result<Input, JobError> {
    let file = std::fs::File::open(path).map_err(|source| JobError::file(path, source))?;
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(file).map_err(|source| JobError::file(path, source))?;
    let blake3 = hasher.finalize().to_hex().to_string();
    let ending = path.extension().map_or_else(String::new, |ending| ending.to_string_lossy().into_owned());
    Ok(Input { role: role.to_owned(), path: shown(path, folder), blake3, format: ending })
}

/// A path as it is shown: relative to the contest file, whatever the machine.
pub(super) fn shown(path: &Path, folder: &Path) -> String {
    let relative = path.strip_prefix(folder).unwrap_or(path);
    crate::inputs::shown(relative).replace('\\', "/")
}

/// The same map, its files named relative to the contest file.
pub(super) fn relative(mut map: MapInput, folder: &Path) -> MapInput {
    for (record, path) in map.records.iter_mut().zip(&map.files) {
        record.path = shown(path, folder);
    }
    map
}
