//! The objects of a MIF file, each with its style lines.
//!
//! Curves become lines and rings of short chords: an ellipse or an arc gets a vertex each 2 degrees, so that a chord
//! lies at most 0.016 % of the radius inside the curve. Rings that are not closed are closed.

use model::{Finding, Level, Point2, Shape};

use crate::ReadError;
use crate::notices::Notices;
use crate::text::table_limits::check_rows;
use crate::vector::mif::header::ToMetres;
use crate::vector::mif::scanner::Scanner;

/// Angle between the vertices of a curve.
const CHORD_DEG: f64 = 2.0;
/// Keywords of lines that say how an object is drawn (MapInfo Interchange Format).
const STYLES: [&str; 10] =
    ["pen", "brush", "symbol", "smooth", "center", "font", "spacing", "justify", "angle", "label"];

/// An object of the file.
#[derive(Debug, PartialEq)]
pub(crate) struct Object {
    pub shape: Shape,
    /// Style lines as written.
    pub style: Vec<String>,
}

/// Reads all objects up to the end of the file.
pub(crate) fn read_all(
    scanner: &mut Scanner<'_>,
    to_metres: ToMetres,
    notices: &mut Notices,
) -> Result<Vec<Object>, ReadError> {
    let mut reader = ObjectReader { scanner, to_metres, notices };
    let mut objects: Vec<Object> = Vec::new();
    while let Some(word) = reader.scanner.keyword()? {
        let word = word.to_ascii_lowercase();
        if STYLES.contains(&word.as_str()) {
            let line = reader.scanner.line_from_keyword();
            match objects.last_mut() {
                Some(object) => object.style.push(line.to_owned()),
                None => return Err(reader.scanner.wrong("an object before its style", format!("'{word}'"))),
            }
        } else if let Some(shape) = reader.shape(&word)? {
            check_rows(reader.scanner.file(), objects.len())?;
            objects.push(Object { shape, style: Vec::new() });
        }
    }
    Ok(objects)
}

struct ObjectReader<'r, 'a> {
    scanner: &'r mut Scanner<'a>,
    to_metres: ToMetres,
    notices: &'r mut Notices,
}

impl ObjectReader<'_, '_> {
    /// The shape under a keyword in lower case; none if the keyword is unknown and was skipped.
    fn shape(&mut self, word: &str) -> Result<Option<Shape>, ReadError> {
        Ok(Some(match word {
            "none" => Shape::None,
            "point" => Shape::Point(self.point()?),
            "line" => Shape::Lines(vec![self.points(2)?]),
            "pline" => Shape::Lines(self.polyline()?),
            "region" => Shape::Area(self.region()?),
            "multipoint" => {
                let count = self.count_of_points()?;
                Shape::MultiPoint(self.points(count)?)
            }
            "rect" => Shape::Area(vec![self.corners()?.rectangle()]),
            "roundrect" => Shape::Area(vec![self.rounded_rectangle()?]),
            "ellipse" => Shape::Area(vec![self.ellipse()?]),
            "arc" => Shape::Lines(vec![self.arc()?]),
            "text" => self.text()?,
            "collection" => {
                let error = self.scanner.wrong("an object of one kind", "'Collection'");
                return Err(error.with_hint("save the parts of the collection as objects of their own"));
            }
            _ => {
                self.skip(word);
                return Ok(None);
            }
        }))
    }

    /// Skips a line of an unknown keyword, and the numbers below it.
    fn skip(&mut self, word: &str) {
        self.scanner.note_unknown(word, self.notices);
        self.scanner.line_from_keyword();
        while self
            .scanner
            .peek_word()
            .is_some_and(|word| !word.starts_with(|c: char| c.is_ascii_alphabetic()))
        {
            self.scanner.next_line();
        }
    }

    fn point(&mut self) -> Result<Point2, ReadError> {
        let x = self.scanner.number("an x coordinate")?;
        let y = self.scanner.number("a y coordinate")?;
        let point = self.to_metres.point(x, y);
        if point.x_m.is_finite() && point.y_m.is_finite() {
            return Ok(point);
        }
        Err(self.scanner.wrong("coordinates within the range of numbers", format!("{x}, {y}")))
    }

    fn count_of_points(&mut self) -> Result<usize, ReadError> {
        self.scanner.count("the number of points")
    }

    /// Grows with what the file holds, never with what it claims.
    fn points(&mut self, count: usize) -> Result<Vec<Point2>, ReadError> {
        (0..count).map(|_| self.point()).collect()
    }

    fn polyline(&mut self) -> Result<Vec<Vec<Point2>>, ReadError> {
        let is_multiple = self.scanner.peek_word().is_some_and(|word| word.eq_ignore_ascii_case("multiple"));
        let mut sections = 1;
        if is_multiple {
            self.scanner.skip_word();
            sections = self.scanner.count("the number of sections")?;
        }
        let mut lines = Vec::new();
        for _ in 0..sections {
            let count = self.count_of_points()?;
            lines.push(self.points(count)?);
        }
        Ok(lines)
    }

    fn region(&mut self) -> Result<Vec<Vec<Point2>>, ReadError> {
        let count = self.scanner.count("the number of polygons")?;
        let mut rings = Vec::new();
        for _ in 0..count {
            rings.push(self.ring()?);
        }
        Ok(rings)
    }

    fn ring(&mut self) -> Result<Vec<Point2>, ReadError> {
        let count = self.count_of_points()?;
        if count < 3 {
            return Err(self.scanner.wrong("at least 3 points in a polygon", count.to_string()));
        }
        let line = self.scanner.line();
        let mut ring = self.points(count)?;
        if ring.first() != ring.last() {
            ring.extend(ring.first().copied());
            self.notices.note("RING_CLOSED", line, || {
                let message = "a ring of a region does not end where it begins; it was closed";
                Finding::new(Level::Info, "RING_CLOSED", message).hint("repeat the first point at the end")
            });
        }
        Ok(ring)
    }

    fn corners(&mut self) -> Result<Box2, ReadError> {
        let (a, b) = (self.point()?, self.point()?);
        Ok(Box2 {
            min: Point2::new(a.x_m.min(b.x_m), a.y_m.min(b.y_m)),
            max: Point2::new(a.x_m.max(b.x_m), a.y_m.max(b.y_m)),
        })
    }

    /// A rectangle whose corners are arcs; the number after the corners is the diameter of the rounding.
    fn rounded_rectangle(&mut self) -> Result<Vec<Point2>, ReadError> {
        let bounds = self.corners()?;
        let corner = self.point_offset()?;
        let radius_m = corner.min(bounds.width_m() / 2.0).min(bounds.height_m() / 2.0);
        self.note_curve();
        if radius_m <= 0.0 {
            return Ok(bounds.rectangle());
        }
        let (min, max) = (bounds.min, bounds.max);
        let (left, right) = (min.x_m + radius_m, max.x_m - radius_m);
        let (low, high) = (min.y_m + radius_m, max.y_m - radius_m);
        let quarters = [(right, low, -90.0), (right, high, 0.0), (left, high, 90.0), (left, low, 180.0)];
        let mut ring: Vec<_> = quarters
            .iter()
            .flat_map(|&(x_m, y_m, from_deg)| {
                chords(Point2::new(x_m, y_m), (radius_m, radius_m), from_deg, from_deg + 90.0)
            })
            .collect();
        ring.extend(ring.first().copied());
        Ok(ring)
    }

    /// Half of the diameter of a rounding, in metres along x.
    fn point_offset(&mut self) -> Result<f64, ReadError> {
        let diameter = self.scanner.number("the rounding of the corners")?;
        let length_m = (self.to_metres.point(diameter, 0.0).x_m - self.to_metres.point(0.0, 0.0).x_m).abs();
        Ok(length_m / 2.0)
    }

    fn ellipse(&mut self) -> Result<Vec<Point2>, ReadError> {
        let bounds = self.corners()?;
        self.note_curve();
        let mut ring = chords(bounds.center(), bounds.radii_m(), 0.0, 360.0);
        // The last vertex is the first one; rounding must not tell them apart.
        ring.pop();
        ring.extend(ring.first().copied());
        Ok(ring)
    }

    /// An arc of the ellipse in a box, counter-clockwise between two angles in degrees.
    fn arc(&mut self) -> Result<Vec<Point2>, ReadError> {
        let bounds = self.corners()?;
        let from_deg = self.scanner.number("the start angle in degrees")?;
        let to_deg = self.scanner.number("the end angle in degrees")?;
        self.note_curve();
        let mut span_deg = (to_deg - from_deg).rem_euclid(360.0);
        if span_deg == 0.0 {
            span_deg = 360.0;
        }
        let from_deg = from_deg.rem_euclid(360.0);
        Ok(chords(bounds.center(), bounds.radii_m(), from_deg, from_deg + span_deg))
    }

    fn text(&mut self) -> Result<Shape, ReadError> {
        let text = unescaped(&self.scanner.quoted_text()?);
        Ok(Shape::Text { place: self.corners()?.min, text })
    }

    fn note_curve(&mut self) {
        self.notices.note("CURVE_APPROXIMATED", self.scanner.line(), || {
            let message = "a curve was read as chords of 2 degrees";
            Finding::new(Level::Info, "CURVE_APPROXIMATED", message)
        });
    }
}

struct Box2 {
    min: Point2,
    max: Point2,
}

impl Box2 {
    fn rectangle(&self) -> Vec<Point2> {
        let (min, max) = (self.min, self.max);
        vec![min, Point2::new(max.x_m, min.y_m), max, Point2::new(min.x_m, max.y_m), min]
    }

    fn width_m(&self) -> f64 {
        self.max.x_m - self.min.x_m
    }

    fn height_m(&self) -> f64 {
        self.max.y_m - self.min.y_m
    }

    // Halves first: the sum of two large corners would overflow.
    fn center(&self) -> Point2 {
        Point2::new(self.min.x_m / 2.0 + self.max.x_m / 2.0, self.min.y_m / 2.0 + self.max.y_m / 2.0)
    }

    fn radii_m(&self) -> (f64, f64) {
        (self.max.x_m / 2.0 - self.min.x_m / 2.0, self.max.y_m / 2.0 - self.min.y_m / 2.0)
    }
}

/// Vertices of an arc of an ellipse, counter-clockwise, both ends included.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
fn chords(center: Point2, (a_m, b_m): (f64, f64), from_deg: f64, to_deg: f64) -> Vec<Point2> {
    let steps = ((to_deg - from_deg) / CHORD_DEG).ceil().clamp(1.0, 360.0 / CHORD_DEG) as usize;
    let at = |step: usize| {
        let angle_rad = (from_deg + (to_deg - from_deg) * step as f64 / steps as f64).to_radians();
        Point2::new(center.x_m + a_m * angle_rad.cos(), center.y_m + b_m * angle_rad.sin())
    };
    (0..=steps).map(at).collect()
}

/// A text object keeps its line breaks as `\n`, and a backslash as two.
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                Some('n') => plain.push('\n'),
                Some('\\') | None => plain.push('\\'),
                Some(other) => plain.extend(['\\', other]),
            },
            _ => plain.push(letter),
        }
    }
    plain
}

/// True if a line is a style line and would be read back as the same one.
pub(crate) fn is_style(line: &str) -> bool {
    let word: String = line.chars().take_while(char::is_ascii_alphabetic).collect();
    let ends = line[word.len()..].starts_with([' ', '\t', ',', '(', '"']) || line.len() == word.len();
    let is_plain = !line.contains(['\n', '\r']) && line.trim() == line && !line.ends_with(',');
    STYLES.contains(&word.to_ascii_lowercase().as_str()) && ends && is_plain
}

/// The inverse of [`unescaped`].
pub(crate) fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<(Vec<Object>, Vec<Finding>), ReadError> {
        let mut notices = Notices::default();
        let mut scanner = Scanner::new("f.mif", text);
        scanner.next_line();
        let header =
            crate::vector::mif::header::read(&mut Scanner::new("h", "Data\n"), &mut Notices::default())
                .unwrap();
        let objects = read_all(&mut scanner, header.to_metres, &mut notices)?;
        Ok((objects, notices.into_findings()))
    }

    fn shapes(text: &str) -> Vec<Shape> {
        let (objects, _) = read(&format!("Data\n{text}")).unwrap_or_else(|error| panic!("{error}"));
        objects.into_iter().map(|object| object.shape).collect()
    }

    fn points(numbers: &[f64]) -> Vec<Point2> {
        numbers.chunks(2).map(|pair| Point2::new(pair[0], pair[1])).collect()
    }

    #[test]
    fn every_straight_object_is_read() {
        let text = "POINT 12.5, -3.25\nline 1 2 3 4\nPline 3\n0 0\n1 0\n1,1\nPLINE MULTIPLE 2\n 2\n0 0\n1 1\n 1\n5 5\n\
            Pline\n2\n7 7\n8 8\nRegion 2\n4\n0 0\n9 0\n9 9\n0 0\n4\n1 1\n2 1\n2 2\n1 1\nRect 3 4 1 2\nNone\n\
            Multipoint 2\n1 1\n2 2\nText \"a \\n\"\"b\"\"\\\\\"\n 3 9 1 2\n";
        let expected = vec![
            Shape::Point(Point2::new(12.5, -3.25)),
            Shape::Lines(vec![points(&[1.0, 2.0, 3.0, 4.0])]),
            Shape::Lines(vec![points(&[0.0, 0.0, 1.0, 0.0, 1.0, 1.0])]),
            Shape::Lines(vec![points(&[0.0, 0.0, 1.0, 1.0]), points(&[5.0, 5.0])]),
            Shape::Lines(vec![points(&[7.0, 7.0, 8.0, 8.0])]),
            Shape::Area(vec![
                points(&[0.0, 0.0, 9.0, 0.0, 9.0, 9.0, 0.0, 0.0]),
                points(&[1.0, 1.0, 2.0, 1.0, 2.0, 2.0, 1.0, 1.0]),
            ]),
            Shape::Area(vec![points(&[1.0, 2.0, 3.0, 2.0, 3.0, 4.0, 1.0, 4.0, 1.0, 2.0])]),
            Shape::None,
            Shape::MultiPoint(points(&[1.0, 1.0, 2.0, 2.0])),
            Shape::Text { place: Point2::new(1.0, 2.0), text: "a \n\"b\"\\".to_owned() },
        ];
        assert_eq!(shapes(text), expected);
    }

    #[test]
    fn an_ellipse_is_a_closed_ring_of_the_right_area() {
        let Shape::Area(rings) = &shapes("Ellipse 0 0 4 2\n")[0] else { panic!("no area") };
        assert_eq!((rings[0].len(), rings[0].first()), (181, rings[0].last()));
        let area_m2: f64 = rings[0]
            .windows(2)
            .map(|pair| pair[0].x_m * pair[1].y_m - pair[1].x_m * pair[0].y_m)
            .sum::<f64>()
            / 2.0;
        // π a b with a = 2, b = 1; 180 chords lose 0.02 %.
        assert!((area_m2 / std::f64::consts::TAU - 1.0).abs() < 3e-4, "{area_m2}");
    }

    #[test]
    fn an_arc_runs_counter_clockwise_between_its_angles() {
        let Shape::Lines(lines) = &shapes("Arc 0 0 2 2\n 90 180\nPen (1,2,0)\n")[0] else {
            panic!("no line")
        };
        let (first, last) = (lines[0][0], lines[0][lines[0].len() - 1]);
        assert_eq!(lines[0].len(), 46);
        assert!((first.x_m - 1.0).abs() < 1e-12 && (first.y_m - 2.0).abs() < 1e-12, "{first:?}");
        assert!(last.x_m.abs() < 1e-12 && (last.y_m - 1.0).abs() < 1e-12, "{last:?}");
        // 350 to 10 degrees crosses 0.
        let Shape::Lines(lines) = &shapes("Arc 0 0 2 2 350 10\n")[0] else { panic!("no line") };
        assert_eq!(lines[0].len(), 11);
        assert!((lines[0][5].x_m - 2.0).abs() < 1e-12, "{:?}", lines[0][5]);
    }

    #[test]
    fn a_rounded_rectangle_keeps_its_sides_and_loses_its_corners() {
        let Shape::Area(rings) = &shapes("Roundrect 0 0 10 4\n 2\n")[0] else { panic!("no area") };
        let ring = &rings[0];
        assert_eq!(ring.first(), ring.last());
        let near = |x: f64, y: f64| ring.iter().any(|p| (p.x_m - x).abs() + (p.y_m - y).abs() < 1e-9);
        assert!(near(9.0, 0.0) && near(10.0, 1.0) && near(1.0, 4.0) && near(0.0, 3.0));
        assert!(!near(0.0, 0.0) && !near(10.0, 4.0));
        let Shape::Area(rings) = &shapes("Roundrect 0 0 10 4 0\n")[0] else { panic!("no area") };
        assert_eq!(rings[0].len(), 5);
    }

    #[test]
    fn styles_are_kept_as_written_with_their_object() {
        let text = "Data\nPoint 1 2\n  Symbol(34, 1, 4)\nPoint 3 4 Symbol (1)\nRegion 1 3 0 0 1 0 1 1\nBrush (2, 65280)\n";
        let (objects, findings) = read(text).unwrap();
        let styles: Vec<_> = objects.iter().map(|object| object.style.join("|")).collect();
        assert_eq!(styles, ["Symbol(34, 1, 4)", "Symbol (1)", "Brush (2, 65280)"]);
        assert_eq!((findings[0].code.as_ref(), findings[0].line), ("RING_CLOSED", Some(5)));
        assert!(read("Data\nPen (1,2,3)\n").unwrap_err().to_string().contains("an object before its style"));
    }

    #[test]
    fn unknown_objects_are_skipped_with_their_numbers_and_counted() {
        let (objects, findings) =
            read("Data\nPoint 1 2\nBlob 3\n1 2\n3 4\nBlob 1\n(7)\nPoint 3 4\n").unwrap();
        assert_eq!(objects.len(), 2);
        assert_eq!((findings[0].code.as_ref(), findings[0].line), ("UNKNOWN_RECORD", Some(3)));
        assert!(findings[0].message.contains("2 times"));
    }

    #[test]
    fn broken_objects_are_refused_with_their_line() {
        for (text, expected) in [
            ("Point 1\n", "line 2: expected a y coordinate, found the end of the file"),
            ("Point 1 NaN\n", "line 2: expected a y coordinate, found \"NaN\""),
            ("Pline 3\n0 0\n1 1\nPoint 1 1\n", "line 5: expected an x coordinate, found \"Point\""),
            ("Pline 99999999999\n0 0\n", "line 3: expected an x coordinate, found the end of the file"),
            ("Region 1\n2\n0 0\n1 1\n", "line 3: expected at least 3 points in a polygon, found 2"),
            ("Region -1\n", "line 2: expected the number of polygons"),
            ("12 13\n", "line 2: expected an object or a style"),
            ("Text \"abc\n1 1 2 2\n", "line 2: expected a closing quote"),
            ("Collection 2\n", "line 2: expected an object of one kind"),
        ] {
            let error = read(&format!("Data\n{text}")).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
