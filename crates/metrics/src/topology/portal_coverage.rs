//! Portal coverage: the share of the truth's junctions and doorways that the map has as places to drive through.
//!
//! ```text
//! S = n / N,   N = portals of the truth reachable from the start, n = of those reachable on the map
//! ```
//!
//! Unit: 1. Range: 0 to 1. Better: higher.
//! Paper: rule book of the virtual rescue league 2019 to 2022 (hidden portals as the counterpart of fiducials).
//! Departure: the rule book counts portals that robots pass; for a map, one counts if the robot could drive there on it.
//! Unknown: blocks.
//! Known bias: all portals weigh the same, be they in a hall or in a closet.
//! Sees: noise, missing_wing, mirror; late: shift, rotate, bend, cut, moved_room, thick_walls, ghost_walls,
//! closed_door, resolution, scale; blind to: unseen, opened_wall, blur. Damage of docs/lab.md, five generated floors.
//! Real maps: does not separate five distorted maps of two simulated worlds from five intact ones (AUC 0.67);
//! `tolerance_f1_area` does.
//! Variants: `mapjudge portals` counts what a robot's path passes.
//! Undefined: `NO_TARGETS` if the truth has no portal that can be reached; `UNREACHABLE_START`.

use super::portals::{Portal, portals};
use crate::prelude::*;

/// Parameters of the portal coverage: none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PortalCoverage {}

impl Metric for PortalCoverage {
    const SPEC: MetricSpec =
        MetricSpec::share(Family::Topology, "portal_coverage", "P-PORTAL", "Portal coverage")
            .over_floors(Aggregate::None);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let space = case.paths()?;
        let start = space.start()?;
        let parts = space.truth.parts()?;
        let home = parts.component_at(start.on_truth);
        let mut expected = portals(&space.truth)?;
        expected.retain(|portal| parts.component_at(portal.cell) == home);
        if expected.is_empty() {
            return Err(Reason::NoTargets.into());
        }
        let (roads, map_parts) = (space.map.roads()?, space.map.parts()?);
        let home = start.on_map.and_then(|cell| map_parts.component_at(cell));
        let is_found = |portal: &&Portal| {
            let cell = space.map.snapped(roads, portal.cell);
            home.is_some() && cell.and_then(|cell| map_parts.component_at(cell)) == home
        };
        let (reached, missing): (Vec<&Portal>, Vec<&Portal>) = expected.iter().partition(is_found);
        let ids = |list: &[&Portal]| list.iter().map(|portal| portal.id.clone()).collect::<Vec<_>>();
        let found = reached.len();
        let evidence = PortalsEvidence { reached: ids(&reached), missing: ids(&missing) };
        Ok(Score::new(found as f64 / expected.len() as f64)
            .warn_if(start.on_map.is_none(), Reason::UnreachableStart)
            .with("portals", expected.len())
            .with("found", found)
            .with("reached", &evidence.reached)
            .with("missing", &evidence.missing)
            .with_evidence(MetricEvidence::Portals(evidence)))
    }

    fn samples(&self, _: &Case, score: &Score) -> Vec<Samples> {
        let Some(MetricEvidence::Portals(PortalsEvidence { reached, missing })) = &score.evidence.of_metric
        else {
            return Vec::new();
        };
        // By identifier, so that the same portal is drawn for every team.
        let mut portals: Vec<(&str, f64)> = missing.iter().map(|id| (id.as_str(), 0.0)).collect();
        portals.extend(reached.iter().map(|id| (id.as_str(), 1.0)));
        portals.sort_by_key(|(id, _)| *id);
        let unit = SampleUnit::new("portals", portals.len());
        vec![Samples::own(unit, Make::ratio(portals.into_iter().map(|(_, is_reached)| (is_reached, 1.0))))]
    }
}

/// Identifiers of the portals that can be reached on the truth, in image order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PortalsEvidence {
    /// Also on the map.
    pub reached: Vec<String>,
    pub missing: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::path_case_with;
    use crate::paths::path_inputs::PathInputs;

    #[test]
    fn a_door_that_the_map_closes_is_not_found() {
        let (closed, room, door) = ("###############", "#......#......#", "#.............#");
        let truth = [closed, room, room, room, door, room, room, room, closed];
        let map = [closed, room, room, room, room, room, room, room, closed];
        let inputs = PathInputs { robot_radius_m: 0.0, start: Some([2.5, 4.5]), ..Default::default() };
        let own = PortalCoverage {}.evaluate(&path_case_with(&truth, &truth, &inputs)).unwrap();
        assert_eq!((own.value, own.detail["portals"].as_u64()), (1.0, Some(1)));
        // The cell beside the closed door is near enough to be taken for it only if snapping allows.
        let strict = PathInputs { snap_m: Some(0.0), ..inputs };
        let score = PortalCoverage {}.evaluate(&path_case_with(&truth, &map, &strict)).unwrap();
        assert_eq!((score.value, score.detail["missing"][0].as_str()), (0.0, Some("D75_45")));
    }

    #[test]
    fn a_corridor_has_no_portal() {
        let rows = ["....."];
        let case = path_case_with(&rows, &rows, &PathInputs { robot_radius_m: 0.0, ..Default::default() });
        assert_eq!(PortalCoverage {}.evaluate(&case).unwrap_err().reasons, [Reason::NoTargets]);
    }
}
