//! `particle_step`: one step of the particle filter: drift, weights, mean of the best, resampling.

use std::path::Path;

use mapper::robbie::{Hits, systematic, weigh_in_cells};
use model::Pose2;
use raster::sampled_sum::Field;
use serde_json::{Value, json};

use crate::Arguments;
use crate::inputs::BenchError;
use crate::measure::{Cost, measure};

/// What one step gives.
struct Stepped {
    weights: Vec<f64>,
    pose: [f64; 3],
    picked: Vec<usize>,
    /// The resampled set, which is part of the work.
    particles: Vec<Pose2>,
}

/// Runs the operation.
pub fn run(arguments: &Arguments) -> Result<(Cost, Value), BenchError> {
    let [particles, draws, beams] =
        ["particles.f64", "draws.f64", "beams.f64"].map(|name| numbers(&arguments.inputs.join(name)));
    let (particles, draws, beams) = (rows::<3>(&particles?), rows::<3>(&draws?), rows::<2>(&beams?));
    let (values, width, height) = field(&arguments.inputs.join("field.pgm"))?;
    let chances = Field { values: &values, width, height };
    let (cost, stepped) = measure(arguments.seconds, || step(chances, &particles, &draws, &beams));
    if stepped.particles.len() != particles.len() {
        return Err(BenchError::NoValue("particle_step".to_owned()));
    }
    let Stepped { weights, pose, picked, .. } = stepped;
    Ok((cost, json!({"weights": weights, "pose": pose, "picked": picked})))
}

fn step(chances: Field<'_>, particles: &[[f64; 3]], draws: &[[f64; 3]], beams: &[[f64; 2]]) -> Stepped {
    let drift = |([x, y, theta], [n0, n1, n2]): (&[f64; 3], &[f64; 3])| {
        let heading = theta + 0.01 * (1.0 + 0.05 * n0);
        let way = 1.0 + 0.15 * n1;
        Pose2::new(x + way * heading.cos(), y + way * heading.sin(), heading + 0.01 + 0.02 * n2)
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

fn description(path: &Path, reason: String) -> BenchError {
    BenchError::Description { path: path.to_owned(), reason }
}

/// Little-endian numbers.
fn numbers(path: &Path) -> Result<Vec<f64>, BenchError> {
    let bytes = std::fs::read(path).map_err(|error| description(path, error.to_string()))?;
    let (words, _) = bytes.as_chunks::<8>();
    Ok(words.iter().map(|word| f64::from_le_bytes(*word)).collect())
}

fn rows<const N: usize>(numbers: &[f64]) -> Vec<[f64; N]> {
    numbers.as_chunks::<N>().0.to_vec()
}

/// Occupancies of a binary PGM of bytes, top row first, and its columns and rows.
fn field(path: &Path) -> Result<(Vec<f32>, usize, usize), BenchError> {
    let bytes = std::fs::read(path).map_err(|error| description(path, error.to_string()))?;
    let wrong = || description(path, "expected a binary PGM of bytes".to_owned());
    let mut fields = bytes.splitn(5, u8::is_ascii_whitespace);
    let mut word = || fields.next().ok_or_else(wrong);
    let is_binary = word()? == b"P5";
    let mut number =
        || std::str::from_utf8(word()?).ok().and_then(|text| text.parse().ok()).ok_or_else(wrong);
    let (width, height, most): (usize, usize, usize) = (number()?, number()?, number()?);
    let cells = fields.next().filter(|cells| cells.len() == width * height).ok_or_else(wrong)?;
    if !is_binary || most != 255 {
        return Err(wrong());
    }
    Ok((cells.iter().map(|&value| f32::from(value) / 255.0).collect(), width, height))
}
