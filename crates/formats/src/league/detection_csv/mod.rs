//! Detection lists of the rescue league: QR codes, victims and points of interest as CSV, versions 1.0 to 1.2.
//!
//! ```text
//! "pois"
//! "1.2"
//! "Team"
//! "Country"
//! "2024-07-19"
//! "14:30:05"
//! "Prelim1"
//!
//! id,time,text,x,y,z,robot,mode,type
//! 1,14:32:10,"AB12",1.25,-0.5,0.3,"r1",A,qr
//! ```
//!
//! Header block, one value per line, an empty line, the row of columns, then the rows; positions in metres. Columns
//! are found by name, rows may differ from the rules in many ways, and each way is a finding with its line.
//! Version 1.1 has no `type`, 1.0 no `robot` and `mode`.

mod cell;
mod columns;
mod header;
mod write;

pub use self::write::{write as write_detections, write_in_version as write_detections_in_version};

use model::{Detection, DetectionTable, Finding, Level};

use crate::error::excerpt;
use crate::format::{Format, Input, ReadContent, Reader, Sniff, without_byte_order_mark};
use crate::league::detection_csv::cell::{TYPES, check_unit, metres, respelt_type};
use crate::league::detection_csv::columns::{Columns, Name};
use crate::notices::Notices;
use crate::text::delimited::{Field, fields};
use crate::text::table_limits::{check_rows, table_bytes};
use crate::text::text_encoding::{sniffed_text, text_of};
use crate::{Content, Place, ReadError, ReadOptions};

pub(crate) const FORMAT: Format =
    Format { name: "detection_csv", title: "detection list", sniff, reader: Reader::Content(read) };

/// The header block ends here at the latest; further down a row of columns is no longer looked for.
const MAX_HEADER_LINES: usize = 32;

/// Bytes in which a header block with its row of columns fits.
const SNIFFED_BYTES: usize = 1 << 12;

fn sniff(bytes: &[u8], _name: &str) -> Sniff {
    let text = without_byte_order_mark(bytes);
    let text = sniffed_text(&text[..text.len().min(SNIFFED_BYTES)]);
    let is_kind = text.lines().next().is_some_and(|line| header::is_kind(&header::value(line)));
    let has_columns = || find_columns(&text).is_some();
    if is_kind || has_columns() { Sniff::ByBytes } else { Sniff::No }
}

fn read(input: &mut Input<'_>, _options: &ReadOptions) -> Result<ReadContent, ReadError> {
    let (file, bytes) = table_bytes(&mut input.source)?;
    let mut findings = Vec::new();
    let mut notices = Notices::default();
    let text = text_of(bytes, &mut findings);
    let Some(ColumnRow { line, delimiter, columns }) = find_columns(&text) else {
        let expected = "a row of columns such as id,time,text,x,y,z,robot,mode,type";
        let found = format!("none in the first {MAX_HEADER_LINES} lines");
        return Err(ReadError::malformed(file, Place::File, expected, found));
    };
    if delimiter != ',' {
        let message = format!("fields are separated by '{}' instead of ','", delimiter.escape_default());
        notices.push(Finding::warning("CSV_DELIMITER", message).at_line(line).hint("save with commas"));
    }
    let block: Vec<&str> = text.lines().take(line - 1).collect();
    let head = header::read(&block, &mut notices);
    columns.check(&head.version, line, &mut notices);
    let mut reader = RowReader { file, delimiter, columns: &columns, notices: &mut notices };
    let rows = reader.rows(text.lines().enumerate().skip(line))?;
    check_ids_and_texts(&rows, &mut notices);
    check_unit(&rows, &mut notices);
    let rows = rows.into_iter().map(|(_, row)| row).collect();
    let table = DetectionTable { kind: head.kind, version: head.version, header: head.values, rows };
    findings.extend(notices.into_findings());
    Ok(ReadContent { content: Content::Detections(table), findings })
}

struct ColumnRow {
    /// Counted from 1.
    line: usize,
    delimiter: char,
    columns: Columns,
}

/// The first line that names the columns; spreadsheets of some countries separate with ';'.
fn find_columns(text: &str) -> Option<ColumnRow> {
    text.lines().take(MAX_HEADER_LINES).enumerate().find_map(|(index, line)| {
        [',', ';', '\t'].into_iter().find_map(|delimiter| {
            let columns = Columns::of(&fields(line, delimiter).ok()?)?;
            Some(ColumnRow { line: index + 1, delimiter, columns })
        })
    })
}

struct RowReader<'r> {
    file: &'r str,
    delimiter: char,
    columns: &'r Columns,
    notices: &'r mut Notices,
}

impl RowReader<'_> {
    fn rows<'t>(
        &mut self,
        lines: impl Iterator<Item = (usize, &'t str)>,
    ) -> Result<Vec<(usize, Detection)>, ReadError> {
        let mut rows = Vec::new();
        for (index, text) in lines {
            let line = index + 1;
            // Spreadsheets end a table with rows of nothing but delimiters.
            if text.trim_matches([self.delimiter, ' ', '\t']).is_empty() {
                if text.contains(self.delimiter) {
                    self.note_padding(line);
                }
                continue;
            }
            check_rows(self.file, rows.len())?;
            rows.push((line, self.row(line, text)?));
        }
        Ok(rows)
    }

    fn row(&mut self, line: usize, text: &str) -> Result<Detection, ReadError> {
        let file = self.file;
        let wrong =
            |expected: &str, found: String| ReadError::malformed(file, Place::Line(line), expected, found);
        let mut fields = fields(text, self.delimiter)
            .map_err(|fault| wrong(fault.expected(), excerpt(text.as_bytes())))?;
        self.check_number_of_fields(line, &mut fields)
            .map_err(|(expected, found)| wrong(&expected, found.to_string()))?;
        let mut position_m = [0.0; 3];
        for (coordinate_m, name) in position_m.iter_mut().zip([Name::X, Name::Y, Name::Z]) {
            let Some(written) = self.field(&fields, name) else { continue };
            let number = metres(written);
            if number.is_some_and(|(_, has_comma)| has_comma) {
                self.notices.note("CSV_DECIMAL_COMMA", line, || {
                    let message =
                        format!("{} was read with its comma as decimal point", excerpt(written.as_bytes()));
                    Finding::warning("CSV_DECIMAL_COMMA", message).hint("write 1.25, with a point")
                });
            }
            *coordinate_m = number.map(|(number, _)| number).ok_or_else(|| {
                let expected = format!("a number of metres in column {}", name.word());
                wrong(&expected, excerpt(written.as_bytes()))
                    .with_hint("write 1.25, with a point and without unit")
            })?;
        }
        let kind = self.text(line, &fields, Name::Kind);
        let known = respelt_type(&kind);
        if let Some(known) = known {
            self.notices.note("CSV_TYPE_SPELLING", line, || {
                let message = format!("the type {} was read as '{known}'", excerpt(kind.as_bytes()));
                Finding::warning("CSV_TYPE_SPELLING", message).hint(format!("write '{known}'"))
            });
        }
        let row = Detection {
            id: self.text(line, &fields, Name::Id),
            time: self.text(line, &fields, Name::Time),
            text: self.text(line, &fields, Name::Text),
            position_m,
            robot: self.text(line, &fields, Name::Robot),
            mode: self.text(line, &fields, Name::Mode),
            kind: known.map_or(kind, str::to_owned),
        };
        self.check_quotes(line, &fields);
        self.check_words(line, &row);
        Ok(row)
    }

    fn field<'f>(&self, fields: &'f [Field<'_>], name: Name) -> Option<&'f str> {
        fields.get(self.columns.index(name)?).map(|field| field.text.as_ref())
    }

    /// The text of a field; single quotes around it are taken off and noted.
    fn text(&mut self, line: usize, fields: &[Field<'_>], name: Name) -> String {
        let Some(field) = self.columns.index(name).and_then(|index| fields.get(index)) else {
            return String::new();
        };
        let inside = field.text.strip_prefix('\'').and_then(|text| text.strip_suffix('\''));
        match inside.filter(|_| !field.is_quoted) {
            Some(inside) => {
                self.notices.note("CSV_SINGLE_QUOTES", line, || {
                    let message =
                        format!("the {} stands in single quotes, which CSV does not know", name.word());
                    Finding::warning("CSV_SINGLE_QUOTES", message).hint("use double quotes")
                });
                inside.to_owned()
            }
            None => field.text.clone().into_owned(),
        }
    }

    /// Takes empty fields off the end of a long row; refuses a short or an overfull one.
    fn check_number_of_fields(
        &mut self,
        line: usize,
        fields: &mut Vec<Field<'_>>,
    ) -> Result<(), (String, usize)> {
        let wanted = self.columns.len();
        let found = fields.len();
        if found > wanted && fields[wanted..].iter().all(|field| field.text.is_empty()) {
            fields.truncate(wanted);
            self.note_padding(line);
        }
        if fields.len() > wanted {
            return Err((format!("{wanted} fields, as in the row of columns"), found));
        }
        if found < wanted && found <= self.columns.last_coordinate() {
            return Err((format!("at least {} fields", self.columns.last_coordinate() + 1), found));
        }
        if found < wanted {
            self.notices.note("CSV_ROW_SHORT", line, || {
                let message =
                    format!("the row has {found} of {wanted} fields; the others were read as empty");
                Finding::warning("CSV_ROW_SHORT", message).hint("write all fields, empty ones too")
            });
        }
        Ok(())
    }

    fn note_padding(&mut self, line: usize) {
        self.notices.note("CSV_TRAILING_COMMAS", line, || {
            let message = "empty fields stand after the last column, as spreadsheets pad them";
            Finding::warning("CSV_TRAILING_COMMAS", message)
                .hint("remove the delimiters at the end of the lines")
        });
    }

    fn check_quotes(&mut self, line: usize, fields: &[Field<'_>]) {
        let text = self.columns.index(Name::Text).and_then(|index| fields.get(index));
        if text.is_some_and(|field| !field.is_quoted && !field.text.is_empty()) {
            self.notices.note("CSV_TEXT_NOT_QUOTED", line, || {
                let message = "the text of a row stands without double quotes";
                Finding::new(Level::Info, "CSV_TEXT_NOT_QUOTED", message)
                    .hint("write \"text\"; a comma inside needs it")
            });
        }
    }

    fn check_words(&mut self, line: usize, row: &Detection) {
        if self.columns.index(Name::Kind).is_some() && !TYPES.contains(&row.kind.to_lowercase().as_str()) {
            self.notices.note("CSV_TYPE_UNKNOWN", line, || {
                let message = format!("the type {} is none of the known words", excerpt(row.kind.as_bytes()));
                Finding::warning("CSV_TYPE_UNKNOWN", message).hint(format!("use one of {}", TYPES.join(", ")))
            });
        }
        if self.columns.index(Name::Mode).is_some() && !matches!(row.mode.as_str(), "A" | "T") {
            self.notices.note("CSV_MODE_UNKNOWN", line, || {
                let message = format!("the mode is {}", excerpt(row.mode.as_bytes()));
                Finding::warning("CSV_MODE_UNKNOWN", message)
                    .hint("write A for autonomous, T for teleoperated")
            });
        }
        if self.columns.index(Name::Time).is_some() && !header::is_time(&row.time) {
            self.notices.note("CSV_TIME_FORM", line, || {
                let message = format!("the time is {} instead of HH:MM:SS", excerpt(row.time.as_bytes()));
                Finding::warning("CSV_TIME_FORM", message).hint("write the time of day as HH:MM:SS")
            });
        }
    }
}

/// Ids and texts that stand on several rows, missing ids, and ids that begin at 0.
fn check_ids_and_texts(rows: &[(usize, Detection)], notices: &mut Notices) {
    let mut ids = std::collections::BTreeSet::new();
    let mut texts = std::collections::BTreeSet::new();
    for (line, row) in rows {
        if row.id.is_empty() {
            notices.note("CSV_ID_MISSING", *line, || {
                Finding::warning("CSV_ID_MISSING", "a row has no id").hint("number the rows")
            });
        } else if !ids.insert(row.id.as_str()) {
            notices.note("CSV_ID_REPEATED", *line, || {
                let message = format!("the id {} stands on an earlier row too", excerpt(row.id.as_bytes()));
                Finding::warning("CSV_ID_REPEATED", message).hint("give each row its own id")
            });
        }
        if row.id == "0" {
            notices.note("CSV_IDS_FROM_ZERO", *line, || {
                Finding::new(Level::Info, "CSV_IDS_FROM_ZERO", "ids begin at 0; most lists begin at 1")
            });
        }
        if !row.text.is_empty() && !texts.insert((row.kind.as_str(), row.text.as_str())) {
            notices.note("CSV_TEXT_REPEATED", *line, || {
                let message =
                    format!("the text {} stands on an earlier row too", excerpt(row.text.as_bytes()));
                Finding::new(Level::Info, "CSV_TEXT_REPEATED", message)
                    .hint("check whether the same thing was reported twice")
            });
        }
    }
}
