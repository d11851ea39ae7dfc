//! Strokes on a sheet of cells: lines, arcs, letters.

use model::CellClass;

/// A place on the sheet before it is rotated: pixels, x to the right, y down.
pub type Place = [f64; 2];

/// Places along a stroke lie this far apart, in pixels.
const STEP_PX: f64 = 0.3;

/// A drawing that grows stroke by stroke, rotated as a whole about its middle.
pub struct Sheet {
    pub width: usize,
    pub height: usize,
    pub cells: Vec<u8>,
    /// Middle of the drawing and of the sheet.
    middle: [Place; 2],
    sin_cos: (f64, f64),
}

impl Sheet {
    /// A sheet of free cells with room for a drawing of this size.
    pub fn for_drawing([wide, high]: Place, rotation_rad: f64, margin_px: f64) -> Self {
        let (sin, cos) = rotation_rad.sin_cos();
        let side = |a: f64, b: f64| (a * cos.abs() + b * sin.abs() + 2.0 * margin_px).ceil() as usize;
        let (width, height) = (side(wide, high), side(high, wide));
        Self {
            width,
            height,
            cells: vec![CellClass::Free as u8; width * height],
            middle: [[wide / 2.0, high / 2.0], [width as f64 / 2.0, height as f64 / 2.0]],
            sin_cos: (sin, cos),
        }
    }

    /// Where a place of the drawing lies on the sheet.
    pub fn on_sheet(&self, place: Place) -> Place {
        let [from, to] = self.middle;
        let (x, y) = (place[0] - from[0], place[1] - from[1]);
        let (sin, cos) = self.sin_cos;
        [to[0] + cos * x + sin * y, to[1] - sin * x + cos * y]
    }

    /// Sets the cells within half of the thickness of a place; at least its own cell.
    pub fn dot(&mut self, place: Place, thickness_px: f64) {
        let [x, y] = self.on_sheet(place);
        let reach = thickness_px / 2.0;
        let span = |middle: f64, side: usize| {
            let last = (middle + reach).floor().max(0.0) as usize;
            (middle - reach).floor().max(0.0) as usize..(last + 1).min(side)
        };
        for row in span(y, self.height) {
            for column in span(x, self.width) {
                let is_own = column == x as usize && row == y as usize;
                let away = (column as f64 + 0.5 - x).hypot(row as f64 + 0.5 - y);
                if is_own || away <= reach {
                    self.cells[row * self.width + column] = CellClass::Occupied as u8;
                }
            }
        }
    }

    pub fn line(&mut self, from: Place, to: Place, thickness_px: f64) {
        let steps = ((to[0] - from[0]).hypot(to[1] - from[1]) / STEP_PX).ceil().max(1.0) as usize;
        for step in 0..=steps {
            let along = step as f64 / steps as f64;
            let at = |axis: usize| from[axis] + along * (to[axis] - from[axis]);
            self.dot([at(0), at(1)], thickness_px);
        }
    }

    pub fn lines(&mut self, places: &[Place], thickness_px: f64) {
        places.windows(2).for_each(|pair| self.line(pair[0], pair[1], thickness_px));
    }

    /// An arc of an ellipse, angles counter-clockwise from the x axis as seen.
    pub fn arc(&mut self, center: Place, radii: Place, from_rad: f64, opening_rad: f64, thickness_px: f64) {
        let steps = (opening_rad.abs() * radii[0].max(radii[1]) / STEP_PX).ceil().max(1.0) as usize;
        for step in 0..=steps {
            let (sin, cos) = (from_rad + opening_rad * step as f64 / steps as f64).sin_cos();
            self.dot([center[0] + radii[0] * cos, center[1] - radii[1] * sin], thickness_px);
        }
    }

    /// A letter or digit in a box whose upper left corner is given; unknown ones are a box.
    pub fn glyph(&mut self, glyph: char, [left, top]: Place, [wide, high]: Place, thickness_px: f64) {
        let at = |[x, y]: Place| [left + x * wide, top + y * high];
        for stroke in strokes(glyph) {
            match stroke {
                Stroke::Lines(places) => {
                    let places: Vec<Place> = places.iter().map(|&place| at(place)).collect();
                    self.lines(&places, thickness_px);
                }
                Stroke::Arc { center, radii, from_deg, opening_deg } => {
                    let radii = [radii[0] * wide, radii[1] * high];
                    let (from, opening) = (from_deg.to_radians(), opening_deg.to_radians());
                    self.arc(at(center), radii, from, opening, thickness_px);
                }
            }
        }
    }
}

/// A piece of a letter in a box of 1 x 1, y down.
enum Stroke {
    Lines(&'static [Place]),
    Arc { center: Place, radii: Place, from_deg: f64, opening_deg: f64 },
}

const fn arc(center: Place, radii: Place, from_deg: f64, opening_deg: f64) -> Stroke {
    Stroke::Arc { center, radii, from_deg, opening_deg }
}

/// Letters and digits that [`strokes`] knows.
pub const GLYPHS: [char; 20] =
    ['A', 'B', 'C', 'D', 'E', 'F', 'H', 'N', 'O', 'P', 'S', 'T', 'V', '1', '2', '3', '6', '7', '8', '0'];

fn strokes(glyph: char) -> Vec<Stroke> {
    use Stroke::Lines;
    const UPPER: Stroke = arc([0.0, 0.25], [0.9, 0.25], -90.0, 180.0);
    const LOWER: Stroke = arc([0.0, 0.75], [1.0, 0.25], -90.0, 180.0);
    const STEM: Stroke = Lines(&[[0.0, 0.0], [0.0, 1.0]]);
    match glyph {
        'A' => vec![Lines(&[[0.0, 1.0], [0.5, 0.0], [1.0, 1.0]]), Lines(&[[0.2, 0.6], [0.8, 0.6]])],
        'B' => vec![STEM, UPPER, LOWER],
        'C' => vec![arc([0.5, 0.5], [0.5, 0.5], 45.0, 270.0)],
        'D' => vec![STEM, arc([0.0, 0.5], [1.0, 0.5], -90.0, 180.0)],
        'E' => {
            vec![Lines(&[[1.0, 0.0], [0.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), Lines(&[[0.0, 0.5], [0.8, 0.5]])]
        }
        'F' => vec![Lines(&[[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]]), Lines(&[[0.0, 0.5], [0.8, 0.5]])],
        'H' => vec![STEM, Lines(&[[1.0, 0.0], [1.0, 1.0]]), Lines(&[[0.0, 0.5], [1.0, 0.5]])],
        'N' => vec![Lines(&[[0.0, 1.0], [0.0, 0.0], [1.0, 1.0], [1.0, 0.0]])],
        'O' | '0' => vec![arc([0.5, 0.5], [0.5, 0.5], 0.0, 360.0)],
        'P' => vec![STEM, UPPER],
        'S' => {
            vec![arc([0.5, 0.25], [0.45, 0.25], 20.0, 250.0), arc([0.5, 0.75], [0.5, 0.25], -160.0, 250.0)]
        }
        'T' => vec![Lines(&[[0.0, 0.0], [1.0, 0.0]]), Lines(&[[0.5, 0.0], [0.5, 1.0]])],
        'V' => vec![Lines(&[[0.0, 0.0], [0.5, 1.0], [1.0, 0.0]])],
        '1' => vec![Lines(&[[0.2, 0.2], [0.6, 0.0], [0.6, 1.0]])],
        '2' => vec![arc([0.5, 0.3], [0.5, 0.3], -20.0, 200.0), Lines(&[[0.97, 0.4], [0.0, 1.0], [1.0, 1.0]])],
        '3' => {
            vec![arc([0.4, 0.25], [0.5, 0.25], -90.0, 240.0), arc([0.4, 0.75], [0.6, 0.25], -150.0, 240.0)]
        }
        '6' => vec![arc([0.5, 0.7], [0.5, 0.3], 0.0, 360.0), Lines(&[[0.0, 0.7], [0.1, 0.35], [0.6, 0.0]])],
        '7' => vec![Lines(&[[0.0, 0.0], [1.0, 0.0], [0.3, 1.0]])],
        '8' => vec![arc([0.5, 0.25], [0.42, 0.25], 0.0, 360.0), arc([0.5, 0.75], [0.5, 0.25], 0.0, 360.0)],
        _ => vec![Lines(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.0, 0.0]])],
    }
}
