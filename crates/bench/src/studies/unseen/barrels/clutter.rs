//! What a judge draws beside walls and barrels: letters, arrows, hatching, door swings, marks.

use std::f64::consts::{FRAC_PI_2, TAU};

use super::labyrinth::{Drawing, Room, within};
use super::pen::{GLYPHS, Place};

/// Things keep so many pixels off a barrel.
const CLEAR_PX: f64 = 4.0;
/// Smaller things are left out.
const MIN_SIZE_PX: f64 = 7.0;

impl Drawing {
    /// What is no barrel: one thing in each free cell.
    pub(super) fn draw_the_rest(&mut self) {
        while let Some((center, room)) = self.free_place() {
            self.clutter(center, room);
        }
    }

    /// One thing that is no barrel, a few pixels off the next barrel.
    pub(super) fn clutter(&mut self, center: Place, room: Room) {
        let (radius_px, corridor_px) = (self.style.radius_px, self.style.corridor_px);
        let most_px = match room {
            Room::Whole => 0.6 * corridor_px,
            Room::BesideBarrel => 2.0 * (0.42 * corridor_px - radius_px - CLEAR_PX),
        };
        if most_px < MIN_SIZE_PX {
            return;
        }
        let size_px = within(&mut self.rng, [MIN_SIZE_PX.max(0.5 * most_px), most_px]);
        match self.rng.below(6) {
            0 | 1 => self.text(center, size_px),
            2 => self.arrow(center, size_px),
            3 => self.hatching(center, size_px),
            4 => self.door_swing(center, size_px),
            _ => self.mark(center, size_px),
        }
    }

    fn text(&mut self, [x, y]: Place, size_px: f64) {
        let letters = 1 + self.rng.below(4);
        let high = (size_px / letters as f64 * 1.6).clamp(7.0, size_px.max(7.0));
        let wide = high * within(&mut self.rng, [0.5, 0.8]);
        let left = x - 0.6 * wide * letters as f64;
        for letter in 0..letters {
            let glyph = self.rng.one_of(&GLYPHS);
            let at = [left + 1.3 * wide * letter as f64, y - high / 2.0];
            self.sheet.glyph(glyph, at, [wide, high], self.style.pen_px.min(high / 7.0));
        }
    }

    /// A straight or bent arrow.
    fn arrow(&mut self, [x, y]: Place, size_px: f64) {
        let (pen, half) = (self.style.pen_px, size_px / 2.0);
        let angle = self.rng.uniform() * TAU;
        let (sin, cos) = angle.sin_cos();
        let tip = if self.rng.chance(0.7) {
            self.sheet.line([x - half * cos, y + half * sin], [x + half * cos, y - half * sin], pen);
            [x + half * cos, y - half * sin]
        } else {
            self.sheet.arc([x, y], [half, half], angle - FRAC_PI_2, FRAC_PI_2, pen);
            [x + half * cos, y - half * sin]
        };
        for side in [2.6, -2.6] {
            let (sin, cos) = (angle + side).sin_cos();
            self.sheet.line(tip, [tip[0] + 0.3 * size_px * cos, tip[1] - 0.3 * size_px * sin], pen);
        }
    }

    fn hatching(&mut self, [x, y]: Place, size_px: f64) {
        let spacing_px = within(&mut self.rng, [4.0, 10.0]).max(3.0 * self.style.pen_px);
        let half = size_px / 2.0;
        let mut offset = -half;
        while offset <= half {
            // Lines at 45 degrees, cut by the square around the place.
            let reach = half - offset.abs() / 2.0;
            let middle = [x + offset / 2.0, y + offset / 2.0];
            let from = [middle[0] - reach, middle[1] + reach];
            self.sheet.line(
                from,
                [middle[0] + reach, middle[1] - reach],
                1.0_f64.max(self.style.pen_px / 2.0),
            );
            offset += spacing_px;
        }
    }

    /// A door leaf and the quarter circle in which it swings.
    fn door_swing(&mut self, [x, y]: Place, size_px: f64) {
        let pen = self.style.pen_px;
        let angle = FRAC_PI_2 * self.rng.below(4) as f64;
        let (sin, cos) = angle.sin_cos();
        self.sheet.line([x, y], [x + size_px * cos * 0.5, y - size_px * sin * 0.5], pen);
        self.sheet.arc([x, y], [size_px / 2.0, size_px / 2.0], angle, FRAC_PI_2, pen);
    }

    /// A cross, a square, a triangle or a dot.
    fn mark(&mut self, [x, y]: Place, size_px: f64) {
        let (pen, half) = (self.style.pen_px, size_px / 3.0);
        let corner = |right: f64, down: f64| [x + right * half, y + down * half];
        match self.rng.below(4) {
            0 => {
                self.sheet.line(corner(-1.0, -1.0), corner(1.0, 1.0), pen);
                self.sheet.line(corner(-1.0, 1.0), corner(1.0, -1.0), pen);
            }
            1 => {
                let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0)];
                self.sheet.lines(&corners.map(|(right, down)| corner(right, down)), pen);
            }
            2 => {
                let corners = [(-1.0, 0.8), (1.0, 0.8), (0.0, -1.0), (-1.0, 0.8)];
                self.sheet.lines(&corners.map(|(right, down)| corner(right, down)), pen);
            }
            _ => self.sheet.dot([x, y], within(&mut self.rng, [3.0, 7.0])),
        }
    }
}
