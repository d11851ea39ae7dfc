//! What a file is: kind, size, place, layers, counts, time range, findings. Schema `mapjudge.info/1`.

use std::collections::BTreeMap;
use std::path::Path;

use formats::{Content, Document, MapFile, ReadOptions, read_document_inside};
use model::{Finding, Grid, GridGeometry, LogRecord, StampedPose, TimeBase, Trajectory, VectorLayer};
use schemars::JsonSchema;
use serde::Serialize;

use crate::JobError;
use crate::files::shown_path as shown;

/// The name of this schema.
pub const INFO_SCHEMA: &str = "mapjudge.info/1";

/// What several files are.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Info {
    /// Always `mapjudge.info/1`.
    pub schema: &'static str,
    /// One entry per file.
    pub files: Vec<FileInfo>,
}

/// What a file is. Absent things are left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct FileInfo {
    /// The path as given; the file name alone if it was absolute.
    pub path: String,
    /// Stable name of the format.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub format: &'static str,
    /// `raster`, `vector`, `trajectory`, `relations`, `log`, `graph`, `bag`, `table` or `layout`.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub kind: &'static str,
    /// Columns of the map.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<usize>,
    /// Rows of the map.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height: Option<usize>,
    /// Edge of a cell in metres.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell_size_m: Option<f64>,
    /// Six numbers in the order of GDAL: x of the upper left corner, step along a row in x, step along a
    /// column in x, then the same for y. They are those of the cells above.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub geotransform: Option<[f64; 6]>,
    /// The same of the pixels of the file, where the cells are not its pixels: oblong pixels are resampled, and options go
    /// over the file. The sizes of its layers are those of its pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pixel_geotransform: Option<[f64; 6]>,
    /// Reference system that the file states.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crs: Option<String>,
    /// Layers of a map, or kinds of features.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub layers: Vec<LayerInfo>,
    /// How many of what.
    #[serde(skip_serializing_if = "Counts::is_empty")]
    pub counts: Counts,
    /// Topics of a bag.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub topics: Vec<TopicInfo>,
    /// First and last stamp.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<TimeRange>,
    /// What is odd about the file.
    pub findings: Vec<Finding>,
}

/// A layer of a map.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct LayerInfo {
    /// Name.
    pub name: String,
    /// `occupancy`, `probability`, `navigation` or `height`; the kind of features of a vector layer.
    pub kind: String,
    /// Columns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<usize>,
    /// Rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height: Option<usize>,
    /// Cells by class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cells: Option<CellCounts>,
}

/// Cells by class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CellCounts {
    /// Free cells.
    pub free: u64,
    /// Occupied cells.
    pub occupied: u64,
    /// Unknown cells.
    pub unknown: u64,
}

impl CellCounts {
    /// Counts in the order of the classes: free, unknown, occupied.
    fn of([free, unknown, occupied]: [u64; 3]) -> Self {
        Self { free, occupied, unknown }
    }
}

impl LayerInfo {
    fn of_features(layer: &VectorLayer) -> Self {
        let kind = format!("{} features", layer.features.len());
        Self { name: layer.name.clone(), kind, width: None, height: None, cells: None }
    }
}

/// A topic of a bag.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TopicInfo {
    /// Name.
    pub name: String,
    /// Type of its messages.
    pub message_type: String,
    /// Number of messages.
    pub messages: u64,
}

impl TopicInfo {
    fn of(topic: &formats::BagTopic) -> Self {
        let (name, message_type) = (topic.name.clone(), topic.type_name.clone());
        Self { name, message_type, messages: topic.messages }
    }
}

macro_rules! counts {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// How many of what; what a file does not have is left out.
        #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
        pub struct Counts {
            $($(#[$doc])* #[serde(skip_serializing_if = "Option::is_none")] pub $name: Option<usize>,)*
            /// Messages by topic.
            #[serde(skip_serializing_if = "BTreeMap::is_empty")]
            pub topics: BTreeMap<String, u64>,
        }

        impl Counts {
            /// True if nothing was counted.
            #[must_use]
            pub fn is_empty(&self) -> bool {
                self.topics.is_empty() $(&& self.$name.is_none())*
            }

            /// Name and number of what was counted.
            #[must_use]
            pub fn listed(&self) -> Vec<(&'static str, usize)> {
                [$((stringify!($name), self.$name),)*].into_iter().filter_map(|(n, c)| Some((n, c?))).collect()
            }
        }
    };
}

counts! {
    /// Laser scans.
    scans,
    /// Beams of a scan; of the first where they differ.
    beams,
    /// Odometry readings.
    odometry,
    /// Sweeps of a sonar ring.
    sonar,
    /// Poses.
    poses,
    /// Relations.
    relations,
    /// Vertices of a graph.
    vertices,
    /// Edges of a graph.
    edges,
    /// Features of a vector layer.
    features,
    /// Rows of a table.
    rows,
    /// Parts of fiducials.
    parts,
    /// Messages of a bag.
    messages,
}

/// First and last stamp, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TimeRange {
    /// Smallest stamp.
    pub first_s: f64,
    /// Largest stamp.
    pub last_s: f64,
}

/// Says what a file is.
///
/// # Errors
/// The file cannot be read.
pub fn describe(path: &Path, options: &ReadOptions) -> Result<FileInfo, JobError> {
    describe_inside(None, path, options)
}

/// As [`describe`]; a file that lies outside of the folder `inside`, or names one that does, is refused unread.
///
/// # Errors
/// As [`describe`].
pub fn describe_inside(
    inside: Option<&Path>,
    path: &Path,
    options: &ReadOptions,
) -> Result<FileInfo, JobError> {
    let document = read_document_inside(inside, path, options, &mut |_, _| {})?;
    Ok(describe_document(path, &document))
}

/// Says what a file that was read is.
#[must_use]
pub fn describe_document(path: &Path, document: &Document) -> FileInfo {
    let info = FileInfo {
        path: shown(path),
        format: document.format,
        kind: document.content.kind().name(),
        findings: document.findings.clone(),
        ..FileInfo::default()
    };
    let counted = |counts: Counts| FileInfo { counts, ..info.clone() };
    match &document.content {
        Content::Raster(map) => raster(map, info),
        Content::Vector(layer) => FileInfo {
            layers: vec![LayerInfo::of_features(layer)],
            ..counted(Counts { features: Some(layer.features.len()), ..Counts::default() })
        },
        Content::Trajectory(trajectory) => FileInfo {
            time: trajectory_time(trajectory),
            ..counted(Counts { poses: Some(trajectory.poses.len()), ..Counts::default() })
        },
        Content::Relations(relations) => FileInfo {
            time: time_range(relations.iter().flat_map(|r| [r.from_s, r.to_s])),
            ..counted(Counts { relations: Some(relations.len()), ..Counts::default() })
        },
        Content::Log(log) => {
            let counts = Counts {
                scans: Some(log.scans().count()),
                beams: log.scans().next().map(|scan| scan.ranges_m.len()),
                odometry: Some(log.odometry().count()),
                sonar: Some(log.sonar().count()).filter(|sweeps| *sweeps > 0),
                ..Counts::default()
            };
            FileInfo { time: time_range(log.records.iter().map(LogRecord::time_s)), ..counted(counts) }
        }
        Content::Graph(graph) => counted(Counts {
            vertices: Some(graph.vertices.len()),
            edges: Some(graph.edges.len()),
            ..Counts::default()
        }),
        Content::Detections(table) => counted(Counts { rows: Some(table.rows.len()), ..Counts::default() }),
        Content::Points(points) => counted(Counts { rows: Some(points.points.len()), ..Counts::default() }),
        Content::Layout(layout) => counted(Counts { parts: Some(layout.parts.len()), ..Counts::default() }),
        Content::Bag(bag) => FileInfo {
            time: bag.time_range_s().map(|(first_s, last_s)| TimeRange { first_s, last_s }),
            topics: bag.topics.iter().map(TopicInfo::of).collect(),
            ..counted(Counts {
                messages: Some(bag.messages() as usize),
                topics: bag.topics.iter().map(|topic| (topic.name.clone(), topic.messages)).collect(),
                ..Counts::default()
            })
        },
        _ => info,
    }
}

fn raster(map: &MapFile, info: FileInfo) -> FileInfo {
    let geometry = map.grid.geometry();
    let stated = map.layers.iter().map(|layer| LayerInfo {
        name: layer.name.clone(),
        kind: layer.kind.to_owned(),
        width: Some(layer.width),
        height: Some(layer.height),
        cells: layer.class_counts.map(CellCounts::of),
    });
    let marks = map.marks.iter().map(LayerInfo::of_features);
    let cells = if map.layers.is_empty() { vec![layer_of(&map.grid)] } else { stated.collect() };
    let of_cells = geotransform(geometry);
    let (of_file, of_pixels) = match map.geotransform {
        Some(of_file) if is_same(of_file, of_cells, geometry) => (of_file, None),
        of_file => (of_cells, of_file),
    };
    FileInfo {
        width: Some(geometry.width()),
        height: Some(geometry.height()),
        cell_size_m: Some(geometry.cell_size_m()),
        geotransform: Some(of_file),
        pixel_geotransform: of_pixels,
        crs: map.crs.clone(),
        layers: cells.into_iter().chain(marks).collect(),
        ..info
    }
}

fn layer_of(grid: &Grid) -> LayerInfo {
    let (name, kind) = match (grid.navigation().is_some(), grid.probabilities().is_some()) {
        (true, _) => ("navigation", "navigation"),
        (false, true) => ("occupancy", "probability"),
        (false, false) => ("occupancy", "occupancy"),
    };
    LayerInfo {
        name: name.to_owned(),
        kind: kind.to_owned(),
        width: Some(grid.geometry().width()),
        height: Some(grid.geometry().height()),
        cells: Some(CellCounts::of(grid.class_counts())),
    }
}

/// Whether two transforms put every cell at the same place, to a thousandth of a cell.
fn is_same(one: [f64; 6], other: [f64; 6], geometry: &GridGeometry) -> bool {
    let (columns, rows) = (geometry.width() as f64, geometry.height() as f64);
    let reach = [1.0, columns, rows, 1.0, columns, rows];
    let off_m = |(index, reach): (usize, f64)| (one[index] - other[index]).abs() * reach;
    reach.into_iter().enumerate().map(off_m).fold(0.0, f64::max) <= 1e-3 * geometry.cell_size_m()
}

/// Position of the upper left corner and the steps to the next column and row, as GDAL lists them.
fn geotransform(geometry: &GridGeometry) -> [f64; 6] {
    let height = geometry.height() as f64;
    let at = |right: f64, up: f64| geometry.world_of_grid_point(right, up);
    let (corner, right, down) = (at(0.0, height), at(1.0, height), at(0.0, height - 1.0));
    [
        corner.x_m,
        right.x_m - corner.x_m,
        down.x_m - corner.x_m,
        corner.y_m,
        right.y_m - corner.y_m,
        down.y_m - corner.y_m,
    ]
}

fn trajectory_time(trajectory: &Trajectory) -> Option<TimeRange> {
    let stamps = trajectory.poses.iter().map(|pose: &StampedPose| pose.time_s);
    (trajectory.time_base == TimeBase::Seconds).then(|| time_range(stamps)).flatten()
}

fn time_range(stamps: impl Iterator<Item = f64> + Clone) -> Option<TimeRange> {
    let first_s = stamps.clone().reduce(f64::min)?;
    Some(TimeRange { first_s, last_s: stamps.reduce(f64::max)? })
}

#[cfg(test)]
mod tests {
    use model::Pose2;

    use super::*;

    #[test]
    fn a_map_is_described_by_size_place_and_cells() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("map.txt");
        std::fs::write(&path, "resolution: 0.5\norigin: 1 2 0\n##.\n?..\n").unwrap();
        let info = describe(&path, &ReadOptions::default()).unwrap();
        assert_eq!((info.kind, info.width, info.height), ("raster", Some(3), Some(2)));
        assert_eq!(info.geotransform, Some([1.0, 0.5, 0.0, 3.0, 0.0, -0.5]));
        assert_eq!(info.layers[0].cells, Some(CellCounts { free: 3, occupied: 2, unknown: 1 }));
    }

    #[test]
    fn a_turned_map_has_turned_steps() {
        let origin = Pose2::new(0.0, 0.0, std::f64::consts::FRAC_PI_2);
        let turned = geotransform(&GridGeometry::new(2, 1, 1.0, origin).unwrap());
        let expected = [-1.0, 0.0, 1.0, 0.0, 1.0, 0.0];
        assert!(turned.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{turned:?}");
    }
}
