//! Pictures for an appeal: the map with every part ringed, and a crop per fiducial.

use metrics::Case;
use metrics::fiducials::{Fiducials, FoundPart};
use model::{FiducialPart, GridGeometry, Point2, Pose2};
use report::{Figure, Image, Ring, RingKind, RingedMap, ringed_svg};

use super::facts::part_records;
use crate::JobError;

/// Crops of more fiducials than this belong into a report of their own.
const MOST_CROPS: usize = 40;
/// A crop reaches this many radii to each side.
const CROP_RADII: f64 = 2.5;
/// Parts nearer than this to their place get no arrow, in radii.
const ARROW_FROM_RADII: f64 = 0.1;

/// The figures of a case; none without a layout.
pub(crate) fn figures(case: &Case) -> Result<Vec<Figure>, JobError> {
    let Ok(fiducials) = case.fiducials() else { return Ok(Vec::new()) };
    let rings: Vec<Vec<Ring>> = rings(&fiducials);
    let mut figures = vec![overview(&fiducials, &rings)?];
    let parts = &fiducials.inputs.layout.parts;
    let mut names: Vec<&str> = parts.iter().map(|part| part.fiducial.as_str()).collect();
    names.dedup();
    for (number, name) in names.into_iter().take(MOST_CROPS).enumerate() {
        figures.extend(crop(&fiducials, &rings, number, name)?);
    }
    Ok(figures)
}

/// The rings of each part: where it was found or is missing, and where it should be.
fn rings(fiducials: &Fiducials<'_>) -> Vec<Vec<Ring>> {
    let geometry = fiducials.inputs.map.geometry();
    let map_from_truth = fiducials.located.truth_from_map.unwrap_or(Pose2::IDENTITY).inverse();
    let parts = fiducials.inputs.layout.parts.iter().zip(&fiducials.located.parts);
    parts.map(|(part, found)| rings_of(part, found.as_ref(), map_from_truth, geometry)).collect()
}

fn rings_of(
    part: &FiducialPart,
    found: Option<&FoundPart>,
    map_from_truth: Pose2,
    geometry: &GridGeometry,
) -> Vec<Ring> {
    let radius = part.radius_m / geometry.cell_size_m();
    let start =
        part.direction_rad - part.opening_rad / 2.0 + map_from_truth.theta_rad - geometry.origin().theta_rad;
    let ring = |kind, at: Point2, label: &str| {
        let [x, y] = in_picture(geometry, at);
        let arc_rad = Some([start, part.opening_rad]);
        Ring { kind, x, y, radius, arc_rad, label: label.to_owned(), arrow_to: None }
    };
    let expected_in_map = map_from_truth * part.center;
    let Some(found) = found else {
        return vec![ring(RingKind::Missing, expected_in_map, &part.part)];
    };
    let to = in_picture(geometry, expected_in_map);
    let mut shown = ring(RingKind::Found, found.center_in_map, &part.part);
    let is_off = (shown.x - to[0]).hypot(shown.y - to[1]) > ARROW_FROM_RADII * radius;
    shown.arrow_to = is_off.then_some(to);
    let expected = is_off.then(|| ring(RingKind::Expected, expected_in_map, ""));
    expected.into_iter().chain([shown]).collect()
}

/// Columns from the left and rows from the top.
fn in_picture(geometry: &GridGeometry, place: Point2) -> [f64; 2] {
    let (right, up) = geometry.grid_point_of_world(place);
    [right, geometry.height() as f64 - up]
}

const LEGEND: &str = "Green arcs: parts where they were found. Blue arcs and arrows: where displaced parts should be. Dashed \
                      vermilion: parts that were not found, at their true place.";

fn overview(fiducials: &Fiducials<'_>, rings: &[Vec<Ring>]) -> Result<Figure, JobError> {
    let (map, located) = (&fiducials.inputs.map, fiducials.located);
    let (width, height) = (map.geometry().width(), map.geometry().height());
    let rings = rings.concat();
    let picture =
        RingedMap { classes: map.classes(), width, columns: 0..width, rows: 0..height, rings: &rings };
    let lead = format!("{} of {} parts found. ", located.found(), located.parts.len());
    Ok(Figure {
        name: "fiducials".to_owned(),
        title: "Fiducials".to_owned(),
        caption: lead + LEGEND,
        image: Image::Svg(ringed_svg(&picture)?),
    })
}

/// The surroundings of one fiducial; none if they lie outside the map.
fn crop(
    fiducials: &Fiducials<'_>,
    rings: &[Vec<Ring>],
    number: usize,
    name: &str,
) -> Result<Option<Figure>, JobError> {
    let parts = &fiducials.inputs.layout.parts;
    let is_own = |index: &usize| parts[*index].fiducial == name;
    let own: Vec<usize> = (0..parts.len()).filter(is_own).collect();
    let rings: Vec<Ring> = own.iter().flat_map(|&index| rings[index].clone()).collect();
    let map = &fiducials.inputs.map;
    let (width, height) = (map.geometry().width(), map.geometry().height());
    let reach = |of: fn(&Ring) -> f64, side: usize| {
        let low = rings.iter().map(|ring| of(ring) - CROP_RADII * ring.radius).fold(f64::INFINITY, f64::min);
        let high =
            rings.iter().map(|ring| of(ring) + CROP_RADII * ring.radius).fold(f64::NEG_INFINITY, f64::max);
        low.max(0.0) as usize..(high.max(0.0) as usize).min(side)
    };
    let (columns, rows) = (reach(|ring| ring.x, width), reach(|ring| ring.y, height));
    if columns.is_empty() || rows.is_empty() {
        return Ok(None);
    }
    let picture = RingedMap { classes: map.classes(), width, columns, rows, rings: &rings };
    Ok(Some(Figure {
        name: format!("fiducial_{}", number + 1),
        title: format!("Fiducial {name}"),
        caption: crop_caption(fiducials, &own),
        image: Image::Svg(ringed_svg(&picture)?),
    }))
}

/// Offset and angle of each part in words.
fn crop_caption(fiducials: &Fiducials<'_>, own: &[usize]) -> String {
    let records = part_records(fiducials);
    let turn_rad = fiducials.located.truth_from_map.map_or(0.0, |pose| pose.theta_rad);
    let sentence = |&index: &usize| {
        let (record, part) = (&records[index], &fiducials.inputs.layout.parts[index]);
        let found = fiducials.located.parts[index].as_ref();
        let Some((found, error_m)) = found.zip(record.error_m) else {
            return format!("{} was not found.", record.id);
        };
        let turned = model::wrap(found.direction_in_map_rad + turn_rad - part.direction_rad).to_degrees();
        let radii = error_m / part.radius_m;
        format!("{} lies {error_m:.3} m off ({radii:.2} R) and is turned by {turned:.0} degrees.", record.id)
    };
    own.iter().map(sentence).collect::<Vec<_>>().join(" ")
}
