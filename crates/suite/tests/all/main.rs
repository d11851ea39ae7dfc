//! The tests of the library from outside, as one program: each program links the whole tool again.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

mod balaguer_tables;
mod barrel_arena;
mod conformance;
mod contest_profiles;
mod corpus;
mod examples;
mod explore_mazes;
mod frame;
mod ground_truth;
mod judged;
mod known_damage;
mod lab;
mod memory;
mod mutated_contests;
mod pose_graphs;
mod room_transforms;
mod slam_comparison;
