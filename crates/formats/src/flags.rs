//! The reading options as command line flags, for commands that read one kind of file.

use clap::Arg;

use crate::ReadOptions;

/// Flags that only images and maps know.
const MAP_FLAGS: [&str; 13] = [
    "resolution_m",
    "origin",
    "occupied_thresh",
    "free_thresh",
    "negate",
    "treat_205_as_unknown",
    "ignore_alpha",
    "scale",
    "palette",
    "palette_tolerance",
    "lenient_colours",
    "grey_is_uncleared",
    "pixels_per_cell",
];
/// Flags that only logs and trajectories know; a topic may hold either.
const LOG_FLAGS: [&str; 6] =
    ["pose_columns", "fov_deg", "max_range_m", "usarsim_frame", "scan_direction", "max_bad_share"];

fn hidden_among(names: &'static [&'static str]) -> impl FnMut(Arg) -> Arg {
    |arg| {
        let is_among = names.contains(&arg.get_id().as_str());
        if is_among { arg.hide(true) } else { arg }
    }
}

/// The flags of a command that reads logs and trajectories. Flags for maps are accepted but not listed.
#[derive(Clone, Debug, Default, PartialEq, clap::Args)]
#[command(mut_args(hidden_among(&MAP_FLAGS)))]
pub struct LogReadOptions {
    #[command(flatten)]
    pub options: ReadOptions,
}

/// The flags of a command that reads maps. Flags for logs are accepted but not listed.
#[derive(Clone, Debug, Default, PartialEq, clap::Args)]
#[command(mut_args(hidden_among(&LOG_FLAGS)))]
pub struct MapReadOptions {
    #[command(flatten)]
    pub options: ReadOptions,
}

/// Three numbers X,Y,YAW, metres and radians.
///
/// # Errors
/// It is something else.
pub fn parse_origin(text: &str) -> Result<[f64; 3], String> {
    let numbers: Vec<f64> = text
        .split(',')
        .map(|part| part.trim().parse().map_err(|_| format!("'{part}' is no number: expected X,Y,YAW")))
        .collect::<Result<_, _>>()?;
    <[f64; 3]>::try_from(numbers)
        .map_err(|found| format!("expected three numbers X,Y,YAW, found {}", found.len()))
}

#[cfg(test)]
mod tests {
    use clap::{Args, Command, FromArgMatches};

    use super::*;

    fn parsed(arguments: &[&str]) -> ReadOptions {
        let command = ReadOptions::augment_args(Command::new("test").no_binary_name(true));
        ReadOptions::from_arg_matches(&command.get_matches_from(arguments)).unwrap()
    }

    #[test]
    fn flags_fill_the_options() {
        assert_eq!(parsed(&[]), ReadOptions::default());
        let given =
            parsed(&["--negate", "--origin", "-1,2,0.5", "--scale", "nav2", "--scan-direction", "cw"]);
        assert_eq!((given.negate, given.origin), (Some(true), Some([-1.0, 2.0, 0.5])));
        assert_eq!(
            (given.scale, given.scan_direction),
            (crate::Scale::Nav2, crate::usarsim::ScanDirection::Clockwise)
        );
    }

    #[test]
    fn help_lists_the_flags_that_apply() {
        let shown = |mut command: Command| command.render_long_help().to_string();
        let of_logs = shown(LogReadOptions::augment_args(Command::new("test")));
        assert!(of_logs.contains("--fov-deg") && !of_logs.contains("--resolution"), "{of_logs}");
        let of_maps = shown(MapReadOptions::augment_args(Command::new("test")));
        assert!(!of_maps.contains("--fov-deg") && of_maps.contains("--resolution"), "{of_maps}");
        let all = ReadOptions::augment_args(Command::new("test"));
        for name in MAP_FLAGS.iter().chain(&LOG_FLAGS) {
            assert!(all.get_arguments().any(|arg| arg.get_id() == name), "{name}");
        }
    }
}
