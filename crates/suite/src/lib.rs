//! Judges maps made by mobile robots: read, align, measure, report.
//!
//! [`evaluate`] is that line, and nothing else is: a [`Job`] goes in, an [`Evaluation`] with its
//! [`Report`](report::Report) comes out. The command line, and any other shell, only parses, calls and prints.
//!
//! ```no_run
//! let job = mapjudge::Job {
//!     truth: Some("truth.yaml".into()),
//!     maps: vec!["map.yaml".into()],
//!     ..Default::default()
//! };
//! let evaluation = mapjudge::evaluate(&job, mapjudge::Pictures::None, &|_| {})?;
//! println!("{}", report::render(&evaluation.report, report::Format::Table, &[])?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(missing_docs)]

mod aligning;
mod alignment;
mod annotations;
mod arena;
mod challenge;
mod compare;
mod consensus;
pub mod contest;
mod convert;
mod demo;
mod describe;
mod effort;
mod error;
mod evaluate;
mod exploration;
mod fiducials;
mod frame;
mod graph;
pub mod ground_truth;
mod illustrate;
mod inputs;
mod job;
mod judge;
pub mod lint;
pub mod mapping;
mod optimize;
mod parts_figure;
mod points;
mod points_table;
mod portals;
pub mod relations;
mod rooms;
mod route_figure;
mod selection;
mod simulate;
mod trajectory;

pub use aligning::{AlignBy, Aligning, SearchMethod};
pub use alignment::{ALIGNMENT_SCHEMA, AlignJob, AlignMethod, Aligned, AlignmentFile, align_maps};
pub use arena::{ArenaFiles, read_arena, read_plan, write_arena};
pub use challenge::{Challenge, Challenged, challenge, error_table};
pub use compare::{ComparedMaps, compare_maps};
pub use consensus::{Consensus, ConsensusJob, consensus};
pub use convert::{Converted, Loss, convert, convert_document};
pub use demo::{DEFAULT_SEED, Demo, MappingDemo, demo, mapping_demo};
pub use describe::{
    CellCounts, Counts, FileInfo, INFO_SCHEMA, Info, LayerInfo, TimeRange, TopicInfo, describe,
    describe_document,
};
pub use effort::{EFFORT_SCHEMA, Effort, effort};
pub use error::JobError;
pub use evaluate::{Evaluation, evaluate};
pub use exploration::{
    Comparison, EXPLORATION_SCHEMA, ExplorationReport, ExploreJob, Explored, MapScore, PlanTimes, RunReport,
    explore_place,
};
pub use fiducials::{
    BarrelRecord, DETECTIONS_SCHEMA, DetectionList, MIN_BARREL_QUALITY, Radius, detect_barrels, draft_layout,
    judge_fiducials, part_table,
};
pub use graph::{GraphEdge, GraphNode, GraphOfMap, MapGraph, graph};
pub use illustrate::Pictures;
pub use job::{Job, Reading};
pub use judge::Verdict;
pub use optimize::{OPTIMIZE_SCHEMA, Optimized, optimize};
pub use points::{POINTS_SCHEMA, PointsJob, PointsResult, ScoredPoints, score_points};
pub use points_table::points_table;
pub use portals::{FoundPortal, PortalReport, PortalsOf, find_portals};
pub use rooms::{ROOMS_SCHEMA, RoomAnalysis, RoomList, RoomQuality, RoomRecord, find_rooms};
pub use selection::{Chosen, choose};
pub use simulate::{Driving, Simulation, SimulationProgress, SimulationReport, simulate};
pub use trajectory::{AssociateName, FillName, TrajectoryJob, evaluate_trajectories};
