//! How tables for papers show their numbers: digits, units, and which side the methods stand on.

use metrics::Unit;
use serde::{Deserialize, Serialize};

use crate::number::{MISSING, fixed, shown};

/// How tables show their numbers. The default has five significant digits, metres and degrees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableStyle {
    /// Digits after the point; none: five significant digits.
    pub digits: Option<usize>,
    /// Unit of lengths.
    pub length: LengthUnit,
    /// Unit of angles.
    pub angle: AngleUnit,
    /// Rows and columns the other way round.
    pub is_transposed: bool,
}

/// Unit of lengths in tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum LengthUnit {
    /// Metres.
    #[default]
    M,
    /// Centimetres.
    Cm,
    /// Millimetres.
    Mm,
}

/// Unit of angles in tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum AngleUnit {
    /// Degrees.
    #[default]
    Deg,
    /// Radians.
    Rad,
}

impl TableStyle {
    /// More digits than a double holds.
    pub const MAX_DIGITS: usize = 15;

    /// What a value of this unit is multiplied with, and the symbol of the unit that it then has.
    fn unit(self, unit: Unit) -> (f64, &'static str) {
        match (unit, self.length, self.angle) {
            (Unit::Metres, LengthUnit::Cm, _) => (100.0, "cm"),
            (Unit::Metres, LengthUnit::Mm, _) => (1000.0, "mm"),
            (Unit::Degrees, _, AngleUnit::Rad) => (std::f64::consts::PI / 180.0, "rad"),
            _ => (1.0, unit.symbol()),
        }
    }

    /// The symbol of the unit that values are shown in.
    pub(crate) fn symbol(self, unit: Unit) -> &'static str {
        self.unit(unit).1
    }

    /// The number as this style shows it; counts have no digits behind the point.
    pub(crate) fn number(self, value: Option<f64>, unit: Unit) -> String {
        let Some(value) = value.filter(|value| value.is_finite()) else { return MISSING.to_owned() };
        let value = value * self.unit(unit).0;
        match self.digits {
            Some(digits) if unit != Unit::Cells && unit != Unit::Points => {
                fixed(value, digits.min(Self::MAX_DIGITS))
            }
            _ => shown(Some(value)),
        }
    }
}

/// A title short enough for the head of a column.
pub(crate) fn short_title(id: &str, title: &str) -> String {
    let short = match id {
        "ate_translation" => "ATE",
        "ate_rotation" => "ATE rotation",
        "ate_full" => "ATE full",
        "rpe_translation" => "RPE",
        "rpe_rotation" => "RPE rotation",
        "kitti_drift_translation" => "Drift",
        "kitti_drift_rotation" => "Drift rotation",
        "relative_displacement" => "Relations",
        "trajectory_coverage" => "Coverage",
        "scale_error" => "Scale error",
        _ => title,
    };
    short.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_and_units_are_those_asked_for() {
        let style = TableStyle { digits: Some(1), length: LengthUnit::Cm, ..TableStyle::default() };
        assert_eq!(style.number(Some(0.12345), Unit::Metres), "12.3");
        assert_eq!(style.symbol(Unit::Metres), "cm");
        assert_eq!(style.number(Some(7.0), Unit::Cells), "7");
        assert_eq!(style.number(None, Unit::Metres), MISSING);
        assert_eq!(style.number(Some(-0.0001), Unit::Metres), "0.0");
        let radians = TableStyle { angle: AngleUnit::Rad, digits: Some(4), ..TableStyle::default() };
        assert_eq!(radians.number(Some(180.0), Unit::Degrees), "3.1416");
        assert_eq!(TableStyle::default().number(Some(0.123_456_7), Unit::Metres), "0.12346");
    }
}
