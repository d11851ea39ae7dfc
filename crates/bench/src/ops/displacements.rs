//! `relations_ordered`, `relations_random`, `rpe`: errors of displacements between given pairs of planar poses.

use metrics::trajectory::relative_errors::displacement_errors;
use model::{Pose2, PoseError};
use serde_json::json;

use super::Outcome;
use crate::Arguments;
use crate::inputs::{BenchError, records, rows};
use crate::measure::{Cost, measure};

/// Runs `relations_ordered`: pairs (i, i + 1).
pub fn ordered(arguments: &Arguments) -> Outcome {
    relations(arguments, &neighbours(arguments.size))
}

/// Runs `relations_random`: the pairs of a file.
pub fn random(arguments: &Arguments) -> Outcome {
    let path = arguments.inputs.join("pairs_random.u32");
    let words: Vec<u32> = records(&path)?.into_iter().map(u32::from_le_bytes).collect();
    let pairs: Vec<(u32, u32)> = words.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
    let count = arguments.size as u32;
    if pairs.iter().any(|&(a, b)| a >= count || b >= count) {
        return Err(BenchError::description(&path, "a pair outside the poses"));
    }
    relations(arguments, &pairs)
}

/// Runs `rpe`: the translation part for neighbours.
pub fn rpe(arguments: &Arguments) -> Outcome {
    let (cost, sums) = measured(arguments, &neighbours(arguments.size))?;
    let value = json!({"mean": sums.mean(), "rmse": sums.mean_square().sqrt(), "max": sums.max});
    Ok((cost, value))
}

fn relations(arguments: &Arguments, pairs: &[(u32, u32)]) -> Outcome {
    let (cost, sums) = measured(arguments, pairs)?;
    let value = json!({
        "trans_mean": sums.mean(),
        "trans_mean_square": sums.mean_square(),
        "trans_max": sums.max,
        "rot_mean": sums.rotation / sums.count,
    });
    Ok((cost, value))
}

fn measured(arguments: &Arguments, pairs: &[(u32, u32)]) -> Result<(Cost, Sums), BenchError> {
    let (estimates, truths) = poses(arguments)?;
    Ok(measure(arguments.seconds, || Sums::of(&displacement_errors(&estimates, &truths, pairs))))
}

fn neighbours(count: usize) -> Vec<(u32, u32)> {
    (1..count as u32).map(|to| (to - 1, to)).collect()
}

/// What the kit asks of the errors.
struct Sums {
    count: f64,
    translation: f64,
    square: f64,
    max: f64,
    rotation: f64,
}

impl Sums {
    fn of(errors: &[PoseError]) -> Self {
        let none =
            Self { count: errors.len() as f64, translation: 0.0, square: 0.0, max: 0.0, rotation: 0.0 };
        errors.iter().fold(none, |sums, error| Self {
            translation: sums.translation + error.translation_m,
            square: error.translation_m.mul_add(error.translation_m, sums.square),
            max: sums.max.max(error.translation_m),
            rotation: sums.rotation + error.rotation_rad,
            ..sums
        })
    }

    fn mean(&self) -> f64 {
        self.translation / self.count
    }

    fn mean_square(&self) -> f64 {
        self.square / self.count
    }
}

/// Estimated and true poses.
fn poses(arguments: &Arguments) -> Result<(Vec<Pose2>, Vec<Pose2>), BenchError> {
    let load = |name: &str| -> Result<Vec<Pose2>, BenchError> {
        let path = arguments.inputs.join(name);
        let pose = |[x_m, y_m, theta_rad]: [f64; 3]| Pose2::new(x_m, y_m, theta_rad);
        let poses: Vec<Pose2> = rows(&path)?.into_iter().map(pose).collect();
        let is_whole = poses.len() == arguments.size;
        is_whole.then_some(poses).ok_or_else(|| BenchError::description(&path, "another number of poses"))
    };
    Ok((load("estimate_poses.f64")?, load("truth_poses.f64")?))
}
