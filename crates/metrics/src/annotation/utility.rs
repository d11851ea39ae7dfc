//! Utility: can a responder get to the victims with this map?
//!
//! ```text
//! value = mean over true victims of u
//! u = 1    found, and a responder path starts within 1 m of the entry, ends within 1 m of the victim, lies to 99 % in
//!          free truth, and is at most 1.2 times as long as the shortest path
//! u = 0.5  found, no such path, but planning on the team's own map passes `path_usefulness` beside the victim
//! u = 0    else
//! ```
//!
//! Unit: 1. Range: 0 to 1. Better: higher.
//! Paper: Balaguer et al. 2009, section 4.4 (can a responder reach the object of interest with this map?), there ranked
//! by people; the arithmetic is ours.
//! Departure: all of the arithmetic. The entry is the start of the path family.
//! Unknown: cannot be driven, on the truth and on the map.
//! Known bias: a drawn path says that its author knew the route, not that the map shows it.
//! Variants: `landmarks` counts labelled groups within 2 m of the accepted paths and changes nothing.
//! Undefined: `NO_TARGETS` without a true victim; `NO_ROBOT`; `UNREACHABLE_START`.

use model::{CellClass, Point2};

use super::inputs::{AnnotationInputs, Region, ResponderPath};
use crate::contest::point_rules::normal;
use crate::contest::victims::{Victims, match_victims};
use crate::paths::path_space::{PathSpace, Target};
use crate::paths::path_usefulness::{Follow, PathUsefulness, RouteClass, routes_to};
use crate::plane_distance::{distance_m, distance_to_segment_m};
use crate::prelude::*;
use crate::topology::skeleton_quality::length_in;

/// Parameters of the utility.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Utility {
    /// A victim is found within this distance, metres. Default 1, as for `victims`.
    pub victim_radius_m: f64,
    /// How far from entry and victim a path may start and end, metres. Default 1, ours (A-UTIL).
    pub end_radius_m: f64,
    /// Min. share of a path in free truth. Default 0.99, ours (A-UTIL).
    pub free_share: f64,
    /// A path may be this many times as long as the shortest path. Default 1.2, ours (A-UTIL).
    pub longest: f64,
}

impl Default for Utility {
    fn default() -> Self {
        Self { victim_radius_m: 1.0, end_radius_m: 1.0, free_share: 0.99, longest: 1.2 }
    }
}

/// Groups this near to a path are landmarks along it, metres.
const LANDMARK_M: f64 = 2.0;
/// Points of the accepted paths at which landmarks are looked for.
const LANDMARK_LOOKS: usize = 500;

impl Metric for Utility {
    const SPEC: MetricSpec = MetricSpec::share(Family::Annotation, "utility", "A-UTIL", "Utility");

    fn applies(case: &Case) -> bool {
        case.has_paths() && case.annotations().is_ok_and(|given| given.truth.victims.is_some())
    }

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let given = case.annotations()?;
        let victims = given.truth.victims.as_deref().unwrap_or_default();
        if victims.is_empty() {
            return Err(Reason::NoTargets.into());
        }
        let space = case.paths()?;
        let targets = self.targets(space, given)?;
        let start = space.start()?;
        let routes = routes_to(space, &start, &PathUsefulness::PAPER, Follow::Lengths, targets)?;
        let reports = given.map.victims.as_deref().unwrap_or_default();
        let rules = Victims { victim_radius_m: self.victim_radius_m, ..Victims::default() };
        let matching = match_victims(reports, victims, &rules);
        let paths = given.map.responder_paths.as_deref().unwrap_or_default();
        let (mut rows, mut accepted) = (Vec::new(), Vec::new());
        for ((index, victim), route) in victims.iter().enumerate().zip(&routes) {
            let shortest_m = route.truth_steps.map(|steps| space.metres(steps));
            let is_found = matching.is_located(index);
            let path = paths.iter().find(|path| {
                may_lead_to(path, &victim.id)
                    && self.is_good(space, path, start.place, victim.place(), shortest_m)
            });
            let path = path.filter(|_| is_found);
            accepted.extend(path);
            let plans = is_found && route.class == RouteClass::Correct;
            let utility = if path.is_some() {
                1.0
            } else if plans {
                0.5
            } else {
                0.0
            };
            rows.push(VictimUtility {
                id: victim.id.clone(),
                found: is_found,
                responder_path: path.is_some(),
                own_map: route.class,
                shortest_m,
                utility,
            });
        }
        let mean = rows.iter().map(|row| row.utility).sum::<f64>() / rows.len() as f64;
        let groups = given.map.groups.as_deref().unwrap_or_default();
        Ok(Score::new(mean)
            .with("true_victims", victims.len())
            .with("responder_paths", paths.len())
            .with("landmarks", landmarks(&accepted, groups))
            .with_table("victims", rows))
    }

    fn samples(&self, _: &Case, score: &Score) -> Vec<Samples> {
        let Some(Quantity::List(utilities)) = score.evidence.value("victims.utility") else {
            return Vec::new();
        };
        let unit = SampleUnit::new("victims", utilities.len());
        vec![Samples::own(unit, Make::ratio(utilities.iter().map(|utility| (*utility, 1.0))))]
    }
}

/// A true victim in reports.
#[derive(Serialize)]
struct VictimUtility {
    id: String,
    found: bool,
    responder_path: bool,
    own_map: RouteClass,
    shortest_m: Option<f64>,
    utility: f64,
}

/// A path that names a victim leads to that one only.
fn may_lead_to(path: &ResponderPath, victim: &str) -> bool {
    path.victim.is_empty() || victim.is_empty() || normal(&path.victim) == normal(victim)
}

impl Utility {
    /// For each victim the cell beside it where the robot fits on the truth, if there is one within reach.
    fn targets(&self, space: &PathSpace, given: &AnnotationInputs) -> Result<Vec<Target>, Undefined> {
        let roads = space.truth.roads()?;
        let reach_cells = self.end_radius_m / space.truth.cell_size_m();
        let beside =
            |place: Point2| space.truth.nearest_within(roads, space.truth.cell_at(place)?, reach_cells);
        let victims = given.truth.victims.iter().flatten();
        Ok(victims.map(|victim| Target { place: victim.place(), cell: beside(victim.place()) }).collect())
    }

    fn is_good(
        &self,
        space: &PathSpace,
        path: &ResponderPath,
        entry: Point2,
        victim: Point2,
        shortest_m: Option<f64>,
    ) -> bool {
        let (Some(&first), Some(&last), Some(shortest_m)) = (path.line.first(), path.line.last(), shortest_m)
        else {
            return false;
        };
        let length_m: f64 = path.line.windows(2).map(|pair| distance_m(pair[0], pair[1])).sum();
        let free_m = length_in(&space.truth, &path.line, CellClass::Free);
        distance_m(first, entry) <= self.end_radius_m
            && distance_m(last, victim) <= self.end_radius_m
            && length_m > 0.0
            && free_m >= self.free_share * length_m * (1.0 - 1e-9)
            && length_m <= self.longest * shortest_m.max(self.end_radius_m) * (1.0 + 1e-9)
    }
}

/// Labelled groups along the paths.
fn landmarks(paths: &[&ResponderPath], groups: &[Region]) -> usize {
    let points: Vec<Point2> = paths.iter().flat_map(|path| path.line.iter().copied()).collect();
    let step = points.len().div_ceil(LANDMARK_LOOKS).max(1);
    let looks: Vec<Point2> = points.into_iter().step_by(step).collect();
    let is_near = |region: &&Region| {
        let mut edges = region.rings.iter().flat_map(|ring| ring.windows(2));
        !region.label.is_empty()
            && edges.any(|edge| {
                looks.iter().any(|look| distance_to_segment_m(*look, edge[0], edge[1]) <= LANDMARK_M)
            })
    };
    groups.iter().filter(is_near).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::annotation::inputs::{Annotations, Victim};
    use crate::drawing::{nearly, path_case_with};
    use crate::paths::path_inputs::PathInputs;

    /// Two rooms of 1 m cells; the path from (1, 1) to (7, 1) through the door is 6 m.
    const ROOMS: [&str; 5] = ["#########", "#...#...#", "#...#...#", "#.......#", "#########"];
    const WALLED: [&str; 5] = ["#########", "#...#...#", "#...#...#", "#...#...#", "#########"];

    fn victim(id: &str, x: f64, y: f64) -> Victim {
        Victim { id: id.to_owned(), position_m: [x, y, 0.0], ..Default::default() }
    }

    fn path(points: &[(f64, f64)]) -> ResponderPath {
        ResponderPath {
            victim: String::new(),
            line: points.iter().map(|&(x, y)| Point2::new(x, y)).collect(),
        }
    }

    fn score(map: &[&str], reports: Vec<Victim>, paths: Vec<ResponderPath>) -> Score {
        let inputs = PathInputs { robot_radius_m: 0.0, start: Some([1.5, 1.5]), ..Default::default() };
        let truth = Annotations {
            victims: Some(vec![victim("near", 7.5, 1.5), victim("far", 7.5, 3.5)]),
            ..Default::default()
        };
        let map_layers =
            Annotations { victims: Some(reports), responder_paths: Some(paths), ..Default::default() };
        let case = path_case_with(&ROOMS, map, &inputs)
            .with_annotations(AnnotationInputs { map: map_layers, truth });
        Metric::evaluate(&Utility::default(), &case).unwrap()
    }

    #[test]
    fn a_good_path_is_worth_all_a_usable_map_half_and_a_missed_victim_nothing() {
        let reports = vec![victim("near", 7.5, 1.5)];
        let straight = path(&[(1.5, 1.5), (7.5, 1.5)]);
        nearly(score(&ROOMS, reports.clone(), vec![straight.clone()]).value, 0.5, 1e-12);
        nearly(score(&ROOMS, reports.clone(), Vec::new()).value, 0.25, 1e-12);
        nearly(score(&WALLED, reports, vec![straight.clone()]).value, 0.5, 1e-12);
        assert_eq!(score(&ROOMS, Vec::new(), vec![straight]).value, 0.0, "nobody was found");
    }

    #[test]
    fn a_path_through_a_wall_or_far_too_long_or_to_elsewhere_is_none() {
        let reports = vec![victim("far", 7.5, 3.5)];
        let value = |line: &[(f64, f64)]| score(&WALLED, reports.clone(), vec![path(line)]).value;
        assert_eq!(value(&[(1.5, 1.5), (7.5, 3.5)]), 0.0, "through the wall");
        assert_eq!(
            value(&[(1.5, 1.5), (1.5, 3.5), (3.5, 3.5), (3.5, 1.5), (7.5, 1.5), (7.5, 3.5)]),
            0.0,
            "too long"
        );
        assert_eq!(value(&[(1.5, 1.5), (5.5, 1.5)]), 0.0, "ends too early");
        nearly(value(&[(1.5, 1.5), (5.5, 1.5), (7.5, 3.5)]), 0.5, 1e-12);
    }

    #[test]
    fn a_path_for_another_victim_does_not_count() {
        let named = ResponderPath { victim: "other".to_owned(), ..path(&[(1.5, 1.5), (7.5, 1.5)]) };
        assert_eq!(score(&WALLED, vec![victim("near", 7.5, 1.5)], vec![named]).value, 0.0);
    }
}
