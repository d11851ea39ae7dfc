//! What every kind of damage answers to (X-DAMAGE).

use model::{Grid, Point2, Similarity2};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::motion::Motion;
use crate::SimError;

/// The fixed facts about a kind of damage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KindSpec {
    /// Stable name: `thick_walls`.
    pub name: &'static str,
    /// What it does to a map, in a few words.
    pub title: &'static str,
    /// Unit of the strength as it is written behind a number; empty for a pure number.
    pub unit: &'static str,
    /// Strengths of the levels 1, 2, ..; level 0 is the map itself.
    pub ladder: &'static [f64],
    /// Smallest and largest strength that makes sense.
    pub range: (f64, f64),
    /// The strength that changes nothing, where there is one.
    pub harmless: Option<f64>,
    /// What is known about the damaged map.
    pub answer: KnownAnswer,
    /// Whether the seed matters.
    pub chance: Chance,
}

/// What is known about a damaged map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum KnownAnswer {
    /// Which cells changed.
    Cells,
    /// One rigid transform.
    Rigid,
    /// One similarity transform.
    Similarity,
    /// A reflection.
    Reflection,
    /// Where each point went.
    Field,
    /// Which part is gone.
    Mask,
    /// A list of places.
    Places,
}

/// Whether a kind draws random numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chance {
    /// The same map for every seed.
    None,
    /// Other cells, places or directions with another seed.
    Seeded,
}

/// A kind of damage. The implementing type holds its parameters.
pub trait Damage: Serialize + DeserializeOwned {
    const SPEC: KindSpec;

    /// The parameters at a strength in the unit of the ladder.
    fn of_strength(strength: f64) -> Self;

    /// The damaged map, and what is known about it.
    ///
    /// # Errors
    /// Parameters outside of their range, a map that has nothing to damage, folds, or would have no known cell left.
    fn apply(&self, map: &Grid, seed: u64) -> Result<Damaged, SimError>;
}

/// A damaged map and what is known about it. Everything is in the frame of the world.
#[derive(Clone, Debug, PartialEq)]
pub struct Damaged {
    pub map: Grid,
    /// Where points of the truth went.
    pub motion: Motion,
    /// Parts that moved as rigid bodies; the first is what stayed. Empty where nothing moved apart.
    pub pieces: Vec<Piece>,
    /// Lines along which the map was torn.
    pub seams: Vec<[Point2; 2]>,
    /// Doors that were closed or opened.
    pub doors: Vec<DoorPlace>,
}

/// A part that moved as a rigid body.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Piece {
    /// Its outline in the truth.
    pub polygon: Vec<Point2>,
    /// Where its points appear in the damaged map.
    pub map_from_truth: Similarity2,
}

/// A door that was closed or opened.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct DoorPlace {
    /// Its middle.
    pub at: Point2,
    /// Length of the closed or opened line in metres.
    pub width_m: f64,
}

impl Damaged {
    /// A damaged map whose points stayed where they were.
    #[must_use]
    pub fn in_place(map: Grid) -> Self {
        Self::moved(map, Motion::STILL)
    }

    /// A damaged map whose points moved.
    #[must_use]
    pub fn moved(map: Grid, motion: Motion) -> Self {
        Self { map, motion, pieces: Vec::new(), seams: Vec::new(), doors: Vec::new() }
    }
}

/// A line of the list of kinds.
#[derive(Clone, Copy)]
pub struct Kind {
    pub spec: &'static KindSpec,
    apply: fn(f64, &Grid, u64) -> Result<Damaged, SimError>,
    parameters: fn(f64) -> toml::Value,
}

impl std::fmt::Debug for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.spec.name)
    }
}

impl PartialEq for Kind {
    fn eq(&self, other: &Self) -> bool {
        self.spec.name == other.spec.name
    }
}

/// The list entry of a kind.
pub(super) const fn entry<D: Damage>() -> Kind {
    Kind {
        spec: &D::SPEC,
        apply: |strength, map, seed| D::of_strength(strength).apply(map, seed),
        parameters: |strength| {
            // Parameters are numbers and words, which TOML holds all of.
            toml::Value::try_from(D::of_strength(strength)).unwrap_or(toml::Value::Boolean(false))
        },
    }
}

impl Kind {
    /// The kind of this name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        super::KINDS.iter().find(|kind| kind.spec.name == name).copied()
    }

    /// The effective parameters at a strength.
    #[must_use]
    pub fn parameters(&self, strength: f64) -> toml::Value {
        (self.parameters)(strength)
    }

    /// Damages a map.
    ///
    /// # Errors
    /// A strength outside of the range, or as [`Damage::apply`]. A map with known cells never loses all of them.
    pub fn apply(&self, map: &Grid, strength: f64, seed: u64) -> Result<Damaged, SimError> {
        let (low, high) = self.spec.range;
        if !(low..=high).contains(&strength) {
            let (kind, unit) = (self.spec.name, self.spec.unit);
            return Err(SimError::Strength { kind, found: strength, low, high, unit });
        }
        if self.spec.harmless == Some(strength) {
            return Ok(Damaged::in_place(map.clone()));
        }
        let damaged = (self.apply)(strength, map, seed)?;
        if knows_something(map) && !knows_something(&damaged.map) {
            return Err(SimError::NothingLeft { kind: self.spec.name, strength });
        }
        Ok(damaged)
    }

    /// The strength of a level; none for level 0 and beyond the ladder.
    #[must_use]
    pub fn level(&self, level: usize) -> Option<f64> {
        self.spec.ladder.get(level.checked_sub(1)?).copied()
    }
}

fn knows_something(map: &Grid) -> bool {
    map.classes().iter().any(|class| *class != model::CellClass::Unknown)
}
