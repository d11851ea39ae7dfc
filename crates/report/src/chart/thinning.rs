//! A million points on a few hundred pixels: what is kept so that no peak vanishes.

/// Points in pixels, with at most four of each column of `column_px`, in their order: the first, the lowest, the
/// highest and the last one of each visit to the column.
pub(super) fn thin_line(points: impl Iterator<Item = (f64, f64)>, column_px: f64) -> Vec<(f64, f64)> {
    let mut kept = Vec::new();
    let mut column: Vec<(f64, f64)> = Vec::new();
    for point in points {
        let is_new =
            column.first().is_some_and(|&(x, _)| column_of(x, column_px) != column_of(point.0, column_px));
        if is_new {
            kept.append(&mut column);
        }
        column.push(point);
        if column.len() > 4 {
            drop_the_plainest(&mut column);
        }
    }
    kept.append(&mut column);
    kept
}

fn column_of(x: f64, column_px: f64) -> i64 {
    (x / column_px).floor() as i64
}

/// Of five points in order the ends stay, and of the others the one nearest to the middle height goes.
fn drop_the_plainest(column: &mut Vec<(f64, f64)>) {
    let inner = 1..column.len() - 1;
    let by_height = |a: &usize, b: &usize| column[*a].1.total_cmp(&column[*b].1);
    let (Some(lowest), Some(highest)) = (inner.clone().min_by(by_height), inner.clone().max_by(by_height))
    else {
        return;
    };
    if let Some(plain) = inner.clone().find(|&at| at != lowest && at != highest) {
        column.remove(plain);
    }
}

/// The range of the points of each column of a pixel: x, lowest y, highest y, in order of x.
pub(super) fn column_ranges(points: impl Iterator<Item = (f64, f64)>) -> Vec<(f64, f64, f64)> {
    let mut ranges = std::collections::BTreeMap::new();
    for (x, y) in points {
        let range = ranges.entry(column_of(x, 1.0)).or_insert((y, y));
        *range = (range.0.min(y), range.1.max(y));
    }
    ranges.into_iter().map(|(column, (low, high))| (column as f64 + 0.5, low, high)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_peak_of_one_point_among_a_million_is_kept() {
        let point = |i: u32| (f64::from(i) / 2000.0, if i == 777_777 { 200.0 } else { f64::from(i % 7) });
        let line = thin_line((0..1_000_000).map(point), 1.0);
        assert!(line.len() <= 2000 && line.contains(&point(777_777)), "{}", line.len());
        let ranges = column_ranges((0..1_000_000).map(point));
        assert_eq!(ranges.len(), 500);
        assert_eq!(ranges[388], (388.5, 0.0, 200.0));
    }

    proptest! {
        #[test]
        fn extremes_and_ends_survive(ys in prop::collection::vec(-100.0..100.0_f64, 1..200)) {
            let points: Vec<_> = ys.iter().enumerate().map(|(i, &y)| (i as f64 / 17.0, y)).collect();
            let kept = thin_line(points.iter().copied(), 3.0);
            for wanted in [points.iter().min_by(|a, b| a.1.total_cmp(&b.1)), points.iter().max_by(|a, b| a.1.total_cmp(&b.1)),
                           points.first(), points.last()] {
                prop_assert!(kept.iter().any(|k| Some(k) == wanted));
            }
            prop_assert!(kept.windows(2).all(|pair| pair[0].0 < pair[1].0), "in their order");
        }
    }
}
