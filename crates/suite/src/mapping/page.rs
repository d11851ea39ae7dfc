//! The page of a map: the run to play, the path over the map, and the figures of each step.

use model::{Grid, Point2, Pose2};
use report::chart::{Axis, Background, PathPoint, Series, TopView, error_over, top_view};
use report::{Figure, GROUND_COLOURS, Layer, RunPage, run_page};

use super::{MapReport, MapResult, StepRecord};
use crate::JobError;

const TIME: Axis<'static> = Axis { label: "time since the first scan", unit: "s" };

/// The page `index.html` of a map.
///
/// # Errors
/// A figure cannot be drawn.
pub fn map_page(result: &MapResult) -> Result<String, JobError> {
    let report = &result.report;
    let matched = format!("{} of {}", report.matched, report.scans);
    let mut facts = vec![("self-check", soundness(report)), ("scans matched", matched)];
    facts.push(("loop closures", report.loops.to_string()));
    facts.extend(report.keyframes.map(|count| ("keyframes", count.to_string())));
    facts.push(("distance travelled", format!("{:.1} m", distance_m(result))));
    facts.extend(report.ms_per_scan.map(|times| ("time per scan", format!("{:.1} ms", times.p50))));
    facts.push(("mapper", report.mapper.name.to_owned()));
    let title = if report.log.is_empty() { "Map" } else { &report.log };
    let mut figures = Vec::new();
    figures.extend(path_figure(result)?);
    figures.extend(step_figures(&result.steps));
    Ok(run_page(&RunPage {
        title: title.to_owned(),
        kind: "Map",
        facts,
        findings: &report.findings,
        map: Some(&result.map),
        frames: &result.frames,
        loop_closures: &result.loop_closures,
        figures,
        ..RunPage::default()
    })?)
}

/// The verdict of the self-check in words.
fn soundness(report: &MapReport) -> String {
    let doubt = report.self_check.doubt;
    match report.self_check.verdict {
        Some(verdict) => format!("{} (doubt {doubt:.2}; below 1 is sound)", verdict.name()),
        None => "no two scans could be compared".to_owned(),
    }
}

fn distance_m(result: &MapResult) -> f64 {
    let places: Vec<Pose2> =
        result.trajectory.poses.iter().map(|pose| pose.world_from_robot.planar()).collect();
    places.windows(2).map(|pair| pair[0].position().distance_m(pair[1].position())).sum()
}

/// The path over the map, coloured by how well the scans fit.
fn path_figure(result: &MapResult) -> Result<Option<Figure>, JobError> {
    let point = |(pose, step): (&model::StampedPose, &StepRecord)| PathPoint {
        at: pose.world_from_robot.planar().position(),
        error: step.step.on_surface.map(|share| 100.0 * (1.0 - share)),
    };
    let path: Vec<PathPoint> = result.trajectory.poses.iter().zip(&result.steps).map(point).collect();
    let image = background(&result.map)?;
    let svg = top_view(&TopView {
        error_label: "points of a scan that lie on no wall",
        error_unit: "%",
        path: &path,
        truth: &[],
        relations: &[],
        worst: &[],
        background: image.as_ref().map(|(png, [min, max])| Background { png, min: *min, max: *max }),
    });
    let caption = "The path over the map, coloured by the share of each scan that lies on no wall of the map so far. \
                   Grey: not matched, or the robot stood.";
    Ok(svg.map(|svg| Figure::chart("path", "Path over the map", caption, svg)))
}

/// The bytes of a PNG, and its lower left and upper right corner.
type PlacedImage = (Vec<u8>, [Point2; 2]);

/// The image of a map and its corners; none of a map that is turned, which an image cannot be.
fn background(map: &Grid) -> Result<Option<PlacedImage>, JobError> {
    let geometry = map.geometry();
    if geometry.origin().theta_rad != 0.0 {
        return Ok(None);
    }
    let layer = Layer::classes("map", geometry, map.class_bytes(), GROUND_COLOURS);
    let png = Figure::new("map", "Map", "", vec![layer]).cells_png()?;
    let min = geometry.origin().position();
    let cell_m = geometry.cell_size_m();
    let (wide_m, high_m) = (geometry.width() as f64 * cell_m, geometry.height() as f64 * cell_m);
    Ok(Some((png, [min, Point2::new(min.x_m + wide_m, min.y_m + high_m)])))
}

/// Fit, pose and computing time over time.
fn step_figures(steps: &[StepRecord]) -> Vec<Figure> {
    let Some(start_s) = steps.first().map(|step| step.time_s) else { return Vec::new() };
    let over = |value: &dyn Fn(&StepRecord) -> Option<f64>| -> Vec<(f64, f64)> {
        steps.iter().filter_map(|step| Some((step.time_s - start_s, value(step)?))).collect()
    };
    let dots = |label: &'static str, points: &[(f64, f64)], y: Axis<'_>| {
        error_over(TIME, y, &[Series { label, points, running_mean: &[] }], &[])
    };
    let fit = over(&|step| Some(100.0 * step.step.on_surface?));
    let fit = dots("scan", &fit, Axis { label: "points on walls", unit: "%" });
    let (x, y) = (over(&|step| Some(step.map_from_robot.x_m)), over(&|step| Some(step.map_from_robot.y_m)));
    let lines = [
        Series { label: "x", points: &[], running_mean: &x },
        Series { label: "y", points: &[], running_mean: &y },
    ];
    let place = error_over(TIME, Axis { label: "place", unit: "m" }, &lines, &[]);
    let heading = over(&|step| Some(step.map_from_robot.theta_rad.to_degrees()));
    let heading = dots("heading", &heading, Axis { label: "heading", unit: "°" });
    let times = over(&|step| Some(step.took_ms));
    let times = dots("step", &times, Axis { label: "computing time", unit: "ms" });
    let figure = |(name, title, caption, svg): (&str, &str, &str, Option<String>)| {
        svg.map(|svg| Figure::chart(name, title, caption, svg))
    };
    [
        ("fit", "Fit of the scans", "Share of each matched scan that lies on walls of the map so far.", fit),
        ("place", "Place over time", "As it was known when each scan came.", place),
        ("heading", "Heading over time", "As it was known when each scan came.", heading),
        ("times", "Computing time", "Time of each step on this machine.", times),
    ]
    .into_iter()
    .filter_map(figure)
    .collect()
}
