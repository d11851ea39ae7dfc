//! What is judged, and what it is judged against: values with optional parts.

use std::sync::{Arc, OnceLock};

use align::{Anchoring, ProbedTruth};
use metrics::annotation::inputs::Annotations;
use metrics::contest::marked_points::MarkedPoint;
use model::{FiducialLayout, Finding, Grid, Relation, Trajectory};
use report::Input;

use crate::Loaded;

/// A map of cells, and whether its origin means anything.
#[derive(Clone, Debug, PartialEq)]
pub struct Map {
    /// The cells.
    pub grid: Arc<Grid>,
    /// Whether the origin was stated, or is only assumed to be (0, 0, 0).
    pub anchoring: Anchoring,
    probed: Probed,
}

/// What the look at frames made of the cells, as a truth for many maps; it follows from the cells, so that two maps are equal
/// whatever stands here.
#[derive(Clone, Debug, Default)]
struct Probed(Arc<OnceLock<Arc<ProbedTruth>>>);

impl PartialEq for Probed {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Map {
    /// A map whose origin means what it says.
    #[must_use]
    pub fn new(grid: Grid) -> Self {
        Self::anchored(grid, Anchoring::Given)
    }

    /// A map whose origin was stated or only assumed.
    #[must_use]
    pub fn anchored(grid: Grid, anchoring: Anchoring) -> Self {
        Self { grid: Arc::new(grid), anchoring, probed: Probed::default() }
    }

    /// The map as a truth whose frame others are held against: prepared once, also for clones.
    pub(crate) fn probed(&self) -> Arc<ProbedTruth> {
        let of_grid = || Arc::new(ProbedTruth::new(Arc::clone(&self.grid)));
        let known = self.probed.0.get_or_init(of_grid);
        // The cells may have been replaced since.
        if Arc::ptr_eq(known.grid(), &self.grid) { Arc::clone(known) } else { of_grid() }
    }
}

/// What is judged: one robot's results, of which any part may be missing.
#[derive(Clone, Debug, Default)]
pub struct Subject {
    /// Name in tables.
    pub name: String,
    /// The map.
    pub map: Option<Loaded<Map>>,
    /// Vector layers, detections and paths that belong to the map, in its coordinate frame.
    pub annotations: Option<Loaded<Annotations>>,
    /// Poses over time.
    pub trajectory: Option<Loaded<Trajectory>>,
    /// Odometry of the same run, for the association rule `filled`.
    pub odometry: Option<Loaded<Trajectory>>,
    /// Labelled points.
    pub points: Option<Loaded<Vec<MarkedPoint>>>,
}

/// What subjects are judged against, of which any part may be missing.
#[derive(Clone, Debug, Default)]
pub struct Truth {
    /// The ground-truth map.
    pub map: Option<Loaded<Map>>,
    /// Victims, labels and regions in the coordinate frame of the truth.
    pub annotations: Option<Loaded<Annotations>>,
    /// Where the fiducials stand, in the coordinate frame of the truth.
    pub layout: Option<Loaded<FiducialLayout>>,
    /// The true trajectory.
    pub trajectory: Option<Loaded<Trajectory>>,
    /// True displacements between timestamps.
    pub relations: Option<Loaded<Vec<Relation>>>,
    /// Where the labelled points are.
    pub points: Option<Loaded<Vec<MarkedPoint>>>,
    /// A map on which trajectories are drawn; no metric reads it.
    pub background: Option<Loaded<Map>>,
}

impl Subject {
    /// A subject with a map alone.
    #[must_use]
    pub fn of_map(name: impl Into<String>, map: Loaded<Map>) -> Self {
        Self { name: name.into(), map: Some(map), ..Self::default() }
    }
}

/// What a report says about one part of a case.
pub(crate) struct PartRecord {
    pub(crate) group: Group,
    role: &'static str,
    pub(crate) inputs: Vec<Input>,
    pub(crate) findings: Vec<Finding>,
}

/// Which metrics a part serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Group {
    Maps,
    SideInputs,
    Run,
    Points,
}

/// The parts that a case uses, in the order in which a report lists their files.
pub(crate) fn part_records(subject: &Subject, truth: &Truth) -> Vec<PartRecord> {
    fn record<T>(group: Group, role: &'static str, part: &Option<Loaded<T>>) -> Option<PartRecord> {
        let part = part.as_ref()?;
        let (inputs, findings) = (part.inputs(role), part.findings_as(role));
        Some(PartRecord { group, role, inputs, findings })
    }
    let all = [
        record(Group::Maps, "truth", &truth.map),
        record(Group::Maps, "map", &subject.map),
        record(Group::SideInputs, "layout", &truth.layout),
        record(Group::SideInputs, "annotations", &subject.annotations),
        record(Group::SideInputs, "truth_annotations", &truth.annotations),
        record(Group::Run, "trajectory", &subject.trajectory),
        record(Group::Run, "truth", &truth.trajectory),
        record(Group::Run, "relations", &truth.relations),
        record(Group::Run, "odometry", &subject.odometry),
        record(Group::Points, "truth", &truth.points),
        record(Group::Points, "submission", &subject.points),
    ];
    let is_used = |record: &PartRecord| match record.group {
        Group::Maps | Group::SideInputs => subject.map.is_some(),
        Group::Run => subject.trajectory.is_some(),
        Group::Points => subject.points.is_some(),
    };
    all.into_iter().flatten().filter(is_used).collect()
}

/// The findings of the readers about one group: those about references before those about the trajectory itself.
pub(crate) fn findings_of(records: &[PartRecord], group: Group) -> Vec<Finding> {
    let mut own: Vec<&PartRecord> = records.iter().filter(|record| record.group == group).collect();
    own.sort_by_key(|record| record.role == "trajectory");
    own.into_iter().flat_map(|record| record.findings.clone()).collect()
}
