//! A rule for a whole submission: what was found must lie on the maps that were handed in.

use formats::{Content, LayerKind};
use metrics::annotation::red_marks::red_marks;
use model::{Finding, GridGeometry, Point2, Shape};

use super::Linted;

/// The places that a file names, and the ground that it covers.
#[derive(Default)]
pub struct Ground {
    map: Option<GridGeometry>,
    places: Vec<Point2>,
    /// Whether the file lists victims.
    pub(super) lists_victims: bool,
    /// Red marks of a navigation layer.
    pub(super) red_marks: usize,
}

impl Ground {
    /// What a document covers and names.
    pub fn of(content: &Content) -> Self {
        match content {
            Content::Raster(map) => Self {
                map: Some(*map.grid.geometry()),
                red_marks: red_marks(&map.grid).map_or_else(|count| count, |marks| marks.len()),
                ..Self::default()
            },
            Content::Detections(table) => {
                let place = |[x_m, y_m, _]: [f64; 3]| Point2 { x_m, y_m };
                let is_victim = |kind: &str| kind.trim().to_lowercase().starts_with("victim");
                Self {
                    places: table.rows.iter().map(|row| place(row.position_m)).collect(),
                    lists_victims: is_victim(&table.kind)
                        || table.rows.iter().any(|row| is_victim(&row.kind)),
                    ..Self::default()
                }
            }
            Content::Vector(layer) => {
                let places = layer.features.iter().flat_map(|feature| points_of(&feature.shape));
                Self {
                    places: places.collect(),
                    lists_victims: layer.name == LayerKind::Victims.name(),
                    ..Self::default()
                }
            }
            _ => Self::default(),
        }
    }
}

fn points_of(shape: &Shape) -> Vec<Point2> {
    match shape {
        Shape::None => Vec::new(),
        Shape::Point(place) | Shape::Text { place, .. } => vec![*place],
        Shape::MultiPoint(points) => points.clone(),
        Shape::Lines(lines) | Shape::Area(lines) => lines.concat(),
    }
}

/// Adds a finding to each file that names places beyond all maps. Without a map there is nothing to say.
pub fn check(files: &mut [Linted], grounds: &[Ground]) {
    let maps: Vec<&GridGeometry> = grounds.iter().filter_map(|ground| ground.map.as_ref()).collect();
    if maps.is_empty() {
        return;
    }
    for (file, ground) in files.iter_mut().zip(grounds) {
        let is_outside = |place: &&Point2| maps.iter().all(|map| map.cell_at(**place).is_none());
        let outside: Vec<&Point2> = ground.places.iter().filter(is_outside).collect();
        let Some(first) = outside.first() else { continue };
        let message = format!(
            "{} of {} positions lie outside of the maps, the first at {}, {} m",
            outside.len(),
            ground.places.len(),
            first.x_m,
            first.y_m
        );
        let hint = "check axes and origin: some writers turn the image by 90 degrees against the list";
        file.findings.push(Finding::warning("POSITION_OUTSIDE_MAP", message).hint(hint));
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn places_beyond_every_map_are_counted() {
        let map = GridGeometry::new(10, 5, 0.1, model::Pose2::IDENTITY).unwrap();
        let places = [(0.5, 0.2), (0.5, 0.7), (-0.1, 0.2)].map(|(x_m, y_m)| Point2 { x_m, y_m }).to_vec();
        let linted = |name: &str| Linted { path: PathBuf::from(name), findings: Vec::new() };
        let mut files = [linted("map.tif"), linted("pois.csv")];
        let list = Ground { places, ..Ground::default() };
        check(&mut files, &[Ground::default(), Ground { places: list.places.clone(), ..Ground::default() }]);
        assert!(files[1].findings.is_empty());
        check(&mut files, &[Ground { map: Some(map), ..Ground::default() }, list]);
        assert!(files[0].findings.is_empty());
        let message = &files[1].findings[0].message;
        assert!(message.starts_with("2 of 3 positions") && message.contains("0.5, 0.7 m"), "{message}");
    }
}
