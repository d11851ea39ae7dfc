//! Every finding that mapjudge can raise, for `docs/lint.md` and `mapjudge lint --list`.

use model::Level;

/// What a finding means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeDoc {
    /// Stable name.
    pub code: &'static str,
    /// How serious it is.
    pub level: Level,
    /// What it means.
    pub meaning: &'static str,
    /// What raises it.
    pub example: &'static str,
    /// What to do about it.
    pub remedy: &'static str,
}

const fn code(
    code: &'static str,
    level: Level,
    meaning: &'static str,
    example: &'static str,
    remedy: &'static str,
) -> CodeDoc {
    CodeDoc { code, level, meaning, example, remedy }
}

/// All findings, alphabetical.
pub const CODES: &[CodeDoc] = &[
    code(
        "ALPHA_AVERAGED",
        Level::Warning,
        "The picture has an alpha channel, and it changes classes: map servers average it in with the colours, and so does the reader.",
        "a half transparent white pixel in mode trinary",
        "Save without alpha, or use `--ignore-alpha`.",
    ),
    code(
        "ALPHA_MEANS_UNKNOWN",
        Level::Info,
        "In mode `scale`, pixels with an alpha below 255 were read as unknown.",
        "`mode: scale` with a transparent pixel",
        "Nothing, if that was meant.",
    ),
    code(
        "CANNOT_READ",
        Level::Error,
        "The file cannot be read; the message says where and why.",
        "a PGM of 100 x 100 pixels with 50 bytes",
        "Follow the hint.",
    ),
    code(
        "DETECTIONS_MISSING",
        Level::Warning,
        "The rescue league asks for a detection list, and none is among the files.",
        "`lint --profile rescue-league team_1m.tif team_2m.tif`",
        "Hand in the CSV.",
    ),
    code(
        "FIELD_MISSING",
        Level::Warning,
        "A YAML field is missing, and a usual value was taken for it.",
        "a map YAML without `negate`",
        "Write the field.",
    ),
    code(
        "FRAME_ASSUMED",
        Level::Warning,
        "Neither picture says where it lies; they have the same size and were laid corner to corner.",
        "`score map.pgm --truth truth.pgm`",
        "Say `--align none` if that is right, or give the origins.",
    ),
    code(
        "FREE_AT_BORDER",
        Level::Info,
        "Free cells touch the border of the picture.",
        "a map cropped through a corridor",
        "Check that nothing was cut off.",
    ),
    code(
        "IMAGE_FOUND_ELSEWHERE",
        Level::Warning,
        "The picture was not where the YAML says; the one of that name beside the YAML was taken.",
        "`image: maps/map.pgm`, and only map.pgm is there",
        "Correct `image`.",
    ),
    code(
        "MORE_WALLS_THAN_SPACE",
        Level::Info,
        "More cells are occupied than free.",
        "a map saved with the wrong `negate`",
        "Check `negate`.",
    ),
    code(
        "NAME_HAS_BLANK",
        Level::Warning,
        "The file name has a blank.",
        "`my map.tif`",
        "Use - or _ instead.",
    ),
    code(
        "NAME_NOT_PORTABLE",
        Level::Warning,
        "The file name has a character that Windows does not allow.",
        "`map_12:30:00.tif`",
        "Write times as 12-30-00.",
    ),
    code(
        "NO_FREE_SPACE",
        Level::Warning,
        "The map has no free cell.",
        "all pixels dark",
        "Check thresholds and `negate`.",
    ),
    code(
        "NO_NAVIGATION_LAYER",
        Level::Error,
        "The virtual league of 2008 asks for a navigation layer, and the map has none.",
        "`lint --profile virtual-league-2008 grey.pgm`",
        "Paint the five colours.",
    ),
    code(
        "NO_OVERLAP",
        Level::Warning,
        "The map knows none of the cells that the truth knows.",
        "origins 100 m apart",
        "Check the origins, or align the map.",
    ),
    code(
        "NO_RESOLUTION",
        Level::Warning,
        "Nothing says how large a cell is; 1 m was taken.",
        "a plain PGM",
        "Give `--resolution`.",
    ),
    code(
        "NO_UNKNOWN",
        Level::Info,
        "The map knows every cell.",
        "a drawn floor plan, or lost thresholds",
        "Check that unknown was not lost when saving.",
    ),
    code(
        "NO_WALLS",
        Level::Warning,
        "The map has no occupied cell.",
        "all pixels white",
        "Check thresholds and `negate`.",
    ),
    code(
        "OPTION_OVERRIDES_FILE",
        Level::Info,
        "An option went over what the file says.",
        "`--resolution 0.05` with a YAML of 0.1",
        "Nothing, if that was meant.",
    ),
    code(
        "ORIGIN_HAS_YAW",
        Level::Info,
        "The origin is turned. It is honoured here; much of ROS ignores it.",
        "`origin: [0, 0, 0.3]`",
        "Turn the map instead, if others should read it.",
    ),
    code(
        "POSES_LEAP",
        Level::Warning,
        "Between two poses the robot would have driven more than 10 m/s.",
        "stamps in milliseconds read as seconds",
        "Check the units.",
    ),
    code(
        "RAW_IGNORES_NEGATE",
        Level::Info,
        "`negate` has no meaning in mode `raw`.",
        "`mode: raw` with `negate: 1`",
        "Remove it.",
    ),
    code(
        "SLICE_MISSING",
        Level::Warning,
        "The rescue league asks for two map slices, and only one is there.",
        "`lint --profile rescue-league team_1m.tif`",
        "Hand in both.",
    ),
    code(
        "TOO_FEW_POSES",
        Level::Error,
        "A trajectory needs at least two poses.",
        "a log with one line",
        "Check the file.",
    ),
    code(
        "TRAILING_BYTES",
        Level::Warning,
        "The picture is followed by further bytes, which were not read.",
        "two PGMs in one file",
        "Check that it is the right file.",
    ),
    code(
        "TREATED_205_AS_UNKNOWN",
        Level::Info,
        "Cells of grey 205 were read as unknown, as asked for.",
        "`--treat-205-as-unknown`",
        "Nothing.",
    ),
    code(
        "UNKNOWN_MAY_READ_AS_FREE",
        Level::Warning,
        "Savers write unknown as grey 205, and the file's `free_thresh` turns that into free.",
        "`free_thresh: 0.25` with pixels of 205",
        "Set `free_thresh: 0.196` (`lint --fix` does), or use `--treat-205-as-unknown`.",
    ),
    code(
        "UNUSUAL_CELL_SIZE",
        Level::Info,
        "Cells are smaller than 5 mm or larger than half a metre.",
        "`resolution: 5` (centimetres)",
        "Check that it is in metres.",
    ),
    code(
        "WRONG_KIND_OF_FILE",
        Level::Error,
        "The profile asks for another kind of file.",
        "`lint --profile ros-map path.tum`",
        "Choose the profile that fits.",
    ),
];
