//! Small valid and hostile trajectories, logs and graphs.

use std::io::Write;

use crate::Files;

/// Seeds by fuzz selector; for `kitti` the poses, a zero byte and the times.
pub fn seeds() -> Vec<(&'static str, Files)> {
    vec![
        ("carmen", carmen()),
        ("edge_list", edge_list()),
        ("euroc", euroc()),
        ("g2o", g2o()),
        ("gmapping_gfs", gmapping_gfs()),
        ("json", json()),
        ("kitti", kitti()),
        ("log_csv", log_csv()),
        ("named_csv", named_csv()),
        ("packed", packed()),
        ("pose_log", pose_log()),
        ("rawlog", rawlog()),
        ("relation_records", relation_records()),
        ("relations", relations()),
        ("scan_json", scan_json()),
        ("slam_csv", slam_csv()),
        ("tinyslam", tinyslam()),
        ("tum", tum()),
        ("usarsim", usarsim()),
    ]
}

fn texts<const N: usize>(files: [(&'static str, &str); N]) -> Files {
    files.map(|(name, text)| (name, text.as_bytes().to_vec())).to_vec()
}

const MESSAGES: &str = "NFO {Gametype BotDeathMatch} {Level maze} {TimeLimit 20}\r\n\
    CONF {Type RangeScanner} {Name Scanner1} {MaxRange 20.0}\r\n\
    GEO {Type RangeScanner} {Name Scanner1 Location 0.1, 0,-0.2 Orientation 0,0,0 Mount HARD}\r\n\
    SEN {Type Odometry} {Name Odometry} {Pose 0.4265,0.1643,0.9105}\r\n\
    SEN {Time 45.14} {Type RangeScanner} {Name Scanner1} {Resolution 0.0174} {FOV 3.1415} {Range 2.1951,2.1962,2.1956}\r\n\
    SEN {Type INS} {Name INS} {Location 1,2,3} {Orientation 0,0,0.5}\r\n\
    STA {Type GroundVehicle} {Time 45.2} {LightToggle False} {Battery 1200} {View -1}\r\n";

fn usarsim() -> Files {
    texts([
        ("run", MESSAGES),
        ("received", "@1.5 SEN {Type Odometry} {Pose 1,2,3}\n@2.5 SEN {Type Odometry} {Pose 1,2,3}\n"),
        ("inertial", "SEN {Time 1} {Type INS} {Name INS} {Location 1,2,3} {Orientation 0,0,0.5}\n"),
        ("truth", "SEN {Time 1} {Type GroundTruth} {Location 1,2,3} {Orientation 0,0,0.5}\n"),
        ("guessed", "SEN {Time 1} {Type RangeScanner} {Name F1} {Range 2.5098,3}\n"),
        (
            "sonar",
            "GEO {Type Sonar} {Name F1 Location 0.1,0,-0.2 Orientation 0,0,0 Mount HARD}\n\
             CONF {Type Sonar} {Name F1} {MaxRange 5.0} {BeamAngle 0.3491}\n\
             SEN {Time 1} {Type Sonar} {Name F1 Range 4.56} {Name F2 Range 2.45}\n",
        ),
        ("bad_no_time", "SEN {Type Odometry} {Name Odometry} {Pose 0.4265,0.1643,0.9105}\n"),
        ("bad_braces", "SEN {Time 1} {Type Odometry} {Pose 1,2,3\n"),
        ("bad_share", "SEN {Time 1} {Type Odometry} {Pose 1,2,3}\nlorem ipsum\n"),
    ])
}

fn log_csv() -> Files {
    const HEADER: &str = "record,time_s,sensor,x_m,y_m,theta_rad,first_rad,step_rad,max_range_m,ranges_m\n";
    let with = |rows: &str| format!("{HEADER}{rows}").into_bytes();
    vec![
        (
            "all",
            with(
                "odometry,1.5,,0.25,-1,0.5,,,,\ntruth,1.5,,1,2,3,,,,\nscan,2,front,1,2,0.5,-1.5,0.5,20,1 2.5 20\n",
            ),
        ),
        ("guessed", with("scan,2,,,,,,,,1 2.5 20\n")),
        ("faulty", with("odometry,1.5,,0.25,-1,0.5,,,,\nodometry,1.5,,0.25\n")),
        ("bad_empty", with("")),
        ("bad_words", with("lorem,ipsum\n")),
    ]
}

const JSON: &str = r#"{"schema":"mapjudge.trajectory/1","time_base":"seconds","dimension":"planar","poses":[{"time_s":1.5,"x_m":2,"y_m":3,"theta_rad":0.5},{"time_s":2.5,"x_m":2,"y_m":4,"theta_rad":0.25}]}"#;

fn edge_list() -> Files {
    texts([
        ("information", "0 1 1 0 0.5 400 0 0 400 0 131\n1 2 1 0 0 400 0 0 400 0 131\n"),
        ("covariance", "0 1 1 0 0 0.5 0 0 0 0.5 0 0 0 0.5\n1 2 1 0 0 2 1 0 1 2 0 0 0 1\n"),
        ("both", "0 1 1 0 0.5 400 0 0 400 0 131\n1 2 1 0 0 2 1 0 1 2 0 0 0 1\n"),
        (
            "faulty_rows",
            "0 1 1 0 0.5 400 0 0 400 0 131\n0.5 2 1 0 0 400 0 0 400 0 131\n1 2\n\
             1 2 1 0 0 400 0 0 400 0 131\n",
        ),
        ("bad_singular", "0 1 1 0 7 0 0 0 0 0 0 0 0 0\n"),
    ])
}

const SCANS: &str = r#"{"map":{"10.5":{"range":[1.5,81.83,2],"theta":0.5,"x":1,"y":2},"11.25":{"range":[1,2,3],"theta":0.25,"x":3,"y":4}}}"#;

fn scan_json() -> Files {
    texts([
        ("two", SCANS),
        ("spaced", "{\n  \"map\": {\n    \"1\": {\"range\": [], \"theta\": 0, \"x\": 0, \"y\": 0}}}"),
        (
            "repeated_time",
            r#"{"map":{"1":{"range":[1],"theta":0,"x":0,"y":0},"1":{"range":[1],"theta":0,"x":0,"y":0}}}"#,
        ),
        ("bad_cut_off", &SCANS[..60]),
        ("bad_time", r#"{"map":{"noon":{"range":[1],"theta":0,"x":0,"y":0}}}"#),
    ])
}

fn json() -> Files {
    texts([
        ("planar", JSON),
        (
            "spatial",
            r#"{"schema":"mapjudge.trajectory/1","time_base":"index","dimension":"spatial","poses":[{"time_s":0,"x_m":2,"y_m":3,"z_m":1,"quaternion_xyzw":[0,0,0.6,0.8]}]}"#,
        ),
        (
            "relations",
            r#"{"schema":"mapjudge.relations/1","relations":[{"from_s":1,"to_s":2,"translation_m":[1,2,3],"roll_pitch_yaw_rad":[0,0,0.5]}]}"#,
        ),
        ("bad_cut_off", &JSON[..100]),
        (
            "bad_no_heading",
            r#"{"schema":"mapjudge.trajectory/1","time_base":"seconds","dimension":"planar","poses":[{"time_s":1.5,"x_m":2,"y_m":3}]}"#,
        ),
    ])
}

fn named_csv() -> Files {
    texts([
        ("planar", "time_s,x_m,y_m,theta_rad\n1.5,2,3,0.5\n2.5,2,4,0.25\n"),
        ("spatial", "index,x_m,y_m,z_m,qx,qy,qz,qw\n0,1,2,3,0,0,0.6,0.8\n1,1,2,3,0,0,0,0\n"),
        ("relations", "from_s,to_s,x_m,y_m,z_m,roll_rad,pitch_rad,yaw_rad\n1,2,3,4,5,6,7,8\n"),
        ("faulty_rows", "time_s,x_m,y_m,theta_rad\n1,2\n1,nan,3,4\n1,2,3,4\n"),
        ("bad_no_rows", "time_s,x_m,y_m,theta_rad\n"),
    ])
}

const CARMEN: &str = "# log\nPARAM a 1\nODOM 1 2 0.5 0.1 0.2 0 10.5 host 10.6\nFLASER 3 1.5 81.91 2 0 0 0.25 1 2 0.5 11.5 host 1\n\
                      RAWLASER2 0 -1.57 3.14 1.57 30 0.01 0 3 1 2 3 2 7 8 14.5 host 1\nTRUEPOS 7 8 0.5 1 2 3 16.5 host 1\n\
                      ROBOTLASER1 0 -1.57 3.14 1.57 30 0.01 0 2 1 2 0 4 5 0.5 1 2 0.25 0.1 0.2 0.3 0.4 0.5 15.5 h 1\n";

fn carmen() -> Files {
    texts([
        ("records", CARMEN),
        ("destroyed", "LASER 1 1 1.01893e+09 h 0\nLASER 1 1 1.01893e+09 h 0\n"),
        ("no_end", "\u{feff}ODOM 0 0 0 0 0 0 0 h 0\r\nODOM 0 0"),
        ("sonar", "SONAR 0.5 2 3 1 0.1 0 0 0 0.1 1.5 7 h 7\nSONAR 0.5 3 3 1\n"),
        ("huge_count", "ODOM 0 0 0 0 0 0 0 h 0\nFLASER 18446744073709551615 1\n"),
        ("bad_empty", ""),
        ("bad_words", "lorem ipsum\n"),
    ])
}

fn euroc() -> Files {
    texts([
        ("header", "#timestamp [ns],x,y,z,w,x,y,z\n1403636580838555648,4,5,6,1,0,0,0\n"),
        ("long", "1403636580838555648,4,5,6,1,0,0,0,0,0,0,0,0,0,0,0,0\n99999999999999999999,1,2,3,0,0,0,0\n"),
        ("bad_header_only", "#timestamp [ns],x,y\n"),
        ("bad_zero", "1403636580838555648,4,5,6,0,0,0,0\n"),
        ("bad_nan", "#timestamp [ns],x\nnan,nan,nan,nan,nan,nan,nan,nan\n"),
    ])
}

fn g2o() -> Files {
    let spatial =
        format!("VERTEX_SE3:QUAT 0 1 2 3 0 0 0 1\nEDGE_SE3:QUAT 0 0 1 2 3 0 0 0 1{}\n", " 1".repeat(21));
    let mut files = texts([
        ("planar", "VERTEX_SE2 0 0 0 0\nVERTEX_SE2 1 1 0 0.5\nFIX 0\nEDGE_SE2 0 1 1 0 0.5 1 0 0 1 0 1\n"),
        ("toro", "VERTEX2 0 0 0 0\nEDGE2 1 0 -1 0 0 1 0 1 1 0 0\nEQUIV 1 0\n"),
        ("edges", "EDGE_SE2 0 18446744073709551615 1 0 0 1 0 0 1 0 1\n"),
        ("bad_id", "VERTEX_SE2 -1 0 0 0\n"),
        ("bad_empty", ""),
    ]);
    files.push(("spatial", spatial.into_bytes()));
    files
}

fn gmapping_gfs() -> Files {
    texts([
        (
            "run",
            "ODOM 0 0 0 1\nLASER_READING 2 1 1.5 0 0 0 10.5\nSM_UPDATE 2 1 0 0 -1 5 5 0 -2\nNEFF 1.5\nRESAMPLE 2 1 0\n\
             LASER_READING 2 1 1.5 0 0 0 11.5\nSM_UPDATE 2 2 0 81.7 -1 6 5 0 -3\n",
        ),
        (
            "bad_vanished",
            "LASER_READING 0 0 0 0 1\nSM_UPDATE 1 0 0 0 1\nRESAMPLE 1 0\nSM_UPDATE 2 0 0 0 1 0 0 0 2\n",
        ),
        ("bad_no_laser", "SM_UPDATE 1 0 0 0 1\n"),
        ("bad_count", "LASER_READING 1e300 1\n"),
        ("bad_empty", ""),
    ])
}

fn kitti() -> Files {
    texts([
        ("times", "1 0 0 4 0 1 0 5 0 0 1 6\n0 -1 0 1 1 0 0 2 0 0 1 3\n\x000\n0.1\n"),
        ("numbered", "0 1 0 0 4 0 1 0 5 0 0 1 6\n"),
        ("too_few_times", "1 0 0 4 0 1 0 5 0 0 1 6\n\x00"),
        ("bad_times", "1 0 0 4 0 1 0 5 0 0 1 6\n\x00one\n"),
        ("bad_mirror", "-1 0 0 4 0 1 0 5 0 0 1 6\n"),
        ("bad_empty", ""),
    ])
}

fn packed() -> Files {
    let gzip = |content: &[u8]| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(content).unwrap();
        encoder.finish().unwrap()
    };
    let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    bzip2.write_all(CARMEN.as_bytes()).unwrap();
    let mut xz = liblzma::write::XzEncoder::new(Vec::new(), 1);
    xz.write_all(CARMEN.as_bytes()).unwrap();
    let whole = gzip(CARMEN.as_bytes());
    vec![
        ("cut", whole[..whole.len() / 2].to_vec()),
        ("bad_twice", gzip(&whole)),
        ("bad_zeros", gzip(&[0; 100_000])),
        ("gzip", whole),
        ("bzip2", bzip2.finish().unwrap()),
        ("xz", xz.finish().unwrap()),
        ("zstd", zstd::encode_all(CARMEN.as_bytes(), 1).unwrap()),
        ("plain", CARMEN.as_bytes().to_vec()),
    ]
}

fn pose_log() -> Files {
    texts([
        ("e4", "# x y theta t\n1.0 2.0 0.5 10.0\n1.1, 2.0, 0.5, 10.1\n1 2 3\nnan 0 0 1\n\n"),
        ("no_time", "0 0 0\n1 0 1.5708\n"),
        ("large", "1e300 -1e300 1e17 1e18\n1 2 3 1.7e12\n"),
        ("bad_infinite", "inf 0 0 1\n"),
        ("bad_empty", "# nothing"),
    ])
}

fn object(class: &str, version: u8, fields: &[&[u8]]) -> Vec<u8> {
    [&[0x80 | class.len() as u8][..], class.as_bytes(), &[version], &fields.concat(), &[0x88]].concat()
}

fn rawlog() -> Files {
    let matrix = object("CMatrixD", 0, &[&4u32.to_le_bytes(), &4u32.to_le_bytes(), &[0; 128]]);
    let place = object("CPose3D", 1, &[&matrix]);
    let (aperture, max_range) = (3.0_f32.to_le_bytes(), 30.0_f32.to_le_bytes());
    let frame = |beams: u32| {
        let fields: [&[u8]; 7] =
            [&aperture, &[1], &max_range, &place, &beams.to_le_bytes(), &[1; 10], &[0; 28]];
        object("CSensoryFrame", 2, &[&1u32.to_le_bytes(), &object("CObservation2DRangeScan", 6, &fields)])
    };
    let pose = object("CPose2D", 1, &[&[0; 24]]);
    let movement = object("CActionRobotMovement2D", 6, &[&[0; 4], &pose, &[0; 82]]);
    let actions = object("CActionCollection", 0, &[&1u32.to_le_bytes(), &movement]);
    vec![
        ("frame_and_action", [frame(2), actions.clone()].concat()),
        ("bad_beams", frame(u32::MAX)),
        ("bad_cut", frame(2)[..60].to_vec()),
        ("bad_version", object("CSensoryFrame", 7, &[])),
        ("bad_empty", Vec::new()),
    ]
}

fn relations() -> Files {
    texts([
        ("rows", "976052905.167303 976052911.885496 -0.05 -0.12 0 0 0 -1.68\n2 1 0 0 0 0 0 0\n"),
        ("nanoseconds", "1403636580838555648 1403636580838555649 1 2 3 0 0 0\n"),
        ("bad_seven", "1 2 3 4 5 6 7\n"),
        ("bad_nan", "1 2 nan 4 5 6 7 8\n"),
        ("bad_empty", ""),
    ])
}

fn relation_records() -> Files {
    let record = |id: &str, rest: &str| {
        format!(
            "{{\"id\":\"{id}\",\"t1\":1,\"t2\":2.5,\"delta\":{{\"x_m\":1,\"y_m\":0,\"theta_rad\":0.5}}{rest}}}\n"
        )
    };
    let accepted =
        record("a", ",\"status\":\"accepted\",\"tags\":[\"loop\"],\"icp\":{\"rms_m\":0.01,\"overlap\":0.9}");
    let adjusted = record(
        "b",
        ",\"status\":\"adjusted\",\"delta_final\":{\"x_m\":1e300,\"y_m\":-2,\"theta_rad\":9,\"z_m\":1}",
    );
    texts([
        ("accepted", &accepted),
        ("history", &(record("a", "") + &accepted + &adjusted + &record("c", ",\"status\":\"rejected\""))),
        ("cut_off", &(accepted.clone() + &adjusted[..40])),
        ("bad_proposed", &record("a", "")),
        ("bad_empty", ""),
        ("bad_words", "{\"id\":\"a\",\"t1\":\"x\",\"t2\":1,\"delta\":{}}\n"),
    ])
}

fn slam_csv() -> Files {
    texts([
        ("commas", "timestamp_sec,slam_x,slam_y,gt_x,gt_y\r\n40.00,1,2,3,4\r\n"),
        ("semicolons", "\u{feff}slam_x;slam_y;gt_x;gt_y;error\n1;2;3;-2.41092E-05;0.5\n;;;;\n"),
        ("bad_header_only", "slam_x,slam_y,gt_x,gt_y\n"),
        ("bad_words", "slam_x,slam_y,gt_x,gt_y\na,b,c,d\n"),
        ("bad_short", "slam_x,slam_y,gt_x,gt_y\n1,2\n"),
    ])
}

fn tinyslam() -> Files {
    let line = |columns: usize| format!("{}\n", vec!["7"; columns].join(" ")).into_bytes();
    vec![
        ("long", line(707)),
        ("short", line(695)),
        ("cut", [line(707), b"1 2 3".to_vec()].concat()),
        ("bad_706", line(706)),
        ("bad_empty", Vec::new()),
    ]
}

fn tum() -> Files {
    texts([
        ("rows", "# t\n10.5 1 2 3 0 0 0 1\r\n11 -1.5 2e3 0 0 0 0.6 0.8"),
        (
            "faults",
            "1 0 0 0 0 0 0 1\n2,0,0,0,0,0,0,1\n3 0 0 0 0 0 1\n4 0 nan 0 0 0 0 1\n5 0 0 0 0 0 0 0\n6 0 0 0 0 0 0 2\n",
        ),
        ("digits", "1600000000.0500000000000000001 1e-400 1e400 0 0 0 0 1\n1 0 0 0 0 0 0 1\n"),
        ("bad_seven", "1 0 0 0 0 0 1\n"),
        ("bad_empty", ""),
    ])
}
