//! Agglomerative clustering: join the two most similar clusters while they are similar enough.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How similar two clusters are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "snake_case")]
pub enum Linkage {
    /// Mean similarity over all pairs of members.
    #[default]
    Average,
    /// Similarity of the most similar pair of members.
    Single,
}

/// Symmetric similarities of n things, row by row.
pub(super) struct Similarities {
    pub(super) values: Vec<f32>,
    pub(super) count: usize,
}

/// Cluster of each thing, 1 upwards by the cluster's first member.
///
/// The pair of clusters with the largest similarity is joined while that is at least `threshold`; ties go to the
/// lowest indices.
pub(super) fn agglomerate(similarities: Similarities, linkage: Linkage, threshold: f64) -> Vec<u32> {
    let mut clusters = Clusters::new(similarities, linkage);
    while let Some((first, second)) = clusters.most_similar(threshold) {
        clusters.join(first, second);
    }
    clusters.numbers()
}

struct Clusters {
    /// Sum of the similarities over all pairs of members, or the largest one; by `linkage`.
    shared: Vec<f32>,
    count: usize,
    linkage: Linkage,
    /// Members of each cluster; none for one that was joined to another.
    members: Vec<Vec<usize>>,
    /// The most similar later cluster of each, with its similarity.
    best: Vec<Option<(f64, usize)>>,
}

impl Clusters {
    fn new(similarities: Similarities, linkage: Linkage) -> Self {
        let Similarities { values: shared, count } = similarities;
        let members = (0..count).map(|thing| vec![thing]).collect();
        let mut clusters = Self { shared, count, linkage, members, best: vec![None; count] };
        for cluster in 0..count {
            clusters.best[cluster] = clusters.find_best(cluster);
        }
        clusters
    }

    fn similarity(&self, a: usize, b: usize) -> f64 {
        let shared = f64::from(self.shared[a * self.count + b]);
        match self.linkage {
            Linkage::Average => shared / (self.members[a].len() * self.members[b].len()) as f64,
            Linkage::Single => shared,
        }
    }

    fn is_alive(&self, cluster: usize) -> bool {
        !self.members[cluster].is_empty()
    }

    /// The most similar of the later clusters; of equals the first.
    fn find_best(&self, cluster: usize) -> Option<(f64, usize)> {
        if !self.is_alive(cluster) {
            return None;
        }
        let mut best: Option<(f64, usize)> = None;
        for other in (cluster + 1..self.count).filter(|&other| self.is_alive(other)) {
            let similarity = self.similarity(cluster, other);
            if best.is_none_or(|(most, _)| similarity > most) {
                best = Some((similarity, other));
            }
        }
        best
    }

    fn most_similar(&self, threshold: f64) -> Option<(usize, usize)> {
        let mut found: Option<(f64, usize, usize)> = None;
        for (cluster, best) in self.best.iter().enumerate() {
            if let Some((similarity, other)) = *best
                && similarity >= threshold
                && found.is_none_or(|(most, ..)| similarity > most)
            {
                found = Some((similarity, cluster, other));
            }
        }
        found.map(|(_, first, second)| (first, second))
    }

    /// Joins the second cluster to the first, which is the earlier one.
    fn join(&mut self, first: usize, second: usize) {
        for other in 0..self.count {
            let with_second = self.shared[second * self.count + other];
            let entry = &mut self.shared[first * self.count + other];
            *entry = match self.linkage {
                Linkage::Average => *entry + with_second,
                Linkage::Single => entry.max(with_second),
            };
            self.shared[other * self.count + first] = *entry;
        }
        let moved = std::mem::take(&mut self.members[second]);
        self.members[first].extend(moved);
        self.best[second] = None;
        self.renew_best(first, second);
    }

    fn renew_best(&mut self, first: usize, second: usize) {
        self.best[first] = self.find_best(first);
        for cluster in 0..second {
            let Some((most, other)) = self.best[cluster] else { continue };
            if cluster == first {
                continue;
            }
            if other == first || other == second {
                self.best[cluster] = self.find_best(cluster);
            } else if cluster < first {
                let similarity = self.similarity(cluster, first);
                if similarity > most || (similarity >= most && first < other) {
                    self.best[cluster] = Some((similarity, first));
                }
            }
        }
    }

    fn numbers(&self) -> Vec<u32> {
        let mut numbers = vec![0; self.count];
        let alive = self.members.iter().filter(|members| !members.is_empty());
        for (number, members) in (1..).zip(alive) {
            for &member in members {
                numbers[member] = number;
            }
        }
        numbers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clusters(rows: &[&[f32]], linkage: Linkage, threshold: f64) -> Vec<u32> {
        agglomerate(Similarities { values: rows.concat(), count: rows.len() }, linkage, threshold)
    }

    #[test]
    fn average_linkage_takes_the_mean_over_pairs() {
        // 0 and 1 join at 0.9; then 2 is 0.6 similar to 0 and 0.2 to 1: 0.4 on average.
        let rows: [&[f32]; 3] = [&[1.0, 0.9, 0.6], &[0.9, 1.0, 0.2], &[0.6, 0.2, 1.0]];
        assert_eq!(clusters(&rows, Linkage::Average, 0.41), [1, 1, 2]);
        assert_eq!(clusters(&rows, Linkage::Average, 0.39), [1, 1, 1]);
        assert_eq!(clusters(&rows, Linkage::Single, 0.6), [1, 1, 1]);
        assert_eq!(clusters(&rows, Linkage::Average, 0.95), [1, 2, 3]);
    }

    #[test]
    fn ties_go_to_the_lowest_indices() {
        let rows: [&[f32]; 3] = [&[1.0, 0.5, 0.5], &[0.5, 1.0, 0.5], &[0.5, 0.5, 1.0]];
        assert_eq!(clusters(&rows, Linkage::Average, 0.5), [1, 1, 1]);
        let apart: [&[f32]; 3] = [&[1.0, 0.5, 0.0], &[0.5, 1.0, 0.5], &[0.0, 0.5, 1.0]];
        assert_eq!(clusters(&apart, Linkage::Average, 0.5), [1, 1, 2]);
    }

    #[test]
    fn nothing_to_cluster() {
        assert!(clusters(&[], Linkage::Average, 0.5).is_empty());
    }

    #[test]
    fn kept_best_partners_equal_a_search_over_all_pairs() {
        let mut random = testkit::Random(7);
        for count in [2, 5, 17, 40] {
            let mut values = vec![1.0_f32; count * count];
            for a in 0..count {
                for b in 0..a {
                    let value = random.below(50) as f32 / 50.0;
                    (values[a * count + b], values[b * count + a]) = (value, value);
                }
            }
            let mut naive = Clusters::new(Similarities { values: values.clone(), count }, Linkage::Average);
            loop {
                for cluster in 0..count {
                    naive.best[cluster] = naive.find_best(cluster);
                }
                let Some((first, second)) = naive.most_similar(0.3) else { break };
                naive.join(first, second);
            }
            assert_eq!(agglomerate(Similarities { values, count }, Linkage::Average, 0.3), naive.numbers());
        }
    }
}
