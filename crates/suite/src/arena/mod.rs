//! An arena as files: plan, truth grids, layout of its barrels, victims, labels, portals, height model, image.

mod image;

use std::path::Path;
use std::sync::Arc;

use formats::{GeoTiffFrame, GeoTiffLayer, GeoTiffLayerPixels, write_geotiff};
use metrics::paths::ground::Ground;
use metrics::paths::path_inputs::PathInputs;
use metrics::topology::portals::{Portal, PortalKind, portals};
use model::{Attribute, Column, ColumnType, Feature, Grid, Point2, Shape, VectorLayer};
use sim::arena::{Arena, MAX_PLAN_BYTES, MarkKind, Plan};

use crate::JobError;
use crate::files::{OutputFolder, read_small};

/// The plan in the folder of an arena.
pub const PLAN_NAME: &str = "plan.toml";

/// What was written.
#[derive(Debug)]
pub struct ArenaFiles {
    /// The arena.
    pub arena: Arena,
    /// Names of the files in the folder, in the order in which they were written.
    pub files: Vec<String>,
    /// Number of portals.
    pub portals: usize,
    /// Area that can be reached from the start at the lowest slice, square metres.
    pub reachable_m2: f64,
}

/// Reads the plan of an arena: a plan, or a folder that `mapjudge arena` wrote.
///
/// # Errors
/// No file, too large a file, or no plan.
pub fn read_plan(path: &Path) -> Result<Plan, JobError> {
    let file = if path.is_dir() { path.join(PLAN_NAME) } else { path.to_owned() };
    let about = |message: String| JobError::Arena { path: file.display().to_string(), message };
    let read = read_small(&file, MAX_PLAN_BYTES as u64)?;
    let text = String::from_utf8(read).map_err(|_| about("expected a text in UTF-8".to_owned()))?;
    Plan::read(&text).map_err(|error| about(error.to_string()))
}

/// Builds the arena of a plan file or folder.
///
/// # Errors
/// As [`read_plan`], or a plan that cannot be built.
pub fn read_arena(path: &Path) -> Result<Arena, JobError> {
    let plan = read_plan(path)?;
    Arena::build(&plan)
        .map_err(|error| JobError::Arena { path: path.display().to_string(), message: error.to_string() })
}

/// Builds the arena of a plan and writes all of its files into a folder.
///
/// # Errors
/// A plan that cannot be built, a grid that is too large, or a folder that cannot be written to.
pub fn write_arena(
    plan: &Plan,
    folder: &OutputFolder,
    progress: &dyn Fn(&'static str),
) -> Result<ArenaFiles, JobError> {
    let arena = Arena::build(plan)?;
    let mut out = Folder { folder, files: Vec::new() };
    out.write(PLAN_NAME.to_owned(), plan.to_text().as_bytes())?;
    progress("truth grids");
    let slices = write_truth(&mut out, &arena)?;
    write_height_model(&mut out, &arena)?;
    write_marks(&mut out, &arena)?;
    progress("portals");
    let truth = slices.into_iter().next().ok_or(JobError::Incomplete("slice height"))?;
    let portals = write_portals(&mut out, &truth)?;
    progress("image");
    out.write("arena.png".to_owned(), &image::draw(&arena, &truth)?)?;
    let cell_m2 = arena.cell_size_m * arena.cell_size_m;
    let reachable_m2 = truth.class_counts()[0] as f64 * cell_m2;
    Ok(ArenaFiles { arena, files: out.files, portals, reachable_m2 })
}

struct Folder<'a> {
    folder: &'a OutputFolder,
    files: Vec<String>,
}

impl Folder<'_> {
    fn write(&mut self, name: String, bytes: &[u8]) -> Result<(), JobError> {
        self.folder.write(&name, bytes)?;
        self.files.push(name);
        Ok(())
    }

    fn unwritable(&self, name: &str, why: &dyn std::fmt::Display) -> JobError {
        let output = self.folder.path().join(name).display().to_string();
        JobError::Unwritable { output, why: why.to_string() }
    }

    /// A layer as MIF and GeoJSON.
    fn write_layer(&mut self, layer: &VectorLayer) -> Result<(), JobError> {
        let geojson = formats::write_geojson(layer).map_err(|error| self.unwritable(&layer.name, &error))?;
        let pair = formats::write_mif(layer).map_err(|error| self.unwritable(&layer.name, &error))?;
        self.write(format!("{}.geojson", layer.name), geojson.as_bytes())?;
        self.write(format!("{}.mif", layer.name), pair.mif.as_bytes())?;
        self.write(format!("{}.mid", layer.name), pair.mid.as_bytes())
    }
}

/// One map per slice, `truth` for the first, and all of them as layers of a GeoTIFF.
fn write_truth(out: &mut Folder<'_>, arena: &Arena) -> Result<Vec<Arc<Grid>>, JobError> {
    let grids = arena.slice_heights_m.iter().map(|&height_m| arena.truth(height_m).map(Arc::new));
    let grids = grids.collect::<Result<Vec<_>, _>>()?;
    let names: Vec<String> = arena.slice_heights_m.iter().map(|m| format!("truth_{m:?}m")).collect();
    for (index, grid) in grids.iter().enumerate() {
        let name = if index == 0 { "truth" } else { &names[index] };
        let (yaml, pgm) = formats::write_ros_map(grid, &format!("{name}.pgm"));
        out.write(format!("{name}.yaml"), yaml.as_bytes())?;
        out.write(format!("{name}.pgm"), &pgm)?;
    }
    let layer = |(name, grid): (&'_ String, &'_ Arc<Grid>)| (name.clone(), Arc::clone(grid));
    let named: Vec<(String, Arc<Grid>)> = names.iter().zip(&grids).map(layer).collect();
    let layers: Vec<GeoTiffLayer<'_>> = named
        .iter()
        .map(|(name, grid)| GeoTiffLayer { name, pixels: GeoTiffLayerPixels::Occupancy(grid) })
        .collect();
    let frame = GeoTiffFrame::Local(arena.name.clone());
    let bytes = write_geotiff(&arena.geometry()?, &frame, &layers);
    out.write("arena.tif".to_owned(), &bytes.map_err(|error| out.unwritable("arena.tif", &error))?)?;
    Ok(grids)
}

/// Heights of the floor in metres, as one page of 32-bit numbers.
fn write_height_model(out: &mut Folder<'_>, arena: &Arena) -> Result<(), JobError> {
    let heights_m = arena.height_model_m()?;
    let layer = GeoTiffLayer { name: "height_m", pixels: GeoTiffLayerPixels::Probability(&heights_m) };
    let bytes = write_geotiff(&arena.geometry()?, &GeoTiffFrame::Local(arena.name.clone()), &[layer]);
    out.write("height.tif".to_owned(), &bytes.map_err(|error| out.unwritable("height.tif", &error))?)
}

fn write_marks(out: &mut Folder<'_>, arena: &Arena) -> Result<(), JobError> {
    if !arena.barrels.is_empty() {
        let layout = formats::write_layout_toml(&arena.fiducial_layout());
        let text = layout.map_err(|error| out.unwritable("fiducials.toml", &error))?;
        out.write("fiducials.toml".to_owned(), text.as_bytes())?;
    }
    for kind in MarkKind::ALL {
        out.write_layer(&arena.layer(kind))?;
    }
    let list = formats::write_detections(&arena.detections());
    out.write("marks.csv".to_owned(), list.map_err(|error| out.unwritable("marks.csv", &error))?.as_bytes())
}

/// Junctions and doorways of the lowest slice.
fn write_portals(out: &mut Folder<'_>, truth: &Arc<Grid>) -> Result<usize, JobError> {
    let ground = Ground::new(truth, &PathInputs::default());
    let found = portals(&ground).map_err(|reason| JobError::Robot(reason.meaning().to_owned()))?;
    out.write_layer(&portal_layer(&found))?;
    Ok(found.len())
}

fn portal_layer(portals: &[Portal]) -> VectorLayer {
    let text = |width| ColumnType::Text { width };
    let column = |name: &str, kind| Column { name: name.to_owned(), kind };
    let feature = |portal: &Portal| {
        let kind = match portal.kind {
            PortalKind::Junction => "junction",
            PortalKind::Doorway => "doorway",
        };
        Feature {
            shape: Shape::Point(Point2::new(portal.x_m, portal.y_m)),
            attributes: vec![
                Attribute::Text(portal.id.clone()),
                Attribute::Text(kind.to_owned()),
                Attribute::Real(portal.width_m),
            ],
            style: Vec::new(),
        }
    };
    VectorLayer {
        name: "portals".to_owned(),
        columns: vec![column("id", text(32)), column("kind", text(8)), column("width_m", ColumnType::Real)],
        features: portals.iter().map(feature).collect(),
    }
}
