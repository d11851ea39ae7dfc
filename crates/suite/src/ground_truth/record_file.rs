//! A record on disk: begun once, then only appended to.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use model::RelationRecord;

use crate::JobError;

/// Begins a record; one that is there already is never overwritten, since it may hold decisions.
pub(super) fn create(path: &Path, records: &[RelationRecord]) -> Result<(), JobError> {
    let opened = OpenOptions::new().write(true).create_new(true).open(path);
    let mut file = opened.map_err(|source| match source.kind() {
        std::io::ErrorKind::AlreadyExists => JobError::RecordExists(path.display().to_string()),
        _ => JobError::file(path, source),
    })?;
    write(&mut file, records).map_err(|source| JobError::file(path, source))
}

/// Appends entries. A line that a crash has cut off is ended first, so that what follows stays valid.
pub(super) fn append(path: &Path, records: &[RelationRecord]) -> Result<(), JobError> {
    if records.is_empty() {
        return Ok(());
    }
    let failed = |source| JobError::file(path, source);
    let mut file = OpenOptions::new().read(true).append(true).open(path).map_err(failed)?;
    if !ends_with_a_line(&mut file).map_err(failed)? {
        file.write_all(b"\n").map_err(failed)?;
    }
    write(&mut file, records).map_err(failed)
}

fn write(file: &mut File, records: &[RelationRecord]) -> std::io::Result<()> {
    file.write_all(formats::write_relation_records(records).as_bytes())?;
    file.sync_data()
}

fn ends_with_a_line(file: &mut File) -> std::io::Result<bool> {
    if file.seek(SeekFrom::End(0))? == 0 {
        return Ok(true);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

#[cfg(test)]
mod tests {
    use model::{Relation, RelationStatus};

    use super::*;

    fn record(id: &str, status: RelationStatus) -> RelationRecord {
        let relation =
            Relation { from_s: 1.0, to_s: 2.0, translation_m: [1.0, 0.0, 0.0], roll_pitch_yaw_rad: [0.0; 3] };
        RelationRecord { status, ..RelationRecord::proposed(id.to_owned(), relation) }
    }

    #[test]
    fn a_crash_in_the_middle_of_a_line_loses_that_line_only() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.jsonl");
        create(&path, &[record("a", RelationStatus::Proposed), record("b", RelationStatus::Proposed)])
            .unwrap();
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, &whole[..whole.len() - 20]).unwrap();
        append(&path, &[record("a", RelationStatus::Accepted)]).unwrap();
        let read = formats::read_relation_records(&path).unwrap();
        assert_eq!((read.records.len(), read.records[0].status), (1, RelationStatus::Accepted));
        assert_eq!(read.findings[0].line, Some(2));
    }

    #[test]
    fn a_record_is_never_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.jsonl");
        create(&path, &[record("a", RelationStatus::Accepted)]).unwrap();
        assert!(matches!(create(&path, &[]), Err(JobError::RecordExists(_))));
        append(&path, &[]).unwrap();
        assert!(append(&folder.path().join("none.jsonl"), &[record("a", RelationStatus::Accepted)]).is_err());
        assert_eq!(formats::read_relation_records(&path).unwrap().records.len(), 1);
    }
}
