//! Brings a map into the coordinate frame and onto the grid of its ground truth.
//!
//! One method per file; each finds `truth_from_map`, and gives a [`Certificate`] of how sure that is. A metric
//! never aligns silently: it is handed [`AlignedGrids`], made by [`common_grid`] from what a method found.

mod alignment;
pub mod assignment;
mod candidate;
mod certificate;
pub mod closed_form;
mod common_grid;
pub mod correlative;
pub mod features;
mod fourier_mellin;
mod frame_probe;
mod georeference;
pub mod icp;
pub mod joint;
pub mod labelled_points;
mod levels;
mod look_alike;
mod methods;
mod nearest;
mod other_part;
pub mod piecewise;
mod points;
mod pooled;
pub mod pose_graph;
pub mod rooms;
mod spectrum;
mod spread;
pub mod trajectory;
mod wall_fit;
mod wall_score;
pub mod warp;

pub use alignment::{
    AlignError, Aligner, Alignment, Certificate, Hypothesis, Method, Mirror, Slide, Verdict, worst_corner_m,
};
pub use certificate::CERTAIN;
pub use common_grid::{AlignedGrids, CommonGridError, Window, common_grid};
pub use correlative::{Correlative, MirrorTest};
pub use features::{Detector, Features};
pub use fourier_mellin::FourierMellin;
pub use frame_probe::{
    BetterFrame, FrameProbe, GOOD_FIT, MapTexture, Misfit, ProbedTruth, class_agreement, probe_frame,
    sampled_fit,
};
pub use georeference::{Anchoring, truth_from_map};
pub use icp::Icp;
pub use levels::Allowance;
pub use methods::{MethodEntry, Needs, find_method, methods};
pub use nearest::NearestPoints;
pub use points::align_points;
pub use raster::resample::Resample;
pub use wall_fit::{Climbed, WallFit};
