//! Submissions of several floors (X-FLOORS): maps are assigned to floors, each floor is judged as any map, and values of
//! all floors are put together where their metric says how.

mod aggregate;
mod assign;
mod connectors;

use metrics::paths::linked_floors::{FloorLink, LinkEnd};
use metrics::{Detail, Family};
use model::{CellClass, Finding, Grid, Point2};
use report::{CaseReport, Input};
use serde_json::json;

pub use connectors::{Connector, ConnectorEnd, ConnectorKind};

use crate::judge::{Judged, judge_case};
use crate::{AlignBy, Figures, JobError, Loaded, Map, Plan, Resampling, Subject, Truth};
use aggregate::whole;
use assign::{Assignment, assign};

/// More floors are refused: every assignment is looked at.
pub const MAX_FLOORS: usize = 8;
/// An assignment must be better than every other by this much; the scores are from 0 to 1 for each map. Ours.
const MIN_GAP: f64 = 0.10;
/// What says how well a map fits a floor.
const FIT: &str = "tolerance_f1_area";
/// Walls of another floor are soon within ten cells, those of the same one within two. Ours.
const FIT_LARGEST_CELLS: u32 = 2;

/// A floor and what it is judged against.
#[derive(Clone, Debug)]
pub struct Floor {
    /// Its name.
    pub name: String,
    /// Its ground truth, with a map.
    pub truth: Truth,
}

/// The floors of a place, and what leads from one to another.
#[derive(Clone, Debug, Default)]
pub struct Building {
    /// At most [`MAX_FLOORS`], with different names.
    pub floors: Vec<Floor>,
    /// Stairs, ramps and lifts.
    pub connectors: Vec<Connector>,
}

impl FloorMaps {
    /// Whether every map has a file behind it.
    pub(crate) fn is_from_files(&self) -> bool {
        let is_known = |map: &Loaded<Map>| !map.provenance.files.is_empty();
        match self {
            Self::Named(maps) => maps.iter().flatten().all(is_known),
            Self::Unnamed(maps) => maps.iter().all(is_known),
        }
    }
}

impl Building {
    /// The files of the truths.
    #[must_use]
    pub fn inputs(&self) -> Vec<Input> {
        self.floors.iter().flat_map(|floor| &floor.truth.map).flat_map(|map| map.inputs("truth")).collect()
    }

    /// What belongs to the building beside the truth maps: names of floors, and the connectors.
    pub(crate) fn described(&self) -> serde_json::Value {
        let names: Vec<&str> = self.floors.iter().map(|floor| floor.name.as_str()).collect();
        json!({ "floors": names, "connectors": self.connectors })
    }

    /// The connectors by the numbers of their floors; one to a floor that is not there leads nowhere.
    fn links(&self) -> Vec<FloorLink> {
        let end = |end: &ConnectorEnd| {
            let floor = self.floors.iter().position(|floor| floor.name == end.floor)?;
            Some(LinkEnd { floor, at: Point2::new(end.at_m[0], end.at_m[1]) })
        };
        let link = |connector: &Connector| {
            let ends = [end(&connector.from)?, end(&connector.to)?];
            Some(FloorLink { ends, length_m: connector.length_m })
        };
        self.connectors.iter().filter_map(link).collect()
    }
}

/// The maps of a submission.
#[derive(Clone, Debug)]
pub enum FloorMaps {
    /// One for each floor of the building, in its order; none where a floor is missing.
    Named(Vec<Option<Loaded<Map>>>),
    /// Nobody said which is which.
    Unnamed(Vec<Loaded<Map>>),
}

/// Judges a submission of several floors: a case for each floor, named `submission/floor`, and one of the whole.
///
/// # Errors
/// As [`crate::judge`], or maps without a name fit several assignments about equally well.
pub fn judge_building(
    name: &str,
    maps: &FloorMaps,
    building: &Building,
    plan: &Plan,
) -> Result<Vec<CaseReport>, JobError> {
    let (placed, certificate, findings) = settle(maps, building, plan)?;
    let mut judged: Vec<Judged> = Vec::new();
    for (floor, map) in building.floors.iter().zip(&placed) {
        judged.push(judge_floor(name, floor, map.as_ref(), plan)?);
    }
    let present: Vec<bool> = placed.iter().map(Option::is_some).collect();
    let mut case = whole(name, building, &judged, &present, plan)?;
    case.findings = findings;
    let mut detail = Detail::new();
    detail.insert("floors".to_owned(), certificate);
    case.detail = Some(detail);
    Ok([case].into_iter().chain(judged.into_iter().map(|judged| judged.report)).collect())
}

/// Which map belongs to which floor, with what a report says about it.
type Settled = (Vec<Option<Loaded<Map>>>, serde_json::Value, Vec<Finding>);

fn settle(maps: &FloorMaps, building: &Building, plan: &Plan) -> Result<Settled, JobError> {
    let names: Vec<&str> = building.floors.iter().map(|floor| floor.name.as_str()).collect();
    let (placed, assignment, findings) = match maps {
        FloorMaps::Named(maps) => {
            let given: Vec<(usize, &Loaded<Map>)> =
                maps.iter().enumerate().filter_map(|(floor, map)| Some((floor, map.as_ref()?))).collect();
            let present: Vec<&Loaded<Map>> = given.iter().map(|(_, map)| *map).collect();
            let assignment = (present.len() > 1).then(|| assign(&scores(&present, building, plan)));
            let own: Vec<usize> = given.iter().map(|(floor, _)| *floor).collect();
            let swapped = assignment.as_ref().and_then(|found| swapped(found, &own, &names));
            (maps.clone(), assignment, Vec::from_iter(swapped))
        }
        FloorMaps::Unnamed(maps) => {
            let present: Vec<&Loaded<Map>> = maps.iter().collect();
            let assignment = assign(&scores(&present, building, plan));
            if let Some(gap) = assignment.gap.filter(|gap| *gap < MIN_GAP) {
                return Err(JobError::FloorsAmbiguous { gap, min_gap: MIN_GAP });
            }
            let mut placed = vec![None; building.floors.len()];
            for (map, floor) in maps.iter().zip(&assignment.floors) {
                if let Some(place) = placed.get_mut(*floor) {
                    *place = Some(map.clone());
                }
            }
            (placed, Some(assignment), Vec::new())
        }
    };
    let count = placed.iter().flatten().count();
    let missing: Vec<&str> =
        names.iter().zip(&placed).filter(|(_, map)| map.is_none()).map(|(n, _)| *n).collect();
    let certificate = json!({
        "floors": format!("{count} of {}", names.len()),
        "missing": missing,
        "assignment": match maps { FloorMaps::Named(_) => "named", FloorMaps::Unnamed(_) => "by_alignment" },
        "gap": assignment.as_ref().and_then(|found| found.gap),
    });
    let absent = (!missing.is_empty()).then(|| {
        let message = format!("no map of {}: it counts as a map without a known cell", missing.join(", "));
        Finding::warning("FLOOR_MISSING", message)
    });
    Ok((placed, certificate, findings.into_iter().chain(absent).collect()))
}

/// How well each map fits each floor, 0 to 1: 0 where no value is defined.
fn scores(maps: &[&Loaded<Map>], building: &Building, plan: &Plan) -> Vec<Vec<f64>> {
    let mut plan = Plan {
        metrics: vec![FIT.to_owned()],
        figures: Figures::None,
        resampling: Resampling::None,
        ..plan.clone()
    };
    plan.set(FIT, "largest_cells", FIT_LARGEST_CELLS.into());
    let score = |map: &Loaded<Map>, floor: &Floor| {
        let subject = Subject::of_map("", map.clone());
        let judged = judge_case(&subject, &floor.truth, &plan).ok()?;
        judged.report.metrics.iter().find(|record| record.id == FIT)?.value
    };
    let row =
        |map: &&Loaded<Map>| building.floors.iter().map(|floor| score(map, floor).unwrap_or(0.0)).collect();
    maps.iter().map(row).collect()
}

/// The finding about named maps that fit other floors clearly better.
fn swapped(found: &Assignment, own: &[usize], names: &[&str]) -> Option<Finding> {
    let gain = found.total - found.total_of(own);
    if found.floors == own || gain < MIN_GAP {
        return None;
    }
    let name = |floor: usize| names.get(floor).copied().unwrap_or_default();
    let moved = own.iter().zip(&found.floors).filter(|(own, other)| own != other);
    let moved: Vec<String> =
        moved.map(|(own, other)| format!("{} fits {}", name(*own), name(*other))).collect();
    let message = format!("another assignment of the maps fits better by {gain:.2}: {}", moved.join(", "));
    Some(Finding::warning("FLOORS_SWAPPED", message).hint("check the names of the files"))
}

/// Judges the map of one floor; a missing one is a map without a known cell.
fn judge_floor(
    name: &str,
    floor: &Floor,
    map: Option<&Loaded<Map>>,
    plan: &Plan,
) -> Result<Judged, JobError> {
    let name = format!("{name}/{}", floor.name);
    if let Some(map) = map {
        return judge_case(&Subject::of_map(name, map.clone()), &floor.truth, plan);
    }
    let truth = floor.truth.map.as_ref().ok_or(JobError::Incomplete("truth of a floor"))?;
    let unknown = Map::new(Grid::filled(*truth.value.grid.geometry(), CellClass::Unknown));
    let plan = Plan { align: AlignBy::None, transform: None, metrics: families_of(plan), ..plan.clone() };
    judge_case(&Subject::of_map(name, Loaded::in_memory(unknown)), &floor.truth, &plan)
}

/// The metrics of a plan; those that compare cells and distances where it names none.
fn families_of(plan: &Plan) -> Vec<String> {
    if !plan.metrics.is_empty() {
        return plan.metrics.clone();
    }
    [Family::Cells, Family::Distance].map(|family| family.name().to_owned()).to_vec()
}

#[cfg(test)]
mod tests;
