//! What a plan leaves: layers, an image with its legend, the path and the frontiers as vectors.

use formats::{GeoTiffFrame, GeoTiffLayer, GeoTiffLayerPixels, GeoTiffWriteError, write_geotiff};
use model::{Attribute, CellClass, Column, ColumnType, Feature, GridGeometry, Point2, Shape, VectorLayer};
use report::chart::{Background, CellView, cell_view};
use report::{Figure, Layer, Rgb};

use super::RoutePlan;
use crate::JobError;

/// Bands of equal width that the transform is drawn in.
const BANDS: usize = 16;
const FIRST_BAND: u8 = 4;
const FRONTIER: u8 = FIRST_BAND + BANDS as u8;
const PATH: u8 = FRONTIER + 1;
const START: u8 = PATH + 1;
/// A path is drawn as wide as the map's side by this.
const CELLS_PER_WIDTH: usize = 160;
/// Free without a value of the transform, free but too close to an obstacle, unknown, wall.
const GROUND: [(Rgb, &str); 4] = [
    ([255, 255, 255], "free, no goal can be reached"),
    ([255, 224, 200], "free, too close to a wall"),
    ([200, 200, 205], "unknown"),
    ([0, 0, 0], "wall"),
];
/// Colours of Okabe and Ito (2008).
const GREEN: Rgb = [0, 158, 115];
const VERMILION: Rgb = [213, 94, 0];
const MAGENTA: Rgb = [204, 121, 167];

impl RoutePlan {
    /// The transform, the discomfort, the distance to obstacles (32-bit numbers; not a number where there is none), the
    /// frontiers (255) and the map as layers of a GeoTIFF.
    ///
    /// # Errors
    /// The map is too large for a GeoTIFF.
    pub fn geotiff(&self) -> Result<Vec<u8>, GeoTiffWriteError> {
        let cells = 0..self.grid.classes().len();
        let number = |value: f64| if value.is_finite() { value as f32 } else { f32::NAN };
        let of = |value: &dyn Fn(usize) -> f64| cells.clone().map(|c| number(value(c))).collect::<Vec<f32>>();
        let phi = of(&|cell| self.transform.phi(cell).unwrap_or(f64::NAN));
        let danger = of(&|cell| self.terrain.danger(cell));
        let clearance_m = of(&|cell| self.terrain.clearance_m(cell));
        let mut frontier = vec![0_u8; cells.len()];
        self.frontier.iter().for_each(|&cell| frontier[cell as usize] = 255);
        let name = if self.report.target_m.is_some() { "path_transform" } else { "exploration_transform" };
        let numbers = |name, pixels| GeoTiffLayer { name, pixels: GeoTiffLayerPixels::Probability(pixels) };
        let layers = [
            GeoTiffLayer { name: "occupancy", pixels: GeoTiffLayerPixels::Occupancy(&self.grid) },
            numbers(name, &phi),
            numbers("danger", &danger),
            numbers("clearance_m", &clearance_m),
            GeoTiffLayer { name: "frontier", pixels: GeoTiffLayerPixels::Grey8(&frontier) },
        ];
        write_geotiff(self.grid.geometry(), &GeoTiffFrame::Local("map".to_owned()), &layers)
    }

    /// The transform in bands with frontiers, path and start, and a legend.
    ///
    /// # Errors
    /// The image cannot be drawn.
    pub fn figure(&self) -> Result<Figure, JobError> {
        let (entries, max_phi) = self.entries();
        let geometry = self.grid.geometry();
        let transform =
            if self.report.target_m.is_some() { "path transform" } else { "exploration transform" };
        let colours = palette();
        let layer = Layer::cells("transform", geometry, entries, &colours);
        let png = Figure::new("cells", "", "", vec![layer]).cells_png()?;
        let [min, max] = corners(geometry);
        let near = format!("{transform} near 0");
        let far = format!("{transform} {max_phi:.2}");
        let mut legend: Vec<(Rgb, &str)> = GROUND.to_vec();
        legend.extend([(band_colour(0), near.as_str()), (band_colour(BANDS - 1), far.as_str())]);
        legend.extend([(GREEN, "frontier"), (VERMILION, "path"), (MAGENTA, "start")]);
        let notes = self.notes();
        let view = CellView {
            about: "transform of a map with the planned path",
            image: Background { png: &png, min, max },
            legend: &legend,
            notes: &notes,
        };
        let svg = cell_view(&view).unwrap_or_default();
        Ok(Figure::chart("plan", "Plan", notes.join("; "), svg))
    }

    fn notes(&self) -> Vec<String> {
        let report = &self.report;
        match (&report.path, &report.reason) {
            (Some(path), _) => vec![format!(
                "path {:.2} m, summed danger {:.4}, min. clearance {}, transform at the start {:.4}",
                path.length_m,
                path.summed_danger,
                path.min_clearance_m.map_or("-".to_owned(), |m| format!("{m:.2} m")),
                report.phi.unwrap_or(0.0)
            )],
            (None, Some(reason)) => vec![format!("no path: {reason}")],
            (None, None) => Vec::new(),
        }
    }

    /// The colour of each cell, and the highest value of the transform.
    fn entries(&self) -> (Vec<u8>, f64) {
        let classes = self.grid.classes();
        let max = (0..classes.len()).filter_map(|cell| self.transform.phi(cell)).fold(0.0, f64::max);
        let entry = |(cell, class): (usize, &CellClass)| match class {
            CellClass::Unknown => 2,
            CellClass::Occupied => 3,
            CellClass::Free if !self.terrain.is_safe(cell) => 1,
            CellClass::Free => self.transform.phi(cell).map_or(0, |phi| {
                FIRST_BAND + ((phi / max.max(1e-9) * BANDS as f64) as usize).min(BANDS - 1) as u8
            }),
        };
        let mut entries: Vec<u8> = classes.iter().enumerate().map(entry).collect();
        self.frontier.iter().for_each(|&cell| entries[cell as usize] = FRONTIER);
        let geometry = self.grid.geometry();
        // On large maps a line of one cell cannot be seen.
        let wide = geometry.width().max(geometry.height()) / CELLS_PER_WIDTH;
        let half_m = (wide as f64 / 2.0 + 0.01) * geometry.cell_size_m();
        let mut draw = |place: Point2, half_m: f64, entry: u8| {
            explore::cells_within(geometry, place, half_m).for_each(|cell| entries[cell] = entry);
        };
        self.path.iter().flat_map(|path| &path.points).for_each(|place| draw(*place, half_m, PATH));
        let [x_m, y_m] = self.report.start_m;
        draw(Point2::new(x_m, y_m), 2.0 * half_m.max(geometry.cell_size_m() * 0.36), START);
        (entries, max)
    }

    /// The path as a line; empty without one.
    #[must_use]
    pub fn path_layer(&self) -> VectorLayer {
        let feature = |path: &super::PathRecord| Feature {
            shape: Shape::Lines(vec![path.points_m.iter().map(|[x, y]| Point2::new(*x, *y)).collect()]),
            attributes: vec![
                Attribute::Real(path.length_m),
                Attribute::Real(path.summed_danger),
                path.min_clearance_m.map_or(Attribute::Missing, Attribute::Real),
                Attribute::Real(self.report.phi.unwrap_or(0.0)),
            ],
            style: Vec::new(),
        };
        let names = ["length_m", "danger", "clear_m", "phi"];
        layer("path", &names, self.report.path.iter().map(feature).collect())
    }

    /// Frontiers as points with their sizes.
    #[must_use]
    pub fn frontier_layer(&self) -> VectorLayer {
        let feature = |frontier: &super::FrontierRecord| Feature {
            shape: Shape::Point(Point2::new(frontier.x_m, frontier.y_m)),
            attributes: vec![
                Attribute::Real(frontier.length_m),
                Attribute::Real(frontier.cells as f64),
                Attribute::Real(frontier.safe_cells as f64),
                Attribute::Real(f64::from(u8::from(frontier.is_chosen))),
            ],
            style: Vec::new(),
        };
        let names = ["length_m", "cells", "safe", "chosen"];
        layer("frontiers", &names, self.report.frontiers.iter().map(feature).collect())
    }

    /// The path as a table: each cell with its place, what was driven up to it, discomfort and distance to obstacles.
    #[must_use]
    pub fn path_csv(&self) -> String {
        let mut text = String::from("row,column,x_m,y_m,driven_m,danger,clearance_m,phi\n");
        let Some(path) = &self.path else { return text };
        let geometry = self.grid.geometry();
        let mut driven_m = 0.0;
        let mut before: Option<Point2> = None;
        for (&cell, point) in path.cells.iter().zip(&path.points) {
            driven_m += before.map_or(0.0, |before| before.distance_m(*point));
            before = Some(*point);
            let [row, column] = super::row_column(cell, geometry);
            let clearance_m = self.terrain.clearance_m(cell as usize);
            let clearance = if clearance_m.is_finite() { clearance_m.to_string() } else { String::new() };
            let phi = self.transform.phi(cell as usize).map_or_else(String::new, |phi| phi.to_string());
            let danger = self.terrain.danger(cell as usize);
            text += &format!(
                "{row},{column},{},{},{driven_m},{danger},{clearance},{phi}\n",
                point.x_m, point.y_m
            );
        }
        text
    }
}

fn layer(name: &str, columns: &[&str], features: Vec<Feature>) -> VectorLayer {
    let column = |name: &&str| Column { name: (*name).to_owned(), kind: ColumnType::Real };
    VectorLayer { name: name.to_owned(), columns: columns.iter().map(column).collect(), features }
}

/// Dark near the goals.
fn band_colour(band: usize) -> Rgb {
    const NEAR: [usize; 3] = [38, 70, 105];
    const FAR: [usize; 3] = [252, 243, 200];
    std::array::from_fn(|part| ((NEAR[part] * (BANDS - 1 - band) + FAR[part] * band) / (BANDS - 1)) as u8)
}

fn palette() -> Vec<(Rgb, &'static str)> {
    let mut colours = GROUND.to_vec();
    colours.extend((0..BANDS).map(|band| (band_colour(band), "band of equal cost")));
    colours.extend([(GREEN, "frontier"), (VERMILION, "path"), (MAGENTA, "start")]);
    colours
}

/// Lower left and upper right corner of a grid, metres.
fn corners(geometry: &GridGeometry) -> [Point2; 2] {
    let (width_m, height_m) =
        (geometry.width() as f64 * geometry.cell_size_m(), geometry.height() as f64 * geometry.cell_size_m());
    let origin = geometry.origin();
    [origin.position(), Point2::new(origin.x_m + width_m, origin.y_m + height_m)]
}
