//! The files of a folder that somebody handed in, without what systems and programs leave behind.

use std::path::{Path, PathBuf};

use crate::JobError;

/// More files than this are no submissions.
const MAX_FILES: usize = 20_000;
/// Deeper folders are not looked into.
const MAX_DEPTH: usize = 8;

/// Whether a file or folder was left by a system or a program: `Thumbs.db`, `.DS_Store`, `~$list.csv`, `__MACOSX`.
#[must_use]
pub fn is_junk(name: &str) -> bool {
    let lower = name.to_lowercase();
    let is_known = ["thumbs.db", "desktop.ini", "__macosx", "$recycle.bin", "system volume information"]
        .contains(&lower.as_str());
    is_known
        || lower.starts_with('.')
        || lower.starts_with("~$")
        || lower.ends_with('~')
        || lower.ends_with(".tmp")
}

/// Regular files below a folder, sorted by path. Links and junk are left out.
///
/// # Errors
/// The folder cannot be read, or holds too many files.
pub fn walk(folder: &Path) -> Result<Vec<PathBuf>, JobError> {
    let mut found = Vec::new();
    let mut open = vec![(folder.to_owned(), 0)];
    while let Some((place, depth)) = open.pop() {
        let entries = std::fs::read_dir(&place).map_err(|source| JobError::file(&place, source))?;
        for entry in entries.filter_map(Result::ok) {
            let Ok(kind) = entry.file_type() else { continue };
            if is_junk(&entry.file_name().to_string_lossy()) {
                continue;
            }
            if kind.is_dir() && depth < MAX_DEPTH {
                open.push((entry.path(), depth + 1));
            } else if kind.is_file() {
                found.push(entry.path());
            }
            if found.len() + open.len() > MAX_FILES {
                let message = format!("more than {MAX_FILES} files");
                let place = folder.display().to_string();
                return Err(JobError::contest(place, message, "name the folder of the submissions alone"));
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The ending of a file name in lower case; empty for none.
pub(crate) fn ending(path: &Path) -> String {
    path.extension().map_or_else(String::new, |ending| ending.to_string_lossy().to_lowercase())
}

/// Files that belong to one of the others and mean nothing alone: the image that a YAML names, the `.mid` of a `.mif`.
pub(crate) fn companions(files: &[PathBuf]) -> Vec<PathBuf> {
    let mut belonging = Vec::new();
    for file in files {
        match ending(file).as_str() {
            "yaml" | "yml" => belonging.extend(image_of(file)),
            "mif" => belonging.extend(["mid", "MID", "Mid"].map(|ending| file.with_extension(ending))),
            _ => {}
        }
    }
    belonging
}

/// A YAML of a map is shorter.
const MAX_YAML_BYTES: u64 = 1 << 16;

/// The image that a YAML names, where a reader would look for it: at the stated place, or beside the file.
fn image_of(yaml: &Path) -> Vec<PathBuf> {
    use std::io::Read;
    let mut text = String::new();
    let Ok(file) = std::fs::File::open(yaml) else { return Vec::new() };
    if file.take(MAX_YAML_BYTES).read_to_string(&mut text).is_err() {
        return Vec::new();
    }
    let line = text.lines().find_map(|line| line.trim_start().strip_prefix("image:"));
    let Some(stated) =
        line.map(|line| line.split(" #").next().unwrap_or(line).trim().trim_matches(['\'', '"']))
    else {
        return Vec::new();
    };
    let folder = yaml.parent().unwrap_or(Path::new(""));
    let bare = stated.rsplit(['/', '\\']).next().unwrap_or(stated);
    vec![folder.join(stated), folder.join(bare)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn junk_and_links_are_left_out_and_the_rest_is_sorted() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b/pois.csv", "a.txt", "Thumbs.db", ".DS_Store", "b/~$pois.csv", "__MACOSX/b/pois.csv"] {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "x").unwrap();
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink("/etc/passwd", folder.path().join("link.csv")).unwrap();
        let found = walk(folder.path()).unwrap();
        let names: Vec<_> = found.iter().map(|path| path.strip_prefix(folder.path()).unwrap()).collect();
        assert_eq!(names, [Path::new("a.txt"), Path::new("b/pois.csv")]);
    }

    #[test]
    fn the_image_of_a_yaml_belongs_to_it() {
        let folder = tempfile::tempdir().unwrap();
        let yaml = folder.path().join("map.yaml");
        std::fs::write(&yaml, "image: '/home/me/other.pgm'   # grey\nresolution: 0.05\n").unwrap();
        assert!(companions(&[yaml]).contains(&folder.path().join("other.pgm")));
    }
}
