//! Files to loaded values, with a hash of every byte that a reader opened.

use std::path::{Component, Path, PathBuf};

use align::Anchoring;
use align::closed_form::PointPair;
use formats::{
    BadRows, Content, Document, Georeference, MapFile, ReadError, read_document_inside, read_map_inside,
};
use metrics::annotation::inputs::Annotations;
use metrics::contest::marked_points::MarkedPoint;
use model::{FiducialLayout, Finding, Point2, Relation, SensorLog, Trajectory};

use super::held_values::{held_map, held_trajectory};
use super::names::shown_path;
use crate::poses::{poses_of_graph, poses_of_log};
use crate::{AlignmentFile, JobError, Loaded, Map, Provenance, ReadOptions, Reading, SourceRecord};

/// A larger file holds no clicks of a person.
const MAX_CLICKS_BYTES: u64 = 16 << 20;
/// A larger file is no transform file.
const MAX_TRANSFORM_BYTES: u64 = 16 << 20;
/// A longer list of points is refused: every point of a list has its line in the results, and half a million of them took 3 GB.
const MAX_MARKED_POINTS: usize = 20_000;

/// Reads files under the same options, and names them relative to one folder.
#[derive(Clone, Debug, Default)]
pub struct Loader {
    /// How files are read.
    pub reading: ReadOptions,
    /// Names in reports and messages are relative to this folder; none: as given.
    pub root: Option<PathBuf>,
    /// Kinds of log records whose poses are taken: `odom`, `flaser`, `rlaser`, `robotlaser`, `truepos`; empty: scans.
    pub records: Vec<String>,
    /// Faulty rows of a trajectory that may be left out.
    pub skip_bad: usize,
    /// Files that a reader opens must lie in this folder, links included; none: anywhere.
    pub inside: Option<PathBuf>,
}

impl Loader {
    /// A loader with these options.
    #[must_use]
    pub fn new(reading: ReadOptions) -> Self {
        Self { reading, ..Self::default() }
    }

    /// Any file that mapjudge understands.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn document(&self, path: &Path) -> Result<Loaded<Content>, JobError> {
        Ok(self.read(path, &self.reading)?.map(|document| document.content))
    }

    /// A map; of a bag its only one.
    ///
    /// # Errors
    /// The file cannot be read as a map.
    pub fn map(&self, path: &Path) -> Result<Loaded<Map>, JobError> {
        if let Some(map) = held_map(path) {
            return Ok(map);
        }
        Ok(self.map_file(path)?.map(|file| {
            let anchoring = match file.georeference {
                Georeference::FromFile | Georeference::FromOptions => Anchoring::Given,
                Georeference::Assumed => Anchoring::Assumed,
            };
            Map::anchored(file.grid, anchoring)
        }))
    }

    fn map_file(&self, path: &Path) -> Result<Loaded<MapFile>, JobError> {
        let mut opened = Opened::default();
        let inside = self.inside.as_deref();
        let observe = &mut |path: &Path, piece: &[u8]| opened.add(path, piece);
        let file = read_map_inside(inside, path, &self.reading, observe);
        let mut file = file.map_err(|error| self.named(error))?;
        let findings = self.shortened(std::mem::take(&mut file.findings));
        let files = self.records_of(opened, file.format, "_image", "image");
        let provenance =
            Provenance { files, reading: Some(Reading::File(self.reading.clone())), ..Provenance::default() };
        Ok(Loaded { value: file, provenance, findings })
    }

    /// Poses: as such, those of a log or of a graph, or a topic of a bag.
    ///
    /// # Errors
    /// The file cannot be read or holds no poses.
    pub fn trajectory(&self, path: &Path) -> Result<Loaded<Trajectory>, JobError> {
        if let Some(trajectory) = held_trajectory(path) {
            return Ok(trajectory);
        }
        let bad_rows = BadRows::AtMost(self.skip_bad);
        let document = self.read(path, &ReadOptions { bad_rows, ..self.reading.clone() })?;
        let no =
            |found: String, why: &'static str| JobError::NoTrajectory { path: self.told(path), found, why };
        let Loaded { value: document, mut provenance, findings } = document;
        let value = match document.content {
            Content::Trajectory(trajectory) => trajectory,
            Content::Log(log) => poses_of_log(&log, &self.records)
                .map_err(|name| no(format!("no records '{name}'"), "unknown_records"))?,
            Content::Graph(graph) => poses_of_graph(&graph),
            Content::Bag(_) => return Err(no("a bag".to_owned(), "bag_without_topic")),
            other => return Err(no(other.kind().noun().to_owned(), "no_poses")),
        };
        if value.poses.is_empty() {
            return Err(no("no pose".to_owned(), "no_records"));
        }
        provenance.records.clone_from(&self.records);
        Ok(Loaded { value, provenance, findings })
    }

    /// True displacements.
    ///
    /// # Errors
    /// The file cannot be read or holds something else.
    pub fn relations(&self, path: &Path) -> Result<Loaded<Vec<Relation>>, JobError> {
        let bad_rows = BadRows::AtMost(self.skip_bad);
        let document = self.read(path, &ReadOptions { bad_rows, ..self.reading.clone() })?;
        let found = document.value.content.kind().noun().to_owned();
        document.try_map(|document| match document.content {
            Content::Relations(relations) => Ok(relations),
            _ => Err(JobError::NoTrajectory { path: self.told(path), found, why: "no_relations" }),
        })
    }

    /// Where fiducials stand.
    ///
    /// # Errors
    /// The file cannot be read or holds something else.
    pub fn layout(&self, path: &Path) -> Result<Loaded<FiducialLayout>, JobError> {
        self.read(path, &self.reading)?.try_map(|document| match document.content {
            Content::Layout(layout) => Ok(layout),
            _ => Err(JobError::NoLayout { path: self.told(path), found: document.content.kind().noun() }),
        })
    }

    /// Pairs of points that a person clicked in a map and in the truth.
    ///
    /// # Errors
    /// The file cannot be read or has no such rows.
    pub fn point_pairs(&self, path: &Path) -> Result<Vec<PointPair>, JobError> {
        let text = self.text(path, MAX_CLICKS_BYTES)?.value;
        let pairs = formats::read_point_pairs(&self.told(path), text.as_bytes())?;
        Ok(pairs.into_iter().map(|(in_map, in_truth)| PointPair { in_map, in_truth }).collect())
    }

    /// A transform file, or a transform alone.
    ///
    /// # Errors
    /// The file cannot be read, is no transform file, or holds no usable transform.
    pub fn alignment(&self, path: &Path) -> Result<Loaded<AlignmentFile>, JobError> {
        self.text(path, MAX_TRANSFORM_BYTES)?.try_map(|text| {
            AlignmentFile::parse(text.as_bytes())
                .map_err(|message| JobError::Transform { path: self.told(path), message })
        })
    }

    /// Scans and odometry.
    ///
    /// # Errors
    /// The file cannot be read or is no log.
    pub fn log(&self, path: &Path) -> Result<Loaded<SensorLog>, JobError> {
        self.document(path)?.try_map(|content| match content {
            Content::Log(log) => Ok(log),
            other => Err(JobError::NoLog { path: self.told(path), found: other.kind().noun() }),
        })
    }

    /// Labelled points.
    ///
    /// # Errors
    /// The file cannot be read or holds no labelled points.
    pub fn points(&self, path: &Path) -> Result<Loaded<Vec<MarkedPoint>>, JobError> {
        self.document(path)?.try_map(|content| {
            let kind = content.kind();
            let points = crate::points::marked_points(content)
                .ok_or_else(|| JobError::NoPoints { path: self.told(path), found: kind.noun() })?;
            if points.len() > MAX_MARKED_POINTS {
                let message = format!("{} points: expected at most {MAX_MARKED_POINTS}", points.len());
                let hint =
                    "a list of a league has a few hundred; look for a program that wrote one in every step";
                return Err(JobError::contest(self.told(path), message, hint));
            }
            Ok(points)
        })
    }

    /// Vector layers, detection lists and robot paths of one map, together; none without a file.
    ///
    /// # Errors
    /// A file cannot be read, or holds nothing that can be written on a map.
    pub fn annotations(&self, paths: &[PathBuf]) -> Result<Option<Loaded<Annotations>>, JobError> {
        let mut all: Option<Loaded<Annotations>> = None;
        for path in paths {
            let one = self.document(path)?;
            let together = all.get_or_insert_with(|| Loaded::in_memory(Annotations::default()));
            together.provenance.files.extend(one.provenance.files);
            together.findings.extend(one.findings);
            let unused = self.add_annotations(&mut together.value, path, one.value)?;
            together.findings.extend(unused);
        }
        Ok(all)
    }

    fn add_annotations(
        &self,
        annotations: &mut Annotations,
        path: &Path,
        content: Content,
    ) -> Result<Option<Finding>, JobError> {
        match content {
            Content::Vector(layer) => {
                let folder = path.parent().unwrap_or(Path::new(""));
                if !annotations.add_layer(&layer, |uri| is_inside(folder, uri)) {
                    let message = format!("the layer '{}' is of no known kind and was not used", layer.name);
                    return Ok(Some(Finding::warning("LAYER_NOT_USED", message).hint(
                        "name the file after its kind: victims, robot_path, responder_path, skeleton, groups, labels, hazards, snapshots",
                    )));
                }
            }
            Content::Detections(table) => annotations.add_detections(&table),
            Content::Trajectory(trajectory) => {
                let place = |[x_m, y_m, _]: [f64; 3]| Point2::new(x_m, y_m);
                let line =
                    trajectory.poses.iter().map(|pose| place(pose.world_from_robot.position_m)).collect();
                annotations.robot_paths.get_or_insert_default().push(line);
            }
            other => {
                return Err(JobError::NoAnnotations { path: self.told(path), found: other.kind().noun() });
            }
        }
        Ok(None)
    }

    /// A small text file, such as a limits file; a larger one is not read at all.
    ///
    /// # Errors
    /// The file cannot be read or is larger than `max_bytes`.
    pub fn text(&self, path: &Path, max_bytes: u64) -> Result<Loaded<String>, JobError> {
        use std::io::Read;
        let failed = |source| JobError::File { path: self.told(path), source };
        self.check_place(path).map_err(failed)?;
        let file = std::fs::File::open(path).map_err(failed)?;
        let mut text = String::new();
        file.take(max_bytes + 1).read_to_string(&mut text).map_err(failed)?;
        if text.len() as u64 > max_bytes {
            return Err(JobError::FileTooLarge { path: self.told(path), max_bytes });
        }
        let mut opened = Opened::default();
        opened.add(path, text.as_bytes());
        let ending =
            path.extension().map_or_else(String::new, |ending| ending.to_string_lossy().into_owned());
        let files = self.records_of(opened, &ending, "", "");
        let provenance = Provenance { files, ..Provenance::default() };
        Ok(Loaded { value: text, provenance, findings: Vec::new() })
    }

    /// A file that could not be used, as an input of a report.
    pub(super) fn unread_input(&self, role: &str, path: &Path) -> report::Input {
        let hash = || {
            // A pipe may never open, and a device never end.
            path.metadata().ok().filter(std::fs::Metadata::is_file)?;
            let mut hasher = blake3::Hasher::new();
            hasher.update_reader(std::fs::File::open(path).ok()?).ok()?;
            Some(hasher.finalize().to_hex())
        };
        report::Input {
            role: role.to_owned(),
            path: self.shown(path),
            blake3: hash().map_or_else(String::new, |hex| hex.to_string()),
            format: String::new(),
        }
    }

    fn read(&self, path: &Path, options: &ReadOptions) -> Result<Loaded<Document>, JobError> {
        let mut opened = Opened::default();
        let observe = &mut |path: &Path, piece: &[u8]| opened.add(path, piece);
        let document = read_document_inside(self.inside.as_deref(), path, options, observe);
        let mut document = document.map_err(|error| self.named(error))?;
        let findings = self.shortened(std::mem::take(&mut document.findings));
        let files = self.records_of(opened, document.format, "", document.format);
        let provenance = Provenance { files, ..Provenance::default() };
        Ok(Loaded { value: document, provenance, findings })
    }

    /// The opened files as records: the first under the format, the others as its companions.
    fn records_of(&self, opened: Opened, format: &str, suffix: &str, companion: &str) -> Vec<SourceRecord> {
        let record = |(index, (path, hasher)): (usize, (PathBuf, blake3::Hasher))| SourceRecord {
            path: self.shown(&path),
            blake3: hasher.finalize().to_hex().to_string(),
            format: if index == 0 { format } else { companion }.to_owned(),
            suffix: if index == 0 { "" } else { suffix }.to_owned(),
        };
        opened.hashes.into_iter().enumerate().map(record).collect()
    }

    /// Refuses a file of a team that is no regular one, or lies in somebody else's folder, before it is opened.
    fn check_place(&self, path: &Path) -> std::io::Result<()> {
        let Some(folder) = &self.inside else { return Ok(()) };
        if !path.metadata()?.is_file() {
            return Err(std::io::Error::other("no regular file"));
        }
        if path.canonicalize()?.starts_with(folder.canonicalize()?) {
            return Ok(());
        }
        Err(std::io::Error::other("the file lies outside of the folder of the team"))
    }

    /// A path as reports show it.
    #[must_use]
    pub fn shown(&self, path: &Path) -> String {
        match self.root.as_deref().and_then(|root| path.strip_prefix(root).ok()) {
            Some(relative) => shown_path(relative).replace('\\', "/"),
            None => shown_path(path),
        }
    }

    /// A path as messages show it: as given, or relative to the root.
    pub(super) fn told(&self, path: &Path) -> String {
        self.without_root(&path.display().to_string())
    }

    /// A message without the folder that names are relative to.
    #[must_use]
    pub fn without_root(&self, text: &str) -> String {
        let root = self.root.as_ref().map(|root| root.display().to_string()).filter(|root| !root.is_empty());
        root.map_or_else(|| text.to_owned(), |root| text.replace(&format!("{root}/"), ""))
    }

    fn shortened(&self, findings: Vec<Finding>) -> Vec<Finding> {
        let short = |finding: Finding| Finding {
            message: self.without_root(&finding.message),
            hint: finding.hint.map(|hint| self.without_root(&hint)),
            ..finding
        };
        findings.into_iter().map(short).collect()
    }

    /// The error with names relative to the root.
    fn named(&self, mut error: ReadError) -> JobError {
        match &mut error {
            ReadError::Open { file, .. }
            | ReadError::Malformed { file, .. }
            | ReadError::Truncated { file, .. }
            | ReadError::TooLarge { file, .. }
            | ReadError::Contradiction { file, .. }
            | ReadError::UnknownFormat { file, .. } => *file = self.without_root(file),
            ReadError::ImageMissing { file, tried, .. } => {
                *file = self.without_root(file);
                tried.iter_mut().for_each(|path| *path = self.without_root(path));
            }
            _ => {}
        }
        error.into()
    }
}

impl<T> Loaded<T> {
    /// Another value from the same files, or the error of the conversion.
    pub(crate) fn try_map<U, E>(self, change: impl FnOnce(T) -> Result<U, E>) -> Result<Loaded<U>, E> {
        Ok(Loaded { value: change(self.value)?, provenance: self.provenance, findings: self.findings })
    }
}

/// Hashes of the files that a reader opened, in the order of their first bytes.
#[derive(Default)]
struct Opened {
    hashes: Vec<(PathBuf, blake3::Hasher)>,
}

impl Opened {
    fn add(&mut self, path: &Path, piece: &[u8]) {
        let index = self.hashes.iter().rposition(|(known, _)| known == path).unwrap_or_else(|| {
            self.hashes.push((path.to_owned(), blake3::Hasher::new()));
            self.hashes.len() - 1
        });
        self.hashes[index].1.update(piece);
    }
}

/// Whether a layer names a file in its own folder or below; nothing else is looked at.
fn is_inside(folder: &Path, uri: &str) -> bool {
    let path = Path::new(uri);
    let is_below = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    is_below && folder.join(path).is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let map = Loader::default().map(&path).unwrap();
            let whole = blake3::hash(&std::fs::read(&path).unwrap()).to_hex().to_string();
            assert_eq!(map.provenance.files[0].blake3, whole, "{name}");
        }
    }

    #[test]
    fn every_file_that_a_reader_opens_is_recorded() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let (yaml, pgm) = formats::write_ros_map(&testkit::grid(["#.", ".#"]), "map.pgm");
        std::fs::write(path("map.yaml"), yaml).unwrap();
        std::fs::write(path("map.pgm"), pgm).unwrap();
        let loader = Loader { root: Some(folder.path().to_owned()), ..Loader::default() };
        let map = loader.map(&path("map.yaml")).unwrap();
        let listed: Vec<(&str, &str)> =
            map.provenance.files.iter().map(|f| (f.path.as_str(), f.suffix.as_str())).collect();
        assert_eq!(listed, [("map.yaml", ""), ("map.pgm", "_image")]);
        let error = loader.map(&path("missing.yaml")).unwrap_err().to_string();
        assert!(error.starts_with("missing.yaml: "), "{error}");
    }

    #[test]
    fn only_files_below_a_layer_are_looked_at() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("images")).unwrap();
        std::fs::write(folder.path().join("images/a.png"), b"x").unwrap();
        let layers = folder.path().join("images");
        assert!(is_inside(folder.path(), "images/a.png") && is_inside(&layers, "./a.png"));
        assert!(!is_inside(folder.path(), "images"), "a folder is no image");
        assert!(!is_inside(&layers, "../images/a.png"));
        assert!(!is_inside(&layers, &layers.join("a.png").display().to_string()), "absolute");
    }
}
