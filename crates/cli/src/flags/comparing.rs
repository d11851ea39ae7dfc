//! How maps are compared with the truth: alignment, cells, metrics.

use std::path::Path;

use align::{Resample, Window};
use mapjudge::files::Job;
use mapjudge::{AlignBy, AlignmentFile};

use super::{MetricFlags, over};
use crate::failure::Failure;
use crate::word::Word;

/// How maps are compared with the truth.
#[derive(clap::Args)]
#[command(next_help_heading = "Comparing")]
pub struct ComparingFlags {
    /// How maps come into the coordinate frame of the truth: `georeference` takes the origins of both, and searches as
    /// `auto` does if one has none; `none` takes origins as read and (0, 0, 0) where absent; `fiducials` uses the
    /// barrels of --layout; `auto` or the name of a method searches; `X,Y,DEG` or `X,Y,DEG,SCALE` moves the map by metres,
    /// degrees and a factor; anything else is a transform file as `mapjudge align` prints it [default: georeference].
    #[arg(long, value_name = "georeference|none|auto|METHOD|X,Y,DEG|FILE", allow_hyphen_values = true)]
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
                Err(_) if word.contains(',') => {
                    let given = AlignmentFile::parse_numbers(word);
                    let given = given.map_err(|why| Failure::new(format!("--align {why}")))?;
                    (job.plan.transform, job.inputs.transform) = (Some(given), None);
                }
                Err(_) => {
                    let words = AlignBy::words().join(", ");
                    return Err(Failure::new(format!(
                        "--align {word}: no method, no X,Y,DEG and no file of this name"
                    ))
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
