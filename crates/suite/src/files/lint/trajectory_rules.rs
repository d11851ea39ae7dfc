//! Rules for trajectories: enough poses, no leaps.

use model::{Finding, Level, TimeBase, Trajectory};

/// Faster than this between two poses counts as a leap: no rescue robot drives 10 m/s.
const LEAP_MPS: f64 = 10.0;

/// Findings about a trajectory.
pub fn check(trajectory: &Trajectory) -> Vec<Finding> {
    let mut findings = Vec::new();
    if trajectory.poses.len() < 2 {
        let message = format!("{} poses; a trajectory needs at least 2", trajectory.poses.len());
        findings.push(Finding::new(Level::Error, "TOO_FEW_POSES", message));
    }
    if trajectory.time_base == TimeBase::Seconds {
        findings.extend(leaps(trajectory));
    }
    findings
}

fn leaps(trajectory: &Trajectory) -> Option<Finding> {
    let speed_mps = |pair: &[model::StampedPose]| {
        let (a, b) = (pair[0].world_from_robot.position_m, pair[1].world_from_robot.position_m);
        let distance_m = a.iter().zip(b).map(|(p, q)| (p - q) * (p - q)).sum::<f64>().sqrt();
        let duration_s = pair[1].time_s - pair[0].time_s;
        if duration_s > 0.0 { distance_m / duration_s } else { 0.0 }
    };
    let fast: Vec<usize> = (1..trajectory.poses.len())
        .filter(|&index| speed_mps(&trajectory.poses[index - 1..=index]) > LEAP_MPS)
        .collect();
    let first = fast.first()?;
    let time_s = trajectory.poses[*first].time_s;
    let message = format!("{} leaps of more than {LEAP_MPS} m/s, the first at {time_s} s", fast.len());
    Some(Finding::warning("POSES_LEAP", message).hint("check the units of stamps and positions"))
}

#[cfg(test)]
mod tests {
    use model::{Dimension, Pose2, PoseSource, StampedPose};

    use super::*;

    fn run(poses: &[(f64, f64)]) -> Vec<String> {
        let pose = |&(time_s, x_m): &(f64, f64)| StampedPose {
            time_s,
            world_from_robot: Pose2::new(x_m, 0.0, 0.0).into(),
            source: PoseSource::Measured,
        };
        let poses = poses.iter().map(pose).collect();
        let trajectory = Trajectory { time_base: TimeBase::Seconds, dimension: Dimension::Planar, poses };
        check(&trajectory).iter().map(|finding| finding.code.to_string()).collect()
    }

    #[test]
    fn short_and_leaping_runs_are_noticed() {
        assert_eq!(run(&[(0.0, 0.0), (1.0, 1.0)]), [] as [&str; 0]);
        assert_eq!(run(&[(0.0, 0.0)]), ["TOO_FEW_POSES"]);
        assert_eq!(run(&[(0.0, 0.0), (1.0, 100.0)]), ["POSES_LEAP"]);
    }
}
