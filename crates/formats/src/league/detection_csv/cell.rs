//! What the cells of a real detection list mean: decimal commas, spellings of type words, and units.

use model::{Detection, Finding};

use crate::notices::Notices;

/// Type words seen in real files.
pub(crate) const TYPES: [&str; 12] = [
    "qr",
    "qrcode",
    "hazmat",
    "hazmatsign",
    "victim",
    "object",
    "fuel_can",
    "water_valves",
    "fire_hydrant",
    "ar_tag",
    "real_object",
    "heat_signature",
];

/// No arena of a contest is this wide, and one of 0.4 m, which it would be in millimetres, is no arena either.
const SUSPICIOUS_SPAN_M: f64 = 400.0;

/// A finite number of a cell that holds no delimiter, and whether a comma stands for its point. With a comma there must
/// be no point: `1.250,5` and `1,250.5` both have thousands, and nobody knows of what.
pub(crate) fn metres(written: &str) -> Option<(f64, bool)> {
    let written = written.trim();
    let has_comma = written.matches(',').count() == 1 && !written.contains('.');
    let number = if has_comma { written.replace(',', ".").parse() } else { written.parse() };
    number.ok().filter(|number: &f64| number.is_finite()).map(|number| (number, has_comma))
}

/// The known word that a type is another spelling of: `QR-Code` is `qrcode`, `Heat Signature` is `heat_signature`. None
/// for a known word in any case, and for a word that means nothing here.
pub(crate) fn respelt_type(written: &str) -> Option<&'static str> {
    let lower = written.to_lowercase();
    if TYPES.contains(&lower.as_str()) {
        return None;
    }
    let squeezed = |word: &str| word.replace([' ', '-', '_', '.'], "");
    TYPES.into_iter().find(|known| squeezed(known) == squeezed(&lower))
}

/// Numbers that spread over more metres than any arena has are probably millimetres.
pub(crate) fn check_unit(rows: &[(usize, Detection)], notices: &mut Notices) {
    let span = |axis: usize| {
        let values = rows.iter().map(|(_, row)| row.position_m[axis]);
        values.clone().fold(f64::MIN, f64::max) - values.fold(f64::MAX, f64::min)
    };
    let Some((line, _)) = rows.first() else { return };
    let span_m = span(0).max(span(1));
    if span_m >= SUSPICIOUS_SPAN_M {
        notices.note("CSV_MAY_BE_MILLIMETRES", *line, || {
            let message = format!(
                "the positions spread over {span_m:.0} m; in millimetres that would be {:.1} m",
                span_m / 1000.0
            );
            Finding::warning("CSV_MAY_BE_MILLIMETRES", message)
                .hint("positions are metres: divide x, y and z by 1000 if they are millimetres")
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Content, NamedBytes, ReadError, ReadOptions, read_document_bytes};

    #[test]
    fn a_comma_is_a_decimal_point_where_nothing_else_can_be_meant() {
        assert_eq!(metres(" -1,25 "), Some((-1.25, true)));
        assert_eq!(metres("1.25"), Some((1.25, false)));
        for wrong in ["1.250,5", "1,250.5", "1,2,3", ",", "1,25 m", "inf", ""] {
            assert_eq!(metres(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn spellings_of_a_type_are_one_word() {
        for (written, known) in [
            ("QR-Code", "qrcode"),
            ("qr code", "qrcode"),
            ("AR Tag", "ar_tag"),
            ("Hazmat-Sign", "hazmatsign"),
        ] {
            assert_eq!(respelt_type(written), Some(known));
        }
        assert_eq!((respelt_type("QR"), respelt_type("door"), respelt_type("")), (None, None, None));
    }

    fn read(bytes: &[u8]) -> Result<(Vec<Detection>, Vec<String>), ReadError> {
        let file = NamedBytes { name: "pois.csv", bytes };
        let document = read_document_bytes(file, &[], &ReadOptions::default())?;
        let Content::Detections(table) = document.content else { panic!("no detections") };
        let codes = document.findings.into_iter().map(|finding| finding.code.into_owned()).collect();
        Ok((table.rows, codes))
    }

    const GERMAN: &str = "\"pois\"\n\"1.2\"\n\"Größe\"\n\"DE\"\n\"2025-07-19\"\n\"12:00:00\"\n\"finals\"\n\n\
                          id;time;text;x;y;z;robot;mode;type\n\
                          1;12:01:00;\"Tür\";1,25;-0,5;0;\"r1\";A;QR-Code\n\
                          2;12:02:00;\"B\";3;4,75;0,1;\"r1\";T;hazmat\n";

    #[test]
    fn semicolons_decimal_commas_and_spellings_are_read_and_said() {
        let (rows, codes) = read(GERMAN.as_bytes()).unwrap();
        assert_eq!(rows[0].position_m, [1.25, -0.5, 0.0]);
        assert_eq!(rows[1].position_m, [3.0, 4.75, 0.1]);
        assert_eq!((rows[0].kind.as_str(), rows[0].text.as_str()), ("qrcode", "Tür"));
        assert_eq!(codes, ["CSV_DELIMITER", "CSV_DECIMAL_COMMA", "CSV_TYPE_SPELLING"]);
    }

    #[test]
    fn utf_16_with_and_without_its_mark_and_latin_1_hold_the_same_rows() {
        let expected = read(GERMAN.as_bytes()).unwrap().0;
        let little: Vec<u8> = GERMAN.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = GERMAN.encode_utf16().flat_map(u16::to_be_bytes).collect();
        let latin: Vec<u8> = GERMAN.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
        let marked = |mark: [u8; 2], bytes: &[u8]| [&mark[..], bytes].concat();
        for bytes in [marked([0xFF, 0xFE], &little), marked([0xFE, 0xFF], &big), little, big, latin] {
            let (rows, codes) = read(&bytes).unwrap();
            assert_eq!(rows, expected);
            assert!(codes.contains(&"NOT_UTF8".to_owned()), "{codes:?}");
        }
    }

    #[test]
    fn millimetres_are_suspected_and_an_arena_in_metres_is_not() {
        let in_mm = GERMAN.replace("1,25;-0,5", "1250;-500").replace("3;4,75", "3000;4750");
        assert!(read(in_mm.as_bytes()).unwrap().1.contains(&"CSV_MAY_BE_MILLIMETRES".to_owned()));
        let far = GERMAN.replace("1,25;-0,5", "3400000;5600000").replace("3;4,75", "3400003;5600005");
        let codes = read(far.as_bytes()).unwrap().1;
        assert!(
            !codes.contains(&"CSV_MAY_BE_MILLIMETRES".to_owned()),
            "coordinates of a country are no doubt"
        );
    }
}
