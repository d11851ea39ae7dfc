//! A contest and the submissions of each team, out of folders.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use align::{Alignment, Method};
use formats::ReadError;
use metrics::annotation::inputs::Annotations;
use model::{Finding, Level, Similarity2};

use super::choice::{Choice, choose, takes_one};
use super::contest_file::ContestFolder;
use super::entered::Entered;
use super::floors::{FloorFiles, floor_files, floors_of, present};
use super::mission::{NOTES, load_matrix, load_mission, load_places};
use super::pattern::{files, has_case_of};
use crate::contest::{Contest, Fault, FaultKind, FileFinding, Role, Stated, Submission, Submissions};
use crate::files::floors::FloorInput;
use crate::files::loader::Loader;
use crate::files::shown_path;
use crate::files::walk::ending;
use crate::{AlignmentFile, JobError, Loaded, Subject};

/// Loads the contest of a folder: rules and truth. Submissions are loaded one by one, by the folder itself.
///
/// # Errors
/// A file of the truth cannot be read: without it nobody can be scored.
pub fn load_contest(folder: &ContestFolder) -> Result<Contest, JobError> {
    folder.check_frames()?;
    let missions = folder.file.missions.iter().map(|entry| load_mission(folder, entry));
    Ok(Contest {
        title: folder.file.title.clone(),
        profile: folder.profile.clone(),
        combine: folder.file.combine,
        missions: missions.collect::<Result<_, _>>()?,
        teams: folder.file.teams.iter().map(|team| team.name.clone()).collect(),
    })
}

/// The files of a team in a mission, by role.
pub(super) struct TeamFiles {
    pub(super) folder: PathBuf,
    /// Names are relative to it.
    pub(super) root: PathBuf,
    pub(super) files: BTreeMap<Role, Vec<PathBuf>>,
    /// Maps of several floors; then the role has no other file.
    floors: Option<FloorFiles>,
    pub(super) faults: BTreeMap<Role, Fault>,
    pub(super) findings: Vec<FileFinding>,
}

impl ContestFolder {
    pub(super) fn team_files(&self, team: usize, mission: usize) -> TeamFiles {
        let (team, mission) = (&self.file.teams[team], &self.file.missions[mission]);
        let own = team.missions.get(&mission.name);
        let mut patterns: BTreeMap<Role, &str> =
            self.profile.inputs.iter().map(|(role, rule)| (*role, rule.pattern.as_str())).collect();
        let over =
            [Some(&self.file.files), Some(&mission.files), Some(&team.files), own.map(|own| &own.files)];
        // Whoever names a role in the contest file, or its truth, counts on its file.
        let mut expected: Vec<Role> = self.file.truth.keys().chain(mission.truth.keys()).copied().collect();
        for (role, pattern) in over.into_iter().flatten().flatten() {
            patterns.insert(*role, pattern);
            expected.push(*role);
        }
        let (files, floors, faults, findings) = Default::default();
        let place = self.team_folder(team, mission);
        let (folder, root) = (self.folder.join(place), self.folder.clone());
        let mut found = TeamFiles { folder, root, files, floors, faults, findings };
        let resolved = self.resolved(place);
        if let Ok((folder, root)) = &resolved {
            (found.folder, found.root) = (folder.clone(), root.clone());
        }
        for (role, pattern) in patterns {
            let is_optional = self.profile.inputs.get(&role).is_none_or(|rule| !rule.required);
            match &resolved {
                Err(why) => found.fault(role, why.clone(), FaultKind::Missing),
                Ok(_) if role == Role::Map && !floors_of(&self.file, mission).0.is_empty() => {
                    let (floors, _) = floors_of(&self.file, mission);
                    found.look_for_floors(&pattern.replace("{mission}", &mission.name), floors);
                }
                Ok(_) => {
                    let is_expected = is_optional && expected.contains(&role);
                    found.look_for(role, pattern, &mission.name, is_expected);
                }
            }
        }
        found
    }

    pub(super) fn loader(&self) -> Loader {
        // The rules name a cell size for files that state none.
        let stated_resolution = formats::StatedResolution::Keep;
        let reading = crate::ReadOptions { stated_resolution, ..self.profile.read.clone() };
        Loader { reading, root: Some(self.folder.clone()), ..Loader::default() }
    }

    /// Reads the files of a team, and no other.
    pub(super) fn loader_of(&self, team: usize, files: &TeamFiles) -> Loader {
        let (inside, root) = (Some(files.folder.clone()), Some(files.root.clone()));
        let mut loader = Loader { inside, root, ..self.loader() };
        let stated_m = self.file.teams[team].resolution_m;
        loader.reading.resolution_m = stated_m.or(loader.reading.resolution_m);
        loader
    }

    /// What judges entered for a team in a mission; that of the mission goes over that of the team.
    fn entered(&self, team: usize, mission: usize) -> impl Iterator<Item = (&String, &Entered)> {
        let entry = &self.file.teams[team];
        let own = entry.missions.get(&self.file.missions[mission].name);
        entry.values.iter().chain(own.into_iter().flat_map(|own| &own.values))
    }

    /// Why nothing of a submission is to be opened, if the contest file says so.
    pub(super) fn broken(&self, team: usize, mission: usize) -> Option<&str> {
        let own = self.file.teams[team].missions.get(&self.file.missions[mission].name)?;
        own.broken.as_deref()
    }
}

impl Submissions for ContestFolder {
    fn load(&self, team: usize, mission: usize) -> Submission {
        if let Some(why) = self.broken(team, mission) {
            return Submission { broken: Some(why.to_owned()), ..Submission::new(Subject::default()) };
        }
        let files = self.team_files(team, mission);
        let (loader, entry) = (self.loader_of(team, &files), &self.file.teams[team]);
        let mut submission = Submission::new(Subject { name: entry.name.clone(), ..Subject::default() });
        let Stated { operators, entered, signatures } = self.stated(team, mission);
        (submission.operators, submission.entered, submission.signatures) = (operators, entered, signatures);
        submission.transform = entry.start_pose.map(|pose| {
            let truth_from_map = Similarity2::new(pose.x_m, pose.y_m, pose.theta_deg.to_radians(), 1.0);
            AlignmentFile::new(Alignment::given(Method::Georeference, truth_from_map))
        });
        // Read before any submission is: here it can be missing no more, unless it was removed meanwhile.
        if let Ok(Some(frame)) = self.frame(entry, &self.file.missions[mission]) {
            submission.inputs.extend(frame.inputs("frame"));
            submission.transform = Some(frame.value);
        }
        submission.findings = self.lint_findings(&loader, &files);
        let mut reader = Reader { loader, files: &files, submission };
        match &files.floors {
            Some(floors) => reader.floors(floors),
            None => reader.submission.subject.map = reader.one(Role::Map, |loader, path| loader.map(path)),
        }
        reader.submission.subject.annotations = reader.notes(self);
        reader.submission.subject.points = reader.one(Role::Points, |loader, path| loader.points(path));
        reader.submission.subject.trajectory =
            reader.one(Role::Trajectory, |loader, path| loader.trajectory(path));
        reader.submission.artifacts = reader.one(Role::Artifacts, load_places).map(|places| places.value);
        reader.submission.matrix = reader.one(Role::Matrix, load_matrix).map(|matrix| matrix.value);
        reader.submission.faults.extend(files.faults.clone());
        reader.submission
    }

    fn stated(&self, team: usize, mission: usize) -> Stated {
        let entry = &self.file.teams[team];
        let own = entry.missions.get(&self.file.missions[mission].name);
        let mut stated = Stated {
            operators: own.and_then(|own| own.operators).unwrap_or(entry.operators),
            entered: BTreeMap::new(),
            signatures: BTreeMap::new(),
        };
        for (name, value) in self.entered(team, mission) {
            stated.entered.insert(name.clone(), value.into());
            stated.signatures.insert(name.clone(), value.signature());
        }
        stated
    }

    fn contents(&self, team: usize) -> Vec<Option<String>> {
        self.contents_of(team)
    }

    fn has_entered(&self, team: usize, mission: usize, name: &str) -> bool {
        self.entered(team, mission).any(|(entered, _)| entered == name)
    }
}

impl TeamFiles {
    fn fault(&mut self, role: Role, why: String, kind: FaultKind) {
        self.faults.insert(role, Fault { why, kind });
    }

    fn note(&mut self, path: &Path, finding: Finding) {
        let file = path.strip_prefix(&self.root).unwrap_or(path);
        self.findings.push(FileFinding { file: shown_path(file).replace('\\', "/"), finding });
    }

    /// Finds the files of a role, and says what a judge should know about them.
    fn look_for(&mut self, role: Role, pattern: &str, mission: &str, is_expected: bool) {
        let pattern = pattern.replace("{mission}", mission);
        let paths = match files(&self.folder, &pattern, "") {
            Ok(paths) => paths,
            Err(why) => {
                if is_expected {
                    let message = format!("{}: {why}; the file is optional", role.name());
                    let finding = Finding::new(Level::Info, "OPTIONAL_FILE_MISSING", message);
                    let folder = self.folder.clone();
                    self.note(
                        &folder,
                        finding.hint("name it under `files` of the team if it is called otherwise"),
                    );
                }
                return self.fault(role, why.to_string(), FaultKind::Missing);
            }
        };
        let chosen = match choose(role, paths.clone()) {
            // The rows of a MIF file are read with it.
            _ if !takes_one(role) => paths.into_iter().filter(|path| ending(path) != "mid").collect(),
            Choice::One(path) => vec![path],
            Choice::Copies(copies) => {
                let message = format!("{} files fit '{pattern}' and are copies of each other", copies.len());
                self.note(&copies[0], Finding::new(Level::Info, "FILE_COPIED", message));
                copies.into_iter().take(1).collect()
            }
            Choice::Several(several) => {
                let names: Vec<String> = several.iter().map(|path| self.name_of(path)).collect();
                let why = format!("{} files fit '{pattern}': {}", several.len(), names.join(", "));
                let hint =
                    format!("name the one that counts: files = {{ {} = \"{}\" }}", role.name(), names[0]);
                let folder = self.folder.clone();
                self.note(&folder, Finding::new(Level::Error, "FILE_AMBIGUOUS", why.clone()).hint(hint));
                return self.fault(role, why, FaultKind::Ambiguous);
            }
        };
        for path in &chosen {
            if has_case_of(&self.folder, &pattern, path) {
                continue;
            }
            let message =
                format!("'{}' was taken for '{pattern}', whose case is another", self.name_of(path));
            self.note(path, Finding::new(Level::Info, "FILE_NAME_CASE", message));
        }
        self.files.insert(role, chosen);
    }

    /// Finds the maps of several floors.
    fn look_for_floors(&mut self, pattern: &str, floors: &[FloorInput]) {
        match floor_files(&self.folder, pattern, floors) {
            Ok(found) => {
                self.files.insert(Role::Map, found.paths().into_iter().cloned().collect());
                self.floors = Some(found);
            }
            Err((why, kind)) => self.fault(Role::Map, why, kind),
        }
    }

    fn name_of(&self, path: &Path) -> String {
        shown_path(path.strip_prefix(&self.folder).unwrap_or(path)).replace('\\', "/")
    }
}

/// Reads the files of one submission; what cannot be read becomes a fault of it.
struct Reader<'a> {
    loader: Loader,
    files: &'a TeamFiles,
    submission: Submission,
}

impl Reader<'_> {
    /// The one file of a role.
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
                let why = self.why(&error);
                self.submission.faults.insert(role, Fault { why, kind: FaultKind::Unreadable });
                None
            }
        }
    }

    /// The maps of several floors.
    fn floors(&mut self, files: &FloorFiles) {
        match files.load(&self.loader) {
            Ok(maps) => {
                let inputs = present(&maps).into_iter().flat_map(|map| map.inputs(Role::Map.name()));
                self.submission.inputs.extend(inputs);
                self.submission.floors = Some(maps);
            }
            Err(error) => {
                let why = self.why(&error);
                self.submission.faults.insert(Role::Map, Fault { why, kind: FaultKind::Unreadable });
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

    /// Why a file cannot be used, without the folders of this machine and without the list of all formats.
    fn why(&self, error: &JobError) -> String {
        match error {
            JobError::Read(ReadError::UnknownFormat { file, found, .. }) => {
                format!("{}: a file of no known format, found {found}", self.loader.without_root(file))
            }
            other => self.loader.without_root(&other.to_string()),
        }
    }

    fn unreadable_note(&mut self, folder: &ContestFolder, role: Role, path: &Path, error: &JobError) {
        let why = self.why(error);
        if folder.profile.inputs.get(&role).is_some_and(|rule| rule.required) {
            self.submission.faults.insert(role, Fault { why, kind: FaultKind::Unreadable });
            return;
        }
        let finding = Finding::warning("CANNOT_READ", why).hint("the score goes on without this file");
        self.submission.findings.push(FileFinding { file: self.loader.shown(path), finding });
    }
}
