//! Way points as text: `x y` in metres per line, blank or comma separated, `#` comments.

use model::Point2;

use crate::SimError;

/// More waypoints than this are refused.
pub const MAX_WAYPOINTS: usize = 100_000;
/// Places farther out than this are refused.
const MAX_PLACE_M: f64 = 1e6;

/// Reads waypoints.
///
/// # Errors
/// The first line that is not two finite numbers, no waypoint at all, or too many.
pub fn read_waypoints(text: &str) -> Result<Vec<Point2>, SimError> {
    let mut points = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default();
        let fields: Vec<&str> =
            line.split([' ', '\t', ',', '\r']).filter(|field| !field.is_empty()).collect();
        if fields.is_empty() {
            continue;
        }
        let fault = |found: &str| {
            SimError::waypoints(format!("line {}: expected x y in metres, found {found:?}", index + 1))
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
        if points.len() > MAX_WAYPOINTS {
            return Err(SimError::waypoints(format!("expected at most {MAX_WAYPOINTS}")));
        }
    }
    if points.is_empty() {
        return Err(SimError::waypoints("expected at least one line 'x y'".to_owned()));
    }
    Ok(points)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_come_with_blanks_or_commas_and_comments() {
        let points = read_waypoints("# x y\n1 2\n\n 3.5,\t-4 # corner\r\n").unwrap();
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
            let message = read_waypoints(text).unwrap_err().to_string();
            assert!(message.contains(expected), "{text}: {message}");
        }
    }
}
