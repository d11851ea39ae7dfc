//! The figures of a run: errors over time and over the distance travelled, the path from above, and what was matched.

use align::trajectory::Fittable;
use metrics::trajectory::absolute_errors::Errors;
use metrics::trajectory::error_clusters::{ClusterRule, clusters, running_mean};
use metrics::trajectory::relation_errors::{RelationError, RelationTime};
use metrics::trajectory::relative_displacement::{RelativeDisplacement, error_over_time};
use metrics::trajectory::{Run, Runs};
use model::{Point2, Rigid};
use report::chart::{
    Association, Axis, PathPoint, Place, RelationLine, Series, Span, Timeline, TopView, association,
    error_over, top_view,
};
use report::{Figure, MetricRecord};

use super::errors::{absolute, relative};
use crate::{JobError, Loaded, Map};

/// The rule of T-PLOT for the errors of poses; relations have that of their metric.
const RULE: ClusterRule = ClusterRule { window_s: 10.0, factor: 3.0, min_error: 0.001 };
/// Places that are ringed.
const WORST: usize = 5;
const METRES: Axis<'_> = Axis { label: "translation error", unit: "m" };

/// A map to draw paths on.
struct Background {
    png: Vec<u8>,
    min: Point2,
    max: Point2,
}

impl Background {
    fn new(map: &Map) -> Result<Self, JobError> {
        let geometry = map.grid.geometry();
        let origin = geometry.origin();
        let [width_m, height_m] =
            [geometry.width(), geometry.height()].map(|cells| cells as f64 * geometry.cell_size_m());
        let png = formats::write_png(&map.grid)
            .map_err(|source| JobError::File { path: "background".to_owned(), source })?;
        let min = Point2::new(origin.x_m, origin.y_m);
        Ok(Self { png, min, max: Point2::new(min.x_m + width_m, min.y_m + height_m) })
    }

    fn view(&self) -> report::chart::Background<'_> {
        report::chart::Background { png: &self.png, min: self.min, max: self.max }
    }
}

/// Draws a run.
pub(crate) fn run_figures(
    runs: &Runs,
    metrics: &[MetricRecord],
    background: Option<&Loaded<Map>>,
) -> Result<Vec<Figure>, JobError> {
    let background = background.map(|map| Background::new(&map.value)).transpose()?;
    Ok(match runs {
        Runs::Planar(run) => figures_of(run, metrics, background.as_ref()),
        Runs::Spatial(run) => figures_of(run, metrics, background.as_ref()),
    })
}

/// The figures show the errors that the metrics counted, under the same parameters.
fn figures_of<P: Fittable>(
    run: &Run<P>,
    metrics: &[MetricRecord],
    background: Option<&Background>,
) -> Vec<Figure> {
    let mut found = Vec::new();
    let how = absolute(metrics).unwrap_or_default();
    if let Ok(errors) = how.measure(run, Rigid::distance_m) {
        found.extend(absolute_over_time(&errors));
        found.extend(absolute_over_distance(run, &errors));
        found.extend(path_from_above(run, &errors, background));
    }
    found.extend(association_plot(run));
    let how = relative(metrics).unwrap_or_default();
    if let Ok(measured) = how.errors(run) {
        found.extend(relations_over_time(&measured.errors, &how));
        found.extend(relations_from_above(run, &measured.errors, background));
    }
    found
}

fn figure(name: &str, title: &str, caption: &str, svg: Option<String>) -> Option<Figure> {
    svg.map(|svg| Figure::chart(name, title, caption, svg))
}

/// Clusters with their place on an axis that starts at `start`.
fn spans(points: &[(f64, f64)], start: f64, rule: ClusterRule) -> Vec<Span> {
    let named = |(index, c): (usize, &metrics::trajectory::error_clusters::Cluster)| Span {
        start: c.start_s - start,
        end: c.end_s - start,
        peak: c.peak,
        label: format!("cluster {}", index + 1),
    };
    clusters(points, rule).iter().enumerate().map(named).collect()
}

fn over_time(
    name: &str,
    title: &str,
    points: &[(f64, f64)],
    rule: ClusterRule,
    about: &str,
) -> Option<Figure> {
    let start = points.first()?.0;
    let means = running_mean(points, rule.window_s);
    let shifted: Vec<(f64, f64)> = points.iter().map(|&(t, e)| (t - start, e)).collect();
    let mean: Vec<(f64, f64)> = shifted.iter().zip(means).map(|(&(t, _), m)| (t, m)).collect();
    let series = [Series { label: "error", points: &shifted, running_mean: &mean }];
    let time = Axis { label: "time since the first", unit: "s" };
    let ClusterRule { window_s, factor, .. } = rule;
    let caption = format!(
        "{about}, its running mean over {window_s} s, and the clusters in which that mean is more than {factor} times \
         the median: there the run was lost, or the truth is wrong."
    );
    figure(name, title, &caption, error_over(time, METRES, &series, &spans(points, start, rule)))
}

fn absolute_over_time<P: Fittable>(errors: &Errors<P>) -> Option<Figure> {
    let points: Vec<(f64, f64)> = errors.times_s.iter().copied().zip(errors.errors.iter().copied()).collect();
    over_time("error_over_time", "Position error over time", &points, RULE, "Each error")
}

fn absolute_over_distance<P: Fittable>(run: &Run<P>, errors: &Errors<P>) -> Option<Figure> {
    let mut travelled_m = 0.0;
    let mut last: Option<P> = None;
    let mut points = Vec::with_capacity(errors.errors.len());
    for (pair, &error) in run.pairs().ok()?.zip(&errors.errors) {
        travelled_m += last.map_or(0.0, |last| pair.truth.seen_from(last).distance_m());
        last = Some(pair.truth);
        points.push((travelled_m, error));
    }
    let series = [Series { label: "error", points: &points, running_mean: &[] }];
    let travelled = Axis { label: "distance travelled", unit: "m" };
    let caption = "Each position error over the length of the true path.";
    figure(
        "error_over_distance",
        "Position error over the distance travelled",
        caption,
        error_over(travelled, METRES, &series, &[]),
    )
}

fn point(pose: impl Rigid) -> Point2 {
    let [x_m, y_m, _] = pose.position_m();
    Point2::new(x_m, y_m)
}

fn path_from_above<P: Fittable>(
    run: &Run<P>,
    errors: &Errors<P>,
    background: Option<&Background>,
) -> Option<Figure> {
    let truth: Vec<Point2> =
        run.truth.as_ref()?.poses().iter().map(|&pose| point(run.in_plane(pose))).collect();
    let place = |(pair, &error): (align::trajectory::Pair<P>, &f64)| PathPoint {
        at: point(run.in_plane(errors.fit.apply(pair.estimate))),
        error: Some(error),
    };
    let path: Vec<PathPoint> = run.pairs_as_read().ok()?.zip(&errors.errors).map(place).collect();
    let view = TopView {
        error_label: "translation error",
        error_unit: "m",
        path: &path,
        truth: &truth,
        relations: &[],
        worst: &worst_places(&path, &errors.times_s),
        background: background.map(Background::view),
    };
    let caption =
        "The estimate, laid on the truth and coloured by its error; the truth is the thin grey line.";
    figure("path", "The path from above", caption, top_view(&view))
}

/// The worst poses, each at least a twentieth of the run away from a worse one.
fn worst_places(path: &[PathPoint], times_s: &[f64]) -> Vec<Place> {
    let error = |index: usize| path[index].error.unwrap_or(0.0);
    let mut order: Vec<usize> = (0..path.len()).collect();
    order.sort_by(|&a, &b| error(b).total_cmp(&error(a)).then(a.cmp(&b)));
    let mut chosen: Vec<usize> = Vec::new();
    for index in order {
        if chosen.iter().all(|&other| index.abs_diff(other) > path.len() / 20) {
            chosen.push(index);
        }
        if chosen.len() == WORST {
            break;
        }
    }
    let start = times_s.first().copied().unwrap_or(0.0);
    let place = |&index: &usize| Place {
        at: path[index].at,
        label: format!("{:.3} m at {:.1} s", error(index), times_s[index] - start),
    };
    chosen.iter().map(place).collect()
}

fn association_plot<P: Fittable>(run: &Run<P>) -> Option<Figure> {
    let truth = run.truth.as_ref()?;
    let start = truth.span_s()?.0.min(run.estimate.span_s()?.0);
    let mut truth_met = vec![false; truth.len()];
    let mut estimate_met: Vec<f64> = Vec::new();
    let mut pairs_s = Vec::new();
    for pair in run.matches.pairs(&run.estimate, truth) {
        truth_met[pair.truth_index] = true;
        estimate_met.push(pair.time_s - start);
        pairs_s.push((truth.times_s()[pair.truth_index] - start, pair.time_s - start));
    }
    let of_truth = |met: bool| -> Vec<f64> {
        let times = truth.times_s().iter().zip(&truth_met);
        times.filter(|(_, is_met)| **is_met == met).map(|(time_s, _)| time_s - start).collect()
    };
    let is_met = |time_s: f64| estimate_met.binary_search_by(|met| met.total_cmp(&time_s)).is_ok();
    let unmatched: Vec<f64> = run
        .estimate
        .times_s()
        .iter()
        .map(|time_s| time_s - start)
        .filter(|&time_s| !is_met(time_s))
        .collect();
    let (met, missed) = (of_truth(true), of_truth(false));
    let gaps: Vec<(f64, f64)> = met
        .windows(2)
        .filter(|pair| pair[1] - pair[0] > run.association.max_gap_s)
        .map(|pair| (pair[0], pair[1]))
        .collect();
    let plot = Association {
        truth: Timeline { label: "truth", matched_s: &met, unmatched_s: &missed },
        estimate: Timeline { label: "estimate", matched_s: &estimate_met, unmatched_s: &unmatched },
        pairs_s: &pairs_s,
        gaps_s: &gaps,
    };
    let caption = "Which poses found a partner in time, and where the truth was not met for longer than the gap allows.";
    figure("association", "What was matched", caption, association(&plot))
}

fn relations_over_time(errors: &[RelationError], how: &RelativeDisplacement) -> Option<Figure> {
    let about = match how.time {
        RelationTime::End => "Each error at the second time of its relation",
        RelationTime::Middle => "Each error at the mean of both times of its relation",
    };
    let points = error_over_time(errors, how.time);
    over_time("relations_over_time", "Relation error over time", &points, how.cluster_rule(), about)
}

fn relations_from_above<P: Fittable>(
    run: &Run<P>,
    errors: &[RelationError],
    background: Option<&Background>,
) -> Option<Figure> {
    let poses = run.estimate.poses();
    let path: Vec<PathPoint> = poses.iter().map(|&pose| PathPoint { at: point(pose), error: None }).collect();
    let line = |error: &RelationError| RelationLine {
        from: point(poses[error.from_pose]),
        to: point(poses[error.to_pose]),
        error: error.translation_m,
    };
    let relations: Vec<RelationLine> = errors.iter().map(line).collect();
    let mut order: Vec<&RelationError> = errors.iter().collect();
    order.sort_by(|a, b| b.translation_m.total_cmp(&a.translation_m).then(a.index.cmp(&b.index)));
    let place = |error: &&RelationError| Place {
        at: point(poses[error.to_pose]),
        label: format!("relation {}: {:.3} m", error.index + 1, error.translation_m),
    };
    let worst: Vec<Place> = order.iter().take(WORST).map(place).collect();
    let view = TopView {
        error_label: "translation error",
        error_unit: "m",
        path: &path,
        truth: &[],
        relations: &relations,
        worst: &worst,
        background: background.map(Background::view),
    };
    let caption = "The estimate with its relations, each coloured by its error.";
    figure("relations", "Relations on the path", caption, top_view(&view))
}
