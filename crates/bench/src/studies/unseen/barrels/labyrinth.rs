//! Labyrinths with barrels as a judge draws them: walls as lines, whole barrels as circles, split cylinders as half
//! circles on both sides of a wall, among letters, arrows, hatching, door swings and marks.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use model::{
    CellClass, FiducialLayout, FiducialPart, Grid, GridGeometry, PartKind, Point2, Pose2, SeededRng,
};

use super::pen::{Place, Sheet};
use crate::inputs::BenchError;

/// Radii of the barrels in pixels; all of one labyrinth are alike, as the barrels of an arena are.
pub const RADII_PX: [f64; 2] = [5.0, 40.0];
/// A barrel of the arena in metres: it fixes the size of a pixel.
const RADIUS_M: f64 = 0.3;
/// Corridors are so many radii wide.
const CORRIDOR_RADII: [f64; 2] = [5.0, 9.0];
const MARGIN_PX: f64 = 12.0;

/// A labyrinth and where its barrels are.
pub struct Labyrinth {
    pub width: usize,
    pub height: usize,
    /// Classes of the cells, in image order.
    pub cells: Vec<u8>,
    pub radius_px: f64,
    /// Barrels, each once, in pixels of the sheet, y down.
    pub sites: Vec<Place>,
    /// Every visible half or whole circle: index of the site, centre on the sheet, opening, direction of its middle.
    pub parts: Vec<DrawnPart>,
}

/// A half or whole circle on the sheet.
pub struct DrawnPart {
    pub site: usize,
    pub center: Place,
    opening_rad: f64,
    /// Counter-clockwise as seen, on the sheet.
    direction_rad: f64,
}

/// What a barrel is, on the drawing.
#[derive(Clone, Copy)]
enum Kind {
    Whole,
    /// Both halves of a wall in this direction.
    Split(f64),
    /// One half, its middle in this direction.
    Single(f64),
}

/// What the seed chose.
pub(super) struct Style {
    pub(super) radius_px: f64,
    pub(super) corridor_px: f64,
    columns: usize,
    rows: usize,
    wall_px: f64,
    pub(super) pen_px: f64,
}

/// The labyrinth of a seed.
pub fn labyrinth(seed: u64) -> Labyrinth {
    let mut rng = SeededRng::new(seed).stream(41);
    let style = Style::of(&mut rng);
    let rotation_rad = if rng.chance(0.4) { 0.0 } else { (2.0 * rng.uniform() - 1.0) * 0.4 };
    let size = [style.columns, style.rows].map(|cells| cells as f64 * style.corridor_px);
    let mut drawing = Drawing {
        sheet: Sheet::for_drawing(size, rotation_rad, MARGIN_PX + style.radius_px),
        walls: maze(&style, &mut rng),
        is_taken: vec![false; style.columns * style.rows],
        rooms: vec![Room::Whole; style.columns * style.rows],
        sites: Vec::new(),
        parts: Vec::new(),
        style,
        rotation_rad,
        rng,
    };
    drawing.draw_walls();
    drawing.draw_barrels();
    drawing.draw_the_rest();
    drawing.lose_some_cells();
    let Drawing { sheet, sites, parts, style, .. } = drawing;
    let (width, height, cells) = (sheet.width, sheet.height, sheet.cells);
    Labyrinth { width, height, cells, radius_px: style.radius_px, sites, parts }
}

impl Labyrinth {
    /// The labyrinth as a map whose pixels make the barrels 0.3 m wide.
    pub fn map(&self) -> Result<Grid, BenchError> {
        let cell_m = RADIUS_M / self.radius_px;
        let geometry = GridGeometry::new(self.width, self.height, cell_m, Pose2::IDENTITY)
            .map_err(BenchError::no_value)?;
        let class = |&cell: &u8| match cell == CellClass::Occupied as u8 {
            true => CellClass::Occupied,
            false => CellClass::Free,
        };
        Grid::new(geometry, self.cells.iter().map(class).collect()).map_err(BenchError::no_value)
    }

    /// Where the barrels stand, in a frame in which the map has the pose `truth_from_map`.
    pub fn layout(&self, truth_from_map: Pose2) -> FiducialLayout {
        let mut layout = FiducialLayout::default();
        for (index, drawn) in self.parts.iter().enumerate() {
            layout.parts.push(self.part(index, drawn, truth_from_map));
        }
        layout
    }

    /// A layout of as many parts of the same kinds at random places of the same map, in random directions.
    pub fn random_layout(&self, seed: u64) -> FiducialLayout {
        let mut rng = SeededRng::new(seed).stream(43);
        let random = |rng: &mut SeededRng| {
            let place = [rng.uniform() * self.width as f64, rng.uniform() * self.height as f64];
            (place, rng.uniform() * TAU)
        };
        let moves: Vec<(Place, f64)> = self.sites.iter().map(|_| random(&mut rng)).collect();
        let mut layout = FiducialLayout::default();
        for (index, drawn) in self.parts.iter().enumerate() {
            let (to, turn_rad) = moves[drawn.site];
            let from = self.sites[drawn.site];
            let (sin, cos) = turn_rad.sin_cos();
            let (x, y) = (drawn.center[0] - from[0], drawn.center[1] - from[1]);
            let moved = DrawnPart {
                center: [to[0] + cos * x + sin * y, to[1] - sin * x + cos * y],
                direction_rad: drawn.direction_rad + turn_rad,
                ..*drawn
            };
            layout.parts.push(self.part(index, &moved, Pose2::IDENTITY));
        }
        layout
    }

    fn part(&self, index: usize, drawn: &DrawnPart, truth_from_map: Pose2) -> FiducialPart {
        let cell_m = RADIUS_M / self.radius_px;
        let [x, y] = drawn.center;
        FiducialPart {
            kind: PartKind::Barrel,
            fiducial: format!("F{}", drawn.site + 1),
            part: format!("P{}", index + 1),
            center: truth_from_map * Point2::new(x * cell_m, (self.height as f64 - y) * cell_m),
            radius_m: RADIUS_M,
            opening_rad: drawn.opening_rad,
            direction_rad: model::wrap(drawn.direction_rad + truth_from_map.theta_rad),
            height_m: 1.0,
            range: "none".to_owned(),
        }
    }
}

impl Style {
    fn of(rng: &mut SeededRng) -> Self {
        // As many labyrinths between 5 and 10 pixels as between 20 and 40.
        let radius_px = RADII_PX[0] * (RADII_PX[1] / RADII_PX[0]).powf(rng.uniform());
        let corridor_px = radius_px * within(rng, CORRIDOR_RADII);
        let wall_px = 1.0 + rng.uniform() * radius_px / 6.0;
        let pen_px = if rng.chance(0.5) { wall_px } else { 1.0 + rng.uniform() * radius_px / 8.0 };
        let (columns, rows) = (4 + rng.below(3), 3 + rng.below(3));
        Self { radius_px, corridor_px, columns, rows, wall_px, pen_px }
    }
}

pub(super) fn within(rng: &mut SeededRng, [low, high]: [f64; 2]) -> f64 {
    low + (high - low) * rng.uniform()
}

/// A wall between two cells of the labyrinth, or one around it.
#[derive(Clone, Copy)]
struct Wall {
    from: Place,
    to: Place,
    is_outer: bool,
}

/// The walls that remain when a random tree of corridors, and some more, have been opened.
fn maze(style: &Style, rng: &mut SeededRng) -> Vec<Wall> {
    let (columns, rows) = (style.columns, style.rows);
    let at = |column: usize, row: usize| [column, row].map(|cells| cells as f64 * style.corridor_px);
    let mut inner: Vec<(usize, usize, Wall)> = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let here = row * columns + column;
            let corner = at(column + 1, row + 1);
            if column + 1 < columns {
                let wall = Wall { from: at(column + 1, row), to: corner, is_outer: false };
                inner.push((here, here + 1, wall));
            }
            if row + 1 < rows {
                let wall = Wall { from: at(column, row + 1), to: corner, is_outer: false };
                inner.push((here, here + columns, wall));
            }
        }
    }
    rng.shuffle(&mut inner);
    let mut group: Vec<usize> = (0..columns * rows).collect();
    let mut walls = Vec::new();
    for (a, b, wall) in inner {
        let (kept, joined) = (group[a], group[b]);
        if kept == joined && !rng.chance(0.15) {
            walls.push(wall);
        }
        group.iter_mut().filter(|group| **group == joined).for_each(|group| *group = kept);
    }
    let corners = [at(0, 0), at(columns, 0), at(columns, rows), at(0, rows), at(0, 0)];
    walls.extend(corners.windows(2).map(|pair| Wall { from: pair[0], to: pair[1], is_outer: true }));
    walls
}

/// How much of a cell of the labyrinth is free.
#[derive(Clone, Copy)]
pub(super) enum Room {
    Whole,
    /// A barrel stands on one of its walls.
    BesideBarrel,
}

pub(super) struct Drawing {
    pub(super) sheet: Sheet,
    walls: Vec<Wall>,
    /// Cells of the labyrinth in whose middle something stands.
    is_taken: Vec<bool>,
    rooms: Vec<Room>,
    sites: Vec<Place>,
    parts: Vec<DrawnPart>,
    pub(super) style: Style,
    rotation_rad: f64,
    pub(super) rng: SeededRng,
}

impl Drawing {
    fn draw_walls(&mut self) {
        for wall in &self.walls {
            self.sheet.line(wall.from, wall.to, self.style.wall_px);
        }
    }

    /// Barrels in the middle of walls, and in free cells.
    fn draw_barrels(&mut self) {
        let inner: Vec<Wall> = self.walls.iter().filter(|wall| !wall.is_outer).copied().collect();
        for wall in inner.into_iter().take(6) {
            let along = within(&mut self.rng, [0.45, 0.55]);
            let center = between(wall, along);
            let direction_rad = (wall.from[1] - wall.to[1]).atan2(wall.to[0] - wall.from[0]);
            self.mark_beside(center);
            self.draw_barrel(center, Kind::Split(direction_rad));
        }
        for side in 0..self.rng.below(3) {
            self.draw_single(side);
        }
        for _ in 0..2 + self.rng.below(4) {
            match self.free_place() {
                Some((center, Room::Whole)) => self.draw_barrel(center, Kind::Whole),
                Some((center, Room::BesideBarrel)) => self.clutter(center, Room::BesideBarrel),
                None => {}
            }
        }
    }

    /// A half on the inner side of an outer wall, off the corridor's ends.
    fn draw_single(&mut self, side: usize) {
        let (columns, rows) = (self.style.columns, self.style.rows);
        let corridor_px = self.style.corridor_px;
        let column = self.rng.below(columns) as f64 + 0.5;
        let (y, direction_rad) = if side == 0 { (0.0, -FRAC_PI_2) } else { (rows as f64, FRAC_PI_2) };
        let center = [column * corridor_px, y * corridor_px];
        self.mark_beside(center);
        self.draw_barrel(center, Kind::Single(direction_rad));
    }

    /// Marks the cells of the labyrinth on both sides of a wall with a barrel.
    fn mark_beside(&mut self, [x, y]: Place) {
        let px = self.style.corridor_px;
        for [right, down] in [[0.3, 0.0], [-0.3, 0.0], [0.0, 0.3], [0.0, -0.3]] {
            let (column, row) = ((x / px + right).floor(), (y / px + down).floor());
            let is_inside = column >= 0.0 && row >= 0.0 && (column as usize) < self.style.columns;
            let cell = row.max(0.0) as usize * self.style.columns + column.max(0.0) as usize;
            if let Some(room) = self.rooms.get_mut(cell).filter(|_| is_inside) {
                *room = Room::BesideBarrel;
            }
        }
    }

    /// The middle of a cell of the labyrinth that nobody took, moved a little; none after some trials.
    pub(super) fn free_place(&mut self) -> Option<(Place, Room)> {
        for _ in 0..20 {
            let cell = self.rng.below(self.is_taken.len());
            if !self.is_taken[cell] {
                self.is_taken[cell] = true;
                let (column, row) = (cell % self.style.columns, cell / self.style.columns);
                let mut offset = || (self.rng.uniform() - 0.5) * 0.15 + 0.5;
                let at = [column as f64 + offset(), row as f64 + offset()];
                return Some((at.map(|cells| cells * self.style.corridor_px), self.rooms[cell]));
            }
        }
        None
    }

    fn draw_barrel(&mut self, center: Place, kind: Kind) {
        let (radius, pen) = (self.style.radius_px, self.style.pen_px);
        let site = self.sites.len();
        self.sites.push(self.sheet.on_sheet(center));
        let halves: Vec<(f64, f64)> = match kind {
            Kind::Whole => vec![(0.0, TAU)],
            Kind::Split(wall_rad) => {
                vec![(wall_rad + FRAC_PI_2, PI), (wall_rad - FRAC_PI_2, PI)]
            }
            Kind::Single(direction_rad) => vec![(direction_rad, PI)],
        };
        for (direction_rad, opening_rad) in halves {
            // The halves stand on the faces of the wall, and not exactly opposite to each other.
            let off_px = if opening_rad < TAU { self.style.wall_px / 2.0 } else { 0.0 };
            let slip_px = if opening_rad < TAU { (self.rng.uniform() - 0.5) * 0.1 * radius } else { 0.0 };
            let (sin, cos) = direction_rad.sin_cos();
            let at = [center[0] + off_px * cos - slip_px * sin, center[1] - off_px * sin - slip_px * cos];
            self.sheet.arc(at, [radius, radius], direction_rad - opening_rad / 2.0, opening_rad, pen);
            self.parts.push(DrawnPart {
                site,
                center: self.sheet.on_sheet(at),
                opening_rad,
                direction_rad: direction_rad + self.rotation_rad,
            });
        }
    }

    /// Every third labyrinth misses one cell in fifty.
    fn lose_some_cells(&mut self) {
        if self.rng.below(3) > 0 {
            return;
        }
        for cell in self.sheet.cells.iter_mut().filter(|cell| **cell == CellClass::Occupied as u8) {
            if self.rng.chance(0.02) {
                *cell = CellClass::Free as u8;
            }
        }
    }
}

fn between(wall: Wall, along: f64) -> Place {
    [0, 1].map(|axis| wall.from[axis] + along * (wall.to[axis] - wall.from[axis]))
}
