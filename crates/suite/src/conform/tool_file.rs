//! The description of another program: what it is called, how it is run for each metric, and what its output means.

use metrics::Detail;
use report::ConformVerdict;
use serde::{Deserialize, Serialize};

use super::pattern::Pattern;
use super::vectors::{VectorKind, VectorSet};
use crate::keys::with_nearest;

/// A tool file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolFile {
    /// The program.
    pub tool: ToolHead,
    /// What it computes.
    #[serde(rename = "metric", default)]
    pub metrics: Vec<ToolMetric>,
}

/// The program.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolHead {
    /// Its name in reports.
    pub name: String,
    /// A command that prints its version, or the version itself.
    pub version: OneOrMany,
    /// In which form it gets the vectors, where a metric does not say otherwise.
    #[serde(default)]
    pub input: InputForm,
}

/// A word, or several.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

impl OneOrMany {
    /// The words as a list.
    #[must_use]
    pub fn list(&self) -> &[String] {
        match self {
            Self::One(word) => std::slice::from_ref(word),
            Self::Many(words) => words,
        }
    }
}

/// In which form a program gets the vectors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum InputForm {
    /// Text grids, as the vectors are.
    #[default]
    #[serde(rename = "text")]
    Text,
    /// ROS maps: a YAML file and a PGM image.
    #[serde(rename = "pgm+yaml")]
    PgmYaml,
    /// Images: occupied 0, unknown 205, free 254.
    #[serde(rename = "png")]
    Png,
    /// Arrays of numpy, float64, top row first: occupied 1, unknown 0.5, free 0, or probabilities.
    #[serde(rename = "npy")]
    Npy,
    /// Trajectories in lines `t x y z qx qy qz qw`.
    #[serde(rename = "tum")]
    Tum,
    /// Trajectories in lines of 12 numbers, without times.
    #[serde(rename = "kitti")]
    Kitti,
}

impl InputForm {
    /// The word in tool files and reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::PgmYaml => "pgm+yaml",
            Self::Png => "png",
            Self::Npy => "npy",
            Self::Tum => "tum",
            Self::Kitti => "kitti",
        }
    }
}

/// How the program computes a metric.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolMetric {
    /// Id of the metric, or several that one command computes.
    pub id: OneOrMany,
    /// Which variant: a table of parameters, empty for the defaults, or the word `all`.
    #[serde(default)]
    pub params: Params,
    /// In which form it gets the vectors, where that is not the form of the tool.
    #[serde(default)]
    pub input: Option<InputForm>,
    /// Program and arguments.
    pub command: Vec<String>,
    /// Where the value stands in the output: `number`, `cells`, `json:/pointer`, `regex:pattern`.
    pub result: ResultRule,
    /// How the program says that there is no value: a word, `exit:CODE` or `stderr:WORDS`.
    #[serde(default = "nan")]
    pub undefined: OneOrMany,
    /// Differences that are known and have a reason.
    #[serde(default)]
    pub known: Vec<KnownDifference>,
}

fn nan() -> OneOrMany {
    OneOrMany::One("nan".to_owned())
}

/// Which variants of a metric a program computes.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Params {
    /// One, by its parameters.
    One(Detail),
    /// `all`.
    Word(String),
}

impl Default for Params {
    fn default() -> Self {
        Self::One(Detail::new())
    }
}

/// A difference that is known.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownDifference {
    /// Names of vectors; `*` at the end of a name stands for any rest. Empty: all.
    #[serde(default)]
    pub vectors: Vec<String>,
    /// The verdict that is expected.
    pub expect: ConformVerdict,
    /// Why.
    pub reason: String,
}

impl KnownDifference {
    /// Whether it is about a vector.
    #[must_use]
    pub fn is_about(&self, vector: &str) -> bool {
        let is_meant = |name: &String| match name.strip_suffix('*') {
            Some(start) => vector.starts_with(start),
            None => vector == name,
        };
        self.vectors.is_empty() || self.vectors.iter().any(is_meant)
    }
}

/// Where a value stands in an output.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub enum ResultRule {
    /// The output is one number.
    Number,
    /// The output has rows of cell classes.
    Cells,
    /// The output is JSON, and this the pointer to the value.
    Json(String),
    /// The first group of the pattern is the value.
    Regex(Pattern),
}

impl TryFrom<String> for ResultRule {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match (text.as_str(), text.split_once(':')) {
            ("number", _) => Ok(Self::Number),
            ("cells", _) => Ok(Self::Cells),
            (_, Some(("json", pointer))) if pointer.is_empty() || pointer.starts_with('/') => {
                Ok(Self::Json(pointer.to_owned()))
            }
            (_, Some(("regex", pattern))) => Ok(Self::Regex(Pattern::parse(pattern)?)),
            _ => Err(format!("result '{text}': expected number, cells, json:/pointer or regex:pattern")),
        }
    }
}

impl ToolFile {
    /// Reads the text of a tool file.
    ///
    /// # Errors
    /// Line and what was expected there, or a key that does not exist.
    pub fn parse(text: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|error| with_nearest(&error.to_string()))
    }

    /// Refuses metrics that the vectors do not have, and commands that do not get what they need.
    ///
    /// # Errors
    /// What is wrong, with the metric.
    pub fn check(&self, set: &VectorSet) -> Result<(), String> {
        if self.metrics.is_empty() {
            return Err("no [[metric]]: nothing can be compared".to_owned());
        }
        self.metrics.iter().try_for_each(|metric| metric.check(set))
    }
}

impl ToolMetric {
    fn check(&self, set: &VectorSet) -> Result<(), String> {
        if self.command.first().is_none_or(String::is_empty) {
            return Err(format!("{}: the command is empty", self.id.list().join(", ")));
        }
        if let Params::Word(word) = &self.params
            && word != "all"
        {
            return Err(format!("params = \"{word}\": expected a table of parameters or \"all\""));
        }
        for id in self.id.list() {
            self.check_id(id, set)?;
        }
        Ok(())
    }

    fn check_id(&self, id: &str, set: &VectorSet) -> Result<(), String> {
        let known = set.metrics();
        if !known.contains(&id) {
            let near = report::nearest(id, known.iter().copied());
            let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            return Err(format!("the vectors have no values of the metric '{id}'{near}"));
        }
        if let Params::One(params) = &self.params
            && !set.variants(id).contains(&params)
        {
            let variants: Vec<String> = set.variants(id).into_iter().map(report::shown_params).collect();
            let shown = report::shown_params(params);
            return Err(format!("{id}: no values under {shown}: expected {}", variants.join("; ")));
        }
        for place in needed(id, set) {
            if !self.command.iter().any(|word| word.contains(place)) {
                return Err(format!("{id}: the command does not name {place}"));
            }
        }
        Ok(())
    }

    /// The variants of a metric that are computed.
    pub(crate) fn variants(&self, id: &str, set: &VectorSet) -> Vec<Detail> {
        match &self.params {
            Params::One(params) => vec![params.clone()],
            Params::Word(_) => set.variants(id).into_iter().cloned().collect(),
        }
    }
}

/// The places that a command for a metric must name.
fn needed(id: &str, set: &VectorSet) -> &'static [&'static str] {
    let of_metric =
        |vector: &&super::vectors::Vector| vector.expected.iter().any(|expected| expected.metric == id);
    match set.vectors.iter().find(of_metric).map(|vector| vector.kind) {
        Some(VectorKind::Run) if id == "relative_displacement" => &["{estimate}", "{relations}"],
        Some(VectorKind::Run) => &["{truth}", "{estimate}"],
        Some(VectorKind::Reader) => &["{map}"],
        _ => &["{truth}", "{map}"],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "[tool]\nname = \"x\"\nversion = \"1\"\n";

    fn refusal(rest: &str) -> String {
        let set = VectorSet::builtin().unwrap();
        let parsed = ToolFile::parse(&format!("{HEAD}{rest}"));
        parsed.and_then(|file| file.check(&set)).unwrap_err()
    }

    #[test]
    fn faults_are_found_before_anything_runs() {
        let metric = |lines: &str| format!("[[metric]]\nresult = \"number\"\n{lines}");
        for (rest, words) in [
            (String::new(), "no [[metric]]"),
            (metric("id = \"occupied_iou\"\ncommand = [\"a\", \"{truth}\"]\n"), "does not name {map}"),
            (metric("id = \"occupied_iou\"\ncommand = []\n"), "the command is empty"),
            (metric("id = \"occupied_iuo\"\ncommand = [\"a\"]\n"), "did you mean `occupied_iou`?"),
            (metric("id = \"occupied_iou\"\ncomand = [\"a\"]\n"), "line 7"),
            (
                metric("id = \"ate_translation\"\ncommand = [\"a\", \"{truth}\"]\n"),
                "does not name {estimate}",
            ),
            (
                metric("id = \"occupied_iou\"\nparams = { unknown_as = \"half\" }\ncommand = [\"a\"]\n"),
                "unknown_as = exclude",
            ),
            (metric("id = \"occupied_iou\"\nparams = \"some\"\ncommand = [\"a\"]\n"), "\"all\""),
        ] {
            let refused = refusal(&rest);
            assert!(refused.contains(words), "{rest}: {refused}");
        }
        let bad_result = "[[metric]]\nid = \"occupied_iou\"\ncommand = [\"a\"]\nresult = \"xml:/a\"\n";
        assert!(refusal(bad_result).contains("expected number, cells"), "{}", refusal(bad_result));
    }

    #[test]
    fn a_star_stands_for_the_rest_of_a_name() {
        let known = |vectors: &[&str]| KnownDifference {
            vectors: vectors.iter().map(|name| (*name).to_owned()).collect(),
            expect: ConformVerdict::Differs,
            reason: String::new(),
        };
        assert!(known(&[]).is_about("e1") && known(&["e1"]).is_about("e1") && known(&["e*"]).is_about("e1"));
        assert!(!known(&["e1"]).is_about("e10") && !known(&["f*"]).is_about("e1"));
    }
}
