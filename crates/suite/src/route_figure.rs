//! The figure of the routes: where the map leads a robot right, where astray, and why, the worst first.

use metrics::paths::path_space::PathSpace;
use metrics::paths::path_usefulness::{Follow, PathUsefulness, Route, RouteClass, routes};
use metrics::{Case, MetricEvidence, Undefined};
use report::{Figure, GROUND_COLOURS, Layer, MetricRecord, Rgb, fixed};

use crate::JobError;

/// Colours of Okabe and Ito (2008), drawn in this order; later ones lie on top.
const COLOURS: [(Shown, Rgb, &str); 6] = [
    (Shown::Correct, [0, 158, 115], "green: correct"),
    (Shown::Detour, [230, 159, 0], "orange: detour"),
    (Shown::Shortcut, [86, 180, 233], "light blue: shortcut"),
    (Shown::NoInformation, [0, 114, 178], "blue: the map does not know the target, true path shown"),
    (Shown::Blocked, [213, 94, 0], "vermilion: blocked, true path shown"),
    (Shown::ThroughWall, [204, 121, 167], "purple: through a wall"),
];

/// How many routes the caption explains.
const EXPLAINED: usize = 8;

/// What a route looks like in the figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Shown {
    Correct,
    Detour,
    Shortcut,
    NoInformation,
    Blocked,
    ThroughWall,
}

/// The routes of a case drawn over its truth; none if the case has no robot or no route.
pub fn route_figure(case: &Case, metrics: &[MetricRecord]) -> Result<Option<Figure>, JobError> {
    if !case.has_paths() {
        return Ok(None);
    }
    let Ok((space, mut found)) = found_routes(case, &rules(metrics)) else { return Ok(None) };
    found.retain(|route| route.class != RouteClass::Invalid);
    if found.is_empty() {
        return Ok(None);
    }
    let lines = COLOURS.map(|(kind, colour, meaning)| {
        let of_kind = found.iter().filter(|route| shown(route) == kind);
        (colour, meaning, of_kind.flat_map(|route| route.cells.iter().copied()).collect())
    });
    let (truth, geometry) = (&space.truth, space.truth.geometry());
    let layers = vec![
        Layer::classes("truth", geometry, truth.classes(), GROUND_COLOURS),
        Layer::lines("routes", geometry, &lines)?,
    ];
    Ok(Some(Figure::new("routes", "Routes", caption(space, &mut found), layers)))
}

/// The rules behind the number, so that figure and number agree; those of the paper where no number was asked for.
fn rules(metrics: &[MetricRecord]) -> PathUsefulness {
    let routes = metrics.iter().find_map(|record| match &record.evidence.of_metric {
        Some(MetricEvidence::Routes(routes)) => Some(routes),
        _ => None,
    });
    routes.map_or(PathUsefulness::PAPER, |routes| routes.rules.clone())
}

fn found_routes<'a>(
    case: &'a Case,
    rules: &PathUsefulness,
) -> Result<(&'a PathSpace, Vec<Route>), Undefined> {
    let space = case.paths()?;
    let start = space.start()?;
    Ok((space, routes(space, &start, rules, Follow::Keep)?))
}

const fn shown(route: &Route) -> Shown {
    match (route.class, route.wall) {
        (RouteClass::Blocked, _) => Shown::Blocked,
        (RouteClass::NoInformation, _) => Shown::NoInformation,
        (_, Some(_)) => Shown::ThroughWall,
        (RouteClass::Detour, None) => Shown::Detour,
        (RouteClass::Shortcut, None) => Shown::Shortcut,
        (_, None) => Shown::Correct,
    }
}

/// Legend, then the worst routes with their reasons.
fn caption(space: &PathSpace, found: &mut [Route]) -> String {
    let legend = COLOURS.map(|(_, _, meaning)| meaning).join("; ");
    let length = |route: &Route| route.truth_steps.map_or(0.0, |steps| space.metres(steps));
    found.sort_by(|a, b| shown(b).cmp(&shown(a)).then(length(b).total_cmp(&length(a))));
    let wrong: Vec<&Route> = found.iter().filter(|route| shown(route) != Shown::Correct).collect();
    let total = found.len();
    if wrong.is_empty() {
        return format!("{legend}. All {total} routes are correct.");
    }
    let worst: Vec<String> = wrong.iter().take(EXPLAINED).map(|route| sentence(space, route)).collect();
    format!("{legend}. {} of {total} routes are wrong, the worst first. {}", wrong.len(), worst.join(" "))
}

fn place_words(x_m: f64, y_m: f64) -> String {
    format!("({}, {})", fixed(x_m, 2), fixed(y_m, 2))
}

/// Why a route is wrong.
fn sentence(space: &PathSpace, route: &Route) -> String {
    let metres = |steps: Option<_>| steps.map_or(0.0, |steps| space.metres(steps));
    let (true_m, map_m) = (metres(route.truth_steps), metres(route.map_steps));
    let to = format!("To {} m", place_words(route.target.place.x_m, route.target.place.y_m));
    let percent = 100.0 * (map_m / true_m - 1.0).abs();
    match shown(route) {
        Shown::Blocked => format!("{to}: the map has no path, the truth one of {true_m:.1} m."),
        Shown::NoInformation => {
            format!("{to}: the map does not know the place; the true path has {true_m:.1} m.")
        }
        Shown::Detour => format!("{to}: {map_m:.1} m instead of {true_m:.1} m, {percent:.0} % too long."),
        Shown::Shortcut => format!("{to}: {map_m:.1} m instead of {true_m:.1} m, {percent:.0} % too short."),
        Shown::ThroughWall => {
            let at = route.wall.map(|cell| space.place(cell));
            let at = at.map_or_else(String::new, |p| format!(" at {} m", place_words(p.x_m, p.y_m)));
            format!("{to}: the path of {map_m:.1} m leads through a wall of the truth{at}.")
        }
        Shown::Correct => format!("{to}: correct."),
    }
}
