//! Stairs, ramps and lifts between floors: whether the maps reach both ends, and whether the maps of two floors lie in
//! one frame.

use metrics::{Better, Detail, Evidence, Reason, Unit};
use model::{CellClass, Point2};
use report::{MetricRecord, Status, Transform};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::Building;
use crate::judge::Judged;

/// An end of a connector is reached where the map has a free cell this near, metres (X-FLOORS).
const MAX_END_M: f64 = 1.0;

/// What leads from one floor to another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Connector {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: ConnectorKind,
    /// One end.
    pub from: ConnectorEnd,
    /// The other end, on another floor.
    pub to: ConnectorEnd,
    /// Distance travelled from end to end, metres.
    pub length_m: f64,
}

/// What a connector is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ConnectorKind {
    /// Steps.
    Stairs,
    /// A slope.
    Ramp,
    /// A cabin.
    Lift,
}

/// An end of a connector.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConnectorEnd {
    /// Name of the floor.
    pub floor: String,
    /// Place in the coordinate frame of the floor's truth, metres.
    pub at_m: [f64; 2],
}

/// Share of the connectors both of whose ends the maps of the right floors reach.
pub(super) fn connector_coverage(
    building: &Building,
    judged: &[Judged],
    present: &[bool],
    counted: &str,
) -> MetricRecord {
    let is_reached = |end: &ConnectorEnd| {
        let floor = building.floors.iter().position(|floor| floor.name == end.floor);
        let is_there = floor.is_some_and(|floor| present.get(floor) == Some(&true));
        is_there
            && floor.and_then(|floor| judged.get(floor)).is_some_and(|judged| is_free_near(judged, end.at_m))
    };
    let missed: Vec<&str> = building
        .connectors
        .iter()
        .filter(|connector| !(is_reached(&connector.from) && is_reached(&connector.to)))
        .map(|connector| connector.name.as_str())
        .collect();
    let all = building.connectors.len();
    let value = (all > 0).then(|| (all - missed.len()) as f64 / all as f64);
    let mut record = record("connector_coverage", "Coverage of connectors", Unit::Ratio, value, counted);
    (record.better, record.best, record.worst) = (Better::Higher, Some(1.0), Some(0.0));
    record.detail.insert("connectors".to_owned(), json!(all));
    record.detail.insert("missed".to_owned(), json!(missed));
    record
}

/// Whether the map of a floor has a free cell near a place of the truth.
fn is_free_near(judged: &Judged, [x_m, y_m]: [f64; 2]) -> bool {
    let Ok(grids) = judged.case.grids() else { return false };
    let geometry = grids.map.geometry();
    let place = Point2 { x_m, y_m };
    let is_near = |index: usize| {
        let centre = geometry.center_of(geometry.cell_of(index));
        (centre.x_m - place.x_m).hypot(centre.y_m - place.y_m) <= MAX_END_M
    };
    let mut free = grids.map.classes().iter().enumerate().filter(|(_, class)| **class == CellClass::Free);
    free.any(|(index, _)| is_near(index))
}

/// How far the frames of two floors disagree at their connectors: where the transform of one floor puts the end of the
/// other, against where it is. Metres, with the rotation between the transforms beside it.
pub(super) fn connector_consistency(
    building: &Building,
    judged: &[Judged],
    present: &[bool],
    counted: &str,
) -> MetricRecord {
    let transform = |name: &str| -> Option<Transform> {
        let floor = building.floors.iter().position(|floor| floor.name == name)?;
        present.get(floor).filter(|present| **present)?;
        judged.get(floor)?.report.alignment.as_ref()?.truth_from_map
    };
    let mut each = Vec::new();
    for connector in &building.connectors {
        let ends = transform(&connector.from.floor).zip(transform(&connector.to.floor));
        if let Some((from, to)) = ends {
            let [x_m, y_m] = connector.to.at_m;
            let [found_x_m, found_y_m] = applied(from, unapplied(to, [x_m, y_m]));
            let distance_m = (found_x_m - x_m).hypot(found_y_m - y_m);
            let turn_rad = from.theta_rad - to.theta_rad;
            let rotation_deg = turn_rad.sin().atan2(turn_rad.cos()).to_degrees().abs();
            each.push((connector.name.as_str(), distance_m, rotation_deg));
        }
    }
    let mean =
        |values: Vec<f64>| (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64);
    let value = mean(each.iter().map(|(_, distance_m, _)| *distance_m).collect());
    let mut record =
        record("connector_consistency", "Consistency at connectors", Unit::Metres, value, counted);
    (record.better, record.best) = (Better::Lower, Some(0.0));
    record
        .detail
        .insert("rotation_deg".to_owned(), json!(mean(each.iter().map(|(_, _, deg)| *deg).collect())));
    let rows = each.iter().map(|(name, distance_m, rotation_deg)| {
        json!({ "connector": name, "distance_m": distance_m, "rotation_deg": rotation_deg })
    });
    record.detail.insert("connectors".to_owned(), rows.collect());
    record
}

fn applied(truth_from_map: Transform, [x, y]: [f64; 2]) -> [f64; 2] {
    let Transform { x_m, y_m, theta_rad, scale } = truth_from_map;
    let (sin, cos) = theta_rad.sin_cos();
    [x_m + scale * (cos * x - sin * y), y_m + scale * (sin * x + cos * y)]
}

fn unapplied(truth_from_map: Transform, [x, y]: [f64; 2]) -> [f64; 2] {
    let Transform { x_m, y_m, theta_rad, scale } = truth_from_map;
    let (sin, cos) = theta_rad.sin_cos();
    let (x, y) = ((x - x_m) / scale, (y - y_m) / scale);
    [cos * x + sin * y, cos * y - sin * x]
}

fn record(id: &str, title: &str, unit: Unit, value: Option<f64>, counted: &str) -> MetricRecord {
    let mut detail = Detail::new();
    detail.insert("floors".to_owned(), json!(counted));
    MetricRecord {
        id: id.to_owned(),
        code: "X-FLOORS".to_owned(),
        title: title.to_owned(),
        value,
        unit,
        better: Better::Higher,
        best: None,
        worst: None,
        status: if value.is_some() { Status::Ok } else { Status::Undefined },
        reasons: if value.is_some() { Vec::new() } else { vec![Reason::NoReference] },
        judged_share: None,
        params: Detail::new(),
        detail,
        evidence: Evidence::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transform_is_undone() {
        let transform = Transform { x_m: 1.0, y_m: -2.0, theta_rad: 0.7, scale: 2.0 };
        let [x, y] = applied(transform, unapplied(transform, [3.0, 4.0]));
        assert!((x - 3.0).abs() < 1e-12 && (y - 4.0).abs() < 1e-12);
    }
}
