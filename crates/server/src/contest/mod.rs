//! A contest that is run by a server: uploads, a scoreboard, the judges' desk, and a record of who did what.
//!
//! No score is computed here: contest file, counted submissions and decisions make a contest folder, which the suite judges.

pub mod accept;
pub mod accounts;
pub mod app;
pub mod attention;
pub mod backup;
pub mod basis;
mod blind;
pub mod chain;
pub mod check;
pub mod clock;
pub mod counting;
pub mod decisions;
mod desks;
mod difference;
pub mod export;
pub mod file_names;
mod guard;
mod history;
pub mod jobs;
pub mod objects;
pub mod openapi;
pub mod operation;
pub mod planes;
pub mod program;
pub mod publications;
mod published_maps;
pub mod ranking;
mod rates;
pub mod reach;
pub mod receive;
mod records;
pub mod replay;
pub mod roles;
pub mod routes;
pub mod rules;
pub mod state_folder;
pub mod store;
pub mod stream;
pub mod submissions;

pub use app::{ContestApp, Preview};
