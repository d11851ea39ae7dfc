//! A map in memory.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use align::Anchoring;
use formats::{Content, DEFAULT_FREE_THRESH, DEFAULT_OCCUPIED_THRESH, Georeference, MapFile, ReadOptions};
use mapjudge::align;
use mapjudge::files::{self, HeldValue, Loader};
use mapjudge::{ArrayReading, Loaded, Map, Provenance, Reading, Stop};
use model::{CellClass, Finding, GridGeometry, NavigationClass, Pose2};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arrays::{self, Cells, FirstRow, Meaning};
use crate::errors::{self, PyFinding};
use crate::pool::without_lock;
use crate::writing::write_content;

/// Cells, and where they come from.
#[pyclass(frozen, module = "mapjudge._core")]
pub struct Grid {
    map: Map,
    findings: Vec<Finding>,
    file: Option<Provenance>,
    /// What the numbers of an array were taken for.
    reading: Option<ArrayReading>,
    hash: OnceLock<Provenance>,
}

/// Keeps a value for calls that take paths, until it is dropped.
#[pyclass(frozen, module = "mapjudge._core")]
pub struct Held(files::Held);

#[pymethods]
impl Held {
    /// What stands for a path.
    #[getter]
    fn path(&self) -> PathBuf {
        self.0.path().to_owned()
    }
}

impl Held {
    pub fn new(label: &str, value: HeldValue) -> Self {
        Self(files::Held::new(label, value))
    }
}

/// Columns, rows, cell size, origin, whether the origin was stated, then the planes.
type State<'py> = (
    (usize, usize, f64, (f64, f64, f64), bool),
    Bound<'py, PyBytes>,
    Option<Vec<f64>>,
    Option<Bound<'py, PyBytes>>,
);

#[pymethods]
impl Grid {
    /// A map out of an array. `values` and `rows` say what its numbers mean; see `mapjudge.Map`.
    #[staticmethod]
    #[pyo3(signature = (array, values, rows, resolution, origin=None, mask=None, thresholds=(None, None), negate=false, source="array", assumed=Vec::new()))]
    #[allow(clippy::too_many_arguments, reason = "the Python side names them")]
    fn of_array(
        array: &Bound<'_, PyAny>,
        values: &str,
        rows: &str,
        resolution: f64,
        origin: Option<(f64, f64, f64)>,
        mask: Option<PyReadonlyArray2<'_, bool>>,
        thresholds: (Option<f64>, Option<f64>),
        negate: bool,
        source: &str,
        assumed: Vec<String>,
    ) -> PyResult<Self> {
        let py = array.py();
        let first_row = if rows == "bottom" { FirstRow::Bottom } else { FirstRow::Top };
        let reading = ReadOptions {
            occupied_thresh: thresholds.0,
            free_thresh: thresholds.1,
            negate: negate.then_some(true),
            ..ReadOptions::default()
        };
        reading.check().map_err(|error| errors::input(py, "ARRAY_OPTIONS", &error.to_string(), None))?;
        let mut cells = arrays::cells(array, &mask, meaning(values), first_row, &reading)?;
        let masked_cells = mask.map_or(0, |mask| arrays::hide(&mut cells, &mask, first_row));
        let geometry = geometry(py, cells.width, cells.height, resolution, origin)?;
        let anchoring = if origin.is_some() { Anchoring::Given } else { Anchoring::Assumed };
        let is_picture = meaning(values) == Meaning::Picture;
        let reading = ArrayReading {
            source: source.to_owned(),
            dtype: array.getattr("dtype")?.str()?.to_string(),
            values: values.to_owned(),
            rows: rows.to_owned(),
            occupied_thresh: is_picture.then(|| thresholds.0.unwrap_or(DEFAULT_OCCUPIED_THRESH)),
            free_thresh: is_picture.then(|| thresholds.1.unwrap_or(DEFAULT_FREE_THRESH)),
            negate: is_picture.then_some(negate),
            masked_cells,
            assumed,
        };
        Ok(Self { reading: Some(reading), ..Self::of_cells(py, geometry, cells, anchoring)? })
    }

    /// Whether bytes may be percentages with 255 for unknown.
    #[staticmethod]
    fn is_ambiguous(array: &Bound<'_, PyAny>) -> bool {
        arrays::is_ambiguous(array)
    }

    /// Reads a map file.
    #[staticmethod]
    #[pyo3(signature = (path, resolution=None, origin=None))]
    fn read(
        py: Python<'_>,
        path: PathBuf,
        resolution: Option<f64>,
        origin: Option<(f64, f64, f64)>,
    ) -> PyResult<Self> {
        let origin = origin.map(|(x_m, y_m, yaw_rad)| [x_m, y_m, yaw_rad]);
        let reading = ReadOptions { resolution_m: resolution, origin, ..ReadOptions::default() };
        let stop = Stop::default();
        let loaded = without_lock(py, 0, &stop, move || Loader::new(reading).map(&path))?;
        let Loaded { value, provenance, findings } = loaded.map_err(|error| errors::job(py, error))?;
        Ok(Self { findings, file: Some(provenance), ..Self::of_map(value) })
    }

    /// Writes the map in the format that the ending names; the files written.
    fn write(&self, py: Python<'_>, path: PathBuf, overwrite: bool) -> PyResult<Vec<PathBuf>> {
        let georeference = match self.map.anchoring {
            Anchoring::Given => Georeference::FromOptions,
            Anchoring::Assumed => Georeference::Assumed,
        };
        let map = Arc::clone(&self.map.grid);
        write_content(py, 0, path, overwrite, move || {
            Content::Raster(Box::new(MapFile::of_grid(map.as_ref().clone(), "memory", georeference)))
        })
    }

    #[getter]
    fn width(&self) -> usize {
        self.map.grid.geometry().width()
    }

    #[getter]
    fn height(&self) -> usize {
        self.map.grid.geometry().height()
    }

    /// Edge of a cell in metres.
    #[getter]
    fn resolution(&self) -> f64 {
        self.map.grid.geometry().cell_size_m()
    }

    /// Pose of the lower left corner: metres, metres, radians.
    #[getter]
    fn origin(&self) -> (f64, f64, f64) {
        let Pose2 { x_m, y_m, theta_rad } = self.map.grid.geometry().origin();
        (x_m, y_m, theta_rad)
    }

    /// Whether the origin was stated, or is only assumed to be 0.
    #[getter]
    fn anchored(&self) -> bool {
        self.map.anchoring == Anchoring::Given
    }

    /// What was noticed while reading: code, level and message.
    #[getter]
    fn findings(&self) -> Vec<PyFinding> {
        errors::findings(&self.findings)
    }

    /// Cells of each class: free, unknown, occupied.
    fn counts(&self) -> (u64, u64, u64) {
        let [free, unknown, occupied] = self.map.grid.class_counts();
        (free, unknown, occupied)
    }

    /// A fresh array of classes, top row first: 0 free, 1 unknown, 2 occupied.
    fn classes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        PyArray1::from_slice(py, self.map.grid.class_bytes()).reshape([self.height(), self.width()])
    }

    /// A fresh array of probabilities, top row first; none for a map that has classes alone.
    fn probabilities<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<f64>>>> {
        let plane = self.map.grid.probabilities();
        plane.map(|plane| PyArray1::from_slice(py, plane).reshape([self.height(), self.width()])).transpose()
    }

    /// The same cells, whose place counts, with the finding that it was assumed.
    fn on_one_grid(&self) -> Self {
        let message = "two arrays of one shape without origins were taken as one grid";
        let finding = Finding::new(model::Level::Info, "ARRAYS_TAKEN_AS_ONE_GRID", message);
        let mut map = self.map.clone();
        map.anchoring = Anchoring::Given;
        let findings = [self.findings.clone(), vec![finding]].concat();
        let (file, reading) = (self.file.clone(), self.reading.clone());
        Self { map, findings, file, reading, hash: self.hash.clone() }
    }

    /// Keeps the map under a name that stands for a path.
    fn hold(&self, label: &str) -> Held {
        let provenance = self.provenance(label);
        let findings = self.findings.clone();
        Held::new(label, HeldValue::Map(Loaded { value: self.map.clone(), provenance, findings }))
    }

    /// Everything, for pickling; findings and files are not part of it.
    fn state<'py>(&self, py: Python<'py>) -> State<'py> {
        let grid = &self.map.grid;
        let place = (self.width(), self.height(), self.resolution(), self.origin(), self.anchored());
        let navigation = grid.navigation_bytes().map(|bytes| PyBytes::new(py, bytes));
        (place, PyBytes::new(py, grid.class_bytes()), grid.probabilities().map(<[f64]>::to_vec), navigation)
    }

    /// What the numbers of an array were taken for, as JSON; none for a file.
    #[getter]
    fn reading(&self) -> Option<String> {
        self.reading.as_ref().and_then(|reading| serde_json::to_string(reading).ok())
    }

    /// A map out of its state.
    #[staticmethod]
    #[pyo3(signature = (place, classes, probabilities, navigation, reading=None))]
    fn of_state(
        py: Python<'_>,
        place: (usize, usize, f64, (f64, f64, f64), bool),
        classes: &[u8],
        probabilities: Option<Vec<f64>>,
        navigation: Option<Vec<u8>>,
        reading: Option<&str>,
    ) -> PyResult<Self> {
        let (width, height, resolution, origin, anchored) = place;
        let broken = || errors::input(py, "MAP_STATE", "the state of a map is damaged", None);
        let reading = reading.map(serde_json::from_str).transpose().map_err(|_| broken())?;
        let geometry = geometry(py, width, height, resolution, Some(origin))?;
        let anchoring = if anchored { Anchoring::Given } else { Anchoring::Assumed };
        if let Some(bytes) = navigation {
            let class = |byte: &u8| NavigationClass::ALL.get(usize::from(*byte)).copied();
            let classes = bytes.iter().map(class).collect::<Option<Vec<_>>>().ok_or_else(broken)?;
            let grid = model::Grid::of_navigation(geometry, classes).map_err(|_| broken())?;
            return Ok(Self { reading, ..Self::of_map(Map::anchored(grid, anchoring)) });
        }
        let class = |byte: &u8| CellClass::ALL.get(usize::from(*byte)).copied();
        let classes = classes.iter().map(class).collect::<Option<Vec<_>>>().ok_or_else(broken)?;
        let cells = Cells { width, height, classes, probabilities };
        Ok(Self { reading, ..Self::of_cells(py, geometry, cells, anchoring)? })
    }
}

impl Grid {
    pub fn of_map(map: Map) -> Self {
        Self { map, findings: Vec::new(), file: None, reading: None, hash: OnceLock::new() }
    }

    fn of_cells(
        py: Python<'_>,
        geometry: GridGeometry,
        cells: Cells,
        anchoring: Anchoring,
    ) -> PyResult<Self> {
        let wrong = |error: model::GridError| errors::input(py, error.code(), &error.to_string(), None);
        let mut grid = model::Grid::new(geometry, cells.classes).map_err(wrong)?;
        if let Some(probabilities) = cells.probabilities {
            grid = grid.with_probabilities(probabilities).map_err(wrong)?;
        }
        Ok(Self::of_map(Map::anchored(grid, anchoring)))
    }

    /// The record of a file, or that of the cells under a label.
    fn provenance(&self, label: &str) -> Provenance {
        if let Some(file) = &self.file {
            return file.clone();
        }
        let mut known = self.hash.get_or_init(|| Provenance::of_grid("", &self.map.grid)).clone();
        known.files.iter_mut().for_each(|file| label.clone_into(&mut file.path));
        known.reading = self.reading.clone().map(Reading::Array);
        known
    }
}

fn meaning(values: &str) -> Meaning {
    match values {
        "occupancy" => Meaning::Occupancy,
        "occupied" => Meaning::Occupied,
        "probability" => Meaning::Probability,
        "classes" => Meaning::Classes,
        _ => Meaning::Picture,
    }
}

fn geometry(
    py: Python<'_>,
    width: usize,
    height: usize,
    resolution: f64,
    origin: Option<(f64, f64, f64)>,
) -> PyResult<GridGeometry> {
    let (x_m, y_m, yaw_rad) = origin.unwrap_or_default();
    let made = GridGeometry::new(width, height, resolution, Pose2::new(x_m, y_m, yaw_rad));
    made.map_err(|error| errors::input(py, error.code(), &error.to_string(), None))
}
