//! Upright surfaces: planes over a segment, and cylinders over an arc.

use model::Point2;

use super::{HitKind, PlaneRay};
use crate::arena::Arena;

/// Hits nearer than this are the surface on which the ray starts.
const START_M: f64 = 1e-9;
/// Rays do not slip between two segments that share a corner.
const CORNER: f64 = 1e-9;

/// A vertical plane over a segment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segment {
    pub from: Point2,
    /// From there to the other end.
    pub along: Point2,
    /// Lower end; 0 is the ground, and whatever lies below it.
    pub bottom_m: f64,
    /// Upper end.
    pub top_m: f64,
}

/// A vertical cylinder over an arc.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arc {
    pub center: Point2,
    pub radius_m: f64,
    /// Direction of the middle of the arc.
    pub facing: Point2,
    /// Cosine of half of the arc; -1 for a whole circle.
    pub cos_half: f64,
    /// Lower end.
    pub bottom_m: f64,
    /// Upper end.
    pub top_m: f64,
}

/// All upright surfaces, segments first.
#[derive(Clone, Debug)]
pub(crate) struct Surfaces {
    pub segments: Vec<Segment>,
    pub arcs: Vec<Arc>,
}

impl Surfaces {
    pub(super) fn of_arena(arena: &Arena) -> Self {
        let segment = |wall: &crate::arena::Wall| Segment {
            from: wall.from,
            along: Point2::new(wall.to.x_m - wall.from.x_m, wall.to.y_m - wall.from.y_m),
            bottom_m: wall.bottom_m,
            top_m: wall.height_m,
        };
        let arc = |barrel: &crate::arena::Barrel| {
            let (sin, cos) = barrel.part.direction_rad.sin_cos();
            let half_rad = barrel.part.opening_rad / 2.0;
            let is_whole = half_rad >= std::f64::consts::PI - 1e-9;
            Arc {
                center: barrel.part.center,
                radius_m: barrel.part.radius_m,
                facing: Point2::new(cos, sin),
                cos_half: if is_whole { -2.0 } else { half_rad.cos() },
                bottom_m: barrel.bottom_m,
                top_m: barrel.top_m,
            }
        };
        Self {
            segments: arena.walls.iter().map(segment).collect(),
            arcs: arena.barrels.iter().map(arc).collect(),
        }
    }

    /// The unit normal of a surface at a place on it, to either side.
    pub(super) fn normal(&self, number: u32, at: Point2) -> Point2 {
        let number = number as usize;
        let (x_m, y_m) = match self.segments.get(number) {
            Some(segment) => (-segment.along.y_m, segment.along.x_m),
            None => {
                let center = self.arcs[number - self.segments.len()].center;
                (at.x_m - center.x_m, at.y_m - center.y_m)
            }
        };
        let length = x_m.hypot(y_m).max(f64::MIN_POSITIVE);
        Point2::new(x_m / length, y_m / length)
    }

    /// Where a ray meets a surface first: metres along the ray in the plane.
    #[inline]
    pub(super) fn hit(&self, number: u32, ray: &PlaneRay) -> Option<(f64, HitKind)> {
        let number = number as usize;
        match self.segments.get(number) {
            Some(segment) => segment.hit(ray).map(|s| (s, HitKind::Wall)),
            None => self.arcs[number - self.segments.len()].hit(ray).map(|s| (s, HitKind::Barrel)),
        }
    }
}

impl Segment {
    #[inline]
    fn hit(&self, ray: &PlaneRay) -> Option<f64> {
        let denominator = cross(ray.direction, self.along);
        let to = Point2::new(self.from.x_m - ray.origin.x_m, self.from.y_m - ray.origin.y_m);
        let s = cross(to, self.along) / denominator;
        let t = cross(to, ray.direction) / denominator;
        // A parallel ray divides by 0: the comparisons are then false.
        let is_met = s > START_M && (-CORNER..=1.0 + CORNER).contains(&t);
        let height_m = ray.height_m + s * ray.climb;
        let is_above_bottom = self.bottom_m <= 0.0 || height_m >= self.bottom_m;
        (is_met && is_above_bottom && height_m <= self.top_m).then_some(s)
    }
}

impl Arc {
    #[inline]
    fn hit(&self, ray: &PlaneRay) -> Option<f64> {
        let from = Point2::new(ray.origin.x_m - self.center.x_m, ray.origin.y_m - self.center.y_m);
        let middle = dot(from, ray.direction);
        let square = middle * middle - (dot(from, from) - self.radius_m * self.radius_m);
        if square < 0.0 {
            return None;
        }
        let half = square.sqrt();
        [-middle - half, -middle + half].into_iter().find(|&s| {
            let at = Point2::new(from.x_m + s * ray.direction.x_m, from.y_m + s * ray.direction.y_m);
            let height_m = ray.height_m + s * ray.climb;
            s > START_M
                && dot(at, self.facing) >= self.cos_half * self.radius_m - CORNER
                && (self.bottom_m..=self.top_m).contains(&height_m)
        })
    }
}

#[inline]
fn cross(a: Point2, b: Point2) -> f64 {
    a.x_m * b.y_m - a.y_m * b.x_m
}

#[inline]
fn dot(a: Point2, b: Point2) -> f64 {
    a.x_m * b.x_m + a.y_m * b.y_m
}
