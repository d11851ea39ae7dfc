//! What rays meet: vertical walls and arcs of barrels with a lower and an upper end, and the floor with its ramps.
//!
//! A ray is followed in the plane through a uniform grid of the surfaces; its height decides whether it passes over
//! one (L-TILT). The floor is followed pallet by pallet, and only where the ray is low enough to meet it.

mod floor_ray;
mod grid_walk;
mod surface;
mod surface_index;

use model::Point2;

use crate::arena::{Arena, Floor};
use surface::Surfaces;
pub(crate) use surface::{Arc, Segment};
use surface_index::SurfaceIndex;

/// What a ray hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HitKind {
    Wall,
    Barrel,
    /// The floor, a ramp, or the side of one.
    Floor,
}

/// Where a ray ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Distance from the origin along the ray, metres.
    pub range_m: f64,
    pub kind: HitKind,
}

/// A ray in three dimensions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Where it starts: x, y, z in metres.
    pub origin_m: [f64; 3],
    /// Where it goes: a unit vector.
    pub direction: [f64; 3],
}

/// A ray as it runs over the plane: the plane is left at `climb` metres per metre.
#[derive(Clone, Copy)]
struct PlaneRay {
    origin: Point2,
    direction: Point2,
    height_m: f64,
    climb: f64,
}

/// Surfaces this near to where a ray ended may be the one that it met.
const NEAR_M: f64 = 1e-3;
/// Directions steeper than this go straight up or down.
const VERTICAL: f64 = 1e-9;

/// An arena made ready for rays.
#[derive(Clone, Debug)]
pub struct World {
    surfaces: Surfaces,
    index: SurfaceIndex,
    floor: Floor,
    roofs: Option<Roofs>,
}

/// The roofs of tunnels, all at one height.
#[derive(Clone, Debug)]
struct Roofs {
    height_m: f64,
    arena: Box<Arena>,
}

impl Roofs {
    /// Metres along a ray in the plane to the roof above it.
    fn hit(&self, ray: &PlaneRay, end_m: f64) -> Option<f64> {
        let s = (self.height_m - ray.height_m) / ray.climb;
        let at = Point2::new(ray.origin.x_m + s * ray.direction.x_m, ray.origin.y_m + s * ray.direction.y_m);
        let is_met = ray.climb > 0.0 && (0.0..=end_m).contains(&s) && self.arena.is_in_tunnel(at);
        is_met.then_some(s)
    }
}

impl World {
    /// The world of an arena.
    #[must_use]
    pub fn new(arena: &Arena) -> Self {
        let surfaces = Surfaces::of_arena(arena);
        let index = SurfaceIndex::new(&surfaces);
        let roofs = arena.roof_m().map(|height_m| Roofs { height_m, arena: Box::new(arena.clone()) });
        Self { surfaces, index, floor: arena.floor.clone(), roofs }
    }

    /// The first thing that a ray meets within a range.
    #[must_use]
    pub fn cast(&self, ray: &Ray, max_range_m: f64) -> Option<Hit> {
        let [dx, dy, dz] = ray.direction;
        let [x_m, y_m, z_m] = ray.origin_m;
        let origin = Point2::new(x_m, y_m);
        let across = (dx * dx + dy * dy).sqrt();
        if across < VERTICAL {
            let roof = self.roofs.as_ref().filter(|roofs| dz > 0.0 && roofs.arena.is_in_tunnel(origin));
            if let Some(rise_m) = roof.map(|roofs| roofs.height_m - z_m) {
                let is_met = (0.0..=max_range_m).contains(&rise_m);
                return is_met.then_some(Hit { range_m: rise_m, kind: HitKind::Wall });
            }
            let drop_m = z_m - self.floor.height_m(origin);
            let is_floor = dz < 0.0 && (0.0..=max_range_m).contains(&drop_m);
            return is_floor.then_some(Hit { range_m: drop_m, kind: HitKind::Floor });
        }
        let direction = Point2::new(dx / across, dy / across);
        let ray = PlaneRay { origin, direction, height_m: z_m, climb: dz / across };
        let reach_m = max_range_m * across;
        let mut upright = self.index.first_hit(&self.surfaces, &ray, reach_m);
        if let Some(roofs) = &self.roofs
            && let Some(s) = roofs.hit(&ray, upright.map_or(reach_m, |(s, _)| s))
        {
            upright = Some((s, HitKind::Wall));
        }
        let end_m = upright.map_or(reach_m, |(s, _)| s);
        let ground = floor_ray::first_hit(&self.floor, &ray, end_m).map(|s| (s, HitKind::Floor));
        let (s, kind) = ground.or(upright)?;
        Some(Hit { range_m: s / across, kind })
    }

    /// The first wall or barrel that a level ray meets at a height: distance and kind. The floor is not asked.
    #[must_use]
    pub fn cast_level(&self, origin: Point2, direction_rad: f64, height_m: f64, reach_m: f64) -> Option<Hit> {
        let (sin, cos) = direction_rad.sin_cos();
        let ray = PlaneRay { origin, direction: Point2::new(cos, sin), height_m, climb: 0.0 };
        self.index.first_hit(&self.surfaces, &ray, reach_m).map(|(range_m, kind)| Hit { range_m, kind })
    }

    /// The first wall or barrel that a level ray meets: distance, and the normal of the surface toward the ray.
    pub(crate) fn mirror(
        &self,
        origin: Point2,
        direction: Point2,
        height_m: f64,
        reach_m: f64,
    ) -> Option<(f64, Point2)> {
        let ray = PlaneRay { origin, direction, height_m, climb: 0.0 };
        let (s, _) = self.index.first_hit(&self.surfaces, &ray, reach_m)?;
        let at = Point2::new(origin.x_m + s * direction.x_m, origin.y_m + s * direction.y_m);
        let is_met = |number: &u32| self.surfaces.hit(*number, &ray).is_some_and(|(found, _)| found == s);
        let number = self.near(at, NEAR_M).find(is_met)?;
        let normal = self.surfaces.normal(number, at);
        let is_behind = normal.x_m * direction.x_m + normal.y_m * direction.y_m > 0.0;
        Some((s, if is_behind { Point2::new(-normal.x_m, -normal.y_m) } else { normal }))
    }

    #[must_use]
    pub const fn floor(&self) -> &Floor {
        &self.floor
    }

    /// The surfaces, for the footprint of a robot.
    pub(crate) const fn surfaces(&self) -> &Surfaces {
        &self.surfaces
    }

    /// Numbers of the surfaces near a place: each may come several times.
    pub(crate) fn near(&self, place: Point2, radius_m: f64) -> impl Iterator<Item = u32> + '_ {
        self.index.near(place, radius_m)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Plan;

    fn world(text: &str) -> World {
        World::new(&Arena::build(&Plan::read(text).unwrap()).unwrap())
    }

    /// A wall 1.2 m high at x = `at_m`, in a large hall.
    fn wall_at(at_m: f64) -> World {
        world(&format!(
            "size_m = [20, 20]\n[start]\nat_m = [1, 10]\n[[wall]]\nfrom_m = [{at_m}, 0]\nto_m = [{at_m}, 20]"
        ))
    }

    /// The range of a beam pitched up by so many degrees, from a sensor at x = 0 looking along x.
    fn pitched(world: &World, height_m: f64, up_deg: f64) -> Option<Hit> {
        let (sin, cos) = up_deg.to_radians().sin_cos();
        world.cast(&Ray { origin_m: [0.0, 10.0, height_m], direction: [cos, 0.0, sin] }, 30.0)
    }

    #[test]
    fn e8_a_wall_at_3_m_under_10_degrees_reads_3_046280_m() {
        for (up_deg, factor) in [(5.0, 1.003_820), (10.0, 1.015_427), (15.0, 1.035_276)] {
            let hit = pitched(&wall_at(3.0), 0.3, up_deg).unwrap();
            assert_eq!(hit.kind, HitKind::Wall);
            assert!((hit.range_m / 3.0 - factor).abs() < 1e-6, "{up_deg}: {hit:?}");
        }
        assert!((pitched(&wall_at(3.0), 0.3, 10.0).unwrap().range_m - 3.046_280).abs() < 1e-6);
    }

    #[test]
    fn e8_walls_are_missed_beyond_the_distance_where_the_beam_is_above_them() {
        for (up_deg, missed_m) in [(10.0, 5.1042), (15.0, 3.3588)] {
            assert!(pitched(&wall_at(missed_m - 1e-3), 0.3, up_deg).is_some());
            assert_eq!(pitched(&wall_at(missed_m + 1e-3), 0.3, up_deg), None);
        }
    }

    #[test]
    fn e8_pitched_down_the_floor_is_a_phantom_wall() {
        for (down_deg, range_m) in [(10.0, 1.7276), (15.0, 1.1591)] {
            let hit = pitched(&wall_at(3.0), 0.3, -down_deg).unwrap();
            assert_eq!(hit.kind, HitKind::Floor);
            assert!((hit.range_m - range_m).abs() < 1e-4, "{hit:?}");
        }
    }

    #[test]
    fn e8_a_level_beam_sees_a_ramp_as_a_wall_if_the_ramp_reaches_its_height() {
        // Pallets of 1 m: a flat one, then a ramp from x = 1; 1.2 m long as a second pallet would be too short.
        let ramp = world(
            "pallet_m = 1.2\ndrawing = '''\n+---+---+---+\n| S   >     |\n+---+---+---+\n'''\n\
             [[wall]]\nfrom_m = [3.2, 0]\nto_m = [3.2, 1.2]",
        );
        let level = |height_m: f64| {
            // The ramp starts at x = 1.2: 0.2 m later than in the example.
            let ray = Ray { origin_m: [0.2, 0.6, height_m], direction: [1.0, 0.0, 0.0] };
            ramp.cast(&ray, 10.0).unwrap()
        };
        let hit = level(0.15);
        assert!(hit.kind == HitKind::Floor && (hit.range_m - 1.850_692).abs() < 1e-6, "{hit:?}");
        let hit = level(0.3);
        assert!(hit.kind == HitKind::Wall && (hit.range_m - 3.0).abs() < 1e-12, "{hit:?}");
    }

    #[test]
    fn the_high_end_of_a_ramp_is_a_cliff_and_its_top_lets_level_beams_pass() {
        let ramp = world("drawing = '''\n+---+---+---+\n| S   <     |\n+---+---+---+\n'''");
        let level = |height_m: f64| {
            ramp.cast(&Ray { origin_m: [0.6, 0.6, height_m], direction: [1.0, 0.0, 0.0] }, 10.0).unwrap()
        };
        let cliff = level(0.1);
        assert!(cliff.kind == HitKind::Floor && (cliff.range_m - 0.6).abs() < 1e-9, "{cliff:?}");
        let over = level(0.25);
        assert!(over.kind == HitKind::Wall && (over.range_m - 3.0).abs() < 1e-9, "{over:?}");
    }

    #[test]
    fn barrels_are_seen_on_their_arc_and_at_their_height_only() {
        let place = "size_m = [4, 4]\n[start]\nat_m = [0.5, 2]\n[[barrel]]\nat_m = [2, 2]\nfacing_deg = 180\n\
                     radius_m = 0.3\nheight_m = 1\nlength_m = 0.6\n";
        let half = world(place);
        let level = |x_m: f64, direction: f64, height_m: f64| {
            half.cast(&Ray { origin_m: [x_m, 2.0, height_m], direction: [direction, 0.0, 0.0] }, 10.0)
        };
        let hit = level(0.5, 1.0, 1.0).unwrap();
        assert!(hit.kind == HitKind::Barrel && (hit.range_m - 1.2).abs() < 1e-12);
        // From behind the ray enters through the open side and meets the arc from inside.
        assert!((level(3.5, -1.0, 1.0).unwrap().range_m - 1.8).abs() < 1e-12);
        assert_eq!(level(0.5, 1.0, 0.6), None);
        assert_eq!(level(0.5, 1.0, 1.4), None);
    }

    #[test]
    fn straight_down_is_the_floor_and_straight_up_is_nothing() {
        let world = wall_at(3.0);
        let upright =
            |dz: f64| world.cast(&Ray { origin_m: [1.0, 1.0, 0.4], direction: [0.0, 0.0, dz] }, 4.0);
        assert_eq!(upright(-1.0), Some(Hit { range_m: 0.4, kind: HitKind::Floor }));
        assert_eq!(upright(1.0), None);
    }

    #[test]
    fn the_grid_finds_what_a_search_through_all_surfaces_finds() {
        let plan = crate::arena::MazePlan { seed: 5, ..Default::default() }.plan().unwrap();
        let world = World::new(&Arena::build(&plan).unwrap());
        let mut rng = model::SeededRng::new(3);
        for _ in 0..20_000 {
            let origin =
                Point2::new(rng.between(-50, 1490) as f64 / 100.0, rng.between(-50, 1010) as f64 / 100.0);
            let (sin, cos) = (rng.between(0, 62_831) as f64 / 10_000.0).sin_cos();
            let climb = rng.between(-300, 300) as f64 / 1000.0;
            let ray = PlaneRay { origin, direction: Point2::new(cos, sin), height_m: 0.3, climb };
            let found = world.index.first_hit(&world.surfaces, &ray, 8.0);
            let all = (0..(world.surfaces.segments.len() + world.surfaces.arcs.len()) as u32)
                .filter_map(|number| world.surfaces.hit(number, &ray))
                .filter(|(s, _)| *s <= 8.0)
                .min_by(|a, b| a.0.total_cmp(&b.0));
            assert_eq!(found.map(|(s, _)| s), all.map(|(s, _)| s), "{origin:?} {cos} {sin} {climb}");
        }
    }

    #[test]
    fn a_tunnel_lets_low_beams_through_and_has_a_roof() {
        let world = world("tunnel_m = 0.5\ndrawing = '''\n+---+---+---+\n| S   T     |\n+---+---+---+\n'''");
        let level = |height_m: f64| {
            world
                .cast(&Ray { origin_m: [0.6, 0.6, height_m], direction: [1.0, 0.0, 0.0] }, 30.0)
                .unwrap()
                .range_m
        };
        assert!((level(0.3) - 3.0).abs() < 1e-9, "through the tunnel to the wall");
        assert!((level(0.8) - 0.6).abs() < 1e-9, "against the board above the entrance");
        let up = Ray { origin_m: [1.3, 0.6, 0.3], direction: [0.6, 0.0, 0.8] };
        assert!((world.cast(&up, 30.0).unwrap().range_m - 0.25).abs() < 1e-9, "0.2 m up, 0.15 m ahead");
        let outside = Ray { origin_m: [0.1, 0.6, 0.3], ..up };
        assert!(world.cast(&outside, 0.9).is_none());
    }
}
