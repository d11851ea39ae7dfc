//! Rule profiles: what a league asks for and how it scores, as TOML that a user can copy and change.

use std::collections::{BTreeMap, BTreeSet};

use metrics::Better;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::artifact_points::ArtifactRules;
use super::formula::Formula;
use super::part::{Criterion, Part, Source};
use super::role::Role;
use crate::files::lint;
use crate::keys::with_nearest;
use crate::{JobError, Plan, ReadOptions};

/// A rule profile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// Name, as contest files say it.
    pub name: String,
    /// Title for people.
    pub title: String,
    /// Where the rules are from.
    pub source: String,
    /// What to know about this reading of them.
    #[serde(default)]
    pub notes: Vec<String>,
    /// Rules of the linter.
    #[serde(default)]
    pub lint: lint::Profile,
    /// What a team hands in.
    pub inputs: BTreeMap<Role, InputRule>,
    /// How files are read; the palette is in here.
    #[serde(default)]
    pub read: ReadOptions,
    /// How submissions are judged: alignment, metrics and their parameters.
    #[serde(default)]
    pub plan: Plan,
    /// Numbers of the formula that say how much a part counts.
    #[serde(default)]
    pub weights: BTreeMap<String, f64>,
    /// Other numbers of the formula.
    #[serde(default)]
    pub constants: BTreeMap<String, f64>,
    /// Rules of points for labelled places.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifacts: Option<ArtifactRules>,
    /// The parts of the score, in the order in which they are computed.
    pub parts: Vec<Part>,
    /// The score.
    pub formula: String,
    /// Which direction is better.
    pub better: Better,
    /// Parts that decide between equal scores, the larger first; then the name does.
    #[serde(default)]
    pub tie_break: Vec<String>,
    /// Two or more parts that cannot be weighed against each other, for the Pareto view.
    #[serde(default)]
    pub pareto: Vec<ParetoAxis>,
    /// Readings of the same rules; the effective one is named behind the profile: `rrl-2025:as_printed`.
    #[serde(default)]
    pub variants: BTreeMap<String, Variant>,
    /// The reading that holds if none is named; then the one in effect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
}

/// What is said about one kind of file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InputRule {
    /// Whether a submission without it is broken.
    #[serde(default)]
    pub required: bool,
    /// File name with `*` and `?`, in the folder of the team; `{mission}` stands for the mission.
    pub pattern: String,
}

/// One axis of the Pareto view.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ParetoAxis {
    /// The part.
    pub part: String,
    /// Which direction is better.
    pub better: Better,
}

/// What differs in another reading of the rules.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Variant {
    /// Parameters of metrics.
    pub set: BTreeMap<String, BTreeMap<String, Value>>,
    /// Constants and weights.
    pub constants: BTreeMap<String, f64>,
    /// The formula.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub formula: Option<String>,
}

/// The profiles that are shipped: name and text, alphabetical.
pub const SHIPPED: [(&str, &str); 11] = [
    ("arc-2025", include_str!("../../profiles/arc-2025.toml")),
    ("interleague-2009", include_str!("../../profiles/interleague-2009.toml")),
    ("rcj-2025", include_str!("../../profiles/rcj-2025.toml")),
    ("rrl-2007", include_str!("../../profiles/rrl-2007.toml")),
    ("rrl-2010-fiducial", include_str!("../../profiles/rrl-2010-fiducial.toml")),
    ("rrl-2024", include_str!("../../profiles/rrl-2024.toml")),
    ("rrl-2025", include_str!("../../profiles/rrl-2025.toml")),
    ("rvrl-2019", include_str!("../../profiles/rvrl-2019.toml")),
    ("rvrl-2022", include_str!("../../profiles/rvrl-2022.toml")),
    ("subt-2021", include_str!("../../profiles/subt-2021.toml")),
    ("vr-2008", include_str!("../../profiles/vr-2008.toml")),
];

/// Parts, weights and criteria that rules may have: twice as many as any league has had.
const MAX_PARTS: usize = 40;
const MAX_CONSTANTS: usize = 200;
/// Letters of the formula and of all expressions.
const MAX_LETTERS: usize = 4000;

impl Profile {
    /// A shipped profile by its name; a reading may stand behind a colon: `rrl-2025:as_printed`.
    ///
    /// # Errors
    /// There is none of that name.
    pub fn shipped(word: &str) -> Result<Self, JobError> {
        let (name, variant) = Self::name_and_variant(word);
        let Some((_, text)) = SHIPPED.iter().find(|(known, _)| *known == name) else {
            let nearest = report::nearest(name, SHIPPED.iter().map(|(known, _)| *known));
            let hint = nearest.map_or_else(
                || "`mapjudge contest profiles` lists them".to_owned(),
                |near| format!("did you mean '{near}'? a file of your own ends in .toml"),
            );
            return Err(JobError::contest(format!("profile '{name}'"), "there is none of that name", hint));
        };
        Self::parse(text, name)?.read_as(variant, name)
    }

    /// Name and reading of a word such as `rrl-2025:as_printed`.
    #[must_use]
    pub fn name_and_variant(word: &str) -> (&str, Option<&str>) {
        match word.rsplit_once(':') {
            Some((name, variant)) if !variant.contains(['/', '\\']) => (name, Some(variant)),
            _ => (word, None),
        }
    }

    /// Reads the text of a profile and checks that it holds together. `place` names it in errors.
    ///
    /// # Errors
    /// The text is no valid profile.
    pub fn parse(text: &str, place: &str) -> Result<Self, JobError> {
        let wrong = |message: String| {
            JobError::contest(place, message, "`mapjudge contest profiles NAME` shows a valid one")
        };
        let profile: Self = toml::from_str(text).map_err(|error| wrong(with_nearest(&error.to_string())))?;
        Plan::check_keys(text, "plan").map_err(wrong)?;
        profile.check(place)?;
        Ok(profile)
    }

    /// The profile under one of its readings.
    pub(crate) fn read_as(mut self, variant: Option<&str>, place: &str) -> Result<Self, JobError> {
        let Some(name) = variant.map(str::to_owned).or_else(|| self.variant.clone()) else { return Ok(self) };
        let Some(variant) = self.variants.get(&name).cloned() else {
            let known: Vec<&str> = self.variants.keys().map(String::as_str).collect();
            let hint = format!("there are {}", known.join(", "));
            return Err(JobError::contest(place, format!("no variant '{name}'"), hint));
        };
        for (metric, params) in variant.set {
            self.plan.set.entry(metric).or_default().extend(params);
        }
        for (name, value) in variant.constants {
            let unknown = || {
                let message = format!("variant '{}': there is no weight or constant '{name}'", self.name);
                JobError::contest(place, message, "a variant changes numbers that the profile has")
            };
            let slot = self.weights.get_mut(&name).or_else(|| self.constants.get_mut(&name));
            *slot.ok_or_else(unknown)? = value;
        }
        self.formula = variant.formula.unwrap_or(self.formula);
        self.variant = Some(name);
        self.check(place)?;
        Ok(self)
    }

    /// Name with the reading in effect.
    #[must_use]
    pub fn full_name(&self) -> String {
        match &self.variant {
            Some(variant) => format!("{}:{variant}", self.name),
            None => self.name.clone(),
        }
    }

    /// A number of the formula.
    #[must_use]
    pub fn constant(&self, name: &str) -> Option<f64> {
        self.weights.get(name).or_else(|| self.constants.get(name)).copied()
    }

    /// Names under which a judge may enter a value: parts, criteria and measured values.
    #[must_use]
    pub fn enterable(&self) -> BTreeSet<&str> {
        let named = self.parts.iter().flat_map(|part| {
            let criteria: &[Criterion] = match &part.from {
                Source::MapQuality { criteria, .. } => criteria,
                _ => &[],
            };
            std::iter::once(part.name.as_str())
                .chain(criteria.iter().map(|criterion| criterion.name.as_str()))
        });
        named.chain(self.parts.iter().flat_map(|part| part.from.measured())).collect()
    }

    /// Ids of the metrics whose values the parts ask for.
    #[must_use]
    pub fn metrics(&self) -> BTreeSet<&str> {
        let asked = self.parts.iter().flat_map(|part| part.from.measured());
        asked.map(|value| value.split('.').next().unwrap_or(value)).collect()
    }

    /// What there is more of than any rules have: its name, how many there are, how many there may be.
    fn excess(&self) -> Option<(&'static str, usize, usize)> {
        let criteria = self.parts.iter().map(|part| match &part.from {
            Source::MapQuality { criteria, .. } => criteria.len(),
            _ => 0,
        });
        let formulas = self.parts.iter().map(|part| match &part.from {
            Source::Expression { formula } => formula.len(),
            _ => 0,
        });
        let counted = [
            ("letters of all formulas", self.formula.len() + formulas.sum::<usize>(), MAX_LETTERS),
            ("parts", self.parts.len(), MAX_PARTS),
            ("criteria", criteria.sum(), MAX_PARTS),
            ("weights", self.weights.len(), MAX_PARTS),
            ("constants", self.constants.len(), MAX_CONSTANTS),
            ("tie_break", self.tie_break.len(), MAX_PARTS),
            ("pareto", self.pareto.len(), MAX_PARTS),
            ("variants", self.variants.len(), MAX_PARTS),
            ("notes", self.notes.len(), MAX_CONSTANTS),
        ];
        counted.into_iter().find(|(_, found, most)| found > most)
    }

    fn check(&self, place: &str) -> Result<(), JobError> {
        let wrong = |what: String, message: String, hint: String| {
            Err(JobError::contest(format!("{place}: {what}"), message, hint))
        };
        if let Some((what, found, most)) = self.excess() {
            let hint =
                "every resample computes all of them for every team; leave out what the score does not need";
            return wrong(what.into(), format!("{found}: expected at most {most}"), hint.into());
        }
        let mut known: BTreeSet<&str> =
            self.weights.keys().chain(self.constants.keys()).map(String::as_str).collect();
        for part in &self.parts {
            if let Source::Expression { formula } = &part.from {
                check_formula(formula, &format!("{place}: part {}", part.name), &known)?;
            }
            if !known.insert(&part.name) {
                let what = format!("part {}", part.name);
                return wrong(what, "the name is used twice".into(), "give each part its own name".into());
            }
        }
        check_formula(&self.formula, &format!("{place}: formula"), &known)?;
        for name in self.tie_break.iter().chain(self.pareto.iter().map(|axis| &axis.part)) {
            if !self.parts.iter().any(|part| part.name == *name) {
                let names: Vec<&str> = self.parts.iter().map(|part| part.name.as_str()).collect();
                let hint = format!("the parts are {}", names.join(", "));
                return wrong("tie_break and pareto".into(), format!("there is no part '{name}'"), hint);
            }
        }
        Ok(())
    }
}

fn check_formula(text: &str, place: &str, known: &BTreeSet<&str>) -> Result<(), JobError> {
    let formula = Formula::parse(text).map_err(|error| {
        let hint = error.hint.clone().unwrap_or_else(|| format!("the formula is: {text}"));
        JobError::contest(place, error.to_string(), hint)
    })?;
    match formula.names().into_iter().find(|name| !known.contains(name)) {
        None => Ok(()),
        Some(name) => {
            let names: Vec<&str> = known.iter().copied().collect();
            let hint = format!("known here: {}", names.join(", "));
            Err(JobError::contest(place, format!("there is no part or constant '{name}'"), hint))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_profile_is_valid_and_named_after_its_file() {
        for (name, text) in SHIPPED {
            let profile = Profile::parse(text, name).unwrap();
            assert_eq!(profile.name, name);
            assert!(!profile.parts.is_empty() && !profile.source.is_empty(), "{name}");
            crate::choose(&[], &profile.plan.set).unwrap();
            for variant in profile.variants.keys() {
                Profile::shipped(&format!("{name}:{variant}")).unwrap();
            }
            assert_eq!(profile.read.check(), Ok(()), "{name}");
        }
        assert!(SHIPPED.is_sorted_by_key(|(name, _)| *name));
    }

    #[test]
    fn today_s_profiles_know_the_tolerance_as_coded_and_as_printed() {
        for name in ["rrl-2024", "rrl-2025"] {
            for variant in ["as_coded", "as_printed"] {
                let profile = Profile::shipped(&format!("{name}:{variant}")).unwrap();
                assert_eq!(profile.plan.set["fiducial_pass_rate"]["tolerance"], variant);
                assert_eq!(profile.full_name(), format!("{name}:{variant}"));
            }
        }
    }

    #[test]
    fn rules_that_would_take_long_are_refused() {
        let part = |number: usize, formula: &str| {
            format!(
                "[[parts]]\nname = 'p{number}'\ntitle = ''\nfrom = {{ kind = 'expression', formula = '{formula}' }}\n"
            )
        };
        let rules = |parts: String| {
            format!(
                "name = 'r'\ntitle = ''\nsource = ''\nformula = '1'\nbetter = 'higher'\ninputs = {{}}\n{parts}"
            )
        };
        let many =
            |count: usize, formula: &str| rules((0..count).map(|number| part(number, formula)).collect());
        assert!(Profile::parse(&many(MAX_PARTS, "1"), "r").is_ok());
        let refused = [many(MAX_PARTS + 1, "1"), many(5000, "1"), many(5, &format!("{}1", "1+".repeat(450)))];
        for text in refused {
            let start = std::time::Instant::now();
            let error = Profile::parse(&text, "r").unwrap_err().to_string();
            assert!(error.contains("expected at most"), "{error}");
            assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
        }
    }

    #[test]
    fn errors_name_the_place_and_a_remedy() {
        let error = Profile::shipped("rrl-2026").unwrap_err();
        let JobError::Contest { hint, .. } = &error else { panic!("{error}") };
        assert!(hint.contains("did you mean 'rrl-202"), "{error}");
        let broken = SHIPPED[10].1.replace("w_E*E", "w_E E");
        let error = Profile::parse(&broken, "mine.toml").unwrap_err().to_string();
        assert!(error.starts_with("mine.toml: formula: column "), "{error}");
        let broken = SHIPPED[10].1.replace("w_E*E", "w_E*Q");
        assert!(Profile::parse(&broken, "mine.toml").unwrap_err().to_string().ends_with("constant 'Q'"));
        assert!(Profile::shipped("vr-2008:other").is_err());
        assert!(Profile::parse("name = 1", "x").is_err());
    }
}
