//! A record under review: people decide, others may append to the record meanwhile.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use mapjudge::Timestamp;
use mapjudge::ground_truth::Review;

/// Who decides, and the time that the decision carries.
pub struct Seat {
    pub(crate) reviewer: String,
    pub(crate) time: Option<String>,
    /// The page leads back to a contest.
    pub(crate) is_of_contest: bool,
}

impl Seat {
    /// Somebody who decides now, in a contest.
    pub(crate) fn now(reviewer: String) -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).ok();
        let time = since.and_then(|since| Timestamp::from_unix_s(since.as_secs())).map(|time| time.text());
        Self { reviewer, time, is_of_contest: true }
    }
}

/// A record, and who decides about it.
pub struct ReviewDesk {
    review: Mutex<Review>,
    /// Name of the record.
    record: String,
    reviewer: String,
    time: Option<String>,
    /// Lines of the record that open pages know of.
    told: Mutex<usize>,
}

impl ReviewDesk {
    /// A review in the name of a person. Decisions carry `time`, or that of the clock.
    #[must_use]
    pub fn new(review: Review, reviewer: String, time: Option<String>) -> Self {
        let (told, record) = (Mutex::new(review.lines()), review.settings().record.clone());
        Self { review: Mutex::new(review), record, reviewer, time, told }
    }

    /// Who decides.
    #[must_use]
    pub fn reviewer(&self) -> &str {
        &self.reviewer
    }

    /// The record as it is named to people.
    pub(crate) fn record(&self) -> &str {
        &self.record
    }

    /// How far the review is.
    pub(crate) fn in_words(&self) -> String {
        let (record, counts) = (self.record(), self.review().counts());
        format!(
            "{record}: {} accepted, {} adjusted, {} rejected, {} proposed, {} of them disputed",
            counts.accepted, counts.adjusted, counts.rejected, counts.proposed, counts.disputed
        )
    }

    /// Nobody leaves a review half changed: what is in the record is read again by the next who asks.
    pub(crate) fn review(&self) -> MutexGuard<'_, Review> {
        self.review.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Who decides here, at this time.
    pub(crate) fn seat(&self) -> Seat {
        let seat = Seat::now(self.reviewer.clone());
        Seat { time: self.time.clone().or(seat.time), is_of_contest: false, ..seat }
    }

    /// Reads what was appended to the record; true if open pages do not know of it yet. A record that cannot be read now
    /// may be there again the next time.
    pub(crate) fn has_news(&self) -> bool {
        let lines = {
            let mut review = self.review();
            if review.follow().is_err() {
                return false;
            }
            review.lines()
        };
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *told, lines) != lines
    }
}
