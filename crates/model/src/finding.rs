//! What a reader noticed about a file. Findings travel into the report; they are never silently fixed.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How serious a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Worth knowing.
    Info,
    /// The result may not mean what the user thinks.
    Warning,
    /// The file breaks a rule.
    Error,
}

/// One thing noticed about an input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// How serious it is.
    pub level: Level,
    /// Stable name in capitals, such as `UNKNOWN_MAY_READ_AS_FREE`.
    pub code: Cow<'static, str>,
    /// Line of the file, counted from 1, where the finding has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// What was found, where, and what it means.
    pub message: String,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl Finding {
    /// A finding without a hint.
    pub fn new(level: Level, code: &'static str, message: impl Into<String>) -> Self {
        Self { level, code: Cow::Borrowed(code), line: None, message: message.into(), hint: None }
    }

    /// A warning without a hint.
    pub fn warning(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(Level::Warning, code, message)
    }

    /// The same finding at a line of its file, counted from 1.
    #[must_use]
    pub fn at_line(mut self, line: usize) -> Self {
        self.line = Some(line);
        self
    }

    /// The same finding with advice.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}
