//! A small arena with barrels on its walls, as a robot maps it: worked example 06-E9.
//!
//! 7.2 x 4.8 m, five inner walls 0.05 m thick and drawn on both faces, seven half barrels on both sides of a wall and
//! two single halves. The robot's map is turned, moved, jittered and incomplete.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use model::{CellClass, FiducialLayout, FiducialPart, Grid, GridGeometry, Point2, Pose2, SeededRng};

use crate::SimError;

/// How the robot maps the arena.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BarrelArena {
    /// Seed of the jitter and of the missing cells.
    pub seed: u64,
    /// Rotation of the map, counter-clockwise, radians.
    pub rotation_rad: f64,
    /// Jitter of each point: standard deviation of a Gaussian in cells; 0.15 to 0.4 in 06-E9.
    pub jitter_cells: f64,
    /// Share of the occupied cells that are missing; 0.05 in 06-E9.
    pub missing_share: f64,
    /// Edge of a cell in metres.
    pub cell_size_m: f64,
}

impl Default for BarrelArena {
    fn default() -> Self {
        Self { seed: 1, rotation_rad: 0.0, jitter_cells: 0.15, missing_share: 0.05, cell_size_m: CELL_M }
    }
}

/// The arena as it is and as it was mapped.
#[derive(Clone, Debug)]
pub struct MappedArena {
    /// Where the barrels stand.
    pub layout: FiducialLayout,
    /// The map, in a frame of its own.
    pub map: Grid,
    /// From the frame of the map to that of the arena.
    pub truth_from_map: Pose2,
}

const CELL_M: f64 = 0.05;
const RADIUS_M: f64 = 0.3;
const WALL_M: f64 = 0.05;
const WIDTH_M: f64 = 7.2;
const HEIGHT_M: f64 = 4.8;
/// Points along walls and arcs lie this far apart.
const STEP_M: f64 = 0.0125;
/// Inner walls: x, from y, to y.
const INNER_WALLS: [[f64; 3]; 5] =
    [[1.2, 0.0, 3.6], [2.4, 1.2, 4.8], [3.6, 0.0, 3.6], [4.8, 1.2, 4.8], [6.0, 0.0, 3.6]];
/// Barrels astride a wall, with the range of their pair: four short, three long.
const PAIRS: [(f64, f64, &str); 7] = [
    (1.2, 1.0, "short"),
    (1.2, 2.6, "long"),
    (2.4, 2.0, "short"),
    (2.4, 3.8, "long"),
    (3.6, 1.2, "short"),
    (4.8, 3.0, "long"),
    (6.0, 2.0, "short"),
];
/// Single halves: x, y, direction.
const SINGLES: [(f64, f64, f64); 2] = [(3.0, 0.0, FRAC_PI_2), (5.4, 4.8, -FRAC_PI_2)];
/// Where the arena lies in the robot's frame, beside the rotation.
const SHIFT_M: [f64; 2] = [1.7, -0.9];
const MARGIN_M: f64 = 0.6;

impl BarrelArena {
    /// Builds the arena and maps it.
    ///
    /// # Errors
    /// A parameter outside of its range.
    pub fn mapped(&self) -> Result<MappedArena, SimError> {
        SimError::check_range("jitter_cells", self.jitter_cells, 0.0..=2.0, "0 to 2")?;
        SimError::check_range("missing_share", self.missing_share, 0.0..=1.0, "0 to 1")?;
        SimError::check_range("cell_size_m", self.cell_size_m, 0.005..=0.1, "0.005 to 0.1")?;
        SimError::check_range("rotation_rad", self.rotation_rad, -TAU..=TAU, "at most a turn")?;
        let layout = layout();
        let map_from_truth = Pose2::new(SHIFT_M[0], SHIFT_M[1], self.rotation_rad);
        let truth_from_map = map_from_truth.inverse();
        let geometry = self.geometry(map_from_truth)?;
        let mut classes: Vec<CellClass> =
            (0..geometry.cells()).map(|index| inside(&geometry, index, truth_from_map, &layout)).collect();
        self.draw(&mut classes, &geometry, map_from_truth, &layout);
        Ok(MappedArena { layout, map: Grid::new(geometry, classes)?, truth_from_map })
    }

    /// A grid around the turned arena.
    fn geometry(&self, map_from_truth: Pose2) -> Result<GridGeometry, SimError> {
        let corners = [(0.0, 0.0), (WIDTH_M, 0.0), (0.0, HEIGHT_M), (WIDTH_M, HEIGHT_M)]
            .map(|(x, y)| map_from_truth * Point2::new(x, y));
        let low = |of: fn(&Point2) -> f64| corners.iter().map(of).fold(f64::INFINITY, f64::min) - MARGIN_M;
        let high =
            |of: fn(&Point2) -> f64| corners.iter().map(of).fold(f64::NEG_INFINITY, f64::max) + MARGIN_M;
        let (left, bottom) = (low(|p| p.x_m), low(|p| p.y_m));
        let cells = |length_m: f64| (length_m / self.cell_size_m).ceil() as usize;
        let (width, height) = (cells(high(|p| p.x_m) - left), cells(high(|p| p.y_m) - bottom));
        Ok(GridGeometry::new(width, height, self.cell_size_m, Pose2::new(left, bottom, 0.0))?)
    }

    /// Marks the cells that the jittered points of all surfaces hit.
    fn draw(
        &self,
        classes: &mut [CellClass],
        geometry: &GridGeometry,
        map_from_truth: Pose2,
        layout: &FiducialLayout,
    ) {
        let mut rng = SeededRng::new(self.seed).stream(11);
        let spread_m = self.jitter_cells * self.cell_size_m;
        for point in surfaces(layout) {
            let [dx, dy] = rng.normal_pair();
            let moved = map_from_truth * Point2::new(point.x_m + spread_m * dx, point.y_m + spread_m * dy);
            if let Some(cell) = geometry.cell_at(moved) {
                classes[geometry.index_of(cell)] = CellClass::Occupied;
            }
        }
        let mut rng = SeededRng::new(self.seed).stream(12);
        for class in classes.iter_mut().filter(|class| **class == CellClass::Occupied) {
            if rng.chance(self.missing_share) {
                *class = CellClass::Free;
            }
        }
    }
}

/// The parts of the arena: `F1A` faces right, `F1B` left.
fn layout() -> FiducialLayout {
    let part = |fiducial: &str, name: String, center: Point2, direction_rad: f64, range: &str| FiducialPart {
        kind: model::PartKind::Barrel,
        fiducial: fiducial.to_owned(),
        part: name,
        center,
        radius_m: RADIUS_M,
        opening_rad: PI,
        direction_rad,
        height_m: 1.0,
        range: range.to_owned(),
    };
    let mut layout = FiducialLayout::default();
    for (index, (x, y, range)) in PAIRS.into_iter().enumerate() {
        let name = format!("F{}", index + 1);
        for (side, offset_m, direction_rad) in [("A", WALL_M / 2.0, 0.0), ("B", -WALL_M / 2.0, PI)] {
            let center = Point2::new(x + offset_m, y);
            layout.parts.push(part(&name, format!("{name}{side}"), center, direction_rad, range));
        }
        layout.pair_distances_m.push((name, WALL_M));
    }
    for (index, (x, y, direction_rad)) in SINGLES.into_iter().enumerate() {
        let name = format!("S{}", index + 1);
        let (part_name, center) = (format!("{name}A"), Point2::new(x, y));
        layout.parts.push(part(&name, part_name, center, direction_rad, "none"));
    }
    layout
}

/// Points of all walls and barrels that a laser sees.
fn surfaces(layout: &FiducialLayout) -> Vec<Point2> {
    let mut points = Vec::new();
    let mut line = |from: [f64; 2], to: [f64; 2]| {
        let steps = ((to[0] - from[0]).hypot(to[1] - from[1]) / STEP_M).round().max(1.0) as usize;
        let at = |step: usize, axis: usize| from[axis] + (to[axis] - from[axis]) * step as f64 / steps as f64;
        points.extend((0..=steps).map(|step| Point2::new(at(step, 0), at(step, 1))));
    };
    for (from, to) in [([0.0, 0.0], [WIDTH_M, 0.0]), ([WIDTH_M, 0.0], [WIDTH_M, HEIGHT_M])] {
        line(from, to);
        line([WIDTH_M - from[0], HEIGHT_M - from[1]], [WIDTH_M - to[0], HEIGHT_M - to[1]]);
    }
    for [x, low, high] in INNER_WALLS {
        line([x - WALL_M / 2.0, low], [x - WALL_M / 2.0, high]);
        line([x + WALL_M / 2.0, low], [x + WALL_M / 2.0, high]);
    }
    // Walls behind a barrel are hidden.
    points.retain(|point| layout.parts.iter().all(|part| away_m(part, *point) >= part.radius_m - 0.01));
    for part in &layout.parts {
        let steps = (part.opening_rad * part.radius_m / STEP_M).round() as usize;
        for step in 0..=steps {
            let along = step as f64 / steps as f64 - 0.5;
            let (sin, cos) = (part.direction_rad + along * part.opening_rad).sin_cos();
            points.push(Point2::new(part.center.x_m + RADIUS_M * cos, part.center.y_m + RADIUS_M * sin));
        }
    }
    points
}

fn away_m(part: &FiducialPart, point: Point2) -> f64 {
    (point.x_m - part.center.x_m).hypot(point.y_m - part.center.y_m)
}

/// Free within the arena, unknown outside and in barrels.
fn inside(
    geometry: &GridGeometry,
    index: usize,
    truth_from_map: Pose2,
    layout: &FiducialLayout,
) -> CellClass {
    let point = truth_from_map * geometry.center_of(geometry.cell_of(index));
    let in_arena = (0.0..=WIDTH_M).contains(&point.x_m) && (0.0..=HEIGHT_M).contains(&point.y_m);
    let in_barrel = layout.parts.iter().any(|part| away_m(part, point) < part.radius_m);
    if in_arena && !in_barrel { CellClass::Free } else { CellClass::Unknown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arena_has_sixteen_parts_and_seven_pairs() {
        let arena = BarrelArena::default().mapped().unwrap();
        assert_eq!(arena.layout.parts.len(), 16);
        assert_eq!(arena.layout.pair_distances_m.len(), 7);
        let [free, _, occupied] = arena.map.class_counts();
        assert!(free > 8_000 && occupied > 1_000, "{free} free, {occupied} occupied");
    }

    #[test]
    fn without_noise_every_barrel_stands_where_the_layout_says() {
        let exact =
            BarrelArena { jitter_cells: 0.0, missing_share: 0.0, rotation_rad: 0.7, ..Default::default() };
        let arena = exact.mapped().unwrap();
        for part in &arena.layout.parts {
            let (sin, cos) = part.direction_rad.sin_cos();
            let top = Point2::new(part.center.x_m + RADIUS_M * cos, part.center.y_m + RADIUS_M * sin);
            let cell = arena.map.geometry().cell_at(arena.truth_from_map.inverse() * top).unwrap();
            assert_eq!(arena.map.classes()[arena.map.geometry().index_of(cell)], CellClass::Occupied);
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_map_and_nonsense_is_refused() {
        let arena = BarrelArena { seed: 3, ..Default::default() };
        assert_eq!(arena.mapped().unwrap().map, arena.mapped().unwrap().map);
        assert!(BarrelArena { jitter_cells: f64::NAN, ..arena }.mapped().is_err());
    }
}
