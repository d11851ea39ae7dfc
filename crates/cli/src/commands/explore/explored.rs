//! An exploration as an output: a table, JSON, and the files of its folder.

use std::fmt::Write;

use explore::Choice;
use mapjudge::files::OutputFolder;
use mapjudge::{ExplorationReport, Explored, RunReport};

use crate::failure::Failure;
use crate::format::Format;
use crate::output::{Output, json, write_figures};

impl Output for Explored {
    fn render(&self, format: Format) -> Result<String, Failure> {
        if format == Format::Json { json(&self.report) } else { Ok(table(&self.report)) }
    }

    fn write(&self, folder: &OutputFolder) -> Result<(), Failure> {
        let (yaml, pgm) = formats::write_ros_map(&self.map, "map.pgm");
        folder.write("map.yaml", yaml)?;
        folder.write("map.pgm", pgm)?;
        folder.write("exploration.json", json(&self.report)?)?;
        folder.write("index.html", self.page()?)?;
        write_figures(folder, &self.figures)
    }
}

fn table(report: &ExplorationReport) -> String {
    let mut text = format!("{}: {:.1} m² can be reached\n", report.place, report.reachable_m2);
    add_run(&mut text, &report.run);
    if let Some(baseline) = &report.baseline {
        add_run(&mut text, baseline);
    }
    if let Some(ratio) = report.path_ratio {
        let _ = writeln!(text, "path {ratio:.3} times that of the nearest frontier");
    }
    text
}

fn add_run(text: &mut String, run: &RunReport) {
    let name = match run.choice {
        Choice::ExplorationTransform => "exploration transform",
        Choice::NearestFrontier => "nearest frontier",
    };
    let seconds = |time_s: Option<f64>| time_s.map_or("never".to_owned(), |time_s| format!("{time_s:.0} s"));
    let scores: Vec<String> = run
        .map_score
        .iter()
        .map(|score| {
            format!("{} {}", score.id, score.value.map_or("-".to_owned(), |value| report::fixed(value, 4)))
        })
        .collect();
    let _ = write!(
        text,
        "{name}, {} robots\n\
         \x20 coverage    {:.2} %, ended: {:?}\n\
         \x20 distance    {:.1} m in {:.0} s, {} scans\n\
         \x20 90 / 95 / 99 % known after {} / {} / {}\n\
         \x20 collisions  {}\n\
         \x20 plans       {} ({} re-targets), {:.1} ms median, {:.1} ms at 95 %\n\
         \x20 final map   {}\n",
        run.robots,
        100.0 * run.coverage,
        run.ending,
        run.distance_m,
        run.time_s,
        run.scans,
        seconds(run.time_to_90_s),
        seconds(run.time_to_95_s),
        seconds(run.time_to_99_s),
        run.collisions,
        run.replans,
        run.retargets,
        run.plan_ms.p50,
        run.plan_ms.p95,
        scores.join(", ")
    );
}
