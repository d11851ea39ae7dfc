//! The drawing of a plan: pallets, the walls between them and what lies on them, as text.
//!
//! ```text
//! +---+---+---+      corners, walls and openings of the upper edge
//! | S   >   = |      a pallet is three characters wide: start, ramp that rises to the right, platform
//! +   +- -+   +      `- -` and `:` are walls with an opening in the middle
//! | V :  #  x |      victim, step field, no pallet
//! +---+---+---+
//! ```
//!
//! On a pallet: `>` `<` `^` `v` a ramp that rises in that direction (doubled: the steep one), `=` a platform at the height of
//! the ramp's top (`==`: of the steep one), `#` a step field, `x` no pallet, `S` start, `V` victim, `H` hazard, `T` tunnel.
//! `>3` and `>4` are ramps of 35 and 45 degrees, `=3` and `=4` platforms at their tops, `>s` stairs as high as `>3`.

use super::pallet_text::{PALLET, climbed, ground_of, mark_of};
use crate::SimError;

/// Longest side of a drawing in pallets: 600 m of the usual ones.
pub(crate) const MAX_SIDE_PALLETS: usize = 500;
/// Characters per pallet in a line of the drawing, and lines per row of pallets.
const PITCH: (usize, usize) = (4, 2);

/// What stands between two pallets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Edge {
    /// Nothing.
    #[default]
    Open,
    /// A wall with an opening in its middle.
    Opening,
    Wall,
}

/// The direction in which a ramp rises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rise {
    /// To the right.
    East,
    /// Up in the drawing.
    North,
    /// To the left.
    West,
    /// Down in the drawing.
    South,
}

/// Which slope a ramp has: one of the two of the plan, or that of a climb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slope {
    /// `ramp_deg`.
    Gentle,
    /// `steep_ramp_deg`.
    Steep,
    /// 35 degrees, whatever the plan says.
    Deg35,
    /// 45 degrees.
    Deg45,
}

/// The ground of a pallet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ground {
    /// At height 0.
    #[default]
    Flat,
    /// A plane that rises; driven along its rise it is a pitch ramp, across it a roll ramp.
    Ramp(Rise, Slope),
    /// A plane at the height of the top of a ramp.
    Platform(Slope),
    /// Posts of several heights.
    StepField,
    /// Stairs that rise, to the height of a ramp of 35 degrees.
    Stairs(Rise),
    /// Not a part of the arena.
    Outside,
}

/// A mark on a pallet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PalletMark {
    /// `S`.
    Start,
    /// `V`.
    Victim,
    /// `H`.
    Hazard,
    /// `T`: a roof over the pallet, open at the sides without walls.
    Tunnel,
}

/// Pallets by (column, row), row 0 at the bottom.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drawing {
    columns: usize,
    rows: usize,
    grounds: Vec<Ground>,
    /// Below each row of pallets, then above the last: `columns` edges each.
    horizontal: Vec<Edge>,
    /// In each row left of each pallet, then right of the last: `columns + 1` edges each.
    vertical: Vec<Edge>,
    marks: Vec<(usize, usize, PalletMark)>,
}

impl Drawing {
    /// Flat pallets with a wall on every edge.
    ///
    /// # Errors
    /// No pallet, or too many.
    pub fn walled(columns: usize, rows: usize) -> Result<Self, SimError> {
        let mut drawing = Self::open(columns, rows)?;
        drawing.horizontal.fill(Edge::Wall);
        drawing.vertical.fill(Edge::Wall);
        Ok(drawing)
    }

    fn open(columns: usize, rows: usize) -> Result<Self, SimError> {
        let sides = 1..=MAX_SIDE_PALLETS;
        if !sides.contains(&columns) || !sides.contains(&rows) {
            let message =
                format!("{columns} x {rows} pallets: expected 1 to {MAX_SIDE_PALLETS} on each side");
            return Err(SimError::plan(message));
        }
        Ok(Self {
            columns,
            rows,
            grounds: vec![Ground::Flat; columns * rows],
            horizontal: vec![Edge::Open; columns * (rows + 1)],
            vertical: vec![Edge::Open; (columns + 1) * rows],
            marks: Vec::new(),
        })
    }

    /// Reads a drawing. Empty lines around it are skipped, blanks at line ends may be missing.
    ///
    /// # Errors
    /// The line and column of the first character that has no meaning there.
    pub fn read(text: &str) -> Result<Self, SimError> {
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        let first = lines.iter().position(|line| !line.is_empty()).unwrap_or(lines.len());
        let last = lines.iter().rposition(|line| !line.is_empty()).map_or(first, |last| last + 1);
        let lines = &lines[first..last];
        let width = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        if lines.len() < 3 || lines.len().is_multiple_of(PITCH.1) {
            let message =
                format!("drawing: expected an odd number of lines, 3 or more, found {}", lines.len());
            return Err(SimError::plan(message));
        }
        let (columns, rows) = (width.saturating_sub(1).div_ceil(PITCH.0), lines.len() / PITCH.1);
        let mut drawing = Self::open(columns, rows)?;
        for (index, line) in lines.iter().enumerate() {
            let place = LinePlace { number: first + index + 1, row: rows - index.div_ceil(PITCH.1) };
            let mut characters: Vec<char> = line.chars().collect();
            characters.resize(columns * PITCH.0 + 1, ' ');
            if index.is_multiple_of(PITCH.1) {
                drawing.read_edges(&characters, place)?;
            } else {
                drawing.read_pallets(&characters, place)?;
            }
        }
        Ok(drawing)
    }

    fn read_edges(&mut self, characters: &[char], place: LinePlace) -> Result<(), SimError> {
        for column in 0..self.columns {
            let start = column * PITCH.0;
            if !matches!(characters[start], '+' | ' ') {
                return Err(place.fault(start, "a corner '+' or a blank", &characters[start..=start]));
            }
            let drawn = &characters[start + 1..start + PITCH.0];
            self.horizontal[place.row * self.columns + column] = match drawn {
                [' ', ' ', ' '] => Edge::Open,
                ['-', ' ', '-'] => Edge::Opening,
                ['-', '-', '-'] => Edge::Wall,
                _ => return Err(place.fault(start + 1, "'---', '- -' or three blanks", drawn)),
            };
        }
        Ok(())
    }

    fn read_pallets(&mut self, characters: &[char], place: LinePlace) -> Result<(), SimError> {
        for column in 0..=self.columns {
            let start = column * PITCH.0;
            let edge = match characters[start] {
                ' ' => Edge::Open,
                ':' => Edge::Opening,
                '|' => Edge::Wall,
                _ => return Err(place.fault(start, "'|', ':' or a blank", &characters[start..=start])),
            };
            self.vertical[place.row * (self.columns + 1) + column] = edge;
            if column < self.columns {
                self.read_pallet(&characters[start + 1..start + PITCH.0], column, start + 1, place)?;
            }
        }
        Ok(())
    }

    fn read_pallet(
        &mut self,
        drawn: &[char],
        column: usize,
        start: usize,
        place: LinePlace,
    ) -> Result<(), SimError> {
        let mut ground = Ground::Flat;
        for &character in drawn.iter().filter(|character| **character != ' ') {
            if let Some(mark) = mark_of(character) {
                self.marks.push((column, place.row, mark));
                continue;
            }
            let drawn_ground = ground_of(character);
            ground = match (drawn_ground, ground) {
                (Some(found), Ground::Flat) => found,
                (Some(Ground::Ramp(rise, _)), Ground::Ramp(before, Slope::Gentle)) if rise == before => {
                    Ground::Ramp(rise, Slope::Steep)
                }
                (Some(Ground::Platform(_)), Ground::Platform(Slope::Gentle)) => {
                    Ground::Platform(Slope::Steep)
                }
                (None, ground) => {
                    climbed(ground, character).ok_or_else(|| place.fault(start, PALLET, drawn))?
                }
                _ => return Err(place.fault(start, PALLET, drawn)),
            };
        }
        self.grounds[place.row * self.columns + column] = ground;
        Ok(())
    }

    /// The drawing as text that [`Drawing::read`] gives back.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for row in (0..self.rows).rev() {
            self.write_edges(&mut text, row + 1);
            for column in 0..=self.columns {
                text.push(match self.left_of(column, row) {
                    Edge::Open => ' ',
                    Edge::Opening => ':',
                    Edge::Wall => '|',
                });
                if column < self.columns {
                    text.push_str(&format!("{:^3}", self.pallet_text(column, row)));
                }
            }
            text.push('\n');
        }
        self.write_edges(&mut text, 0);
        text
    }

    fn write_edges(&self, text: &mut String, row: usize) {
        for column in 0..self.columns {
            text.push_str(match self.below(column, row) {
                Edge::Open => "+   ",
                Edge::Opening => "+- -",
                Edge::Wall => "+---",
            });
        }
        text.push_str("+\n");
    }

    fn pallet_text(&self, column: usize, row: usize) -> String {
        let mut text = match self.ground(column, row) {
            Ground::Flat => String::new(),
            Ground::Ramp(rise, slope) => slope.marked(rise.arrow()),
            Ground::Platform(slope) => slope.marked("="),
            Ground::Stairs(rise) => format!("{}s", rise.arrow()),
            Ground::StepField => "#".to_owned(),
            Ground::Outside => "x".to_owned(),
        };
        for (_, _, mark) in self.marks.iter().filter(|(c, r, _)| (*c, *r) == (column, row)) {
            text.push(match mark {
                PalletMark::Start => 'S',
                PalletMark::Victim => 'V',
                PalletMark::Hazard => 'H',
                PalletMark::Tunnel => 'T',
            });
        }
        text
    }

    #[must_use]
    pub const fn columns(&self) -> usize {
        self.columns
    }

    #[must_use]
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// The ground of a pallet.
    #[must_use]
    pub fn ground(&self, column: usize, row: usize) -> Ground {
        self.grounds[row * self.columns + column]
    }

    /// Gives a pallet another ground.
    pub fn set_ground(&mut self, column: usize, row: usize, ground: Ground) {
        self.grounds[row * self.columns + column] = ground;
    }

    /// The edge below a pallet; `row` may be the number of rows.
    #[must_use]
    pub fn below(&self, column: usize, row: usize) -> Edge {
        self.horizontal[row * self.columns + column]
    }

    /// The edge left of a pallet; `column` may be the number of columns.
    #[must_use]
    pub fn left_of(&self, column: usize, row: usize) -> Edge {
        self.vertical[row * (self.columns + 1) + column]
    }

    /// The edge between a pallet and its neighbour on one side.
    pub fn edge_mut(&mut self, column: usize, row: usize, side: Rise) -> &mut Edge {
        match side {
            Rise::East => &mut self.vertical[row * (self.columns + 1) + column + 1],
            Rise::West => &mut self.vertical[row * (self.columns + 1) + column],
            Rise::North => &mut self.horizontal[(row + 1) * self.columns + column],
            Rise::South => &mut self.horizontal[row * self.columns + column],
        }
    }

    /// The edge between a pallet and its neighbour on one side.
    #[must_use]
    pub fn edge(&self, column: usize, row: usize, side: Rise) -> Edge {
        match side {
            Rise::East => self.left_of(column + 1, row),
            Rise::West => self.left_of(column, row),
            Rise::North => self.below(column, row + 1),
            Rise::South => self.below(column, row),
        }
    }

    /// Marks: column, row, kind.
    #[must_use]
    pub fn marks(&self) -> &[(usize, usize, PalletMark)] {
        &self.marks
    }

    pub fn mark(&mut self, column: usize, row: usize, mark: PalletMark) {
        self.marks.push((column, row, mark));
    }
}

impl Rise {
    pub const ALL: [Self; 4] = [Self::East, Self::North, Self::West, Self::South];

    /// One pallet in this direction: (columns, rows).
    #[must_use]
    pub const fn step(self) -> (i64, i64) {
        match self {
            Self::East => (1, 0),
            Self::North => (0, 1),
            Self::West => (-1, 0),
            Self::South => (0, -1),
        }
    }
}

/// A line of the drawing and the row of pallets or edges that it shows.
#[derive(Clone, Copy)]
struct LinePlace {
    number: usize,
    row: usize,
}

impl LinePlace {
    fn fault(self, start: usize, expected: &str, found: &[char]) -> SimError {
        let found: String = found.iter().collect();
        let column = start + 1;
        let line = self.number;
        SimError::plan(format!("drawing, line {line}, column {column}: expected {expected}, found {found:?}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "\n+---+---+---+\n| S   >   = |\n+   +- -+   +\n| V :>>H| x\n+---+---+---+\n";

    #[test]
    fn a_drawing_says_where_walls_ramps_and_marks_are() {
        let drawing = Drawing::read(SMALL).unwrap();
        assert_eq!((drawing.columns(), drawing.rows()), (3, 2));
        assert_eq!(drawing.ground(1, 1), Ground::Ramp(Rise::East, Slope::Gentle));
        assert_eq!(drawing.ground(1, 0), Ground::Ramp(Rise::East, Slope::Steep));
        assert_eq!(drawing.ground(2, 1), Ground::Platform(Slope::Gentle));
        assert_eq!(drawing.ground(2, 0), Ground::Outside);
        assert_eq!(drawing.edge(1, 0, Rise::North), Edge::Opening);
        assert_eq!(drawing.edge(0, 0, Rise::East), Edge::Opening);
        assert_eq!(drawing.edge(0, 0, Rise::North), Edge::Open);
        assert_eq!(drawing.edge(2, 0, Rise::East), Edge::Open);
        assert_eq!(
            drawing.marks(),
            [(0, 1, PalletMark::Start), (0, 0, PalletMark::Victim), (1, 0, PalletMark::Hazard)]
        );
    }

    #[test]
    fn climbs_stairs_and_tunnels_have_their_letters() {
        let drawing =
            Drawing::read("+---+---+---+---+---+\n|>3  =4  <sV  T  ^4S|\n+---+---+---+---+---+").unwrap();
        let grounds: Vec<Ground> = (0..5).map(|column| drawing.ground(column, 0)).collect();
        let expected = [
            Ground::Ramp(Rise::East, Slope::Deg35),
            Ground::Platform(Slope::Deg45),
            Ground::Stairs(Rise::West),
            Ground::Flat,
            Ground::Ramp(Rise::North, Slope::Deg45),
        ];
        assert_eq!(grounds, expected);
        assert!(drawing.marks().contains(&(3, 0, PalletMark::Tunnel)));
        assert_eq!(Drawing::read(&drawing.to_text()).unwrap(), drawing);
        for wrong in ["3  ", "s> ", "#3 ", ">>3", ">33"] {
            let text = format!("+---+\n|{wrong}|\n+---+");
            assert!(Drawing::read(&text).unwrap_err().to_string().contains("line 2, column 2"), "{wrong}");
        }
    }

    #[test]
    fn text_of_a_drawing_gives_it_back() {
        let drawing = Drawing::read(SMALL).unwrap();
        let again = Drawing::read(&drawing.to_text()).unwrap();
        assert_eq!(again, drawing);
        assert_eq!(again.to_text(), drawing.to_text());
    }

    #[test]
    fn faults_name_line_and_column() {
        for (text, place) in [
            ("+---+\n| ? |\n+---+", "line 2, column 2"),
            ("+-- +\n|   |\n+---+", "line 1, column 2"),
            ("+---+\nI   |\n+---+", "line 2, column 1"),
            ("\n\n+---+\n|><#|\n+---+", "line 4, column 2"),
            ("+---+\n|   |", "odd number of lines"),
            ("", "odd number of lines"),
        ] {
            let message = Drawing::read(text).unwrap_err().to_string();
            assert!(message.contains(place), "{text:?}: {message}");
        }
    }

    #[test]
    fn too_many_pallets_are_refused_before_they_are_made() {
        let long = format!("{}\n|\n+", "+---".repeat(600));
        assert!(Drawing::read(&long).unwrap_err().to_string().contains("600 x 1 pallets"));
        assert!(Drawing::walled(usize::MAX, usize::MAX).is_err());
    }
}
