use std::f64::consts::SQRT_2;

use explore::{Discomfort, Units};
use testkit::grid;

use super::*;

/// 10-E1.
const E1: [&str; 6] = ["#########", "#.....??#", "#.###.??#", "#.#.....#", "#.......#", "#########"];

/// 10-E3: two rooms with a door, the only unknown cell at row 7, column 12.
fn e3() -> Vec<String> {
    (0..10)
        .map(|row| {
            let cell = |column: usize| match (row, column) {
                (7, 12) => '?',
                (1..=4 | 6..=8, 1..=11) | (5, 5..=7) => '.',
                _ => '#',
            };
            (0..13).map(cell).collect()
        })
        .collect()
}

/// The centre of a cell of a map of cells of 1 m.
fn at<S: AsRef<str>>(rows: &[S], [row, column]: [usize; 2]) -> Point2 {
    Point2::new(column as f64 + 0.5, (rows.len() - 1 - row) as f64 + 0.5)
}

fn request<S: AsRef<str>>(
    rows: &[S],
    start: [usize; 2],
    alpha: f64,
    d_min_m: f64,
    d_opt_m: f64,
) -> RouteRequest {
    let place = at(rows, start);
    let discomfort = Discomfort { alpha, d_min_m, d_opt_m, units: Units::Cells, ..Discomfort::default() };
    RouteRequest {
        start: Pose2::new(place.x_m, place.y_m, 0.0),
        goal: RouteGoal::Explore,
        planning: Planning { discomfort, ..Planning::default() },
    }
}

fn planned<S: AsRef<str>>(rows: &[S], request: &RouteRequest) -> Result<RoutePlan, JobError> {
    let rows: Vec<&str> = rows.iter().map(AsRef::as_ref).collect();
    plan_route(&Loaded::in_memory(Map::new(grid(&rows))), request)
}

fn near(found: Option<f64>, expected: f64) -> bool {
    found.is_some_and(|found| (found - expected).abs() < 5e-5)
}

#[test]
fn n_et_e1_frontiers_transform_and_path() {
    let plan = planned(&E1, &request(&E1, [4, 1], 0.0, 0.0, 0.0)).unwrap();
    let report = &plan.report;
    assert_eq!(report.frontiers.len(), 1, "all four cells touch");
    assert_eq!(report.frontiers[0].row_column, [[1, 5], [2, 5], [3, 6], [3, 7]]);
    assert!(near(report.phi, 5.414_214));
    let path = report.path.as_ref().unwrap();
    assert_eq!(path.row_column, [[4, 1], [4, 2], [4, 3], [3, 4], [3, 5], [2, 5]]);
    let phi = |cell| planned(&E1, &request(&E1, cell, 0.0, 0.0, 0.0)).unwrap().report.phi;
    assert!(near(phi([1, 1]), 4.0) && near(phi([3, 1]), 6.0) && near(phi([3, 3]), 3.0));
}

#[test]
fn n_path_e3_short_and_safe_paths() {
    let rows = e3();
    for (alpha, phi, length, danger, clearance) in
        [(0.5, 13.5, 12.485_281, 2.0294, SQRT_2), (5.0, 21.208_504, 13.656_854, 1.5103, 2.0)]
    {
        let plan = planned(&rows, &request(&rows, [1, 1], alpha, 1.0, 2.0)).unwrap();
        let path = plan.report.path.as_ref().unwrap();
        assert!(near(plan.report.phi, phi), "{alpha}: {:?}", plan.report.phi);
        assert!(near(Some(path.length_m), length) && near(Some(path.summed_danger), danger), "{path:?}");
        assert!(near(path.min_clearance_m, clearance), "{path:?}");
        assert_eq!(path.row_column.last(), Some(&[7, 11]));
    }
    let short = planned(&rows, &request(&rows, [1, 1], 0.0, 1.0, 2.0)).unwrap();
    assert!(near(short.report.phi, 12.485_281));
    let unsafe_only = planned(&rows, &request(&rows, [1, 1], 0.0, 2.0, 2.0)).unwrap();
    assert_eq!(unsafe_only.report.ending, RouteEnding::UnsafeFrontier);
    assert_eq!(unsafe_only.report.verdict(), Verdict::Undefined);
}

#[test]
fn one_target_gives_the_path_transform() {
    let goal = RouteGoal::Target(at(&E1, [4, 7]));
    let plan = planned(&E1, &RouteRequest { goal, ..request(&E1, [4, 1], 0.0, 0.0, 0.0) }).unwrap();
    assert!(near(plan.report.phi, 6.0) && plan.report.goal == "target");
    assert!(plan.report.frontiers.iter().all(|frontier| !frontier.is_chosen));
}

#[test]
fn no_path_has_a_reason() {
    let closed = ["#####", "#...#", "#####", "#...#", "#####"];
    let ending = |goal: RouteGoal, d_min_m: f64| {
        let request = RouteRequest { goal, ..request(&closed, [1, 1], 0.0, d_min_m, d_min_m) };
        let report = planned(&closed, &request).unwrap().report;
        assert!(report.reason.is_some() && report.path.is_none() && report.verdict() == Verdict::Undefined);
        report.ending
    };
    assert_eq!(ending(RouteGoal::Explore, 0.0), RouteEnding::NoFrontier);
    assert_eq!(ending(RouteGoal::Target(at(&closed, [3, 1])), 0.0), RouteEnding::Unreachable);
    assert_eq!(ending(RouteGoal::Target(at(&closed, [3, 1])), 3.0), RouteEnding::UnsafeTarget);
}

#[test]
fn places_on_no_free_ground_are_refused() {
    let refusal = |rows: &[&str], start: [usize; 2], goal: RouteGoal| {
        let request = RouteRequest { goal, ..request(rows, start, 0.0, 0.0, 0.0) };
        planned(rows, &request).err().map(|error| error.to_string()).unwrap_or_default()
    };
    let to = |x_m: f64, y_m: f64| RouteGoal::Target(Point2::new(x_m, y_m));
    assert!(refusal(&E1, [0, 0], RouteGoal::Explore).starts_with("start (0.5, 5.5)"), "a wall");
    assert!(refusal(&E1, [1, 6], RouteGoal::Explore).starts_with("start (6.5, 4.5)"), "unknown");
    assert!(refusal(&E1, [1, 1], to(0.5, 0.5)).starts_with("target (0.5, 0.5)"));
    assert!(refusal(&E1, [1, 1], to(99.0, f64::NAN)).starts_with("target (99"));
    assert!(refusal(&["??", "#?"], [0, 0], RouteGoal::Explore).contains("no free cell"));
}

#[test]
fn layers_table_and_image_show_the_same_path() {
    let rows = e3();
    let plan = planned(&rows, &request(&rows, [1, 1], 5.0, 1.0, 2.0)).unwrap();
    let csv = plan.path_csv();
    let last: Vec<&str> = csv.lines().last().unwrap().split(',').collect();
    assert_eq!(&last[..2], ["7", "11"]);
    assert!((last[4].parse::<f64>().unwrap() - 13.656_854).abs() < 1e-5);
    assert_eq!(csv.lines().count(), 1 + plan.report.path.as_ref().unwrap().row_column.len());
    let bytes = plan.geotiff().unwrap();
    let pages = formats::read_geotiff_pages(formats::NamedBytes { name: "plan.tif", bytes: &bytes });
    assert_eq!(pages.unwrap().len(), 5);
    let svg = plan.figure().unwrap().svg().unwrap();
    assert!(
        svg.contains("exploration transform") && svg.contains("frontier") && svg.contains("path 13.66 m")
    );
    assert_eq!((plan.path_layer().features.len(), plan.frontier_layer().features.len()), (1, 1));
}
