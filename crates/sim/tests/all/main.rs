//! The tests of the simulator from outside, as one program: each program links the whole tool again.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

mod corpus_replay;
mod live_server;
mod ramps;
mod replay;
