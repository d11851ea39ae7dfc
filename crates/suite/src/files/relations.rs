//! Ground-truth relations as files: made from a trajectory, checked, filtered, converted.

use std::path::Path;

use align::trajectory::{Association, Lookup, Plane, Track};
use formats::{Content, ReadOptions, read_document};
use model::{Finding, Level, Pose3, Relation, RelationRecord, Rigid, TimeBase};
use serde::Serialize;
use truth::check::findings as check_findings;
use truth::{Check, CheckParams, Filter, MakeParams, Published, consistency, displacement_m};

use super::Loss;
use super::convert::relations_text;
use crate::JobError;
use crate::files::shown_path as shown;
use crate::poses::scan_poses;

/// What was written.
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    /// Relations in the output.
    pub relations: usize,
    /// Relations, or poses, in the input.
    pub of: usize,
    /// What was noticed about the input.
    pub findings: Vec<Finding>,
    /// What the output cannot hold.
    pub lost: Vec<&'static str>,
}

/// The name of the form of [`Checked`].
pub const CHECK_SCHEMA: &str = "mapjudge.relations-check/1";

/// What is known about a file of relations, and about printed statistics.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Checked {
    /// Name of this form.
    pub schema: &'static str,
    /// The file as given; none if only printed statistics were checked.
    pub path: Option<String>,
    /// What the relations say about themselves.
    pub relations: Option<Check>,
    /// Printed statistics, in the given order.
    pub published: Vec<PublishedCheck>,
    /// What a reader should know.
    pub findings: Vec<Finding>,
}

/// A printed triple and the mean squares that fit it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PublishedCheck {
    /// Mean, standard deviation and mean square as given.
    pub printed: String,
    /// Smallest and largest mean square that mean and deviation allow.
    pub allowed: (f64, f64),
    /// Whether the printed one is among them.
    pub holds: bool,
}

/// Makes relations from a trajectory and writes them in the form that the ending of `output` names. With a `run`, the
/// sample-size rule of random pairs looks at its errors. With a `plane`, poses are projected onto it first.
///
/// # Errors
/// A file cannot be read or written, the trajectory has no times, or no pair of poses is of the kinds asked for.
pub fn make(
    trajectory: &Path,
    output: &Path,
    params: &MakeParams,
    run: Option<&Path>,
    plane: Option<Plane>,
    options: &ReadOptions,
) -> Result<Written, JobError> {
    let Made { records, poses, findings } = made(trajectory, params, run, plane, options)?;
    write(output, &records)?;
    Ok(Written { relations: records.len(), of: poses, findings, lost: Vec::new() })
}

/// Relations that were made, and not written.
pub(crate) struct Made {
    pub records: Vec<RelationRecord>,
    /// Poses of the trajectory.
    pub poses: usize,
    findings: Vec<Finding>,
}

/// Makes relations from a trajectory.
pub(crate) fn made(
    trajectory: &Path,
    params: &MakeParams,
    run: Option<&Path>,
    plane: Option<Plane>,
    options: &ReadOptions,
) -> Result<Made, JobError> {
    let (track, mut findings) = read_track(trajectory, options)?;
    findings.extend(plane.is_none().then(|| of_space(&track)).flatten());
    let track = in_plane(track, plane);
    let run = run.map(|run| read_track(run, options)).transpose()?;
    let run = run.map(|(run, findings)| (in_plane(run, plane), findings));
    let error_of_run = |relation: &Relation| run.as_ref().and_then(|(run, _)| error_m(run, relation));
    let made = match &run {
        Some(_) => truth::make(&track, params, &error_of_run),
        None => truth::make(&track, params, &displacement_m),
    };
    let no_relations =
        |error: truth::MakeError| JobError::NoRelations { path: shown(trajectory), why: error.to_string() };
    let mut records = made.map_err(no_relations)?;
    let source = format!("trajectory {}", trajectory.file_name().unwrap_or_default().to_string_lossy());
    for record in &mut records {
        record.source = Some(source.clone());
        record.reviewer = Some("mapjudge relations make".to_owned());
    }
    Ok(Made { records, poses: track.len(), findings })
}

fn in_plane(track: Track<Pose3>, plane: Option<Plane>) -> Track<Pose3> {
    let Some(plane) = plane else { return track };
    let poses = track.poses().iter().map(|&pose| plane.projected(pose));
    Track::new(track.times_s().iter().copied().zip(poses))
}

/// Relations between poses with heights and tilts have them too.
fn of_space(track: &Track<Pose3>) -> Option<Finding> {
    let is_planar = |pose: &Pose3| {
        let [roll, pitch, _] = pose.roll_pitch_yaw();
        [pose.position_m[2], roll, pitch].iter().all(|part| part.abs() < FLAT)
    };
    (!track.poses().iter().all(is_planar)).then(|| {
        let message = "the trajectory has heights and tilts: its relations are displacements in space, seen from tilted robots";
        Finding::new(Level::Info, "RELATIONS_OF_SPACE", message)
            .hint("make those of the plane (xy) for estimates that have no heights")
    })
}

/// Heights and tilts below this count as none.
const FLAT: f64 = 1e-9;

/// The translation error of a run, left form; none where it has no pose at one of the timestamps.
fn error_m(run: &Track<Pose3>, relation: &Relation) -> Option<f64> {
    let lookup = Lookup { track: run, association: Association::default(), odometry: None };
    let (from, to) = (lookup.at(relation.from_s)?, lookup.at(relation.to_s)?);
    Some(to.pose.seen_from(from.pose).seen_from(relation.pose()).distance_m())
}

/// Checks a file of relations, whether it comes from `run`, and printed statistics.
///
/// # Errors
/// A file cannot be read.
pub fn check(
    file: Option<&Path>,
    run: Option<&Path>,
    published: &[(String, Published)],
    params: &CheckParams,
    options: &ReadOptions,
) -> Result<Checked, JobError> {
    let mut findings = Vec::new();
    let mut relations = None;
    if let Some(file) = file {
        let (records, noticed) = read(file, options)?;
        findings.extend(noticed);
        let all: Vec<Relation> = records.iter().map(RelationRecord::final_relation).collect();
        let checked = truth::check(&all, params);
        findings.extend(check_findings(&checked, params));
        if let Some(run) = run {
            findings.extend(circular(&all, &read_track(run, options)?.0, run));
        }
        relations = Some(checked);
    }
    let published: Vec<PublishedCheck> = published.iter().map(check_published).collect();
    findings.extend(published.iter().filter(|check| !check.holds).map(inconsistent));
    Ok(Checked { schema: CHECK_SCHEMA, path: file.map(shown), relations, published, findings })
}

/// A warning if relations were made from the run that they are to judge.
#[must_use]
pub fn circular(relations: &[Relation], run: &Track<Pose3>, path: &Path) -> Option<Finding> {
    let origin = truth::origin(relations, run);
    origin.comes_from_it().then(|| {
        let message = format!(
            "{} of {} relations agree with {} to the last digit: they were made from it and cannot judge it",
            origin.agreeing,
            origin.shared,
            shown(path)
        );
        Finding::warning("RELATIONS_FROM_THIS_RUN", message)
            .hint("judge it by relations of an independent truth")
    })
}

fn check_published((printed, published): &(String, Published)) -> PublishedCheck {
    let found = consistency(published);
    PublishedCheck { printed: printed.clone(), allowed: found.allowed, holds: found.holds }
}

fn inconsistent(check: &PublishedCheck) -> Finding {
    let message = format!(
        "{}: mean and standard deviation allow mean squares from {:.4} to {:.4} only",
        check.printed, check.allowed.0, check.allowed.1
    );
    Finding::new(Level::Error, "STATISTICS_INCONSISTENT", message)
        .hint("the table mixes two sets, or has a slip")
}

/// Writes the relations that a filter leaves.
///
/// # Errors
/// A file cannot be read or written, or no relation is left.
pub fn filter(
    input: &Path,
    output: &Path,
    filter: &Filter,
    options: &ReadOptions,
) -> Result<Written, JobError> {
    let (records, findings) = read(input, options)?;
    let left = truth::filter(&records, filter);
    if left.is_empty() {
        let why = format!("none of {} relations is left", records.len());
        return Err(JobError::NoRelations { path: shown(input), why });
    }
    let relations = write(output, &left)?;
    Ok(Written { relations, of: records.len(), findings, lost: lost(&left, &ending(output)) })
}

/// Writes relations in the form that the ending of `output` names.
///
/// # Errors
/// A file cannot be read or written, or meaning would be lost and may not.
pub fn convert(input: &Path, output: &Path, loss: Loss, options: &ReadOptions) -> Result<Written, JobError> {
    let (records, findings) = read(input, options)?;
    let lost = lost(&records, &ending(output));
    if loss == Loss::Refused && !lost.is_empty() {
        let lost = lost.into_iter().map(str::to_owned).collect();
        return Err(JobError::WouldLose { output: output.display().to_string(), lost });
    }
    let relations = write(output, &records)?;
    Ok(Written { relations, of: records.len(), findings, lost })
}

/// Relations with all that their file says about them; those of other forms than records count as accepted.
pub(crate) fn read(
    path: &Path,
    options: &ReadOptions,
) -> Result<(Vec<RelationRecord>, Vec<Finding>), JobError> {
    // A file in which nothing is accepted yet is no document, but has records.
    if is_record(path) {
        let read = formats::read_relation_records(path)?;
        return Ok((read.records, read.findings));
    }
    let document = read_document(path, options)?;
    match document.content {
        Content::Relations(relations) => Ok((accepted(&relations), document.findings)),
        other => {
            let why = format!("expected relations, found {}", other.kind().noun());
            Err(JobError::NoRelations { path: shown(path), why })
        }
    }
}

/// Whether a file is one of records, by its ending.
pub(crate) fn is_record(path: &Path) -> bool {
    ending(path) == "jsonl"
}

/// Plain relations as records, named by their number.
pub(crate) fn accepted(relations: &[Relation]) -> Vec<RelationRecord> {
    let record =
        |(index, relation): (usize, &Relation)| RelationRecord::accepted((index + 1).to_string(), *relation);
    relations.iter().enumerate().map(record).collect()
}

pub(crate) fn read_track(
    path: &Path,
    options: &ReadOptions,
) -> Result<(Track<Pose3>, Vec<Finding>), JobError> {
    let document = read_document(path, options)?;
    let trajectory = match document.content {
        Content::Trajectory(trajectory) => trajectory,
        Content::Log(log) => scan_poses(&log),
        other => {
            let why = format!("expected a trajectory, found {}", other.kind().noun());
            return Err(JobError::NoRelations { path: shown(path), why });
        }
    };
    if trajectory.time_base != TimeBase::Seconds {
        let why = "the poses have no times, and relations name timestamps".to_owned();
        return Err(JobError::NoRelations { path: shown(path), why });
    }
    Ok((Track::spatial(&trajectory), document.findings))
}

fn ending(output: &Path) -> String {
    output.extension().map_or_else(String::new, |ending| ending.to_string_lossy().to_ascii_lowercase())
}

/// What the form of an ending cannot hold: only JSON Lines hold more than what may judge.
fn lost(records: &[RelationRecord], ending: &str) -> Vec<&'static str> {
    if ending == "jsonl" {
        return Vec::new();
    }
    let any = |has: fn(&RelationRecord) -> bool| records.iter().any(has);
    let all = [
        (any(|record| !record.is_truth()), "relations that nobody accepted"),
        (any(|record| !record.tags.is_empty()), "tags"),
        (any(|record| record.source.is_some() || record.note.is_some()), "sources and notes"),
        (any(|record| record.delta_final.is_some()), "the proposals behind corrections"),
        (any(|record| record.icp.is_some()), "scan matches"),
        (any(|record| record.reviewer.is_some() || record.time.is_some()), "reviewers and times"),
    ];
    all.into_iter().filter(|(is_lost, _)| *is_lost).map(|(_, what)| what).collect()
}

/// Writes relations, in all forms but JSON Lines those that may judge; how many the file holds.
pub(crate) fn write(output: &Path, records: &[RelationRecord]) -> Result<usize, JobError> {
    let ending = ending(output);
    let truth: Vec<Relation> =
        records.iter().filter(|record| record.is_truth()).map(RelationRecord::final_relation).collect();
    let (text, count) = match ending.as_str() {
        "jsonl" => (Some(formats::write_relation_records(records)), records.len()),
        _ => (relations_text(&truth, &ending), truth.len()),
    };
    let text = text.ok_or(JobError::NoConversion { kind: "relations", ending })?;
    super::write_whole(output, text)?;
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run of 40 s: 20 m there at 1 m/s and back.
    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let row = |i: i32| format!("{i} {} 0 0 0 0 0 1\n", if i <= 20 { i } else { 40 - i });
        std::fs::write(folder.path().join("truth.tum"), (0..=40).map(row).collect::<String>()).unwrap();
        folder
    }

    fn made(folder: &Path, name: &str) -> Written {
        let params = MakeParams::default();
        make(&folder.join("truth.tum"), &folder.join(name), &params, None, None, &ReadOptions::default())
            .unwrap()
    }

    #[test]
    fn relations_of_a_run_close_and_are_known_to_be_its_own() {
        let folder = folder();
        let written = made(folder.path(), "truth.relations");
        // 40 steps of a metre; 11 key poses from second 30 on have earlier visits old enough, 2 m/s closing.
        assert!(written.relations > 40 && written.of == 41, "{written:?}");
        let (file, run) = (folder.path().join("truth.relations"), folder.path().join("truth.tum"));
        let checked =
            check(Some(&file), Some(&run), &[], &CheckParams::default(), &ReadOptions::default()).unwrap();
        let relations = checked.relations.unwrap();
        assert_eq!(relations.relations, written.relations);
        assert!(relations.loop_rms_m.unwrap() < 1e-9, "{relations:?}");
        let codes: Vec<_> = checked.findings.iter().map(|finding| finding.code.as_ref()).collect();
        assert_eq!(codes, ["RELATIONS_FROM_THIS_RUN"]);
    }

    #[test]
    fn records_go_through_all_forms_and_losses_are_said() {
        let folder = folder();
        let count = made(folder.path(), "a.jsonl").relations;
        let path = |name: &str| folder.path().join(name);
        let to =
            |from: &str, name: &str, loss| convert(&path(from), &path(name), loss, &ReadOptions::default());
        let refused = to("a.jsonl", "b.relations", Loss::Refused).unwrap_err().to_string();
        assert!(refused.contains("would lose tags, sources and notes, reviewers and times"), "{refused}");
        for name in ["b.relations", "b.csv", "b.json"] {
            to("a.jsonl", name, Loss::Accepted).unwrap();
            to(name, "c.jsonl", Loss::Refused).unwrap();
            let relations = |name: &str| -> Vec<Relation> {
                let records = read(&path(name), &ReadOptions::default()).unwrap().0;
                records.iter().map(|record| record.relation).collect()
            };
            assert_eq!(relations("c.jsonl"), relations("a.jsonl"), "{name}");
            assert_eq!(relations("c.jsonl").len(), count);
        }
    }

    #[test]
    fn a_filter_that_leaves_nothing_is_an_error() {
        let folder = folder();
        made(folder.path(), "a.jsonl");
        let (input, output) = (folder.path().join("a.jsonl"), folder.path().join("b.jsonl"));
        let wanted = Filter { tag: Some("loop".into()), ..Filter::default() };
        let written = filter(&input, &output, &wanted, &ReadOptions::default()).unwrap();
        assert!(written.relations > 0 && written.relations < written.of);
        let none = Filter { min_distance_m: Some(1e6), ..Filter::default() };
        assert!(filter(&input, &output, &none, &ReadOptions::default()).is_err());
    }

    /// The public relations of the Intel log: 2984 rows.
    #[test]
    fn public_relations_are_checked() {
        let Some(folder) = testkit::shared_data("freiburg-relations") else { return };
        let file = folder.join("intel.relations");
        let checked =
            check(Some(&file), None, &[], &CheckParams::default(), &ReadOptions::default()).unwrap();
        let relations = checked.relations.unwrap();
        assert_eq!(relations.relations, 2984);
        assert_eq!(relations.loops, relations.relations + relations.parts - relations.timestamps);
    }
}
