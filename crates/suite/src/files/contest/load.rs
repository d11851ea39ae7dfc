//! The truth of each mission, and the submissions of each team, out of folders.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use metrics::annotation::inputs::Annotations;
use model::{Finding, Level};
use report::Input;

use super::contest_file::{ContestFolder, MissionEntry};
use super::pattern::files;
use crate::contest::{
    CharacterMatrix, Contest, Fault, FileFinding, MAX_REPORTS, Mission, Place, Role, Submission, Submissions,
    places,
};
use crate::files::lint::lint;
use crate::files::loader::Loader;
use crate::{JobError, Loaded, Subject, Truth};

/// Roles whose files are read as annotations of a map.
const NOTES: [Role; 3] = [Role::Victims, Role::Path, Role::Annotations];
/// A larger matrix file is refused.
const MAX_MATRIX_BYTES: u64 = 32 << 20;

/// Loads the contest of a folder: rules and truth. Submissions are loaded one by one, by the folder itself.
///
/// # Errors
/// A file of the truth cannot be read: without it nobody can be scored.
pub fn load_contest(folder: &ContestFolder) -> Result<Contest, JobError> {
    let missions = folder.file.missions.iter().map(|entry| load_mission(folder, entry));
    Ok(Contest {
        title: folder.file.title.clone(),
        profile: folder.profile.clone(),
        combine: folder.file.combine,
        missions: missions.collect::<Result<_, _>>()?,
        teams: folder.file.teams.iter().map(|team| team.name.clone()).collect(),
    })
}

fn load_mission(folder: &ContestFolder, entry: &MissionEntry) -> Result<Mission, JobError> {
    let mut paths: BTreeMap<Role, Vec<PathBuf>> = BTreeMap::new();
    for (role, files) in folder.file.truth.iter().chain(&entry.truth) {
        paths.insert(*role, files.all().iter().map(|path| folder.folder.join(path)).collect());
    }
    let loader = folder.loader();
    let one = |role: Role| paths.get(&role).and_then(|paths| paths.first()).map(PathBuf::as_path);
    let mut inputs = Vec::new();
    let map = one(Role::Map).map(|path| truth_loader(&loader).map(path)).transpose()?;
    inputs.extend(map.iter().flat_map(|map| map.inputs("truth")));
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
        truth: Truth { map, annotations, layout, trajectory, relations, points, background: None },
        artifacts: artifacts.map(|places| places.value),
        matrix: matrix.map(|matrix| matrix.value),
        inputs,
    })
}

/// The truth is drawn as the organisers draw it: the palette of the submissions does not hold for it.
fn truth_loader(loader: &Loader) -> Loader {
    let mut loader = loader.clone();
    loader.reading.palette = None;
    loader
}

/// Places of a truth or a submission.
fn load_places(loader: &Loader, path: &Path) -> Result<Loaded<Vec<Place>>, JobError> {
    let name = loader.told(path);
    loader.document(path)?.try_map(|content| {
        let found = places(&content).ok_or_else(|| {
            let hint = "give a detection list, a point list or a vector layer of points";
            JobError::contest(&name, format!("expected places, found a {}", content.kind().name()), hint)
        })?;
        if found.len() > MAX_REPORTS {
            let message = format!("{} places: expected at most {MAX_REPORTS}", found.len());
            return Err(JobError::contest(&name, message, "hand in each find once"));
        }
        Ok(found)
    })
}

/// The matrix of the junior league.
fn load_matrix(loader: &Loader, path: &Path) -> Result<Loaded<CharacterMatrix>, JobError> {
    let hint = "one row per line, cells with commas between, the start tile is 5";
    loader.text(path, MAX_MATRIX_BYTES)?.try_map(|text| {
        CharacterMatrix::parse(&text)
            .map_err(|error| JobError::contest(loader.told(path), error.to_string(), hint))
    })
}

/// The files of a team in a mission, by role.
struct TeamFiles {
    folder: PathBuf,
    files: BTreeMap<Role, Vec<PathBuf>>,
    faults: BTreeMap<Role, Fault>,
}

impl ContestFolder {
    fn team_files(&self, team: usize, mission: usize) -> TeamFiles {
        let (team, mission) = (&self.file.teams[team], &self.file.missions[mission]);
        let own = team.missions.get(&mission.name);
        let folder = self.folder.join(&team.folder);
        let mut patterns: BTreeMap<Role, &str> =
            self.profile.inputs.iter().map(|(role, rule)| (*role, rule.pattern.as_str())).collect();
        let over =
            [Some(&self.file.files), Some(&mission.files), Some(&team.files), own.map(|own| &own.files)];
        for (role, pattern) in over.into_iter().flatten().flatten() {
            patterns.insert(*role, pattern);
        }
        let (mut found, mut faults) = (BTreeMap::new(), BTreeMap::new());
        for (role, pattern) in patterns {
            match files(&folder, pattern, &mission.name) {
                Ok(paths) => _ = found.insert(role, paths),
                Err(why) => _ = faults.insert(role, Fault { why: why.to_string(), is_missing: true }),
            }
        }
        TeamFiles { folder, files: found, faults }
    }

    fn loader(&self) -> Loader {
        Loader { reading: self.profile.read.clone(), root: Some(self.folder.clone()), ..Loader::default() }
    }

    fn lint_findings(&self, loader: &Loader, files: &TeamFiles) -> Vec<FileFinding> {
        let mut all: Vec<PathBuf> = files.files.values().flatten().cloned().collect();
        all.sort();
        all.dedup();
        let mut findings = Vec::new();
        for linted in lint(&all, self.profile.lint, &loader.reading) {
            let file = loader.shown(&linted.path);
            let serious = linted.findings.into_iter().filter(|finding| finding.level >= Level::Warning);
            findings.extend(serious.map(|finding| FileFinding {
                file: file.clone(),
                finding: Finding {
                    message: loader.without_root(&finding.message),
                    hint: finding.hint.map(|hint| loader.without_root(&hint)),
                    ..finding
                },
            }));
        }
        findings
    }
}

impl Submissions for ContestFolder {
    fn load(&self, team: usize, mission: usize) -> Submission {
        let files = self.team_files(team, mission);
        let loader = Loader { inside: Some(files.folder.clone()), ..self.loader() };
        let entry = &self.file.teams[team];
        let own = entry.missions.get(&self.file.missions[mission].name);
        let entered = entry.values.iter().chain(own.into_iter().flat_map(|own| &own.values));
        let mut submission = Submission::new(Subject { name: entry.name.clone(), ..Subject::default() });
        submission.operators = own.and_then(|own| own.operators).unwrap_or(entry.operators);
        submission.entered = entered.map(|(name, value)| (name.clone(), value.into())).collect();
        submission.findings = self.lint_findings(&loader, &files);
        let mut reader = Reader { loader, files: &files, submission };
        reader.submission.subject.map = reader.one(Role::Map, |loader, path| loader.map(path));
        reader.submission.subject.annotations = reader.notes(self);
        reader.submission.subject.points = reader.one(Role::Points, |loader, path| loader.points(path));
        reader.submission.subject.trajectory =
            reader.one(Role::Trajectory, |loader, path| loader.trajectory(path));
        reader.submission.artifacts = reader.one(Role::Artifacts, load_places).map(|places| places.value);
        reader.submission.matrix = reader.one(Role::Matrix, load_matrix).map(|matrix| matrix.value);
        reader.submission.faults.extend(files.faults.clone());
        reader.submission
    }
}

/// Reads the files of one submission; what cannot be read becomes a fault of it.
struct Reader<'a> {
    loader: Loader,
    files: &'a TeamFiles,
    submission: Submission,
}

impl Reader<'_> {
    /// The one file of a role: the first by name.
    fn one<T>(
        &mut self,
        role: Role,
        read: impl Fn(&Loader, &Path) -> Result<Loaded<T>, JobError>,
    ) -> Option<Loaded<T>> {
        let path = self.files.files.get(&role)?.first()?;
        match read(&self.loader, path) {
            Ok(loaded) => {
                self.submission.inputs.extend(loaded.inputs(role.name()));
                Some(loaded)
            }
            Err(error) => {
                let why = self.loader.without_root(&error.to_string());
                self.submission.faults.insert(role, Fault { why, is_missing: false });
                None
            }
        }
    }

    /// The annotations of the map. A file that cannot be read is left out with a finding, unless it is required.
    fn notes(&mut self, folder: &ContestFolder) -> Option<Loaded<Annotations>> {
        let mut good: Vec<PathBuf> = Vec::new();
        for role in NOTES {
            for path in self.files.files.get(&role).into_iter().flatten() {
                let read = self.loader.annotations(std::slice::from_ref(path));
                match read {
                    Ok(Some(loaded)) => {
                        self.submission.inputs.extend(loaded.inputs(role.name()));
                        if !good.contains(path) {
                            good.push(path.clone());
                        }
                    }
                    Ok(None) => {}
                    Err(error) => self.unreadable_note(folder, role, path, &error),
                }
            }
        }
        self.loader.annotations(&good).ok().flatten()
    }

    fn unreadable_note(&mut self, folder: &ContestFolder, role: Role, path: &Path, error: &JobError) {
        let why = self.loader.without_root(&error.to_string());
        if folder.profile.inputs.get(&role).is_some_and(|rule| rule.required) {
            self.submission.faults.insert(role, Fault { why, is_missing: false });
            return;
        }
        let finding = Finding::warning("CANNOT_READ", why).hint("the score goes on without this file");
        self.submission.findings.push(FileFinding { file: self.loader.shown(path), finding });
    }
}
