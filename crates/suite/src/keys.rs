//! The keys of job files and profiles, out of the schema of their structs.

use schemars::JsonSchema;
use serde_json::Value;

/// The keys of a struct, from its schema.
pub(crate) fn struct_keys<T: JsonSchema>() -> Vec<String> {
    let schema = schemars::schema_for!(T).to_value();
    schema["properties"].as_object().into_iter().flat_map(|map| map.keys().cloned()).collect()
}

/// A key of a job file, for programs that offer it under a name of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyHelp {
    /// Its name; of a key in a table `table.key`.
    pub name: String,
    /// What stands above its field.
    pub description: String,
    /// The words it takes; empty for anything else.
    pub words: Vec<String>,
    /// Its type in JSON: `boolean`, `number`, `string`, ..; empty where it may have several.
    pub kind: String,
}

impl KeyHelp {
    fn of(name: String, property: &Value, schema: &Value) -> Self {
        let kind = match &property["type"] {
            Value::Array(kinds) => kinds.iter().find_map(|kind| kind.as_str().filter(|kind| *kind != "null")),
            kind => kind.as_str(),
        };
        Self {
            name,
            description: property["description"].as_str().unwrap_or_default().to_owned(),
            words: words_of(property, schema).unwrap_or_default(),
            kind: kind.unwrap_or_default().to_owned(),
        }
    }
}

/// The words that a property takes; none if it takes anything else.
fn words_of(property: &Value, schema: &Value) -> Option<Vec<String>> {
    if let Some(name) = property["$ref"].as_str().and_then(|path| path.strip_prefix("#/$defs/")) {
        return words_of(&schema["$defs"][name], schema);
    }
    if let Some(word) = property["const"].as_str() {
        return Some(vec![word.to_owned()]);
    }
    if let Some(words) = property["enum"].as_array() {
        return Some(words.iter().filter_map(|word| word.as_str().map(str::to_owned)).collect());
    }
    let choices = property["oneOf"].as_array().or_else(|| property["anyOf"].as_array())?;
    let choices = choices.iter().filter(|choice| choice["type"] != "null");
    Some(choices.map(|choice| words_of(choice, schema)).collect::<Option<Vec<_>>>()?.concat())
}

/// The keys of a struct with what they mean; those of a struct among its fields follow as `field.key`.
pub(crate) fn described_keys<T: JsonSchema>() -> Vec<KeyHelp> {
    let schema = schemars::schema_for!(T).to_value();
    let mut described = Vec::new();
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        described.push(KeyHelp::of(name.clone(), property, &schema));
        let within = property["$ref"].as_str().and_then(|path| path.strip_prefix("#/$defs/"));
        let inner = within.and_then(|name| schema["$defs"][name]["properties"].as_object());
        let of_table = |(key, value): (&String, &Value)| KeyHelp::of(format!("{name}.{key}"), value, &schema);
        described.extend(inner.into_iter().flatten().map(of_table));
    }
    described
}

/// The first key that is not known, with its line and the nearest known one.
pub(crate) fn unknown_key<'a>(
    text: &str,
    mut keys: impl Iterator<Item = &'a String>,
    known: &[String],
) -> Option<String> {
    let unknown = keys.find(|key| !known.contains(key))?;
    let is_at = |line: &str| line.trim_start().trim_start_matches('[').starts_with(unknown.as_str());
    let place = text.lines().position(is_at).map_or_else(String::new, |line| format!("line {}: ", line + 1));
    let nearest = report::nearest(unknown, known.iter().map(String::as_str));
    let near = nearest.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
    Some(format!("{place}unknown field `{unknown}`{near}"))
}

/// An error of a reader of keys with the nearest of the keys that it lists.
pub(crate) fn with_nearest(error: &str) -> String {
    let near = || {
        let (_, rest) = error.split_once("unknown field `")?;
        let (unknown, rest) = rest.split_once('`')?;
        report::nearest(unknown, rest.split('`').skip(1).step_by(2))
    };
    near().map_or_else(|| error.to_owned(), |near| format!("{}; did you mean `{near}`?", error.trim_end()))
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize, JsonSchema)]
    #[serde(rename_all = "kebab-case")]
    #[allow(dead_code, reason = "its schema is what is tested")]
    enum Window {
        /// Cells of the truth.
        Truth,
        AllCells,
    }

    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code, reason = "its schema is what is tested")]
    struct Table {
        /// Metres.
        tol_m: f64,
    }

    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code, reason = "its schema is what is tested")]
    struct Keys {
        window: Option<Window>,
        aligning: Table,
        is_kept: Option<bool>,
    }

    #[test]
    fn keys_have_their_words_types_and_those_of_tables() {
        let keys = described_keys::<Keys>();
        let shown: Vec<String> =
            keys.iter().map(|key| format!("{} {} {}", key.name, key.kind, key.words.join("|"))).collect();
        assert_eq!(
            shown,
            ["window  all-cells|truth", "aligning  ", "aligning.tol_m number ", "is_kept boolean "],
            "keys in the order of the struct, words without a description first"
        );
        assert_eq!(keys[2].description, "Metres.");
    }
}
