//! Exploration transform (N-ET): the cost of the cheapest path from each cell to any frontier cell.
//!
//! ```text
//! Φ(c) = min over g in F, min over paths C from c to g of [ l(C) + α Σ over cells of C of c_danger ]      (eq. 4)
//! ```
//!
//! Steps are 1 and √2 long; a diagonal one needs both side cells free. The sum holds both ends. One search from all
//! frontier cells at once; with one target it is Zelinsky's path transform. Every reachable cell outside F has a
//! neighbour with smaller Φ: there are no local minima. Paper: Pellenz, about 2008, section III-D.
//!
//! Queue: buckets as wide as the shortest step, so that nothing in a bucket can improve anything else in it. As many
//! buckets are alive as the dearest step is long; where that would be too many, a heap takes their place.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::f64::consts::SQRT_2;

use crate::Terrain;
use crate::discomfort::Weighting;

/// Cost of the cheapest path to a goal, for each cell.
#[derive(Clone, Debug)]
pub struct Transform {
    /// In straight steps, with the margin of the frame.
    framed_phi: Vec<f64>,
    frame: Frame,
    is_goal: Vec<bool>,
    costs: StepCosts,
}

/// North-west to south-east, row by row: image order.
pub(crate) const NEIGHBOURS: [(isize, isize); 8] =
    [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

/// What a step costs, in straight steps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepCosts {
    /// Weight of danger per unit of danger, for goals, straight and diagonal steps.
    at_goal: f64,
    straight: f64,
    diagonal: f64,
    /// Length of a straight step in units of the formula.
    unit: f64,
}

impl StepCosts {
    fn of(terrain: &Terrain) -> Self {
        let params = terrain.params();
        let cell_size_m = terrain.geometry().cell_size_m();
        // Lengths inside are straight steps; one is so many units of the formula.
        let unit = cell_size_m / params.unit_m(cell_size_m);
        let weight = params.alpha / unit;
        match params.weighting {
            Weighting::PerCell => Self { at_goal: weight, straight: weight, diagonal: weight, unit },
            Weighting::PerMetre => Self {
                at_goal: 0.0,
                straight: weight * cell_size_m,
                diagonal: weight * cell_size_m * SQRT_2,
                unit,
            },
        }
    }

    /// The cost of leaving a cell of this danger by a step.
    fn of_step(&self, danger: f64, is_diagonal: bool) -> f64 {
        if is_diagonal { SQRT_2 + self.diagonal * danger } else { 1.0 + self.straight * danger }
    }
}

impl Transform {
    /// The transform with these goals; goals where the robot may not be are none. With `until`, the search ends when
    /// that cell is settled: its value and those on its path are right then, others may be too large.
    #[must_use]
    pub fn to_goals(terrain: &Terrain, goals: &[u32], until: Option<usize>) -> Self {
        let costs = StepCosts::of(terrain);
        let frame = Frame::of(terrain);
        let mut framed_phi = vec![f64::INFINITY; frame.cells()];
        let mut is_goal = vec![false; terrain.width() * terrain.height()];
        let mut starts = Vec::with_capacity(goals.len());
        for &goal in goals.iter().filter(|&&goal| terrain.is_safe(goal as usize)) {
            is_goal[goal as usize] = true;
            let index = frame.index(goal as usize);
            framed_phi[index] = costs.at_goal * terrain.danger(goal as usize);
            starts.push(index as u32);
        }
        let until = until.map(|cell| frame.index(cell));
        let danger = frame.framed(terrain.dangers(), f64::INFINITY);
        let field = Field { danger, is_free: frame.framed(terrain.free(), false), costs, frame };
        field.search(&mut framed_phi, &starts, until);
        Self { framed_phi, frame, is_goal, costs }
    }

    /// Φ of a cell in units of the formula; none if no goal can be reached from it.
    #[must_use]
    pub fn phi(&self, cell: usize) -> Option<f64> {
        let phi = self.framed_phi.get(self.frame.index(cell)).copied().filter(|phi| phi.is_finite())?;
        (cell < self.is_goal.len()).then_some(phi * self.costs.unit)
    }

    /// Whether a cell is a goal.
    #[must_use]
    pub fn is_goal(&self, cell: usize) -> bool {
        self.is_goal[cell]
    }

    /// The neighbour through which the cheapest path leads, ties in image order; none on goals and where there is no
    /// path.
    pub(crate) fn next(&self, terrain: &Terrain, cell: usize) -> Option<usize> {
        /// Sums of equal steps in another order differ by rounding; that is no difference.
        const TIE: f64 = 1e-9;
        if self.is_goal[cell] {
            return None;
        }
        let (width, height) = (terrain.width(), terrain.height());
        let (x, y) = (cell % width, cell / width);
        let mut best: Option<(f64, usize)> = None;
        for (dx, dy) in NEIGHBOURS {
            let (to_x, to_y) = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
            if to_x >= width || to_y >= height {
                continue;
            }
            let is_diagonal = dx != 0 && dy != 0;
            let to = to_y * width + to_x;
            let may_cut = terrain.is_free(y * width + to_x) && terrain.is_free(to_y * width + x);
            let Some(phi) = self.phi(to).filter(|_| !is_diagonal || may_cut) else { continue };
            let cost = self.costs.of_step(terrain.danger(cell), is_diagonal) + phi / self.costs.unit;
            if best.is_none_or(|(least, _)| cost < least - TIE * least.abs()) {
                best = Some((cost, to));
            }
        }
        best.map(|(_, to)| to)
    }
}

/// The cells of a plane inside a margin of one cell, so that no search looks beyond the border.
#[derive(Clone, Copy, Debug)]
struct Frame {
    width: usize,
    height: usize,
}

impl Frame {
    const fn of(terrain: &Terrain) -> Self {
        Self { width: terrain.width(), height: terrain.height() }
    }

    const fn cells(self) -> usize {
        (self.width + 2) * (self.height + 2)
    }

    const fn index(self, cell: usize) -> usize {
        (cell / self.width + 1) * (self.width + 2) + cell % self.width + 1
    }

    /// A plane of cells with a margin around it.
    fn framed<T: Copy>(self, cells: &[T], outside: T) -> Vec<T> {
        let mut framed = vec![outside; self.cells()];
        let rows = framed.chunks_exact_mut(self.width + 2).skip(1).zip(cells.chunks_exact(self.width));
        rows.for_each(|(framed, row)| framed[1..=self.width].copy_from_slice(row));
        framed
    }
}

/// What a search needs to know of the cells.
struct Field {
    danger: Vec<f64>,
    is_free: Vec<bool>,
    costs: StepCosts,
    frame: Frame,
}

/// Buckets that may be alive at once; beyond, a heap is used.
const MAX_BUCKETS: usize = 1 << 16;

impl Field {
    fn search(&self, phi: &mut [f64], starts: &[u32], until: Option<usize>) {
        let worst = self.danger.iter().copied().filter(|danger| danger.is_finite()).fold(0.0, f64::max);
        let dearest = self.costs.of_step(worst, true).max(self.costs.of_step(worst, false));
        let dearest = dearest.max(self.costs.at_goal * worst);
        if dearest + 3.0 < MAX_BUCKETS as f64 {
            self.search_in_buckets(phi, starts, until, dearest as usize + 3);
        } else {
            self.search_in_heap(phi, starts, until);
        }
    }

    fn search_in_buckets(&self, phi: &mut [f64], starts: &[u32], until: Option<usize>, alive: usize) {
        let mut buckets: Vec<Vec<u32>> = vec![Vec::new(); alive];
        let mut waiting = starts.len();
        for &start in starts {
            buckets[phi[start as usize] as usize % alive].push(start);
        }
        let mut bucket = 0_usize;
        while waiting > 0 {
            let mut list = std::mem::take(&mut buckets[bucket % alive]);
            waiting -= list.len();
            for &cell in &list {
                let cell = cell as usize;
                // It was reached again on a cheaper path, and settled in an earlier bucket.
                if phi[cell] as usize != bucket {
                    continue;
                }
                self.offer(phi[cell], cell, |to, offered| {
                    if offered < phi[to] {
                        // A cell that only moves inside its bucket is in that list already.
                        if phi[to].is_infinite() || phi[to] as usize != offered as usize {
                            buckets[offered as usize % alive].push(to as u32);
                            waiting += 1;
                        }
                        phi[to] = offered;
                    }
                });
            }
            list.clear();
            buckets[bucket % alive] = list;
            if until.is_some_and(|cell| phi[cell].is_finite() && phi[cell] as usize <= bucket) {
                return;
            }
            bucket += 1;
        }
    }

    fn search_in_heap(&self, phi: &mut [f64], starts: &[u32], until: Option<usize>) {
        // Costs are not negative, and such floats sort as their bits do.
        let mut heap: BinaryHeap<_> =
            starts.iter().map(|&start| Reverse((phi[start as usize].to_bits(), start))).collect();
        while let Some(Reverse((bits, cell))) = heap.pop() {
            let cell = cell as usize;
            if f64::from_bits(bits) > phi[cell] {
                continue;
            }
            if until == Some(cell) {
                return;
            }
            self.offer(phi[cell], cell, |to, offered| {
                if offered < phi[to] {
                    phi[to] = offered;
                    heap.push(Reverse((offered.to_bits(), to as u32)));
                }
            });
        }
    }

    /// Offers a cell as the next one to its neighbours: Φ(n) = α danger(n) + step + Φ(cell).             eq. (4)
    fn offer(&self, phi: f64, cell: usize, mut take: impl FnMut(usize, f64)) {
        let stride = self.frame.width + 2;
        let (north, west, east, south) = (cell - stride, cell - 1, cell + 1, cell + stride);
        for to in [north, west, east, south] {
            let danger = self.danger[to];
            if danger.is_finite() {
                take(to, phi + self.costs.of_step(danger, false));
            }
        }
        let free = |at: usize| self.is_free[at];
        let corners = [
            (north - 1, north, west),
            (north + 1, north, east),
            (south - 1, south, west),
            (south + 1, south, east),
        ];
        for (to, one, other) in corners {
            let danger = self.danger[to];
            if danger.is_finite() && free(one) && free(other) {
                take(to, phi + self.costs.of_step(danger, true));
            }
        }
    }
}

#[cfg(test)]
mod tests;
