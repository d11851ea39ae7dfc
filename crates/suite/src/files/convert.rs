//! One file into another format, where that makes sense. What would lose meaning is refused unless told.

use std::path::{Path, PathBuf};

use formats::{Content, Document, Georeference, MapFile, ReadOptions, read_document};
use model::{Dimension, Grid, LaserScan, Pose2, Relation, SensorLog, TimeBase, Trajectory, VectorLayer};

use super::{Overwrite, check_overwrite, write_whole};
use crate::JobError;
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
    pub lost: Vec<&'static str>,
}

/// The bytes of one or more files, the main one first, and what they cannot hold.
struct Written {
    files: Vec<(PathBuf, Vec<u8>)>,
    lost: Vec<&'static str>,
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

    fn losing(mut self, is_lost: bool, what: &'static str) -> Self {
        if is_lost {
            self.lost.push(what);
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
    loss: Loss,
    overwrite: Overwrite,
) -> Result<Converted, JobError> {
    check_overwrite(output, overwrite)?;
    convert_document(&read_document(input, options)?, output, loss, overwrite)
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
    let ending = output.extension().map_or_else(String::new, |e| e.to_string_lossy().to_ascii_lowercase());
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
    if loss == Loss::Refused && !written.lost.is_empty() {
        return Err(JobError::WouldLose { output: output.display().to_string(), lost: written.lost });
    }
    written.files.iter().try_for_each(|(path, _)| check_overwrite(path, overwrite))?;
    written.files.iter().try_for_each(|(path, bytes)| write_whole(path, bytes))?;
    Ok(Converted { files: written.files.into_iter().map(|(path, _)| path).collect(), lost: written.lost })
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
    Ok(Some(written))
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
    let first = navigation.or(probability);
    let layers: Vec<_> = first.into_iter().chain([occupancy]).collect();
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
            let styled = layer.features.iter().any(|feature| !feature.style.is_empty());
            let text = formats::write_geojson(layer).map_err(unwritable)?;
            Some(Written::text(output, text).losing(styled, "styles"))
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
        convert(input, output, &ReadOptions::default(), loss, Overwrite::Refused)
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
}
