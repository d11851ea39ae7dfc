//! A record on disk: begun once as a whole, then only appended to, by one process after the other.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use model::RelationRecord;

use super::review::{NewLines, RecordLine, RecordLines};
use crate::JobError;
use crate::files::{WholeFile, shown_path};

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
    append_behind(path, |_, _| decide())
}

/// As [`append`]; `decide` gets the file and how many of its bytes it may see.
fn append_behind<T>(
    path: &Path,
    decide: impl FnOnce(&mut File, u64) -> Result<(Vec<RelationRecord>, T), JobError>,
) -> Result<T, JobError> {
    let failed = |source| JobError::output(shown_path(path), source);
    let mut file = OpenOptions::new().read(true).append(true).open(path).map_err(failed)?;
    file.lock().map_err(failed)?;
    let seen_bytes = file.metadata().map_err(failed)?.len();
    let (entries, told) = decide(&mut file, seen_bytes)?;
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

/// A longer line is no entry.
const MAX_LINE_BYTES: u64 = 1 << 20;
/// The lines of a record on disk. Only what was appended is read; a record that was replaced is read anew.
#[derive(Debug)]
pub(super) struct FileLines {
    path: PathBuf,
    read_bytes: u64,
    /// The line that ends at `read_bytes`, by which the record is recognised.
    tail: Vec<u8>,
}

impl FileLines {
    pub(super) const fn new(path: PathBuf) -> Self {
        Self { path, read_bytes: 0, tail: Vec::new() }
    }

    /// Reads the lines between what was read before and `until`.
    fn read_new(&mut self, file: &mut File, until: u64) -> std::io::Result<NewLines> {
        let tail_at = self.read_bytes.saturating_sub(self.tail.len() as u64);
        let is_same = until >= self.read_bytes && part_of(file, tail_at, self.read_bytes)? == self.tail;
        if !is_same {
            (self.read_bytes, self.tail) = (0, Vec::new());
        }
        let mut new = NewLines { is_anew: self.read_bytes == 0, ..NewLines::default() };
        file.seek(SeekFrom::Start(self.read_bytes))?;
        let mut reader = BufReader::new(file).take(until - self.read_bytes);
        let mut line = Vec::new();
        loop {
            line.clear();
            let read = read_line(&mut reader, &mut line)?;
            let text = line.trim_ascii();
            let is_whole = line.ends_with(b"\n");
            let entry = formats::parse_relation_record(text);
            // The end may be a line that somebody is writing, or one of a program that ends no lines.
            if read == 0 || (!is_whole && entry.is_err()) {
                return Ok(new);
            }
            match entry {
                Ok(entry) => new.lines.push(RecordLine { at: self.read_bytes, entry }),
                Err(_) => new.unreadable += usize::from(!text.is_empty()),
            }
            self.read_bytes += read;
            self.tail.clone_from(&line);
        }
    }
}

/// Reads to the end of a line; the number of its bytes. Of a line that is too long only the end is kept.
fn read_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> std::io::Result<u64> {
    let mut all = 0;
    loop {
        let read = Read::take(&mut *reader, MAX_LINE_BYTES).read_until(b'\n', line)? as u64;
        all += read;
        if read < MAX_LINE_BYTES || line.ends_with(b"\n") {
            return Ok(all);
        }
        line.clear();
    }
}

impl RecordLines for FileLines {
    fn follow(&mut self) -> Result<NewLines, JobError> {
        let path = self.path.clone();
        let failed = |source| JobError::file(shown_path(&path), source);
        let mut file = File::open(&path).map_err(failed)?;
        let until = file.metadata().map_err(failed)?.len();
        self.read_new(&mut file, until).map_err(failed)
    }

    fn append(&mut self, decide: &mut dyn FnMut(NewLines) -> Vec<RelationRecord>) -> Result<(), JobError> {
        let path = self.path.clone();
        append_behind(&path, |file, until| {
            let new =
                self.read_new(file, until).map_err(|source| JobError::file(shown_path(&path), source))?;
            Ok((decide(new), ()))
        })
    }

    fn entries_at(&mut self, places: &[u64]) -> Result<Vec<RelationRecord>, JobError> {
        let failed = |source| JobError::file(shown_path(&self.path), source);
        let mut reader = BufReader::new(File::open(&self.path).map_err(failed)?);
        let mut entries = Vec::with_capacity(places.len());
        for &at in places {
            reader.seek(SeekFrom::Start(at)).map_err(failed)?;
            let mut line = Vec::new();
            read_line(&mut reader, &mut line).map_err(failed)?;
            entries.extend(formats::parse_relation_record(line.trim_ascii()));
        }
        Ok(entries)
    }
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

    fn ids(new: &NewLines) -> Vec<&str> {
        new.lines.iter().map(|line| line.entry.id.as_str()).collect()
    }

    #[test]
    fn only_new_lines_are_read_and_a_replaced_record_is_read_anew() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.jsonl");
        let text = |id: &str| formats::write_relation_records(&[record(id, RelationStatus::Proposed)]);
        let add = |text: &str| {
            OpenOptions::new().append(true).open(&path).unwrap().write_all(text.as_bytes()).unwrap();
        };
        std::fs::write(&path, text("a") + "lorem\n" + &text("b")).unwrap();
        let mut lines = FileLines::new(path.clone());
        let first = lines.follow().unwrap();
        assert_eq!((ids(&first), first.unreadable, first.is_anew), (vec!["a", "b"], 1, true));
        let places: Vec<u64> = first.lines.iter().map(|line| line.at).collect();
        assert_eq!(lines.follow().unwrap(), NewLines::default());
        // A line that is being written is left for the next time.
        let (begun, rest) = (&text("c")[..20], &text("c")[20..]);
        add(begun);
        assert_eq!(lines.follow().unwrap(), NewLines::default());
        add(rest);
        assert_eq!(ids(&lines.follow().unwrap()), ["c"]);
        let found = lines.entries_at(&places).unwrap();
        assert_eq!((found.len(), found[1].id.as_str()), (2, "b"));
        for other in [text("d"), text("e") + &text("f") + &text("g") + &text("h") + &text("i")] {
            std::fs::write(&path, &other).unwrap();
            let anew = lines.follow().unwrap();
            assert_eq!((anew.is_anew, anew.lines.len()), (true, other.lines().count()));
        }
    }

    #[test]
    fn a_last_line_without_an_end_counts_once_it_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.jsonl");
        let text = formats::write_relation_records(&[record("a", RelationStatus::Proposed)]);
        std::fs::write(&path, text.trim_end()).unwrap();
        let mut lines = FileLines::new(path);
        assert_eq!(ids(&lines.follow().unwrap()), ["a"]);
        lines.append(&mut |_| vec![record("a", RelationStatus::Accepted)]).unwrap();
        let new = lines.follow().unwrap();
        assert_eq!((new.lines.len(), new.unreadable), (1, 0));
        assert_eq!(new.lines[0].entry.status, RelationStatus::Accepted);
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
