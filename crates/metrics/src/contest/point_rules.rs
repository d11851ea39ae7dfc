//! The rules by which labelled points are scored, and the published ones.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Rules for labelled points: the `[points]` table of a rule profile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PointRules {
    /// A point counts if its error is at most this, metres. Default 0.5, the judge tool's; its finals use 1.0.
    pub scoring_threshold: f64,
    /// Points by type. Default: ar_tag 1, hazmat 2, real_object 10, heat_signature 15, as in the leagues of 2024 and 2025.
    pub points: BTreeMap<String, f64>,
    /// Points of a type that is not listed. Default 0.
    pub other_points: f64,
    /// Words that stand for a type. Default: the words seen in files of the league, such as qr for ar_tag.
    pub aliases: BTreeMap<String, String>,
    /// Points that are worth 100 in the adjusted score. Default 80, the judge tool's.
    pub total_points: f64,
    /// What makes two points equal. Default `type_and_name`, the rule of 2025; `name` is that of 2024.
    pub label: LabelRule,
    /// Whether the frame of the submission is searched. Default `fitted`.
    pub frame: FrameRule,
    /// Whether heights count. Default `plane`.
    pub distance: DistanceRule,
    /// Min share of the truth's points that must be matched for the score to hold. Default 0: no minimum.
    pub min_coverage: f64,
}

/// What makes two points equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LabelRule {
    /// Type and name.
    #[default]
    TypeAndName,
    /// The name alone.
    Name,
    /// The type alone: names are not judged.
    Type,
}

/// Whether the frame of the submission is searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FrameRule {
    /// Rotation and translation are free: errors are those of the distances between points.
    #[default]
    Fitted,
    /// Both lists stand in one frame: errors are those of the places.
    Given,
}

/// Whether heights count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DistanceRule {
    /// They do not.
    #[default]
    Plane,
    /// They do.
    Space,
}

const TYPES: [(&str, f64); 4] =
    [("ar_tag", 1.0), ("hazmat", 2.0), ("real_object", 10.0), ("heat_signature", 15.0)];

const ALIASES: [(&str, &str); 7] = [
    ("qr", "ar_tag"),
    ("qrcode", "ar_tag"),
    ("hazmatsign", "hazmat"),
    ("object", "real_object"),
    ("fuel_can", "real_object"),
    ("water_valves", "real_object"),
    ("fire_hydrant", "real_object"),
];

impl PointRules {
    /// Names of the profiles whose point rules are known here.
    pub const PROFILES: [&str; 2] = ["rrl-2024", "rrl-2025"];

    /// The rules of a profile; none if its name is not known here.
    #[must_use]
    pub fn profile(name: &str) -> Option<Self> {
        let label = match name {
            "rrl-2024" => LabelRule::Name,
            "rrl-2025" => LabelRule::TypeAndName,
            _ => return None,
        };
        Some(Self { label, ..Self::default() })
    }

    /// The type that a word stands for.
    #[must_use]
    pub fn type_of(&self, word: &str) -> String {
        let word = normal(word).replace(' ', "_");
        // `QR-Code` and `qr code` are `qrcode`, `artag` is `ar_tag`.
        let squeezed = |word: &str| word.replace('_', "");
        let is_same = |known: &&String| squeezed(known) == squeezed(&word);
        match self.aliases.keys().find(is_same) {
            Some(alias) => self.aliases[alias].clone(),
            None => self.points.keys().find(is_same).cloned().unwrap_or(word),
        }
    }

    /// The type that the first words of a label speak of; none if they speak of none.
    #[must_use]
    pub fn type_in(&self, label: &str) -> Option<String> {
        let label = normal(label).replace(' ', "_");
        let known = self.points.keys().chain(self.aliases.keys());
        let speaks = |word: &&String| {
            label
                .strip_prefix(word.as_str())
                .is_some_and(|rest| rest.is_empty() || !rest.starts_with(char::is_alphabetic))
        };
        let longest = known.filter(speaks).max_by_key(|word| word.len())?;
        Some(self.type_of(longest))
    }

    /// What a point of this type is worth.
    #[must_use]
    pub fn worth(&self, kind: &str) -> f64 {
        self.points.get(kind).copied().unwrap_or(self.other_points)
    }
}

impl Default for PointRules {
    fn default() -> Self {
        Self {
            scoring_threshold: 0.5,
            points: TYPES.iter().map(|&(kind, points)| (kind.to_owned(), points)).collect(),
            other_points: 0.0,
            aliases: ALIASES.iter().map(|&(word, kind)| (word.to_owned(), kind.to_owned())).collect(),
            total_points: 80.0,
            label: LabelRule::TypeAndName,
            frame: FrameRule::Fitted,
            distance: DistanceRule::Plane,
            min_coverage: 0.0,
        }
    }
}

/// A text without regard to case, and to what separates its words: blanks, hyphens or underscores.
#[must_use]
pub fn normal(text: &str) -> String {
    let is_between = |letter: char| letter.is_whitespace() || letter == '-' || letter == '_';
    let words: Vec<&str> = text.split(is_between).filter(|word| !word.is_empty()).collect();
    words.join(" ").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_files_are_those_of_the_rules() {
        let rules = PointRules::profile("rrl-2025").unwrap();
        assert_eq!(rules.type_of(" QR "), "ar_tag");
        assert_eq!(rules.type_of("Heat Signature"), "heat_signature");
        for word in ["QR-Code", "qr code", "QR_CODE", "AR Tag", "artag"] {
            assert_eq!(rules.type_of(word), "ar_tag", "{word}");
        }
        assert_eq!(normal(" Inhalation_hazard"), normal("Inhalation  Hazard"));
        assert_eq!(rules.type_in("QR-Code 3"), Some("ar_tag".to_owned()));
        assert_eq!(rules.type_in("hazmat 3"), Some("hazmat".to_owned()));
        assert_eq!(rules.type_in("hazmatsign_explosive"), Some("hazmat".to_owned()));
        assert_eq!(rules.type_in("qrx"), None, "another word");
        assert_eq!((rules.worth("real_object"), rules.worth("door")), (10.0, 0.0));
    }

    #[test]
    fn a_profile_may_say_only_what_differs() {
        let rules: PointRules = serde_json::from_str(r#"{"scoring_threshold": 1.0}"#).unwrap();
        assert_eq!((rules.scoring_threshold, rules.total_points), (1.0, 80.0));
        assert!(serde_json::from_str::<PointRules>(r#"{"treshold": 1.0}"#).is_err());
        assert_eq!(PointRules::profile("rrl-2024").unwrap().label, LabelRule::Name);
        assert_eq!(PointRules::profile("nobody"), None);
    }
}
