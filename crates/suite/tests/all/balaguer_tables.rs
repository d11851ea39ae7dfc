//! The 50 numbers of tables 1 and 2 of Balaguer et al. 2009 that follow from counts, out of an end-to-end run
//! on generated map files.
//!
//! The counts of occupied cells are not printed; they follow from the printed numbers: each printed Baron value
//! of a set fits one and only one number of occupied truth cells. The maps are filled row by row: first the
//! cells occupied in both, then those of the truth alone, then those of the map alone.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

use std::path::{Path, PathBuf};

use mapjudge::files::{Job, evaluate};
use model::{CellClass, Grid, GridGeometry, Pose2};

/// Team, TP, and the five printed numbers: NMS = FN, OMS = FP, MS, OE, Baron.
type Row = (&'static str, usize, f64, f64, f64, f64, f64);

const SET_1: [Row; 4] = [
    ("A", 10291, 32513.0, 17648.0, 489363.0, 50161.0, 0.2499),
    ("B", 16656, 26148.0, 22055.0, 491321.0, 48203.0, 0.3610),
    ("C", 5420, 37384.0, 5322.0, 496818.0, 42706.0, 0.2243),
    ("D", 11833, 30971.0, 11795.0, 496758.0, 42766.0, 0.3337),
];
const SET_2: [Row; 6] = [
    ("A", 4449, 34279.0, 6398.0, 470275.0, 40677.0, 0.1861),
    ("B", 4759, 33969.0, 7610.0, 469373.0, 41579.0, 0.1839),
    ("C", 2186, 36542.0, 3098.0, 471312.0, 39640.0, 0.1305),
    ("D", 3524, 35204.0, 5129.0, 470619.0, 40333.0, 0.1644),
    ("E", 654, 38074.0, 1014.0, 471864.0, 39088.0, 0.0684),
    ("F", 2158, 36570.0, 2208.0, 472174.0, 38778.0, 0.1468),
];

fn write(
    folder: &Path,
    name: &str,
    width: usize,
    height: usize,
    occupied: impl Fn(usize) -> bool,
) -> PathBuf {
    let geometry = GridGeometry::new(width, height, 0.05, Pose2::IDENTITY).unwrap();
    let class = |index| if occupied(index) { CellClass::Occupied } else { CellClass::Free };
    let grid = Grid::new(geometry, (0..geometry.cells()).map(class).collect()).unwrap();
    let (yaml, pgm) = formats::write_ros_map(&grid, &format!("{name}.pgm"));
    std::fs::write(folder.join(format!("{name}.pgm")), pgm).unwrap();
    let path = folder.join(format!("{name}.yaml"));
    std::fs::write(&path, yaml).unwrap();
    path
}

fn reproduce(rows: &[Row], width: usize, height: usize, truth_occupied: usize) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let truth = write(folder.path(), "truth", width, height, |index| index < truth_occupied);
    let maps = rows.iter().map(|&(team, hits, _, invented, ..)| {
        let end = truth_occupied + invented as usize;
        write(folder.path(), team, width, height, |i| i < hits || (truth_occupied..end).contains(&i))
    });
    let mut job = Job::default();
    (job.inputs.truth, job.inputs.maps) = (Some(truth), maps.collect());
    let report = evaluate(&job, &|_| {}).unwrap().report;
    let mut numbers = 0;
    for (&(team, _, nms, oms, ms, oe, baron), case) in rows.iter().zip(&report.cases) {
        let value = |id: &str| case.metric(id).unwrap().value.unwrap();
        assert_eq!(case.name, team);
        assert_eq!(value("normalized_map_score_balaguer"), nms, "NMS of {team}");
        assert_eq!(value("occupied_map_score_balaguer"), oms, "OMS of {team}");
        assert_eq!(value("map_score_balaguer"), ms, "MS of {team}");
        assert_eq!(value("overall_error"), oe, "OE of {team}");
        assert_eq!((value("baron_correlation") * 1e4).round() / 1e4, baron, "Baron of {team}");
        numbers += 5;
    }
    numbers
}

#[test]
fn fifty_printed_numbers() {
    let first = reproduce(&SET_1, 916, 589, 42_804);
    let second = reproduce(&SET_2, 884, 578, 38_728);
    assert_eq!(first + second, 50);
}
