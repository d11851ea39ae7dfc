//! The report of a lab from its rows.

use std::collections::BTreeMap;

use metrics::MetricSpec;
use model::SeededRng;
use report::{LAB_SCHEMA, LabCurve, LabKind, LabMap, LabMetric, LabReport};

use super::answers::{OnMap, answer};
use super::badness::badness;
use super::change::{INVARIANCES, LabChange};
use super::plan::LabPlan;
use super::row::{LabRow, LabRows};
use super::statistics::{clusters, mean, spearman};
use crate::{Loaded, Map};

/// Resamples of maps.
const RESAMPLES: usize = 1000;
/// With fewer maps an interval would say more than is known.
const MIN_MAPS: usize = 5;
/// Metrics nearer than this say the same: 1 - |rho|.
const SAME_DISTANCE: f64 = 0.1;

/// How often each map counts in each resample.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LabDraws(pub Vec<Vec<u32>>);

impl LabDraws {
    fn new(maps: usize, seed: u64) -> Self {
        if maps < MIN_MAPS {
            return Self::default();
        }
        let mut rng = SeededRng::new(seed).stream(7);
        Self((0..RESAMPLES).map(|_| rng.resample_counts(maps)).collect())
    }

    /// One line per resample, one column per map.
    #[must_use]
    pub fn csv(&self) -> String {
        let line = |times: &Vec<u32>| times.iter().map(u32::to_string).collect::<Vec<_>>().join(",") + "\n";
        self.0.iter().map(line).collect()
    }
}

/// Sums up the rows of a lab.
#[must_use]
pub fn sum_up(maps: &[(String, Loaded<Map>)], plan: &LabPlan, rows: &LabRows) -> (LabReport, LabDraws) {
    let draws = LabDraws::new(maps.len(), plan.seed);
    let specs: Vec<&'static MetricSpec> =
        rows.metrics.iter().filter_map(|id| metrics::find(id)).map(|entry| entry.spec).collect();
    let bad = Badness::of(rows, &specs);
    let mut answers = Vec::new();
    let mut curves: Vec<Vec<LabCurve>> = Vec::new();
    for (index, spec) in specs.iter().enumerate() {
        for kind in &plan.kinds {
            let levels = plan.levels_of(kind);
            let on_maps: Vec<OnMap> =
                (0..maps.len()).map(|map| bad.on_map(map, index, kind.spec.name, &levels)).collect();
            answers.push(answer((spec.id, kind.spec.name), &on_maps, &levels, &draws.0));
            curves.push(on_maps.iter().map(OnMap::curve).collect());
        }
    }
    let report = LabReport {
        schema: LAB_SCHEMA.to_owned(),
        tool: report::Tool { name: "mapjudge".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() },
        seed: plan.seed,
        seeds: plan.seeds,
        resamples: draws.0.len(),
        maps: maps.iter().map(|(name, map)| map_record(name, map)).collect(),
        kinds: plan.kinds.iter().map(|kind| kind_record(plan, kind, rows)).collect(),
        metrics: specs.iter().enumerate().map(|(index, spec)| bad.metric_record(index, spec)).collect(),
        answers,
        clusters: bad.clusters(&specs, plan),
        notes: notes(maps.len(), plan, rows),
        curves,
    };
    (report, draws)
}

fn map_record(name: &str, map: &Loaded<Map>) -> LabMap {
    let geometry = map.value.grid.geometry();
    LabMap {
        name: name.to_owned(),
        inputs: map.inputs("map"),
        width_cells: geometry.width(),
        height_cells: geometry.height(),
        cell_size_m: geometry.cell_size_m(),
    }
}

fn kind_record(plan: &LabPlan, kind: &sim::damage::Kind, rows: &LabRows) -> LabKind {
    let levels = plan.levels_of(kind);
    let own = rows.rows.iter().filter(|row| row.change == kind.spec.name);
    let (pairs, skipped): (Vec<&LabRow>, Vec<&LabRow>) = own.partition(|row| row.is_scored());
    LabKind {
        name: kind.spec.name.to_owned(),
        title: kind.spec.title.to_owned(),
        unit: kind.spec.unit.to_owned(),
        strengths: levels.iter().filter_map(|level| kind.level(*level)).collect(),
        levels,
        pairs: pairs.len(),
        skipped: skipped.len(),
    }
}

fn notes(maps: usize, plan: &LabPlan, rows: &LabRows) -> Vec<String> {
    let mut notes = Vec::new();
    if maps < MIN_MAPS {
        let plural = if maps == 1 { "map" } else { "maps" };
        notes.push(format!(
            "No intervals: they rest on resampling of maps, and {maps} {plural} are too few (at least {MIN_MAPS})."
        ));
    }
    for kind in &plan.kinds {
        let refused = rows.rows.iter().filter(|row| row.change == kind.spec.name && !row.is_scored()).count();
        if refused > 0 {
            notes.push(format!(
                "{}: {refused} pairs skipped, the map has nothing to damage so, would fold, or nothing would be left.",
                kind.spec.name
            ));
        }
    }
    notes
}

/// The badness of every row, by what was done.
struct Badness<'a> {
    rows: &'a LabRows,
    specs: &'a [&'static MetricSpec],
    by_change: BTreeMap<(usize, String), Vec<&'a LabRow>>,
}

impl<'a> Badness<'a> {
    fn of(rows: &'a LabRows, specs: &'a [&'static MetricSpec]) -> Self {
        let mut by_change: BTreeMap<(usize, String), Vec<&LabRow>> = BTreeMap::new();
        for row in &rows.rows {
            by_change.entry((row.map, row.change.clone())).or_default().push(row);
        }
        Self { rows, specs, by_change }
    }

    fn rows_of(&self, map: usize, change: &str) -> &[&'a LabRow] {
        self.by_change.get(&(map, change.to_owned())).map_or(&[], Vec::as_slice)
    }

    fn value(&self, row: &LabRow, metric: usize) -> Option<f64> {
        let value = row.values.get(metric).copied().flatten()?;
        Some(badness(self.specs.get(metric)?, value))
    }

    fn on_map(&self, map: usize, metric: usize, kind: &str, levels: &[usize]) -> OnMap {
        let defined = |change: &str| -> Vec<f64> {
            self.rows_of(map, change).iter().filter_map(|row| self.value(row, metric)).collect()
        };
        let scored: Vec<&&LabRow> = self.rows_of(map, kind).iter().filter(|row| row.is_scored()).collect();
        let of_level = |level: &usize| {
            scored.iter().filter(|row| row.level == *level).map(|row| self.value(row, metric)).collect()
        };
        OnMap {
            unchanged: defined("none").first().copied(),
            harmless: defined("harmless"),
            levels: if scored.is_empty() { Vec::new() } else { levels.iter().map(of_level).collect() },
        }
    }

    fn metric_record(&self, metric: usize, spec: &MetricSpec) -> LabMetric {
        let maps: Vec<usize> = self.maps();
        let beside = |change: &LabChange| {
            let of_map = |map: &usize| {
                let at = |name: &str| self.value(self.rows_of(*map, name).first()?, metric);
                Some(at(&change.name())? - at("none")?)
            };
            mean(maps.iter().filter_map(of_map)).map(|value| value + 0.0)
        };
        let mut invariance: BTreeMap<String, Option<f64>> = BTreeMap::new();
        for (name, alike) in INVARIANCES {
            let largest =
                maps.iter().filter_map(|map| self.relative_change(*map, metric, alike)).fold(None, larger);
            let known = invariance.entry(name.to_owned()).or_default();
            *known = [*known, largest].into_iter().flatten().fold(None, larger);
        }
        LabMetric {
            id: spec.id.to_owned(),
            title: spec.title.to_owned(),
            family: spec.family.name().to_owned(),
            unit: spec.unit,
            better: spec.better,
            invariance,
            one_cell: beside(&LabChange::OneCell),
            one_degree: beside(&LabChange::OneDegree),
        }
    }

    fn maps(&self) -> Vec<usize> {
        let mut maps: Vec<usize> = self.rows.rows.iter().map(|row| row.map).collect();
        maps.sort_unstable();
        maps.dedup();
        maps
    }

    /// How much the value itself changes with both maps, by its size.
    fn relative_change(&self, map: usize, metric: usize, alike: super::change::Alike) -> Option<f64> {
        let value = |change: LabChange| {
            self.rows_of(map, &change.name()).first()?.values.get(metric).copied().flatten()
        };
        let (before, after) = (value(LabChange::Sample)?, value(LabChange::Invariance(alike))?);
        let difference = (after - before).abs();
        Some(if difference == 0.0 { 0.0 } else { difference / before.abs().max(1e-12) })
    }

    /// Groups of metrics that order all damaged pairs alike.
    fn clusters(&self, specs: &[&'static MetricSpec], plan: &LabPlan) -> Vec<Vec<String>> {
        let is_damage =
            |row: &&LabRow| row.is_scored() && plan.kinds.iter().any(|kind| kind.spec.name == row.change);
        let damaged: Vec<&LabRow> = self.rows.rows.iter().filter(is_damage).collect();
        let columns: Vec<Vec<Option<f64>>> = (0..specs.len())
            .map(|metric| damaged.iter().map(|row| self.value(row, metric)).collect())
            .collect();
        let distance = |one: &[Option<f64>], other: &[Option<f64>]| {
            let both = one.iter().zip(other).filter_map(|(one, other)| Some(((*one)?, (*other)?)));
            let (x, y): (Vec<f64>, Vec<f64>) = both.unzip();
            spearman(&x, &y).map_or(1.0, |rho| 1.0 - rho.abs())
        };
        let mut distances = vec![vec![0.0; specs.len()]; specs.len()];
        for first in 0..specs.len() {
            for second in first + 1..specs.len() {
                let between = distance(&columns[first], &columns[second]);
                (distances[first][second], distances[second][first]) = (between, between);
            }
        }
        let name = |metric: &usize| specs[*metric].id.to_owned();
        let groups = clusters(&distances, SAME_DISTANCE);
        groups.iter().map(|group| group.iter().map(name).collect()).collect()
    }
}

fn larger(known: Option<f64>, value: f64) -> Option<f64> {
    Some(known.map_or(value, |known| known.max(value)))
}
