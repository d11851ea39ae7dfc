//! `mapjudge view FILE..`: any result in the browser.

use std::path::PathBuf;

use mapjudge::Viewed;
use mapjudge::files::{Loader, read_viewed, shown_path};
use server::{Desk, ViewDesk};

use crate::Global;
use crate::failure::Failure;
use crate::output::Answer;
use crate::pages::PageFlags;

/// Look at maps, runs, shapes and reports in the browser.
///
/// Everything lies in one coordinate frame: pan, zoom, layers, the place and the values under the cursor, and a slider over
/// time for runs. A report brings its maps along, laid as they were judged, if their files are still the same.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mapjudge view map.yaml truth.yaml run.tum --open
      two maps and a run in one view
  mapjudge view results
      a folder that `mapjudge score --out results` wrote")]
pub struct View {
    /// Files and folders of results.
    #[arg(value_name = "FILE|FOLDER", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    reading: formats::MapReadOptions,
    #[command(flatten)]
    page: PageFlags,
}

impl View {
    pub fn run(&self, _: &Global) -> Result<Answer, Failure> {
        let viewed = read_viewed(&self.files, &Loader::new(self.reading.options.clone()));
        let is_shown = |item: &Viewed| !matches!(item, Viewed::Broken { .. });
        if !viewed.iter().any(is_shown) {
            let first = viewed.into_iter().find_map(|item| match item {
                Viewed::Broken { error, .. } => Some(*error),
                _ => None,
            });
            return Err(first.map_or_else(|| Failure::new("there is nothing to look at"), Failure::from));
        }
        let names: Vec<String> = self.files.iter().map(|path| shown_path(path)).collect();
        self.page.show(Desk::View(ViewDesk::new(names.join(", "), viewed)))?;
        Ok(Answer::notes(Vec::new()))
    }
}
