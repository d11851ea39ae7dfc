//! The lines of a record, wherever they are kept: followed as others append, and appended to by one after the other.

use model::RelationRecord;

use crate::JobError;

/// A line of a record.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordLine {
    /// Where it lies, the same for as long as the record is only appended to; later lines lie further on.
    pub at: u64,
    /// What it states.
    pub entry: RelationRecord,
}

/// Lines that came since a record was last looked at.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewLines {
    /// True if the record was read from its beginning: what was known before is void.
    pub is_anew: bool,
    /// In the order of the record.
    pub lines: Vec<RecordLine>,
    /// Lines that are no entries and were left out.
    pub unreadable: usize,
}

/// Where the lines of a record are kept.
pub trait RecordLines: Send {
    /// What was appended since the last call.
    ///
    /// # Errors
    /// The record cannot be read.
    fn follow(&mut self) -> Result<NewLines, JobError>;

    /// Shows `decide` what was appended since the last call, and appends the entries that it returns; nobody else appends
    /// in between.
    ///
    /// # Errors
    /// The record cannot be read, or not be appended to.
    fn append(&mut self, decide: &mut dyn FnMut(NewLines) -> Vec<RelationRecord>) -> Result<(), JobError>;

    /// The entries at these places.
    ///
    /// # Errors
    /// The record cannot be read.
    fn entries_at(&mut self, places: &[u64]) -> Result<Vec<RelationRecord>, JobError>;
}

/// A record in memory.
#[derive(Clone, Debug, Default)]
pub struct MemoryLines {
    /// All lines, the oldest first.
    pub entries: Vec<RelationRecord>,
    seen: usize,
}

impl MemoryLines {
    /// A record with these lines.
    #[must_use]
    pub const fn new(entries: Vec<RelationRecord>) -> Self {
        Self { entries, seen: 0 }
    }
}

impl RecordLines for MemoryLines {
    fn follow(&mut self) -> Result<NewLines, JobError> {
        let line = |(index, entry): (usize, &RelationRecord)| RecordLine {
            at: (self.seen + index) as u64,
            entry: entry.clone(),
        };
        let lines = self.entries[self.seen..].iter().enumerate().map(line).collect();
        self.seen = self.entries.len();
        Ok(NewLines { lines, ..NewLines::default() })
    }

    fn append(&mut self, decide: &mut dyn FnMut(NewLines) -> Vec<RelationRecord>) -> Result<(), JobError> {
        let entries = decide(self.follow()?);
        self.entries.extend(entries);
        Ok(())
    }

    fn entries_at(&mut self, places: &[u64]) -> Result<Vec<RelationRecord>, JobError> {
        Ok(places.iter().filter_map(|&at| self.entries.get(at as usize).cloned()).collect())
    }
}
