//! Results to a folder of files.
//!
//! The rule for every folder of results: a file is replaced only if a run of the same name made it (the same command; for
//! maps, logs and truths from the same inputs) and nobody has changed it since, or if the caller allows it; an input is
//! never replaced. All files of a run are written
//! beside their places and brought to the disk before the first of them is moved there. What the same run wrote before
//! and does not write now is removed, so that no old figure stays beside new numbers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use report::{Figure, Format, Report, error_table_names, errors_csv, render};

use super::earlier_results::{EarlierResults, LIST_NAME, Listed, RunName};
use super::staging::Staging;
use super::whole_file::append_line_file;
use super::{Overwrite, read_small, write_whole};
use crate::JobError;

/// No result of ours is longer.
const MAX_RESULT_BYTES: u64 = 1 << 30;

/// A folder that results are written into; made when the first file is written.
#[derive(Clone, Debug)]
pub struct OutputFolder {
    path: PathBuf,
    /// Folders between the one that a run guards and this one, with `/` behind each.
    below: String,
    /// None: each file is written at once, and whoever writes knows what it replaces.
    guarded: Option<Arc<Mutex<Guarded>>>,
}

#[derive(Debug)]
struct Guarded {
    root: PathBuf,
    overwrite: Overwrite,
    earlier: EarlierResults,
    /// Where files wait; made with the first of them.
    staging: Option<Staging>,
    /// Files that wait, by name.
    staged: BTreeMap<String, Listed>,
    /// Files of this run that are at their places, by name.
    done: BTreeMap<String, Listed>,
    replaced: usize,
}

/// What the end of a run changed beside its new files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replaced {
    /// Files with other content that were replaced.
    pub files: usize,
    /// Files of an earlier run that this one does not have; they are gone.
    pub removed: usize,
}

impl OutputFolder {
    /// The folder of this path, which need not exist. Files are replaced as they are written.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), below: String::new(), guarded: None }
    }

    /// The folder of this path for the results of a run. Files appear with [`OutputFolder::commit`] or
    /// [`OutputFolder::finish`].
    pub fn guarded(path: impl Into<PathBuf>, run: RunName, overwrite: Overwrite) -> Self {
        let path = path.into();
        let earlier = EarlierResults::read(&path, run);
        let guarded = Guarded {
            root: path.clone(),
            overwrite,
            earlier,
            staging: None,
            staged: BTreeMap::new(),
            done: BTreeMap::new(),
            replaced: 0,
        };
        Self { path, below: String::new(), guarded: Some(Arc::new(Mutex::new(guarded))) }
    }

    /// Whether files that are not of the same run may be replaced; always where nothing is guarded.
    #[must_use]
    pub fn overwrite(&self) -> Overwrite {
        self.guarded.as_ref().map_or(Overwrite::Allowed, |guarded| locked(guarded).overwrite)
    }

    /// The path of the folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A folder in this one, under the same guard.
    #[must_use]
    pub fn below(&self, name: &str) -> Self {
        let below = format!("{}{name}/", self.below);
        Self { path: self.path.join(name), below, guarded: self.guarded.clone() }
    }

    /// Writes a file below the folder; `name` may have folders of its own.
    ///
    /// # Errors
    /// The file is an input, or is there already and may not be replaced, or it or its folder cannot be written.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> Result<(), JobError> {
        let path = self.path.join(name);
        let Some(guarded) = &self.guarded else {
            make_parent(&path)?;
            return write_whole(&path, bytes);
        };
        locked(guarded).stage(&path, &format!("{}{name}", self.below), bytes.as_ref())
    }

    /// Refuses names that may not be written, before anything is computed. A file that the same run wrote may.
    ///
    /// # Errors
    /// A file of one of these names is an input, or is there already and may not be replaced.
    pub fn check(&self, names: &[&str]) -> Result<(), JobError> {
        let Some(guarded) = &self.guarded else { return Ok(()) };
        let guarded = locked(guarded);
        let is_input = |name: &&&str| guarded.earlier.run().is_input(&self.path.join(name));
        if let Some(name) = names.iter().find(is_input) {
            return Err(JobError::OverInput { path: self.path.join(name).display().to_string() });
        }
        let may_write = |name: &&str| {
            guarded.check(&self.path.join(name), &format!("{}{name}", self.below), None).map(|_| ())
        };
        names.iter().try_for_each(may_write)
    }

    /// Brings everything written so far to its place.
    ///
    /// # Errors
    /// A file cannot be written; then none is replaced.
    pub fn commit(&self) -> Result<(), JobError> {
        self.guarded.as_ref().map_or(Ok(()), |guarded| locked(guarded).commit())
    }

    /// Brings everything to its place and removes what an earlier run of the same name has left.
    ///
    /// # Errors
    /// A file cannot be written; then none is replaced.
    pub fn finish(&self) -> Result<Replaced, JobError> {
        match &self.guarded {
            Some(guarded) => locked(guarded).finish(),
            None => Ok(Replaced { files: 0, removed: 0 }),
        }
    }

    /// Writes a figure under its name behind a prefix, one of lines and text as PDF too.
    ///
    /// # Errors
    /// The figure cannot be drawn or written.
    pub fn write_figure(&self, prefix: &str, figure: &Figure) -> Result<(), JobError> {
        self.write(&format!("{prefix}{}", figure.file_name()), figure.bytes()?)?;
        match figure.pdf()? {
            Some(pdf) => self.write(&format!("{prefix}{}.pdf", figure.name), pdf),
            None => Ok(()),
        }
    }
}

/// A writer that panicked has staged whole files or none.
fn locked(guarded: &Mutex<Guarded>) -> MutexGuard<'_, Guarded> {
    guarded.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn make_parent(path: &Path) -> Result<(), JobError> {
    match path.parent() {
        Some(folder) => std::fs::create_dir_all(folder).map_err(|source| JobError::output(folder, source)),
        None => Ok(()),
    }
}

impl Guarded {
    /// Whether a file may be written here; true if one with other content is replaced.
    fn check(&self, path: &Path, name: &str, new: Option<&[u8]>) -> Result<bool, JobError> {
        if !path.exists() {
            return Ok(false);
        }
        if self.earlier.run().is_input(path) {
            return Err(JobError::OverInput { path: path.display().to_string() });
        }
        // One that is longer or cannot be read is somebody else's.
        let there = read_small(path, MAX_RESULT_BYTES).ok();
        let is = |test: &dyn Fn(&[u8]) -> bool| there.as_deref().is_some_and(test);
        if is(&|there| new == Some(there) || self.done.get(name) == Some(&self.earlier.line(name, there))) {
            return Ok(false);
        }
        if self.overwrite == Overwrite::Allowed || is(&|there| self.earlier.has(name, there)) {
            return Ok(true);
        }
        Err(JobError::NotOurs(path.display().to_string()))
    }

    fn stage(&mut self, path: &Path, name: &str, bytes: &[u8]) -> Result<(), JobError> {
        self.replaced += usize::from(self.check(path, name, Some(bytes))?);
        if self.staging.is_none() {
            self.staging = Some(Staging::begin(&self.root)?);
        }
        if let Some(staging) = &self.staging {
            staging.write(name, bytes)?;
        }
        self.staged.insert(name.to_owned(), self.earlier.line(name, bytes));
        Ok(())
    }

    fn commit(&mut self) -> Result<(), JobError> {
        let Some(staging) = self.staging.take() else { return Ok(()) };
        let staged = std::mem::take(&mut self.staged);
        staged.keys().try_for_each(|name| staging.sync(name))?;
        let lines: Vec<Listed> = staged.values().cloned().collect();
        append_line_file(&self.root.join(LIST_NAME), &self.earlier.appended(&lines))?;
        for name in staged.keys() {
            let path = self.root.join(name);
            make_parent(&path)?;
            staging.place(name, &path)?;
        }
        self.done.extend(staged);
        Ok(())
    }

    fn finish(&mut self) -> Result<Replaced, JobError> {
        self.commit()?;
        let mut removed = 0;
        for name in self.earlier.names().iter().filter(|name| !self.done.contains_key(*name)) {
            removed += usize::from(self.remove(name));
        }
        if !self.done.is_empty() {
            let lines: Vec<Listed> = self.done.values().cloned().collect();
            write_whole(&self.root.join(LIST_NAME), self.earlier.after(&lines))?;
        }
        Ok(Replaced { files: self.replaced, removed })
    }

    /// Removes a file that still has the bytes that an earlier run wrote, and the folders that become empty by that.
    fn remove(&self, name: &str) -> bool {
        let path = self.root.join(name);
        let is_file = path.symlink_metadata().is_ok_and(|metadata| metadata.is_file());
        let is_untouched =
            || read_small(&path, MAX_RESULT_BYTES).is_ok_and(|bytes| self.earlier.has(name, &bytes));
        let is_ours = is_file && is_untouched() && !self.earlier.run().is_input(&path);
        if !is_ours || std::fs::remove_file(&path).is_err() {
            return false;
        }
        for parent in path.ancestors().skip(1).take_while(|parent| *parent != self.root) {
            // One that is not empty stays, and so do those above it.
            if std::fs::remove_dir(parent).is_err() {
                break;
            }
        }
        true
    }
}

/// Writes `report.json`, `report.html`, every table of errors and every figure into a folder; `junit.xml` too if there were
/// limits or a baseline.
///
/// # Errors
/// A file cannot be written, or a page cannot be made.
pub fn write_report(folder: &OutputFolder, report: &Report) -> Result<(), JobError> {
    for (format, name) in [(Format::Json, "report.json"), (Format::Html, "report.html")] {
        folder.write(name, render(report, format)?)?;
    }
    for name in error_table_names(report) {
        folder.write(&format!("{name}.csv"), errors_csv(report, name))?;
    }
    if !report.limits.is_empty() || report.baseline.is_some() {
        folder.write("junit.xml", render(report, Format::Junit)?)?;
    }
    for figure in report::run_figures(report) {
        folder.write_figure("", &figure)?;
    }
    for case in &report.cases {
        let stem: String = case.name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
        for figure in &case.figures {
            folder.write_figure(&format!("{stem}_"), figure)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(input: &str) -> RunName {
        RunName::new("map", &[], &[input])
    }

    fn guarded(path: &Path, input: &str) -> OutputFolder {
        OutputFolder::guarded(path, run(input), Overwrite::Refused)
    }

    #[test]
    fn the_same_run_replaces_its_files_and_removes_those_it_no_longer_has() {
        let folder = tempfile::tempdir().unwrap();
        let text = |name: &str| std::fs::read_to_string(folder.path().join(name)).ok();
        let first = guarded(folder.path(), "a.log");
        first.write("map.pgm", "1").unwrap();
        first.below("figures").write("old.svg", "1").unwrap();
        assert_eq!(text("map.pgm"), None, "nothing appears before the end");
        assert_eq!(first.finish().unwrap(), Replaced { files: 0, removed: 0 });
        let second = guarded(folder.path(), "a.log");
        second.write("map.pgm", "2").unwrap();
        assert_eq!(second.finish().unwrap(), Replaced { files: 1, removed: 1 });
        assert_eq!((text("map.pgm"), text("figures/old.svg")), (Some("2".to_owned()), None));
        let other = guarded(folder.path(), "b.log");
        assert!(matches!(other.write("map.pgm", "3"), Err(JobError::NotOurs(_))));
        assert!(matches!(other.check(&["map.pgm"]), Err(JobError::NotOurs(_))));
        other.write("other.pgm", "3").unwrap();
        other.write("map.pgm", "2").unwrap();
        assert_eq!(other.finish().unwrap(), Replaced { files: 0, removed: 0 });
        let third = OutputFolder::guarded(folder.path(), run("c.log").unrepeatable(), Overwrite::Allowed);
        third.write("map.pgm", "4").unwrap();
        third.finish().unwrap();
        let again = OutputFolder::guarded(folder.path(), run("c.log").unrepeatable(), Overwrite::Refused);
        assert!(again.write("map.pgm", "5").is_err(), "what comes once is never the same run");
    }

    #[test]
    fn a_killed_run_may_go_on_and_an_edited_file_is_a_persons() {
        let folder = tempfile::tempdir().unwrap();
        let killed = guarded(folder.path(), "a.log");
        killed.write("map.pgm", "1").unwrap();
        killed.commit().unwrap();
        drop(killed);
        let again = guarded(folder.path(), "a.log");
        again.write("map.pgm", "2").unwrap();
        again.finish().unwrap();
        std::fs::write(folder.path().join("map.pgm"), "edited").unwrap();
        let third = guarded(folder.path(), "a.log");
        assert!(matches!(third.write("map.pgm", "3"), Err(JobError::NotOurs(_))));
        third.write("new.pgm", "3").unwrap();
        assert_eq!(third.finish().unwrap().removed, 0);
        assert_eq!(std::fs::read_to_string(folder.path().join("map.pgm")).unwrap(), "edited");
    }

    #[test]
    fn a_run_that_breaks_off_changes_nothing_and_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let count = || std::fs::read_dir(folder.path()).unwrap().count();
        let first = guarded(folder.path(), "a.log");
        for name in ["index.html", "teams/a/sheet.html", "teams/b/sheet.html", "teams/c/sheet.html"] {
            first.write(name, "1").unwrap();
        }
        first.finish().unwrap();
        std::fs::write(folder.path().join("teams/b/notes.txt"), "mine").unwrap();
        let broken_off = guarded(folder.path(), "a.log");
        broken_off.write("index.html", "2").unwrap();
        assert_eq!(std::fs::read_to_string(folder.path().join("index.html")).unwrap(), "1");
        assert_eq!(count(), 4, "the page, the teams, the list, and what waits");
        drop(broken_off);
        assert_eq!(count(), 3);
        let second = guarded(folder.path(), "a.log");
        second.write("index.html", "2").unwrap();
        second.write("teams/a/sheet.html", "2").unwrap();
        assert_eq!(second.finish().unwrap(), Replaced { files: 2, removed: 2 });
        let is_there = |name: &str| folder.path().join(name).exists();
        assert!(is_there("teams/b/notes.txt") && !is_there("teams/b/sheet.html"));
        assert!(!is_there("teams/c"), "an empty folder goes with its last file");
    }

    #[test]
    fn a_folder_in_the_place_of_a_file_is_somebodys() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("map.pgm")).unwrap();
        let results = guarded(folder.path(), "a.log");
        assert!(matches!(results.write("map.pgm", "1"), Err(JobError::NotOurs(_))));
    }

    #[test]
    fn a_list_from_elsewhere_leads_nowhere() {
        let folder = tempfile::tempdir().unwrap();
        let (inside, outside) = (folder.path().join("results"), folder.path().join("mine"));
        std::fs::create_dir(&inside).unwrap();
        std::fs::write(&outside, "mine").unwrap();
        let lines = EarlierResults::read(&inside, run("a.log"));
        let line = lines.line("../mine", b"mine");
        std::fs::write(inside.join(LIST_NAME), lines.appended(&[line])).unwrap();
        let results = guarded(&inside, "a.log");
        results.write("map.pgm", "1").unwrap();
        assert_eq!(results.finish().unwrap().removed, 0);
        assert!(outside.exists());
    }
}
