//! Barrels as a person sees them: outlines with nothing behind them (D-VERIFY).
//!
//! Edge cells vote along their normals for centres. Around each candidate one ray per cell of the circumference looks
//! whether it meets the outline, and whether something lies **beyond** it: along a barrel nothing does, except where
//! a wall joins. Boxes and room corners have their own walls beyond the circle in the diagonal directions, which cuts
//! the arc there; what remains fits a circle badly.
//!
//! ```text
//! quality = (rays of all arcs from 45 degrees / all rays) * (share of them that meets the outline)
//!           * min(RMS of the longest arc from its best two lines / RMS from the circle, 2.5)
//! ```
//!
//! A barrel is hollow, stands in known ground, and is as wide as long; of circles of 7.5 cells and more nearly a half must be
//! visible, with a quality of 0.9. Half a barrel stands at a wall that goes on (`around.rs`). The plane is looked at in full
//! size, and shrunk by 2 and by 4: blocks of cells, a thick pen and a shaky hand are smooth again there.
//!
//! The RMS from the circle counts as at least 0.3 cells, and above [`MAX_RMS_CELLS`] there is no barrel.
//!
//! Departures from the first form of the rule in D-VERIFY: it asked for the share of cells whose normal is
//! radial, and for free cells outside on average. Normals are unreliable on ragged outlines of few cells, and boxes
//! passed. One setting now serves maps of robots and generated maps; see `docs/fiducials.md` for the figures.
//! Limits: an arc below about 150 degrees alone is not told from two walls, and walls closer than 3.5 cells hide arcs.

use std::f64::consts::TAU;

use super::around::Around;
use super::edges::edge_cells;
use super::ellipse::second_harmonic;
use super::glance::Glance;
use super::rays::{Meets, Ray, arc_of, directions, look, rays_of, runs};
use super::refine::{Fit, refine};
use super::shrunk::{OCCUPIED, Shrunk};
use super::straight::two_line_rms;
use super::votes::{Candidate, candidates};
use super::{Circle, MAX_RANGE_CELLS, Padded, SearchError, check_radius};

/// What is looked for. Defaults are ours, chosen on real and generated maps together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutlineSearch {
    /// Smallest radius, in cells.
    pub min_radius_cells: f64,
    /// Largest radius, in cells; all barrels need not share one.
    pub max_radius_cells: f64,
    /// Entries below this quality are left out; [`MIN_QUALITY`] for lists that are shown to people.
    pub min_quality: f64,
}

/// The quality from which an entry is worth showing.
pub const MIN_QUALITY: f64 = 0.45;
/// The outline of a barrel is a circle within this root mean square distance, in cells; that of a box is not.
pub const MAX_RMS_CELLS: f64 = 0.5;
/// Shorter arcs say nothing.
const MIN_ARC_RAD: f64 = TAU / 8.0;
/// RMS values below this are accidents of the cells: a drawn circle has 0.28.
const FLOOR_RMS_CELLS: f64 = 0.3;
/// Two lines that are this many times worse than the circle are out of the question.
const MAX_LINE_RATIO: f64 = 2.5;
/// Cells within this distance of the circle belong to it.
const SUPPORT_CELLS: f64 = 1.0;
/// Circles from this radius on, in cells of the scale at which they are looked for, are large. Ours, as the next four:
/// chosen on the tuning half of the study `unseen-barrels`, on the labelled map of a robot, and on maps without barrels.
pub(super) const LARGE_CELLS: f64 = 7.5;
/// Least visible arcs of a large circle: nearly a half.
pub(super) const MIN_LARGE_VISIBLE_RAD: f64 = 165.0 * TAU / 360.0;
const MIN_LARGE_QUALITY: f64 = 0.9;
/// An outline that is longer than wide by twice this share of the radius is a letter: the amplitude of its ellipse.
const MAX_STRETCH: f64 = 0.08;
/// Least number of votes for each cell of an arc of 120 degrees.
const MIN_VOTES_PER_CELL: f64 = 0.7;

impl OutlineSearch {
    /// For one radius, as shown to people.
    pub const fn of_radius(radius_cells: f64) -> Self {
        Self { min_radius_cells: radius_cells, max_radius_cells: radius_cells, min_quality: MIN_QUALITY }
    }

    /// Radii one cell apart; the fit moves between them.
    fn radii(&self) -> Result<Vec<f64>, SearchError> {
        let (low, high) = (check_radius(self.min_radius_cells)?, check_radius(self.max_radius_cells)?);
        if !(0.0..=MAX_RANGE_CELLS).contains(&(high - low)) {
            return Err(SearchError::Range(low, high));
        }
        let whole = (high - low + 1e-9).floor() as usize;
        Ok((0..=whole).map(|step| low + step as f64).collect())
    }
}

/// The circles of a plane of classes, best first. `occupied` is the class of walls.
///
/// Radii that are large enough are looked for in the plane shrunk by 2 and by 4 too; of what is found twice the better one
/// stays.
///
/// # Errors
/// A radius that is too small or too large.
pub fn outlines(
    plane: &[u8],
    occupied: u8,
    width: usize,
    search: &OutlineSearch,
) -> Result<Vec<Circle>, SearchError> {
    let radii = search.radii()?;
    if width == 0 || plane.is_empty() {
        return Ok(Vec::new());
    }
    let mask = Padded::of(plane, occupied, width, margin_of(search));
    let around = Around { plane, occupied, width };
    let barrels = |circles: Vec<Circle>, scale: f64| {
        circles.into_iter().filter(move |circle| around.may_be_barrel(circle, scale))
    };
    let mut found: Vec<Circle> = barrels(at_one_scale(&mask, search, &radii), 1.0).collect();
    for level in Shrunk::levels(plane, occupied, width, search) {
        let radii = level.search.radii()?;
        let mask = Padded::of(&level.plane, OCCUPIED, level.width, margin_of(&level.search));
        let circles = at_one_scale(&mask, &level.search, &radii);
        let circles = circles.into_iter().map(|circle| level.in_full_size(circle)).collect();
        found.extend(barrels(circles, level.cells));
    }
    let placed = without_doubles(found).into_iter();
    Ok(placed.map(|circle| with_support(&mask, circle)).collect())
}

/// Cells around the mask, so that rays and votes stay in it.
fn margin_of(search: &OutlineSearch) -> usize {
    search.max_radius_cells.ceil() as usize + 9
}

/// The circles of a mask at its own scale, best first, without its margin.
fn at_one_scale(mask: &Padded, search: &OutlineSearch, radii: &[f64]) -> Vec<Circle> {
    let Some(&smallest) = radii.first() else { return Vec::new() };
    let least = 2.0 * TAU / 6.0 * search.min_radius_cells * MIN_VOTES_PER_CELL;
    let votes = candidates(mask, &edge_cells(mask), radii, least as u32);
    let looks: Vec<Look> = radii.iter().map(|&radius| Look::new(radius)).collect();
    let glance = Glance::new(mask, smallest, radii.len());
    let found = votes.iter().filter_map(|candidate| best_at(mask, candidate, &glance, &looks));
    let good: Vec<Circle> = found.filter(|circle| circle.quality >= search.min_quality).collect();
    let margin = mask.margin as f64;
    let placed = |circle: Circle| Circle {
        x_cells: circle.x_cells - margin,
        y_cells: circle.y_cells - margin,
        ..circle
    };
    without_doubles(good).into_iter().map(placed).collect()
}

/// The directions in which a radius is looked for: all of them to judge, every second one to move.
struct Look {
    radius: f32,
    all: Vec<[f32; 2]>,
    sparse: Vec<[f32; 2]>,
}

impl Look {
    fn new(radius: f64) -> Self {
        let all = directions(radius);
        let sparse = all.iter().step_by(2).copied().collect();
        Self { radius: radius as f32, all, sparse }
    }
}

/// The best circle around a candidate, of all radii.
fn best_at(mask: &Padded, candidate: &Candidate, glance: &Glance, looks: &[Look]) -> Option<Circle> {
    let promising = glance.promising(mask, candidate.x as usize, candidate.y as usize);
    let (x, y) = (candidate.x as f32 + 0.5, candidate.y as f32 + 0.5);
    let tried = looks.iter().enumerate().filter(|(index, _)| promising >> index & 1 == 1);
    let circles = tried.filter_map(|(_, Look { radius, all, sparse })| {
        let fit = refine(mask, Fit { x, y, radius: *radius }, sparse)?;
        judged(&look(mask, fit.x, fit.y, fit.radius, all), fit)
    });
    circles.max_by(|a, b| a.quality.total_cmp(&b.quality))
}

/// Arcs and quality of a circle, or none if it is no barrel.
fn judged(rays: &[Ray], fit: Fit) -> Option<Circle> {
    let ray_rad = TAU / rays.len() as f64;
    let mut arcs = runs(rays);
    arcs.retain(|&(_, length)| length as f64 * ray_rad >= MIN_ARC_RAD);
    arcs.sort_by_key(|&(start, length)| (std::cmp::Reverse(length), start));
    let longest = *arcs.first()?;
    let is_met = |ray: &&Ray| ray.meets == Meets::Outline;
    let all: usize = arcs.iter().map(|&(_, length)| length).sum();
    let met: Vec<&Ray> = arcs.iter().flat_map(|&run| rays_of(rays, run)).filter(is_met).collect();
    let squares: f64 = met.iter().map(|ray| f64::from(ray.offset).powi(2)).sum();
    let rms_cells = (squares / met.len() as f64).sqrt();
    if rms_cells > MAX_RMS_CELLS {
        return None;
    }
    let chain: Vec<[f64; 2]> =
        rays_of(rays, longest).filter(is_met).map(|ray| point(ray, fit.radius)).collect();
    let line_ratio = two_line_rms(&chain) / rms_cells.max(FLOOR_RMS_CELLS);
    let (visible, met_share) = (all as f64 / rays.len() as f64, met.len() as f64 / all as f64);
    let quality = visible * met_share * line_ratio.min(MAX_LINE_RATIO);
    let radius = f64::from(fit.radius);
    let is_stretched = || second_harmonic(&met) > MAX_STRETCH * radius;
    if !is_clear_enough(radius, visible, quality) || is_stretched() {
        return None;
    }
    Some(Circle {
        x_cells: f64::from(fit.x),
        y_cells: f64::from(fit.y),
        radius_cells: radius,
        arcs: arcs.into_iter().map(|run| arc_of(rays.len(), run)).collect(),
        support: 0,
        rms_cells,
        quality,
    })
}

/// Of a large circle more can be asked than of one of few cells: letters, bent arrows and door swings are rounder than
/// the outline of a small barrel.
fn is_clear_enough(radius: f64, visible: f64, quality: f64) -> bool {
    radius < LARGE_CELLS || (visible * TAU >= MIN_LARGE_VISIBLE_RAD && quality >= MIN_LARGE_QUALITY)
}

fn point(ray: &Ray, radius: f32) -> [f64; 2] {
    ray.direction.map(|along| f64::from(along * (radius + ray.offset)))
}

/// Best first; of circles whose centres lie within half a radius only the best stays.
fn without_doubles(mut circles: Vec<Circle>) -> Vec<Circle> {
    circles.sort_by(|a, b| b.quality.total_cmp(&a.quality));
    let mut kept: Vec<Circle> = Vec::new();
    for circle in circles {
        let is_double = |other: &Circle| {
            let apart = (other.x_cells - circle.x_cells).hypot(other.y_cells - circle.y_cells);
            apart <= 0.5 * other.radius_cells.max(circle.radius_cells)
        };
        if !kept.iter().any(is_double) {
            kept.push(circle);
        }
    }
    kept
}

/// Counts the cells on the outline.
fn with_support(mask: &Padded, circle: Circle) -> Circle {
    let margin = mask.margin as f64;
    let (x, y) = (circle.x_cells + margin, circle.y_cells + margin);
    Circle { support: mask.support(x, y, circle.radius_cells, SUPPORT_CELLS), ..circle }
}
