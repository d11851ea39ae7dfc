//! D-ASSIGN: candidates for the parts of a layout, and which of them are which parts.

use std::rc::Rc;

use align::closed_form::{Motion, PointPair, fit};
use model::{CellClass, FiducialPart, PartKind, Point2, Pose2, wrap};
use raster::circles::Arc;
use raster::circles::outlines::MIN_QUALITY;
use raster::circles::part::{PartFit, PartFitter};

use super::assignment::{AssignmentObjective, assign};
use super::barrels::{Barrel, VISIBLE_SHARE, candidates};
use super::features::{Feature, features};
use super::frame::{hypotheses, is_mirrored, places};
use super::inputs::{Displaced, FiducialInputs};
use super::located::{FoundPart, TriedFrame};
use crate::Reason;
use crate::plane_distance::distance_m;

/// At least this many candidates are kept, whatever the layout.
const MIN_CANDIDATES: usize = 40;
const CANDIDATES_PER_PART: usize = 3;
/// Rounds of assigning and fitting.
const ROUNDS: usize = 20;
/// Barrels of a layout may differ by this share in their radius and still be looked for together.
const SAME_RADIUS_SHARE: f64 = 0.05;
/// Layouts with more radii than this are refused: each needs a search of its own.
const MAX_RADII: usize = 8;

/// A layout and what could be its parts. Candidates are numbered: barrels first, then corners and poles.
pub(super) struct Search<'a> {
    pub inputs: &'a FiducialInputs,
    d_max_m: f64,
    pub barrels: Vec<Barrel>,
    pub features: Vec<Feature>,
    /// One per radius of the layout, in cells.
    fitters: Vec<(f64, Rc<PartFitter>)>,
    /// For each part its number among the parts of its fiducial.
    sides: Vec<usize>,
    /// The middle of each fiducial.
    pub places: Vec<Point2>,
}

/// The best transforms, and what was found in the first.
pub(super) struct Guessed {
    pub frames: Vec<TriedFrame>,
    pub parts: Vec<Option<FoundPart>>,
    /// See [`super::frame::Guesses`].
    pub least_cost_m: Option<f64>,
}

/// Fiducials of one kind and their candidates, or all of them.
struct Alike {
    places: Vec<Point2>,
    candidates: Vec<Point2>,
}

/// Which parts and candidates may become pairs.
struct Terms<'t> {
    /// Largest distance of a pair in metres.
    reach_m: f64,
    objective: AssignmentObjective,
    /// Asked for a part and a candidate.
    is_open: &'t dyn Fn(usize, usize) -> bool,
}

impl<'a> Search<'a> {
    pub fn new(inputs: &'a FiducialInputs) -> Result<Self, Reason> {
        let parts = &inputs.layout.parts;
        let mut search = Self {
            inputs,
            d_max_m: inputs.d_max_m(),
            barrels: Vec::new(),
            features: features(inputs),
            fitters: Vec::new(),
            sides: sides(parts),
            places: places(&parts.iter().collect::<Vec<_>>()),
        };
        for part in parts.iter().filter(|part| part.kind == PartKind::Barrel) {
            if search.fitter(part.radius_m).is_none() {
                search.look_for(part.radius_m)?;
            }
        }
        Ok(search)
    }

    /// The same candidates for another layout of parts of the same kinds and radii.
    pub fn for_layout<'b>(&self, inputs: &'b FiducialInputs) -> Search<'b> {
        Search {
            inputs,
            d_max_m: self.d_max_m,
            barrels: self.barrels.clone(),
            features: self.features.clone(),
            fitters: self.fitters.clone(),
            sides: self.sides.clone(),
            places: places(&inputs.layout.parts.iter().collect::<Vec<_>>()),
        }
    }

    /// Adds the candidates of one radius.
    fn look_for(&mut self, radius_m: f64) -> Result<(), Reason> {
        let map = &self.inputs.map;
        let alike =
            |part: &&FiducialPart| part.kind == PartKind::Barrel && is_same_radius(part.radius_m, radius_m);
        let parts: Vec<&FiducialPart> = self.inputs.layout.parts.iter().filter(alike).collect();
        let smallest_rad = parts.iter().map(|part| part.opening_rad).fold(f64::INFINITY, f64::min);
        let most = MIN_CANDIDATES.max(CANDIDATES_PER_PART * parts.len());
        let radius_cells = radius_m / map.geometry().cell_size_m();
        let (plane, width) = (map.class_bytes(), map.geometry().width());
        let fitter = PartFitter::new(plane, CellClass::Occupied as u8, width, radius_cells);
        let found = candidates(map, radius_m, smallest_rad, most);
        let (Some(fitter), Ok(found)) = (fitter, found) else { return Err(Reason::TooLarge) };
        if self.fitters.len() >= MAX_RADII {
            return Err(Reason::TooLarge);
        }
        self.fitters.push((radius_m, Rc::new(fitter)));
        self.barrels.extend(found);
        Ok(())
    }

    fn fitter(&self, radius_m: f64) -> Option<&PartFitter> {
        self.fitters
            .iter()
            .find(|(known_m, _)| is_same_radius(*known_m, radius_m))
            .map(|(_, own)| own.as_ref())
    }

    fn candidates(&self) -> usize {
        self.barrels.len() + self.features.len()
    }

    fn center(&self, candidate: usize) -> Point2 {
        match self.features.get(candidate.wrapping_sub(self.barrels.len())) {
            Some(feature) => feature.center_in_map,
            None => self.barrels[candidate].center_in_map,
        }
    }

    pub fn is_mirrored(&self, own_cost_m: Option<f64>) -> bool {
        let Some(Alike { places, candidates }) = self.kinds().into_iter().next() else { return false };
        is_mirrored(&places, &candidates, self.d_max_m, self.inputs.search.seed, own_cost_m)
    }

    /// Kinds of which two or more fiducials can fix a transform, the one with most first; without one all together.
    fn kinds(&self) -> Vec<Alike> {
        let alike = |kind: PartKind| {
            let barrels = self.barrels.iter().filter(|_| kind == PartKind::Barrel);
            let features = self.features.iter().filter(|feature| feature.kind == kind);
            let parts = self.inputs.layout.parts.iter().filter(|part| part.kind == kind);
            Alike {
                places: places(&parts.collect::<Vec<_>>()),
                candidates: barrels
                    .map(|barrel| barrel.center_in_map)
                    .chain(features.map(|feature| feature.center_in_map))
                    .collect(),
            }
        };
        let mut kinds: Vec<Alike> = PartKind::ALL.into_iter().map(alike).collect();
        kinds.retain(|alike| alike.places.len() >= 2);
        kinds.sort_by_key(|alike| std::cmp::Reverse(alike.places.len()));
        if kinds.is_empty() {
            let candidates = (0..self.candidates()).map(|candidate| self.center(candidate)).collect();
            kinds.push(Alike { places: self.places.clone(), candidates });
        }
        kinds
    }

    /// The best transforms, of `tried` hypotheses of each kind tried in full, and what was found in the first.
    pub fn in_unknown_frame(&self, tried: usize) -> Guessed {
        let of_kind = |alike: &Alike| {
            hypotheses(&alike.places, &alike.candidates, self.d_max_m, self.inputs.search.seed, tried)
        };
        let guesses: Vec<_> = self.kinds().iter().map(of_kind).collect();
        let least_cost_m = guesses.first().and_then(|guesses| guesses.least_cost_m);
        let poses = guesses.into_iter().flat_map(|guesses| guesses.poses);
        let tried = poses.map(|guess| self.settled(guess));
        let mut ranked: Vec<_> = tried.map(|(pose, found)| (self.cost(pose, &found), pose, found)).collect();
        ranked.retain(|(_, _, found)| found.iter().any(Option::is_some));
        ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut frames: Vec<TriedFrame> = Vec::new();
        for (cost_m, pose, _) in &ranked {
            if frames.iter().all(|kept| self.differ(kept.truth_from_map, *pose)) {
                frames.push(TriedFrame { truth_from_map: *pose, score: self.score_of(*cost_m) });
            }
        }
        let none = || vec![None; self.inputs.layout.parts.len()];
        let parts = ranked.into_iter().next().map_or_else(none, |(_, _, found)| found);
        Guessed { frames, parts, least_cost_m }
    }

    /// Whether two transforms take a place of the layout for places further apart than a pair may be.
    fn differ(&self, a: Pose2, b: Pose2) -> bool {
        self.places.iter().any(|&place| distance_m(b * (a.inverse() * place), place) > self.d_max_m)
    }

    /// Assigns and fits in turn until nothing changes.
    fn settled(&self, guess: Pose2) -> (Pose2, Vec<Option<FoundPart>>) {
        let (mut pose, mut found) = (guess, self.assigned(guess));
        for _ in 0..ROUNDS {
            let Some(next) = self.fitted(&found) else { break };
            let again = self.assigned(next);
            if self.cost(next, &again) >= self.cost(pose, &found) - 1e-9 {
                break;
            }
            (pose, found) = (next, again);
        }
        (pose, found)
    }

    fn fitted(&self, found: &[Option<FoundPart>]) -> Option<Pose2> {
        let pairs = self.inputs.layout.parts.iter().zip(found).filter_map(|(part, found)| {
            found.map(|found| PointPair { in_map: found.center_in_map, in_truth: part.center })
        });
        fit(&pairs.collect::<Vec<_>>(), Motion::Rigid).map(|fit| fit.pose())
    }

    /// 1 if all parts were found at their places under a transform, 0 if none was.
    pub fn score(&self, pose: Pose2, found: &[Option<FoundPart>]) -> f64 {
        self.score_of(self.cost(pose, found))
    }

    fn score_of(&self, cost_m: f64) -> f64 {
        1.0 - cost_m / (self.d_max_m * self.inputs.layout.parts.len() as f64)
    }

    /// Sum over the parts of min(d, d_max), with d_max for a part that was not found.
    fn cost(&self, pose: Pose2, found: &[Option<FoundPart>]) -> f64 {
        let parts = self.inputs.layout.parts.iter().zip(found);
        let of = |(part, found): (&FiducialPart, &Option<FoundPart>)| {
            found.map_or(self.d_max_m, |found| {
                distance_m(pose * found.center_in_map, part.center).min(self.d_max_m)
            })
        };
        parts.map(of).sum()
    }

    /// The best assignment under a transform, within `d_max`.
    pub fn assigned(&self, pose: Pose2) -> Vec<Option<FoundPart>> {
        let objective = self.inputs.search.objective;
        self.assigned_under(pose, &Terms { reach_m: self.d_max_m, objective, is_open: &|_, _| true })
    }

    /// Adds the parts that lie further than `d_max` from their place. Nothing but its outline tells such a barrel from
    /// an accident of the cells, so that only verified ones count, and none that overlaps a part that was found. A corner
    /// or a pole so far away is just another one.
    pub fn with_displaced(&self, pose: Pose2, found: Vec<Option<FoundPart>>) -> Vec<Option<FoundPart>> {
        if self.inputs.search.displaced == Displaced::Missing || found.iter().all(Option::is_some) {
            return found;
        }
        let is_apart = |barrel: &Barrel| {
            let away_m = |part: &FoundPart| distance_m(part.center_in_map, barrel.center_in_map);
            found.iter().flatten().all(|part| away_m(part) > barrel.radius_m)
        };
        let is_free = |barrel: &Barrel| barrel.circle.quality >= MIN_QUALITY && is_apart(barrel);
        let free: Vec<bool> = self.barrels.iter().map(is_free).collect();
        let is_open = |part: usize, candidate: usize| {
            found[part].is_none() && free.get(candidate).copied().unwrap_or(false)
        };
        let objective = AssignmentObjective::Coverage;
        let terms = Terms { reach_m: self.inputs.reach_m(), objective, is_open: &is_open };
        let far = self.assigned_under(pose, &terms);
        let displaced = |far: FoundPart| FoundPart { is_displaced: true, ..far };
        found.iter().zip(far).map(|(near, far)| near.or(far.map(displaced))).collect()
    }

    /// The best assignment under a transform. A barrel may serve several parts of one fiducial, never those of two; a
    /// corner or a pole serves one part.
    fn assigned_under(&self, pose: Pose2, terms: &Terms<'_>) -> Vec<Option<FoundPart>> {
        let parts = &self.inputs.layout.parts;
        let fits = |index: usize| self.fits(index, pose, terms);
        let mut fits: Vec<Vec<Option<FoundPart>>> = (0..parts.len()).map(fits).collect();
        let slots = self.sides.iter().max().map_or(1, |most| most + 1);
        loop {
            let distances: Vec<Vec<f64>> = (0..parts.len())
                .map(|index| {
                    let mut row = vec![f64::INFINITY; self.candidates() * slots];
                    for (barrel, fit) in fits[index].iter().enumerate() {
                        let away = fit.map(|fit| distance_m(pose * fit.center_in_map, parts[index].center));
                        row[barrel * slots + self.sides[index]] = away.unwrap_or(f64::INFINITY);
                    }
                    row
                })
                .collect();
            let assigned = assign(&distances, terms.reach_m, terms.objective);
            let barrel_of: Vec<Option<usize>> =
                assigned.iter().map(|slot| slot.map(|slot| slot / slots)).collect();
            match self.shared_wrongly(&barrel_of, &distances, &assigned) {
                Some((part, barrel)) => fits[part][barrel] = None,
                None => return barrel_of.iter().zip(&fits).map(|(b, row)| b.and_then(|b| row[b])).collect(),
            }
        }
    }

    /// The worse of two parts that got one candidate although they cannot share it.
    fn shared_wrongly(
        &self,
        barrel_of: &[Option<usize>],
        distances: &[Vec<f64>],
        slots: &[Option<usize>],
    ) -> Option<(usize, usize)> {
        let parts = &self.inputs.layout.parts;
        let away = |part: usize| slots[part].map_or(0.0, |slot| distances[part][slot]);
        for (first, barrel) in barrel_of.iter().enumerate() {
            let Some(barrel) = *barrel else { continue };
            for second in first + 1..parts.len() {
                let is_shareable =
                    barrel < self.barrels.len() && parts[first].fiducial == parts[second].fiducial;
                if barrel_of[second] == Some(barrel) && !is_shareable {
                    return Some((if away(first) > away(second) { first } else { second }, barrel));
                }
            }
        }
        None
    }

    /// Where a part would lie if it were shown by each candidate; none where it cannot be.
    fn fits(&self, index: usize, pose: Pose2, terms: &Terms<'_>) -> Vec<Option<FoundPart>> {
        let part = &self.inputs.layout.parts[index];
        let near_m = terms.reach_m + 0.5 * part.radius_m;
        let fit = |candidate: usize| {
            let is_near = distance_m(pose * self.center(candidate), part.center) <= near_m;
            let is_open = is_near && (terms.is_open)(index, candidate);
            is_open.then(|| self.fit(candidate, part, pose)).flatten()
        };
        (0..self.candidates()).map(fit).collect()
    }

    /// The part as a candidate shows it; none if it does not.
    pub fn fit(&self, candidate: usize, part: &FiducialPart, pose: Pose2) -> Option<FoundPart> {
        let Some(feature) = self.features.get(candidate.wrapping_sub(self.barrels.len())) else {
            return self.fit_barrel(candidate, part, pose);
        };
        let fit = feature.fit(part, pose.theta_rad, &self.inputs.map)?;
        Some(FoundPart {
            detection: candidate,
            center_in_map: fit.center_in_map,
            direction_in_map_rad: feature.direction_in_map_rad,
            rms_m: fit.rms_m,
            cells: feature.cells,
            is_displaced: false,
        })
    }

    /// The part fitted to its own cells near a barrel; none if less than 2/3 of its arc is visible.
    fn fit_barrel(&self, barrel: usize, part: &FiducialPart, pose: Pose2) -> Option<FoundPart> {
        let Barrel { circle, radius_m, .. } = &self.barrels[barrel];
        if part.kind != PartKind::Barrel || (radius_m - part.radius_m).abs() > 0.25 * part.radius_m {
            return None;
        }
        let fitter = self.fitter(part.radius_m)?;
        let geometry = self.inputs.map.geometry();
        let yaw_rad = pose.theta_rad + geometry.origin().theta_rad;
        let start_rad = part.direction_rad - part.opening_rad / 2.0 - yaw_rad;
        let arc = Arc { start_rad, opening_rad: part.opening_rad };
        let PartFit { x_cells, y_cells, support, rms_cells, visible, middle_rad } =
            fitter.fit(circle.x_cells, circle.y_cells, arc)?;
        if visible < VISIBLE_SHARE - 1e-9 {
            return None;
        }
        let center_in_map = geometry.world_of_grid_point(x_cells, geometry.height() as f64 - y_cells);
        Some(FoundPart {
            detection: barrel,
            center_in_map,
            direction_in_map_rad: wrap(middle_rad + geometry.origin().theta_rad),
            rms_m: rms_cells * geometry.cell_size_m(),
            cells: support,
            is_displaced: false,
        })
    }

    pub fn is_merged(&self, found: &[Option<FoundPart>]) -> bool {
        let mut barrels: Vec<usize> = found.iter().flatten().map(|found| found.detection).collect();
        barrels.sort_unstable();
        barrels.windows(2).any(|pair| pair[0] == pair[1])
    }
}

fn is_same_radius(a_m: f64, b_m: f64) -> bool {
    (a_m - b_m).abs() <= SAME_RADIUS_SHARE * a_m.max(b_m)
}

fn sides(parts: &[FiducialPart]) -> Vec<usize> {
    let before = |index: usize| parts[..index].iter().filter(|p| p.fiducial == parts[index].fiducial).count();
    (0..parts.len()).map(before).collect()
}
