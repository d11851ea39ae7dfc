//! The pairs of a layout without positions: only how far the two parts of a fiducial lie apart is known.
//!
//! Each verified barrel, and each arc of nearly a whole circle, is a site. Its two parts are fitted in every direction, the second one also at the barrels
//! beside it, and the best direction counts: most parts, then the least distance from the circles. Which site is which
//! fiducial nobody knows, so that the assignment with the least error counts among fiducials of one shape.

use std::f64::consts::TAU;

use align::assignment::complete;
use model::{FiducialLayout, Point2, Pose2};
use raster::circles::outlines::MIN_QUALITY;

use super::barrels::Barrel;
use super::located::FoundPart;
use super::part_search::Search;
use crate::plane_distance::distance_m;

/// Directions in which a pair is tried.
const DIRECTIONS: usize = 72;
/// An arc of the Hough transform from here on is a barrel. Ours.
const MIN_MERGED_RAD: f64 = TAU * 5.0 / 6.0;
/// Cost of a site of which one part is missing, in metres: above every difference that counts.
const MISSING_M: f64 = 10.0;

/// The parts of a pair in the layout, and how far they are apart.
#[derive(Clone, Copy)]
struct Pair {
    parts: [usize; 2],
    distance_m: f64,
}

type Site = [Option<FoundPart>; 2];

/// Where the parts of each fiducial were found.
pub(super) fn in_pairs(search: &Search<'_>) -> Vec<Option<FoundPart>> {
    let layout = &search.inputs.layout;
    let mut found = vec![None; layout.parts.len()];
    let mut taken: Vec<Point2> = Vec::new();
    for pairs in pairs_of_one_shape(layout) {
        let sites = sites(search, &pairs, &mut taken);
        let cost = |site: usize, pair: usize| difference_m(&sites[site], &pairs[pair]);
        for (site, pair) in complete(sites.len(), pairs.len(), cost).into_iter().enumerate() {
            let Some(Pair { parts: [first, second], .. }) = pair.map(|pair| pairs[pair]) else { continue };
            [found[first], found[second]] = sites[site];
        }
    }
    found
}

/// Pairs whose parts look alike: their sites can be told apart by distance alone.
fn pairs_of_one_shape(layout: &FiducialLayout) -> Vec<Vec<Pair>> {
    let parts = &layout.parts;
    let shape = |pair: &Pair| {
        pair.parts.map(|part| (parts[part].radius_m.to_bits(), parts[part].opening_rad.to_bits()))
    };
    let mut groups: Vec<Vec<Pair>> = Vec::new();
    for (fiducial, distance_m) in &layout.pair_distances_m {
        let own: Vec<usize> = (0..parts.len()).filter(|&part| parts[part].fiducial == *fiducial).collect();
        let [first, second] = own[..] else { continue };
        let pair = Pair { parts: [first, second], distance_m: *distance_m };
        match groups.iter_mut().find(|group| shape(&group[0]) == shape(&pair)) {
            Some(group) => group.push(pair),
            None => groups.push(vec![pair]),
        }
    }
    groups
}

/// The best sites for pairs of one shape, at most as many as there are pairs.
fn sites(search: &Search<'_>, pairs: &[Pair], taken: &mut Vec<Point2>) -> Vec<Site> {
    let mut sites = Vec::new();
    let farthest_m = pairs.iter().map(|pair| pair.distance_m).fold(0.0, f64::max);
    for (index, barrel) in search.barrels.iter().enumerate() {
        let is_taken = taken.iter().any(|&place| distance_m(place, barrel.center_in_map) <= barrel.radius_m);
        if sites.len() >= pairs.len() || is_taken || !is_evident(barrel) {
            continue;
        }
        let reach_m = farthest_m + 2.0 * barrel.radius_m;
        let turned = (0..DIRECTIONS).map(|step| step as f64 * TAU / DIRECTIONS as f64);
        let tried = turned.map(|yaw_rad| site(search, pairs[0], index, reach_m, yaw_rad));
        let best = tried.reduce(|best, next| if worth(&next) > worth(&best) { next } else { best });
        if let Some(best) = best.filter(|site| site.iter().any(Option::is_some)) {
            taken.push(barrel.center_in_map);
            taken.extend(best.iter().flatten().map(|part| part.center_in_map));
            sites.push(best);
        }
    }
    sites
}

/// The parts of a pair at a barrel, for one rotation of the map; the second one may lie at a barrel beside it.
fn site(search: &Search<'_>, pair: Pair, barrel: usize, reach_m: f64, yaw_rad: f64) -> Site {
    let (parts, pose) = (&search.inputs.layout.parts, Pose2::new(0.0, 0.0, yaw_rad));
    let [first, second] = pair.parts.map(|part| &parts[part]);
    let found = search.fit(barrel, first, pose);
    let away_m =
        |other: usize| distance_m(search.barrels[barrel].center_in_map, search.barrels[other].center_in_map);
    let mut beside: Vec<usize> =
        (0..search.barrels.len()).filter(|other| is_evident(&search.barrels[*other])).collect();
    beside.retain(|&other| away_m(other) <= reach_m);
    beside.sort_by(|&a, &b| away_m(a).total_cmp(&away_m(b)));
    [found, beside.into_iter().find_map(|other| search.fit(other, second, pose))]
}

/// Whether something is a barrel although nothing is expected there: a verified outline, or two halves that merged into
/// nearly a whole circle. Boxes have gaps at their corners, and two walls are no such arc.
fn is_evident(barrel: &Barrel) -> bool {
    barrel.circle.quality >= MIN_QUALITY || barrel.arc_in_map.opening_rad >= MIN_MERGED_RAD
}

/// More parts are better, then a closer fit.
fn worth(site: &Site) -> (usize, f64) {
    let found = site.iter().flatten();
    (found.clone().count(), -found.map(|part| part.rms_m).sum::<f64>())
}

fn difference_m(site: &Site, pair: &Pair) -> f64 {
    let [Some(first), Some(second)] = site else { return MISSING_M };
    (distance_m(first.center_in_map, second.center_in_map) - pair.distance_m).abs().min(MISSING_M)
}
