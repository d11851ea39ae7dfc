//! Ramps of a random maze, laid so that no opening has a step.
//!
//! The ground lies at two levels, 0 and the top of a ramp. A pallet between two walls, or at the end of a corridor, may
//! become a ramp, whose two ends lie at different levels; all other pallets are level. Chance decides, except where a
//! loop closes: the number of ramps along it must be even.

use model::SeededRng;

use super::drawing::{Drawing, Edge, Ground, Rise, Slope};

/// Makes about a share of all pallets ramps, as far as there are pallets that can be. The first pallet stays flat.
pub(super) fn lay_ramps(drawing: &mut Drawing, share: f64, slope: Slope, rng: &mut SeededRng) {
    let pallets = drawing.columns() * drawing.rows();
    let axes: Vec<Option<Axis>> = (0..pallets).map(|pallet| axis(drawing, pallet)).collect();
    let mut levels = Levels::new(pallets);
    for pallet in 0..pallets {
        join_neighbours(drawing, &axes, &mut levels, pallet);
    }
    let mut candidates: Vec<usize> = (0..pallets).filter(|&pallet| axes[pallet].is_some()).collect();
    rng.shuffle(&mut candidates);
    let chance = (share * pallets as f64 / candidates.len().max(1) as f64).min(1.0);
    for pallet in candidates {
        let is_wanted = rng.chance(chance);
        let step = if is_wanted { Step::Ramp } else { Step::Level };
        levels.join(first_end(pallet), last_end(pallet), step);
    }
    for (pallet, axis) in axes.into_iter().enumerate() {
        let (first, last) = (levels.is_up(first_end(pallet)), levels.is_up(last_end(pallet)));
        let ground = match (axis, first, last) {
            (Some(Axis::Columns), false, true) => Ground::Ramp(Rise::East, slope),
            (Some(Axis::Columns), true, false) => Ground::Ramp(Rise::West, slope),
            (Some(Axis::Rows), false, true) => Ground::Ramp(Rise::North, slope),
            (Some(Axis::Rows), true, false) => Ground::Ramp(Rise::South, slope),
            (_, true, _) => Ground::Platform(slope),
            (_, false, _) => Ground::Flat,
        };
        drawing.set_ground(pallet % drawing.columns(), pallet / drawing.columns(), ground);
    }
}

/// The direction in which a pallet may be a ramp.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Axis {
    Columns,
    Rows,
}

/// The axis of a pallet that is open along one axis only; none for others, and for the first pallet.
fn axis(drawing: &Drawing, pallet: usize) -> Option<Axis> {
    let (column, row) = (pallet % drawing.columns(), pallet / drawing.columns());
    let is_open = |side: Rise| drawing.edge(column, row, side) != Edge::Wall;
    match (is_open(Rise::East) || is_open(Rise::West), is_open(Rise::North) || is_open(Rise::South)) {
        _ if pallet == 0 => None,
        (true, false) => Some(Axis::Columns),
        (false, true) => Some(Axis::Rows),
        _ => None,
    }
}

/// The left or lower end of a pallet, and its right or upper end.
const fn first_end(pallet: usize) -> usize {
    2 * pallet
}

const fn last_end(pallet: usize) -> usize {
    2 * pallet + 1
}

/// Where two pallets meet in an opening, their ends lie at one level; a pallet that can be no ramp has one level.
fn join_neighbours(drawing: &Drawing, axes: &[Option<Axis>], levels: &mut Levels, pallet: usize) {
    let (columns, rows) = (drawing.columns(), drawing.rows());
    let (column, row) = (pallet % columns, pallet / columns);
    if axes[pallet].is_none() {
        levels.join(first_end(pallet), last_end(pallet), Step::Level);
    }
    let is_open = |side: Rise| drawing.edge(column, row, side) != Edge::Wall;
    if column + 1 < columns && is_open(Rise::East) {
        levels.join(last_end(pallet), first_end(pallet + 1), Step::Level);
    }
    if row + 1 < rows && is_open(Rise::North) {
        levels.join(last_end(pallet), first_end(pallet + columns), Step::Level);
    }
}

/// Whether two ends lie at one level.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Level,
    Ramp,
}

/// Which ends lie at one level and which at different ones: sets of ends, each with its step to the head of its set.
struct Levels {
    parents: Vec<usize>,
    /// Whether an end lies at another level than its parent.
    is_other: Vec<bool>,
}

impl Levels {
    fn new(pallets: usize) -> Self {
        Self { parents: (0..2 * pallets).collect(), is_other: vec![false; 2 * pallets] }
    }

    /// The head of an end's set, and whether the end lies at another level than the head.
    fn head(&mut self, end: usize) -> (usize, bool) {
        let (mut at, mut is_other) = (end, false);
        while self.parents[at] != at {
            let parent = self.parents[at];
            // Path halving: skip to the grandparent.
            self.is_other[at] ^= self.is_other[parent];
            self.parents[at] = self.parents[parent];
            is_other ^= self.is_other[at];
            at = self.parents[at];
        }
        (at, is_other)
    }

    /// Puts a step between two ends; ends that hang together already keep the step that they have.
    fn join(&mut self, one: usize, other: usize, step: Step) {
        let ((head_one, one_other), (head_other, other_other)) = (self.head(one), self.head(other));
        if head_one != head_other {
            self.parents[head_other] = head_one;
            self.is_other[head_other] = one_other ^ other_other ^ (step == Step::Ramp);
        }
    }

    /// Whether an end lies at another level than the first pallet.
    fn is_up(&mut self, end: usize) -> bool {
        self.head(first_end(0)).1 ^ self.head(end).1
    }
}

#[cfg(test)]
mod tests {
    use model::Point2;

    use super::*;
    use crate::arena::{Arena, MazePlan};

    fn laid(drawing: &str, share: f64) -> String {
        let mut drawing = Drawing::read(drawing).unwrap();
        lay_ramps(&mut drawing, share, Slope::Gentle, &mut SeededRng::new(1));
        drawing.to_text()
    }

    #[test]
    fn a_corridor_goes_up_and_down_and_ends_on_a_ramp() {
        let corridor = "+---+---+---+---+\n|               |\n+---+---+---+---+\n";
        assert_eq!(laid(corridor, 1.0), "+---+---+---+---+\n|     >   <   > |\n+---+---+---+---+\n");
        assert_eq!(laid(corridor, 0.0), corridor);
    }

    #[test]
    fn crossings_are_level_and_a_loop_has_an_even_number_of_ramps() {
        let ring = "+---+---+---+\n|           |\n+   +---+   +\n|           |\n+---+---+---+\n";
        let text = laid(ring, 1.0);
        assert_eq!(text, "+---+---+---+\n|     >   = |\n+   +---+   +\n|     >   = |\n+---+---+---+\n");
        let hall = "+---+---+\n|       |\n+   +   +\n|       |\n+---+---+\n";
        assert_eq!(laid(hall, 1.0), hall);
    }

    /// The largest difference of height over all openings, measured a little to each side of five points.
    fn highest_step_m(maze: &MazePlan) -> f64 {
        let plan = maze.plan().unwrap();
        let (drawing, floor) = (Drawing::read(&plan.drawing).unwrap(), Arena::build(&plan).unwrap().floor);
        let mut highest_m = 0.0_f64;
        for pallet in 0..drawing.columns() * drawing.rows() {
            let (column, row) = (pallet % drawing.columns(), pallet / drawing.columns());
            for (side, x, y) in [(Rise::East, 1.0, 0.0), (Rise::North, 0.0, 1.0)] {
                if drawing.edge(column, row, side) == Edge::Wall {
                    continue;
                }
                for along in [0.1, 0.3, 0.5, 0.7, 0.9] {
                    let at = |off: f64| {
                        let x = column as f64 + x * (1.0 + off) + y * along;
                        let y = row as f64 + y * (1.0 + off) + (1.0 - y) * along;
                        floor.height_m(Point2::new(x * plan.pallet_m, y * plan.pallet_m))
                    };
                    highest_m = highest_m.max((at(1e-6) - at(-1e-6)).abs());
                }
            }
        }
        highest_m
    }

    #[test]
    fn fifty_seeds_no_opening_has_a_step_of_3_cm() {
        for seed in 1..=50 {
            for (ramp_share, slope) in [(0.2, Slope::Gentle), (0.5, Slope::Steep), (1.0, Slope::Gentle)] {
                let maze = MazePlan { seed, ramp_share, ramp_slope: slope, ..MazePlan::default() };
                let step_m = highest_step_m(&maze);
                assert!(step_m <= 0.03, "seed {seed}, share {ramp_share}: {step_m} m");
            }
        }
    }

    #[test]
    fn the_share_is_kept_where_corridors_allow_it() {
        let ramps = |ramp_share: f64| {
            let count = |seed: u64| {
                let plan = MazePlan { seed, ramp_share, ..MazePlan::default() }.plan().unwrap();
                plan.drawing.chars().filter(|letter| "<>^v".contains(*letter)).count()
            };
            (1..=20).map(count).sum::<usize>() as f64 / (20.0 * 96.0)
        };
        assert_eq!(ramps(0.0), 0.0);
        assert!((ramps(0.2) - 0.2).abs() < 0.05, "{}", ramps(0.2));
        // Four pallets of ten lie between two walls or end a corridor.
        assert!(ramps(1.0) > 0.3, "{}", ramps(1.0));
    }
}
