//! Layers of one GeoTIFF: put together from several files, or one of them taken out.
//!
//! All layers have the same cells (F-TIF). Beside a navigation layer no other may have one of its five colours (F-NAV).

use std::path::{Path, PathBuf};

use formats::{
    GeoTiffFrame, GeoTiffLayer, GeoTiffLayerPixels, GeoTiffPage, GeoTiffPixels, MapFile, ReadOptions,
    read_map,
};
use model::{Grid, GridGeometry, NavigationClass};

use super::{Overwrite, check_overwrite, read_small, write_whole};
use crate::JobError;

/// Name of the layer that readers take for the map.
const NAVIGATION: &str = "navigation";
/// Relative difference of places and cell sizes that are the same.
const SAME: f64 = 1e-9;

/// What is done with the five colours of the navigation layer in other layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForbiddenColours {
    /// The file is refused.
    Refused,
    /// They are changed by one step: black to (1, 1, 1), red to (254, 0, 0).
    Changed,
}

/// One layer with its pixels.
pub struct OwnedLayer {
    /// As the page is called.
    pub name: String,
    pixels: OwnedPixels,
}

enum OwnedPixels {
    Map(Box<Grid>),
    Page(GeoTiffPixels),
}

/// Layers over the same cells.
pub struct Layers {
    geometry: GridGeometry,
    frame: GeoTiffFrame,
    /// In the order of the files.
    pub layers: Vec<OwnedLayer>,
}

impl Layers {
    /// The layers of a file: all pages of a GeoTIFF, the map of any other file.
    ///
    /// # Errors
    /// The file cannot be read as a map, or a page lies elsewhere than the map.
    pub fn read(path: &Path, options: &ReadOptions) -> Result<Self, JobError> {
        let map = read_map(path, options)?;
        let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        if map.format != "geotiff" {
            return Ok(Self::of_map(map, stem));
        }
        let max_bytes = model::MemoryLimit::current().bytes() / 4;
        let name = path.display().to_string();
        let pages = formats::read_geotiff_pages_of(&name, read_small(path, max_bytes)?)?;
        Self::of_pages(path, map, pages)
    }

    fn of_map(map: MapFile, stem: String) -> Self {
        let (geometry, frame) = (*map.grid.geometry(), frame_of(map.crs.as_deref()));
        let name = if map.grid.navigation().is_some() { NAVIGATION.to_owned() } else { stem };
        let layers = vec![OwnedLayer { name, pixels: OwnedPixels::Map(Box::new(map.grid)) }];
        Self { geometry, frame, layers }
    }

    fn of_pages(path: &Path, map: MapFile, pages: Vec<GeoTiffPage>) -> Result<Self, JobError> {
        let geometry = *map.grid.geometry();
        let map_page = pages.iter().position(|page| page.name.eq_ignore_ascii_case(NAVIGATION)).unwrap_or(0);
        let mut layers = Vec::new();
        let mut grid = Some(map.grid).filter(|grid| grid.navigation().is_some());
        for (index, page) in pages.into_iter().enumerate() {
            let has_same_cells = (page.width, page.height) == (geometry.width(), geometry.height());
            if !has_same_cells || !is_same_place(page.geotransform, map.geotransform) {
                let (wide, high) = (geometry.width(), geometry.height());
                let why = format!(
                    "layer '{}' has other cells than the map: expected {wide} x {high} at the same place, found {} x {}",
                    page.name, page.width, page.height
                );
                return Err(refused(path, why));
            }
            let navigation = (index == map_page).then(|| grid.take()).flatten();
            layers.push(match navigation {
                Some(grid) => {
                    OwnedLayer { name: NAVIGATION.to_owned(), pixels: OwnedPixels::Map(Box::new(grid)) }
                }
                None => OwnedLayer { name: page.name, pixels: OwnedPixels::Page(page.pixels) },
            });
        }
        Ok(Self { geometry, frame: frame_of(map.crs.as_deref()), layers })
    }

    /// Adds the layers of another file.
    ///
    /// # Errors
    /// Its cells are others.
    pub fn add(&mut self, other: Self, path: &Path) -> Result<(), JobError> {
        if !is_same_geometry(&self.geometry, &other.geometry) {
            let [own, found] = [&self.geometry, &other.geometry].map(described);
            let why = format!("expected the cells of the first file ({own}), found {found}");
            return Err(refused(path, why));
        }
        self.layers.extend(other.layers);
        Ok(())
    }

    /// Leaves one layer.
    ///
    /// # Errors
    /// There is no layer of this name.
    pub fn take(&mut self, name: &str, output: &Path) -> Result<(), JobError> {
        let names: Vec<String> = self.layers.iter().map(|layer| layer.name.clone()).collect();
        self.layers.retain(|layer| layer.name == name);
        if self.layers.is_empty() {
            return Err(refused(output, format!("no layer '{name}': expected one of {}", names.join(", "))));
        }
        Ok(())
    }

    /// The bytes of a GeoTIFF with all layers, the navigation layer first.
    ///
    /// # Errors
    /// Two layers of one name, a forbidden colour, or a file of more than 4 GiB.
    pub fn geotiff(&mut self, output: &Path, forbidden: ForbiddenColours) -> Result<Vec<u8>, JobError> {
        self.layers.sort_by_key(|layer| layer.name != NAVIGATION);
        let mut names: Vec<&str> = self.layers.iter().map(|layer| layer.name.as_str()).collect();
        names.sort_unstable();
        if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            let why = format!("two layers are called '{}': expected a name for each", pair[0]);
            return Err(refused(output, why));
        }
        if forbidden == ForbiddenColours::Changed {
            self.layers.iter_mut().for_each(OwnedLayer::change_forbidden_colours);
        }
        let written: Vec<Samples> = self.layers.iter().map(Samples::of).collect();
        let layers: Vec<GeoTiffLayer<'_>> = self
            .layers
            .iter()
            .zip(&written)
            .map(|(layer, samples)| GeoTiffLayer { name: &layer.name, pixels: samples.pixels(layer) })
            .collect();
        formats::write_geotiff(&self.geometry, &self.frame, &layers).map_err(|error| JobError::Unwritable {
            output: output.display().to_string(),
            why: error.to_string(),
        })
    }
}

/// Puts the layers of files together, or takes one out of them, and writes a GeoTIFF.
///
/// # Errors
/// As for the steps; or the output exists and may not be replaced.
pub fn write_layers(
    sources: &[(Option<String>, PathBuf)],
    taken: Option<&str>,
    output: &Path,
    options: &ReadOptions,
    (forbidden, overwrite): (ForbiddenColours, Overwrite),
) -> Result<Vec<String>, JobError> {
    check_overwrite(output, overwrite)?;
    let mut together: Option<Layers> = None;
    for (name, path) in sources {
        let mut layers = Layers::read(path, options)?;
        match (name, layers.layers.as_mut_slice()) {
            (None, _) => {}
            (Some(name), [only]) => only.name.clone_from(name),
            (Some(name), several) => {
                let why = format!("expected one layer to be called '{name}', found {}", several.len());
                return Err(refused(path, why));
            }
        }
        match &mut together {
            None => together = Some(layers),
            Some(together) => together.add(layers, path)?,
        }
    }
    let Some(mut together) = together else { return Err(refused(output, "no file was given".to_owned())) };
    if let Some(name) = taken {
        together.take(name, output)?;
    }
    let bytes = together.geotiff(output, forbidden)?;
    write_whole(output, &bytes)?;
    Ok(together.layers.into_iter().map(|layer| layer.name).collect())
}

/// Samples that a layer does not hold in the form in which they are written.
enum Samples {
    None,
    Bytes(Vec<u8>),
    Probabilities(Vec<f32>),
}

impl Samples {
    fn of(layer: &OwnedLayer) -> Self {
        match &layer.pixels {
            OwnedPixels::Map(grid) if grid.navigation().is_none() => {
                let probabilities = grid.probabilities();
                probabilities
                    .map_or(Self::None, |p| Self::Probabilities(p.iter().map(|&v| v as f32).collect()))
            }
            OwnedPixels::Page(GeoTiffPixels::GreyAlpha8(samples)) => {
                let pixels = samples.as_chunks::<2>().0.iter();
                Self::Bytes(pixels.flat_map(|&[grey, alpha]| [grey, grey, grey, alpha]).collect())
            }
            _ => Self::None,
        }
    }

    fn pixels<'a>(&'a self, layer: &'a OwnedLayer) -> GeoTiffLayerPixels<'a> {
        match (self, &layer.pixels) {
            (Self::Bytes(bytes), _) => GeoTiffLayerPixels::Rgba8(bytes),
            (Self::Probabilities(values), _) => GeoTiffLayerPixels::Probability(values),
            (Self::None, OwnedPixels::Map(grid)) => match grid.navigation() {
                Some(classes) => GeoTiffLayerPixels::Navigation(classes),
                None => GeoTiffLayerPixels::Occupancy(grid),
            },
            (Self::None, OwnedPixels::Page(pixels)) => match pixels {
                GeoTiffPixels::Grey16(values) => GeoTiffLayerPixels::Grey16(values),
                GeoTiffPixels::Signed16(values) => GeoTiffLayerPixels::Signed16(values),
                GeoTiffPixels::Rgb8(samples) => GeoTiffLayerPixels::Rgb8(samples),
                GeoTiffPixels::Rgba8(samples) => GeoTiffLayerPixels::Rgba8(samples),
                GeoTiffPixels::Float(values) => GeoTiffLayerPixels::Numbers(values),
                GeoTiffPixels::Grey8(greys) | GeoTiffPixels::GreyAlpha8(greys) => {
                    GeoTiffLayerPixels::Grey8(greys)
                }
                _ => GeoTiffLayerPixels::Grey8(&[]),
            },
        }
    }
}

impl OwnedLayer {
    fn change_forbidden_colours(&mut self) {
        let OwnedPixels::Page(pixels) = &mut self.pixels else { return };
        let moved = |colour: [u8; 3]| colour.map(|sample| if sample == 255 { 254 } else { sample });
        let change = |colour: [u8; 3]| match colour {
            [0, 0, 0] => [1, 1, 1],
            _ if NavigationClass::ALL.iter().any(|class| class.rgb() == colour) => moved(colour),
            _ => colour,
        };
        match pixels {
            GeoTiffPixels::Grey8(greys) => greys.iter_mut().for_each(|grey| *grey = change([*grey; 3])[0]),
            GeoTiffPixels::GreyAlpha8(samples) => {
                samples.as_chunks_mut::<2>().0.iter_mut().for_each(|[grey, _]| *grey = change([*grey; 3])[0]);
            }
            GeoTiffPixels::Rgb8(samples) => {
                samples.as_chunks_mut::<3>().0.iter_mut().for_each(|colour| *colour = change(*colour));
            }
            GeoTiffPixels::Rgba8(samples) => {
                for pixel in samples.as_chunks_mut::<4>().0 {
                    let [r, g, b] = change([pixel[0], pixel[1], pixel[2]]);
                    *pixel = [r, g, b, pixel[3]];
                }
            }
            _ => {}
        }
    }
}

fn refused(file: &Path, why: String) -> JobError {
    JobError::Unwritable { output: file.display().to_string(), why }
}

fn frame_of(crs: Option<&str>) -> GeoTiffFrame {
    let epsg = crs.and_then(|crs| crs.strip_prefix("EPSG:")?.parse().ok());
    epsg.map_or_else(|| GeoTiffFrame::Local(crs.unwrap_or("map").to_owned()), GeoTiffFrame::Epsg)
}

fn is_same_place(page: Option<[f64; 6]>, map: Option<[f64; 6]>) -> bool {
    match (page, map) {
        (Some(page), Some(map)) => page.iter().zip(&map).all(|(a, b)| is_same(*a, *b)),
        // A page without a place lies where the first one does.
        _ => true,
    }
}

fn is_same(a: f64, b: f64) -> bool {
    (a - b).abs() <= SAME * a.abs().max(b.abs()).max(1.0)
}

fn is_same_geometry(a: &GridGeometry, b: &GridGeometry) -> bool {
    let (p, q) = (a.origin(), b.origin());
    let pairs =
        [(a.cell_size_m(), b.cell_size_m()), (p.x_m, q.x_m), (p.y_m, q.y_m), (p.theta_rad, q.theta_rad)];
    (a.width(), a.height()) == (b.width(), b.height()) && pairs.iter().all(|(a, b)| is_same(*a, *b))
}

fn described(geometry: &GridGeometry) -> String {
    let origin = geometry.origin();
    format!(
        "{} x {} cells of {} m at ({}, {})",
        geometry.width(),
        geometry.height(),
        geometry.cell_size_m(),
        origin.x_m,
        origin.y_m
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: &str = "gwbk\nrgwb\n";

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let head = "resolution: 0.5\norigin: 1 2 0\n";
        let write = |name: &str, text: String| std::fs::write(folder.path().join(name), text).unwrap();
        write("nav.txt", format!("{head}{ROWS}"));
        write("walls.txt", format!("{head}##..\n?#..\n"));
        write("small.txt", format!("{head}##\n"));
        folder
    }

    fn written(
        folder: &Path,
        sources: &[(Option<&str>, &str)],
        out: &str,
        forbidden: ForbiddenColours,
    ) -> Result<Vec<String>, JobError> {
        let sources: Vec<(Option<String>, PathBuf)> =
            sources.iter().map(|(name, file)| (name.map(str::to_owned), folder.join(file))).collect();
        let how = (forbidden, Overwrite::Refused);
        write_layers(&sources, None, &folder.join(out), &ReadOptions::default(), how)
    }

    #[test]
    fn layers_are_put_together_and_read_back() {
        let folder = folder();
        let sources = [(Some("walls"), "walls.txt"), (None, "nav.txt")];
        let names = written(folder.path(), &sources, "all.tif", ForbiddenColours::Refused).unwrap();
        assert_eq!(names, ["navigation", "walls"], "the navigation layer is first");
        let map = read_map(&folder.path().join("all.tif"), &ReadOptions::default()).unwrap();
        let listed: Vec<&str> = map.layers.iter().map(|layer| layer.name.as_str()).collect();
        assert_eq!(listed, ["navigation", "walls"]);
        let nav = read_map(&folder.path().join("nav.txt"), &ReadOptions::default()).unwrap();
        assert_eq!(map.grid, nav.grid);
        assert!(map.findings.iter().all(|f| f.code != "NAVIGATION_COLOUR_IN_LAYER"), "{:?}", map.findings);
    }

    #[test]
    fn what_cannot_lie_in_one_file_is_refused_with_a_reason() {
        let folder = folder();
        let refused = |sources: &[(Option<&str>, &str)]| {
            written(folder.path(), sources, "all.tif", ForbiddenColours::Refused).unwrap_err().to_string()
        };
        let cells = refused(&[(None, "nav.txt"), (None, "small.txt")]);
        assert!(cells.contains("4 x 2 cells of 0.5 m") && cells.contains("found 2 x 1"), "{cells}");
        let twice = refused(&[(None, "walls.txt"), (None, "walls.txt")]);
        assert!(twice.contains("two layers are called 'walls'"), "{twice}");
        assert!(!folder.path().join("all.tif").exists());
    }

    #[test]
    fn forbidden_colours_are_refused_or_changed_by_one_step() {
        let folder = folder();
        // Alone, black is written as black.
        written(folder.path(), &[(None, "walls.txt")], "walls.tif", ForbiddenColours::Refused).unwrap();
        let sources = [(None, "nav.txt"), (None, "walls.tif")];
        let refused = written(folder.path(), &sources, "a.tif", ForbiddenColours::Refused).unwrap_err();
        assert!(refused.to_string().contains("expected none of the five navigation colours"), "{refused}");
        written(folder.path(), &sources, "b.tif", ForbiddenColours::Changed).unwrap();
        let map = read_map(&folder.path().join("b.tif"), &ReadOptions::default()).unwrap();
        assert_eq!(map.layers[1].class_counts, Some([4, 1, 3]), "walls are walls still");
        let mut taken = Layers::read(&folder.path().join("b.tif"), &ReadOptions::default()).unwrap();
        taken.take("walls", Path::new("a.tif")).unwrap();
        assert_eq!(taken.layers.len(), 1);
        assert!(
            taken.take("heat", Path::new("a.tif")).unwrap_err().to_string().contains("expected one of walls")
        );
    }
}
