//! One file into another format, where that makes sense. What would lose meaning is refused unless told.

use std::path::{Path, PathBuf};

use formats::{Content, Document, Georeference, Layer, MapFile, ReadOptions, read_document};
use model::{
    CellClass, Dimension, Grid, LaserScan, Pose2, Relation, SensorLog, Shape, TimeBase, Trajectory,
    VectorLayer,
};

use super::layers::{ForbiddenColours, Layers};
use super::{Overwrite, check_overwrite, write_whole};
use crate::JobError;
use crate::drawn_map::drawn_map;
use crate::poses::scan_poses;

/// Whether meaning may be lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// Refuse.
    Refused,
    /// Go on.
    Accepted,
}

/// What a conversion wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Converted {
    /// Files written, the given one first.
    pub files: Vec<PathBuf>,
    /// What was lost, one sentence each.
    pub lost: Vec<String>,
}

/// What cells are where a vector map says nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Background {
    /// The file does not say.
    #[default]
    Unknown,
    /// Whoever converts knows that the lines are all walls that there are.
    Free,
}

/// The bytes of one or more files, the main one first, and what they cannot hold.
struct Written {
    files: Vec<(PathBuf, Vec<u8>)>,
    lost: Vec<String>,
}

impl Written {
    fn text(output: &Path, text: String) -> Self {
        Self::bytes(output, text.into_bytes())
    }

    fn bytes(output: &Path, bytes: Vec<u8>) -> Self {
        Self { files: vec![(output.to_owned(), bytes)], lost: Vec::new() }
    }

    fn beside(mut self, path: PathBuf, text: String) -> Self {
        self.files.push((path, text.into_bytes()));
        self
    }

    /// Writes the files, unless meaning would be lost and may not.
    fn written(self, output: &Path, loss: Loss, overwrite: Overwrite) -> Result<Converted, JobError> {
        if loss == Loss::Refused && !self.lost.is_empty() {
            return Err(JobError::WouldLose { output: output.display().to_string(), lost: self.lost });
        }
        self.files.iter().try_for_each(|(path, _)| check_overwrite(path, overwrite))?;
        self.files.iter().try_for_each(|(path, bytes)| write_whole(path, bytes))?;
        Ok(Converted { files: self.files.into_iter().map(|(path, _)| path).collect(), lost: self.lost })
    }

    fn losing(mut self, is_lost: bool, what: &str) -> Self {
        if is_lost {
            self.lost.push(what.to_owned());
        }
        self
    }
}

/// Reads a file and writes it in the format that the ending of `output` names. Of a bag, the topic that the options
/// name: scans and odometry as a log, poses and transforms as a trajectory, a map as a map.
///
/// # Errors
/// The input cannot be read, its kind cannot be written under that ending, meaning would be lost, or the output
/// exists or cannot be written.
pub fn convert(
    input: &Path,
    output: &Path,
    options: &ReadOptions,
    background: Background,
    (loss, overwrite): (Loss, Overwrite),
) -> Result<Converted, JobError> {
    check_overwrite(output, overwrite)?;
    let document = read_document(input, options)?;
    match &document.content {
        Content::Raster(map) if is_tiff(output) && !other_layers(map).is_empty() => {
            let mut layers = Layers::read(input, options)?;
            let bytes = layers.geotiff(output, ForbiddenColours::Refused)?;
            Written::bytes(output, bytes).written(output, loss, overwrite)
        }
        Content::Vector(layer) if is_image(output) => {
            let written = drawn(layer, output, options, background)?;
            written.written(output, loss, overwrite)
        }
        _ => convert_document(&document, output, loss, overwrite),
    }
}

fn ending_of(output: &Path) -> String {
    output.extension().map_or_else(String::new, |e| e.to_string_lossy().to_ascii_lowercase())
}

fn is_tiff(output: &Path) -> bool {
    ["tif", "tiff"].contains(&ending_of(output).as_str())
}

fn is_image(output: &Path) -> bool {
    ["yaml", "yml", "pgm", "png", "tif", "tiff", "txt", "grid"].contains(&ending_of(output).as_str())
}

/// A vector map as cells of the stated size; images get a world file, so that they keep their place.
fn drawn(
    layer: &VectorLayer,
    output: &Path,
    options: &ReadOptions,
    background: Background,
) -> Result<Written, JobError> {
    let refused = |why: String| JobError::Unwritable { output: output.display().to_string(), why };
    let Some(cell_size_m) = options.resolution_m else {
        return Err(refused(
            "a vector map has no cells: expected a resolution in metres per cell".to_owned(),
        ));
    };
    let background = match background {
        Background::Unknown => CellClass::Unknown,
        Background::Free => CellClass::Free,
    };
    let grid = drawn_map(layer, cell_size_m, background).map_err(refused)?;
    let ending = ending_of(output);
    let world_file = formats::write_world_file(grid.geometry());
    let map = MapFile::of_grid(grid, "vector", Georeference::FromOptions);
    let mut written = raster(&map, &ending, output)?
        .ok_or(JobError::NoConversion { kind: "a vector layer", ending: ending.clone() })?;
    if ["png", "pgm"].contains(&ending.as_str()) {
        written.lost.clear();
        written = written.beside(output.with_extension("pgw"), world_file);
    }
    let has_texts = layer.features.iter().any(|feature| matches!(feature.shape, Shape::Text { .. }));
    Ok(written.losing(has_texts, "texts"))
}

/// Names of the layers that say something else than the map: not the classes that were written beside it.
fn other_layers(map: &MapFile) -> Vec<&str> {
    let own = Some(map.grid.class_counts());
    let map_layer =
        map.layers.iter().position(|layer| layer.name.eq_ignore_ascii_case("navigation")).unwrap_or(0);
    let says_the_same =
        |layer: &Layer| layer.name == "occupancy" && layer.kind == "grey" && layer.class_counts == own;
    let others = map.layers.iter().enumerate().filter(|(index, _)| *index != map_layer);
    others
        .map(|(_, layer)| layer)
        .filter(|layer| !says_the_same(layer))
        .map(|layer| layer.name.as_str())
        .collect()
}

/// Writes what was read in the format that the ending of `output` names.
///
/// # Errors
/// As [`convert`], apart from reading.
pub fn convert_document(
    document: &Document,
    output: &Path,
    loss: Loss,
    overwrite: Overwrite,
) -> Result<Converted, JobError> {
    let ending = ending_of(output);
    let unwritable = |error: &dyn std::fmt::Display| JobError::Unwritable {
        output: output.display().to_string(),
        why: error.to_string(),
    };
    let written = match &document.content {
        Content::Raster(map) => raster(map, &ending, output)?,
        Content::Vector(layer) => vector(layer, &ending, output)?,
        Content::Trajectory(trajectory) => trajectory_as(trajectory, &ending, output),
        Content::Log(log) if ending == "mcap" => Some(mcap_of(log, output)?),
        Content::Log(log) => log_as(log, &ending, output),
        Content::Relations(relations) => relations_as(relations, &ending, output),
        Content::Graph(graph) => (ending == "g2o").then(|| Written::text(output, formats::write_g2o(graph))),
        Content::Detections(table) if ending == "csv" => {
            let text = formats::write_detections(table).map_err(|e| unwritable(&e))?;
            Some(Written::text(output, text))
        }
        Content::Points(points) if ending == "pts" => {
            let text = formats::write_point_list(points).map_err(|e| unwritable(&e))?;
            Some(Written::text(output, text))
        }
        Content::Layout(layout) if ending == "toml" || ending == "csv" => {
            let write = if ending == "toml" { formats::write_layout_toml } else { formats::write_layout_csv };
            Some(Written::text(output, write(layout).map_err(|e| unwritable(&e))?))
        }
        _ => None,
    };
    let kind = document.content.kind().noun();
    let written = written.ok_or(JobError::NoConversion { kind, ending })?;
    written.written(output, loss, overwrite)
}

/// The files of a map under a name, in the format of an ending; images have a world file, so that they keep their place.
///
/// # Errors
/// No map can be written under that ending.
pub fn map_files(grid: &Grid, name: &str, ending: &str) -> Result<Vec<(String, Vec<u8>)>, JobError> {
    let output = PathBuf::from(format!("{name}.{ending}"));
    let world_file = formats::write_world_file(grid.geometry());
    let map = MapFile::of_grid(grid.clone(), "map", Georeference::FromFile);
    let written = raster(&map, ending, &output)?;
    let unknown = || JobError::NoConversion { kind: "a map", ending: ending.to_owned() };
    let mut written = written.ok_or_else(unknown)?;
    if ["png", "pgm"].contains(&ending) {
        written = written.beside(output.with_extension("pgw"), world_file);
    }
    let named = |(path, bytes): (PathBuf, Vec<u8>)| (path.display().to_string(), bytes);
    Ok(written.files.into_iter().map(named).collect())
}

fn raster(map: &MapFile, ending: &str, output: &Path) -> Result<Option<Written>, JobError> {
    let grid = &map.grid;
    let has_place = grid.geometry().origin() != Pose2::IDENTITY || map.georeference != Georeference::Assumed;
    let (probabilities, navigation) = (grid.probabilities().is_some(), grid.navigation().is_some());
    let written = match ending {
        "yaml" | "yml" => {
            let image = output.with_extension("pgm");
            let name = image.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let (yaml, pgm) = formats::write_ros_map(grid, &name);
            let mut written = Written::text(output, yaml);
            written.files.push((image, pgm));
            written.losing(probabilities, "probabilities").losing(navigation, "navigation classes")
        }
        "pgm" => Written::bytes(output, formats::write_pgm(grid))
            .losing(has_place, "resolution and origin")
            .losing(probabilities, "probabilities")
            .losing(navigation, "navigation classes"),
        "png" => {
            let write = if navigation { formats::write_navigation_png } else { formats::write_png };
            let png = write(grid).map_err(|source| JobError::file(output, source))?;
            Written::bytes(output, png)
                .losing(has_place, "resolution and origin")
                .losing(probabilities, "probabilities")
        }
        "tif" | "tiff" => Written::bytes(output, geotiff(grid, output)?),
        "txt" | "grid" => Written::text(output, formats::write_text_grid(grid)),
        _ => return Ok(None),
    };
    let others = other_layers(map);
    let layers = if others.len() == 1 { "layer" } else { "layers" };
    Ok(Some(written.losing(!others.is_empty(), &format!("the {layers} {}", others.join(", ")))))
}

/// The layers that a map has: navigation, occupancy, probabilities.
fn geotiff(grid: &Grid, output: &Path) -> Result<Vec<u8>, JobError> {
    use formats::{GeoTiffFrame, GeoTiffLayer, GeoTiffLayerPixels};
    let numbers: Option<Vec<f32>> = grid.probabilities().map(|p| p.iter().map(|&v| v as f32).collect());
    let navigation = grid
        .navigation()
        .map(|classes| GeoTiffLayer { name: "navigation", pixels: GeoTiffLayerPixels::Navigation(classes) });
    let probability = numbers
        .as_deref()
        .map(|p| GeoTiffLayer { name: "probability", pixels: GeoTiffLayerPixels::Probability(p) });
    let occupancy = GeoTiffLayer { name: "occupancy", pixels: GeoTiffLayerPixels::Occupancy(grid) };
    let layers: Vec<_> = navigation.into_iter().chain(probability).chain([occupancy]).collect();
    let frame = GeoTiffFrame::Local("map".to_owned());
    formats::write_geotiff(grid.geometry(), &frame, &layers).map_err(|error| JobError::Unwritable {
        output: output.display().to_string(),
        why: error.to_string(),
    })
}

fn vector(layer: &VectorLayer, ending: &str, output: &Path) -> Result<Option<Written>, JobError> {
    let unwritable = |error: formats::WriteError| JobError::Unwritable {
        output: output.display().to_string(),
        why: error.to_string(),
    };
    Ok(match ending {
        "mif" => {
            let pair = formats::write_mif(layer).map_err(unwritable)?;
            Some(Written::text(output, pair.mif).beside(output.with_extension("mid"), pair.mid))
        }
        "geojson" | "json" => {
            let text = formats::write_geojson(layer).map_err(unwritable)?;
            Some(Written::text(output, text))
        }
        _ => None,
    })
}

fn trajectory_as(trajectory: &Trajectory, ending: &str, output: &Path) -> Option<Written> {
    let has_time = trajectory.time_base == TimeBase::Seconds;
    let is_spatial = trajectory.dimension == Dimension::Spatial;
    match ending {
        "tum" => Some(Written::text(output, formats::write_tum(trajectory))),
        "kitti" => {
            let times = output.with_extension("times.txt");
            let written = Written::text(output, formats::write_kitti(trajectory));
            Some(if has_time {
                written.beside(times, formats::write_kitti_times(trajectory))
            } else {
                written
            })
        }
        "csv" => Some(Written::text(output, formats::write_trajectory_csv(trajectory))),
        "json" => Some(Written::text(output, formats::write_trajectory_json(trajectory))),
        "poses" | "txt" => Some(
            Written::text(output, formats::write_pose_log(trajectory))
                .losing(is_spatial, "height, roll and pitch"),
        ),
        _ => None,
    }
}

fn relations_as(relations: &[Relation], ending: &str, output: &Path) -> Option<Written> {
    Some(Written::text(output, relations_text(relations, ending)?))
}

/// Relations in the form of an ending; none for an ending that names no form.
pub(crate) fn relations_text(relations: &[Relation], ending: &str) -> Option<String> {
    Some(match ending {
        "relations" | "txt" => formats::write_relations(relations),
        "csv" => formats::write_relations_csv(relations),
        "json" => formats::write_relations_json(relations),
        "jsonl" => formats::write_relation_records(&crate::files::relations::accepted(relations)),
        _ => return None,
    })
}

/// A log as an mcap file, whose stamps have bounds.
fn mcap_of(log: &SensorLog, output: &Path) -> Result<Written, JobError> {
    let bytes = formats::write_mcap(log).map_err(|error| JobError::Unwritable {
        output: output.display().to_string(),
        why: error.to_string(),
    })?;
    let has_poses = log.scans().any(|scan| scan.world_from_robot.is_some());
    let has_sonar = log.sonar().next().is_some();
    Ok(Written::bytes(output, bytes).losing(has_poses, "poses of scans").losing(has_sonar, "sonar"))
}

/// A log stays a log, or gives the poses that its scans carry.
fn log_as(log: &SensorLog, ending: &str, output: &Path) -> Option<Written> {
    if ["log", "clf", "carmen"].contains(&ending) {
        return Some(Written::text(output, formats::write_carmen(log)));
    }
    let has = |is: fn(&LaserScan) -> bool| log.scans().any(is);
    let has_speeds =
        log.odometry().any(|odometry| odometry.speed_mps.is_some_and(|speed_mps| speed_mps != 0.0));
    if ["usar", "usarsim"].contains(&ending) {
        let text = formats::usarsim::write(log, Default::default(), Default::default());
        let written = Written::text(output, text)
            .losing(has(|scan| scan.world_from_robot.is_some()), "poses of scans")
            .losing(has(is_lopsided), "beams that do not lie evenly about the axis");
        return Some(written.losing(has(has_remissions), "remissions").losing(has_speeds, "speeds"));
    }
    if ending == "csv" {
        let written = Written::text(output, formats::write_log_csv(log));
        let has_own_pose = has(|scan| scan.world_from_laser != scan.world_from_robot);
        let has_sonar = log.sonar().next().is_some();
        let written = written.losing(has_own_pose, "poses of lasers").losing(has_sonar, "sonar");
        return Some(written.losing(has(has_remissions), "remissions").losing(has_speeds, "speeds"));
    }
    Some(trajectory_as(&scan_poses(log), ending, output)?.losing(true, "scans and odometry"))
}

const fn has_remissions(scan: &LaserScan) -> bool {
    !scan.remissions.is_empty()
}

/// Whether the axis of the laser is not in the middle of its beams, as a message would say.
fn is_lopsided(scan: &LaserScan) -> bool {
    let field_of_view_rad = scan.beams.step_rad * scan.ranges_m.len().saturating_sub(1) as f64;
    (scan.beams.first_rad + field_of_view_rad / 2.0).abs() > 1e-6
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder_with(name: &str, content: &str) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        (folder, path)
    }

    fn to(input: &Path, output: &Path, loss: Loss) -> Result<Converted, JobError> {
        convert(input, output, &ReadOptions::default(), Background::Unknown, (loss, Overwrite::Refused))
    }

    #[test]
    fn a_map_goes_there_and_back_unchanged() {
        let text = "resolution: 0.5\norigin: 1 2 0\n##.\n?..\n";
        let (folder, path) = folder_with("map.txt", text);
        let yaml = folder.path().join("map.yaml");
        assert_eq!(to(&path, &yaml, Loss::Refused).unwrap().files.len(), 2);
        let back = folder.path().join("back.txt");
        to(&yaml, &back, Loss::Refused).unwrap();
        let read = |path: &Path| formats::read_map(path, &ReadOptions::default()).unwrap().grid;
        assert_eq!(read(&back), read(&path));
    }

    #[test]
    fn trajectories_and_relations_go_to_csv_and_json_and_back() {
        for (name, text) in [
            ("run.tum", "1.5 1 2 3 0 0 0 1\n2.5 2 2 3 0 0 0.6 0.8\n"),
            ("run.relations", "10 20 1 0 0 0 0 0.5\n"),
        ] {
            let (folder, path) = folder_with(name, text);
            let read = |path: &Path| read_document(path, &ReadOptions::default()).unwrap().content;
            for ending in ["csv", "json"] {
                let output = folder.path().join("out").with_extension(ending);
                to(&path, &output, Loss::Refused).unwrap();
                assert_eq!(read(&output), read(&path), "{name} to {ending}");
            }
        }
    }

    #[test]
    fn what_would_be_lost_is_said_and_refused_until_told() {
        let (folder, path) = folder_with("map.txt", "resolution: 0.5\norigin: 1 2 0\n0.2 0.9\n");
        let image = folder.path().join("map.png");
        let refused = to(&path, &image, Loss::Refused).unwrap_err().to_string();
        assert!(refused.contains("resolution and origin, probabilities"), "{refused}");
        assert!(!image.exists());
        assert_eq!(to(&path, &image, Loss::Accepted).unwrap().lost.len(), 2);
    }

    #[test]
    fn an_ending_that_cannot_hold_a_map_is_refused() {
        let (folder, path) = folder_with("map.txt", "##\n");
        assert!(matches!(
            to(&path, &folder.path().join("map.tum"), Loss::Accepted),
            Err(JobError::NoConversion { .. })
        ));
    }

    #[test]
    fn layers_stay_in_a_geotiff_and_are_named_where_they_would_be_lost() {
        let (folder, nav) = folder_with("nav.txt", "resolution: 0.5\norigin: 1 2 0\ngwbk\n");
        let at = |name: &str| folder.path().join(name);
        let none = ReadOptions::default();
        // The classes beside a navigation layer say nothing of their own.
        to(&nav, &at("nav.tif"), Loss::Refused).unwrap();
        to(&at("nav.tif"), &at("back.txt"), Loss::Refused).unwrap();
        std::fs::write(at("heat.txt"), "resolution: 0.5\norigin: 1 2 0\n0.1 0.9 0.5 0.2\n").unwrap();
        let sources = [(None, at("nav.txt")), (Some("heat".to_owned()), at("heat.txt"))];
        let how = (ForbiddenColours::Refused, Overwrite::Refused);
        crate::files::write_layers(&sources, None, &at("all.tif"), &none, how).unwrap();
        let refused = to(&at("all.tif"), &at("all.txt"), Loss::Refused).unwrap_err().to_string();
        assert!(refused.ends_with("would lose the layer heat"), "{refused}");
        assert_eq!(to(&at("all.tif"), &at("all.txt"), Loss::Accepted).unwrap().lost, ["the layer heat"]);
        to(&at("all.tif"), &at("copy.tif"), Loss::Refused).unwrap();
        let copy = formats::read_map(&at("copy.tif"), &none).unwrap();
        let names: Vec<&str> = copy.layers.iter().map(|layer| layer.name.as_str()).collect();
        assert_eq!(names, ["navigation", "heat"]);
    }

    #[test]
    fn styles_of_vectors_are_kept_in_geojson() {
        let mif = "Version 300\nCoordSys NonEarth Units \"m\" Bounds (0, 0) (9, 9)\nColumns 1\n  LABEL Char(8)\nData\n\
                   Point 1 2\n    Symbol (35,255,12)\n";
        let (folder, path) = folder_with("labels.mif", mif);
        std::fs::write(folder.path().join("labels.mid"), "\"a\"\n").unwrap();
        let output = folder.path().join("labels.geojson");
        assert_eq!(to(&path, &output, Loss::Refused).unwrap().lost, [] as [&str; 0]);
        assert!(std::fs::read_to_string(output).unwrap().contains("Symbol (35,255,12)"));
    }

    #[test]
    fn a_vector_map_is_drawn_with_its_place() {
        let mif = "Version 300\nCoordSys NonEarth Units \"m\" Bounds (0, 0) (9, 9)\nColumns 1\n  A Char(8)\nData\n\
                   Line 1.5 0.5 4.5 0.5\n";
        let (folder, path) = folder_with("walls.mif", mif);
        std::fs::write(folder.path().join("walls.mid"), "\"\"\n").unwrap();
        let image = folder.path().join("walls.png");
        assert!(to(&path, &image, Loss::Refused).unwrap_err().to_string().contains("expected a resolution"));
        let options = ReadOptions { resolution_m: Some(0.5), ..ReadOptions::default() };
        let how = (Loss::Refused, Overwrite::Refused);
        let written = convert(&path, &image, &options, Background::Free, how).unwrap();
        assert_eq!((written.files.len(), written.lost.len()), (2, 0), "the image and its world file");
        let grid = formats::read_map(&image, &ReadOptions::default()).unwrap().grid;
        assert_eq!(grid.geometry().cell_at(model::Point2::new(1.6, 0.6)), Some(model::Cell { i: 2, j: 2 }));
        // From 1.5 to 4.5 m: cells 3 to 8 of 0.5 m; the line only touches cell 9.
        assert_eq!(grid.class_counts(), [49, 0, 6]);
    }
}
