//! Judges maps and trajectories made by mobile robots: align, measure, explain.
//!
//! [`judge`] is that line, and nothing else is: a [`Subject`], a [`Truth`] and a [`Plan`] go in, a
//! [`CaseReport`](report::CaseReport) comes out. All three are values; [`files`] reads them from disk and writes results
//! to folders. The command line, and any other shell, only parses, calls and prints.
//!
//! ```
//! use mapjudge::{Loaded, Map, Plan, Subject, Truth, judge};
//! use mapjudge::model::{CellClass, Grid, GridGeometry, Pose2};
//!
//! let geometry = GridGeometry::new(3, 1, 0.05, Pose2::IDENTITY)?;
//! let wall = [CellClass::Occupied, CellClass::Free, CellClass::Free];
//! let map = || Loaded::in_memory(Map::new(Grid::new(geometry, wall.to_vec()).unwrap()));
//! let truth = Truth { map: Some(map()), ..Truth::default() };
//! let report = judge(&Subject::of_map("mine", map()), &truth, &Plan::default())?;
//! assert_eq!(report.metric("overall_error").and_then(|record| record.value), Some(0.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(missing_docs)]

mod align_maps;
mod aligning;
mod alignment_file;
mod arena;
mod challenge;
pub mod conform;
mod consensus;
pub mod contest;
mod damaged_map;
mod demo;
mod drawn_map;
mod effort;
mod error;
mod exploration;
mod feature_comparison;
mod fiducials;
pub mod files;
pub mod floors;
mod graph;
pub mod ground_truth;
mod held;
mod illustrate;
mod judge;
mod keys;
pub mod lab;
mod layer_figure;
mod loaded;
pub mod mapping;
mod optimize;
pub mod overlay;
mod parts_figure;
mod plan;
mod playback;
mod points;
mod points_table;
mod portals;
mod pose_selection;
mod poses;
mod processor_time;
mod reading;
mod relation_table;
mod relocalize;
mod rooms;
mod route_figure;
mod route_plan;
pub mod rows;
mod simulate;
mod snapshots;
mod sonar;
mod stop;
mod subject;
mod timestamp;
mod trajectory;
mod viewed;

pub use align_maps::{AlignMethod, Aligned, align_maps};
pub use aligning::{AlignBy, Aligning, SearchMethod};
pub use alignment_file::{ALIGNMENT_SCHEMA, AlignmentFile};
pub use arena::{ArenaFiles, PLAN_NAME, read_arena, read_plan, write_arena};
pub use challenge::{Challenge, Challenged, ONLY_TEAM, ProgramRun, Team, challenge};
pub use consensus::{Consensus, consensus};
pub use damaged_map::{DAMAGE_SCHEMA, DamageRecord, DamagedMap, LinkRecord};
pub use demo::{DEFAULT_SEED, Demo, MappingDemo, demo, mapping_demo};
pub use effort::{EFFORT_SCHEMA, Effort, PosesOf, effort};
pub use error::JobError;
pub use exploration::{
    Comparison, EXPLORATION_SCHEMA, ExplorationReport, ExploreJob, ExplorePlan, Explored, MapScore,
    PlanTimes, RunReport, explore_map, explore_place,
};
pub use feature_comparison::{FEATURES_SCHEMA, FeatureComparison, FeaturePlan, FeatureRow, compare_features};
pub use fiducials::{
    BarrelRecord, DETECTIONS_SCHEMA, DetectionList, MIN_BARREL_QUALITY, Radius, detect_barrels,
    draft_corners, draft_layout, draft_poles, part_table,
};
pub use formats::ReadOptions;
pub use graph::{GraphEdge, GraphNode, GraphOfMap, MapGraph, graph};
pub use held::{Rules, Verdict, hold};
pub use judge::{Chosen, choose, judge, judge_with};
pub use keys::KeyHelp;
pub use loaded::{Loaded, Provenance, SourceRecord};
pub use optimize::{OPTIMIZE_SCHEMA, Optimized, optimize};
pub use plan::{Figures, Matching, Plan, RankBy, Ranking, Resampling};
pub use playback::{frames_of_log, log_page};
pub use points::{POINTS_SCHEMA, PointsResult, points_plan};
pub use points_table::points_table;
pub use portals::{FoundPortal, PortalReport, PortalsOf, find_portals, path_points};
pub use pose_selection::PoseSelection;
pub use processor_time::processor_time_s;
pub use reading::{ArrayReading, Reading};
pub use relation_table::{error_table, relation_table};
pub use relocalize::{LostPlan, LostStart, RELOCALIZE_SCHEMA, Relocalized, relocalize};
pub use rooms::{ROOMS_SCHEMA, RoomAnalysis, RoomList, RoomQuality, RoomRecord, find_rooms};
pub use route_plan::{
    FrontierRecord, PLAN_SCHEMA, PathRecord, RouteEnding, RouteGoal, RoutePlan, RouteReport, RouteRequest,
    plan_route,
};
pub use simulate::{
    Driving, LOCALIZATION_FILES, LocalizationReport, Localize, SIMULATION_FILES, Simulated, Simulation,
    SimulationEnding, SimulationProgress, SimulationReport, TiltFigures, UprightReport, read_waypoints,
    simulate, write_simulated_run,
};
pub use snapshots::Snapshots;
pub use sonar::{
    SONAR_METRICS, SONAR_SCHEMA, SonarPlace, SonarPlan, SonarRank, SonarReport, SonarScore, compare_sonar,
};
pub use stop::Stop;
pub use subject::{Map, Subject, Truth};
pub use timestamp::Timestamp;
pub use viewed::{Viewed, ViewedScore};

// Every public type of the layers below can be named from here.
pub use {align, explore, formats, mapper, metrics, model, raster, report, sim, truth};

/// A report of these cases that no rule was held against yet.
#[must_use]
pub fn new_report(cases: Vec<report::CaseReport>) -> report::Report {
    report::Report {
        schema: report::SCHEMA.to_owned(),
        tool: report::Tool { name: "mapjudge".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() },
        cases,
        limits: Vec::new(),
        baseline: None,
        comparison: None,
    }
}
