//! Which robot drives to which frontier: the cheapest path first, and what is near its target is taken then.

use model::Point2;

use crate::unreachable::is_near;
use crate::{ExploreError, Path, Plan};

/// The plans of all robots, assigned greedily by Φ. `plan` plans for one robot with the targets that are taken.
pub(crate) fn assign(
    robots: usize,
    spacing_m: f64,
    mut plan: impl FnMut(usize, &dyn Fn(Point2) -> bool) -> Result<Plan, ExploreError>,
) -> Result<Vec<Plan>, ExploreError> {
    let mut assigned: Vec<Option<Plan>> = vec![None; robots];
    let mut taken: Vec<Point2> = Vec::new();
    loop {
        let waiting: Vec<usize> = (0..robots).filter(|&robot| assigned[robot].is_none()).collect();
        let is_open = |place: Point2| !taken.iter().any(|&target| is_near(target, place, spacing_m));
        let mut cheapest: Option<(f64, usize, Path)> = None;
        for robot in waiting {
            match plan(robot, &is_open)? {
                Plan::Drive { path, phi } => {
                    if cheapest.as_ref().is_none_or(|(least, ..)| phi < *least) {
                        cheapest = Some((phi, robot, path));
                    }
                }
                // With more targets taken it will not be better.
                other => assigned[robot] = Some(other),
            }
        }
        let Some((phi, robot, path)) = cheapest else { break };
        taken.extend(path.points.last());
        assigned[robot] = Some(Plan::Drive { path, phi });
    }
    Ok(assigned.into_iter().map(|plan| plan.unwrap_or(Plan::Unsafe)).collect())
}

#[cfg(test)]
mod tests {
    use testkit::grid;

    use super::*;
    use crate::{Discomfort, Planner, Planning};

    #[test]
    fn two_robots_take_two_ends() {
        let map = grid(["############", "?..........?", "############"]);
        let discomfort = Discomfort { d_min_m: 0.5, d_opt_m: 1.0, ..Discomfort::default() };
        let planner =
            Planner::new(&Planning { discomfort, robot_radius_m: 0.3, ..Planning::default() }).unwrap();
        let starts = [Point2::new(3.5, 1.5), Point2::new(4.5, 1.5), Point2::new(5.5, 1.5)];
        let plans = assign(3, 2.0, |robot, is_open| {
            planner.plan(map.geometry(), map.classes(), starts[robot], None, is_open)
        });
        let plans = plans.unwrap();
        let targets: Vec<Option<f64>> = plans
            .iter()
            .map(|plan| match plan {
                Plan::Drive { path, .. } => path.points.last().map(|point| point.x_m),
                _ => None,
            })
            .collect();
        assert_eq!(targets, [Some(1.5), None, Some(10.5)], "the third frontier does not exist");
    }
}
