//! Reads a map with its hashes, and names the files as the report shows them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use align::Anchoring;
use formats::{Georeference, ReadOptions, read_map_in_pieces};
use model::{Finding, Grid};
use report::Input;

use crate::JobError;

/// A map that was read, with what the report says about its files.
pub struct MapInput {
    /// The path as given.
    pub path: PathBuf,
    /// The cells.
    pub grid: Arc<Grid>,
    /// Whether its origin means anything.
    pub anchoring: Anchoring,
    /// What the reader noticed, each message led by the role.
    pub findings: Vec<Finding>,
    /// The files with their hashes.
    pub records: Vec<Input>,
    /// Paths of the same files.
    pub files: Vec<PathBuf>,
}

impl MapInput {
    /// Reads a map file as `role` (`map` or `truth`).
    ///
    /// # Errors
    /// The file cannot be read as a map.
    pub fn read(path: &Path, role: &str, options: &ReadOptions) -> Result<Self, JobError> {
        let mut hashes: Vec<(PathBuf, blake3::Hasher)> = Vec::new();
        let mut observe = |path: &Path, piece: &[u8]| {
            if hashes.last().is_none_or(|(last, _)| last != path) {
                hashes.push((path.to_owned(), blake3::Hasher::new()));
            }
            if let Some((_, hasher)) = hashes.last_mut() {
                hasher.update(piece);
            }
        };
        let file = read_map_in_pieces(path, options, &mut observe)?;
        let files = hashes.iter().map(|(path, _)| path.clone()).collect();
        let record = |(index, (path, hasher)): (usize, (PathBuf, blake3::Hasher))| Input {
            role: if index == 0 { role.to_owned() } else { format!("{role}_image") },
            path: shown(&path),
            blake3: hasher.finalize().to_hex().to_string(),
            format: if index == 0 { file.format.to_owned() } else { "image".to_owned() },
        };
        let records = hashes.into_iter().enumerate().map(record).collect();
        let findings =
            file.findings.into_iter().map(|f| Finding { message: format!("{role}: {}", f.message), ..f });
        let anchoring = match file.georeference {
            Georeference::FromFile | Georeference::FromOptions => Anchoring::Given,
            Georeference::Assumed => Anchoring::Assumed,
        };
        let (grid, findings) = (Arc::new(file.grid), findings.collect());
        Ok(Self { path: path.to_owned(), grid, anchoring, findings, records, files })
    }
}

/// A file with its hash, as the report names it.
pub fn input_record(path: &Path, role: &str, format: &str) -> Result<Input, JobError> {
    let mut hasher = blake3::Hasher::new();
    let file = std::fs::File::open(path).map_err(|source| JobError::file(path, source))?;
    hasher.update_reader(file).map_err(|source| JobError::file(path, source))?;
    Ok(Input {
        role: role.to_owned(),
        path: shown(path),
        blake3: hasher.finalize().to_hex().to_string(),
        format: format.to_owned(),
    })
}

/// The path as given; the file name alone if it was absolute, so that a report says nothing about a machine.
pub fn shown(path: &Path) -> String {
    let relative = if path.is_absolute() { path.file_name().map_or(path, Path::new) } else { path };
    relative.display().to_string()
}

/// A name per map for tables: the file's stem, with its folder or a number where two would be equal.
pub fn case_names(maps: &[PathBuf]) -> Vec<String> {
    let stem =
        |path: &PathBuf| path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
    let with_folder = |path: &PathBuf| {
        let folder = path.parent().and_then(Path::file_name);
        folder.map_or_else(|| stem(path), |f| format!("{}/{}", f.to_string_lossy(), stem(path)))
    };
    let mut names: Vec<String> = maps.iter().map(stem).collect();
    let is_repeated = |names: &[String], name: &String| names.iter().filter(|n| *n == name).count() > 1;
    let longer = maps.iter().zip(&names);
    names = longer.map(|(m, n)| if is_repeated(&names, n) { with_folder(m) } else { n.clone() }).collect();
    let numbered = names.iter().enumerate().map(|(index, name)| {
        let before = names[..index].iter().filter(|n| *n == name).count();
        if before == 0 { name.clone() } else { format!("{name} ({})", before + 1) }
    });
    numbered.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_and_unique() {
        let names = |paths: &[&str]| case_names(&paths.iter().map(PathBuf::from).collect::<Vec<_>>());
        assert_eq!(names(&["a/one.pgm", "a/two.pgm"]), ["one", "two"]);
        assert_eq!(names(&["a/map.pgm", "b/map.pgm", "c.pgm"]), ["a/map", "b/map", "c"]);
        assert_eq!(names(&["map.pgm", "map.png"]), ["map", "map (2)"]);
    }

    #[test]
    fn absolute_paths_do_not_leave_the_machine() {
        assert_eq!(shown(Path::new("/home/somebody/map.yaml")), "map.yaml");
        assert_eq!(shown(Path::new("maps/map.yaml")), "maps/map.yaml");
    }

    #[test]
    fn hashes_cover_every_byte_of_every_file() {
        let folder = tempfile::tempdir().unwrap();
        let grid = testkit::grid(["#.#.", "?.??"]);
        let trailing = vec![b'\n'; 400_000];
        let files = [
            ("map.png", formats::write_png(&grid).unwrap()),
            ("map.pgm", formats::write_pgm(&grid)),
            ("map.txt", formats::write_text_grid(&grid).into_bytes()),
        ];
        for (name, bytes) in files {
            let path = folder.path().join(name);
            std::fs::write(&path, [bytes, trailing.clone()].concat()).unwrap();
            let input = MapInput::read(&path, "map", &ReadOptions::default()).unwrap();
            let whole = blake3::hash(&std::fs::read(&path).unwrap()).to_hex().to_string();
            assert_eq!(input.records[0].blake3, whole, "{name}");
        }
    }
}
