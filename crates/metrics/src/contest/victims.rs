//! Victims: information on the victims that a team found, each matched one to one with a true one.
//!
//! ```text
//! V_i = Σ weights of the items delivered correctly (default: location 1, all else 0),     value = Σ V_i
//! matching: by identifier where both sides have them, else most pairs within the radius, then the least Σ distance;
//!           reports: victims of the vector layers, and connected red cells of the navigation layer, each at its centre
//! ```
//!
//! Unit: 1. Range: 0 to the number of true victims times the sum of the weights. Better: higher.
//! Paper: Balaguer et al. 2009, section 3.2 ("points if the error is below a threshold", which is not given).
//! Departure: the radius of 1 m is ours, and so is that a red mark within 1 m of a listed victim is the same report.
//! Beside identifiers, reports without one match by distance. Photographs and times are not judged; a contest enters
//! such points by hand.
//! Unknown: a victim in an unknown cell is a victim like any other.
//! Known bias: identifiers that are running numbers match by accident; `matching = distance` ignores them.
//! Variants: `matching`, `distance`, `types`, weights of the items.
//! Undefined: `NO_REFERENCE` if no true victims were given.

use model::NavigationClass;

use super::point_rules::{DistanceRule, normal};
use crate::annotation::inputs::Victim;
use crate::fiducials::assignment::{AssignmentObjective, assign};
use crate::prelude::*;

/// Parameters of the victims.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Victims {
    /// A location is right within this distance, metres. Default 1, ours; the virtual league of 2019 has 1.5.
    pub victim_radius_m: f64,
    /// How reports find their victims. Default `auto`: by identifier if some report has that of a true victim.
    pub matching: Matching,
    /// Whether heights count. Default `plane`.
    pub distance: DistanceRule,
    /// Whether reports of another type than the victim's can be its report. Default `ignore`.
    pub types: Types,
    /// Weight of a right location. Default 1.
    pub location_weight: f64,
    /// Weight of the right identifier. Default 0.
    pub identity_weight: f64,
    /// Weight of the right status word. Default 0.
    pub status_weight: f64,
    /// Weight of the right type word. Default 0.
    pub type_weight: f64,
    /// A victim lies in cleared area if a cell this near to it is, metres. Default 0: its own cell.
    pub cleared_radius_m: f64,
}

/// How reports find their victims.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Matching {
    /// By identifier if every true victim has one and some report names one of them, else by distance.
    #[default]
    Auto,
    /// By identifier.
    Id,
    /// By distance.
    Distance,
}

/// Whether types must agree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Types {
    /// They need not.
    #[default]
    Ignore,
    /// Two types that are given must be equal.
    MustAgree,
}

impl Default for Victims {
    fn default() -> Self {
        Self {
            victim_radius_m: 1.0,
            matching: Matching::Auto,
            distance: DistanceRule::Plane,
            types: Types::Ignore,
            location_weight: 1.0,
            identity_weight: 0.0,
            status_weight: 0.0,
            type_weight: 0.0,
            cleared_radius_m: 0.0,
        }
    }
}

/// A true victim and its report.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VictimPair {
    /// Index of the true victim.
    pub victim: usize,
    /// Index of the report.
    pub report: usize,
    /// Distance between the two.
    pub error_m: f64,
    /// Whether the location is right.
    pub is_located: bool,
    /// V.
    pub value: f64,
}

/// Which report is which victim.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VictimMatching {
    /// In order of the victims.
    pub pairs: Vec<VictimPair>,
    /// Whether identifiers decided.
    pub by_id: bool,
    /// Reports without a victim.
    pub false_alarms: Vec<usize>,
}

impl VictimMatching {
    /// Whether a report located this victim.
    #[must_use]
    pub fn is_located(&self, victim: usize) -> bool {
        self.pairs.iter().any(|pair| pair.victim == victim && pair.is_located)
    }

    /// F1 of located victims against false reports and missed victims; none if there is nothing to count.
    #[must_use]
    pub fn f1(&self, victims: usize, reports: usize) -> Option<f64> {
        let located = self.pairs.iter().filter(|pair| pair.is_located).count();
        let all = victims + reports;
        (all > 0).then(|| 2.0 * located as f64 / all as f64)
    }
}

/// Matches reports with true victims one to one.
#[must_use]
pub fn match_victims(reports: &[Victim], victims: &[Victim], rules: &Victims) -> VictimMatching {
    let by_id = rules.decides_by_id(reports, victims);
    let everything = |count: usize| (0..count).collect::<Vec<usize>>();
    let mut pairs = Vec::new();
    if by_id {
        // A wrong place is still a report of the victim that it names.
        let same_id = |v: &Victim, r: &Victim| normal(&v.id) == normal(&r.id);
        let named = everything(reports.len());
        pairs = rules.paired((&everything(victims.len()), victims), (&named, reports), f64::MAX, same_id);
    }
    // Without identifiers a report belongs to a victim within the radius. Beside identifiers that holds for reports that
    // have none, such as red cells, and victims that nobody named.
    let is_free = |victim: &usize| pairs.iter().all(|pair: &VictimPair| pair.victim != *victim);
    let free: Vec<usize> = (0..victims.len()).filter(is_free).collect();
    let is_nameless = |report: &usize| !by_id || reports[*report].id.trim().is_empty();
    let nameless: Vec<usize> = (0..reports.len()).filter(is_nameless).collect();
    let near = rules.paired((&free, victims), (&nameless, reports), rules.victim_radius_m, |_, _| true);
    pairs.extend(near);
    pairs.sort_by_key(|pair| pair.victim);
    let is_used = |report: &usize| pairs.iter().any(|pair| pair.report == *report);
    let false_alarms = (0..reports.len()).filter(|report| !is_used(report)).collect();
    VictimMatching { pairs, by_id, false_alarms }
}

impl Victims {
    fn decides_by_id(&self, reports: &[Victim], victims: &[Victim]) -> bool {
        let have_ids = !victims.is_empty() && victims.iter().all(|victim| !victim.id.trim().is_empty());
        let is_named =
            |report: &Victim| victims.iter().any(|victim| normal(&victim.id) == normal(&report.id));
        match self.matching {
            Matching::Id => true,
            Matching::Distance => false,
            Matching::Auto => have_ids && reports.iter().any(is_named),
        }
    }

    fn distance_m(&self, a: &Victim, b: &Victim) -> f64 {
        let [dx, dy, dz] = [0, 1, 2].map(|axis| a.position_m[axis] - b.position_m[axis]);
        match self.distance {
            DistanceRule::Plane => dx.hypot(dy),
            DistanceRule::Space => dx.hypot(dy).hypot(dz),
        }
    }

    /// The most pairs of these victims and reports within reach, then the least total distance.
    fn paired(
        &self,
        (of, victims): (&[usize], &[Victim]),
        (by, reports): (&[usize], &[Victim]),
        reach_m: f64,
        may_pair: impl Fn(&Victim, &Victim) -> bool,
    ) -> Vec<VictimPair> {
        let distance = |victim: &Victim, report: &Victim| {
            let types = [&victim.kind, &report.kind].map(|kind| normal(kind));
            let types_agree = types[0] == types[1] || types.iter().any(String::is_empty);
            let is_allowed = may_pair(victim, report) && (self.types == Types::Ignore || types_agree);
            if is_allowed { self.distance_m(victim, report) } else { f64::INFINITY }
        };
        // Only reports within reach of some victim take part, however many there are.
        let is_near = |r: &&usize| of.iter().any(|&v| distance(&victims[v], &reports[**r]) <= reach_m);
        let near: Vec<usize> = by.iter().filter(is_near).copied().collect();
        let row = |&v: &usize| near.iter().map(|&r| distance(&victims[v], &reports[r])).collect();
        let table: Vec<Vec<f64>> = of.iter().map(row).collect();
        let longest = table.iter().flatten().copied().filter(|d| d.is_finite()).fold(0.0, f64::max);
        let assigned = assign(&table, reach_m.min(longest), AssignmentObjective::Coverage);
        let pair = |(row, column): (usize, Option<usize>)| {
            let column = column?;
            let (victim, report, error_m) = (of[row], near[column], table[row][column]);
            let is_located = error_m <= self.victim_radius_m;
            let value = self.value(&victims[victim], &reports[report], is_located);
            Some(VictimPair { victim, report, error_m, is_located, value })
        };
        assigned.into_iter().enumerate().filter_map(pair).collect()
    }

    /// V: what of the report is right.
    fn value(&self, victim: &Victim, report: &Victim, is_located: bool) -> f64 {
        let same =
            |of: fn(&Victim) -> &String| !of(victim).is_empty() && normal(of(victim)) == normal(of(report));
        let items = [
            (is_located, self.location_weight),
            (same(|v| &v.id), self.identity_weight),
            (same(|v| &v.status), self.status_weight),
            (same(|v| &v.kind), self.type_weight),
        ];
        items.iter().filter(|(is_right, _)| *is_right).map(|(_, weight)| weight).sum()
    }
}

impl Metric for Victims {
    const SPEC: MetricSpec = MetricSpec::new(Family::Contest, "victims", "S-V", "Victims")
        .measured_in(Unit::Ratio, Better::Higher)
        .worst(0.0)
        .over_floors(Aggregate::None);

    fn applies(case: &Case) -> bool {
        case.annotations().is_ok_and(|given| given.truth.victims.is_some())
    }

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let given = case.annotations()?;
        let victims = given.truth.victims.as_deref().ok_or(Reason::NoReference)?;
        let reports = given.map.victims.as_deref().unwrap_or_default();
        let matching = match_victims(reports, victims, self);
        let facts = self.victim_facts(case, victims, &matching);
        let weights = self.location_weight + self.identity_weight + self.status_weight + self.type_weight;
        let values: Vec<f64> = matching.pairs.iter().map(|pair| pair.value).collect();
        let errors_m: Vec<f64> = facts.iter().filter_map(|victim| victim.error_m).collect();
        let count = |of: fn(&VictimFacts) -> bool| facts.iter().filter(|f| of(f)).count();
        let knows_cleared = has_navigation(case);
        Ok(Score::new(values.iter().sum())
            .between(weights * victims.len() as f64, 0.0)
            .with("true_victims", victims.len())
            .with("reports", reports.len())
            .with("matched_by", if matching.by_id { "id" } else { "distance" })
            .with("values", values)
            .with("located", count(|f| f.located))
            .with("false_alarms", matching.false_alarms.len())
            .with("f1", matching.f1(victims.len(), reports.len()))
            .with("victims_in_cleared", knows_cleared.then(|| count(VictimFacts::is_in_cleared)))
            .with("unreported_in_cleared", knows_cleared.then(|| count(VictimFacts::is_overlooked)))
            .with_table("victims", facts)
            .with_value("victims.error_m", Quantity::List(errors_m)))
    }

    /// Everything that is counted victim by victim.
    fn samples(&self, case: &Case, _: &Score) -> Vec<Samples> {
        let Ok(given) = case.annotations() else { return Vec::new() };
        let Some(victims) = given.truth.victims.as_deref() else { return Vec::new() };
        let matching = match_victims(given.map.victims.as_deref().unwrap_or_default(), victims, self);
        let facts = self.victim_facts(case, victims, &matching);
        let count = |of: fn(&VictimFacts) -> bool| {
            Make::Sum(facts.iter().map(|victim| f64::from(u8::from(of(victim)))).collect())
        };
        let list = |of: fn(&VictimFacts) -> Option<f64>| Make::List(facts.iter().map(of).collect());
        let makes = [
            ("", Make::Sum(facts.iter().map(|victim| victim.value.unwrap_or(0.0)).collect())),
            ("values", list(|victim| victim.value)),
            ("victims.error_m", list(|victim| victim.error_m)),
            ("located", count(|victim| victim.located)),
            ("true_victims", count(|_| true)),
            ("victims_in_cleared", count(VictimFacts::is_in_cleared)),
            ("unreported_in_cleared", count(VictimFacts::is_overlooked)),
        ];
        makes.map(|(of, make)| Samples::named(of, SampleUnit::new("victims", facts.len()), make)).into()
    }
}

fn has_navigation(case: &Case) -> bool {
    case.grids().is_ok_and(|grids| grids.map.navigation().is_some())
}

/// A true victim in reports.
#[derive(Serialize)]
struct VictimFacts {
    id: String,
    x_m: f64,
    y_m: f64,
    /// Number of the report, counted from 0.
    report: Option<usize>,
    error_m: Option<f64>,
    located: bool,
    value: Option<f64>,
    in_cleared: Option<bool>,
}

impl VictimFacts {
    fn is_in_cleared(&self) -> bool {
        self.in_cleared == Some(true)
    }

    fn is_overlooked(&self) -> bool {
        self.is_in_cleared() && !self.located
    }
}

impl Victims {
    fn victim_facts(&self, case: &Case, victims: &[Victim], matching: &VictimMatching) -> Vec<VictimFacts> {
        let in_cleared = self.in_cleared(case, victims);
        let mut pairs = vec![None; victims.len()];
        matching.pairs.iter().for_each(|pair| pairs[pair.victim] = Some(pair));
        let of_victim = |(index, victim): (usize, &Victim)| VictimFacts {
            id: victim.id.clone(),
            x_m: victim.position_m[0],
            y_m: victim.position_m[1],
            report: pairs[index].map(|pair| pair.report),
            error_m: pairs[index].map(|pair| pair.error_m),
            located: pairs[index].is_some_and(|pair| pair.is_located),
            value: pairs[index].map(|pair| pair.value),
            in_cleared: in_cleared.as_ref().map(|list| list[index]),
        };
        victims.iter().enumerate().map(of_victim).collect()
    }

    /// Whether each victim lies in area that the map declares cleared; none without a navigation layer.
    fn in_cleared(&self, case: &Case, victims: &[Victim]) -> Option<Vec<bool>> {
        let grids = case.grids().ok()?;
        let navigation = grids.map.navigation()?;
        let geometry = grids.geometry();
        let (width, height) = (geometry.width() as i64, geometry.height() as i64);
        let is_inside = |victim: &Victim| {
            let (right, up) = geometry.grid_point_of_world(victim.place());
            let reach = self.cleared_radius_m / geometry.cell_size_m();
            let span = |middle: f64, cells: i64| {
                let (low, high) = ((middle - reach).floor(), (middle + reach).floor());
                (low.max(0.0) as i64)..=(high.min(cells as f64 - 1.0) as i64)
            };
            let is_near = |i: i64, j: i64| {
                let own = (right.floor(), up.floor()) == (i as f64, j as f64);
                own || (i as f64 + 0.5 - right).hypot(j as f64 + 0.5 - up) <= reach
            };
            let is_cleared = |i: i64, j: i64| {
                let cell = model::Cell { i: i as usize, j: j as usize };
                navigation[geometry.index_of(cell)] == NavigationClass::Cleared
            };
            span(up, height).any(|j| span(right, width).any(|i| is_near(i, j) && is_cleared(i, j)))
        };
        Some(victims.iter().map(is_inside).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::nearly;

    fn at(id: &str, x: f64, y: f64) -> Victim {
        Victim { id: id.to_owned(), position_m: [x, y, 0.0], ..Default::default() }
    }

    fn errors(matching: &VictimMatching) -> Vec<f64> {
        matching.pairs.iter().map(|pair| pair.error_m).collect()
    }

    #[test]
    fn spec_05_e5_most_pairs_before_the_nearest() {
        let found = match_victims(
            &[at("", 0.0, 0.0), at("", 1.0, 0.0)],
            &[at("", 0.9, 0.0), at("", 1.8, 0.0)],
            &Victims::default(),
        );
        nearly(errors(&found).iter().sum(), 1.7, 1e-12);
        assert_eq!((found.pairs.len(), found.false_alarms.len()), (2, 0));
        let one =
            match_victims(&[at("", 0.0, 0.0), at("", 5.0, 5.0)], &[at("", 0.4, 0.3)], &Victims::default());
        nearly(errors(&one)[0], 0.5, 1e-12);
        assert_eq!(one.false_alarms, [1]);
    }

    #[test]
    fn identifiers_decide_where_both_sides_have_them() {
        let victims = [at("v1", 0.0, 0.0), at("v2", 5.0, 0.0)];
        let swapped = [at("V2", 0.1, 0.0), at("v1", 5.0, 0.0)];
        let found = match_victims(&swapped, &victims, &Victims::default());
        assert!(found.by_id && !found.is_located(0) && !found.is_located(1));
        assert_eq!(found.pairs.len(), 2, "the reports are theirs, at the wrong place");
        assert_eq!(found.pairs.iter().map(|pair| pair.value).sum::<f64>(), 0.0);
        let by_distance = Victims { matching: Matching::Distance, ..Victims::default() };
        assert!(match_victims(&swapped, &victims, &by_distance).is_located(1));
        let numbered = [at("1", 0.1, 0.0), at("2", 5.0, 0.0)];
        let found = match_victims(&numbered, &victims, &Victims::default());
        assert!(!found.by_id && found.is_located(0) && found.is_located(1), "no identifier in common");
    }

    #[test]
    fn a_repeated_identifier_is_matched_once_per_victim() {
        let victims = [at("v", 0.0, 0.0), at("v", 5.0, 0.0)];
        let found = match_victims(
            &[at("v", 5.1, 0.0), at("v", 0.1, 0.0), at("v", 0.2, 0.0)],
            &victims,
            &Victims::default(),
        );
        nearly(errors(&found).iter().sum(), 0.2, 1e-9);
        assert_eq!(found.false_alarms, [2]);
    }

    #[test]
    fn items_types_and_heights_count_as_the_rules_say() {
        let victim = Victim { kind: "doll".to_owned(), status: "alive".to_owned(), ..at("v1", 0.0, 0.0) };
        let report = Victim { kind: "head".to_owned(), position_m: [0.0, 0.0, 1.5], ..victim.clone() };
        let rules =
            Victims { location_weight: 0.5, identity_weight: 0.2, status_weight: 0.3, ..Victims::default() };
        let value = |rules: &Victims| {
            match_victims(std::slice::from_ref(&report), std::slice::from_ref(&victim), rules)
                .pairs
                .iter()
                .map(|p| p.value)
                .sum::<f64>()
        };
        nearly(value(&rules), 1.0, 1e-12);
        nearly(value(&Victims { distance: DistanceRule::Space, ..rules.clone() }), 0.5, 1e-12);
        assert_eq!(value(&Victims { types: Types::MustAgree, ..rules }), 0.0);
    }

    #[test]
    fn nobody_there_and_nobody_reported() {
        let none = match_victims(&[], &[], &Victims::default());
        assert_eq!((none.pairs.len(), none.f1(0, 0)), (0, None));
        assert_eq!(match_victims(&[at("", 0.0, 0.0)], &[], &Victims::default()).false_alarms, [0]);
        assert_eq!(match_victims(&[], &[at("a", 0.0, 0.0)], &Victims::default()).f1(1, 0), Some(0.0));
    }

    #[test]
    fn a_hundred_thousand_reports_of_one_place_end_in_time() {
        let reports = vec![at("", 0.1, 0.0); 100_000];
        let found = match_victims(&reports, &[at("", 0.0, 0.0), at("", 0.2, 0.0)], &Victims::default());
        assert_eq!((found.pairs.len(), found.false_alarms.len()), (2, 99_998));
    }
}
