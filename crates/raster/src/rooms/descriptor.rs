//! What describes a room: size, place, boxes, shape and neighbours.

use std::f64::consts::PI;

use model::{GridGeometry, Point2};

use super::Rooms;
use crate::outline::borders;
use crate::outlines::{Corner, simplified};

/// A box along the room's main direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrientedBox {
    pub center: Point2,
    /// Extent along the main direction, metres.
    pub length_m: f64,
    /// Extent across it, metres.
    pub width_m: f64,
    /// The main direction in the frame of the map, in (-pi/2, pi/2].
    pub theta_rad: f64,
}

/// Description of one room. Positions are in the frame of the map.
#[derive(Clone, Debug, PartialEq)]
pub struct Descriptor {
    /// Number of the room, 1 upwards.
    pub id: u32,
    pub area_m2: f64,
    /// Centre of gravity.
    pub center: Point2,
    /// Left, bottom, right and top of the box along the axes of the map's frame, metres.
    pub box_m: [f64; 4],
    /// Box along the main direction.
    pub oriented: OrientedBox,
    /// Length of the border along the edges of cells, metres.
    pub perimeter_m: f64,
    /// Length of the border simplified to 1.5 cells, metres: teeth of a ragged wall do not lengthen it.
    pub outline_m: f64,
    /// Square root of the ratio of the second moments, 1 for a square.
    pub elongation: f64,
    /// 4 pi area / perimeter², below 1.
    pub compactness: f64,
    /// The first four invariants of Hu.
    pub hu: [f64; 4],
    /// Numbers of the rooms it shares a border with.
    pub neighbours: Vec<u32>,
}

/// Describes every room, by number.
pub fn descriptors(rooms: &Rooms, geometry: &GridGeometry) -> Vec<Descriptor> {
    let count = rooms.count as usize;
    let areas = rooms.areas_cells();
    let mut cells: Vec<Vec<(f64, f64)>> =
        (1..=count).map(|room| Vec::with_capacity(areas.get(room).copied().unwrap_or(0))).collect();
    let height = rooms.height();
    for (row, labels) in rooms.labels.chunks(rooms.width.max(1)).enumerate() {
        // The middle of the cell, counted from the lower left corner of the grid.
        let up = (height - 1 - row) as f64 + 0.5;
        for (right, &label) in labels.iter().enumerate().filter(|(_, label)| **label != 0) {
            cells[label as usize - 1].push((right as f64 + 0.5, up));
        }
    }
    let mut edges = vec![(0, 0.0); count];
    for border in borders(&rooms.labels, rooms.width, height) {
        let (cells, smooth) = &mut edges[border.label as usize - 1];
        *cells += border.edges.len();
        *smooth += smooth_length_cells(&border.corners(rooms.width));
    }
    let pairs = rooms.neighbours();
    let described = cells.iter().zip(edges).zip(1..).map(|((cells, edges), id)| {
        let beside = pairs.iter().filter_map(|&(a, b)| match id {
            id if id == a => Some(b),
            id if id == b => Some(a),
            _ => None,
        });
        describe(id, cells, edges, beside.collect(), geometry)
    });
    described.collect()
}

/// Length of a closed border after simplification, cells.
fn smooth_length_cells(corners: &[(usize, usize)]) -> f64 {
    const TOLERANCE_CELLS: f64 = 1.5;
    let corners: Vec<Corner> = corners.iter().map(|&(x, y)| (x as i32, y as i32)).collect();
    let simple = simplified(&corners, TOLERANCE_CELLS);
    let next = simple.iter().skip(1).chain(simple.first());
    simple.iter().zip(next).map(|(a, b)| f64::from(a.0 - b.0).hypot(f64::from(a.1 - b.1))).sum()
}

fn describe(
    id: u32,
    cells: &[(f64, f64)],
    (edges, smooth_cells): (usize, f64),
    neighbours: Vec<u32>,
    geometry: &GridGeometry,
) -> Descriptor {
    let cell_size_m = geometry.cell_size_m();
    let moments = Moments::of(cells);
    let (x, y) = moments.center;
    let ends = row_ends(cells);
    let corners = [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)];
    let all_corners = ends.iter().flat_map(|&(x, y)| corners.map(|(dx, dy)| (x + dx, y + dy)));
    let world = all_corners.map(|(right, up)| geometry.world_of_grid_point(right, up));
    let none = [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY];
    let box_m = world.fold(none, |b, p| [b[0].min(p.x_m), b[1].min(p.y_m), b[2].max(p.x_m), b[3].max(p.y_m)]);
    Descriptor {
        id,
        area_m2: cells.len() as f64 * cell_size_m.powi(2),
        center: geometry.world_of_grid_point(x, y),
        box_m,
        oriented: moments.oriented_box(&ends, geometry),
        perimeter_m: edges as f64 * cell_size_m,
        outline_m: smooth_cells * cell_size_m,
        elongation: moments.elongation(),
        compactness: 4.0 * PI * cells.len() as f64 / (edges as f64).powi(2),
        hu: moments.hu(cells),
        neighbours,
    }
}

/// The first and the last cell of each row: no cell of a row lies further in any direction than one of them. The cells must
/// come row by row.
fn row_ends(cells: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let rows = cells.chunk_by(|one, next| one.1.total_cmp(&next.1).is_eq());
    rows.flat_map(|row| row.first().into_iter().chain(row.last())).copied().collect()
}

/// First and second moments of the cells of a room, in cells.
struct Moments {
    center: (f64, f64),
    /// Per cell; each cell adds 1/12 along both axes.
    xx: f64,
    xy: f64,
    yy: f64,
}

impl Moments {
    fn of(cells: &[(f64, f64)]) -> Self {
        let n = cells.len() as f64;
        let (mut x, mut y) = (0.0, 0.0);
        for cell in cells {
            (x, y) = (x + cell.0, y + cell.1);
        }
        let (cx, cy) = (x / n, y / n);
        let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
        for cell in cells {
            let (x, y) = (cell.0 - cx, cell.1 - cy);
            (xx, xy, yy) = (xx + x * x, xy + x * y, yy + y * y);
        }
        Self { center: (cx, cy), xx: xx / n + 1.0 / 12.0, xy: xy / n, yy: yy / n + 1.0 / 12.0 }
    }

    fn elongation(&self) -> f64 {
        let middle = (self.xx + self.yy) / 2.0;
        let apart = ((self.xx - self.yy) / 2.0).hypot(self.xy);
        ((middle + apart) / (middle - apart)).sqrt()
    }

    /// The box around cells of which at least the ends of each row are given.
    fn oriented_box(&self, cells: &[(f64, f64)], geometry: &GridGeometry) -> OrientedBox {
        let angle = (2.0 * self.xy).atan2(self.xx - self.yy) / 2.0;
        let (sin, cos) = angle.sin_cos();
        let half = (sin.abs() + cos.abs()) / 2.0;
        let span = |of: &dyn Fn(&(f64, f64)) -> f64| {
            let ends = cells
                .iter()
                .map(of)
                .fold((f64::INFINITY, f64::NEG_INFINITY), |e, v| (e.0.min(v), e.1.max(v)));
            (ends.0 - half, ends.1 + half)
        };
        let along = span(&|c| cos * c.0 + sin * c.1);
        let across = span(&|c| cos * c.1 - sin * c.0);
        let (u, v) = ((along.0 + along.1) / 2.0, (across.0 + across.1) / 2.0);
        let cell_size_m = geometry.cell_size_m();
        OrientedBox {
            center: geometry.world_of_grid_point(cos * u - sin * v, sin * u + cos * v),
            length_m: (along.1 - along.0) * cell_size_m,
            width_m: (across.1 - across.0) * cell_size_m,
            theta_rad: half_turn(angle + geometry.origin().theta_rad),
        }
    }

    /// Invariants of Hu (1962) from the normalised central moments of the cell centres.
    fn hu(&self, cells: &[(f64, f64)]) -> [f64; 4] {
        let n = cells.len() as f64;
        let (cx, cy) = self.center;
        let mut sums = [0.0; 7];
        for cell in cells {
            let (x, y) = (cell.0 - cx, cell.1 - cy);
            let powers = [x * x, y * y, x * y, x * x * x, y * y * y, x * x * y, x * (y * y)];
            sums.iter_mut().zip(powers).for_each(|(sum, power)| *sum += power);
        }
        let per = |sum: f64, order: f64| sum / n.powf(1.0 + order / 2.0);
        let [e20, e02, e11] = [sums[0], sums[1], sums[2]].map(|sum| per(sum, 2.0));
        let [e30, e03, e21, e12] = [sums[3], sums[4], sums[5], sums[6]].map(|sum| per(sum, 3.0));
        [
            e20 + e02,
            (e20 - e02).powi(2) + 4.0 * e11.powi(2),
            (e30 - 3.0 * e12).powi(2) + (3.0 * e21 - e03).powi(2),
            (e30 + e12).powi(2) + (e21 + e03).powi(2),
        ]
    }
}

/// A direction without a sense, in (-pi/2, pi/2].
fn half_turn(angle: f64) -> f64 {
    let turned = angle.rem_euclid(PI);
    if turned > PI / 2.0 { turned - PI } else { turned }
}

#[cfg(test)]
mod tests {
    use model::Pose2;

    use super::*;

    fn described(rows: &[&str], cell_size_m: f64) -> Vec<Descriptor> {
        let marks: Vec<u32> = rows.iter().flat_map(|row| row.bytes()).map(|b| u32::from(b - b'0')).collect();
        let geometry = GridGeometry::new(rows[0].len(), rows.len(), cell_size_m, Pose2::IDENTITY).unwrap();
        descriptors(&Rooms::of_marks(&marks, rows[0].len()), &geometry)
    }

    fn nearly(found: f64, expected: f64) {
        assert!((found - expected).abs() < 5e-5, "found {found}, expected {expected}");
    }

    #[test]
    fn r_room_e1_descriptors() {
        let rows = [
            "00000000000",
            "01111022220",
            "01111022220",
            "01111122220",
            "01111022220",
            "01111022220",
            "00000000000",
        ];
        let rooms = described(&rows, 1.0);
        assert_eq!((rooms[0].area_m2, rooms[1].area_m2), (21.0, 20.0));
        for (room, [x, elongation, perimeter, compactness]) in
            rooms.iter().zip([[3.1190, 1.1299, 20.0, 0.6597], [8.0, 1.25, 18.0, 0.7757]])
        {
            nearly(room.center.x_m, x);
            nearly(room.center.y_m, 3.5);
            nearly(room.elongation, elongation);
            nearly(room.perimeter_m, perimeter);
            nearly(room.compactness, compactness);
        }
        assert_eq!((rooms[1].outline_m, rooms[0].box_m), (18.0, [1.0, 1.0, 6.0, 6.0]));
        assert_eq!((rooms[0].neighbours.as_slice(), rooms[1].neighbours.as_slice()), (&[2][..], &[1][..]));
    }

    #[test]
    fn lengths_scale_with_the_cells_and_shapes_do_not() {
        let (one, half) = (described(&["1110", "1110"], 1.0), described(&["1110", "1110"], 0.5));
        nearly(half[0].area_m2, one[0].area_m2 / 4.0);
        nearly(half[0].perimeter_m, one[0].perimeter_m / 2.0);
        nearly(half[0].elongation, one[0].elongation);
        nearly(one[0].elongation, 1.5);
        nearly(one[0].oriented.length_m, 3.0);
        nearly(one[0].oriented.width_m, 2.0);
        nearly(one[0].oriented.center.x_m, 1.5);
    }

    #[test]
    fn the_invariants_do_not_change_with_a_quarter_turn() {
        let lying = described(&["1111", "1000"], 1.0);
        let standing = described(&["11", "01", "01", "01"], 1.0);
        for (a, b) in lying[0].hu.iter().zip(standing[0].hu) {
            assert!((a - b).abs() < 1e-12, "{a} {b}");
        }
        nearly(lying[0].oriented.length_m, standing[0].oriented.length_m);
    }
}
