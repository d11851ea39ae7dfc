//! A part of a set of relations: by distance, time gap, tag, time window, or at random.

use model::{Relation, RelationRecord, Rigid, SeededRng};

/// Relations over at most this time are local, the others are loops. Ours: within 10 s a robot hardly comes back.
pub const LOCAL_GAP_S: f64 = 10.0;

/// Which relations stay. What is none asks for nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    /// Shortest displacement in metres.
    pub min_distance_m: Option<f64>,
    /// Longest displacement in metres.
    pub max_distance_m: Option<f64>,
    /// Shortest time between the two timestamps in seconds.
    pub min_gap_s: Option<f64>,
    /// Longest time between the two timestamps in seconds.
    pub max_gap_s: Option<f64>,
    /// Both timestamps lie at or after this one, in seconds.
    pub from_s: Option<f64>,
    /// Both timestamps lie at or before this one, in seconds.
    pub to_s: Option<f64>,
    /// One of the relation's tags. A relation without the tag `local` or `loop` has the one of its time gap.
    pub tag: Option<String>,
    /// So many of the relations that are left, at random.
    pub sample: Option<usize>,
    /// Seed of the sample.
    pub seed: u64,
}

/// `local` or `loop`, by the time between the timestamps.
#[must_use]
pub fn gap_tag(relation: &Relation) -> &'static str {
    if (relation.to_s - relation.from_s).abs() <= LOCAL_GAP_S { "local" } else { "loop" }
}

/// The relations that stay, in their order.
#[must_use]
pub fn filter(records: &[RelationRecord], filter: &Filter) -> Vec<RelationRecord> {
    let left: Vec<&RelationRecord> = records.iter().filter(|record| stays(record, filter)).collect();
    match filter.sample {
        Some(wanted) => {
            let chosen = SeededRng::new(filter.seed).subset(wanted, left.len());
            chosen.into_iter().map(|index| left[index].clone()).collect()
        }
        None => left.into_iter().cloned().collect(),
    }
}

fn stays(record: &RelationRecord, filter: &Filter) -> bool {
    let relation = record.final_relation();
    let distance_m = relation.pose().distance_m();
    let gap_s = (relation.to_s - relation.from_s).abs();
    let at_least = |value: f64, least: Option<f64>| least.is_none_or(|least| value >= least);
    let at_most = |value: f64, most: Option<f64>| most.is_none_or(|most| value <= most);
    at_least(distance_m, filter.min_distance_m)
        && at_most(distance_m, filter.max_distance_m)
        && at_least(gap_s, filter.min_gap_s)
        && at_most(gap_s, filter.max_gap_s)
        && at_least(relation.from_s.min(relation.to_s), filter.from_s)
        && at_most(relation.from_s.max(relation.to_s), filter.to_s)
        && filter.tag.as_ref().is_none_or(|tag| has_tag(record, tag))
}

fn has_tag(record: &RelationRecord, tag: &str) -> bool {
    let says = |wanted: &str| record.tags.iter().any(|own| own == wanted);
    says(tag) || !says("local") && !says("loop") && gap_tag(&record.relation) == tag
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(id: &str, from_s: f64, to_s: f64, x_m: f64, tags: &[&str]) -> RelationRecord {
        let relation =
            Relation { from_s, to_s, translation_m: [x_m, 0.0, 0.0], roll_pitch_yaw_rad: [0.0; 3] };
        RelationRecord {
            tags: tags.iter().map(|&tag| tag.to_owned()).collect(),
            ..RelationRecord::proposed(id.to_owned(), relation)
        }
    }

    fn ids(wanted: &Filter) -> Vec<String> {
        let records = [
            record("a", 0.0, 10.0, 0.5, &[]),
            record("b", 12.0, 1.0, 2.0, &[]),
            record("c", 0.0, 1.0, 3.0, &["loop"]),
            record("d", 100.0, 105.0, 1.0, &["good"]),
        ];
        filter(&records, wanted).into_iter().map(|record| record.id).collect()
    }

    #[test]
    fn each_condition_keeps_its_relations() {
        let any = Filter::default();
        assert_eq!(ids(&any), ["a", "b", "c", "d"]);
        assert_eq!(
            ids(&Filter { min_distance_m: Some(1.0), max_distance_m: Some(2.0), ..any.clone() }),
            ["b", "d"]
        );
        assert_eq!(ids(&Filter { max_gap_s: Some(5.0), ..any.clone() }), ["c", "d"]);
        assert_eq!(ids(&Filter { min_gap_s: Some(10.0), ..any.clone() }), ["a", "b"]);
        assert_eq!(ids(&Filter { from_s: Some(1.0), to_s: Some(12.0), ..any.clone() }), ["b"]);
        assert_eq!(ids(&Filter { tag: Some("local".into()), ..any.clone() }), ["a", "d"], "10 s are local");
        assert_eq!(
            ids(&Filter { tag: Some("loop".into()), ..any.clone() }),
            ["b", "c"],
            "a tag goes over the gap"
        );
        assert_eq!(ids(&Filter { tag: Some("good".into()), ..any.clone() }), ["d"]);
        assert_eq!(ids(&Filter { sample: Some(2), ..any.clone() }).len(), 2);
        assert_eq!(ids(&Filter { sample: Some(9), ..any }), ["a", "b", "c", "d"]);
    }
}
