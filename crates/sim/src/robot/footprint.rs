//! Whether a robot at a place overlaps a wall or a barrel: a rectangle against segments and arcs.

use model::{Point2, Pose2};

use super::RobotModel;
use crate::world::{Arc, Segment, World};

/// Whether the robot's rectangle overlaps a surface between the ground and the robot's height.
#[must_use]
pub fn collides(world: &World, robot: &RobotModel, at: Pose2) -> bool {
    let reach_m = robot.outer_radius_m();
    let robot_from_world = at.inverse();
    let half = Point2::new(robot.length_m / 2.0, robot.width_m / 2.0);
    let surfaces = world.surfaces();
    world.near(Point2::new(at.x_m, at.y_m), reach_m).any(|number| {
        let number = number as usize;
        match surfaces.segments.get(number) {
            Some(segment) => {
                segment.bottom_m < robot.height_m && meets_segment(segment, robot_from_world, half)
            }
            None => {
                let arc = &surfaces.arcs[number - surfaces.segments.len()];
                arc.bottom_m < robot.height_m && meets_arc(arc, robot_from_world, half)
            }
        }
    })
}

/// Cuts the segment to the rectangle (Liang and Barsky 1984) and asks whether anything is left.
fn meets_segment(segment: &Segment, robot_from_world: Pose2, half: Point2) -> bool {
    let from = robot_from_world * segment.from;
    let (sin, cos) = robot_from_world.theta_rad.sin_cos();
    let along = Point2::new(
        cos * segment.along.x_m - sin * segment.along.y_m,
        sin * segment.along.x_m + cos * segment.along.y_m,
    );
    let (mut first, mut last) = (0.0_f64, 1.0_f64);
    for (start, step, limit) in [(from.x_m, along.x_m, half.x_m), (from.y_m, along.y_m, half.y_m)] {
        if step == 0.0 {
            if start.abs() > limit {
                return false;
            }
            continue;
        }
        let (a, b) = ((-limit - start) / step, (limit - start) / step);
        first = first.max(a.min(b));
        last = last.min(a.max(b));
    }
    first <= last
}

/// The solid sector of a barrel part: the robot meets it if it meets the disc on the side of the arc. The disc behind
/// the wall does not count.
fn meets_arc(arc: &Arc, robot_from_world: Pose2, half: Point2) -> bool {
    let center = robot_from_world * arc.center;
    let nearest = Point2::new(center.x_m.clamp(-half.x_m, half.x_m), center.y_m.clamp(-half.y_m, half.y_m));
    let (dx, dy) = (nearest.x_m - center.x_m, nearest.y_m - center.y_m);
    let away_m = dx.hypot(dy);
    if away_m > arc.radius_m {
        return false;
    }
    let (sin, cos) = robot_from_world.theta_rad.sin_cos();
    let facing =
        Point2::new(cos * arc.facing.x_m - sin * arc.facing.y_m, sin * arc.facing.x_m + cos * arc.facing.y_m);
    dx * facing.x_m + dy * facing.y_m >= arc.cos_half * away_m - 1e-9
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::{Arena, Plan};

    #[test]
    fn the_rectangle_decides_not_the_circle_around_it() {
        let plan = Plan::read("drawing = '''\n+---+---+\n| S     |\n+---+---+\n'''").unwrap();
        let world = World::new(&Arena::build(&plan).unwrap());
        let robot = RobotModel::default();
        let hits = |x_m: f64, y_m: f64, deg: f64| {
            collides(&world, &robot, Pose2::new(x_m, y_m, f64::to_radians(deg)))
        };
        assert!(!hits(1.2, 0.6, 0.0));
        assert!(!hits(1.2, 0.16, 0.0) && hits(1.2, 0.15, 0.0), "half a width from the wall");
        assert!(hits(1.2, 0.16, 90.0) && !hits(1.2, 0.27, 90.0), "half a length from the wall");
    }

    #[test]
    fn barrels_stop_the_robot_on_their_side_and_only_if_low_enough() {
        let place = |height_m: f64| {
            let text = format!(
                "size_m = [4, 4]\n[start]\nat_m = [1, 2]\n[[barrel]]\nat_m = [2, 2]\nfacing_deg = 180\nheight_m = {height_m}"
            );
            World::new(&Arena::build(&Plan::read(&text).unwrap()).unwrap())
        };
        let at = |x_m: f64| Pose2::new(x_m, 2.0, 0.0);
        let robot = RobotModel::default();
        assert!(collides(&place(0.5), &robot, at(1.6)) && !collides(&place(0.5), &robot, at(1.55)));
        assert!(!collides(&place(0.5), &robot, at(2.4)), "behind the half barrel there is nothing");
        assert!(!collides(&place(2.0), &robot, at(1.6)), "the robot drives below it");
    }
}
