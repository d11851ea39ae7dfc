//! Why a mapper cannot be made from the given settings.

/// Settings that a mapper refuses.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MapperError {
    #[error("no mapper '{name}': expected one of {}", known.join(", "))]
    UnknownMapper { name: String, known: Vec<&'static str> },
    #[error("no parameter '{name}': expected one of {}", known.join(", "))]
    UnknownParameter { name: String, known: Vec<String> },
    #[error("'{name}' is no parameter any more: it is a constant of the mapper")]
    ConstantParameter { name: String },
    #[error("'{name}' is no parameter any more: use {now}")]
    RenamedParameter { name: String, now: &'static str },
    #[error("{name} = {value}: expected {min} to {max}")]
    OutOfRange { name: String, value: f64, min: f64, max: f64 },
    /// A value of the wrong type, or a word that the parameter does not know.
    #[error("{0}")]
    Value(String),
}

impl MapperError {
    /// A name of the error that never changes.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::UnknownMapper { .. } => "MAPPER_UNKNOWN",
            Self::UnknownParameter { .. } => "MAPPER_PARAMETER_UNKNOWN",
            Self::ConstantParameter { .. } => "MAPPER_PARAMETER_CONSTANT",
            Self::RenamedParameter { .. } => "MAPPER_PARAMETER_RENAMED",
            Self::OutOfRange { .. } => "MAPPER_PARAMETER_RANGE",
            Self::Value(_) => "MAPPER_PARAMETER_VALUE",
        }
    }
}
