//! A map torn at a seam: the mapper lost its place, and went on beside it. The part beyond a line across the longer side of
//! the known part slips along that line and turns about its middle. The seed chooses the line and both senses.

use model::{Grid, Point2, SeededRng, Similarity2};
use serde::{Deserialize, Serialize};

use super::kind::{Chance, Damage, Damaged, KindSpec, KnownAnswer};
use super::motion::Rectangle;
use super::resample::Extent;
use super::transformed::moved_rectangle;
use crate::SimError;

/// The kind `cut`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cut {
    /// Slip along the seam in metres.
    pub slip_m: f64,
    /// Turn of the part beyond in degrees; grows with the slip, 3 degrees at 1.6 m and more.
    pub turn_deg: f64,
}

/// Where along the known part the seam may lie.
const SEAM_SHARES: (f64, f64) = (0.25, 0.75);

impl Damage for Cut {
    const SPEC: KindSpec = KindSpec {
        name: "cut",
        title: "torn at a seam, the part beyond slipped and turned",
        unit: "m",
        ladder: &[0.05, 0.1, 0.2, 0.4, 0.8, 1.6],
        range: (0.0, 1000.0),
        harmless: Some(0.0),
        answer: KnownAnswer::Field,
        chance: Chance::Seeded,
    };

    fn of_strength(strength: f64) -> Self {
        Self { slip_m: strength, turn_deg: (3.0 * strength / 1.6).min(3.0) }
    }

    fn apply(&self, map: &Grid, seed: u64) -> Result<Damaged, SimError> {
        let Some(known) = Extent::of_known(map) else { return Ok(Damaged::in_place(map.clone())) };
        let geometry = map.geometry();
        let is_upright = known.right - known.left >= known.top - known.bottom;
        let (grid, known) = (Rectangle::of_grid(geometry), known.in_metres(geometry.cell_size_m()));
        let mut rng = SeededRng::new(seed);
        let mut sense = || if rng.chance(0.5) { 1.0 } else { -1.0 };
        let (slip_m, turn_rad) = (sense() * self.slip_m, sense() * self.turn_deg.to_radians());
        let share = SEAM_SHARES.0 + (SEAM_SHARES.1 - SEAM_SHARES.0) * rng.uniform();
        let at = |low: f64, high: f64| low + share * (high - low);
        let (low, seam, slip) = if is_upright {
            let x = at(known.low.0, known.high.0);
            ((x, 0.0), [(x, known.low.1), (x, known.high.1)], (0.0, slip_m))
        } else {
            let y = at(known.low.1, known.high.1);
            ((0.0, y), [(known.low.0, y), (known.high.0, y)], (slip_m, 0.0))
        };
        let beyond = Rectangle { low, ..grid };
        let middle = Point2::new((seam[0].0 + seam[1].0) / 2.0, (seam[0].1 + seam[1].1) / 2.0);
        let slipped = Point2::new(middle.x_m + slip.0, middle.y_m + slip.1);
        let torn = moved_rectangle(map, beyond, Similarity2::sending(middle, slipped, turn_rad, 1.0))?;
        let seam = seam.map(|(x, y)| geometry.origin() * Point2::new(x, y));
        Ok(Damaged { seams: vec![seam], ..torn })
    }
}
