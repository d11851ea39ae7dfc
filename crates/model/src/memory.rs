//! How much memory a run may take, asked before memory is taken.
//!
//! A file of one megabyte can describe a map of a thousand million cells. Whoever is about to take memory in proportion
//! to a map says first how many cells there are and how many bytes each will take; what would go beyond the limit is
//! refused with both numbers. The limit belongs to the process, as its memory does: it changes no value, it only
//! decides whether a value is computed.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// 2 GiB: a map of 8000 x 8000 cells can be judged by every metric, one of 20000 x 20000 by those that count cells.
const DEFAULT_BYTES: u64 = 2 << 30;
/// Below this not even the program itself fits.
const MIN_BYTES: u64 = 64 << 20;
/// The part of the limit that one map may take as it is read: several are held at once, and are worked on.
const SHARE_OF_A_MAP: u64 = 4;

static LIMIT_BYTES: AtomicU64 = AtomicU64::new(DEFAULT_BYTES);

/// The memory that this process may take for maps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryLimit {
    bytes: u64,
}

/// Memory that would be taken for so many cells; an upper bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryNeed {
    cells: usize,
    bytes: u64,
}

/// More memory would be needed than is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{cells} cells would need {} of memory, the limit is {}", Size(*.needed_bytes), Size(*.limit_bytes))]
pub struct OverMemory {
    pub cells: usize,
    pub needed_bytes: u64,
    pub limit_bytes: u64,
}

impl MemoryLimit {
    /// 2 GiB.
    pub const DEFAULT: Self = Self { bytes: DEFAULT_BYTES };

    /// The limit of this process.
    #[must_use]
    pub fn current() -> Self {
        Self { bytes: LIMIT_BYTES.load(Ordering::Relaxed) }
    }

    /// Sets the limit of this process; programs do this once, before they read anything. At least 64 MiB.
    pub fn set(bytes: u64) {
        LIMIT_BYTES.store(bytes.max(MIN_BYTES), Ordering::Relaxed);
    }

    #[must_use]
    pub const fn bytes(self) -> u64 {
        self.bytes
    }

    /// What one map may take while it is read: a quarter, since map, truth and what is made of them are held at once.
    #[must_use]
    pub const fn of_one_map(self) -> Self {
        Self { bytes: self.bytes / SHARE_OF_A_MAP }
    }

    /// Whether so much memory may be taken.
    ///
    /// # Errors
    /// It is more than the limit.
    pub fn check(self, need: MemoryNeed) -> Result<(), OverMemory> {
        if need.bytes <= self.bytes {
            return Ok(());
        }
        Err(OverMemory { cells: need.cells, needed_bytes: need.bytes, limit_bytes: self.bytes })
    }
}

impl MemoryNeed {
    /// So many cells of so many bytes.
    #[must_use]
    pub const fn new(cells: usize, bytes_per_cell: u64) -> Self {
        Self { cells, bytes: (cells as u64).saturating_mul(bytes_per_cell) }
    }

    /// The same, and so many bytes for each of some of the cells.
    #[must_use]
    pub const fn and(self, cells: u64, bytes_per_cell: u64) -> Self {
        Self { bytes: self.bytes.saturating_add(cells.saturating_mul(bytes_per_cell)), ..self }
    }

    /// Whether this process may take it.
    ///
    /// # Errors
    /// It is more than the limit.
    pub fn check(self) -> Result<(), OverMemory> {
        MemoryLimit::current().check(self)
    }
}

/// A number of bytes as people read it.
struct Size(u64);

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [(u64, &str); 3] = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
        match UNITS.iter().find(|(bytes, _)| self.0 >= *bytes) {
            Some((bytes, unit)) => write!(f, "{:.1} {unit}", self.0 as f64 / *bytes as f64),
            None => write!(f, "{} bytes", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn need_is_compared_with_the_limit_without_overflow() {
        let limit = MemoryLimit::DEFAULT;
        assert_eq!(limit.check(MemoryNeed::new(1 << 30, 2)), Ok(()));
        let over = limit.check(MemoryNeed::new(1 << 30, 3)).unwrap_err();
        assert_eq!(over.to_string(), "1073741824 cells would need 3.0 GiB of memory, the limit is 2.0 GiB");
        assert!(limit.check(MemoryNeed::new(usize::MAX, u64::MAX)).is_err());
        assert_eq!(limit.of_one_map().bytes(), 512 << 20);
    }

    #[test]
    fn the_limit_of_the_process_can_be_set_but_not_to_nothing() {
        assert_eq!(MemoryLimit::current(), MemoryLimit::DEFAULT);
        MemoryLimit::set(3 << 30);
        assert_eq!(MemoryLimit::current().bytes(), 3 << 30);
        MemoryLimit::set(1);
        assert_eq!(MemoryLimit::current().bytes(), MIN_BYTES);
    }
}
