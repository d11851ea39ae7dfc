//! `mapjudge-study unseen-copies`, `unseen-parts`, `unseen-strangers`, `unseen-disjoint` (and `..-tuning`): alignment of
//! changed copies, of parts that share little, of maps of different places, and of parts that share nothing.

use std::path::Path;

use align::{Aligner, Alignment, Allowance, Correlative, Verdict};
use model::{Grid, SeededRng, Similarity2};

use super::copies::{Change, Copy, changed, parts};
use super::truths::{Place, places, repeating};
use crate::inputs::BenchError;
use crate::measure::cpu_s;
use crate::studies::align::turned::known_corners;
use crate::studies::halves::Half;
use crate::studies::{Findings, median};

/// Copies of places, and of places that repeat themselves.
const COPIES: [usize; 2] = [240, 60];
/// Every fifth copy is mirrored.
const MIRRORED_EVERY: usize = 5;
const COPY: Change =
    Change { scale: (0.75, 1.35), crop_max: 0.6, lost_walls: 0.5, specks: 0.01, mirrored: false };
/// Scales that are searched.
const SCALES: (f64, f64) = (0.7, 1.4);
/// Shares of the smaller part that two parts have in common.
const SHARES: [f64; 4] = [0.05, 0.15, 0.3, 0.5];
const PARTS: usize = 144;
const STRANGERS: usize = 1000;
const DISJOINT: usize = 200;
/// An alignment is right if the corners of the map are this near in the median: a share of the diagonal, or cells.
const RIGHT_SHARE: f64 = 0.01;
const RIGHT_CELLS: f64 = 5.0;

/// Changed copies, their scale unknown.
pub fn copies(data: &Path, half: Half) -> Result<Findings, BenchError> {
    let mut rng = SeededRng::new(20).stream(half as u64);
    let sets = [places(data, half)?, repeating(half, COPIES[1] as u64)?];
    let mut tally = Tally::default();
    let mut findings = Findings { table: Vec::new(), missed: Vec::new() };
    for (places, count) in sets.iter().zip(COPIES) {
        for number in 0..count {
            let Some(place) = places.get(number % places.len().max(1)) else { continue };
            let mirrored = number % MIRRORED_EVERY == 0 && !is_symmetric(&place.name);
            let change = Change { mirrored, ..COPY };
            let copy = changed(&place.grid, &change, &mut rng)?;
            let outcome = Outcome::of(format!("{} #{number}", place.name), SCALES, &place.grid, &copy)?;
            tally.add(&outcome, &mut findings);
        }
    }
    tally.report("copies", &mut findings);
    Ok(findings)
}

/// A mirrored copy of these is a copy like any other.
fn is_symmetric(name: &str) -> bool {
    ["abstract_ground_truth", "office_e", "turtlebot3", "tb3_sandbox", "turtlebot3_world", "corridor"]
        .iter()
        .any(|start| name.starts_with(start))
}

/// Parts that share little, the scale known.
pub fn shared_parts(data: &Path, half: Half) -> Result<Findings, BenchError> {
    let mut rng = SeededRng::new(21).stream(half as u64);
    let places = mixed(data, half)?;
    let mut tally = Tally::default();
    let mut findings = Findings { table: Vec::new(), missed: Vec::new() };
    for number in 0..PARTS {
        let place = &places[number % places.len()];
        let share = SHARES[number % SHARES.len()];
        let (truth, copy) = parts(&place.grid, share, &mut rng)?;
        let outcome =
            Outcome::of(format!("{} shares {share} #{number}", place.name), (1.0, 1.0), &truth, &copy)?;
        tally.add(&outcome, &mut findings);
    }
    tally.report("parts", &mut findings);
    Ok(findings)
}

/// Maps of different places.
pub fn strangers(data: &Path, half: Half) -> Result<Findings, BenchError> {
    unrelated(data, half, Unrelated::Strangers)
}

/// Parts of one place that share nothing.
pub fn disjoint(data: &Path, half: Half) -> Result<Findings, BenchError> {
    unrelated(data, half, Unrelated::Disjoint)
}

/// Why two maps have nothing in common.
#[derive(Clone, Copy, PartialEq)]
enum Unrelated {
    Strangers,
    Disjoint,
}

/// Pairs of one kind; those of the other are drawn too, so that either study has the same pairs whatever is run.
fn unrelated(data: &Path, half: Half, kind: Unrelated) -> Result<Findings, BenchError> {
    let mut rng = SeededRng::new(22).stream(half as u64);
    let places = mixed(data, half)?;
    let mut tally = Tally::default();
    let mut findings = Findings { table: Vec::new(), missed: Vec::new() };
    for number in 0..STRANGERS + DISJOINT {
        let first = number % places.len();
        let scales = if number % 2 == 0 { (1.0, 1.0) } else { SCALES };
        let (this, name, truth, copy) = if number < STRANGERS {
            let (name, copy) = stranger(&places, first, &mut rng)?;
            (Unrelated::Strangers, name, places[first].grid.clone(), copy)
        } else {
            let (name, truth, copy) = other_half(&places, first, &mut rng)?;
            (Unrelated::Disjoint, name, truth, copy)
        };
        if this == kind {
            let copy = Copy { truth_from_copy: None, ..copy };
            tally.add_stranger(
                &Outcome::of(format!("{name} #{number}"), scales, &truth, &copy)?,
                &mut findings,
            );
        }
    }
    tally.report_strangers(kind, &mut findings);
    Ok(findings)
}

/// A changed copy of another place than this one.
fn stranger(places: &[Place], first: usize, rng: &mut SeededRng) -> Result<(String, Copy), BenchError> {
    let kind = |place: &Place| place.name.split(['/', '-']).next().map(str::to_owned);
    let (first, mut second) = (&places[first], &places[rng.below(places.len())]);
    // Two corridors of equal doors are no strangers to each other.
    while kind(first) == kind(second) {
        second = &places[rng.below(places.len())];
    }
    let copy = changed(&second.grid, &Change { lost_walls: 0.1, specks: 0.001, ..COPY }, rng)?;
    Ok((format!("{} on {}", second.name, first.name), copy))
}

/// Two halves of a place that is not symmetric: the half of a symmetric place is the mirror image of its other half.
fn other_half(
    places: &[Place],
    first: usize,
    rng: &mut SeededRng,
) -> Result<(String, Grid, Copy), BenchError> {
    let after = (first..).take(places.len()).map(|index| index % places.len());
    let first = after.into_iter().find(|&index| !is_symmetric(&places[index].name)).unwrap_or(0);
    let (truth, copy) = parts(&places[first].grid, 0.0, rng)?;
    Ok((format!("{} disjoint", places[first].name), truth, copy))
}

/// Ordinary and repeating places, mixed.
fn mixed(data: &Path, half: Half) -> Result<Vec<Place>, BenchError> {
    let mut places = places(data, half)?;
    places.extend(repeating(half, places.len() as u64 / 4)?);
    SeededRng::new(23).shuffle(&mut places);
    Ok(places)
}

struct Outcome {
    name: String,
    alignment: Alignment,
    /// Median error of the corners, cells of the truth; none of a mirrored map or a stranger.
    error_cells: Option<f64>,
    limit_cells: f64,
    seconds: f64,
}

impl Outcome {
    fn of(name: String, scales: (f64, f64), truth: &Grid, copy: &Copy) -> Result<Self, BenchError> {
        let allowance = Allowance { scale_min: scales.0, scale_max: scales.1, ..Allowance::default() };
        let start_s = cpu_s();
        let search = Correlative { allowance, ..Correlative::default() };
        let alignment = search.align(truth, &copy.grid).map_err(BenchError::no_value)?;
        let seconds = cpu_s() - start_s;
        let cell_m = truth.geometry().cell_size_m();
        let corners = known_corners(&copy.grid);
        let error = |(found, right): (Similarity2, Similarity2)| {
            median(corners.iter().map(|&corner| (found * corner).distance_m(right * corner) / cell_m))
        };
        let error_cells = copy
            .truth_from_copy
            .map(|right| alignment.truth_from_map.map_or(f64::INFINITY, |found| error((found, right))));
        let [low, .., high] = known_corners(truth);
        let limit_cells = (RIGHT_SHARE * low.distance_m(high) / cell_m).max(RIGHT_CELLS);
        Ok(Self { name, alignment, error_cells, limit_cells, seconds })
    }

    fn verdict(&self) -> Verdict {
        self.alignment.certificate.verdict
    }

    /// The right transform, or a mirrored map called so.
    fn is_right(&self) -> bool {
        match self.error_cells {
            Some(error) => error <= self.limit_cells,
            None => self.verdict() == Verdict::Mirrored,
        }
    }

    fn line(&self) -> String {
        let certificate = &self.alignment.certificate;
        let number = |value: Option<f64>| value.map_or("-".to_owned(), |v| format!("{v:.3}"));
        format!(
            "  {:<46} error {:>7} S {} S2 {} mirror {} overlap {} {:?} {:.2} s",
            self.name,
            self.error_cells.map_or("-".to_owned(), |error| format!("{error:.1}")),
            number(certificate.score),
            number(certificate.second_score),
            number(certificate.mirror_score),
            number(certificate.overlap),
            certificate.verdict,
            self.seconds
        )
    }
}

#[derive(Default)]
struct Tally {
    all: usize,
    right: usize,
    certain: usize,
    certain_wrong: usize,
    mirrored_wrong: usize,
    slowest_s: f64,
    seconds: f64,
}

impl Tally {
    fn count(&mut self, outcome: &Outcome) {
        self.all += 1;
        self.certain += usize::from(outcome.verdict() == Verdict::Certain);
        self.slowest_s = self.slowest_s.max(outcome.seconds);
        self.seconds += outcome.seconds;
    }

    fn add(&mut self, outcome: &Outcome, findings: &mut Findings) {
        self.count(outcome);
        let right = outcome.is_right();
        self.right += usize::from(right);
        self.certain_wrong += usize::from(outcome.verdict() == Verdict::Certain && !right);
        self.mirrored_wrong +=
            usize::from(outcome.verdict() == Verdict::Mirrored && outcome.error_cells.is_some());
        if !right || outcome.verdict() == Verdict::Ambiguous {
            findings.table.push(format!("{}{}", if right { "right" } else { "WRONG" }, outcome.line()));
        }
    }

    fn add_stranger(&mut self, outcome: &Outcome, findings: &mut Findings) {
        self.count(outcome);
        if matches!(outcome.verdict(), Verdict::Certain | Verdict::Mirrored) {
            self.certain_wrong += usize::from(outcome.verdict() == Verdict::Certain);
            self.mirrored_wrong += usize::from(outcome.verdict() == Verdict::Mirrored);
            findings.table.push(format!("WRONG{}", outcome.line()));
        }
    }

    fn report(&self, title: &str, findings: &mut Findings) {
        findings.table.push(format!(
            "{title}: {} of {} right, {} certain, of these {} wrong, {} wrongly mirrored, mean {:.2} s, slowest {:.2} s",
            self.right,
            self.all,
            self.certain,
            self.certain_wrong,
            self.mirrored_wrong,
            self.seconds / self.all.max(1) as f64,
            self.slowest_s
        ));
        if self.certain_wrong + self.mirrored_wrong > 0 {
            findings.missed.push(format!("{title}: a verdict is wrong"));
        }
        if title == "copies" && 10 * self.right < 9 * self.all {
            findings.missed.push(format!("{title}: fewer than 90 % right"));
        }
    }

    fn report_strangers(&self, kind: Unrelated, findings: &mut Findings) {
        let title = if kind == Unrelated::Strangers { "strangers" } else { "disjoint parts" };
        findings.table.push(format!(
            "{title}: {} pairs, {} certain, {} mirrored, mean {:.2} s, slowest {:.2} s",
            self.all,
            self.certain_wrong,
            self.mirrored_wrong,
            self.seconds / self.all.max(1) as f64,
            self.slowest_s
        ));
        if self.certain_wrong + self.mirrored_wrong > 0 {
            findings.missed.push(format!("{title}: a pair is certain or mirrored"));
        }
    }
}
