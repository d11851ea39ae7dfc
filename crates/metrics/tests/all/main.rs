//! The laws that every metric keeps, and what their evidence holds, as one program.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

mod corner_fiducials;
mod evidence;
mod lab_cards;
mod laws;
