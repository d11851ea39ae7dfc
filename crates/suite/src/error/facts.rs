//! What programs read of an error: a stable code, and the file at fault.

use super::JobError;

impl JobError {
    /// A stable name of what went wrong, for programs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Read(error) => error.code(),
            Self::Incomplete(_) => "INPUT_MISSING",
            Self::JobFile { .. } => "JOB_FILE_INVALID",
            Self::OtherLog { .. } => "RECORD_OF_OTHER_LOG",
            Self::File { .. } => "FILE_NOT_READABLE",
            Self::FileTooLarge { .. } => "FILE_TOO_LARGE",
            Self::OverMemory(_) => "OVER_MEMORY",
            Self::Output { .. } => "OUTPUT_NOT_WRITABLE",
            Self::OverInput { .. } => "OUTPUT_IS_INPUT",
            Self::SeveralTopics { .. } => "SEVERAL_TOPICS",
            Self::UnknownMetric { .. } => "UNKNOWN_METRIC",
            Self::Parameter(_) => "METRIC_PARAMETER_INVALID",
            Self::Align(error) => error.code(),
            Self::FrameOfOtherFiles { .. } => "FRAME_OF_OTHER_FILES",
            Self::Transform { .. } => "TRANSFORM_FILE_INVALID",
            Self::CommonGrid { .. } => "NO_COMMON_GRID",
            Self::Limits { .. } => "LIMITS_FILE_INVALID",
            Self::Baseline { .. } => "BASELINE_INVALID",
            Self::Robot(_) => "ROBOT_INVALID",
            Self::Relocalize(_) => "RELOCALIZE_IMPOSSIBLE",
            Self::Exists(_) | Self::NotOurs(_) => "FILE_EXISTS",
            Self::NoConversion { .. } => "NO_CONVERSION",
            Self::Unwritable { .. } => "FORMAT_CANNOT_HOLD",
            Self::WouldLose { .. } => "WOULD_LOSE",
            Self::NoTrajectory { .. } => "NO_TRAJECTORY",
            Self::NoPoints { .. } => "NO_POINTS",
            Self::NoAnnotations { .. } => "NO_ANNOTATIONS",
            Self::NoLog { .. } => "NO_LOG",
            Self::WhoseAnnotations(_) => "ANNOTATIONS_OF_SEVERAL_MAPS",
            Self::Range { .. } => "OUT_OF_RANGE",
            Self::NoLayout { .. } => "NO_LAYOUT",
            Self::Radius { .. } => "RADIUS_INVALID",
            Self::NoBarrels { .. } => "NO_BARRELS",
            Self::NoFeatures { .. } => "NO_FEATURES",
            Self::NoConsensus { .. } => "NO_CONSENSUS",
            Self::MapTooLarge { .. } => "MAP_TOO_LARGE",
            Self::ReferenceSize { .. } => "REFERENCE_SIZE",
            Self::NoRelations { .. } => "NO_RELATIONS",
            Self::RecordExists(_) => "RECORD_EXISTS",
            Self::Contest { .. } => "CONTEST_INVALID",
            Self::Rows { code, .. } => code,
            Self::NoMap { .. } => "NO_MAP",
            Self::MapperParameter(_) => "MAPPER_PARAMETER_INVALID",
            Self::NoGraph { .. } => "NO_POSE_GRAPH",
            Self::Figure(_) => "FIGURE_FAILED",
            Self::Render(_) => "RENDERING_FAILED",
            Self::Replay(_) => "REPLAY_FAILED",
            Self::Program { .. } => "PROGRAM_FAILED",
            Self::ToolFile { .. } => "TOOL_FILE_INVALID",
            Self::FloorsAmbiguous { .. } => "FLOORS_AMBIGUOUS",
            Self::Vectors { .. } => "VECTORS_INVALID",
            Self::Explore(_) => "EXPLORATION_FAILED",
            Self::Arena { .. } => "ARENA_INVALID",
            Self::Stopped => "STOPPED",
            Self::Sim(error) => error.damage_code().unwrap_or("SIMULATION_FAILED"),
        }
    }

    /// The file that is at fault, where there is one.
    #[must_use]
    pub fn faulty_file(&self) -> Option<&str> {
        match self {
            Self::Read(error) => error.file(),
            Self::JobFile { path, .. }
            | Self::ToolFile { path, .. }
            | Self::Vectors { path, .. }
            | Self::File { path, .. }
            | Self::FileTooLarge { path, .. }
            | Self::Output { path, .. }
            | Self::OverInput { path }
            | Self::SeveralTopics { path, .. }
            | Self::Transform { path, .. }
            | Self::FrameOfOtherFiles { path, .. }
            | Self::Limits { path, .. }
            | Self::Baseline { path, .. }
            | Self::NoTrajectory { path, .. }
            | Self::NoPoints { path, .. }
            | Self::NoAnnotations { path, .. }
            | Self::NoLog { path, .. }
            | Self::NoLayout { path, .. }
            | Self::NoRelations { path, .. }
            | Self::RecordExists(path)
            | Self::Exists(path)
            | Self::Rows { path, .. }
            | Self::NoMap { path, .. }
            | Self::NoGraph { path, .. }
            | Self::Arena { path, .. } => Some(path),
            Self::OtherLog { log, .. } => Some(log),
            Self::Unwritable { output, .. } | Self::WouldLose { output, .. } => Some(output),
            _ => None,
        }
    }

    pub(crate) fn rows(
        path: impl Into<String>,
        code: &'static str,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        Self::Rows { path: path.into(), code, message: message.into(), hint: hint.into() }
    }

    pub(crate) fn contest(
        place: impl Into<String>,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        Self::Contest { place: place.into(), message: message.into(), hint: hint.into() }
    }
}
