//! Maps of one place judged against each other, without a ground truth.
//!
//! 1. every pair is aligned by the correlative search; pairs that are not certain do not count;
//! 2. the pairs are joined into one frame per map (`align::joint`), contradicting ones are dropped;
//! 3. each map is scored against what the others agree on (leave one out), and the regions where it stands alone are
//!    listed and drawn.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use align::joint::{Joint, Link, joint_frames};
use align::{
    Aligner, Alignment, Correlative, Method, MirrorTest, Resample, Verdict as Certainty, Window, common_grid,
};
use metrics::plausibility::places::{groups, listed};
use model::{CellClass, Finding, Grid, MemoryNeed, Point2, Pose2};
use raster::consensus::Votes;
use raster::dilation::dilated;
use rayon::prelude::*;
use report::{CaseReport, Figure, Layer, Report, Rgb};
use serde_json::json;

use crate::judge::add_facts;
use crate::{AlignmentFile, Figures, JobError, Loaded, Map, Plan, Subject, Truth, judge, new_report};

/// The judgement.
pub struct Consensus {
    /// One case per map that could be placed.
    pub report: Report,
    /// What most maps say.
    pub map: Grid,
    /// How the maps lie in the common frame.
    pub joint: Joint,
}

/// A wall farther than this from every wall of the others stands alone, metres.
const ALONE_M: f64 = 0.2;

/// Aligns the maps, builds their consensus, and scores each against that of the others. `progress` is told after each
/// pair how many pairs are aligned, and of how many. Of the plan, metrics and their parameters and figures count.
///
/// # Errors
/// Fewer than three maps, or fewer than three that can be placed in one coordinate frame.
pub fn consensus(
    members: &[Subject],
    plan: &Plan,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<Consensus, JobError> {
    let maps: Vec<&Loaded<Map>> = members.iter().filter_map(|member| member.map.as_ref()).collect();
    let too_few = |placed| JobError::NoConsensus { maps: members.len(), placed };
    if maps.len() < 3 || maps.len() < members.len() {
        return Err(too_few(0));
    }
    let grids: Vec<&Arc<Grid>> = maps.iter().map(|map| &map.value.grid).collect();
    let middles: Vec<Point2> = grids.iter().map(|grid| middle_of(grid)).collect();
    let links = links(&grids, progress);
    let joint = joint_frames(&middles, &links).ok_or_else(|| too_few(0))?;
    let placed: Vec<usize> = (0..maps.len()).filter(|&map| joint.frames[map].is_some()).collect();
    if placed.len() < 3 {
        return Err(too_few(placed.len()));
    }
    let planes = on_one_grid(members, &grids, &joint, &placed)?;
    let geometry = *planes[0].geometry();
    let votes = Votes::of(planes.iter().map(|plane| plane.class_bytes()), geometry.width());
    let grid_of = |left_out: Option<usize>| {
        let classes = votes.majority(left_out).into_iter().map(class_of).collect();
        Grid::new(geometry, classes)
            .map_err(|error| JobError::CommonGrid { map: "consensus".to_owned(), source: error.into() })
    };
    let judged = placed.par_iter().enumerate().map(|(index, &map)| {
        let others = grid_of(Some(index))?;
        judge_member(&members[map], joint.frames[map].unwrap_or_default(), others, &planes[index], plan)
    });
    let cases = judged.collect::<Result<_, JobError>>()?;
    Ok(Consensus { report: new_report(cases), map: grid_of(None)?, joint })
}

fn middle_of(grid: &Grid) -> Point2 {
    let geometry = grid.geometry();
    geometry.world_of_grid_point(geometry.width() as f64 / 2.0, geometry.height() as f64 / 2.0)
}

const fn class_of(byte: u8) -> CellClass {
    match byte {
        0 => CellClass::Free,
        2 => CellClass::Occupied,
        _ => CellClass::Unknown,
    }
}

/// The certain alignments of all pairs.
fn links(grids: &[&Arc<Grid>], progress: &(dyn Fn(usize, usize) + Sync)) -> Vec<Link> {
    let pairs: Vec<(usize, usize)> =
        (0..grids.len()).flat_map(|second| (0..second).map(move |first| (first, second))).collect();
    let aligner = Correlative { mirror_test: MirrorTest::Skip, ..Correlative::default() };
    let done = AtomicUsize::new(0);
    let link = |&(first, second): &(usize, usize)| {
        let found = aligner.align(grids[first], grids[second]);
        progress(done.fetch_add(1, Ordering::Relaxed) + 1, pairs.len());
        let found = found.ok()?;
        let frame = found.truth_from_map.filter(|_| found.certificate.verdict == Certainty::Certain)?;
        let weight = found.certificate.score.filter(|score| *score > 0.0)?;
        Some(Link { first, second, first_from_second: frame.pose(), weight })
    };
    pairs.par_iter().filter_map(link).collect()
}

/// The placed maps on cells that hold all of them.
fn on_one_grid(
    members: &[Subject],
    grids: &[&Arc<Grid>],
    joint: &Joint,
    placed: &[usize],
) -> Result<Vec<Arc<Grid>>, JobError> {
    let together = |target: &Arc<Grid>, map: usize, window: Window| {
        let pose = joint.frames[map].unwrap_or_default();
        common_grid(target, grids[map], pose, window, Resample::OccupiedWins)
            .map_err(|source| JobError::CommonGrid { map: members[map].name.clone(), source })
    };
    let mut all = Arc::clone(grids[joint.reference]);
    for &map in placed {
        all = together(&all, map, Window::Union)?.truth;
    }
    // A plane and a vote per map, and what scoring one of them takes.
    let need = MemoryNeed::new(all.geometry().cells(), 2 * placed.len() as u64 + 32);
    need.check()?;
    placed.iter().map(|&map| Ok(together(&all, map, Window::Truth)?.map)).collect()
}

/// One map against what the others agree on.
fn judge_member(
    member: &Subject,
    pose: Pose2,
    others: Grid,
    plane: &Arc<Grid>,
    plan: &Plan,
) -> Result<CaseReport, JobError> {
    let alone = Alone::of(&others, plane);
    let truth = Truth { map: Some(Loaded::in_memory(Map::new(others))), ..Truth::default() };
    let transform = Some(Alignment::given(Method::Consensus, pose.into()));
    let transform = transform.map(AlignmentFile::new);
    let plan = Plan { transform, window: Window::Truth, resample: Resample::OccupiedWins, ..plan.clone() };
    let mut report = judge(member, &truth, &plan)?;
    let invented = listed(&groups(plane, &alone.invented));
    let missed = listed(&groups(plane, &alone.missed));
    add_facts(&mut report, "outliers", json!({"walls_alone": invented, "walls_missed": missed}));
    report.findings.extend(alone.finding());
    if plan.figures == Figures::Draw {
        report.figures.push(alone.figure(plane)?);
    }
    Ok(report)
}

/// Where a map stands alone: walls that no other has nearby, and walls of the others that it says are free.
struct Alone {
    invented: Vec<usize>,
    missed: Vec<usize>,
}

impl Alone {
    fn of(others: &Grid, map: &Grid) -> Self {
        let width = map.geometry().width();
        let reach = (ALONE_M / map.geometry().cell_size_m()).round() as usize;
        let near = |grid: &Grid| {
            let walls: Vec<u8> = grid.classes().iter().map(|c| u8::from(*c == CellClass::Occupied)).collect();
            dilated(&walls, width, reach)
        };
        let stands_alone = |walls: &Grid, other: &Grid| -> Vec<usize> {
            let near_other = near(other);
            let is_alone = |&cell: &usize| {
                walls.classes()[cell] == CellClass::Occupied
                    && other.classes()[cell] == CellClass::Free
                    && near_other[cell] == 0
            };
            (0..walls.classes().len()).filter(is_alone).collect()
        };
        Self { invented: stands_alone(map, others), missed: stands_alone(others, map) }
    }

    fn finding(&self) -> Option<Finding> {
        let (invented, missed) = (self.invented.len(), self.missed.len());
        (invented + missed > 0).then(|| {
            let message = format!(
                "{invented} wall cells that no other map has nearby, {missed} wall cells of the others that this one \
                 says are free"
            );
            Finding::new(model::Level::Info, "STANDS_ALONE", message)
        })
    }

    fn figure(&self, map: &Grid) -> Result<Figure, JobError> {
        const MAP: [(Rgb, &str); 3] = [([217; 3], "unknown"), ([255; 3], "free"), ([150; 3], "other wall")];
        let entry = |class: &CellClass| match class {
            CellClass::Unknown => 0,
            CellClass::Free => 1,
            CellClass::Occupied => 2,
        };
        let of_cells = |cells: &[usize]| cells.iter().map(|&cell| cell as u32).collect();
        let lines = [
            ([213, 94, 0], "wall that no other map has nearby", of_cells(&self.invented)),
            ([0, 114, 178], "wall of the others that this map says is free", of_cells(&self.missed)),
        ];
        let layers = vec![
            Layer::cells("map", map.geometry(), map.classes().iter().map(entry).collect(), &MAP),
            Layer::lines("outliers", map.geometry(), &lines)?,
        ];
        let caption = "Orange: walls that no other map has nearby. Blue: walls of the others that this map says are free. \
                       Grey: its other walls.";
        Ok(Figure::new("outliers", "Where the map stands alone", caption, layers))
    }
}

#[cfg(test)]
mod tests {
    use sim::place::{OfficePlan, office};

    use super::*;

    /// A small office, moved, and with a wall of its own in the last map.
    fn members() -> Vec<Subject> {
        let place = office(&OfficePlan { seed: 3, cell_size_m: 0.1, ..OfficePlan::default() }).unwrap();
        let poses = [Pose2::IDENTITY, Pose2::new(1.0, 2.0, 0.3), Pose2::new(-3.0, 0.5, -0.2)];
        let member = |(number, pose): (usize, Pose2)| {
            let mut classes = place.classes().to_vec();
            if number == 2 {
                // A wall across the middle of the free space that no other map has.
                let free = (0..classes.len()).filter(|&cell| classes[cell] == CellClass::Free);
                let own: Vec<usize> = free.skip(classes.len() / 4).take(60).collect();
                own.iter().for_each(|&cell| classes[cell] = CellClass::Occupied);
            }
            let grid = Grid::new(place.geometry().moved_by(pose), classes).unwrap();
            Subject::of_map(number.to_string(), Loaded::in_memory(Map::new(grid)))
        };
        poses.into_iter().enumerate().map(member).collect()
    }

    #[test]
    fn moved_maps_come_into_one_frame_and_the_odd_wall_is_found() {
        let metrics = vec!["picture_distance".to_owned()];
        let plan = Plan { metrics, figures: Figures::Draw, ..Plan::default() };
        let found = consensus(&members(), &plan, &|_, _| {}).unwrap();
        assert!(found.joint.largest_gap_m < 0.1, "{:?}", found.joint);
        let outliers = |case: &CaseReport| case.detail.as_ref().unwrap()["outliers"]["walls_alone"].clone();
        assert!(!outliers(&found.report.cases[2]).as_array().unwrap().is_empty());
        let value = |case: usize| found.report.cases[case].metrics[0].value.unwrap();
        assert!(value(2) > value(0) && value(2) > value(1), "the map with a wall of its own is the worst");
        assert_eq!(found.report.cases[2].figures.last().unwrap().name, "outliers");
    }

    #[test]
    fn two_maps_are_no_consensus() {
        let found = consensus(&members()[..2], &Plan::default(), &|_, _| {});
        assert!(matches!(found, Err(JobError::NoConsensus { maps: 2, .. })));
    }
}
