//! Worked examples 06-E8 and 06-E10: cells of 0.05 m, radius 0.3 m, centre (1, 1) m.

use std::f64::consts::TAU;

use proptest::prelude::*;

use super::hough::{ArcSearch, arcs};
use super::outlines::{MIN_QUALITY, OutlineSearch, outlines};
use super::part::PartFitter;
use super::{Arc, Circle, SearchError};

const SIDE: usize = 40;
const CELL_M: f64 = 0.05;
const OCCUPIED: u8 = 2;

/// An image of free cells; places in metres, y up.
struct Image(Vec<u8>);

impl Image {
    fn new() -> Self {
        Self(vec![0; SIDE * SIDE])
    }

    fn dot(&mut self, x_m: f64, y_m: f64) {
        let (column, up) = ((x_m / CELL_M) as usize, (y_m / CELL_M) as usize);
        self.0[(SIDE - 1 - up) * SIDE + column] = OCCUPIED;
    }

    fn arc(mut self, [x_m, y_m]: [f64; 2], from_deg: f64, opening_deg: f64) -> Self {
        for step in 0..=2000 {
            let angle = (from_deg + opening_deg * f64::from(step) / 2000.0).to_radians();
            self.dot(x_m + 0.3 * angle.cos(), y_m + 0.3 * angle.sin());
        }
        self
    }

    /// A filled rectangle of cells.
    fn block(mut self, columns: std::ops::Range<usize>, rows: std::ops::Range<usize>) -> Self {
        for row in rows {
            self.0[row * SIDE..][columns.clone()].fill(OCCUPIED);
        }
        self
    }

    fn hough(&self, min_opening_deg: f64) -> Vec<Circle> {
        let min_opening_rad = min_opening_deg.to_radians();
        let search = ArcSearch { radius_cells: 6.0, min_opening_rad, max_detections: 40 };
        arcs(&self.0, OCCUPIED, SIDE, &search).unwrap()
    }

    fn outlines(&self) -> Vec<Circle> {
        outlines(&self.0, OCCUPIED, SIDE, &OutlineSearch::of_radius(6.0)).unwrap()
    }
}

fn center_m(circle: &Circle) -> [f64; 2] {
    [circle.x_cells * CELL_M, (SIDE as f64 - circle.y_cells) * CELL_M]
}

fn away_m(circle: &Circle, [x_m, y_m]: [f64; 2]) -> f64 {
    let [x, y] = center_m(circle);
    (x - x_m).hypot(y - y_m)
}

fn opening_deg(circle: &Circle) -> f64 {
    circle.main_arc().opening_rad.to_degrees()
}

#[test]
fn e8_arcs_from_130_degrees_are_found_by_the_transform() {
    assert_eq!(Image::new().arc([1.0, 1.0], 0.0, 100.0).hough(120.0), []);
    for opening in [130.0, 180.0, 270.0, 360.0] {
        let found = Image::new().arc([1.0, 1.0], 0.0, opening).hough(120.0);
        let best = &found[0];
        assert!(away_m(best, [1.0, 1.0]) <= 0.05, "{opening}: {best:?}");
        assert!((opening_deg(best) - opening).abs() <= 15.0, "{opening}: {best:?}");
    }
}

#[test]
fn e8_a_straight_wall_is_no_arc_even_of_60_degrees() {
    assert_eq!(Image::new().block(2..38, 20..21).hough(60.0), []);
}

fn merged_halves() -> Image {
    let (upper, lower) = ([1.0, 1.05], [1.0, 0.999]);
    Image::new().block(0..SIDE, 19..20).arc(upper, 0.0, 180.0).arc(lower, 180.0, 180.0)
}

#[test]
fn e8_two_halves_behind_a_thin_wall_merge_into_one_circle() {
    let found = merged_halves().hough(120.0);
    assert!(away_m(&found[0], [1.0, 1.01]) <= 0.05, "{:?}", found[0]);
}

#[test]
fn e8_each_half_is_fitted_from_its_own_arc() {
    let image = merged_halves();
    let fitter = PartFitter::new(&image.0, OCCUPIED, SIDE, 6.0).unwrap();
    let (x, y) = (1.0 / CELL_M, SIDE as f64 - 1.02 / CELL_M);
    for (start_rad, y_m) in [(0.0, 1.048), (TAU / 2.0, 0.998)] {
        let fit = fitter.fit(x, y, Arc { start_rad, opening_rad: TAU / 2.0 }).unwrap();
        let [found_x_m, found_y_m] = [fit.x_cells * CELL_M, (SIDE as f64 - fit.y_cells) * CELL_M];
        assert!(
            (found_x_m - 1.0).abs() <= 0.01 && (found_y_m - y_m).abs() <= 0.01,
            "{found_x_m} {found_y_m}"
        );
    }
}

/// Shares of arcs of an opening that a part of `part_deg` shows, centred in it, over many places of the cells.
fn visible_shares(part_deg: f64, drawn_deg: f64) -> Vec<f64> {
    let one = |step: u32| {
        let (x_m, y_m) = (1.0 + 0.0071 * f64::from(step), 1.0 + 0.0113 * f64::from(step));
        let start_deg = 17.0 * f64::from(step);
        let image = Image::new().arc([x_m, y_m], start_deg + (part_deg - drawn_deg) / 2.0, drawn_deg);
        let fitter = PartFitter::new(&image.0, OCCUPIED, SIDE, 6.0).unwrap();
        let arc = Arc { start_rad: start_deg.to_radians(), opening_rad: part_deg.to_radians() };
        let (x, y) = (x_m / 0.05, SIDE as f64 - y_m / 0.05);
        fitter.fit(x, y, arc).map_or(0.0, |fit| fit.visible)
    };
    (0..20).map(one).collect()
}

#[test]
fn two_thirds_of_an_arc_are_measured_to_one_cell_over_the_radius() {
    // One cell over the radius is 9.5 degrees at six cells.
    for (part_deg, too_short_deg, long_enough_deg) in
        [(180.0, 110.0, 130.0), (270.0, 170.0, 191.0), (360.0, 228.0, 252.0)]
    {
        let short = visible_shares(part_deg, too_short_deg);
        assert!(short.iter().all(|share| *share < 2.0 / 3.0), "{too_short_deg} of {part_deg}: {short:?}");
        let long = visible_shares(part_deg, long_enough_deg);
        assert!(long.iter().all(|share| *share >= 2.0 / 3.0), "{long_enough_deg} of {part_deg}: {long:?}");
    }
}

#[test]
fn walls_that_join_a_part_do_not_make_its_arc_longer() {
    // 110 degrees of a half, and the wall that it stands on.
    let mut image = Image::new().arc([1.0, 1.0], 35.0, 110.0);
    for column in 0..40 {
        let x_m = 0.0251 + 0.05 * f64::from(column);
        if (x_m - 1.0).abs() > 0.27 {
            image.dot(x_m, 0.99);
        }
    }
    let fitter = PartFitter::new(&image.0, OCCUPIED, SIDE, 6.0).unwrap();
    let fit = fitter.fit(20.0, SIDE as f64 - 20.0, Arc { start_rad: 0.0, opening_rad: std::f64::consts::PI });
    assert!(fit.is_none_or(|fit| fit.visible < 2.0 / 3.0), "{fit:?}");
}

#[test]
fn e10_half_and_more_of_a_circle_is_a_barrel() {
    for opening in [100.0, 130.0] {
        assert_eq!(Image::new().arc([1.0, 1.0], 0.0, opening).outlines(), [], "{opening}");
    }
    for (opening, quality) in [(180.0, 0.9), (270.0, 1.8), (360.0, 2.5)] {
        let found = Image::new().arc([1.0, 1.0], 0.0, opening).outlines();
        let [barrel] = &found[..] else { panic!("{opening}: {found:?}") };
        assert!(away_m(barrel, [1.0, 1.0]) <= 0.02, "{opening}: {barrel:?}");
        assert!((opening_deg(barrel) - opening).abs() <= 15.0, "{opening}: {barrel:?}");
        assert!((barrel.quality - quality).abs() <= 0.2, "{opening}: {barrel:?}");
    }
}

#[test]
fn e10_walls_and_corners_are_no_barrels() {
    let wall = Image::new().block(2..38, 20..21);
    assert_eq!(wall.outlines(), []);
    let corner = Image::new().block(12..38, 12..14).block(12..14, 12..38);
    assert_eq!(corner.outlines(), []);
}

#[test]
fn e10_the_box_that_passed_the_first_rule_is_no_barrel() {
    let filled = Image::new().block(14..27, 14..27);
    let mut hollow = filled;
    for row in 16..25 {
        hollow.0[row * SIDE + 16..row * SIDE + 25].fill(0);
    }
    assert_eq!(hollow.outlines(), []);
}

#[test]
fn radii_without_sense_are_refused() {
    for radius in [1.9, 0.0, -3.0, f64::NAN, f64::INFINITY, 1001.0] {
        let error = outlines(&[0], OCCUPIED, 1, &OutlineSearch::of_radius(radius)).unwrap_err();
        assert!(matches!(error, SearchError::Radius(_)), "{error}");
    }
    let search = OutlineSearch { min_radius_cells: 9.0, max_radius_cells: 6.0, min_quality: MIN_QUALITY };
    assert_eq!(outlines(&[0], OCCUPIED, 1, &search), Err(SearchError::Range(9.0, 6.0)));
}

/// A ring of a thick pen: cells whose distance from an ellipse is at most half of the thickness, about.
fn drawn(side: usize, radii: [f64; 2], thickness: f64) -> Vec<u8> {
    let middle = side as f64 / 2.0;
    let cell = |index: usize| {
        let (x, y) = ((index % side) as f64 + 0.5 - middle, (index / side) as f64 + 0.5 - middle);
        let radius = x.hypot(y) / (x / radii[0]).hypot(y / radii[1]);
        u8::from((x.hypot(y) - radius).abs() <= thickness / 2.0) * OCCUPIED
    };
    (0..side * side).map(cell).collect()
}

#[test]
fn a_circle_of_a_thick_pen_is_found_in_the_shrunk_plane() {
    let plane = drawn(64, [20.0, 20.0], 5.0);
    let found = outlines(&plane, OCCUPIED, 64, &OutlineSearch::of_radius(20.0)).unwrap();
    let [barrel] = &found[..] else { panic!("{found:?}") };
    let away = (barrel.x_cells - 32.0).hypot(barrel.y_cells - 32.0);
    assert!(away <= 1.0 && (barrel.radius_cells - 20.0).abs() <= 1.0, "{barrel:?}");
}

#[test]
fn what_is_longer_than_wide_is_a_letter() {
    for radii in [[5.0, 7.0], [8.5, 11.5], [17.0, 23.0]] {
        let plane = drawn(64, radii, 1.5);
        let radius = (radii[0] + radii[1]) / 2.0;
        assert_eq!(
            outlines(&plane, OCCUPIED, 64, &OutlineSearch::of_radius(radius)).unwrap(),
            [],
            "{radii:?}"
        );
    }
}

/// Half a circle of radius 16 to the right of a line that goes on above and below it by so many cells.
fn half_on_a_line(beyond: f64) -> Vec<u8> {
    let cell = |index: usize| {
        let (x, y) = ((index % 80) as f64 - 32.0, (index / 80) as f64 - 40.0);
        let is_line = x == 0.0 && y.abs() <= 16.0 + beyond;
        u8::from(is_line || (x > 0.0 && (x.hypot(y) - 16.0).abs() <= 0.75)) * OCCUPIED
    };
    (0..80 * 80).map(cell).collect()
}

#[test]
fn half_a_barrel_stands_at_a_wall_and_the_bow_of_a_letter_at_its_stem() {
    let found = |beyond: f64| {
        outlines(&half_on_a_line(beyond), OCCUPIED, 80, &OutlineSearch::of_radius(16.0)).unwrap()
    };
    // 0.4 radii are 6.4 cells.
    assert_eq!(found(3.0), [], "a stem");
    let walled = found(12.0);
    let [barrel] = &walled[..] else { panic!("{walled:?}") };
    let away = (barrel.x_cells - 32.5).hypot(barrel.y_cells - 40.5);
    assert!(away <= 1.0 && (barrel.radius_cells - 16.0).abs() <= 1.0, "{barrel:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_plane_is_searched_without_a_panic(
        width in 1_usize..30,
        cells in prop::collection::vec(prop_oneof![2 => Just(0_u8), 1 => Just(2), 1 => Just(1)], 0..600),
        radius in 2.0..9.0_f64,
        spread in 0.0..6.0_f64,
    ) {
        let plane = &cells[..cells.len() / width * width];
        let range = OutlineSearch { min_radius_cells: radius, max_radius_cells: radius + spread, min_quality: 0.0 };
        for circle in outlines(plane, OCCUPIED, width, &range).unwrap() {
            prop_assert!(circle.quality >= 0.0 && circle.quality <= 2.5 && !circle.arcs.is_empty());
        }
        let search = ArcSearch { radius_cells: radius, min_opening_rad: 1.0, max_detections: 40 };
        for circle in arcs(plane, OCCUPIED, width, &search).unwrap() {
            prop_assert!(circle.main_arc().opening_rad >= 1.0 && circle.rms_cells.is_finite());
        }
    }

    #[test]
    fn a_half_turn_of_the_map_turns_the_barrels(x_m in 0.7..1.3_f64, y_m in 0.7..1.3_f64) {
        let image = Image::new().arc([x_m, y_m], 0.0, 360.0);
        let turned = Image(image.0.iter().rev().copied().collect());
        let (there, back) = (image.outlines(), turned.outlines());
        prop_assert_eq!(there.len(), 1);
        prop_assert_eq!(back.len(), 1);
        prop_assert!(away_m(&there[0], [x_m, y_m]) <= 0.02);
        prop_assert!(away_m(&back[0], [2.0 - x_m, 2.0 - y_m]) <= 0.02);
    }
}
