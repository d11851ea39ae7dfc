//! Where the points of a truth appear in a damaged map of it.

use std::sync::Arc;

use model::{GridGeometry, Point2, Pose2, Similarity2};

/// Where points went. A point is sent through the frame of the grid that was damaged: metres right and up from its
/// lower-left corner.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    origin: Pose2,
    step: Step,
}

/// A motion in the frame of the grid.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Step {
    Still,
    Similarity(Similarity2),
    /// Left becomes right on a grid of this width in metres.
    Mirror(f64),
    Bend(ArcBend),
    /// Points of a rectangle move, the others stay.
    Rectangle(Rectangle, Similarity2),
    /// Points of cells that are not kept are gone.
    Kept(GridGeometry, Arc<Vec<bool>>),
}

/// A rectangle along the axes of a grid, in metres; its low borders belong to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rectangle {
    pub low: (f64, f64),
    pub high: (f64, f64),
}

impl Rectangle {
    /// The whole grid.
    pub(super) fn of_grid(geometry: &GridGeometry) -> Self {
        let side_m = |cells: usize| cells as f64 * geometry.cell_size_m();
        Self { low: (0.0, 0.0), high: (side_m(geometry.width()), side_m(geometry.height())) }
    }

    pub(super) fn holds(&self, (x, y): (f64, f64)) -> bool {
        x >= self.low.0 && y >= self.low.1 && x < self.high.0 && y < self.high.1
    }

    pub(super) fn corners(&self) -> [(f64, f64); 4] {
        let ((left, bottom), (right, top)) = (self.low, self.high);
        [(left, bottom), (right, bottom), (right, top), (left, top)]
    }
}

/// A straight line that becomes an arc: along one axis from a start, about a middle line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ArcBend {
    /// Whether the line runs up instead of to the right.
    pub runs_up: bool,
    pub start_m: f64,
    pub middle_m: f64,
    /// Signed radius in metres: positive bends to the left of the line.
    pub radius_m: f64,
}

impl ArcBend {
    /// Forward: X = (R - y) sin(x / R), Y = R - (R - y) cos(x / R), for x beyond the start.
    pub(super) fn moved(&self, point: (f64, f64)) -> (f64, f64) {
        let (along, beside) = self.to_line(point);
        if along <= 0.0 {
            return point;
        }
        let radius = self.radius_m.abs();
        let (sin, cos) = (along / radius).sin_cos();
        // R - (R - y) cos without subtracting two large numbers of nearly the same size.
        let one_less_cos = if cos > 0.0 { sin * sin / (1.0 + cos) } else { 1.0 - cos };
        self.of_line(((radius - beside) * sin, beside * cos + radius * one_less_cos))
    }

    /// Along the line from the start, and beside it towards the centre of the arc.
    pub(super) fn to_line(self, (x, y): (f64, f64)) -> (f64, f64) {
        let (along, beside) = if self.runs_up { (y, -x) } else { (x, y) };
        let middle = if self.runs_up { -self.middle_m } else { self.middle_m };
        (along - self.start_m, self.radius_m.signum() * (beside - middle))
    }

    pub(super) fn of_line(self, (along, beside): (f64, f64)) -> (f64, f64) {
        let middle = if self.runs_up { -self.middle_m } else { self.middle_m };
        let (along, beside) = (along + self.start_m, self.radius_m.signum() * beside + middle);
        if self.runs_up { (-beside, along) } else { (along, beside) }
    }
}

impl Motion {
    /// Every point stays.
    pub const STILL: Self = Self { origin: Pose2::IDENTITY, step: Step::Still };

    pub(super) fn on(geometry: &GridGeometry, step: Step) -> Self {
        Self { origin: geometry.origin(), step }
    }

    /// Where a point of the truth appears; none where that part of the truth is gone.
    #[must_use]
    pub fn moved(&self, point: Point2) -> Option<Point2> {
        self.function()(point)
    }

    /// The motion as a function, for many points: sines and cosines are taken once.
    pub fn function(&self) -> impl Fn(Point2) -> Option<Point2> + Sync + '_ {
        let in_grid = Similarity2::from(self.origin.inverse()).function();
        let in_world = Similarity2::from(self.origin).function();
        let step = self.step.function();
        move |point| {
            if self.step == Step::Still {
                return Some(point);
            }
            let from = in_grid(point);
            let (x_m, y_m) = step((from.x_m, from.y_m))?;
            Some(in_world(Point2::new(x_m, y_m)))
        }
    }

    /// The one similarity transform of all points, where there is one.
    #[must_use]
    pub fn map_from_truth(&self) -> Option<Similarity2> {
        let origin = Similarity2::from(self.origin);
        match self.step {
            Step::Still => Some(Similarity2::IDENTITY),
            Step::Similarity(inner) => Some(origin * inner * origin.inverse()),
            Step::Kept(..) => Some(Similarity2::IDENTITY),
            Step::Mirror(_) | Step::Bend(_) | Step::Rectangle(..) => None,
        }
    }
}

impl Step {
    /// Where a point appears.
    pub(super) fn moved(&self, point: (f64, f64)) -> Option<(f64, f64)> {
        self.function()(point)
    }

    /// The step as a function, for many points.
    fn function(&self) -> impl Fn((f64, f64)) -> Option<(f64, f64)> + Sync + '_ {
        let transform = match self {
            Self::Similarity(transform) | Self::Rectangle(_, transform) => *transform,
            Self::Kept(geometry, _) => Similarity2::from(geometry.origin()),
            Self::Still | Self::Mirror(_) | Self::Bend(_) => Similarity2::IDENTITY,
        };
        let transform = transform.function();
        let by_transform = move |(x_m, y_m): (f64, f64)| {
            let moved = transform(Point2::new(x_m, y_m));
            (moved.x_m, moved.y_m)
        };
        move |point| match self {
            Self::Still => Some(point),
            Self::Similarity(_) => Some(by_transform(point)),
            Self::Mirror(width_m) => Some((width_m - point.0, point.1)),
            Self::Bend(bend) => Some(bend.moved(point)),
            Self::Rectangle(rectangle, _) => {
                Some(if rectangle.holds(point) { by_transform(point) } else { point })
            }
            Self::Kept(geometry, kept) => {
                let world = transform(Point2::new(point.0, point.1));
                // Beyond the grid nothing was known, so nothing is gone.
                let is_kept = geometry
                    .cell_at(world)
                    .is_none_or(|cell| kept.get(geometry.index_of(cell)).is_none_or(|kept| *kept));
                is_kept.then_some(point)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// R = 10 m: a quarter of a radian along the line is 2.5 m; at the middle line it ends at (10 sin 0.25, 10 - 10 cos 0.25).
    #[test]
    fn a_bend_by_hand() {
        let bend = ArcBend { runs_up: false, start_m: 1.0, middle_m: 5.0, radius_m: 10.0 };
        let (x, y) = bend.moved((3.5, 5.0));
        assert!((x - (1.0 + 10.0 * 0.25_f64.sin())).abs() < 1e-12);
        assert!((y - (5.0 + 10.0 - 10.0 * 0.25_f64.cos())).abs() < 1e-12);
        assert_eq!(bend.moved((0.5, 7.0)), (0.5, 7.0));
        let right = ArcBend { radius_m: -10.0, ..bend };
        let (_, down) = right.moved((3.5, 5.0));
        assert!((y - 5.0 + down - 5.0).abs() < 1e-12, "the other side");
    }

    #[test]
    fn a_bend_of_a_line_that_runs_up_is_the_same_turned_by_a_quarter() {
        let along_x = ArcBend { runs_up: false, start_m: 1.0, middle_m: 5.0, radius_m: 8.0 };
        let along_y = ArcBend { runs_up: true, start_m: 1.0, middle_m: -5.0, radius_m: 8.0 };
        let (x, y) = along_x.moved((4.0, 6.0));
        let (up_x, up_y) = along_y.moved((-6.0, 4.0));
        assert!((up_x + y).abs() < 1e-12 && (up_y - x).abs() < 1e-12, "{x} {y} {up_x} {up_y}");
    }

    #[test]
    fn transforms_are_told_in_the_frame_of_the_world() {
        let geometry = GridGeometry::new(4, 4, 0.5, Pose2::new(10.0, -3.0, 0.7)).unwrap();
        let inner = Similarity2::new(0.2, 0.1, 0.05, 1.02);
        let motion = Motion::on(&geometry, Step::Similarity(inner));
        let point = Point2::new(11.0, -2.5);
        let by_steps = motion.moved(point).unwrap();
        let at_once = motion.map_from_truth().unwrap() * point;
        assert!((by_steps.x_m - at_once.x_m).abs() < 1e-12 && (by_steps.y_m - at_once.y_m).abs() < 1e-12);
    }

    #[test]
    fn points_of_lost_cells_are_gone() {
        let geometry = GridGeometry::new(2, 1, 1.0, Pose2::IDENTITY).unwrap();
        let motion = Motion::on(&geometry, Step::Kept(geometry, Arc::new(vec![true, false])));
        assert_eq!(motion.moved(Point2::new(0.5, 0.5)), Some(Point2::new(0.5, 0.5)));
        assert_eq!(motion.moved(Point2::new(1.5, 0.5)), None);
    }
}
