//! The tests of the program from outside, as one program: each program links the whole tool again.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that cannot go on has failed; measured times are printed"
)]

mod action;
mod against_itself;
mod annotations;
mod arena;
mod batch;
mod by_hand;
mod checklist;
mod conform;
mod consensus;
mod contest;
mod contest_rules;
mod contest_stick;
mod documentation;
mod errors;
mod explore;
mod features;
mod fiducials;
mod files;
mod golden;
mod history;
mod journeys;
mod kills;
mod kills_of_commands;
mod kills_of_reviews;
mod lab;
mod layers;
mod limits;
mod mapping;
mod mistakes;
mod overwriting;
mod paths;
mod plan;
mod points;
mod readers;
mod relations;
mod relocalize;
mod replay;
mod research;
mod resolution;
mod rooms;
mod rows;
mod rows_hostile;
mod rows_isolated;
mod rows_merged;
mod run_nonsense;
mod run_truths;
mod score;
mod separation;
#[cfg(feature = "serve")]
mod serve;
#[cfg(feature = "serve")]
mod serve_examples;
#[cfg(feature = "serve")]
mod serve_jobs;
#[cfg(feature = "serve")]
mod serve_slow;
mod shell;
mod simulate;
mod sonar;
mod student;
mod traj;
mod traj_real;
mod truth;
