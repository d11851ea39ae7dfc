//! The look at a given transform on a house that anyone can see.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::Arc;

use mapjudge_align::{BetterFrame, GOOD_FIT, MapTexture, Misfit, ProbedTruth, probe_frame, sampled_fit};
use model::{Grid, GridGeometry, Pose2, Similarity2};

use super::verdicts::{house, mirrored};

fn probed() -> ProbedTruth {
    ProbedTruth::new(Arc::new(house()))
}

fn better(map: &Grid) -> Option<BetterFrame> {
    probe_frame(&probed(), map, Similarity2::IDENTITY).unwrap().better
}

fn moved(by: Pose2) -> Grid {
    let house = house();
    let place = house.geometry().moved_by(by);
    house.with_geometry(place).unwrap()
}

#[test]
fn a_map_in_its_place_needs_no_search() {
    assert!(sampled_fit(&probed(), &house(), Similarity2::IDENTITY).unwrap() > GOOD_FIT);
    assert_eq!(better(&house()), None);
    assert_eq!(better(&moved(Pose2::new(0.05, 0.05, 0.0))), None, "half a cell is accuracy");
}

#[test]
fn the_better_transform_leads_the_map_back() {
    for by in [Pose2::new(0.6, -0.5, 0.0), Pose2::new(3.0, 1.0, 0.1), Pose2::new(1.0, -4.0, 2.0)] {
        let found = better(&moved(by)).unwrap();
        assert_eq!(found.misfit, Misfit::Moved);
        let back = by.inverse();
        let t = found.truth_from_map;
        let off_m = (t.x_m - back.x_m).hypot(t.y_m - back.y_m);
        assert!(off_m < 0.5 && model::wrap(t.theta_rad - back.theta_rad).abs() < 0.03, "{by:?}: {t:?}");
    }
}

#[test]
fn mirror_images_and_other_cells_are_told_apart_from_other_places() {
    let turned_over = better(&mirrored(&house())).unwrap();
    assert_eq!(turned_over.misfit, Misfit::Mirrored);
    let geometry = *house().geometry();
    for factor in [1.1, 0.9] {
        let size_m = geometry.cell_size_m() * factor;
        let place =
            GridGeometry::new(geometry.width(), geometry.height(), size_m, geometry.origin()).unwrap();
        let found = better(&Grid::new(place, house().classes().to_vec()).unwrap()).unwrap();
        assert_eq!(found.misfit, Misfit::Scaled, "{factor}");
        assert!((found.truth_from_map.scale * factor - 1.0).abs() < 0.03, "{factor}: {found:?}");
    }
}

#[test]
fn one_truth_serves_many_maps() {
    let truth = probed();
    let wrong = moved(Pose2::new(0.6, -0.5, 0.0));
    let look = |map: &Grid| probe_frame(&truth, map, Similarity2::IDENTITY).unwrap();
    let first = look(&wrong);
    assert_eq!(look(&house()).better, None);
    assert_eq!(look(&wrong), first, "nothing of one map stays for the next");
}

#[test]
fn texture_by_hand() {
    // Rows of 1001 cells: free beside free 600 times, free beside unknown once, unknown beside unknown 399 times, which
    // are not counted, and occupied beside occupied never.
    let row = format!("{}{}", ".".repeat(601), "?".repeat(400));
    let open = MapTexture::of(&testkit::grid([row])).unwrap();
    assert_eq!((open.open_borders, open.occupied), (1.0, 0.0));
    let closed = MapTexture::of(&testkit::grid([format!("{}{}", ".".repeat(600), "#".repeat(200))])).unwrap();
    assert_eq!(closed.open_borders, 0.0);
    assert!(closed.neighbour_agreement > 0.99, "one border in 799 pairs: {closed:?}");
    // Cells that alternate never agree with a neighbour: kappa -1.
    let alternating = MapTexture::of(&testkit::grid([".#".repeat(400)])).unwrap();
    assert!((alternating.neighbour_agreement + 1.0).abs() < 0.01, "{alternating:?}");
    assert_eq!(MapTexture::of(&testkit::grid(["..", "##"])), None, "too little to say anything");
}
