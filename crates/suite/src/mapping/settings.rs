//! Settings of a mapping run: parameters of the mapper that differ from its defaults, and how poses between scans are made.

use align::trajectory::Fill;
use mapper::{Mapper, MapperEntry, MapperError, Parameter};
use serde_json::Value;

/// Parameters that differ from the defaults.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    values: mapper::Settings,
    /// How poses between scans are made (L-FILL). Default: spread.
    pub fill: Fill,
}

impl Default for Settings {
    /// The defaults of the mappers; L-FILL spreads.
    fn default() -> Self {
        Self { values: mapper::Settings::new(), fill: Fill::default() }
    }
}

impl Settings {
    /// Takes the parameters of a TOML table.
    ///
    /// # Errors
    /// The text is no TOML table, or a value of `fill` that does not exist.
    pub fn set_table(&mut self, toml: &str) -> Result<(), MapperError> {
        let table: mapper::Settings =
            toml::from_str(toml).map_err(|error| MapperError::Value(error.to_string()))?;
        table.into_iter().try_for_each(|(name, value)| self.set(&name, value))
    }

    /// Sets a parameter from text: a number, true, false, or a word.
    ///
    /// # Errors
    /// A value of `fill` that does not exist; the mapper checks the others.
    pub fn set_text(&mut self, name: &str, text: &str) -> Result<(), MapperError> {
        self.set(name, serde_json::from_str(text).unwrap_or_else(|_| Value::from(text)))
    }

    /// A mapper with these settings.
    ///
    /// # Errors
    /// A parameter that the mapper does not have, or a value it cannot have.
    pub(crate) fn mapper(&self, mapper: MapperEntry, seed: u64) -> Result<Box<dyn Mapper>, MapperError> {
        mapper.make(&self.values, seed).map_err(with_fill)
    }

    fn set(&mut self, name: &str, value: Value) -> Result<(), MapperError> {
        if name == "fill" {
            let shown = value.to_string();
            self.fill = serde_json::from_value(value)
                .map_err(|_| MapperError::Value(format!("fill = {shown}: expected spread or chain")))?;
            return Ok(());
        }
        self.values.insert(name.to_owned(), value);
        Ok(())
    }
}

/// The parameters of a mapper with the values that a run would use.
///
/// # Errors
/// A parameter that the mapper does not have, or a value it cannot have.
pub fn parameters(
    mapper: MapperEntry,
    settings: &Settings,
    seed: u64,
) -> Result<Vec<Parameter>, MapperError> {
    mapper.parameters(&settings.values, seed).map_err(with_fill)
}

/// An error that lists the known parameters lists `fill` too, which every mapper shares.
fn with_fill(error: MapperError) -> MapperError {
    match error {
        MapperError::UnknownParameter { name, mut known } => {
            known.insert(0, "fill".to_owned());
            MapperError::UnknownParameter { name, known }
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_come_from_tables_and_text_and_unknown_ones_are_refused() {
        let robbie = mapper::find("robbie").unwrap();
        let mut settings = Settings::default();
        settings.set_table("icp = 'off'\nparticles = 20").unwrap();
        settings.set_text("particles", "50").unwrap();
        settings.set_text("fill", "chain").unwrap();
        let list = parameters(robbie, &settings, 1).unwrap();
        let value = |name: &str| list.iter().find(|p| p.name == name).unwrap().value.clone();
        assert_eq!((value("particles"), value("icp"), settings.fill), (50.into(), "off".into(), Fill::Chain));
        assert!(settings.set_text("fill", "guess").is_err() && settings.set_table("icp").is_err());
        settings.set_text("colour", "red").unwrap();
        let error = parameters(robbie, &settings, 1).unwrap_err().to_string();
        assert!(error.contains("'colour': expected one of fill, particles"), "{error}");
    }
}
