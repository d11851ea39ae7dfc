//! Parts whose walls do not hang together, and parts that are none.
//!
//! A narrow part between two slips loses the walls along the slips to its neighbours, whose motions fit them as well. What is
//! left of it are pieces across the slip with nothing between them, each too small for a part of its own:
//!
//! 1. the motion in which most of all that is left fits, wherever it stands; of what fits the largest group with gaps of
//!    [`GAPS_M`], one after the other;
//! 2. the walls in the convex hull of that group, those of other parts too, say where it lies: the motion that fits them best (with
//!    gaps of any length the best motion near that of step 1, for the walls that nearly fit that);
//! 3. of what is left and fits that motion, walls around which most others do not fit are dropped. The rest is a part if it is
//!    large enough, most walls in its hull fit, and these are enough for a part. It takes them all. Where nearly all in the hull fit,
//!    the hull is the core of the part, which reaches as far as its motion fits the walls no worse than any other.
//!
//! It is none if its walls come to lie where other parts have walls already: a map has each wall of the truth once.
//!
//! The other way round a part is none if other parts explain nearly all of its walls: the rims of walls that were drawn
//! thicker along a seam fit a compromise of both sides.

use model::Cell;

use super::fit_around::FitAround;
use super::rigid_motion::RigidMotion;
use super::search::Search;
use super::stretch::largest_stretch;
use super::{MIN_PIECE_SHARE, Pieces, share_within};

/// Gaps between the walls of a scattered part, metres: any, and those of a hall, of a room and of a corridor.
const GAPS_M: [f64; 4] = [f64::INFINITY, 5.0, 3.0, 1.5];
/// The hull leaves out the ends of a part: this share of the size of a part is enough.
const HULL_SHARE_OF_PART: f64 = 0.8;
/// A scattered part has at least this share of all walls to itself.
const MIN_OWN_SHARE: f64 = 0.01;
const MIN_OWN_CELLS: usize = 20;
/// This share of the walls in its hull fits.
const MIN_HULL_SHARE: f64 = 0.75;
/// The same for a group with gaps of any length: the hull of both ends of a turned strip reaches into its neighbours.
const MIN_WIDE_HULL_SHARE: f64 = 0.65;
/// Where this share fits, the hull is the core of a part that may reach farther.
const MIN_CORE_SHARE: f64 = 0.9;
/// A part around another holds more than this share of what the other has to itself.
const MAX_INSIDE_SHARE: f64 = 0.1;
/// A part has at least this share of its walls to itself.
const MIN_UNEXPLAINED_SHARE: f64 = 0.01;

/// What a search for scattered parts needs.
struct Scattered<'a> {
    search: &'a Search,
    /// All walls of the map, in image order.
    walls: &'a [usize],
    /// A scattered part has at least so many walls to itself.
    min_own: usize,
}

impl Pieces<'_> {
    /// Takes scattered parts out of what is left, until there is none.
    pub(super) fn take_scattered(&mut self, search: &Search, walls: &[usize]) {
        let min_own = ((walls.len() as f64 * MIN_OWN_SHARE) as usize).max(MIN_OWN_CELLS);
        let scattered = Scattered { search, walls, min_own };
        while self.left.len() >= min_own && self.take_one_scattered(&scattered) {}
    }

    /// Whether a part was taken, or what is left of one joined it.
    fn take_one_scattered(&mut self, scattered: &Scattered<'_>) -> bool {
        let first =
            scattered.search.best_motion(&self.field, &self.places(&self.left), self.motions()).motion;
        let mut groups = GAPS_M.map(|gap_m| (gap_m, self.group_under(&first, gap_m))).to_vec();
        groups.dedup_by(|(_, narrower), (_, wider)| narrower == wider);
        groups.retain(|(_, group)| group.len() >= scattered.min_own);
        groups.iter().any(|(gap_m, group)| self.take_around(group, *gap_m, &first, scattered))
    }

    /// Steps 2 and 3 for one group.
    fn take_around(
        &mut self,
        group: &[usize],
        gap_m: f64,
        first: &RigidMotion,
        scattered: &Scattered<'_>,
    ) -> bool {
        let Scattered { search, walls, min_own } = *scattered;
        let mut around = self.in_hull(group, walls);
        let (motion, min_hull_share) = if gap_m.is_infinite() {
            around.retain(|&cell| self.is_near(first, cell, self.tau + 1));
            (search.climbed(&self.field, &self.places(&around), *first), MIN_WIDE_HULL_SHARE)
        } else {
            let found = search.best_motion(&self.field, &self.places(&around), self.motions());
            (found.motion, MIN_HULL_SHARE)
        };
        let own = self.consistent(&motion, &self.group_under(&motion, gap_m), walls);
        if own.len() < min_own {
            return false;
        }
        let points = self.places(&own);
        let known = self.found.iter().position(|(known, _)| {
            share_within(&self.field, known, &points, self.tau + 1) >= MIN_PIECE_SHARE
        });
        if let Some(part) = known {
            // Specks from everywhere fit the motion of a part by chance.
            let hangs_together = gap_m.is_finite();
            if hangs_together {
                self.give(part, &own);
            }
            return hangs_together;
        }
        let Some(fitting) = self.walls_around(&motion, &own, (gap_m, min_hull_share), walls) else {
            return false;
        };
        for (_, cells) in &mut self.found {
            cells.retain(|cell| fitting.binary_search(cell).is_err());
        }
        self.found.push((motion, Vec::new()));
        self.give(self.found.len() - 1, &fitting);
        true
    }

    /// The walls of a part with this motion around walls that are its own; none if they are too few, too many of those around
    /// them do not fit, or other parts have them.
    fn walls_around(
        &self,
        motion: &RigidMotion,
        own: &[usize],
        (gap_m, min_hull_share): (f64, f64),
        walls: &[usize],
    ) -> Option<Vec<usize>> {
        if !self.claims_walls(motion, own) {
            return None;
        }
        let mut fitting = self.in_hull(own, walls);
        let inside = fitting.len() as f64;
        fitting.retain(|&cell| self.is_near(motion, cell, self.tau + 1));
        let mut sure = fitting.len() as f64;
        if gap_m.is_finite() && sure >= MIN_CORE_SHARE * inside {
            let grown = self.grown(motion, &fitting, walls, gap_m);
            fitting = grown.cells;
            sure = grown.sure as f64;
        }
        let size = fitting.len() as f64;
        if sure < HULL_SHARE_OF_PART * self.min_part_cells as f64 || size < min_hull_share * inside {
            return None;
        }
        let is_told =
            |&&cell: &&usize| !self.found.iter().any(|(known, _)| self.is_near(known, cell, self.tau + 1));
        let told = fitting.iter().filter(is_told).count() as f64;
        (gap_m.is_finite() || told >= MIN_UNEXPLAINED_SHARE * size).then_some(fitting)
    }

    /// Those of some cells around which half of the walls or more fit a motion: others fit by chance.
    fn consistent(&self, motion: &RigidMotion, cells: &[usize], walls: &[usize]) -> Vec<usize> {
        let fit = FitAround::of(self, motion, walls);
        let is_held = |&cell: &usize| {
            let (all, fitting) = fit.around(cell);
            fitting * 2 >= all
        };
        cells.iter().copied().filter(is_held).collect()
    }

    /// The largest group of what is left and fits under a motion.
    fn group_under(&self, motion: &RigidMotion, gap_m: f64) -> Vec<usize> {
        let longest = self.geometry.width().max(self.geometry.height());
        let wide_gap = ((gap_m / self.geometry.cell_size_m()) as usize).min(longest);
        let mut fitting = self.left.clone();
        fitting.retain(|&cell| self.is_near(motion, cell, self.tau + 1));
        largest_stretch(&fitting, self.geometry.width(), wide_gap.max(self.gap))
    }

    pub(super) fn is_near(&self, motion: &RigidMotion, cell: usize, distance_cells: u32) -> bool {
        self.field.distance(motion.apply(self.place(cell))) <= distance_cells
    }

    /// The walls in the convex hull of some, in image order.
    fn in_hull(&self, of: &[usize], walls: &[usize]) -> Vec<usize> {
        let hull = convex_hull(of.iter().map(|&index| self.lattice_point(index)).collect());
        walls.iter().copied().filter(|&index| is_inside(&hull, self.lattice_point(index))).collect()
    }

    /// Dissolves parts that others explain, the smallest first.
    pub(super) fn dissolve_explained(&mut self) {
        while self.found.len() > 1 {
            let mut by_size: Vec<usize> = (0..self.found.len()).collect();
            by_size.sort_by_key(|&part| self.found[part].1.len());
            let is_explained = |&part: &usize| self.unexplained_share(part) < MIN_UNEXPLAINED_SHARE;
            let Some(part) = by_size.into_iter().find(is_explained) else { return };
            let (_, cells) = self.found.remove(part);
            for cell in cells {
                let place = self.place(cell);
                let distance = |other: &usize| self.field.distance(self.found[*other].0.apply(place));
                let nearest = (0..self.found.len()).min_by_key(distance);
                nearest.into_iter().for_each(|other| self.found[other].1.push(cell));
            }
        }
    }

    /// Share of a part's walls that fit no other part.
    pub(super) fn unexplained_share(&self, part: usize) -> f64 {
        self.own_cells(part, self.tau + 1).len() as f64 / self.found[part].1.len().max(1) as f64
    }
}

impl Pieces<'_> {
    /// Whether a part lies on both sides of another: between them a narrow part may be hidden whose motion differs little.
    pub(super) fn is_one_around_another(&self) -> bool {
        let own: Vec<Vec<(i64, i64)>> =
            (0..self.found.len()).map(|part| self.own_cells(part, self.tau + 2)).collect();
        let hulls: Vec<_> = own.iter().map(|cells| convex_hull(cells.clone())).collect();
        let is_around = |hull: usize, part: usize| {
            let inside = own[part].iter().filter(|&&cell| is_inside(&hulls[hull], cell)).count();
            hull != part && inside as f64 > MAX_INSIDE_SHARE * own[part].len() as f64
        };
        (0..own.len()).any(|hull| (0..own.len()).any(|part| is_around(hull, part)))
    }

    fn lattice_point(&self, index: usize) -> (i64, i64) {
        let Cell { i, j } = self.geometry.cell_of(index);
        (i as i64, j as i64)
    }

    /// Column and row from below of the walls of a part that fit no other.
    fn own_cells(&self, part: usize, near_cells: u32) -> Vec<(i64, i64)> {
        let others = || self.found.iter().enumerate().filter(|(other, _)| *other != part);
        let is_own =
            |&&cell: &&usize| !others().any(|(_, (motion, _))| self.is_near(motion, cell, near_cells));
        self.found[part].1.iter().filter(is_own).map(|&cell| self.lattice_point(cell)).collect()
    }
}

/// Twice the area of a triangle, positive if it turns left.
fn turn(a: (i64, i64), b: (i64, i64), c: (i64, i64)) -> i64 {
    (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0)
}

/// Corners of the convex hull, counter-clockwise (Andrew's monotone chain).
fn convex_hull(mut points: Vec<(i64, i64)>) -> Vec<(i64, i64)> {
    points.sort_unstable();
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let half = |points: &mut dyn Iterator<Item = (i64, i64)>| {
        let mut chain: Vec<(i64, i64)> = Vec::new();
        for point in points {
            while let [.., a, b] = chain[..]
                && turn(a, b, point) <= 0
            {
                chain.pop();
            }
            chain.push(point);
        }
        chain.pop();
        chain
    };
    let mut hull = half(&mut points.iter().copied());
    hull.extend(half(&mut points.iter().rev().copied()));
    hull
}

/// Whether a point lies in a convex polygon or on its border.
fn is_inside(hull: &[(i64, i64)], point: (i64, i64)) -> bool {
    let nexts = hull.iter().cycle().skip(1);
    hull.len() > 2 && hull.iter().zip(nexts).all(|(&from, &to)| turn(from, to, point) >= 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hull_holds_what_lies_between_its_corners() {
        let hull = convex_hull(vec![(0, 0), (4, 0), (2, 1), (4, 4), (0, 4), (2, 0)]);
        assert_eq!(hull, [(0, 0), (4, 0), (4, 4), (0, 4)]);
        assert!(is_inside(&hull, (2, 3)) && is_inside(&hull, (4, 2)) && !is_inside(&hull, (5, 2)));
        let line = convex_hull(vec![(0, 0), (1, 1), (2, 2)]);
        assert!(!is_inside(&line, (1, 1)), "a line has no inside");
    }
}
