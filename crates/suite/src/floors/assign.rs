//! Which map belongs to which floor: the assignment with the best total of scores, and how much better it is than the
//! next one.

/// The best assignment.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Assignment {
    /// The floor of each map.
    pub floors: Vec<usize>,
    /// The sum of its scores.
    pub total: f64,
    /// By how much its total is above the next one; none if there is only one assignment.
    pub gap: Option<f64>,
    scores: Vec<Vec<f64>>,
}

impl Assignment {
    /// The total of another assignment.
    pub fn total_of(&self, floors: &[usize]) -> f64 {
        let score = |(row, floor): (&Vec<f64>, &usize)| row.get(*floor).copied().unwrap_or(0.0);
        self.scores.iter().zip(floors).map(score).sum()
    }
}

/// Looks at every assignment of maps (rows) to different floors (columns); there are at most as many maps as floors.
pub(super) fn assign(scores: &[Vec<f64>]) -> Assignment {
    let mut search = Search { scores, best: (f64::NEG_INFINITY, Vec::new()), second: None };
    search.visit(&mut Vec::new(), 0.0);
    let (total, floors) = search.best;
    let gap = search.second.map(|second| total - second);
    Assignment { floors, total, gap, scores: scores.to_vec() }
}

struct Search<'a> {
    scores: &'a [Vec<f64>],
    best: (f64, Vec<usize>),
    second: Option<f64>,
}

impl Search<'_> {
    fn visit(&mut self, chosen: &mut Vec<usize>, total: f64) {
        let Some(row) = self.scores.get(chosen.len()) else {
            self.note(chosen, total);
            return;
        };
        for (floor, score) in row.iter().enumerate() {
            if !chosen.contains(&floor) {
                chosen.push(floor);
                self.visit(chosen, total + score);
                chosen.pop();
            }
        }
    }

    /// Of equal totals the first one stays.
    fn note(&mut self, chosen: &[usize], total: f64) {
        if self.best.1.is_empty() || total > self.best.0 {
            if !self.best.1.is_empty() {
                self.second = Some(self.best.0);
            }
            self.best = (total, chosen.to_vec());
        } else if self.second.is_none_or(|second| total > second) {
            self.second = Some(total);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_total_wins_not_the_best_single_score() {
        // By hand: 0.9 + 0.1 = 1.0 against 0.8 + 0.7 = 1.5.
        let found = assign(&[vec![0.9, 0.8], vec![0.7, 0.1]]);
        assert_eq!(found.floors, [1, 0]);
        assert!((found.total - 1.5).abs() < 1e-12 && (found.gap.unwrap() - 0.5).abs() < 1e-12);
        assert!((found.total_of(&[0, 1]) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn equal_floors_leave_no_gap_and_a_single_one_has_none() {
        assert_eq!(assign(&[vec![0.5, 0.5], vec![0.5, 0.5]]).gap, Some(0.0));
        assert_eq!(assign(&[vec![0.5]]).gap, None);
        assert_eq!(assign(&[vec![0.2, 0.9, 0.3]]).floors, [1]);
    }

    #[test]
    fn eight_floors_are_assigned_at_once() {
        let row = |own: usize| (0..8).map(|floor| if floor == 7 - own { 0.9 } else { 0.2 }).collect();
        let scores: Vec<Vec<f64>> = (0..8).map(row).collect();
        let found = assign(&scores);
        assert_eq!(found.floors, [7, 6, 5, 4, 3, 2, 1, 0]);
        assert!((found.gap.unwrap() - 1.4).abs() < 1e-9);
    }
}
