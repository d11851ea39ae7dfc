//! Decoded truths, kept while there is room: thousands of maps share one.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use crate::files::{Job, Loader};
use crate::{JobError, Truth};

/// Bytes per cell of a kept truth: classes, levels of the probe of frames, and their distances; measured, rounded up.
const BYTES_PER_CELL: u64 = 12;

/// Truths by their files and the options they were read with.
pub(super) struct TruthCache {
    max_bytes: u64,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    truths: HashMap<TruthKey, KeptTruth>,
    bytes: u64,
    /// Counts uses; the truth with the lowest number goes first.
    clock: u64,
}

struct KeptTruth {
    truth: Arc<Truth>,
    bytes: u64,
    used: u64,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct TruthKey {
    files: Vec<PathBuf>,
    reading: String,
}

impl TruthCache {
    pub(super) fn new(max_bytes: u64) -> Self {
        Self { max_bytes, kept: Mutex::default() }
    }

    /// The truth of a job, read if it is not kept.
    pub(super) fn truth(&self, job: &Job, loader: &Loader) -> Result<Arc<Truth>, JobError> {
        let key = key_of(job);
        if let Some(truth) = self.kept.lock().ok().and_then(|mut kept| kept.used(&key)) {
            return Ok(truth);
        }
        // Two threads may read the same file at once; a lock while reading could wait for itself.
        let truth = Arc::new(job.load_truth(loader)?);
        let bytes = bytes_of(&truth);
        if let Ok(mut kept) = self.kept.lock()
            && bytes <= self.max_bytes
        {
            kept.keep(key, Arc::clone(&truth), bytes, self.max_bytes);
        }
        Ok(truth)
    }
}

impl Kept {
    fn used(&mut self, key: &TruthKey) -> Option<Arc<Truth>> {
        self.clock += 1;
        let kept = self.truths.get_mut(key)?;
        kept.used = self.clock;
        Some(Arc::clone(&kept.truth))
    }

    fn keep(&mut self, key: TruthKey, truth: Arc<Truth>, bytes: u64, max_bytes: u64) {
        if self.truths.contains_key(&key) {
            return;
        }
        while self.bytes + bytes > max_bytes {
            let oldest = self.truths.iter().min_by_key(|(_, kept)| kept.used).map(|(key, _)| key.clone());
            let Some(removed) = oldest.and_then(|oldest| self.truths.remove(&oldest)) else { break };
            self.bytes -= removed.bytes;
        }
        self.bytes += bytes;
        self.truths.insert(key, KeptTruth { truth, bytes, used: self.clock });
    }
}

fn key_of(job: &Job) -> TruthKey {
    let inputs = &job.inputs;
    let mut files: Vec<PathBuf> = inputs.truth.iter().chain(&inputs.layout).cloned().collect();
    // Where one list ends and the next begins is part of the key.
    files.push(PathBuf::new());
    files.extend(inputs.truth_annotations.iter().cloned());
    let is_plain =
        job.read == crate::ReadOptions::default() && job.resolutions == super::super::Resolutions::default();
    let reading = if is_plain { String::new() } else { format!("{:?}{:?}", job.read, job.resolutions) };
    TruthKey { files, reading }
}

fn bytes_of(truth: &Truth) -> u64 {
    let cells = truth.map.as_ref().map_or(0, |map| map.value.grid.classes().len() as u64);
    let probabilities =
        truth.map.as_ref().and_then(|map| map.value.grid.probabilities()).map_or(0, <[f64]>::len);
    4096 + cells * BYTES_PER_CELL + 8 * probabilities as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_truth_is_kept_while_there_is_room() {
        let folder = tempfile::tempdir().unwrap();
        let text = "resolution: 0.5\norigin: 0 0 0\n###\n#.#\n";
        let job = |name: &str| {
            std::fs::write(folder.path().join(name), text).unwrap();
            let mut job = Job::default();
            job.inputs.truth = Some(folder.path().join(name));
            job
        };
        let (a, b) = (job("a.txt"), job("b.txt"));
        let loader = Loader::default();
        let one = 4096 + 6 * BYTES_PER_CELL;
        for (room, kept) in [(0, 0), (one, 1), (2 * one, 2)] {
            let cache = TruthCache::new(room);
            let first = cache.truth(&a, &loader).unwrap();
            assert_eq!(Arc::ptr_eq(&first, &cache.truth(&a, &loader).unwrap()), kept > 0, "{room}");
            cache.truth(&b, &loader).unwrap();
            assert_eq!(Arc::ptr_eq(&first, &cache.truth(&a, &loader).unwrap()), kept > 1, "{room}");
            assert!(cache.kept.lock().unwrap().bytes <= room);
        }
        let mut other = a.clone();
        other.read.negate = Some(true);
        let cache = TruthCache::new(2 * one);
        let plain = cache.truth(&a, &loader).unwrap();
        assert!(!Arc::ptr_eq(&plain, &cache.truth(&other, &loader).unwrap()), "read with other options");
        std::fs::remove_file(folder.path().join("b.txt")).unwrap();
        assert!(cache.truth(&b, &loader).is_err());
    }
}
