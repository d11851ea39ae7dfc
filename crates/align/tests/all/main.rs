//! The tests of align from outside, as one program: each program links the whole tool again.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

mod frame_probe;
mod methods;
mod verdicts;
