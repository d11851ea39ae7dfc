//! `sonar-forward`: the map under which all readings together are most likely (forward model of Thrun, "Learning occupancy
//! grids with forward sensor models", 2001 and 2003).
//!
//! Inverse models ask each reading about each cell alone, so that an arc is occupied all over though one obstacle made it.
//! The forward model asks how likely a reading is under a whole map. Along a cone, the occupied cells in the order of
//! their distance d_1 <= d_2 <= .. each stop the sound with probability h, so a reading comes from the k-th with
//! (1 - h)^(k-1) h; it is random with probability r, and no echo comes, as from a mirror, with probability m:
//!
//! ```text
//! p(z | map)       = r / z_max + (1 - r - m) sum_k (1 - h)^(k-1) h N(z; d_k, sigma)      an echo at z
//! p(no echo | map) = m + (1 - r - m) (1 - h)^K                                           K cells in the cone
//! ```
//!
//! The map that maximises the product over all readings, times a prior of each cell, is climbed to by flipping single
//! cells, those first that gain most in the empty map, until no flip gains. A cell's probability is then that of being
//! occupied with all others as they are; cells about which no reading says anything are unknown.
//!
//! Departure: the papers alternate expectation (which obstacle made which reading) and maximisation (flips with the
//! expectation held fixed). Here the sum over the obstacles is taken anew with each flip, which climbs the same likelihood
//! and cannot stall on an expectation that is out of date. Chosen over MURIEL (Konolige 1997), which also treats
//! mirrors and redundant readings but updates cells one reading at a time: the paradigm that Collins et al. set against
//! the inverse models is the one that explains readings by maps.

use model::{Grid, Pose2};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::plane::Plane;
use super::{Cone, ListedSonarMapping, SonarMapping};
use crate::{MapperParams, RangeLimits};

/// Parameters of [`Forward`]. The papers give no numbers that fit another ring: all defaults are ours, chosen on places
/// with other seeds than those that the documentation reports (docs/mapping.md says how many were tried).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ForwardParams {
    /// Edge of a cell in metres. Default 0.1; as `sonar-last`.
    #[schemars(range(min = 0.005, max = 10.0))]
    pub cell_size_m: f64,
    /// Shorter ranges are no measurements, metres. Default 0.02, as the other mappers.
    #[schemars(range(min = 0.0, max = 1e6))]
    pub range_min_m: f64,
    /// Echoes from here on are not believed, metres. Default 5, the usual range of a ring.
    #[schemars(range(min = 0.01, max = 100.0))]
    pub range_max_m: f64,
    /// Sigma of a range around the middle of the cell that made it, metres. Default 0.05: half
    /// a cell.
    #[schemars(range(min = 0.001, max = 10.0))]
    pub sigma_m: f64,
    /// Probability h that an occupied cell in the cone stops the sound. Default 0.3.
    #[schemars(range(min = 0.001, max = 0.999))]
    pub hit_probability: f64,
    /// Probability r of a reading that no obstacle explains. Default 0.15.
    #[schemars(range(min = 0.001, max = 0.45))]
    pub random_probability: f64,
    /// Probability m that no echo comes whatever is in the cone. Default 0.15.
    #[schemars(range(min = 0.001, max = 0.45))]
    pub miss_probability: f64,
    /// Probability of a cell to be occupied before any reading. Default 0.45.
    #[schemars(range(min = 0.001, max = 0.999))]
    pub prior_occupied: f64,
}

impl Default for ForwardParams {
    fn default() -> Self {
        Self {
            cell_size_m: 0.1,
            range_min_m: 0.02,
            range_max_m: 5.0,
            sigma_m: 0.05,
            hit_probability: 0.3,
            random_probability: 0.15,
            miss_probability: 0.15,
            prior_occupied: 0.45,
        }
    }
}

impl MapperParams for ForwardParams {}

/// Echoes are explained by cells up to this many sigma behind them.
const SIGMAS: f64 = 3.0;
/// Sweeps over all cells at most; places of some hundred square metres take five to ten.
const MAX_SWEEPS: usize = 40;
/// Readings times cells at most, 24 bytes each; with more, readings are left out evenly.
const MAX_PAIRS: usize = 1 << 24;
/// A cell of which the readings say less than this, in nats, is unknown.
const MIN_EVIDENCE: f64 = 0.05;

/// The readings so far, and the map that explains them best once it was asked for.
pub struct Forward {
    params: ForwardParams,
    plane: Plane<()>,
    readings: Vec<(Pose2, Cone)>,
    solved: Option<Grid>,
}

impl Forward {
    /// Nothing has come yet.
    #[must_use]
    pub const fn new(params: ForwardParams) -> Self {
        Self { plane: Plane::new(params.cell_size_m), params, readings: Vec::new(), solved: None }
    }

    /// How far the cells of a reading matter.
    fn reach_m(&self, cone: &Cone) -> f64 {
        if cone.is_echo { cone.range_m + SIGMAS * self.params.sigma_m } else { cone.range_m }
    }

    fn solve(&self) -> Option<Grid> {
        let mut explained = Explained::new(self);
        explained.climb();
        let evidence = |cell: usize| explained.evidence(cell);
        self.plane.to_grid(|index, ()| {
            let said = evidence(index);
            let log_odds = said + explained.prior;
            (said.abs() >= MIN_EVIDENCE).then(|| 1.0 / (1.0 + (-log_odds).exp()))
        })
    }
}

impl SonarMapping for Forward {
    fn limits(&self) -> RangeLimits {
        RangeLimits { min_m: self.params.range_min_m, max_m: self.params.range_max_m }
    }

    fn add(&mut self, cones: &[Cone], map_from_robot: Pose2) {
        for cone in cones {
            let map_from_transducer = map_from_robot * cone.robot_from_transducer;
            if self.plane.make_room(map_from_transducer, self.reach_m(cone)) {
                self.readings.push((map_from_transducer, *cone));
            }
        }
        self.solved = None;
    }

    fn finish(&mut self) {
        self.solved = self.solve();
    }

    fn grid(&self) -> Option<Grid> {
        self.solved.clone().or_else(|| self.solve())
    }
}

/// A cell in the cone of a reading.
#[derive(Clone, Copy, Debug)]
struct Pair {
    cell: u32,
    /// N(z; d, sigma): how likely the reading is if this cell made it.
    density: f32,
    /// Share of the sound that gets past all occupied cells before this one.
    through: f32,
    /// Likelihood that the occupied cells before this one give.
    before: f32,
}

/// A reading: its cells by distance.
#[derive(Clone, Copy, Debug)]
struct Reading {
    from: u32,
    to: u32,
    is_echo: bool,
    /// The sum over k for an echo, (1 - h)^K without one.
    sum: f64,
}

/// Readings and a map that explains them.
struct Explained {
    readings: Vec<Reading>,
    pairs: Vec<Pair>,
    /// Readings and pairs of each cell: those of cell c are `starts[c]..starts[c + 1]`.
    starts: Vec<u32>,
    of_cell: Vec<(u32, u32)>,
    is_occupied: Vec<bool>,
    hit: f64,
    /// r / z_max and m: what remains where the map explains nothing.
    floors: [f64; 2],
    /// 1 - r - m.
    weight: f64,
    /// Log odds of the prior.
    prior: f64,
}

impl Explained {
    fn new(forward: &Forward) -> Self {
        let params = &forward.params;
        let (pairs, readings) = pairs(forward);
        let mut starts = vec![0_u32; forward.plane.len() + 1];
        pairs.iter().for_each(|pair| starts[pair.cell as usize + 1] += 1);
        (1..starts.len()).for_each(|cell| starts[cell] += starts[cell - 1]);
        let mut of_cell = vec![(0, 0); pairs.len()];
        let mut next = starts.clone();
        for (number, reading) in readings.iter().enumerate() {
            for index in reading.from..reading.to {
                let slot = &mut next[pairs[index as usize].cell as usize];
                of_cell[*slot as usize] = (number as u32, index);
                *slot += 1;
            }
        }
        let (r, m) = (params.random_probability, params.miss_probability);
        let prior = params.prior_occupied;
        Self {
            readings,
            pairs,
            starts,
            of_cell,
            is_occupied: vec![false; forward.plane.len()],
            hit: params.hit_probability,
            floors: [r / params.range_max_m, m],
            weight: 1.0 - r - m,
            prior: (prior / (1.0 - prior)).ln(),
        }
    }

    /// Flips cells until no flip makes the readings and the prior more likely.
    fn climb(&mut self) {
        let is_covered = |cell: &usize| self.starts[*cell] < self.starts[*cell + 1];
        let covered: Vec<usize> = (0..self.is_occupied.len()).filter(is_covered).collect();
        let mut order: Vec<(usize, f64)> =
            covered.into_iter().map(|cell| (cell, self.evidence(cell))).collect();
        // Best first; of equals the one with the lower number, so that the result is the same everywhere.
        order.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        for _ in 0..MAX_SWEEPS {
            let mut has_flipped = false;
            for &(cell, _) in &order {
                let is_better = self.evidence(cell) + self.prior > 0.0;
                if is_better != self.is_occupied[cell] {
                    self.flip(cell);
                    has_flipped = true;
                }
            }
            if !has_flipped {
                break;
            }
        }
    }

    fn of_cell(&self, cell: usize) -> &[(u32, u32)] {
        &self.of_cell[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }

    /// How much more likely the readings are, in nats, with the cell occupied than with it free.
    fn evidence(&self, cell: usize) -> f64 {
        let is_occupied = self.is_occupied[cell];
        let passes = 1.0 - self.hit;
        let of_pair = |&(reading, pair): &(u32, u32)| {
            let (reading, pair) = (&self.readings[reading as usize], &self.pairs[pair as usize]);
            let [occupied, free] = if reading.is_echo {
                let (before, own) =
                    (f64::from(pair.before), f64::from(pair.through) * self.hit * f64::from(pair.density));
                // What the cells behind would give if this one were free.
                let behind = reading.sum - before - if is_occupied { own } else { 0.0 };
                let behind = (if is_occupied { behind / passes } else { behind }).max(0.0);
                [before + own + passes * behind, before + behind]
            } else if is_occupied {
                [reading.sum, reading.sum / passes]
            } else {
                [reading.sum * passes, reading.sum]
            };
            let floor = self.floors[usize::from(!reading.is_echo)];
            ((floor + self.weight * occupied) / (floor + self.weight * free)).ln()
        };
        self.of_cell(cell).iter().map(of_pair).sum()
    }

    fn flip(&mut self, cell: usize) {
        self.is_occupied[cell] = !self.is_occupied[cell];
        for at in self.starts[cell]..self.starts[cell + 1] {
            let (reading, _) = self.of_cell[at as usize];
            self.renew(reading as usize);
        }
    }

    /// Computes the sums of a reading under the map as it is.
    fn renew(&mut self, number: usize) {
        let reading = &mut self.readings[number];
        let (mut through, mut sum) = (1.0, 0.0);
        for pair in &mut self.pairs[reading.from as usize..reading.to as usize] {
            (pair.through, pair.before) = (through as f32, sum as f32);
            if self.is_occupied[pair.cell as usize] {
                sum += through * self.hit * f64::from(pair.density);
                through *= 1.0 - self.hit;
            }
        }
        reading.sum = if reading.is_echo { sum } else { through };
    }
}

/// The cells of all readings, each reading's by distance, under the empty map.
fn pairs(forward: &Forward) -> (Vec<Pair>, Vec<Reading>) {
    let cell_m = forward.plane.cell_size_m();
    let cells = |(_, cone): &(Pose2, Cone)| {
        let reach_m = forward.reach_m(cone) + cell_m;
        (reach_m * reach_m * cone.opening_rad / (2.0 * cell_m * cell_m)).ceil() as usize + 1
    };
    let all: usize = forward.readings.iter().map(cells).fold(0, usize::saturating_add);
    let every = all.div_ceil(MAX_PAIRS).max(1);
    let sigma_m = forward.params.sigma_m;
    let peak = 1.0 / (sigma_m * std::f64::consts::TAU.sqrt());
    let (mut pairs, mut readings) = (Vec::new(), Vec::new());
    for (map_from_transducer, cone) in forward.readings.iter().step_by(every) {
        let mut cells = forward.plane.cells_of(*map_from_transducer, cone, forward.reach_m(cone));
        cells.sort_by(|a, b| a.range_m.total_cmp(&b.range_m).then(a.index.cmp(&b.index)));
        let from = pairs.len() as u32;
        pairs.extend(cells.iter().map(|cell| {
            let off = (cone.range_m - cell.range_m) / sigma_m;
            let density = (peak * (-off * off / 2.0).exp()) as f32;
            Pair { cell: cell.index as u32, density, through: 1.0, before: 0.0 }
        }));
        let sum = if cone.is_echo { 0.0 } else { 1.0 };
        readings.push(Reading { from, to: pairs.len() as u32, is_echo: cone.is_echo, sum });
    }
    (pairs, readings)
}

impl ListedSonarMapping for Forward {
    const NAME: &'static str = "sonar-forward";
    const SUMMARY: &'static str =
        "Sonar at the poses of the odometry: the map under which all readings are most likely (Thrun 2001)";
    type Params = ForwardParams;

    fn with_params(params: ForwardParams) -> Self {
        Self::new(params)
    }
}

#[cfg(test)]
mod tests;
