//! Way points as text: `x y` in metres per line, blank or comma separated, `#` comments.

use model::Point2;

use crate::SimError;

/// More way points than this are refused.
pub const MAX_WAY_POINTS: usize = 100_000;
/// Places farther out than this are refused.
const MAX_PLACE_M: f64 = 1e6;

/// Reads way points.
///
/// # Errors
/// The first line that is not two finite numbers, no way point at all, or too many.
pub fn read_way_points(text: &str) -> Result<Vec<Point2>, SimError> {
    let mut points = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default();
        let fields: Vec<&str> =
            line.split([' ', '\t', ',', '\r']).filter(|field| !field.is_empty()).collect();
        if fields.is_empty() {
            continue;
        }
        let fault = |found: &str| {
            SimError::way_points(format!("line {}: expected x y in metres, found {found:?}", index + 1))
        };
        let [x, y] = fields[..] else {
            return Err(fault(&format!("{} fields", fields.len())));
        };
        let number = |field: &str| {
            let value: Option<f64> = field.parse().ok();
            value
                .filter(|v| v.abs() <= MAX_PLACE_M)
                .ok_or_else(|| fault(&field.chars().take(40).collect::<String>()))
        };
        points.push(Point2::new(number(x)?, number(y)?));
        if points.len() > MAX_WAY_POINTS {
            return Err(SimError::way_points(format!("expected at most {MAX_WAY_POINTS}")));
        }
    }
    if points.is_empty() {
        return Err(SimError::way_points("expected at least one line 'x y'".to_owned()));
    }
    Ok(points)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_come_with_blanks_or_commas_and_comments() {
        let points = read_way_points("# x y\n1 2\n\n 3.5,\t-4 # corner\r\n").unwrap();
        assert_eq!(points, [Point2::new(1.0, 2.0), Point2::new(3.5, -4.0)]);
    }

    #[test]
    fn faults_name_their_line() {
        for (text, expected) in [
            ("1 2\n3", "line 2"),
            ("1 nan", "line 1"),
            ("1 2 3", "3 fields"),
            ("a b", "\"a\""),
            ("# x", "at least one"),
        ] {
            let message = read_way_points(text).unwrap_err().to_string();
            assert!(message.contains(expected), "{text}: {message}");
        }
    }
}
