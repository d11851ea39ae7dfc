//! One part of a layout: what its kind must have, and what it cannot have.

use std::f64::consts::TAU;

use model::{FiducialPart, Finding, Level, PartKind, Point2, Positions};

use super::{Row, note_unknown_key, place};
use crate::ReadError;
use crate::error::excerpt;
use crate::notices::Notices;

/// Free sides of corners in degrees; between them a corner cannot be told from a straight wall.
const CORNER_OPENINGS_DEG: [std::ops::RangeInclusive<f64>; 2] = [20.0..=155.0, 205.0..=340.0];
/// What is wider is no pole but a barrel.
const MAX_POLE_RADIUS_M: f64 = 1.0;

/// Radius, opening and direction of a part.
struct Shape {
    radius_m: f64,
    opening_rad: f64,
    direction_rad: f64,
}

/// A row with what its errors need.
struct Checked<'a> {
    file: &'a str,
    row: &'a Row,
}

pub(super) fn part(
    file: &str,
    row: Row,
    positions: Positions,
    notices: &mut Notices,
) -> Result<FiducialPart, ReadError> {
    let checked = Checked { file, row: &row };
    for key in row.other.keys() {
        note_unknown_key(notices, key, row.line);
    }
    let kind = checked.kind()?;
    let Shape { radius_m, opening_rad, direction_rad } = match kind {
        PartKind::Barrel => checked.barrel(notices)?,
        PartKind::Corner => checked.corner(notices)?,
        PartKind::Pole => checked.pole(notices)?,
    };
    let center = match positions {
        Positions::Given => Point2::new(checked.finite("x_m", row.x_m)?, checked.finite("y_m", row.y_m)?),
        Positions::Unknown => Point2::new(0.0, 0.0),
    };
    let direction_rad = checked.finite("direction_deg", Some(direction_rad))?;
    let height_m = checked.finite("height_m", Some(row.height_m.unwrap_or(0.0)))?;
    let range = range(&row, notices);
    let Row { fiducial, part, .. } = row;
    Ok(FiducialPart { kind, fiducial, part, center, radius_m, opening_rad, direction_rad, height_m, range })
}

fn range(row: &Row, notices: &mut Notices) -> String {
    let range = row.range.clone().unwrap_or_else(|| "none".to_owned());
    if !["short", "long", "none"].contains(&range.as_str()) {
        notices.note("LAYOUT_RANGE_UNKNOWN", row.line.max(1), || {
            let message = format!("the range {} is none of short, long and none", excerpt(range.as_bytes()));
            Finding::new(Level::Warning, "LAYOUT_RANGE_UNKNOWN", message).hint("write short, long or none")
        });
    }
    range
}

impl Checked<'_> {
    fn wrong(&self, key: &str, expected: &str, found: Option<f64>) -> ReadError {
        let found = found.map_or_else(|| "nothing".to_owned(), |number| number.to_string());
        let expected = format!("{expected} under '{key}' of part '{}'", self.row.part);
        ReadError::malformed(self.file, place(self.row.line), expected, found)
    }

    fn finite(&self, key: &str, number: Option<f64>) -> Result<f64, ReadError> {
        number.filter(|number| number.is_finite()).ok_or_else(|| self.wrong(key, "a finite number", number))
    }

    fn kind(&self) -> Result<PartKind, ReadError> {
        let Some(word) = self.row.kind.as_deref() else { return Ok(PartKind::Barrel) };
        PartKind::ALL.into_iter().find(|kind| kind.name() == word.trim()).ok_or_else(|| {
            let expected = format!("barrel, corner or pole under 'kind' of part '{}'", self.row.part);
            ReadError::malformed(self.file, place(self.row.line), expected, excerpt(word.as_bytes()))
        })
    }

    fn opening_rad(&self) -> Option<f64> {
        self.row.opening_rad.or(self.row.opening_deg.map(f64::to_radians))
    }

    /// The middle of an opening, from itself or from where the opening begins.
    fn direction_rad(&self, opening_rad: f64) -> Option<f64> {
        let from_start = self.row.start_deg.map(|start_deg| start_deg.to_radians() + opening_rad / 2.0);
        self.row.direction_rad.or(self.row.direction_deg.map(f64::to_radians)).or(from_start)
    }

    fn radius_m(&self) -> Result<f64, ReadError> {
        let radius_m = self.finite("radius_m", self.row.radius_m)?;
        match radius_m > 0.0 {
            true => Ok(radius_m),
            false => Err(self.wrong("radius_m", "a number of metres above 0", Some(radius_m))),
        }
    }

    fn barrel(&self, notices: &mut Notices) -> Result<Shape, ReadError> {
        let radius_m = self.radius_m()?;
        let opening_rad = self.finite("opening_deg", self.opening_rad())?;
        if !(opening_rad > 0.0 && opening_rad <= TAU) {
            let found = Some(opening_rad.to_degrees());
            return Err(self.wrong("opening_deg", "an angle above 0 and up to 360", found));
        }
        let direction_rad = self.direction_rad(opening_rad);
        if direction_rad.is_none() && opening_rad < TAU {
            notices.note("LAYOUT_FIELD_MISSING", self.row.line.max(1), || {
                let message = format!("part '{}' has no direction_deg; 0 was assumed", self.row.part);
                Finding::warning("LAYOUT_FIELD_MISSING", message)
                    .hint("say where the middle of the visible arc points")
            });
        }
        Ok(Shape { radius_m, opening_rad, direction_rad: direction_rad.unwrap_or(0.0) })
    }

    fn corner(&self, notices: &mut Notices) -> Result<Shape, ReadError> {
        self.note_unused(notices, PartKind::Corner, &[("radius_m", self.row.radius_m.is_some())]);
        let opening_rad = self.opening_rad();
        let direction_rad = self.direction_rad(opening_rad.unwrap_or(0.0));
        let (Some(opening_rad), Some(direction_rad)) = (opening_rad, direction_rad) else {
            if opening_rad.is_none() && direction_rad.is_none() {
                return Ok(Shape { radius_m: 0.0, opening_rad: 0.0, direction_rad: 0.0 });
            }
            let (key, expected) = match opening_rad {
                None => ("opening_deg", "the angle of the free side beside its direction"),
                Some(_) => ("direction_deg", "the direction of the free side beside its angle"),
            };
            return Err(self.wrong(key, expected, None));
        };
        let opening_deg = opening_rad.to_degrees();
        // A thousandth of a degree is rounding.
        let is_near = |range: &std::ops::RangeInclusive<f64>| {
            opening_deg >= range.start() - 1e-3 && opening_deg <= range.end() + 1e-3
        };
        if !CORNER_OPENINGS_DEG.iter().any(is_near) {
            let expected = "an angle of 20 to 155 or 205 to 340 degrees, the free side of a corner,";
            return Err(self.wrong("opening_deg", expected, Some(opening_deg)));
        }
        Ok(Shape { radius_m: 0.0, opening_rad, direction_rad })
    }

    fn pole(&self, notices: &mut Notices) -> Result<Shape, ReadError> {
        let opening = self.opening_rad().is_some();
        let direction = self.direction_rad(0.0).is_some();
        self.note_unused(notices, PartKind::Pole, &[("opening_deg", opening), ("direction_deg", direction)]);
        let radius_m = match self.row.radius_m {
            None => 0.0,
            Some(_) => self.radius_m()?,
        };
        if radius_m > MAX_POLE_RADIUS_M {
            let expected = "at most 1 m, as a pole is thin (a wider one is a barrel),";
            return Err(self.wrong("radius_m", expected, Some(radius_m)));
        }
        Ok(Shape { radius_m, opening_rad: TAU, direction_rad: 0.0 })
    }

    /// Notes keys that a part of this kind does not have.
    fn note_unused(&self, notices: &mut Notices, kind: PartKind, keys: &[(&str, bool)]) {
        for (key, _) in keys.iter().filter(|(_, is_given)| *is_given) {
            notices.note("LAYOUT_FIELD_UNUSED", self.row.line.max(1), || {
                let message = format!(
                    "part '{}' is a {} and has no {key}; it was not read",
                    self.row.part,
                    kind.name()
                );
                Finding::warning("LAYOUT_FIELD_UNUSED", message)
                    .hint("remove it, or check the kind of the part")
            });
        }
    }
}
