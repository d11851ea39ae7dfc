//! Every vector of `conformance/vectors` through the whole line: read, align, measure.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use mapjudge::AlignBy;
use mapjudge::files::{Job, evaluate};
use report::MetricRecord;
use serde_json::Value;

fn vectors() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/vectors");
    let mut names: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    names
}

fn expected(vector: &Path) -> Vec<Value> {
    serde_json::from_str(&std::fs::read_to_string(vector.join("expected.json")).unwrap()).unwrap()
}

fn computed(vector: &Path, metric: &str, params: &Value) -> MetricRecord {
    let params: BTreeMap<String, Value> = serde_json::from_value(params.clone()).unwrap();
    let mut job = Job::default();
    job.inputs.truth = Some(vector.join("truth.txt"));
    job.inputs.maps = vec![vector.join("map.txt")];
    job.plan.align = AlignBy::None;
    job.plan.metrics = vec![metric.to_owned()];
    job.plan.set = BTreeMap::from([(metric.to_owned(), params)]);
    job.read.resolution_m = Some(1.0);
    evaluate(&job, &|_| {}).unwrap().report.cases[0].metrics[0].clone()
}

/// Equal to nine digits, as sums may be taken in another order.
fn agrees(found: Option<f64>, wanted: Option<f64>) -> bool {
    match (found, wanted) {
        (Some(a), Some(b)) => (a - b).abs() <= 1e-9 * b.abs().max(1.0),
        (a, b) => a == b,
    }
}

#[test]
fn every_vector_gives_the_expected_value_of_every_metric() {
    let mut wrong = Vec::new();
    let mut values = 0;
    for vector in vectors() {
        for wanted in expected(&vector) {
            let metric = wanted["metric"].as_str().unwrap();
            let found = computed(&vector, metric, &wanted["params"]);
            let reasons = serde_json::to_value(&found.reasons).unwrap();
            let status = serde_json::to_value(found.status).unwrap();
            let same = agrees(found.value, wanted["value"].as_f64());
            if !same || reasons != wanted["reasons"] || status != wanted["status"] {
                let name = vector.file_name().unwrap().to_string_lossy().into_owned();
                wrong.push(format!("{name}: {wanted} but found {:?} {reasons}", found.value));
            }
            values += 1;
        }
    }
    assert!(wrong.is_empty(), "{} of {values} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(values > 1000, "only {values} values: are the vectors there?");
}

#[test]
fn every_metric_has_vectors() {
    let listed: Vec<String> = vectors()
        .iter()
        .flat_map(|vector| expected(vector))
        .map(|wanted| wanted["metric"].as_str().unwrap().to_owned())
        .collect();
    // These families are searched, not computed by a formula: a reference would be a second program. The worked examples
    // of the specification are tests beside the code. Trajectories are held against evo (against_evo.py).
    let searched = [
        metrics::Family::Paths,
        metrics::Family::Topology,
        metrics::Family::Fiducials,
        metrics::Family::Rooms,
        metrics::Family::Trajectory,
        metrics::Family::Plausibility,
        metrics::Family::Annotation,
    ];
    // These judge lists of places, which the vectors do not have.
    let of_lists = ["point_score", "victims"];
    let computed = metrics::all().filter(|entry| !searched.contains(&entry.spec.family));
    for entry in computed.filter(|entry| !of_lists.contains(&entry.spec.id)) {
        assert!(listed.iter().any(|id| id == entry.spec.id), "conformance lacks {}", entry.spec.id);
    }
}
