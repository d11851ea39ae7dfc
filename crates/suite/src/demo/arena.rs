//! The arena of the demonstration: a maze with victims, hazards, labels, split barrels, and the paths through it.

use formats::{write_geojson, write_layout_toml};
use model::{Attribute, CellClass, Column, ColumnType, Feature, Grid, Point2, Shape, VectorLayer};
use raster::shortest_paths::{Diagonals, Roads};
use sim::arena::{Arena, MarkKind, MazePlan};

use super::office_maps::write_map;
use crate::JobError;
use crate::files::OutputFolder;

/// A little smaller than the usual 15 x 10 m, so that the demonstration takes a few seconds.
const SIZE_M: (f64, f64) = (12.0, 7.2);
/// Height of the truth grid: the middle of a standing barrel.
const SLICE_M: f64 = 0.5;
/// The robot keeps this far from walls, metres.
const CLEARANCE_M: f64 = 0.25;

/// The arena with its truth.
pub(super) struct RescueArena {
    /// The perfect map.
    pub truth: Grid,
    /// Where victims lie.
    pub victims: Vec<Point2>,
    /// Where hazards are, with their names.
    pub hazards: Vec<(String, Point2)>,
    /// Labels, with their words.
    pub labels: Vec<(String, Point2)>,
    /// Where robots and responders enter.
    pub start: Point2,
    arena: Arena,
    /// 1 for cells where the robot has room.
    room: Vec<u8>,
}

impl RescueArena {
    /// A maze of this seed.
    pub fn new(seed: u64) -> Result<Self, JobError> {
        let (width_m, height_m) = SIZE_M;
        let maze = MazePlan {
            seed,
            width_m,
            height_m,
            loop_share: 0.3,
            barrels: 8,
            victims: 5,
            ..MazePlan::default()
        };
        let arena = Arena::build(&maze.plan()?)?;
        let marks = |kind: MarkKind| {
            let of_kind = arena.marks.iter().filter(move |mark| mark.kind == kind);
            of_kind.map(|mark| (mark.name.clone(), mark.place)).collect::<Vec<_>>()
        };
        let truth = arena.truth(SLICE_M)?;
        Ok(Self {
            room: clear_cells(&truth, (CLEARANCE_M / truth.geometry().cell_size_m()).round() as usize),
            truth,
            victims: marks(MarkKind::Victim).into_iter().map(|(_, place)| place).collect(),
            hazards: marks(MarkKind::Hazard),
            labels: marks(MarkKind::Label),
            start: Point2::new(arena.start.x_m, arena.start.y_m),
            arena,
        })
    }

    /// Writes the truth: map, victims, hazards, labels, layout of the barrels.
    pub fn write(&self, folder: &OutputFolder) -> Result<(), JobError> {
        let place = folder.below("truth");
        write_map(&place, "truth", &self.truth)?;
        let layout = write_layout_toml(&self.arena.fiducial_layout()).map_err(|error| unwritable(&error))?;
        place.write("layout.toml", layout)?;
        let victims: Vec<(String, Point2)> =
            self.victims.iter().enumerate().map(|(index, at)| (format!("V{}", index + 1), *at)).collect();
        write_layer(&place, &victim_layer(&victims))?;
        write_layer(&place, &labelled("hazards", &self.hazards))?;
        write_layer(&place, &labelled("labels", &self.labels))
    }

    /// The shortest path of a robot from place to place; empty where there is none.
    pub fn path(&self, through: &[Point2]) -> Vec<Point2> {
        let geometry = self.truth.geometry();
        let (width, height) = (geometry.width(), geometry.height());
        let mask = &self.room;
        let index = |point: &Point2| geometry.cell_at(*point).map(|cell| geometry.index_of(cell));
        let mut path = Vec::new();
        for pair in through.windows(2) {
            let (Some(from), Some(to)) = (index(&pair[0]), index(&pair[1])) else { continue };
            let (Some(from), Some(to)) = (nearest(mask, width, from), nearest(mask, width, to)) else {
                continue;
            };
            let roads = Roads::new(mask, width, height, Diagonals::BothSidesSet);
            let cells = roads.lengths_from(from).path_to(to).unwrap_or_default();
            path.extend(
                cells.into_iter().step_by(4).map(|cell| geometry.center_of(geometry.cell_of(cell as usize))),
            );
        }
        path
    }
}

/// 1 for free cells whose surroundings are free too.
fn clear_cells(map: &Grid, reach: usize) -> Vec<u8> {
    let (width, height) = (map.geometry().width(), map.geometry().height());
    let classes = map.classes();
    let is_clear = |index: usize| {
        let (x, y) = (index % width, index / width);
        let rows = y.saturating_sub(reach)..=(y + reach).min(height - 1);
        let mut columns = rows.flat_map(|row| {
            (x.saturating_sub(reach)..=(x + reach).min(width - 1)).map(move |column| row * width + column)
        });
        classes[index] == CellClass::Free && columns.all(|cell| classes[cell] != CellClass::Occupied)
    };
    (0..width * height).map(|index| u8::from(is_clear(index))).collect()
}

/// The clear cell nearest to another.
fn nearest(mask: &[u8], width: usize, from: usize) -> Option<usize> {
    let (x, y) = ((from % width) as i64, (from / width) as i64);
    let away = |cell: usize| {
        let (dx, dy) = ((cell % width) as i64 - x, (cell / width) as i64 - y);
        dx * dx + dy * dy
    };
    (0..mask.len()).filter(|&cell| mask[cell] != 0).min_by_key(|&cell| away(cell))
}

/// Victims with identifier, status and time.
pub(super) fn victim_layer(victims: &[(String, Point2)]) -> VectorLayer {
    let feature = |(id, at): &(String, Point2)| {
        let words = [id.clone(), "alive".to_owned(), "0".to_owned()];
        Feature { shape: Shape::Point(*at), attributes: words.map(Attribute::Text).into(), style: Vec::new() }
    };
    layer("victims", &["ID", "STATUS", "T"], victims.iter().map(feature).collect())
}

/// Places with a label.
pub(super) fn labelled(name: &str, places: &[(String, Point2)]) -> VectorLayer {
    let feature = |(label, at): &(String, Point2)| Feature {
        shape: Shape::Point(*at),
        attributes: vec![Attribute::Text(label.clone())],
        style: Vec::new(),
    };
    layer(name, &["LABEL"], places.iter().map(feature).collect())
}

/// Lines with one word each.
pub(super) fn lines(name: &str, columns: &[&str], lines: &[(String, Vec<Point2>)]) -> VectorLayer {
    let feature = |(word, line): &(String, Vec<Point2>)| {
        let attributes = columns
            .iter()
            .enumerate()
            .map(|(index, _)| Attribute::Text(if index == 0 { word.clone() } else { "0".to_owned() }));
        Feature {
            shape: Shape::Lines(vec![line.clone()]),
            attributes: attributes.collect(),
            style: Vec::new(),
        }
    };
    let drawn = lines.iter().filter(|(_, line)| line.len() > 1);
    layer(name, columns, drawn.map(feature).collect())
}

fn layer(name: &str, columns: &[&str], features: Vec<Feature>) -> VectorLayer {
    let column = |name: &&str| Column { name: (*name).to_owned(), kind: ColumnType::Text { width: 40 } };
    VectorLayer { name: name.to_owned(), columns: columns.iter().map(column).collect(), features }
}

/// Writes a layer under its name.
pub(super) fn write_layer(folder: &OutputFolder, layer: &VectorLayer) -> Result<(), JobError> {
    let text = write_geojson(layer).map_err(|error| unwritable(&error))?;
    folder.write(&format!("{}.geojson", layer.name), text)
}

fn unwritable(error: &formats::WriteError) -> JobError {
    JobError::contest("demonstration", error.to_string(), "choose another seed")
}
