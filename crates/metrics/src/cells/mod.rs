//! Comparison cell by cell. All three-value metrics follow from one contingency table.

pub mod baron_correlation;
pub mod binary_counts;
pub mod blocks;
pub mod known_coverage;
pub mod map_score_balaguer;
pub mod map_score_collins;
pub mod normalized_map_score_balaguer;
pub mod normalized_map_score_collins;
pub mod normalized_mutual_information;
pub mod number_pairs;
pub mod occupied_f1;
pub mod occupied_iou;
pub mod occupied_map_score_balaguer;
pub mod occupied_map_score_collins;
pub mod occupied_precision;
pub mod occupied_recall;
pub mod overall_error;
pub mod pearson_correlation;
pub mod structural_similarity;

use crate::metric::{Entry, entry};

/// The metrics of this family, alphabetical.
pub const METRICS: &[Entry] = &[
    entry::<baron_correlation::BaronCorrelation>(),
    entry::<known_coverage::KnownCoverage>(),
    entry::<map_score_balaguer::MapScoreBalaguer>(),
    entry::<map_score_collins::MapScoreCollins>(),
    entry::<normalized_map_score_balaguer::NormalizedMapScoreBalaguer>(),
    entry::<normalized_map_score_collins::NormalizedMapScoreCollins>(),
    entry::<normalized_mutual_information::NormalizedMutualInformation>(),
    entry::<occupied_f1::OccupiedF1>(),
    entry::<occupied_iou::OccupiedIou>(),
    entry::<occupied_map_score_balaguer::OccupiedMapScoreBalaguer>(),
    entry::<occupied_map_score_collins::OccupiedMapScoreCollins>(),
    entry::<occupied_precision::OccupiedPrecision>(),
    entry::<occupied_recall::OccupiedRecall>(),
    entry::<overall_error::OverallError>(),
    entry::<pearson_correlation::PearsonCorrelation>(),
    entry::<structural_similarity::StructuralSimilarity>(),
];
