//! GMapping particle logs (`.gfs`): the trajectory of the best particle at the end of the run.
//!
//! Records: `ODOM x y theta t`, `ODO_UPDATE N (x y theta w)*N t`, `LASER_READING n r.. x y theta t`,
//! `SM_UPDATE N (x y theta w)*N`, `NEFF`, `RESAMPLE N indices`, `FRAME`. A trajectory is found from its end: the
//! heaviest particle of the last SM_UPDATE, and at each RESAMPLE before it the particle that it was copied from.
//! The stamp of a pose is that of the LASER_READING before it. Format: GMapping's `gfs2log`; no public file was
//! at hand. Headings are not kept within a turn.

use model::{Dimension, Pose2, PoseSource, StampedPose, TimeBase, Trajectory};

use crate::format::{Format, Input, ReadContent, Reader, Sniff, by_name, without_byte_order_mark};
use crate::log::carmen::{count_skipped, skipped_finding};
use crate::text::decimal;
use crate::text::lines::each_line;
use crate::text::row_faults::RowFaults;
use crate::trajectory::stamps;
use crate::{Content, Place, ReadError, ReadOptions};

pub(crate) const FORMAT: Format =
    Format { name: "gmapping_gfs", title: "GMapping particle log", sniff, reader: Reader::Content(read) };

fn sniff(bytes: &[u8], name: &str) -> Sniff {
    let mut lines = without_byte_order_mark(bytes).split(|byte| *byte == b'\n');
    let is_ours = lines.any(|line| {
        [&b"LASER_READING "[..], b"SM_UPDATE ", b"ODO_UPDATE "].iter().any(|record| line.starts_with(record))
    });
    if is_ours { Sniff::ByBytes } else { by_name(name, &[".gfs"]) }
}

/// What happened to the particles.
enum Step {
    /// Scan matching placed them: the time, and pose and weight of each.
    Placed(f64, Vec<(Pose2, f64)>),
    /// They were drawn anew: for each the number of the one it was copied from.
    Resampled(Vec<usize>),
}

fn read(input: &mut Input<'_>, options: &ReadOptions) -> Result<ReadContent, ReadError> {
    let mut steps = Vec::new();
    let mut skipped = Vec::new();
    let mut faults = RowFaults::allowing(options.bad_rows);
    let mut time_s = None;
    each_line(&mut input.source, |line, text| {
        let text = text.trim_ascii();
        let (name, fields) =
            text.split_at(text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len()));
        let mut damaged = |expected: &str| faults.add("RECORD_DAMAGED", line, expected, text);
        match name {
            b"" | b"#" => {}
            b"LASER_READING" => match laser_time_s(fields) {
                Some(stamp_s) => time_s = Some(stamp_s),
                None => damaged("LASER_READING n, n ranges, x y theta t"),
            },
            b"SM_UPDATE" => match (particles(fields), time_s) {
                (Some(particles), Some(time_s)) => steps.push(Step::Placed(time_s, particles)),
                (None, _) => damaged("SM_UPDATE n and n times x y theta weight"),
                (_, None) => damaged("a LASER_READING before the first SM_UPDATE"),
            },
            b"RESAMPLE" => match parents(fields) {
                Some(parents) => steps.push(Step::Resampled(parents)),
                None => damaged("RESAMPLE n and n numbers of particles"),
            },
            _ => count_skipped(&mut skipped, text),
        }
        Ok(())
    })?;
    let file = input.source.name();
    let mut poses = best_poses(file, &steps)?;
    let mut findings = faults.findings(file, poses.len(), "pose of particles")?;
    findings.extend(skipped_finding(&skipped));
    findings.extend(stamps::settle(&mut poses));
    let trajectory = Trajectory { time_base: TimeBase::Seconds, dimension: Dimension::Planar, poses };
    Ok(ReadContent { content: Content::Trajectory(trajectory), findings })
}

fn numbers(fields: &[u8]) -> Option<Vec<f64>> {
    let fields = fields.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty());
    fields.map(|field| decimal::number(field).filter(|number| number.is_finite())).collect()
}

/// A number of things, and the numbers that follow it.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "whole, and from 0 to the number of fields"
)]
fn counted(numbers: &[f64]) -> Option<(usize, &[f64])> {
    let (count, rest) = numbers.split_first()?;
    (*count >= 0.0 && count.fract() == 0.0 && *count <= rest.len() as f64).then_some((*count as usize, rest))
}

fn laser_time_s(fields: &[u8]) -> Option<f64> {
    let numbers = numbers(fields)?;
    let (beams, rest) = counted(&numbers)?;
    if rest.len() == beams + 4 { rest.last().copied() } else { None }
}

fn particles(fields: &[u8]) -> Option<Vec<(Pose2, f64)>> {
    let numbers = numbers(fields)?;
    let (count, rest) = counted(&numbers)?;
    let (particles, others) = rest.as_chunks::<4>();
    if count == 0 || particles.len() != count || !others.is_empty() {
        return None;
    }
    Some(particles.iter().map(|[x, y, theta, weight]| (Pose2::new(*x, *y, *theta), *weight)).collect())
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "whole, and from 0 to the number of particles"
)]
fn parents(fields: &[u8]) -> Option<Vec<usize>> {
    let numbers = numbers(fields)?;
    let (count, rest) = counted(&numbers)?;
    let is_whole = |number: &f64| *number >= 0.0 && number.fract() == 0.0 && *number < count as f64;
    (rest.len() == count && rest.iter().all(is_whole))
        .then(|| rest.iter().map(|number| *number as usize).collect())
}

/// The poses of the heaviest last particle, followed back to the start.
fn best_poses(file: &str, steps: &[Step]) -> Result<Vec<StampedPose>, ReadError> {
    let mut poses = Vec::new();
    let mut particle = None;
    for step in steps.iter().rev() {
        let known = match (step, particle) {
            (Step::Resampled(_), None) => continue,
            (Step::Resampled(parents), Some(number)) => {
                particle = parents.get::<usize>(number).copied();
                particle.is_some()
            }
            (Step::Placed(time_s, particles), number) => {
                let number = number.unwrap_or_else(|| heaviest(particles));
                particle = Some(number);
                let pose = particles.get(number);
                poses.extend(pose.map(|(pose, _)| StampedPose {
                    time_s: *time_s,
                    world_from_robot: (*pose).into(),
                    source: PoseSource::Measured,
                }));
                pose.is_some()
            }
        };
        if !known {
            let (expected, found) = ("as many particles in every record", "a record with fewer");
            return Err(ReadError::malformed(file, Place::File, expected, found));
        }
    }
    poses.reverse();
    Ok(poses)
}

fn heaviest(particles: &[(Pose2, f64)]) -> usize {
    let mut best = 0;
    for (number, (_, weight)) in particles.iter().enumerate() {
        if *weight > particles[best].1 {
            best = number;
        }
    }
    best
}

#[cfg(test)]
mod tests {

    use crate::trajectory::tum::tests::{codes, document, trajectory};

    /// Two particles. At the end particle 0 is heavier; it was copied from particle 1, so its first pose is
    /// (5, 5), and its second (2, 0).
    const RUN: &str = "ODOM 0 0 0 1\nODO_UPDATE 2 0 0 0 0 0 0 0 0 1\nLASER_READING 2 1 1.5 0 0 0 10.5\n\
                       SM_UPDATE 2 1 0 0 -1 5 5 0 -2\nNEFF 1.5\nRESAMPLE 2 1 0\nFRAME 0\n\
                       LASER_READING 2 1 1.5 0 0 0 11.5\nSM_UPDATE 2 2 0 81.7 -1 6 5 0 -3\nRESAMPLE 2 1 1\n";

    #[test]
    fn the_best_particle_is_followed_through_resampling() {
        let document = document("run.gfs", RUN).unwrap();
        let poses = &trajectory(&document).poses;
        let places: Vec<_> = poses.iter().map(|p| (p.time_s, p.world_from_robot.position_m)).collect();
        assert_eq!(places, [(10.5, [5.0, 5.0, 0.0]), (11.5, [2.0, 0.0, 0.0])]);
        assert_eq!((document.format, codes(&document)), ("gmapping_gfs", vec![("RECORDS_SKIPPED", None)]));
    }

    #[test]
    fn damaged_records_are_named_and_a_vanished_particle_is_an_error() {
        let bad = "SM_UPDATE 2 1 0 0 1\nRESAMPLE 2 0 7\nLASER_READING 9 1\n";
        let document_with_bad = document("run.gfs", &format!("{RUN}{bad}")).unwrap();
        let damaged = codes(&document_with_bad).into_iter().filter(|(code, _)| *code == "RECORD_DAMAGED");
        assert_eq!(damaged.map(|(_, line)| line.unwrap()).collect::<Vec<_>>(), [11, 12, 13]);
        let fewer = RUN.replace("SM_UPDATE 2 1 0 0 -1 5 5 0 -2", "SM_UPDATE 1 1 0 0 -1");
        assert!(document("run.gfs", &fewer).unwrap_err().to_string().contains("as many particles"));
        assert!(document("run.gfs", "SM_UPDATE 1 0 0 0 1\n").is_err());
    }
}
