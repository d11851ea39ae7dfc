//! Columns: small groups of set cells that stand alone in free ground (D-POLE).

use std::ops::Range;

use crate::components::{Connectivity, components_of};

/// A group of cells that could be a pole.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Mean of its cells: columns from the left edge of the image, rows from its upper edge.
    pub x_cells: f64,
    pub y_cells: f64,
    /// Half of the longer side of the box around it.
    pub radius_cells: f64,
    /// Number of its cells.
    pub cells: usize,
    /// Middles of the cells at its outline.
    outline: Vec<[f64; 2]>,
}

/// A column as a circle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ColumnFit {
    pub x_cells: f64,
    pub y_cells: f64,
    /// Root mean square distance of its outline from the circle.
    pub rms_cells: f64,
}

/// Cells around a column in which nothing else may stand.
const CLEARANCE_CELLS: usize = 2;
/// Share of these cells that must be free; a scanner leaves the shadow of a column unknown.
const MIN_FREE_SHARE: f64 = 0.5;
/// The longer side of a column may be so many times the shorter one; a cell more is how coarse maps are.
const MAX_ASPECT: usize = 2;
/// Rounds of fitting a circle.
const ROUNDS: usize = 10;

/// Columns of the cells of class `occupied` that are no longer than `max_side_cells`, in image order.
///
/// # Panics
/// The plane is no whole number of rows.
pub fn columns(plane: &[u8], [occupied, free]: [u8; 2], width: usize, max_side_cells: usize) -> Vec<Column> {
    if width == 0 || plane.is_empty() {
        return Vec::new();
    }
    let height = plane.len() / width;
    let components = components_of(plane, occupied, width, height, Connectivity::Eight);
    let mut groups = vec![Group::default(); components.count() as usize];
    for (component, run) in components.runs() {
        groups[component as usize - 1].add(run, width, max_side_cells);
    }
    let image = Image { plane, width, height, occupied, free };
    groups.iter().filter(|group| !group.is_too_long).filter_map(|group| image.column(group)).collect()
}

/// The runs of one component, as long as it may be a column.
#[derive(Clone, Default)]
struct Group {
    runs: Vec<Range<usize>>,
    left: usize,
    right: usize,
    top: usize,
    bottom: usize,
    is_too_long: bool,
}

impl Group {
    fn add(&mut self, run: Range<usize>, width: usize, max_side_cells: usize) {
        if self.is_too_long {
            return;
        }
        let (row, left, right) = (run.start / width, run.start % width, (run.end - 1) % width);
        if self.runs.is_empty() {
            (self.left, self.right, self.top) = (left, right, row);
        }
        (self.left, self.right, self.bottom) = (self.left.min(left), self.right.max(right), row);
        self.is_too_long = self.sides().into_iter().any(|side| side > max_side_cells);
        match self.is_too_long {
            true => self.runs = Vec::new(),
            false => self.runs.push(run),
        }
    }

    fn sides(&self) -> [usize; 2] {
        [self.right - self.left + 1, self.bottom - self.top + 1]
    }
}

struct Image<'a> {
    plane: &'a [u8],
    width: usize,
    height: usize,
    occupied: u8,
    free: u8,
}

impl Image<'_> {
    /// A group as a column; none if it is long, or does not stand alone in free ground.
    fn column(&self, group: &Group) -> Option<Column> {
        let sides = group.sides();
        let (longer, shorter) = (sides[0].max(sides[1]), sides[0].min(sides[1]));
        if longer > MAX_ASPECT * shorter + 1 || !self.stands_alone(group) {
            return None;
        }
        let cells: Vec<[usize; 2]> =
            group.runs.iter().cloned().flatten().map(|cell| [cell % self.width, cell / self.width]).collect();
        let mean =
            |axis: usize| cells.iter().map(|cell| cell[axis] as f64 + 0.5).sum::<f64>() / cells.len() as f64;
        let outline = cells.iter().filter(|cell| self.is_edge(**cell));
        Some(Column {
            x_cells: mean(0),
            y_cells: mean(1),
            radius_cells: longer as f64 / 2.0,
            cells: cells.len(),
            outline: outline.map(|cell| cell.map(|at| at as f64 + 0.5)).collect(),
        })
    }

    fn is_edge(&self, [x, y]: [usize; 2]) -> bool {
        let inner = x > 0 && y > 0 && x + 1 < self.width && y + 1 < self.height;
        let at = |x: usize, y: usize| self.plane[y * self.width + x];
        let beside = || [at(x - 1, y), at(x + 1, y), at(x, y - 1), at(x, y + 1)];
        !inner || beside().into_iter().any(|class| class != self.occupied)
    }

    fn stands_alone(&self, group: &Group) -> bool {
        let span = |low: usize, high: usize, side: usize| {
            low.saturating_sub(CLEARANCE_CELLS)..(high + 1 + CLEARANCE_CELLS).min(side)
        };
        let (mut occupied, mut free, mut around) = (0_usize, 0_usize, 0_usize);
        for y in span(group.top, group.bottom, self.height) {
            for x in span(group.left, group.right, self.width) {
                let class = self.plane[y * self.width + x];
                occupied += usize::from(class == self.occupied);
                let is_within =
                    (group.left..=group.right).contains(&x) && (group.top..=group.bottom).contains(&y);
                if !is_within {
                    around += 1;
                    free += usize::from(class == self.free);
                }
            }
        }
        let own: usize = group.runs.iter().map(Range::len).sum();
        occupied == own && free as f64 >= MIN_FREE_SHARE * around as f64
    }
}

impl Column {
    /// The column as a circle around the mean of its cells.
    #[must_use]
    pub fn as_seen(&self) -> ColumnFit {
        let mean = [self.x_cells, self.y_cells];
        self.fit_at(mean, self.mean_radius(mean))
    }

    /// The circle of a known radius that lies nearest to its outline (Gauss-Newton): a scanner that sees one side of a
    /// pole marks an arc, whose mean is not its centre. Too few cells, or a circle far away: the mean of the cells.
    #[must_use]
    pub fn of_radius(&self, radius_cells: f64) -> ColumnFit {
        let mean = self.fit_at([self.x_cells, self.y_cells], radius_cells);
        if self.outline.len() < 5 {
            return self.as_seen();
        }
        let mut center = [mean.x_cells, mean.y_cells];
        for _ in 0..ROUNDS {
            let Some(step) = self.step(center, radius_cells) else { return self.as_seen() };
            center = [center[0] + step[0], center[1] + step[1]];
        }
        let fitted = self.fit_at(center, radius_cells);
        let moved = (center[0] - self.x_cells).hypot(center[1] - self.y_cells);
        if fitted.rms_cells < mean.rms_cells && moved <= radius_cells { fitted } else { self.as_seen() }
    }

    fn fit_at(&self, [x_cells, y_cells]: [f64; 2], radius_cells: f64) -> ColumnFit {
        let off = |at: &[f64; 2]| ((at[0] - x_cells).hypot(at[1] - y_cells) - radius_cells).powi(2);
        let mean = self.outline.iter().map(off).sum::<f64>() / self.outline.len().max(1) as f64;
        ColumnFit { x_cells, y_cells, rms_cells: mean.sqrt() }
    }

    fn mean_radius(&self, [x, y]: [f64; 2]) -> f64 {
        self.outline.iter().map(|at| (at[0] - x).hypot(at[1] - y)).sum::<f64>()
            / self.outline.len().max(1) as f64
    }

    /// One step of Gauss-Newton; none if the cells lie on one line through the centre.
    fn step(&self, center: [f64; 2], radius_cells: f64) -> Option<[f64; 2]> {
        let (mut xx, mut xy, mut yy, mut bx, mut by) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for at in &self.outline {
            let (dx, dy) = (at[0] - center[0], at[1] - center[1]);
            let away = dx.hypot(dy);
            if away > 1e-9 {
                let (ux, uy, off) = (dx / away, dy / away, away - radius_cells);
                (xx, xy, yy) = (xx + ux * ux, xy + ux * uy, yy + uy * uy);
                (bx, by) = (bx + ux * off, by + uy * off);
            }
        }
        let determinant = xx * yy - xy * xy;
        let step = [(yy * bx - xy * by) / determinant, (xx * by - xy * bx) / determinant];
        (determinant > 1e-9 && step.iter().all(|v| v.is_finite())).then_some(step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLASSES: [u8; 2] = [b'#', b'.'];

    fn drawn(rows: &[&str]) -> Vec<Column> {
        columns(rows.concat().as_bytes(), CLASSES, rows.first().map_or(0, |row| row.len()), 6)
    }

    #[test]
    fn a_column_stands_at_the_mean_of_its_cells() {
        let found = drawn(&["........", "........", "...##...", "...##...", "........", "........"]);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].x_cells, found[0].y_cells), (4.0, 3.0));
        assert_eq!((found[0].radius_cells, found[0].cells), (1.0, 4));
        assert!(found[0].as_seen().rms_cells < 1e-9);
    }

    #[test]
    fn walls_groups_and_hidden_cells_are_no_columns() {
        assert_eq!(
            drawn(&[".........", ".........", "..#####..", ".........", "........."]).len(),
            0,
            "long"
        );
        assert_eq!(drawn(&["........", "..#..#..", "........", "........", "........"]).len(), 2);
        assert_eq!(
            drawn(&["........", "..#.#...", "........", "........", "........"]).len(),
            0,
            "not alone"
        );
        assert_eq!(
            drawn(&["????????", "????????", "...#....", "????????", "????????"]).len(),
            0,
            "not in free ground"
        );
        assert_eq!(drawn(&["#######.", "........", "........"]).len(), 0, "longer than asked for");
        assert_eq!(drawn(&[]).len(), 0);
        assert_eq!(drawn(&["#"]).len(), 1, "nothing around it");
    }

    #[test]
    fn an_arc_of_a_pole_gives_its_centre_if_the_radius_is_known() {
        // The upper half of a circle of radius 6 cells around (15, 15).
        let side = 30;
        let plane: Vec<u8> = (0..side * side)
            .map(|cell| {
                let (x, y) = ((cell % side) as f64 + 0.5 - 15.0, (cell / side) as f64 + 0.5 - 15.0);
                let is_face = (x.hypot(y) - 6.0).abs() < 0.6 && y <= 0.0;
                if is_face {
                    b'#'
                } else if y > 0.0 && x.hypot(y) < 7.0 {
                    b'?'
                } else {
                    b'.'
                }
            })
            .collect();
        let found = columns(&plane, CLASSES, side, 14);
        assert_eq!(found.len(), 1);
        assert!(found[0].y_cells < 12.5, "the mean of the arc: {}", found[0].y_cells);
        let fit = found[0].of_radius(6.0);
        assert!((fit.x_cells - 15.0).hypot(fit.y_cells - 15.0) < 0.4, "{fit:?}");
        assert!(fit.rms_cells < 0.5, "{fit:?}");
    }
}
