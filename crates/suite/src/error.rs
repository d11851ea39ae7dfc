//! Why a job could not be carried out.

mod facts;

/// Why a job could not be carried out. Nothing was computed.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// A map or truth could not be read.
    #[error("{0}")]
    Read(#[from] formats::ReadError),
    /// The job names no truth or no map.
    #[error("the job names no {0}")]
    Incomplete(&'static str),
    /// A job file is not valid.
    #[error("{path}: {message}")]
    JobFile {
        /// Which file.
        path: String,
        /// Line and what was expected there.
        message: String,
    },
    /// A file beside the maps could not be read or written.
    #[error("{path}: {source}")]
    File {
        /// Which file.
        path: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// No metric or family has this name.
    #[error("no metric or family '{name}'")]
    UnknownMetric {
        /// What was asked for.
        name: String,
        /// Known names that may be meant, the likeliest first.
        nearest: Vec<&'static str>,
    },
    /// A metric refused a parameter.
    #[error("{0}")]
    Parameter(#[from] metrics::ParamError),
    /// A method of alignment refused its parameters or the maps.
    #[error("{0}")]
    Align(#[from] align::AlignError),
    /// A person laid other files on each other than those at hand.
    #[error("{path}: the transform file does not hold for it: {message}")]
    FrameOfOtherFiles {
        /// The map.
        path: String,
        /// What is different.
        message: String,
    },
    /// A transform file cannot be used.
    #[error("{path}: {message}")]
    Transform {
        /// Which file.
        path: String,
        /// Where, and what was expected there.
        message: String,
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
    #[error("{path}: {source}")]
    Limits {
        /// Which file.
        path: String,
        /// Line and what was expected there.
        source: report::LimitsError,
    },
    /// The baseline cannot be compared with.
    #[error("{path}: {source}")]
    Baseline {
        /// Which file.
        path: String,
        /// Why.
        source: Box<report::BaselineError>,
    },
    /// What is said about the robot makes no sense, or cannot be computed.
    #[error("{0}")]
    Robot(String),
    /// A robot cannot be lost and found with these files.
    #[error("{0}")]
    Relocalize(String),
    /// The file that would be written is there already.
    #[error("{0}: the file exists, and would be overwritten")]
    Exists(String),
    /// A folder of results holds a file of this name that the same run did not write, or that was changed since.
    #[error("{0}: the file exists, and is no result of this run on these files")]
    NotOurs(String),
    /// A kind of content has no form under this ending.
    #[error("{kind} cannot be written as '.{ending}'")]
    NoConversion {
        /// Kind of the content.
        kind: &'static str,
        /// Ending of the output.
        ending: String,
    },
    /// The output's format cannot hold the content at all.
    #[error("{output}: {why}")]
    Unwritable {
        /// The output.
        output: String,
        /// What it cannot hold, and where.
        why: String,
    },
    /// The output's format cannot hold everything.
    #[error("{output}: would lose {}", lost.join(", "))]
    WouldLose {
        /// The output.
        output: String,
        /// What it cannot hold.
        lost: Vec<String>,
    },
    /// A file holds no trajectory or relations that could be judged.
    #[error("{path}: found {found}, expected poses or relations that can be looked up by time")]
    NoTrajectory {
        /// Which file.
        path: String,
        /// What it holds.
        found: String,
        /// Stable name of the cause, such as `bag_without_topic`.
        why: &'static str,
    },
    /// A file is larger than any file of its kind.
    #[error("{path}: expected at most {max_bytes} bytes, found more")]
    FileTooLarge {
        /// Which file.
        path: String,
        /// The limit.
        max_bytes: u64,
    },
    /// A computation on a map would take more memory than the run may.
    #[error("{0}")]
    OverMemory(#[from] model::OverMemory),
    /// A result could not be written.
    #[error("{path}: {source}")]
    Output {
        /// Which file or folder.
        path: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// A result would be written over the file that it is made from.
    #[error("{path}: the result would replace the input")]
    OverInput {
        /// Which file.
        path: String,
    },
    /// A bag has several topics that could be meant.
    #[error("{path}: {} topics have {what}: {}", topics.len(), topics.join(", "))]
    SeveralTopics {
        /// Which bag.
        path: String,
        /// `laser scans` or `odometry`.
        what: &'static str,
        /// Their names.
        topics: Vec<String>,
    },
    /// A file holds no labelled points.
    #[error("{path}: found {found}, expected labelled points")]
    NoPoints {
        /// Which file.
        path: String,
        /// What it holds.
        found: &'static str,
    },
    /// A file holds nothing that is written on maps.
    #[error("{path}: found {found}, expected a vector layer, a detection list or a trajectory")]
    NoAnnotations {
        /// Which file.
        path: String,
        /// What it holds.
        found: &'static str,
    },
    /// A file holds no run.
    #[error("{path}: found {found}, expected a log of scans and odometry")]
    NoLog {
        /// Which file.
        path: String,
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
    #[error("{path}: expected a layout of fiducials, found {found}")]
    NoLayout {
        /// Which file.
        path: String,
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
    /// A map shows nothing of a kind from which a layout could be drafted.
    #[error("{map}: no {kind} was found")]
    NoFeatures {
        /// The map.
        map: String,
        /// `corner` or `pole`.
        kind: &'static str,
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
    #[error("{0}: the record exists, and may hold decisions")]
    RecordExists(String),
    /// A record was made from the scans of another log.
    #[error(
        "{record}: was made from another log than {log}: expected the hash {expected:.16}, found {found:.16}"
    )]
    OtherLog {
        /// The record.
        record: String,
        /// The log as given.
        log: String,
        /// BLAKE3 hash that the record names.
        expected: String,
        /// That of the log.
        found: String,
    },
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
    /// A manifest, a row file or what was asked of them cannot be used.
    #[error("{path}: {message}")]
    Rows {
        /// Which file.
        path: String,
        /// Stable name of what is wrong.
        code: &'static str,
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
    MapperParameter(#[from] mapper::MapperError),
    /// A file holds no pose graph that could be solved.
    #[error("{path}: {why}")]
    NoGraph {
        /// The file as given.
        path: String,
        /// Why.
        why: String,
    },
    /// A figure could not be drawn.
    #[error("{0}")]
    Figure(#[from] report::ImageError),
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
    /// A tool file of a conformance run is not valid, or its program is not there.
    #[error("{path}: {message}")]
    ToolFile {
        /// Which file.
        path: String,
        /// Line and what was expected there.
        message: String,
    },
    /// Conformance vectors of another version, or with other bytes than those of their hash list.
    #[error("{path}: {message}")]
    Vectors {
        /// The version or folder that was asked for.
        path: String,
        /// What is wrong.
        message: String,
    },
    /// Maps of floors without names fit several assignments about equally well.
    #[error(
        "the maps fit several assignments to the floors about equally well: the best is ahead by {gap:.3}, expected at least {min_gap}"
    )]
    FloorsAmbiguous {
        /// By how much the best assignment is ahead.
        gap: f64,
        /// What it has to be.
        min_gap: f64,
    },
    /// A place could not be explored.
    #[error("{0}")]
    Explore(#[from] explore::ExploreError),
    /// The plan of an arena, or waypoints through it, cannot be understood.
    #[error("{path}: {message}")]
    Arena {
        /// Which file.
        path: String,
        /// Where, and what was expected there.
        message: String,
    },
    /// Somebody asked for it.
    #[error("stopped before the last metric")]
    Stopped,
    /// A place or an arena could not be made.
    #[error("{0}")]
    Sim(#[from] sim::SimError),
}
