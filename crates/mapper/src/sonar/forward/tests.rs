use model::{CellClass, Point2};

use super::*;

fn params() -> ForwardParams {
    ForwardParams { cell_size_m: 1.0, sigma_m: 0.1, range_max_m: 10.0, ..ForwardParams::default() }
}

/// A cone along x over cells of 1 m whose middles lie on the axis, narrow enough to hold these alone.
fn narrow(range_m: f64, is_echo: bool) -> Cone {
    Cone { opening_rad: 0.01, range_m, is_echo, ..Cone::default() }
}

const POSE: Pose2 = Pose2::new(0.0, 0.5, 0.0);

fn probability(grid: &Grid, x_m: f64, y_m: f64) -> f64 {
    let cell = grid.geometry().cell_at(Point2::new(x_m, y_m)).unwrap();
    grid.number(grid.geometry().index_of(cell))
}

/// The likelihood of readings as the header states it, by plain sums.
fn log_likelihood(occupied_m: &[f64], readings: &[Cone], params: &ForwardParams) -> f64 {
    let (r, m, h) = (params.random_probability, params.miss_probability, params.hit_probability);
    let likelihood = |cone: &Cone| {
        if !cone.is_echo {
            let inside = occupied_m.iter().filter(|d| **d <= cone.range_m).count() as i32;
            return m + (1.0 - r - m) * (1.0_f64 - h).powi(inside);
        }
        let normal = |d: f64| {
            let off = (cone.range_m - d) / params.sigma_m;
            (-off * off / 2.0).exp() / (params.sigma_m * std::f64::consts::TAU.sqrt())
        };
        let terms = occupied_m.iter().enumerate().map(|(k, d)| (1.0 - h).powi(k as i32) * h * normal(*d));
        r / params.range_max_m + (1.0 - r - m) * terms.sum::<f64>()
    };
    readings.iter().map(|cone| likelihood(cone).ln()).sum()
}

#[test]
fn evidence_is_the_difference_of_the_likelihoods_by_plain_sums() {
    let readings = [narrow(4.45, true), narrow(2.6, true), narrow(8.0, false), narrow(4.5, true)];
    let mut forward = Forward::new(params());
    forward.add(&readings, POSE);
    let mut explained = Explained::new(&forward);
    let index = |x_m: f64| {
        let cells = forward.plane.cells_of(POSE, &narrow(9.0, true), 9.0);
        cells.iter().find(|cell| (cell.range_m - x_m).abs() < 1e-9).unwrap().index
    };
    for occupied_m in [&[][..], &[4.5], &[2.5, 4.5], &[0.5, 2.5, 4.5, 6.5]] {
        explained.is_occupied.fill(false);
        occupied_m.iter().for_each(|d| explained.is_occupied[index(*d)] = true);
        (0..readings.len()).for_each(|reading| explained.renew(reading));
        for d in [0.5, 2.5, 4.5, 6.5] {
            let with = |wanted: bool| {
                let mut cells: Vec<f64> = occupied_m.iter().copied().filter(|other| *other != d).collect();
                cells.extend(wanted.then_some(d));
                cells.sort_by(f64::total_cmp);
                log_likelihood(&cells, &readings, &forward.params)
            };
            let (found, expected) = (explained.evidence(index(d)), with(true) - with(false));
            assert!((found - expected).abs() < 1e-5, "{occupied_m:?} {d}: {found} for {expected}");
        }
    }
}

#[test]
fn one_obstacle_explains_an_arc_once_another_cone_looked_along_it() {
    // A wide cone says: something at 4.5. A narrow one along its axis saw nothing up to 8: it is not on the axis.
    let wide = Cone { opening_rad: 1.0, ..narrow(4.5, true) };
    let mut forward = Forward::new(ForwardParams { sigma_m: 0.3, ..params() });
    for _ in 0..4 {
        forward.add(&[wide, narrow(8.0, false)], POSE);
    }
    forward.finish();
    let map = forward.grid().unwrap();
    assert!(probability(&map, 4.5, 0.5) < 0.5);
    let beside = [1.5, 2.5, -0.5, -1.5].map(|y_m| probability(&map, 4.3, y_m));
    // Any of these cells explains the echo, so each is likely and none certain.
    assert!(beside.iter().all(|p| (0.5..0.9).contains(p)), "{beside:?}");
    assert!(probability(&map, 2.5, 0.5) < 0.3);
}

#[test]
fn a_mirror_does_not_erase_a_wall_that_others_saw() {
    let mut forward = Forward::new(params());
    for _ in 0..3 {
        forward.add(&[narrow(4.5, true)], POSE);
    }
    forward.add(&[narrow(9.0, false), narrow(7.5, true)], POSE);
    let map = forward.grid().unwrap();
    assert!(probability(&map, 4.5, 0.5) > 0.9 && probability(&map, 2.5, 0.5) < 0.3);
}

#[test]
fn nothing_in_is_no_map_and_what_no_reading_reaches_is_unknown() {
    let mut forward = Forward::new(params());
    assert!(forward.grid().is_none());
    forward.add(&[narrow(4.5, true)], POSE);
    let map = forward.grid().unwrap();
    assert_eq!(map.geometry().width(), 5);
    assert!(map.classes().contains(&CellClass::Occupied));
    forward.add(&[narrow(4.5, true)], Pose2::new(1e12, 0.0, 0.0));
    assert_eq!(forward.readings.len(), 1, "too far away to be held");
}
