//! Writes detection lists: of version 1.2, or of their own version.

use std::fmt::Write;

use model::{Detection, DetectionTable};

use crate::WriteError;
use crate::league::detection_csv::columns::Name;
use crate::league::detection_csv::header::VALUES;
use crate::text::delimited::in_quotes;

/// Writes a list in version 1.2, whatever its version was. Rows without a type get the one that the kind of an older
/// list means: `qr` of `qr codes`, `victim` of `victims`.
///
/// # Errors
/// A text has several lines, or a coordinate is not finite.
pub fn write(table: &DetectionTable) -> Result<String, WriteError> {
    write_as(table, "pois", "1.2")
}

/// Writes a list in its own version, and in version 1.2 if that is none that is known.
///
/// # Errors
/// As [`write()`].
pub fn write_in_version(table: &DetectionTable) -> Result<String, WriteError> {
    match table.version.as_str() {
        version @ ("1.0" | "1.1") => write_as(table, &table.kind, version),
        _ => write(table),
    }
}

fn write_as(table: &DetectionTable, kind: &str, version: &str) -> Result<String, WriteError> {
    one_line(kind, || "header, kind".to_owned())?;
    let mut text = format!("{}\n{}\n", in_quotes(kind), in_quotes(version));
    for name in VALUES {
        let value = table.header.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value);
        one_line(value, || format!("header, {name}"))?;
        let _ = writeln!(text, "{}", in_quotes(value));
    }
    text.push('\n');
    let columns = Name::of_version(version);
    let word = |name: &Name| match name {
        // Version 1.0 calls the text of a victim its name.
        Name::Text if version == "1.0" && kind == "victims" => "name",
        name => name.word(),
    };
    text += &columns.iter().map(word).collect::<Vec<_>>().join(",");
    text.push('\n');
    for (index, row) in table.rows.iter().enumerate() {
        let fields = fields_of(index, row, default_type(table))?;
        text += &fields[..columns.len()].join(",");
        text.push('\n');
    }
    Ok(text)
}

/// What rows without a type are.
fn default_type(table: &DetectionTable) -> &'static str {
    match table.kind.to_lowercase().as_str() {
        "qr codes" => "qr",
        "victims" => "victim",
        _ => "",
    }
}

/// The fields of a row, in the order of [`Name::ALL`].
fn fields_of(index: usize, row: &Detection, default_type: &str) -> Result<[String; 9], WriteError> {
    let place = |name: &str| format!("row {}, {name}", index + 1);
    let kind = if row.kind.is_empty() { default_type } else { &row.kind };
    for (name, value) in [
        ("id", row.id.as_str()),
        ("time", &row.time),
        ("text", &row.text),
        ("robot", &row.robot),
        ("mode", &row.mode),
        ("type", kind),
    ] {
        one_line(value, || place(name))?;
    }
    if let Some(found) = row.position_m.iter().find(|coordinate_m| !coordinate_m.is_finite()) {
        let expected = "a finite number of metres";
        return Err(WriteError::new("detection_csv", place("position"), expected, found.to_string()));
    }
    let [x, y, z] = row.position_m.map(|coordinate_m| coordinate_m.to_string());
    let (id, time, mode, kind) = (plain(&row.id), plain(&row.time), plain(&row.mode), plain(kind));
    Ok([id, time, in_quotes(&row.text), x, y, z, in_quotes(&row.robot), mode, kind])
}

fn one_line(value: &str, place: impl Fn() -> String) -> Result<(), WriteError> {
    if value.contains(['\n', '\r']) {
        return Err(WriteError::new("detection_csv", place(), "a text of one line", format!("{value:?}")));
    }
    Ok(())
}

/// A field without quotes where it can do without.
fn plain(value: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "_-.:".contains(letter);
    if value.chars().all(is_plain) { value.to_owned() } else { in_quotes(value) }
}

#[cfg(test)]
mod tests {
    use model::Finding;
    use proptest::prelude::*;

    use super::*;
    use crate::{Content, NamedBytes, ReadError, ReadOptions, read_document_bytes};

    fn read(text: &str) -> Result<(DetectionTable, Vec<Finding>), ReadError> {
        let file = NamedBytes { name: "pois.csv", bytes: text.as_bytes() };
        let document = read_document_bytes(file, &[], &ReadOptions::default())?;
        assert_eq!(document.format, "detection_csv");
        let Content::Detections(table) = document.content else { panic!("no table") };
        Ok((table, document.findings))
    }

    fn findings(text: &str) -> Vec<(String, usize)> {
        let (_, findings) = read(text).unwrap_or_else(|error| panic!("{error}"));
        findings.into_iter().map(|finding| (finding.code.into_owned(), finding.line.unwrap_or(0))).collect()
    }

    const GOOD: &str = "\"pois\"\n\"1.2\"\n\"ALeRT\"\n\"Germany\"\n\"2024-07-19\"\n\"14:30:05\"\n\"Prelim1\"\n\n\
        id,time,text,x,y,z,robot,mode,type\n1,14:32:10,\"AB, 12\",1.25,-0.5,0.3,\"r1\",A,qr\n\
        2,14:33:10,\"hazmat \"\"3\"\"\",2,3,0,\"r1\",T,hazmat\n";

    #[test]
    fn a_list_by_the_rules_is_read_without_findings() {
        let (table, findings) = read(GOOD).unwrap();
        assert!(findings.is_empty(), "{findings:?}");
        assert_eq!((table.kind.as_str(), table.version.as_str()), ("pois", "1.2"));
        let header: Vec<_> = table.header.iter().map(|(key, value)| format!("{key}={value}")).collect();
        assert_eq!(
            header,
            ["team=ALeRT", "country=Germany", "date=2024-07-19", "time=14:30:05", "mission=Prelim1"]
        );
        assert_eq!(table.rows[0].text, "AB, 12");
        assert_eq!(table.rows[0].position_m, [1.25, -0.5, 0.3]);
        assert_eq!((table.rows[1].text.as_str(), table.rows[1].mode.as_str()), ("hazmat \"3\"", "T"));
        assert_eq!(write(&table).unwrap(), GOOD);
        assert_eq!(read(&format!("\u{feff}{}", GOOD.trim_end().replace('\n', "\r\n"))).unwrap().0, table);
    }

    #[test]
    fn older_versions_are_read_by_their_columns() {
        let victims = "\"victims\"\n\"1.0\"\n\"Hector\"\n\"Germany\"\n\"2012-06-20\"\n\"10:00:00\"\n\"Final\"\n\n\
            id,time,name,x,y,z\n1,10:01:00,\"v_0\",1,2,0.5\n";
        let (table, findings) = read(victims).unwrap();
        assert!(findings.is_empty(), "{findings:?}");
        assert_eq!((table.rows[0].text.as_str(), table.rows[0].robot.as_str()), ("v_0", ""));
        assert!(write(&table).unwrap().ends_with("1,10:01:00,\"v_0\",1,2,0.5,\"\",,victim\n"));
        let codes = victims.replace("victims", "qr codes").replace("\"1.0\"", "\"1.1\"");
        let codes = codes.replace("name,x,y,z", "text,x,y,z,robot,mode").replace("0.5\n", "0.5,\"p\",A\n");
        assert!(read(&codes).unwrap().1.is_empty());
    }

    #[test]
    fn each_deviation_is_a_finding_of_its_own_with_its_line() {
        for (from, to, code, line) in [
            ("x,y,z,", "x-coord,y,z,", "CSV_COLUMN_RENAMED", 9),
            ("text,x", "text,size,x", "CSV_COLUMN_UNKNOWN", 9),
            (",type\n", "\n", "CSV_COLUMN_MISSING", 9),
            ("2024-07-19", "7/19/2024", "CSV_DATE_FORM", 5),
            ("\"14:30:05\"", "\"2 pm\"", "CSV_TIME_FORM", 6),
            ("1,14:32:10", "1,soon", "CSV_TIME_FORM", 10),
            ("\"ALeRT\"", "ALeRT", "CSV_HEADER_NOT_QUOTED", 3),
            ("\"AB, 12\"", "AB12", "CSV_TEXT_NOT_QUOTED", 10),
            ("\"r1\",A", "'r1',A", "CSV_SINGLE_QUOTES", 10),
            ("\n\n", "\n", "CSV_BLANK_LINE_MISSING", 8),
            ("\"ALeRT\"", "\"\"", "CSV_TEAM_MISSING", 3),
            ("\"Germany\"\n", "", "CSV_COUNTRY_MISSING", 6),
            ("\"Prelim1\"", "\"\"", "CSV_MISSION_MISSING", 7),
            ("\n1,14", "\n0,14", "CSV_IDS_FROM_ZERO", 10),
            ("\n1,14", "\n,14", "CSV_ID_MISSING", 10),
            ("\n2,14", "\n1,14", "CSV_ID_REPEATED", 11),
            ("A,qr", "A,qr,,,", "CSV_TRAILING_COMMAS", 10),
            ("\"1.2\"", "\"1.2\",,,,", "CSV_TRAILING_COMMAS", 2),
            (",mode,type\n", ",mode,type,,,\n", "CSV_TRAILING_COMMAS", 9),
            ("T,hazmat\n", "T,hazmat\n,,,,,,,,\n", "CSV_TRAILING_COMMAS", 12),
            ("T,hazmat", "T", "CSV_ROW_SHORT", 11),
            ("A,qr", "A,banana", "CSV_TYPE_UNKNOWN", 10),
            ("A,qr", "auto,qr", "CSV_MODE_UNKNOWN", 10),
            ("\"pois\"", "\"things\"", "CSV_KIND_UNKNOWN", 1),
            ("\"pois\"", "\"victims\"", "CSV_KIND_OF_OTHER_VERSION", 1),
            ("\"1.2\"", "\"2.0\"", "CSV_VERSION_UNKNOWN", 2),
            (
                "hazmat \"\"3\"\"\",2,3,0,\"r1\",T,hazmat",
                "AB, 12\",2,3,0,\"r1\",T,qr",
                "CSV_TEXT_REPEATED",
                11,
            ),
        ] {
            let text = GOOD.replacen(from, to, 1);
            assert_ne!(text, GOOD, "{from}");
            let found = if code == "CSV_COLUMN_UNKNOWN" {
                findings(&text.replace("\",1.25", "\",s,1.25").replace("\",2,3", "\",s,2,3"))
            } else if code == "CSV_COLUMN_MISSING" {
                findings(&text.replace("A,qr", "A").replace("T,hazmat", "T"))
            } else {
                findings(&text)
            };
            assert!(found.contains(&(code.to_owned(), line)), "{code} at {line}: {found:?}");
            // One fault is one finding, but a short row has no type either.
            assert!(found.len() == 1 || code == "CSV_ROW_SHORT", "{code}: {found:?}");
        }
    }

    #[test]
    fn semicolons_and_latin_1_of_a_spreadsheet_are_read_and_noted() {
        let text = GOOD.replace("\"AB, 12\"", "\"AB\"");
        let (head, rows) = text.split_at(text.find("id,").unwrap());
        let found = findings(&format!("{head}{}", rows.replace(',', ";")));
        assert_eq!(found, [("CSV_DELIMITER".to_owned(), 9)]);
        let mut bytes = GOOD.replace("Germany", "X").into_bytes();
        let at = bytes.iter().position(|&byte| byte == b'X').unwrap();
        bytes[at] = 0xD6;
        let file = NamedBytes { name: "pois.csv", bytes: &bytes };
        let document = read_document_bytes(file, &[], &ReadOptions::default()).unwrap();
        assert_eq!((document.findings[0].code.as_ref(), document.findings[0].line), ("NOT_UTF8", Some(4)));
    }

    #[test]
    fn a_header_of_fewer_values_is_told_apart_by_their_look() {
        let text = GOOD.replace("\"ALeRT\"\n\"Germany\"\n", "").replace("\"Prelim1\"\n", "");
        let (table, _) = read(&text).unwrap();
        let header: Vec<_> = table.header.iter().map(|(key, value)| format!("{key}={value}")).collect();
        assert_eq!(header, ["date=2024-07-19", "time=14:30:05"]);
        let codes: Vec<_> = findings(&text).into_iter().map(|(code, _)| code).collect();
        assert_eq!(codes, ["CSV_TEAM_MISSING", "CSV_COUNTRY_MISSING", "CSV_MISSION_MISSING"]);
        let bare = "id,x,y\n1,2,3\n";
        let (table, _) = read(bare).unwrap();
        assert_eq!((table.rows.len(), table.rows[0].position_m), (1, [2.0, 3.0, 0.0]));
    }

    #[test]
    fn broken_rows_are_refused_with_their_line() {
        for (from, to, expected) in [
            ("1.25", "one", "pois.csv: line 10: expected a number of metres in column x, found \"one\""),
            ("1.25", "NaN", "line 10: expected a number of metres in column x, found \"NaN\""),
            ("0.3,\"r1\",A,qr", "", "line 10: expected a number of metres in column z, found nothing"),
            (",0.3,\"r1\",A,qr", "", "line 10: expected at least 6 fields, found 5"),
            ("A,qr", "A,qr,more", "line 10: expected 9 fields, as in the row of columns, found 10"),
            ("\"AB", "\"\"AB", "line 10: expected a delimiter or the end of the line after a closing quote"),
            ("id,time", "time", "file: expected a row of columns"),
        ] {
            let text = GOOD.replacen(from, to, 1);
            let error = read(&text).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn texts_of_several_lines_cannot_be_written() {
        let row = Detection { text: "a\nb".to_owned(), ..Detection::default() };
        let table = DetectionTable { rows: vec![row], ..DetectionTable::default() };
        let error = write(&table).unwrap_err().to_string();
        assert_eq!(error, "detection_csv: row 1, text: expected a text of one line, found \"a\\nb\"");
    }

    fn detections() -> impl Strategy<Value = Detection> {
        let word = || "[ -~äß]{0,10}";
        (word(), word(), word(), any::<[i32; 3]>(), word(), word(), word()).prop_map(
            |(id, time, text, position, robot, mode, kind)| Detection {
                id,
                time,
                text,
                position_m: position.map(|mm| f64::from(mm) / 1000.0),
                robot,
                mode,
                kind,
            },
        )
    }

    proptest! {
        #[test]
        fn writing_and_reading_gives_the_same_list(
            rows in prop::collection::vec(detections(), 0..6),
            header in prop::collection::vec("[ -~äß]{0,10}", 5),
        ) {
            let header = VALUES.iter().map(|&name| name.to_owned()).zip(header).collect();
            let table = DetectionTable { kind: "pois".to_owned(), version: "1.2".to_owned(), header, rows };
            prop_assert_eq!(read(&write(&table).unwrap()).unwrap().0, table);
        }
    }
}
