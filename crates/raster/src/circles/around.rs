//! What lies within and around an outline: a barrel is hollow, and is seen from outside.

use std::f64::consts::TAU;

use model::CellClass;

use super::outlines::{LARGE_CELLS, MIN_LARGE_VISIBLE_RAD};
use super::{Arc, Circle};

/// How far from the outline its two sides are looked at, in cells of the scale at which it was found: beyond the
/// thickness of its line.
const ASIDE_CELLS: f64 = 3.0;
/// Within small circles it is looked at no nearer to the centre than this share of the radius.
const MIN_INNER_SHARE: f64 = 0.4;
/// Share of an outline that may be solid within: walls end as round as barrels.
const MAX_SOLID: f64 = 0.3;
/// Share of an outline that may have nothing known outside: rounded corners of rooms are seen from within.
const MAX_UNKNOWN: f64 = 0.3;

/// Visible arcs from which a circle is whole.
const WHOLE_RAD: f64 = 300.0 * TAU / 360.0;
/// A wall that ends an arc is met within so many cells.
const END_CELLS: u8 = 4;
/// From this radius on, in cells of the full size, the wall at one end of a half must go on by this share of the radius: the
/// stem of a letter ends where its bow does. Ours, chosen as the numbers of [`super::outlines`].
const WALLED_CELLS: f64 = 12.0;
const WALL_SHARE: f64 = 0.4;
/// That wall is looked for from so many cells before the end of the arc to so many behind it, and may have holes of one cell.
const BEFORE_END_CELLS: f64 = 1.5;
const LOOKS_ALONG: u8 = 10;
const HOLE_CELLS: f64 = 1.0;
/// Share of unknown cells within from which the far side of a barrel may be hidden.
const MIN_HIDDEN: f64 = 0.5;

/// The stretch of a tangent, in radii from where it touches, along which a straight wall is away from the circle.
const STRAIGHT: (f64, f64) = (0.8, 1.6);
/// Share of that stretch, give or take a cell aside, that the wall of a rounded corner follows.
const MIN_STRAIGHT: f64 = 0.9;

/// A plane of classes.
#[derive(Clone, Copy)]
pub(super) struct Around<'a> {
    pub plane: &'a [u8],
    pub occupied: u8,
    pub width: usize,
}

impl Around<'_> {
    /// Whether a circle is hollow and stands in known ground. `scale` is the number of cells along one side of a cell of the
    /// plane in which it was found.
    pub fn may_be_barrel(&self, circle: &Circle, scale: f64) -> bool {
        let aside = ASIDE_CELLS * scale;
        let inner = (circle.radius_cells - aside).max(MIN_INNER_SHARE * circle.radius_cells);
        let solid = self.share(circle, inner, self.occupied);
        let unknown = self.share(circle, circle.radius_cells + aside, CellClass::Unknown as u8);
        solid <= MAX_SOLID
            && unknown <= MAX_UNKNOWN
            && !self.is_stroke(circle, scale, inner)
            && !self.is_rounded_corner(circle, scale, inner)
    }

    /// Whether an arc ends in the open and has nothing hidden within: a letter or an arrow. A barrel ends at walls, unless its
    /// far side was not seen; then nothing is known of its inside. Half a small barrel is too little to be told from one that
    /// was not seen whole, so only shorter arcs are asked.
    fn is_stroke(&self, circle: &Circle, scale: f64, inner: f64) -> bool {
        let visible_rad: f64 = circle.arcs.iter().map(|arc| arc.opening_rad).sum();
        let is_large = circle.radius_cells >= LARGE_CELLS * scale;
        let enough_rad = if is_large { WHOLE_RAD } else { MIN_LARGE_VISIBLE_RAD };
        if visible_rad >= enough_rad {
            return false;
        }
        let Arc { start_rad, opening_rad } = circle.main_arc();
        let ends = [(start_rad, -1.0), (start_rad + opening_rad, 1.0)];
        let is_open = |(end_rad, onwards): (f64, f64)| {
            let cells = (1..=END_CELLS).map(|cells| (f64::from(cells) - 0.5) * scale / circle.radius_cells);
            !cells
                .map(|along| end_rad + onwards * along)
                .any(|angle| self.has_wall_beyond(circle, angle, scale))
        };
        let is_short = |end| self.wall_at_end_cells(circle, end) < WALL_SHARE * circle.radius_cells;
        let is_unwalled = circle.radius_cells >= WALLED_CELLS && ends.into_iter().all(is_short);
        (is_unwalled || ends.into_iter().all(is_open))
            && self.share(circle, inner, CellClass::Unknown as u8) < MIN_HIDDEN
    }

    /// Whether nothing is known of the inside and a wall goes on straight where an arc ends: the rounded corner of a box or of
    /// a room. At a barrel the wall stands across the end.
    fn is_rounded_corner(&self, circle: &Circle, scale: f64, inner: f64) -> bool {
        let visible_rad: f64 = circle.arcs.iter().map(|arc| arc.opening_rad).sum();
        let Arc { start_rad, opening_rad } = circle.main_arc();
        let ends = [(start_rad, -1.0), (start_rad + opening_rad, 1.0)];
        visible_rad < WHOLE_RAD
            && self.share(circle, inner, CellClass::Unknown as u8) >= MIN_HIDDEN
            && ends.into_iter().any(|end| self.goes_on_straight(circle, end, scale))
    }

    /// Whether a wall follows a tangent near an end of an arc, where it has left the circle.
    fn goes_on_straight(&self, circle: &Circle, (end_rad, onwards): (f64, f64), scale: f64) -> bool {
        let radius = circle.radius_cells;
        let steps = ((STRAIGHT.1 - STRAIGHT.0) * radius / scale).round().max(1.0);
        let follows = |angle: f64| {
            let (sin, cos) = angle.sin_cos();
            let is_met = |step: u32| {
                let along = onwards * (STRAIGHT.0 * radius + f64::from(step) * scale);
                [-scale, 0.0, scale].into_iter().map(|aside| radius + aside).any(|away| {
                    let place = [
                        circle.x_cells + away * cos - along * sin,
                        circle.y_cells - away * sin - along * cos,
                    ];
                    self.class_at(place) == Some(self.occupied)
                })
            };
            (0..=steps as u32).filter(|&step| is_met(step)).count() as f64 >= MIN_STRAIGHT * (steps + 1.0)
        };
        // A straight wall leaves the circle a cell's width behind the tangent.
        (-6..=3).any(|turn| follows(end_rad + onwards * 0.1 * f64::from(turn)))
    }

    /// How far a wall goes on outwards at an end of an arc, in cells: an end is a direction, and the sense in which the arc
    /// would go on there.
    fn wall_at_end_cells(&self, circle: &Circle, (end_rad, onwards): (f64, f64)) -> f64 {
        // The wall begins two cells outside of the circle, within three and a half.
        const FIRST_CELLS: f64 = 2.0;
        const LATEST_CELLS: f64 = 3.5;
        let needed_cells = WALL_SHARE * circle.radius_cells;
        let mut reach_cells = 0.0_f64;
        for step in 0..LOOKS_ALONG {
            let along_cells = f64::from(step) - BEFORE_END_CELLS;
            let angle = end_rad + onwards * along_cells / circle.radius_cells;
            let mut beyond_cells = FIRST_CELLS;
            // A slanted wall is followed from one direction to the next.
            while reach_cells < needed_cells && beyond_cells <= reach_cells.max(LATEST_CELLS) + HOLE_CELLS {
                if self.is_wall(circle, angle, circle.radius_cells + beyond_cells) {
                    reach_cells = reach_cells.max(beyond_cells);
                }
                beyond_cells += 0.5;
            }
        }
        reach_cells
    }

    fn is_wall(&self, circle: &Circle, angle: f64, distance: f64) -> bool {
        let (sin, cos) = angle.sin_cos();
        self.class_at([circle.x_cells + distance * cos, circle.y_cells - distance * sin])
            == Some(self.occupied)
    }

    /// Whether something lies two to three and a half cells outside of a circle.
    fn has_wall_beyond(&self, circle: &Circle, angle: f64, scale: f64) -> bool {
        let mut distances = [2.0, 2.5, 3.0, 3.5].into_iter().map(|cells| circle.radius_cells + cells * scale);
        distances.any(|distance| self.is_wall(circle, angle, distance))
    }

    /// Share of the directions of a circle's arcs in which a class lies at a distance from the centre.
    fn share(&self, circle: &Circle, distance: f64, class: u8) -> f64 {
        let (mut all, mut met) = (0_usize, 0_usize);
        for Arc { start_rad, opening_rad } in &circle.arcs {
            let steps = (opening_rad * circle.radius_cells).round().max(1.0) as usize;
            for step in 0..steps {
                let angle = start_rad + opening_rad * (step as f64 + 0.5) / steps as f64;
                let (sin, cos) = angle.sin_cos();
                let place = [circle.x_cells + distance * cos, circle.y_cells - distance * sin];
                all += 1;
                met += usize::from(self.class_at(place) == Some(class));
            }
        }
        met as f64 / all.max(1) as f64
    }

    /// The class of the cell at a place; none outside of the plane.
    fn class_at(&self, [x, y]: [f64; 2]) -> Option<u8> {
        let is_inside = x >= 0.0 && y >= 0.0 && x < self.width as f64;
        let index = y as usize * self.width + x as usize;
        self.plane.get(index).copied().filter(|_| is_inside)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIDE: usize = 32;

    /// A ring of radius 8 around (16, 16) with one class within and one outside.
    fn ring(within: CellClass, outside: CellClass) -> Vec<u8> {
        let cell = |index: usize| {
            let away = ((index % SIDE) as f64 - 15.5).hypot((index / SIDE) as f64 - 15.5);
            match away {
                away if away < 7.5 => within as u8,
                away if away <= 8.5 => CellClass::Occupied as u8,
                _ => outside as u8,
            }
        };
        (0..SIDE * SIDE).map(cell).collect()
    }

    fn may_be_barrel(plane: &[u8]) -> bool {
        let arcs = vec![Arc { start_rad: 0.0, opening_rad: TAU }];
        let circle = Circle {
            x_cells: 16.0,
            y_cells: 16.0,
            radius_cells: 8.0,
            arcs,
            support: 0,
            rms_cells: 0.0,
            quality: 2.5,
        };
        Around { plane, occupied: CellClass::Occupied as u8, width: SIDE }.may_be_barrel(&circle, 1.0)
    }

    #[test]
    fn a_barrel_is_hollow_and_seen_from_outside() {
        use CellClass::{Free, Occupied, Unknown};
        assert!(may_be_barrel(&ring(Free, Free)));
        assert!(may_be_barrel(&ring(Unknown, Free)));
        assert!(!may_be_barrel(&ring(Occupied, Free)), "a round wall end");
        assert!(!may_be_barrel(&ring(Free, Unknown)), "a round room");
    }

    /// The upper half of a circle of radius 8, in known ground; nothing is known below, but for a wall: straight down from
    /// its right end, or across it.
    fn half(wall: impl Fn(f64, f64) -> bool) -> bool {
        let cell = |index: usize| {
            let (x, y) = ((index % SIDE) as f64 - 15.5, (index / SIDE) as f64 - 15.5);
            let away = x.hypot(y);
            match () {
                () if wall(x, y) || (y <= 0.0 && (7.5..=8.5).contains(&away)) => CellClass::Occupied as u8,
                () if y > 0.0 && x < 7.5 || away < 7.5 => CellClass::Unknown as u8,
                () => CellClass::Free as u8,
            }
        };
        let plane: Vec<u8> = (0..SIDE * SIDE).map(cell).collect();
        let circle = Circle {
            x_cells: 16.0,
            y_cells: 16.0,
            radius_cells: 8.0,
            arcs: vec![Arc { start_rad: 0.0, opening_rad: TAU / 2.0 }],
            support: 0,
            rms_cells: 0.0,
            quality: 1.0,
        };
        Around { plane: &plane, occupied: CellClass::Occupied as u8, width: SIDE }.may_be_barrel(&circle, 1.0)
    }

    #[test]
    fn a_rounded_corner_is_no_barrel_and_half_a_barrel_at_a_wall_is_one() {
        assert!(half(|_, y| (0.0..1.5).contains(&y)), "the wall stands across");
        assert!(!half(|x, y| y > 0.0 && (7.5..=8.5).contains(&x)), "the wall goes on");
    }
}
