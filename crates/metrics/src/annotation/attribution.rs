//! Attribution: how right what is written on the map is, attribute by attribute.
//!
//! ```text
//! value = Σ w_k a_k / Σ w_k                        absent but required: a_k = 0
//! a_cleared, a_explored = correct / reported area            a_victims = F1 of the one-to-one match
//! a_robot_path = share of its length in free truth           a_snapshots = share at a free place whose file exists
//! a_labels, a_hazards = share of true objects with one of the team's of equal label within 1 m
//! ```
//!
//! Unit: 1. Range: 0 to 1. Better: higher.
//! Paper: Balaguer et al. 2009, sections 3.2 and 4.3: explored area, cleared area and victims are mandatory; robot
//! paths, hazards, labels and snapshots are extra. There ranked by people; the arithmetic is ours.
//! Departure: all of the arithmetic. Objects are matched one to one. Labels, hazards and victims of which the truth
//! has none are left out and listed as `not_judged`; areas, paths and snapshots that the map lacks count 0.
//! Unknown: claims where the truth is unknown are wrong claims; a path there is not in free truth.
//! Known bias: a team that claims little and rightly has full marks; `explored_area` says how little.
//! Variants: `weights` names the attributes that a contest asks for.
//! Undefined: `NO_REFERENCE` without annotations of the truth, or if nothing asked for can be judged.

use std::collections::BTreeMap;

use model::{CellClass, Point2};
use raster::line_cells::crossed_cells;

use super::inputs::{AnnotationInputs, LabelledPlace};
use crate::contest::areas::{Area, Sight, area_cells};
use crate::contest::point_rules::normal;
use crate::contest::victims::{Victims, match_victims};
use crate::fiducials::assignment::{AssignmentObjective, assign};
use crate::plane_distance::distance_m;
use crate::prelude::*;

/// Parameters of the attribution.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Attribution {
    /// Attributes that the contest asks for, with their weights. Default: cleared, explored and victims, 1 each (the
    /// paper's mandatory ones).
    pub weights: BTreeMap<AttributeName, f64>,
    /// A victim is found within this distance, metres. Default 1, as for `victims`.
    pub victim_radius_m: f64,
    /// A label or hazard is found within this distance, metres. Default 1, ours (A-ATTR).
    pub label_radius_m: f64,
    /// How far the robot sees, metres. Default 4, as for `explored_area`.
    pub sensor_range_m: f64,
}

/// What may be written on a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AttributeName {
    /// Area promised to hold no undetected victim.
    Cleared,
    /// Area known to be traversable.
    Explored,
    /// Hazards.
    Hazards,
    /// Labels.
    Labels,
    /// Where the robots drove.
    RobotPath,
    /// Photographs.
    Snapshots,
    /// Victims.
    Victims,
}

impl Default for Attribution {
    fn default() -> Self {
        let mandatory = [AttributeName::Cleared, AttributeName::Explored, AttributeName::Victims];
        Self {
            weights: mandatory.into_iter().map(|name| (name, 1.0)).collect(),
            victim_radius_m: 1.0,
            label_radius_m: 1.0,
            sensor_range_m: 4.0,
        }
    }
}

impl Metric for Attribution {
    const SPEC: MetricSpec = MetricSpec::share(Family::Annotation, "attribution", "A-ATTR", "Attribution")
        .over_floors(Aggregate::None);

    fn applies(case: &Case) -> bool {
        case.has_maps() && case.annotations().is_ok_and(|given| !given.truth.is_empty())
    }

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let given = case.annotations()?;
        case.grids()?;
        let mut judged: BTreeMap<AttributeName, f64> = BTreeMap::new();
        let mut unjudged: Vec<AttributeName> = Vec::new();
        for &name in self.weights.keys() {
            match self.share(name, case, given)? {
                Some(share) => _ = judged.insert(name, share),
                None => unjudged.push(name),
            }
        }
        let weight: f64 = judged.keys().map(|name| self.weights[name]).sum();
        if !(weight.is_finite() && weight > 0.0) {
            return Err(Reason::NoReference.into());
        }
        let sum: f64 = judged.iter().map(|(name, share)| self.weights[name] * share).sum();
        Ok(Score::new(sum / weight).with("attributes", &judged).with("not_judged", unjudged))
    }
}

impl Attribution {
    /// How right an attribute is; none if the truth says nothing to judge it by.
    fn share(
        &self,
        name: AttributeName,
        case: &Case,
        given: &AnnotationInputs,
    ) -> Result<Option<f64>, Undefined> {
        Ok(match name {
            AttributeName::Cleared => Some(self.area_share(case, Area::Cleared)?),
            AttributeName::Explored => Some(self.area_share(case, Area::Explored)?),
            AttributeName::Victims => given.truth.victims.as_deref().and_then(|victims| {
                let reports = given.map.victims.as_deref().unwrap_or_default();
                let rules = Victims { victim_radius_m: self.victim_radius_m, ..Victims::default() };
                match_victims(reports, victims, &rules).f1(victims.len(), reports.len())
            }),
            AttributeName::Hazards => {
                let team = given.map.hazards.as_deref();
                found_share(given.truth.hazards.as_deref(), team, self.label_radius_m)
            }
            AttributeName::Labels => {
                let team = given.map.labels.as_deref();
                found_share(given.truth.labels.as_deref(), team, self.label_radius_m)
            }
            AttributeName::RobotPath => {
                Some(path_share(case, given.map.robot_paths.as_deref().unwrap_or_default())?)
            }
            AttributeName::Snapshots => {
                let snapshots = given.map.snapshots.as_deref().unwrap_or_default();
                let grids = case.grids()?;
                let is_free = |at: Point2| {
                    let cell = grids.geometry().cell_at(at);
                    cell.is_some_and(|c| {
                        grids.truth.classes()[grids.geometry().index_of(c)] == CellClass::Free
                    })
                };
                let right = snapshots.iter().filter(|s| s.exists && is_free(s.at)).count();
                Some(if snapshots.is_empty() { 0.0 } else { right as f64 / snapshots.len() as f64 })
            }
        })
    }

    /// Correct part of a claimed area; 0 if nothing is claimed.
    fn area_share(&self, case: &Case, area: Area) -> Result<f64, Undefined> {
        if case.grids()?.map.navigation().is_none() {
            return Ok(0.0);
        }
        let sight = Sight { sensor_range_m: self.sensor_range_m, ..Sight::default() };
        let cells = area_cells(case, area, sight)?;
        Ok(if cells.reported() == 0 { 0.0 } else { cells.correct as f64 / cells.reported() as f64 })
    }
}

/// Share of the true objects that the team has, with the same label, within the radius; none if there are none.
pub(crate) fn found_share(
    truth: Option<&[LabelledPlace]>,
    team: Option<&[LabelledPlace]>,
    radius_m: f64,
) -> Option<f64> {
    let truth = truth.filter(|truth| !truth.is_empty())?;
    let team = team.unwrap_or_default();
    let mut by_label: BTreeMap<String, (Vec<Point2>, Vec<Point2>)> = BTreeMap::new();
    truth.iter().for_each(|place| by_label.entry(normal(&place.label)).or_default().0.push(place.at));
    for place in team {
        if let Some((_, found)) = by_label.get_mut(&normal(&place.label)) {
            found.push(place.at);
        }
    }
    let found: usize = by_label.values().map(|(truth, team)| pairs_within(truth, team, radius_m)).sum();
    Some(found as f64 / truth.len() as f64)
}

fn pairs_within(truth: &[Point2], team: &[Point2], radius_m: f64) -> usize {
    let is_near = |b: &&Point2| truth.iter().any(|a| distance_m(*a, **b) <= radius_m);
    let near: Vec<&Point2> = team.iter().filter(is_near).collect();
    let table: Vec<Vec<f64>> =
        truth.iter().map(|a| near.iter().map(|b| distance_m(*a, **b)).collect()).collect();
    let assigned = assign(&table, radius_m, AssignmentObjective::Coverage);
    assigned.iter().flatten().count()
}

/// Share of the length of the paths that lies in free truth; 0 without a path.
pub(crate) fn path_share(case: &Case, paths: &[Vec<Point2>]) -> Result<f64, Undefined> {
    let grids = case.grids()?;
    let geometry = grids.geometry();
    let (mut free, mut all) = (0.0, 0.0);
    for pair in paths.iter().flat_map(|path| path.windows(2)) {
        let [from, to] = [pair[0], pair[1]].map(|point| geometry.grid_point_of_world(point));
        all += (to.0 - from.0).hypot(to.1 - from.1);
        crossed_cells(from, to, |(i, j), length| {
            let cell = usize::try_from(i).ok().zip(usize::try_from(j).ok());
            let cell = cell.filter(|&(i, j)| i < geometry.width() && j < geometry.height());
            let class = cell.map(|(i, j)| grids.truth.classes()[geometry.index_of(model::Cell { i, j })]);
            if class == Some(CellClass::Free) {
                free += length;
            }
        });
    }
    Ok(if all > 0.0 && all.is_finite() { (free / all).clamp(0.0, 1.0) } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use testkit::PLUS;

    use super::*;
    use crate::annotation::inputs::{Annotations, Snapshot, Victim};
    use crate::drawing::{case, nearly};

    /// (row, column) of the drawing.
    fn place((row, column): (usize, usize)) -> Point2 {
        Point2::new(column as f64 + 0.5, 8.5 - row as f64)
    }

    #[test]
    fn spec_04_e7_share_of_a_path_in_free_truth() {
        let case = case(&PLUS, &PLUS);
        let share = |path: &[(usize, usize)]| {
            path_share(&case, &[path.iter().map(|&at| place(at)).collect()]).unwrap()
        };
        nearly(share(&[(4, 1), (4, 7)]), 1.0, 1e-12);
        nearly(share(&[(4, 4), (1, 4), (1, 6)]), 0.7, 1e-12);
        assert_eq!(share(&[(4, 4)]), 0.0, "a point has no length");
    }

    fn score(weights: &[AttributeName], map: Annotations, truth: Annotations) -> Result<Score, Undefined> {
        let metric = Attribution {
            weights: weights.iter().map(|&name| (name, 1.0)).collect(),
            ..Attribution::default()
        };
        Metric::evaluate(&metric, &case(&PLUS, &PLUS).with_annotations(AnnotationInputs { map, truth }))
    }

    fn labelled(label: &str, at: (usize, usize)) -> LabelledPlace {
        LabelledPlace { label: label.to_owned(), at: place(at) }
    }

    #[test]
    fn each_attribute_is_judged_and_an_absent_one_counts_nothing() {
        let truth = Annotations {
            victims: Some(vec![Victim { position_m: [4.5, 1.5, 0.0], ..Default::default() }]),
            hazards: Some(vec![labelled("fire", (4, 1)), labelled("fire", (4, 7))]),
            ..Default::default()
        };
        let map = Annotations {
            victims: Some(vec![
                Victim { position_m: [4.5, 1.7, 0.0], ..Default::default() },
                Victim { position_m: [1.5, 4.5, 0.0], ..Default::default() },
            ]),
            hazards: Some(vec![labelled("Fire", (4, 2)), labelled("gas", (4, 7))]),
            snapshots: Some(vec![
                Snapshot { at: place((4, 4)), uri: "a".to_owned(), exists: true },
                Snapshot { at: place((0, 0)), uri: "b".to_owned(), exists: true },
                Snapshot { at: place((4, 4)), uri: "c".to_owned(), exists: false },
            ]),
            ..Default::default()
        };
        let all = [
            AttributeName::Victims,
            AttributeName::Hazards,
            AttributeName::Snapshots,
            AttributeName::Cleared,
        ];
        let found = score(&all, map.clone(), truth.clone()).unwrap();
        let share = |name: &str| found.detail["attributes"][name].as_f64().unwrap();
        nearly(share("victims"), 2.0 / 3.0, 1e-12);
        nearly(share("hazards"), 0.5, 1e-12);
        nearly(share("snapshots"), 1.0 / 3.0, 1e-12);
        assert_eq!(share("cleared"), 0.0, "required, and the map has no navigation layer");
        nearly(found.value, 1.5 / 4.0, 1e-12);
        let labels = score(&[AttributeName::Labels, AttributeName::Hazards], map, truth).unwrap();
        assert_eq!(labels.detail["not_judged"][0], "labels", "nobody knows the true labels");
        nearly(labels.value, 0.5, 1e-12);
    }

    #[test]
    fn nothing_to_judge_by_is_undefined() {
        let undefined = score(&[AttributeName::Victims], Annotations::default(), Annotations::default());
        assert_eq!(undefined.unwrap_err().reasons, [Reason::NoReference]);
        assert!(Metric::evaluate(&Attribution::default(), &case(&PLUS, &PLUS)).is_err());
    }
}
