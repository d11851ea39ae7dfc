//! `mapjudge features MAP.. --truth MAP`: rooms, SURF points and corners side by side.

use std::fmt::Write;
use std::path::PathBuf;

use align::rooms::{FeatureKind, Objective};
use mapjudge::files::{Loader, OutputFolder, case_names};
use mapjudge::{FeatureComparison, FeaturePlan, FeatureRow, JobError, Verdict, compare_features};
use metrics::rooms::warp_penalty::Optimise;

use crate::Global;
use crate::failure::Failure;
use crate::flags::{ResolutionFlags, RoomFlags};
use crate::format::Format;
use crate::output::{Answer, Output, OutputFlags, finding_line, json};
use crate::progress::Progress;
use crate::word::{Word, file_word};

/// Compare rooms, SURF points and corners as features that tell how maps fit the truth.
///
/// Each kind is matched by eq. 7 of Pellenz (positions and descriptors, any rotation and translation) and bent by eq. 8. A
/// transform that the walls contradict is refused. All warps of a table have one degree.
#[derive(clap::Args)]
#[command(
    mut_arg("format", Format::offer(&[Format::Table, Format::Json, Format::Csv])),
    mut_arg("out", |out| out.help("Also write features.json and features.csv into this folder")),
    after_help = "\
Examples:
  mapjudge features map.yaml --truth truth.yaml
      pairs, mean match error, warp penalty and transform of each kind of features
  mapjudge features runs/*.yaml --truth truth.yaml --format csv
      several maps, all bent by the same degree
  mapjudge features map.yaml --truth truth.yaml --kinds rooms --w-topo 0.25
      rooms alone, and neighbours should match neighbours"
)]
pub struct Features {
    /// The maps.
    #[arg(required = true, value_name = "MAP")]
    maps: Vec<PathBuf>,
    /// The ground truth, or another map of the same place.
    #[arg(long, value_name = "MAP")]
    truth: PathBuf,
    /// Which features, with commas between them.
    #[arg(long, value_delimiter = ',', default_value = "rooms,surf,corners", value_parser = Word::<FeatureKind>::new())]
    kinds: Vec<FeatureKind>,
    /// Cost of two neighbouring rooms whose partners are no neighbours, in square metres.
    #[arg(long, value_name = "M2", default_value_t = 0.0)]
    w_topo: f64,
    /// Degree of the warp, 1 to 3; without it the highest one up to 2 that every map has pairs enough for.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=3))]
    degree: Option<u8>,
    /// `in_turn`: match under the best rigid motion, then bend; `together`: as eq. 8 is printed.
    #[arg(long, value_name = "HOW", default_value = "in_turn", value_parser = file_word::<Optimise>)]
    optimise: Optimise,
    #[command(flatten)]
    rooms: RoomFlags,
    #[command(flatten)]
    reading: formats::MapReadOptions,
    #[command(flatten)]
    resolution: ResolutionFlags,
    #[command(flatten)]
    output: OutputFlags,
}

impl Features {
    pub fn run(&self, global: &Global) -> Result<Answer, Failure> {
        let plan = self.plan()?;
        let (reading, resolutions) = (&self.reading.options, self.resolution.resolutions());
        let truth = Loader::new(resolutions.of_truth(reading)).map(&self.truth)?;
        let loader = Loader::new(resolutions.of_map(reading, Some(&truth)));
        let named = self.maps.iter().zip(case_names(&self.maps));
        let maps = named.map(|(path, name)| Ok((name, loader.map(path)?)));
        let maps = maps.collect::<Result<Vec<_>, JobError>>()?;
        let bar = Progress::steps(maps.len(), global.quiet).counting("maps matched");
        let found = compare_features(&maps, &truth, &plan, &|done| bar.done(done))?;
        Ok(self.output.answer(Compared(found)))
    }

    fn plan(&self) -> Result<FeaturePlan, Failure> {
        if !(self.w_topo.is_finite() && self.w_topo >= 0.0) {
            return Err(Failure::new(format!("--w-topo {}: expected square metres, 0 or more", self.w_topo)));
        }
        let mut kinds = Vec::new();
        for &kind in &self.kinds {
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        Ok(FeaturePlan {
            kinds,
            rooms: self.rooms.params()?,
            objective: Objective { topology_m2: self.w_topo, ..Objective::default() },
            optimise: self.optimise,
            degree: self.degree.map(usize::from),
        })
    }
}

struct Compared(FeatureComparison);

impl Output for Compared {
    fn render(&self, format: Format) -> Result<String, Failure> {
        match format {
            Format::Json => json(&self.0),
            Format::Csv => Ok(csv(&self.0)),
            _ => Ok(table(&self.0)),
        }
    }

    fn write(&self, folder: &OutputFolder) -> Result<(), Failure> {
        folder.write("features.json", json(&self.0)?)?;
        Ok(folder.write("features.csv", csv(&self.0))?)
    }

    fn notes(&self, _: Format) -> Vec<String> {
        self.0.findings.iter().map(finding_line).collect()
    }

    /// Nothing was matched at all.
    fn verdict(&self) -> Verdict {
        if self.0.rows.iter().all(|row| row.pairs.is_none()) { Verdict::Undefined } else { Verdict::Fine }
    }
}

fn table(found: &FeatureComparison) -> String {
    let width = found.rows.iter().map(|row| row.map.chars().count()).max().unwrap_or(0).max(3);
    let mut text = format!(
        "{:width$}  {:8} {:>9} {:>5} {:>12} {:>12} {:>9} {:>9} {:>9} {:>6}\n",
        "map", "features", "found", "pairs", "error m2", "warp m", "x m", "y m", "yaw deg", "walls"
    );
    for row in &found.rows {
        let number =
            |value: Option<f64>, digits: usize| value.map_or("-".to_owned(), |v| report::fixed(v, digits));
        let counts = format!("{}/{}", row.map_features, row.truth_features);
        let _ = writeln!(
            text,
            "{:width$}  {:8} {counts:>9} {:>5} {:>12} {:>12} {:>9} {:>9} {:>9} {:>6}{}",
            row.map,
            row.features.name(),
            row.pairs.map_or("-".to_owned(), |pairs| pairs.to_string()),
            number(row.mean_match_error_m2, 4),
            number(row.warp_penalty_m, 4),
            number(row.x_m, 2),
            number(row.y_m, 2),
            number(row.theta_rad.map(f64::to_degrees), 2),
            number(row.wall_score, 2),
            reasons(row),
        );
    }
    let _ = match found.degree {
        Some(degree) => writeln!(text, "all warps have degree {degree}"),
        None => writeln!(text, "no matching has the four pairs that a warp needs"),
    };
    text
}

/// Why values are missing, in words.
fn reasons(row: &FeatureRow) -> String {
    let words: Vec<String> =
        row.reasons.iter().map(|reason| format!("{}: {}", reason.code(), reason.meaning())).collect();
    if words.is_empty() { String::new() } else { format!("  {}", words.join(" ")) }
}

fn csv(found: &FeatureComparison) -> String {
    let mut text = "map,features,truth_features,map_features,pairs,mean_match_error_m2,position_m2,descriptor_m2,\
                    broken_adjacencies,x_m,y_m,theta_rad,wall_score,degree,warp_penalty_m,rigid_rms_m,warped_rms_m,reasons\n"
        .to_owned();
    let count = |value: Option<usize>| value.map_or_else(String::new, |v| v.to_string());
    let number = |value: Option<f64>| value.map_or_else(String::new, |v| v.to_string());
    for row in &found.rows {
        let cells = [
            report::shown_name(&row.map).replace([',', '"'], "_"),
            row.features.name().to_owned(),
            row.truth_features.to_string(),
            row.map_features.to_string(),
            count(row.pairs),
            number(row.mean_match_error_m2),
            number(row.position_m2),
            number(row.descriptor_m2),
            count(row.broken_adjacencies),
            number(row.x_m),
            number(row.y_m),
            number(row.theta_rad),
            number(row.wall_score),
            count(found.degree),
            number(row.warp_penalty_m),
            number(row.rigid_rms_m),
            number(row.warped_rms_m),
            row.reasons.iter().map(|reason| reason.code()).collect::<Vec<_>>().join(" "),
        ];
        let _ = writeln!(text, "{}", cells.join(","));
    }
    text
}
