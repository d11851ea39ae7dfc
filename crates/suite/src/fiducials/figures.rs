//! Figures for an appeal: the map with every part ringed, and a crop per fiducial.

use metrics::Case;
use metrics::fiducials::{Fiducials, FoundPart};
use model::{FiducialPart, PartKind, Point2, Pose2, Positions};
use report::{Figure, Layer, Mark, Rgb, Ring, RingKind};

/// Crops of more fiducials than this belong into a report of their own.
const MAX_CROPS: usize = 40;
/// A crop reaches this many radii to each side.
const CROP_RADII: f64 = 2.5;
/// Parts nearer than this to their place get no arrow, in radii.
const ARROW_FROM_RADII: f64 = 0.1;
/// Radius in metres of the ring around a corner, or around a pole whose own radius is smaller or unknown.
const FEATURE_RING_M: f64 = 0.2;

/// The figures of a case; none without a layout.
pub(crate) fn figures(case: &Case) -> Vec<Figure> {
    let Ok(fiducials) = case.fiducials() else { return Vec::new() };
    let rings: Vec<Vec<Ring>> = rings(&fiducials);
    let mut figures = vec![overview(&fiducials, &rings)];
    let parts = &fiducials.inputs.layout.parts;
    let mut names: Vec<&str> = parts.iter().map(|part| part.fiducial.as_str()).collect();
    names.dedup();
    for (number, name) in names.into_iter().take(MAX_CROPS).enumerate() {
        figures.extend(crop(&fiducials, &rings, number, name));
    }
    figures
}

/// The rings of each part: where it was found or is missing, and where it should be.
fn rings(fiducials: &Fiducials<'_>) -> Vec<Vec<Ring>> {
    let map_from_truth = fiducials.located.truth_from_map.unwrap_or(Pose2::IDENTITY).inverse();
    let parts = fiducials.inputs.layout.parts.iter().zip(&fiducials.located.parts);
    if fiducials.inputs.layout.positions == Positions::Unknown {
        return parts
            .map(|(part, found)| found.iter().map(|found| ring_of_found(part, found)).collect())
            .collect();
    }
    parts.map(|(part, found)| rings_of(part, found.as_ref(), map_from_truth)).collect()
}

/// A part of a layout without positions: nothing is known of it but where it was found.
fn ring_of_found(part: &FiducialPart, found: &FoundPart) -> Ring {
    let Point2 { x_m, y_m } = found.center_in_map;
    let start_rad = found.direction_in_map_rad - part.opening_rad / 2.0;
    let arc_rad = Some([start_rad, part.opening_rad]);
    let label = part.part.clone();
    Ring { kind: RingKind::Found, x_m, y_m, radius_m: part.radius_m, arc_rad, label, arrow_to: None }
}

/// The radius of a part's ring.
fn ring_radius_m(part: &FiducialPart) -> f64 {
    match part.kind {
        PartKind::Barrel => part.radius_m,
        PartKind::Corner | PartKind::Pole => part.radius_m.max(FEATURE_RING_M),
    }
}

fn rings_of(part: &FiducialPart, found: Option<&FoundPart>, map_from_truth: Pose2) -> Vec<Ring> {
    let radius_m = ring_radius_m(part);
    let start = part.direction_rad - part.opening_rad / 2.0 + map_from_truth.theta_rad;
    let ring = |kind, Point2 { x_m, y_m }: Point2, label: &str| {
        // A whole ring where nobody knows the free side of a corner.
        let arc_rad = (part.opening_rad > 0.0).then_some([start, part.opening_rad]);
        Ring { kind, x_m, y_m, radius_m, arc_rad, label: label.to_owned(), arrow_to: None }
    };
    let expected_in_map = map_from_truth * part.center;
    let Some(found) = found else {
        return vec![ring(RingKind::Missing, expected_in_map, &part.part)];
    };
    let Point2 { x_m, y_m } = expected_in_map;
    let mut shown = ring(RingKind::Found, found.center_in_map, &part.part);
    let is_off = (shown.x_m - x_m).hypot(shown.y_m - y_m) > ARROW_FROM_RADII * radius_m;
    shown.arrow_to = is_off.then_some([x_m, y_m]);
    let expected = is_off.then(|| ring(RingKind::Expected, expected_in_map, ""));
    expected.into_iter().chain([shown]).collect()
}

/// White, grey and black: free, unknown and occupied cells.
const GREYS: [Rgb; 3] = [[255, 255, 255], [205, 205, 205], [0, 0, 0]];

const LEGEND: &str = "Green arcs: parts where they were found. Blue arcs and arrows: where displaced parts should be. Dashed \
                      vermilion: parts that were not found, at their true place.";

fn overview(fiducials: &Fiducials<'_>, rings: &[Vec<Ring>]) -> Figure {
    let (map, located) = (&fiducials.inputs.map, fiducials.located);
    let lead = format!("{} of {} parts found. ", located.found(), located.parts.len());
    let cells = Layer::classes("map", map.geometry(), map.class_bytes(), GREYS);
    Figure::new("fiducials", "Fiducials", lead + LEGEND, vec![cells, marks(rings.concat())])
}

fn marks(rings: Vec<Ring>) -> Layer {
    Layer::marks("parts", rings.into_iter().map(Mark::Ring).collect())
}

/// The surroundings of one fiducial; none if they lie outside the map.
fn crop(fiducials: &Fiducials<'_>, rings: &[Vec<Ring>], number: usize, name: &str) -> Option<Figure> {
    let parts = &fiducials.inputs.layout.parts;
    let is_own = |index: &usize| parts[*index].fiducial == name;
    let own: Vec<usize> = (0..parts.len()).filter(is_own).collect();
    let rings: Vec<Ring> = own.iter().flat_map(|&index| rings[index].clone()).collect();
    let map = &fiducials.inputs.map;
    let geometry = map.geometry();
    let places = rings.iter().map(|ring| {
        let (right, up) = geometry.grid_point_of_world(Point2::new(ring.x_m, ring.y_m));
        ([right, geometry.height() as f64 - up], CROP_RADII * ring.radius_m / geometry.cell_size_m())
    });
    let reach = |axis: usize, side: usize| {
        let low = places.clone().map(|(at, reach)| at[axis] - reach).fold(f64::INFINITY, f64::min);
        let high = places.clone().map(|(at, reach)| at[axis] + reach).fold(f64::NEG_INFINITY, f64::max);
        low.max(0.0) as usize..(high.max(0.0) as usize).min(side)
    };
    let (columns, rows) = (reach(0, geometry.width()), reach(1, geometry.height()));
    let piece = Layer::classes("map", geometry, map.class_bytes(), GREYS).cropped(columns, rows)?;
    let title = format!("Fiducial {name}");
    let caption = crop_caption(fiducials, &own);
    Some(Figure::new(&format!("fiducial_{}", number + 1), &title, caption, vec![piece, marks(rings)]))
}

/// Offset and angle of each part in words.
fn crop_caption(fiducials: &Fiducials<'_>, own: &[usize]) -> String {
    let records = fiducials.part_facts();
    let turn_rad = fiducials.located.truth_from_map.map_or(0.0, |pose| pose.theta_rad);
    let sentence = |&index: &usize| {
        let (record, part) = (&records[index], &fiducials.inputs.layout.parts[index]);
        let found = fiducials.located.parts[index].as_ref();
        let Some(found) = found else { return format!("{} was not found.", record.id) };
        let Some(error_m) = record.error_m else { return format!("{} was found.", record.id) };
        if part.kind != PartKind::Barrel {
            return format!("{} lies {error_m:.3} m off.", record.id);
        }
        let turned = model::wrap(found.direction_in_map_rad + turn_rad - part.direction_rad).to_degrees();
        let radii = error_m / part.radius_m;
        let turned = report::fixed(turned, 0);
        format!("{} lies {error_m:.3} m off ({radii:.2} R) and is turned by {turned} degrees.", record.id)
    };
    own.iter().map(sentence).collect::<Vec<_>>().join(" ")
}
