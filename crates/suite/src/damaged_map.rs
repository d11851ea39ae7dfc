//! A damaged map with what is known about it (X-DAMAGE): record, changed cells, field, and what was carried along.

use formats::{GeoTiffFrame, GeoTiffLayer, GeoTiffLayerPixels};
use model::{
    CellClass, FiducialLayout, Grid, Point2, Pose2, Pose3, Shape, Similarity2, Trajectory, VectorLayer,
};
use report::Input;
use serde::Serialize;
use sim::damage::{Chain, DamagedByChain, DoorPlace, KnownAnswer, LinkAnswer, Piece, changed_cells};

use crate::{JobError, Loaded, Map};

/// Name and version of the format of `damage.json`.
pub const DAMAGE_SCHEMA: &str = "mapjudge.damage/1";

/// What was done to a map.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DamageRecord {
    /// Always [`DAMAGE_SCHEMA`].
    pub schema: String,
    /// Version of the program.
    pub version: String,
    /// The map and its hash.
    pub inputs: Vec<Input>,
    /// Seed of the chain.
    pub seed: u64,
    /// The links from left to right.
    pub chain: Vec<LinkRecord>,
    /// The transform from the damaged map to the truth, where all points have the same; null otherwise.
    pub truth_from_map: Option<Similarity2>,
    /// Cells of the damaged map whose class is not that of the truth at their middle.
    pub changed_cells: usize,
    /// Points, shapes and poses that lay in a part that is gone, and are not carried.
    pub lost_points: usize,
}

/// One link of a chain.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LinkRecord {
    /// Name of the kind.
    pub kind: String,
    /// Strength in the unit of the kind.
    pub strength: f64,
    /// The unit; empty for a pure number.
    pub unit: String,
    /// All effective parameters.
    pub parameters: toml::Value,
    /// The seed that the link drew from.
    pub seed: u64,
    /// What is known about the result.
    pub answer: KnownAnswer,
    /// Parts that moved as rigid bodies, the one that stayed first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pieces: Vec<Piece>,
    /// Lines along which the map was torn.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub seams: Vec<[Point2; 2]>,
    /// Doors that were closed or opened.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub doors: Vec<DoorPlace>,
}

/// A damaged map, and what it was made from.
#[derive(Clone, Debug)]
pub struct DamagedMap {
    /// What was done.
    pub record: DamageRecord,
    truth: std::sync::Arc<Grid>,
    damaged: DamagedByChain,
}

impl DamagedMap {
    /// Damages a map.
    ///
    /// # Errors
    /// What the chain refuses.
    pub fn new(map: &Loaded<Map>, chain: &Chain, seed: u64) -> Result<Self, JobError> {
        let truth = std::sync::Arc::clone(&map.value.grid);
        let damaged = chain.apply(&truth, seed)?;
        let record = DamageRecord {
            schema: DAMAGE_SCHEMA.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            inputs: map.inputs("map"),
            seed,
            chain: damaged.links.iter().map(link_record).collect(),
            truth_from_map: damaged.truth_from_map(),
            changed_cells: changed_cells(&truth, &damaged.map)
                .into_iter()
                .filter(|is_changed| *is_changed)
                .count(),
            lost_points: 0,
        };
        Ok(Self { record, truth, damaged })
    }

    /// The damaged map.
    #[must_use]
    pub fn map(&self) -> &Grid {
        &self.damaged.map
    }

    /// The changed cells as an image: black where the class is not that of the truth, white elsewhere.
    ///
    /// # Errors
    /// The image cannot be encoded.
    pub fn changed_png(&self) -> Result<Vec<u8>, JobError> {
        let shade = |is_changed| if is_changed { CellClass::Occupied } else { CellClass::Free };
        let classes = changed_cells(&self.truth, &self.damaged.map).into_iter().map(shade).collect();
        let unwritable = |why: String| JobError::Unwritable { output: "changed.png".to_owned(), why };
        let grid = Grid::new(*self.damaged.map.geometry(), classes).map_err(|e| unwritable(e.to_string()))?;
        formats::write_png(&grid).map_err(|error| unwritable(error.to_string()))
    }

    /// The displacement of each cell of the truth as a GeoTIFF with the layers dx and dy, metres; NaN where it is gone.
    ///
    /// # Errors
    /// The file cannot be encoded.
    pub fn field_tif(&self) -> Result<Vec<u8>, JobError> {
        let [dx, dy] = self.damaged.field(&self.truth);
        let layer = |name, numbers| GeoTiffLayer { name, pixels: GeoTiffLayerPixels::Probability(numbers) };
        let layers = [layer("dx", &dx), layer("dy", &dy)];
        let frame = GeoTiffFrame::Local("map".to_owned());
        formats::write_geotiff(self.truth.geometry(), &frame, &layers)
            .map_err(|error| JobError::Unwritable { output: "field.tif".to_owned(), why: error.to_string() })
    }

    /// Where a point of the truth appears; none where it is gone.
    #[must_use]
    pub fn moved(&self, point: Point2) -> Option<Point2> {
        self.damaged.moved(point)
    }

    /// A layout as it appears in the damaged map; directions turn with their parts.
    pub fn carried_layout(&mut self, layout: &FiducialLayout) -> FiducialLayout {
        let mut carried = layout.clone();
        carried.parts = layout
            .parts
            .iter()
            .filter_map(|part| {
                let pose = Pose2::new(part.center.x_m, part.center.y_m, part.direction_rad);
                let moved = self.damaged.moved_pose(pose)?;
                let center = Point2::new(moved.x_m, moved.y_m);
                Some(model::FiducialPart { center, direction_rad: moved.theta_rad, ..part.clone() })
            })
            .collect();
        self.record.lost_points += layout.parts.len() - carried.parts.len();
        carried
    }

    /// A vector layer as it appears in the damaged map. A feature whose points are gone is left out, of a line or area those
    /// that are not.
    pub fn carried_layer(&mut self, layer: &VectorLayer) -> VectorLayer {
        let mut carried = layer.clone();
        carried.features.clear();
        for feature in &layer.features {
            match self.carried_shape(&feature.shape) {
                Some(shape) => carried.features.push(model::Feature { shape, ..feature.clone() }),
                None => self.record.lost_points += 1,
            }
        }
        carried
    }

    fn carried_shape(&self, shape: &Shape) -> Option<Shape> {
        let line =
            |points: &Vec<Point2>| -> Option<Vec<Point2>> { points.iter().map(|p| self.moved(*p)).collect() };
        let lines = |lines: &[Vec<Point2>]| -> Option<Vec<Vec<Point2>>> {
            let whole: Vec<Vec<Point2>> = lines.iter().filter_map(line).collect();
            (!whole.is_empty()).then_some(whole)
        };
        match shape {
            Shape::None => Some(Shape::None),
            Shape::Point(point) => self.moved(*point).map(Shape::Point),
            Shape::MultiPoint(points) => {
                let kept: Vec<Point2> = points.iter().filter_map(|point| self.moved(*point)).collect();
                (!kept.is_empty()).then_some(Shape::MultiPoint(kept))
            }
            Shape::Lines(all) => lines(all).map(Shape::Lines),
            Shape::Area(rings) => lines(rings).map(Shape::Area),
            Shape::Text { place, text } => {
                Some(Shape::Text { place: self.moved(*place)?, text: text.clone() })
            }
        }
    }

    /// A trajectory as it appears in the damaged map: position and yaw move, height, roll and pitch stay.
    pub fn carried_trajectory(&mut self, trajectory: &Trajectory) -> Trajectory {
        let mut carried = trajectory.clone();
        carried.poses = trajectory
            .poses
            .iter()
            .filter_map(|pose| {
                let moved = self.damaged.moved_pose(pose.world_from_robot.planar())?;
                let [roll, pitch, _] = pose.world_from_robot.roll_pitch_yaw();
                let position_m = [moved.x_m, moved.y_m, pose.world_from_robot.position_m[2]];
                let world_from_robot = Pose3::of_roll_pitch_yaw(position_m, [roll, pitch, moved.theta_rad]);
                Some(model::StampedPose { world_from_robot, ..*pose })
            })
            .collect();
        self.record.lost_points += trajectory.poses.len() - carried.poses.len();
        carried
    }
}

fn link_record(answer: &LinkAnswer) -> LinkRecord {
    let (kind, strength) = (answer.link.kind, answer.link.strength);
    LinkRecord {
        kind: kind.spec.name.to_owned(),
        strength,
        unit: kind.spec.unit.to_owned(),
        parameters: kind.parameters(strength),
        seed: answer.seed,
        answer: kind.spec.answer,
        pieces: answer.pieces.clone(),
        seams: answer.seams.clone(),
        doors: answer.doors.clone(),
    }
}
