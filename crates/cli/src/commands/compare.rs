//! `mapjudge compare A B --truth T`: two maps of one place side by side, for instance simulated and real.

use std::path::PathBuf;

use mapjudge::files::{Job, OutputFolder};
use mapjudge::{JobError, Verdict};
use report::{SideBySide, side_by_side, side_by_side_html};

use crate::Global;
use crate::failure::Failure;
use crate::flags::{AligningFlags, ComparingFlags, ResolutionFlags, RobotFlags};
use crate::format::Format;
use crate::judged::{Judged, warnings};
use crate::output::{Answer, Output, OutputFlags, json};

/// Two maps of one place side by side, such as simulated and real.
///
/// Every metric of both, the difference, which is better, and their figures side by side. With annotations, what was
/// written on each map is judged and drawn too: victims, paths, labels, groups.
#[derive(clap::Args)]
#[command(
    mut_arg("format", Format::offer(&[Format::Table, Format::Json, Format::Csv, Format::Md, Format::Html])),
    mut_arg("out", |out| out.help(
        "Also write compare.json, compare.html, report.json, report.html and the figures into this folder"
    )),
    after_help = "\
Examples:
  mapjudge compare simulated.yaml real.yaml --truth truth.yaml
      every metric of both, and under how many each is better
  mapjudge compare before.yaml after.yaml --truth truth.yaml --out result
      result/compare.html shows the overlays side by side, result/report.html everything else
  mapjudge compare a.yaml b.yaml --truth truth.yaml --metrics cells --format csv
      a family of metrics with every digit
  mapjudge compare sim.tif real.tif --truth truth.yaml --annotations-a sim/victims.mif sim/robot_path.mif \\
      --annotations-b real/victims.mif real/robot_path.mif --truth-annotations truth_victims.mif
      victims found and paths driven in simulation and reality"
)]
pub struct Compare {
    /// The first map.
    #[arg(value_name = "A")]
    a: PathBuf,
    /// The second map.
    #[arg(value_name = "B")]
    b: PathBuf,
    /// The ground truth of both.
    #[arg(long, value_name = "MAP")]
    truth: PathBuf,
    /// What is written on the first map: MIF/MID or GeoJSON layers named after their kind (victims, robot_path, ..),
    /// detection lists, a trajectory as robot path.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    annotations_a: Vec<PathBuf>,
    /// What is written on the second map.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    annotations_b: Vec<PathBuf>,
    /// What is written on the truth, in the same formats; adds the metrics of annotations and victims.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    truth_annotations: Vec<PathBuf>,
    #[command(flatten)]
    reading: formats::MapReadOptions,
    #[command(flatten)]
    resolution: ResolutionFlags,
    #[command(flatten)]
    aligning: AligningFlags,
    #[command(flatten)]
    comparing: ComparingFlags,
    #[command(flatten)]
    robot: RobotFlags,
    #[command(flatten)]
    output: OutputFlags,
}

impl Compare {
    pub fn run(&self, global: &Global) -> Result<Answer, Failure> {
        let mut job = Job { read: self.reading.options.clone(), ..Job::default() };
        self.resolution.apply(&mut job.resolutions);
        job.inputs.truth = Some(self.truth.clone());
        job.inputs.maps = vec![self.a.clone(), self.b.clone()];
        job.inputs.map_annotations = vec![self.annotations_a.clone(), self.annotations_b.clone()];
        job.inputs.truth_annotations.clone_from(&self.truth_annotations);
        job.plan.figures = self.output.figures();
        self.aligning.apply(&mut job.plan.aligning);
        self.comparing.apply(&mut job)?;
        self.robot.apply(&mut job.plan.paths, global.seed());
        let judged = Judged::of_job(&job, global)?;
        let [a, b] = &judged.report.cases[..] else { return Err(JobError::Incomplete("second map").into()) };
        let pair = side_by_side(a, b);
        Ok(self.output.answer(Pair { pair, judged }))
    }
}

struct Pair {
    pair: SideBySide,
    judged: Judged,
}

impl Output for Pair {
    fn render(&self, format: Format) -> Result<String, Failure> {
        Ok(match format {
            Format::Json => json(&self.pair)?,
            Format::Csv => self.pair.csv(),
            Format::Md => self.pair.markdown(),
            Format::Html => side_by_side_html(&self.pair, &self.judged.report.cases)?,
            _ => self.pair.text_on(crate::terminal::screen()),
        })
    }

    fn write(&self, folder: &OutputFolder) -> Result<(), Failure> {
        self.judged.write(folder)?;
        for (name, format) in [("compare.json", Format::Json), ("compare.html", Format::Html)] {
            folder.write(name, self.render(format)?)?;
        }
        Ok(())
    }

    fn notes(&self, _: Format) -> Vec<String> {
        warnings(&self.judged.report)
    }

    fn verdict(&self) -> Verdict {
        self.judged.verdict
    }
}
