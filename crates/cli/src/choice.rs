//! Choices named as in job files, so that their names exist once.

use serde_json::Value;

use crate::output::Failure;

/// Sets a choice by its name in the job file, so that names exist once.
pub fn set_word<T: serde::de::DeserializeOwned>(
    slot: &mut T,
    flag: &str,
    word: Option<&str>,
) -> Result<(), Failure> {
    if let Some(word) = word {
        *slot = serde_json::from_value(Value::from(word))
            .map_err(|error| Failure::new(format!("{flag} {word}: {error}")))?;
    }
    Ok(())
}
