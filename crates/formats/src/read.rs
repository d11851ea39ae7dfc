//! From a path or from bytes to a map. The only place that touches the file system.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::error::excerpt;
use crate::format::{Companion, Companions, Input, Reader, recognise};
use crate::{FORMATS, MapFile, Place, ReadError, ReadOptions, SourceFile, plain_picture};

/// The largest file that is read: 4 GiB.
pub const MAX_FILE_BYTES: u64 = 1 << 32;

/// A file held in memory.
#[derive(Clone, Copy, Debug)]
pub struct NamedBytes<'a> {
    /// Name, such as `map.pgm`; its ending helps where the bytes do not tell the format.
    pub name: &'a str,
    /// Content.
    pub bytes: &'a [u8],
}

/// Reads a map file, and the picture that it names.
///
/// # Errors
/// The file is missing, unreadable, too large, of no known format or damaged.
pub fn read_map(path: &Path, options: &ReadOptions) -> Result<MapFile, ReadError> {
    read_map_observed(path, options, &mut |_, _| {})
}

/// Reads a map file and shows each file read to `observe`, for instance to hash it, without a copy.
///
/// # Errors
/// As [`read_map`].
pub fn read_map_observed(
    path: &Path,
    options: &ReadOptions,
    observe: &mut dyn FnMut(&Path, &[u8]),
) -> Result<MapFile, ReadError> {
    let bytes = read_file(path)?;
    observe(path, &bytes);
    let name = path.display().to_string();
    let folder = path.parent().unwrap_or(Path::new("")).to_owned();
    let mut companions = Folder { folder, observe, sources: Vec::new() };
    let map = read_bytes(&name, &bytes, &mut companions, options)?;
    Ok(with_sources(map, SourceFile { path: name, bytes: bytes.len() as u64 }, companions.sources))
}

/// Reads a map from bytes; `beside` holds the files that it may name, such as the picture of a YAML.
///
/// # Errors
/// The bytes are of no known format or damaged.
pub fn read_map_bytes(
    file: NamedBytes<'_>,
    beside: &[NamedBytes<'_>],
    options: &ReadOptions,
) -> Result<MapFile, ReadError> {
    let mut companions = Memory { files: beside, sources: Vec::new() };
    let map = read_bytes(file.name, file.bytes, &mut companions, options)?;
    let source = SourceFile { path: file.name.to_owned(), bytes: file.bytes.len() as u64 };
    Ok(with_sources(map, source, companions.sources))
}

fn with_sources(mut map: MapFile, first: SourceFile, beside: Vec<SourceFile>) -> MapFile {
    map.sources.push(first);
    map.sources.extend(beside);
    map
}

fn read_bytes(
    name: &str,
    bytes: &[u8],
    companions: &mut dyn Companions,
    options: &ReadOptions,
) -> Result<MapFile, ReadError> {
    let Some(format) = recognise(FORMATS, bytes, name) else {
        let (file, formats) = (name.to_owned(), crate::format_names());
        return Err(ReadError::UnknownFormat { file, formats, found: excerpt(bytes) });
    };
    let map = match format.reader {
        Reader::Picture(decode) => plain_picture::read(name, decode(name, bytes)?, options)?,
        Reader::Map(read) => read(&mut Input { name, bytes, companions }, options)?,
    };
    Ok(MapFile {
        grid: map.grid,
        format: format.name,
        findings: map.findings,
        georeference: map.georeference,
        sources: Vec::new(),
    })
}

/// The bytes of a regular file within the size limit.
fn read_file(path: &Path) -> Result<Vec<u8>, ReadError> {
    let name = || path.display().to_string();
    let failed = |error: std::io::Error| {
        let error_hint = match error.kind() {
            std::io::ErrorKind::NotFound => "check the path; relative paths start at the current folder",
            std::io::ErrorKind::PermissionDenied => "check the permissions of the file",
            _ => "check that the file can be opened",
        };
        ReadError::Open { file: name(), found: error.to_string(), hint: Some(error_hint.to_owned()) }
    };
    let metadata = fs::metadata(path).map_err(failed)?;
    if !metadata.is_file() {
        let found = if metadata.is_dir() { "a folder" } else { "no regular file" };
        let hint = Some("give the map's YAML or its picture".to_owned());
        return Err(ReadError::Open { file: name(), found: found.to_owned(), hint });
    }
    if metadata.len() > MAX_FILE_BYTES {
        return Err(too_large(name(), metadata.len()));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0) + 1);
    let file = File::open(path).map_err(failed)?;
    file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(too_large(name(), bytes.len() as u64));
    }
    Ok(bytes)
}

fn too_large(file: String, found_bytes: u64) -> ReadError {
    let expected = format!("at most {MAX_FILE_BYTES} bytes");
    ReadError::TooLarge { file, place: Place::File, expected, found: format!("{found_bytes} bytes") }
}

/// The files in the folder of the one that is read.
struct Folder<'o> {
    folder: PathBuf,
    observe: &'o mut dyn FnMut(&Path, &[u8]),
    sources: Vec<SourceFile>,
}

impl Companions for Folder<'_> {
    fn exists(&self, relative_path: &str) -> bool {
        self.folder.join(relative_path).is_file()
    }

    fn open(&mut self, relative_path: &str) -> Result<Companion<'_>, ReadError> {
        let path = self.folder.join(relative_path);
        let bytes = read_file(&path)?;
        (self.observe)(&path, &bytes);
        let name = path.display().to_string();
        self.sources.push(SourceFile { path: name.clone(), bytes: bytes.len() as u64 });
        Ok(Companion { name, bytes: Cow::Owned(bytes) })
    }

    fn shown_path(&self, relative_path: &str) -> String {
        self.folder.join(relative_path).display().to_string()
    }
}

/// Files held in memory.
struct Memory<'a> {
    files: &'a [NamedBytes<'a>],
    sources: Vec<SourceFile>,
}

impl Companions for Memory<'_> {
    fn exists(&self, relative_path: &str) -> bool {
        self.files.iter().any(|file| file.name == relative_path)
    }

    fn open(&mut self, relative_path: &str) -> Result<Companion<'_>, ReadError> {
        let file = self.files.iter().find(|file| file.name == relative_path);
        let file = file.ok_or_else(|| not_in_memory(relative_path))?;
        self.sources.push(SourceFile { path: file.name.to_owned(), bytes: file.bytes.len() as u64 });
        Ok(Companion { name: file.name.to_owned(), bytes: Cow::Borrowed(file.bytes) })
    }

    fn shown_path(&self, relative_path: &str) -> String {
        relative_path.to_owned()
    }
}

fn not_in_memory(name: &str) -> ReadError {
    ReadError::Open { file: name.to_owned(), found: "no such file was given".to_owned(), hint: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(path: &Path) -> ReadError {
        read_map(path, &ReadOptions::default()).unwrap_err()
    }

    #[test]
    fn missing_files_and_folders_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let missing = refusal(&folder.path().join("map.yaml"));
        assert!(matches!(missing, ReadError::Open { .. }) && missing.hint().is_some());
        assert!(refusal(folder.path()).to_string().ends_with("found: a folder"));
    }

    #[test]
    fn an_empty_file_and_a_foreign_one_list_the_formats() {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in [("empty", &b""[..]), ("archive", b"PK\x03\x04")] {
            let path = folder.path().join(name);
            fs::write(&path, content).unwrap();
            let error = refusal(&path);
            assert!(matches!(error, ReadError::UnknownFormat { .. }), "{error}");
            assert!(error.to_string().contains("PNG picture, BMP picture, PGM picture, ROS map"), "{error}");
        }
    }

    #[test]
    fn a_yaml_and_its_picture_are_read_and_shown_once_each() {
        let folder = tempfile::tempdir().unwrap();
        let grid = testkit::grid(["#.?"]);
        let (yaml, pgm) = crate::write_ros_map(&grid, "m.pgm");
        fs::write(folder.path().join("m.yaml"), &yaml).unwrap();
        fs::write(folder.path().join("m.pgm"), &pgm).unwrap();
        let mut seen = Vec::new();
        let map =
            read_map_observed(&folder.path().join("m.yaml"), &ReadOptions::default(), &mut |path, bytes| {
                seen.push((path.file_name().unwrap().to_owned(), bytes.len()));
            });
        assert_eq!(map.unwrap().grid, grid);
        assert_eq!(seen, [("m.yaml".into(), yaml.len()), ("m.pgm".into(), pgm.len())]);
    }

    #[test]
    fn a_missing_picture_lists_the_paths_tried() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m.yaml");
        fs::write(&path, "image: maps/m.pgm\nresolution: 1\norigin: [0, 0, 0]\n").unwrap();
        let hint = refusal(&path).hint().unwrap();
        for tried in ["maps/m.pgm", "m.pgm"] {
            assert!(hint.contains(&folder.path().join(tried).display().to_string()), "{hint}");
        }
    }

    #[test]
    fn bytes_tell_the_format_before_the_name_does() {
        let file = NamedBytes { name: "map.png", bytes: b"P5 1 1 255\n\x00" };
        let map = read_map_bytes(file, &[], &ReadOptions::default()).unwrap();
        assert_eq!((map.format, testkit::rows(&map.grid)), ("pgm", vec!["#".to_owned()]));
        assert_eq!(map.georeference, crate::Georeference::Assumed);
        let codes: Vec<_> = map.findings.iter().map(|finding| finding.code.as_ref()).collect();
        assert_eq!(codes, ["NO_RESOLUTION"]);
        let text = NamedBytes { name: "map.png", bytes: b"hello" };
        let error = read_map_bytes(text, &[], &ReadOptions::default()).unwrap_err();
        assert!(error.to_string().contains("the signature of a PNG"));
    }

    #[test]
    fn a_plain_picture_takes_its_place_from_options() {
        let file = NamedBytes { name: "map.pgm", bytes: b"P5 1 1 255\n\xcd" };
        let options = ReadOptions {
            resolution_m: Some(0.05),
            origin: Some(model::Pose2::new(1.0, 2.0, 3.0)),
            free_thresh: Some(0.25),
            ..ReadOptions::default()
        };
        let map = read_map_bytes(file, &[], &options).unwrap();
        assert_eq!(map.grid, testkit::grid_at(["."], 0.05, model::Pose2::new(1.0, 2.0, 3.0)));
        assert_eq!(map.georeference, crate::Georeference::FromOptions);
        let wrong = ReadOptions { resolution_m: Some(-1.0), ..options };
        assert!(read_map_bytes(file, &[], &wrong).unwrap_err().to_string().contains("field 'resolution'"));
    }
}
