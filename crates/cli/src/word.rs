//! Words of flags: parsed, and listed in help and errors.

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, ValueEnum};

/// Parses one of the words of an enum: `#[arg(value_parser = Word::<Window>::new())]`.
#[derive(Clone)]
pub struct Word<T: 'static> {
    /// The values that a command takes.
    pub values: &'static [T],
    /// What an error says before the list of words.
    pub lead: &'static str,
}

impl<T: ValueEnum> Word<T> {
    /// Takes every word of the enum.
    pub fn new() -> Self {
        Self { values: T::value_variants(), lead: "one of " }
    }
}

impl<T: ValueEnum + Clone + Send + Sync + 'static> TypedValueParser for Word<T> {
    type Value = T;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<T, clap::Error> {
        let found = value.to_string_lossy();
        let matches = |word: PossibleValue| word.matches(&found, false);
        let known = self.values.iter().find(|value| value.to_possible_value().is_some_and(matches));
        known.cloned().ok_or_else(|| {
            let words = self.values.iter().filter_map(ValueEnum::to_possible_value);
            let words: Vec<String> = words.map(|word| word.get_name().to_owned()).collect();
            let flag = arg.and_then(Arg::get_long).map(|name| format!("--{name}")).unwrap_or_default();
            wrong_word(command, flag, &found, format!("{}{}", self.lead, words.join(", ")))
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.values.iter().filter_map(ValueEnum::to_possible_value)))
    }
}

fn wrong_word(command: &Command, flag: String, found: &str, expected: String) -> clap::Error {
    let message = format!("invalid value '{found}' for '{flag}': expected {expected}\n");
    let mut error = clap::Error::raw(ErrorKind::InvalidValue, message).with_cmd(command);
    error.insert(ContextKind::InvalidArg, ContextValue::String(flag));
    error.insert(ContextKind::InvalidValue, ContextValue::String(found.to_owned()));
    error.insert(ContextKind::ValidValue, ContextValue::String(expected));
    error
}

/// Parses a word as job files spell it, for choices that are flags of one command only.
pub fn file_word<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_value(text.into()).map_err(|error| error.to_string())
}
