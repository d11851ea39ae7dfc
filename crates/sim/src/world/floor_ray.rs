//! Where a ray meets the floor: planes of pallets, posts of step fields, and the faces between them.

use model::Point2;

use super::PlaneRay;
use super::grid_walk::GridWalk;
use crate::arena::{Floor, POSTS, Posts, Tile};

/// A ray this little below the floor at the start of a tile still runs over it: ramps that meet without a step.
const FLUSH_M: f64 = 1e-9;

/// Metres along the ray in the plane, at most `end_m`.
pub(super) fn first_hit(floor: &Floor, ray: &PlaneRay, end_m: f64) -> Option<f64> {
    let highest_m = floor.highest_m();
    let height_at = |s: f64| ray.height_m + s * ray.climb;
    if height_at(0.0).min(height_at(end_m)) > highest_m {
        return None;
    }
    if highest_m == 0.0 {
        let s = -ray.height_m / ray.climb;
        return (ray.climb < 0.0 && s >= 0.0 && s <= end_m).then_some(s);
    }
    // The stretch on which the ray is low enough to meet anything.
    let crossing_m = (highest_m - ray.height_m) / ray.climb;
    let from_m = if ray.climb < 0.0 && ray.height_m > highest_m { crossing_m } else { 0.0 };
    let to_m = if ray.climb > 0.0 { end_m.min(crossing_m) } else { end_m };
    let pallet_m = floor.pallet_m();
    let mut walk = GridWalk::new(ray.origin, ray.direction, Point2::default(), pallet_m, from_m);
    while walk.enter_m <= to_m {
        let (column, row) = walk.cell;
        let corner = Point2::new(column as f64 * pallet_m, row as f64 * pallet_m);
        let stretch = (walk.enter_m, walk.leave_m().min(to_m));
        let hit = match floor.tile(column, row) {
            Tile::Plane { corner_m, rise_x, rise_y } => {
                let plane = TilePlane { corner, corner_m, rise_x, rise_y };
                plane.hit(ray, stretch)
            }
            Tile::Posts(posts) => posts_hit(ray, corner, pallet_m, posts, stretch),
        };
        if hit.is_some() {
            return hit;
        }
        walk.advance();
    }
    None
}

#[derive(Clone, Copy)]
struct TilePlane {
    corner: Point2,
    corner_m: f64,
    rise_x: f64,
    rise_y: f64,
}

impl TilePlane {
    /// The face at the border if the ray comes in below the floor, or the floor itself.
    fn hit(self, ray: &PlaneRay, (enter_m, leave_m): (f64, f64)) -> Option<f64> {
        let clearance_m = |s: f64| {
            let x_m = ray.origin.x_m + s * ray.direction.x_m - self.corner.x_m;
            let y_m = ray.origin.y_m + s * ray.direction.y_m - self.corner.y_m;
            let floor_m = self.corner_m + self.rise_x * x_m + self.rise_y * y_m;
            ray.height_m + s * ray.climb - floor_m
        };
        let (before_m, after_m) = (clearance_m(enter_m), clearance_m(leave_m));
        if before_m < -FLUSH_M {
            return (enter_m > 0.0).then_some(enter_m);
        }
        if after_m > 0.0 || before_m <= after_m {
            return None;
        }
        Some(enter_m + (leave_m - enter_m) * before_m.max(0.0) / (before_m.max(0.0) - after_m))
    }
}

/// The posts of a step field or of stairs: flat tops, upright sides.
fn posts_hit(
    ray: &PlaneRay,
    corner: Point2,
    pallet_m: f64,
    posts: Posts,
    stretch: (f64, f64),
) -> Option<f64> {
    let post_m = pallet_m / POSTS as f64;
    let mut walk = GridWalk::new(ray.origin, ray.direction, corner, post_m, stretch.0);
    while walk.enter_m < stretch.1 {
        // Rounding at the border of the pallet may name a post beside it.
        let within = |v: i64| v.clamp(0, POSTS as i64 - 1) as usize;
        let height_m = posts.height_m(within(walk.cell.0), within(walk.cell.1));
        let plane = TilePlane { corner, corner_m: height_m, rise_x: 0.0, rise_y: 0.0 };
        let hit = plane.hit(ray, (walk.enter_m, walk.leave_m().min(stretch.1)));
        if hit.is_some() {
            return hit;
        }
        walk.advance();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::{Arena, Plan};

    #[test]
    fn a_low_ray_meets_the_first_post_that_is_higher() {
        let plan = Plan::read("drawing = '''\n+---+---+---+\n| S   #     |\n+---+---+---+\n'''").unwrap();
        let arena = Arena::build(&plan).unwrap();
        let level = |height_m: f64| {
            let direction = Point2::new(1.0, 0.0);
            first_hit(
                &arena.floor,
                &PlaneRay { origin: Point2::new(0.2, 0.5), direction, height_m, climb: 0.0 },
                3.0,
            )
        };
        // Posts from x = 1.2 are 0.067, 0.133, 0.2 m high.
        for (height_m, expected) in [(0.05, Some(1.0)), (0.1, Some(1.2)), (0.15, Some(1.4)), (0.21, None)] {
            let found = level(height_m);
            assert_eq!(found.is_some(), expected.is_some(), "{height_m}");
            if let (Some(found), Some(expected)) = (found, expected) {
                assert!((found - expected).abs() < 1e-9, "{found} {expected}");
            }
        }
    }
}
