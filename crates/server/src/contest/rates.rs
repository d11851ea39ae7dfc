//! How often something may be tried: wrong codes of an address, uploads of a team, live numbers of a judge.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

const MINUTE: Duration = Duration::from_secs(60);
const SECOND: Duration = Duration::from_secs(1);
/// Addresses and teams that are remembered; beyond that everybody waits a minute.
const MAX_KEYS: usize = 10_000;

/// What was tried within the last minute.
#[derive(Debug, Default)]
pub struct Rates {
    tried: Mutex<HashMap<String, VecDeque<Instant>>>,
}

impl Rates {
    /// Whether an address may try a code: it tried fewer wrong ones within a minute.
    #[must_use]
    pub fn may_log_in(&self, address: IpAddr, most: u32) -> bool {
        self.count(&login_key(address), Instant::now(), MINUTE) < most as usize
    }

    /// Notes a wrong code.
    pub fn wrong_code(&self, address: IpAddr) {
        self.note(login_key(address), Instant::now());
    }

    /// Notes an upload of a team; false if there were too many within a minute.
    #[must_use]
    pub fn may_upload(&self, team: &str, most: u32) -> bool {
        self.may_upload_at(team, most, Instant::now())
    }

    fn may_upload_at(&self, team: &str, most: u32, now: Instant) -> bool {
        self.may(format!("team {team}"), most as usize, now, MINUTE)
    }

    /// Notes a request for live numbers; false if there were too many within a second.
    #[must_use]
    pub fn may_ask_live(&self, name: &str, most: u32) -> bool {
        self.may_ask_live_at(name, most, Instant::now())
    }

    fn may_ask_live_at(&self, name: &str, most: u32, now: Instant) -> bool {
        self.may(format!("live {name}"), most as usize, now, SECOND)
    }

    fn may(&self, key: String, most: usize, now: Instant, within: Duration) -> bool {
        let is_free = self.count(&key, now, within) < most;
        if is_free {
            self.note(key, now);
        }
        is_free
    }

    fn count(&self, key: &str, now: Instant, within: Duration) -> usize {
        let mut tried = self.tried.lock().unwrap_or_else(PoisonError::into_inner);
        if tried.len() > MAX_KEYS {
            tried.retain(|_, times| times.back().is_some_and(|at| now.duration_since(*at) < MINUTE));
            if tried.len() > MAX_KEYS {
                return usize::MAX;
            }
        }
        let Some(times) = tried.get_mut(key) else { return 0 };
        while times.front().is_some_and(|at| now.duration_since(*at) >= within) {
            times.pop_front();
        }
        times.len()
    }

    fn note(&self, key: String, now: Instant) {
        let mut tried = self.tried.lock().unwrap_or_else(PoisonError::into_inner);
        tried.entry(key).or_default().push_back(now);
    }
}

/// Whoever has one address of IPv6 has all of its network.
fn login_key(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => format!("login {address}"),
        IpAddr::V6(address) => format!("login {:x?}", &address.segments()[..4]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn so_many_within_a_minute_and_no_more() {
        let (rates, start) = (Rates::default(), Instant::now());
        let may =
            |team: &str, after_s: u64| rates.may_upload_at(team, 2, start + Duration::from_secs(after_s));
        assert!(may("A", 0) && may("A", 1) && !may("A", 59));
        assert!(may("B", 59), "another team");
        assert!(may("A", 60) && !may("A", 60) && may("A", 61));
    }

    #[test]
    fn live_numbers_are_counted_by_the_second() {
        let (rates, start) = (Rates::default(), Instant::now());
        let may = |after_ms: u64| rates.may_ask_live_at("jo", 15, start + Duration::from_millis(after_ms));
        assert!((0..15).all(may) && !may(999) && may(1000));
        assert!(rates.may_ask_live_at("ada", 15, start), "somebody else");
    }

    #[test]
    fn a_network_is_one_address() {
        let rates = Rates::default();
        let address = |text: &str| text.parse::<IpAddr>().unwrap();
        for _ in 0..5 {
            assert!(rates.may_log_in(address("2001:db8::1"), 5));
            rates.wrong_code(address("2001:db8::1"));
        }
        assert!(!rates.may_log_in(address("2001:db8::2"), 5));
        assert!(rates.may_log_in(address("10.0.0.1"), 5));
    }
}
