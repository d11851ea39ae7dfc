//! Drift: the heading error of the mapper grows with the distance along x, so that the far end is bent away.
//!
//! A straight corridor becomes an arc of radius `R = 1 / k`, `k` being the drift per metre. With `x` along the
//! corridor from where the drift starts and `y` up from the middle of the grid, a point of the truth appears at
//!
//! ```text
//! X = (R - y) sin(k x),   Y = R - (R - y) cos(k x)
//! ```
//!
//! and the inverse, which is what the look-up needs, is
//!
//! ```text
//! x = R atan2(X, R - Y),   y = R - √(X² + (R - Y)²)
//! ```
//!
//! The cells rest on an arc tangent; a platform that rounds it differently could flip a cell whose border
//! passes within 1e-12 cells of a looked-up point.

use model::{Grid, SeededRng};
use serde::{Deserialize, Serialize};

use super::kind::{Chance, Damage, Damaged, KindSpec, KnownAnswer};
use super::motion::{ArcBend, Motion, Step};
use super::resample::{Extent, Padding, Source, resample, resample_onto};
use crate::SimError;

/// Parameters of [`bend`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bend {
    /// Heading error per metre along x, counter-clockwise, in radians per metre. Default 0.25 degrees per
    /// metre; ours: the end of a 24 m floor lies about 1 m off, as after a long corridor without loop closure.
    pub heading_drift_rad_per_m: f64,
    /// Where the drift starts, in metres from the left border of the grid. Default 2; ours, so that the first
    /// room is right.
    pub start_m: f64,
}

impl Default for Bend {
    fn default() -> Self {
        Self { heading_drift_rad_per_m: 0.25_f64.to_radians(), start_m: 2.0 }
    }
}

/// Bends the map to the left (positive drift) or right from where the drift starts.
///
/// # Errors
/// A start that is not finite, or a drift of more than one radian over the longer side of the grid: the map
/// would fold over itself.
pub fn bend(truth: &Grid, params: &Bend) -> Result<Grid, SimError> {
    let geometry = truth.geometry();
    let longer_side_m = geometry.width().max(geometry.height()) as f64 * geometry.cell_size_m();
    SimError::check_range(
        "heading_drift_rad_per_m",
        params.heading_drift_rad_per_m,
        -1.0 / longer_side_m..=1.0 / longer_side_m,
        "at most one radian over the longer side of the grid",
    )?;
    SimError::check_range("start_m", params.start_m, f64::MIN..=f64::MAX, "a finite number")?;
    let drift_rad_per_cell = params.heading_drift_rad_per_m * geometry.cell_size_m();
    let straight = |right, up| Source { point: (right, up), per_right: (1.0, 0.0), per_up: (0.0, 1.0) };
    // Below this the arc is straighter than the numbers can tell.
    if drift_rad_per_cell.abs() < 1e-12 {
        return resample(truth, straight);
    }
    let radius_cells = 1.0 / drift_rad_per_cell.abs();
    let (start_cells, middle_cells) =
        (params.start_m / geometry.cell_size_m(), geometry.height() as f64 / 2.0);
    let side = drift_rad_per_cell.signum();
    resample(truth, |right, up| {
        let (along, beside) = (right - start_cells, side * (up - middle_cells));
        if along <= 0.0 {
            return straight(right, up);
        }
        let to_centre = radius_cells - beside;
        // Not `hypot`: no overflow can happen here, and a square root rounds alike on every machine.
        let distance = (along * along + to_centre * to_centre).sqrt();
        let x = radius_cells * along.atan2(to_centre);
        // R - distance without subtracting two large numbers of nearly the same size.
        let y = (2.0 * radius_cells * beside - along * along - beside * beside) / (radius_cells + distance);
        let (sin, cos) = (along / distance, to_centre / distance);
        let stretch = radius_cells / distance;
        Source {
            point: (start_cells + x, middle_cells + side * y),
            per_right: (stretch * cos, -side * sin),
            per_up: (side * stretch * sin, cos),
        }
    })
}

/// The kind `bend`: the known part is bent along its longer side from its low end on, until the far end lies a given length
/// beside its place. The seed chooses the side.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BentEnd {
    /// How far the far end of the middle line lies beside its place, metres.
    pub end_offset_m: f64,
}

/// The far end of an arc of one radian lies this many lengths aside: 1 - cos 1.
const MAX_OFFSET_PER_LENGTH: f64 = 0.459_697_694_131_860_2;

impl Damage for BentEnd {
    const SPEC: KindSpec = KindSpec {
        name: "bend",
        title: "heading drifts, so the far end is bent away",
        unit: "m",
        ladder: &[0.1, 0.2, 0.4, 0.8, 1.6, 3.2],
        range: (0.0, 1000.0),
        harmless: Some(0.0),
        answer: KnownAnswer::Field,
        chance: Chance::Seeded,
    };

    fn of_strength(strength: f64) -> Self {
        Self { end_offset_m: strength }
    }

    fn apply(&self, map: &Grid, seed: u64) -> Result<Damaged, SimError> {
        let Some(known) = Extent::of_known(map) else { return Ok(Damaged::in_place(map.clone())) };
        let (geometry, cell_size_m) = (map.geometry(), map.geometry().cell_size_m());
        let (width, height) = (known.right - known.left, known.top - known.bottom);
        let runs_up = height > width;
        let length_m = width.max(height) as f64 * cell_size_m;
        let max_m = MAX_OFFSET_PER_LENGTH * length_m;
        if self.end_offset_m > max_m {
            return Err(SimError::Folds { kind: Self::SPEC.name, found_m: self.end_offset_m, max_m });
        }
        let side = if SeededRng::new(seed).chance(0.5) { 1.0 } else { -1.0 };
        let middle = |low: usize, high: usize| (low + high) as f64 * cell_size_m / 2.0;
        let (start, middle_m) = if runs_up {
            (known.bottom, middle(known.left, known.right))
        } else {
            (known.left, middle(known.bottom, known.top))
        };
        let radius_m = side * radius_of_offset(self.end_offset_m, length_m);
        let arc = ArcBend { runs_up, start_m: start as f64 * cell_size_m, middle_m, radius_m };
        let step = Step::Bend(arc);
        let padding = Padding::for_step(map, &step);
        let bent = resample_onto(map, padding, |right, up| source_of(&arc, cell_size_m, right, up))?;
        Ok(Damaged::moved(bent, Motion::on(geometry, step)))
    }
}

/// The radius of the arc whose end lies `offset_m` aside after `length_m`: the root of R (1 - cos(L / R)) = offset. The left
/// side falls as R grows, so halving finds it to the last digit.
fn radius_of_offset(offset_m: f64, length_m: f64) -> f64 {
    let offset_of = |radius_m: f64| 2.0 * radius_m * (length_m / radius_m / 2.0).sin().powi(2);
    let (mut low, mut high) = (length_m, length_m * length_m / offset_m);
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if offset_of(middle) > offset_m { low = middle } else { high = middle }
    }
    high
}

/// Where a point of the bent map came from, in cells; the inverse in the header of this file.
fn source_of(arc: &ArcBend, cell_size_m: f64, right: f64, up: f64) -> Source {
    let straight = Source { point: (right, up), per_right: (1.0, 0.0), per_up: (0.0, 1.0) };
    let (along, beside) = arc.to_line((right * cell_size_m, up * cell_size_m));
    if along <= 0.0 {
        return straight;
    }
    let radius = arc.radius_m.abs();
    let to_centre = radius - beside;
    let distance = (along * along + to_centre * to_centre).sqrt();
    let x = radius * along.atan2(to_centre);
    let y = (2.0 * radius * beside - along * along - beside * beside) / (radius + distance);
    let (sin, cos) = (along / distance, to_centre / distance);
    let stretch = radius / distance;
    let (px, py) = arc.of_line((x, y));
    // How a point moves in the truth when one goes along the line or beside it in the damaged map.
    let (per_along, per_beside) = ((stretch * cos, -sin), (stretch * sin, cos));
    let side = arc.radius_m.signum();
    let (per_right, per_up) = if arc.runs_up {
        let in_grid = |(along, beside): (f64, f64)| (-side * beside, along);
        let (x, y) = in_grid(per_beside);
        ((-side * x, -side * y), in_grid(per_along))
    } else {
        let in_grid = |(along, beside): (f64, f64)| (along, side * beside);
        let (x, y) = in_grid(per_beside);
        (in_grid(per_along), (side * x, side * y))
    };
    Source { point: (px / cell_size_m, py / cell_size_m), per_right, per_up }
}

#[cfg(test)]
mod tests {
    use model::{Cell, CellClass, GridGeometry, Pose2};

    use super::*;

    /// A wall of one cell along the middle row of 401 x 101 cells of 0.1 m.
    fn long_wall() -> Grid {
        let geometry = GridGeometry::new(401, 101, 0.1, Pose2::IDENTITY).unwrap();
        let is_wall = |index: usize| geometry.cell_of(index).j == 50;
        let class = |index| if is_wall(index) { CellClass::Occupied } else { CellClass::Free };
        Grid::new(geometry, (0..geometry.cells()).map(class).collect()).unwrap()
    }

    fn wall_row(map: &Grid, i: usize) -> usize {
        let occupied =
            |j: &usize| map.classes()[map.geometry().index_of(Cell { i, j: *j })] == CellClass::Occupied;
        (0..map.geometry().height()).find(occupied).unwrap()
    }

    #[test]
    fn no_drift_changes_nothing() {
        let truth = testkit::grid(["#.?", "..#"]);
        let params = Bend { heading_drift_rad_per_m: 0.0, start_m: 0.0 };
        assert_eq!(bend(&truth, &params).unwrap(), truth);
    }

    #[test]
    fn the_far_end_lies_half_drift_times_length_squared_away() {
        // k = 0.002 rad/m, 40 m: 0.5 * 0.002 * 1600 = 1.6 m = 16 cells, less a little for the arc.
        let truth = long_wall();
        let params = Bend { heading_drift_rad_per_m: 0.002, start_m: 0.0 };
        let map = bend(&truth, &params).unwrap();
        assert_eq!(wall_row(&map, 0), 50);
        // 20 m: 0.4 m = 4 cells; the wall is one cell thick, so it may fill the row before.
        assert!((53..=54).contains(&wall_row(&map, 200)));
        assert!((65..=66).contains(&wall_row(&map, 399)));
    }

    #[test]
    fn negative_drift_bends_down_and_the_start_is_left_alone() {
        let params = Bend { heading_drift_rad_per_m: -0.002, start_m: 20.0 };
        let map = bend(&long_wall(), &params).unwrap();
        assert!((0..=200).all(|i| wall_row(&map, i) == 50));
        // 20 m after the start: 4 cells down.
        assert!((45..=46).contains(&wall_row(&map, 399)));
    }

    #[test]
    fn a_bent_wall_of_one_cell_has_no_gap() {
        let map = bend(&long_wall(), &Bend { heading_drift_rad_per_m: 0.002, start_m: 0.0 }).unwrap();
        let rows: Vec<usize> = (0..400).map(|i| wall_row(&map, i)).collect();
        assert!(rows.windows(2).all(|pair| pair[1] >= pair[0] && pair[1] - pair[0] <= 1));
    }

    #[test]
    fn the_far_end_lies_as_far_aside_as_the_kind_says() {
        let truth = long_wall();
        for seed in [1, 2, 3] {
            let bent = BentEnd { end_offset_m: 3.2 }.apply(&truth, seed).unwrap();
            // The end of the middle line: 40.1 m along, row 50.5 of 0.1 m.
            let end = bent.motion.moved(model::Point2::new(40.1, 5.05)).unwrap();
            assert!(((end.y_m - 5.05).abs() - 3.2).abs() < 1e-9, "{end:?}");
            let is_wall =
                |cell: Cell| bent.map.classes()[bent.map.geometry().index_of(cell)] == CellClass::Occupied;
            let middle = bent.motion.moved(model::Point2::new(20.05, 5.05)).unwrap();
            assert!(is_wall(bent.map.geometry().cell_at(middle).unwrap()), "{middle:?}");
        }
        assert!(matches!(BentEnd { end_offset_m: 19.0 }.apply(&truth, 1), Err(SimError::Folds { .. })));
    }

    #[test]
    fn drift_that_would_fold_the_map_is_refused() {
        let params = Bend { heading_drift_rad_per_m: 0.03, start_m: 0.0 };
        assert!(bend(&long_wall(), &params).is_err());
        assert!(bend(&long_wall(), &Bend { start_m: f64::NAN, ..Bend::default() }).is_err());
    }
}
