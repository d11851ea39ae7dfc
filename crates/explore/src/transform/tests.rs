use model::SeededRng;
use proptest::prelude::*;
use testkit::grid;

use super::*;
use crate::{Discomfort, NeighboursOfUnknown, Path, Sides, Units, find_frontiers};

struct Solved {
    terrain: Terrain,
    transform: Transform,
    safe: usize,
}

fn params(alpha: f64, d_min_m: f64, d_opt_m: f64) -> Discomfort {
    Discomfort { alpha, d_min_m, d_opt_m, ..Discomfort::default() }
}

fn solved(rows: &[&str], params: &Discomfort) -> Solved {
    let map = grid(rows);
    let terrain = Terrain::of(map.geometry(), map.classes(), params).unwrap();
    let frontiers = find_frontiers(map.classes(), &terrain, NeighboursOfUnknown::Four, 1);
    let transform = Transform::to_goals(&terrain, &frontiers.safe, None);
    Solved { terrain, transform, safe: frontiers.safe.len() }
}

impl Solved {
    /// Φ at (row, column).
    fn phi(&self, row: usize, column: usize) -> Option<f64> {
        self.transform.phi(row * self.terrain.width() + column)
    }

    fn path(&self, row: usize, column: usize) -> Option<Path> {
        Path::from(row * self.terrain.width() + column, &self.transform, &self.terrain)
    }
}

fn close(found: f64, expected: f64) -> bool {
    (found - expected).abs() < 1e-6
}

/// 10-E1.
const E1: [&str; 6] = ["#########", "#.....??#", "#.###.??#", "#.#.....#", "#.......#", "#########"];

#[test]
fn n_et_e1_lengths_and_the_path_with_its_ties() {
    let solved = solved(&E1, &params(0.0, 0.0, 0.0));
    for ((row, column), phi) in [((4, 1), 5.414214), ((1, 1), 4.0), ((3, 1), 6.0), ((3, 3), 3.0)] {
        assert!(close(solved.phi(row, column).unwrap(), phi), "({row}, {column})");
    }
    let path = solved.path(4, 1).unwrap();
    let places: Vec<_> = path.cells.iter().map(|&cell| (cell / 9, cell % 9)).collect();
    assert_eq!(places, [(4, 1), (4, 2), (4, 3), (3, 4), (3, 5), (2, 5)]);
    assert_eq!(path.points[0], model::Point2::new(1.5, 1.5), "the lower left corner is the origin");
}

/// 10-E3.
const E3: [&str; 10] = [
    "#############",
    "#...........#",
    "#...........#",
    "#...........#",
    "#...........#",
    "#####...#####",
    "#...........#",
    "#...........?",
    "#...........#",
    "#############",
];

#[test]
fn n_et_e3_short_against_safe() {
    let short = solved(&E3, &params(0.0, 1.0, 2.0));
    assert!(close(short.phi(1, 1).unwrap(), 12.485281));
    let both = solved(&E3, &params(0.5, 1.0, 2.0));
    let path = both.path(1, 1).unwrap();
    assert!((both.phi(1, 1).unwrap() - 13.5).abs() < 1e-4, "{:?}", both.phi(1, 1));
    assert!(close(path.length_m, 12.485281) && (path.summed_danger - 2.0294).abs() < 1e-4);
    assert!((path.smallest_clearance_m.unwrap() - 1.0_f64.hypot(1.0)).abs() < 1e-9);
    let safe = solved(&E3, &params(5.0, 1.0, 2.0));
    let path = safe.path(1, 1).unwrap();
    assert!(close(safe.phi(1, 1).unwrap(), 21.208504));
    assert!(close(path.length_m, 13.656854) && (path.summed_danger - 1.5103).abs() < 1e-4);
    assert_eq!(path.smallest_clearance_m, Some(2.0));
    let in_door = path.cells.iter().find(|&&cell| cell / 13 == 5).unwrap();
    assert_eq!(in_door % 13, 6, "through the middle of the door");
}

#[test]
fn n_et_e3_an_unsafe_frontier_is_no_goal() {
    let solved = solved(&E3, &params(0.0, 2.0, 2.0));
    assert_eq!((solved.safe, solved.phi(2, 2)), (0, None));
    assert_eq!(solved.path(2, 2), None);
}

#[test]
fn n_et_e4_the_door_closes_when_the_robot_grows() {
    let (wall, upper, door, lower) = ("#############", "#...........#", "#####...#####", "#...........?");
    let rows = [wall, upper, upper, upper, upper, upper, door, lower, lower, lower, lower, lower, wall];
    let with = |d_min_m: f64| solved(&rows, &params(0.0, d_min_m, 0.0));
    assert_eq!([with(1.0).safe, with(2.0).safe, with(2.1).safe], [5, 3, 1]);
    assert!(close(with(1.0).phi(2, 2).unwrap(), 11.071068));
    assert!(close(with(2.0).phi(2, 2).unwrap(), 12.656854));
    assert_eq!(with(2.1).phi(2, 2), None);
}

#[test]
fn n_et_e5_a_closed_room_has_no_values() {
    let solved = solved(&["####", "#..#", "####"], &params(0.1, 0.0, 1.0));
    assert_eq!((solved.phi(1, 1), solved.phi(1, 2)), (None, None));
}

#[test]
fn a_sum_per_metre_hardly_changes_with_the_cells() {
    let cost = |factor: usize| {
        let rows: Vec<String> = E3
            .iter()
            .flat_map(|row| {
                let wide: String = row.chars().flat_map(|cell| std::iter::repeat_n(cell, factor)).collect();
                std::iter::repeat_n(wide, factor)
            })
            .collect();
        let map = testkit::grid_at(&rows, 1.0 / factor as f64, model::Pose2::IDENTITY);
        let params = Discomfort {
            units: Units::Metres,
            weighting: Weighting::PerMetre,
            sides: Sides::Near,
            ..params(1.0, 0.4, 2.0)
        };
        let terrain = Terrain::of(map.geometry(), map.classes(), &params).unwrap();
        let frontiers = find_frontiers(map.classes(), &terrain, NeighboursOfUnknown::Four, 1);
        let transform = Transform::to_goals(&terrain, &frontiers.safe, None);
        let start = (factor + factor / 2) * map.geometry().width() + factor + factor / 2;
        transform.phi(start).unwrap()
    };
    let (coarse, fine, finer) = (cost(3), cost(5), cost(9));
    assert!(
        (fine - finer).abs() < 0.1 * finer && (coarse - finer).abs() < 0.2 * finer,
        "{coarse} {fine} {finer}"
    );
}

/// A random map: its rows, and whether a cell is free for two in three.
fn random_rows(random: &mut SeededRng, width: usize, height: usize) -> Vec<String> {
    let letter = |draw: usize| ['#', '#', '?', '.', '.', '.', '.', '.', '.'][draw];
    (0..height).map(|_| (0..width).map(|_| letter(random.below(9))).collect()).collect()
}

#[test]
fn there_are_no_local_minima_on_a_thousand_random_grids() {
    let mut random = SeededRng::new(7);
    for round in 0..1000 {
        let (width, height) = (3 + random.below(20), 3 + random.below(20));
        let rows = random_rows(&mut random, width, height);
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let alpha = [0.0, 0.1, 1.0, 50.0][round % 4];
        let solved = solved(&rows, &params(alpha, 1.0, 1.5));
        for cell in 0..width * height {
            let Some(phi) = solved.transform.phi(cell) else { continue };
            if solved.transform.is_goal(cell) {
                continue;
            }
            let next = solved.transform.next(&solved.terrain, cell).expect("a next cell");
            assert!(solved.transform.phi(next).unwrap() < phi, "round {round}, cell {cell}");
            let path = Path::from(cell, &solved.transform, &solved.terrain).unwrap();
            assert!(solved.transform.is_goal(path.target()));
            let cost = path.steps.length_cells() + alpha * path.summed_danger;
            assert!(
                (cost - phi).abs() < 1e-9 * (1.0 + phi),
                "round {round}: the path costs {cost}, Φ is {phi}"
            );
        }
    }
}

/// Zelinsky's path transform by relaxing all cells until nothing changes.
fn path_transform(terrain: &Terrain, target: usize) -> Vec<f64> {
    let (width, height) = (terrain.width(), terrain.height());
    let alpha = terrain.params().alpha;
    let mut phi = vec![f64::INFINITY; width * height];
    phi[target] = alpha * terrain.danger(target);
    loop {
        let mut has_changed = false;
        for cell in (0..width * height).filter(|&cell| cell != target && terrain.is_safe(cell)) {
            let (x, y) = (cell % width, cell / width);
            for (dx, dy) in NEIGHBOURS {
                let (to_x, to_y) = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
                if to_x >= width || to_y >= height {
                    continue;
                }
                let sides_free = terrain.is_free(y * width + to_x) && terrain.is_free(to_y * width + x);
                if dx != 0 && dy != 0 && !sides_free {
                    continue;
                }
                let step = if dx != 0 && dy != 0 { SQRT_2 } else { 1.0 };
                let through = alpha * terrain.danger(cell) + step + phi[to_y * width + to_x];
                if through < phi[cell] - 1e-12 {
                    phi[cell] = through;
                    has_changed = true;
                }
            }
        }
        if !has_changed {
            return phi;
        }
    }
}

proptest! {
    #[test]
    fn with_one_target_it_is_the_path_transform(seed in 0_u64..1 << 40, alpha in 0.0_f64..3.0, far in prop::bool::ANY) {
        let mut random = SeededRng::new(seed | 1);
        let rows = random_rows(&mut random, 14, 11);
        let map = grid(&rows);
        let alpha = if far { alpha * 1e6 } else { alpha };
        let terrain = Terrain::of(map.geometry(), map.classes(), &params(alpha, 1.0, 2.0)).unwrap();
        let Some(target) = (0..14 * 11).find(|&cell| terrain.is_safe(cell)) else { return Ok(()) };
        let transform = Transform::to_goals(&terrain, &[target as u32], None);
        for (cell, &expected) in path_transform(&terrain, target).iter().enumerate() {
            let found = transform.phi(cell).unwrap_or(f64::INFINITY);
            prop_assert!(found == expected || (found - expected).abs() <= 1e-9 * (1.0 + expected), "{found} {expected}");
            let until = Transform::to_goals(&terrain, &[target as u32], Some(cell)).phi(cell);
            prop_assert_eq!(until, transform.phi(cell), "settled early");
        }
    }
}
