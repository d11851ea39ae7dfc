//! Ranges of rays on a grid: how far from a point to the first occupied cell.
//!
//! The cells are kept as bits, a block of 8 x 8 cells in one word. A ray crosses an empty block in one step; in a block
//! with an occupied cell it goes from cell to cell (Amanatides and Woo 1987, "A fast voxel traversal algorithm for ray
//! tracing").

/// Cells along the side of a block, as a power of two.
const SHIFT: i32 = 3;
const SIDE: i32 = 1 << SHIFT;
/// Stands in for 1 / 0: the way to the next border of a ray that never gets there.
const NEVER: f32 = 1e30;

/// Occupied cells in blocks, with a border of occupied blocks around the grid.
#[derive(Clone, Debug)]
pub struct RayGrid {
    blocks: Vec<u64>,
    stride: usize,
    width: usize,
    height: usize,
}

/// A ray in cells: cell (column, row) covers [column, column + 1) x [row, row + 1); angles turn from +x towards +y.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridRay {
    /// Column.
    pub x: f32,
    /// Row.
    pub y: f32,
    /// Direction, radians.
    pub angle_rad: f32,
}

/// A ray on its way along one axis.
#[derive(Clone, Copy)]
struct Axis {
    origin: f32,
    way: f32,
    per_cell: f32,
    /// 1 / way, with its sign.
    inverse: f32,
    step: i32,
    /// 1 if the border ahead is the far one of a cell.
    far: i32,
}

impl Axis {
    #[inline(always)]
    fn new(origin: f32, way: f32) -> Self {
        let is_forward = way >= 0.0;
        let per_cell = if way == 0.0 { NEVER } else { 1.0 / way.abs() };
        Self {
            origin,
            way,
            per_cell,
            inverse: if is_forward { per_cell } else { -per_cell },
            step: if is_forward { 1 } else { -1 },
            far: i32::from(is_forward),
        }
    }

    /// Range at which the ray passes a border.
    #[inline(always)]
    fn range_of(self, border: i32) -> f32 {
        (border as f32 - self.origin) * self.inverse
    }

    /// The cell at a range, which lies in a block.
    #[inline(always)]
    fn cell_at(self, range: f32, block: i32) -> i32 {
        let low = block << SHIFT;
        ((self.origin + range * self.way).floor() as i32).clamp(low, low + SIDE - 1)
    }
}

impl RayGrid {
    /// The cells of a plane that have a value are occupied. A plane of another size than `width` x `height` is cut or
    /// filled up with occupied cells.
    #[must_use]
    pub fn new(plane: &[u8], occupied: u8, width: usize, height: usize) -> Self {
        let side = SIDE as usize;
        let stride = width.div_ceil(side) + 2;
        let rows = height.div_ceil(side) + 2;
        let mut blocks = vec![u64::MAX; stride * rows];
        for (row, cells) in plane.chunks_exact(width.max(1)).take(height).enumerate() {
            let first = (row / side + 1) * stride + 1;
            let shift = (row % side) * side;
            for (block, eight) in blocks[first..].iter_mut().zip(cells.chunks(side)) {
                let bits = eight
                    .iter()
                    .enumerate()
                    .fold(0_u64, |bits, (i, &c)| bits | u64::from(c != occupied) << i);
                *block &= !(bits << shift);
            }
        }
        Self { blocks, stride, width, height }
    }

    /// Range in cells at which a ray enters an occupied cell or leaves the grid, at most `max_range`. A ray that starts
    /// outside, or is no number, has range 0.
    #[must_use]
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
            let bits = self.blocks[(row + 1) as usize * self.stride + (column + 1) as usize];
            if bits == 0 {
                let to_x = x_axis.range_of((column + x_axis.far) << SHIFT);
                let to_y = y_axis.range_of((row + y_axis.far) << SHIFT);
                if to_x < to_y {
                    range = to_x;
                    x = if x_axis.step > 0 { (column + 1) << SHIFT } else { (column << SHIFT) - 1 };
                    y = y_axis.cell_at(range, row);
                } else {
                    range = to_y;
                    y = if y_axis.step > 0 { (row + 1) << SHIFT } else { (row << SHIFT) - 1 };
                    x = x_axis.cell_at(range, column);
                }
                continue;
            }
            let mut next_x = x_axis.range_of(x + x_axis.far);
            let mut next_y = y_axis.range_of(y + y_axis.far);
            loop {
                if bits >> (((y & (SIDE - 1)) << SHIFT) | (x & (SIDE - 1))) & 1 == 1 {
                    return range.min(max_range);
                }
                if next_x < next_y {
                    range = next_x;
                    next_x += x_axis.per_cell;
                    x += x_axis.step;
                    if x >> SHIFT != column {
                        break;
                    }
                } else {
                    range = next_y;
                    next_y += y_axis.per_cell;
                    y += y_axis.step;
                    if y >> SHIFT != row {
                        break;
                    }
                }
            }
        }
        max_range
    }

    /// Ranges of many rays, into a buffer that is cleared first.
    pub fn ranges_into(&self, rays: &[GridRay], max_range: f32, ranges: &mut Vec<f32>) {
        ranges.clear();
        ranges.extend(rays.iter().map(|ray| self.range(*ray, max_range)));
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
            let next = |v: i64, way: f64, origin: f64| {
                if way == 0.0 { f64::INFINITY } else { ((v + i64::from(way > 0.0)) as f64 - origin) / way }
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
        for (width, height, one_in) in [(1, 1, 9), (8, 8, 30), (37, 53, 200), (200, 90, 900)] {
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
