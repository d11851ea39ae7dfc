//! `mapjudge sonar`: paradigms of sonar mapping compared on seeded places.

use std::collections::BTreeMap;
use std::fmt::Write;

use mapjudge::files::{Evaluation, OutputFolder};
use mapjudge::{SonarPlan, SonarReport, SonarScore, Verdict, compare_sonar, new_report};

use crate::Global;
use crate::failure::Failure;
use crate::format::Format;
use crate::judged::Judged;
use crate::output::{Answer, Output, OutputFlags, json};
use crate::progress::Progress;

/// Compare paradigms of sonar mapping on simulated places.
///
/// A sonar ring with wide cones, mirror-like walls and noise goes through seeded rooms at true poses. Three mappers make a
/// map of the same readings: the last reading of each cell, the evidence grid of Moravec and Elfes, and the forward model
/// of Thrun. Each map is judged by the measures of Collins et al.; the mean of the ranks orders the mappers.
#[derive(clap::Args)]
#[command(
    mut_arg("format", Format::offer(&[Format::Table, Format::Json, Format::Csv, Format::Md, Format::Html])),
    mut_arg("out", |out| out.help(
        "Also write sonar.json, report.json, report.html and the figures into this folder"
    )),
    after_help = "\
Examples:
  mapjudge sonar
      three places, three mappers, five measures and the ranking
  mapjudge sonar --seeds 4..13 --format json
      ten other places, every digit
  mapjudge sonar --seeds 7 --out result
      result/report.html shows each map over its truth

The mappers run on logs too: `mapjudge simulate ARENA --sonar ..` writes one, `mapjudge map LOG --mapper sonar-forward`
maps it."
)]
pub struct Sonar {
    /// Seeds of the places: N, or FIRST..LAST with both included.
    #[arg(long, value_name = "SEEDS", default_value = "1..3", value_parser = parse_seeds)]
    seeds: Seeds,
    /// Radius of the robot of the path measures, metres.
    #[arg(long, value_name = "METRES", default_value_t = 0.25, allow_negative_numbers = true)]
    robot_radius: f64,
    /// A parameter of a mapper; may be given many times. `mapjudge map --list-settings --mapper M` lists them.
    #[arg(long = "set", value_name = "MAPPER.NAME=VALUE")]
    settings: Vec<String>,
    #[command(flatten)]
    output: OutputFlags,
}

/// Seeds from the first to the last.
#[derive(Clone, Debug, PartialEq)]
struct Seeds(Vec<u64>);

/// More places than this at once are a slip of the finger: each takes a second or more.
const MAX_PLACES: u64 = 1000;

fn parse_seeds(text: &str) -> Result<Seeds, String> {
    let expected =
        || format!("expected a seed, or FIRST..LAST with at most {MAX_PLACES} seeds, such as 1..3");
    let number = |text: &str| text.trim().parse::<u64>().map_err(|_| expected());
    let (first, last) = match text.split_once("..") {
        Some((first, last)) => (number(first)?, number(last.trim_start_matches('='))?),
        None => (number(text)?, number(text)?),
    };
    let is_few = first <= last && last - first < MAX_PLACES;
    if is_few { Ok(Seeds((first..=last).collect())) } else { Err(expected()) }
}

impl Sonar {
    pub fn run(&self, global: &Global) -> Result<Answer, Failure> {
        let bar = Progress::steps(0, global.quiet).counting("sonar maps made and judged");
        let (seeds, figures) = (self.seeds.0.clone(), self.output.figures());
        let settings = settings(&self.settings)?;
        let plan = SonarPlan { seeds, robot_radius_m: self.robot_radius, settings, figures };
        let (report, cases) = compare_sonar(&plan, &|done, all| bar.done_of(done, all))?;
        let evaluation =
            Evaluation { report: new_report(cases), verdict: Verdict::Fine, failures: Vec::new() };
        Ok(self.output.answer(Compared { report, judged: evaluation.into() }))
    }
}

/// The parameters by mapper.
fn settings(given: &[String]) -> Result<BTreeMap<String, mapper::Settings>, Failure> {
    let mut settings: BTreeMap<String, mapper::Settings> = BTreeMap::new();
    for text in given {
        let wrong = || {
            Failure::new(format!("--set {text}: expected MAPPER.NAME=VALUE"))
                .hint("for example --set sonar-forward.hit_probability=0.5")
        };
        let (key, value) = text.split_once('=').ok_or_else(wrong)?;
        let (mapper, name) = key.split_once('.').ok_or_else(wrong)?;
        let value = serde_json::from_str(value).unwrap_or_else(|_| serde_json::Value::from(value));
        settings.entry(mapper.to_owned()).or_default().insert(name.to_owned(), value);
    }
    Ok(settings)
}

struct Compared {
    report: SonarReport,
    judged: Judged,
}

impl Output for Compared {
    fn render(&self, format: Format) -> Result<String, Failure> {
        match format {
            Format::Json => json(&self.report),
            Format::Table => Ok(table(&self.report)),
            other => self.judged.render(other),
        }
    }

    fn write(&self, folder: &OutputFolder) -> Result<(), Failure> {
        self.judged.write(folder)?;
        Ok(folder.write("sonar.json", json(&self.report)?)?)
    }
}

/// Headings of the measures, with an arrow to the better side.
const HEADINGS: [&str; 5] = ["Baron ^", "map score v", "occupied v", "incomplete v", "invalid v"];

fn table(report: &SonarReport) -> String {
    let [a, b, c, d, e] = HEADINGS;
    let mut text =
        format!("{:<14} {a:>8} {b:>11} {c:>10} {d:>12} {e:>9} {:>9} {:>9}\n", "", "coverage", "mean rank");
    for place in &report.places {
        let percent = 100.0 * place.without_echo;
        let _ =
            writeln!(text, "seed {}: {} readings, {percent:.1} % without echo", place.seed, place.readings);
        place.maps.iter().for_each(|map| row(&mut text, map));
    }
    text.push('\n');
    for (index, rank) in report.ranking.iter().enumerate() {
        let mean = rank.mean_rank.map_or_else(|| "-".to_owned(), |mean| format!("{mean:.2}"));
        let above = rank.above_naive.map_or_else(String::new, |places| {
            format!(", above sonar-last on {places} of {} places", report.places.len())
        });
        let _ = writeln!(text, "{}. {:<14} mean rank {mean}{above}", index + 1, rank.mapper);
    }
    text.push_str(
        "\n^ more is better, v less; * best of a place. incomplete, invalid: percent of the paths of the truth that the map\n\
         lacks, and of the map's that would collide (Collins et al.). - is undefined and has no rank.\n",
    );
    text
}

fn row(text: &mut String, map: &SonarScore) {
    let cell = |index: usize, digits: usize| match (map.values[index], map.ranks[index]) {
        (Some(value), Some(rank)) => {
            format!("{}{}", report::fixed(value, digits), if rank < 2.0 { "*" } else { " " })
        }
        _ => "- ".to_owned(),
    };
    let plain =
        |value: Option<f64>, digits: usize| value.map_or("-".to_owned(), |v| report::fixed(v, digits));
    let _ = writeln!(
        text,
        "  {:<14} {:>8} {:>10} {:>10} {:>11} {:>9} {:>9} {:>9}",
        map.mapper,
        cell(0, 4),
        cell(1, 1),
        cell(2, 1),
        cell(3, 1),
        cell(4, 1),
        plain(map.coverage, 3),
        plain(map.mean_rank, 2),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_a_number_or_a_range_of_few() {
        assert_eq!(parse_seeds("7"), Ok(Seeds(vec![7])));
        assert_eq!(parse_seeds("1..3"), Ok(Seeds(vec![1, 2, 3])));
        for wrong in ["", "a", "3..1", "1..", "-1", "0..1000000", "0..18446744073709551615"] {
            assert!(parse_seeds(wrong).is_err(), "{wrong}");
        }
    }
}
