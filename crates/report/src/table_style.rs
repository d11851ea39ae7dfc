//! How tables for papers show their numbers: digits, units, and which side the methods stand on.

use metrics::Unit;
use serde::{Deserialize, Serialize};

use crate::comparison::Row;
use crate::number::{ColumnDigits, MISSING, fixed};

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

    /// How values of one metric are shown: as many digits behind the point as asked for, else the same for all of them.
    /// Counts have no digits behind the point.
    pub(crate) fn column(self, unit: Unit, values: impl IntoIterator<Item = Option<f64>>) -> StyledColumn {
        let factor = self.unit(unit).0;
        let fixed = self.digits.filter(|_| unit != Unit::Cells && unit != Unit::Points);
        let digits = ColumnDigits::of(values.into_iter().map(|value| value.map(|value| value * factor)));
        StyledColumn { factor, fixed: fixed.map(|digits| digits.min(Self::MAX_DIGITS)), digits }
    }

    /// How the values of a row are shown.
    pub(crate) fn column_of(self, row: &Row<'_>) -> StyledColumn {
        self.column(row.facts.unit, row.slots.iter().map(crate::comparison::Slot::value))
    }
}

/// How the values of one metric are shown in a table of some style.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StyledColumn {
    factor: f64,
    fixed: Option<usize>,
    digits: ColumnDigits,
}

impl StyledColumn {
    pub(crate) fn number(self, value: Option<f64>) -> String {
        let Some(value) = value.filter(|value| value.is_finite()) else { return MISSING.to_owned() };
        let value = value * self.factor;
        self.fixed.map_or_else(|| self.digits.shown(Some(value)), |digits| fixed(value, digits))
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
        let number = |style: TableStyle, value: Option<f64>, unit| style.column(unit, [value]).number(value);
        let style = TableStyle { digits: Some(1), length: LengthUnit::Cm, ..TableStyle::default() };
        assert_eq!(number(style, Some(0.12345), Unit::Metres), "12.3");
        assert_eq!(style.symbol(Unit::Metres), "cm");
        assert_eq!(number(style, Some(7.0), Unit::Cells), "7");
        assert_eq!(number(style, None, Unit::Metres), MISSING);
        assert_eq!(number(style, Some(-0.0001), Unit::Metres), "0.0");
        let radians = TableStyle { angle: AngleUnit::Rad, digits: Some(4), ..TableStyle::default() };
        assert_eq!(number(radians, Some(180.0), Unit::Degrees), "3.1416");
        assert_eq!(number(TableStyle::default(), Some(0.123_456_7), Unit::Metres), "0.12346");
    }

    #[test]
    fn without_digits_asked_for_the_values_of_a_metric_have_the_same_decimals() {
        let values = [Some(0.5), None, Some(0.1234)];
        let shown = |style: TableStyle| {
            let column = style.column(Unit::Metres, values);
            values.map(|value| column.number(value)).join(" ")
        };
        assert_eq!(shown(TableStyle::default()), "0.5000 - 0.1234");
        let millimetres = TableStyle { length: LengthUnit::Mm, ..TableStyle::default() };
        assert_eq!(shown(millimetres), "500.0 - 123.4");
    }
}
