//! What a robot knows of the ground from its scans: cells that beams passed, and cells where they ended.
//!
//! Beams are followed in space, by the pose of the scanner, so that scans taken on a ramp count as well. A cell is a wall if
//! a quarter of the beams that met it ended there. What ends no higher than floors can be (`floor_top_m`) may be a ramp as
//! well as a wall (L-TILT, kinds 3 and 4):
//!
//! - the end of a beam that is inclined says nothing: it may be the floor;
//! - the end of a level beam is a wall only if it was seen from nearby. A ramp whose top is as high as the scanner would
//!   have tilted the robot by then. Until then the cell stays unknown: a frontier, so that the robot goes there to see;
//! - beams that pass higher than any floor decide about a cell alone: they look over the edge of a ramp, and walls are
//!   higher.

use model::{Cell, CellClass, GridGeometry, LaserScan, Point2, Pose2, Pose3};
use raster::line_cells::crossed_cells;

/// A cell is a wall if one of so many beams that met it ended there. Beams that graze a wall read up to a cell too far
/// and cross others of its cells: with a majority, walls seen from afar only have holes, and robots drive into them.
const WALL_ONE_IN: u32 = 4;
/// Beams up to this slope count as level (3 degrees).
const LEVEL_SLOPE: f64 = 0.053;
/// Floors and their readings differ by this much at most, metres. Ours.
const FLOOR_ERROR_M: f64 = 0.05;
/// Beams are followed up to this height above the highest floor: beyond, they may look over walls of 1.2 m.
const LOOK_ABOVE_M: f64 = 0.8;
/// What a level scanner sees nearer than this is no ramp of 15 degrees: that rises to 0.3 m within 1.12 m from its foot.
const NEAR_M: f64 = 0.9;
/// Passes above all floors that outweigh ends below, as long as nothing ended up there. Ours: one scan from nearby.
const MIN_PASSES: u32 = 8;

/// Beams that met a cell, and those that ended there.
#[derive(Clone, Copy, Debug, Default)]
struct Beams {
    seen: u32,
    ended: u32,
}

impl Beams {
    fn add(&mut self, is_end: bool) {
        self.seen = self.seen.saturating_add(1);
        self.ended = self.ended.saturating_add(u32::from(is_end));
    }

    const fn is_wall(self) -> bool {
        self.ended > 0 && self.ended.saturating_mul(WALL_ONE_IN) >= self.seen
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Sight {
    /// Higher than any floor.
    high: Beams,
    /// No higher than floors can be.
    low: Beams,
    /// Whether a level beam from nearby ended here.
    is_ended_near: bool,
}

impl Sight {
    const fn class(self) -> CellClass {
        let is_high = self.high.ended > 0 || self.high.seen >= MIN_PASSES || self.low.ended == 0;
        if is_high && self.high.seen > 0 {
            return if self.high.is_wall() { CellClass::Occupied } else { CellClass::Free };
        }
        match (self.low.is_wall(), self.is_ended_near) {
            (false, _) => CellClass::Free,
            (true, true) => CellClass::Occupied,
            (true, false) => CellClass::Unknown,
        }
    }
}

/// What was seen of each cell.
#[derive(Clone, Debug)]
pub(super) struct SightMap {
    geometry: GridGeometry,
    /// Ends up to this height may be floors, metres above the start.
    floor_top_m: f64,
    sights: Vec<Sight>,
}

/// A beam from the scanner to its end, or to where it is no longer followed.
struct Beam {
    from: Point2,
    to: Point2,
    /// Heights above the start at both, metres.
    from_m: f64,
    to_m: f64,
    /// Whether something was hit at `to`.
    is_return: bool,
}

impl SightMap {
    /// Nothing is seen yet. Ramps and platforms of the place rise up to `highest_floor_m` above the start, which a team
    /// knows from the rules; it does not know where they are.
    pub(super) fn new(geometry: GridGeometry, highest_floor_m: f64) -> Self {
        let sights = vec![Sight::default(); geometry.cells()];
        Self { geometry, floor_top_m: highest_floor_m.max(0.0) + FLOOR_ERROR_M, sights }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.sights.fill(Sight::default());
    }

    /// Enters a scan taken at a pose in space into the map; how many more cells are free now.
    pub(super) fn enter(&mut self, world_from_laser: Pose3, scan: &LaserScan, map: &mut [CellClass]) -> i64 {
        let m = world_from_laser.matrix();
        let [x_m, y_m, z_m] = world_from_laser.position_m;
        let mut more_free = 0;
        for (beam, &range_m) in scan.ranges_m.iter().enumerate() {
            let range_m = f64::from(range_m);
            let is_return = range_m > 0.0 && range_m < scan.beams.max_range_m;
            let reach_m = if is_return { range_m } else { scan.beams.max_range_m };
            let (sin, cos) = (scan.beams.first_rad + scan.beams.step_rad * beam as f64).sin_cos();
            let along = |row: usize| reach_m * (m[4 * row] * cos + m[4 * row + 1] * sin);
            let beam = Beam {
                from: Point2::new(x_m, y_m),
                to: Point2::new(x_m + along(0), y_m + along(1)),
                from_m: z_m,
                to_m: z_m + along(2),
                is_return,
            };
            more_free += self.follow(&beam.below(self.floor_top_m + LOOK_ABOVE_M), map);
        }
        more_free
    }

    /// The ground under a robot is free, whatever beams seemed to meet there; how many more cells are free now.
    pub(super) fn stand(&mut self, at: Pose2, radius_m: f64, map: &mut [CellClass]) -> i64 {
        let mut more_free = 0;
        for cell in explore::cells_within(&self.geometry, at.position(), radius_m) {
            more_free += i64::from(map[cell] != CellClass::Free);
            map[cell] = CellClass::Free;
        }
        more_free
    }

    fn follow(&mut self, beam: &Beam, map: &mut [CellClass]) -> i64 {
        let length_m = beam.from.distance_m(beam.to);
        let slope = (beam.to_m - beam.from_m) / length_m.max(1e-9);
        let is_level = slope.abs() <= LEVEL_SLOPE;
        let end_cell = self.geometry.cell_at(beam.to).filter(|_| beam.is_return);
        let ends = is_level || beam.to_m > self.floor_top_m;
        let (from, to) =
            (self.geometry.grid_point_of_world(beam.from), self.geometry.grid_point_of_world(beam.to));
        let cell_size_m = self.geometry.cell_size_m();
        let (mut passed_m, mut more_free) = (0.0, 0);
        crossed_cells(from, to, |(i, j), cells| {
            let height_m = beam.from_m + slope * (passed_m + cells * cell_size_m / 2.0);
            passed_m += cells * cell_size_m;
            let inside = |v: i64, side: usize| usize::try_from(v).ok().filter(|v| *v < side);
            let Some((i, j)) = inside(i, self.geometry.width()).zip(inside(j, self.geometry.height())) else {
                return;
            };
            let cell = Cell { i, j };
            let is_end = end_cell == Some(cell);
            if is_end && !ends {
                return;
            }
            let index = self.geometry.index_of(cell);
            let sight = &mut self.sights[index];
            if height_m > self.floor_top_m {
                sight.high.add(is_end);
            } else {
                sight.low.add(is_end);
                sight.is_ended_near |= is_end && length_m < NEAR_M;
            }
            let class = sight.class();
            more_free += i64::from(class == CellClass::Free) - i64::from(map[index] == CellClass::Free);
            map[index] = class;
        });
        more_free
    }
}

impl Beam {
    /// The part of a beam that lies below a height.
    fn below(self, max_m: f64) -> Self {
        if self.to_m <= max_m || self.from_m >= max_m {
            return self;
        }
        let share = (max_m - self.from_m) / (self.to_m - self.from_m);
        let at = |from: f64, to: f64| from + share * (to - from);
        let to = Point2::new(at(self.from.x_m, self.to.x_m), at(self.from.y_m, self.to.y_m));
        Self { to, to_m: max_m, is_return: false, ..self }
    }
}

#[cfg(test)]
mod tests {
    use model::BeamModel;

    use super::*;

    const ALL: usize = 60;

    /// A row of cells of 0.05 m along x from 0 to 3 m.
    fn row(highest_floor_m: f64) -> (SightMap, Vec<CellClass>) {
        let geometry = GridGeometry::new(ALL, 1, 0.05, Pose2::IDENTITY).unwrap();
        (SightMap::new(geometry, highest_floor_m), vec![CellClass::Unknown; ALL])
    }

    /// One beam ahead from a place at a height, pitched up.
    fn look(
        sight: &mut SightMap,
        map: &mut [CellClass],
        (x_m, z_m): (f64, f64),
        up_deg: f64,
        range_m: f32,
    ) -> i64 {
        let beams = BeamModel { first_rad: 0.0, step_rad: 0.1, max_range_m: 4.0, is_guessed: false };
        let scan = LaserScan {
            time_s: 0.0,
            beams,
            ranges_m: vec![range_m],
            remissions: Vec::new(),
            world_from_laser: None,
            world_from_robot: None,
            sensor: String::new(),
        };
        let pose = Pose3::of_roll_pitch_yaw([x_m, 0.025, z_m], [0.0, -up_deg.to_radians(), 0.0]);
        sight.enter(pose, &scan, map)
    }

    fn class_at(map: &[CellClass], x_m: f64) -> CellClass {
        map[(x_m / 0.05) as usize]
    }

    #[test]
    fn on_flat_ground_an_end_is_a_wall_from_any_distance() {
        let (mut sight, mut map) = row(0.0);
        assert_eq!(look(&mut sight, &mut map, (0.025, 0.3), 0.0, 2.0), 40);
        assert_eq!(class_at(&map, 2.03), CellClass::Occupied);
        assert_eq!(class_at(&map, 2.08), CellClass::Unknown);
        assert_eq!(class_at(&map, 1.98), CellClass::Free);
    }

    #[test]
    fn where_ramps_may_be_as_high_as_the_scanner_only_a_near_end_is_a_wall() {
        let (mut sight, mut map) = row(0.3215);
        look(&mut sight, &mut map, (0.025, 0.3), 0.0, 2.0);
        assert_eq!(class_at(&map, 2.03), CellClass::Unknown, "a ramp or a wall");
        assert_eq!(class_at(&map, 1.98), CellClass::Free, "so that the cell before is a frontier");
        look(&mut sight, &mut map, (1.225, 0.3), 0.0, 0.8);
        assert_eq!(class_at(&map, 2.03), CellClass::Occupied);
    }

    #[test]
    fn beams_over_the_edge_of_a_ramp_clear_the_phantom() {
        let (mut sight, mut map) = row(0.3215);
        for _ in 0..50 {
            look(&mut sight, &mut map, (0.025, 0.3), 0.0, 2.0);
            look(&mut sight, &mut map, (1.225, 0.3), 0.0, 0.8);
        }
        // Its nose on the ramp: 15 degrees up from 1.2 m, over the edge at 2 m in 0.55 m height.
        for _ in 0..MIN_PASSES {
            look(&mut sight, &mut map, (1.225, 0.33), 15.0, 1.2);
        }
        assert_eq!(class_at(&map, 2.03), CellClass::Free);
        assert_eq!(class_at(&map, 1.225 + 1.2 * 15_f64.to_radians().cos()), CellClass::Occupied, "a wall");
    }

    #[test]
    fn a_floor_before_a_nose_that_points_down_is_no_wall() {
        let (mut sight, mut map) = row(0.3215);
        // From a platform of 0.32 m down: the beam meets the floor.
        look(&mut sight, &mut map, (0.025, 0.62), -15.0, 2.39);
        assert!(map.iter().all(|class| *class != CellClass::Occupied));
        assert_eq!(class_at(&map, 2.2), CellClass::Free, "below the beam there is no wall");
    }

    #[test]
    fn a_beam_that_looks_over_walls_says_nothing_behind_them() {
        let (mut sight, mut map) = row(0.0);
        look(&mut sight, &mut map, (0.025, 0.3), 30.0, 4.0);
        let last = map.iter().rposition(|class| *class == CellClass::Free).unwrap();
        // 0.85 m are reached after 0.55 m / tan 30.
        assert_eq!(last, ((0.025 + 0.55 / 30_f64.to_radians().tan()) / 0.05) as usize);
        assert!(map.iter().all(|class| *class != CellClass::Occupied));
    }

    #[test]
    fn a_robot_stands_on_free_ground() {
        let (mut sight, mut map) = row(0.0);
        look(&mut sight, &mut map, (0.025, 0.3), 0.0, 1.0);
        assert_eq!(class_at(&map, 1.03), CellClass::Occupied);
        assert!(sight.stand(Pose2::new(1.0, 0.025, 0.0), 0.1, &mut map) > 0);
        assert_eq!(class_at(&map, 1.03), CellClass::Free);
    }
}
