//! The tests of the program from outside, as one program: each program links the whole tool again.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

mod annotations;
mod arena;
mod consensus;
mod contest;
mod documentation;
mod errors;
mod explore;
mod fiducials;
mod files;
mod golden;
mod mapping;
mod paths;
mod points;
mod relations;
mod replay;
mod rooms;
mod score;
mod simulate;
mod traj;
mod truth;
