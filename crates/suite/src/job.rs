//! What is to be judged and how: the job, from a TOML file, from flags, or from code.
//!
//! Flags go over the job file, the job file over the defaults. Paths in a job file are relative to its folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use formats::usarsim::{Frame, ScanDirection, UsarsimOptions};
use formats::{
    Alpha, BadRows, ForeignColours, NavigationGrey, PaletteChoice, PaletteOptions, PoseColumns, ReadOptions,
    Scale, Treat205, palette_names,
};
use metrics::fiducials::FiducialSearch;
use metrics::paths::path_inputs::PathInputs;
use metrics::{Resample, Window};
use model::Pose2;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{AlignBy, Aligning, JobError};

/// What is to be judged and how. The default reads and measures as the documentation says.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Job {
    /// The ground truth.
    pub truth: Option<PathBuf>,
    /// The maps, one case each.
    pub maps: Vec<PathBuf>,
    /// Where the fiducials stand, in the frame of the truth.
    pub layout: Option<PathBuf>,
    /// How fiducials and barrels are brought together.
    pub fiducials: FiducialSearch,
    /// How the files are read.
    pub read: Reading,
    /// How the maps come into the frame of the truth.
    pub align: AlignBy,
    /// Parameters of methods that search the frame.
    pub aligning: Aligning,
    /// Which cells are compared.
    pub window: WindowName,
    /// How a map comes onto the cells of the window.
    pub resample: ResampleName,
    /// Ids and families to compute; empty for all that apply.
    pub metrics: Vec<String>,
    /// Parameters: metric, then name, then value.
    pub set: BTreeMap<String, BTreeMap<String, Value>>,
    /// The robot of the path family; without it the family is computed only if it is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paths: Option<PathInputs>,
    /// Limits file.
    pub limits: Option<PathBuf>,
    /// Earlier report to compare with.
    pub baseline: Option<PathBuf>,
    /// Relative tolerance of that comparison; 1e-9 if not given.
    pub baseline_tolerance: Option<f64>,
}

/// How map files are read; what is given here goes over what the file says.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Reading {
    /// Edge of a cell in metres.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolution_m: Option<f64>,
    /// Lower left corner: x in metres, y in metres, yaw in radians.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<[f64; 3]>,
    /// Occupied above this probability; 0.65 if nobody says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub occupied_thresh: Option<f64>,
    /// Free below this probability; 0.196 if nobody says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub free_thresh: Option<f64>,
    /// Bright means occupied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub negate: Option<bool>,
    /// Grey 205, which savers write for unknown, is unknown whatever the thresholds say.
    pub treat_205_as_unknown: bool,
    /// Do not average an alpha channel in with the colours.
    pub ignore_alpha: bool,
    /// How `mode: scale` is read.
    pub scale: ScaleName,
    /// Palette of colour pictures: `auto` (the default), `off` (their mean counts) or a name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub palette: Option<String>,
    /// Largest difference in a channel at which a pixel still has a colour of the palette.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub palette_tolerance: Option<u8>,
    /// Foreign colours in a navigation layer are unknown instead of an error.
    pub lenient_colours: bool,
    /// Grey in a navigation layer means explored and not cleared.
    pub grey_is_uncleared: bool,
    /// Pixels along the edge of a map cell in a picture of the rescue league.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pixels_per_cell: Option<u8>,
    /// What the columns of a pose log are.
    pub pose_columns: PoseColumnsName,
    /// Topic of a bag to read; for transforms, such as `/tf:odom.base_link`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub topic: Option<String>,
    /// Degrees from the first to the last beam of scans whose records do not say it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fov_deg: Option<f64>,
    /// Metres from which on ranges are no returns, of scans whose records do not say it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_range_m: Option<f64>,
    /// Axes of the poses in messages of USARSim.
    pub usarsim_frame: UsarsimFrameName,
    /// Order of the ranges in scans of USARSim.
    pub scan_direction: ScanDirectionName,
    /// Share of broken lines above which a message log is refused; 0.01 if nobody says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_bad_share: Option<f64>,
}

macro_rules! named {
    ($(#[$meta:meta])* $name:ident => $target:ty { $($(#[$doc:meta])* $variant:ident => $value:expr,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "kebab-case")]
        pub enum $name { $($(#[$doc])* $variant,)* }

        impl From<$name> for $target {
            fn from(name: $name) -> Self {
                match name { $($name::$variant => $value,)* }
            }
        }
    };
}

named! {
    /// Which cells are compared.
    WindowName => Window {
        /// The extent of the truth.
        #[default]
        Truth => Window::Truth,
        /// The smallest extent that holds both maps.
        Union => Window::Union,
        /// The part of the truth's extent that the map reaches.
        Intersection => Window::Intersection,
    }
}

named! {
    /// How a map comes onto the cells of the window.
    ResampleName => Resample {
        /// One occupied source cell makes the target occupied.
        #[default]
        OccupiedWins => Resample::OccupiedWins,
        /// The source cell that contains the target's centre.
        Nearest => Resample::Nearest,
        /// The mean probability of the known source cells.
        Mean => Resample::Mean,
    }
}

named! {
    /// How `mode: scale` of a ROS map is read.
    ScaleName => Scale {
        /// The ratio itself.
        #[default]
        Ratio => Scale::Ratio,
        /// The whole percent that the ROS 1 server publishes.
        Ros1 => Scale::Ros1,
        /// The whole percent that the navigation2 server publishes.
        Nav2 => Scale::Nav2,
    }
}

named! {
    /// What the columns of a pose log are.
    PoseColumnsName => PoseColumns {
        /// x, y, theta, time.
        #[default]
        XyThetaT => PoseColumns::XYThetaT,
        /// Time, x, y, theta.
        TXyTheta => PoseColumns::TXYTheta,
        /// x, y, theta, without time.
        XyTheta => PoseColumns::XYTheta,
    }
}

named! {
    /// Which axes the poses in messages of USARSim have.
    UsarsimFrameName => Frame {
        /// z down, yaw clockwise: y and yaw change their signs.
        #[default]
        Usarsim => Frame::Usarsim,
        /// As in ROS: read as they are.
        Ros => Frame::Ros,
    }
}

named! {
    /// In which order the ranges of a scan of USARSim come.
    ScanDirectionName => ScanDirection {
        /// Counter-clockwise, from right to left.
        #[default]
        Ccw => ScanDirection::CounterClockwise,
        /// Clockwise, as in some old recordings.
        Cw => ScanDirection::Clockwise,
    }
}

impl Reading {
    /// The options of the readers.
    ///
    /// # Errors
    /// There is no palette of that name.
    pub fn options(&self) -> Result<ReadOptions, JobError> {
        Ok(ReadOptions {
            resolution_m: self.resolution_m,
            origin: self.origin.map(|[x_m, y_m, theta_rad]| Pose2::new(x_m, y_m, theta_rad)),
            occupied_thresh: self.occupied_thresh,
            free_thresh: self.free_thresh,
            negate: self.negate,
            treat_205_as_unknown: if self.treat_205_as_unknown {
                Treat205::AsUnknown
            } else {
                Treat205::AsFileSays
            },
            alpha: if self.ignore_alpha { Alpha::Ignore } else { Alpha::Average },
            scale: self.scale.into(),
            palette: self.palette_options()?,
            pose_columns: self.pose_columns.into(),
            topic: self.topic.clone(),
            field_of_view_deg: self.fov_deg,
            max_range_m: self.max_range_m,
            usarsim: self.usarsim_options()?,
            bad_rows: BadRows::Report,
        })
    }

    fn usarsim_options(&self) -> Result<UsarsimOptions, JobError> {
        let max_bad_share = self.max_bad_share.unwrap_or(UsarsimOptions::default().max_bad_share);
        if !(0.0..=1.0).contains(&max_bad_share) {
            return Err(JobError::Range {
                name: "max_bad_share",
                value: max_bad_share,
                expected: "a share from 0 to 1",
            });
        }
        let (frame, scan_direction) = (self.usarsim_frame.into(), self.scan_direction.into());
        Ok(UsarsimOptions { frame, scan_direction, max_bad_share })
    }

    fn palette_options(&self) -> Result<PaletteOptions, JobError> {
        let choice = match self.palette.as_deref() {
            None | Some("auto") => PaletteChoice::Auto,
            Some("off") => PaletteChoice::Off,
            Some(name) => {
                let known = palette_names().into_iter().find(|known| *known == name);
                PaletteChoice::Named(known.ok_or_else(|| JobError::UnknownPalette { name: name.to_owned() })?)
            }
        };
        let foreign_colours =
            if self.lenient_colours { ForeignColours::AsUnknown } else { ForeignColours::Refuse };
        let navigation_grey =
            if self.grey_is_uncleared { NavigationGrey::IsUncleared } else { NavigationGrey::Foreign };
        Ok(PaletteOptions {
            choice,
            tolerance: self.palette_tolerance,
            foreign_colours,
            navigation_grey,
            pixels_per_cell: self.pixels_per_cell,
        })
    }
}

impl Job {
    /// Reads a job file; its paths are taken relative to its folder.
    ///
    /// # Errors
    /// The file cannot be read, or is no valid job.
    pub fn from_file(path: &Path) -> Result<Self, JobError> {
        let text = std::fs::read_to_string(path).map_err(|source| JobError::file(path, source))?;
        let job: Self = toml::from_str(&text)
            .map_err(|error| JobError::JobFile { path: path.to_owned(), message: error.to_string() })?;
        Ok(job.relative_to(path.parent().unwrap_or(Path::new(""))))
    }

    fn relative_to(mut self, folder: &Path) -> Self {
        let paths = [&mut self.truth, &mut self.layout, &mut self.limits, &mut self.baseline];
        let transform = if let AlignBy::File(path) = &mut self.align { Some(path) } else { None };
        for path in paths.into_iter().flatten().chain(&mut self.maps).chain(transform) {
            *path = folder.join(&*path);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_file_says_everything_that_flags_say() {
        let text = r#"
            truth = "truth.yaml"
            maps = ["a.yaml", "b.yaml"]
            align = "none"
            window = "union"
            resample = "nearest"
            metrics = ["cells", "picture_distance"]
            [read]
            resolution_m = 0.05
            origin = [1.0, 2.0, 0.5]
            [set.baron_correlation]
            input = "trinary"
            [aligning]
            scale_min = 0.9
            accept_ambiguous = true
        "#;
        let job: Job = toml::from_str(text).unwrap();
        assert!(
            job.aligning.accept_ambiguous && job.aligning.scale_min == 0.9 && job.aligning.scale_max == 1.0
        );
        assert_eq!(job.align, AlignBy::None);
        assert_eq!(job.read.options().unwrap().origin, Some(Pose2::new(1.0, 2.0, 0.5)));
        assert_eq!(job.set["baron_correlation"]["input"], "trinary");
        assert_eq!(job.relative_to(Path::new("folder")).maps[1], Path::new("folder/b.yaml"));
    }

    #[test]
    fn a_transform_file_lies_beside_the_job_file() {
        let job: Job = toml::from_str("align = \"found.json\"").unwrap();
        assert_eq!(job.relative_to(Path::new("folder")).align, AlignBy::File("folder/found.json".into()));
    }

    #[test]
    fn a_misspelt_key_is_refused() {
        assert!(toml::from_str::<Job>("treshold = 1").is_err());
    }
}
