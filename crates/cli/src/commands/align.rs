//! `mapjudge align MAP --truth MAP`: how a map lies on the truth, and how sure that is.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use mapjudge::{AlignJob, AlignMethod, Aligned, Aligning, SearchMethod, align_maps};
use model::Level;

use super::info::finding_line;
use crate::aligning::AligningFlags;
use crate::output::{Failure, note, print};
use crate::reading::ReadingFlags;

/// Find how a map lies on the truth, with a certificate of how sure that is.
///
/// What is printed as JSON is a transform file: p_truth = scale * R(theta) * p_map + (x, y). `score --align FILE`
/// takes it. The verdict is `certain`, `ambiguous` (another frame fits about as well), `failed` or `mirrored`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mapjudge align map.yaml --truth truth.yaml
      the frame of a robot's map on the ground truth, in words
  mapjudge align map.yaml --truth truth.yaml --format json > frame.json
  mapjudge score map.yaml --truth truth.yaml --align frame.json
      align once, score as often as you like
  mapjudge align map.png --truth plan.png --scale-min 0.55 --scale-max 1.8
      a map on a floor plan whose scale nobody knows
  mapjudge align map.yaml --truth truth.yaml --method points --points clicks.csv
      from places that a judge clicked in both")]
pub struct Align {
    /// The map.
    #[arg(value_name = "MAP")]
    map: PathBuf,
    /// The ground truth, or another map of the same place.
    #[arg(long, value_name = "MAP")]
    truth: PathBuf,
    /// How the frame is found: correlative, rooms, features, surf, fourier-mellin, points with --points, or fiducials
    /// with --layout.
    #[arg(long, default_value = "correlative", value_name = "METHOD")]
    method: String,
    /// CSV of places that a person clicked in both: x and y in the map, x and y in the truth, in metres.
    #[arg(long, value_name = "FILE")]
    points: Option<PathBuf>,
    /// Layout of the fiducials, in the frame of the truth.
    #[arg(long, value_name = "FILE")]
    layout: Option<PathBuf>,
    #[command(flatten)]
    aligning: AligningFlags,
    #[command(flatten)]
    reading: ReadingFlags,
    /// How to print.
    #[arg(long, default_value = "text")]
    format: AlignFormat,
    /// Also write alignment.json and the pictures before and after into this folder.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum AlignFormat {
    Text,
    Json,
}

impl Align {
    pub fn run(&self, quiet: bool) -> Result<ExitCode, Failure> {
        let mut aligning = Aligning::default();
        self.aligning.lay_over(&mut aligning);
        let aligned = align_maps(&AlignJob {
            map: self.map.clone(),
            truth: self.truth.clone(),
            options: self.reading.options()?,
            method: self.method()?,
            aligning,
        })?;
        if !quiet {
            let worth_saying = aligned.findings.iter().filter(|finding| finding.level >= Level::Warning);
            worth_saying.for_each(|finding| note(&finding_line(finding)));
        }
        if let Some(folder) = &self.out {
            aligned.write_to(folder)?;
        }
        let text = match self.format {
            AlignFormat::Text => as_text(&aligned),
            AlignFormat::Json => aligned.file.to_json()?,
        };
        print(&text)?;
        Ok(ExitCode::SUCCESS)
    }

    fn method(&self) -> Result<AlignMethod, Failure> {
        if self.method == "points" {
            let clicked = self.points.clone().map(AlignMethod::Points);
            let missing = || Failure::new("--method points: no points").hint("give them with --points FILE");
            return clicked.ok_or_else(missing);
        }
        if self.method == "fiducials" {
            let layout = self.layout.clone().map(AlignMethod::Fiducials);
            let missing = || Failure::new("--method fiducials: no layout").hint("give it with --layout FILE");
            return layout.ok_or_else(missing);
        }
        let found = SearchMethod::ALL.iter().find(|method| method.name() == self.method);
        found.map(|&method| AlignMethod::Search(method)).ok_or_else(|| {
            let names: Vec<&str> = SearchMethod::ALL.iter().map(|method| method.name()).collect();
            Failure::new(format!("--method {}: no such method", self.method))
                .hint(format!("there are {}, points, fiducials", names.join(", ")))
        })
    }
}

fn as_text(aligned: &Aligned) -> String {
    let alignment = &aligned.file.alignment;
    let certificate = &alignment.certificate;
    let word = |value: serde_json::Result<serde_json::Value>| {
        value.ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
    };
    let (verdict, mirror) =
        (word(serde_json::to_value(certificate.verdict)), word(serde_json::to_value(certificate.mirror)));
    let mut text = format!("{verdict} ({}, mirror: {mirror})\n", alignment.method.name());
    if let Some(t) = alignment.truth_from_map {
        let degrees = t.theta_rad.to_degrees();
        let _ = writeln!(
            text,
            "  truth_from_map  x {:.4} m, y {:.4} m, turn {degrees:.4} deg, scale {:.5}",
            t.x_m, t.y_m, t.scale
        );
    }
    let numbers = [
        ("score", certificate.score),
        ("second score", certificate.second_score),
        ("certainty", certificate.value),
        ("mirror score", certificate.mirror_score),
        ("overlap", certificate.overlap),
        ("residual (m)", certificate.residual_m),
    ];
    for (name, value) in numbers.iter().filter_map(|(name, value)| Some((name, (*value)?))) {
        let _ = writeln!(text, "  {name:<14}  {value:.4}");
    }
    if let Some(slide) = certificate.slide {
        let _ = writeln!(
            text,
            "  may slide       {:.2} m and {:.2} m along {:.0} deg",
            slide.forward_m,
            slide.backward_m,
            slide.direction_rad.to_degrees()
        );
    }
    text
}
