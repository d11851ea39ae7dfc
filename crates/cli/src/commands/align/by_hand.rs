//! `mapjudge align MAP.. --truth MAP --by-hand`: a person lays maps on the truth, in the browser (X-OVERLAY).

use std::path::{Path, PathBuf};

use mapjudge::AlignmentFile;
use mapjudge::files::{Loader, Overwrite, case_names, check_overwrite, shown_path, write_alignment};
use mapjudge::overlay::{LayerFrame, vector_layers};
use server::{Desk, OverlayDesk, OverlayMap};

use super::Align;
use crate::failure::Failure;
use crate::output::Answer;
use crate::pages::PageFlags;

/// Maps that are laid at a time, at most.
const MAX_MAPS: usize = 100;

/// How maps are laid by hand.
#[derive(clap::Args)]
#[command(next_help_heading = "By hand")]
pub struct ByHandFlags {
    /// Lay the maps on the truth yourself, in the browser.
    #[arg(long)]
    by_hand: bool,
    /// What is written on the map: victims, paths, labels; shown as layers. One map only.
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "by_hand")]
    annotations: Vec<PathBuf>,
    /// What is written on the truth; shown as layers.
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "by_hand")]
    truth_annotations: Vec<PathBuf>,
    /// Transform file to begin with. One map only.
    #[arg(long, value_name = "FILE", requires = "by_hand")]
    frame: Option<PathBuf>,
    #[command(flatten)]
    page: PageFlags,
}

impl ByHandFlags {
    /// Whether a person lays the maps.
    pub fn is_asked(&self) -> bool {
        self.by_hand
    }
}

impl Align {
    /// Shows the page until the work is done.
    pub(super) fn lay_by_hand(&self) -> Result<Answer, Failure> {
        let flags = &self.by_hand;
        if self.maps.len() > MAX_MAPS {
            return Err(Failure::new(format!("{} maps: expected at most {MAX_MAPS}", self.maps.len())));
        }
        if self.maps.len() > 1 && (flags.frame.is_some() || !flags.annotations.is_empty()) {
            let message = "--frame and --annotations belong to one map, and there are several";
            return Err(Failure::new(message).hint("lay that map alone"));
        }
        let files = self.frame_files()?;
        let (reading, resolutions) = (&self.reading.options, self.resolution.resolutions());
        let truth = Loader::new(resolutions.of_truth(reading)).map(&self.truth)?;
        let of_map = Loader::new(resolutions.of_map(reading, Some(&truth)));
        let loader = Loader::new(reading.clone());
        let annotations =
            |paths: &[PathBuf]| loader.annotations(paths).map(|all| all.map(|loaded| loaded.value));
        let own = annotations(&flags.annotations)?;
        let own = own.map_or_else(Vec::new, |own| vector_layers(&own, LayerFrame::Map));
        let frame = flags.frame.as_deref().map(|path| loader.alignment(path)).transpose()?;
        let frame = frame.map(|loaded| loaded.value);
        let laid = |path: &PathBuf| OverlayMap {
            name: shown_path(path),
            map: of_map.map(path),
            layers: own.clone(),
            frame: frame.clone(),
        };
        let maps: Vec<OverlayMap> = self.maps.iter().map(laid).collect();
        let layout = self.layout.as_deref().map(|path| loader.layout(path)).transpose()?;
        let keep = move |index: usize, file: &AlignmentFile| {
            write_alignment(&files[index], file).map(|()| shown_path(&files[index]))
        };
        let desk = OverlayDesk::new((&shown_path(&self.truth), truth), maps, Some(Box::new(keep)))
            .with_truth_layers(annotations(&flags.truth_annotations)?, layout.map(|loaded| loaded.value));
        let app = flags.page.show(Desk::Overlay(Box::new(desk)))?;
        let saved = app.saved_frames();
        if saved.is_empty() {
            return Ok(Answer::notes(vec!["nothing was saved".to_owned()]));
        }
        let lines = saved.iter().map(|(map, file)| format!("{map}: saved to {file}\n"));
        Ok(Answer::text(lines.collect::<String>()))
    }

    /// Where the frame of each map is saved to. Files of an earlier day stay, unless told otherwise.
    fn frame_files(&self) -> Result<Vec<PathBuf>, Failure> {
        let out = self.output.out.as_deref();
        let files = match &self.maps[..] {
            [_] => vec![out.unwrap_or(Path::new("frame.json")).to_owned()],
            several => {
                let folder = out.unwrap_or(Path::new("frames"));
                case_names(several)
                    .into_iter()
                    .map(|name| folder.join(format!("{}.json", name.replace('/', "_"))))
                    .collect()
            }
        };
        if self.output.overwrite() == Overwrite::Refused {
            files.iter().try_for_each(|file| check_overwrite(file, Overwrite::Refused))?;
        }
        Ok(files)
    }
}
