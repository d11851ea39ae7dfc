//! `mapjudge-study align`: the correlative search on real maps whose right transforms are known (spec 07, measured table).
//!
//! Robot maps of Halmstad to their floor plans and to each other (key points clicked by hand), turtlebot3 maps and
//! intact maps of slam-comparison-leo under random rotations (transforms from the files).

mod key_points;
pub mod turned;

use std::path::{Path, PathBuf};

use align::{Aligner, Alignment, Allowance, Correlative, Detector, Features, FourierMellin, Mirror, Verdict};
use formats::{ReadOptions, read_map};
use model::{Grid, Similarity2};

use super::{Findings, median};
use crate::inputs::BenchError;
use crate::measure::cpu_s;
use key_points::KeyPoints;
use turned::turned;

/// Median error in pixels or cells at which an alignment is wrong.
const WRONG_PX: f64 = 40.0;
const WRONG_CELLS: f64 = 5.0;

pub fn run(data: &Path) -> Result<Findings, BenchError> {
    let search = Correlative::default();
    let rows = [plans(data, &scales(PLAN_SCALES))?, pairs(data)?, turtlebot(data)?, leo(data, &search)?];
    let mut findings = Findings { table: Vec::new(), missed: Vec::new() };
    for row in &rows {
        findings.table.extend(row.lines());
        findings.missed.extend(row.missed());
    }
    judge_certainty(&rows[..3], &mut findings);
    mirrors(data, &mut findings)?;
    Ok(findings)
}

/// `mapjudge-study aligners`: the other methods on plans and on intact maps, for comparison; nothing must hold.
pub fn compare(data: &Path) -> Result<Findings, BenchError> {
    let mut table = Vec::new();
    let features = |detector, allowance| Features { allowance, detector };
    let (plan, metric) = (allowance(PLAN_SCALES), Allowance::default());
    let methods: [[&dyn Aligner; 2]; 3] = [
        [&features(Detector::Corner, plan), &features(Detector::Corner, metric)],
        [&features(Detector::Surf, plan), &features(Detector::Surf, metric)],
        [&FourierMellin { allowance: plan }, &FourierMellin { allowance: metric }],
    ];
    for [on_plans, on_truths] in methods {
        for row in [plans(data, on_plans)?, leo(data, on_truths)?] {
            table.extend(row.lines().last().map(|line| format!("{}: {line}", on_plans.method().name())));
        }
    }
    Ok(Findings { table, missed: Vec::new() })
}

/// One alignment of a row.
struct Outcome {
    name: String,
    error: f64,
    /// Processor time.
    seconds: f64,
    alignment: Alignment,
}

impl Outcome {
    fn of(
        name: String,
        aligner: &dyn Aligner,
        truth: &Grid,
        map: &Grid,
        error: impl Fn(Similarity2) -> f64,
    ) -> Result<Self, BenchError> {
        let start_s = cpu_s();
        let alignment = aligner.align(truth, map).map_err(BenchError::no_value)?;
        let seconds = cpu_s() - start_s;
        let error = alignment.truth_from_map.map_or(f64::INFINITY, error);
        Ok(Self { name, error, seconds, alignment })
    }

    fn is_certain(&self) -> bool {
        self.alignment.certificate.verdict == Verdict::Certain
    }

    fn line(&self) -> String {
        let certificate = &self.alignment.certificate;
        let number = |value: Option<f64>| value.map_or("-".to_owned(), |v| format!("{v:.3}"));
        format!(
            "  {:<34} error {:>8.2}  S {} S2 {} c {}  mirror {} {:?}  overlap {}  {:?}  {:.2} s",
            self.name,
            self.error,
            number(certificate.score),
            number(certificate.second_score),
            number(certificate.value),
            number(certificate.mirror_score),
            certificate.mirror,
            number(certificate.overlap),
            certificate.verdict,
            self.seconds
        )
    }
}

/// One row of the table of R-ALIGN.
struct Row {
    title: &'static str,
    outcomes: Vec<Outcome>,
    /// Median error at which an alignment is wrong.
    wrong: f64,
    /// At least this many must lie below this error.
    must: (usize, f64),
    /// Limits of the median of all errors and of the time of each.
    median: f64,
    seconds: f64,
}

impl Row {
    fn below(&self, limit: f64) -> usize {
        self.outcomes.iter().filter(|outcome| outcome.error < limit).count()
    }

    fn median(&self) -> f64 {
        median(self.outcomes.iter().map(|outcome| outcome.error))
    }

    fn slowest(&self) -> f64 {
        self.outcomes.iter().map(|outcome| outcome.seconds).fold(0.0, f64::max)
    }

    fn lines(&self) -> Vec<String> {
        let summary = format!(
            "{}: {} of {} below {}, {} below {}, median {:.2}, slowest {:.2} s, {} certain, of these {} wrong",
            self.title,
            self.below(self.must.1),
            self.outcomes.len(),
            self.must.1,
            self.below(self.wrong),
            self.wrong,
            self.median(),
            self.slowest(),
            self.outcomes.iter().filter(|outcome| outcome.is_certain()).count(),
            self.outcomes
                .iter()
                .filter(|outcome| outcome.is_certain() && outcome.error >= self.wrong)
                .count(),
        );
        self.outcomes.iter().map(Outcome::line).chain([summary]).collect()
    }

    fn missed(&self) -> Vec<String> {
        let (count, limit) = self.must;
        let held = [
            (self.below(limit) >= count, format!("{}: fewer than {count} below {limit}", self.title)),
            (self.median() <= self.median, format!("{}: median above {}", self.title, self.median)),
            (self.slowest() <= self.seconds, format!("{}: slower than {} s", self.title, self.seconds)),
        ];
        held.into_iter().filter(|(held, _)| !held).map(|(_, text)| text).collect()
    }
}

fn judge_certainty(rows: &[Row], findings: &mut Findings) {
    let certain = |row: &Row| row.outcomes.iter().filter(|o| o.is_certain()).count();
    let wrong = |row: &Row| row.outcomes.iter().filter(|o| o.is_certain() && o.error >= row.wrong).count();
    let (all, certain, wrong): (usize, usize, usize) = (
        rows.iter().map(|row| row.outcomes.len()).sum(),
        rows.iter().map(certain).sum(),
        rows.iter().map(wrong).sum(),
    );
    findings.table.push(format!("certain: {certain} of {all}, of these wrong: {wrong}"));
    if wrong > 0 || certain < 105 {
        findings.missed.push(format!("certain {certain} times (at least 105), wrong {wrong} times (never)"));
    }
}

/// Robot maps to the floor plans of their places, scale unknown.
fn plans(data: &Path, aligner: &dyn Aligner) -> Result<Row, BenchError> {
    let mut outcomes = Vec::new();
    for (place, maps) in PLACES {
        let plan = format!("{place}_layout");
        for map in (1..=*maps).map(|number| format!("{place}_{number:02}")) {
            outcomes.push(halmstad(data, aligner, place, &map, &plan)?);
        }
    }
    let title = "robot maps to floor plans";
    Ok(Row { title, outcomes, wrong: WRONG_PX, must: (21, 20.0), median: 10.0, seconds: 2.0 })
}

/// Each two robot maps of one place.
fn pairs(data: &Path) -> Result<Row, BenchError> {
    let params = scales((0.9, 1.1));
    let mut outcomes = Vec::new();
    for (place, maps) in PLACES {
        for first in 1..=*maps {
            for second in first + 1..=*maps {
                let [map, truth] = [first, second].map(|number| format!("{place}_{number:02}"));
                outcomes.push(halmstad(data, &params, place, &map, &truth)?);
            }
        }
    }
    let title = "pairs of robot maps";
    Ok(Row { title, outcomes, wrong: WRONG_PX, must: (90, WRONG_PX), median: f64::INFINITY, seconds: 2.0 })
}

/// Scales of a map on a plan of unknown scale.
const PLAN_SCALES: (f64, f64) = (0.55, 1.8);

fn scales(range: (f64, f64)) -> Correlative {
    Correlative { allowance: allowance(range), ..Correlative::default() }
}

fn allowance((scale_min, scale_max): (f64, f64)) -> Allowance {
    Allowance { scale_min, scale_max, ..Allowance::default() }
}

const PLACES: &[(&str, usize)] = &[("E5", 14), ("HIH", 4), ("KPT4A", 4)];

fn halmstad(
    data: &Path,
    aligner: &dyn Aligner,
    place: &str,
    map: &str,
    truth: &str,
) -> Result<Outcome, BenchError> {
    let folder = data.join("halmstad-robot-maps");
    let read = |name: &str| {
        let kind = if name.ends_with("layout") { "layout" } else { "pseudo_occupancy" };
        let path = folder.join("maps").join(place).join(kind).join(format!("{name}.png"));
        let options = ReadOptions { resolution_m: Some(1.0), ..ReadOptions::default() };
        Ok::<_, BenchError>(read_map(&path, &options)?.grid)
    };
    let key_points = KeyPoints::read(&folder.join("annotations_csv"), map, truth)?;
    let error = |found| key_points.median_error(found);
    Outcome::of(format!("{map} on {truth}"), aligner, &read(truth)?, &read(map)?, error)
}

/// Maps of one world under random rotations; the files share one coordinate frame.
fn turtlebot(data: &Path) -> Result<Row, BenchError> {
    let folder = data.join("turtlebot3-gmapping-variants");
    let truth = read_ros(&folder.join("reference_map.pgm"))?;
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder.join("maps"))
        .map_err(BenchError::no_value)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "pgm"))
        .collect();
    files.sort();
    let mut outcomes = Vec::new();
    for (index, file) in files.iter().enumerate() {
        outcomes.push(under_turn(&Correlative::default(), &truth, &read_ros(file)?, index, &name_of(file))?);
    }
    let title = "turtlebot3 maps, turned";
    let must = (outcomes.len(), WRONG_CELLS);
    Ok(Row { title, outcomes, wrong: WRONG_CELLS, must, median: f64::INFINITY, seconds: 0.5 })
}

/// Maps of slam-comparison-leo that no one would call distorted.
const INTACT: &[(&str, &[&str])] = &[
    ("abstract", &["gmapping", "slam_toolbox"]),
    ("office", &["gmapping", "slam_toolbox", "lidar_rtabmap"]),
];

fn leo(data: &Path, aligner: &dyn Aligner) -> Result<Row, BenchError> {
    let mut outcomes = Vec::new();
    for (world, systems) in INTACT {
        for system in *systems {
            let (truth, map) = leo_pair(data, world, system)?;
            for turn in 0..4 {
                let name = format!("{world} {system}");
                outcomes.push(under_turn(aligner, &truth, &map, turn + 7 * outcomes.len(), &name)?);
            }
        }
    }
    let title = "intact maps of leo, turned";
    Ok(Row { title, outcomes, wrong: 4.0, must: (20, 4.0), median: f64::INFINITY, seconds: 0.5 })
}

fn leo_pair(data: &Path, world: &str, system: &str) -> Result<(Grid, Grid), BenchError> {
    let folder = data.join("slam-comparison-leo");
    let truth = folder.join(format!("ground_truths/{world}_ground_truth.yaml"));
    let map = folder.join(format!("test_results/{world}/{system}_map.yaml"));
    Ok((read_ros(&truth)?, read_ros(&map)?))
}

/// Mirrored maps must be called so, unless the world is symmetric.
fn mirrors(data: &Path, findings: &mut Findings) -> Result<(), BenchError> {
    for (world, systems) in INTACT {
        for system in *systems {
            let (truth, map) = leo_pair(data, world, system)?;
            let mirrored = if *world == "office" { turned::mirrored(&map)? } else { map };
            let expected = if *world == "office" { Mirror::Mirrored } else { Mirror::MirrorUndecided };
            let outcome = Outcome::of(
                format!("{world} {system} for its mirror"),
                &Correlative::default(),
                &truth,
                &mirrored,
                |_| 0.0,
            )?;
            findings.table.push(outcome.line());
            let found = outcome.alignment.certificate.mirror;
            if found != expected {
                findings.missed.push(format!("{}: {found:?}, expected {expected:?}", outcome.name));
            }
        }
    }
    Ok(())
}

fn read_ros(path: &Path) -> Result<Grid, BenchError> {
    let options = ReadOptions {
        resolution_m: Some(0.05),
        free_thresh: Some(0.196),
        treat_205_as_unknown: true,
        ..ReadOptions::default()
    };
    Ok(read_map(path, &options)?.grid)
}

fn name_of(path: &Path) -> String {
    path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
}

/// Turns a map at random and asks for the transform; the error is that of the corners of its known part, in cells.
fn under_turn(
    aligner: &dyn Aligner,
    truth: &Grid,
    map: &Grid,
    seed: usize,
    name: &str,
) -> Result<Outcome, BenchError> {
    let (moved, moved_from_map) = turned(map, seed)?;
    let error = |found: Similarity2| {
        let corners = turned::known_corners(map);
        let distance = |&corner: &model::Point2| {
            let there = found * (moved_from_map * corner);
            there.distance_m(corner) / truth.geometry().cell_size_m()
        };
        median(corners.iter().map(distance))
    };
    Outcome::of(format!("{name} #{seed}"), aligner, truth, &moved, error)
}
