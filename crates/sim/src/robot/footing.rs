//! How a robot stands: height, roll and pitch from the floor under its four wheels.

use model::{Point2, Pose2, Pose3};

use super::RobotModel;
use crate::arena::Floor;

/// How a robot stands at a place.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Footing {
    /// Height of the middle of its wheels.
    pub height_m: f64,
    /// Left side up is positive.
    pub roll_rad: f64,
    /// Nose down is positive, as in a right-handed frame with z up.
    pub pitch_rad: f64,
}

impl Footing {
    /// The pose in space of a robot that stands so at a place.
    #[must_use]
    pub fn pose(&self, at: Pose2) -> Pose3 {
        let attitude_rad = [self.roll_rad, self.pitch_rad, at.theta_rad];
        Pose3::of_roll_pitch_yaw([at.x_m, at.y_m, self.height_m], attitude_rad)
    }
}

/// The plane through the mean heights of the four wheels; wheels at an edge of two ramps give something between them.
#[must_use]
pub fn footing(floor: &Floor, robot: &RobotModel, at: Pose2) -> Footing {
    if floor.highest_m() == 0.0 {
        return Footing::default();
    }
    let (ahead_m, left_m) = (robot.wheel_base_m / 2.0, robot.track_m / 2.0);
    let wheel = |x_m: f64, y_m: f64| floor.height_m(at * Point2::new(x_m, y_m));
    let (front_left, front_right) = (wheel(ahead_m, left_m), wheel(ahead_m, -left_m));
    let (rear_left, rear_right) = (wheel(-ahead_m, left_m), wheel(-ahead_m, -left_m));
    let rise_m = (front_left + front_right - rear_left - rear_right) / 2.0;
    let lean_m = (front_left + rear_left - front_right - rear_right) / 2.0;
    Footing {
        height_m: (front_left + front_right + rear_left + rear_right) / 4.0,
        roll_rad: (lean_m / robot.track_m).atan(),
        pitch_rad: -(rise_m / robot.wheel_base_m).atan(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::{Arena, Plan};

    #[test]
    fn driven_along_its_rise_a_ramp_pitches_and_across_it_rolls() {
        let plan = Plan::read("drawing = '''\n+---+---+\n| S   > |\n+---+---+\n'''").unwrap();
        let arena = Arena::build(&plan).unwrap();
        let stand = |x_m: f64, heading_deg: f64| {
            footing(&arena.floor, &RobotModel::default(), Pose2::new(x_m, 0.6, f64::to_radians(heading_deg)))
        };
        let ten = 10_f64.to_radians();
        let up = stand(1.8, 0.0);
        assert!((up.pitch_rad + ten).abs() < 1e-9 && up.roll_rad.abs() < 1e-9);
        assert!((up.height_m - 0.6 * ten.tan()).abs() < 1e-9);
        let across = stand(1.8, 90.0);
        assert!(
            (across.roll_rad + ten).abs() < 1e-9 && across.pitch_rad.abs() < 1e-9,
            "the right side is up"
        );
        assert!((stand(1.8, 180.0).pitch_rad - ten).abs() < 1e-9, "nose down");
        assert_eq!(stand(0.6, 0.0), Footing::default());
    }
}
