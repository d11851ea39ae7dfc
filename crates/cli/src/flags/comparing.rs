//! How maps are compared with the truth: alignment, cells, metrics.

use std::path::Path;

use align::{Resample, Window};
use mapjudge::AlignBy;
use mapjudge::files::Job;

use super::{MetricFlags, over};
use crate::failure::Failure;
use crate::word::Word;

/// How maps are compared with the truth.
#[derive(clap::Args)]
#[command(next_help_heading = "Comparing")]
pub struct ComparingFlags {
    /// How maps come into the coordinate frame of the truth: `georeference` takes the origins of both, and searches as
    /// `auto` does if one has none; `none` takes origins as read and (0, 0, 0) where absent; `fiducials` uses the
    /// barrels of --layout; `auto` or the name of a method searches; anything else is a transform file as `mapjudge
    /// align` prints it [default: georeference].
    #[arg(long, value_name = "georeference|none|auto|METHOD|FILE")]
    align: Option<String>,
    /// Compute scores also under an alignment that is not certain; every value then carries a warning.
    #[arg(long)]
    accept_ambiguous: bool,
    /// Which cells are compared [default: truth].
    #[arg(long, value_name = "WINDOW", value_parser = Word::<Window>::new())]
    window: Option<Window>,
    /// How a map comes onto the cells of the truth [default: occupied-wins].
    #[arg(long, value_name = "RULE", value_parser = Word::<Resample>::new())]
    resample: Option<Resample>,
    #[command(flatten)]
    metrics: MetricFlags,
}

impl ComparingFlags {
    /// Puts the flags over a job.
    pub fn apply(&self, job: &mut Job) -> Result<(), Failure> {
        if let Some(word) = &self.align {
            match word.parse::<AlignBy>() {
                Ok(by) => (job.plan.align, job.inputs.transform) = (by, None),
                Err(_) if Path::new(word).exists() => job.inputs.transform = Some(word.into()),
                Err(_) => {
                    let words = AlignBy::words().join(", ");
                    return Err(Failure::new(format!("--align {word}: no method and no file of this name"))
                        .hint(format!("name a transform file, or one of {words}")));
                }
            }
        }
        job.plan.aligning.accept_ambiguous |= self.accept_ambiguous;
        over(&mut job.plan.window, &self.window);
        over(&mut job.plan.resample, &self.resample);
        self.metrics.apply(&mut job.plan);
        Ok(())
    }
}
