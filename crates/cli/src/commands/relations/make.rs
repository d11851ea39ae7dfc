//! `mapjudge relations make TRAJECTORY OUT`.

use std::path::PathBuf;

use align::trajectory::Plane;
use clap::ValueEnum;
use mapjudge::files::relations::make;
use truth::{MakeParams, Pairs, Sample};

use super::written;
use crate::Global;
use crate::failure::Failure;
use crate::flags::ForceFlag;
use crate::flags::{KeyframeFlags, over, over_list};
use crate::output::Answer;
use crate::word::Word;

#[derive(clap::Args)]
pub struct Make {
    /// Trajectory or log.
    #[arg(value_name = "TRAJECTORY")]
    trajectory: PathBuf,
    /// File to write: .relations, .jsonl, .csv or .json.
    #[arg(value_name = "OUT")]
    output: PathBuf,
    #[command(flatten)]
    force: ForceFlag,
    /// Which pairs of poses [default: consecutive,loops].
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    pairs: Vec<PairsName>,
    /// Distance travelled between the poses of `distance`, in metres [default: 1].
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    distance: Option<f64>,
    /// So many random pairs, instead of the number that the precision asks for.
    #[arg(long, value_name = "N", conflicts_with = "precision", value_parser = crate::flags::count)]
    count: Option<usize>,
    /// Precision of the mean over random pairs, relative to it: n = t^2 sigma^2 / delta^2 [default: 0.05].
    #[arg(long, value_name = "RATIO", allow_negative_numbers = true)]
    precision: Option<f64>,
    /// Run whose errors the precision is about; without one it is about the lengths of the displacements.
    #[arg(long, value_name = "TRAJECTORY")]
    run: Option<PathBuf>,
    /// Project the poses onto a plane first: xy for estimates without heights and tilts.
    #[arg(long, value_name = "PLANE", value_parser = Word::<Plane>::new())]
    project: Option<Plane>,
    #[command(flatten)]
    keyframes: KeyframeFlags,
    #[command(flatten)]
    reading: formats::LogReadOptions,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum PairsName {
    /// Each keyframe and the next.
    Consecutive,
    /// Poses at a distance travelled.
    Distance,
    /// Visits of the same place.
    Loops,
    /// Any two poses.
    Random,
}

impl From<PairsName> for Pairs {
    fn from(name: PairsName) -> Self {
        match name {
            PairsName::Consecutive => Self::Consecutive,
            PairsName::Distance => Self::Distance,
            PairsName::Loops => Self::Loops,
            PairsName::Random => Self::Random,
        }
    }
}

impl Make {
    pub fn run(&self, global: &Global) -> Result<Answer, Failure> {
        let params = self.params(global.seed());
        self.force.check(&self.output)?;
        let (run, options) = (self.run.as_deref(), &self.reading.options);
        let made = make(&self.trajectory, &self.output, &params, run, self.project, options)?;
        Ok(written(&made, &self.output, "poses"))
    }

    fn params(&self, seed: u64) -> MakeParams {
        let mut params = MakeParams { seed, ..self.keyframes.params() };
        over_list(&mut params.pairs, &self.pairs.iter().map(|&name| name.into()).collect());
        over(&mut params.distance_m, &self.distance);
        over(&mut params.sample, &self.count.map(Sample::Count).or(self.precision.map(Sample::Precision)));
        params
    }
}
