//! Files of a team by pattern, inside its folder and nowhere else.

use std::path::{Component, Path, PathBuf};

use crate::files::is_junk;

/// More files than this in one folder are not looked through.
const MAX_ENTRIES: usize = 10_000;

/// Why no file was found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoFile {
    /// No file has such a name.
    #[error("no file '{0}'")]
    None(String),
    /// A pattern that leaves the folder.
    #[error("the pattern '{0}' leaves the folder of the team")]
    Leaves(String),
    /// A link that leads elsewhere.
    #[error("'{0}' is a link out of the folder of the team")]
    LinkOut(String),
    /// The folder of the team is not there.
    #[error("the folder '{0}' is not there")]
    NoFolder(String),
}

/// The files below `folder` whose path matches, sorted by name. `*` and `?` stand for letters of one name; upper and lower
/// case are one, unless a file has the very name.
///
/// # Errors
/// There is none, or it lies elsewhere.
pub fn files(folder: &Path, pattern: &str, mission: &str) -> Result<Vec<PathBuf>, NoFile> {
    let pattern = pattern.replace("{mission}", mission);
    let is_inside = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    if pattern.is_empty() || pattern.contains('\\') || !Path::new(&pattern).components().all(is_inside) {
        return Err(NoFile::Leaves(pattern));
    }
    let shown = || folder.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let root = folder.canonicalize().map_err(|_| NoFile::NoFolder(shown()))?;
    let mut found = vec![folder.to_owned()];
    for part in pattern.split('/').filter(|part| !part.is_empty() && *part != ".") {
        found = found.iter().flat_map(|folder| entries(folder, part)).collect();
    }
    found.retain(|path| path.is_file());
    found.sort();
    let named = folder.join(&pattern);
    if found.contains(&named) {
        found = vec![named];
    }
    if let Some(path) = found.iter().find(|path| !path.canonicalize().is_ok_and(|p| p.starts_with(&root))) {
        let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        return Err(NoFile::LinkOut(name));
    }
    if found.is_empty() { Err(NoFile::None(pattern)) } else { Ok(found) }
}

fn entries(folder: &Path, part: &str) -> Vec<PathBuf> {
    let Ok(listing) = std::fs::read_dir(folder) else { return Vec::new() };
    let names = listing.take(MAX_ENTRIES).filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let fits = |name: &String| {
        // Hidden files and those of systems are not meant for others, unless one asks for them.
        matches(&part.to_lowercase(), &name.to_lowercase()) && (part.starts_with('.') || !is_junk(name))
    };
    names.filter(fits).map(|name| folder.join(name)).collect()
}

/// Whether a path matches a pattern with its case.
pub fn has_case_of(folder: &Path, pattern: &str, path: &Path) -> bool {
    let parts: Vec<&str> = pattern.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    let Ok(inside) = path.strip_prefix(folder) else { return true };
    let names: Vec<String> = inside.iter().map(|name| name.to_string_lossy().into_owned()).collect();
    parts.len() == names.len() && parts.iter().zip(&names).all(|(part, name)| matches(part, name))
}

/// Whether a name fits a pattern. Goes back only to the last star, so that no pattern takes long.
fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut p, mut n) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(&letter) if letter == '?' || letter == name[n] => {
                p += 1;
                n += 1;
            }
            _ => match star {
                Some((at, taken)) => {
                    star = Some((at, taken + 1));
                    (p, n) = (at + 1, taken + 1);
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|letter| *letter == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_and_question_marks_stand_for_letters_of_a_name() {
        for (pattern, name) in
            [("*.tif", "a.tif"), ("map?.y*ml", "map1.yaml"), ("*", "x"), ("a*b*c", "a12b3bc")]
        {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [("*.tif", "a.tiff"), ("map?.yaml", "map.yaml"), ("", "x"), ("a", "")] {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
        assert!(!matches(&"*a".repeat(200), &"a".repeat(150)));
    }

    #[test]
    fn files_are_found_inside_the_folder_only() {
        let folder = tempfile::tempdir().unwrap();
        let team = folder.path().join("team");
        std::fs::create_dir_all(team.join("final")).unwrap();
        for name in ["team/final/b.csv", "team/final/a.csv", "team/.hidden.csv", "secret.csv"] {
            std::fs::write(folder.path().join(name), "x").unwrap();
        }
        let names = |pattern: &str| files(&team, pattern, "final").map(|found| found.len());
        assert_eq!(names("{mission}/*.csv"), Ok(2));
        assert_eq!(names("*.csv"), Err(NoFile::None("*.csv".into())));
        for outside in ["../secret.csv", "/etc/passwd", "a/../../secret.csv", "..", "", "..\\secret.csv"] {
            assert!(matches!(names(outside), Err(NoFile::Leaves(_))), "{outside}");
        }
        assert!(matches!(files(&folder.path().join("nobody"), "*", ""), Err(NoFile::NoFolder(_))));
    }

    #[test]
    fn case_does_not_matter_unless_a_file_has_the_very_name() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str| std::fs::write(folder.path().join(name), "x").unwrap();
        write("POIS.CSV");
        write("Thumbs.db");
        let found = |pattern: &str| files(folder.path(), pattern, "").map(|found| found.len());
        assert_eq!((found("pois.csv"), found("*.csv"), found("*")), (Ok(1), Ok(1), Ok(1)));
        let path = folder.path().join("POIS.CSV");
        assert!(!has_case_of(folder.path(), "*.csv", &path));
        assert!(has_case_of(folder.path(), "*.CSV", &path));
        write("pois.csv");
        // Where the file system tells them apart.
        assert!(found("pois.csv") == Ok(1) && found("*.csv").is_ok_and(|count| count <= 2));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_out_of_the_folder_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let team = folder.path().join("team");
        std::fs::create_dir_all(&team).unwrap();
        std::fs::write(folder.path().join("other.csv"), "x").unwrap();
        std::os::unix::fs::symlink(folder.path().join("other.csv"), team.join("mine.csv")).unwrap();
        assert_eq!(files(&team, "*.csv", ""), Err(NoFile::LinkOut("mine.csv".into())));
    }
}
