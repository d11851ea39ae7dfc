//! A record on disk: begun once as a whole, then only appended to, by one process after the other.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use model::RelationRecord;

use crate::JobError;
use crate::files::WholeFile;

/// Begins a record, whole or not at all; one that is there already is never overwritten, since it may hold decisions.
pub(super) fn create(path: &Path, records: &[RelationRecord]) -> Result<(), JobError> {
    let exists = || JobError::RecordExists(path.display().to_string());
    if path.exists() {
        return Err(exists());
    }
    let mut file = WholeFile::begin(path)?;
    file.write_all(formats::write_relation_records(records).as_bytes())
        .map_err(|source| JobError::output(path, source))?;
    file.finish_new().map_err(|error| if matches!(error, JobError::Exists(_)) { exists() } else { error })
}

/// Appends the entries that `decide` makes of the record as it is. The file is locked from the reading to the end of the
/// writing, so that no other run of this program decides in between.
///
/// Lines that a program without locks has appended in between are a person's word on what the rule did not see: they are
/// appended once more behind the entries, so that they stay the last word.
pub(super) fn append<T>(
    path: &Path,
    decide: impl FnOnce() -> Result<(Vec<RelationRecord>, T), JobError>,
) -> Result<T, JobError> {
    let failed = |source| JobError::output(path, source);
    let mut file = OpenOptions::new().read(true).append(true).open(path).map_err(failed)?;
    file.lock().map_err(failed)?;
    let seen_bytes = file.metadata().map_err(failed)?.len();
    let (entries, told) = decide()?;
    if !entries.is_empty() {
        append_entries(&mut file, seen_bytes, &entries).map_err(failed)?;
    }
    Ok(told)
}

/// Appends entries whole, or leaves the file as it was.
fn append_entries(file: &mut File, seen_bytes: u64, entries: &[RelationRecord]) -> std::io::Result<()> {
    let text = formats::write_relation_records(entries);
    let before_bytes = file.metadata()?.len();
    let written = append_text(file, &text).and_then(|()| {
        // Nobody holds back a program that takes no lock: what it appended stands before our entries, unseen.
        let own_at = file.metadata()?.len().saturating_sub(text.len() as u64);
        let unseen = part_of(file, seen_bytes, own_at)?;
        let unseen = String::from_utf8_lossy(&unseen).trim().to_owned();
        if unseen.is_empty() { Ok(()) } else { append_text(file, &(unseen + "\n")) }
    });
    written.and_then(|()| file.sync_data()).inspect_err(|_| {
        // A full disk: half an entry is worth nothing.
        let _ = file.set_len(before_bytes);
    })
}

/// Appends text. A line that a crash has cut off is ended first, so that what follows stays valid.
fn append_text(file: &mut File, text: &str) -> std::io::Result<()> {
    let end = if ends_with_a_line(file)? { "" } else { "\n" };
    file.write_all(format!("{end}{text}").as_bytes())
}

fn part_of(file: &mut File, from: u64, to: u64) -> std::io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.take(to.saturating_sub(from)).read_to_end(&mut bytes)?;
    Ok(bytes)
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
    use std::sync::atomic::{AtomicUsize, Ordering};

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
        append(&path, || Ok((vec![record("a", RelationStatus::Accepted)], ()))).unwrap();
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
        append(&path, || Ok((Vec::new(), ()))).unwrap();
        let accepted = || Ok((vec![record("a", RelationStatus::Accepted)], ()));
        assert!(append(&folder.path().join("none.jsonl"), accepted).is_err());
        assert_eq!(formats::read_relation_records(&path).unwrap().records.len(), 1);
    }

    #[test]
    fn a_rejection_that_comes_while_the_rule_decides_stays_the_last_word() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.jsonl");
        create(&path, &[record("a", RelationStatus::Proposed), record("b", RelationStatus::Proposed)])
            .unwrap();
        append(&path, || {
            // Another program, which takes no lock.
            let rejected = formats::write_relation_records(&[record("a", RelationStatus::Rejected)]);
            OpenOptions::new().append(true).open(&path).unwrap().write_all(rejected.as_bytes()).unwrap();
            Ok((vec![record("a", RelationStatus::Accepted), record("b", RelationStatus::Accepted)], ()))
        })
        .unwrap();
        let read = formats::read_relation_records(&path).unwrap();
        let status = |id: &str| read.records.iter().find(|record| record.id == id).unwrap().status;
        assert_eq!((status("a"), status("b")), (RelationStatus::Rejected, RelationStatus::Accepted));
    }

    #[test]
    fn two_runs_decide_one_after_the_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.jsonl");
        create(&path, &[record("a", RelationStatus::Proposed)]).unwrap();
        let deciding = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    append(&path, || {
                        assert_eq!(deciding.fetch_add(1, Ordering::SeqCst), 0, "somebody else decides");
                        std::thread::sleep(std::time::Duration::from_millis(20));
                        deciding.fetch_sub(1, Ordering::SeqCst);
                        Ok((vec![record("a", RelationStatus::Accepted)], ()))
                    })
                    .unwrap();
                });
            }
        });
        assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 5);
    }
}
