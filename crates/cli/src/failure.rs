//! Why a command could not compute: words with a hint on stderr, and JSON on stdout where programs asked for JSON.

use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use mapjudge::JobError;
use serde::Serialize;

use crate::hints::hint;
use crate::output::{json, note, print};
use crate::wrong_kind::advice;

/// The name of the form of errors.
pub const ERROR_SCHEMA: &str = "mapjudge.error/1";

/// The hint of an error that has none of its own.
const LAST_HINT: &str =
    "`mapjudge COMMAND --help` describes the arguments, `mapjudge help` lists the documentation";

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

    /// A command that ran longer than it was allowed to.
    pub fn of_time(seconds: f64) -> Self {
        let message = format!("the command was ended after {seconds} s");
        let failure = Self { code: "OUT_OF_TIME".to_owned(), ..Self::new(message) };
        failure.hint("give it longer with --max-seconds, or a smaller or coarser map")
    }

    /// The same failure with advice.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same failure; where the file is something else than the command takes, with the command that takes it.
    pub fn of_arguments(mut self, arguments: &[String]) -> Self {
        // A contest names the place in its file, or the file alone.
        let place = self.place.as_ref().filter(|place| self.file.is_none() && arguments.contains(place));
        let advice = self.file.as_ref().or(place).and_then(|file| advice(arguments, &self.code, file));
        self.hint = advice.or(self.hint);
        self
    }

    /// Prints the failure to stderr, and as JSON to stdout if asked for; exit code 2.
    pub fn report(&self, as_json: bool) -> ExitCode {
        note(&self.words());
        self.print(as_json);
        ExitCode::from(2)
    }

    /// Stable name for programs.
    pub fn code(&self) -> &str {
        &self.code
    }

    /// What went wrong.
    pub fn message(&self) -> &str {
        self.message.trim_end()
    }

    /// What to do about it.
    pub fn advice(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// The file at fault.
    pub fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// Where in the file, or which option.
    pub fn place(&self) -> Option<&str> {
        self.place.as_deref()
    }

    /// A mistake in the values that a program gave.
    pub fn argument(message: impl Into<String>) -> Self {
        Self { code: "ARGUMENT".to_owned(), ..Self::new(message) }
    }

    /// Message and hint as stderr shows them.
    pub fn words(&self) -> String {
        let hint = self.hint.as_deref().unwrap_or(LAST_HINT);
        format!("error: {}\nhint: {hint}", self.message.trim_end())
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
        let told = error.to_string();
        // Errors of limits and baselines end with a hint of their own.
        let (message, own_hint) =
            told.split_once("\nhint: ").map_or((told.as_str(), None), |(a, b)| (a, Some(b)));
        Self {
            schema: ERROR_SCHEMA,
            // Codes are upper case, as those of findings are.
            code: error.code().to_ascii_uppercase(),
            message: message.to_owned(),
            file: error.faulty_file().map(str::to_owned),
            place: read.map(|read| read.place().to_string()).or(place),
            expected: read.map(|read| read.expected().into_owned()).or(expected),
            found: read.map(|read| read.found().into_owned()).or(found),
            hint: own_hint.map(str::to_owned).or_else(|| hint(&error)),
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
    if !error.use_stderr() || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        if let Err(failed) = error.print()
            && failed.kind() != std::io::ErrorKind::BrokenPipe
        {
            return Failure::new(format!("standard output: {failed}")).report(false);
        }
        return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
    }
    let code = usage_failure(error).report(as_json);
    let rendered = error.render().to_string();
    if let Some(usage) = rendered.lines().find(|line| line.starts_with("Usage:")) {
        note(usage);
    }
    code
}

pub fn usage_failure(error: &clap::Error) -> Failure {
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
    // clap lists the words that are allowed in the second line.
    let allowed = rendered.lines().nth(1).map(str::trim).filter(|line| line.starts_with("[possible values"));
    let message = allowed.map_or_else(|| message.to_owned(), |words| format!("{message} {words}"));
    Failure {
        message: match (&arguments, is_missing) {
            (Some(missing), true) => format!("{message}: {missing}"),
            _ => message,
        },
        expected: text(ContextKind::ValidValue).or_else(|| arguments.clone().filter(|_| is_missing)),
        found: text(ContextKind::InvalidValue).or_else(|| text(ContextKind::InvalidSubcommand)),
        place: arguments.filter(|_| !is_missing),
        hint: suggestion.or_else(|| Some(usage_hint(error, &text))),
        ..Failure::new("")
    }
}

/// What to do about arguments for which clap suggests nothing.
fn usage_hint(error: &clap::Error, text: &dyn Fn(ContextKind) -> Option<String>) -> String {
    let argument = text(ContextKind::InvalidArg).unwrap_or_default();
    let command = crate::invocation::texts()
        .into_iter()
        .skip(1)
        .find(|word| !word.starts_with('-'))
        .unwrap_or_default();
    let help = format!("`mapjudge {command} --help` describes the arguments");
    match error.kind() {
        ErrorKind::MissingRequiredArgument => format!("add {argument}; {help}"),
        ErrorKind::InvalidSubcommand => "`mapjudge --help` lists the commands".to_owned(),
        ErrorKind::UnknownArgument if argument.starts_with('-') && argument[1..].parse::<f64>().is_ok() => {
            format!("a number below 0 makes no sense here; {help}")
        }
        ErrorKind::UnknownArgument => format!("{help}; `mapjudge --help` lists the commands"),
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => format!("correct {argument}; {help}"),
        _ => help,
    }
}

/// Whether `--format json` is among the arguments.
pub fn wants_json(arguments: &[String]) -> bool {
    let pairs = arguments.iter().zip(arguments.iter().skip(1));
    let is_pair = |(flag, value): (&String, &String)| flag == "--format" && value == "json";
    arguments.iter().any(|argument| argument == "--format=json") || pairs.into_iter().any(is_pair)
}
