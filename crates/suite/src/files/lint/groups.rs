//! Folders and archives of submissions, looked through team by team.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use formats::ReadOptions;
use model::{Finding, Level};

use super::world_file::is_world_file;
use super::{Linted, Profile, lint, lint_inside};
use crate::JobError;
use crate::files::archive::{Unpacked, is_archive};
use crate::files::truth_names::is_truth_name;
use crate::files::walk::{companions, ending, is_junk, walk};

/// Endings of files that mapjudge may be asked about. Others, such as a film or a letter, are left alone.
const ENDINGS: [&str; 26] = [
    "bag",
    "bmp",
    "clf",
    "csv",
    "db3",
    "g2o",
    "geojson",
    "gfs",
    "graph",
    "jpeg",
    "jpg",
    "log",
    "mcap",
    "mif",
    "pgm",
    "png",
    "pnm",
    "pts",
    "rawlog",
    "relations",
    "tif",
    "tiff",
    "toro",
    "tum",
    "yaml",
    "yml",
];

/// The files of one team, of the truth, or those that were named one by one.
#[derive(Clone, Debug)]
pub struct Group {
    /// Name of the team; empty for files that were named one by one.
    pub name: String,
    /// Whether the name speaks of the truth.
    pub is_truth: bool,
    /// The files to look at, sorted.
    pub files: Vec<PathBuf>,
    /// Files of no kind that mapjudge reads.
    pub skipped: Vec<PathBuf>,
    /// The folder that all files must lie in.
    inside: Option<PathBuf>,
    /// Where an archive was unpacked, and the folder that it stands for.
    unpacked: Option<(Arc<Unpacked>, PathBuf)>,
    /// Why the files cannot be had.
    fault: Option<(PathBuf, String)>,
}

impl Group {
    fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            is_truth: is_truth_name(name),
            files: Vec::new(),
            skipped: Vec::new(),
            inside: None,
            unpacked: None,
            fault: None,
        }
    }

    /// The folder that all files must lie in, with those that they name; none for files that were named one by one.
    #[must_use]
    pub fn inside(&self) -> Option<&Path> {
        self.inside.as_deref()
    }

    /// Whether the files lie in an archive, where nothing can be written beside them.
    #[must_use]
    pub const fn is_archived(&self) -> bool {
        self.unpacked.is_some()
    }

    /// A path as people know it: that of an archive instead of a temporary folder.
    #[must_use]
    pub fn shown(&self, path: &Path) -> PathBuf {
        let Some((unpacked, archive)) = &self.unpacked else { return path.to_owned() };
        path.strip_prefix(unpacked.folder()).map_or_else(|_| path.to_owned(), |inner| archive.join(inner))
    }

    fn said(&self, text: &str) -> String {
        let Some((unpacked, archive)) = &self.unpacked else { return text.to_owned() };
        text.replace(&unpacked.folder().display().to_string(), &archive.display().to_string())
    }

    /// Takes files in, without companions of others and without what nobody asks about.
    fn take(&mut self, files: Vec<PathBuf>) {
        let belonging = companions(&files);
        let is_layout =
            |path: &PathBuf| ending(path) == "toml" && name_of(path).to_lowercase().contains("layout");
        let known = |path: &PathBuf| {
            ENDINGS.contains(&ending(path).as_str()) || is_world_file(path) || is_layout(path)
        };
        let own = files.into_iter().filter(|file| !belonging.contains(file));
        let (files, skipped): (Vec<PathBuf>, Vec<PathBuf>) = own.partition(known);
        self.files.extend(files);
        self.skipped.extend(skipped);
    }
}

/// Whether a path is looked through: a folder that is no bag, or an archive.
#[must_use]
pub fn is_group(path: &Path) -> bool {
    (path.is_dir() && !path.join("metadata.yaml").is_file()) || (is_archive(path) && path.is_file())
}

/// The files behind paths: of a folder or an archive those of each folder and archive in it, by team.
///
/// # Errors
/// A folder cannot be read.
pub fn groups(paths: &[PathBuf]) -> Result<Vec<Group>, JobError> {
    let mut found = Vec::new();
    let mut named = Group::new("");
    for path in paths {
        if !is_group(path) {
            named.files.push(path.clone());
        } else if is_archive(path) {
            let unpacked = Unpacked::of(path).map(Arc::new)?;
            let whole = Some((unpacked.clone(), path.clone()));
            found.extend(groups_of(unpacked.folder(), &name_of(path), whole)?);
        } else {
            found.extend(groups_of(path, &name_of(path), None)?);
        }
    }
    if !named.files.is_empty() {
        found.insert(0, named);
    }
    Ok(found)
}

/// One group per folder and archive in a folder; one for the files beside them.
fn groups_of(
    folder: &Path,
    name: &str,
    unpacked: Option<(Arc<Unpacked>, PathBuf)>,
) -> Result<Vec<Group>, JobError> {
    let listing = std::fs::read_dir(folder).map_err(|source| JobError::file(folder, source))?;
    let mut entries: Vec<PathBuf> = listing.filter_map(|entry| Some(entry.ok()?.path())).collect();
    entries.retain(|path| !is_junk(&name_of(path)));
    entries.sort();
    if let [only] = entries.as_slice()
        && only.is_dir()
        && !only.is_symlink()
    {
        return groups_of(only, &name_of(only), unpacked);
    }
    let mut found = Vec::new();
    let mut beside =
        Group { unpacked: unpacked.clone(), inside: Some(folder.to_owned()), ..Group::new(name) };
    let mut files = Vec::new();
    for path in entries.into_iter().filter(|path| !path.is_symlink()) {
        let name = name_of(&path);
        if path.is_dir() {
            let mut group =
                Group { unpacked: unpacked.clone(), inside: Some(path.clone()), ..Group::new(&name) };
            group.take(walk(&path)?);
            found.push(group);
        } else if is_archive(&path) {
            found.push(archived(&path, name.strip_suffix(".zip").unwrap_or(&name)));
        } else if path.is_file() {
            files.push(path);
        }
    }
    beside.take(files);
    if !(beside.files.is_empty() && beside.skipped.is_empty()) || found.is_empty() {
        // Files beside folders of teams are those of the organisers.
        beside.is_truth |= !found.is_empty();
        found.insert(0, beside);
    }
    Ok(found)
}

fn archived(path: &Path, name: &str) -> Group {
    let mut group = Group::new(name);
    match Unpacked::of(path).map(Arc::new) {
        Ok(unpacked) => {
            group.inside = Some(unpacked.folder().to_owned());
            let files = walk(unpacked.folder()).unwrap_or_default();
            group.unpacked = Some((unpacked, path.to_owned()));
            group.take(files);
        }
        Err(error) => group.fault = Some((path.to_owned(), error.to_string())),
    }
    group
}

fn name_of(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    name.unwrap_or_else(|| path.display().to_string())
}

/// What was found in the files of a group.
#[derive(Clone, Debug)]
pub struct LintedGroup {
    /// The group.
    pub group: Group,
    /// Its files, under the paths that people know.
    pub files: Vec<Linted>,
}

impl LintedGroup {
    /// Whether a file of it cannot be accepted, or there is none.
    #[must_use]
    pub fn is_broken(&self) -> bool {
        self.files.is_empty() || self.files.iter().any(Linted::has_errors)
    }
}

/// Checks the files of each group, and then those of a group together where the profile has rules for that.
#[must_use]
pub fn lint_groups(groups: Vec<Group>, profile: Profile, options: &ReadOptions) -> Vec<LintedGroup> {
    let one = |group: Group| {
        let linted = match &group.inside {
            Some(inside) => lint_inside(Some(inside), &group.files, profile, options),
            None => lint(&group.files, profile, options),
        };
        // Files of the organisers are no submission.
        let is_about_submission = |finding: &Finding| !group.is_truth || finding.code != "VICTIMS_MISSING";
        let shown = |linted: Linted| Linted {
            path: group.shown(&linted.path),
            findings: linted
                .findings
                .into_iter()
                .filter(is_about_submission)
                .map(|finding| finding_of_group(&group, finding))
                .collect(),
        };
        let fault = group.fault.iter().map(|(path, why)| Linted {
            path: path.clone(),
            findings: vec![Finding::new(Level::Error, "CANNOT_READ", why.clone())],
        });
        let files = fault.chain(linted.into_iter().map(shown)).collect();
        LintedGroup { files, group }
    };
    groups.into_iter().map(one).collect()
}

fn finding_of_group(group: &Group, finding: Finding) -> Finding {
    let hint = finding.hint.as_deref().map(|hint| group.said(hint));
    Finding { message: group.said(&finding.message), hint, ..finding }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::contest::Zip;

    const LIST: &str = "\"pois\"\n\"1.2\"\n\"T\"\n\"DE\"\n\"2025-07-19\"\n\"12:00:00\"\n\"finals\"\n\n\
                        id,time,text,x,y,z,robot,mode,type\n1,12:01:00,\"a\",1,2,0,\"r1\",A,qr\n";

    #[test]
    fn a_stick_is_grouped_by_team_and_junk_is_left_alone() {
        let stick = tempfile::tempdir().unwrap();
        let write = |name: &str, bytes: &[u8]| {
            let path = stick.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        };
        write("a/pois.csv", LIST.as_bytes());
        write("a/map.yaml", b"image: map.pgm\nresolution: 0.05\norigin: [0, 0, 0]\n");
        write("a/map.pgm", b"P5 1 1 255\n\x00");
        write("a/Thumbs.db", b"x");
        write("a/readme.txt", b"hello");
        write("b/deep/pois.csv", b"nonsense");
        write("truth/pois.csv", LIST.as_bytes());
        let mut zip = Zip::default();
        zip.add("c/pois.csv", LIST.as_bytes()).unwrap();
        write("c.zip", &zip.finish().unwrap());
        write("d.zip", b"no archive");
        let linted = lint_groups(
            groups(&[stick.path().to_owned()]).unwrap(),
            Profile::General,
            &ReadOptions::default(),
        );
        let facts: Vec<(&str, bool, usize, bool)> = linted
            .iter()
            .map(|one| (one.group.name.as_str(), one.group.is_truth, one.files.len(), one.is_broken()))
            .collect();
        let expected = [
            ("a", false, 2, false),
            ("b", false, 1, true),
            ("c", false, 1, false),
            ("d", false, 1, true),
            ("truth", true, 1, false),
        ];
        assert_eq!(facts, expected);
        assert_eq!(linted[0].group.skipped.len(), 1);
        assert_eq!(linted[2].files[0].path, stick.path().join("c.zip/c/pois.csv"));
        assert!(linted[2].group.is_archived() && !linted[0].group.is_archived());
    }
}
