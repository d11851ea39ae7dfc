//! Public logs, trajectories and graphs with the numbers that their descriptions state; skipped where the data is
//! not beside the repository.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::Path;

use mapjudge_formats::{Content, Document, NamedBytes, ReadOptions, read_document, read_slam_csv};
use model::TimeBase;

fn read(path: &Path) -> Document {
    read_document(path, &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn has(document: &Document, code: &str) -> bool {
    document.findings.iter().any(|finding| finding.code == code)
}

fn is_without_errors(document: &Document) -> bool {
    document.findings.iter().all(|finding| finding.level < model::Level::Error)
}

#[test]
fn corrected_carmen_logs_have_their_scans_and_beams_and_destroyed_stamps_are_found() {
    let Some(folder) = testkit::shared_data("carmen-corrected") else { return };
    for (name, scans, beams, odometry, are_stamps_destroyed) in [
        ("acapulco", 861, 181, 12_142, false),
        ("aces", 440, 180, 7814, false),
        ("belgioioso", 395, 361, 4442, true),
        ("edmonton", 340, 180, 6351, false),
        ("fhw", 488, 180, 13_935, false),
        ("freiburg-101", 292, 360, 4569, false),
        ("freiburg-campus", 2008, 360, 17_691, true),
        ("intel", 910, 180, 14_541, false),
        ("orebro", 237, 181, 255, true),
    ] {
        let document = read(&folder.join(format!("{name}-corrected.log.gz")));
        let Content::Log(log) = &document.content else { panic!("{name}") };
        assert_eq!((log.scans().count(), log.odometry().count()), (scans, odometry), "{name}");
        assert!(log.scans().all(|scan| scan.ranges_m.len() == beams), "{name}");
        assert!(log.scans().all(|scan| scan.world_from_laser == scan.world_from_robot), "{name}");
        assert_eq!(
            has(&document, "DESTROYED_STAMPS"),
            are_stamps_destroyed,
            "{name}: {:?}",
            document.findings
        );
        assert!(is_without_errors(&document), "{name}: {:?}", document.findings);
    }
}

#[test]
fn the_largest_range_of_corrected_logs_is_guessed_from_the_ranges() {
    let Some(folder) = testkit::shared_data("carmen-corrected") else { return };
    for (name, max_range_m) in [("aces", 48.5), ("acapulco", 49.6), ("intel", 80.0), ("freiburg-101", 80.0)] {
        let document = read(&folder.join(format!("{name}-corrected.log.gz")));
        let Content::Log(log) = &document.content else { panic!("{name}") };
        let found_m = log.scans().next().unwrap().beams.max_range_m;
        assert!((found_m - max_range_m).abs() < 0.05, "{name}: {found_m}");
    }
}

#[test]
fn other_logs_have_their_scans() {
    let (Some(relations), Some(rawlog)) =
        (testkit::shared_data("freiburg-relations"), testkit::shared_data("intel-rawlog"))
    else {
        return;
    };
    for (path, scans, odometry) in [
        (relations.join("derived-intel-3462-merged.log.gz"), 3462, 0),
        (relations.join("derived-intel-910-corrected.log.gz"), 910, 0),
        (relations.join("derived-intel-910-rawodom.log.gz"), 910, 0),
        // A CARMEN log in spite of its name.
        (relations.join("intel.gfs.log.gz"), 910, 14_541),
        (relations.join("intel_gfs.json.gz"), 910, 0),
        (relations.join("intel_corrected_log.json.gz"), 910, 0),
        (rawlog.join("derived-intel-2726-rawodom.log.gz"), 2726, 0),
    ] {
        let document = read(&path);
        let Content::Log(log) = &document.content else { panic!("{}", path.display()) };
        assert_eq!((log.scans().count(), log.odometry().count()), (scans, odometry), "{}", path.display());
        assert!(log.scans().all(|scan| scan.ranges_m.len() == 180), "{}", path.display());
        assert!(is_without_errors(&document), "{}: {:?}", path.display(), document.findings);
    }
}

#[test]
fn the_json_of_intel_agrees_with_its_conversion() {
    let Some(folder) = testkit::shared_data("freiburg-relations") else { return };
    for (json, carmen) in [
        ("intel_gfs.json.gz", "derived-intel-910-rawodom.log.gz"),
        ("intel_corrected_log.json.gz", "derived-intel-910-corrected.log.gz"),
    ] {
        let (json, carmen) = (read(&folder.join(json)).content, read(&folder.join(carmen)).content);
        let (Content::Log(json), Content::Log(carmen)) = (json, carmen) else { panic!() };
        for (ours, theirs) in json.scans().zip(carmen.scans()) {
            assert_eq!((&ours.ranges_m, ours.beams), (&theirs.ranges_m, theirs.beams), "{}", ours.time_s);
            assert!((ours.time_s - theirs.time_s).abs() < 1e-5, "{} and {}", ours.time_s, theirs.time_s);
            let (ours, theirs) = (ours.world_from_robot.unwrap(), theirs.world_from_robot.unwrap());
            assert!((ours.x_m - theirs.x_m).hypot(ours.y_m - theirs.y_m) < 1e-5);
        }
    }
}

#[test]
fn relations_have_their_lines_and_nodes() {
    let Some(folder) = testkit::shared_data("freiburg-relations") else { return };
    for (name, lines, nodes, not_forward) in
        [("intel", 2984, 1791, Some(6)), ("mit-killian", 4677, 3838, None)]
    {
        let document = read(&folder.join(format!("{name}.relations")));
        let Content::Relations(relations) = &document.content else { panic!("{name}") };
        assert_eq!((document.format, relations.len()), ("relations", lines), "{name}");
        let mut stamps: Vec<u64> =
            relations.iter().flat_map(|r| [r.from_s.to_bits(), r.to_s.to_bits()]).collect();
        stamps.sort_unstable();
        stamps.dedup();
        assert_eq!(stamps.len(), nodes, "{name}");
        let found = relations.iter().filter(|relation| relation.from_s >= relation.to_s).count();
        assert!(not_forward.is_none_or(|expected| found == expected), "{name}: {found}");
        assert!(is_without_errors(&document), "{name}");
    }
}

#[test]
fn the_rawlog_of_intel_agrees_with_its_conversion() {
    let Some(folder) = testkit::shared_data("intel-rawlog") else { return };
    let document = read(&folder.join("intel.rawlog"));
    let Content::Log(log) = &document.content else { panic!() };
    assert_eq!((document.format, log.scans().count(), log.odometry().count()), ("rawlog", 2726, 2726));
    assert!(log.scans().all(|scan| scan.ranges_m.len() == 180 && !scan.beams.is_guessed));
    let converted = read(&folder.join("derived-intel-2726-rawodom.log.gz"));
    let Content::Log(converted) = &converted.content else { panic!() };
    let same = |ours: &f32, theirs: &f32| *ours == 0.0 || (ours - theirs).abs() < 1e-4;
    for (ours, theirs) in log.scans().zip(converted.scans()) {
        assert!(ours.ranges_m.iter().zip(&theirs.ranges_m).all(|(a, b)| same(a, b)), "frame {}", ours.time_s);
    }
    // Frame k + 1 is reached by the action after frame k.
    let reached = log.odometry().map(|odometry| odometry.odom_from_robot);
    let mut farthest_m = 0.0_f64;
    for (ours, theirs) in reached.zip(converted.scans().skip(1)) {
        let theirs = theirs.world_from_robot.unwrap();
        farthest_m = farthest_m.max((ours.x_m - theirs.x_m).hypot(ours.y_m - theirs.y_m));
    }
    assert!(farthest_m < 1e-3, "{farthest_m} m apart");
}

#[test]
fn odometry_increments_of_intel_are_poses_without_time() {
    let Some(folder) = testkit::shared_data("intel-rawlog") else { return };
    let document = read(&folder.join("intel_ODO.txt"));
    let Content::Trajectory(trajectory) = &document.content else { panic!() };
    assert_eq!((trajectory.poses.len(), trajectory.time_base), (2726, TimeBase::Index));
}

#[test]
fn tinyslam_logs_have_their_scans() {
    let Some(folder) = testkit::shared_data("tinyslam-logs") else { return };
    for (name, scans, cut_off) in [("exp1", 756, 0), ("exp2", 641, 0), ("exp3", 525, 0), ("test_lab", 590, 1)]
    {
        let document = read(&folder.join(format!("{name}.dat")));
        let Content::Log(log) = &document.content else { panic!("{name}") };
        assert_eq!((document.format, log.scans().count()), ("tinyslam", scans), "{name}");
        assert!(
            log.scans().all(|scan| scan.ranges_m.len() == 682 && scan.ranges_m.iter().all(|r| *r < 5.6)),
            "{name}"
        );
        // The last line of test_lab was cut off by whoever stored it.
        let errors = document.findings.iter().filter(|finding| finding.level == model::Level::Error).count();
        assert_eq!(errors, cut_off, "{name}");
    }
}

#[test]
fn pose_graphs_have_their_vertices_and_edges() {
    let Some(folder) = testkit::shared_data("pose-graphs") else { return };
    for (name, vertices, edges) in [
        ("minisam/input_M3500_g2o.g2o", 3500, 5453),
        ("vertigo/manhattan/manhattanOlson3500.g2o", 3500, 5598),
        ("vertigo/ring/ring.g2o", 434, 459),
        ("vertigo/ring/groundTruth/ring.g2o", 434, 459),
        ("se-sync/intel.g2o", 1728, 2512),
        ("se-sync/CSAIL.g2o", 0, 1172),
        ("se-sync/kitti_00.g2o", 0, 4677),
        ("se-sync/kitti_05.g2o", 0, 2826),
        ("se-sync/MIT.g2o", 808, 827),
        ("pythonrobotics/input_INTEL.g2o", 1228, 1483),
        ("gtsam/w100.graph", 100, 300),
        ("gtsam/example.graph", 95, 94),
        ("vertigo/ring/groundTruth/edges.txt", 0, 433),
        ("vertigo/manhattan/manhattanOlson3500_edges_groundTruth.dat", 0, 5598),
        ("gtsam/noisyToyGraph.txt", 4, 5),
        ("gtsam/optimizedNoisyToyGraph.txt", 4, 5),
    ] {
        let document = read(&folder.join(name));
        let Content::Graph(graph) = &document.content else { panic!("{name}") };
        assert_eq!((graph.vertices.len(), graph.edges.len()), (vertices, edges), "{name}");
        assert_eq!(has(&document, "EDGES_ONLY"), vertices == 0, "{name}");
        assert!(!has(&document, "EDGE_DIRECTION_DOUBTFUL"), "{name}");
        assert!(is_without_errors(&document), "{name}: {:?}", document.findings);
    }
    let nodes = read(&folder.join("vertigo/manhattan/manhattanOlson3500_nodes_groundTruth.dat"));
    let Content::Trajectory(nodes) = nodes.content else { panic!() };
    assert_eq!(nodes.poses.len(), 3500);
}

#[test]
fn trajectories_have_their_poses() {
    let Some(folder) = testkit::shared_data("trajectories") else { return };
    for (name, format, poses) in [
        ("freiburg1_xyz-groundtruth.txt", "tum", 3000),
        ("freiburg1_xyz-rgbdslam.txt", "tum", 788),
        ("freiburg1_xyz-rgbdslam_drift.txt", "tum", 788),
        ("freiburg1_xyz-rgbdslam_drift_short.txt", "tum", 40),
        ("freiburg1_xyz-ORB_kf_mono.txt", "tum", 32),
        ("georeferenced.tum", "tum", 1000),
        ("KITTI_00_gt.txt", "kitti", 4541),
        ("KITTI_00_ORB.txt", "kitti", 4541),
        ("KITTI_00_SPTAM.txt", "kitti", 4541),
    ] {
        let document = read(&folder.join("evo").join(name));
        let Content::Trajectory(trajectory) = &document.content else { panic!("{name}") };
        assert_eq!((document.format, trajectory.poses.len()), (format, poses), "{name}");
        let has_times = format == "tum" || name == "KITTI_00_gt.txt";
        assert_eq!(trajectory.time_base == TimeBase::Seconds, has_times, "{name}");
        assert!(is_without_errors(&document), "{name}: {:?}", document.findings);
    }
    let large = read(&folder.join("evo/georeferenced.tum"));
    let Content::Trajectory(large) = large.content else { panic!() };
    assert_eq!(large.poses[0].world_from_robot.position_m[1], 5_429_380.172_093_272);
}

#[test]
fn tables_of_the_leo_comparison_have_their_rows_and_errors() {
    let Some(folder) = testkit::shared_data("slam-comparison-leo") else { return };
    // Mean position errors in metres, as the set's description states them.
    for (world, system, mean_m) in [
        ("abstract", "cartographer", 2.569),
        ("abstract", "gmapping", 0.070),
        ("abstract", "slam_toolbox", 0.064),
        ("abstract", "lidar_rtabmap", 1.272),
        ("abstract", "rgbd_rtabmap", 0.676),
        ("office", "cartographer", 1.338),
        ("office", "gmapping", 0.087),
        ("office", "slam_toolbox", 0.038),
        ("office", "lidar_rtabmap", 0.016),
        ("office", "rgbd_rtabmap", 0.293),
    ] {
        let path = folder.join(format!("test_results/{world}/{system}_pose_log.csv"));
        let document = read(&path);
        let Content::Trajectory(estimate) = &document.content else { panic!("{world} {system}") };
        let bytes = std::fs::read(&path).unwrap();
        let pair = read_slam_csv(NamedBytes { name: "pose_log.csv", bytes: &bytes }).unwrap();
        assert_eq!(&pair.estimate, estimate);
        let errors_m = pair.estimate.poses.iter().zip(&pair.truth.poses).map(|(estimate, truth)| {
            let (a, b) = (estimate.world_from_robot.position_m, truth.world_from_robot.position_m);
            (a[0] - b[0]).hypot(a[1] - b[1])
        });
        let found_m = errors_m.sum::<f64>() / pair.truth.poses.len() as f64;
        assert!((found_m - mean_m).abs() < 6e-4, "{world} {system}: {found_m}");
    }
    let tables =
        std::fs::read_dir(folder.join("pose_csvs")).unwrap().map(|entry| read(&entry.unwrap().path()));
    let index_only = tables.filter(|table| has(table, "NO_TIME_STAMPS") && is_without_errors(table)).count();
    assert_eq!(index_only, 10);
}
