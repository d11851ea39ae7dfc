//! The part of a map that holds all known cells: planning looks at no more than that.

use model::{CellClass, GridGeometry};

/// Known cells of a map and a margin of one cell around them, as a map of its own. Frontiers and distances to walls in it
/// are those of the whole map.
#[derive(Debug)]
pub(crate) struct KnownPart {
    /// Size and place of the part.
    pub geometry: GridGeometry,
    pub classes: Vec<CellClass>,
    left: usize,
    top: usize,
    whole_width: usize,
}

impl KnownPart {
    /// The part of a map; none if no cell is known or the map has another size.
    pub fn of(geometry: &GridGeometry, map: &[CellClass]) -> Option<Self> {
        let (width, height) = (geometry.width(), geometry.height());
        if map.len() != geometry.cells() {
            return None;
        }
        let is_known = |class: &CellClass| *class != CellClass::Unknown;
        let rows = || map.chunks_exact(width);
        let first = rows().position(|row| row.iter().any(is_known))?;
        let last = rows().rposition(|row| row.iter().any(is_known))?;
        let (mut left, mut right) = (width, 0);
        for row in rows().take(last + 1).skip(first) {
            left = row.iter().take(left).position(is_known).unwrap_or(left);
            right = row.iter().skip(right).rposition(is_known).map_or(right, |at| at + right + 1);
        }
        let (left, right) = (left.saturating_sub(1), (right + 1).min(width));
        let (top, bottom) = (first.saturating_sub(1), (last + 2).min(height));
        let corner = geometry.world_of_grid_point(left as f64, (height - bottom) as f64);
        let origin = model::Pose2::new(corner.x_m, corner.y_m, geometry.origin().theta_rad);
        let part = GridGeometry::new(right - left, bottom - top, geometry.cell_size_m(), origin).ok()?;
        let classes = rows().take(bottom).skip(top).flat_map(|row| &row[left..right]).copied().collect();
        Some(Self { geometry: part, classes, left, top, whole_width: width })
    }

    /// The cell of the whole map that a cell of the part is.
    pub const fn whole_cell(&self, cell: usize) -> usize {
        let width = self.geometry.width();
        (cell / width + self.top) * self.whole_width + cell % width + self.left
    }

    /// The cell of the part that a cell of the whole map is; none outside of the part.
    pub fn part_cell(&self, whole: usize) -> Option<usize> {
        let x = (whole % self.whole_width).checked_sub(self.left)?;
        let y = (whole / self.whole_width).checked_sub(self.top)?;
        let is_inside = x < self.geometry.width() && y < self.geometry.height();
        is_inside.then_some(y * self.geometry.width() + x)
    }
}

#[cfg(test)]
mod tests {
    use testkit::grid;

    use super::*;

    #[test]
    fn the_part_holds_the_known_cells_and_one_more() {
        let map = grid(["??????", "??????", "???.#?", "???.??", "??????", "??????"]);
        let part = KnownPart::of(map.geometry(), map.classes()).unwrap();
        assert_eq!((part.geometry.width(), part.geometry.height()), (4, 4));
        assert_eq!(part.classes.iter().filter(|class| **class == CellClass::Free).count(), 2);
        for cell in 0..16 {
            assert_eq!(part.part_cell(part.whole_cell(cell)), Some(cell));
            let whole = map.geometry().cell_of(part.whole_cell(cell));
            let (one, other) =
                (map.geometry().center_of(whole), part.geometry.center_of(part.geometry.cell_of(cell)));
            assert!((one.x_m - other.x_m).abs() + (one.y_m - other.y_m).abs() < 1e-12);
            assert_eq!(map.classes()[part.whole_cell(cell)], part.classes[cell]);
        }
        assert_eq!((part.part_cell(0), part.part_cell(35), part.part_cell(5)), (None, None, None));
    }

    #[test]
    fn borders_have_no_margin_and_nothing_known_has_no_part() {
        let map = grid([".?", "#?"]);
        let part = KnownPart::of(map.geometry(), map.classes()).unwrap();
        assert_eq!((part.geometry.width(), part.geometry.height()), (2, 2));
        let unknown = grid(["??"]);
        assert!(KnownPart::of(unknown.geometry(), unknown.classes()).is_none());
        assert!(KnownPart::of(map.geometry(), unknown.classes()).is_none());
    }
}
