//! The routes, asked as a browser asks them, without a connection.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

mod attacks;
mod overlay;
mod reviews;
mod view;
mod visitor;
