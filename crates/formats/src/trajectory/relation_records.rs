//! Relation records: JSON Lines, one relation with its history per line (specification T-GEN).
//!
//! ```text
//! {"id":"loop-7","t1":12.5,"t2":80.1,"delta":{"x_m":0.4,"y_m":-0.1,"theta_rad":1.57},"status":"proposed"}
//! {"id":"loop-7","t1":12.5,"t2":80.1,"delta":{"x_m":0.4,"y_m":-0.1,"theta_rad":1.57},"status":"accepted","reviewer":"ana"}
//! ```
//!
//! Seconds, metres, radians; the pose at t2 seen from the pose at t1. `z_m`, `roll_rad` and `pitch_rad` of a
//! displacement are 0 where they are missing; `x`, `y`, `theta` and `rms` are read like `x_m`, `y_m`, `theta_rad` and
//! `rms_m`. The file is only ever appended to: the last entry of an id is valid. A line that ends in the middle, as a
//! crash leaves it, is left out with a finding. Fields that are not known here are kept as they are.

use std::collections::HashMap;
use std::path::Path;

use model::{
    Displacement, Finding, Level, MatchEvidence, Relation, RelationRecord, RelationStatus, ScanMatch,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::format::{Format, Input, ReadContent, Reader, Sniff, by_name, without_byte_order_mark};
use crate::source::Source;
use crate::text::lines::each_line;
use crate::text::row_faults::RowFaults;
use crate::text::table_limits::check_rows;
use crate::{Content, Place, ReadError, ReadOptions};

pub(crate) const FORMAT: Format =
    Format { name: "relation_records", title: "relation records", sniff, reader: Reader::Content(read) };

/// Relations with their history, as a file holds them.
#[derive(Clone, Debug, PartialEq)]
pub struct RelationRecords {
    /// One record per id, in the order in which the ids first appear.
    pub records: Vec<RelationRecord>,
    /// What is odd about the file.
    pub findings: Vec<Finding>,
}

/// A line of the file.
#[derive(Serialize, Deserialize)]
struct Line {
    id: String,
    t1: f64,
    t2: f64,
    delta: Delta,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    icp: Option<Icp>,
    #[serde(default)]
    status: RelationStatus,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    delta_final: Option<Delta>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reviewer: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    time: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    opinion: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    undone_by: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    second_by: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    log_blake3: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tags: Vec<String>,
    #[serde(flatten)]
    others: Map<String, Value>,
}

#[derive(Serialize, Deserialize)]
struct Delta {
    #[serde(alias = "x")]
    x_m: f64,
    #[serde(alias = "y")]
    y_m: f64,
    #[serde(alias = "theta")]
    theta_rad: f64,
    #[serde(default, skip_serializing_if = "is_zero")]
    z_m: f64,
    #[serde(default, skip_serializing_if = "is_zero")]
    roll_rad: f64,
    #[serde(default, skip_serializing_if = "is_zero")]
    pitch_rad: f64,
}

#[derive(Serialize, Deserialize)]
struct Icp {
    #[serde(alias = "rms")]
    rms_m: f64,
    overlap: f64,
    #[serde(flatten)]
    evidence: Option<MatchEvidence>,
}

impl From<Icp> for ScanMatch {
    fn from(icp: Icp) -> Self {
        Self { rms_m: icp.rms_m, overlap: icp.overlap, evidence: icp.evidence }
    }
}

impl From<ScanMatch> for Icp {
    fn from(found: ScanMatch) -> Self {
        Self { rms_m: found.rms_m, overlap: found.overlap, evidence: found.evidence }
    }
}

/// The most fields of a record that are kept without being known.
const MAX_OTHERS: usize = 64;

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature is that of serde")]
fn is_zero(number: &f64) -> bool {
    *number == 0.0
}

fn sniff(bytes: &[u8], name: &str) -> Sniff {
    let text = without_byte_order_mark(bytes).trim_ascii_start();
    let first = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let has = |key: &[u8]| first.windows(key.len()).any(|window| window == key);
    let is_record = first.starts_with(b"{") && has(b"\"t1\"") && has(b"\"t2\"") && has(b"\"delta\"");
    if is_record { Sniff::ByBytes } else { by_name(name, &[".jsonl"]) }
}

fn read(input: &mut Input<'_>, _options: &ReadOptions) -> Result<ReadContent, ReadError> {
    let records = records_of(&mut input.source)?;
    truth_of(records, input.source.name())
}

/// Reads relation records.
///
/// # Errors
/// The file is missing, unreadable, too large, or holds no relation.
pub fn read_relation_records(path: &Path) -> Result<RelationRecords, ReadError> {
    crate::read::with_source(path, records_of)
}

/// The relations that may judge, and a finding about the others.
fn truth_of(read: RelationRecords, file: &str) -> Result<ReadContent, ReadError> {
    let RelationRecords { records, mut findings } = read;
    let relations: Vec<Relation> =
        records.iter().filter(|record| record.is_truth()).map(RelationRecord::final_relation).collect();
    if relations.is_empty() {
        let found = format!("{} relations that nobody accepted", records.len());
        return Err(ReadError::malformed(file, Place::File, "an accepted or adjusted relation", found));
    }
    let left_out = records.len() - relations.len();
    if left_out > 0 {
        let message = format!("{left_out} of {} relations were not accepted and are left out", records.len());
        findings.push(Finding::new(Level::Info, "RELATIONS_NOT_ACCEPTED", message));
    }
    Ok(ReadContent { content: Content::Relations(relations), findings })
}

fn records_of(source: &mut Source<'_>) -> Result<RelationRecords, ReadError> {
    let mut place_of: HashMap<String, usize> = HashMap::new();
    let mut records: Vec<RelationRecord> = Vec::new();
    let mut faults = RowFaults::default();
    let file = source.name().to_owned();
    each_line(source, |number, text| {
        if text.trim_ascii().is_empty() {
            return Ok(());
        }
        match parse_relation_record(text) {
            Ok(record) => match place_of.get(&record.id) {
                Some(&place) => records[place] = record,
                None => {
                    check_rows(&file, records.len())?;
                    place_of.insert(record.id.clone(), records.len());
                    records.push(record);
                }
            },
            Err(fault) => faults.add(fault.code, number, &fault.expected, text),
        }
        Ok(())
    })?;
    let findings = faults.findings(&file, records.len(), "relation")?;
    Ok(RelationRecords { records, findings })
}

/// Why a line is no relation record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordFault {
    /// Stable name: `RECORD_UNREADABLE` or `ROW_NOT_FINITE`.
    pub code: &'static str,
    /// What a line should hold.
    pub expected: String,
}

/// One line of a file of records.
///
/// # Errors
/// It is no JSON of a record, has too many fields that are not known, or a number that is not finite.
pub fn parse_relation_record(line: &[u8]) -> Result<RelationRecord, RecordFault> {
    let fault = |code, expected: &str| Err(RecordFault { code, expected: expected.to_owned() });
    match serde_json::from_slice::<Line>(line).map(RelationRecord::from) {
        Ok(record) if record.others.len() > MAX_OTHERS => {
            fault("RECORD_UNREADABLE", "at most 64 fields of other programs")
        }
        Ok(record) if is_finite(&record) => Ok(record),
        Ok(_) => fault("ROW_NOT_FINITE", "finite numbers"),
        Err(error) => fault("RECORD_UNREADABLE", &expected(&error)),
    }
}

fn expected(error: &serde_json::Error) -> String {
    // The line that serde counts is always the first.
    let why = error.to_string();
    let why = why.split(" at line ").next().unwrap_or_default();
    format!("a record with id, t1, t2 and delta ({why})")
}

fn is_finite(record: &RelationRecord) -> bool {
    let relation = record.final_relation();
    let numbers = [record.relation.translation_m, record.relation.roll_pitch_yaw_rad, relation.translation_m];
    let all = numbers.into_iter().chain([relation.roll_pitch_yaw_rad, [relation.from_s, relation.to_s, 0.0]]);
    // JSON has no other numbers, but 1e999 is read as infinite.
    let icp = record.icp.iter().flat_map(|icp| [icp.rms_m, icp.overlap]);
    let evidence = record.icp.iter().filter_map(|icp| icp.evidence);
    let evidence = evidence.flat_map(|found| {
        [
            found.inliers,
            found.contradicted,
            found.moved_m,
            found.turned_rad,
            found.degenerate_rad.unwrap_or(0.0),
        ]
        .into_iter()
        .chain(found.covariance)
    });
    all.flatten().chain(icp).chain(evidence).chain(record.seconds).all(f64::is_finite)
}

impl From<Delta> for Displacement {
    fn from(delta: Delta) -> Self {
        Self {
            translation_m: [delta.x_m, delta.y_m, delta.z_m],
            roll_pitch_yaw_rad: [delta.roll_rad, delta.pitch_rad, delta.theta_rad],
        }
    }
}

impl From<Displacement> for Delta {
    fn from(displacement: Displacement) -> Self {
        let ([x_m, y_m, z_m], [roll_rad, pitch_rad, theta_rad]) =
            (displacement.translation_m, displacement.roll_pitch_yaw_rad);
        Self { x_m, y_m, theta_rad, z_m, roll_rad, pitch_rad }
    }
}

impl From<Line> for RelationRecord {
    fn from(line: Line) -> Self {
        let Displacement { translation_m, roll_pitch_yaw_rad } = line.delta.into();
        Self {
            id: line.id,
            relation: Relation { from_s: line.t1, to_s: line.t2, translation_m, roll_pitch_yaw_rad },
            source: line.source,
            icp: line.icp.map(ScanMatch::from),
            status: line.status,
            delta_final: line.delta_final.map(Displacement::from),
            reviewer: line.reviewer,
            time: line.time,
            note: line.note,
            opinion: line.opinion,
            seconds: line.seconds,
            undone_by: line.undone_by,
            second_by: line.second_by,
            log_blake3: line.log_blake3,
            tags: line.tags,
            others: line.others.into_iter().map(|(name, value)| (name, value.to_string())).collect(),
        }
    }
}

impl From<&RelationRecord> for Line {
    fn from(record: &RelationRecord) -> Self {
        let Relation { from_s, to_s, translation_m, roll_pitch_yaw_rad } = record.relation;
        Self {
            id: record.id.clone(),
            t1: from_s,
            t2: to_s,
            delta: Displacement { translation_m, roll_pitch_yaw_rad }.into(),
            source: record.source.clone(),
            icp: record.icp.map(Icp::from),
            status: record.status,
            delta_final: record.delta_final.map(Delta::from),
            reviewer: record.reviewer.clone(),
            time: record.time.clone(),
            note: record.note.clone(),
            opinion: record.opinion,
            seconds: record.seconds,
            undone_by: record.undone_by.clone(),
            second_by: record.second_by.clone(),
            log_blake3: record.log_blake3.clone(),
            tags: record.tags.clone(),
            others: record.others.iter().filter_map(other).collect(),
        }
    }
}

/// A field with its value; none if its text is no JSON, which no file gives.
fn other((name, text): &(String, String)) -> Option<(String, Value)> {
    Some((name.clone(), serde_json::from_str(text).ok()?))
}

/// Relation records as JSON Lines, with the digits that give back the same numbers.
#[must_use]
pub fn write(records: &[RelationRecord]) -> String {
    let mut text = String::new();
    for record in records {
        // Strings and numbers always have a JSON.
        if let Ok(line) = serde_json::to_string(&Line::from(record)) {
            text.push_str(&line);
            text.push('\n');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::trajectory::tum::tests::{codes, document};

    fn records(text: &str) -> Result<RelationRecords, ReadError> {
        records_of(&mut Source::of_bytes("a.jsonl", text.as_bytes()))
    }

    fn line(id: &str, x_m: f64, rest: &str) -> String {
        format!(
            "{{\"id\":\"{id}\",\"t1\":1,\"t2\":2.5,\"delta\":{{\"x_m\":{x_m},\"y_m\":0,\"theta_rad\":0}}{rest}}}\n"
        )
    }

    #[test]
    fn the_last_entry_of_an_id_is_valid() {
        let text = line("a", 1.0, "")
            + &line("b", 2.0, "")
            + &line("a", 1.0, ",\"status\":\"accepted\",\"reviewer\":\"ana\"");
        let read = records(&text).unwrap();
        let found: Vec<_> = read.records.iter().map(|r| (r.id.as_str(), r.status)).collect();
        assert_eq!(found, [("a", RelationStatus::Accepted), ("b", RelationStatus::Proposed)]);
        assert_eq!(read.records[0].reviewer.as_deref(), Some("ana"));
    }

    #[test]
    fn as_a_document_only_accepted_relations_count_and_corrections_do() {
        let corrected = ",\"status\":\"adjusted\",\"delta_final\":{\"x_m\":7,\"y_m\":8,\"theta_rad\":0.5}";
        let text =
            line("a", 1.0, corrected) + &line("b", 2.0, "") + &line("c", 3.0, ",\"status\":\"rejected\"");
        let document = document("gt.jsonl", &text).unwrap();
        assert_eq!(
            (document.format, codes(&document)),
            ("relation_records", vec![("RELATIONS_NOT_ACCEPTED", None)])
        );
        let Content::Relations(relations) = document.content else { panic!() };
        assert_eq!((relations.len(), relations[0].translation_m), (1, [7.0, 8.0, 0.0]));
        assert_eq!(relations[0].roll_pitch_yaw_rad, [0.0, 0.0, 0.5]);
    }

    #[test]
    fn a_file_that_nobody_reviewed_judges_nothing() {
        let error = document("gt.jsonl", &line("a", 1.0, "")).unwrap_err();
        assert!(error.to_string().contains("expected an accepted or adjusted relation"), "{error}");
    }

    #[test]
    fn a_line_that_was_cut_off_is_left_out_with_its_number() {
        let text = line("a", 1.0, ",\"status\":\"accepted\"") + "{\"id\":\"b\",\"t1\":1,\"t2\"";
        let document = document("gt.jsonl", &text).unwrap();
        assert_eq!(codes(&document), [("RECORD_UNREADABLE", Some(2))]);
        assert!(records("").is_err() && records("{}\n").is_err());
    }

    #[test]
    fn the_short_names_of_the_specification_and_fields_of_others_are_read_and_kept() {
        let text = "{\"id\":\"a\",\"t1\":1,\"t2\":2,\"delta\":{\"x\":1,\"y\":2,\"theta\":0.5},\
                    \"icp\":{\"rms\":0.01,\"overlap\":0.8},\"page\":{\"zoom\":[1,2]},\"seen\":true}\n";
        let read = records(text).unwrap().records;
        assert_eq!(read[0].relation.translation_m, [1.0, 2.0, 0.0]);
        assert_eq!(read[0].icp, Some(ScanMatch { rms_m: 0.01, overlap: 0.8, evidence: None }));
        let again = write(&read);
        assert!(again.contains("\"page\":{\"zoom\":[1,2]},\"seen\":true"), "{again}");
        assert_eq!(records(&again).unwrap().records, read);
    }

    #[test]
    fn what_is_appended_after_a_line_that_was_cut_off_is_read() {
        let text =
            line("a", 1.0, "") + "{\"id\":\"b\",\"t1\"\n" + &line("a", 1.0, ",\"status\":\"accepted\"");
        let read = records(&text).unwrap();
        assert_eq!((read.records.len(), read.records[0].status), (1, RelationStatus::Accepted));
        assert_eq!(read.findings[0].line, Some(2));
        let many: String = (0..65).map(|index| format!(",\"f{index}\":1")).collect();
        assert!(records(&line("a", 1.0, &many)).is_err());
        assert!(records(&line("a", 1.0, ",\"icp\":{\"rms_m\":1e999,\"overlap\":1}")).is_err());
    }

    fn displacement() -> impl Strategy<Value = Displacement> {
        prop::array::uniform6(-1e3..1e3_f64).prop_map(|v| Displacement {
            translation_m: [v[0], v[1], v[2]],
            roll_pitch_yaw_rad: [v[3], v[4], v[5]],
        })
    }

    fn any_record() -> impl Strategy<Value = RelationRecord> {
        let words =
            (".{0,12}", prop::option::of("[^\\r\\n]{0,9}"), prop::collection::vec("[a-z]{1,6}", 0..3));
        (words, displacement(), prop::option::of(displacement()), (-1e9..1e9_f64, -1e9..1e9_f64), 0_usize..4)
            .prop_map(|((id, note, tags), delta, delta_final, (from_s, to_s), status)| {
                let Displacement { translation_m, roll_pitch_yaw_rad } = delta;
                let relation = Relation { from_s, to_s, translation_m, roll_pitch_yaw_rad };
                RelationRecord {
                    status: RelationStatus::ALL[status],
                    delta_final,
                    note,
                    tags,
                    icp: Some(ScanMatch {
                        rms_m: 0.01,
                        overlap: 0.9,
                        evidence: (status > 1).then_some(MatchEvidence {
                            inliers: 0.9,
                            contradicted: 0.01,
                            moved_m: from_s.abs(),
                            turned_rad: 0.1,
                            covariance: [1e-4, 2e-5, -3e-5, 4e-4, 5e-6, to_s.abs()],
                            degenerate_rad: (status > 2).then_some(1.5),
                        }),
                    }),
                    opinion: (status > 0).then_some(status as u8),
                    seconds: (status > 1).then_some(from_s.abs()),
                    undone_by: (status == 0).then(|| "Ada".to_owned()),
                    second_by: (status == 3).then(|| "Bob".to_owned()),
                    log_blake3: (status == 2).then(|| "ab12".to_owned()),
                    others: vec![("later".to_owned(), "{\"a\":[1,null]}".to_owned())],
                    ..RelationRecord::proposed(id, relation)
                }
            })
    }

    proptest! {
        #[test]
        fn what_is_written_comes_back(mut written in prop::collection::vec(any_record(), 1..12)) {
            for (index, record) in written.iter_mut().enumerate() {
                record.id = format!("{index}{}", record.id);
            }
            prop_assert_eq!(records(&write(&written)).unwrap().records, written);
        }
    }
}
