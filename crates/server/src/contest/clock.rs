//! Times as texts of one form, so that their order is the order in time; and ids that sort by time.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use mapjudge::Timestamp;

/// Milliseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time(u64);

impl Time {
    /// The time of the system.
    #[must_use]
    pub fn now() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self(u64::try_from(since.as_millis()).unwrap_or(0))
    }

    /// A time in milliseconds since 1970.
    #[must_use]
    pub const fn from_unix_ms(unix_ms: u64) -> Self {
        Self(unix_ms)
    }

    /// So many seconds later; negative for earlier.
    #[must_use]
    pub const fn plus_s(self, seconds: i64) -> Self {
        Self(self.0.saturating_add_signed(seconds.saturating_mul(1000)))
    }

    /// The time from an earlier one until this one; none if it is later.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(self.0.saturating_sub(earlier.0))
    }

    /// As `2026-11-16T02:00:00.250Z`.
    #[must_use]
    pub fn text(self) -> String {
        let whole = Timestamp::from_unix_s(self.0 / 1000).map_or_else(String::new, Timestamp::text);
        format!("{}.{:03}Z", whole.trim_end_matches('Z'), self.0 % 1000)
    }
}

/// Letters of an id: no I, L, O, U.
const CROCKFORD: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// A new id (ULID): 48 bits of time, 80 bits of randomness, 26 letters.
///
/// # Errors
/// The system has no randomness to give.
pub fn new_id(at: Time) -> Result<String, getrandom::Error> {
    let mut random = [0; 10];
    getrandom::fill(&mut random)?;
    let mut bits = u128::from(at.0 & 0xffff_ffff_ffff) << 80;
    for (index, byte) in random.iter().enumerate() {
        bits |= u128::from(*byte) << (8 * index);
    }
    let letter = |place: u32| char::from(CROCKFORD[(bits >> (5 * place) & 31) as usize]);
    Ok((0..26).rev().map(letter).collect())
}

/// Whether a text has the form of an id.
#[must_use]
pub fn is_id(text: &str) -> bool {
    text.len() == 26 && text.bytes().all(|letter| CROCKFORD.contains(&letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_a_text_that_sorts() {
        // `date --utc --date=@1000000000`
        let time = Time::from_unix_ms(1_000_000_000_250);
        assert_eq!(time.text(), "2001-09-09T01:46:40.250Z");
        assert_eq!(time.plus_s(-1).text(), "2001-09-09T01:46:39.250Z");
        assert!(time.plus_s(1).text() > time.text());
    }

    #[test]
    fn ids_sort_by_time_and_never_repeat() {
        // 2^48 - 1 ms is the last time: 10 letters of 5 bits, the first holds 3.
        assert!(new_id(Time::from_unix_ms((1 << 48) - 1)).unwrap().starts_with("7ZZZZZZZZZ"));
        assert!(new_id(Time::from_unix_ms(0)).unwrap().starts_with("0000000000"));
        let (early, late) = (new_id(Time::from_unix_ms(1)).unwrap(), new_id(Time::from_unix_ms(2)).unwrap());
        assert!(early < late && is_id(&early) && early != new_id(Time::from_unix_ms(1)).unwrap());
        assert!(!is_id("../../etc/passwd") && !is_id(""));
    }
}
