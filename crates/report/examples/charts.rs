//! Draws every chart from generated data, to look at them:
//! `cargo run -p mapjudge-report --example charts -- DIR`.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::path::{Path, PathBuf};

use mapjudge_report::chart::{
    Association, Axis, Background, BoxSummary, PathPoint, Place, Ranked, RelationLine, Series, Span,
    Timeline, TopView, association, box_plot, error_over, rank_interval, top_view,
};
use mapjudge_report::overlay_figure;
use model::CellClass::{Free, Occupied, Unknown};
use model::{Grid, GridGeometry, Point2, Pose2};

const TIME: Axis<'_> = Axis { label: "time", unit: "s" };
const ERROR: Axis<'_> = Axis { label: "translation error", unit: "m" };
const NAMES: [&str; 6] = [
    "graph",
    "graph without loops",
    "particle filter",
    "scan matching",
    "<b>odometry & co</b>",
    "team_WWWWWWWWWWWWWWWWWWWW_final_v3",
];

fn main() {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| "charts".to_owned()));
    std::fs::create_dir_all(&folder).unwrap();
    write(&folder, "series", &series(400));
    write(&folder, "series_of_a_million", &series(1_000_000));
    write(&folder, "series_of_runs", &series_of_runs());
    write(&folder, "top_view", &view(3000, 30));
    write(&folder, "top_view_of_a_million", &view(1_000_000, 200_000));
    write(&folder, "top_view_bare", &bare_view());
    write(&folder, "box_plot", &boxes(0.3));
    write(&folder, "box_plot_with_a_lost_run", &boxes(40.0));
    write(&folder, "association", &stamps(60));
    write(&folder, "association_of_a_million", &stamps(1_000_000));
    write(&folder, "rank_interval", &ranking());
}

fn write(folder: &Path, name: &str, svg: &str) {
    let path = folder.join(format!("{name}.svg"));
    std::fs::write(&path, svg).unwrap();
    println!("{} ({} bytes)", path.display(), svg.len());
}

/// A number between 0 and 1 that looks like chance.
fn chance(index: usize) -> f64 {
    let mixed = (index as u64).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    ((mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 11) as f64 / (1_u64 << 53) as f64
}

/// Seconds and error of a run of 600 s that was lost twice.
fn errors(count: usize, seed: usize) -> Vec<(f64, f64)> {
    let error = |index: usize| {
        let time_s = 600.0 * index as f64 / count as f64;
        let lost =
            if (200.0..250.0).contains(&time_s) || (262.0..270.0).contains(&time_s) { 0.6 } else { 0.05 };
        (
            976_052_896.0 + time_s,
            (lost + 0.02 * seed as f64) * (0.3 - (1.0 - chance(index * 7 + seed)).ln() * 0.5),
        )
    };
    (0..count).map(error).collect()
}

fn mean(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let window = (points.len() / 60).max(1);
    let mut sum: f64 = points[..window].iter().map(|point| point.1).sum();
    let mut mean = Vec::new();
    for (first, next) in points.iter().zip(&points[window..]) {
        mean.push(((first.0 + next.0) / 2.0, sum / window as f64));
        sum += next.1 - first.1;
    }
    mean
}

fn spans() -> Vec<Span> {
    [(200.0, 250.0, 0.55), (262.0, 270.0, 0.45), (500.0, 504.0, 0.2)]
        .iter()
        .enumerate()
        .map(|(index, &(start, end, peak))| Span {
            start: 976_052_896.0 + start,
            end: 976_052_896.0 + end,
            peak,
            label: format!("{}: {start} to {end} s, {peak} m", index + 1),
        })
        .collect()
}

fn series(count: usize) -> String {
    let points = errors(count, 0);
    let run = Series { label: "graph", points: &points, running_mean: &mean(&points) };
    error_over(TIME, ERROR, &[run], &spans()).unwrap()
}

fn series_of_runs() -> String {
    let runs: Vec<_> = (0..NAMES.len()).map(|seed| errors(300, seed * 4)).collect();
    let means: Vec<_> = runs.iter().map(|run| mean(run)).collect();
    let series: Vec<_> = (0..NAMES.len())
        .map(|index| Series { label: NAMES[index], points: &runs[index], running_mean: &means[index] })
        .collect();
    error_over(TIME, ERROR, &series, &[]).unwrap()
}

fn place(share: f64) -> Point2 {
    let angle = share * 40.0;
    Point2::new(12.0 * angle.sin() + 4.0 * (angle * 0.31).cos(), 6.0 * (angle * 1.37).cos())
}

fn view(count: usize, relation_count: usize) -> String {
    let moved =
        |share: f64| 0.4 * (share * 9.0).sin().abs() + if (0.6..0.63).contains(&share) { 1.2 } else { 0.0 };
    let share = |index: usize| index as f64 / count as f64;
    let point = |index: usize| {
        let (at, error) = (place(share(index)), moved(share(index)));
        let is_judged = !(0.3..0.33).contains(&share(index));
        PathPoint {
            at: Point2::new(at.x_m + error * 0.7, at.y_m - error * 0.7),
            error: is_judged.then_some(error),
        }
    };
    let path: Vec<_> = (0..count).map(point).collect();
    let truth: Vec<_> = (0..count).map(|index| place(share(index))).collect();
    let relation = |index: usize| {
        let (a, b) = ((chance(index) * count as f64) as usize, (chance(index + 99) * count as f64) as usize);
        RelationLine { from: path[a].at, to: path[b].at, error: 0.4 * chance(index + 7) }
    };
    let relations: Vec<_> = (0..relation_count).map(relation).collect();
    let worst: Vec<_> = [0.61, 0.615, 0.18, 0.5, 0.9]
        .iter()
        .map(|&at| Place {
            at: path[(at * count as f64) as usize].at,
            label: format!("{:.2} m at {:.0} s", moved(at), at * 600.0),
        })
        .collect();
    let background = map();
    top_view(&TopView {
        error_label: "translation error",
        error_unit: "m",
        path: &path,
        truth: &truth,
        relations: &relations,
        worst: &worst,
        background: Some(Background {
            png: &background,
            min: Point2::new(-20.0, -9.0),
            max: Point2::new(20.0, 9.0),
        }),
    })
    .unwrap()
}

/// A hall with a pillar, as an image.
fn map() -> Vec<u8> {
    let cell = |index: usize| {
        let (column, row) = (index % 160, index / 160);
        let wall = column.min(159 - column) == 4
            || row.min(71 - row) == 4
            || (78..83).contains(&column) && (34..38).contains(&row);
        match column.min(159 - column).min(row.min(71 - row)) {
            0..=3 => Unknown,
            _ if wall => Occupied,
            _ => Free,
        }
    };
    let plane: Vec<_> = (0..160 * 72).map(cell).collect();
    let geometry = GridGeometry::new(160, 72, 0.05, Pose2::IDENTITY).unwrap();
    let grid = Grid::new(geometry, plane).unwrap();
    overlay_figure(&grid, &grid).unwrap().cells_png().unwrap()
}

fn bare_view() -> String {
    let path: Vec<_> = (0..200)
        .map(|i| PathPoint {
            at: Point2::new(f64::from(i) * 0.001, 0.02 * (f64::from(i) * 0.1).sin()),
            error: Some(f64::from(i % 50) * 1e-4),
        })
        .collect();
    top_view(&TopView {
        error_label: "rotation error",
        error_unit: "deg",
        path: &path,
        truth: &[],
        relations: &[],
        worst: &[],
        background: None,
    })
    .unwrap()
}

fn boxes(last: f64) -> String {
    let sizes = [0.05, 0.08, 0.1, 0.2, 0.25, last];
    let summary = |(index, &size): (usize, &f64)| {
        let samples: Vec<f64> = errors(800, index).iter().map(|point| point.1 * size / 0.05).collect();
        BoxSummary::of(NAMES[index], &samples).unwrap()
    };
    let boxes: Vec<_> = sizes.iter().enumerate().map(summary).collect();
    box_plot(ERROR, &boxes).unwrap()
}

fn stamps(count: usize) -> String {
    let all: Vec<f64> = (0..count).map(|index| 120.0 * index as f64 / count as f64).collect();
    let is_lost = |time_s: f64| (40.0..52.0).contains(&time_s) || (80.0..84.0).contains(&time_s);
    let (unmatched, matched): (Vec<f64>, Vec<f64>) = all.into_iter().partition(|&time_s| is_lost(time_s));
    let estimate: Vec<f64> = matched.iter().map(|time_s| time_s + 0.6).collect();
    let pairs: Vec<_> = matched.iter().copied().zip(estimate.iter().copied()).collect();
    association(&Association {
        truth: Timeline { label: "truth.tum", matched_s: &matched, unmatched_s: &unmatched },
        estimate: Timeline { label: "run.tum", matched_s: &estimate, unmatched_s: &[47.0, 131.0, 132.5] },
        pairs_s: &pairs,
        gaps_s: &[(40.0, 52.0), (80.0, 84.0)],
    })
    .unwrap()
}

fn ranking() -> String {
    let run = |label: &str, value: Option<f64>, unranked: Option<&str>| Ranked {
        label: label.into(),
        value,
        interval: value.map(|value| (value * 0.85, value * 1.2)),
        unranked: unranked.map(str::to_owned),
    };
    let runs = [
        run(NAMES[0], Some(0.062_812), None),
        run(NAMES[1], Some(0.071), None),
        run(NAMES[2], Some(0.13), None),
        run(NAMES[5], Some(0.02), Some("10 % of the truth covered, 80 % asked for")),
        run(NAMES[4], None, Some("no pose matched")),
    ];
    rank_interval(Axis { label: "ATE", unit: "m" }, &runs).unwrap()
}
