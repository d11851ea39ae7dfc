//! Reads trajectories and relations out of any file that holds some.

use std::path::{Path, PathBuf};

use formats::{BadRows, Content, Document, ReadOptions, read_document_in_pieces};
use model::{
    Dimension, Finding, LaserScan, LogRecord, Pose3, PoseGraph, PoseSource, Relation, SensorLog, StampedPose,
    TimeBase, Trajectory,
};
use report::Input;

use super::job::TrajectoryJob;
use crate::JobError;
use crate::inputs::shown;

/// A file that was read, with what the report says about it.
pub(super) struct FileInput<T> {
    /// Its content.
    pub content: T,
    /// What the reader noticed, each message led by the role.
    pub findings: Vec<Finding>,
    /// The files with their hashes.
    pub records: Vec<Input>,
}

/// Reads a trajectory: poses as such, the poses of a log or of a graph, or a topic of a bag.
pub(super) fn read_trajectory(
    path: &Path,
    role: &str,
    job: &TrajectoryJob,
) -> Result<FileInput<Trajectory>, JobError> {
    let file = read(path, role, job)?;
    let FileInput { content: document, findings, records } = file;
    let none = |what: &str, hint: &str| JobError::NoTrajectory {
        path: path.to_owned(),
        what: what.to_owned(),
        hint: hint.to_owned(),
    };
    let content = match document.content {
        Content::Trajectory(trajectory) => trajectory,
        Content::Log(log) => of_log(&log, &job.records).map_err(|name| {
            none(&format!("no records '{name}'"), "records are odom, flaser, rlaser, robotlaser, truepos")
        })?,
        Content::Graph(graph) => of_graph(&graph),
        Content::Bag(_) => {
            return Err(none("a bag", "name a topic with --topic; `mapjudge info` lists them"));
        }
        other => return Err(none(&format!("a {}", other.kind().name()), "give a file with poses over time")),
    };
    if content.poses.is_empty() {
        return Err(none(
            "no pose",
            "for logs, choose other records with --records, for instance odom,flaser",
        ));
    }
    let by_number =
        job.associate == Some(super::AssociateName::Index) || content.time_base == TimeBase::Index;
    let is_destroyed = findings.iter().any(|finding| finding.code == "DESTROYED_STAMPS");
    if is_destroyed && !by_number {
        let hint = "say --associate index if the poses of both files have the same numbers";
        return Err(none("stamps that cannot tell its poses apart", hint));
    }
    Ok(FileInput { content, findings, records })
}

/// Reads relations.
pub(super) fn read_relations(path: &Path, job: &TrajectoryJob) -> Result<FileInput<Vec<Relation>>, JobError> {
    let FileInput { content: document, findings, records } = read(path, "relations", job)?;
    let what = format!("a {}", document.content.kind().name());
    let Content::Relations(content) = document.content else {
        let hint = "give rows of t1 t2 x y z roll pitch yaw".to_owned();
        return Err(JobError::NoTrajectory { path: path.to_owned(), what, hint });
    };
    Ok(FileInput { content, findings, records })
}

/// Reads a file with the hash of its bytes.
fn read(path: &Path, role: &str, job: &TrajectoryJob) -> Result<FileInput<Document>, JobError> {
    let options = ReadOptions { bad_rows: BadRows::AtMost(job.skip_bad), ..job.read.options()? };
    let mut hashes: Vec<(PathBuf, blake3::Hasher)> = Vec::new();
    let mut observe = |path: &Path, piece: &[u8]| {
        if hashes.last().is_none_or(|(last, _)| last != path) {
            hashes.push((path.to_owned(), blake3::Hasher::new()));
        }
        if let Some((_, hasher)) = hashes.last_mut() {
            hasher.update(piece);
        }
    };
    let mut document = read_document_in_pieces(path, &options, &mut observe)?;
    let lead = |finding: Finding| Finding { message: format!("{role}: {}", finding.message), ..finding };
    let findings = std::mem::take(&mut document.findings).into_iter().map(lead).collect();
    let record = |(path, hasher): (PathBuf, blake3::Hasher)| Input {
        role: role.to_owned(),
        path: shown(&path),
        blake3: hasher.finalize().to_hex().to_string(),
        format: document.format.to_owned(),
    };
    let records = hashes.into_iter().map(record).collect();
    Ok(FileInput { content: document, findings, records })
}

/// The poses of the named records of a log, in the order of the file; of its scans if none is named.
fn of_log(log: &SensorLog, records: &[String]) -> Result<Trajectory, String> {
    const KNOWN: [&str; 5] = ["odom", "flaser", "rlaser", "robotlaser", "truepos"];
    if let Some(unknown) = records.iter().find(|name| !KNOWN.contains(&name.as_str())) {
        return Err(unknown.clone());
    }
    let takes = |name: &str| records.iter().any(|record| record == name);
    let takes_scan = |scan: &LaserScan| match scan.sensor.as_str() {
        _ if records.is_empty() => true,
        "front" => takes("flaser"),
        "rear" => takes("rlaser"),
        _ => takes("robotlaser") || takes("flaser"),
    };
    let pose = |record: &LogRecord| {
        let (time_s, pose) = match record {
            LogRecord::Scan(scan) if takes_scan(scan) => (scan.time_s, scan.world_from_robot?),
            LogRecord::Odometry(odometry) if takes("odom") => (odometry.time_s, odometry.odom_from_robot),
            LogRecord::TruePose { time_s, world_from_robot } if takes("truepos") => {
                (*time_s, *world_from_robot)
            }
            _ => return None,
        };
        Some(StampedPose { time_s, world_from_robot: pose.into(), source: PoseSource::Measured })
    };
    let poses = log.records.iter().filter_map(pose).collect();
    Ok(Trajectory { time_base: TimeBase::Seconds, dimension: Dimension::Planar, poses })
}

/// The vertices of a graph in the order of their numbers.
fn of_graph(graph: &PoseGraph) -> Trajectory {
    let mut vertices: Vec<_> = graph.vertices.iter().collect();
    vertices.sort_by_key(|vertex| vertex.id);
    let poses: Vec<Pose3> = vertices.iter().map(|vertex| vertex.world_from_vertex).collect();
    let stamped = |(index, &world_from_robot): (usize, &Pose3)| StampedPose {
        time_s: index as f64,
        world_from_robot,
        source: PoseSource::Measured,
    };
    Trajectory {
        time_base: TimeBase::Index,
        dimension: graph.dimension,
        poses: poses.iter().enumerate().map(stamped).collect(),
    }
}
