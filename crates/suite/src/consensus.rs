//! Maps of one place judged against each other, without a ground truth.
//!
//! 1. every pair is aligned by the correlative search; pairs that are not certain do not count;
//! 2. the pairs are joined into one frame per map (`align::joint`), contradicting ones are dropped;
//! 3. each map is scored against what the others agree on (leave one out), and the regions where it stands alone are
//!    listed and drawn.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use align::joint::{Joint, Link, joint_frames};
use align::{
    AlignedGrids, Aligner, Correlative, MirrorTest, Resample, Verdict as Certainty, Window, common_grid,
};
use metrics::Case;
use metrics::plausibility::places::{groups, listed};
use model::{CellClass, Finding, Grid, Point2, Pose2};
use raster::consensus::Votes;
use raster::dilation::dilated;
use rayon::prelude::*;
use report::{Alignment, CasePictures, CaseReport, Figure, Image, Rgb, marked_png};
use serde_json::json;

use crate::evaluate::{grid_record_of, measure, new_report};
use crate::illustrate::{Pictures, illustrate};
use crate::inputs::{MapInput, case_names};
use crate::{Chosen, Evaluation, JobError, Reading, Verdict, choose};

/// Which maps, and which metrics.
#[derive(Clone, Debug, Default)]
pub struct ConsensusJob {
    /// The maps, at least three.
    pub maps: Vec<PathBuf>,
    /// How they are read.
    pub read: Reading,
    /// Ids and families; empty for all that apply.
    pub metrics: Vec<String>,
}

/// The judgement.
pub struct Consensus {
    /// One case per map that could be placed.
    pub evaluation: Evaluation,
    /// What most maps say.
    pub map: Grid,
    /// How the maps lie in the common frame.
    pub joint: Joint,
}

/// A wall farther than this from every wall of the others stands alone, metres.
const ALONE_M: f64 = 0.2;

/// Aligns the maps, builds their consensus, and scores each against that of the others. `progress` is told after each
/// pair how many pairs are aligned, and of how many.
///
/// # Errors
/// Fewer than three maps, a file that cannot be read, or fewer than three maps that can be placed in one frame.
pub fn consensus(
    job: &ConsensusJob,
    pictures: Pictures,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<Consensus, JobError> {
    if job.maps.len() < 3 {
        return Err(JobError::NoConsensus { maps: job.maps.len(), placed: 0 });
    }
    let options = job.read.options()?;
    let chosen = choose(&job.metrics, &std::collections::BTreeMap::new())?;
    let inputs = job.maps.iter().map(|path| MapInput::read(path, "map", &options));
    let inputs: Vec<MapInput> = inputs.collect::<Result<_, _>>()?;
    let middles: Vec<Point2> = inputs.iter().map(|input| middle_of(&input.grid)).collect();
    let links = links(&inputs, progress);
    let joint =
        joint_frames(&middles, &links).ok_or(JobError::NoConsensus { maps: inputs.len(), placed: 0 })?;
    let placed: Vec<usize> = (0..inputs.len()).filter(|&map| joint.frames[map].is_some()).collect();
    if placed.len() < 3 {
        return Err(JobError::NoConsensus { maps: inputs.len(), placed: placed.len() });
    }
    let planes = on_one_grid(&inputs, &joint, &placed)?;
    let geometry = *planes[0].geometry();
    let votes = Votes::of(planes.iter().map(|plane| plane.class_bytes()), geometry.width());
    let grid_of = |left_out: Option<usize>| {
        let classes = votes.majority(left_out).into_iter().map(class_of).collect();
        Grid::new(geometry, classes)
            .map_err(|error| JobError::CommonGrid { map: "consensus".to_owned(), source: error.into() })
    };
    let names = case_names(&job.maps);
    let judged = placed.par_iter().enumerate().map(|(index, &map)| {
        let others = Arc::new(grid_of(Some(index))?);
        let judged =
            Judged { input: &inputs[map], name: &names[map], frame: joint.frames[map].unwrap_or_default() };
        judge(&judged, others, &planes[index], &chosen, pictures)
    });
    let (cases, drawn): (Vec<_>, Vec<_>) = judged.collect::<Result<Vec<_>, JobError>>()?.into_iter().unzip();
    let pictures = drawn.into_iter().flatten().collect();
    let evaluation = Evaluation { report: new_report(cases), pictures, verdict: Verdict::Fine };
    Ok(Consensus { evaluation, map: grid_of(None)?, joint })
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
fn links(inputs: &[MapInput], progress: &(dyn Fn(usize, usize) + Sync)) -> Vec<Link> {
    let pairs: Vec<(usize, usize)> =
        (0..inputs.len()).flat_map(|second| (0..second).map(move |first| (first, second))).collect();
    let aligner = Correlative { mirror_test: MirrorTest::Skip, ..Correlative::default() };
    let done = AtomicUsize::new(0);
    let link = |&(first, second): &(usize, usize)| {
        let found = aligner.align(&inputs[first].grid, &inputs[second].grid);
        progress(done.fetch_add(1, Ordering::Relaxed) + 1, pairs.len());
        let found = found.ok()?;
        let frame = found.truth_from_map.filter(|_| found.certificate.verdict == Certainty::Certain)?;
        let weight = found.certificate.score.filter(|score| *score > 0.0)?;
        Some(Link { first, second, first_from_second: frame.pose(), weight })
    };
    pairs.par_iter().filter_map(link).collect()
}

/// The placed maps on cells that hold all of them.
fn on_one_grid(inputs: &[MapInput], joint: &Joint, placed: &[usize]) -> Result<Vec<Arc<Grid>>, JobError> {
    let reference = &inputs[joint.reference].grid;
    let together = |target: &Arc<Grid>, map: usize, window: Window| {
        let frame = joint.frames[map].unwrap_or_default();
        common_grid(target, &inputs[map].grid, frame, window, Resample::OccupiedWins)
            .map_err(|source| JobError::CommonGrid { map: inputs[map].path.display().to_string(), source })
    };
    let mut all = Arc::clone(reference);
    for &map in placed {
        all = together(&all, map, Window::Union)?.truth;
    }
    placed.iter().map(|&map| Ok(together(&all, map, Window::Truth)?.map)).collect()
}

struct Judged<'a> {
    input: &'a MapInput,
    name: &'a str,
    frame: Pose2,
}

/// One map against what the others agree on.
fn judge(
    judged: &Judged,
    others: Arc<Grid>,
    map: &Arc<Grid>,
    chosen: &[Chosen],
    pictures: Pictures,
) -> Result<(CaseReport, Option<CasePictures>), JobError> {
    let alone = Alone::of(&others, map);
    let grids = AlignedGrids { truth: others, map: Arc::clone(map), outside_free: 0, outside_occupied: 0 };
    let case = Case::new(grids);
    let asked = |c: &&Chosen| c.is_asked(&case);
    let invented = listed(&groups(map, &alone.invented));
    let missed = listed(&groups(map, &alone.missed));
    let report = CaseReport {
        name: judged.name.to_owned(),
        inputs: judged.input.records.clone(),
        alignment: Some(Alignment {
            method: "consensus".to_owned(),
            truth_from_map: judged.frame.into(),
            certificate: None,
        }),
        grid: grid_record_of(&case, "union", "occupied-wins"),
        metrics: chosen.iter().filter(asked).map(|c| measure(c, &case, None)).collect(),
        findings: judged.input.findings.iter().cloned().chain(alone.finding()).collect(),
        detail: Some(metrics::facts([(
            "outliers",
            json!({"walls_alone": invented, "walls_missed": missed}),
        )])),
    };
    let drawn = (pictures == Pictures::Draw).then(|| -> Result<CasePictures, JobError> {
        let mut drawn = illustrate(&case)?;
        drawn.figures.push(alone.figure(map)?);
        Ok(drawn)
    });
    Ok((report, drawn.transpose()?))
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
        const COLOURS: [Rgb; 5] =
            [[217, 217, 217], [255, 255, 255], [150, 150, 150], [213, 94, 0], [0, 114, 178]];
        let entry = |class: &CellClass| match class {
            CellClass::Unknown => 0,
            CellClass::Free => 1,
            CellClass::Occupied => 2,
        };
        let mut entries: Vec<u8> = map.classes().iter().map(entry).collect();
        self.invented.iter().for_each(|&cell| entries[cell] = 3);
        self.missed.iter().for_each(|&cell| entries[cell] = 4);
        let (width, height) = (map.geometry().width(), map.geometry().height());
        Ok(Figure {
            name: "outliers".to_owned(),
            title: "Where the map stands alone".to_owned(),
            caption: "Orange: walls that no other map has nearby. Blue: walls of the others that this map says are free. \
                      Grey: its other walls."
                .to_owned(),
            image: Image::Png(marked_png(&COLOURS, &entries, width, height)?),
        })
    }
}

#[cfg(test)]
mod tests {
    use sim::place::{OfficePlan, office};

    use super::*;

    /// A small office, moved, and with a wall of its own in the last map.
    fn maps(folder: &std::path::Path) -> Vec<PathBuf> {
        let place = office(&OfficePlan { seed: 3, cell_size_m: 0.1, ..OfficePlan::default() }).unwrap();
        let frames = [Pose2::IDENTITY, Pose2::new(1.0, 2.0, 0.3), Pose2::new(-3.0, 0.5, -0.2)];
        let write = |(number, frame): (usize, Pose2)| {
            let mut classes = place.classes().to_vec();
            if number == 2 {
                // A wall across the middle of the free space that no other map has.
                let free = (0..classes.len()).filter(|&cell| classes[cell] == CellClass::Free);
                let own: Vec<usize> = free.skip(classes.len() / 4).take(60).collect();
                own.iter().for_each(|&cell| classes[cell] = CellClass::Occupied);
            }
            let grid = Grid::new(place.geometry().moved_by(frame), classes).unwrap();
            let (yaml, pgm) = formats::write_ros_map(&grid, &format!("{number}.pgm"));
            std::fs::write(folder.join(format!("{number}.pgm")), pgm).unwrap();
            let path = folder.join(format!("{number}.yaml"));
            std::fs::write(&path, yaml).unwrap();
            path
        };
        frames.into_iter().enumerate().map(write).collect()
    }

    #[test]
    fn moved_maps_come_into_one_frame_and_the_odd_wall_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let job = ConsensusJob {
            maps: maps(folder.path()),
            metrics: vec!["picture_distance".to_owned()],
            ..ConsensusJob::default()
        };
        let found = consensus(&job, Pictures::Draw, &|_, _| {}).unwrap();
        assert!(found.joint.largest_gap_m < 0.1, "{:?}", found.joint);
        let outliers = |case: &CaseReport| case.detail.as_ref().unwrap()["outliers"]["walls_alone"].clone();
        assert!(!outliers(&found.evaluation.report.cases[2]).as_array().unwrap().is_empty());
        let value = |case: usize| found.evaluation.report.cases[case].metrics[0].value.unwrap();
        assert!(value(2) > value(0) && value(2) > value(1), "the map with a wall of its own is the worst");
        assert_eq!(found.evaluation.pictures[2].figures.last().unwrap().name, "outliers");
    }

    #[test]
    fn two_maps_are_no_consensus() {
        let folder = tempfile::tempdir().unwrap();
        let job = ConsensusJob { maps: maps(folder.path())[..2].to_vec(), ..ConsensusJob::default() };
        assert!(matches!(
            consensus(&job, Pictures::None, &|_, _| {}),
            Err(JobError::NoConsensus { maps: 2, .. })
        ));
    }
}
