//! Utility: can a responder get to the victims with this map?
//!
//! ```text
//! value = Σ w_k u_k / Σ w_k           default: reach alone
//! u_reach     = mean over true victims of u
//!   u = 1    found, and a responder path starts within 1 m of the entry, ends within 1 m of the victim, lies to 99 % in
//!            free truth, and is at most 1.2 times as long as the shortest path
//!   u = 0.5  found, no such path, but planning on the team's own map passes `path_usefulness` beside the victim
//!   u = 0    else
//! u_hazards   = share of true hazards with one of the team's of equal label within 1 m
//! u_landmarks = share of true victims whose accepted path passes within 2 m of something that the team labelled
//! u_snapshots = share of true victims that were found and photographed within 2 m
//! ```
//!
//! Unit: 1. Range: 0 to 1. Better: higher.
//! Paper: Balaguer et al. 2009, sections 3.2 and 4.4 (does the map tell a responder where victims and hazards are, and
//! how to reach the object of interest?), there ranked by people; the arithmetic is ours.
//! Departure: all of the arithmetic. The entry is the start of the path family. A shortest path below 1 m counts as 1
//! m long, since paths may start and end that far off.
//! Unknown: cannot be driven, on the truth and on the map.
//! Known bias: a drawn path says that its author knew the route, not that the map shows it.
//! Variants: `weights` of what else tells a responder something; `robot_paths = followed` takes the stretch of a
//! robot's path from the entry to the victim as a path for responders, under the same conditions. `landmarks` counts
//! labelled groups within 2 m of the accepted paths.
//! Undefined: `NO_TARGETS` without a true victim; `NO_REFERENCE` if nothing with a weight can be judged; `NO_ROBOT`;
//! `UNREACHABLE_START`.

use std::collections::BTreeMap;

use model::{CellClass, Point2};

use super::attribution::found_share;
use super::inputs::{AnnotationInputs, Annotations, Region, ResponderPath};
use super::robot_stretch::stretch_between;
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
    /// What tells a responder something, with its weight. Default: `reach` 1 alone (A-UTIL).
    pub weights: BTreeMap<Aid, f64>,
    /// Whether a robot's path may guide a responder. Default `ignored`.
    pub robot_paths: RobotPaths,
}

/// What of a map tells a responder something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Aid {
    /// Where hazards are.
    Hazards,
    /// Labels and labelled groups along the path to a victim.
    Landmarks,
    /// How to reach the victims.
    Reach,
    /// Photographs of the victims' places.
    Snapshots,
}

/// Whether a robot's path may guide a responder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RobotPaths {
    /// Only paths drawn for responders do.
    #[default]
    Ignored,
    /// Its stretch from the entry to the victim does.
    Followed,
}

impl Default for Utility {
    fn default() -> Self {
        Self {
            victim_radius_m: 1.0,
            end_radius_m: 1.0,
            free_share: 0.99,
            longest: 1.2,
            weights: BTreeMap::from([(Aid::Reach, 1.0)]),
            robot_paths: RobotPaths::Ignored,
        }
    }
}

/// Labels and groups this near to a path are landmarks along it, metres; photographs this near show a victim.
const LANDMARK_M: f64 = 2.0;
/// Points of the accepted paths at which landmarks are looked for.
const LANDMARK_LOOKS: usize = 500;
/// A hazard is found within this distance, metres, as for `attribution`.
const HAZARD_RADIUS_M: f64 = 1.0;

impl Metric for Utility {
    const SPEC: MetricSpec =
        MetricSpec::share(Family::Annotation, "utility", "A-UTIL", "Utility").over_floors(Aggregate::None);

    fn applies(case: &Case) -> bool {
        case.has_paths() && case.annotations().is_ok_and(|given| given.truth.victims.is_some())
    }

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let given = case.annotations()?;
        let space = case.paths()?;
        let (rows, accepted) = self.reached(space, given)?;
        let parts: BTreeMap<Aid, f64> =
            self.weights.keys().filter_map(|&aid| Some((aid, share_of(aid, &rows, given)?))).collect();
        let weight: f64 = parts.keys().map(|aid| self.weights[aid]).sum();
        if !(weight.is_finite() && weight > 0.0) {
            return Err(Reason::NoReference.into());
        }
        let sum: f64 = parts.iter().map(|(aid, share)| self.weights[aid] * share).sum();
        let groups = given.map.groups.as_deref().unwrap_or_default();
        Ok(Score::new(sum / weight)
            .with("aids", &parts)
            .with("true_victims", rows.len())
            .with("responder_paths", given.map.responder_paths.as_deref().unwrap_or_default().len())
            .with("landmarks", landmarks(&accepted, groups))
            .with_table("victims", rows))
    }

    fn samples(&self, _: &Case, score: &Score) -> Vec<Samples> {
        // Hazards are no victims: only shares over the true victims are resampled with them.
        let is_of_victims = self.weights.keys().all(|aid| *aid == Aid::Reach);
        let Some(Quantity::List(utilities)) =
            score.evidence.value("victims.utility").filter(|_| is_of_victims)
        else {
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
    landmark: bool,
    snapshot: bool,
    utility: f64,
}

/// How well the map serves in one respect; none if the truth says nothing to judge it by.
fn share_of(aid: Aid, rows: &[VictimUtility], given: &AnnotationInputs) -> Option<f64> {
    let mean = |of: fn(&VictimUtility) -> f64| rows.iter().map(of).sum::<f64>() / rows.len() as f64;
    match aid {
        Aid::Reach => Some(mean(|row| row.utility)),
        Aid::Landmarks => Some(mean(|row| f64::from(u8::from(row.landmark)))),
        Aid::Snapshots => Some(mean(|row| f64::from(u8::from(row.snapshot)))),
        Aid::Hazards => {
            found_share(given.truth.hazards.as_deref(), given.map.hazards.as_deref(), HAZARD_RADIUS_M)
        }
    }
}

/// A path that names a victim leads to that one only.
fn may_lead_to(path: &ResponderPath, victim: &str) -> bool {
    path.victim.is_empty() || victim.is_empty() || normal(&path.victim) == normal(victim)
}

impl Utility {
    /// Each true victim with what the map says about reaching it, and the accepted paths.
    fn reached(
        &self,
        space: &PathSpace,
        given: &AnnotationInputs,
    ) -> Result<(Vec<VictimUtility>, Vec<ResponderPath>), Undefined> {
        let victims = given.truth.victims.as_deref().unwrap_or_default();
        if victims.is_empty() {
            return Err(Reason::NoTargets.into());
        }
        let targets = self.targets(space, given)?;
        let start = space.start()?;
        let routes = routes_to(space, &start, &PathUsefulness::PAPER, Follow::Lengths, targets)?;
        let reports = given.map.victims.as_deref().unwrap_or_default();
        let rules = Victims { victim_radius_m: self.victim_radius_m, ..Victims::default() };
        let matching = match_victims(reports, victims, &rules);
        let (mut rows, mut accepted) = (Vec::new(), Vec::new());
        for ((index, victim), route) in victims.iter().enumerate().zip(&routes) {
            let shortest_m = route.truth_steps.map(|steps| space.metres(steps));
            let found = matching.is_located(index);
            let ends = [start.place, victim.place()];
            let path = self
                .guides(&given.map, ends)
                .find(|path| may_lead_to(path, &victim.id) && self.is_good(space, path, ends, shortest_m))
                .filter(|_| found);
            let utility = match (&path, route.class) {
                (Some(_), _) => 1.0,
                (None, RouteClass::Correct) if found => 0.5,
                _ => 0.0,
            };
            rows.push(VictimUtility {
                id: victim.id.clone(),
                found,
                responder_path: path.is_some(),
                own_map: route.class,
                shortest_m,
                landmark: path.as_ref().is_some_and(|path| has_landmark(path, &given.map)),
                snapshot: found && is_photographed(victim.place(), &given.map),
                utility,
            });
            accepted.extend(path);
        }
        Ok((rows, accepted))
    }

    /// What may lead a responder from the entry to a victim.
    fn guides<'a>(
        &'a self,
        map: &'a Annotations,
        ends: [Point2; 2],
    ) -> impl Iterator<Item = ResponderPath> + 'a {
        let robots = map.robot_paths.iter().flatten().filter(|_| self.robot_paths == RobotPaths::Followed);
        let stretch = move |line: &Vec<Point2>| {
            let line = stretch_between(line, ends, self.end_radius_m)?;
            Some(ResponderPath { victim: String::new(), line })
        };
        map.responder_paths.iter().flatten().cloned().chain(robots.filter_map(stretch))
    }

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
        [entry, victim]: [Point2; 2],
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

/// Points of the paths at which landmarks are looked for.
fn looks<'a>(paths: impl Iterator<Item = &'a ResponderPath>) -> Vec<Point2> {
    let points: Vec<Point2> = paths.flat_map(|path| path.line.iter().copied()).collect();
    let step = points.len().div_ceil(LANDMARK_LOOKS).max(1);
    points.into_iter().step_by(step).collect()
}

fn is_landmark(region: &Region, looks: &[Point2]) -> bool {
    let mut edges = region.rings.iter().flat_map(|ring| ring.windows(2));
    !region.label.is_empty()
        && edges
            .any(|edge| looks.iter().any(|look| distance_to_segment_m(*look, edge[0], edge[1]) <= LANDMARK_M))
}

/// Labelled groups along the paths.
fn landmarks(paths: &[ResponderPath], groups: &[Region]) -> usize {
    let looks = looks(paths.iter());
    groups.iter().filter(|region| is_landmark(region, &looks)).count()
}

/// Whether a label or a labelled group lies along the path.
fn has_landmark(path: &ResponderPath, map: &Annotations) -> bool {
    let looks = looks(std::iter::once(path));
    let is_near =
        |at: Point2| path.line.windows(2).any(|p| distance_to_segment_m(at, p[0], p[1]) <= LANDMARK_M);
    map.labels.iter().flatten().any(|place| !place.label.is_empty() && is_near(place.at))
        || map.groups.iter().flatten().any(|region| is_landmark(region, &looks))
}

fn is_photographed(victim: Point2, map: &Annotations) -> bool {
    let is_of = |at: Point2| distance_m(at, victim) <= LANDMARK_M;
    map.snapshots.iter().flatten().any(|snapshot| snapshot.exists && is_of(snapshot.at))
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

    #[test]
    fn what_else_tells_a_responder_something_counts_by_its_weight() {
        use crate::annotation::inputs::{LabelledPlace, Snapshot};
        let labelled = |label: &str, x, y| LabelledPlace { label: label.to_owned(), at: Point2::new(x, y) };
        let truth = Annotations {
            victims: Some(vec![victim("near", 7.5, 1.5)]),
            hazards: Some(vec![labelled("fire", 2.5, 3.5), labelled("gas", 6.5, 3.5)]),
            ..Default::default()
        };
        // The robot wandered off before it drove straight from the entry to the victim, and went on.
        let drive = [(3.5, 3.5), (1.5, 3.5), (1.5, 1.5), (7.5, 1.5), (7.5, 3.5)];
        let map = Annotations {
            victims: Some(vec![victim("near", 7.5, 1.5)]),
            robot_paths: Some(vec![drive.iter().map(|&(x, y)| Point2::new(x, y)).collect()]),
            hazards: Some(vec![labelled("fire", 2.5, 3.0)]),
            labels: Some(vec![labelled("door", 4.5, 2.5)]),
            snapshots: Some(vec![Snapshot { at: Point2::new(6.5, 1.5), uri: "a".to_owned(), exists: false }]),
            ..Default::default()
        };
        let inputs = PathInputs { robot_radius_m: 0.0, start: Some([1.5, 1.5]), ..Default::default() };
        let case = path_case_with(&ROOMS, &ROOMS, &inputs).with_annotations(AnnotationInputs { map, truth });
        let every = [Aid::Reach, Aid::Hazards, Aid::Landmarks, Aid::Snapshots];
        let metric = Utility {
            weights: every.into_iter().map(|aid| (aid, 1.0)).collect(),
            robot_paths: RobotPaths::Followed,
            ..Default::default()
        };
        let found = Metric::evaluate(&metric, &case).unwrap();
        let share = |name: &str| found.detail["aids"][name].as_f64().unwrap();
        assert_eq!(
            [share("reach"), share("hazards"), share("landmarks"), share("snapshots")],
            [1.0, 0.5, 1.0, 0.0]
        );
        nearly(found.value, 2.5 / 4.0, 1e-12);
        let without = Utility { robot_paths: RobotPaths::Ignored, ..metric };
        nearly(Metric::evaluate(&without, &case).unwrap().value, 1.0 / 4.0, 1e-12);
        let nothing = Utility { weights: BTreeMap::new(), ..without };
        assert_eq!(Metric::evaluate(&nothing, &case).unwrap_err().reasons, [Reason::NoReference]);
    }
}
