//! Every vector of `conformance/vectors` through the whole line: read, align, measure.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use formats::ReadOptions;
use mapjudge::AlignBy;
use mapjudge::conform::{Expected, Vector, VectorKind, VectorSet};
use mapjudge::files::{Job, evaluate};
use report::ConformAnswer;
use serde_json::Value;

fn place(vector: &Vector, file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/vectors").join(&vector.name).join(file)
}

fn job(vector: &Vector, expected: &Expected) -> Job {
    let mut job = Job::default();
    match vector.kind {
        VectorKind::Run if expected.metric == "relative_displacement" => {
            job.inputs.trajectories = vec![place(vector, "estimate.tum")];
            job.inputs.relations = Some(place(vector, "truth.relations"));
        }
        VectorKind::Run => {
            job.inputs.trajectories = vec![place(vector, "estimate.tum")];
            job.inputs.truth_trajectory = Some(place(vector, "truth.tum"));
        }
        _ => {
            job.inputs.truth = Some(place(vector, "truth.txt"));
            job.inputs.maps = vec![place(vector, "map.txt")];
            job.plan.align = AlignBy::None;
            job.read.resolution_m = Some(1.0);
        }
    }
    let params: BTreeMap<String, Value> = expected.params.clone().into_iter().collect();
    job.plan.metrics = vec![expected.metric.clone()];
    job.plan.set = BTreeMap::from([(expected.metric.clone(), params)]);
    job
}

/// The value, with status and reasons for maps; reasons about trajectories name poses that only we count.
fn fault(vector: &Vector, expected: &Expected) -> Option<String> {
    if vector.kind == VectorKind::Reader {
        return reader_fault(vector, expected);
    }
    let report = evaluate(&job(vector, expected), &|_| {}).unwrap().report;
    let found = report.cases[0].metrics.iter().find(|record| record.id == expected.metric).unwrap();
    let reasons: Vec<&str> = found.reasons.iter().map(|reason| reason.code()).collect();
    let status = serde_json::to_value(found.status).unwrap();
    let is_told =
        vector.kind == VectorKind::Run || (reasons == expected.reasons && status == expected.status);
    let same = expected.is_met_by(found.value.map(ConformAnswer::Number).as_ref()) && is_told;
    (!same).then(|| format!("{}: {expected:?} but found {:?} {reasons:?}", vector.name, found.value))
}

fn reader_fault(vector: &Vector, expected: &Expected) -> Option<String> {
    let options = ReadOptions {
        treat_205_as_unknown: expected.params.contains_key("treat_205_as_unknown"),
        ..ReadOptions::default()
    };
    let map = formats::read_map(&place(vector, "map.yaml"), &options).unwrap();
    let found = ConformAnswer::Cells(testkit::rows(&map.grid));
    (!expected.is_met_by(Some(&found))).then(|| format!("{}: {expected:?} but found {found:?}", vector.name))
}

#[test]
fn every_vector_gives_the_expected_value_of_every_metric() {
    let set = VectorSet::builtin().unwrap();
    let all =
        set.vectors.iter().flat_map(|vector| vector.expected.iter().map(move |expected| (vector, expected)));
    let all: Vec<_> = all.collect();
    let wrong: Vec<String> = all.iter().filter_map(|(vector, expected)| fault(vector, expected)).collect();
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), all.len(), wrong.join("\n"));
    assert!(all.len() > 2500, "only {} values: are the vectors there?", all.len());
}

#[test]
fn every_metric_has_vectors() {
    let set = VectorSet::builtin().unwrap();
    let listed = set.metrics();
    // These families are searched, not computed by a formula: a reference would be a second program. The worked examples
    // of the specification are tests beside the code. Of trajectories the vectors have what others compute too.
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
        assert!(listed.contains(&entry.spec.id), "conformance lacks {}", entry.spec.id);
    }
}
