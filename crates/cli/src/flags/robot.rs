//! The robot and its task; every command that plans paths takes these flags.

use metrics::paths::path_inputs::{PathInputs, Thinning};

use super::{over, over_list, over_option};
use crate::word::Word;

/// The robot, where it starts and where it should get to, in the coordinate frame of the truth.
#[derive(clap::Args, PartialEq, Default)]
#[command(next_help_heading = "Robot")]
pub struct RobotFlags {
    /// Radius of the robot in metres [default: 0.25].
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    robot_radius: Option<f64>,
    /// Where it starts [default: the widest place of the truth's graph].
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true, value_parser = parse_place)]
    start: Option<[f64; 2]>,
    /// Where it should get to; may be repeated [default: the nodes of the truth's graph].
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true, value_parser = parse_place)]
    target: Vec<[f64; 2]>,
    /// This many random places as targets instead.
    #[arg(long, value_name = "N", value_parser = crate::flags::count)]
    random_targets: Option<usize>,
    /// Occupied groups of fewer cells count as free [default: 0].
    #[arg(long, value_name = "CELLS", value_parser = clap::value_parser!(u64).range(0..=1_000_000))]
    despeckle: Option<u64>,
    /// How free space is thinned to lines [default: distance].
    #[arg(long, value_name = "RULE", value_parser = Word::<Thinning>::new())]
    thinning: Option<Thinning>,
    /// Dead ends shorter than this are left out of the graph [default: 0].
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    prune_min: Option<f64>,
    /// Dead ends shorter than this many times the clearance of their junction are left out [default: 1].
    #[arg(long, value_name = "FACTOR", allow_negative_numbers = true)]
    prune_factor: Option<f64>,
    /// How far a start or end that is not traversable may be moved [default: the radius, at least a cell].
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    snap: Option<f64>,
}

impl RobotFlags {
    /// Puts the flags over the robot of a job; without any flag the job keeps its own, or none.
    pub fn apply(&self, paths: &mut Option<PathInputs>, seed: u64) {
        if *self == Self::default() {
            return;
        }
        let inputs = paths.get_or_insert_with(|| PathInputs { seed, ..PathInputs::default() });
        over(&mut inputs.robot_radius_m, &self.robot_radius);
        over_option(&mut inputs.start, &self.start);
        over_list(&mut inputs.targets, &self.target);
        over(&mut inputs.random_targets, &self.random_targets);
        over(&mut inputs.despeckle, &self.despeckle);
        over(&mut inputs.thinning, &self.thinning);
        over(&mut inputs.prune_min_m, &self.prune_min);
        over(&mut inputs.prune_factor, &self.prune_factor);
        over_option(&mut inputs.snap_m, &self.snap);
    }

    /// The robot of these flags.
    pub fn inputs(&self, seed: u64) -> PathInputs {
        let mut paths = Some(PathInputs { seed, ..PathInputs::default() });
        self.apply(&mut paths, seed);
        paths.unwrap_or_default()
    }
}

fn parse_place(text: &str) -> Result<[f64; 2], String> {
    let expected = || format!("'{text}': expected X,Y in metres");
    let (x, y) = text.split_once(',').ok_or_else(expected)?;
    let number = |part: &str| part.trim().parse::<f64>().ok().filter(|n| n.is_finite()).ok_or_else(expected);
    Ok([number(x)?, number(y)?])
}
