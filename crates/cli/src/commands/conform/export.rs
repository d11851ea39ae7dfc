//! `mapjudge conform export`: the vectors as an archive.

use std::path::PathBuf;

use mapjudge::files::conform::packed_vectors;

use super::VectorFlags;
use crate::failure::Failure;
use crate::flags::OverwriteFlag;
use crate::output::{Answer, finish};

/// Write the vectors as an archive: mapjudge-vectors-VERSION.tar.zst.
#[derive(clap::Args)]
pub struct Export {
    #[command(flatten)]
    vectors: VectorFlags,
    /// Folder for the archive.
    #[arg(long, value_name = "DIR", default_value = ".")]
    out: PathBuf,
    #[command(flatten)]
    overwrite: OverwriteFlag,
}

impl Export {
    pub fn run(&self) -> Result<Answer, Failure> {
        let set = self.vectors.load()?;
        let (name, bytes) = packed_vectors(&set)?;
        let folder = self.overwrite.results(&self.out);
        folder.check(&[&name])?;
        folder.write(&name, bytes)?;
        finish(&folder, true)?;
        Ok(Answer::notes(vec![format!("{}: {} vectors", self.out.join(&name).display(), set.vectors.len())]))
    }
}
