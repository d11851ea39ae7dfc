//! Objects back to files: the contest as its organisers gave it, one submission for the process that judges it, or the
//! whole contest for everybody who wants to judge it again.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use mapjudge::contest::Contest;
use mapjudge::files::contest::{ContestFile, ContestFolder, load_contest};
use mapjudge::files::{is_archive, walk};

use super::JobsError;
use super::scratch::Scratch;
use crate::contest::basis::{
    BASIS_SCHEMA, Basis, CountedSubmission, FileRef, Sources, contest_file, folders, frame_hash, frame_paths,
    own_folder, truth_paths,
};
use crate::contest::objects::Objects;

/// Files of one submission that a team had in its folder.
const MAX_FILES: usize = 200;

/// Keeps everything that a contest rests on, apart from submissions, as objects. The path is that of a contest file, or of
/// its folder.
///
/// # Errors
/// The contest cannot be read, or rests on files outside of its folder.
pub fn sources(path: &Path, objects: &Objects) -> Result<Sources, JobsError> {
    let path = if path.is_dir() { path.join("contest.toml") } else { path.to_owned() };
    let contest = ContestFolder::from_file(&path)?;
    let loaded = load_contest(&contest)?;
    let name = path.file_name().and_then(|name| name.to_str());
    let name = name.ok_or_else(|| JobsError::content("the name of the contest file is no text"))?.to_owned();
    let mut names: BTreeSet<PathBuf> = BTreeSet::from([PathBuf::from(&name)]);
    if let Some(profile) = profile_path(&contest.file) {
        names.insert(profile);
    }
    names.extend(frame_paths(&contest.file).cloned());
    let archives: Vec<PathBuf> = truth_paths(&contest.file).filter_map(|path| archive_of(path)).collect();
    let inputs = loaded.missions.iter().flat_map(|mission| &mission.inputs);
    let lies_in_archive = |path: &Path| {
        archives.iter().any(|archive| archive.file_name().is_some_and(|name| path.starts_with(name)))
    };
    names.extend(inputs.map(|input| PathBuf::from(&input.path)).filter(|path| !lies_in_archive(path)));
    names.extend(truth_paths(&contest.file).filter(|path| archive_of(path).is_none()).cloned());
    names.extend(archives.iter().cloned());
    let keep = |name: PathBuf| keep_file(&contest.folder, &name, objects);
    let sources = names.into_iter().map(keep).collect::<Result<_, _>>()?;
    Ok(Sources { contest: name, sources })
}

/// The file of a profile that is not a shipped one.
fn profile_path(file: &ContestFile) -> Option<PathBuf> {
    let name = mapjudge::contest::Profile::name_and_variant(&file.profile).0;
    name.ends_with(".toml").then(|| PathBuf::from(name))
}

fn archive_of(path: &Path) -> Option<PathBuf> {
    path.ancestors().find(|place| is_archive(place)).map(Path::to_owned)
}

fn is_inside(name: &Path) -> bool {
    name.components().all(|part| matches!(part, Component::Normal(_)))
}

fn keep_file(folder: &Path, name: &Path, objects: &Objects) -> Result<FileRef, JobsError> {
    let shown = name.display().to_string();
    let text = name.to_str().filter(|_| is_inside(name));
    let text = text.ok_or_else(|| {
        let why = format!("'{shown}' lies outside of the folder of the contest: copy it into that folder");
        JobsError::content(why)
    })?;
    let failed = || JobsError::files(shown.clone());
    let mut file = fs::File::open(folder.join(name)).map_err(failed())?;
    let mut writing = objects.begin().map_err(failed())?;
    let mut piece = vec![0; 1 << 16];
    loop {
        let read = io::Read::read(&mut file, &mut piece).map_err(failed())?;
        if read == 0 {
            break;
        }
        writing.write(&piece[..read]).map_err(failed())?;
    }
    let object = writing.finish().map_err(failed())?;
    Ok(FileRef { name: text.to_owned(), blake3: object.hash, bytes: object.bytes })
}

/// What a team has in its folder already, by mission the same; none if the folder is not its own, is empty or holds too much.
///
/// # Errors
/// A file cannot be read.
pub fn files_of_team(
    contest: &ContestFolder,
    sources: &Sources,
    team: usize,
    objects: &Objects,
) -> Result<Vec<FileRef>, JobsError> {
    let place = &contest.file.teams[team].folder;
    let whole = contest.folder.join(place);
    if is_archive(place) && whole.is_file() {
        let (folder, name) = (whole.parent().unwrap_or(&contest.folder), whole.file_name());
        return name.map(|name| keep_file(folder, Path::new(name), objects)).into_iter().collect();
    }
    let Some(own) = own_folder(&contest.file, sources, team).filter(|_| whole.is_dir()) else {
        return Ok(Vec::new());
    };
    let folder = contest.folder.join(own);
    let files = walk(&folder)?;
    if files.len() > MAX_FILES {
        return Ok(Vec::new());
    }
    let names = files.iter().filter_map(|path| path.strip_prefix(&folder).ok());
    names.map(|name| keep_file(&folder, name, objects)).collect()
}

/// The contest of a [`Sources`] in a folder of its own, with its truth loaded.
#[derive(Debug)]
pub struct LoadedContest {
    /// What it was made from.
    pub sources: Sources,
    /// Hash of that.
    pub hash: String,
    /// The contest file and the rules in effect.
    pub folder: ContestFolder,
    /// The truth.
    pub contest: Contest,
    _scratch: Scratch,
}

impl LoadedContest {
    /// Brings the contest back and loads its truth.
    ///
    /// # Errors
    /// An object is missing, or the contest does not hold together.
    pub fn load(sources: &Sources, objects: &Objects) -> Result<Self, JobsError> {
        let scratch = Scratch::new().map_err(JobsError::files("a temporary folder"))?;
        copy_all(&sources.sources, objects, scratch.path())?;
        let folder = ContestFolder::from_file(&scratch.path().join(&sources.contest))?;
        let contest = load_contest(&folder)?;
        Ok(Self { sources: sources.clone(), hash: sources.hash(), folder, contest, _scratch: scratch })
    }

    /// A basis in which nothing counts yet.
    #[must_use]
    pub fn empty_basis(&self) -> Basis {
        let missions = self.folder.file.missions.len();
        let entries = vec![vec![CountedSubmission::default(); missions]; self.folder.file.teams.len()];
        Basis { schema: BASIS_SCHEMA.to_owned(), sources: self.sources.clone(), entries }
    }

    /// The numbers of a team and a mission by their names.
    #[must_use]
    pub fn place(&self, team: &str, mission: &str) -> Option<(usize, usize)> {
        let team = self.folder.file.teams.iter().position(|entry| entry.name == team)?;
        let mission = self.folder.file.missions.iter().position(|entry| entry.name == mission)?;
        Some((team, mission))
    }

    /// The folder of the contest as this basis makes it; of its files none is there but those of the organisers.
    #[must_use]
    pub fn with(&self, basis: &Basis) -> ContestFolder {
        self.folder.with_file(contest_file(&self.folder, basis))
    }

    /// The key of the measurement of what a basis counts for a team in a mission; `written` is [`LoadedContest::with`] of the basis.
    #[must_use]
    pub fn key(&self, written: &ContestFolder, basis: &Basis, place: (usize, usize)) -> Option<String> {
        let frame = frame_hash(&self.folder.file, basis, place);
        let files = basis.entries[place.0][place.1].files_hash();
        let content = written.content(place, &files, frame.as_deref());
        self.contest.measurement_key(place, mapjudge::Figures::Draw, &content)
    }
}

fn copy(file: &FileRef, objects: &Objects, to: &Path) -> Result<(), JobsError> {
    if !is_inside(Path::new(&file.name)) {
        return Err(JobsError::content(format!("'{:.200}' is no name of a file", file.name)));
    }
    let path = to.join(&file.name);
    let copied = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| {
        let mut object = objects.open_object(&file.blake3)?;
        io::copy(&mut object, &mut fs::OpenOptions::new().write(true).create_new(true).open(&path)?)
    });
    copied.map(|_| ()).map_err(JobsError::files(file.name.clone()))
}

pub(crate) fn copy_all<'a>(
    files: impl IntoIterator<Item = &'a FileRef>,
    objects: &Objects,
    to: &Path,
) -> Result<(), JobsError> {
    files.into_iter().try_for_each(|file| copy(file, objects, to))
}

fn copy_frame(
    written: &ContestFile,
    basis: &Basis,
    (team, mission): (usize, usize),
    objects: &Objects,
    to: &Path,
) -> Result<(), JobsError> {
    let Some(hash) = &basis.entries[team][mission].frame else { return Ok(()) };
    let own = written.teams[team].missions.get(&written.missions[mission].name);
    let Some(name) = own.and_then(|own| own.align.as_ref()).and_then(|path| path.to_str()) else {
        return Ok(());
    };
    copy(&FileRef { name: name.to_owned(), blake3: hash.clone(), bytes: 0 }, objects, to)
}

fn write_contest_file(file: &ContestFile, name: &str, to: &Path) -> Result<(), JobsError> {
    write_file(to, name, file.to_toml()?.as_bytes())
}

/// Writes a file into a folder that is there.
pub(crate) fn write_file(folder: &Path, name: &str, bytes: &[u8]) -> Result<(), JobsError> {
    fs::write(folder.join(name), bytes).map_err(JobsError::files(name))
}

/// Writes the contest with one team and one mission, for the process that judges it.
///
/// # Errors
/// An object is missing, or the disk refuses.
pub fn write_alone(
    loaded: &LoadedContest,
    basis: &Basis,
    place: (usize, usize),
    objects: &Objects,
    to: &Path,
) -> Result<(), JobsError> {
    let written = contest_file(&loaded.folder, basis);
    let alone = written.alone(place.0, place.1);
    // The truth of other missions is not needed.
    let mut needed: BTreeSet<PathBuf> =
        loaded.contest.missions[place.1].inputs.iter().map(|input| PathBuf::from(&input.path)).collect();
    needed.extend(profile_path(&loaded.folder.file));
    needed.extend(frame_paths(&alone).cloned());
    needed.extend(truth_paths(&alone).cloned());
    needed.extend(truth_paths(&alone).filter_map(|path| archive_of(path)));
    let sources = &loaded.sources.sources;
    copy_all(sources.iter().filter(|source| needed.contains(Path::new(&source.name))), objects, to)?;
    copy_frame(&written, basis, place, objects, to)?;
    write_contest_file(&alone, &loaded.sources.contest, to)?;
    let folder = to.join(&folders(&loaded.folder.file, &loaded.sources)[place.0][place.1]);
    copy_all(&basis.entries[place.0][place.1].files, objects, &folder)
}

/// Writes the whole contest of a basis into an empty folder.
///
/// # Errors
/// An object is missing, or the disk refuses.
pub fn write_folder(
    loaded: &LoadedContest,
    basis: &Basis,
    objects: &Objects,
    to: &Path,
) -> Result<(), JobsError> {
    fs::create_dir_all(to).map_err(JobsError::files(to.display().to_string()))?;
    let contest = loaded.sources.contest.as_str();
    copy_all(loaded.sources.sources.iter().filter(|source| source.name != contest), objects, to)?;
    let written = contest_file(&loaded.folder, basis);
    write_contest_file(&written, contest, to)?;
    let folders = folders(&loaded.folder.file, &loaded.sources);
    for (team, missions) in basis.entries.iter().enumerate() {
        for (mission, entry) in missions.iter().enumerate() {
            copy_frame(&written, basis, (team, mission), objects, to)?;
            copy_all(&entry.files, objects, &to.join(&folders[team][mission]))?;
        }
    }
    Ok(())
}
