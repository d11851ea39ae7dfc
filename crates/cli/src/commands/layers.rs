//! `mapjudge layers FILE.. --out ALL.tif`: layers of one GeoTIFF.

use std::path::{Path, PathBuf};

use mapjudge::files::{ForbiddenColours, Overwrite, write_layers};

use crate::Global;
use crate::failure::Failure;
use crate::invocation::refuse_input;
use crate::output::Answer;

/// Put maps and images together as layers of one GeoTIFF, or take a layer out.
///
/// Every file adds its layers: a GeoTIFF all of its pages, any other map one layer, called like the file or as NAME says.
/// All must have the same cells. A navigation layer of five colours becomes the first, and no other layer may have one of
/// these colours (rules of 2008): such a layer is refused, or changed by one step with --recolour. `mapjudge info` lists
/// the layers of a file.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mapjudge layers nav.png heat=heat.tif --out all.tif
      the navigation layer and a layer called heat in one file
  mapjudge layers nav.txt walls.tif --recolour --out all.tif
      black walls become nearly black: black means untraversable in the navigation layer
  mapjudge layers all.tif --take heat --out heat.tif
      one layer alone")]
pub struct Layers {
    /// Maps and images, each with the name of its layer before it if it should have another.
    #[arg(required = true, value_name = "[NAME=]FILE")]
    files: Vec<PathBuf>,
    /// GeoTIFF to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Write this layer alone.
    #[arg(long, value_name = "NAME")]
    take: Option<String>,
    /// Change the five colours of the navigation layer in other layers by one step instead of refusing them.
    #[arg(long)]
    recolour: bool,
    /// Replace the file if it is there already.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    reading: formats::ReadOptions,
}

impl Layers {
    pub fn run(&self, _: &Global) -> Result<Answer, Failure> {
        refuse_input(&self.out)?;
        let sources: Vec<(Option<String>, PathBuf)> = self.files.iter().map(|file| named(file)).collect();
        let forbidden = if self.recolour { ForbiddenColours::Changed } else { ForbiddenColours::Refused };
        let overwrite = if self.force { Overwrite::Allowed } else { Overwrite::Refused };
        let how = (forbidden, overwrite);
        let names = write_layers(&sources, self.take.as_deref(), &self.out, &self.reading, how)?;
        Ok(Answer::notes(vec![format!("wrote {}: {}", self.out.display(), names.join(", "))]))
    }
}

/// The name before the file, if there is one; a file whose name has a = in it is a file.
fn named(given: &Path) -> (Option<String>, PathBuf) {
    let text = given.to_string_lossy();
    match text.split_once('=') {
        Some((name, file)) if !given.exists() && !name.is_empty() => {
            (Some(name.to_owned()), PathBuf::from(file))
        }
        _ => (None, given.to_owned()),
    }
}
