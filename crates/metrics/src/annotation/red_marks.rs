//! Victims marked in the navigation layer: connected red cells are one report at their centre (F-NAV).
//!
//! Cells that share an edge or a corner are connected; the centre is the mean of the cells. A mark and a victim of a
//! vector layer within [`SAME_VICTIM_M`] of each other are one report, paired one to one, nearest first: the layer's is
//! kept, because it may have an identifier.

use model::{Grid, NavigationClass, Point2};
use raster::components::{Connectivity, components_of};

use super::inputs::{Annotations, Victim};
use crate::plane_distance::distance_m;

/// A red mark and a listed victim this near are the same, metres: the radius in which a victim is found.
pub const SAME_VICTIM_M: f64 = 1.0;
/// With more marks the red cells are noise, or another palette, and no victims.
pub const MAX_MARKS: usize = 1000;

/// Centres of the connected red cells, in the frame of the map, in image order of their first cells.
///
/// # Errors
/// How many there are, if they are more than [`MAX_MARKS`].
pub fn red_marks(grid: &Grid) -> Result<Vec<Point2>, usize> {
    let Some(classes) = grid.navigation_bytes() else { return Ok(Vec::new()) };
    let geometry = grid.geometry();
    let red = NavigationClass::Victim as u8;
    let parts = components_of(classes, red, geometry.width(), geometry.height(), Connectivity::Eight);
    let count = parts.count() as usize;
    if count > MAX_MARKS {
        return Err(count);
    }
    let mut sums = vec![(0.0, 0.0, 0.0); count];
    for (part, cells) in parts.runs() {
        for cell in cells {
            let center = geometry.center_of(geometry.cell_of(cell));
            let sum = &mut sums[part as usize - 1];
            *sum = (sum.0 + center.x_m, sum.1 + center.y_m, sum.2 + 1.0);
        }
    }
    Ok(sums.into_iter().map(|(x, y, n)| Point2::new(x / n, y / n)).collect())
}

impl Annotations {
    /// Adds marks that no listed victim stands for as victims of their own; returns how many were listed already.
    pub fn add_red_marks(&mut self, marks: &[Point2]) -> usize {
        if marks.is_empty() {
            return 0;
        }
        let victims = self.victims.get_or_insert_default();
        let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
        for (listed, victim) in victims.iter().enumerate() {
            let near = marks.iter().map(|mark| distance_m(*mark, victim.place())).enumerate();
            pairs.extend(near.filter(|(_, d)| *d <= SAME_VICTIM_M).map(|(mark, d)| (d, mark, listed)));
        }
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| (a.1, a.2).cmp(&(b.1, b.2))));
        let (mut is_listed, mut is_marked) = (vec![false; marks.len()], vec![false; victims.len()]);
        for (_, mark, listed) in pairs {
            if !is_listed[mark] && !is_marked[listed] {
                (is_listed[mark], is_marked[listed]) = (true, true);
            }
        }
        let own = marks.iter().zip(&is_listed).filter(|(_, is_listed)| !**is_listed);
        victims.extend(
            own.map(|(mark, _)| Victim { position_m: [mark.x_m, mark.y_m, 0.0], ..Victim::default() }),
        );
        is_listed.into_iter().filter(|is_listed| *is_listed).count()
    }
}

#[cfg(test)]
mod tests {
    use model::Pose2;

    use super::*;

    fn layer(rows: &[&str]) -> Grid {
        let class = |letter| match letter {
            b'r' => NavigationClass::Victim,
            b'k' => NavigationClass::Untraversable,
            _ => NavigationClass::Cleared,
        };
        let classes: Vec<NavigationClass> = rows.concat().bytes().map(class).collect();
        let plain: Vec<String> = rows.iter().map(|row| ".".repeat(row.len())).collect();
        let geometry = *testkit::grid_at(plain, 0.5, Pose2::new(10.0, 0.0, 0.0)).geometry();
        Grid::of_navigation(geometry, classes).unwrap()
    }

    #[test]
    fn connected_red_cells_are_one_report_at_their_centre() {
        let marks = red_marks(&layer(&["rr.r", "rr..", "..k.", "r...", ".r.."])).unwrap();
        let places: Vec<(f64, f64)> = marks.iter().map(|mark| (mark.x_m, mark.y_m)).collect();
        assert_eq!(places, [(10.5, 2.0), (11.75, 2.25), (10.5, 0.5)]);
        assert_eq!(red_marks(&testkit::grid(["..", ".."])), Ok(Vec::new()), "no navigation layer");
    }

    #[test]
    fn a_mark_and_a_listed_victim_are_counted_once() {
        let listed = |x| Victim { id: "a".to_owned(), position_m: [x, 0.0, 0.0], ..Victim::default() };
        let mut given = Annotations { victims: Some(vec![listed(0.0)]), ..Annotations::default() };
        let at = |x| Point2::new(x, 0.0);
        assert_eq!(given.add_red_marks(&[at(0.9), at(0.2), at(5.0)]), 1);
        let places: Vec<f64> = given.victims.unwrap().iter().map(|victim| victim.position_m[0]).collect();
        assert_eq!(places, [0.0, 0.9, 5.0], "the nearer mark is the listed victim");
        let mut none = Annotations::default();
        assert_eq!((none.add_red_marks(&[]), none.victims.is_none()), (0, true), "nothing was reported");
        none.add_red_marks(&[at(1.0)]);
        assert_eq!(none.victims.unwrap().len(), 1);
    }

    #[test]
    fn red_noise_is_no_list_of_victims() {
        let row = "r.".repeat(60);
        let gap = ".".repeat(120);
        let rows: Vec<&str> = (0..40).map(|i| if i % 2 == 0 { row.as_str() } else { gap.as_str() }).collect();
        assert_eq!(red_marks(&layer(&rows)), Err(1200));
    }
}
