//! How much of a run relations speak about: time and path between the two times of at least one of them, and how many
//! connected parts they make of their times.

use model::Rigid;
use raster::disjoint_sets::DisjointSets;

use super::track::{Track, path_lengths_m};

/// What relations cover of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Covered {
    /// Share of the time of the run, 0 to 1.
    pub time: f64,
    /// Share of its path, 0 to 1; 0 where it has none.
    pub path: f64,
    /// Connected parts of the times that relations join.
    pub parts: usize,
}

/// What relations between two times each cover of a run; none for a run without a duration.
pub fn covered<P: Rigid>(track: &Track<P>, relations: &[(f64, f64)]) -> Option<Covered> {
    let (first_s, last_s) = track.span_s().filter(|(first_s, last_s)| last_s > first_s)?;
    let intervals = merged(relations, (first_s, last_s));
    // The sum of nothing is -0.
    let time_s = 0.0 + intervals.iter().map(|(from_s, to_s)| to_s - from_s).sum::<f64>();
    let lengths_m = path_lengths_m(track.poses().iter().copied());
    let all_m = lengths_m.last().copied().unwrap_or(0.0);
    let at_m = |time_s: f64| {
        let times_s = track.times_s();
        let after = times_s.partition_point(|time| *time < time_s).clamp(1, times_s.len() - 1);
        let (before_s, after_s) = (times_s[after - 1], times_s[after]);
        let ratio = ((time_s - before_s) / (after_s - before_s)).clamp(0.0, 1.0);
        lengths_m[after - 1] + ratio * (lengths_m[after] - lengths_m[after - 1])
    };
    let path_m = 0.0 + intervals.iter().map(|&(from_s, to_s)| at_m(to_s) - at_m(from_s)).sum::<f64>();
    let path = if all_m > 0.0 { (path_m / all_m).min(1.0) } else { 0.0 };
    Some(Covered { time: (time_s / (last_s - first_s)).min(1.0), path, parts: parts(relations) })
}

/// The intervals of relations within a span, joined where they overlap, in order.
fn merged(relations: &[(f64, f64)], (first_s, last_s): (f64, f64)) -> Vec<(f64, f64)> {
    let within = |&(a_s, b_s): &(f64, f64)| (a_s.min(b_s).max(first_s), a_s.max(b_s).min(last_s));
    let mut intervals: Vec<(f64, f64)> = relations.iter().map(within).filter(|(a, b)| b > a).collect();
    intervals.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut merged: Vec<(f64, f64)> = Vec::new();
    for (from_s, to_s) in intervals {
        match merged.last_mut() {
            Some(last) if from_s <= last.1 => last.1 = last.1.max(to_s),
            _ => merged.push((from_s, to_s)),
        }
    }
    merged
}

fn parts(relations: &[(f64, f64)]) -> usize {
    let mut times_s: Vec<f64> = relations.iter().flat_map(|&(a_s, b_s)| [a_s, b_s]).collect();
    times_s.sort_by(f64::total_cmp);
    times_s.dedup();
    let number = |time_s: f64| times_s.partition_point(|time| *time < time_s) as u32;
    let mut joined = DisjointSets::new(times_s.len());
    let joins = relations.iter().filter(|&&(a_s, b_s)| joined.join(number(a_s), number(b_s))).count();
    times_s.len() - joins
}

#[cfg(test)]
mod tests {
    use model::Pose2;

    use super::*;

    /// Ten seconds: 1 m/s for five, then a stand.
    fn run() -> Track<Pose2> {
        Track::new((0..11).map(|t| (f64::from(t), Pose2::new(f64::from(t.min(5)), 0.0, 0.0))))
    }

    #[test]
    fn time_path_and_parts_by_hand() {
        // 1 to 4 s and 6 to 8 s: 5 of 10 s, 3 of 5 m.
        let found = covered(&run(), &[(1.0, 3.0), (4.0, 2.0), (3.0, 4.0), (6.0, 8.0)]).unwrap();
        assert_eq!(found, Covered { time: 0.5, path: 0.6, parts: 2 });
        let beyond = covered(&run(), &[(-5.0, 2.5), (9.0, 99.0)]).unwrap();
        assert_eq!(beyond, Covered { time: 0.35, path: 0.5, parts: 2 });
    }

    #[test]
    fn nothing_covers_nothing() {
        assert_eq!(covered(&run(), &[]), Some(Covered { time: 0.0, path: 0.0, parts: 0 }));
        assert_eq!(covered(&Track::<Pose2>::default(), &[(0.0, 1.0)]), None);
        let moment = Track::new(std::iter::once((1.0, Pose2::IDENTITY)));
        assert_eq!(covered(&moment, &[(0.0, 1.0)]), None);
    }
}
