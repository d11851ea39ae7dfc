//! Transform files: how a map lies on the truth, who or what found that, and how sure it is.

use align::closed_form::PointPair;
use align::{Alignment, Method};
use model::Similarity2;
use report::Input;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::keys::with_nearest;
use crate::{Aligning, JobError, Loaded, Map};

/// The name of the schema of transform files.
pub const ALIGNMENT_SCHEMA: &str = "mapjudge.alignment/1";

/// A transform file: `p_truth = scale * R(theta) * p_map + (x, y)`, how it was found and how sure it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AlignmentFile {
    /// Always `mapjudge.alignment/1`.
    pub schema: String,
    /// The maps it is about. A transform that a person chose holds for these alone.
    #[serde(default)]
    pub inputs: Vec<Input>,
    /// The parameters of the search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameters: Option<Aligning>,
    /// The transform with its certificate.
    pub alignment: Alignment,
    /// Who chose it, where a person did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Why, in that person's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The places that the person pointed out in both maps.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<PointPair>,
    /// What the automatic search found for the same maps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub automatic: Option<Alignment>,
}

/// A transform alone, as people write it by hand.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TransformAlone {
    x_m: f64,
    y_m: f64,
    theta_rad: Option<f64>,
    theta_deg: Option<f64>,
    #[serde(default = "one")]
    scale: f64,
}

const fn one() -> f64 {
    1.0
}

impl AlignmentFile {
    /// An alignment of which nothing else is known.
    #[must_use]
    pub fn new(alignment: Alignment) -> Self {
        Self {
            schema: ALIGNMENT_SCHEMA.to_owned(),
            inputs: Vec::new(),
            parameters: None,
            alignment,
            by: None,
            reason: None,
            pairs: Vec::new(),
            automatic: None,
        }
    }

    /// A transform that a person chose.
    #[must_use]
    pub fn by_hand(truth_from_map: Similarity2) -> Self {
        Self::new(Alignment::given(Method::Manual, truth_from_map))
    }

    /// The file as text.
    ///
    /// # Errors
    /// None that a finite transform can cause; the error is that of the JSON writer.
    pub fn to_json(&self) -> Result<String, JobError> {
        let text = serde_json::to_string_pretty(self)
            .map_err(|error| JobError::Transform { path: String::new(), message: error.to_string() })?;
        Ok(text + "\n")
    }

    /// Reads the bytes of a transform file, or of a transform alone: `{"x_m": 1, "y_m": 2, "theta_deg": 30}`.
    ///
    /// # Errors
    /// What was expected and found.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        let told = |error: serde_json::Error| with_nearest(&error.to_string());
        let value: serde_json::Value = serde_json::from_slice(bytes).map_err(told)?;
        let is_alone = value.get("schema").is_none() && value.get("alignment").is_none();
        let file = if is_alone {
            let inner = value.get("truth_from_map").cloned().unwrap_or(value);
            Self::by_hand(transform_alone(&serde_json::from_value(inner).map_err(told)?)?)
        } else {
            // From the text once more: errors then name their line.
            serde_json::from_slice(bytes).map_err(told)?
        };
        file.checked()
    }

    /// Reads `X,Y,DEG` or `X,Y,DEG,SCALE`: metres, degrees counter-clockwise, factor.
    ///
    /// # Errors
    /// What was expected and found.
    pub fn parse_numbers(text: &str) -> Result<Self, String> {
        let expected = || format!("'{text}': expected X,Y,DEG or X,Y,DEG,SCALE in metres and degrees");
        let numbers: Result<Vec<f64>, _> = text.split(',').map(|number| number.trim().parse()).collect();
        let (x_m, y_m, deg, scale) = match numbers.map_err(|_| expected())?[..] {
            [x_m, y_m, deg] => (x_m, y_m, deg, 1.0),
            [x_m, y_m, deg, scale] => (x_m, y_m, deg, scale),
            _ => return Err(expected()),
        };
        Self::by_hand(Similarity2::new(x_m, y_m, deg.to_radians(), scale)).checked()
    }

    fn checked(self) -> Result<Self, String> {
        if self.schema != ALIGNMENT_SCHEMA {
            return Err(format!("schema '{}': expected '{ALIGNMENT_SCHEMA}'", self.schema));
        }
        if let Some(bad) = self.transforms().find(|transform| !transform.is_valid()) {
            return Err(format!("transform {bad:?}: expected finite numbers and a scale above 0"));
        }
        Ok(self)
    }

    /// Every transform that stands in the file.
    fn transforms(&self) -> impl Iterator<Item = Similarity2> {
        let alignments = [Some(&self.alignment), self.automatic.as_ref()].into_iter().flatten();
        alignments.flat_map(|alignment| {
            let rivals = alignment.hypotheses.iter().map(|hypothesis| hypothesis.truth_from_map);
            alignment.truth_from_map.into_iter().chain(rivals)
        })
    }

    /// Whether a person chose this transform while looking at other files than these; then which ones. A map without a
    /// file behind it may be any.
    #[must_use]
    pub fn other_files(&self, map: &Loaded<Map>, truth: &Loaded<Map>) -> Option<String> {
        if self.alignment.method != Method::Manual {
            return None;
        }
        let differs = |role: &str, loaded: &Loaded<Map>| {
            let present = loaded.inputs(role);
            let expected = self.inputs.iter().find(|input| input.role == role)?;
            let is_same = |role: &str| {
                let hash =
                    |inputs: &[Input]| inputs.iter().find(|i| i.role == role).map(|i| i.blake3.clone());
                hash(&self.inputs) == hash(&present)
            };
            let is_known = !present.is_empty();
            (is_known && !(is_same(role) && is_same(&format!("{role}_image"))))
                .then(|| format!("it was made for another {role} ({})", expected.path))
        };
        differs("map", map).or_else(|| differs("truth", truth))
    }
}

fn transform_alone(alone: &TransformAlone) -> Result<Similarity2, String> {
    let theta_rad = match (alone.theta_rad, alone.theta_deg) {
        (Some(_), Some(_)) => return Err("theta_rad and theta_deg: expected one of them".to_owned()),
        (Some(theta_rad), None) => theta_rad,
        (None, theta_deg) => theta_deg.unwrap_or(0.0).to_radians(),
    };
    Ok(Similarity2::new(alone.x_m, alone.y_m, theta_rad, alone.scale))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(transform: Similarity2) -> AlignmentFile {
        AlignmentFile::new(Alignment::given(Method::Points, transform))
    }

    #[test]
    fn a_file_comes_back_as_it_was_written() {
        let plain = file(Similarity2::new(1.5, -2.25, 0.1, 1.01));
        let by_hand = AlignmentFile {
            by: Some("Ada".to_owned()),
            reason: Some("the corner of the hall".to_owned()),
            automatic: Some(plain.alignment.clone()),
            ..AlignmentFile::by_hand(Similarity2::new(0.5, 0.25, -0.5, 1.0))
        };
        for file in [plain, by_hand] {
            assert_eq!(AlignmentFile::parse(file.to_json().unwrap().as_bytes()), Ok(file));
        }
    }

    #[test]
    fn a_transform_alone_is_a_file() {
        let expected = Similarity2::new(1.0, -2.0, 30f64.to_radians(), 1.0);
        for text in [
            r#"{"x_m": 1, "y_m": -2, "theta_deg": 30}"#,
            r#"{"truth_from_map": {"x_m": 1, "y_m": -2, "theta_rad": 0.5235987755982988, "scale": 1}}"#,
        ] {
            let found = AlignmentFile::parse(text.as_bytes()).unwrap().alignment;
            assert_eq!((found.method, found.truth_from_map), (Method::Manual, Some(expected)), "{text}");
        }
        let numbers = AlignmentFile::parse_numbers("1,-2,30").unwrap();
        assert_eq!(numbers.alignment.truth_from_map, Some(expected));
        let scaled = AlignmentFile::parse_numbers(" 1, -2 ,30, 1.02").unwrap().alignment.truth_from_map;
        assert_eq!(scaled.map(|t| t.scale), Some(1.02));
    }

    #[test]
    fn senseless_files_are_refused() {
        let text = file(Similarity2::IDENTITY).to_json().unwrap();
        for (from, to) in [("alignment/1", "alignment/9"), ("\"scale\": 1.0", "\"scale\": 0.0"), ("{", "[")] {
            assert!(AlignmentFile::parse(text.replacen(from, to, 1).as_bytes()).is_err(), "{from} -> {to}");
        }
        for text in [
            "",
            "{}",
            "[1, 2, 3]",
            r#"{"x_m": 1, "y_m": 2, "theta_rad": 0, "theta_deg": 0}"#,
            r#"{"x_m": 1, "y_m": 2, "scale": -1}"#,
            r#"{"x_m": 1, "y_m": 2, "yaw": 3}"#,
        ] {
            assert!(AlignmentFile::parse(text.as_bytes()).is_err(), "{text}");
        }
        for text in ["1,2", "1,2,x", "1,2,3,0", "nan,0,0", "1,2,3,4,5"] {
            assert!(AlignmentFile::parse_numbers(text).is_err(), "{text}");
        }
        let misspelt = text.replacen("truth_from_map", "truth_frm_map", 1);
        let error = AlignmentFile::parse(misspelt.as_bytes()).unwrap_err();
        assert!(error.contains("did you mean `truth_from_map`?"), "{error}");
    }
}
