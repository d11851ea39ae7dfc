//! What is done to a map before it is judged against itself.

use model::{CellClass, Grid, GridGeometry, Pose2, Similarity2};
use sim::SimError;
use sim::damage::{Kind, bordered, cropped, harmless};

/// What is done to a map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LabChange {
    /// Nothing: level 0 of every kind.
    Nothing,
    /// One of the changes that are no damage.
    Harmless(usize),
    /// Known damage.
    Damage {
        /// The kind.
        kind: Kind,
        /// The level of its ladder, from 1.
        level: usize,
    },
    /// The pair whose value is compared with those of `Invariance`.
    Sample,
    /// The same pair after both maps were changed alike.
    Invariance(Alike),
    /// The map lies one cell to the right.
    OneCell,
    /// The map is turned by one degree.
    OneDegree,
}

/// A change of both maps that leaves what they say about each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alike {
    /// Another origin.
    Moved,
    /// Turned by so many quarters.
    Turned(u8),
    /// A border of unknown cells.
    Padded,
    /// Without the unknown border.
    Cropped,
    /// Cells of half the size.
    Finer,
    /// Cells of twice the size.
    Coarser,
}

/// The changes of both maps, under the names of reports.
pub(super) const INVARIANCES: [(&str, Alike); 8] = [
    ("translation", Alike::Moved),
    ("quarter_turn", Alike::Turned(1)),
    ("quarter_turn", Alike::Turned(2)),
    ("quarter_turn", Alike::Turned(3)),
    ("padding", Alike::Padded),
    ("crop", Alike::Cropped),
    ("cell_size_halved", Alike::Finer),
    ("cell_size_doubled", Alike::Coarser),
];

/// The damage of the pair on which invariance is measured: noise at the third level.
const SAMPLE_KIND: &str = "noise";
const SAMPLE_LEVEL: usize = 3;

impl LabChange {
    /// The name in rows.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Nothing => "none".to_owned(),
            Self::Harmless(_) => "harmless".to_owned(),
            Self::Damage { kind, .. } => kind.spec.name.to_owned(),
            Self::Sample => "sample".to_owned(),
            Self::Invariance(change) => format!("sample_{}", change.name()),
            Self::OneCell => "one_cell".to_owned(),
            Self::OneDegree => "one_degree".to_owned(),
        }
    }

    /// The level in rows: of damage that of the ladder, of harmless changes their number.
    #[must_use]
    pub const fn level(&self) -> usize {
        match self {
            Self::Harmless(number) => *number,
            Self::Damage { level, .. } => *level,
            _ => 0,
        }
    }

    /// The truth, where it is not the map itself, and the changed map.
    pub(super) fn apply(
        &self,
        map: &Grid,
        seed: u64,
        number: usize,
    ) -> Result<(Option<Grid>, Grid), SimError> {
        // Seeds of one lab are far apart, so that the next lab's are others.
        let own = seed.wrapping_mul(1_000_003).wrapping_add(number as u64);
        let sample = || {
            let kind =
                Kind::find(SAMPLE_KIND).ok_or_else(|| SimError::UnknownKind(SAMPLE_KIND.to_owned()))?;
            Ok::<Grid, SimError>(kind.apply(map, kind.level(SAMPLE_LEVEL).unwrap_or(0.0), own)?.map)
        };
        match self {
            Self::Nothing => Ok((None, map.clone())),
            Self::Harmless(change) => Ok((None, harmless(map, *change, own)?)),
            Self::Damage { kind, level } => {
                let strength = kind.level(*level).ok_or(SimError::EmptyChain)?;
                Ok((None, kind.apply(map, strength, own)?.map))
            }
            Self::Sample => Ok((None, sample()?)),
            Self::Invariance(change) => Ok((Some(change.apply(map)?), change.apply(&sample()?)?)),
            Self::OneCell => {
                let step = Pose2::new(map.geometry().cell_size_m(), 0.0, 0.0);
                let origin = map.geometry().origin();
                Ok((None, moved(map, origin * step * origin.inverse())?))
            }
            Self::OneDegree => Ok((None, turned_by_a_degree(map)?)),
        }
    }
}

impl Alike {
    const fn name(self) -> &'static str {
        match self {
            Self::Moved => "moved",
            Self::Turned(1) => "turned_1",
            Self::Turned(2) => "turned_2",
            Self::Turned(_) => "turned_3",
            Self::Padded => "padded",
            Self::Cropped => "cropped",
            Self::Finer => "finer",
            Self::Coarser => "coarser",
        }
    }

    fn apply(self, map: &Grid) -> Result<Grid, SimError> {
        match self {
            Self::Moved => moved(map, Pose2::new(37.3, -12.1, 0.0)),
            Self::Turned(quarters) => (0..quarters).try_fold(map.clone(), |map, _| quarter_turned(&map)),
            Self::Padded => bordered(map, [7, 11, 13, 5]),
            Self::Cropped => cropped(map),
            Self::Finer => finer(map),
            Self::Coarser => {
                let kind =
                    Kind::find("resolution").ok_or_else(|| SimError::UnknownKind("resolution".to_owned()))?;
                Ok(kind.apply(map, 2.0, 0)?.map)
            }
        }
    }
}

fn moved(map: &Grid, by: Pose2) -> Result<Grid, SimError> {
    let geometry = map.geometry().moved_by(Similarity2::from(by)).checked()?;
    Ok(Grid::new(geometry, map.classes().to_vec())?)
}

/// Counter-clockwise by 90 degrees, cell by cell, about the lower-left corner of the grid.
fn quarter_turned(map: &Grid) -> Result<Grid, SimError> {
    let geometry = map.geometry();
    let (width, height) = (geometry.width(), geometry.height());
    // The top row of the result is the last column, from left to right as it was from top to bottom.
    let classes = (0..width).rev().flat_map(|column| (0..height).map(move |row| row * width + column));
    let classes = classes.map(|index| map.classes()[index]).collect();
    // The lower-left corner of the result is the old upper-left one, turned.
    let corner = Pose2::new(-(height as f64) * geometry.cell_size_m(), 0.0, 0.0);
    let turned = GridGeometry::new(height, width, geometry.cell_size_m(), geometry.origin() * corner)?;
    Ok(Grid::new(turned, classes)?)
}

/// Each cell as four of half the size.
fn finer(map: &Grid) -> Result<Grid, SimError> {
    let geometry = map.geometry();
    let size = (2 * geometry.width(), 2 * geometry.height());
    let fine = GridGeometry::new(size.0, size.1, geometry.cell_size_m() / 2.0, geometry.origin())?;
    let doubled = |row: &[CellClass]| row.iter().flat_map(|class| [*class, *class]).collect::<Vec<_>>();
    let rows = map.classes().chunks(geometry.width()).flat_map(|row| {
        let row = doubled(row);
        [row.clone(), row].concat()
    });
    Ok(Grid::new(fine, rows.collect())?)
}

/// The map turned by one degree about its middle, counter-clockwise: its geometry alone, so that no cell changes.
fn turned_by_a_degree(map: &Grid) -> Result<Grid, SimError> {
    let geometry = map.geometry();
    let middle = geometry.world_of_grid_point(geometry.width() as f64 / 2.0, geometry.height() as f64 / 2.0);
    let about = Pose2::new(middle.x_m, middle.y_m, 0.0);
    moved(map, about * Pose2::new(0.0, 0.0, 1_f64.to_radians()) * about.inverse())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_turn_runs_counter_clockwise() {
        let map = testkit::grid(["#.?", "..#"]);
        let turned = quarter_turned(&map).unwrap();
        assert_eq!(testkit::rows(&turned), ["?#", "..", "#."]);
        // Relative to the lower-left corner of the old grid the cell (2, 0) lies at (2.5, 0.5), and turned at (-0.5, 2.5).
        let wall = turned.geometry().center_of(turned.geometry().cell_of(1));
        assert!((wall.x_m + 0.5).abs() < 1e-12 && (wall.y_m - 2.5).abs() < 1e-12, "{wall:?}");
        let back = (0..3).try_fold(turned, |map, _| quarter_turned(&map)).unwrap();
        assert_eq!(back.classes(), map.classes());
    }

    #[test]
    fn finer_cells_cover_the_same_place() {
        let fine = finer(&testkit::grid(["#."])).unwrap();
        assert_eq!(testkit::rows(&fine), ["##..", "##.."]);
        assert_eq!(fine.geometry().cell_size_m(), 0.5);
    }
}
