//! Recorded message logs over TCP, as the simulator would send them (W-SRV), and a client that records (W-CLI).
//!
//! One thread serves a client and one listens to it, so that a slow client blocks only itself. Nothing that a client
//! sends reaches a shell or a file.

mod client;
mod listener;
mod record;
mod schedule;
mod server;
mod statistics;

use std::net::SocketAddr;

pub use client::{ClientEnd, ClientReport};
pub use record::{Init, Reception, RecordOptions, Recorded, address_of, receive_lines, record};
pub use schedule::Schedule;
pub use server::{ReplayReport, ReplayServer};
pub use statistics::Jitter;

/// How fast a log is sent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Speed {
    /// So many times as fast as it was recorded.
    Times(f64),
    /// As fast as the client reads.
    Max,
}

/// Whose clock a client follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Clock {
    /// Each client gets the log from its beginning.
    #[default]
    Own,
    /// All clients share one, as in a live simulator: who comes late has missed something.
    Shared,
}

/// When a log is sent to a client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// When it has sent INIT.
    #[default]
    OnInit,
    /// At once.
    AtOnce,
}

/// How often a log is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Repeat {
    /// Once.
    #[default]
    Never,
    /// Until the client goes.
    ForEver,
}

/// When the server ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Until {
    /// So many clients were served.
    Clients(usize),
    /// At least one client was served and none has been there for so many seconds.
    Idle {
        /// Seconds.
        linger_s: f64,
    },
    /// Somebody stops it.
    Stopped,
}

/// How a log is replayed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReplayOptions {
    /// How fast. Default as recorded.
    pub speed: Speed,
    /// Seconds after the first time of the log from which on lines are sent. Default 0.
    pub from_s: f64,
    /// Seconds after the first time of the log up to which lines are sent. Default all.
    pub to_s: f64,
    /// Whose clock. Default each client's own.
    pub clock: Clock,
    /// When it begins. Default on INIT.
    pub start: Start,
    /// How often. Default once.
    pub repeat: Repeat,
    /// A client that takes nothing for so many seconds is dropped. Default never: the server waits.
    pub drop_after_s: Option<f64>,
    /// When the server ends. Default after 3 s without clients, so that those who come together are all served.
    pub until: Until,
}

impl Default for ReplayOptions {
    fn default() -> Self {
        Self {
            speed: Speed::Times(1.0),
            from_s: 0.0,
            to_s: f64::INFINITY,
            clock: Clock::Own,
            start: Start::OnInit,
            repeat: Repeat::Never,
            drop_after_s: None,
            until: Until::Idle { linger_s: 3.0 },
        }
    }
}

/// Why nothing was replayed or recorded.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// An option outside of its range.
    #[error("{name} = {found}: expected {expected}")]
    Option { name: &'static str, found: f64, expected: &'static str },
    /// A shared clock without a speed.
    #[error("a shared clock needs a speed, and found `max`")]
    SharedMax,
    /// No line lies between the two timestamps.
    #[error("no line of the log lies between {from_s} s and {to_s} s")]
    Empty { from_s: f64, to_s: f64 },
    /// What was given is no address.
    #[error("'{0}': expected tcp://HOST:PORT or HOST:PORT")]
    Address(String),
    /// The address cannot be listened on.
    #[error("{address}: {source}")]
    Bind {
        address: SocketAddr,
        /// What the system said.
        source: std::io::Error,
    },
    /// Nobody listens at the address.
    #[error("{address}: {source}")]
    Connect {
        address: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// A recording could not be read or stored.
    #[error("{0}")]
    Transfer(#[from] std::io::Error),
}

impl ReplayError {
    /// A name of the error that never changes.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Option { .. } => "REPLAY_OPTION_RANGE",
            Self::SharedMax => "REPLAY_SHARED_CLOCK",
            Self::Empty { .. } => "REPLAY_EMPTY",
            Self::Address(_) => "REPLAY_ADDRESS",
            Self::Bind { .. } => "REPLAY_BIND",
            Self::Connect { .. } => "REPLAY_CONNECT",
            Self::Transfer(_) => "REPLAY_TRANSFER",
        }
    }
}

impl ReplayOptions {
    /// Refuses what makes no sense.
    fn check(&self) -> Result<(), ReplayError> {
        let option = |name, found, is_right: bool, expected| {
            if is_right { Ok(()) } else { Err(ReplayError::Option { name, found, expected }) }
        };
        if let Speed::Times(speed) = self.speed {
            option("speed", speed, speed > 0.0 && speed.is_finite(), "a number above 0, or max")?;
        } else if self.clock == Clock::Shared {
            return Err(ReplayError::SharedMax);
        }
        option("from", self.from_s, self.from_s >= 0.0, "seconds from 0 on")?;
        option("to", self.to_s, self.to_s >= 0.0, "seconds from 0 on")?;
        let drop_after_s = self.drop_after_s.unwrap_or(1.0);
        let is_time = drop_after_s > 0.0 && drop_after_s < 1e9;
        option("drop after", drop_after_s, is_time, "seconds above 0")
    }
}
