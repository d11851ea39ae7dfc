//! Point lists (`.pts`) of the 2024 judge tool: the label of a map, then one labelled point per line.
//!
//! ```text
//! Labyrinth 1m
//! hazmat 3,12.5,-3.25
//! qr A,4,9
//! ```
//!
//! Submissions are in metres; ground truth of that tool is in pixels. The file does not say which, so the numbers are
//! passed on as they stand. Labels may repeat and may hold commas: the last two fields are the coordinates. A label
//! in double quotes, doubled inside, may hold anything but a line end.

use std::collections::BTreeSet;
use std::fmt::Write;

use model::{Finding, Level, Point2, PointList};

use crate::error::excerpt;
use crate::format::{Format, Input, ReadContent, Reader, Sniff, without_byte_order_mark};
use crate::notices::Notices;
use crate::text::delimited::{in_quotes, quoted};
use crate::text::table_limits::{check_rows, table_bytes};
use crate::text::text_encoding::text_of;
use crate::{Content, Place, ReadError, ReadOptions, WriteError};

pub(crate) const FORMAT: Format =
    Format { name: "point_list", title: "point list", sniff, reader: Reader::Content(read) };

/// Bytes in which a first point is looked for.
const SNIFFED_BYTES: usize = 1 << 12;

fn sniff(bytes: &[u8], name: &str) -> Sniff {
    if !name.ends_with(".pts") {
        return Sniff::No;
    }
    // With the ending, a label and two numbers are sign enough, and so is a label alone; without it they are none.
    let is_point = |line: &str| split(line.trim()).is_some_and(Numbers::is_given);
    let bytes = without_byte_order_mark(bytes);
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(SNIFFED_BYTES)]);
    let has_only_label = text.lines().filter(|line| !line.trim().is_empty()).count() == 1;
    if has_only_label || text.lines().any(is_point) { Sniff::ByBytes } else { Sniff::ByName }
}

fn read(input: &mut Input<'_>, _options: &ReadOptions) -> Result<ReadContent, ReadError> {
    let (file, bytes) = table_bytes(&mut input.source)?;
    let mut findings = Vec::new();
    let mut notices = Notices::default();
    let text = text_of(bytes, &mut findings);
    let mut lines = text.lines().map(str::trim).enumerate().peekable();
    let is_point = |line: &str| !line.starts_with('"') && split(line).is_some_and(Numbers::is_given);
    let first = lines.next_if(|(_, line)| !is_point(line));
    let map = match first {
        Some((_, line)) => label_of(line).unwrap_or_else(|| line.to_owned()),
        None => {
            notices.push(label_missing());
            String::new()
        }
    };
    if text.trim().is_empty() || map.contains(char::is_control) {
        let found = excerpt(bytes);
        return Err(ReadError::malformed(file, Place::Line(1), "the label of a map", found));
    }
    let mut points = Vec::new();
    for (index, line) in lines.filter(|(_, line)| !line.is_empty()) {
        check_rows(file, points.len())?;
        points.push(point(file, index + 1, line)?);
    }
    if points.is_empty() {
        let hint = "write one line label,x,y per point";
        notices.push(Finding::warning("POINT_LIST_EMPTY", "the list has no points").hint(hint));
    }
    let mut labels = BTreeSet::new();
    if let Some((label, _)) = points.iter().find(|(label, _)| !labels.insert(label.as_str())) {
        let message = format!("the label {} stands on several lines", excerpt(label.as_bytes()));
        notices.push(Finding::new(Level::Info, "POINT_LABEL_REPEATED", message).hint(
            "points of one label are matched one to one; give each its own label where you can tell them apart",
        ));
    }
    findings.extend(notices.into_findings());
    Ok(ReadContent { content: Content::Points(PointList { map, points }), findings })
}

fn label_missing() -> Finding {
    let message = "the first line is a point instead of the label of the map";
    Finding::warning("POINT_MAP_LABEL_MISSING", message)
        .at_line(1)
        .hint("write the label of the map on a line before")
}

/// The label and the two numbers of a line, as written.
#[derive(Clone, Copy)]
struct Numbers<'a> {
    label: &'a str,
    x: &'a str,
    y: &'a str,
}

impl Numbers<'_> {
    fn point(self) -> Option<Point2> {
        let number = |text: &str| text.trim().parse().ok().filter(|number: &f64| number.is_finite());
        Some(Point2::new(number(self.x)?, number(self.y)?))
    }

    fn is_given(self) -> bool {
        self.point().is_some()
    }
}

fn split(line: &str) -> Option<Numbers<'_>> {
    let (rest, y) = line.rsplit_once(',')?;
    let (label, x) = rest.rsplit_once(',')?;
    Some(Numbers { label: label.trim(), x, y })
}

fn point(file: &str, line: usize, text: &str) -> Result<(String, Point2), ReadError> {
    let wrong =
        |expected: &str| ReadError::malformed(file, Place::Line(line), expected, excerpt(text.as_bytes()));
    let numbers = split(text).ok_or_else(|| wrong("label,x,y"))?;
    let point = numbers.point().ok_or_else(|| wrong("two finite numbers after the label"))?;
    let label = if numbers.label.starts_with('"') {
        label_of(numbers.label).ok_or_else(|| wrong("a closing quote after the label"))?
    } else {
        numbers.label.to_owned()
    };
    Ok((label, point))
}

/// The content of a label in quotes, if it is one.
fn label_of(written: &str) -> Option<String> {
    let (label, rest) = quoted(written.strip_prefix('"')?)?;
    rest.is_empty().then(|| label.into_owned())
}

/// Writes a point list.
///
/// # Errors
/// A label has several lines or control characters, or a coordinate is not finite.
pub fn write(list: &PointList) -> Result<String, WriteError> {
    let refused =
        |place: String, expected: &str, found: String| WriteError::new("point_list", place, expected, found);
    let label = |label: &str, place: &dyn Fn() -> String| {
        if label.contains(char::is_control) {
            return Err(refused(
                place(),
                "a label without line ends and other control characters",
                format!("{label:?}"),
            ));
        }
        let is_plain = !label.is_empty() && label.trim() == label && !label.starts_with(['"', '\u{feff}']);
        Ok(if is_plain { label.to_owned() } else { in_quotes(label) })
    };
    let mut map = label(&list.map, &|| "map".to_owned())?;
    if split(&map).is_some_and(Numbers::is_given) {
        map = in_quotes(&map);
    }
    let mut text = format!("{map}\n");
    for (index, (name, point)) in list.points.iter().enumerate() {
        let place = || format!("point {}", index + 1);
        if !(point.x_m.is_finite() && point.y_m.is_finite()) {
            return Err(refused(place(), "finite coordinates", format!("({}, {})", point.x_m, point.y_m)));
        }
        let _ = writeln!(text, "{},{},{}", label(name, &place)?, point.x_m, point.y_m);
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{NamedBytes, read_document_bytes};

    fn read(text: &str) -> Result<(PointList, Vec<String>), ReadError> {
        let file = NamedBytes { name: "truth.pts", bytes: text.as_bytes() };
        let document = read_document_bytes(file, &[], &ReadOptions::default())?;
        let Content::Points(list) = document.content else { panic!("no points") };
        Ok((list, document.findings.into_iter().map(|finding| finding.code.into_owned()).collect()))
    }

    #[test]
    fn the_first_line_is_the_map_and_the_others_are_points() {
        let (list, codes) = read("\u{feff}Labyrinth, 1m\r\nhazmat, 3, 12.5, -3.25\r\n\r\nqr A,4,9").unwrap();
        assert_eq!(list.map, "Labyrinth, 1m");
        let expected = [("hazmat, 3", 12.5, -3.25), ("qr A", 4.0, 9.0)];
        let expected = expected.map(|(label, x, y)| (label.to_owned(), Point2::new(x, y)));
        assert_eq!(list.points, expected);
        assert!(codes.is_empty());
    }

    #[test]
    fn repeated_labels_and_a_missing_map_are_noted() {
        let (list, codes) = read("a,1,2\na,3,4\n").unwrap();
        assert_eq!((list.map.as_str(), list.points.len()), ("", 2));
        assert_eq!(codes, ["POINT_MAP_LABEL_MISSING", "POINT_LABEL_REPEATED"]);
    }

    #[test]
    fn broken_lines_are_refused() {
        for (text, expected) in [
            ("", "truth.pts: line 1: expected the label of a map, found nothing"),
            ("\u{1}\u{2}", "truth.pts: line 1: expected the label of a map"),
            ("map\na,1\n", "truth.pts: line 2: expected label,x,y"),
            ("map\na,1,NaN\n", "line 2: expected two finite numbers after the label"),
            ("map\n\"a,1,2\n", "line 2: expected a closing quote after the label"),
            ("map\na,1,2\nb\n", "line 3: expected label,x,y"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn a_list_without_points_is_no_text_grid() {
        let (list, codes) = read("b\n").unwrap();
        assert_eq!((list.map.as_str(), list.points.len()), ("b", 0));
        assert_eq!(codes, ["POINT_LIST_EMPTY"]);
    }

    proptest! {
        #[test]
        fn writing_and_reading_gives_the_same_list(
            map in "[ -~äß\u{feff}]{0,12}",
            points in prop::collection::vec(("[ -~äß\u{feff}]{0,8}", -1e6..1e6f64, any::<i32>()), 0..6),
        ) {
            let points = points.into_iter().map(|(label, x, y)| (label, Point2::new(x, f64::from(y)))).collect();
            let list = PointList { map, points };
            prop_assert_eq!(read(&write(&list).unwrap()).unwrap().0, list);
        }
    }

    #[test]
    fn a_map_label_that_looks_like_a_point_comes_back() {
        let list =
            PointList { map: "a,1,2".to_owned(), points: vec![("\"b\"".to_owned(), Point2::new(0.0, 1.0))] };
        let text = write(&list).unwrap();
        assert_eq!(text, "\"a,1,2\"\n\"\"\"b\"\"\",0,1\n");
        assert_eq!(read(&text).unwrap().0, list);
    }
}
