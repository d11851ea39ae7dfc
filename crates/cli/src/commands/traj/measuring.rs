//! Short names for the parameters of the metrics of trajectories.

use align::trajectory::FitMethod;
use mapjudge::Plan;
use serde_json::{Value, json};

use crate::flags::MetricFlags;
use crate::word::Word;

const ATE: &[&str] = &["ate_translation", "ate_rotation", "ate_full"];
const RPE: &[&str] = &["rpe_translation", "rpe_rotation"];
const RELATIONS: &[&str] = &["relative_displacement"];

/// Short names for the parameters of the metrics of trajectories.
#[derive(clap::Args)]
#[command(next_help_heading = "Measuring")]
pub struct MeasuringFlags {
    /// What the fit of an estimate to the truth may move, for ATE [default: auto].
    #[arg(long, value_name = "FIT", value_parser = Word::<FitMethod>::new())]
    align: Option<FitMethod>,
    /// Fit with the first poses only.
    #[arg(long, value_name = "N", value_parser = crate::flags::count)]
    align_first: Option<usize>,
    /// What an error counts for, for ATE [default: pose].
    #[arg(long, value_name = "pose|time|distance")]
    weight: Option<String>,
    /// How far apart the poses of a pair are, for RPE [default: 1f].
    #[arg(long, value_name = "1f|1m|1s|0.1rad")]
    delta: Option<String>,
    /// Which pairs are taken, for RPE [default: consecutive].
    #[arg(long, value_name = "consecutive|all")]
    pairs: Option<String>,
    /// Which product is the error of a relation [default: left].
    #[arg(long, value_name = "left|right|symmetric")]
    relation_error: Option<String>,
    /// In which direction a relation is read [default: forward].
    #[arg(long, value_name = "forward|backward")]
    order: Option<String>,
    /// When the error of a relation is drawn and clustered: at its second time or in the middle [default: end].
    #[arg(long, value_name = "end|middle")]
    relation_time: Option<String>,
    #[command(flatten)]
    metrics: MetricFlags,
}

impl MeasuringFlags {
    /// Puts the flags over a plan.
    pub fn apply(&self, plan: &mut Plan) {
        let word = |flag: &Option<String>| flag.clone().map(Value::from);
        let settings = [
            (ATE, "align", self.align.map(|method| json!(method))),
            (ATE, "first", self.align_first.map(Value::from)),
            (ATE, "weight", word(&self.weight)),
            (RPE, "delta", word(&self.delta)),
            (RPE, "pairs", word(&self.pairs)),
            (RELATIONS, "side", word(&self.relation_error)),
            (RELATIONS, "order", word(&self.order)),
            (RELATIONS, "time", word(&self.relation_time)),
        ];
        for (metrics, name, value) in settings {
            let Some(value) = value else { continue };
            metrics.iter().for_each(|metric| plan.set(metric, name, value.clone()));
        }
        self.metrics.apply(plan);
    }
}
