//! A mapper as the list of all mappers holds it: name, summary, documented parameters, and how it is made.

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::{Mapper, MapperError, RangeDevice};

/// Parameters by name that differ from a mapper's defaults.
pub type Settings = Map<String, Value>;

/// The parameters of a mapper. Ranges stand once, as `#[schemars(range(..))]` at the field.
pub trait MapperParams: Serialize + DeserializeOwned + JsonSchema + Default {
    /// Names that parameters had once, and those that they have today, or that contain them.
    const RENAMED: &'static [(&'static str, &'static str)] = &[];
    /// Names that were parameters once and are constants beside the code today.
    const CONSTANT: &'static [&'static str] = &[];

    /// The same with a seed, where the mapper draws random numbers.
    #[must_use]
    fn seeded(self, _seed: u64) -> Self {
        self
    }

    /// Refuses values outside of the ranges of the fields.
    ///
    /// # Errors
    /// The first parameter that is out of range.
    fn check(&self) -> Result<(), MapperError> {
        let schema = schemars::schema_for!(Self);
        let Value::Object(values) = to_value(self)? else { return Ok(()) };
        for (name, value) in &values {
            let Some([min, max]) = range(&schema, name) else { continue };
            // A number that JSON cannot hold is not finite.
            let value = value.as_f64().unwrap_or(f64::NAN);
            if !(min..=max).contains(&value) {
                return Err(MapperError::OutOfRange { name: name.clone(), value, min, max });
            }
        }
        Ok(())
    }
}

/// A mapper that can stand in the list.
pub trait ListedMapper: Mapper + Sized + 'static {
    /// What a user types.
    const NAME: &'static str;
    /// One line for a list.
    const SUMMARY: &'static str;
    /// What it maps from.
    const DEVICE: RangeDevice = RangeDevice::Laser;
    type Params: MapperParams;

    /// A mapper at the origin that has seen nothing.
    fn with_params(params: Self::Params) -> Self;
}

/// Makes a mapper from its settings and a seed.
type Make = fn(&Settings, u64) -> Result<Box<dyn Mapper>, MapperError>;

/// A mapper of the list.
#[derive(Clone, Copy, Debug)]
pub struct MapperEntry {
    pub name: &'static str,
    pub summary: &'static str,
    /// What it maps from.
    pub device: RangeDevice,
    make: Make,
    parameters: fn(&Settings, u64) -> Result<Vec<Parameter>, MapperError>,
}

impl PartialEq for MapperEntry {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Serialize for MapperEntry {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name)
    }
}

/// A parameter of a mapper.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Parameter {
    pub name: String,
    /// The default, or what the settings lay over it.
    pub value: Value,
    /// By the ending of the name; empty for counts and choices.
    pub unit: &'static str,
    /// Smallest and largest value; null for choices.
    pub range: Option<[f64; 2]>,
    /// What it means, and where its default comes from.
    pub meaning: String,
}

impl MapperEntry {
    /// The entry of a mapper.
    #[must_use]
    pub const fn of<M: ListedMapper>() -> Self {
        Self {
            name: M::NAME,
            summary: M::SUMMARY,
            device: M::DEVICE,
            make: make::<M>,
            parameters: parameters::<M::Params>,
        }
    }

    /// A mapper at the origin that has seen nothing.
    ///
    /// # Errors
    /// A parameter that the mapper does not have, or a value that it cannot have.
    pub fn make(&self, settings: &Settings, seed: u64) -> Result<Box<dyn Mapper>, MapperError> {
        (self.make)(settings, seed)
    }

    /// All parameters with the values that [`MapperEntry::make`] would use.
    ///
    /// # Errors
    /// As [`MapperEntry::make`].
    pub fn parameters(&self, settings: &Settings, seed: u64) -> Result<Vec<Parameter>, MapperError> {
        (self.parameters)(settings, seed)
    }
}

fn make<M: ListedMapper>(settings: &Settings, seed: u64) -> Result<Box<dyn Mapper>, MapperError> {
    Ok(Box::new(M::with_params(params(settings, seed)?)))
}

/// The defaults with settings laid over, checked.
pub(crate) fn params<P: MapperParams>(settings: &Settings, seed: u64) -> Result<P, MapperError> {
    let mut fields = match to_value(&P::default().seeded(seed))? {
        Value::Object(fields) => fields,
        _ => Map::new(),
    };
    for (name, value) in settings {
        if P::CONSTANT.contains(&name.as_str()) {
            return Err(MapperError::ConstantParameter { name: name.clone() });
        }
        if let Some((_, now)) = P::RENAMED.iter().find(|(former, _)| former == name) {
            return Err(MapperError::RenamedParameter { name: name.clone(), now });
        }
        if !fields.contains_key(name) {
            let known = fields.keys().cloned().collect();
            return Err(MapperError::UnknownParameter { name: name.clone(), known });
        }
        fields.insert(name.clone(), value.clone());
    }
    let params: P = serde_json::from_value(Value::Object(fields)).map_err(|error| unreadable(&error))?;
    params.check()?;
    Ok(params)
}

fn parameters<P: MapperParams>(settings: &Settings, seed: u64) -> Result<Vec<Parameter>, MapperError> {
    let schema = schemars::schema_for!(P);
    let Value::Object(values) = to_value(&params::<P>(settings, seed)?)? else { return Ok(Vec::new()) };
    let parameter = |(name, value): (String, Value)| {
        let text = schema.get("properties").and_then(|all| all.get(&name)?.get("description")?.as_str());
        let meaning = text.unwrap_or_default().replace('\n', " ");
        Parameter { unit: unit(&name), range: range(&schema, &name), value, meaning, name }
    };
    Ok(values.into_iter().map(parameter).collect())
}

fn range(schema: &schemars::Schema, name: &str) -> Option<[f64; 2]> {
    let field = schema.get("properties")?.get(name)?;
    Some([field.get("minimum")?.as_f64()?, field.get("maximum")?.as_f64()?])
}

fn unit(name: &str) -> &'static str {
    match name.rsplit('_').next() {
        Some("m") => "m",
        Some("rad") => "rad",
        Some("ratio") => "ratio",
        _ => "",
    }
}

fn to_value<P: Serialize>(params: &P) -> Result<Value, MapperError> {
    serde_json::to_value(params).map_err(|error| unreadable(&error))
}

fn unreadable(error: &serde_json::Error) -> MapperError {
    MapperError::Value(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(pairs: &[(&str, Value)]) -> Settings {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
    }

    #[test]
    fn every_parameter_of_every_mapper_is_documented_and_few_enough_to_turn() {
        for entry in crate::all() {
            let list = entry.parameters(&Settings::new(), 1).unwrap();
            assert!((3..=14).contains(&list.len()), "{}: {}", entry.name, list.len());
            for parameter in &list {
                assert!(parameter.meaning.len() > 10, "{parameter:?}");
                assert_eq!(
                    parameter.value.is_number() && parameter.name != "seed",
                    parameter.range.is_some()
                );
            }
            assert!(entry.make(&Settings::new(), 1).is_ok() && entry.summary.len() > 10);
        }
    }

    #[test]
    fn settings_are_laid_over_the_defaults_and_unknown_ones_refused() {
        let robbie = crate::find("robbie").unwrap();
        let given = settings(&[("icp", "off".into()), ("particles", 50.into())]);
        let list = robbie.parameters(&given, 9).unwrap();
        let value = |name: &str| list.iter().find(|p| p.name == name).unwrap().value.clone();
        assert_eq!((value("icp"), value("particles"), value("seed")), ("off".into(), 50.into(), 9.into()));
        for (pairs, code) in [
            ([("colour", Value::from("red"))], "MAPPER_PARAMETER_UNKNOWN"),
            ([("resample_way_m", 0.1.into())], "MAPPER_PARAMETER_CONSTANT"),
            ([("top_share", 0.1.into())], "MAPPER_PARAMETER_RENAMED"),
            ([("cell_size_m", 0.into())], "MAPPER_PARAMETER_RANGE"),
            ([("cell_size_m", Value::Null)], "MAPPER_PARAMETER_VALUE"),
            ([("icp", "sideways".into())], "MAPPER_PARAMETER_VALUE"),
        ] {
            let error = robbie.make(&settings(&pairs), 1).err().unwrap();
            assert_eq!(error.code(), code, "{error}");
        }
        assert_eq!(crate::find("nobody").unwrap_err().code(), "MAPPER_UNKNOWN");
    }

    #[test]
    fn no_former_name_is_a_parameter_today() {
        fn clash<P: MapperParams>() -> bool {
            let Value::Object(fields) = to_value(&P::default()).unwrap() else { return true };
            let is_here = |name: &&str| fields.contains_key(*name);
            P::CONSTANT.iter().any(is_here)
                || P::RENAMED.iter().any(|(former, now)| is_here(former) || !is_here(now))
        }
        assert!(!clash::<crate::GraphParams>() && !clash::<crate::RobbieParams>());
    }
}
