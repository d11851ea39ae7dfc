//! Public pose graphs against the optima that their description states; skipped where the data is not beside the
//! repository.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use align::pose_graph::{Kernel, Start};
use formats::ReadOptions;
use mapjudge::optimize;

#[test]
fn chi2_of_public_graphs_is_that_of_their_description() {
    let Some(folder) = testkit::shared_data("pose-graphs") else { return };
    for (name, optimum) in [
        ("minisam/input_M3500_g2o", 137.915),
        ("vertigo/manhattan/manhattanOlson3500", 146.079),
        ("vertigo/ring/ring", 11.163),
        ("se-sync/intel", 45.004),
        ("se-sync/CSAIL", 40.551),
        ("se-sync/kitti_00", 98.322),
        ("se-sync/kitti_05", 157.104),
    ] {
        let path = folder.join(format!("{name}.g2o"));
        let solved = optimize(&path, None, Kernel::Square, &ReadOptions::default()).unwrap();
        assert!((solved.chi2 / optimum - 1.0).abs() < 1e-3, "{name}: {} instead of {optimum}", solved.chi2);
        assert_eq!(solved.start, Start::RotationsFirst, "{name}");
    }
}

#[test]
fn rotations_first_avoids_the_local_minimum_of_mit() {
    let Some(folder) = testkit::shared_data("pose-graphs") else { return };
    let path = folder.join("se-sync/MIT.g2o");
    let solved = optimize(&path, None, Kernel::Square, &ReadOptions::default()).unwrap();
    // 770.2 is what the description found from the poses of the file.
    assert!(solved.chi2 < 41.2, "{}", solved.chi2);
}
