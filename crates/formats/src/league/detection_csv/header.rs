//! The header block of a detection list: kind, version, team, country, date, time and mission, one per line.
//!
//! With seven values their order tells them apart; with fewer, what they look like.

use model::{Finding, Level};

use crate::error::excerpt;
use crate::notices::Notices;

/// Names of the values after kind and version, in their order.
pub(crate) const VALUES: [&str; 5] = ["team", "country", "date", "time", "mission"];
const KINDS: [&str; 3] = ["qr codes", "victims", "pois"];
const VERSIONS: [&str; 3] = ["1.0", "1.1", "1.2"];

/// The contents of the block.
pub(crate) struct Header {
    pub kind: String,
    pub version: String,
    /// Those of [`VALUES`] that stand in the file.
    pub values: Vec<(String, String)>,
}

/// The value of a line: without quotes and without the padding of a spreadsheet.
pub(crate) fn value(line: &str) -> String {
    let bare = line.trim().trim_end_matches([',', ';']).trim();
    let inside = bare.strip_prefix('"').and_then(|bare| bare.strip_suffix('"'));
    inside.map_or_else(|| bare.to_owned(), |inside| inside.replace("\"\"", "\""))
}

/// True if a value names the kind of the list.
pub(crate) fn is_kind(value: &str) -> bool {
    KINDS.contains(&value.to_lowercase().as_str())
}

/// Reads the lines before the row of columns.
pub(crate) fn read(block: &[&str], notices: &mut Notices) -> Header {
    let is_blank = |line: &&str| line.trim_matches([',', ';', ' ', '\t']).is_empty();
    let used = block.iter().rposition(|line| !is_blank(line)).map_or(0, |last| last + 1);
    if used == block.len() {
        notices.note("CSV_BLANK_LINE_MISSING", block.len() + 1, || {
            let message = "no empty line stands between the header and the row of columns";
            Finding::warning("CSV_BLANK_LINE_MISSING", message).hint("add an empty line")
        });
    }
    let lines = &block[..used];
    let values: Vec<String> = lines.iter().map(|line| value(line)).collect();
    check_form(lines, notices);
    let mut rest = values.iter().enumerate().peekable();
    let kind = rest.next_if(|(_, value)| !is_version(value)).map_or("", |(_, value)| value);
    let version = rest.next_if(|(_, value)| is_version(value)).map_or("", |(_, value)| value);
    check_kind_and_version(kind, version, notices);
    let rest: Vec<(usize, &str)> = rest.map(|(index, value)| (index + 1, value.as_str())).collect();
    let named = name_values(&rest);
    check_values(&named, lines.len(), notices);
    let present = |(name, value): (&str, Option<(usize, &str)>)| Some((name.to_owned(), value?.1.to_owned()));
    Header {
        kind: kind.to_owned(),
        version: version.to_owned(),
        values: VALUES.into_iter().zip(named).filter_map(present).collect(),
    }
}

fn is_version(value: &str) -> bool {
    value.contains('.') && value.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

/// One line and value per name of [`VALUES`], none where it is missing.
fn name_values<'v>(rest: &[(usize, &'v str)]) -> [Option<(usize, &'v str)>; 5] {
    if rest.len() >= VALUES.len() {
        return std::array::from_fn(|index| Some(rest[index]));
    }
    let date = rest.iter().position(|(_, value)| is_iso_date(value) || is_us_date(value));
    let time = rest.iter().position(|(_, value)| is_time(value));
    let first_stamp = [date, time].into_iter().flatten().min().unwrap_or(rest.len().min(2));
    let last_stamp = [date, time].into_iter().flatten().max();
    let after = last_stamp.map_or(first_stamp, |last| last + 1);
    [
        rest.first().filter(|_| first_stamp > 0).copied(),
        rest.get(1).filter(|_| first_stamp > 1).copied(),
        date.map(|index| rest[index]),
        time.map(|index| rest[index]),
        rest.get(after).copied(),
    ]
}

fn is_iso_date(value: &str) -> bool {
    let parts: Vec<_> = value.split('-').collect();
    let lengths: Vec<_> = parts.iter().map(|part| part.len()).collect();
    lengths == [4, 2, 2] && parts.iter().all(|part| part.bytes().all(|digit| digit.is_ascii_digit()))
}

/// Month, day and year with slashes.
fn is_us_date(value: &str) -> bool {
    let parts: Vec<_> = value.split('/').collect();
    let is_number = |part: &&str| !part.is_empty() && part.bytes().all(|digit| digit.is_ascii_digit());
    parts.len() == 3 && parts.iter().all(is_number)
}

/// Hours, minutes and seconds, perhaps with a fraction.
pub(crate) fn is_time(value: &str) -> bool {
    let parts: Vec<_> = value.split(':').collect();
    let is_number = |part: &str| part.len() == 2 && part.bytes().all(|digit| digit.is_ascii_digit());
    let [hours, minutes, seconds] = parts[..] else { return false };
    let (whole, fraction) = seconds.split_once('.').unwrap_or((seconds, "0"));
    let is_fraction = !fraction.is_empty() && fraction.bytes().all(|digit| digit.is_ascii_digit());
    [hours, minutes, whole].into_iter().all(is_number) && is_fraction
}

fn check_form(lines: &[&str], notices: &mut Notices) {
    for (index, line) in lines.iter().enumerate() {
        let bare = line.trim();
        if bare.ends_with([',', ';']) {
            notices.note("CSV_TRAILING_COMMAS", index + 1, || {
                let message = "empty fields stand after the last column, as spreadsheets pad them";
                Finding::warning("CSV_TRAILING_COMMAS", message)
                    .hint("remove the delimiters at the end of the lines")
            });
        }
        if !bare.is_empty() && !bare.starts_with('"') {
            notices.note("CSV_HEADER_NOT_QUOTED", index + 1, || {
                let message = format!(
                    "the value {} of the header stands without double quotes",
                    excerpt(bare.as_bytes())
                );
                Finding::new(Level::Info, "CSV_HEADER_NOT_QUOTED", message).hint("put it in double quotes")
            });
        }
    }
}

fn check_kind_and_version(kind: &str, version: &str, notices: &mut Notices) {
    if !is_kind(kind) {
        notices.note("CSV_KIND_UNKNOWN", 1, || {
            let message = format!("the kind of the list is {}", excerpt(kind.as_bytes()));
            Finding::warning("CSV_KIND_UNKNOWN", message).hint("write \"pois\", \"qr codes\" or \"victims\"")
        });
    }
    if !VERSIONS.contains(&version) {
        notices.note("CSV_VERSION_UNKNOWN", 2, || {
            let message = format!("the version is {}", excerpt(version.as_bytes()));
            Finding::warning("CSV_VERSION_UNKNOWN", message).hint("write 1.0, 1.1 or 1.2")
        });
    } else if is_kind(kind) && (version == "1.2") != kind.eq_ignore_ascii_case("pois") {
        notices.note("CSV_KIND_OF_OTHER_VERSION", 1, || {
            let message = format!("a list of '{kind}' says that it is of version {version}");
            Finding::warning("CSV_KIND_OF_OTHER_VERSION", message)
                .hint("version 1.2 holds \"pois\", 1.0 and 1.1 \"qr codes\" or \"victims\"")
        });
    }
}

fn check_values(named: &[Option<(usize, &str)>; 5], lines: usize, notices: &mut Notices) {
    let codes = [
        "CSV_TEAM_MISSING",
        "CSV_COUNTRY_MISSING",
        "CSV_DATE_MISSING",
        "CSV_TIME_MISSING",
        "CSV_MISSION_MISSING",
    ];
    for ((name, code), value) in VALUES.into_iter().zip(codes).zip(named) {
        if value.is_none_or(|(_, value)| value.is_empty()) {
            notices.note(code, value.map_or(lines.max(1), |(line, _)| line), || {
                Finding::warning(code, format!("the header does not say the {name}"))
                    .hint("add it, one value per line")
            });
        }
    }
    let given = |index: usize| named[index].filter(|(_, value)| !value.is_empty());
    if let Some((line, date)) = given(2).filter(|(_, date)| !is_iso_date(date)) {
        notices.note("CSV_DATE_FORM", line, || {
            let message = format!("the date is {} instead of YYYY-MM-DD", excerpt(date.as_bytes()));
            Finding::warning("CSV_DATE_FORM", message).hint("write the year first: 2024-07-19")
        });
    }
    if let Some((line, time)) = given(3).filter(|(_, time)| !is_time(time)) {
        notices.note("CSV_TIME_FORM", line, || {
            let message = format!("the time is {} instead of HH:MM:SS", excerpt(time.as_bytes()));
            Finding::warning("CSV_TIME_FORM", message).hint("write the time of day as HH:MM:SS")
        });
    }
}
