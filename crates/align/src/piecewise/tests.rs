//! Worked examples 02-E8 and 02-E9.

use model::{CellClass, GridGeometry, Pose2};
use testkit::Random;

use super::*;

/// A grid of cells of a size with walls at (column, row from below).
fn walls_at(side: (usize, usize), cell_size_m: f64, walls: impl IntoIterator<Item = (usize, usize)>) -> Grid {
    let geometry = GridGeometry::new(side.0, side.1, cell_size_m, Pose2::IDENTITY).unwrap();
    let mut classes = vec![CellClass::Free; geometry.cells()];
    for (i, j) in walls {
        classes[geometry.index_of(Cell { i, j })] = CellClass::Occupied;
    }
    Grid::new(geometry, classes).unwrap()
}

fn bracket() -> Vec<(usize, usize)> {
    let bar = (0..8).map(|x| (x, 0));
    bar.chain((1..5).map(|y| (0, y))).chain((1..3).map(|y| (7, y))).collect()
}

/// The motion of a part in cells about the middle of cell (0, 0): degrees, x, y.
fn in_cells(part: &Part, cell_size_m: f64) -> (f64, f64, f64) {
    let half = cell_size_m / 2.0;
    let moved = part.truth_from_part * model::Point2::new(half, half);
    let theta = part.truth_from_part.theta_rad.to_degrees().rem_euclid(360.0);
    (theta, (moved.x_m - half) / cell_size_m, (moved.y_m - half) / cell_size_m)
}

fn e8(map: impl IntoIterator<Item = (usize, usize)>) -> Parts {
    let side = (30, 30);
    let params = Piecewise {
        tau_m: 0.0,
        theta_max_deg: 180.0,
        theta_step_deg: 90.0,
        shift_max_m: 25.0,
        gap_m: 1.0,
        join_cells: Some(3),
        min_part_cells: Some(3),
        ..Piecewise::default()
    };
    piecewise(&walls_at(side, 1.0, bracket()), &walls_at(side, 1.0, map), &params).unwrap()
}

#[test]
fn e8_an_identical_map_is_one_part() {
    let found = e8(bracket());
    assert_eq!(found.parts.len(), 1);
    assert_eq!(found.parts[0].cells.len(), 14);
    assert_eq!(found.parts[0].truth_from_part, Pose2::IDENTITY);
}

#[test]
fn e8_a_slip_is_a_second_part() {
    let found = e8(bracket().into_iter().map(|(x, y)| if x >= 4 { (x, y + 3) } else { (x, y) }));
    let sizes: Vec<usize> = found.parts.iter().map(|part| part.cells.len()).collect();
    assert_eq!(sizes, [8, 6]);
    assert_eq!(in_cells(&found.parts[0], 1.0), (0.0, 0.0, 0.0));
    assert_eq!(in_cells(&found.parts[1], 1.0), (0.0, 0.0, -3.0));
}

#[test]
fn e8_a_quarter_turn_is_undone() {
    let found = e8(bracket().into_iter().map(|(x, y)| if x >= 4 { (20 - y, x) } else { (x, y) }));
    assert_eq!(found.parts.len(), 2);
    let (theta, x, y) = in_cells(&found.parts[1], 1.0);
    assert!((theta - 270.0).abs() < 1e-9 && x.abs() < 1e-9 && (y - 20.0).abs() < 1e-9, "{theta} {x} {y}");
}

const BORDER: usize = 12;
const SIDE: (usize, usize) = (61 + 2 * BORDER, 41 + 2 * BORDER);

/// Walls of the building of 07-E9 as (column, text row), border not counted.
fn building() -> Vec<(i64, i64)> {
    let is_wall = |&(x, y): &(i64, i64)| {
        let outer = y == 0 || y == 40 || x == 0 || x == 60;
        let wall = y == 15 || y == 25 || (x == 30 && y <= 15) || ((x == 20 || x == 42) && y >= 25);
        let doors = [(15, 12), (15, 45), (25, 10), (25, 30), (25, 50)];
        (outer || wall) && !doors.iter().any(|&(row, first)| y == row && (first..first + 5).contains(&x))
    };
    (0..41).flat_map(|y| (0..61).map(move |x| (x, y))).filter(is_wall).collect()
}

/// A grid of 0.1 m with walls at (column, text row).
fn grid_of(walls: impl IntoIterator<Item = (i64, i64)>) -> Grid {
    let border = BORDER as i64;
    let place = |(x, y): (i64, i64)| ((x + border) as usize, (40 + border - y) as usize);
    walls_at(SIDE, 0.1, walls.into_iter().map(place))
}

/// Cells of each part, and its motion as degrees, columns and text rows about the middle of the building.
fn e9(map: impl IntoIterator<Item = (i64, i64)>) -> Vec<(usize, f64, f64, f64)> {
    let found = piecewise(&grid_of(building()), &grid_of(map), &Piecewise::default()).unwrap();
    let middle = model::Point2::new(4.25, 3.25);
    let part = |part: &Part| {
        let moved = part.truth_from_part * middle;
        let turn = part.truth_from_part.theta_rad.to_degrees();
        (part.cells.len(), turn, (moved.x_m - middle.x_m) / 0.1, (middle.y_m - moved.y_m) / 0.1)
    };
    found.parts.iter().map(part).collect()
}

#[track_caller]
fn assert_parts(found: &[(usize, f64, f64, f64)], expected: &[(usize, f64, f64, f64)]) {
    let sizes = |parts: &[(usize, f64, f64, f64)]| parts.iter().map(|part| part.0).collect::<Vec<_>>();
    assert_eq!(sizes(found), sizes(expected), "{found:?}");
    for (f, e) in found.iter().zip(expected) {
        assert!(
            (f.1 - e.1).abs() <= 1.5 && (f.2 - e.2).abs() <= 1.0 && (f.3 - e.3).abs() <= 1.0,
            "{found:?}"
        );
    }
}

#[test]
fn e9_intact_maps_are_one_part() {
    assert_parts(&e9(building()), &[(335, 0.0, 0.0, 0.0)]);
    let shifted = building().into_iter().map(|(x, y)| (x - 3, y + 4));
    assert_parts(&e9(shifted), &[(335, 0.0, 3.0, -4.0)]);
}

#[test]
fn e9_a_slipped_half_is_a_second_part() {
    for slip in [4, 5, 8] {
        let map = building().into_iter().map(|(x, y)| if x > 31 { (x, y + slip) } else { (x, y) });
        assert_parts(&e9(map), &[(181, 0.0, 0.0, 0.0), (141, 0.0, 0.0, -slip as f64)]);
    }
}

#[test]
fn e9_a_turned_half_is_a_second_part() {
    let (sin, cos) = 15_f64.to_radians().sin_cos();
    let turned = |(x, y): (i64, i64)| {
        let (dx, dy) = ((x - 31) as f64, (y - 20) as f64);
        ((31.0 + cos * dx - sin * dy).round() as i64, (20.0 + sin * dx + cos * dy).round() as i64)
    };
    let found = e9(building().into_iter().map(|(x, y)| if x > 31 { turned((x, y)) } else { (x, y) }));
    let sizes: Vec<usize> = found.iter().map(|part| part.0).collect();
    assert_eq!(sizes, [199, 123], "{found:?}");
    assert!((found[1].1.abs() - 14.67).abs() <= 1.5, "{found:?}");
}

#[test]
fn e9_three_parts() {
    let map = building().into_iter().map(|(x, y)| match x {
        21..=42 => (x, y + 5),
        43.. => (x, y - 6),
        _ => (x, y),
    });
    let mut found = e9(map);
    found.sort_by(|a, b| a.3.total_cmp(&b.3).reverse());
    let sizes: Vec<usize> = found.iter().map(|part| part.0).collect();
    assert_eq!(sizes, [97, 122, 92], "{found:?}");
    let turns = [0.0, 0.0, -1.2].map(f64::abs);
    for ((part, turn), down) in found.iter().zip(turns).zip([6.0, 0.0, -5.0]) {
        assert!(part.1.abs() <= turn && part.2.abs() <= 0.25 && (part.3 - down).abs() <= 0.25, "{found:?}");
    }
}

#[test]
fn e9_noise_does_not_break_a_map() {
    let mut random = Random(2009);
    let cells = SIDE.0 * SIDE.1;
    let noise = (0..cells / 100).map(|_| {
        let (x, y) = (random.below(SIDE.0) as i64, random.below(SIDE.1) as i64);
        (x - BORDER as i64, y - BORDER as i64)
    });
    let map: Vec<_> = building().into_iter().chain(noise).collect();
    assert_eq!(e9(map).len(), 1);
}

#[test]
fn maps_without_walls_have_no_parts() {
    let (some, none) = (walls_at((3, 3), 1.0, [(1, 1)]), walls_at((3, 3), 1.0, []));
    assert!(piecewise(&some, &none, &Piecewise::default()).is_none());
    assert!(piecewise(&none, &some, &Piecewise::default()).is_none());
}

#[test]
fn a_hall_of_columns_against_itself_is_intact_however_small_each_is() {
    let columns =
        (0..18_usize).flat_map(|row| (0..18_usize).map(move |column| (20 + 14 * column, 20 + 14 * row)));
    let cells = columns.flat_map(|(x, y)| (0..9).map(move |cell| (x + cell % 3, y + cell / 3)));
    let border = (0..280_usize).flat_map(|at| [(at, 2), (at, 277), (2, at), (277, at)]);
    let hall = walls_at((280, 280), 0.05, cells.chain(border));
    let parts = piecewise(&hall, &hall, &Piecewise::default()).unwrap();
    assert_eq!((parts.parts.len(), parts.largest_share()), (1, 1.0));
    assert_eq!(parts.parts[0].mean_distance_cells, 0.0);
}

/// The right half lies 0.5 m lower. Tiles of the truth that lie in one half with all that they are registered by have its motion.
#[test]
fn tiles_have_the_motion_of_their_half() {
    let map = building().into_iter().map(|(x, y)| if x > 31 { (x, y + 5) } else { (x, y) });
    let (truth, map) = (grid_of(building()), grid_of(map));
    let starts = [Pose2::IDENTITY, Pose2::new(0.0, -0.5, 0.0)];
    let found = local_motions(&truth, &map, &starts, &Tiles::default()).unwrap();
    let down_m = |tile: &TileMotion| tile.middle.y_m - (tile.map_from_truth * tile.middle).y_m;
    // The slip lies at 4.35 m; tiles of 2 m are registered by walls up to 1 m around them.
    let (left, right): (Vec<_>, Vec<_>) = found.tiles.iter().partition(|tile| tile.middle.x_m < 4.0);
    assert!(left.iter().all(|tile| down_m(tile).abs() <= 0.06), "{left:?}");
    let right: Vec<_> = right.into_iter().filter(|tile| tile.middle.x_m > 6.0).collect();
    assert!(!right.is_empty() && right.iter().all(|tile| (down_m(tile) - 0.5).abs() <= 0.06), "{right:?}");
    let cells: usize = found.tiles.iter().map(|tile| tile.found.len()).sum();
    assert!(cells * 10 >= found.walls * 9, "{cells} of {}", found.walls);
}

#[test]
fn an_equal_map_has_every_wall_in_its_place() {
    let found =
        local_motions(&grid_of(building()), &grid_of(building()), &[Pose2::IDENTITY], &Tiles::default());
    let found = found.unwrap();
    let cells: usize = found.tiles.iter().map(|tile| tile.found.len()).sum();
    assert!(cells * 100 >= found.walls * 95, "{cells} of {}", found.walls);
    let is_still =
        |Pose2 { x_m, y_m, theta_rad }: Pose2| x_m.abs().max(y_m.abs()).max(theta_rad.abs()) < 1e-9;
    assert!(found.tiles.iter().all(|tile| is_still(tile.map_from_truth)));
    let open = walls_at((3, 3), 1.0, []);
    assert!(local_motions(&open, &open, &[Pose2::IDENTITY], &Tiles::default()).is_none());
}

/// The building of 07-E9 in cells of 0.05 m, its walls so many cells thick; what lies right of column 31 is moved down by so many
/// cells.
fn thick_building(thickness: i64, slip: i64) -> Grid {
    let thick = |(x, y): (i64, i64)| {
        let down = if x > 31 { slip } else { 0 };
        let of_cell = move |dx| (0..thickness).map(move |dy| (2 * x + dx + 24, 104 - (2 * y + dy + down)));
        (0..thickness).flat_map(of_cell)
    };
    let cells = building().into_iter().flat_map(thick);
    walls_at((170, 130), 0.05, cells.map(|(column, row)| (column as usize, row as usize)))
}

#[test]
fn a_small_turn_is_no_motion_of_both_sides_of_a_slip() {
    let truth = thick_building(2, 0);
    let parts = |slip| piecewise(&truth, &thick_building(2, slip), &Piecewise::default()).unwrap().parts;
    assert_eq!(parts(0).len(), 1);
    // Turned by 2.9 degrees, the walls of both sides would lie within τ of those of the truth.
    let torn = parts(5);
    assert_eq!(torn.len(), 2);
    let mut moved_m: Vec<f64> = torn.iter().map(|part| part.truth_from_part.y_m).collect();
    moved_m.sort_by(f64::total_cmp);
    assert!(moved_m[0].abs() < 0.05 && (moved_m[1] - 0.25).abs() < 0.05, "{moved_m:?}");
}

#[test]
fn a_slip_of_twice_tau_is_not_explained_by_the_other_side() {
    // Walls of one cell: four cells off, those across the slip lie τ + 2 from the truth's under the other motion.
    let parts = |slip| piecewise(&thick_building(1, 0), &thick_building(1, slip), &Piecewise::default());
    assert_eq!(parts(0).unwrap().parts.len(), 1);
    assert_eq!(parts(4).unwrap().parts.len(), 2);
}

#[test]
fn slips_add_up_beyond_the_reach() {
    // 1.5 m and then 3 m down, of which a search from the map's place reaches 2 m.
    const WIDE: i64 = 40;
    let drawn = |slip: i64| {
        let place = |(x, y): (i64, i64)| {
            let down = match x {
                21..=42 => slip,
                43.. => 2 * slip,
                _ => 0,
            };
            ((x + WIDE) as usize, (40 + WIDE - y - down) as usize)
        };
        walls_at((61 + 2 * WIDE as usize, 41 + 2 * WIDE as usize), 0.1, building().into_iter().map(place))
    };
    let found = piecewise(&drawn(0), &drawn(15), &Piecewise::default()).unwrap();
    let mut up_m: Vec<f64> = found.parts.iter().map(|part| part.truth_from_part.y_m).collect();
    up_m.sort_by(f64::total_cmp);
    assert_eq!(up_m.len(), 3, "{up_m:?}");
    assert!(up_m.iter().zip([0.0, 1.5, 3.0]).all(|(up, expected)| (up - expected).abs() < 0.3), "{up_m:?}");
}
