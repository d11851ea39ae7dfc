//! `mapjudge consensus MAP..`: maps of one place judged against each other, without a ground truth.

use std::path::PathBuf;

use mapjudge::files::{Loader, OutputFolder, case_names};
use mapjudge::{Consensus as Found, JobError, Plan, Subject, Verdict, consensus};

use crate::Global;
use crate::failure::Failure;
use crate::flags::{ForceResolution, MetricFlags};
use crate::format::{Format, REPORT};
use crate::judged::Judged;
use crate::output::{Answer, Output, OutputFlags};
use crate::progress::Progress;

/// Judge maps of one place against each other, without a ground truth.
///
/// All are brought into one coordinate frame, and each is scored against what the others agree on.
#[derive(clap::Args)]
#[command(
    mut_arg("format", Format::offer(REPORT)),
    mut_arg("out", |out| out.help("Also write consensus.yaml, report.json, report.html and the figures into this folder")),
    after_help = "\
Examples:
  mapjudge consensus a.yaml b.yaml c.yaml d.yaml
      scores of each map against the agreement of the three others
  mapjudge consensus runs/*.yaml --out result
      result/consensus.yaml is the majority of the maps; result/report.html shows where each stands alone
  mapjudge consensus runs/*.yaml --metrics picture_distance,plausibility --format csv
      a selection of metrics"
)]
pub struct Consensus {
    /// Maps of one place, at least three.
    #[arg(required = true, value_name = "MAP")]
    maps: Vec<PathBuf>,
    #[command(flatten)]
    reading: formats::MapReadOptions,
    #[command(flatten)]
    force: ForceResolution,
    #[command(flatten)]
    metrics: MetricFlags,
    #[command(flatten)]
    output: OutputFlags,
}

impl Consensus {
    pub fn run(&self, global: &Global) -> Result<Answer, Failure> {
        if self.maps.len() < 3 {
            return Err(JobError::NoConsensus { maps: self.maps.len(), placed: 0 }.into());
        }
        let loader = Loader::new(self.force.over(&self.reading.options));
        let named = self.maps.iter().zip(case_names(&self.maps));
        let members = named.map(|(path, name)| Ok(Subject::of_map(name, loader.map(path)?)));
        let members = members.collect::<Result<Vec<_>, JobError>>()?;
        let mut plan = Plan { figures: self.output.figures(), ..Plan::default() };
        self.metrics.apply(&mut plan);
        let bar = Progress::steps(0, global.quiet).counting("pairs of maps aligned");
        let found = consensus(&members, &plan, &|done, all| bar.done_of(done, all))?;
        Ok(self.output.answer(Agreement::new(&self.maps, found)))
    }
}

struct Agreement {
    judged: Judged,
    map: model::Grid,
    notes: Vec<String>,
}

impl Agreement {
    fn new(maps: &[PathBuf], found: Found) -> Self {
        let notes = unused(maps, &found);
        let judged = Judged {
            report: found.report,
            verdict: Verdict::Fine,
            below_table: String::new(),
            style: report::TableStyle::default(),
            failures: Vec::new(),
        };
        Self { judged, map: found.map, notes }
    }
}

/// Which maps could not be placed, and which pairs contradict the others.
fn unused(maps: &[PathBuf], found: &Found) -> Vec<String> {
    let left_out = maps.iter().zip(&found.joint.frames).filter(|(_, placed)| placed.is_none());
    let left_out = left_out.map(|(map, _)| {
        format!("warning: {}: no certain alignment with any other map; left out", map.display())
    });
    let contradicting = found.joint.contradicting.iter().map(|&(first, second)| {
        let (first, second) = (maps[first].display(), maps[second].display());
        format!("warning: {first} and {second}: their alignment contradicts the others; not used")
    });
    left_out.chain(contradicting).collect()
}

impl Output for Agreement {
    fn render(&self, format: Format) -> Result<String, Failure> {
        self.judged.render(format)
    }

    fn write(&self, folder: &OutputFolder) -> Result<(), Failure> {
        self.judged.write(folder)?;
        let (yaml, pgm) = formats::write_ros_map(&self.map, "consensus.pgm");
        folder.write("consensus.yaml", yaml)?;
        Ok(folder.write("consensus.pgm", pgm)?)
    }

    fn notes(&self, _: Format) -> Vec<String> {
        self.notes.clone()
    }
}
