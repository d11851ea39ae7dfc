//! Draws images as the map writers of the Rescue Robot League do, from a map that is known.

use model::{CellClass, GridGeometry, Point2, Pose2};

/// Edge of a map cell in metres.
pub const CELL_M: f64 = 0.05;
/// Pixels along the edge of a map cell.
pub const CELL_PX: usize = 3;
/// Pixels per metre.
pub const METRE_PX: usize = 60;
/// Columns and rows of map cells, margins included: 16 m x 13 m.
pub const COLUMNS: usize = 320;
pub const ROWS: usize = 260;
/// Size of the image.
pub const WIDTH: usize = COLUMNS * CELL_PX;
pub const HEIGHT: usize = ROWS * CELL_PX;

type Rgb = [u8; 3];

/// How a map writer paints.
#[derive(Clone, Copy)]
pub struct Writer {
    pub name: &'static str,
    pub text: Rgb,
    pub scale_bar: Rgb,
    pub path: Rgb,
    /// Searched area has the greys of confidence instead of white.
    pub has_ramp: bool,
    /// The last metre at the bottom is grey 128 instead of checkerboard.
    pub has_outside: bool,
    /// Colour and shape of further marks.
    pub others: &'static [(Kind, Rgb)],
}

/// What a mark stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Victim,
    UnconfirmedVictim,
    Hazard,
    Qr,
    Object,
}

pub const HECTOR: Writer = Writer {
    name: "hector",
    text: [0, 50, 140],
    scale_bar: [0, 50, 140],
    path: [120, 0, 240],
    has_ramp: false,
    has_outside: true,
    others: &[(Kind::Qr, [10, 10, 240])],
};
pub const CROSBOT: Writer = Writer {
    name: "crosbot",
    text: [0, 44, 207],
    scale_bar: [0, 50, 140],
    path: [120, 0, 140],
    has_ramp: true,
    has_outside: false,
    others: &[(Kind::UnconfirmedVictim, [240, 100, 10]), (Kind::Hazard, [255, 100, 30])],
};
pub const PANDORA: Writer = Writer {
    name: "pandora",
    text: [0, 44, 207],
    scale_bar: [0, 50, 120],
    path: [120, 0, 140],
    has_ramp: true,
    has_outside: false,
    others: &[(Kind::Hazard, [255, 100, 30]), (Kind::Qr, [10, 10, 240])],
};
pub const ALERT: Writer = Writer {
    name: "alert",
    text: [0, 44, 207],
    scale_bar: [0, 50, 140],
    path: [120, 0, 140],
    has_ramp: false,
    has_outside: false,
    others: &[(Kind::Hazard, [255, 100, 30]), (Kind::Qr, [255, 100, 30]), (Kind::Object, [10, 240, 10])],
};

/// How the image is spoiled after it was painted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Spoiling {
    None,
    /// Edges of marks and lines are mixed with what lies beneath.
    Smoothed,
    /// Each channel is off by up to 3, as after mild compression.
    Noisy,
}

/// An image and what it shows.
pub struct Image {
    pub pixels: Vec<Rgb>,
    /// Classes of the map cells, top row first.
    pub cells: Vec<CellClass>,
    /// Kinds and middles of marks, in metres from the lower left corner of the image.
    pub marks: Vec<(Kind, Point2)>,
    pub start: Point2,
    pub start_direction_rad: f64,
    pub path: Vec<Point2>,
}

/// The known map: rooms with walls one cell thick, a door, pillars, and an unexplored corner.
fn class_at(column: usize, row: usize) -> CellClass {
    // Margins of 3 m at left and top, 1 m at right and bottom.
    let (Some(x), Some(y)) = (column.checked_sub(60), row.checked_sub(60)) else { return CellClass::Unknown };
    if x >= 240 || y >= 180 || (x > 170 && y > 120 + (x % 7)) {
        return CellClass::Unknown;
    }
    let is_outer = x == 0 || y == 0 || x == 239 || y == 179;
    let is_inner = (x == 80 && !(85..105).contains(&y)) || (y == 90 && x > 80 && !(150..170).contains(&x));
    let is_slanted = x > 100 && x < 160 && y == 20 + (x - 100) / 2;
    let is_pillar = (x as i64 - 40).pow(2) + (y as i64 - 140).pow(2) <= 9;
    if is_outer || is_inner || is_slanted || is_pillar { CellClass::Occupied } else { CellClass::Free }
}

pub fn draw(writer: &Writer, spoiling: Spoiling) -> Image {
    let cells: Vec<CellClass> = (0..COLUMNS * ROWS).map(|i| class_at(i % COLUMNS, i / COLUMNS)).collect();
    let mut canvas = Canvas { pixels: vec![[0; 3]; WIDTH * HEIGHT], spoiling };
    canvas.ground(writer, &cells);
    canvas.ink(writer);
    let path =
        [(250.0, 600.0), (300.0, 470.0), (480.0, 465.0), (700.0, 400.0), (690.0, 250.0), (820.0, 230.0)];
    for pair in path.windows(2) {
        canvas.stroke(pair[0], pair[1], 2.0, writer.path);
    }
    // The robot looks up; an arrow of 0.5 m.
    let start = (250.0, 615.0);
    canvas.wedge(start, [255, 200, 0]);
    let mut marks = Vec::new();
    // In the open, at walls, in a corner, two that touch, one on the path.
    let victims =
        [(210.0, 300.0), (425.0, 420.0), (890.0, 195.0), (520.0, 600.0), (538.0, 606.0), (600.0, 430.0)];
    for (number, &at) in victims.iter().enumerate() {
        canvas.disc(at, [240, 10, 10]);
        canvas.digit(at, number + 1);
        marks.push((Kind::Victim, at));
    }
    for (number, &(kind, colour)) in writer.others.iter().enumerate() {
        let at = (260.0 + 150.0 * number as f64, 230.0 + 20.0 * number as f64);
        match kind {
            Kind::Hazard | Kind::Object => canvas.diamond(at, colour),
            _ => canvas.disc(at, colour),
        }
        canvas.digit(at, 7);
        marks.push((kind, at));
    }
    if spoiling == Spoiling::Noisy {
        canvas.noise();
    }
    let in_metres = |(x, y): (f64, f64)| {
        let metre = METRE_PX as f64;
        Point2::new(x / metre, (HEIGHT as f64 - y) / metre)
    };
    Image {
        pixels: canvas.pixels,
        cells,
        marks: marks.into_iter().map(|(kind, at)| (kind, in_metres(at))).collect(),
        start: in_metres(start),
        start_direction_rad: std::f64::consts::FRAC_PI_2,
        path: path.into_iter().map(in_metres).collect(),
    }
}

struct Canvas {
    pixels: Vec<Rgb>,
    spoiling: Spoiling,
}

impl Canvas {
    /// Checkerboard, outside, cells and grid lines.
    fn ground(&mut self, writer: &Writer, cells: &[CellClass]) {
        for index in 0..self.pixels.len() {
            let (column, row) = (index % WIDTH, index / WIDTH);
            let is_dark = (column / METRE_PX + row / METRE_PX).is_multiple_of(2);
            let board = if is_dark { [226, 226, 227] } else { [237, 237, 238] };
            let is_line = column % (METRE_PX / 2) == 0 || row % (METRE_PX / 2) == 0;
            let cell = row / CELL_PX * COLUMNS + column / CELL_PX;
            self.pixels[index] = match cells[cell] {
                CellClass::Unknown if writer.has_outside && row >= HEIGHT - METRE_PX => [128; 3],
                CellClass::Unknown => board,
                _ if is_line => [190, 190, 191],
                CellClass::Occupied => [0, 40, 120],
                CellClass::Free if writer.has_ramp => [self.confidence(cell); 3],
                CellClass::Free => [255; 3],
            };
        }
    }

    /// A grey from 128 to 255 that varies over the map. In a noisy image nobody can tell confidence from
    /// checkerboard, so there it keeps away from its greys.
    fn confidence(&self, cell: usize) -> u8 {
        let grey = 128 + (cell % COLUMNS + 3 * (cell / COLUMNS)) % 128;
        match u8::try_from(grey).unwrap() {
            214..=249 if self.spoiling == Spoiling::Noisy => 255,
            grey => grey,
        }
    }

    /// Text, scale bar and orientation arrows in the margin.
    fn ink(&mut self, writer: &Writer) {
        for letter in 0..14 {
            let left = 20.0 + 22.0 * f64::from(letter);
            self.stroke((left, 20.0), (left, 44.0), 3.0, writer.text);
            self.stroke((left, 20.0), (left + 12.0, 20.0), 3.0, writer.text);
            self.stroke((left, 32.0), (left + 9.0, 32.0 + f64::from(letter % 3) * 6.0), 3.0, writer.text);
        }
        let (left, top) = (30, 90);
        for column in left..left + METRE_PX {
            self.block((column, top), 1, 2, writer.scale_bar);
        }
        self.block((left, top - 4), 2, 10, writer.scale_bar);
        self.block((left + METRE_PX - 2, top - 4), 2, 10, writer.scale_bar);
        // x up, y left, from a common corner.
        self.stroke((150.0, 150.0), (150.0, 80.0), 3.0, writer.scale_bar);
        self.stroke((150.0, 150.0), (80.0, 150.0), 3.0, writer.scale_bar);
        self.stroke((150.0, 80.0), (144.0, 90.0), 3.0, writer.scale_bar);
        self.stroke((150.0, 80.0), (156.0, 90.0), 3.0, writer.scale_bar);
        self.stroke((80.0, 150.0), (90.0, 144.0), 3.0, writer.scale_bar);
        self.stroke((80.0, 150.0), (90.0, 156.0), 3.0, writer.scale_bar);
    }

    fn block(&mut self, (left, top): (usize, usize), width: usize, height: usize, colour: Rgb) {
        for row in top..top + height {
            self.pixels[row * WIDTH + left..][..width].fill(colour);
        }
    }

    /// Paints where `covers` holds; smoothed by sixteen samples per pixel.
    fn paint(&mut self, bounds: [f64; 4], colour: Rgb, covers: impl Fn(f64, f64) -> bool) {
        let [left, top, right, bottom] = bounds.map(|bound| bound.max(0.0) as usize);
        for row in top..(bottom + 2).min(HEIGHT) {
            for column in left..(right + 2).min(WIDTH) {
                let (x, y) = (column as f64, row as f64);
                let samples = (0..16).filter(|s| {
                    covers(x + 0.125 + 0.25 * f64::from(s % 4), y + 0.125 + 0.25 * f64::from(s / 4))
                });
                let share = match self.spoiling {
                    Spoiling::Smoothed => samples.count() as f64 / 16.0,
                    _ => f64::from(u8::from(covers(x + 0.5, y + 0.5))),
                };
                let pixel = &mut self.pixels[row * WIDTH + column];
                for (channel, new) in pixel.iter_mut().zip(colour) {
                    *channel = (share * f64::from(new) + (1.0 - share) * f64::from(*channel)).round() as u8;
                }
            }
        }
    }

    fn stroke(&mut self, a: (f64, f64), b: (f64, f64), width: f64, colour: Rgb) {
        let bounds = [a.0.min(b.0) - width, a.1.min(b.1) - width, a.0.max(b.0) + width, a.1.max(b.1) + width];
        let (along, length) = ((b.0 - a.0, b.1 - a.1), (b.0 - a.0).hypot(b.1 - a.1));
        self.paint(bounds, colour, |x, y| {
            let share = ((x - a.0) * along.0 + (y - a.1) * along.1) / (length * length);
            let share = share.clamp(0.0, 1.0);
            (x - a.0 - share * along.0).hypot(y - a.1 - share * along.1) <= width / 2.0
        });
    }

    /// 0.35 m wide.
    fn disc(&mut self, (x, y): (f64, f64), colour: Rgb) {
        let radius = 0.175 * METRE_PX as f64;
        let bounds = [x - radius, y - radius, x + radius, y + radius];
        self.paint(bounds, colour, |px, py| (px - x).hypot(py - y) <= radius);
    }

    /// A side of 0.30 m, standing on a corner.
    fn diamond(&mut self, (x, y): (f64, f64), colour: Rgb) {
        let reach = 0.30 * METRE_PX as f64 / 2f64.sqrt();
        let bounds = [x - reach, y - reach, x + reach, y + reach];
        self.paint(bounds, colour, |px, py| (px - x).abs() + (py - y).abs() <= reach);
    }

    /// An arrow of 0.5 m that points up.
    fn wedge(&mut self, (x, y): (f64, f64), colour: Rgb) {
        let length = 0.5 * METRE_PX as f64;
        let bounds = [x - length, y - length, x + length, y + length];
        self.paint(bounds, colour, |px, py| {
            let from_tip = py - (y - length / 2.0);
            (0.0..length).contains(&from_tip) && (px - x).abs() <= 0.3 * from_tip
        });
    }

    /// White strokes like a digit, inside a mark.
    fn digit(&mut self, (x, y): (f64, f64), number: usize) {
        let white = [255; 3];
        self.stroke((x, y - 5.0), (x, y + 5.0), 2.0, white);
        if number.is_multiple_of(2) {
            self.stroke((x - 3.0, y - 5.0), (x + 3.0, y - 5.0), 2.0, white);
        }
        if number > 3 {
            self.stroke((x - 3.0, y + 5.0), (x + 3.0, y + 5.0), 2.0, white);
        }
    }

    fn noise(&mut self) {
        let mut state = 0x2545_F491_4F6C_DD1Du64;
        for channel in self.pixels.as_flattened_mut() {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let offset = (state >> 40) % 7;
            *channel = (u64::from(*channel) + offset).saturating_sub(3).min(255) as u8;
        }
    }
}

/// The image as an RGB PNG.
pub fn png(pixels: &[Rgb]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, WIDTH as u32, (pixels.len() / WIDTH) as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(pixels.as_flattened()).unwrap();
    writer.finish().unwrap();
    bytes
}

/// The geometry that the image was drawn with.
pub fn geometry() -> GridGeometry {
    GridGeometry::new(COLUMNS, ROWS, CELL_M, Pose2::IDENTITY).unwrap()
}
