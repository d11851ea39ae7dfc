//! Every method that searches finds an asymmetric place again under a turn.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use mapjudge_align::{
    Aligner, Correlative, Detector, Features, FourierMellin, MirrorTest, Verdict, worst_corner_m,
};
use model::{CellClass, Grid, GridGeometry, Pose2, Similarity2};
use raster::resample::{Resample, resample};

/// Rooms of many sizes without symmetry, drawn from a small generator.
fn place() -> Grid {
    let (width, height) = (220, 180);
    let mut classes = vec![CellClass::Unknown; width * height];
    let mut room = |left: usize, top: usize, wide: usize, high: usize| {
        for row in top..top + high {
            for column in left..left + wide {
                let on_wall =
                    row < top + 2 || row >= top + high - 2 || column < left + 2 || column >= left + wide - 2;
                let cell = &mut classes[row * width + column];
                *cell = if on_wall { CellClass::Occupied } else { CellClass::Free };
            }
        }
    };
    let rooms = [
        (10, 10, 70, 50),
        (78, 10, 40, 80),
        (116, 10, 90, 35),
        (10, 58, 45, 100),
        (53, 88, 65, 30),
        (116, 43, 50, 60),
        (53, 116, 90, 50),
        (141, 101, 60, 70),
        (25, 25, 12, 9),
        (130, 60, 8, 14),
        (80, 130, 15, 8),
        (20, 100, 10, 25),
    ];
    rooms.iter().for_each(|&(left, top, wide, high)| room(left, top, wide, high));
    Grid::new(GridGeometry::new(width, height, 0.075, Pose2::IDENTITY).unwrap(), classes).unwrap()
}

fn turned(map: &Grid, transform: Similarity2) -> Grid {
    let moved = map.clone().with_geometry(map.geometry().moved_by(transform)).unwrap();
    let canvas = GridGeometry::new(420, 420, 0.075, Pose2::new(-10.0, -8.0, 0.0)).unwrap();
    resample(&moved, &canvas, Resample::Nearest).unwrap().grid
}

#[track_caller]
fn finds_the_turn(aligner: &dyn Aligner) {
    let truth = place();
    let map_from_truth = Similarity2::new(8.0, 1.5, 0.61, 1.0);
    let found = aligner.align(&truth, &turned(&truth, map_from_truth)).unwrap();
    assert_eq!(found.method, aligner.method());
    assert_eq!(found.certificate.verdict, Verdict::Certain, "{:?}", found.certificate);
    let product = found.truth_from_map.unwrap() * map_from_truth;
    let error_m = worst_corner_m(&truth, product, Similarity2::IDENTITY);
    assert!(error_m < 0.1, "{error_m} m off: {found:?}");
}

#[test]
fn correlative() {
    finds_the_turn(&Correlative { mirror_test: MirrorTest::Skip, ..Correlative::default() });
}

#[test]
fn corner_features() {
    finds_the_turn(&Features::default());
}

#[test]
fn surf_key_points() {
    finds_the_turn(&Features { detector: Detector::Surf, ..Features::default() });
}

#[test]
fn fourier_mellin() {
    finds_the_turn(&FourierMellin::default());
}

#[test]
fn all_methods_fail_on_blank_maps_and_refuse_senseless_parameters() {
    let blank = Grid::filled(*place().geometry(), CellClass::Free);
    let mut methods: Vec<Box<dyn Aligner>> = vec![
        Box::new(Correlative::default()),
        Box::new(Features::default()),
        Box::new(FourierMellin::default()),
    ];
    for method in &methods {
        assert_eq!(method.align(&place(), &blank).unwrap().certificate.verdict, Verdict::Failed);
    }
    let allowance = mapjudge_align::Allowance { scale_min: 0.0, ..Default::default() };
    methods = vec![
        Box::new(Correlative { allowance, ..Correlative::default() }),
        Box::new(Features { allowance, ..Features::default() }),
        Box::new(FourierMellin { allowance }),
    ];
    assert!(methods.iter().all(|method| method.align(&place(), &place()).is_err()));
}
