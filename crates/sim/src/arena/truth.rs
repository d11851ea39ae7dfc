//! Truth grids of an arena: what a perfect map shows at a height.
//!
//! The border between pallets runs through the middle of cells wherever the pallet is a whole number of cells: a wall
//! is one cell thick, and a hit with a little noise stays in its cell (a wall on the edge of cells costs 27 mm of
//! accuracy in a mapper). Free is what can be reached from the start without crossing an occupied cell; all else is
//! unknown.

use model::{Cell, CellClass, Grid, GridGeometry, Point2, Pose2};
use raster::line_cells::crossed_cells;

use super::Arena;
use crate::SimError;

/// Larger truth grids are refused before they are made.
const MAX_TRUTH_CELLS: f64 = (1 << 26) as f64;

impl Arena {
    /// The cells of the truth grids.
    ///
    /// # Errors
    /// More cells than a truth grid may have.
    pub fn geometry(&self) -> Result<GridGeometry, SimError> {
        let margin_cells = (self.margin_m / self.cell_size_m).ceil();
        let side = |size_m: f64| (size_m / self.cell_size_m - 1e-9).ceil() + 1.0 + 2.0 * margin_cells;
        let (width, height) = (side(self.size_m[0]), side(self.size_m[1]));
        SimError::check_range(
            "cells of the truth grid",
            width * height,
            1.0..=MAX_TRUTH_CELLS,
            "at most 2^26",
        )?;
        let corner_m = -(margin_cells + 0.5) * self.cell_size_m;
        let origin = Pose2::new(corner_m, corner_m, 0.0);
        Ok(GridGeometry::new(width as usize, height as usize, self.cell_size_m, origin)?)
    }

    /// The perfect map at a height.
    ///
    /// # Errors
    /// As [`Arena::geometry`].
    pub fn truth(&self, height_m: f64) -> Result<Grid, SimError> {
        let geometry = self.geometry()?;
        let mut classes = vec![CellClass::Unknown; geometry.cells()];
        self.draw_floor(&mut classes, &geometry, height_m);
        self.draw_tunnels(&mut classes, &geometry, height_m);
        for wall in self.walls.iter().filter(|wall| (wall.bottom_m..=wall.height_m).contains(&height_m)) {
            draw_line(&mut classes, &geometry, wall.from, wall.to);
        }
        for barrel in
            self.barrels.iter().filter(|barrel| (barrel.bottom_m..=barrel.top_m).contains(&height_m))
        {
            let outline = arc(&barrel.part, self.cell_size_m / 4.0);
            outline.windows(2).for_each(|pair| draw_line(&mut classes, &geometry, pair[0], pair[1]));
        }
        self.free_what_can_be_reached(&mut classes, &geometry);
        Ok(Grid::new(geometry, classes)?)
    }

    /// Height of the floor at the middle of each cell, metres, in image order; 0 outside.
    ///
    /// # Errors
    /// As [`Arena::geometry`].
    pub fn height_model_m(&self) -> Result<Vec<f32>, SimError> {
        let geometry = self.geometry()?;
        let height = |index| self.floor.height_m(geometry.center_of(geometry.cell_of(index))) as f32;
        Ok((0..geometry.cells()).map(height).collect())
    }

    /// Step fields, and platforms that no ramp leads to, that are higher than the slice. Ramps and the platforms that they
    /// lead to are drivable, however high they rise: no judge draws a wall there, and the phantom that a level beam sees on
    /// them (L-TILT) is a fault of the map.
    fn draw_floor(&self, classes: &mut [CellClass], geometry: &GridGeometry, height_m: f64) {
        if self.floor.highest_m() < height_m || self.floor.highest_m() == 0.0 {
            return;
        }
        for (index, class) in classes.iter_mut().enumerate() {
            let center = geometry.center_of(geometry.cell_of(index));
            if self.floor.height_m(center) > height_m && !self.floor.is_drivable(center) {
                *class = CellClass::Occupied;
            }
        }
    }

    /// Tunnels are solid from their roof on.
    fn draw_tunnels(&self, classes: &mut [CellClass], geometry: &GridGeometry, height_m: f64) {
        if self.roof_m().is_none_or(|roof_m| height_m < roof_m) {
            return;
        }
        for (index, class) in classes.iter_mut().enumerate() {
            if self.is_in_tunnel(geometry.center_of(geometry.cell_of(index))) {
                *class = CellClass::Occupied;
            }
        }
    }

    /// Spreads from the start over the cells of the arena, four neighbours each.
    fn free_what_can_be_reached(&self, classes: &mut [CellClass], geometry: &GridGeometry) {
        let mut open: Vec<Cell> = Vec::new();
        open.extend(geometry.cell_at(Point2::new(self.start.x_m, self.start.y_m)));
        while let Some(cell) = open.pop() {
            let class = &mut classes[geometry.index_of(cell)];
            if *class != CellClass::Unknown || !self.contains(geometry.center_of(cell)) {
                continue;
            }
            *class = CellClass::Free;
            for (di, dj) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
                let next = (cell.i.checked_add_signed(di), cell.j.checked_add_signed(dj));
                if let (Some(i), Some(j)) = next
                    && i < geometry.width()
                    && j < geometry.height()
                {
                    open.push(Cell { i, j });
                }
            }
        }
    }
}

fn draw_line(classes: &mut [CellClass], geometry: &GridGeometry, from: Point2, to: Point2) {
    let [from, to] = [from, to].map(|point| geometry.grid_point_of_world(point));
    crossed_cells(from, to, |(i, j), _| {
        let inside = |v: i64, side: usize| usize::try_from(v).ok().filter(|v| *v < side);
        if let (Some(i), Some(j)) = (inside(i, geometry.width()), inside(j, geometry.height())) {
            classes[geometry.index_of(Cell { i, j })] = CellClass::Occupied;
        }
    });
}

/// Points along the arc of a barrel.
fn arc(part: &model::FiducialPart, step_m: f64) -> Vec<Point2> {
    let steps = (part.opening_rad * part.radius_m / step_m).ceil().max(8.0) as usize;
    let at = |step: usize| {
        let turn_rad = part.opening_rad * (step as f64 / steps as f64 - 0.5);
        let (sin, cos) = (part.direction_rad + turn_rad).sin_cos();
        Point2::new(part.center.x_m + part.radius_m * cos, part.center.y_m + part.radius_m * sin)
    };
    (0..=steps).map(at).collect()
}

#[cfg(test)]
mod tests {
    use crate::arena::{Arena, Plan};

    fn arena(text: &str) -> Arena {
        Arena::build(&Plan::read(text).unwrap()).unwrap()
    }

    #[test]
    fn walls_are_one_cell_and_the_unreachable_is_unknown() {
        let arena = arena(
            "pallet_m = 0.4\ncell_size_m = 0.1\nmargin_m = 0.1\nopening_m = 0.2\nslice_heights_m = [0.3]\n\
             drawing = '''\n+---+---+\n| S |   |\n+   +---+\n|   : x |\n+---+---+\n'''",
        );
        let truth = arena.truth(0.3).unwrap();
        assert_eq!(
            testkit::rows(&truth),
            [
                "???????????",
                "?#########?",
                "?#...#???#?",
                "?#...#???#?",
                "?#...#???#?",
                "?#...#####?",
                "?#...#???#?",
                "?#...????#?",
                "?#...#???#?",
                "?#########?",
                "???????????",
            ]
        );
        let above = testkit::rows(&arena.truth(5.0).unwrap());
        assert_eq!((above[3].as_str(), above[7].as_str()), ("?.........?", "?....??????"));
    }

    #[test]
    fn slices_show_what_reaches_their_height() {
        let text = "drawing = '''\n+---+\n| S |\n+---+\n'''\n[[barrel]]\nat_m = [0.6, 0.3]\nkind = 'whole'";
        let arena = arena(text);
        let occupied = |height_m| arena.truth(height_m).unwrap().class_counts()[2];
        assert_eq!(occupied(0.3), 96);
        assert!(occupied(1.0) > 110);
        assert_eq!(occupied(1.25), occupied(1.0) - 96);
        assert_eq!(occupied(2.0), 0);
    }

    #[test]
    fn a_platform_above_the_slice_is_an_obstacle() {
        let arena = arena("drawing = '''\n+---+---+\n| S   = |\n+---+---+\n'''");
        let count = |height_m| arena.truth(height_m).unwrap().class_counts();
        assert!(count(0.1)[2] > count(0.3)[2] + 500, "{:?} {:?}", count(0.1), count(0.3));
        let heights = arena.height_model_m().unwrap();
        assert!(heights.iter().any(|m| (m - 0.2116).abs() < 1e-4));
    }

    #[test]
    fn a_ramp_that_rises_above_the_slice_is_drivable() {
        let arena = arena("ramp_deg = 15.0\ndrawing = '''\n+---+---+---+\n| S   >     |\n+---+---+---+\n'''");
        assert!(arena.height_model_m().unwrap().iter().any(|m| *m > 0.3));
        let [free, _, _] = arena.truth(0.3).unwrap().class_counts();
        assert!(free > 1500, "three pallets of 24 x 24 cells: {free}");
    }

    #[test]
    fn a_platform_that_a_ramp_leads_to_is_drivable_and_one_behind_a_wall_is_not() {
        let of = |wall: char| {
            let drawing = format!("+---+---+---+\n| S   > {wall} = |\n+---+---+---+");
            arena(&format!("drawing = '''\n{drawing}\n'''")).truth(0.1).unwrap()
        };
        let [open, closed] = [' ', '|'].map(|wall| of(wall).class_counts());
        assert!(open[0] > 1500 && open[2] < 300, "three pallets of 24 x 24 cells: {open:?}");
        assert!(closed[0] < 1200 && closed[2] > 700, "{closed:?}");
    }

    #[test]
    fn a_grid_of_too_many_cells_is_refused() {
        let arena = arena("size_m = [1000, 1000]\ncell_size_m = 0.005\n[start]\nat_m = [1, 1]");
        assert!(arena.truth(0.3).unwrap_err().to_string().contains("cells of the truth grid"));
    }
}
