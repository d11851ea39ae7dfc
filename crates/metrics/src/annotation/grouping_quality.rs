//! Grouping quality: do the regions that the team marks as rooms, hallways or cars match the true ones?
//!
//! ```text
//! PQ = Σ IoU over matches / (TP + FP/2 + FN/2)        a pair matches if IoU > 0.5 and the labels agree
//! ```
//!
//! Unit: 1. Range: 0 to 1. Better: higher.
//! Paper: Balaguer et al. 2009, sections 3.2 and 4.3 (recognise that parts form a room, a hallway, a car), there ranked
//! by people; the arithmetic is panoptic quality (Kirillov et al. 2019).
//! Departure: all of the arithmetic. Overlapping regions of one side: each cell goes to the smaller.
//! Unknown: regions are drawings; what the map knows of the cells plays no part.
//! Known bias: small regions weigh as much as large ones.
//! Variants: `labels`, `synonyms`; the label-blind value stands beside the value.
//! Undefined: `NO_REFERENCE` without true groups; `NO_MATCH` if both sides have none; `TOO_MANY_POINTS`.

use std::collections::BTreeMap;

use super::inputs::Region;
use super::regions::region_plane;
use crate::contest::point_rules::normal;
use crate::prelude::*;

/// Parameters of the grouping quality.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct GroupingQuality {
    /// Whether labels must agree. Default `on`.
    pub labels: Labels,
    /// Words that mean the same: word and what it stands for. Default: corridor stands for hallway.
    pub synonyms: BTreeMap<String, String>,
}

/// Whether labels must agree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Labels {
    /// They must.
    #[default]
    On,
    /// They need not.
    Off,
}

impl Default for GroupingQuality {
    fn default() -> Self {
        let synonyms = BTreeMap::from([("corridor".to_owned(), "hallway".to_owned())]);
        Self { labels: Labels::On, synonyms }
    }
}

impl Metric for GroupingQuality {
    const SPEC: MetricSpec =
        MetricSpec::share(Family::Annotation, "grouping_quality", "A-GROUP", "Grouping quality")
            .over_floors(Aggregate::None);

    fn applies(case: &Case) -> bool {
        case.has_maps() && case.annotations().is_ok_and(|given| given.truth.groups.is_some())
    }

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let given = case.annotations()?;
        let reference = given.truth.groups.as_deref().ok_or(Reason::NoReference)?;
        let team = given.map.groups.as_deref().unwrap_or_default();
        let geometry = case.grids()?.geometry();
        let overlaps = overlaps(reference, team, geometry)?;
        let with_labels = self.matched(reference, team, &overlaps, self.labels);
        let blind = self.matched(reference, team, &overlaps, Labels::Off);
        let value = with_labels.panoptic_quality().ok_or(Reason::NoMatch)?;
        Ok(Score::new(value)
            .with("true_groups", reference.len())
            .with("groups", team.len())
            .with("matched", with_labels.ious.len())
            .with("false_groups", with_labels.false_regions())
            .with("missed_groups", with_labels.missed_regions())
            .with("mean_iou", with_labels.mean_iou())
            .with("label_blind", blind.panoptic_quality())
            .with_table("pairs", &with_labels.named))
    }
}

/// Pairs of regions that share most of their cells.
struct Overlaps {
    /// True region, team's region, intersection over union.
    pairs: Vec<(usize, usize, f64)>,
}

/// Regions whose IoU is above one half; each has at most one such partner, as no cell has two owners on one side.
fn overlaps(
    reference: &[Region],
    team: &[Region],
    geometry: &model::GridGeometry,
) -> Result<Overlaps, Reason> {
    let (truth, found) = (region_plane(reference, geometry)?, region_plane(team, geometry)?);
    let mut shared: BTreeMap<(u32, u32), u64> = BTreeMap::new();
    // Cells come in runs of the same pair: one look-up per run.
    let mut cells = truth.owner.iter().zip(&found.owner).peekable();
    while let Some(pair) = cells.next() {
        let mut length = 1;
        while cells.next_if_eq(&pair).is_some() {
            length += 1;
        }
        *shared.entry((*pair.0, *pair.1)).or_default() += length;
    }
    let iou = |(&(t, f), &both): (&(u32, u32), &u64)| {
        let (t, f) = ((t as usize).checked_sub(1)?, (f as usize).checked_sub(1)?);
        let union = truth.cells[t] + found.cells[f] - both;
        Some((t, f, both as f64 / union as f64)).filter(|(_, _, iou)| *iou > 0.5)
    };
    Ok(Overlaps { pairs: shared.iter().filter_map(iou).collect() })
}

/// What matched what.
struct Matches {
    ious: Vec<f64>,
    named: Vec<NamedPair>,
    reference: usize,
    team: usize,
}

/// A matched pair in reports.
#[derive(Clone, Debug, Serialize)]
struct NamedPair {
    truth: usize,
    truth_label: String,
    group: usize,
    label: String,
    iou: f64,
}

impl GroupingQuality {
    fn matched(&self, reference: &[Region], team: &[Region], overlaps: &Overlaps, labels: Labels) -> Matches {
        let agree = |t: usize, f: usize| self.meaning(&reference[t].label) == self.meaning(&team[f].label);
        let pairs: Vec<_> = overlaps
            .pairs
            .iter()
            .filter(|(t, f, _)| labels == Labels::Off || agree(*t, *f))
            .copied()
            .collect();
        let named = |&(truth, group, iou): &(usize, usize, f64)| NamedPair {
            truth,
            truth_label: reference[truth].label.clone(),
            group,
            label: team[group].label.clone(),
            iou,
        };
        Matches {
            ious: pairs.iter().map(|(_, _, iou)| *iou).collect(),
            named: pairs.iter().map(named).collect(),
            reference: reference.len(),
            team: team.len(),
        }
    }

    fn meaning(&self, label: &str) -> String {
        let label = normal(label);
        self.synonyms.get(&label).map_or(label, |meaning| normal(meaning))
    }
}

impl Matches {
    fn false_regions(&self) -> usize {
        self.team - self.ious.len()
    }

    fn missed_regions(&self) -> usize {
        self.reference - self.ious.len()
    }

    fn panoptic_quality(&self) -> Option<f64> {
        let all = self.reference + self.team;
        (all > 0).then(|| self.ious.iter().sum::<f64>() / (all as f64 / 2.0))
    }

    fn mean_iou(&self) -> Option<f64> {
        (!self.ious.is_empty()).then(|| self.ious.iter().sum::<f64>() / self.ious.len() as f64)
    }
}

#[cfg(test)]
mod tests {
    use model::Point2;

    use super::*;
    use crate::annotation::inputs::{AnnotationInputs, Annotations};
    use crate::drawing::{case, nearly};

    fn region(label: &str, left: f64, bottom: f64, wide: f64, tall: f64) -> Region {
        let corner = |x: f64, y: f64| Point2::new(left + x * wide, bottom + y * tall);
        let ring =
            vec![corner(0.0, 0.0), corner(1.0, 0.0), corner(1.0, 1.0), corner(0.0, 1.0), corner(0.0, 0.0)];
        Region { label: label.to_owned(), rings: vec![ring] }
    }

    fn score(truth: Option<Vec<Region>>, team: Option<Vec<Region>>) -> Result<Score, Undefined> {
        let floor = ["............"; 8];
        let inputs = AnnotationInputs {
            map: Annotations { groups: team, ..Default::default() },
            truth: Annotations { groups: truth, ..Default::default() },
        };
        Metric::evaluate(&GroupingQuality::default(), &case(&floor, &floor).with_annotations(inputs))
    }

    fn reference() -> Vec<Region> {
        vec![region("room", 0.0, 0.0, 4.0, 4.0), region("hallway", 4.0, 0.0, 4.0, 4.0)]
    }

    #[test]
    fn spec_04_e4_one_smaller_room_and_a_car() {
        let team = vec![region("room", 0.0, 0.0, 4.0, 3.0), region("car", 9.0, 5.0, 2.0, 2.0)];
        let found = score(Some(reference()), Some(team)).unwrap();
        nearly(found.value, 0.375, 1e-12);
        let counts =
            ["matched", "false_groups", "missed_groups"].map(|key| found.detail[key].as_u64().unwrap());
        assert_eq!(counts, [1, 1, 1]);
        nearly(found.detail["mean_iou"].as_f64().unwrap(), 0.75, 1e-12);
    }

    #[test]
    fn spec_04_e5_the_wrong_label_counts_only_blind() {
        let found = score(Some(reference()), Some(vec![region("hallway", 0.0, 0.0, 4.0, 4.0)])).unwrap();
        assert_eq!(found.value, 0.0);
        nearly(found.detail["label_blind"].as_f64().unwrap(), 2.0 / 3.0, 1e-12);
    }

    #[test]
    fn spec_04_e6_identical_regions_and_synonyms() {
        assert_eq!(score(Some(reference()), Some(reference())).unwrap().value, 1.0);
        let words = vec![region(" Room", 0.0, 0.0, 4.0, 4.0), region("CORRIDOR", 4.0, 0.0, 4.0, 4.0)];
        assert_eq!(score(Some(reference()), Some(words)).unwrap().value, 1.0);
    }

    #[test]
    fn nothing_given_nothing_drawn() {
        assert_eq!(score(None, Some(reference())).unwrap_err().reasons, [Reason::NoReference]);
        assert_eq!(score(Some(Vec::new()), None).unwrap_err().reasons, [Reason::NoMatch]);
        assert_eq!(score(Some(reference()), None).unwrap().value, 0.0);
    }
}
