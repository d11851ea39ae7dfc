//! What every method returns: the transform, and a certificate of how far to trust it.

use model::{Grid, Point2, Similarity2};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A method that finds `truth_from_map` from the two maps. The implementing type holds its parameters.
pub trait Aligner {
    /// The method's name in reports and on the command line.
    fn method(&self) -> Method;

    /// Looks for the transform. Maps in which nothing can be found give an alignment with the verdict `failed`.
    ///
    /// # Errors
    /// Parameters that make no sense, or maps too large to search.
    fn align(&self, truth: &Grid, map: &Grid) -> Result<Alignment, AlignError>;
}

/// How a transform was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Origins as read, (0, 0, 0) where absent.
    None,
    /// Both maps carry an origin.
    Georeference,
    /// Pairs of points that a person clicked.
    Points,
    /// Exhaustive search over rotation and translation on distance fields.
    Correlative,
    /// Matched rooms.
    Rooms,
    /// Matched corners.
    Features,
    /// Matched SURF key points.
    Surf,
    /// Matched fiducials.
    Fiducials,
    /// Spectra in log-polar coordinates.
    FourierMellin,
    /// Laid on the truth by a person.
    Manual,
    /// A map placed among other maps of the same place, without a ground truth.
    Consensus,
}

impl Method {
    /// The name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Georeference => "georeference",
            Self::Points => "points",
            Self::Correlative => "correlative",
            Self::Rooms => "rooms",
            Self::Features => "features",
            Self::Surf => "surf",
            Self::Fiducials => "fiducials",
            Self::FourierMellin => "fourier-mellin",
            Self::Manual => "manual",
            Self::Consensus => "consensus",
        }
    }
}

/// Why no method could even begin.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AlignError {
    /// A parameter makes no sense.
    #[error("{name} = {value}: expected {expected}")]
    Parameter { name: &'static str, value: String, expected: &'static str },
    /// The maps are too large for exact distances.
    #[error(
        "a map of {width} x {height} cells is too large to align: expected a diagonal of at most 46340 cells"
    )]
    TooLarge { width: usize, height: usize },
}

impl AlignError {
    /// A parameter outside its range.
    pub fn parameter(name: &'static str, value: f64, expected: &'static str) -> Self {
        Self::Parameter { name, value: value.to_string(), expected }
    }

    /// A name for programs; it never changes.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Parameter { .. } => "ALIGN_PARAMETER",
            Self::TooLarge { .. } => "ALIGN_TOO_LARGE",
        }
    }
}

/// How far an alignment can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// No other transform fits nearly as well.
    Certain,
    /// Another transform fits about as well; both are among the hypotheses.
    Ambiguous,
    /// Nothing was found.
    Failed,
    /// The mirror image fits better: the map is mirrored.
    Mirrored,
}

/// Whether the map or its mirror image is the one that fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mirror {
    /// The map as it is.
    Plain,
    /// Its mirror image.
    Mirrored,
    /// Both fit about equally well, or the mirror image was not tried; symmetric places exist.
    MirrorUndecided,
}

/// A transform that was considered, and how well it fits.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Hypothesis {
    /// The transform.
    pub truth_from_map: Similarity2,
    /// How well it fits, 0 to 1.
    pub score: f64,
    /// True if the map was mirrored first (x to the left of its frame).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub mirrored: bool,
}

/// Along this direction the map may slide without the fit getting clearly worse: a corridor.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Slide {
    /// Direction in the frame of the truth, counter-clockwise from x, in radians, -pi/2 to pi/2.
    pub direction_rad: f64,
    /// How far the map may move along it.
    pub forward_m: f64,
    /// How far it may move against it.
    pub backward_m: f64,
}

/// What supports an alignment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// The conclusion.
    pub verdict: Verdict,
    /// How well the winner fits, 0 to 1; null where the method has no such score.
    pub score: Option<f64>,
    /// The same of the best transform that differs from the winner; null if there is none.
    pub second_score: Option<f64>,
    /// `(score - second) / (1 - second)`: what the winner gains of what was to be gained, 0 to 1.
    pub value: Option<f64>,
    /// Whether the map is mirrored.
    pub mirror: Mirror,
    /// How well the mirror image fits; null if it was not tried.
    pub mirror_score: Option<f64>,
    /// Share of the truth's known cells that the map knows under the winner, 0 to 1.
    pub overlap: Option<f64>,
    /// True if the truth was taken as a part of the place: walls of the map that lie where it knows nothing count neither
    /// for nor against a transform.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub truth_is_part: bool,
    /// True if the map is broken: another of its parts fits under a transform turned by 3 to 15 degrees about a place within
    /// the map, and this is the transform of the larger one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_largest_part: bool,
    /// What remains open along the direction in which the map slides most easily.
    pub slide: Option<Slide>,
    /// Covariance of x in metres, y in metres and theta in radians, about the middle of the map's walls.
    pub covariance: Option<[[f64; 3]; 3]>,
    /// Root mean square distance of the points the fit rests on, in metres.
    pub residual_m: Option<f64>,
}

impl Certificate {
    /// A certificate of a fit that has no rivals to be compared with.
    pub const fn plain(verdict: Verdict) -> Self {
        Self {
            verdict,
            score: None,
            second_score: None,
            value: None,
            mirror: Mirror::MirrorUndecided,
            mirror_score: None,
            overlap: None,
            truth_is_part: false,
            is_largest_part: false,
            slide: None,
            covariance: None,
            residual_m: None,
        }
    }

    /// What the winner gains over a rival of what there was to be gained: 0.6 against 0.4 is a third.
    pub fn gain(score: f64, rival: f64) -> f64 {
        if rival >= 1.0 { 0.0 } else { (score - rival) / (1.0 - rival) }
    }
}

/// How the map lies on the truth, and how sure that is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Alignment {
    /// How it was found.
    pub method: Method,
    /// `p_truth = scale * R(theta) * p_map + (x, y)`; null if the search failed.
    pub truth_from_map: Option<Similarity2>,
    /// How sure it is.
    pub certificate: Certificate,
    /// The best transforms, the winner first; those of the mirror image last.
    pub hypotheses: Vec<Hypothesis>,
}

impl Alignment {
    /// A search that found nothing.
    pub const fn failed(method: Method) -> Self {
        let certificate = Certificate::plain(Verdict::Failed);
        Self { method, truth_from_map: None, certificate, hypotheses: Vec::new() }
    }

    /// A transform that needs no search: given by the user or by both files.
    pub const fn given(method: Method, truth_from_map: Similarity2) -> Self {
        let certificate = Certificate { mirror: Mirror::Plain, ..Certificate::plain(Verdict::Certain) };
        Self { method, truth_from_map: Some(truth_from_map), certificate, hypotheses: Vec::new() }
    }
}

/// Largest distance between where two transforms send the corners of a map, in metres of the truth.
pub fn worst_corner_m(map: &Grid, one: Similarity2, other: Similarity2) -> f64 {
    let geometry = map.geometry();
    let (w, h) = (geometry.width() as f64, geometry.height() as f64);
    let distance = |(right, up)| {
        let corner: Point2 = geometry.world_of_grid_point(right, up);
        (one * corner).distance_m(other * corner)
    };
    [(0.0, 0.0), (w, 0.0), (0.0, h), (w, h)].into_iter().map(distance).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spec_07_e10_certificates() {
        assert!((Certificate::gain(0.6, 0.4) - 1.0 / 3.0).abs() < 1e-12);
        assert!((Certificate::gain(0.94, 0.88) - 0.5).abs() < 1e-12);
        assert_eq!(Certificate::gain(1.0, 1.0), 0.0, "two perfect fits are no certainty");
    }

    #[test]
    fn the_worst_corner_is_the_one_that_moves_most() {
        let map = testkit::grid(["..", ".."]);
        let turned = Similarity2::new(0.0, 0.0, std::f64::consts::PI, 1.0);
        let expected = 32.0_f64.sqrt(); // (2, 2) goes to (-2, -2)
        assert!((worst_corner_m(&map, Similarity2::IDENTITY, turned) - expected).abs() < 1e-12);
    }
}
