//! A mask with a margin, so that rays and votes need no border test.

use crate::dispatch::dispatched;

/// Places along rays and votes are whole numbers of 2^-20 cells: adding them up is exact and fast.
const FRACTION_BITS: u32 = 20;

/// A length in cells as a fixed-point number.
pub(super) fn fixed(cells: f32) -> i64 {
    (cells * (1 << FRACTION_BITS) as f32) as i64
}

/// A mask of 0 and 1 with empty cells around it.
pub(super) struct Padded {
    pub cells: Vec<u8>,
    pub stride: usize,
    pub margin: usize,
}

impl Padded {
    /// The cells of one class.
    pub fn of(plane: &[u8], wanted: u8, width: usize, margin: usize) -> Self {
        let stride = width + 2 * margin;
        let height = plane.len() / width + 2 * margin;
        let mut cells = vec![0; stride * height];
        for (from, to) in plane.chunks(width).zip(cells[margin * stride..].chunks_mut(stride)) {
            for (to, &from) in to[margin..].iter_mut().zip(from) {
                *to = u8::from(from == wanted);
            }
        }
        Self { cells, stride, margin }
    }

    pub fn height(&self) -> usize {
        self.cells.len() / self.stride
    }

    /// Rows of the mask without the margin.
    pub fn rows(&self) -> std::ops::Range<usize> {
        self.margin..self.height() - self.margin
    }

    /// Columns of the mask without the margin.
    pub fn columns(&self) -> std::ops::Range<usize> {
        self.margin..self.stride - self.margin
    }

    /// Marks the edge cells of a row within the margin by 1; see [`Self::is_edge`].
    pub fn mark_edges(&self, y: usize, is_edge: &mut [u8]) {
        let [above, here, below] =
            [y - 1, y, y + 1].map(|row| &self.cells[row * self.stride..][..self.stride]);
        mark_edges(above, here, below, is_edge);
    }

    /// Whether a set cell has a neighbour to the four sides that is not set.
    pub fn is_edge(&self, x: usize, y: usize) -> bool {
        let here = y * self.stride + x;
        let cells = &self.cells;
        cells[here - 1] & cells[here + 1] & cells[here - self.stride] & cells[here + self.stride] == 0
    }

    /// 1 if the cell at a place is set. The place must lie in the mask or its margin.
    pub fn at_fixed(&self, x: i64, y: i64) -> u8 {
        self.cells[self.index_of_fixed(x, y)]
    }

    /// The position of the cell at a place.
    pub fn index_of_fixed(&self, x: i64, y: i64) -> usize {
        (y >> FRACTION_BITS) as usize * self.stride + (x >> FRACTION_BITS) as usize
    }

    /// Number of set cells within `reach` of a circle.
    pub fn support(&self, x: f64, y: f64, radius: f64, reach: f64) -> usize {
        let outer = radius + reach;
        let rows = (y - outer) as usize..=(y + outer) as usize;
        let near = |column: usize, row: usize| {
            let away = (column as f64 + 0.5 - x).hypot(row as f64 + 0.5 - y);
            self.cells[row * self.stride + column] == 1 && (away - radius).abs() <= reach
        };
        rows.map(|row| {
            ((x - outer) as usize..=(x + outer) as usize).filter(|&column| near(column, row)).count()
        })
        .sum()
    }
}

dispatched! {
    fn mark_edges(above: &[u8], here: &[u8], below: &[u8], is_edge: &mut [u8]) = mark_edges_kernel;
}

#[inline(always)]
fn mark_edges_kernel(above: &[u8], here: &[u8], below: &[u8], is_edge: &mut [u8]) {
    let around = here.windows(3).zip(&above[1..]).zip(&below[1..]);
    for (mark, ((here, above), below)) in is_edge[1..].iter_mut().zip(around) {
        *mark = here[1] & !(here[0] & here[2] & above & below) & 1;
    }
}

/// The columns of a row that are marked by 1. Most of a row is not: blocks without a mark are passed at once.
pub(super) fn marked(marks: &[u8], columns: std::ops::Range<usize>) -> impl Iterator<Item = usize> {
    const BLOCK: usize = 32;
    let blocks = columns.clone().step_by(BLOCK).map(move |first| first..(first + BLOCK).min(columns.end));
    let with_marks = blocks.filter(|block| marks[block.clone()].iter().fold(0, |any, mark| any | mark) != 0);
    with_marks.flat_map(move |block| block.filter(move |&x| marks[x] == 1))
}
