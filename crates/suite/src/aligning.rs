//! How a job says by which method maps come into the frame of the truth.

use std::fmt;
use std::str::FromStr;

use align::closed_form::Motion;
use align::rooms::RoomAligner;
use align::{Aligner, Allowance, Correlative, Detector, Features, FourierMellin, Method};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a map comes into the coordinate frame of the truth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String", extend("enum" = AlignBy::words()))]
pub enum AlignBy {
    /// Both files carry an origin, taken as one frame; if one has none, as `auto`.
    #[default]
    Georeference,
    /// Origins as read, (0, 0, 0) where absent.
    None,
    /// The best method for maps in unrelated frames, which is the correlative search.
    Auto,
    /// One method by its name.
    Search(SearchMethod),
    /// The barrels of the layout.
    Fiducials,
}

/// Methods that find the transform from the two maps alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchMethod {
    /// Exhaustive search over rotation and translation.
    Correlative,
    /// Matched rooms.
    Rooms,
    /// Matched corners.
    Features,
    /// Matched SURF key points.
    Surf,
    /// Spectra in log-polar coordinates.
    FourierMellin,
}

impl SearchMethod {
    /// All of them.
    pub const ALL: &[Self] =
        &[Self::Correlative, Self::Rooms, Self::Features, Self::Surf, Self::FourierMellin];

    /// The name on the command line and in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Correlative => Method::Correlative.name(),
            Self::Rooms => Method::Rooms.name(),
            Self::Features => Method::Features.name(),
            Self::Surf => Method::Surf.name(),
            Self::FourierMellin => Method::FourierMellin.name(),
        }
    }

    /// The method with the parameters of a job.
    #[must_use]
    pub fn aligner(self, aligning: &Aligning) -> Box<dyn Aligner> {
        let allowance = aligning.allowance();
        match self {
            Self::Correlative => Box::new(Correlative { allowance, ..Correlative::default() }),
            Self::Rooms => Box::new(RoomAligner::default()),
            Self::Features => Box::new(Features { allowance, detector: Detector::Corner }),
            Self::Surf => Box::new(Features { allowance, detector: Detector::Surf }),
            Self::FourierMellin => Box::new(FourierMellin { allowance }),
        }
    }
}

impl FromStr for AlignBy {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        Ok(match word {
            "georeference" => Self::Georeference,
            "none" => Self::None,
            "auto" => Self::Auto,
            "fiducials" => Self::Fiducials,
            _ => {
                let method = SearchMethod::ALL.iter().find(|method| method.name() == word);
                let unknown = || format!("'{word}': expected one of {}", Self::words().join(", "));
                Self::Search(*method.ok_or_else(unknown)?)
            }
        })
    }
}

impl TryFrom<String> for AlignBy {
    type Error = String;

    fn try_from(word: String) -> Result<Self, String> {
        word.parse()
    }
}

impl From<AlignBy> for String {
    fn from(by: AlignBy) -> Self {
        by.to_string()
    }
}

impl fmt::Display for AlignBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Georeference => f.write_str("georeference"),
            Self::None => f.write_str("none"),
            Self::Auto => f.write_str("auto"),
            Self::Search(method) => f.write_str(method.name()),
            Self::Fiducials => f.write_str(Method::Fiducials.name()),
        }
    }
}

impl AlignBy {
    /// The words it understands.
    #[must_use]
    pub fn words() -> Vec<&'static str> {
        ["georeference", "none", "auto", "fiducials"]
            .into_iter()
            .chain(SearchMethod::ALL.iter().map(|m| m.name()))
            .collect()
    }
}

/// Parameters of the methods that search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Aligning {
    /// Least scale of the map. Default 1: both maps are in metres.
    pub scale_min: f64,
    /// Largest scale.
    pub scale_max: f64,
    /// Distance in metres at which a wall counts as missed; 0.3, or 1.5 % of the truth's diagonal if a scale is
    /// searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tol_m: Option<f64>,
    /// Compute scores under an alignment that is not certain; every value then carries a warning.
    pub accept_ambiguous: bool,
}

impl Default for Aligning {
    fn default() -> Self {
        let Allowance { tol_m, scale_min, scale_max } = Allowance::default();
        Self { scale_min, scale_max, tol_m, accept_ambiguous: false }
    }
}

impl Aligning {
    /// What a transform of clicked points may do: scale only if a range of scales is allowed.
    #[must_use]
    pub fn motion(&self) -> Motion {
        if self.scale_min < self.scale_max { Motion::Similarity } else { Motion::Rigid }
    }

    /// Tolerance and scales as the methods take them.
    #[must_use]
    pub const fn allowance(&self) -> Allowance {
        Allowance { tol_m: self.tol_m, scale_min: self.scale_min, scale_max: self.scale_max }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_back_as_they_were_said() {
        for word in AlignBy::words() {
            assert_eq!(word.parse::<AlignBy>().map(String::from), Ok(word.to_owned()));
        }
        assert!("a/b.json".parse::<AlignBy>().is_err());
    }
}
