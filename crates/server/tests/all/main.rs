//! The routes, asked as a browser asks them, without a connection.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that cannot go on has failed; measured times are printed"
)]

mod attacks;
mod contest_attacks;
mod contest_attacks_everywhere;
mod contest_compare;
mod contest_interface;
mod contest_journeys;
mod contest_place;
mod contest_reviews;
mod contest_settings;
mod contest_size;
mod contest_stores;
mod forms;
mod overlay;
mod page_types;
mod reviews;
mod view;
mod visitor;
