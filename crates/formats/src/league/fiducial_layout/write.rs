//! Writes fiducial layouts as TOML and as CSV; what they look like stands in [`crate::league::fiducial_layout`].

use std::fmt::Write;

use model::{FiducialLayout, FiducialPart, PartKind, Positions};

use crate::WriteError;
use crate::text::delimited::in_quotes;

/// Writes a layout as TOML.
///
/// # Errors
/// The layout has no parts, a number is out of its range, a name stands twice, or a pair has no parts.
pub fn write_toml(layout: &FiducialLayout) -> Result<String, WriteError> {
    check(layout)?;
    let mut text = String::new();
    for part in &layout.parts {
        let kind = match part.kind {
            PartKind::Barrel => String::new(),
            other => format!("kind = {}\n", toml_text(other.name())),
        };
        let place = match layout.positions {
            Positions::Given => format!("x_m = {:?}\ny_m = {:?}\n", part.center.x_m, part.center.y_m),
            Positions::Unknown => String::new(),
        };
        let radius =
            if has_radius(part) { format!("radius_m = {:?}\n", part.radius_m) } else { String::new() };
        let angles = match has_angles(part) {
            true => {
                let (opening_unit, opening) = angle(part.opening_rad);
                let (direction_unit, direction) = angle(part.direction_rad);
                format!("opening_{opening_unit} = {opening:?}\ndirection_{direction_unit} = {direction:?}\n")
            }
            false => String::new(),
        };
        let _ = write!(
            text,
            "[[part]]\n{kind}fiducial = {}\npart = {}\n{place}{radius}{angles}height_m = {:?}\nrange = {}\n\n",
            toml_text(&part.fiducial),
            toml_text(&part.part),
            part.height_m,
            toml_text(&part.range),
        );
    }
    for (fiducial, distance_m) in &layout.pair_distances_m {
        let _ = write!(text, "[[pair]]\nfiducial = {}\ndistance_m = {distance_m:?}\n\n", toml_text(fiducial));
    }
    Ok(text)
}

/// Writes a layout as CSV.
///
/// # Errors
/// As [`write_toml`]; also names of several lines, and an empty range.
pub fn write_csv(layout: &FiducialLayout) -> Result<String, WriteError> {
    check(layout)?;
    // One unit per column: radians as soon as one angle needs them.
    let unit = |angles: &dyn Fn(&FiducialPart) -> f64| {
        let in_degrees =
            layout.parts.iter().filter(|part| has_angles(part)).all(|part| angle(angles(part)).0 == "deg");
        if in_degrees { "deg" } else { "rad" }
    };
    let opening_unit = unit(&|part| part.opening_rad);
    let direction_unit = unit(&|part| part.direction_rad);
    let place = if layout.positions == Positions::Given { "x_m,y_m," } else { "" };
    let has_kinds = layout.parts.iter().any(|part| part.kind != PartKind::Barrel);
    let kind = if has_kinds { "kind," } else { "" };
    let mut text = format!(
        "{kind}fiducial,part,{place}radius_m,opening_{opening_unit},direction_{direction_unit},height_m,range,pair_distance_m\n"
    );
    let mut written = std::collections::BTreeSet::new();
    for part in &layout.parts {
        for name in [&part.fiducial, &part.part, &part.range] {
            if name.contains(['\n', '\r']) {
                return Err(refused(&part.part, "names of one line", format!("{name:?}")));
            }
        }
        if part.range.is_empty() {
            return Err(refused(&part.part, "a range", "none".to_owned()));
        }
        let in_unit = |unit: &str, angle_rad: f64| if unit == "deg" { angle(angle_rad).1 } else { angle_rad };
        let pair = layout.pair_distances_m.iter().find(|(fiducial, _)| *fiducial == part.fiducial);
        let pair = pair.filter(|(fiducial, _)| written.insert(fiducial.as_str()));
        let _ = writeln!(
            text,
            "{}{},{},{}{},{},{},{},{},{}",
            if has_kinds { format!("{},", part.kind.name()) } else { String::new() },
            in_quotes(&part.fiducial),
            in_quotes(&part.part),
            match layout.positions {
                Positions::Given => format!("{},{},", part.center.x_m, part.center.y_m),
                Positions::Unknown => String::new(),
            },
            given(has_radius(part), part.radius_m),
            given(has_angles(part), in_unit(opening_unit, part.opening_rad)),
            given(has_angles(part), in_unit(direction_unit, part.direction_rad)),
            part.height_m,
            in_quotes(&part.range),
            pair.map_or_else(String::new, |(_, distance_m)| distance_m.to_string()),
        );
    }
    Ok(text)
}

fn refused(place: &str, expected: &str, found: String) -> WriteError {
    WriteError::new("fiducial_layout", format!("part '{place}'"), expected, found)
}

/// A number of a column, or nothing.
fn given(is_given: bool, number: f64) -> String {
    if is_given { number.to_string() } else { String::new() }
}

/// Corners have no radius, and that of a pole may be unknown.
fn has_radius(part: &FiducialPart) -> bool {
    part.kind == PartKind::Barrel || (part.kind == PartKind::Pole && part.radius_m > 0.0)
}

/// Poles have neither opening nor direction, and those of a corner may be unknown.
fn has_angles(part: &FiducialPart) -> bool {
    part.kind == PartKind::Barrel || (part.kind == PartKind::Corner && part.opening_rad > 0.0)
}

/// What a reader would refuse is not written.
fn check(layout: &FiducialLayout) -> Result<(), WriteError> {
    if layout.parts.is_empty() {
        return Err(WriteError::new("fiducial_layout", "layout", "at least one part", "none"));
    }
    let mut names = std::collections::BTreeSet::new();
    for part in &layout.parts {
        let numbers = [part.center.x_m, part.center.y_m, part.radius_m, part.height_m, part.direction_rad];
        if let Some(number) = numbers.iter().find(|number| !number.is_finite()) {
            return Err(refused(&part.part, "finite numbers", number.to_string()));
        }
        let is_round = part.radius_m > 0.0 || part.kind != PartKind::Barrel && part.radius_m == 0.0;
        let is_open = part.opening_rad > 0.0 && part.opening_rad <= std::f64::consts::TAU;
        if !is_round || !(is_open || part.kind == PartKind::Corner && part.opening_rad == 0.0) {
            let found = format!("{} m, {} rad", part.radius_m, part.opening_rad);
            return Err(refused(&part.part, "a radius above 0 and an opening up to a full turn", found));
        }
        if part.part.is_empty() || !names.insert(part.part.as_str()) {
            return Err(refused(&part.part, "a name of its own", format!("'{}'", part.part)));
        }
    }
    let mut paired = std::collections::BTreeSet::new();
    for (fiducial, distance_m) in &layout.pair_distances_m {
        let has_parts = layout.parts.iter().any(|part| part.fiducial == *fiducial);
        if !(has_parts && paired.insert(fiducial) && distance_m.is_finite() && *distance_m >= 0.0) {
            let expected = "one distance from 0 for a fiducial that has parts";
            return Err(refused(fiducial, expected, format!("{distance_m}")));
        }
    }
    Ok(())
}

/// An angle in degrees if they give the same radians back, else in radians.
fn angle(angle_rad: f64) -> (&'static str, f64) {
    let near_deg = angle_rad.to_degrees();
    // A round number is what a person wrote; 180.0 beats 179.99999999999997.
    let rounded_deg = (near_deg * 1e6).round() / 1e6;
    let candidates = [rounded_deg, near_deg, near_deg.next_up(), near_deg.next_down()];
    let exact = candidates.into_iter().find(|degrees| degrees.to_radians() == angle_rad);
    exact.map_or(("rad", angle_rad), |degrees| ("deg", degrees))
}

fn toml_text(text: &str) -> String {
    toml::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use model::{Finding, Point2};
    use proptest::prelude::*;

    use super::*;
    use crate::{Content, NamedBytes, ReadError, ReadOptions, read_document_bytes};

    fn read(name: &str, text: &str) -> Result<(FiducialLayout, Vec<Finding>), ReadError> {
        let file = NamedBytes { name, bytes: text.as_bytes() };
        let document = read_document_bytes(file, &[], &ReadOptions::default())?;
        assert_eq!(document.format, "fiducial_layout");
        let Content::Layout(layout) = document.content else { panic!("no layout") };
        Ok((layout, document.findings))
    }

    fn half(fiducial: &str, part: &str, direction_deg: f64) -> FiducialPart {
        FiducialPart {
            kind: PartKind::Barrel,
            fiducial: fiducial.to_owned(),
            part: part.to_owned(),
            center: Point2::new(1.2, 1.0),
            radius_m: 0.3,
            opening_rad: std::f64::consts::PI,
            direction_rad: direction_deg.to_radians(),
            height_m: 1.0,
            range: "short".to_owned(),
        }
    }

    fn pair() -> FiducialLayout {
        FiducialLayout {
            parts: vec![half("F1", "F1A", 0.0), half("F1", "F1B", 180.0)],
            pair_distances_m: vec![("F1".to_owned(), 0.05)],
            positions: Positions::Given,
        }
    }

    const TOML: &str = "# arena\n[[part]]\nfiducial = \"F1\"\npart = \"F1A\"\nx_m = 1.2\ny_m = 1\nradius_m = 0.3\n\
        opening_deg = 180\ndirection_deg = 0\nheight_m = 1\nrange = \"short\"\n[[part]]\nfiducial = \"F1\"\n\
        part = \"F1B\"\nx_m = 1.2\ny_m = 1.0\nradius_m = 0.3\nopening_deg = 180.0\nstart_deg = 90.0\nheight_m = 1.0\n\
        range = \"short\"\n[[pair]]\nfiducial = \"F1\"\ndistance_m = 0.05\n";

    const CSV: &str = "id, fiducial, part, x, y, radius, phi0, opening, height, range, pair_distance\n\
        F1A,F1,A,1.2,1.0,0.30,-90,180,1,short,0.05\nF1B,F1,B,1.2,1.0,0.30,90,180,1,short,0.05\n,,,,,,,,,,\n";

    #[test]
    fn toml_and_the_columns_of_older_lists_give_the_same_layout() {
        for (name, text) in [("arena.toml", TOML), ("arena.csv", CSV)] {
            let (layout, findings) = read(name, text).unwrap();
            assert_eq!(layout, pair(), "{name}");
            assert!(findings.is_empty(), "{findings:?}");
            let odd = format!("\u{feff}{}", text.trim_end().replace('\n', "\r\n"));
            assert_eq!(read(name, &odd).unwrap().0, layout, "{name}");
        }
    }

    #[test]
    fn angles_are_written_as_people_write_them() {
        let text = write_toml(&pair()).unwrap();
        assert!(text.contains("opening_deg = 180.0\ndirection_deg = 0.0\n"), "{text}");
        let csv = write_csv(&pair()).unwrap();
        assert!(csv.contains("\"F1\",\"F1B\",1.2,1,0.3,180,180,1,\"short\",\n"), "{csv}");
    }

    #[test]
    fn oddities_are_findings_with_their_line() {
        for (from, to, code, line) in [
            ("direction_deg = 0\n", "", "LAYOUT_FIELD_MISSING", 2),
            ("range = \"short\"", "range = \"near\"", "LAYOUT_RANGE_UNKNOWN", 2),
            ("height_m = 1\n", "height = 1\n", "LAYOUT_KEY_UNKNOWN", 2),
        ] {
            let (_, findings) = read("arena.toml", &TOML.replacen(from, to, 1)).unwrap();
            let found: Vec<_> =
                findings.iter().map(|finding| (finding.code.as_ref(), finding.line)).collect();
            assert_eq!(found, [(code, Some(line))]);
        }
    }

    #[test]
    fn broken_layouts_are_refused_with_their_place() {
        for (name, text, from, to, expected) in [
            (
                "a.toml",
                TOML,
                "F1B",
                "F1A",
                "line 12: expected a name under 'part' that no other part has, found 'F1A'",
            ),
            (
                "a.toml",
                TOML,
                "radius_m = 0.3",
                "radius_m = 0",
                "line 2: expected a number of metres above 0 under 'radius_m'",
            ),
            ("a.toml", TOML, "opening_deg = 180\n", "opening_deg = 361\n", "an angle above 0 and up to 360"),
            (
                "a.toml",
                TOML,
                "x_m = 1.2\n",
                "x_m = nan\n",
                "a finite number under 'x_m' of part 'F1A', found NaN",
            ),
            (
                "a.toml",
                TOML,
                "x_m = 1.2\n",
                "x_m = \"a\"\n",
                "a.toml: line 5: expected the TOML of a fiducial layout",
            ),
            (
                "a.toml",
                TOML,
                "[[pair]]\nfiducial = \"F1\"",
                "[[pair]]\nfiducial = \"F9\"",
                "expected parts of that fiducial",
            ),
            ("a.toml", TOML, "0.05", "-1.0", "expected a number of metres from 0, found -1"),
            (
                "a.csv",
                CSV,
                "0.05\nF1B",
                "0.06\nF1B",
                "line 3: expected the pair distance 0.06 m of an earlier row",
            ),
            ("a.csv", CSV, "0.30", "big", "line 2: expected a number in column radius, found \"big\""),
            ("a.csv", CSV, ",short", "", "line 2: expected 11 fields, found 10"),
        ] {
            let error = read(name, &text.replacen(from, to, 1)).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    const FEATURES: &str = "[[part]]\nkind = \"corner\"\nfiducial = \"C1\"\npart = \"C1\"\nx_m = 1.0\ny_m = 2.0\n\
        opening_deg = 90.0\ndirection_deg = 45.0\n[[part]]\nkind = \"corner\"\nfiducial = \"C2\"\npart = \"C2\"\n\
        x_m = 3.0\ny_m = 2.0\n[[part]]\nkind = \"pole\"\nfiducial = \"P1\"\npart = \"P1\"\nx_m = 4.0\ny_m = 0.0\n\
        radius_m = 0.1\n[[part]]\nkind = \"pole\"\nfiducial = \"P2\"\npart = \"P2\"\nx_m = 5.0\ny_m = 0.0\n";

    #[test]
    fn corners_and_poles_have_what_is_known_of_them() {
        let (layout, findings) = read("arena.toml", FEATURES).unwrap();
        assert!(findings.is_empty(), "{findings:?}");
        let shape = |part: &FiducialPart| {
            let degrees = [part.opening_rad, part.direction_rad].map(|rad| rad.to_degrees().round());
            (part.kind, part.radius_m, degrees)
        };
        let shapes: Vec<_> = layout.parts.iter().map(shape).collect();
        assert_eq!(
            shapes,
            [
                (PartKind::Corner, 0.0, [90.0, 45.0]),
                (PartKind::Corner, 0.0, [0.0, 0.0]),
                (PartKind::Pole, 0.1, [360.0, 0.0]),
                (PartKind::Pole, 0.0, [360.0, 0.0]),
            ]
        );
        let csv = write_csv(&layout).unwrap();
        assert!(csv.starts_with("kind,fiducial,part,x_m,y_m,radius_m,"), "{csv}");
        assert!(csv.contains("pole,\"P2\",\"P2\",5,0,,,,0,\"none\",\n"), "{csv}");
        assert_eq!(read("arena.csv", &csv).unwrap().0, layout);
        assert_eq!(read("arena.toml", &write_toml(&layout).unwrap()).unwrap().0, layout);
        let (bare, _) = read("corners.csv", "kind,fiducial,part,x_m,y_m\ncorner,C,C,1,2\n").unwrap();
        assert_eq!(bare.parts[0].kind, PartKind::Corner);
    }

    #[test]
    fn hostile_corners_and_poles_are_refused() {
        for (from, to, expected) in [
            ("\"corner\"", "\"cube\"", "line 1: expected barrel, corner or pole under 'kind' of part 'C1'"),
            ("opening_deg = 90.0", "opening_deg = 180.0", "an angle of 20 to 155 or 205 to 340 degrees"),
            ("opening_deg = 90.0", "opening_deg = nan", "an angle of 20 to 155"),
            (
                "opening_deg = 90.0\n",
                "",
                "the angle of the free side beside its direction under 'opening_deg'",
            ),
            ("direction_deg = 45.0\n", "", "the direction of the free side beside its angle"),
            ("direction_deg = 45.0", "direction_deg = inf", "a finite number under 'direction_deg'"),
            ("radius_m = 0.1", "radius_m = -0.1", "a number of metres above 0 under 'radius_m' of part 'P1'"),
            ("radius_m = 0.1", "radius_m = 1e300", "at most 1 m"),
            ("x_m = 4.0\n", "", "a finite number under 'x_m' of part 'P1', found nothing"),
            ("y_m = 2.0\nopening", "y_m = inf\nopening", "a finite number under 'y_m' of part 'C1'"),
        ] {
            let error = read("arena.toml", &FEATURES.replacen(from, to, 1)).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
        let walls = "kind,fiducial,part,pair_distance_m\ncorner,C,C1,0.1\ncorner,C,C2,0.1\n";
        let error = read("arena.csv", walls).unwrap_err().to_string();
        assert!(error.contains("expected a position of a corner, found none"), "{error}");
    }

    #[test]
    fn what_a_kind_does_not_have_is_a_finding() {
        for (from, to) in [
            ("direction_deg = 45.0", "direction_deg = 45.0\nradius_m = 0.3"),
            ("radius_m = 0.1", "opening_deg = 90"),
        ] {
            let (_, findings) = read("arena.toml", &FEATURES.replacen(from, to, 1)).unwrap();
            assert_eq!(findings[0].code, "LAYOUT_FIELD_UNUSED", "{findings:?}");
        }
    }

    #[test]
    fn what_would_not_be_read_is_not_written() {
        let mut layout = pair();
        layout.parts[1].part = "F1A".to_owned();
        assert!(write_toml(&layout).unwrap_err().to_string().contains("a name of its own"));
        layout = pair();
        layout.parts[0].radius_m = 0.0;
        assert!(write_csv(&layout).unwrap_err().to_string().contains("a radius above 0"));
        assert!(write_csv(&FiducialLayout::default()).is_err());
    }

    fn layouts() -> impl Strategy<Value = FiducialLayout> {
        let angle = || prop_oneof![(1u16..=360).prop_map(|deg| f64::from(deg).to_radians()), 1e-3..6.2f64];
        let word = || "[ -~äß]{1,6}";
        let part = (word(), -1e3..1e3f64, 1e-3..9.0f64, angle(), angle(), 0.0..3.0f64, word());
        (prop::collection::vec(part, 1..6), 0.0..1.0f64).prop_map(|(parts, distance_m)| {
            let parts: Vec<_> = parts
                .into_iter()
                .enumerate()
                .map(|(index, part)| {
                    // Two parts of one fiducial would contradict a random distance.
                    let (fiducial, x_m, radius_m, opening_rad, direction_rad, height_m, range) = part;
                    let center = Point2::new(x_m, -x_m / 3.0);
                    let (fiducial, part) = (format!("{index}{fiducial}"), format!("{index}\"é"));
                    FiducialPart {
                        kind: PartKind::Barrel,
                        fiducial,
                        part,
                        center,
                        radius_m,
                        opening_rad,
                        direction_rad,
                        height_m,
                        range,
                    }
                })
                .collect();
            let pair_distances_m = vec![(parts[0].fiducial.clone(), distance_m)];
            FiducialLayout { parts, pair_distances_m, positions: Positions::Given }
        })
    }

    proptest! {
        #[test]
        fn writing_and_reading_gives_the_same_layout(layout in layouts()) {
            let toml = write_toml(&layout).unwrap();
            prop_assert_eq!(&read("arena.toml", &toml).unwrap().0, &layout, "{}", toml);
            let csv = write_csv(&layout).unwrap();
            prop_assert_eq!(&read("arena.csv", &csv).unwrap().0, &layout, "{}", csv);
        }
    }
}
