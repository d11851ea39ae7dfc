//! One command per file, and the groups in which `mapjudge --help` lists them.

pub mod align;
pub mod arena;
pub mod challenge;
pub mod compare;
pub mod completions;
pub mod conform;
pub mod consensus;
pub mod contest;
pub mod contest_worker;
pub mod convert;
pub mod damage;
pub mod demo;
pub mod explore;
pub mod features;
pub mod fiducials;
pub mod graph;
pub mod help;
pub mod history;
pub mod info;
#[cfg(feature = "serve")]
pub mod judge_child;
pub mod lab;
pub mod layers;
pub mod lint;
pub mod map;
pub mod merge;
pub mod metrics;
pub mod optimize;
pub mod paths;
pub mod plan;
pub mod points;
pub mod portals;
pub mod record;
pub mod relations;
pub mod relocalize;
pub mod replay;
pub mod rooms;
pub mod schema;
pub mod score;
pub mod score_rows;
#[cfg(feature = "serve")]
pub mod serve;
pub mod simulate;
pub mod sonar;
pub mod traj;
pub mod truth;
#[cfg(feature = "serve")]
pub mod view;
#[cfg(feature = "serve")]
pub mod worker;
pub mod worker_loop;

/// Every command in the group in which a user would look for it.
pub const GROUPS: &[(&str, &[&str])] = &[
    ("Start here", &["demo", "info", "lint", "view", "help"]),
    (
        "Judge maps",
        &[
            "score",
            "merge",
            "compare",
            "consensus",
            "align",
            "paths",
            "rooms",
            "features",
            "graph",
            "portals",
            "relocalize",
        ],
    ),
    ("Judge metrics", &["lab", "damage"]),
    ("Judge trajectories", &["traj", "relations", "truth", "challenge"]),
    ("Contests", &["contest", "serve", "worker", "points", "fiducials"]),
    (
        "Make maps and runs",
        &["map", "optimize", "arena", "simulate", "sonar", "explore", "plan", "record", "replay"],
    ),
    ("Files and programs", &["convert", "layers", "history", "metrics", "conform", "schema", "completions"]),
];
