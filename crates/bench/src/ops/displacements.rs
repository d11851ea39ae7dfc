//! `relations_ordered`, `relations_random`, `rpe`: errors of displacements between given pairs of planar poses.

use std::path::Path;

use metrics::trajectory::relative_errors::displacement_errors;
use model::{Pose2, PoseError};
use serde_json::{Value, json};

use crate::Arguments;
use crate::inputs::BenchError;
use crate::measure::{Cost, measure};

/// Runs `relations_ordered`: pairs (i, i + 1).
pub fn ordered(arguments: &Arguments) -> Result<(Cost, Value), BenchError> {
    relations(arguments, &neighbours(arguments.size))
}

/// Runs `relations_random`: the pairs of a file.
pub fn random(arguments: &Arguments) -> Result<(Cost, Value), BenchError> {
    let path = arguments.inputs.join("pairs_random.u32");
    let words = read(&path, 4)?.chunks_exact(4).map(word).collect::<Vec<u32>>();
    let pairs: Vec<(u32, u32)> = words.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
    let count = arguments.size as u32;
    if pairs.iter().any(|&(a, b)| a >= count || b >= count) {
        return Err(wrong(&path, "a pair outside the poses"));
    }
    relations(arguments, &pairs)
}

/// Runs `rpe`: the translation part for neighbours.
pub fn rpe(arguments: &Arguments) -> Result<(Cost, Value), BenchError> {
    let (estimates, truths) = poses(arguments)?;
    let pairs = neighbours(arguments.size);
    let (cost, sums) =
        measure(arguments.seconds, || Sums::of(&displacement_errors(&estimates, &truths, &pairs)));
    let value = json!({"mean": sums.mean(), "rmse": sums.mean_square().sqrt(), "max": sums.max});
    Ok((cost, value))
}

fn relations(arguments: &Arguments, pairs: &[(u32, u32)]) -> Result<(Cost, Value), BenchError> {
    let (estimates, truths) = poses(arguments)?;
    let (cost, sums) =
        measure(arguments.seconds, || Sums::of(&displacement_errors(&estimates, &truths, pairs)));
    let value = json!({
        "trans_mean": sums.mean(),
        "trans_mean_square": sums.mean_square(),
        "trans_max": sums.max,
        "rot_mean": sums.rotation / sums.count,
    });
    Ok((cost, value))
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
        let bytes = read(&path, 24)?;
        let number = |at: &[u8]| f64::from_le_bytes(at.try_into().unwrap_or_default());
        let pose = |row: &[u8]| Pose2::new(number(&row[..8]), number(&row[8..16]), number(&row[16..]));
        let poses: Vec<Pose2> = bytes.chunks_exact(24).map(pose).collect();
        if poses.len() == arguments.size { Ok(poses) } else { Err(wrong(&path, "another number of poses")) }
    };
    Ok((load("estimate_poses.f64")?, load("truth_poses.f64")?))
}

fn word(bytes: &[u8]) -> u32 {
    u32::from_le_bytes(bytes.try_into().unwrap_or_default())
}

fn read(path: &Path, record: usize) -> Result<Vec<u8>, BenchError> {
    let bytes = std::fs::read(path).map_err(|error| wrong(path, &error.to_string()))?;
    if bytes.len() % record == 0 {
        Ok(bytes)
    } else {
        Err(wrong(path, "a length that is no whole number of records"))
    }
}

fn wrong(path: &Path, reason: &str) -> BenchError {
    BenchError::Description { path: path.to_owned(), reason: reason.to_owned() }
}
