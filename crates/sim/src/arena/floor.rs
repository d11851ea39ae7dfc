//! The height of the floor: a plane per pallet, or the posts of a step field.

use model::Point2;

use super::drawing::{Edge, Ground, Rise, Slope};
use super::plan::Plan;

/// Posts along the side of a step field, and steps of stairs: on a pallet of 1.2 m each is 0.2 m deep and 0.14 m high.
pub(crate) const POSTS: usize = 6;

/// The floor of one pallet, from its lower-left corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Tile {
    /// Height at the corner, and how much it rises per metre to the right and up.
    Plane {
        /// At the lower-left corner.
        corner_m: f64,
        /// Per metre along x.
        rise_x: f64,
        /// Per metre along y.
        rise_y: f64,
    },
    /// Posts of several heights.
    Posts(Posts),
}

/// How the posts of a pallet stand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Posts {
    /// A hill, one step higher towards the middle.
    Hill {
        /// Height of the posts in the middle.
        top_m: f64,
    },
    /// Stairs: each row of posts is one step higher.
    Stairs {
        /// Where they rise to.
        rise: Rise,
        /// Height of the last row.
        top_m: f64,
    },
}

/// Height of the floor everywhere; 0 beyond the pallets.
#[derive(Clone, Debug, PartialEq)]
pub struct Floor {
    pallet_m: f64,
    columns: usize,
    rows: usize,
    tiles: Vec<Tile>,
    /// Ramps and the platforms that they lead to.
    drivable: Vec<bool>,
    highest_m: f64,
}

/// A step at an opening that a robot does not mind.
const EVEN_M: f64 = 0.03;

const FLAT: Tile = Tile::Plane { corner_m: 0.0, rise_x: 0.0, rise_y: 0.0 };

impl Floor {
    /// A floor at height 0.
    #[must_use]
    pub const fn flat() -> Self {
        Self { pallet_m: 1.0, columns: 0, rows: 0, tiles: Vec::new(), drivable: Vec::new(), highest_m: 0.0 }
    }

    /// The floor of a plan's drawing.
    pub(crate) fn of_drawing(plan: &Plan, drawing: &super::Drawing) -> Self {
        let (columns, rows) = (drawing.columns(), drawing.rows());
        let grounds = (0..rows).flat_map(|row| (0..columns).map(move |column| drawing.ground(column, row)));
        let tiles: Vec<Tile> = grounds.map(|ground| tile(plan, ground)).collect();
        let highest_m = tiles.iter().map(|tile| highest_m(*tile, plan.pallet_m)).fold(0.0, f64::max);
        if highest_m == 0.0 {
            return Self::flat();
        }
        let mut floor =
            Self { pallet_m: plan.pallet_m, columns, rows, drivable: Vec::new(), tiles, highest_m };
        floor.drivable = floor.drivable_pallets(drawing);
        floor
    }

    /// Spreads from ramps over openings without a step.
    fn drivable_pallets(&self, drawing: &super::Drawing) -> Vec<bool> {
        let is_ramp = |tile: &Tile| match *tile {
            Tile::Plane { rise_x, rise_y, .. } => rise_x != 0.0 || rise_y != 0.0,
            // Who can climb stairs drives on: no judge draws a wall there.
            Tile::Posts(posts) => matches!(posts, Posts::Stairs { .. }),
        };
        let mut drivable: Vec<bool> = self.tiles.iter().map(is_ramp).collect();
        let mut open: Vec<usize> = (0..drivable.len()).filter(|&pallet| drivable[pallet]).collect();
        while let Some(pallet) = open.pop() {
            let (column, row) = (pallet % self.columns, pallet / self.columns);
            for side in Rise::ALL.into_iter().filter(|&side| drawing.edge(column, row, side) != Edge::Wall) {
                let (x, y) = side.step();
                let Some(next) = self.pallet(column as i64 + x, row as i64 + y) else { continue };
                let is_plane = matches!(self.tiles[next], Tile::Plane { .. });
                if is_plane && !drivable[next] && self.step_m(pallet, next, side) <= EVEN_M {
                    drivable[next] = true;
                    open.push(next);
                }
            }
        }
        drivable
    }

    /// Difference of the heights of two pallets in the middle of their common edge.
    fn step_m(&self, pallet: usize, next: usize, side: Rise) -> f64 {
        let (x, y) = side.step();
        let half_m = self.pallet_m / 2.0;
        let edge_m = |pallet: usize, sign: f64| {
            let along = |step: i64| half_m * (1.0 + sign * step as f64);
            self.height_in_tile_m(self.tiles[pallet], along(x), along(y))
        };
        (edge_m(pallet, 1.0) - edge_m(next, -1.0)).abs()
    }

    /// Height of the floor at a point, metres.
    #[must_use]
    pub fn height_m(&self, point: Point2) -> f64 {
        if self.highest_m == 0.0 {
            return 0.0;
        }
        let (x, y) = (point.x_m / self.pallet_m, point.y_m / self.pallet_m);
        let tile = self.tile(x.floor() as i64, y.floor() as i64);
        self.height_in_tile_m(tile, (x - x.floor()) * self.pallet_m, (y - y.floor()) * self.pallet_m)
    }

    /// Whether a point lies on a ramp, or on a platform that ramps lead to.
    pub(crate) fn is_drivable(&self, point: Point2) -> bool {
        let (x, y) = (point.x_m / self.pallet_m, point.y_m / self.pallet_m);
        self.pallet(x.floor() as i64, y.floor() as i64).is_some_and(|pallet| self.drivable[pallet])
    }

    /// Height of a tile at a place given from its lower-left corner.
    pub(crate) fn height_in_tile_m(&self, tile: Tile, x_m: f64, y_m: f64) -> f64 {
        match tile {
            Tile::Plane { corner_m, rise_x, rise_y } => corner_m + rise_x * x_m + rise_y * y_m,
            Tile::Posts(posts) => {
                let post = |v_m: f64| ((v_m / self.pallet_m * POSTS as f64) as usize).min(POSTS - 1);
                posts.height_m(post(x_m), post(y_m))
            }
        }
    }

    /// The tile of a pallet; flat beyond the pallets.
    pub(crate) fn tile(&self, column: i64, row: i64) -> Tile {
        self.pallet(column, row).map_or(FLAT, |pallet| self.tiles[pallet])
    }

    fn pallet(&self, column: i64, row: i64) -> Option<usize> {
        let inside = |v: i64, side: usize| usize::try_from(v).ok().filter(|v| *v < side);
        Some(inside(row, self.rows)? * self.columns + inside(column, self.columns)?)
    }

    /// Side of a pallet, metres.
    pub(crate) const fn pallet_m(&self) -> f64 {
        self.pallet_m
    }

    /// Height of the highest place, metres; 0 means that the floor is flat everywhere.
    #[must_use]
    pub const fn highest_m(&self) -> f64 {
        self.highest_m
    }
}

impl Posts {
    /// Height of a post, counted from the lower-left corner.
    pub(crate) fn height_m(self, column: usize, row: usize) -> f64 {
        match self {
            Self::Hill { top_m } => {
                let from_edge = |v: usize| v.min(POSTS - 1 - v);
                top_m * (from_edge(column).min(from_edge(row)) + 1) as f64 / (POSTS / 2) as f64
            }
            Self::Stairs { rise, top_m } => {
                let steps = match rise {
                    Rise::East => column + 1,
                    Rise::North => row + 1,
                    Rise::West => POSTS - column,
                    Rise::South => POSTS - row,
                };
                top_m * steps as f64 / POSTS as f64
            }
        }
    }

    const fn top_m(self) -> f64 {
        match self {
            Self::Hill { top_m } | Self::Stairs { top_m, .. } => top_m,
        }
    }
}

fn tile(plan: &Plan, ground: Ground) -> Tile {
    match ground {
        Ground::Flat | Ground::Outside => FLAT,
        Ground::StepField => Tile::Posts(Posts::Hill { top_m: plan.step_m }),
        Ground::Stairs(direction) => {
            let top_m = plan.pallet_m * rise(plan, Slope::Deg35);
            Tile::Posts(Posts::Stairs { rise: direction, top_m })
        }
        Ground::Platform(slope) => {
            Tile::Plane { corner_m: plan.pallet_m * rise(plan, slope), rise_x: 0.0, rise_y: 0.0 }
        }
        Ground::Ramp(direction, slope) => {
            let rise = rise(plan, slope);
            let (x, y) = direction.step();
            let is_downhill = matches!(direction, Rise::West | Rise::South);
            let corner_m = if is_downhill { plan.pallet_m * rise } else { 0.0 };
            Tile::Plane { corner_m, rise_x: rise * x as f64, rise_y: rise * y as f64 }
        }
    }
}

/// Metres up per metre along.
fn rise(plan: &Plan, slope: Slope) -> f64 {
    let slope_deg = match slope {
        Slope::Gentle => plan.ramp_deg,
        Slope::Steep => plan.steep_ramp_deg,
        Slope::Deg35 => 35.0_f64,
        Slope::Deg45 => 45.0,
    };
    slope_deg.to_radians().tan()
}

fn highest_m(tile: Tile, pallet_m: f64) -> f64 {
    match tile {
        Tile::Plane { corner_m, rise_x, rise_y } => corner_m + (rise_x.max(0.0) + rise_y.max(0.0)) * pallet_m,
        Tile::Posts(posts) => posts.top_m(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Drawing;

    fn floor(drawing: &str) -> Floor {
        Floor::of_drawing(&Plan::default(), &Drawing::read(drawing).unwrap())
    }

    #[test]
    fn ramps_rise_the_way_the_arrow_points_and_end_at_the_platform() {
        let floor = floor("+---+---+---+---+\n| >   =   <   v |\n+---+---+---+---+");
        let top_m = 1.2 * 10_f64.to_radians().tan();
        let height = |x_m: f64, y_m: f64| floor.height_m(Point2::new(x_m, y_m));
        assert!((top_m - 0.211_592).abs() < 1e-6 && (floor.highest_m() - top_m).abs() < 1e-12);
        assert!(height(0.0, 0.6).abs() < 1e-12 && (height(0.6, 0.6) - top_m / 2.0).abs() < 1e-12);
        assert!((height(1.8, 0.1) - top_m).abs() < 1e-12);
        assert!((height(2.7, 0.6) - top_m * 0.75).abs() < 1e-9);
        assert!((height(4.0, 0.3) - top_m * 0.75).abs() < 1e-9);
        assert_eq!(height(-0.1, 0.6), 0.0);
    }

    #[test]
    fn a_step_field_is_a_hill_of_posts() {
        let floor = floor("+---+\n| # |\n+---+");
        let heights: Vec<f64> =
            (0..6).map(|post| floor.height_m(Point2::new(0.1 + 0.2 * f64::from(post), 0.5))).collect();
        let third = 0.2 / 3.0;
        for (found, expected) in heights.iter().zip([1.0, 2.0, 3.0, 3.0, 2.0, 1.0]) {
            assert!((found - expected * third).abs() < 1e-12, "{heights:?}");
        }
    }

    #[test]
    fn climbs_of_35_and_45_degrees_end_at_their_platforms_and_stairs_as_high_as_35() {
        let floor = floor("+---+---+---+---+\n|>3  =3  <s   >4|\n+---+---+---+---+");
        let height = |x_m: f64| floor.height_m(Point2::new(x_m, 0.6));
        let top_m = 1.2 * 35_f64.to_radians().tan();
        assert!((height(0.6) - top_m / 2.0).abs() < 1e-9 && (height(1.8) - top_m).abs() < 1e-9);
        // Six steps down to the right, the highest flush with the platform.
        for (step, x_m) in [2.5, 2.7, 2.9, 3.1, 3.3, 3.5].into_iter().enumerate() {
            let expected_m = top_m * (6 - step) as f64 / 6.0;
            assert!((height(x_m) - expected_m).abs() < 1e-9, "{x_m}: {}", height(x_m));
        }
        assert!((height(4.2) - 0.6).abs() < 1e-9, "45 degrees: as high as far");
        assert!(floor.is_drivable(Point2::new(2.6, 0.6)) && floor.is_drivable(Point2::new(1.8, 0.6)));
    }

    #[test]
    fn a_flat_drawing_makes_a_flat_floor() {
        assert_eq!(floor("+---+\n|   |\n+---+"), Floor::flat());
    }
}
