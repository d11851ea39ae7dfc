//! `mapjudge judge-child`: judges files of strangers in a process of its own, for workers of `mapjudge serve`.

use std::path::PathBuf;
use std::time::Duration;

use server::contest::jobs::judge_child::judge_child;
use server::contest::jobs::sandbox::Enclosure;
use server::contest::jobs::task::ChildLimits;

use crate::Global;
use crate::failure::Failure;
use crate::output::Answer;

/// Do one task of a scratch folder and hand back the result on stdout. Started by workers.
#[derive(clap::Args)]
pub struct JudgeChild {
    /// The scratch folder.
    #[arg(value_name = "DIR")]
    scratch: PathBuf,
    /// Threads that compute.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    cores: u16,
    /// Seconds that the task may take.
    #[arg(long, value_name = "S", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    seconds: u64,
}

impl JudgeChild {
    pub fn run(&self, global: &Global) -> Result<Answer, Failure> {
        let limits = ChildLimits {
            max_memory_bytes: global.limits.max_memory_bytes(),
            max_time: Duration::from_secs(self.seconds),
            threads: usize::from(self.cores),
        };
        let mut output = std::io::stdout().lock();
        let enclosure = judge_child(&self.scratch, &limits, &mut output).map_err(Failure::new)?;
        let shut_in = match enclosure {
            Enclosure::Files => "limits, and no file but those of the scratch folder",
            Enclosure::LimitsAlone => "limits alone: this kernel has no Landlock",
        };
        Ok(Answer::notes(vec![format!("shut in by {shut_in}")]))
    }
}
