//! Why a command could not compute: words with a hint on stderr, and JSON on stdout where programs asked for JSON.

use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use mapjudge::JobError;
use serde::Serialize;

use crate::hints::hint;
use crate::output::{json, note, print};

/// The name of the form of errors.
pub const ERROR_SCHEMA: &str = "mapjudge.error/1";

/// Why a command could not compute. Parts that an error does not have are null.
#[derive(Debug, Serialize)]
pub struct Failure {
    schema: &'static str,
    /// Stable name for programs.
    code: String,
    message: String,
    file: Option<String>,
    /// Where in the file, or which option.
    place: Option<String>,
    expected: Option<String>,
    found: Option<String>,
    hint: Option<String>,
}

impl Failure {
    /// A mistake on the command line.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            schema: ERROR_SCHEMA,
            code: "USAGE".to_owned(),
            message: message.into(),
            file: None,
            place: None,
            expected: None,
            found: None,
            hint: None,
        }
    }

    /// The same failure with advice.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Prints the failure to stderr, and as JSON to stdout if asked for; exit code 2.
    pub fn report(&self, as_json: bool) -> ExitCode {
        let hint = self.hint.as_ref().map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
        note(&format!("error: {}{hint}", self.message));
        self.print(as_json);
        ExitCode::from(2)
    }

    fn print(&self, as_json: bool) {
        if as_json && let Ok(text) = json(self) {
            let _ = print(&text);
        }
    }
}

impl From<JobError> for Failure {
    fn from(error: JobError) -> Self {
        let read = match &error {
            JobError::Read(read) => Some(read),
            _ => None,
        };
        let (expected, found) = match &error {
            JobError::Range { expected, value, .. } => {
                (Some((*expected).to_owned()), Some(value.to_string()))
            }
            JobError::NoTrajectory { found, .. } => (None, Some(found.clone())),
            JobError::NoLayout { found, .. }
            | JobError::NoPoints { found, .. }
            | JobError::NoAnnotations { found, .. }
            | JobError::NoLog { found, .. } => (None, Some((*found).to_owned())),
            _ => (None, None),
        };
        let place = match &error {
            JobError::Range { name, .. } => Some((*name).to_owned()),
            JobError::Contest { place, .. } => Some(place.clone()),
            _ => None,
        };
        Self {
            schema: ERROR_SCHEMA,
            // Codes are upper case, as those of findings are.
            code: error.code().to_ascii_uppercase(),
            message: error.to_string(),
            file: error.faulty_file().map(str::to_owned),
            place: read.map(|read| read.place().to_string()).or(place),
            expected: read.map(|read| read.expected().into_owned()).or(expected),
            found: read.map(|read| read.found().into_owned()).or(found),
            hint: hint(&error),
        }
    }
}

impl From<report::RenderError> for Failure {
    fn from(error: report::RenderError) -> Self {
        JobError::from(error).into()
    }
}

/// Reports what clap found wrong with the arguments, or the help that was asked for.
pub fn report_usage(error: &clap::Error, as_json: bool) -> ExitCode {
    let _ = error.print();
    if !error.use_stderr() {
        return ExitCode::SUCCESS;
    }
    usage_failure(error).print(as_json);
    ExitCode::from(2)
}

fn usage_failure(error: &clap::Error) -> Failure {
    let text = |kind: ContextKind| match error.get(kind)? {
        ContextValue::String(text) => Some(text.clone()),
        ContextValue::Strings(list) if !list.is_empty() => Some(list.join(", ")),
        _ => None,
    };
    let rendered = error.render().to_string();
    let first = rendered.lines().next().unwrap_or_default();
    let is_missing = error.kind() == ErrorKind::MissingRequiredArgument;
    let arguments = text(ContextKind::InvalidArg);
    let suggestion =
        [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue]
            .into_iter()
            .find_map(text)
            .map(|nearest| format!("did you mean {}?", nearest.replace(", ", " or ")));
    let message = first.strip_prefix("error: ").unwrap_or(first).trim_end_matches(':');
    Failure {
        message: match (&arguments, is_missing) {
            (Some(missing), true) => format!("{message}: {missing}"),
            _ => message.to_owned(),
        },
        expected: text(ContextKind::ValidValue).or_else(|| arguments.clone().filter(|_| is_missing)),
        found: text(ContextKind::InvalidValue).or_else(|| text(ContextKind::InvalidSubcommand)),
        place: arguments.filter(|_| !is_missing),
        hint: suggestion.or_else(|| Some("`mapjudge COMMAND --help` describes the arguments".to_owned())),
        ..Failure::new("")
    }
}

/// Whether `--format json` is among the arguments.
pub fn wants_json(arguments: &[String]) -> bool {
    let pairs = arguments.iter().zip(arguments.iter().skip(1));
    let is_pair = |(flag, value): (&String, &String)| flag == "--format" && value == "json";
    arguments.iter().any(|argument| argument == "--format=json") || pairs.into_iter().any(is_pair)
}
