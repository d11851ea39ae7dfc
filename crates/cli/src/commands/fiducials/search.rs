//! `mapjudge fiducials detect|init MAP`: barrels without a layout, and a first layout.

use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

use mapjudge::files::{Loader, shown_path};
use mapjudge::{DetectionList, Radius, detect_barrels, draft_corners, draft_layout, draft_poles};

use crate::failure::Failure;
use crate::flags::ForceResolution;
use crate::format::FormatFlag;
use crate::output::{Answer, Printed};

#[derive(clap::Args)]
pub struct Detect {
    #[command(flatten)]
    search: Search,
    #[command(flatten)]
    format: FormatFlag,
}

#[derive(clap::Args)]
pub struct Init {
    /// What to look for.
    #[arg(long, value_name = "KIND", default_value = "barrel")]
    kind: InitKind,
    #[command(flatten)]
    search: Search,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum InitKind {
    /// Barrels of --radius-m or --radius-px.
    Barrel,
    /// Places where two walls meet.
    Corner,
    /// Small columns that stand alone.
    Pole,
}

#[derive(clap::Args)]
struct Search {
    /// The map.
    #[arg(value_name = "MAP")]
    map: PathBuf,
    /// Radius of the barrels in metres, or a range such as 0.2..0.4.
    #[arg(long, value_name = "R|R..R", value_parser = parse_range, conflicts_with = "radius_px")]
    radius_m: Option<(f64, f64)>,
    /// Radius of the barrels in cells, or a range such as 4..10.
    #[arg(long, value_name = "R|R..R", value_parser = parse_range)]
    radius_px: Option<(f64, f64)>,
    /// Min. quality of an entry, 0 to 2.5.
    #[arg(long, value_name = "Q", default_value_t = mapjudge::MIN_BARREL_QUALITY)]
    min_quality: f64,
    #[command(flatten)]
    reading: formats::MapReadOptions,
    #[command(flatten)]
    force: ForceResolution,
}

impl Search {
    fn radius(&self) -> Result<Radius, Failure> {
        let in_cells = self.radius_px.map(|(low, high)| Radius::Cells(low, high));
        let in_metres = self.radius_m.map(|(low, high)| Radius::Metres(low, high));
        in_cells
            .or(in_metres)
            .ok_or_else(|| Failure::new("no radius: expected --radius-m R or --radius-px R"))
    }

    /// The cells of the map, and its name in errors.
    fn load(&self) -> Result<(Arc<model::Grid>, String), Failure> {
        let map = Loader::new(self.force.over(&self.reading.options)).map(&self.map)?;
        Ok((map.value.grid, shown_path(&self.map)))
    }
}

impl Detect {
    pub fn run(&self) -> Result<Answer, Failure> {
        let (grid, name) = self.search.load()?;
        let list = detect_barrels(&grid, &name, self.search.radius()?, self.search.min_quality)?;
        Ok(self.format.answer(Printed::new(list, table)))
    }
}

impl Init {
    pub fn run(&self) -> Result<Answer, Failure> {
        let (grid, name) = self.search.load()?;
        let layout = match self.kind {
            InitKind::Barrel => draft_layout(&grid, &name, self.search.radius()?, self.search.min_quality)?,
            InitKind::Corner => draft_corners(&grid, &name)?,
            InitKind::Pole => draft_poles(&grid, &name)?,
        };
        let task = "correct places, openings and names, and set range = \"short\" or \"long\"";
        Ok(Answer::text(format!("# Drafted from a map: {task}.\n{layout}")))
    }
}

fn table(list: &DetectionList) -> String {
    let mut text = format!("{} barrels\n", list.detections.len());
    if !list.detections.is_empty() {
        text += "    x [m]    y [m]    r [m]   x [px]   y [px]  arc from  opening  cells  quality\n";
    }
    for barrel in &list.detections {
        // Writing into a string cannot fail.
        let _ = writeln!(
            text,
            "{:>9}{:>9}{:>9.3}{:>9.2}{:>9.2}{:>10.0}{:>9.0}{:>7}{:>9.2}",
            report::fixed(barrel.x_m, 3),
            report::fixed(barrel.y_m, 3),
            barrel.radius_m,
            barrel.x_px,
            barrel.y_px,
            barrel.arc_start_deg,
            barrel.arc_opening_deg,
            barrel.cells,
            barrel.quality
        );
    }
    text
}

/// A number, or two with dots between them.
fn parse_range(text: &str) -> Result<(f64, f64), String> {
    let number = |text: &str| {
        text.trim().parse::<f64>().map_err(|_| format!("'{text}' is no number: expected R or R..R"))
    };
    match text.split_once("..") {
        Some((low, high)) => Ok((number(low)?, number(high)?)),
        None => number(text).map(|radius| (radius, radius)),
    }
}
