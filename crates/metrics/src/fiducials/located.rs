//! Which parts of the layout the map shows, and where: detection, frame, assignment.

use align::closed_form::{Motion, PointPair, fit};
use model::{CellClass, FiducialPart, Point2, Pose2, wrap};
use raster::circles::Arc;
use raster::circles::part::{PartFit, PartFitter};

use super::assignment::assign;
use super::barrels::{Barrel, VISIBLE_SHARE, candidates};
use super::frame::{hypotheses, is_mirrored};
use super::inputs::{FiducialInputs, LayoutFrame};
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

/// The parts of the layout in the map.
#[derive(Clone, Debug, PartialEq)]
pub struct Located {
    /// All candidates, verified ones first.
    pub barrels: Vec<Barrel>,
    /// For each part of the layout where it was found.
    pub parts: Vec<Option<FoundPart>>,
    /// The transform in which parts were assigned; none if nothing was found in an unknown frame.
    pub truth_from_map: Option<Pose2>,
    /// The best transforms that were tried, the winner first; empty if the transform was given.
    pub frames: Vec<TriedFrame>,
    /// What to keep in mind.
    pub warnings: Vec<Reason>,
}

/// A part of the layout in the map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FoundPart {
    /// Index of the barrel that shows it.
    pub barrel: usize,
    /// Where its centre lies, fitted from its own arc.
    pub center_in_map: Point2,
    /// Direction of the middle of its visible arc, in the frame of the map.
    pub direction_in_map_rad: f64,
    /// Root mean square distance of its cells from the circle, in metres.
    pub rms_m: f64,
    pub cells: usize,
}

/// A transform that was tried.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriedFrame {
    pub truth_from_map: Pose2,
    /// 1 if all parts were found at their places, 0 if none was found.
    pub score: f64,
}

impl Located {
    /// Looks for the parts.
    ///
    /// # Errors
    /// The reason why nothing can be looked for.
    pub fn of(inputs: &FiducialInputs) -> Result<Self, Reason> {
        inputs.check()?;
        let search = Search::new(inputs)?;
        let (frames, found) = match inputs.frame {
            LayoutFrame::Known(pose) => (Vec::new(), search.assigned(pose)),
            LayoutFrame::Unknown => search.in_unknown_frame(),
        };
        let truth_from_map = match inputs.frame {
            LayoutFrame::Known(pose) => Some(pose),
            LayoutFrame::Unknown => frames.first().map(|frame| frame.truth_from_map),
        };
        let in_unknown_frame = inputs.frame == LayoutFrame::Unknown;
        let warnings = [
            (in_unknown_frame && search.places().len() < 2, Reason::AlignAmbiguous),
            (in_unknown_frame && search.is_mirrored(), Reason::MapMirrored),
            (search.is_merged(&found), Reason::DetectionMerged),
        ];
        Ok(Self {
            barrels: search.barrels,
            parts: found,
            truth_from_map,
            frames,
            warnings: warnings.into_iter().filter(|(holds, _)| *holds).map(|(_, reason)| reason).collect(),
        })
    }

    /// Number of parts that were found.
    #[must_use]
    pub fn found(&self) -> usize {
        self.parts.iter().flatten().count()
    }
}

/// A layout and what could be its barrels.
struct Search<'a> {
    inputs: &'a FiducialInputs,
    d_max_m: f64,
    barrels: Vec<Barrel>,
    /// One per radius of the layout, in cells.
    fitters: Vec<(f64, PartFitter)>,
    /// For each part its number among the parts of its fiducial.
    sides: Vec<usize>,
}

impl<'a> Search<'a> {
    fn new(inputs: &'a FiducialInputs) -> Result<Self, Reason> {
        let parts = &inputs.layout.parts;
        let mut search = Self {
            inputs,
            d_max_m: inputs.d_max_m(),
            barrels: Vec::new(),
            fitters: Vec::new(),
            sides: sides(parts),
        };
        for part in parts {
            if search.fitter(part.radius_m).is_none() {
                search.look_for(part.radius_m)?;
            }
        }
        Ok(search)
    }

    /// Adds the candidates of one radius.
    fn look_for(&mut self, radius_m: f64) -> Result<(), Reason> {
        let map = &self.inputs.map;
        let alike = |part: &&FiducialPart| is_same_radius(part.radius_m, radius_m);
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
        self.fitters.push((radius_m, fitter));
        self.barrels.extend(found);
        Ok(())
    }

    fn fitter(&self, radius_m: f64) -> Option<&PartFitter> {
        self.fitters.iter().find(|(known_m, _)| is_same_radius(*known_m, radius_m)).map(|(_, fitter)| fitter)
    }

    /// The middle of each fiducial.
    fn places(&self) -> Vec<Point2> {
        let parts = &self.inputs.layout.parts;
        let mut names: Vec<&str> = Vec::new();
        for part in parts {
            if !names.contains(&part.fiducial.as_str()) {
                names.push(&part.fiducial);
            }
        }
        let middle = |name: &&str| {
            let own: Vec<Point2> =
                parts.iter().filter(|part| part.fiducial == **name).map(|p| p.center).collect();
            let mean = |of: fn(&Point2) -> f64| own.iter().map(of).sum::<f64>() / own.len() as f64;
            Point2::new(mean(|p| p.x_m), mean(|p| p.y_m))
        };
        names.iter().map(middle).collect()
    }

    fn is_mirrored(&self) -> bool {
        is_mirrored(&self.places(), &self.centers(), self.d_max_m, self.inputs.search.seed)
    }

    fn centers(&self) -> Vec<Point2> {
        self.barrels.iter().map(|barrel| barrel.center_in_map).collect()
    }

    /// The transforms with the least cost, of all hypotheses, and what was found in the first.
    fn in_unknown_frame(&self) -> (Vec<TriedFrame>, Vec<Option<FoundPart>>) {
        let guesses = hypotheses(&self.places(), &self.centers(), self.d_max_m, self.inputs.search.seed);
        let tried = guesses.into_iter().map(|guess| self.settled(guess));
        let mut ranked: Vec<_> = tried.map(|(pose, found)| (self.cost(pose, &found), pose, found)).collect();
        ranked.retain(|(_, _, found)| found.iter().any(Option::is_some));
        ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
        let most_m = self.d_max_m * self.inputs.layout.parts.len() as f64;
        let mut frames: Vec<TriedFrame> = Vec::new();
        for (cost_m, pose, _) in &ranked {
            if frames.iter().all(|kept| self.differ(kept.truth_from_map, *pose)) {
                frames.push(TriedFrame { truth_from_map: *pose, score: 1.0 - cost_m / most_m });
            }
        }
        let none = || vec![None; self.inputs.layout.parts.len()];
        (frames, ranked.into_iter().next().map_or_else(none, |(_, _, found)| found))
    }

    /// Whether two transforms take a place of the layout for places further apart than a pair may be.
    fn differ(&self, a: Pose2, b: Pose2) -> bool {
        self.places().iter().any(|&place| distance_m(b * (a.inverse() * place), place) > self.d_max_m)
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

    /// The best assignment under a transform. A barrel may serve several parts of one fiducial, never those of two.
    fn assigned(&self, pose: Pose2) -> Vec<Option<FoundPart>> {
        let parts = &self.inputs.layout.parts;
        let mut fits: Vec<Vec<Option<FoundPart>>> = parts.iter().map(|part| self.fits(part, pose)).collect();
        let slots = self.sides.iter().max().map_or(1, |most| most + 1);
        loop {
            let distances: Vec<Vec<f64>> = (0..parts.len())
                .map(|index| {
                    let mut row = vec![f64::INFINITY; self.barrels.len() * slots];
                    for (barrel, fit) in fits[index].iter().enumerate() {
                        let away = fit.map(|fit| distance_m(pose * fit.center_in_map, parts[index].center));
                        row[barrel * slots + self.sides[index]] = away.unwrap_or(f64::INFINITY);
                    }
                    row
                })
                .collect();
            let assigned = assign(&distances, self.d_max_m, self.inputs.search.objective);
            let barrel_of: Vec<Option<usize>> =
                assigned.iter().map(|slot| slot.map(|slot| slot / slots)).collect();
            match self.shared_wrongly(&barrel_of, &distances, &assigned) {
                Some((part, barrel)) => fits[part][barrel] = None,
                None => return barrel_of.iter().zip(&fits).map(|(b, row)| b.and_then(|b| row[b])).collect(),
            }
        }
    }

    /// The worse of two parts of different fiducials that got one barrel.
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
                if barrel_of[second] == Some(barrel) && parts[first].fiducial != parts[second].fiducial {
                    return Some((if away(first) > away(second) { first } else { second }, barrel));
                }
            }
        }
        None
    }

    /// Where a part would lie if it were shown by each barrel; none where it cannot be.
    fn fits(&self, part: &FiducialPart, pose: Pose2) -> Vec<Option<FoundPart>> {
        let Some(fitter) = self.fitter(part.radius_m) else { return vec![None; self.barrels.len()] };
        let fit = |(index, barrel): (usize, &Barrel)| {
            let is_near =
                distance_m(pose * barrel.center_in_map, part.center) <= self.d_max_m + 0.5 * part.radius_m;
            let is_alike = (barrel.radius_m - part.radius_m).abs() <= 0.25 * part.radius_m;
            (is_near && is_alike).then(|| self.fit(index, part, pose, fitter)).flatten()
        };
        self.barrels.iter().enumerate().map(fit).collect()
    }

    /// The part fitted to its own cells near a barrel; none if less than 2/3 of its arc is visible.
    fn fit(&self, barrel: usize, part: &FiducialPart, pose: Pose2, fitter: &PartFitter) -> Option<FoundPart> {
        let circle = &self.barrels[barrel].circle;
        let geometry = self.inputs.map.geometry();
        let yaw_rad = pose.theta_rad + geometry.origin().theta_rad;
        let start_rad = part.direction_rad - part.opening_rad / 2.0 - yaw_rad;
        let arc = Arc { start_rad, opening_rad: part.opening_rad };
        let PartFit { x_cells, y_cells, support, rms_cells, visible, middle_rad } =
            fitter.fit(circle.x_cells, circle.y_cells, arc)?;
        if visible < VISIBLE_SHARE {
            return None;
        }
        let center_in_map = geometry.world_of_grid_point(x_cells, geometry.height() as f64 - y_cells);
        Some(FoundPart {
            barrel,
            center_in_map,
            direction_in_map_rad: wrap(middle_rad + geometry.origin().theta_rad),
            rms_m: rms_cells * geometry.cell_size_m(),
            cells: support,
        })
    }

    fn is_merged(&self, found: &[Option<FoundPart>]) -> bool {
        let mut barrels: Vec<usize> = found.iter().flatten().map(|found| found.barrel).collect();
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
