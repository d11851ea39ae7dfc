//! The rooms of one map: found, described, drawn, and compared with a reference.

use metrics::rooms::segmentation::{RoomFinder, RoomParams};
use metrics::{Case, Metric, rooms};
use model::{
    Attribute, CellClass, Column, ColumnType, Feature, Finding, Grid, GridGeometry, Point2, Shape,
    VectorLayer,
};
use raster::outline::borders;
use raster::rooms::descriptor::{Descriptor, descriptors};
use raster::rooms::visibility::visibility_rooms;
use raster::rooms::{Linkage, Rooms};
use report::{Figure, Layer, MARK_COLOURS, Mark, OPEN, Rgb, labels_png};
use serde::Serialize;

use crate::judge::check_map_memory;
use crate::{JobError, Loaded, Map};

/// Schema of the JSON form.
pub const ROOMS_SCHEMA: &str = "mapjudge.rooms/1";

/// Smaller free parts of a reference are no rooms, square metres.
const MIN_REFERENCE_M2: f64 = 1.0;

/// One room, as the JSON form has it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RoomRecord {
    /// Number, 1 upwards by the first cell in image order.
    pub id: u32,
    /// Area.
    pub area_m2: f64,
    /// Centre of gravity.
    pub x_m: f64,
    /// Centre of gravity.
    pub y_m: f64,
    /// Left, bottom, right, top.
    #[serde(rename = "box")]
    pub box_m: [f64; 4],
    /// Extent along the main direction.
    pub length_m: f64,
    /// Extent across it.
    pub width_m: f64,
    /// The main direction.
    pub theta_rad: f64,
    /// Length of the border.
    pub perimeter_m: f64,
    /// 1 for a square.
    pub elongation: f64,
    /// Below 1.
    pub compactness: f64,
    /// The first four invariants of Hu.
    pub hu: [f64; 4],
    /// Rooms it shares a border with.
    pub neighbours: Vec<u32>,
}

/// How the rooms agree with a reference.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RoomQuality {
    /// Rooms of the reference.
    pub reference_rooms: u64,
    /// Share of the rooms that are right; null without a room.
    pub precision: Option<f64>,
    /// Share of the reference rooms that were found; null without a reference room.
    pub recall: Option<f64>,
    /// Mean shared part of the matched rooms; null without a match.
    pub iou: Option<f64>,
}

/// The rooms of a map.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RoomList {
    /// [`ROOMS_SCHEMA`].
    pub schema: &'static str,
    /// The map as given.
    pub map: String,
    /// How they were found; with `auto` the method that was chosen.
    pub method: RoomFinder,
    /// Distance of the control points along the walls; visibility only.
    pub spacing_m: Option<f64>,
    /// Control points on the walls; visibility only.
    pub control_points: Option<usize>,
    /// Pairs of control points that see each other; visibility only.
    pub visible_pairs: Option<u64>,
    /// Similarity from which on clusters of wall points are one room.
    pub theta: f64,
    /// How clusters are compared.
    pub linkage: Linkage,
    /// Radius of the disc that must fit into what counts as free.
    pub smoothing_m: f64,
    /// The rooms.
    pub rooms: Vec<RoomRecord>,
    /// How they agree with a reference, if one was given.
    pub quality: Option<RoomQuality>,
    /// What the reader noticed.
    pub findings: Vec<Finding>,
}

/// The rooms with what is drawn from them.
pub struct RoomAnalysis {
    /// The list.
    pub list: RoomList,
    labels: Rooms,
    grid: std::sync::Arc<Grid>,
}

/// Finds the rooms of a map, and compares them with those of a reference: a map of equal size in which doors are closed.
///
/// # Errors
/// A map too long for exact distances, or a reference of another size.
pub fn find_rooms(
    map: &Loaded<Map>,
    params: &RoomParams,
    reference: Option<&Loaded<Map>>,
) -> Result<RoomAnalysis, JobError> {
    let (grid, name) = (&map.value.grid, file_name(map));
    check_map_memory(grid, metrics::Family::Rooms)?;
    let (labels, method, sight) = match params.method {
        RoomFinder::Visibility => {
            let found = visibility_rooms(grid, &params.visibility());
            let sight = (found.spacing_m, found.points.len(), found.visible_pairs);
            (found.rooms, RoomFinder::Visibility, Some(sight))
        }
        _ => {
            let found = params.found(grid).ok_or(JobError::MapTooLarge { map: name.clone() })?;
            (found.rooms, found.method, None)
        }
    };
    let records = descriptors(&labels, grid.geometry()).into_iter().map(record).collect();
    let quality = reference.map(|reference| quality(reference, &labels, grid)).transpose()?;
    let list = RoomList {
        schema: ROOMS_SCHEMA,
        map: name,
        method,
        spacing_m: sight.map(|(spacing_m, ..)| spacing_m),
        control_points: sight.map(|(_, points, _)| points),
        visible_pairs: sight.map(|(.., pairs)| pairs),
        theta: params.theta,
        linkage: params.linkage,
        smoothing_m: params.smoothing_m,
        rooms: records,
        quality,
        findings: map.findings_as("map"),
    };
    Ok(RoomAnalysis { list, labels, grid: grid.clone() })
}

/// The name of a map's file; empty for a map in memory.
fn file_name(map: &Loaded<Map>) -> String {
    map.provenance.files.first().map(|file| file.path.clone()).unwrap_or_default()
}

fn record(d: Descriptor) -> RoomRecord {
    RoomRecord {
        id: d.id,
        area_m2: d.area_m2,
        x_m: d.center.x_m,
        y_m: d.center.y_m,
        box_m: d.box_m,
        length_m: d.oriented.length_m,
        width_m: d.oriented.width_m,
        theta_rad: d.oriented.theta_rad,
        perimeter_m: d.perimeter_m,
        elongation: d.elongation,
        compactness: d.compactness,
        hu: d.hu,
        neighbours: d.neighbours,
    }
}

fn quality(loaded: &Loaded<Map>, found: &Rooms, map: &Grid) -> Result<RoomQuality, JobError> {
    let reference = &loaded.value.grid;
    let (own, other) = (map.geometry(), reference.geometry());
    if (own.width(), own.height()) != (other.width(), other.height()) {
        let sizes = [(own.width(), own.height()), (other.width(), other.height())];
        return Err(JobError::ReferenceSize {
            reference: file_name(loaded),
            expected: sizes[0],
            found: sizes[1],
        });
    }
    let free: Vec<u8> = reference.classes().iter().map(|class| u8::from(*class == CellClass::Free)).collect();
    let min_cells = (MIN_REFERENCE_M2 / own.cell_size_m().powi(2)).ceil() as usize;
    let reference = Rooms::of_components(&free, own.width(), min_cells);
    let reference_rooms = u64::from(reference.count);
    let case = Case::without_maps().with_rooms(reference, found.clone());
    let value = |score: Result<metrics::Score, metrics::Undefined>| score.ok().map(|score| score.value);
    Ok(RoomQuality {
        reference_rooms,
        precision: value(Metric::evaluate(&rooms::room_precision::RoomPrecision::default(), &case)),
        recall: value(Metric::evaluate(&rooms::room_recall::RoomRecall::default(), &case)),
        iou: value(Metric::evaluate(&rooms::room_iou::RoomIou::default(), &case)),
    })
}

impl RoomAnalysis {
    /// Room numbers as 16-bit grey values.
    ///
    /// # Errors
    /// More than 65535 rooms.
    pub fn labels_png(&self) -> Result<Vec<u8>, JobError> {
        Ok(labels_png(&self.labels.labels, self.labels.width, self.labels.height())?)
    }

    /// The map with its rooms in colour and their numbers.
    ///
    /// # Errors
    /// The figure cannot be encoded.
    pub fn figure(&self) -> Result<Figure, JobError> {
        let geometry = self.grid.geometry();
        let colours = colours(&self.labels);
        let ground = |class: &CellClass| match class {
            CellClass::Unknown => 0,
            CellClass::Free => 1,
            CellClass::Occupied => 2,
        };
        let room = |(&label, class): (&u32, &CellClass)| match (label, class) {
            (0, _) | (_, CellClass::Occupied) => OPEN,
            (label, _) => colours[label as usize - 1],
        };
        let classes = self.grid.classes();
        let rooms = self.labels.labels.iter().zip(classes).map(room).collect();
        let number = |room: &RoomRecord| Mark::Number { number: room.id, x_m: room.x_m, y_m: room.y_m };
        let layers = vec![
            Layer::cells("map", geometry, classes.iter().map(ground).collect(), &GROUND),
            Layer::cells("rooms", geometry, rooms, &MARK_COLOURS.map(|colour| (pale(colour), "room"))),
            Layer::marks("numbers", self.list.rooms.iter().map(number).collect()),
        ];
        let caption = "Each room in a colour of its own, neighbours in different ones; walls black, unknown grey, free \
                       cells that belong to no room white.";
        Ok(Figure::new("rooms", "Rooms", caption, layers))
    }

    /// The rooms as areas with their descriptors.
    #[must_use]
    pub fn layer(&self) -> VectorLayer {
        let geometry = self.grid.geometry();
        let mut rings: Vec<Vec<Vec<Point2>>> = vec![Vec::new(); self.list.rooms.len()];
        for border in borders(&self.labels.labels, self.labels.width, self.labels.height()) {
            let corners = border.corners(self.labels.width);
            rings[border.label as usize - 1].push(ring(&corners, geometry));
        }
        let real = |name: &str| Column { name: name.to_owned(), kind: ColumnType::Real };
        let columns = vec![
            Column { name: "ROOM".to_owned(), kind: ColumnType::Integer },
            real("AREA"),
            real("ELONGATION"),
            real("COMPACT"),
        ];
        let feature = |(room, rings): (&RoomRecord, Vec<Vec<Point2>>)| Feature {
            shape: Shape::Area(rings),
            attributes: vec![
                Attribute::Integer(i64::from(room.id)),
                Attribute::Real(room.area_m2),
                Attribute::Real(room.elongation),
                Attribute::Real(room.compactness),
            ],
            style: Vec::new(),
        };
        let features = self.list.rooms.iter().zip(rings).map(feature).collect();
        VectorLayer { name: "rooms".to_owned(), columns, features }
    }
}

/// The map below the rooms; walls win over unknown and free cells where cells share a pixel.
const GROUND: [(Rgb, &str); 3] = [([217; 3], "unknown"), ([255; 3], "free, in no room"), ([26; 3], "wall")];

/// The colour mixed with white, so that numbers and walls stand out.
fn pale(colour: Rgb) -> Rgb {
    colour.map(|channel| 255 - (255 - channel) / 2)
}

/// A colour number per room, different from those of its neighbours as far as there are enough.
fn colours(rooms: &Rooms) -> Vec<u8> {
    let pairs = rooms.neighbours();
    let mut chosen: Vec<u8> = Vec::new();
    for room in 1..=rooms.count {
        let earlier = pairs.iter().filter(|(_, b)| *b == room).map(|(a, _)| chosen[*a as usize - 1]);
        let taken: Vec<u8> = earlier.collect();
        let all = 0..MARK_COLOURS.len() as u8;
        let wanted = (room as usize % MARK_COLOURS.len()) as u8;
        let free =
            all.map(|k| (k + wanted) % MARK_COLOURS.len() as u8).find(|colour| !taken.contains(colour));
        chosen.push(free.unwrap_or(wanted));
    }
    chosen
}

/// A closed ring in the frame of the map.
fn ring(corners: &[(usize, usize)], geometry: &GridGeometry) -> Vec<Point2> {
    let world = |&(x, y): &(usize, usize)| {
        geometry.world_of_grid_point(x as f64, geometry.height() as f64 - y as f64)
    };
    corners.iter().chain(corners.first()).map(world).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO_ROOMS: [&str; 7] = [
        "###########",
        "#....#....#",
        "#....#....#",
        "#.........#",
        "#....#....#",
        "#....#....#",
        "###########",
    ];

    fn map(rows: &[&str]) -> Loaded<Map> {
        Loaded::in_memory(Map::new(testkit::grid(rows)))
    }

    fn analysis(method: RoomFinder) -> RoomAnalysis {
        let mut closed = TWO_ROOMS;
        closed[3] = "#....#....#";
        let params = RoomParams { method, ..RoomParams::default() };
        find_rooms(&map(&TWO_ROOMS), &params, Some(&map(&closed))).unwrap()
    }

    #[test]
    fn two_rooms_are_found_described_and_judged() {
        let found = analysis(RoomFinder::Watershed);
        assert_eq!(found.list.rooms.len(), 2);
        assert_eq!(found.list.rooms.iter().map(|room| room.area_m2).sum::<f64>(), 41.0);
        assert_eq!(found.list.rooms[0].neighbours, [2]);
        let quality = found.list.quality.clone().unwrap();
        assert_eq!((quality.reference_rooms, quality.precision, quality.recall), (2, Some(1.0), Some(1.0)));
        assert!((quality.iou.unwrap() - (20.0 / 21.0 + 1.0) / 2.0).abs() < 1e-12, "{quality:?}");
    }

    #[test]
    fn areas_of_the_layer_are_those_of_the_rooms() {
        let found = analysis(RoomFinder::Watershed);
        for (feature, room) in found.layer().features.iter().zip(&found.list.rooms) {
            let Shape::Area(rings) = &feature.shape else { panic!("an area") };
            let doubled: f64 = rings
                .iter()
                .flat_map(|ring| ring.windows(2))
                .map(|w| w[0].x_m * w[1].y_m - w[1].x_m * w[0].y_m)
                .sum();
            assert!((doubled.abs() / 2.0 - room.area_m2).abs() < 1e-9);
        }
    }

    #[test]
    fn neighbours_have_different_colours() {
        let found = analysis(RoomFinder::Watershed);
        let colours = colours(&found.labels);
        assert_ne!(colours[0], colours[1]);
        assert!(found.figure().unwrap().svg().unwrap().contains(">2</text>"));
        assert!(!found.labels_png().unwrap().is_empty());
    }

    #[test]
    fn a_reference_of_another_size_is_refused() {
        let (square, row) = (map(&["..", ".."]), map(&["..."]));
        let found = find_rooms(&square, &RoomParams::default(), Some(&row));
        assert!(matches!(found.err().unwrap(), JobError::ReferenceSize { .. }));
    }
}
