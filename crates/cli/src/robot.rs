//! The flags that describe the robot and its task; every command that plans ways takes them.

use metrics::paths::path_inputs::PathInputs;

use crate::choice::set_word;
use crate::output::Failure;

/// The robot, where it starts and where it should get to, in the frame of the truth.
#[derive(clap::Args)]
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
    #[arg(long, value_name = "N")]
    random_targets: Option<usize>,
    /// Occupied groups of fewer cells count as free [default: 0].
    #[arg(long, value_name = "CELLS")]
    despeckle: Option<u64>,
    /// How free space is thinned to lines [default: distance].
    #[arg(long, value_name = "distance|zhang-suen")]
    thinning: Option<String>,
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
    /// Lays the flags over what a job says; without any flag the job keeps saying what it says.
    pub fn lay_over(&self, paths: &mut Option<PathInputs>, seed: u64) -> Result<(), Failure> {
        if !self.are_given() {
            return Ok(());
        }
        let inputs = paths.get_or_insert_with(|| PathInputs { seed, ..PathInputs::default() });
        inputs.robot_radius_m = self.robot_radius.unwrap_or(inputs.robot_radius_m);
        inputs.start = self.start.or(inputs.start);
        if !self.target.is_empty() {
            inputs.targets.clone_from(&self.target);
        }
        inputs.random_targets = self.random_targets.unwrap_or(inputs.random_targets);
        inputs.despeckle = self.despeckle.unwrap_or(inputs.despeckle);
        inputs.prune_min_m = self.prune_min.unwrap_or(inputs.prune_min_m);
        inputs.prune_factor = self.prune_factor.unwrap_or(inputs.prune_factor);
        inputs.snap_m = self.snap.or(inputs.snap_m);
        set_word(&mut inputs.thinning, "--thinning", self.thinning.as_deref())
    }

    /// The inputs that these flags say.
    pub fn inputs(&self, seed: u64) -> Result<PathInputs, Failure> {
        let mut paths = Some(PathInputs { seed, ..PathInputs::default() });
        self.lay_over(&mut paths, seed)?;
        Ok(paths.unwrap_or_default())
    }

    fn are_given(&self) -> bool {
        let lengths = [self.robot_radius, self.prune_min, self.prune_factor, self.snap];
        lengths.iter().any(Option::is_some)
            || self.start.is_some()
            || !self.target.is_empty()
            || self.random_targets.is_some()
            || self.despeckle.is_some()
            || self.thinning.is_some()
    }
}

fn parse_place(text: &str) -> Result<[f64; 2], String> {
    let expected = || format!("'{text}': expected X,Y in metres");
    let (x, y) = text.split_once(',').ok_or_else(expected)?;
    let number = |part: &str| part.trim().parse::<f64>().ok().filter(|n| n.is_finite()).ok_or_else(expected);
    Ok([number(x)?, number(y)?])
}
