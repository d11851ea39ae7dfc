//! `mapjudge damage MAP --with KIND=STRENGTH`: a map broken in a known way.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use formats::Content;
use mapjudge::files::{Loader, OutputFolder, map_files};
use mapjudge::{DamageRecord, DamagedMap, JobError, Loaded, Map};
use sim::damage::{Chain, KINDS, Kind, Link};

use crate::Global;
use crate::failure::Failure;
use crate::flags::{ForceResolution, OverwriteFlag};
use crate::format::FormatFlag;
use crate::output::{Answer, Printed, finish, json};

/// Break a map in a known way.
///
/// Writes the damaged map, damage.json (what was done, and the true transform where there is one), changed.png (black
/// where a cell changed) and field.tif (where each point of the map went). The same seed gives the same files.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  mapjudge damage --list
      the kinds of damage with their ladders of strengths
  mapjudge damage map.yaml --with bend=0.5m,noise=0.02 --seed 3 --out broken
      first bent, then noisy; broken/ gets map.yaml + map.pgm, damage.json, changed.png and field.tif
  mapjudge damage map.yaml --ladder noise --out ladder
      every level of one kind: ladder/noise-1 to ladder/noise-6
  mapjudge damage map.yaml --with cut=0.8 --trajectory run.tum --layout layout.toml --out broken --as tif
      poses and barrels are carried to where they appear in the damaged map, which is written as a GeoTIFF")]
pub struct Damage {
    /// The map.
    #[arg(value_name = "MAP", required_unless_present = "list")]
    map: Option<PathBuf>,
    /// Kinds with their strengths, applied from left to right; a kind without strength has that of its third level.
    #[arg(long, value_name = "KIND=STRENGTH,..", required_unless_present_any = ["list", "ladder"])]
    with: Option<String>,
    /// Every level of one kind.
    #[arg(long, value_name = "KIND", conflicts_with = "with")]
    ladder: Option<String>,
    /// List the kinds.
    #[arg(long, conflicts_with_all = ["with", "ladder"])]
    list: bool,
    /// Fiducials to carry along.
    #[arg(long, value_name = "FILE")]
    layout: Option<PathBuf>,
    /// Vector layers to carry along; may be repeated.
    #[arg(long, value_name = "FILE")]
    annotations: Vec<PathBuf>,
    /// Poses to carry along.
    #[arg(long, value_name = "FILE")]
    trajectory: Option<PathBuf>,
    #[command(flatten)]
    reading: formats::MapReadOptions,
    #[command(flatten)]
    force: ForceResolution,
    /// Folder to write into.
    #[arg(long, value_name = "DIR", required_unless_present = "list", help_heading = "Output")]
    out: Option<PathBuf>,
    /// Format of the damaged map: yaml, pgm, png, tif or txt.
    #[arg(long = "as", value_name = "ENDING", default_value = "yaml", help_heading = "Output")]
    ending: String,
    #[command(flatten)]
    overwrite: OverwriteFlag,
    #[command(flatten)]
    format: FormatFlag,
}

impl Damage {
    pub fn run(&self, global: &Global) -> Result<Answer, Failure> {
        if self.list {
            return Ok(Answer::text(list()));
        }
        let (Some(map), Some(out)) = (&self.map, &self.out) else {
            return Err(Failure::new("expected MAP and --out"));
        };
        let chains = self.chains()?;
        let loader = Loader::new(self.force.over(&self.reading.options));
        let map = loader.map(map)?;
        let folder = self.overwrite.results(out);
        let mut records = Vec::new();
        for (name, chain) in chains {
            let place = name.map_or_else(|| folder.clone(), |name| folder.below(&name));
            records.push(self.write(&loader, &map, &chain, global.seed(), &place)?);
        }
        finish(&folder, global.quiet)?;
        Ok(self.format.answer(Printed::new(records, table)))
    }

    /// The chains to apply, each with the folder below the given one that it is written into.
    fn chains(&self) -> Result<Vec<(Option<String>, Chain)>, Failure> {
        let refused = |error: sim::SimError| Failure::from(JobError::from(error));
        let Some(name) = &self.ladder else {
            let chain = self.with.as_deref().unwrap_or_default().parse().map_err(refused)?;
            return Ok(vec![(None, chain)]);
        };
        let kind = Kind::find(name).ok_or_else(|| refused(sim::SimError::UnknownKind(name.clone())))?;
        let levels = kind.spec.ladder.iter().enumerate();
        let chain = |(index, strength): (usize, &f64)| {
            (Some(format!("{name}-{}", index + 1)), Chain(vec![Link { kind, strength: *strength }]))
        };
        Ok(levels.map(chain).collect())
    }

    fn write(
        &self,
        loader: &Loader,
        map: &Loaded<Map>,
        chain: &Chain,
        seed: u64,
        folder: &OutputFolder,
    ) -> Result<DamageRecord, Failure> {
        let mut damaged = DamagedMap::new(map, chain, seed)?;
        for (name, bytes) in map_files(damaged.map(), "map", &self.ending)? {
            folder.write(&name, bytes)?;
        }
        folder.write("changed.png", damaged.changed_png()?)?;
        folder.write("field.tif", damaged.field_tif()?)?;
        self.carry(loader, &mut damaged, folder)?;
        folder.write("damage.json", json(&damaged.record)?)?;
        Ok(damaged.record)
    }

    fn carry(&self, loader: &Loader, damaged: &mut DamagedMap, folder: &OutputFolder) -> Result<(), Failure> {
        let unwritable = |output: &str, why: String| JobError::Unwritable { output: output.to_owned(), why };
        if let Some(path) = &self.layout {
            let carried = damaged.carried_layout(&loader.layout(path)?.value);
            let text = formats::write_layout_toml(&carried);
            folder
                .write("layout.toml", text.map_err(|error| unwritable("layout.toml", error.to_string()))?)?;
        }
        if let Some(path) = &self.trajectory {
            let carried = damaged.carried_trajectory(&loader.trajectory(path)?.value);
            folder.write("trajectory.tum", formats::write_tum(&carried))?;
        }
        for path in &self.annotations {
            let Content::Vector(layer) = loader.document(path)?.value else {
                let found = "no vector layer".to_owned();
                return Err(Failure::new(format!("{}: {found}", path.display()))
                    .hint("only vector layers (MIF, GeoJSON) are carried along"));
            };
            let name = format!("{}.geojson", stem(path));
            let text = formats::write_geojson(&damaged.carried_layer(&layer));
            folder.write(&name, text.map_err(|error| unwritable(&name, error.to_string()))?)?;
        }
        Ok(())
    }
}

fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(|| "layer".to_owned(), |stem| stem.to_string_lossy().into_owned())
}

fn list() -> String {
    let mut text = String::new();
    for Kind { spec, .. } in KINDS {
        let ladder: Vec<String> = spec.ladder.iter().map(f64::to_string).collect();
        // Writing into a string cannot fail, here and below.
        let _ = writeln!(text, "{:13} {:58} {} {}", spec.name, spec.title, ladder.join(" "), spec.unit);
    }
    text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

fn table(records: &Vec<DamageRecord>) -> String {
    let mut text = String::new();
    for record in records {
        let links: Vec<String> = record
            .chain
            .iter()
            .map(|link| format!("{} {} {}", link.kind, link.strength, link.unit).trim_end().to_owned())
            .collect();
        let _ = write!(text, "{}: {} cells changed", links.join(", then "), record.changed_cells);
        let doors: usize = record.chain.iter().map(|link| link.doors.len()).sum();
        if doors > 0 {
            let _ = write!(text, ", {doors} doors");
        }
        if let Some(back) = record.truth_from_map {
            let _ = write!(
                text,
                ", truth_from_map {} m {} m {} degrees, scale {}",
                report::fixed(back.x_m, 4),
                report::fixed(back.y_m, 4),
                report::fixed(back.theta_rad.to_degrees(), 4),
                report::fixed(back.scale, 4)
            );
        }
        if record.lost_points > 0 {
            let _ = write!(text, ", {} points lost with the part that is gone", record.lost_points);
        }
        text.push('\n');
    }
    text
}
