//! True and random layouts on maps: which placements are certain, ambiguous, or by chance.

use std::f64::consts::TAU;
use std::path::Path;
use std::sync::Arc;

use metrics::fiducials::{
    FiducialInputs, FiducialSearch, LayoutFrame, Located, PlacementCertificate, PlacementVerdict,
};
use model::{FiducialLayout, FiducialPart, Grid, PartKind, Point2, Pose2, SeededRng};

use super::labyrinth::Labyrinth;
use crate::inputs::BenchError;
use crate::studies::{Findings, quantile};

/// Random layouts of each labyrinth.
const RANDOM_EACH: u64 = 4;
/// Random layouts on the labelled map.
const RANDOM_LABELLED: u64 = 20;
/// The pose in which true layouts are asked for.
const TRUTH_FROM_MAP: Pose2 = Pose2 { x_m: 3.0, y_m: -7.0, theta_rad: 1.1 };

/// Verdicts over many layouts.
#[derive(Default)]
struct Verdicts {
    certain: usize,
    ambiguous: usize,
    by_chance: usize,
    /// Nothing was found.
    none: usize,
    scores: Vec<f64>,
    chances: Vec<f64>,
    /// Gain over chance and over the rival.
    gains: Vec<(f64, f64)>,
}

impl Verdicts {
    fn add(&mut self, certificate: Option<PlacementCertificate>) {
        let Some(found) = certificate else {
            self.none += 1;
            return;
        };
        match found.verdict {
            PlacementVerdict::Certain => self.certain += 1,
            PlacementVerdict::Ambiguous => self.ambiguous += 1,
            PlacementVerdict::ByChance => self.by_chance += 1,
        }
        self.scores.push(found.score);
        self.chances.push(found.chance_score);
        let gain = |other: f64| align::Certificate::gain(found.score, other);
        self.gains.push((gain(found.chance_score), gain(found.rival_score.unwrap_or(0.0))));
    }

    fn words(&self) -> String {
        let spread = |values: &[f64]| [0.0, 0.5, 1.0].map(|share| quantile(values, share));
        let ([low, middle, high], [_, chance, most]) = (spread(&self.scores), spread(&self.chances));
        format!(
            "certain {}, ambiguous {}, by chance {}, nothing found {}; score {low:.2} to {high:.2}, median {middle:.2}; chance median {chance:.2}, at most {most:.2}",
            self.certain, self.ambiguous, self.by_chance, self.none
        )
    }

    /// The least gain over chance of the true layouts, or the largest of random ones that beat their rivals.
    fn gain_words(&self) -> String {
        let of_chance: Vec<f64> = self.gains.iter().map(|gain| gain.0).collect();
        let beats: Vec<f64> =
            self.gains.iter().filter(|gain| gain.1 >= align::CERTAIN).map(|gain| gain.0).collect();
        let most = beats.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        format!(
            "gain over chance {:.2} to {:.2}, largest with a clear rival gain {most:.2} ({} such)",
            quantile(&of_chance, 0.0),
            quantile(&of_chance, 1.0),
            beats.len()
        )
    }
}

/// True and random layouts on drawn labyrinths.
pub fn drawn(labyrinths: &[Labyrinth], findings: &mut Findings) -> Result<(), BenchError> {
    let (mut searched, mut given, mut random) =
        (Verdicts::default(), Verdicts::default(), Verdicts::default());
    for (index, labyrinth) in labyrinths.iter().enumerate() {
        let map = Arc::new(labyrinth.map()?);
        let layout = labyrinth.layout(TRUTH_FROM_MAP);
        searched.add(certificate(&map, layout.clone(), LayoutFrame::Unknown)?);
        given.add(certificate(&map, layout, LayoutFrame::Known(TRUTH_FROM_MAP))?);
        for trial in 0..RANDOM_EACH {
            let layout = labyrinth.random_layout(RANDOM_EACH * index as u64 + trial);
            random.add(certificate(&map, layout, LayoutFrame::Unknown)?);
        }
    }
    let all = labyrinths.len();
    findings.line(format!("{all} true layouts, searched: {}", searched.words()), searched.by_chance == 0);
    findings.table.push(format!("  {}", searched.gain_words()));
    findings.line(format!("{all} true layouts, given: {}", given.words()), given.by_chance == 0);
    findings.line(
        format!("{} random layouts: {}", RANDOM_EACH as usize * all, random.words()),
        random.certain == 0,
    );
    findings.table.push(format!("  {}", random.gain_words()));
    Ok(())
}

/// The labelled map with its own layout and with random ones.
pub fn labelled(data: &Path, findings: &mut Findings) -> Result<(), BenchError> {
    let (map, _) = super::labelled(data)?;
    let map = Arc::new(map);
    let layout = labelled_layout(data, &map)?;
    let (mut own, mut random) = (Verdicts::default(), Verdicts::default());
    own.add(certificate(&map, layout.clone(), LayoutFrame::Unknown)?);
    for seed in 0..RANDOM_LABELLED {
        random.add(certificate(&map, scattered(&layout, &map, seed), LayoutFrame::Unknown)?);
    }
    findings.line(format!("labelled map, its layout: {}", own.words()), own.certain == 1);
    findings.line(
        format!("labelled map, {RANDOM_LABELLED} random layouts: {}", random.words()),
        random.certain == 0,
    );
    Ok(())
}

fn certificate(
    map: &Arc<Grid>,
    layout: FiducialLayout,
    frame: LayoutFrame,
) -> Result<Option<PlacementCertificate>, BenchError> {
    let inputs = FiducialInputs { layout, map: Arc::clone(map), frame, search: FiducialSearch::default() };
    let located = Located::of(&inputs).map_err(|reason| BenchError::no_value(reason.code()))?;
    Ok(located.certificate)
}

/// The labels as a layout, in the frame of the map.
fn labelled_layout(data: &Path, map: &Grid) -> Result<FiducialLayout, BenchError> {
    let path = data.join("robocup-rescue/singapore2010-maze-barrels/barrels.csv");
    let text = std::fs::read_to_string(&path).map_err(BenchError::no_value)?;
    let mut layout = FiducialLayout::default();
    for (index, line) in text.lines().skip(1).enumerate() {
        let fields: Vec<&str> = line.split(',').collect();
        let number = |field: usize| fields.get(field).and_then(|field| field.parse::<f64>().ok());
        let site = fields.get(5).and_then(|note| note.split_whitespace().nth(1));
        let (Some(x), Some(y), Some(radius), Some(start), Some(opening), Some(site)) =
            (number(0), number(1), number(2), number(3), number(4), site)
        else {
            return Err(BenchError::no_value("expected x, y, radius, start, opening, note"));
        };
        let geometry = map.geometry();
        layout.parts.push(FiducialPart {
            kind: PartKind::Barrel,
            fiducial: site.to_owned(),
            part: format!("P{}", index + 1),
            center: geometry.world_of_grid_point(x, geometry.height() as f64 - y),
            radius_m: radius * geometry.cell_size_m(),
            opening_rad: opening.to_radians(),
            direction_rad: model::wrap((start + opening / 2.0).to_radians()),
            height_m: 1.0,
            range: "none".to_owned(),
        });
    }
    Ok(layout)
}

/// Every part at a random place of the map, in a random direction.
fn scattered(layout: &FiducialLayout, map: &Grid, seed: u64) -> FiducialLayout {
    let mut rng = SeededRng::new(seed).stream(44);
    let geometry = map.geometry();
    let mut moved = layout.clone();
    let mut last: Option<(String, Point2, Point2)> = None;
    for part in &mut moved.parts {
        let (from, to) = match &last {
            Some((fiducial, from, to)) if *fiducial == part.fiducial => (*from, *to),
            _ => {
                let (x, y) =
                    (rng.uniform() * geometry.width() as f64, rng.uniform() * geometry.height() as f64);
                (part.center, geometry.world_of_grid_point(x, y))
            }
        };
        last = Some((part.fiducial.clone(), from, to));
        part.center = Point2::new(part.center.x_m - from.x_m + to.x_m, part.center.y_m - from.y_m + to.y_m);
        part.direction_rad = model::wrap(rng.uniform() * TAU);
    }
    moved
}
