//! Why a place or an arena could not be made, or a map could not be damaged.

use model::{GeometryError, GridError};

/// Why a place could not be made or a map could not be damaged.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SimError {
    /// A parameter lies outside of its range.
    #[error("{name} = {found}: expected {expected}")]
    Parameter {
        /// Name of the field.
        name: &'static str,
        found: f64,
        /// The range, in words.
        expected: &'static str,
    },
    /// The place has no room for a corridor with rooms on both sides.
    #[error(
        "place of {width_cells} x {height_cells} cells inside its walls: expected at least {needed_cells} x {needed_cells}"
    )]
    TooSmall {
        /// Columns inside the outer walls.
        width_cells: i64,
        /// Rows inside the outer walls.
        height_cells: i64,
        /// Smallest side that works.
        needed_cells: i64,
    },
    /// A plan of an arena cannot be understood or built.
    #[error("plan: {0}")]
    Plan(String),
    /// Way points cannot be understood.
    #[error("waypoints: {0}")]
    Waypoints(String),
    /// No kind of damage has this name.
    #[error("no kind of damage '{0}': expected one of {list}", list = crate::damage::KINDS.map(|kind| kind.spec.name).join(", "))]
    UnknownKind(String),
    /// A strength of damage lies outside of its range, or is no number.
    #[error("{kind} = {found}: expected {low} to {high}{space}{unit}", space = if unit.is_empty() { "" } else { " " })]
    Strength { kind: &'static str, found: f64, low: f64, high: f64, unit: &'static str },
    /// A chain of damage without a link.
    #[error("the chain of damage is empty: expected KIND=STRENGTH, with commas between")]
    EmptyChain,
    /// The map has nothing that this kind could damage.
    #[error("{kind}: nothing to damage, the map has no {missing}")]
    NothingToDamage { kind: &'static str, missing: &'static str },
    /// The damage would fold the map over itself.
    #[error("{kind} = {found_m} m would fold this map over itself: expected at most {max_m:.3} m")]
    Folds { kind: &'static str, found_m: f64, max_m: f64 },
    /// The damage would leave no known cell.
    #[error("{kind} = {strength} leaves no known cell")]
    NothingLeft { kind: &'static str, strength: f64 },
    /// A map that was written could not be read again: a mistake of this program.
    #[error("a map that was saved could not be read again: {0}")]
    SavedAgain(String),
    /// The size asked for makes no grid.
    #[error(transparent)]
    Geometry(#[from] GeometryError),
    /// The cells made do not fill the grid: a mistake of this crate.
    #[error(transparent)]
    Grid(#[from] GridError),
}

impl SimError {
    /// A name of the error that never changes.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Parameter { .. } => "SIM_PARAMETER_RANGE",
            Self::TooSmall { .. } => "SIM_PLACE_TOO_SMALL",
            Self::Plan(_) => "SIM_PLAN",
            Self::Waypoints(_) => "SIM_WAYPOINTS",
            Self::UnknownKind(_) => "DAMAGE_UNKNOWN",
            Self::Strength { .. } => "DAMAGE_STRENGTH",
            Self::EmptyChain => "DAMAGE_EMPTY",
            Self::NothingToDamage { .. } => "NOTHING_TO_DAMAGE",
            Self::Folds { .. } => "DAMAGE_FOLDS",
            Self::NothingLeft { .. } => "DAMAGE_NOTHING_LEFT",
            Self::SavedAgain(_) => "DAMAGE_SAVED_AGAIN",
            Self::Geometry(_) => "SIM_GEOMETRY",
            Self::Grid(_) => "SIM_GRID",
        }
    }

    /// The code of an error about damage; none for the others.
    #[must_use]
    pub fn damage_code(&self) -> Option<&'static str> {
        let code = self.code();
        (code.starts_with("DAMAGE") || code == "NOTHING_TO_DAMAGE").then_some(code)
    }

    /// A plan that cannot be understood: where, what was expected, what was found.
    pub(crate) fn plan(message: impl Into<String>) -> Self {
        Self::Plan(message.into())
    }

    /// Way points that cannot be understood.
    pub(crate) fn waypoints(message: impl Into<String>) -> Self {
        Self::Waypoints(message.into())
    }

    /// Refuses a number that is not within the range, or not a number.
    pub(crate) fn check_range(
        name: &'static str,
        found: f64,
        range: std::ops::RangeInclusive<f64>,
        expected: &'static str,
    ) -> Result<(), Self> {
        if range.contains(&found) { Ok(()) } else { Err(Self::Parameter { name, found, expected }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_outside_of_the_range_and_non_numbers_are_refused() {
        for found in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
            assert!(SimError::check_range("chance", found, 0.0..=1.0, "0 to 1").is_err(), "{found}");
        }
        assert_eq!(SimError::check_range("chance", 1.0, 0.0..=1.0, "0 to 1"), Ok(()));
    }

    #[test]
    fn a_message_says_what_was_found_and_expected() {
        let error = SimError::check_range("chance", 2.0, 0.0..=1.0, "0 to 1").unwrap_err();
        assert_eq!(error.to_string(), "chance = 2: expected 0 to 1");
    }
}
