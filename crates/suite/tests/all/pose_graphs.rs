//! Public pose graphs against the optima that their description states; skipped where the data is not beside the
//! repository.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use std::fmt::Write;
use std::path::Path;

use align::pose_graph::{Kernel, KernelShape, Start};
use formats::ReadOptions;
use mapjudge::optimize;
use testkit::Random;

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

/// Poses of a solved file, by their place in it.
fn positions(path: &Path) -> Vec<[f64; 2]> {
    let text = std::fs::read_to_string(path).unwrap();
    let vertices = text.lines().filter_map(|line| line.strip_prefix("VERTEX_SE2 "));
    let position = |line: &str| {
        let words: Vec<f64> = line.split_whitespace().skip(1).map(|word| word.parse().unwrap()).collect();
        [words[0], words[1]]
    };
    vertices.map(position).collect()
}

/// Must-hold: with false loops added at random the solution is that of the graph without them.
#[test]
fn added_false_loops_change_nothing_under_graduated_non_convexity() {
    let Some(shared) = testkit::shared_data("pose-graphs") else { return };
    let folder = tempfile::tempdir().unwrap();
    let width = KernelShape::Gnc.default_width();
    let kernel = KernelShape::Gnc.with_width(width).unwrap();
    for (name, poses) in [("se-sync/intel", 1728), ("se-sync/CSAIL", 1045), ("se-sync/kitti_05", 2761)] {
        let clean = shared.join(format!("{name}.g2o"));
        let optimum = folder.path().join("optimum.g2o");
        let options = ReadOptions::default();
        let least = optimize(&clean, Some(&optimum), Kernel::Square, &options).unwrap();
        let same = optimize(&clean, None, kernel, &options).unwrap();
        assert!(
            (same.chi2 / least.chi2 - 1.0).abs() < 1e-3 && same.rejected.is_empty(),
            "{name}: {}",
            same.chi2
        );
        let edges = std::fs::read_to_string(&clean).unwrap();
        let is_loop = |line: &&str| {
            let ids: Vec<i64> =
                line.split(' ').skip(1).take(2).filter_map(|word| word.parse().ok()).collect();
            line.starts_with("EDGE_SE2") && ids.len() == 2 && (ids[0] - ids[1]).abs() > 1
        };
        let information = edges.lines().find(is_loop).unwrap().splitn(7, ' ').last().unwrap().to_owned();
        let mut random = Random(11);
        for loops in [10, 100] {
            let mut text = edges.clone();
            for _ in 0..loops {
                let (from, to) = (random.below(poses), random.below(poses));
                let mut number = |size: f64| size * (random.below(2001) as f64 / 1000.0 - 1.0);
                let (x, y, theta) = (number(2.0), number(2.0), number(3.1));
                if from.abs_diff(to) > 1 {
                    write!(text, "\nEDGE_SE2 {from} {to} {x} {y} {theta} {information}").unwrap();
                }
            }
            let (spoilt, solved) = (folder.path().join("spoilt.g2o"), folder.path().join("solved.g2o"));
            std::fs::write(&spoilt, text).unwrap();
            optimize(&spoilt, Some(&solved), kernel, &options).unwrap();
            let pairs = positions(&optimum).into_iter().zip(positions(&solved));
            let worst_m = pairs.map(|(a, b)| (a[0] - b[0]).hypot(a[1] - b[1])).fold(0.0, f64::max);
            assert!(worst_m < 0.3, "{name} with {loops} false loops: {worst_m} m off");
        }
    }
}
