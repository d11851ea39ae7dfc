//! From a path or from bytes to a map. The only place that touches the file system.

use std::cell::RefCell;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use model::{Finding, Level};

use crate::compression::{is_packed, unpacked, unpacked_name, unpacked_to_damage};
use crate::error::excerpt;
use crate::format::{Companions, Input, ReadContent, ReadLayers, Reader, recognise};
use crate::map::plain_image;
use crate::source::{Source, unreadable};
use crate::{Content, Document, MapFile, ReadError, ReadOptions, SourceFile};

/// The largest file that is held in memory as a whole, such as a packed image: 4 GiB, or half of the memory limit. Logs, bags and plain
/// images are read piece by piece and may be larger.
pub const MAX_FILE_BYTES: u64 = 1 << 32;

/// A file held in memory.
#[derive(Clone, Copy, Debug)]
pub struct NamedBytes<'a> {
    /// Name, such as `map.pgm`; its ending helps where the bytes do not tell the format.
    pub name: &'a str,
    pub bytes: &'a [u8],
}

/// Reads a map file, and the image that it names.
///
/// # Errors
/// The file is missing, unreadable, too large, of no known format or damaged.
pub fn read_map(path: &Path, options: &ReadOptions) -> Result<MapFile, ReadError> {
    read_map_in_pieces(path, options, &mut |_, _| {})
}

/// Reads a map file and shows the bytes of each file read to `observe` as they come, for instance to hash
/// them: a file in consecutive pieces, the given file first, then the image that it names.
///
/// # Errors
/// As [`read_map`].
pub fn read_map_in_pieces(
    path: &Path,
    options: &ReadOptions,
    observe: &mut dyn FnMut(&Path, &[u8]),
) -> Result<MapFile, ReadError> {
    read_map_inside(None, path, options, observe)
}

/// As [`read_map_in_pieces`]; every file that is opened must lie in the folder `inside`, links followed, or is refused
/// before a byte of it is read.
///
/// # Errors
/// As [`read_map`], or a file lies elsewhere.
pub fn read_map_inside(
    inside: Option<&Path>,
    path: &Path,
    options: &ReadOptions,
    observe: &mut dyn FnMut(&Path, &[u8]),
) -> Result<MapFile, ReadError> {
    let document = read_shown(inside, path, options, observe)?;
    let document = match &document.content {
        Content::Bag(bag) => match bag.only_map() {
            Some(topic) => read_only_map(inside, path, topic, options)?,
            None => document,
        },
        _ => document,
    };
    map_of(document, &path.display().to_string())
}

/// Reads the one topic of a bag that holds maps. The bytes of the bag have been shown.
fn read_only_map(
    inside: Option<&Path>,
    path: &Path,
    topic: &str,
    options: &ReadOptions,
) -> Result<Document, ReadError> {
    let of_topic = ReadOptions { topic: Some(topic.to_owned()), ..options.clone() };
    let mut document = read_shown(inside, path, &of_topic, &mut |_, _| {})?;
    let message = format!("the map is the one of topic {topic}, the only topic with maps");
    document.findings.insert(0, Finding::new(Level::Info, "BAG_MAP_TAKEN", message));
    Ok(document)
}

/// Reads any file, showing its bytes to `observe` as they come.
pub(crate) fn read_shown(
    inside: Option<&Path>,
    path: &Path,
    options: &ReadOptions,
    observe: &mut dyn FnMut(&Path, &[u8]),
) -> Result<Document, ReadError> {
    let observer = Observer { observe: RefCell::new(observe), inside: inside.map(canonical).transpose()? };
    let path = &entry_of(path);
    let folder = path.parent().unwrap_or(Path::new("")).to_owned();
    let source = open(path, &observer)?;
    let first = SourceFile { path: source.name().to_owned(), bytes: source.bytes() };
    let mut companions = Folder { folder, observer: &observer, sources: vec![first] };
    let document = read_source(source, &mut companions, options)?;
    Ok(Document { sources: companions.sources, ..document })
}

/// Opens a file and those beside it for a reader that is known; also tells which files were read.
pub(crate) fn with_input<T>(
    path: &Path,
    read: impl FnOnce(&mut Input<'_>) -> Result<T, ReadError>,
) -> Result<(T, Vec<SourceFile>), ReadError> {
    let mut unobserved = |_: &Path, _: &[u8]| {};
    let observer = Observer { observe: RefCell::new(&mut unobserved), inside: None };
    let path = &entry_of(path);
    let source = open(path, &observer)?;
    let first = SourceFile { path: source.name().to_owned(), bytes: source.bytes() };
    let folder = path.parent().unwrap_or(Path::new("")).to_owned();
    let mut companions = Folder { folder, observer: &observer, sources: vec![first] };
    let value = read(&mut Input { source: unpacked(source)?, companions: &mut companions })?;
    Ok((value, companions.sources))
}

/// Like [`with_input`], for a file held in memory.
pub(crate) fn with_bytes<T>(
    file: NamedBytes<'_>,
    read: impl FnOnce(&mut Input<'_>) -> Result<T, ReadError>,
) -> Result<(T, Vec<SourceFile>), ReadError> {
    let first = SourceFile { path: file.name.to_owned(), bytes: file.bytes.len() as u64 };
    let mut companions = Memory { files: &[], sources: vec![first] };
    let source = Source::of_bytes(file.name, file.bytes);
    let value = read(&mut Input { source, companions: &mut companions })?;
    Ok((value, companions.sources))
}

/// Opens the file of a source once more, for readers that jump about in it; none if the source has no file,
/// or one that holds other bytes, such as a compressed one.
#[cfg(feature = "bags")]
pub(crate) fn reopen(source: &Source<'_>) -> Option<File> {
    let mut file = File::open(source.name()).ok()?;
    let mut head = vec![0; source.head().len()];
    file.read_exact(&mut head).ok()?;
    (head == source.head()).then_some(file)
}

/// The map in a document, or an error that says what it holds instead.
fn map_of(document: Document, file: &str) -> Result<MapFile, ReadError> {
    match document.content {
        Content::Raster(map) => {
            Ok(MapFile { findings: document.findings, sources: document.sources, ..*map })
        }
        other => Err(ReadError::NoMap { file: file.to_owned(), kind: other.kind(), format: document.format }),
    }
}

/// Reads any file from bytes; `beside` holds the files that it may name.
///
/// # Errors
/// The file is of no known format or damaged.
pub fn read_document_bytes(
    file: NamedBytes<'_>,
    beside: &[NamedBytes<'_>],
    options: &ReadOptions,
) -> Result<Document, ReadError> {
    let first = SourceFile { path: file.name.to_owned(), bytes: file.bytes.len() as u64 };
    let mut companions = Memory { files: beside, sources: vec![first] };
    let document = read_source(Source::of_bytes(file.name, file.bytes), &mut companions, options)?;
    Ok(Document { sources: companions.sources, ..document })
}

/// Opens a file, unpacked, for a reader that is no format of its own.
pub(crate) fn with_source<T>(
    path: &Path,
    read: impl FnOnce(&mut Source<'_>) -> Result<T, ReadError>,
) -> Result<T, ReadError> {
    let mut unseen = |_: &Path, _: &[u8]| {};
    let observer = Observer { observe: RefCell::new(&mut unseen), inside: None };
    let mut source = unpacked(open(path, &observer)?)?;
    read(&mut source)
}

/// Reads a map from bytes; `beside` holds the files that it may name, such as the image of a YAML.
///
/// # Errors
/// The bytes are of no known format or damaged.
pub fn read_map_bytes(
    file: NamedBytes<'_>,
    beside: &[NamedBytes<'_>],
    options: &ReadOptions,
) -> Result<MapFile, ReadError> {
    map_of(read_document_bytes(file, beside, options)?, file.name)
}

/// What a file of no known format holds, for a message. XML may be a map of IEEE 1873 (F-1873): its schema is not public, and
/// nothing is guessed.
fn found_instead(head: &[u8]) -> String {
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    if text.starts_with(b"<?xml") { "XML; IEEE 1873 is not supported yet".to_owned() } else { excerpt(head) }
}

fn read_source(
    source: Source<'_>,
    companions: &mut dyn Companions,
    options: &ReadOptions,
) -> Result<Document, ReadError> {
    options.check()?;
    let was_packed = is_packed(source.head());
    let (mut source, damage) = unpacked_to_damage(source)?;
    let file = source.name().to_owned();
    let Some(format) = recognise(crate::all(), source.head(), unpacked_name(source.name())) else {
        let (file, found) = (source.name().to_owned(), found_instead(source.head()));
        return Err(ReadError::UnknownFormat { file, formats: crate::format_names(), found });
    };
    if !matches!(format.reader, Reader::Content(_)) && was_packed {
        // Readers of maps check the length first, and that of a packed file is known at its end only.
        source.whole()?;
        damage.refused(&file)?;
    }
    let ReadLayers { map, layers, crs, geotransform } = match format.reader {
        Reader::Image(decode) => plain_image::read_beside(decode, &mut source, companions, options)?,
        Reader::Map(read) => read(&mut Input { source, companions }, options)?.into(),
        Reader::Layers(read) => read(&mut Input { source, companions }, options)?,
        Reader::Content(read) => {
            let read = read(&mut Input { source, companions }, options);
            let ReadContent { content, findings } = damage.read_up_to(read, &file)?;
            return Ok(Document { format: format.name, content, findings, sources: Vec::new() });
        }
    };
    let findings = map.findings;
    let map = MapFile {
        grid: map.grid,
        marks: map.marks,
        format: format.name,
        findings: Vec::new(),
        georeference: map.georeference,
        sources: Vec::new(),
        layers,
        crs,
        geotransform,
    };
    let content = Content::Raster(Box::new(map));
    Ok(Document { format: format.name, content, findings, sources: Vec::new() })
}

/// The file to begin with: that which lists the others if `path` is the folder of a bag.
fn entry_of(path: &Path) -> PathBuf {
    #[cfg(feature = "bags")]
    if path.is_dir() && path.join(crate::bag::METADATA).is_file() {
        return path.join(crate::bag::METADATA);
    }
    path.to_owned()
}

/// A path without links.
fn canonical(path: &Path) -> Result<PathBuf, ReadError> {
    path.canonicalize().map_err(|error| unreadable(&path.display().to_string(), &error))
}

/// Whether a path leads out of a folder, which has no links in it: by itself, or by a link on its way. What lies outside
/// is not looked at, so that nobody learns what is there.
fn leads_out(folder: &Path, path: &Path) -> bool {
    let Some(parent) = path.parent().and_then(|parent| parent.canonicalize().ok()) else {
        return written_out(folder, path);
    };
    if !parent.starts_with(folder) {
        return true;
    }
    let is_link = path.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink());
    is_link && !path.canonicalize().is_ok_and(|path| path.starts_with(folder))
}

/// Whether a path of folders that are not all there leads out of a folder as it is written.
fn written_out(folder: &Path, path: &Path) -> bool {
    let Ok(whole) = std::path::absolute(path) else { return true };
    let mut place = PathBuf::new();
    for part in whole.components() {
        match part {
            Component::ParentDir => {
                place.pop();
            }
            other => place.push(other),
        }
    }
    // The folder may be reached by a link; the first part of the path that is there tells.
    let known = place.ancestors().find_map(|ancestor| ancestor.canonicalize().ok());
    !known.is_some_and(|known| known.starts_with(folder))
}

/// Opens a regular file.
fn open<'a>(path: &Path, observer: &'a Observer<'_>) -> Result<Source<'a>, ReadError> {
    let name = path.display().to_string();
    if observer.inside.as_ref().is_some_and(|folder| leads_out(folder, path)) {
        let found = "a file outside of the folder of the team".to_owned();
        let hint = Some("hand in every file inside the folder of the team".to_owned());
        let file = path.file_name().map_or(name, |name| name.to_string_lossy().into_owned());
        return Err(ReadError::Open { file, found, hint });
    }
    let metadata = fs::metadata(path).map_err(|error| unreadable(&name, &error))?;
    if !metadata.is_file() {
        let found = if metadata.is_dir() { "a folder" } else { "no regular file" };
        let hint = Some("give the map's YAML or its image".to_owned());
        return Err(ReadError::Open { file: name, found: found.to_owned(), hint });
    }
    let file = File::open(path).map_err(|error| unreadable(&name, &error))?;
    let reader = Box::new(Observed { file, path: path.to_owned(), observer });
    Source::of_reader(name, metadata.len(), reader)
}

/// Takes the path and the bytes of a file.
type Observe<'o> = dyn FnMut(&Path, &[u8]) + 'o;

/// Who is shown the bytes of files. A map and the image that it names are open at the same time.
struct Observer<'o> {
    observe: RefCell<&'o mut Observe<'o>>,
    /// The folder in which every file must lie, without links; none: anywhere.
    inside: Option<PathBuf>,
}

impl Observer<'_> {
    fn show(&self, path: &Path, bytes: &[u8]) {
        (self.observe.borrow_mut())(path, bytes);
    }
}

/// A file whose bytes are shown as they are read.
struct Observed<'a, 'o> {
    file: File,
    path: PathBuf,
    observer: &'a Observer<'o>,
}

impl Read for Observed<'_, '_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.file.read(buffer)?;
        if read > 0 {
            self.observer.show(&self.path, &buffer[..read]);
        }
        Ok(read)
    }
}

/// The files in the folder of the one that is read.
struct Folder<'a, 'o> {
    folder: PathBuf,
    observer: &'a Observer<'o>,
    sources: Vec<SourceFile>,
}

impl Companions for Folder<'_, '_> {
    fn exists(&self, relative_path: &str) -> bool {
        !self.is_outside(relative_path) && self.folder.join(relative_path).is_file()
    }

    fn is_outside(&self, relative_path: &str) -> bool {
        let path = self.folder.join(relative_path);
        self.observer.inside.as_ref().is_some_and(|folder| leads_out(folder, &path))
    }

    fn open(&mut self, relative_path: &str) -> Result<Source<'_>, ReadError> {
        let source = open(&self.folder.join(relative_path), self.observer)?;
        self.sources.push(SourceFile { path: source.name().to_owned(), bytes: source.bytes() });
        unpacked(source)
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

    fn open(&mut self, relative_path: &str) -> Result<Source<'_>, ReadError> {
        let file = self.files.iter().find(|file| file.name == relative_path);
        let file = file.ok_or_else(|| not_in_memory(relative_path))?;
        self.sources.push(SourceFile { path: file.name.to_owned(), bytes: file.bytes.len() as u64 });
        unpacked(Source::of_bytes(file.name, file.bytes))
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
    fn xml_is_refused_with_its_reason() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("map.xml");
        for before in ["", "\u{feff}", "\n "] {
            fs::write(&path, format!("{before}<?xml version=\"1.0\"?><map/>")).unwrap();
            assert!(refusal(&path).to_string().ends_with("found XML; IEEE 1873 is not supported yet"));
        }
    }

    #[test]
    fn an_empty_file_and_a_foreign_one_list_the_formats() {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in [("empty", &b""[..]), ("archive", b"PK\x03\x04")] {
            let path = folder.path().join(name);
            fs::write(&path, content).unwrap();
            let error = refusal(&path);
            assert!(matches!(error, ReadError::UnknownFormat { .. }), "{error}");
            assert!(
                error
                    .expected()
                    .contains("PNG image, BMP image, JPEG image, PGM image, ROS 2 bag folder, ROS map"),
                "{error}"
            );
        }
    }

    #[test]
    fn a_yaml_and_its_image_are_shown_to_the_last_byte() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m.yaml");
        let geometry = model::GridGeometry::new(1000, 700, 0.05, model::Pose2::IDENTITY).unwrap();
        let grid = model::Grid::filled(geometry, model::CellClass::Unknown);
        let (yaml, mut pgm) = crate::write_ros_map(&grid, "m.pgm");
        pgm.extend_from_slice(&[7; 300_000]);
        fs::write(&path, &yaml).unwrap();
        fs::write(folder.path().join("m.pgm"), &pgm).unwrap();
        let mut joined: Vec<(_, Vec<u8>)> = Vec::new();
        let mut pieces = 0;
        let map = read_map_in_pieces(&path, &ReadOptions::default(), &mut |path, bytes| {
            pieces += 1;
            let name = path.file_name().unwrap().to_owned();
            match joined.last_mut() {
                Some((last, content)) if *last == name => content.extend_from_slice(bytes),
                _ => joined.push((name, bytes.to_vec())),
            }
        })
        .unwrap();
        assert_eq!(map.grid, grid);
        let lengths: Vec<_> = map.sources.iter().map(|source| source.bytes as usize).collect();
        assert_eq!(lengths, [yaml.len(), pgm.len()]);
        assert!(joined == [("m.yaml".into(), yaml.into_bytes()), ("m.pgm".into(), pgm)], "bytes are missing");
        assert!(pieces > 2, "{pieces} pieces");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_outside_of_the_folder_is_refused_before_it_is_opened() {
        let folder = tempfile::tempdir().unwrap();
        let team = folder.path().join("team");
        fs::create_dir(&team).unwrap();
        fs::write(folder.path().join("secret"), "root:$6$secret").unwrap();
        std::os::unix::fs::symlink(folder.path().join("secret"), team.join("link.pgm")).unwrap();
        let path = team.join("m.yaml");
        let absolute = folder.path().join("secret").display().to_string();
        std::os::unix::fs::symlink(folder.path().join("absent"), team.join("dangling.pgm")).unwrap();
        std::os::unix::fs::symlink(folder.path(), team.join("up")).unwrap();
        // Whether there is such a file outside does not show.
        let images = [
            "../secret",
            "../absent",
            "/absent/x",
            &absolute,
            "link.pgm",
            "dangling.pgm",
            "/dev/zero",
            "up/secret",
            "up/absent/x",
            "/proc/self/environ",
            "none/../../secret",
        ];
        for image in images {
            fs::write(&path, format!("image: {image}\nresolution: 1\norigin: [0, 0, 0]\n")).unwrap();
            let mut seen = Vec::new();
            let observe = &mut |path: &Path, _: &[u8]| seen.push(path.to_owned());
            let error = read_map_inside(Some(&team), &path, &ReadOptions::default(), observe).unwrap_err();
            let words = format!("{error} {:?}", error.hint());
            assert!(!words.contains("$6$"), "{words}");
            assert!(
                words.contains("m.yaml: field 'image'") && words.contains("outside of the folder"),
                "{words}"
            );
            assert!(seen.iter().all(|seen| *seen == path), "{seen:?}");
        }
    }

    #[test]
    fn a_missing_image_lists_the_paths_tried() {
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
    fn a_plain_image_takes_its_place_from_options() {
        let file = NamedBytes { name: "map.pgm", bytes: b"P5 1 1 255\n\xcd" };
        let options = ReadOptions {
            resolution_m: Some(0.05),
            origin: Some([1.0, 2.0, 3.0]),
            free_thresh: Some(0.25),
            ..ReadOptions::default()
        };
        let map = read_map_bytes(file, &[], &options).unwrap();
        assert_eq!(map.grid, testkit::grid_at(["."], 0.05, model::Pose2::new(1.0, 2.0, 3.0)));
        assert_eq!(map.georeference, crate::Georeference::FromOptions);
        let wrong = ReadOptions { resolution_m: Some(-1.0), ..options };
        assert!(read_map_bytes(file, &[], &wrong).unwrap_err().to_string().contains("option 'resolution_m'"));
    }
}
