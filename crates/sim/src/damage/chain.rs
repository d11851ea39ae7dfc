//! Several kinds of damage, one after the other.

use std::str::FromStr;

use model::{Cell, Grid, Point2, Pose2, SeededRng, Similarity2};
use rayon::prelude::*;

use super::kind::{Damaged, Kind};
use crate::SimError;

/// A kind with its strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    pub kind: Kind,
    pub strength: f64,
}

/// Damage from left to right.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain(pub Vec<Link>);

/// A map after all links of a chain.
#[derive(Clone, Debug, PartialEq)]
pub struct DamagedByChain {
    pub map: Grid,
    /// What is known about each link, with an empty map of its own left out.
    pub links: Vec<LinkAnswer>,
}

/// What is known about one link.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkAnswer {
    pub link: Link,
    /// The seed that the link drew from.
    pub seed: u64,
    pub motion: super::Motion,
    pub pieces: Vec<super::Piece>,
    pub seams: Vec<[Point2; 2]>,
    pub doors: Vec<super::DoorPlace>,
}

impl Chain {
    /// Damages a map; each link draws from a stream of its own.
    ///
    /// # Errors
    /// An empty chain, or what a link refuses.
    pub fn apply(&self, map: &Grid, seed: u64) -> Result<DamagedByChain, SimError> {
        if self.0.is_empty() {
            return Err(SimError::EmptyChain);
        }
        let mut map = map.clone();
        let mut links = Vec::with_capacity(self.0.len());
        for (index, &link) in self.0.iter().enumerate() {
            let own = link_seed(seed, index);
            let Damaged { map: damaged, motion, pieces, seams, doors } =
                link.kind.apply(&map, link.strength, own)?;
            map = damaged;
            links.push(LinkAnswer { link, seed: own, motion, pieces, seams, doors });
        }
        Ok(DamagedByChain { map, links })
    }
}

/// The first link draws from the seed itself, so that a chain of one link is the kind alone.
fn link_seed(seed: u64, index: usize) -> u64 {
    if index == 0 { seed } else { SeededRng::new(seed).stream(index as u64).bits() }
}

impl DamagedByChain {
    /// Where a point of the truth appears; none where that part of the truth is gone.
    #[must_use]
    pub fn moved(&self, point: Point2) -> Option<Point2> {
        self.links.iter().try_fold(point, |point, link| link.motion.moved(point))
    }

    /// Where a pose of the truth appears. Its heading is that of a short line ahead of it.
    #[must_use]
    pub fn moved_pose(&self, pose: Pose2) -> Option<Pose2> {
        const AHEAD_M: f64 = 1e-4;
        let at = self.moved(Point2::new(pose.x_m, pose.y_m))?;
        let ahead = self.moved(pose * Point2::new(AHEAD_M, 0.0));
        // At a seam the line may be torn: then the one behind tells.
        let is_whole = |end: &Point2| ((end.x_m - at.x_m).hypot(end.y_m - at.y_m) - AHEAD_M).abs() < AHEAD_M;
        let theta_rad = match ahead.filter(is_whole) {
            Some(ahead) => (ahead.y_m - at.y_m).atan2(ahead.x_m - at.x_m),
            None => {
                let behind = self.moved(pose * Point2::new(-AHEAD_M, 0.0)).filter(is_whole);
                behind.map_or(pose.theta_rad, |behind| (at.y_m - behind.y_m).atan2(at.x_m - behind.x_m))
            }
        };
        Some(Pose2::new(at.x_m, at.y_m, theta_rad))
    }

    /// The transform from the damaged map back to the truth, where all points have the same.
    #[must_use]
    pub fn truth_from_map(&self) -> Option<Similarity2> {
        let of_link = |link: &LinkAnswer| link.motion.map_from_truth();
        let all = self.links.iter().try_fold(Similarity2::IDENTITY, |all, link| Some(of_link(link)? * all));
        all.map(Similarity2::inverse)
    }

    /// The displacement dx, dy in metres of the middle of each cell of the truth, in image order; NaN where it is gone.
    #[must_use]
    pub fn field(&self, truth: &Grid) -> [Vec<f32>; 2] {
        let geometry = truth.geometry();
        // Both layers are filled in place: at 8 bytes per cell they are the largest thing here.
        let mut field = [vec![f32::NAN; geometry.cells()], vec![f32::NAN; geometry.cells()]];
        let [dx, dy] = &mut field;
        let functions: Vec<_> = self.links.iter().map(|link| link.motion.function()).collect();
        let (width, height) = (geometry.width(), geometry.height());
        let rows = dx.par_chunks_mut(width).zip(dy.par_chunks_mut(width)).enumerate();
        rows.for_each(|(row, (dx, dy))| {
            for (i, (dx, dy)) in dx.iter_mut().zip(dy).enumerate() {
                let from = geometry.center_of(Cell { i, j: height - 1 - row });
                if let Some(to) = functions.iter().try_fold(from, |point, function| function(point)) {
                    (*dx, *dy) = ((to.x_m - from.x_m) as f32, (to.y_m - from.y_m) as f32);
                }
            }
        });
        field
    }
}

/// `bend=0.5m,noise=0.02`: kinds with their strengths; the unit may be left out, and a kind without strength has that of its
/// third level.
impl FromStr for Chain {
    type Err = SimError;

    fn from_str(text: &str) -> Result<Self, SimError> {
        let links = text.split(',').map(str::trim).filter(|word| !word.is_empty());
        let links: Vec<Link> = links.map(parse_link).collect::<Result<_, _>>()?;
        if links.is_empty() { Err(SimError::EmptyChain) } else { Ok(Self(links)) }
    }
}

fn parse_link(word: &str) -> Result<Link, SimError> {
    let (name, strength) = word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value)));
    let kind = Kind::find(name.trim()).ok_or_else(|| SimError::UnknownKind(name.trim().to_owned()))?;
    let ladder = kind.spec.ladder;
    let usual = || ladder.get(2).or(ladder.last()).copied();
    let parsed = match strength {
        None => usual(),
        Some(text) => text.trim().strip_suffix(kind.spec.unit).unwrap_or(text.trim()).trim().parse().ok(),
    };
    let (low, high) = kind.spec.range;
    let strength = parsed.filter(|strength: &f64| (low..=high).contains(strength));
    let strength = strength.ok_or_else(|| SimError::Strength {
        kind: kind.spec.name,
        found: parsed.unwrap_or(f64::NAN),
        low,
        high,
        unit: kind.spec.unit,
    })?;
    Ok(Link { kind, strength })
}
