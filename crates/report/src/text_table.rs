//! Rows and columns for a terminal: columns are dropped until the rest fits, then cells are wrapped; colour where the
//! terminal has it. Without a width and without colour the bytes depend on nothing but the content.

use comfy_table::{
    Cell, CellAlignment, Color, ColumnConstraint, ContentArrangement, LineStyle, Table, TableStyle,
};

/// Less than this cannot hold a table; it is taken for a width that nobody set.
const MIN_COLUMNS: usize = 30;

/// Letters that the last column needs to be wrapped in.
const MIN_LAST_COLUMN: usize = 12;

/// What a table is shown on. The default is a file or a pipe: as wide as it needs, without colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Screen {
    /// Letters in a line.
    pub columns: Option<usize>,
    /// Whether it understands colours.
    pub is_coloured: bool,
}

/// What a cell says at a glance. Colour adds nothing that the text does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Tone {
    #[default]
    Plain,
    Best,
    Doubtful,
    Missed,
}

/// A column with its title. Those with the lowest `dropped` go first where there is no room; 0 stays.
pub(crate) struct Column {
    pub title: String,
    pub dropped: u8,
    pub is_right: bool,
}

impl Column {
    pub(crate) fn left(title: impl Into<String>, dropped: u8) -> Self {
        Self { title: title.into(), dropped, is_right: false }
    }

    pub(crate) fn right(title: impl Into<String>, dropped: u8) -> Self {
        Self { title: title.into(), dropped, is_right: true }
    }
}

/// A table before it is laid out.
pub(crate) struct TextTable {
    columns: Vec<Column>,
    rows: Vec<Vec<(String, Tone)>>,
}

impl TextTable {
    pub(crate) fn new(columns: Vec<Column>) -> Self {
        Self { columns, rows: Vec::new() }
    }

    /// Adds a row of as many cells as there are columns.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = (String, Tone)>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// The table with all columns that fit, or none if cells would have to be wrapped.
    pub(crate) fn unwrapped(&self, screen: Screen) -> Option<String> {
        let width = screen.columns.unwrap_or(usize::MAX);
        let fits = |kept: &[usize]| lines_width(&self.table(kept, false).to_string()) <= width;
        let kept = self.kept(&fits);
        fits(&kept).then(|| self.finished(&kept, &self.table(&kept, screen.is_coloured)))
    }

    /// The table as it fits, cells wrapped where even the columns that stay have no room.
    pub(crate) fn shown_on(&self, screen: Screen) -> String {
        self.unwrapped(screen).unwrap_or_else(|| {
            let kept = self.kept(&|_| false);
            let mut table = self.table(&kept, screen.is_coloured);
            table.set_content_arrangement(ContentArrangement::Dynamic);
            let width = screen.columns.unwrap_or(MIN_COLUMNS).max(MIN_COLUMNS);
            table.set_width(u16::try_from(width).unwrap_or(u16::MAX));
            // Ids and numbers stay whole where the last column, which has the words, can take the rest.
            let Some((_, but_last)) = kept.split_last() else { return String::new() };
            let whole = lines_width(&self.table(but_last, false).to_string());
            if whole + MIN_LAST_COLUMN <= width {
                for place in 0..but_last.len() {
                    if let Some(column) = table.column_mut(place) {
                        column.set_constraint(ColumnConstraint::ContentWidth);
                    }
                }
            }
            self.finished(&kept, &table)
        })
    }

    /// The columns that are left when those that do not fit are dropped.
    fn kept(&self, fits: &dyn Fn(&[usize]) -> bool) -> Vec<usize> {
        let mut kept: Vec<usize> = (0..self.columns.len()).collect();
        while !fits(&kept) {
            let next = kept.iter().copied().filter(|&index| self.columns[index].dropped > 0);
            let Some(next) = next.min_by_key(|&index| self.columns[index].dropped) else { break };
            kept.retain(|&index| index != next);
        }
        kept
    }

    fn table(&self, kept: &[usize], is_coloured: bool) -> Table {
        let mut table = Table::new();
        let rule = LineStyle::none().fill('─').junction('─');
        table.load_style(TableStyle::new().header_separator(rule).bottom_border(rule));
        // Only a screen that is known may change the bytes.
        table.set_content_arrangement(ContentArrangement::Disabled);
        if is_coloured {
            table.enforce_styling();
        }
        table.set_header(kept.iter().map(|&index| &self.columns[index].title));
        for row in &self.rows {
            let cells = kept.iter().filter_map(|&index| row.get(index));
            table
                .add_row(cells.map(|(text, tone)| cell(text, if is_coloured { *tone } else { Tone::Plain })));
        }
        for (place, &index) in kept.iter().enumerate() {
            if let Some(column) = table.column_mut(place).filter(|_| self.columns[index].is_right) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        table
    }

    /// The text, with the columns named that had no room.
    fn finished(&self, kept: &[usize], table: &Table) -> String {
        let left_out = self.columns.iter().enumerate().filter(|(index, _)| !kept.contains(index));
        let names: Vec<&str> = left_out.map(|(_, column)| column.title.as_str()).collect();
        let text: Vec<String> = table.lines().map(|line| line.trim_end().to_owned()).collect();
        let text = text.join("\n");
        if names.is_empty() { text } else { format!("{text}\nno room for: {}", names.join(", ")) }
    }
}

/// A cell without a tone.
pub(crate) fn plain(text: String) -> (String, Tone) {
    (text, Tone::Plain)
}

fn cell(text: &str, tone: Tone) -> Cell {
    let cell = Cell::new(text);
    match tone {
        Tone::Plain => cell,
        Tone::Best => cell.fg(Color::Green),
        Tone::Doubtful => cell.fg(Color::Yellow),
        Tone::Missed => cell.fg(Color::Red),
    }
}

fn lines_width(text: &str) -> usize {
    text.lines().map(|line| line.trim_end().chars().count()).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet() -> TextTable {
        let mut sheet = TextTable::new(vec![
            Column::left("id", 0),
            Column::left("title", 1),
            Column::right("value", 0),
            Column::left("status", 2),
        ]);
        let plain = |text: &str| (text.to_owned(), Tone::Plain);
        sheet.row([
            plain("overall_error"),
            plain("Overall error"),
            ("12".to_owned(), Tone::Best),
            plain("ok"),
        ]);
        sheet.row([
            plain("chamfer_distance"),
            plain("Chamfer distance"),
            plain("0.123456"),
            plain("undefined"),
        ]);
        sheet
    }

    #[test]
    fn columns_are_dropped_in_order_and_named() {
        let shown = |columns: usize| sheet().shown_on(Screen { columns: Some(columns), is_coloured: false });
        let (wide, narrow) = (shown(120), shown(44));
        assert!(wide.contains("Chamfer distance") && !wide.contains("no room"), "{wide}");
        assert!(!narrow.contains("Chamfer distance") && narrow.contains("undefined"), "{narrow}");
        assert!(narrow.ends_with("no room for: title"), "{narrow}");
        assert!(shown(34).ends_with("no room for: title, status"), "{}", shown(34));
    }

    #[test]
    fn no_line_is_wider_than_the_screen() {
        for columns in [30, 34, 44, 60, 80] {
            let text = sheet().shown_on(Screen { columns: Some(columns), is_coloured: false });
            let table = text.lines().filter(|line| !line.starts_with("no room"));
            assert!(table.clone().all(|line| line.chars().count() <= columns), "{columns}\n{text}");
        }
    }

    #[test]
    fn colour_changes_no_letter() {
        let plain = sheet().shown_on(Screen::default());
        let coloured = sheet().shown_on(Screen { columns: None, is_coloured: true });
        assert!(coloured.contains("\u{1b}[") && !plain.contains('\u{1b}'));
        let mut letters = String::new();
        let mut is_code = false;
        for letter in coloured.chars() {
            match letter {
                '\u{1b}' => is_code = true,
                'm' if is_code => is_code = false,
                _ if is_code => {}
                _ => letters.push(letter),
            }
        }
        let trimmed = |text: &str| text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
        assert_eq!(trimmed(&letters), trimmed(&plain));
    }
}
