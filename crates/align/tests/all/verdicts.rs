//! The verdict of the correlative search on maps whose right answer anyone can see.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use mapjudge_align::{Aligner, Alignment, Allowance, Correlative, Mirror, Verdict, worst_corner_m};
use model::{CellClass, Grid, GridGeometry, Point2, Pose2, Similarity2};
use raster::resample::{Resample, resample};

/// A canvas of free cells on which walls are drawn; unknown outside of it.
struct Drawing {
    width: usize,
    height: usize,
    classes: Vec<CellClass>,
}

impl Drawing {
    fn new(width: usize, height: usize, class: CellClass) -> Self {
        Self { width, height, classes: vec![class; width * height] }
    }

    fn fill(
        mut self,
        columns: std::ops::Range<usize>,
        rows: std::ops::Range<usize>,
        class: CellClass,
    ) -> Self {
        for row in rows {
            self.classes[row * self.width + columns.start..row * self.width + columns.end].fill(class);
        }
        self
    }

    fn wall(self, columns: std::ops::Range<usize>, rows: std::ops::Range<usize>) -> Self {
        self.fill(columns, rows, CellClass::Occupied)
    }

    /// A room of free cells inside four walls two cells thick.
    fn room(self, columns: std::ops::Range<usize>, rows: std::ops::Range<usize>) -> Self {
        let inside = (columns.start + 2..columns.end - 2, rows.start + 2..rows.end - 2);
        self.wall(columns, rows).fill(inside.0, inside.1, CellClass::Free)
    }

    fn grid(self, cell_size_m: f64) -> Grid {
        let geometry = GridGeometry::new(self.width, self.height, cell_size_m, Pose2::IDENTITY).unwrap();
        Grid::new(geometry, self.classes).unwrap()
    }
}

const UNKNOWN: CellClass = CellClass::Unknown;

/// Four rooms of different sizes, a door and a pillar: nothing about it is symmetric.
pub(crate) fn house() -> Grid {
    Drawing::new(160, 120, UNKNOWN)
        .room(10..70, 10..60)
        .room(68..150, 10..45)
        .room(10..50, 58..110)
        .room(48..120, 58..95)
        .fill(66..72, 20..30, CellClass::Free)
        .fill(20..30, 56..62, CellClass::Free)
        .wall(100..106, 24..28)
        .wall(30..33, 80..90)
        .grid(0.1)
}

fn turned(map: &Grid, transform: Similarity2, cell_size_m: f64) -> Grid {
    let moved = map.clone().with_geometry(map.geometry().moved_by(transform)).unwrap();
    let reach_m = 40.0 * transform.scale;
    let side = (2.0 * reach_m / cell_size_m) as usize;
    let canvas = GridGeometry::new(side, side, cell_size_m, Pose2::new(-reach_m, -reach_m, 0.0)).unwrap();
    resample(&moved, &canvas, Resample::OccupiedWins).unwrap().grid
}

pub(crate) fn mirrored(map: &Grid) -> Grid {
    let mut classes = map.classes().to_vec();
    classes.chunks_exact_mut(map.geometry().width()).for_each(<[CellClass]>::reverse);
    Grid::new(*map.geometry(), classes).unwrap()
}

fn align(truth: &Grid, map: &Grid) -> Alignment {
    Correlative::default().align(truth, map).unwrap()
}

fn align_scales(truth: &Grid, map: &Grid, scale_min: f64, scale_max: f64) -> Alignment {
    let allowance = Allowance { scale_min, scale_max, ..Allowance::default() };
    Correlative { allowance, ..Correlative::default() }.align(truth, map).unwrap()
}

#[track_caller]
fn assert_found(alignment: &Alignment, map: &Grid, expected: Similarity2, limit_m: f64) {
    assert_eq!(alignment.certificate.verdict, Verdict::Certain, "{alignment:?}");
    let error_m = worst_corner_m(map, alignment.truth_from_map.unwrap(), expected);
    assert!(error_m < limit_m, "{error_m} m off: {alignment:?}");
}

#[test]
fn blank_maps_fail() {
    for class in [CellClass::Free, UNKNOWN] {
        let blank = Drawing::new(50, 40, class).grid(0.1);
        for (truth, map) in [(&house(), &blank), (&blank, &house()), (&blank, &blank)] {
            let found = align(truth, map);
            assert_eq!(found.certificate.verdict, Verdict::Failed);
            assert_eq!(found.truth_from_map, None);
        }
    }
}

#[test]
fn identical_maps_are_certain_and_perfect() {
    let found = align(&house(), &house());
    assert_found(&found, &house(), Similarity2::IDENTITY, 0.05);
    assert!(
        found.certificate.score.unwrap() > 0.98 && found.certificate.overlap.unwrap() > 0.95,
        "{found:?}"
    );
    assert_eq!(found.certificate.mirror, Mirror::Plain);
}

#[test]
fn any_turn_is_undone() {
    for theta_deg in [90.0_f64, 137.0] {
        let moved_from_map = Similarity2::new(3.0, -2.0, theta_deg.to_radians(), 1.0);
        let map = turned(&house(), moved_from_map, 0.1);
        let found = align(&house(), &map);
        assert_eq!(found.certificate.verdict, Verdict::Certain, "{theta_deg} degrees");
        let product = found.truth_from_map.unwrap() * moved_from_map;
        let error_m = worst_corner_m(&house(), product, Similarity2::IDENTITY);
        assert!(error_m < 0.1, "{theta_deg} degrees: {error_m} m off");
    }
}

#[test]
fn one_wall_may_slide() {
    let wall = Drawing::new(120, 60, CellClass::Free).wall(0..120, 30..32).grid(0.1);
    let piece = Drawing::new(50, 30, CellClass::Free).wall(0..50, 14..16).grid(0.1);
    let found = align(&wall, &piece);
    assert_eq!(found.certificate.verdict, Verdict::Ambiguous, "{found:?}");
    assert_eq!(found.certificate.covariance, None, "a single wall fixes no transform");
}

#[test]
fn a_square_room_has_four_answers() {
    let room = Drawing::new(100, 100, UNKNOWN).room(10..90, 10..90).grid(0.1);
    let found = align(&room, &room);
    assert_eq!(found.certificate.verdict, Verdict::Ambiguous);
    assert_eq!(found.certificate.mirror, Mirror::MirrorUndecided);
    let turns = found.hypotheses.iter().filter(|h| !h.mirrored && h.score > 0.9);
    assert_eq!(turns.count(), 4, "0, 90, 180 and 270 degrees: {:?}", found.hypotheses);
}

#[test]
fn an_endless_corridor_says_along_which_direction_it_is_open() {
    let corridor = |length: usize| {
        let walls = Drawing::new(length, 40, CellClass::Free).wall(0..length, 8..10).wall(0..length, 30..32);
        walls.grid(0.1)
    };
    let found = align(&corridor(400), &corridor(150));
    assert_eq!(found.certificate.verdict, Verdict::Ambiguous);
    let slide = found.certificate.slide.unwrap();
    assert!(slide.direction_rad.abs() < 0.01, "along x: {slide:?}");
    assert!(slide.forward_m + slide.backward_m > 5.0, "{slide:?}");
}

#[test]
fn a_mirror_image_is_called_so() {
    let found = align(&house(), &mirrored(&house()));
    assert_eq!(found.certificate.verdict, Verdict::Mirrored, "{:?}", found.certificate);
    assert_eq!(found.certificate.mirror, Mirror::Mirrored);
}

#[test]
fn resolutions_may_differ() {
    let moved_from_map = Similarity2::new(1.0, 2.0, 0.4, 1.0);
    let coarse = turned(&house(), moved_from_map, 0.25);
    let found = align(&house(), &coarse);
    assert_eq!(found.certificate.verdict, Verdict::Certain, "{:?}", found.certificate);
    let product = found.truth_from_map.unwrap() * moved_from_map;
    let error_m = worst_corner_m(&house(), product, Similarity2::IDENTITY);
    assert!(error_m < 0.3, "{error_m} m off");
}

#[test]
fn a_tenfold_scale_is_found_if_asked_for_and_never_certain_if_not() {
    let large =
        house().with_geometry(house().geometry().moved_by(Similarity2::new(0.0, 0.0, 0.0, 10.0))).unwrap();
    let unasked = align(&large, &house());
    assert_ne!(unasked.certificate.verdict, Verdict::Certain, "{:?}", unasked.certificate);
    let asked = align_scales(&large, &house(), 9.4, 10.6);
    assert_eq!(asked.certificate.verdict, Verdict::Certain, "{:?}", asked.certificate);
    assert!((asked.truth_from_map.unwrap().scale - 10.0).abs() < 0.1, "{asked:?}");
}

fn with_cells_of(map: &Grid, cell_size_m: f64) -> Grid {
    let geometry = map.geometry();
    let sized =
        GridGeometry::new(geometry.width(), geometry.height(), cell_size_m, geometry.origin()).unwrap();
    map.clone().with_geometry(sized).unwrap()
}

#[test]
fn cells_of_any_size_are_aligned_without_a_panic() {
    let sizes_m = [1e-4, 0.01, 1.0, 100.0];
    for truth_m in sizes_m {
        for map_m in sizes_m.into_iter().filter(|map_m| *map_m != truth_m) {
            let found = align(&with_cells_of(&house(), truth_m), &with_cells_of(&house(), map_m));
            assert_ne!(
                found.certificate.verdict,
                Verdict::Certain,
                "{truth_m} {map_m}: {:?}",
                found.certificate
            );
        }
    }
}

#[test]
fn a_map_of_cells_a_hundred_times_too_small_is_never_certain() {
    for cell_size_m in [0.001, 0.002] {
        let found = align(&house(), &with_cells_of(&house(), cell_size_m));
        assert_ne!(found.certificate.verdict, Verdict::Certain, "{:?}", found.certificate);
    }
}

/// One corner fits one corner of a large building; nothing contradicts it, since the maps hardly overlap.
#[test]
fn a_fit_that_rests_on_a_corner_is_not_certain() {
    let truth = Drawing::new(900, 900, CellClass::Free)
        .wall(0..900, 0..2)
        .wall(0..2, 0..900)
        .wall(20..24, 40..46)
        .grid(0.1);
    let corner = Drawing::new(60, 60, UNKNOWN)
        .fill(0..50, 0..50, CellClass::Free)
        .wall(0..50, 0..2)
        .wall(0..2, 0..50)
        .wall(20..24, 40..46)
        .grid(0.1);
    let found = align(&truth, &corner);
    assert_ne!(found.certificate.verdict, Verdict::Certain, "{:?}", found.certificate);
    assert!(found.certificate.overlap.is_none_or(|overlap| overlap < 0.02), "{:?}", found.certificate);
}

#[test]
fn the_result_does_not_depend_on_threads() {
    let truth = Drawing::new(40, 30, UNKNOWN).room(2..20, 3..25).room(18..37, 8..25).grid(0.2);
    let map = turned(&truth, Similarity2::new(0.0, 0.0, 1.0, 1.0), 0.2);
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    assert_eq!(one.install(|| align(&truth, &map)), align(&truth, &map));
}

/// A hall of equal shelves, some of its pallets, and two parts of it that share a third.
fn parts_of_a_hall() -> (Grid, Grid) {
    let hall = |columns: std::ops::Range<usize>| {
        let mut hall = Drawing::new(500, 160, CellClass::Free).wall(0..500, 0..3).wall(0..500, 157..160);
        for shelf in 0..9 {
            let left = 20 + 54 * shelf;
            hall = hall.room(left..left + 16, 24..66).room(left..left + 16, 94..136);
        }
        for (left, top, side) in
            [(90, 40, 8), (210, 100, 10), (260, 76, 6), (305, 30, 9), (420, 110, 7), (150, 140, 8)]
        {
            hall = hall.wall(left..left + side, top..top + side);
        }
        hall.fill(0..columns.start, 0..160, UNKNOWN).fill(columns.end..500, 0..160, UNKNOWN).grid(0.1)
    };
    (hall(0..300), hall(200..500))
}

#[test]
fn parts_of_a_hall_of_equal_shelves_are_not_laid_one_aisle_on() {
    let (truth, map) = parts_of_a_hall();
    let found = align(&truth, &map);
    let error_m = worst_corner_m(&map, found.truth_from_map.unwrap(), Similarity2::IDENTITY);
    assert!(error_m < 0.3 || found.certificate.verdict != Verdict::Certain, "{error_m} m off: {found:?}");
}

#[test]
fn a_map_of_another_part_is_laid_where_both_agree() {
    let part = |columns: std::ops::Range<usize>| {
        let mut classes = house().classes().to_vec();
        for row in classes.chunks_exact_mut(160) {
            row[..columns.start].fill(UNKNOWN);
            row[columns.end..].fill(UNKNOWN);
        }
        Grid::new(*house().geometry(), classes).unwrap()
    };
    for (to, from) in [(100, 40), (92, 46)] {
        let map = part(from..160);
        let found = align(&part(0..to), &map);
        let error_m = worst_corner_m(&map, found.truth_from_map.unwrap(), Similarity2::IDENTITY);
        assert!(error_m < 0.1, "{error_m} m off: {found:?}");
    }
}

/// The map with the walls to the right of a place turned about it.
fn broken_at(map: &Grid, hinge: Point2, turn_deg: f64) -> (Grid, Similarity2) {
    let geometry = map.geometry();
    let turn = Similarity2::sending(hinge, hinge, turn_deg.to_radians(), 1.0);
    let mut classes = map.classes().to_vec();
    let center = |cell: usize| geometry.center_of(geometry.cell_of(cell));
    let is_turned =
        |cell: &usize| map.classes()[*cell] == CellClass::Occupied && center(*cell).x_m > hinge.x_m;
    let walls: Vec<usize> = (0..geometry.cells()).filter(is_turned).collect();
    walls.iter().for_each(|&wall| classes[wall] = CellClass::Free);
    for cell in walls.into_iter().filter_map(|wall| geometry.cell_at(turn * center(wall))) {
        classes[geometry.index_of(cell)] = CellClass::Occupied;
    }
    (Grid::new(*geometry, classes).unwrap(), turn)
}

#[test]
fn of_a_broken_map_the_largest_part_is_found_and_it_says_so() {
    // By less, a place between both parts fits such a small house, and has no rival.
    for turn_deg in [10.0, 12.0] {
        let (map, turn) = broken_at(&house(), Point2::new(7.5, 6.0), turn_deg);
        let found = align(&house(), &map);
        assert_eq!(found.certificate.verdict, Verdict::Certain, "{turn_deg} degrees: {found:?}");
        assert!(found.certificate.is_largest_part, "{turn_deg} degrees");
        let off_m = |expected| worst_corner_m(&map, found.truth_from_map.unwrap(), expected);
        let off_m = off_m(Similarity2::IDENTITY).min(off_m(turn.inverse()));
        assert!(off_m < 0.4, "{turn_deg} degrees: {off_m} m off: {found:?}");
    }
    assert!(!align(&house(), &house()).certificate.is_largest_part);
}
