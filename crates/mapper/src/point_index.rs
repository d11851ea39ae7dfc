//! The nearest of some points within a reach, by a grid of buckets as wide as the reach.

use model::Point2;

/// Points in buckets.
pub(crate) struct PointIndex<'a> {
    points: &'a [Point2],
    /// Points in the order of their buckets.
    order: Vec<u32>,
    starts: Vec<u32>,
    low: Point2,
    edge_m: f64,
    width: usize,
    height: usize,
}

/// Most buckets along a side.
const MAX_SIDE: usize = 512;

impl<'a> PointIndex<'a> {
    /// Sorts finite points into buckets; none without points.
    pub fn new(points: &'a [Point2], reach_m: f64) -> Option<Self> {
        let first = points.first()?;
        let (mut low, mut high) = (*first, *first);
        for point in points {
            low = Point2::new(low.x_m.min(point.x_m), low.y_m.min(point.y_m));
            high = Point2::new(high.x_m.max(point.x_m), high.y_m.max(point.y_m));
        }
        let longest_m = (high.x_m - low.x_m).max(high.y_m - low.y_m);
        if !longest_m.is_finite() {
            return None;
        }
        let edge_m = reach_m.max(longest_m / MAX_SIDE as f64).max(1e-3);
        let side = |length_m: f64| (length_m / edge_m) as usize + 1;
        let (width, height) = (side(high.x_m - low.x_m), side(high.y_m - low.y_m));
        let mut index = Self { points, order: Vec::new(), starts: Vec::new(), low, edge_m, width, height };
        index.fill();
        Some(index)
    }

    fn fill(&mut self) {
        let bucket = |point: &Point2| {
            let column = ((point.x_m - self.low.x_m) / self.edge_m) as usize;
            let row = ((point.y_m - self.low.y_m) / self.edge_m) as usize;
            row.min(self.height - 1) * self.width + column.min(self.width - 1)
        };
        let mut starts = vec![0_u32; self.width * self.height + 1];
        self.points.iter().for_each(|point| starts[bucket(point) + 1] += 1);
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut order = vec![0; self.points.len()];
        for (index, point) in (0..).zip(self.points) {
            let place = &mut next[bucket(point)];
            order[*place as usize] = index;
            *place += 1;
        }
        (self.starts, self.order) = (starts, order);
    }

    /// The nearest point within a reach not above the one of the index, and the square of its distance.
    pub fn nearest(&self, to: Point2, reach_m: f64) -> Option<(usize, f64)> {
        let column = ((to.x_m - self.low.x_m) / self.edge_m).floor();
        let row = ((to.y_m - self.low.y_m) / self.edge_m).floor();
        let inside = |at: f64, side: usize| at >= -1.0 && at <= side as f64;
        if !(inside(column, self.width) && inside(row, self.height)) {
            return None;
        }
        let (column, row) = (column as i64, row as i64);
        let (mut best, mut least) = (None, reach_m * reach_m);
        for row in (row - 1).max(0)..=(row + 1).min(self.height as i64 - 1) {
            let (left, right) = ((column - 1).max(0), (column + 1).min(self.width as i64 - 1));
            if left > right {
                continue;
            }
            let base = row as usize * self.width;
            let range = self.starts[base + left as usize]..self.starts[base + right as usize + 1];
            for &index in &self.order[range.start as usize..range.end as usize] {
                let point = self.points[index as usize];
                let (dx, dy) = (point.x_m - to.x_m, point.y_m - to.y_m);
                let square = dx * dx + dy * dy;
                if square < least {
                    (best, least) = (Some(index as usize), square);
                }
            }
        }
        best.map(|index| (index, least))
    }
}

#[cfg(test)]
mod tests {
    use testkit::Random;

    use super::*;

    #[test]
    fn equals_looking_at_every_point() {
        let mut random = Random(3);
        let mut point = || Point2::new(random.below(1000) as f64 / 100.0, random.below(700) as f64 / 100.0);
        let points: Vec<Point2> = (0..200).map(|_| point()).collect();
        let index = PointIndex::new(&points, 0.5).unwrap();
        for _ in 0..500 {
            let to = point();
            let square = |p: &Point2| (p.x_m - to.x_m).powi(2) + (p.y_m - to.y_m).powi(2);
            let least = points.iter().map(square).fold(f64::INFINITY, f64::min);
            let expected = (least < 0.25).then_some(least);
            assert_eq!(index.nearest(to, 0.5).map(|(_, square)| square), expected);
        }
        assert!(index.nearest(Point2::new(-50.0, 3.0), 0.5).is_none());
        assert!(PointIndex::new(&[], 0.5).is_none());
    }
}
