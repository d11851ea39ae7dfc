//! `mapjudge traj` on a real log with published relations.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

use serde_json::Value;

use crate::traj::{Place, metric, text, value};

/// The numbers of ../shared/reference/trajectories.md, section 7, and of the specification.
#[test]
fn the_intel_relations_give_their_known_numbers() {
    let (Some(carmen), Some(freiburg)) =
        (testkit::shared_data("carmen-corrected"), testkit::shared_data("freiburg-relations"))
    else {
        return;
    };
    let log = carmen.join("intel-corrected.log.gz");
    let (relations, exact) =
        (freiburg.join("intel.relations"), freiburg.join("derived-intel-910-corrected.log.gz"));
    let place = Place::new();
    let [log, relations, exact] = [&log, &relations, &exact].map(|path| path.to_str().unwrap().to_owned());
    let run = |arguments: &[&str]| -> Value {
        let output = place.run(&[arguments, &["--format", "json"]].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let shared = ["--relations", &relations, "--associate", "nearest"];
    let all = ["--records", "odom,flaser", "--time-offset", "976052857.3375", "--max-dt", "0.006"];
    let left = run(&[&[log.as_str()], &shared[..], &all[..]].concat());
    let detail = &metric(&left, "relative_displacement")["detail"];
    assert_eq!((&detail["matched"], &detail["unmatched"]), (&2984.into(), &0.into()));
    let near = |found: &Value, expected: f64, digits: i32| {
        let found = found.as_f64().unwrap();
        assert!((found - expected).abs() < 0.5001 * 10_f64.powi(-digits), "{found} is not {expected}");
    };
    near(&detail["translation_m"]["mean"], 0.0628, 4);
    near(&detail["translation_m"]["std"], 0.0710, 4);
    near(&detail["translation_m"]["max"], 0.598, 3);
    near(&detail["rotation_deg"]["mean"], 2.468, 3);
    near(&detail["rotation_deg"]["std"], 3.017, 3);
    let repeated = left["cases"][0]["findings"]
        .as_array()
        .unwrap()
        .iter()
        .find(|f| f["code"] == "STAMPS_REPEATED")
        .unwrap();
    let message = repeated["message"].as_str().unwrap();
    assert!(message.contains("4234 of 15451") && message.contains("11217 poses remain"), "{message}");
    let right = run(&[&[log.as_str()], &shared[..], &all[..], &["--relation-error", "right"]].concat());
    assert!((value(&left, "relative_displacement") - value(&right, "relative_displacement")).abs() > 1e-4);
    let scans = run(&[&[exact.as_str()], &shared[..], &["--max-dt", "0.001"]].concat());
    let detail = &metric(&scans, "relative_displacement")["detail"];
    assert_eq!(detail["matched"], 97);
    near(&detail["translation_m"]["mean"], 0.0360, 4);
    near(&detail["rotation_deg"]["mean"], 0.56, 2);
}
