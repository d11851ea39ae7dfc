//! Why a job could not be carried out.

use std::path::{Path, PathBuf};

/// Why a job could not be carried out. Nothing was computed.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// A map or truth could not be read.
    #[error("{0}")]
    Read(#[from] formats::ReadError),
    /// The job names no truth or no map.
    #[error("the job names no {0}")]
    Incomplete(&'static str),
    /// The job file is not valid.
    #[error("{}: {message}", path.display())]
    JobFile {
        /// Which file.
        path: PathBuf,
        /// Line and what was expected there.
        message: String,
    },
    /// A file beside the maps could not be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// No metric or family has this name.
    #[error("no metric or family '{name}'")]
    UnknownMetric {
        /// What was asked for.
        name: String,
        /// The nearest known name.
        nearest: Option<&'static str>,
    },
    /// A metric refused a parameter.
    #[error("{0}")]
    Parameter(#[from] metrics::ParamError),
    /// A method of alignment refused its parameters or the maps.
    #[error("{0}")]
    Align(#[from] align::AlignError),
    /// A transform file is not valid.
    #[error("{}: {message}", path.display())]
    Transform {
        /// Which file.
        path: PathBuf,
        /// Where, and what was expected there.
        message: String,
    },
    /// What `--align` was given is neither a method nor a file.
    #[error("--align {}: {source}", path.display())]
    NoTransformFile {
        /// What was given.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The common grid could not be made.
    #[error("{map}: {source}")]
    CommonGrid {
        /// The map.
        map: String,
        /// Why.
        source: align::CommonGridError,
    },
    /// The limits file is not valid.
    #[error("{}: {source}", path.display())]
    Limits {
        /// Which file.
        path: PathBuf,
        /// Line and what was expected there.
        source: report::LimitsError,
    },
    /// The baseline cannot be compared with.
    #[error("{}: {source}", path.display())]
    Baseline {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: Box<report::BaselineError>,
    },
    /// What is said about the robot makes no sense, or cannot be computed.
    #[error("{0}")]
    Robot(String),
    /// There is no palette of this name.
    #[error("no palette '{name}'")]
    UnknownPalette {
        /// What was asked for.
        name: String,
    },
    /// A kind of content has no form under this ending.
    #[error("a {kind} cannot be written as '.{ending}'")]
    NoConversion {
        /// Kind of the content.
        kind: &'static str,
        /// Ending of the output.
        ending: String,
    },
    /// The output's format cannot hold the content at all.
    #[error("{}: {why}", output.display())]
    Unwritable {
        /// The output.
        output: PathBuf,
        /// What it cannot hold, and where.
        why: String,
    },
    /// The output's format cannot hold everything.
    #[error("{}: would lose {}", output.display(), lost.join(", "))]
    WouldLose {
        /// The output.
        output: PathBuf,
        /// What it cannot hold.
        lost: Vec<&'static str>,
    },
    /// A file holds no trajectory or relations that could be judged.
    #[error("{}: found {what}, expected poses or relations that can be looked up by time", path.display())]
    NoTrajectory {
        /// Which file.
        path: PathBuf,
        /// What it holds.
        what: String,
        /// What to do about it.
        hint: String,
    },
    /// A file holds no labelled points.
    #[error("{}: a {found}: expected labelled points", path.display())]
    NoPoints {
        /// Which file.
        path: PathBuf,
        /// What it holds.
        found: &'static str,
    },
    /// A file holds nothing that is written on maps.
    #[error("{}: a {found}: expected a vector layer, a detection list or a trajectory", path.display())]
    NoAnnotations {
        /// Which file.
        path: PathBuf,
        /// What it holds.
        found: &'static str,
    },
    /// A file holds no run.
    #[error("{}: a {found}: expected a log of scans and odometry", path.display())]
    NoLog {
        /// Which file.
        path: PathBuf,
        /// What it holds.
        found: &'static str,
    },
    /// Annotations belong to one map, and the job has several.
    #[error("annotations of a map were given, and {0} maps")]
    WhoseAnnotations(usize),
    /// A number of the job lies outside its range.
    #[error("{name} = {value}: expected {expected}")]
    Range {
        /// Its name.
        name: &'static str,
        /// What was given.
        value: f64,
        /// What is allowed.
        expected: &'static str,
    },
    /// A file that should be a layout of fiducials is something else.
    #[error("{}: expected a layout of fiducials, found {found}", path.display())]
    NoLayout {
        /// Which file.
        path: PathBuf,
        /// What it is.
        found: &'static str,
    },
    /// A radius makes no sense for the cells of a map.
    #[error("{map}: {source}")]
    Radius {
        /// The map.
        map: String,
        /// Why.
        source: raster::circles::SearchError,
    },
    /// A map shows no barrel from which a layout could be drafted.
    #[error("{map}: no barrel of this radius was found")]
    NoBarrels {
        /// The map.
        map: String,
    },
    /// Too few maps could be placed in one frame.
    #[error("{placed} of {maps} maps could be placed in one frame: expected at least 3")]
    NoConsensus {
        /// Maps given.
        maps: usize,
        /// Maps with a certain alignment to another.
        placed: usize,
    },
    /// A map too large for exact distances.
    #[error("{map}: the diagonal exceeds 46340 cells, which exact distances do not allow")]
    MapTooLarge {
        /// The map.
        map: String,
    },
    /// A reference segmentation of another size than the map.
    #[error("{reference}: {} x {} cells: expected {} x {} as the map has", found.0, found.1, expected.0, expected.1)]
    ReferenceSize {
        /// The reference.
        reference: String,
        /// Columns and rows of the map.
        expected: (usize, usize),
        /// Columns and rows of the reference.
        found: (usize, usize),
    },
    /// No relations can be made from a trajectory, or none are left.
    #[error("{path}: {why}")]
    NoRelations {
        /// The file as given.
        path: String,
        /// Why.
        why: String,
    },
    /// A record of relations is there already.
    #[error("{}: the record exists, and may hold decisions", .0.display())]
    RecordExists(PathBuf),
    /// A contest file or a rule profile does not hold together.
    #[error("{place}: {message}")]
    Contest {
        /// The file, and where in it.
        place: String,
        /// What is wrong.
        message: String,
        /// What to do about it.
        hint: String,
    },
    /// A log gives no map.
    #[error("{path}: {why}")]
    NoMap {
        /// The file as given.
        path: String,
        /// Why.
        why: String,
    },
    /// A mapper refused a parameter.
    #[error("{0}")]
    MapperParameter(String),
    /// A file holds no pose graph that could be solved.
    #[error("{path}: {why}")]
    NoGraph {
        /// The file as given.
        path: String,
        /// Why.
        why: String,
    },
    /// A picture could not be drawn.
    #[error("{0}")]
    Picture(#[from] report::PictureError),
    /// A page could not be made.
    #[error("{0}")]
    Render(#[from] report::RenderError),
    /// A log could not be replayed.
    #[error("{0}")]
    Replay(#[from] sim::replay::ReplayError),
    /// The program of a challenge could not be run, or gave nothing.
    #[error("{command}: {why}")]
    Program {
        /// What was to be run.
        command: String,
        /// What went wrong.
        why: String,
    },
    /// A place could not be explored.
    #[error("{0}")]
    Explore(#[from] explore::ExploreError),
    /// The plan of an arena, or way points through it, cannot be understood.
    #[error("{}: {message}", path.display())]
    Arena {
        /// Which file.
        path: PathBuf,
        /// Where, and what was expected there.
        message: String,
    },
    /// A place or an arena could not be made.
    #[error("{0}")]
    Sim(#[from] sim::SimError),
}

/// What to give if something is missing from a job.
fn what_is_missing(what: &str) -> &'static str {
    match what {
        "truth or relations" => "give --truth TRAJECTORY or --relations FILE",
        "trajectory" => "name at least one trajectory",
        "truth" => "give the ground truth with --truth FILE",
        "start" => "give the place of the first robot with --start X,Y",
        "layout" => "give the places of the fiducials with --layout FILE",
        "second map" => "name two maps",
        _ => "name at least one map file",
    }
}

impl JobError {
    /// What the user can do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Read(error) => {
                let damaged = "the file is damaged, or not what its name says; export it again";
                error.hint().or_else(|| Some(damaged.to_owned()))
            }
            Self::UnknownMetric { nearest: Some(name), .. } => Some(format!("did you mean '{name}'?")),
            Self::Parameter(
                metrics::ParamError::Unknown { metric, .. } | metrics::ParamError::Value { metric, .. },
            ) => Some(format!("`mapjudge metrics {metric}` describes the parameters")),
            Self::NoTransformFile { .. } => {
                Some(format!("name a transform file, or one of {}", crate::AlignBy::words().join(", ")))
            }
            Self::UnknownPalette { .. } => {
                Some(format!("there are auto, off, {}", formats::palette_names().join(", ")))
            }
            Self::NoTrajectory { hint, .. } | Self::Contest { hint, .. } => Some(hint.clone()),
            _ => self.fixed_hint().map(str::to_owned),
        }
    }

    /// Hints that are the same whatever the file was.
    fn fixed_hint(&self) -> Option<&'static str> {
        Some(match self {
            Self::Incomplete(what) => return Some(what_is_missing(what)),
            Self::NoLayout { .. } => {
                "`mapjudge fiducials init MAP` drafts one; docs/fiducials.md shows its form"
            }
            Self::Radius { .. } => {
                "check the resolution of the map, or give the radius in cells with --radius-px"
            }
            Self::NoBarrels { .. } => "try a range such as --radius-px 4..10, or a lower --min-quality",
            Self::UnknownMetric { .. } => "`mapjudge metrics` lists them all",
            Self::Transform { .. } => "`mapjudge align MAP --truth MAP --format json` prints one",
            Self::Align(_) => "`mapjudge align --help` describes the parameters",
            Self::CommonGrid { .. } => "use --window truth, or check the origins",
            Self::Robot(_) => "lengths are metres from 0 on, places X,Y on the truth",
            Self::NoConversion { .. } => "`mapjudge convert --help` lists the endings",
            Self::Unwritable { .. } => "choose another format, or correct the content",
            Self::WouldLose { .. } => "say --lossy to go on, or choose a format that holds it",
            Self::Range { .. } => "`mapjudge --help` of the command says what it means",
            Self::NoPoints { .. } => "give a detection list of the league (CSV) or a point list (.pts)",
            Self::NoAnnotations { .. } | Self::NoLog { .. } => "`mapjudge info FILE` says what a file is",
            Self::WhoseAnnotations(_) => "score the maps one by one, each with its own files",
            Self::NoConsensus { .. } => {
                "give at least three maps of one place that overlap; `mapjudge align` shows single pairs"
            }
            Self::MapTooLarge { .. } => "use --method visibility, or a coarser map",
            Self::ReferenceSize { .. } => "draw the reference on a copy of the map's picture",
            Self::NoMap { .. } => {
                "give a log with laser scans; a scanner that sees further needs --set range_max_m=METRES"
            }
            Self::MapperParameter(_) => "docs/mapping.md and report.json list the parameters",
            Self::NoGraph { .. } => {
                "give a planar graph in g2o or TORO form whose edges have a positive information"
            }
            Self::RecordExists(_) => "choose another file; `mapjudge truth accept` appends to a record",
            Self::NoRelations { .. } => "see `mapjudge relations --help`",
            Self::Replay(_) => "`mapjudge replay --help` and `mapjudge record --help` describe the options",
            Self::Program { .. } => {
                "it must connect to {host} {port}, send INIT, and write lines `x y theta t` to {out}"
            }
            Self::Explore(_) => "choose another --start, or see `mapjudge explore --help`",
            Self::Arena { .. } => "docs/simulation.md describes plans and way points",
            Self::File { .. } => "check the path and its permissions",
            _ => return None,
        })
    }

    pub(crate) fn no_transform_file(path: &Path, source: std::io::Error) -> Self {
        Self::NoTransformFile { path: path.to_owned(), source }
    }

    pub(crate) fn contest(
        place: impl Into<String>,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        Self::Contest { place: place.into(), message: message.into(), hint: hint.into() }
    }

    pub(crate) fn file(path: impl Into<PathBuf>, source: std::io::Error) -> Self {
        Self::File { path: path.into(), source }
    }
}
