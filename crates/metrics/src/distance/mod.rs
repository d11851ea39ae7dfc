//! Distances between the walls of two maps.

pub mod chamfer_distance;
pub mod colour_terms;
pub mod hausdorff_distance;
pub mod hausdorff_distance_95;
pub mod image_similarity;
pub mod median_wall_distance;
pub mod picture_distance;
pub mod surface_f1_area;
pub mod surfaces;
pub mod tolerance_curve;
pub mod tolerance_f1_area;
pub mod wall_distances;
pub mod wall_thickness_ratio;

use crate::metric::{Entry, entry};

/// The metrics of this family, alphabetical.
pub const METRICS: &[Entry] = &[
    entry::<chamfer_distance::ChamferDistance>(),
    entry::<hausdorff_distance::HausdorffDistance>(),
    entry::<hausdorff_distance_95::HausdorffDistance95>(),
    entry::<image_similarity::ImageSimilarity>(),
    entry::<median_wall_distance::MedianWallDistance>(),
    entry::<picture_distance::PictureDistance>(),
    entry::<surface_f1_area::SurfaceF1Area>(),
    entry::<tolerance_f1_area::ToleranceF1Area>(),
    entry::<wall_thickness_ratio::WallThicknessRatio>(),
];
