//! `odometry`: the poses of the odometry as they are. The baseline that every other mapper has to beat.

use model::{Grid, Pose2};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::hit_grid::{HitGrid, Misses};
use crate::{Hindsight, InputRules, ListedMapper, MappedPose, Mapper, MapperParams, RangeLimits, Scan, Step};

/// Side of the grid at first, cells: as `robbie`.
const SIDE_CELLS: usize = crate::robbie::SIDE_CELLS;

/// Parameters of [`DeadReckoning`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct DeadReckoningParams {
    /// Edge of a cell in metres. Default 0.05, as `robbie`.
    #[schemars(range(min = 0.005, max = 10.0))]
    pub cell_size_m: f64,
    /// Shorter ranges are no measurements, metres. Default 0.02, as `robbie`.
    #[schemars(range(min = 0.0, max = 1e6))]
    pub range_min_m: f64,
    /// Ranges from here on are no returns, metres. Default 80, as `graph`.
    #[schemars(range(min = 0.0, max = 1e6))]
    pub range_max_m: f64,
}

impl Default for DeadReckoningParams {
    fn default() -> Self {
        Self { cell_size_m: 0.05, range_min_m: 0.02, range_max_m: 80.0 }
    }
}

impl MapperParams for DeadReckoningParams {}

/// Scans at the poses of the odometry, the first one at the origin.
pub struct DeadReckoning {
    params: DeadReckoningParams,
    grid: HitGrid,
    start_from_odom: Option<Pose2>,
    trajectory: Vec<MappedPose>,
}

impl ListedMapper for DeadReckoning {
    const NAME: &'static str = "odometry";
    const SUMMARY: &'static str =
        "Scans at the poses of the odometry: the baseline that every other mapper has to beat";
    type Params = DeadReckoningParams;

    fn with_params(params: DeadReckoningParams) -> Self {
        let grid = HitGrid::new(params.cell_size_m, SIDE_CELLS);
        Self { params, grid, start_from_odom: None, trajectory: Vec::new() }
    }
}

impl Mapper for DeadReckoning {
    fn input_rules(&self) -> InputRules {
        let limits = RangeLimits { min_m: self.params.range_min_m, max_m: self.params.range_max_m };
        InputRules { limits, ..InputRules::default() }
    }

    fn step(&mut self, scan: &Scan, odom_from_robot: Pose2) -> Step {
        let here = self.pose();
        let start_from_odom = *self.start_from_odom.get_or_insert_with(|| here * odom_from_robot.inverse());
        let map_from_robot = start_from_odom * odom_from_robot;
        self.grid.stamp(scan, map_from_robot, Misses::Ignored);
        self.trajectory.push(MappedPose { time_s: scan.time_s, map_from_robot, is_matched: false });
        Step::default()
    }

    /// The robot stays where it is.
    fn step_without_odometry(&mut self, scan: &Scan) -> Step {
        let map_from_robot = self.pose();
        self.grid.stamp(scan, map_from_robot, Misses::Ignored);
        self.trajectory.push(MappedPose { time_s: scan.time_s, map_from_robot, is_matched: false });
        self.start_from_odom = None;
        Step::default()
    }

    fn pose(&self) -> Pose2 {
        self.trajectory.last().map_or(Pose2::IDENTITY, |pose| pose.map_from_robot)
    }

    fn map(&self) -> Option<Grid> {
        self.grid.to_grid()
    }

    fn trajectory(&self, _hindsight: Hindsight) -> Vec<MappedPose> {
        self.trajectory.clone()
    }
}

#[cfg(test)]
mod tests {
    use model::Point2;

    use super::*;

    #[test]
    fn the_first_scan_is_at_the_origin_and_the_others_where_the_odometry_says() {
        let mut mapper = DeadReckoning::with_params(DeadReckoningParams::default());
        assert!(mapper.map().is_none() && mapper.pose() == Pose2::IDENTITY);
        let scan = Scan { hits_in_robot: vec![Point2::new(1.0, 0.0)], ..Scan::default() };
        mapper.step(&scan, Pose2::new(5.0, 5.0, std::f64::consts::FRAC_PI_2));
        mapper.step(&scan, Pose2::new(5.0, 6.0, std::f64::consts::FRAC_PI_2));
        let pose = mapper.pose();
        assert!((pose.x_m - 1.0).abs() < 1e-12 && pose.y_m.abs() < 1e-12 && pose.theta_rad.abs() < 1e-12);
        assert_eq!(mapper.trajectory(Hindsight::Final).len(), 2);
        assert!(mapper.map().is_some());
    }

    #[test]
    fn after_a_break_the_odometry_goes_on_from_where_the_robot_was() {
        let mut mapper = DeadReckoning::with_params(DeadReckoningParams::default());
        let scan = Scan::default();
        mapper.step(&scan, Pose2::new(1.0, 0.0, 0.0));
        mapper.step(&scan, Pose2::new(2.0, 0.0, 0.0));
        mapper.step_without_odometry(&scan);
        mapper.step(&scan, Pose2::new(50.0, 0.0, 0.0));
        mapper.step(&scan, Pose2::new(51.5, 0.0, 0.0));
        assert!((mapper.pose().x_m - 2.5).abs() < 1e-12);
    }
}
