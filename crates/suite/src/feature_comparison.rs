//! Rooms, SURF points and corners side by side: what each says about how maps fit the truth (R-FEAT, eq. 7 and 8).

use align::closed_form::PointPair;
use align::rooms::{Feature, FeatureKind, FeatureMatcher, Matching, Objective, Placing, Refusal};
use align::warp::{DEGREE_WEIGHTS, Warp, fit_warp, supported_degree};
use metrics::rooms::segmentation::RoomParams;
use metrics::rooms::warp_penalty::Optimise;
use metrics::{Family, Reason};
use model::{Finding, Grid, Similarity2};
use serde::Serialize;

use crate::judge::check_map_memory;
use crate::{JobError, Loaded, Map};

/// Schema of the JSON form.
pub const FEATURES_SCHEMA: &str = "mapjudge.features/1";

/// The degree that is common where none is asked for, if all maps have pairs enough.
const MAX_COMMON_DEGREE: usize = 2;
/// Fewer pairs are no answer: two always fit something.
const MIN_PAIRS: usize = 3;

/// What is compared.
#[derive(Clone, Debug, PartialEq)]
pub struct FeaturePlan {
    /// Kinds of features, in the order of the rows.
    pub kinds: Vec<FeatureKind>,
    /// How rooms are found.
    pub rooms: RoomParams,
    /// Weights of eq. 7, the same for all kinds.
    pub objective: Objective,
    /// How eq. 8 is optimised.
    pub optimise: Optimise,
    /// Degree of the warp; none for the highest one, up to 2, that every matching has pairs enough for.
    pub degree: Option<usize>,
}

impl Default for FeaturePlan {
    fn default() -> Self {
        Self {
            kinds: FeatureKind::ALL.to_vec(),
            rooms: RoomParams::default(),
            objective: Objective::default(),
            optimise: Optimise::default(),
            degree: None,
        }
    }
}

/// What one kind of features says about one map. What is not known is null.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct FeatureRow {
    /// The map's name.
    pub map: String,
    /// Which features.
    pub features: FeatureKind,
    /// Features of the truth.
    pub truth_features: usize,
    /// Features of the map.
    pub map_features: usize,
    /// Features that found a partner.
    pub pairs: Option<usize>,
    /// J over the number of pairs, eq. 7.
    pub mean_match_error_m2: Option<f64>,
    /// Its part by position.
    pub position_m2: Option<f64>,
    /// Its part by descriptor.
    pub descriptor_m2: Option<f64>,
    /// Neighbouring rooms of the map whose partners are no neighbours.
    pub broken_adjacencies: Option<usize>,
    /// The transform found: truth_from_map.
    pub x_m: Option<f64>,
    /// The transform found.
    pub y_m: Option<f64>,
    /// The transform found.
    pub theta_rad: Option<f64>,
    /// Two-sided wall score near the transform, 0 to 1.
    pub wall_score: Option<f64>,
    /// Penalty of the warp of the common degree.
    pub warp_penalty_m: Option<f64>,
    /// Root mean square distance of the pairs under the transform.
    pub rigid_rms_m: Option<f64>,
    /// The same after the warp.
    pub warped_rms_m: Option<f64>,
    /// Why values are missing.
    pub reasons: Vec<Reason>,
}

/// Several maps by several kinds of features.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FeatureComparison {
    /// [`FEATURES_SCHEMA`].
    pub schema: &'static str,
    /// Degree of all warps; null where no matching has pairs enough.
    pub degree: Option<usize>,
    /// One row per map and kind.
    pub rows: Vec<FeatureRow>,
    /// What the readers noticed.
    pub findings: Vec<Finding>,
}

/// Compares maps with the truth by several kinds of features. `progress` is told the maps done.
///
/// # Errors
/// Maps too large, or that need more memory than the run may take.
pub fn compare_features(
    maps: &[(String, Loaded<Map>)],
    truth: &Loaded<Map>,
    plan: &FeaturePlan,
    progress: &dyn Fn(usize),
) -> Result<FeatureComparison, JobError> {
    check_map_memory(&truth.value.grid, Family::Rooms)?;
    let plan = &plan.settled_by(&truth.value.grid);
    let truth_features = plan.features(&truth.value.grid)?;
    let mut found = Vec::new();
    for (done, (name, map)) in maps.iter().enumerate() {
        check_map_memory(&map.value.grid, Family::Rooms)?;
        found.extend(plan.placed(name, map, truth, &truth_features)?);
        progress(done + 1);
    }
    let degree = plan.common_degree(&found);
    let rows = found.into_iter().map(|placed| placed.row(plan, degree)).collect();
    let of_maps = maps.iter().flat_map(|(name, map)| map.findings_as(name));
    let findings = truth.findings_as("truth").into_iter().chain(of_maps).collect();
    Ok(FeatureComparison { schema: FEATURES_SCHEMA, degree, rows, findings })
}

/// One kind of features in both maps, and their matching or why there is none.
struct Placed {
    name: String,
    matcher: FeatureMatcher,
    truth: Vec<Feature>,
    map: Vec<Feature>,
    placing: Result<Placing, Reason>,
}

impl FeaturePlan {
    /// The plan that cuts the rooms of every map as those of this truth.
    fn settled_by(&self, truth: &Grid) -> Self {
        Self { rooms: self.matcher(FeatureKind::Rooms).settled_by(truth).rooms, ..self.clone() }
    }

    fn matcher(&self, kind: FeatureKind) -> FeatureMatcher {
        FeatureMatcher { kind, rooms: self.rooms, objective: self.objective, ..FeatureMatcher::default() }
    }

    fn features(&self, grid: &Grid) -> Result<Vec<Vec<Feature>>, JobError> {
        self.kinds.iter().map(|&kind| Ok(self.matcher(kind).features(grid)?)).collect()
    }

    /// Matchings of one map. What any kind of features found is held against the walls for all of them.
    fn placed(
        &self,
        name: &str,
        map: &Loaded<Map>,
        truth: &Loaded<Map>,
        truth_features: &[Vec<Feature>],
    ) -> Result<Vec<Placed>, JobError> {
        let grids = [&*truth.value.grid, &*map.value.grid];
        let map_features = self.features(grids[1])?;
        let kinds = || self.kinds.iter().zip(truth_features.iter().zip(&map_features));
        let cheapest = kinds().filter_map(|(&kind, (in_truth, in_map))| {
            self.matcher(kind).matchings(in_truth, in_map).first().map(|found| found.truth_from_map)
        });
        let mut hypotheses: Vec<Similarity2> = cheapest.collect();
        // Origins of files are mostly right, and cost nothing to hold against the walls.
        hypotheses.push(Similarity2::IDENTITY);
        let placed = |(&kind, (in_truth, in_map)): (&FeatureKind, (&Vec<Feature>, &Vec<Feature>))| {
            let matcher = self.matcher(kind);
            let placing = matcher.place(grids, [in_truth, in_map], &hypotheses);
            let (name, truth, map) = (name.to_owned(), in_truth.clone(), in_map.clone());
            Placed { name, matcher, truth, map, placing: usable(placing) }
        };
        Ok(kinds().map(placed).collect())
    }

    /// The degree of all warps: the one asked for, or the highest one that every matching with four pairs supports.
    fn common_degree(&self, found: &[Placed]) -> Option<usize> {
        let supported = |placed: &Placed| {
            let pairs = placed.placing.as_ref().ok()?.matching.pairs.len();
            Some(supported_degree(pairs, MAX_COMMON_DEGREE)).filter(|&degree| degree > 0)
        };
        self.degree.or_else(|| found.iter().filter_map(supported).min())
    }
}

fn usable(placing: Result<Placing, Refusal>) -> Result<Placing, Reason> {
    match placing {
        Ok(placing) if placing.matching.pairs.len() < MIN_PAIRS => Err(Reason::InsufficientPoints),
        Ok(placing) => Ok(placing),
        Err(Refusal::NoMatch) => Err(Reason::NoMatch),
        Err(Refusal::Contradicted { .. }) => Err(Reason::WallsContradict),
    }
}

impl Placed {
    fn row(self, plan: &FeaturePlan, degree: Option<usize>) -> FeatureRow {
        let row = FeatureRow {
            map: self.name.clone(),
            features: self.matcher.kind,
            truth_features: self.truth.len(),
            map_features: self.map.len(),
            ..FeatureRow::default()
        };
        let placing = match &self.placing {
            Ok(placing) => placing,
            Err(reason) => return FeatureRow { reasons: vec![*reason], ..row },
        };
        let matching = &placing.matching;
        let pairs = matching.pairs.len() as f64;
        let mean =
            |of: fn(&align::rooms::FeaturePair) -> f64| matching.pairs.iter().map(of).sum::<f64>() / pairs;
        let warp = degree.and_then(|degree| self.warp(matching, plan.optimise, degree));
        FeatureRow {
            pairs: Some(matching.pairs.len()),
            mean_match_error_m2: matching.mean_match_error_m2(),
            position_m2: Some(mean(|pair| pair.position_m2)),
            descriptor_m2: Some(mean(|pair| pair.descriptor_m2)),
            broken_adjacencies: Some(matching.broken_adjacencies),
            x_m: Some(matching.truth_from_map.x_m),
            y_m: Some(matching.truth_from_map.y_m),
            theta_rad: Some(matching.truth_from_map.theta_rad),
            wall_score: placing.wall_score,
            warp_penalty_m: warp.as_ref().map(|warp| warp.penalty_m(&DEGREE_WEIGHTS)),
            rigid_rms_m: warp.as_ref().map(|warp| warp.rigid_rms_m),
            warped_rms_m: warp.as_ref().map(|warp| warp.rms_m),
            reasons: if warp.is_none() { vec![Reason::InsufficientPoints] } else { Vec::new() },
            ..row
        }
    }

    /// The warp of this degree; none with too few pairs.
    fn warp(&self, matching: &Matching, optimise: Optimise, degree: usize) -> Option<Warp> {
        let points = matching.pairs.iter().map(|pair| PointPair {
            in_map: self.map[pair.map].place,
            in_truth: self.truth[pair.truth].place,
        });
        let points: Vec<PointPair> = points.collect();
        if supported_degree(points.len(), degree) < degree {
            return None;
        }
        match optimise {
            Optimise::InTurn => fit_warp(&points, degree),
            Optimise::Together => {
                self.matcher.warped([&self.truth, &self.map], matching, degree).map(|(_, warp)| warp)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn building(right_m: f64) -> Loaded<Map> {
        Loaded::in_memory(Map::new(testkit::seven_rooms(model::Pose2::new(right_m, 0.0, 0.0))))
    }

    #[test]
    fn every_kind_finds_a_shift_and_all_warps_have_one_degree() {
        let maps = [("moved".to_owned(), building(0.8)), ("same".to_owned(), building(0.0))];
        let found = compare_features(&maps, &building(0.0), &FeaturePlan::default(), &|_| {}).unwrap();
        assert_eq!((found.rows.len(), found.degree), (6, Some(2)));
        for row in &found.rows {
            let expected_m = if row.map == "moved" { -0.8 } else { 0.0 };
            assert!((row.x_m.unwrap() - expected_m).abs() < 0.02, "{row:?}");
            assert!(row.mean_match_error_m2.unwrap() < 1e-3 && row.warp_penalty_m.unwrap() < 0.05, "{row:?}");
            assert!(row.reasons.is_empty());
        }
    }

    #[test]
    fn too_few_rooms_are_refused_and_do_not_lower_the_degree_of_the_others() {
        let hall = Loaded::in_memory(Map::new(testkit::grid_at(
            vec![".".repeat(60); 40],
            0.1,
            model::Pose2::IDENTITY,
        )));
        let maps = [("hall".to_owned(), hall), ("same".to_owned(), building(0.0))];
        let plan = FeaturePlan { kinds: vec![FeatureKind::Rooms], ..FeaturePlan::default() };
        let found = compare_features(&maps, &building(0.0), &plan, &|_| {}).unwrap();
        assert_eq!(found.rows[0].reasons, [Reason::NoMatch]);
        assert_eq!((found.rows[0].pairs, found.degree), (None, Some(2)));
        let cubic = FeaturePlan { degree: Some(3), ..plan };
        let found = compare_features(&maps[1..], &building(0.0), &cubic, &|_| {}).unwrap();
        assert_eq!(found.rows[0].reasons, [Reason::InsufficientPoints], "seven rooms, eleven pairs needed");
        assert!(found.rows[0].mean_match_error_m2.is_some());
    }
}
