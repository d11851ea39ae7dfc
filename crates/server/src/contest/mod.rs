//! A contest that is run by a server: uploads, a scoreboard, the judges' desk, and a record of who did what.
//!
//! No score is computed here: contest file, counted submissions and decisions make a contest folder, which the suite judges.

pub mod basis;
pub mod chain;
pub mod clock;
pub mod jobs;
pub mod objects;
pub mod planes;
pub mod counting;
pub mod decisions;
pub mod export;
pub mod file_names;
pub mod ranking;
pub mod store;
