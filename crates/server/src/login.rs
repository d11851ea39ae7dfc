//! Who gets in: the browser that opens a printed link first. Codes work once; only hashes are kept.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::limits::MAX_WRONG_CODES;

/// Letters of a code: 26 of 32 letters are 130 bits.
const CODE_LETTERS: usize = 26;
const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// Codes that were printed and not used, and sessions that were opened with one.
#[derive(Debug, Default)]
pub struct Login {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    codes: Vec<blake3::Hash>,
    sessions: Vec<blake3::Hash>,
    wrong: VecDeque<Instant>,
}

/// Why a code opens nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It was used before, or never printed.
    Unknown,
    /// Too many wrong ones within a minute.
    TooMany,
}

impl Login {
    /// A new code, to be printed once.
    ///
    /// # Errors
    /// The system has no randomness to give.
    pub fn new_code(&self) -> Result<String, getrandom::Error> {
        let code = random_letters()?;
        self.state().codes.push(blake3::hash(code.as_bytes()));
        Ok(code)
    }

    /// Opens a session with a code, which is used up by that; returns its token.
    ///
    /// # Errors
    /// The code opens nothing.
    pub fn open(&self, code: &str) -> Result<String, Refused> {
        let mut state = self.state();
        let minute_ago = Instant::now().checked_sub(Duration::from_secs(60));
        while state.wrong.front().is_some_and(|at| minute_ago.is_some_and(|ago| *at < ago)) {
            state.wrong.pop_front();
        }
        if state.wrong.len() >= MAX_WRONG_CODES {
            return Err(Refused::TooMany);
        }
        // Hashes are compared in constant time.
        let hash = blake3::hash(code.as_bytes());
        let Some(place) = state.codes.iter().position(|known| *known == hash) else {
            state.wrong.push_back(Instant::now());
            return Err(Refused::Unknown);
        };
        let token = random_letters().map_err(|_| Refused::Unknown)?;
        state.codes.remove(place);
        state.sessions.push(blake3::hash(token.as_bytes()));
        Ok(token)
    }

    /// Whether a token belongs to an open session.
    #[must_use]
    pub fn knows(&self, token: &str) -> bool {
        let hash = blake3::hash(token.as_bytes());
        self.state().sessions.contains(&hash)
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        // Nothing under the lock can panic half way.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// 130 random bits as 26 letters.
pub fn random_letters() -> Result<String, getrandom::Error> {
    let mut bytes = [0; CODE_LETTERS];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_opens_one_session() {
        let login = Login::default();
        let code = login.new_code().unwrap();
        assert_eq!(code.len(), CODE_LETTERS);
        let token = login.open(&code).unwrap();
        assert!(login.knows(&token) && !login.knows(&code) && !login.knows(""));
        assert_eq!(login.open(&code), Err(Refused::Unknown), "a code works once");
        assert_ne!(login.new_code().unwrap(), login.new_code().unwrap());
    }

    #[test]
    fn guessing_is_refused_also_when_it_would_succeed() {
        let login = Login::default();
        let code = login.new_code().unwrap();
        for _ in 0..MAX_WRONG_CODES {
            assert_eq!(login.open("guess"), Err(Refused::Unknown));
        }
        assert_eq!(login.open(&code), Err(Refused::TooMany));
    }
}
