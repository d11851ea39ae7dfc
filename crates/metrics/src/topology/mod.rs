//! Junctions and connections: does the map have the places of the truth, joined in the same manner?

pub mod direction_test;
pub mod environment;
mod headings;
pub mod place_graph;
pub mod portal_coverage;
pub mod portals;
pub mod skeleton_quality;
pub mod topology_match;

use crate::metric::{Entry, entry};

/// The metrics of this family, alphabetical.
pub const METRICS: &[Entry] = &[
    entry::<direction_test::DirectionTest>(),
    entry::<portal_coverage::PortalCoverage>(),
    entry::<skeleton_quality::SkeletonQuality>(),
    entry::<topology_match::TopologyMatch>(),
];
