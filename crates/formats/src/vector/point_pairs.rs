//! Pairs of points that a judge clicked in a map and in its truth: one pair per line, four numbers.
//!
//! ```text
//! map_x_m,map_y_m,truth_x_m,truth_y_m
//! 1.5,0.25,11.4,3.0
//! ```
//!
//! Metres in the frames of the two files; commas, semicolons or blanks part the numbers; `#` begins a comment. A first
//! line that is no number is a header.

use model::Point2;

use crate::error::excerpt;
use crate::format::without_byte_order_mark;
use crate::text::number_rows::read_row;
use crate::{Place, ReadError};

/// More pairs than anyone clicks.
const MAX_PAIRS: usize = 100_000;

/// Reads pairs (in the map, in the truth).
///
/// # Errors
/// A line without four finite numbers, or more than 100 000 pairs.
pub fn read_point_pairs(file: &str, bytes: &[u8]) -> Result<Vec<(Point2, Point2)>, ReadError> {
    let mut pairs = Vec::new();
    for (index, line) in without_byte_order_mark(bytes).split(|&byte| byte == b'\n').enumerate() {
        let mut numbers = [f64::NAN; 4];
        let row = read_row(line.trim_ascii(), &mut numbers);
        if row.fields == 0 || (index == 0 && row.is_unreadable) {
            continue;
        }
        if row.fields != 4 || row.is_unreadable || numbers.iter().any(|number| !number.is_finite()) {
            let expected = "four numbers: x and y in the map, x and y in the truth";
            return Err(ReadError::malformed(file, Place::Line(index + 1), expected, excerpt(line)));
        }
        if pairs.len() == MAX_PAIRS {
            let expected = "at most 100000 pairs";
            return Err(ReadError::malformed(file, Place::Line(index + 1), expected, "more"));
        }
        let [a, b, c, d] = numbers;
        pairs.push((Point2::new(a, b), Point2::new(c, d)));
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<(Point2, Point2)>, ReadError> {
        read_point_pairs("clicks.csv", text.as_bytes())
    }

    #[test]
    fn with_and_without_a_header() {
        let expected = vec![(Point2::new(1.0, 2.0), Point2::new(3.0, -4.5))];
        assert_eq!(read("1,2,3,-4.5\n").unwrap(), expected);
        assert_eq!(read("map_x_m,map_y_m,truth_x_m,truth_y_m\r\n1;2;3;-4.5\r\n# end").unwrap(), expected);
        assert_eq!(read("").unwrap(), []);
    }

    #[test]
    fn a_line_that_is_no_pair_is_named() {
        for bad in ["1,2,3,4\n1,2,3", "1,2,3,4\n1,2,3,x", "1,2,3,nan\n", "1,2,3,4,5"] {
            let message = read(bad).unwrap_err().to_string();
            assert!(message.contains("line") && message.contains("clicks.csv"), "{message}");
        }
    }
}
