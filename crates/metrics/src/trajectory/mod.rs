//! Trajectories against a true trajectory, or against true displacements (relations).

pub mod absolute_errors;
pub mod ate_full;
pub mod ate_rotation;
pub mod ate_translation;
pub mod delta;
pub mod error_clusters;
pub mod kitti_drift_rotation;
pub mod kitti_drift_translation;
pub mod kitti_segments;
mod pose_blocks;
pub mod pose_pairs;
pub mod relation_errors;
pub mod relation_groups;
pub mod relative_displacement;
pub mod relative_errors;
pub mod rpe_rotation;
pub mod rpe_translation;
pub mod run;
pub mod scale_error;
pub mod statistics;
pub mod trajectory_coverage;

pub use run::{LeftOut, Run, RunInputs, Runs};

use crate::metric::{Entry, entry};

/// The metrics of this family, alphabetical.
pub const METRICS: &[Entry] = &[
    entry::<ate_full::AteFull>(),
    entry::<ate_rotation::AteRotation>(),
    entry::<ate_translation::AteTranslation>(),
    entry::<kitti_drift_rotation::KittiDriftRotation>(),
    entry::<kitti_drift_translation::KittiDriftTranslation>(),
    entry::<relative_displacement::RelativeDisplacement>(),
    entry::<rpe_rotation::RpeRotation>(),
    entry::<rpe_translation::RpeTranslation>(),
    entry::<scale_error::ScaleError>(),
    entry::<trajectory_coverage::TrajectoryCoverage>(),
];
