//! Vectors from this program or from a folder, and packed for others.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

use crate::JobError;
use crate::conform::{VectorSet, tar_of};
use crate::files::read_small;

/// Longest file of a set.
const MAX_FILE_BYTES: u64 = 16 << 20;
/// Most files of a set.
const MAX_FILES: usize = 100_000;
/// Level of compression of a released set: the highest that needs no large window.
const LEVEL: i32 = 19;

/// The vectors of a version such as `1.0`, which must be those of this program, or those of a folder.
///
/// # Errors
/// This program has no such version, the folder cannot be read, or bytes are not those of the hash list.
pub fn load_vectors(wanted: Option<&str>) -> Result<VectorSet, JobError> {
    let refused = |path: &str| {
        let path = path.to_owned();
        move |message: String| JobError::Vectors { path, message }
    };
    let own = VectorSet::builtin().map_err(refused("vectors"))?;
    match wanted {
        None => Ok(own),
        Some(version) if own.is_version(version) => Ok(own),
        Some(folder) if Path::new(folder).is_dir() => {
            VectorSet::of_files(files_of(Path::new(folder))?).map_err(refused(folder))
        }
        Some(other) => {
            let message =
                format!("neither a version of this program, which has {}, nor a folder", own.record.version);
            Err(refused(other)(message))
        }
    }
}

/// Every file of a folder and of the folders in it.
fn files_of(folder: &Path) -> Result<BTreeMap<String, Cow<'static, [u8]>>, JobError> {
    let mut files = BTreeMap::new();
    for (name, is_folder) in entries(folder)? {
        if !is_folder {
            files.insert(name.clone(), Cow::Owned(read_small(&folder.join(&name), MAX_FILE_BYTES)?));
            continue;
        }
        for (inner, _) in entries(&folder.join(&name))? {
            let bytes = read_small(&folder.join(&name).join(&inner), MAX_FILE_BYTES)?;
            files.insert(format!("{name}/{inner}"), Cow::Owned(bytes));
            if files.len() > MAX_FILES {
                let message = format!("more than {MAX_FILES} files");
                return Err(JobError::Vectors { path: folder.display().to_string(), message });
            }
        }
    }
    Ok(files)
}

/// Names in a folder, and whether each is a folder.
fn entries(folder: &Path) -> Result<Vec<(String, bool)>, JobError> {
    let failed = |source| JobError::file(folder, source);
    let entry = |entry: std::io::Result<std::fs::DirEntry>| {
        let entry = entry.map_err(failed)?;
        Ok((entry.file_name().to_string_lossy().into_owned(), entry.path().is_dir()))
    };
    std::fs::read_dir(folder).map_err(failed)?.map(entry).collect()
}

/// The set as it is released: its name, and a tar archive packed with zstd. The same set gives the same bytes.
///
/// # Errors
/// It cannot be packed.
pub fn packed_vectors(set: &VectorSet) -> Result<(String, Vec<u8>), JobError> {
    let version = &set.record.version;
    let short = version.rsplit_once('.').map_or(version.as_str(), |(short, _)| short);
    let name = format!("mapjudge-vectors-{short}");
    let archive = tar_of(&name, &set.files);
    let packed =
        zstd::encode_all(archive.as_slice(), LEVEL).map_err(|source| JobError::output(&name, source))?;
    Ok((format!("{name}.tar.zst"), packed))
}
