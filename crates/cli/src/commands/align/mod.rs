//! `mapjudge align MAP --truth MAP`: how a map lies on the truth, and how sure that is.

#[cfg(feature = "serve")]
mod by_hand;

use std::fmt::Write;
use std::path::PathBuf;

use align::Certificate;
use mapjudge::files::{Loader, OutputFolder};
use mapjudge::{AlignMethod, Aligned, Aligning, SearchMethod, align_maps};
use model::Level;

use crate::Global;
use crate::failure::Failure;
use crate::flags::{AligningFlags, ResolutionFlags};
use crate::format::Format;
use crate::output::{Answer, Output, OutputFlags, finding_line, write_figures};

/// Find how a map lies on the truth, and how sure that is.
///
/// The JSON that is printed is a transform file: p_truth = scale * R(theta) * p_map + (x, y). `score --align FILE`
/// takes it. The verdict is `certain`, `ambiguous` (another transform fits about as well), `failed` or `mirrored`.
#[derive(clap::Args)]
#[command(
    mut_arg("out", |out| out.help("Also write alignment.json and the figures before and after into this folder; with --by-hand \
                                   the file that the page saves to, or the folder for several maps [default: frame.json, frames]")),
    after_help = "\
Examples:
  mapjudge align map.yaml --truth truth.yaml
      the transform of a robot's map onto the ground truth, in words
  mapjudge align map.yaml --truth truth.yaml --format json > transform.json
  mapjudge score map.yaml --truth truth.yaml --align transform.json
      align once, score as often as you like
  mapjudge align map.png --truth plan.png --scale-min 0.55 --scale-max 1.8
      a map on a floor plan whose scale is unknown
  mapjudge align map.yaml --truth truth.yaml --method points --points clicks.csv
      from places that a judge clicked in both
  mapjudge align map.yaml --truth truth.yaml --by-hand --open
      lay it on the truth yourself in the browser: drag, turn, blend, see the scores; saves frame.json
  mapjudge align a.yaml b.yaml c.yaml --truth truth.yaml --by-hand --out frames
      compare up to four maps on the truth or on each other"
)]
pub struct Align {
    /// The map; several with --by-hand.
    #[arg(value_name = "MAP", required = true)]
    maps: Vec<PathBuf>,
    /// The ground truth, or another map of the same place.
    #[arg(long, value_name = "MAP")]
    truth: PathBuf,
    /// How the transform is found: correlative, rooms, features, surf, fourier-mellin, points with --points, or
    /// fiducials with --layout.
    #[arg(long, default_value = "correlative", value_name = "METHOD")]
    method: String,
    /// CSV of places that a person clicked in both: x and y in the map, x and y in the truth, in metres.
    #[arg(long, value_name = "FILE")]
    points: Option<PathBuf>,
    /// Layout of the fiducials, in the coordinate frame of the truth.
    #[arg(long, value_name = "FILE")]
    layout: Option<PathBuf>,
    #[cfg(feature = "serve")]
    #[command(flatten)]
    by_hand: by_hand::ByHandFlags,
    #[command(flatten)]
    aligning: AligningFlags,
    #[command(flatten)]
    reading: formats::MapReadOptions,
    #[command(flatten)]
    resolution: ResolutionFlags,
    #[command(flatten)]
    output: OutputFlags,
}

impl Align {
    /// Whether a person lays the maps, in a browser.
    #[cfg(feature = "serve")]
    pub fn is_by_hand(&self) -> bool {
        self.by_hand.is_asked()
    }

    pub fn run(&self, _: &Global) -> Result<Answer, Failure> {
        #[cfg(feature = "serve")]
        if self.by_hand.is_asked() {
            return self.lay_by_hand();
        }
        let [map] = &self.maps[..] else {
            let message = format!("{} maps: expected one", self.maps.len());
            return Err(Failure::new(message).hint("--by-hand compares several maps in the browser"));
        };
        let mut aligning = Aligning::default();
        self.aligning.apply(&mut aligning);
        let (reading, resolutions) = (&self.reading.options, self.resolution.resolutions());
        let truth = Loader::new(resolutions.of_truth(reading)).map(&self.truth)?;
        let map = Loader::new(resolutions.of_map(reading, Some(&truth))).map(map)?;
        let loader = Loader::new(reading.clone());
        let aligned = align_maps(&map, &truth, &self.method(&loader)?, &aligning)?;
        Ok(self.output.answer(aligned))
    }

    fn method(&self, loader: &Loader) -> Result<AlignMethod, Failure> {
        match (self.method.as_str(), &self.points, &self.layout) {
            ("points", Some(path), _) => Ok(AlignMethod::Points(loader.point_pairs(path)?)),
            ("points", None, _) => {
                Err(Failure::new("--method points: no points").hint("give them with --points FILE"))
            }
            ("fiducials", _, Some(path)) => Ok(AlignMethod::Fiducials(loader.layout(path)?.value)),
            ("fiducials", _, None) => {
                Err(Failure::new("--method fiducials: no layout").hint("give it with --layout FILE"))
            }
            (name, ..) => {
                let found = SearchMethod::ALL.iter().find(|method| method.name() == name);
                found.map(|&method| AlignMethod::Search(method)).ok_or_else(|| {
                    let names: Vec<&str> = SearchMethod::ALL.iter().map(|method| method.name()).collect();
                    Failure::new(format!("--method {name}: no such method"))
                        .hint(format!("there are {}, points, fiducials", names.join(", ")))
                })
            }
        }
    }
}

impl Output for Aligned {
    fn render(&self, format: Format) -> Result<String, Failure> {
        Ok(if format == Format::Json { self.file.to_json()? } else { table(self) })
    }

    fn write(&self, folder: &OutputFolder) -> Result<(), Failure> {
        folder.write("alignment.json", self.file.to_json()?)?;
        write_figures(folder, &self.figures()?)
    }

    fn notes(&self, _: Format) -> Vec<String> {
        let warnings = self.findings.iter().filter(|finding| finding.level >= Level::Warning);
        warnings.map(finding_line).collect()
    }
}

fn table(aligned: &Aligned) -> String {
    let alignment = &aligned.file.alignment;
    let Certificate { verdict, mirror, .. } = &alignment.certificate;
    let word = |value: serde_json::Result<serde_json::Value>| {
        value.ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
    };
    let (verdict, mirror) = (word(serde_json::to_value(verdict)), word(serde_json::to_value(mirror)));
    let mut text = format!("{verdict} ({}, mirror: {mirror})\n", alignment.method.name());
    // Writing into a string cannot fail.
    let _ = match alignment.truth_from_map {
        Some(t) => writeln!(
            text,
            "  truth_from_map  x {} m, y {} m, yaw {} deg, scale {:.5}",
            report::fixed(t.x_m, 4),
            report::fixed(t.y_m, 4),
            report::fixed(t.theta_rad.to_degrees(), 4),
            t.scale
        ),
        None => writeln!(text, "  no transform was found"),
    };
    numbers(&mut text, &alignment.certificate);
    text
}

fn numbers(text: &mut String, certificate: &Certificate) {
    let numbers = [
        ("score", certificate.score),
        ("second score", certificate.second_score),
        ("certainty", certificate.value),
        ("mirror score", certificate.mirror_score),
        ("overlap", certificate.overlap),
        ("residual (m)", certificate.residual_m),
    ];
    for (name, value) in numbers.iter().filter_map(|(name, value)| Some((name, (*value)?))) {
        let _ = writeln!(text, "  {name:<14}  {}", report::fixed(value, 4));
    }
    if let Some(slide) = certificate.slide {
        let _ = writeln!(
            text,
            "  may slide       {} m and {} m along {} deg",
            report::fixed(slide.forward_m, 2),
            report::fixed(slide.backward_m, 2),
            report::fixed(slide.direction_rad.to_degrees(), 0)
        );
    }
}
