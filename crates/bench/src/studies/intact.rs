//! `mapjudge-study intact`: which metrics tell intact maps from distorted ones, after the search for an alignment (the table
//! of `docs/lab.md`).
//!
//! The ten maps of slam-comparison-leo have position errors that say which are intact. Those of turtlebot3 and Halmstad have
//! none: there the published maps are the intact ones, and the distorted ones are copies of them that were bent or torn.

use std::path::{Path, PathBuf};

use mapjudge::lab::statistics::auc;
use mapjudge::{AlignBy, Loaded, Map, Plan, Subject, Truth, judge};
use metrics::Better;
use model::Grid;
use sim::damage::Chain;

use super::Findings;
use super::halves::{sorted, stem};
use crate::inputs::{BenchError, read};

/// The first is recommended, and must part all pairs; the others stand beside it.
const METRICS: [&str; 5] =
    ["wall_distortion", "occupied_iou", "tolerance_f1_area", "structural_similarity", "chamfer_distance"];
/// What a distorted copy went through.
const DISTORTIONS: [&str; 2] = ["bend=0.8m", "cut=0.4m"];
/// What a copy of a map of Halmstad went through, intact or distorted: nobody mapped these places twice alike.
const SECOND_RUN: &str = "noise=0.002,shift=0.4m,rotate=4deg";
/// How much of the place a whole map of turtlebot3 knows.
const WHOLE_SHARE: f64 = 0.9;

const WORLDS: [(&str, [(&str, bool); 5]); 2] = [
    (
        "abstract",
        [
            ("cartographer", true),
            ("gmapping", false),
            ("lidar_rtabmap", true),
            ("rgbd_rtabmap", true),
            ("slam_toolbox", false),
        ],
    ),
    (
        "office",
        [
            ("cartographer", true),
            ("gmapping", false),
            ("lidar_rtabmap", false),
            ("rgbd_rtabmap", true),
            ("slam_toolbox", false),
        ],
    ),
];
const PLACES: [&str; 3] = ["E5", "HIH", "KPT4A"];

pub fn run(data: &Path) -> Result<Findings, BenchError> {
    let mut findings = Findings { table: Vec::new(), missed: Vec::new() };
    let turtlebots = turtlebot(data, 1)?;
    let is_whole = |judged: &&Judged| judged.known_share >= Some(WHOLE_SHARE);
    let whole: Vec<Judged> = turtlebots.iter().filter(is_whole).cloned().collect();
    tell("leo", &leo(data)?, &mut findings);
    tell("turtlebot3", &turtlebots, &mut findings);
    tell("turtlebot3, maps that know 90 % of the place", &whole, &mut findings);
    tell("Halmstad", &halmstad(data, 2)?, &mut findings);
    Ok(findings)
}

/// A map that was judged.
#[derive(Clone, Debug)]
struct Judged {
    /// What it was made from.
    of: String,
    is_distorted: bool,
    /// How bad it is by each metric; none where the alignment is in doubt.
    badness: Vec<Option<f64>>,
    /// Share of the place that its intact original knows.
    known_share: Option<f64>,
}

/// Judges a map after the search for its alignment.
fn judged(of: &str, is_distorted: bool, map: &Grid, truth: &Grid) -> Result<Judged, BenchError> {
    let metrics = METRICS.iter().chain(&["known_coverage"]).map(|id| (*id).to_owned()).collect();
    let plan = Plan { metrics, align: AlignBy::Auto, ..Plan::default() };
    let loaded = |grid: &Grid| Loaded::in_memory(Map::new(grid.clone()));
    let truth = Truth { map: Some(loaded(truth)), ..Truth::default() };
    let report = judge(&Subject::of_map(of, loaded(map)), &truth, &plan).map_err(BenchError::study)?;
    let value = |id: &str| report.metric(id).and_then(|record| record.value);
    let badness = |id: &&str| {
        let is_higher_better = metrics::find(id).is_some_and(|entry| entry.spec.better == Better::Higher);
        value(id).map(|value| if is_higher_better { -value } else { value })
    };
    let (badness, known_share) = (METRICS.iter().map(badness).collect(), value("known_coverage"));
    Ok(Judged { of: of.to_owned(), is_distorted, badness, known_share })
}

/// The maps of two simulated worlds against their exact maps.
fn leo(data: &Path) -> Result<Vec<Judged>, BenchError> {
    let folder = data.join("slam-comparison-leo");
    let mut all = Vec::new();
    for (world, systems) in WORLDS {
        let truth = read(&folder.join(format!("ground_truths/{world}_ground_truth.yaml")))?;
        for (system, is_distorted) in systems {
            let map = read(&folder.join(format!("test_results/{world}/{system}_map.yaml")))?;
            all.push(judged(&format!("{world} {system}"), is_distorted, &map, &truth)?);
        }
    }
    Ok(all)
}

/// Maps of one world by variants of one mapper, and their distorted copies, against the reference map.
fn turtlebot(data: &Path, every: usize) -> Result<Vec<Judged>, BenchError> {
    let folder = data.join("turtlebot3-gmapping-variants");
    let truth = read(&folder.join("reference_map.pgm"))?;
    let mut all = Vec::new();
    for (path, seed) in some(&folder.join("maps"), "pgm", 0, every).into_iter().zip(1..) {
        let map = read(&path)?;
        let intact = judged(&stem(&path), false, &map, &truth)?;
        for distortion in DISTORTIONS {
            let distorted = judged(&intact.of, true, &damaged(&map, distortion, seed)?, &truth)?;
            all.push(Judged { known_share: intact.known_share, ..distorted });
        }
        all.push(intact);
    }
    Ok(all)
}

/// Maps of three places against themselves: intact and distorted copies, all of them noisy and moved. Of each place the second
/// map and after it every so many: with 2 those with even numbers.
fn halmstad(data: &Path, every: usize) -> Result<Vec<Judged>, BenchError> {
    let folder = data.join("halmstad-robot-maps/maps");
    let paths =
        PLACES.iter().flat_map(|place| some(&folder.join(place).join("pseudo_occupancy"), "png", 1, every));
    let mut all = Vec::new();
    for (path, seed) in paths.zip(1..) {
        let map = read(&path)?;
        let copy = |chain: &str, is_distorted| {
            judged(&stem(&path), is_distorted, &damaged(&map, chain, seed)?, &map)
        };
        all.push(copy(SECOND_RUN, false)?);
        for distortion in DISTORTIONS {
            all.push(copy(&format!("{distortion},{SECOND_RUN}"), true)?);
        }
    }
    Ok(all)
}

fn some(folder: &Path, extension: &str, first: usize, every: usize) -> Vec<PathBuf> {
    sorted(folder, extension).into_iter().skip(first).step_by(every).collect()
}

fn damaged(map: &Grid, chain: &str, seed: u64) -> Result<Grid, BenchError> {
    let chain: Chain = chain.parse().map_err(BenchError::study)?;
    Ok(chain.apply(map, seed).map_err(BenchError::study)?.map)
}

/// Adds the lines of a set.
fn tell(set: &str, all: &[Judged], findings: &mut Findings) {
    let count = |is_distorted| all.iter().filter(|one| one.is_distorted == is_distorted).count();
    let in_doubt =
        all.iter().filter(|one| one.is_distorted && one.badness.iter().all(Option::is_none)).count();
    findings.table.push(format!(
        "{set}: {} intact, {} distorted, {in_doubt} of these in doubt where they lie",
        count(false),
        count(true)
    ));
    for (metric, id) in METRICS.iter().enumerate() {
        let of = |is_distorted| -> Vec<f64> {
            let own = all.iter().filter(|one| one.is_distorted == is_distorted);
            own.filter_map(|one| one.badness[metric]).collect()
        };
        let (intact, distorted) = (of(false), of(true));
        let area = auc(&distorted, &intact);
        let worst_intact = intact.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let best_distorted = distorted.iter().copied().fold(f64::INFINITY, f64::min);
        let (won, pairs) = beside_its_own(all, metric);
        let line = format!(
            "  {id:<22} AUC {}  worst intact {:.4}, best distorted {:.4}, worse than its own intact map {won} of {pairs}",
            area.map_or("-".to_owned(), |area| format!("{area:.4}")),
            worst_intact.abs(),
            best_distorted.abs(),
        );
        findings.line(line, metric > 0 || area == Some(1.0));
    }
}

/// In how many pairs of a distorted map and its own intact one the distorted one is the worse, and of how many.
fn beside_its_own(all: &[Judged], metric: usize) -> (usize, usize) {
    let (mut won, mut pairs) = (0, 0);
    for one in all.iter().filter(|one| one.is_distorted) {
        let intact = all.iter().find(|other| !other.is_distorted && other.of == one.of);
        let Some((own, intact)) = one.badness[metric].zip(intact.and_then(|intact| intact.badness[metric]))
        else {
            continue;
        };
        pairs += 1;
        won += usize::from(own > intact);
    }
    (won, pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One map of each place, and three of turtlebot3; the ten of leo stand in `separation` of the command line.
    #[test]
    fn wall_distortion_parts_intact_maps_from_distorted_ones() {
        let Some(data) = testkit::shared_data("halmstad-robot-maps") else { return };
        let data = data.parent().unwrap();
        let mut findings = Findings { table: Vec::new(), missed: Vec::new() };
        tell("turtlebot3", &turtlebot(data, 8).unwrap(), &mut findings);
        tell("Halmstad", &halmstad(data, 14).unwrap(), &mut findings);
        assert!(findings.missed.is_empty(), "{:#?}", findings.table);
    }
}
