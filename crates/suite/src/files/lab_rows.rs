//! The rows of a lab as a file of JSON lines that a later run goes on with.
//!
//! The first line names what the rows belong to: inputs, plan and program. Rows of another lab are not used. A line that a
//! killed run did not finish is left out.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use serde::{Deserialize, Serialize};

use super::whole_file::append_line_file;
use super::{read_small_text, write_whole};
use crate::JobError;
use crate::lab::{KnownRows, LabPair, LabPlan, LabRow};
use crate::{Loaded, Map};

/// Rows are read back only from files up to this size.
const MAX_BYTES: u64 = 1 << 30;

/// The first line of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Head {
    schema: String,
    /// BLAKE3 of inputs, plan and program.
    lab: String,
}

const SCHEMA: &str = "mapjudge.lab_rows/1";
/// Name of the file in the folder of the results, until they are written.
const NAME: &str = "rows.jsonl";

/// The file of rows of one lab.
pub struct LabRowFile {
    path: PathBuf,
    known: Vec<LabRow>,
    /// Lines are appended one at a time.
    writing: Mutex<()>,
}

impl LabRowFile {
    /// Opens the rows of a lab below a folder, or begins them anew.
    ///
    /// # Errors
    /// The folder cannot be written to.
    pub fn open(folder: &Path, maps: &[(String, Loaded<Map>)], plan: &LabPlan) -> Result<Self, JobError> {
        std::fs::create_dir_all(folder).map_err(|source| JobError::output(folder, source))?;
        let path = folder.join(NAME);
        let head = Head { schema: SCHEMA.to_owned(), lab: identity(maps, plan)? };
        let text = if path.is_file() {
            read_small_text(&path, MAX_BYTES).unwrap_or_default()
        } else {
            String::new()
        };
        let mut lines = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
        let is_same =
            lines.next().and_then(|line| serde_json::from_str::<Head>(line).ok()).as_ref() == Some(&head);
        let known: Vec<LabRow> = if is_same {
            lines.filter_map(|line| serde_json::from_str(line).ok()).collect()
        } else {
            Vec::new()
        };
        let file = Self { path, known, writing: Mutex::new(()) };
        // Written anew, so that the next line does not follow half of one.
        write_whole(&file.path, file.text(&head, &file.known)?)?;
        Ok(file)
    }

    /// How many rows are there already.
    #[must_use]
    pub fn known_rows(&self) -> usize {
        self.known.len()
    }

    /// Removes the rows below a folder: the results are written.
    pub fn remove(folder: &Path) {
        // What cannot be removed is only in the way.
        let _ = std::fs::remove_file(folder.join(NAME));
    }

    fn text(&self, head: &Head, rows: &[LabRow]) -> Result<String, JobError> {
        let mut text = line(&self.path, head)?;
        for row in rows {
            text.push_str(&line(&self.path, row)?);
        }
        Ok(text)
    }
}

fn line(path: &Path, value: &impl Serialize) -> Result<String, JobError> {
    let text = serde_json::to_string(value)
        .map_err(|error| JobError::Unwritable { output: path.display().to_string(), why: error.to_string() });
    Ok(text? + "\n")
}

/// What the rows follow from.
fn identity(maps: &[(String, Loaded<Map>)], plan: &LabPlan) -> Result<String, JobError> {
    let mut hasher = blake3::Hasher::new();
    let kinds: Vec<&str> = plan.kinds.iter().map(|kind| kind.spec.name).collect();
    let ids = plan.metric_ids()?;
    let words = format!(
        "{} {} {kinds:?} {ids:?} {} {} {:?} {}",
        env!("CARGO_PKG_VERSION"),
        SCHEMA,
        plan.levels,
        plan.seeds,
        plan.align,
        plan.seed
    );
    hasher.update(words.as_bytes());
    for (name, map) in maps {
        hasher.update(name.as_bytes());
        let geometry = map.value.grid.geometry();
        hasher.update(format!("{geometry:?}").as_bytes());
        hasher.update(map.value.grid.class_bytes());
    }
    Ok(hasher.finalize().to_hex().to_string())
}

impl KnownRows for LabRowFile {
    fn known(&self, pair: &LabPair) -> Option<LabRow> {
        self.known.iter().find(|row| row.is_of(pair)).cloned()
    }

    fn keep(&self, row: &LabRow) -> Result<(), JobError> {
        let text = line(&self.path, row)?;
        let _one_at_a_time = self.writing.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        append_line_file(&self.path, &text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::run_lab;

    fn maps() -> Vec<(String, Loaded<Map>)> {
        let grid = testkit::grid(["#####", "#...#", "#...#", "#####"]);
        vec![("small".to_owned(), Loaded::in_memory(Map::new(grid)))]
    }

    fn plan() -> LabPlan {
        let kinds = ["noise", "mirror"].map(|name| sim::damage::Kind::find(name).unwrap()).to_vec();
        LabPlan { kinds, metrics: vec!["cells".to_owned()], levels: 2, seeds: 2, ..LabPlan::default() }
    }

    #[test]
    fn a_killed_run_goes_on_and_gives_the_same_rows() {
        let folder = tempfile::tempdir().unwrap();
        let whole = run_lab(&maps(), &plan(), &crate::lab::NoRows, &|_| {}).unwrap();
        let rows = LabRowFile::open(folder.path(), &maps(), &plan()).unwrap();
        run_lab(&maps(), &plan(), &rows, &|_| {}).unwrap();
        // Killed in the middle of a line, after about half of them.
        let path = folder.path().join("rows.jsonl");
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, &text[..text.len() / 2]).unwrap();
        let rows = LabRowFile::open(folder.path(), &maps(), &plan()).unwrap();
        assert!(rows.known_rows() > 3 && rows.known_rows() < whole.rows.len());
        assert_eq!(run_lab(&maps(), &plan(), &rows, &|_| {}).unwrap(), whole);
        let other = LabPlan { seed: 2, ..plan() };
        assert_eq!(LabRowFile::open(folder.path(), &maps(), &other).unwrap().known_rows(), 0, "another lab");
    }
}
