//! How files are read: the one definition of every reading option.
//!
//! [`ReadOptions`] is the value that readers take, the `[read]` table of a job file, and part of what a report prints
//! as JSON. With the feature `clap` it is also the group of command line flags: derive a command with
//! `#[command(flatten)] reading: ReadOptions`, and lay the flags over a job with [`ReadOptions::overridden_by`].
//! Commands that read only logs and trajectories, or only maps, flatten `LogReadOptions` or `MapReadOptions` instead:
//! they hold the same struct, but their help lists only the flags that apply.

use std::fmt;

use model::{CELL_SIZES_M, Finding, Level, Pose2};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::map::palette::PaletteChoice;
use crate::usarsim::{Frame, ScanDirection};
use crate::{PoseColumns, ReadError};

/// How `mode: scale` of a ROS map turns the ratio between the thresholds into a probability.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// The ratio itself.
    #[default]
    Ratio,
    /// The whole percent the ROS 1 map server publishes: `1 + 98 ratio`, stored in an integer and so
    /// rounded down (`map_server`, `image_loader.cpp`).
    Ros1,
    /// The whole percent the navigation2 map server publishes: `rint(100 ratio)`, halves to the even
    /// number (`nav2_map_server`, `map_io.cpp`).
    Nav2,
}

/// What faulty rows of a table of numbers do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BadRows {
    /// They are left out, each with a finding.
    #[default]
    Report,
    /// Up to this many are left out with a finding; more make the file unreadable.
    AtMost(usize),
}

/// What happens where a file states another resolution than the options do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StatedResolution {
    /// The file is refused with both values.
    #[default]
    Refuse,
    /// The resolution of the file counts, with a finding: the option is for files that state none.
    Keep,
    /// The option counts, with a finding.
    Override,
}

/// How files are read. A value that is given overrides the one in the file, and a finding tells so; a resolution that
/// contradicts the file follows `stated_resolution`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args), command(next_help_heading = "Reading"))]
#[serde(deny_unknown_fields, default)]
pub struct ReadOptions {
    /// Edge of a cell in metres, for files that state none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "clap",
        arg(long = "resolution", value_name = "METRES", allow_negative_numbers = true)
    )]
    pub resolution_m: Option<f64>,
    /// Lower left corner: metres, metres, radians.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "X,Y,YAW", allow_hyphen_values = true, value_parser = crate::flags::parse_origin)
    )]
    pub origin: Option<[f64; 3]>,
    /// Occupied above this probability [default: the file's, else 0.65].
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "P", allow_negative_numbers = true))]
    pub occupied_thresh: Option<f64>,
    /// Free below this probability [default: the file's, else 0.196].
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "P", allow_negative_numbers = true))]
    pub free_thresh: Option<f64>,
    /// Bright means occupied.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "clap", arg(long, num_args = 0, default_missing_value = "true"))]
    pub negate: Option<bool>,
    /// Grey 205, which map savers write for unknown, is unknown whatever the thresholds are.
    #[cfg_attr(feature = "clap", arg(long))]
    pub treat_205_as_unknown: bool,
    /// Do not average an alpha channel in with the colours.
    #[cfg_attr(feature = "clap", arg(long))]
    pub ignore_alpha: bool,
    /// How `mode: scale` is read: the ratio, or the percent that a ROS server publishes.
    #[cfg_attr(
        feature = "clap",
        arg(long, value_enum, value_name = "ratio|ros1|nav2", default_value_t, hide_possible_values = true)
    )]
    pub scale: Scale,
    /// Palette of colour images: auto, off (their mean counts) or a name [default: auto].
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME"))]
    pub palette: Option<String>,
    /// Maximal difference in a channel at which a pixel still has a colour of the palette [default: the palette's].
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "LEVELS"))]
    pub palette_tolerance: Option<u8>,
    /// Foreign colours in a navigation layer are unknown instead of an error.
    #[cfg_attr(feature = "clap", arg(long))]
    pub lenient_colours: bool,
    /// Grey in a navigation layer means explored and not cleared.
    #[cfg_attr(feature = "clap", arg(long))]
    pub grey_is_uncleared: bool,
    /// Pixels along the edge of a map cell in an image of the rescue league.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub pixels_per_cell: Option<u8>,
    /// What the columns of a pose log are.
    #[cfg_attr(
        feature = "clap",
        arg(
            long,
            value_enum,
            value_name = "xy-theta-t|t-xy-theta|xy-theta",
            default_value_t,
            hide_possible_values = true
        )
    )]
    pub pose_columns: PoseColumns,
    /// Topic of a bag to read; for transforms, such as /tf:odom.base_link. 'mapjudge info' lists the topics.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(all(feature = "clap", feature = "bags"), arg(long, value_name = "TOPIC"))]
    #[cfg_attr(all(feature = "clap", not(feature = "bags")), arg(skip))]
    pub topic: Option<String>,
    /// Degrees from the first to the last beam, for logs that do not state it [default: by the number of beams].
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "DEGREES", allow_negative_numbers = true))]
    pub fov_deg: Option<f64>,
    /// Ranges from here on are no returns, for logs that do not state it [default: from the ranges].
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "clap",
        arg(long = "max-range", value_name = "METRES", allow_negative_numbers = true)
    )]
    pub max_range_m: Option<f64>,
    /// Axes of poses in messages of USARSim: z down and yaw clockwise, or as in ROS.
    #[cfg_attr(
        feature = "clap",
        arg(long, value_enum, value_name = "usarsim|ros", default_value_t, hide_possible_values = true)
    )]
    pub usarsim_frame: Frame,
    /// Order of the ranges in scans of USARSim.
    #[cfg_attr(
        feature = "clap",
        arg(long, value_enum, value_name = "ccw|cw", default_value_t, hide_possible_values = true)
    )]
    pub scan_direction: ScanDirection,
    /// Share of broken lines above which a message log is refused [default: 0.01].
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "clap", arg(long = "max-bad", value_name = "SHARE", allow_negative_numbers = true))]
    pub max_bad_share: Option<f64>,
    /// What faulty rows do. Not part of a job's `[read]` table.
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(skip))]
    pub bad_rows: BadRows,
    /// What a file does that states another resolution. Not part of a job's `[read]` table.
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(skip))]
    pub stated_resolution: StatedResolution,
}

impl ReadOptions {
    /// Checks ranges and the name of the palette. Every reader calls this first.
    ///
    /// # Errors
    /// An option has a value that no file could be read with.
    pub fn check(&self) -> Result<(), OptionError> {
        let is_positive = |value: f64| value > 0.0 && value.is_finite();
        let is_share = |value: f64| (0.0..=1.0).contains(&value);
        let is_valid_fov = |deg: f64| deg > 0.0 && deg <= 360.0;
        let ranges = [
            (
                "resolution_m",
                self.resolution_m.filter(|m| !CELL_SIZES_M.contains(m)),
                "0.0001 to 1000 metres",
            ),
            ("occupied_thresh", self.occupied_thresh.filter(|p| !is_share(*p)), "a number from 0 to 1"),
            ("free_thresh", self.free_thresh.filter(|p| !is_share(*p)), "a number from 0 to 1"),
            ("fov_deg", self.fov_deg.filter(|deg| !is_valid_fov(*deg)), "more than 0, at most 360"),
            ("max_range_m", self.max_range_m.filter(|m| !is_positive(*m)), "a number of metres above 0"),
            ("max_bad_share", self.max_bad_share.filter(|share| !is_share(*share)), "a share from 0 to 1"),
        ];
        for (name, wrong, expected) in ranges {
            if let Some(value) = wrong {
                return Err(OptionError::out_of_range(name, value.to_string(), expected.to_owned()));
            }
        }
        if let Some(origin) = self.origin.filter(|origin| !origin.iter().all(|value| value.is_finite())) {
            let expected = "three finite numbers x, y, yaw".to_owned();
            return Err(OptionError::out_of_range("origin", format!("{origin:?}"), expected));
        }
        if let (Some(free), Some(occupied)) = (self.free_thresh, self.occupied_thresh)
            && free > occupied
        {
            let expected = format!("at most occupied_thresh, which is {occupied}");
            return Err(OptionError::out_of_range("free_thresh", free.to_string(), expected));
        }
        PaletteChoice::of(self).map(|_| ())
    }

    /// These options, with those of `flags` that are given on top: an option that is set, a switch that is on, a choice
    /// other than the default.
    #[must_use]
    pub fn overridden_by(&self, flags: &Self) -> Self {
        fn given<T: Clone + Default + PartialEq>(base: &T, flag: &T) -> T {
            if *flag == T::default() { base.clone() } else { flag.clone() }
        }
        macro_rules! each {
            ($($field:ident),*) => { Self { $($field: given(&self.$field, &flags.$field),)* } };
        }
        each!(
            resolution_m,
            origin,
            occupied_thresh,
            free_thresh,
            negate,
            treat_205_as_unknown,
            ignore_alpha,
            scale,
            palette,
            palette_tolerance,
            lenient_colours,
            grey_is_uncleared,
            pixels_per_cell,
            pose_columns,
            topic,
            fov_deg,
            max_range_m,
            usarsim_frame,
            scan_direction,
            max_bad_share,
            bad_rows,
            stated_resolution
        )
    }

    /// World pose of the lower left corner of a map.
    pub(crate) fn origin_pose(&self) -> Option<Pose2> {
        self.origin.map(|[x_m, y_m, yaw_rad]| Pose2::new(x_m, y_m, yaw_rad))
    }
}

/// An option with a value that no file could be read with.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("option '{name}': expected {expected}, found {value}")]
pub struct OptionError {
    code: &'static str,
    name: &'static str,
    value: String,
    expected: String,
}

impl OptionError {
    fn out_of_range(name: &'static str, value: String, expected: String) -> Self {
        Self { code: "option_out_of_range", name, value, expected }
    }

    pub(crate) fn unknown_palette(name: &str) -> Self {
        let expected = format!("one of auto, off, {}", crate::palette_names().join(", "));
        Self { code: "unknown_palette", name: "palette", value: format!("'{name}'"), expected }
    }

    /// `option_out_of_range` or `unknown_palette`; stable.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        self.code
    }

    /// Name of the option, which is its key in a job file.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The value as text.
    #[must_use]
    pub fn value(&self) -> &str {
        &self.value
    }

    /// What would be accepted.
    #[must_use]
    pub fn expected(&self) -> &str {
        &self.expected
    }
}

/// The option if it is given, with a finding where the file states a value too; else the value of the file.
pub(crate) fn chosen<T: fmt::Debug>(
    field: &str,
    in_file: Option<T>,
    option: Option<T>,
    findings: &mut Vec<Finding>,
) -> Option<T> {
    let (Some(given), stated) = (&option, &in_file) else { return in_file };
    if let Some(stated) = stated {
        let message = format!("{field}: the option {given:?} was used; the file says {stated:?}");
        findings.push(Finding::new(Level::Info, "OPTION_OVERRIDES_FILE", message));
    }
    option
}

/// Width and height of a cell as the file states them, or as the options do where the file states nothing.
///
/// # Errors
/// File and options contradict each other, and neither was said to count.
pub(crate) fn chosen_resolution(
    file: &str,
    stated_m: Option<(f64, f64)>,
    options: &ReadOptions,
    findings: &mut Vec<Finding>,
) -> Result<Option<(f64, f64)>, ReadError> {
    /// Files that were written with fewer digits state the same resolution.
    const SAME: f64 = 1e-6;
    let given_m = options.resolution_m.map(|metres| (metres, metres));
    let (Some((width_m, height_m)), Some((metres, _))) = (stated_m, given_m) else {
        return Ok(stated_m.or(given_m));
    };
    let is_same = |side_m: f64| (side_m - metres).abs() <= SAME * metres;
    if is_same(width_m) && is_same(height_m) {
        return Ok(stated_m);
    }
    let stated = if width_m == height_m { width_m.to_string() } else { format!("{width_m} x {height_m}") };
    match options.stated_resolution {
        StatedResolution::Override => {
            let message = format!("resolution: the option {metres} was used; the file says {stated}");
            findings.push(Finding::new(Level::Info, "OPTION_OVERRIDES_FILE", message));
            Ok(given_m)
        }
        StatedResolution::Keep => {
            let message = format!(
                "the file states a resolution of {stated} m, which counts; {metres} m is for files that state none"
            );
            findings.push(Finding::warning("RESOLUTION_OF_FILE_KEPT", message));
            Ok(stated_m)
        }
        StatedResolution::Refuse => {
            Err(ReadError::contradiction(file, "resolution", format!("{stated} m"), format!("{metres} m")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resolution_that_contradicts_the_file_is_refused_kept_or_used() {
        let under = |stated_resolution, stated: Option<f64>, resolution_m| {
            let mut findings = Vec::new();
            let options = ReadOptions { stated_resolution, resolution_m, ..ReadOptions::default() };
            let stated = stated.map(|metres| (metres, metres));
            let chosen = chosen_resolution("a.yaml", stated, &options, &mut findings);
            (chosen.map(|size| size.map(|(width_m, _)| width_m)), findings.first().map(|f| f.code.clone()))
        };
        let (refused, _) = under(StatedResolution::Refuse, Some(0.05), Some(0.1));
        let message = refused.unwrap_err().to_string();
        assert!(
            message.contains("a.yaml") && message.contains("0.05") && message.contains("0.1"),
            "{message}"
        );
        let code = |code: &'static str| Some(code.into());
        let kept = under(StatedResolution::Keep, Some(0.05), Some(0.1));
        assert_eq!(kept, (Ok(Some(0.05)), code("RESOLUTION_OF_FILE_KEPT")));
        let used = under(StatedResolution::Override, Some(0.05), Some(0.1));
        assert_eq!(used, (Ok(Some(0.1)), code("OPTION_OVERRIDES_FILE")));
        for rule in [StatedResolution::Refuse, StatedResolution::Keep, StatedResolution::Override] {
            assert_eq!(under(rule, None, Some(0.1)), (Ok(Some(0.1)), None));
            assert_eq!(under(rule, Some(0.1), Some(0.1)), (Ok(Some(0.1)), None));
            assert_eq!(under(rule, Some(0.05), None), (Ok(Some(0.05)), None));
        }
    }

    fn of_json(text: &str) -> ReadOptions {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn json_has_the_given_values_and_the_choices() {
        let text = r#"{"resolution_m":0.05,"origin":[1.0,2.0,0.5],"treat_205_as_unknown":true,"ignore_alpha":false,"scale":"ros1","lenient_colours":false,"grey_is_uncleared":false,"pose_columns":"t-xy-theta","usarsim_frame":"ros","scan_direction":"cw"}"#;
        let options = of_json(text);
        assert_eq!(serde_json::to_string(&options).unwrap(), text);
        assert_eq!(options.pose_columns, PoseColumns::TXyTheta);
        assert!(serde_json::from_str::<ReadOptions>(r#"{"bad_rows":1}"#).is_err());
    }

    #[test]
    fn what_is_given_wins() {
        let job = of_json(r#"{"scale":"ros1","free_thresh":0.25,"ignore_alpha":true,"topic":"/a"}"#);
        let flags = of_json(r#"{"free_thresh":0.3,"topic":"/b","negate":true}"#);
        let both =
            of_json(r#"{"scale":"ros1","free_thresh":0.3,"ignore_alpha":true,"topic":"/b","negate":true}"#);
        assert_eq!(job.overridden_by(&flags), both);
        assert_eq!(job.overridden_by(&ReadOptions::default()), job);
    }

    #[test]
    fn values_out_of_range_are_named() {
        for (text, name) in [
            (r#"{"resolution_m":0}"#, "resolution_m"),
            (r#"{"occupied_thresh":1.5}"#, "occupied_thresh"),
            (r#"{"free_thresh":0.7,"occupied_thresh":0.6}"#, "free_thresh"),
            (r#"{"fov_deg":361}"#, "fov_deg"),
            (r#"{"max_range_m":-1}"#, "max_range_m"),
            (r#"{"max_bad_share":2}"#, "max_bad_share"),
        ] {
            let error = of_json(text).check().unwrap_err();
            assert_eq!((error.code(), error.name()), ("option_out_of_range", name));
            assert!(error.to_string().starts_with(&format!("option '{name}': expected ")), "{error}");
        }
        let not_finite = ReadOptions { origin: Some([0.0, f64::NAN, 0.0]), ..ReadOptions::default() };
        assert_eq!(not_finite.check().unwrap_err().name(), "origin");
        assert_eq!(ReadOptions::default().check(), Ok(()));
    }

    #[test]
    fn an_unknown_palette_lists_the_known_ones() {
        for name in ["auto", "off", "navigation"] {
            let options = ReadOptions { palette: Some(name.to_owned()), ..ReadOptions::default() };
            assert_eq!(options.check(), Ok(()));
        }
        let error = of_json(r#"{"palette":"sepia"}"#).check().unwrap_err();
        assert_eq!((error.code(), error.value()), ("unknown_palette", "'sepia'"));
        assert!(
            error.expected().starts_with("one of auto, off, ") && error.expected().contains("navigation")
        );
    }
}
