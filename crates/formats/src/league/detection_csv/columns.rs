//! The row of columns of a detection list: which column holds what, whatever their order.

use model::Finding;

use crate::error::excerpt;
use crate::notices::Notices;
use crate::text::delimited::Field;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    Id,
    Time,
    Text,
    X,
    Y,
    Z,
    Robot,
    Mode,
    Kind,
}

impl Name {
    /// In the order of version 1.2.
    pub const ALL: [Self; 9] =
        [Self::Id, Self::Time, Self::Text, Self::X, Self::Y, Self::Z, Self::Robot, Self::Mode, Self::Kind];

    /// The word in the row of columns.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Id => "id",
            Self::Time => "time",
            Self::Text => "text",
            Self::X => "x",
            Self::Y => "y",
            Self::Z => "z",
            Self::Robot => "robot",
            Self::Mode => "mode",
            Self::Kind => "type",
        }
    }

    /// The meaning of a word in lower case; `name` is what version 1.0 calls the text of a victim.
    fn of(word: &str) -> Option<Self> {
        match word {
            "name" => Some(Self::Text),
            "x-coord" | "x_coord" | "x coord" | "xcoord" => Some(Self::X),
            "y-coord" | "y_coord" | "y coord" | "ycoord" => Some(Self::Y),
            "z-coord" | "z_coord" | "z coord" | "zcoord" => Some(Self::Z),
            _ => Self::ALL.into_iter().find(|name| name.word() == word),
        }
    }

    /// The columns of a version; of an unknown one those of the first.
    pub const fn of_version(version: &str) -> &'static [Self] {
        match version.as_bytes() {
            b"1.2" => &Self::ALL,
            b"1.1" => Self::ALL.split_at(8).0,
            _ => Self::ALL.split_at(6).0,
        }
    }
}

/// The row of columns.
pub(crate) struct Columns {
    /// As written, without the padding of a spreadsheet.
    words: Vec<String>,
    names: Vec<Option<Name>>,
    is_padded: bool,
}

impl Columns {
    /// The columns of a line, if it names an id and two coordinates.
    pub fn of(fields: &[Field<'_>]) -> Option<Self> {
        let used = fields.iter().rposition(|field| !field.text.is_empty())? + 1;
        let words: Vec<_> = fields[..used].iter().map(|field| field.text.clone().into_owned()).collect();
        let mut names: Vec<Option<Name>> = Vec::with_capacity(used);
        for word in &words {
            // A word that stands twice means its first column.
            let name = Name::of(&word.trim().to_lowercase()).filter(|name| !names.contains(&Some(*name)));
            names.push(name);
        }
        let has_needed = [Name::Id, Name::X, Name::Y].iter().all(|name| names.contains(&Some(*name)));
        has_needed.then_some(Self { words, names, is_padded: used < fields.len() })
    }

    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Where a column stands.
    pub fn index(&self, name: Name) -> Option<usize> {
        self.names.iter().position(|found| *found == Some(name))
    }

    /// The last column without which a row has no position.
    pub fn last_coordinate(&self) -> usize {
        [Name::X, Name::Y, Name::Z].into_iter().filter_map(|name| self.index(name)).max().unwrap_or(0)
    }

    /// What differs from the columns of a version.
    pub fn check(&self, version: &str, line: usize, notices: &mut Notices) {
        for (word, name) in self.words.iter().zip(&self.names) {
            match name {
                Some(name) if name.word() == word || word == "name" => {}
                Some(name) => notices.note("CSV_COLUMN_RENAMED", line, || {
                    let message =
                        format!("the column {} was read as '{}'", excerpt(word.as_bytes()), name.word());
                    Finding::warning("CSV_COLUMN_RENAMED", message).hint(format!("name it '{}'", name.word()))
                }),
                None => notices.note("CSV_COLUMN_UNKNOWN", line, || {
                    let message =
                        format!("the column {} is unknown and was not read", excerpt(word.as_bytes()));
                    Finding::warning("CSV_COLUMN_UNKNOWN", message)
                }),
            }
        }
        let wanted = Name::of_version(version);
        let missing: Vec<_> =
            wanted.iter().filter(|name| self.index(**name).is_none()).map(|name| name.word()).collect();
        if !missing.is_empty() {
            notices.note("CSV_COLUMN_MISSING", line, || {
                let message = format!("columns of version {version} are missing: {}", missing.join(", "));
                Finding::warning("CSV_COLUMN_MISSING", message).hint("add them, or correct the version")
            });
        }
        if self.is_padded {
            notices.note("CSV_TRAILING_COMMAS", line, || {
                let message = "empty fields stand after the last column, as spreadsheets pad them";
                Finding::warning("CSV_TRAILING_COMMAS", message)
                    .hint("remove the delimiters at the end of the lines")
            });
        }
    }
}
