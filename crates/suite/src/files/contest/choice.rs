//! Which of several files that fit a pattern is the one of a role: never the first of them by chance.

use std::path::{Path, PathBuf};

use crate::contest::Role;
use crate::files::read_small;
use crate::files::walk::{companions, ending};

/// What several files come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// There is one.
    One(PathBuf),
    /// They are copies of each other.
    Copies(Vec<PathBuf>),
    /// Only a judge can say.
    Several(Vec<PathBuf>),
}

/// Files larger than this are not compared with each other.
const MAX_COMPARED_BYTES: u64 = 64 << 20;

/// Whether a role takes one file, and not any number.
pub fn takes_one(role: Role) -> bool {
    !matches!(role, Role::Victims | Role::Path | Role::Annotations)
}

/// The one file of a role: companions of others and files of another kind are left out first. `found` is not empty.
pub fn choose(role: Role, found: Vec<PathBuf>) -> Choice {
    let belonging = companions(&found);
    let left = keep_files(found, |path| !belonging.contains(path));
    let left = keep_files(left, |path| may_be(role, path));
    // `lint` writes repaired copies beside a file; what the team handed in counts.
    let originals: Vec<PathBuf> = left.clone();
    let left =
        keep_files(left, |path| !original_of(path).is_some_and(|original| originals.contains(&original)));
    match left.len() {
        1 => Choice::One(left.into_iter().next().unwrap_or_default()),
        _ if are_equal(&left) => Choice::Copies(left),
        _ => Choice::Several(left),
    }
}

/// The file that a repaired copy such as `pois.fixed.csv` was made from.
fn original_of(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.to_string_lossy().into_owned();
    let (stem, ending) = name.rsplit_once(".fixed.")?;
    Some(path.with_file_name(format!("{stem}.{ending}")))
}

/// Those that pass; all of them if none does.
fn keep_files(files: Vec<PathBuf>, passes: impl Fn(&PathBuf) -> bool) -> Vec<PathBuf> {
    let (good, bad): (Vec<PathBuf>, Vec<PathBuf>) = files.into_iter().partition(passes);
    if good.is_empty() { bad } else { good }
}

/// Whether the ending of a file suits a role.
pub fn may_be(role: Role, path: &Path) -> bool {
    let ending = ending(path);
    let endings: &[&str] = match role {
        Role::Map => {
            &["yaml", "yml", "tif", "tiff", "png", "pgm", "bmp", "jpg", "jpeg", "pnm", "mcap", "bag", "db3"]
        }
        Role::Points | Role::Artifacts | Role::Victims => &["csv", "pts", "geojson", "mif", "txt"],
        Role::Matrix => &["csv", "txt"],
        Role::Trajectory | Role::Path => &[
            "tum", "log", "txt", "csv", "json", "g2o", "mif", "geojson", "clf", "mcap", "bag", "db3", "kitti",
        ],
        Role::Annotations => &["mif", "geojson", "json", "csv"],
        Role::Relations => &["relations", "txt", "csv", "json"],
        Role::Layout => &["toml", "csv"],
    };
    endings.contains(&ending.trim_end_matches("gz"))
}

fn are_equal(files: &[PathBuf]) -> bool {
    let is_small = |path: &PathBuf| path.metadata().is_ok_and(|meta| meta.len() <= MAX_COMPARED_BYTES);
    if !files.iter().all(is_small) {
        return false;
    }
    let mut contents = files.iter().map(|path| read_small(path, MAX_COMPARED_BYTES).ok());
    let first = contents.next().flatten();
    first.is_some() && contents.all(|content| content == first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn companions_other_kinds_and_copies_leave_no_doubt() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            path
        };
        let yaml = write("map.yaml", "image: cells.png\n");
        let all = vec![write("cells.png", "x"), yaml.clone(), write("victims.csv", "v")];
        assert_eq!(choose(Role::Map, all), Choice::One(yaml));
        let (a, b, c) = (write("pois.csv", "1"), write("pois (1).csv", "1"), write("pois_new.csv", "2"));
        assert_eq!(
            choose(Role::Points, vec![a.clone(), b.clone()]),
            Choice::Copies(vec![a.clone(), b.clone()])
        );
        let repaired = write("pois.fixed.csv", "3");
        assert_eq!(choose(Role::Points, vec![a.clone(), repaired]), Choice::One(a.clone()));
        assert!(matches!(choose(Role::Points, vec![a, b, c]), Choice::Several(files) if files.len() == 3));
    }
}
