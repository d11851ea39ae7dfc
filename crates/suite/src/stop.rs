//! A request to stop, which a judgement looks at between two metrics.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A request to stop; clones share it. Two plans that differ in it alone measure the same, so all are equal.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl PartialEq for Stop {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Stop {
    /// Asks everybody who holds a clone to stop.
    pub fn ask(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether somebody asked.
    #[must_use]
    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
