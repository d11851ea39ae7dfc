//! Relations: `t1 t2 x y z roll pitch yaw` per line, the pose at t2 seen from the pose at t1.
//!
//! Metres, radians, seconds of the log's own time; R = Rz(yaw) Ry(pitch) Rx(roll); blanks between, `#` comments.
//! Format: Kümmerle et al. 2009, the SLAM benchmark of the University of Freiburg. Public files are not sorted
//! and hold relations back in time; both are legal.

use std::fmt::Write;

use model::{Finding, Level, Relation};

use crate::format::{Format, Input, ReadContent, Reader, Sniff, by_name};
use crate::text::number_rows::{Sample, each_number_row};
use crate::text::row_faults::RowFaults;
use crate::trajectory::stamps::TimeUnit;
use crate::trajectory::tum::{comma_finding, has_quaternion};
use crate::{Content, ReadError, ReadOptions};

pub(crate) const FORMAT: Format =
    Format { name: "relations", title: "relations between times", sniff, reader: Reader::Content(read) };

/// What a row is, for messages.
const ROW: &str = "8 numbers t1 t2 x y z roll pitch yaw";

fn sniff(bytes: &[u8], name: &str) -> Sniff {
    let sample = Sample::<8>::of(bytes);
    let is_named = by_name(name, &[".relations"]) == Sniff::ByName;
    let is_other = name.ends_with(".tum") || sample.mostly(has_quaternion) || !sample.is_beyond_probabilities;
    if is_named && sample.looked_at > 0 || sample.mostly(|_| true) && !is_other {
        Sniff::ByBytes
    } else {
        by_name(name, &[".relations"])
    }
}

fn read(input: &mut Input<'_>, options: &ReadOptions) -> Result<ReadContent, ReadError> {
    let mut relations = Vec::new();
    let mut faults = RowFaults::allowing(options.bad_rows);
    let first_comma = each_number_row::<8>(&mut input.source, &mut faults, (&[8], ROW), |_, numbers, _| {
        let [from_s, to_s, translation_m @ .., roll, pitch, yaw] = *numbers;
        let roll_pitch_yaw_rad = [roll, pitch, yaw];
        relations.push(Relation { from_s, to_s, translation_m, roll_pitch_yaw_rad });
    })?;
    let mut findings = Vec::from_iter(first_comma.map(comma_finding));
    findings.extend(faults.findings(input.source.name(), relations.len(), "relation")?);
    findings.extend(settle_times(&mut relations));
    Ok(ReadContent { content: Content::Relations(relations), findings })
}

/// Turns times into seconds if their size shows another unit; counts relations back in time.
fn settle_times(relations: &mut [Relation]) -> Vec<Finding> {
    let unit = relations
        .get(relations.len() / 2)
        .map_or(TimeUnit::Seconds, |relation| TimeUnit::of_size(relation.from_s));
    let mut findings = Vec::from_iter(unit.finding());
    if unit != TimeUnit::Seconds {
        for relation in &mut *relations {
            (relation.from_s, relation.to_s) =
                (unit.to_seconds(relation.from_s), unit.to_seconds(relation.to_s));
        }
    }
    let backward = relations.iter().filter(|relation| relation.to_s < relation.from_s).count();
    if backward > 0 {
        let message =
            format!("{backward} of {} relations lead back in time, which is allowed", relations.len());
        findings.push(Finding::new(Level::Info, "RELATIONS_BACK_IN_TIME", message));
    }
    findings
}

/// Relations as text, with the digits that give back the same numbers.
#[must_use]
pub fn write(relations: &[Relation]) -> String {
    let mut text = String::new();
    for relation in relations {
        let ([x, y, z], [roll, pitch, yaw]) = (relation.translation_m, relation.roll_pitch_yaw_rad);
        // Writing into a string cannot fail.
        let _ = writeln!(
            text,
            "{:?} {:?} {x:?} {y:?} {z:?} {roll:?} {pitch:?} {yaw:?}",
            relation.from_s, relation.to_s
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use model::Pose2;
    use proptest::prelude::*;

    use super::*;
    use crate::trajectory::tum::tests::{codes, document};

    fn relations(name: &str, text: &str) -> Vec<Relation> {
        match document(name, text).unwrap().content {
            Content::Relations(relations) => relations,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn rows_of_the_public_files_are_known_by_their_bytes() {
        let text = "976052905.167303 976052911.885496 -0.056990 -0.128430 0.000000 0.000000 0.000000 -1.682210\n\
                    976052896.784509 976052905.167303 -0.153130 -0.051420 0.000000 0.000000 0.000000 -2.405850";
        let found = relations("intel.txt", text);
        assert_eq!((found[0].from_s, found[0].to_s), (976_052_905.167303, 976_052_911.885496));
        assert_eq!(
            (found[1].translation_m, found[1].roll_pitch_yaw_rad),
            ([-0.15313, -0.05142, 0.0], [0.0, 0.0, -2.40585])
        );
    }

    /// Worked example 08-E1 as a row: (0, 2, 180 degrees) seen from (1, 2, 90 degrees) is (0, 1, 90 degrees).
    #[test]
    fn worked_example_08_e1_as_a_row() {
        use std::f64::consts::{FRAC_PI_2, PI};
        let seen = Pose2::new(1.0, 2.0, FRAC_PI_2).inverse() * Pose2::new(0.0, 2.0, PI);
        let found = relations("a.relations", "0 1 0 1 0 0 0 1.5707963267948966\n");
        let planar = found[0].pose().planar();
        assert!((planar.x_m - seen.x_m).abs() < 1e-12 && (planar.y_m - seen.y_m).abs() < 1e-12);
        assert!((planar.theta_rad - seen.theta_rad).abs() < 1e-12);
    }

    #[test]
    fn relations_back_in_time_are_legal_and_counted() {
        let document = document("a.relations", "2 1 0 0 0 0 0 0\n1 2 0 0 0 0 0 0\n1 2 3\n").unwrap();
        assert_eq!(codes(&document), [("ROW_FIELDS", Some(3)), ("RELATIONS_BACK_IN_TIME", None)]);
    }

    proptest! {
        #[test]
        fn what_is_written_comes_back(rows in prop::collection::vec(prop::array::uniform8(-1e7_f64..1e7), 1..20)) {
            let written: Vec<_> = rows.iter().map(|r| Relation {
                from_s: r[0],
                to_s: r[1],
                translation_m: [r[2], r[3], r[4]],
                roll_pitch_yaw_rad: [r[5], r[6], r[7]],
            }).collect();
            prop_assert_eq!(relations("a.relations", &write(&written)), written);
        }
    }
}
