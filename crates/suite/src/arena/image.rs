//! The image of an arena: floor by its height, walls, barrels, victims, hazards, labels, start.

use model::{Cell, CellClass, Grid, Point2};
use report::Rgb;
use sim::arena::{Arena, MarkKind};

use crate::JobError;

/// Shades of the floor from low to high.
const FLOOR_SHADES: usize = 8;
const UNKNOWN: u8 = 0;
const FIRST_FLOOR: u8 = 1;
const WALL: u8 = FIRST_FLOOR + FLOOR_SHADES as u8;
const BARREL: u8 = WALL + 1;
const LABEL: u8 = WALL + 2;
const HAZARD: u8 = WALL + 3;
const VICTIM: u8 = WALL + 4;
const START: u8 = WALL + 5;
const TUNNEL: u8 = WALL + 6;
/// Radius of a mark: the league's victim disc of 0.35 m.
const MARK_RADIUS_M: f64 = 0.175;

/// Grey outside, white floor that darkens as it rises, colours of the league for what is to be found.
fn palette() -> Vec<Rgb> {
    let shade = |k: usize| {
        let share = k as f64 / FLOOR_SHADES as f64;
        [255.0 - 60.0 * share, 255.0 - 90.0 * share, 255.0 - 150.0 * share].map(|v| v as u8)
    };
    let mut colours = vec![[205, 205, 205]];
    colours.extend((0..FLOOR_SHADES).map(shade));
    colours.extend([
        [0, 40, 120],
        [0, 158, 115],
        [10, 10, 240],
        [255, 100, 30],
        [240, 10, 10],
        [255, 200, 0],
        [214, 204, 238],
    ]);
    colours
}

/// Draws the arena on the cells of its lowest truth grid.
pub(super) fn draw(arena: &Arena, truth: &Grid) -> Result<Vec<u8>, JobError> {
    let geometry = truth.geometry();
    let highest_m = arena.floor.highest_m().max(f64::MIN_POSITIVE);
    let mut entries: Vec<u8> = Vec::with_capacity(geometry.cells());
    for (index, class) in truth.classes().iter().enumerate() {
        let center = geometry.center_of(geometry.cell_of(index));
        let height_m = arena.floor.height_m(center);
        let shade = (height_m / highest_m * FLOOR_SHADES as f64) as usize;
        entries.push(match class {
            CellClass::Unknown => UNKNOWN,
            CellClass::Free if arena.is_in_tunnel(center) => TUNNEL,
            CellClass::Free => FIRST_FLOOR + shade.min(FLOOR_SHADES - 1) as u8,
            CellClass::Occupied => WALL,
        });
    }
    let mut disc = |middle: Point2, radius_m: f64, entry: u8, only_walls: OnlyWalls| {
        let cells = (radius_m / geometry.cell_size_m()).ceil() as i64;
        let Some(Cell { i, j }) = geometry.cell_at(middle) else { return };
        for (dj, di) in (-cells..=cells).flat_map(|dj| (-cells..=cells).map(move |di| (dj, di))) {
            let (i, j) = (i as i64 + di, j as i64 + dj);
            let is_inside =
                (0..geometry.width() as i64).contains(&i) && (0..geometry.height() as i64).contains(&j);
            if !is_inside {
                continue;
            }
            let cell = Cell { i: i as usize, j: j as usize };
            let at = geometry.center_of(cell);
            let is_near =
                (at.x_m - middle.x_m).hypot(at.y_m - middle.y_m) <= radius_m + geometry.cell_size_m() / 2.0;
            let old = &mut entries[geometry.index_of(cell)];
            if is_near && (only_walls == OnlyWalls::No || *old == WALL) {
                *old = entry;
            }
        }
    };
    for barrel in &arena.barrels {
        disc(barrel.part.center, barrel.part.radius_m, BARREL, OnlyWalls::Yes);
    }
    for mark in &arena.marks {
        let entry = match mark.kind {
            MarkKind::Victim => VICTIM,
            MarkKind::Hazard => HAZARD,
            MarkKind::Label => LABEL,
        };
        disc(mark.place, MARK_RADIUS_M / 2.0, entry, OnlyWalls::No);
    }
    disc(Point2::new(arena.start.x_m, arena.start.y_m), MARK_RADIUS_M, START, OnlyWalls::No);
    Ok(report::marked_png(&palette(), &entries, geometry.width(), geometry.height())?)
}

/// Whether a disc is drawn over walls only: the rest of a barrel is floor.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OnlyWalls {
    Yes,
    No,
}
