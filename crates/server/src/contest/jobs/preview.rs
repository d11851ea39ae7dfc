//! What a value would change, before anybody enters it.

use mapjudge::files::contest::SignedValue;
use serde_json::Value as Json;

use super::JobsError;
use super::queue;
use super::worker::Worker;
use crate::contest::app::Preview;
use crate::contest::ranking::{Depth, contest_json};

impl Preview for Worker {
    fn with_value(&self, submission: &str, name: &str, value: &Json) -> Result<Vec<u8>, String> {
        self.previewed(submission, name, value).map_err(|error| error.to_string())
    }
}

impl Worker {
    fn previewed(&self, submission: &str, name: &str, value: &Json) -> Result<Vec<u8>, JobsError> {
        let loaded = self.contest()?;
        let mut standing = self.database.read(|t| queue::standing(t, &loaded, None))?;
        let mut entries = standing.basis.entries.iter_mut().flatten();
        let entry = entries.find(|entry| entry.submission.as_deref() == Some(submission));
        let entry = entry.ok_or_else(|| JobsError::content("this submission does not count"))?;
        let value = queue::number(value).ok_or_else(|| JobsError::content("expected a number or a list"))?;
        entry.values.insert(name.to_owned(), SignedValue { value, by: None, reason: None });
        if !standing.missing.is_empty() {
            return Err(JobsError::content("some submissions are not measured yet"));
        }
        contest_json(&self.rankings.rank(&loaded, &standing.basis, Depth::Quick)?)
    }
}
