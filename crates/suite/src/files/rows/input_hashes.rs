//! What a row rests on: the hash of header, options and contents of all input files.

use std::path::{Path, PathBuf};

use formats::read_map_inside;

use crate::files::{Job, Loader};
use crate::subject::part_records;
use crate::{Subject, Truth};

/// Role and hash of each input; the hash is empty for a file that cannot be read.
pub(super) type Contents = Vec<(String, String)>;

/// The key of a row.
pub(super) fn key_of(header_hash: &str, options: &str, contents: &[(String, String)]) -> String {
    let mut hasher = blake3::Hasher::new();
    // Lengths keep two lists from having the same bytes.
    let mut add = |text: &str| {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    };
    add(header_hash);
    add(options);
    for (role, hash) in contents {
        add(role);
        add(hash);
    }
    hasher.finalize().to_hex().to_string()
}

/// The contents of a pair that was read.
pub(super) fn contents_of(subject: &Subject, truth: &Truth, job: &Job) -> Contents {
    let records = part_records(subject, truth);
    let inputs = records.into_iter().flat_map(|record| record.inputs);
    let mut contents: Contents = inputs.map(|input| (input.role, input.blake3)).collect();
    contents.extend(job.inputs.transform.as_deref().map(|path| hashed("transform", path)));
    contents
}

/// The contents of a pair that could not be read: every file that the line names, and what readers opened beside it before
/// they failed.
pub(super) fn contents_unread(job: &Job, loader: &Loader) -> Contents {
    let mut contents = vec![("unread".to_owned(), String::new())];
    for (role, path) in named(job) {
        contents.push(hashed(role, &path));
        if role == "map" || role == "truth" {
            let beside = opened_for(loader, &path).into_iter().filter(|opened| *opened != path);
            contents.extend(beside.map(|opened| hashed("beside", &opened)));
        }
    }
    contents
}

/// The contents of a pair whose reading may end the process: only files that the line names.
pub(super) fn contents_unfinished(job: &Job) -> Contents {
    let first = ("unfinished".to_owned(), String::new());
    let files = named(job);
    std::iter::once(first).chain(files.iter().map(|(role, path)| hashed(role, path))).collect()
}

/// The files that the job of a line names, with their roles.
fn named(job: &Job) -> Vec<(&'static str, PathBuf)> {
    let inputs = &job.inputs;
    let mut files: Vec<(&'static str, PathBuf)> = Vec::new();
    files.extend(inputs.truth.iter().map(|path| ("truth", path.clone())));
    files.extend(inputs.maps.iter().map(|path| ("map", path.clone())));
    files.extend(inputs.layout.iter().map(|path| ("layout", path.clone())));
    files.extend(inputs.annotations.iter().map(|path| ("annotations", path.clone())));
    files.extend(inputs.truth_annotations.iter().map(|path| ("truth_annotations", path.clone())));
    files.extend(inputs.transform.iter().map(|path| ("transform", path.clone())));
    files
}

fn hashed(role: &str, path: &Path) -> (String, String) {
    (role.to_owned(), Loader::default().unread_input(role, path).blake3)
}

/// The files that a reader of maps opens, whether it succeeds or not.
fn opened_for(loader: &Loader, path: &Path) -> Vec<PathBuf> {
    let mut opened: Vec<PathBuf> = Vec::new();
    let observe = &mut |path: &Path, _: &[u8]| {
        if !opened.iter().any(|known| known == path) {
            opened.push(path.to_owned());
        }
    };
    let _ = read_map_inside(None, path, &loader.reading, observe);
    opened
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_rests_on_everything() {
        let pair = |role: &str, hash: &str| (role.to_owned(), hash.to_owned());
        let key = key_of("h", "o", &[pair("map", "1"), pair("truth", "2")]);
        let others = [
            key_of("g", "o", &[pair("map", "1"), pair("truth", "2")]),
            key_of("h", "", &[pair("map", "1"), pair("truth", "2")]),
            key_of("h", "o", &[pair("map", "2"), pair("truth", "1")]),
            key_of("h", "o", &[pair("map", "1")]),
            key_of("h", "o", &[pair("map1", ""), pair("truth", "2")]),
        ];
        assert_eq!(key, key_of("h", "o", &[pair("map", "1"), pair("truth", "2")]));
        assert!(others.iter().all(|other| *other != key));
    }

    #[test]
    fn a_broken_image_beside_a_map_is_in_its_key() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let (yaml, pgm) = formats::write_ros_map(&testkit::grid(["#.", ".#"]), "map.pgm");
        std::fs::write(path("map.yaml"), yaml).unwrap();
        let mut job = Job::default();
        job.inputs.maps = vec![path("map.yaml")];
        let mut keys = Vec::new();
        for cut in [1, 2] {
            std::fs::write(path("map.pgm"), &pgm[..pgm.len() - cut]).unwrap();
            keys.push(key_of("", "", &contents_unread(&job, &job.loader())));
        }
        assert_ne!(keys[0], keys[1]);
        std::fs::remove_file(path("map.pgm")).unwrap();
        std::fs::remove_file(path("map.yaml")).unwrap();
        assert_eq!(contents_unread(&job, &job.loader())[1], ("map".to_owned(), String::new()));
    }
}
