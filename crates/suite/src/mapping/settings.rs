//! Parameters of a mapper from a file and from the command line, laid over its defaults.

use std::path::Path;

use align::trajectory::Fill;
use mapper::{DeadReckoningParams, GraphParams, RobbieParams};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::{MapperName, MappingRun};
use crate::JobError;

/// Parameters that differ from the defaults.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    values: Map<String, Value>,
    /// How poses between scans are made (L-FILL). Default: spread.
    pub fill: Fill,
}

impl Default for Settings {
    /// The defaults of the mappers; L-FILL spreads.
    fn default() -> Self {
        Self { values: Map::new(), fill: Fill::Spread }
    }
}

impl Settings {
    /// Takes the parameters of a TOML file.
    ///
    /// # Errors
    /// The file cannot be read or is no table of parameters.
    pub fn read(&mut self, path: &Path) -> Result<(), JobError> {
        let text = std::fs::read_to_string(path).map_err(|source| JobError::file(path, source))?;
        let table: Map<String, Value> = toml::from_str(&text)
            .map_err(|error| JobError::JobFile { path: path.to_owned(), message: error.to_string() })?;
        table.into_iter().try_for_each(|(name, value)| self.set(&name, value))
    }

    /// Sets a parameter as the command line says it: a number, true, false, or a word.
    ///
    /// # Errors
    /// A value that the parameter cannot have.
    pub fn set_text(&mut self, name: &str, text: &str) -> Result<(), JobError> {
        self.set(name, serde_json::from_str(text).unwrap_or_else(|_| Value::from(text)))
    }

    fn set(&mut self, name: &str, value: Value) -> Result<(), JobError> {
        if name == "fill" {
            self.fill = match value.as_str() {
                Some("spread") => Fill::Spread,
                Some("chain") => Fill::Chain,
                _ => return Err(wrong(format!("fill = {value}: expected spread or chain"))),
            };
            return Ok(());
        }
        self.values.insert(name.to_owned(), value);
        Ok(())
    }

    /// The parameters of a mapper with these laid over, and all of them as the report shows them.
    ///
    /// # Errors
    /// A parameter that the mapper does not have, or a value it cannot have.
    pub(super) fn over<P: Serialize + DeserializeOwned>(&self, defaults: &P) -> Result<(P, Value), JobError> {
        let mut shown = serde_json::to_value(defaults).map_err(|error| wrong(error.to_string()))?;
        if let Value::Object(fields) = &mut shown {
            for (name, value) in &self.values {
                if !fields.contains_key(name) {
                    let known: Vec<&str> = fields.keys().map(String::as_str).collect();
                    return Err(wrong(format!(
                        "no parameter '{name}': expected one of fill, {}",
                        known.join(", ")
                    )));
                }
                fields.insert(name.clone(), value.clone());
            }
        }
        let params = serde_json::from_value(shown.clone()).map_err(|error| wrong(error.to_string()))?;
        Ok((params, shown))
    }
}

/// A parameter of a mapper.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its value with the given ones laid over the defaults.
    pub value: Value,
    /// What it means, with its unit and where its default comes from.
    pub meaning: String,
}

/// The parameters of a mapper, by their names.
///
/// # Errors
/// A parameter that the mapper does not have, or a value it cannot have.
pub fn parameters(name: MapperName, given: &Settings, seed: u64) -> Result<Vec<Parameter>, JobError> {
    let schema = match name {
        MapperName::Robbie => schemars::schema_for!(RobbieParams),
        MapperName::Graph => schemars::schema_for!(GraphParams),
        MapperName::Odometry => schemars::schema_for!(DeadReckoningParams),
    };
    let shown = MappingRun::new(name, given, seed)?.params;
    let meaning = |name: &str| {
        let text = schema.get("properties").and_then(|all| all.get(name)?.get("description")?.as_str());
        text.unwrap_or_default().replace('\n', " ")
    };
    let fields = shown.as_object().into_iter().flatten();
    let list = fields.map(|(name, value)| Parameter {
        name: name.clone(),
        value: value.clone(),
        meaning: meaning(name),
    });
    Ok(list.collect())
}

/// Refuses a parameter outside of its range, and what is no number.
pub(super) fn check(name: &str, value: f64, least: f64, most: f64) -> Result<(), JobError> {
    let is_inside = (least..=most).contains(&value);
    is_inside.then_some(()).ok_or_else(|| wrong(format!("{name} = {value}: expected {least} to {most}")))
}

fn wrong(message: String) -> JobError {
    JobError::MapperParameter(message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_of_every_mapper_says_what_it_means() {
        for mapper in [MapperName::Robbie, MapperName::Graph, MapperName::Odometry] {
            let list = parameters(mapper, &Settings::default(), 1).unwrap();
            assert!(list.len() >= 3 && list.iter().all(|p| p.meaning.len() > 10), "{list:?}");
        }
    }

    #[test]
    fn values_are_laid_over_the_defaults_and_unknown_ones_refused() {
        let mut settings = Settings::default();
        settings.set_text("icp", "off").unwrap();
        settings.set_text("particles", "50").unwrap();
        settings.set_text("fill", "chain").unwrap();
        let (params, shown) = settings.over(&RobbieParams::PAPER).unwrap();
        assert_eq!((params.particles, shown["icp"].as_str()), (50, Some("off")));
        assert_eq!(settings.fill, Fill::Chain);
        assert!(settings.set_text("fill", "guess").is_err());
        settings.set_text("colour", "red").unwrap();
        assert!(settings.over(&RobbieParams::PAPER).unwrap_err().to_string().contains("colour"));
    }

    #[test]
    fn ranges_are_checked() {
        assert!(check("x", 0.5, 0.0, 1.0).is_ok());
        assert!(check("x", f64::NAN, 0.0, 1.0).is_err() && check("x", 2.0, 0.0, 1.0).is_err());
    }
}
