//! `particle_step`: one step of the particle filter: drift, weights, mean of the best, resampling.

use std::path::Path;

use mapper::robbie::{Hits, systematic, weigh_in_cells};
use model::Pose2;
use raster::sampled_sum::Field;
use serde_json::json;

use super::Outcome;
use crate::Arguments;
use crate::inputs::{BenchError, rows};
use crate::measure::measure;

/// What one step gives.
struct Stepped {
    weights: Vec<f64>,
    pose: [f64; 3],
    picked: Vec<usize>,
    /// The resampled set, which is part of the work.
    particles: Vec<Pose2>,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let [particles, draws] = ["particles.f64", "draws.f64"].map(|name| rows(&arguments.inputs.join(name)));
    let (particles, draws, beams) = (particles?, draws?, rows(&arguments.inputs.join("beams.f64"))?);
    let (values, width, height) = field(&arguments.inputs.join("field.pgm"))?;
    let chances = Field { values: &values, width, height };
    let (cost, stepped) = measure(arguments.seconds, || step(chances, &particles, &draws, &beams));
    if stepped.particles.len() != particles.len() {
        return Err(BenchError::no_value("particle_step"));
    }
    let Stepped { weights, pose, picked, .. } = stepped;
    Ok((cost, json!({"weights": weights, "pose": pose, "picked": picked})))
}

fn step(chances: Field<'_>, particles: &[[f64; 3]], draws: &[[f64; 3]], beams: &[[f64; 2]]) -> Stepped {
    let drift = |([x, y, theta], [n0, n1, n2]): (&[f64; 3], &[f64; 3])| {
        let heading = theta + 0.01 * (1.0 + 0.05 * n0);
        let distance = 1.0 + 0.15 * n1;
        Pose2::new(x + distance * heading.cos(), y + distance * heading.sin(), heading + 0.01 + 0.02 * n2)
    };
    let moved: Vec<Pose2> = particles.iter().zip(draws).map(drift).collect();
    let hits = Hits::of(beams.iter().map(|[range, angle]| (range * angle.cos(), range * angle.sin())));
    let mut weights = vec![0.0; moved.len()];
    weigh_in_cells(chances, &moved, &hits, &mut weights);
    let sum: f64 = weights.iter().sum();
    weights.iter_mut().for_each(|weight| *weight /= sum);
    let mut order: Vec<usize> = (0..moved.len()).collect();
    order.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]).then(a.cmp(&b)));
    let best = &order[..moved.len() / 20];
    let mean =
        |value: fn(&Pose2) -> f64| best.iter().map(|&i| value(&moved[i])).sum::<f64>() / best.len() as f64;
    let pose = [mean(|p| p.x_m), mean(|p| p.y_m), mean(|p| p.theta_rad)];
    let picked = systematic(&weights, moved.len());
    let particles = picked.iter().map(|&index| moved[index]).collect();
    Stepped { weights, pose, picked, particles }
}

/// Occupancies of a binary PGM of bytes, top row first, and its columns and rows.
fn field(path: &Path) -> Result<(Vec<f32>, usize, usize), BenchError> {
    let bytes = std::fs::read(path).map_err(|error| BenchError::description(path, error))?;
    let wrong = || BenchError::description(path, "expected a binary PGM of bytes");
    let mut fields = bytes.splitn(5, u8::is_ascii_whitespace);
    let mut word = || fields.next().ok_or_else(wrong);
    let is_binary = word()? == b"P5";
    let mut number =
        || std::str::from_utf8(word()?).ok().and_then(|text| text.parse().ok()).ok_or_else(wrong);
    let (width, height, max): (usize, usize, usize) = (number()?, number()?, number()?);
    let cells = fields.next().filter(|cells| cells.len() == width * height).ok_or_else(wrong)?;
    if !is_binary || max != 255 {
        return Err(wrong());
    }
    Ok((cells.iter().map(|&value| f32::from(value) / 255.0).collect(), width, height))
}
