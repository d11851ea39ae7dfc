//! Ranges of rays on a grid: how far from a point to the first occupied cell.
//!
//! Blocks of 2 x 2 cells keep how many blocks around them are free; a ray leaves that whole square at once. In a block
//! with an occupied cell it goes from cell to cell (Amanatides and Woo 1987, "A fast voxel traversal algorithm for ray
//! tracing"). In rooms a ray needs four steps on average, where the walk from cell to cell needs seventy.

use crate::dispatch::dispatched;

/// Cells along the side of a block, as a power of two.
const SHIFT: i32 = 1;
const SIDE: usize = 1 << SHIFT;
/// The code of a block whose four cells are all occupied; smaller ones have a bit for each occupied cell. A larger code
/// is this plus the number of blocks to the nearest one with an occupied cell, in the eight directions of a king.
const FULL: u8 = 15;
/// Largest distance that is told apart, in blocks: twice the longest stride of the sweeps along a row.
const MAX_DISTANCE: u8 = 64;
/// Strides of the sweeps along a row: together they carry a distance as far as [`MAX_DISTANCE`].
const STRIDES: [u8; 6] = [1, 2, 4, 8, 16, 32];
/// Stands in for 1 / 0: the range to the next border of a ray that never gets there.
const NEVER: f32 = 1e30;

/// Occupied cells and the free squares between them, with a border of occupied blocks around the grid.
#[derive(Clone, Debug)]
pub struct RayGrid {
    codes: Vec<u8>,
    stride: usize,
    width: usize,
    height: usize,
}

/// A ray in cells: cell (column, row) covers [column, column + 1) x [row, row + 1); angles turn from +x towards +y.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridRay {
    pub x: f32,
    pub y: f32,
    /// Direction, radians.
    pub angle_rad: f32,
}

/// A ray along one axis.
#[derive(Clone, Copy)]
struct Axis {
    origin: f32,
    direction: f32,
    /// 1 / direction.
    inverse: f32,
    is_forward: bool,
}

/// Cells from a first to a last one, along one axis.
#[derive(Clone, Copy)]
struct Span {
    first: i32,
    last: i32,
}

impl Axis {
    #[inline(always)]
    fn new(origin: f32, direction: f32) -> Self {
        let is_forward = direction >= 0.0;
        let per_cell = if direction == 0.0 { NEVER } else { 1.0 / direction.abs() };
        Self { origin, direction, inverse: if is_forward { per_cell } else { -per_cell }, is_forward }
    }

    /// Range at which the ray leaves a span.
    #[inline(always)]
    fn range_out_of(self, span: Span) -> f32 {
        let border = if self.is_forward { span.last + 1 } else { span.first };
        (border as f32 - self.origin) * self.inverse
    }

    /// The first cell beyond a span.
    #[inline(always)]
    const fn beyond(self, span: Span) -> i32 {
        if self.is_forward { span.last + 1 } else { span.first - 1 }
    }

    /// The cell at a range at which the ray has not left a span.
    #[inline(always)]
    fn cell_at(self, range: f32, span: Span) -> i32 {
        ((self.origin + range * self.direction) as i32).clamp(span.first, span.last)
    }
}

impl Span {
    /// The cells of the free blocks around a cell; the cell alone if there is none.
    #[inline(always)]
    const fn around(cell: i32, distance_blocks: i32) -> Self {
        let block = cell >> SHIFT;
        let is_alone = distance_blocks == 0;
        Self {
            first: if is_alone { cell } else { (block + 1 - distance_blocks) << SHIFT },
            last: if is_alone { cell } else { ((block + distance_blocks) << SHIFT) - 1 },
        }
    }
}

impl RayGrid {
    /// The cells of a plane that have a value are occupied. A plane of another size than `width` x `height` is cut or
    /// filled up with occupied cells.
    pub fn new(plane: &[u8], occupied: u8, width: usize, height: usize) -> Self {
        let stride = width.div_ceil(SIDE) + 2;
        let mut codes = vec![FULL; stride * (height.div_ceil(SIDE) + 2)];
        enter_cells(plane, occupied, width, height, &mut codes);
        spread(&mut codes, stride);
        Self { codes, stride, width, height }
    }

    /// Range in cells at which a ray enters an occupied cell or leaves the grid, at most `max_range`. A ray that starts
    /// outside, or is no number, has range 0.
    #[inline]
    pub fn range(&self, ray: GridRay, max_range: f32) -> f32 {
        let (sin, cos) = ray.angle_rad.sin_cos();
        let is_inside = |v: f32, side: usize| v >= 0.0 && v < side as f32;
        if !(is_inside(ray.x, self.width) && is_inside(ray.y, self.height) && cos.is_finite()) {
            return 0.0;
        }
        let (x_axis, y_axis) = (Axis::new(ray.x, cos), Axis::new(ray.y, sin));
        let (mut x, mut y) = (ray.x as i32, ray.y as i32);
        let mut range = 0.0_f32;
        while range < max_range {
            let (column, row) = (x >> SHIFT, y >> SHIFT);
            let code = self.codes[(row + 1) as usize * self.stride + (column + 1) as usize];
            if code <= FULL && code >> bit_of(x, y) & 1 == 1 {
                return range;
            }
            // Choices without jumps: where a ray goes next cannot be predicted, and a wrong guess costs a step.
            let distance = i32::from(code.saturating_sub(FULL));
            let (span_x, span_y) = (Span::around(x, distance), Span::around(y, distance));
            let (out_x, out_y) = (x_axis.range_out_of(span_x), y_axis.range_out_of(span_y));
            let is_x = out_x < out_y;
            range = if is_x { out_x } else { out_y };
            let (along_x, along_y) = (x_axis.cell_at(range, span_x), y_axis.cell_at(range, span_y));
            x = if is_x { x_axis.beyond(span_x) } else { along_x };
            y = if is_x { along_y } else { y_axis.beyond(span_y) };
        }
        max_range
    }

    /// Ranges of many rays, into a buffer that is cleared first.
    pub fn ranges_into(&self, rays: &[GridRay], max_range: f32, ranges: &mut Vec<f32>) {
        ranges.clear();
        ranges.extend(rays.iter().map(|ray| self.range(*ray, max_range)));
    }
}

/// The bit of a cell in the code of its block.
#[inline(always)]
const fn bit_of(x: i32, y: i32) -> i32 {
    (y & 1) << 1 | (x & 1)
}

dispatched! {
    /// Sets the codes of blocks to their occupied cells; free blocks get the largest distance.
    fn enter_cells(plane: &[u8], occupied: u8, width: usize, height: usize, codes: &mut [u8]) = enter_cells_kernel;
}

#[inline(always)]
fn enter_cells_kernel(plane: &[u8], occupied: u8, width: usize, height: usize, codes: &mut [u8]) {
    let stride = width.div_ceil(SIDE) + 2;
    let filled = vec![occupied; width];
    let mut rows = plane.chunks_exact(width.max(1)).take(height).chain(std::iter::repeat(&filled[..]));
    for codes in codes.chunks_exact_mut(stride).skip(1).take(height.div_ceil(SIDE)) {
        let (Some(upper), Some(lower)) = (rows.next(), rows.next()) else { return };
        let ((upper, upper_rest), (lower, lower_rest)) = (upper.as_chunks::<2>(), lower.as_chunks::<2>());
        let is = |cell: u8| u8::from(cell == occupied);
        for ((code, [a, b]), [c, d]) in codes[1..].iter_mut().zip(upper).zip(lower) {
            let cells = is(*a) | is(*b) << 1 | is(*c) << 2 | is(*d) << 3;
            *code = if cells == 0 { FULL + MAX_DISTANCE } else { cells };
        }
        if let ([a], [c]) = (upper_rest, lower_rest) {
            codes[1 + upper.len()] = is(*a) | is(*c) << 2 | 0b1010;
        }
    }
}

dispatched! {
    /// Lowers the distances of free blocks to what they are: down with what lies above and to the left, then up with
    /// what lies below and to the right. The two sweeps give the exact distance of a king.
    fn spread(codes: &mut [u8], stride: usize) = spread_kernel;
}

#[inline(always)]
fn spread_kernel(codes: &mut [u8], stride: usize) {
    let mut rows =
        SweepRows { beside: vec![FULL; stride], row: vec![FULL; stride], spare: vec![FULL; stride] };
    for codes in codes.chunks_exact_mut(stride) {
        rows.come_from_beside(codes);
        rows.carry_right();
        rows.leave(codes);
    }
    rows.beside.fill(FULL);
    for codes in codes.chunks_exact_mut(stride).rev() {
        rows.come_from_beside(codes);
        rows.carry_left();
        rows.leave(codes);
    }
}

/// Rows of distances, [`FULL`] for none: the one that is swept, the one swept before it, and room.
struct SweepRows {
    beside: Vec<u8>,
    row: Vec<u8>,
    spare: Vec<u8>,
}

impl SweepRows {
    /// Distances by what lies in the row before.
    #[inline(always)]
    fn come_from_beside(&mut self, codes: &[u8]) {
        let inner = codes.len() - 2;
        let three = self.beside[..inner].iter().zip(&self.beside[1..=inner]).zip(&self.beside[2..]);
        for ((to, code), ((a, b), c)) in self.row[1..=inner].iter_mut().zip(&codes[1..]).zip(three) {
            *to = (*code).max(FULL).min(*a.min(b).min(c) + 1);
        }
        (self.row[0], self.row[inner + 1]) = (FULL, FULL);
    }

    /// Distances by what lies to the left: doubled strides reach as far as single steps would.
    #[inline(always)]
    fn carry_right(&mut self) {
        let length = self.row.len();
        for stride in STRIDES.into_iter().filter(|stride| usize::from(*stride) < length) {
            let (head, tail) = self.spare.split_at_mut(usize::from(stride));
            head.copy_from_slice(&self.row[..head.len()]);
            for ((to, own), left) in tail.iter_mut().zip(&self.row[head.len()..]).zip(&self.row) {
                *to = (*own).min(*left + stride);
            }
            std::mem::swap(&mut self.row, &mut self.spare);
        }
    }

    /// Distances by what lies to the right.
    #[inline(always)]
    fn carry_left(&mut self) {
        let length = self.row.len();
        for stride in STRIDES.into_iter().filter(|stride| usize::from(*stride) < length) {
            let (head, tail) = self.spare.split_at_mut(length - usize::from(stride));
            tail.copy_from_slice(&self.row[head.len()..]);
            for ((to, own), right) in head.iter_mut().zip(&self.row).zip(&self.row[usize::from(stride)..]) {
                *to = (*own).min(*right + stride);
            }
            std::mem::swap(&mut self.row, &mut self.spare);
        }
    }

    /// Enters the distances of free blocks; the row becomes the one swept before.
    #[inline(always)]
    fn leave(&mut self, codes: &mut [u8]) {
        for (code, distance) in codes.iter_mut().zip(&self.row) {
            *code = if *code > FULL { *distance } else { *code };
        }
        std::mem::swap(&mut self.row, &mut self.beside);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The walk from cell to cell, in double precision.
    fn plain(plane: &[u8], width: usize, height: usize, ray: GridRay, max_range: f64) -> f64 {
        let (sin, cos) = f64::from(ray.angle_rad).sin_cos();
        let (ox, oy) = (f64::from(ray.x), f64::from(ray.y));
        let (mut x, mut y) = (ox.floor() as i64, oy.floor() as i64);
        let mut range = 0.0;
        loop {
            let is_inside = (0..width as i64).contains(&x) && (0..height as i64).contains(&y);
            if range >= max_range {
                return max_range;
            }
            if !is_inside || plane[y as usize * width + x as usize] == 1 {
                return range;
            }
            let next = |v: i64, direction: f64, origin: f64| {
                if direction == 0.0 {
                    f64::INFINITY
                } else {
                    ((v + i64::from(direction > 0.0)) as f64 - origin) / direction
                }
            };
            let (next_x, next_y) = (next(x, cos, ox), next(y, sin, oy));
            if next_x < next_y {
                (range, x) = (next_x, x + cos.signum() as i64);
            } else {
                (range, y) = (next_y, y + sin.signum() as i64);
            }
        }
    }

    #[test]
    fn a_ray_stops_where_it_enters_the_wall() {
        let mut plane = vec![0; 30 * 20];
        plane[5 * 30 + 25] = 1;
        let grid = RayGrid::new(&plane, 1, 30, 20);
        let range = |x: f32, angle_rad: f32| grid.range(GridRay { x, y: 5.5, angle_rad }, 600.0);
        assert_eq!(range(2.5, 0.0), 22.5);
        assert_eq!(range(27.5, std::f32::consts::PI), 1.5);
        assert_eq!(range(25.5, 1.0), 0.0, "starts in the wall");
        assert_eq!(range(2.5, std::f32::consts::FRAC_PI_2), 14.5, "leaves the grid");
        assert_eq!(grid.range(GridRay { x: 2.5, y: 5.5, angle_rad: 0.0 }, 10.0), 10.0);
        assert_eq!(range(-1.0, 0.0), 0.0);
        assert_eq!(range(f32::NAN, 0.0), 0.0);
    }

    #[test]
    fn blocks_change_nothing() {
        let mut random = testkit::Random(5);
        for (width, height, one_in) in
            [(1, 1, 9), (8, 8, 30), (37, 53, 200), (200, 90, 900), (501, 400, 100_000)]
        {
            let plane: Vec<u8> = (0..width * height).map(|_| u8::from(random.below(one_in) == 0)).collect();
            let grid = RayGrid::new(&plane, 1, width, height);
            for _ in 0..2000 {
                let place = |side: usize, r: usize| r as f32 / 1000.0 % side as f32;
                let ray = GridRay {
                    x: place(width, random.below(1_000_000)),
                    y: place(height, random.below(1_000_000)),
                    angle_rad: random.below(62_832) as f32 / 10_000.0,
                };
                let (found, expected) = (grid.range(ray, 600.0), plain(&plane, width, height, ray, 600.0));
                // A ray through the corner of four cells may take either side: compare a little off the corner.
                let off = GridRay { angle_rad: ray.angle_rad + 1e-4, ..ray };
                let beside = plain(&plane, width, height, off, 600.0);
                let is_near = |value: f64| (f64::from(found) - value).abs() < 2e-3 * (1.0 + value);
                assert!(
                    is_near(expected) || is_near(beside),
                    "{width} x {height} {ray:?}: {found} {expected}"
                );
            }
        }
    }
}
