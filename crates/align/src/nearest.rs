//! The nearest of a set of points, exactly, from a grid of buckets.
//!
//! Two kinds of questions: the nearest of all points ([`NearestPoints::nearest`], ring after ring of buckets of about
//! one point each), and the nearest within a reach known beforehand ([`NearestPoints::nearest_within`], nine buckets as
//! wide as the reach). Of points at equal distances the one visited first is the answer.

use model::Point2;

/// Points in buckets of equal squares.
#[derive(Clone, Debug)]
pub struct NearestPoints {
    /// In the order of their buckets.
    points: Vec<Point2>,
    /// Where each of them stood in the list that the index was made from.
    numbers: Vec<u32>,
    /// Bucket b holds the points `starts[b]..starts[b + 1]`.
    starts: Vec<u32>,
    low: Point2,
    per_m: f64,
    width: usize,
    height: usize,
}

/// Points per bucket that are aimed at if they were spread evenly; scans lie along walls, so their buckets hold more.
const POINTS_PER_BUCKET: f64 = 1.0;
/// Max buckets along a side, and the same where a reach is given.
const MAX_SIDE: usize = 1024;
const MAX_REACH_SIDE: usize = 512;
/// Min edge of a bucket where a reach is given, metres.
const MIN_EDGE_M: f64 = 1e-3;

impl NearestPoints {
    /// An index for [`Self::nearest`]; none without points, or if one of them is not finite.
    pub fn new(points: &[Point2]) -> Option<Self> {
        let count = points.len() as f64 / POINTS_PER_BUCKET;
        Self::with_edge(points, |wide, high| {
            let longest = wide.max(high).max(f64::MIN_POSITIVE);
            (wide * high / count).sqrt().max(longest / MAX_SIDE as f64)
        })
    }

    /// An index for [`Self::nearest_within`], up to this reach; none without points, or if one of them is not finite.
    pub fn with_reach(points: &[Point2], reach_m: f64) -> Option<Self> {
        Self::with_edge(points, |wide, high| {
            reach_m.max(wide.max(high) / MAX_REACH_SIDE as f64).max(MIN_EDGE_M)
        })
    }

    /// Sorts points into buckets with the edge that suits their width and height.
    fn with_edge(points: &[Point2], edge: impl Fn(f64, f64) -> f64) -> Option<Self> {
        if points.is_empty() || points.iter().any(|p| !(p.x_m.is_finite() && p.y_m.is_finite())) {
            return None;
        }
        let range = |axis: fn(&Point2) -> f64| {
            let values = || points.iter().map(axis);
            (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max))
        };
        let ((left, right), (bottom, top)) = (range(|p| p.x_m), range(|p| p.y_m));
        let (wide, high) = (right - left, top - bottom);
        let per_m = 1.0 / edge(wide, high);
        let side = |length: f64| ((length * per_m) as usize + 1).min(MAX_SIDE + 1);
        let mut sorted = Self {
            points: vec![Point2::default(); points.len()],
            numbers: vec![0; points.len()],
            starts: Vec::new(),
            low: Point2::new(left, bottom),
            per_m,
            width: side(wide),
            height: side(high),
        };
        sorted.fill(points);
        Some(sorted)
    }

    fn fill(&mut self, points: &[Point2]) {
        let bucket = |index: &Self, p: &Point2| {
            let (column, row) = index.bucket_of(*p);
            row * index.width + column
        };
        let mut starts = vec![0_u32; self.width * self.height + 1];
        points.iter().for_each(|p| starts[bucket(self, p) + 1] += 1);
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        let mut next = starts.clone();
        for (number, point) in (0..).zip(points) {
            let place = &mut next[bucket(self, point)];
            (self.points[*place as usize], self.numbers[*place as usize]) = (*point, number);
            *place += 1;
        }
        self.starts = starts;
    }

    /// The bucket of a position, the nearest one for positions outside.
    fn bucket_of(&self, point: Point2) -> (usize, usize) {
        let column = ((point.x_m - self.low.x_m) * self.per_m) as usize;
        let row = ((point.y_m - self.low.y_m) * self.per_m) as usize;
        (column.min(self.width - 1), row.min(self.height - 1))
    }

    /// The nearest point to a position, and the square of its distance.
    pub fn nearest(&self, to: Point2) -> (Point2, f64) {
        self.nearest_from(to, self.points[0])
    }

    /// The same, if one of the points is known that is probably near: the search is shorter.
    #[inline]
    pub fn nearest_from(&self, to: Point2, start: Point2) -> (Point2, f64) {
        let (column, row) = self.bucket_of(to);
        let (dx, dy) = (start.x_m - to.x_m, start.y_m - to.y_m);
        let (mut best, mut least) = (start, dx * dx + dy * dy);
        for ring in 0..self.width.max(self.height) {
            // Everything beyond the ring before this one is at least this far away.
            let reach = self.reach(to, column, row, ring);
            if least <= reach * reach {
                break;
            }
            self.for_each_in_ring(column, row, ring, |points| {
                for &point in points {
                    let (dx, dy) = (point.x_m - to.x_m, point.y_m - to.y_m);
                    let square = dx * dx + dy * dy;
                    if square < least {
                        (best, least) = (point, square);
                    }
                }
            });
        }
        (best, least)
    }

    /// The number of the nearest point closer than a reach, which is not above that of the index, and the square of
    /// its distance.
    #[inline]
    pub fn nearest_within(&self, to: Point2, reach_m: f64) -> Option<(usize, f64)> {
        let column = ((to.x_m - self.low.x_m) * self.per_m).floor();
        let row = ((to.y_m - self.low.y_m) * self.per_m).floor();
        let inside = |at: f64, side: usize| at >= -1.0 && at <= side as f64;
        if !(inside(column, self.width) && inside(row, self.height)) {
            return None;
        }
        let around = |at: f64, side: usize| {
            let at = at as i64;
            (at - 1).max(0) as usize..=(at + 1).min(side as i64 - 1) as usize
        };
        let columns = around(column, self.width);
        let (mut best, mut least) = (None, reach_m * reach_m);
        for row in around(row, self.height) {
            let base = row * self.width;
            let (first, last) = (self.starts[base + columns.start()], self.starts[base + columns.end() + 1]);
            for place in first as usize..last as usize {
                let (dx, dy) = (self.points[place].x_m - to.x_m, self.points[place].y_m - to.y_m);
                let square = dx * dx + dy * dy;
                if square < least {
                    (best, least) = (Some(place), square);
                }
            }
        }
        best.map(|place| (self.numbers[place] as usize, least))
    }

    /// A lower bound of the distance to all points in this ring and beyond.
    fn reach(&self, to: Point2, column: usize, row: usize, ring: usize) -> f64 {
        if ring == 0 {
            return 0.0;
        }
        let edge = 1.0 / self.per_m;
        let inner = ring as f64 - 1.0;
        let x = to.x_m - self.low.x_m;
        let y = to.y_m - self.low.y_m;
        let sides = [
            x - (column as f64 - inner) * edge,
            (column as f64 + inner + 1.0) * edge - x,
            y - (row as f64 - inner) * edge,
            (row as f64 + inner + 1.0) * edge - y,
        ];
        sides.into_iter().fold(f64::INFINITY, f64::min).max(0.0)
    }

    fn for_each_in_ring(&self, column: usize, row: usize, ring: usize, mut each: impl FnMut(&[Point2])) {
        let (left, right) = (column.saturating_sub(ring), (column + ring).min(self.width - 1));
        let rows = row.saturating_sub(ring)..=(row + ring).min(self.height - 1);
        let mut visit = |row: usize, from: usize, to: usize| {
            let (first, last) =
                (self.starts[row * self.width + from], self.starts[row * self.width + to + 1]);
            each(&self.points[first as usize..last as usize]);
        };
        for near in rows {
            if near.abs_diff(row) == ring {
                visit(near, left, right);
            } else {
                if column >= ring {
                    visit(near, left, left);
                }
                if column + ring < self.width && ring > 0 {
                    visit(near, right, right);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use testkit::Random;

    use super::*;

    #[test]
    fn equals_looking_at_every_point() {
        let mut random = Random(9);
        let mut point = |spread: usize| {
            Point2::new(random.below(spread) as f64 / 7.0, random.below(spread / 3 + 1) as f64 / 5.0)
        };
        for count in [1, 2, 50, 700] {
            let points: Vec<Point2> = (0..count).map(|_| point(500)).collect();
            let index = NearestPoints::new(&points).unwrap();
            for _ in 0..300 {
                let mut to = point(900);
                to.x_m -= 30.0;
                let square = |p: &Point2| (p.x_m - to.x_m).powi(2) + (p.y_m - to.y_m).powi(2);
                let least = points.iter().map(square).fold(f64::INFINITY, f64::min);
                assert_eq!(index.nearest(to).1, least, "{count} points, {to:?}");
            }
        }
    }

    #[test]
    fn within_a_reach_equals_looking_at_every_point() {
        let mut random = Random(3);
        let mut point = || Point2::new(random.below(1000) as f64 / 100.0, random.below(700) as f64 / 100.0);
        let points: Vec<Point2> = (0..200).map(|_| point()).collect();
        let index = NearestPoints::with_reach(&points, 0.5).unwrap();
        for _ in 0..500 {
            let to = point();
            let square = |p: &Point2| (p.x_m - to.x_m).powi(2) + (p.y_m - to.y_m).powi(2);
            let least = points.iter().map(square).fold(f64::INFINITY, f64::min);
            let found = index.nearest_within(to, 0.5);
            assert_eq!(found.map(|(_, square)| square), (least < 0.25).then_some(least));
            assert!(found.is_none_or(|(number, _)| square(&points[number]) == least));
        }
        assert!(index.nearest_within(Point2::new(-50.0, 3.0), 0.5).is_none());
        assert!(index.nearest_within(Point2::new(f64::NAN, 3.0), 0.5).is_none());
        assert!(NearestPoints::with_reach(&[], 0.5).is_none());
    }

    #[test]
    fn coincident_points_and_no_points() {
        let point = Point2::new(3.0, 4.0);
        assert_eq!(NearestPoints::new(&[point; 5]).unwrap().nearest(Point2::default()), (point, 25.0));
        assert!(NearestPoints::new(&[]).is_none());
        assert!(NearestPoints::new(&[Point2::new(f64::NAN, 0.0)]).is_none());
    }
}
