//! The flags that say how map files are read; every command that reads maps takes them.

use formats::ReadOptions;
use mapjudge::Reading;

use crate::choice::set_word;
use crate::output::Failure;

/// How map files are read. What is given goes over what a file says.
#[derive(clap::Args)]
#[command(next_help_heading = "Reading")]
pub struct ReadingFlags {
    /// Edge of a cell in metres.
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    resolution: Option<f64>,
    /// Lower left corner: metres, metres, radians.
    #[arg(long, value_name = "X,Y,YAW", allow_hyphen_values = true, value_parser = parse_origin)]
    origin: Option<[f64; 3]>,
    /// Occupied above this probability [default: the file's, else 0.65].
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    occupied_thresh: Option<f64>,
    /// Free below this probability [default: the file's, else 0.196].
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    free_thresh: Option<f64>,
    /// Bright means occupied.
    #[arg(long)]
    negate: bool,
    /// Grey 205, which savers write for unknown, is unknown whatever the thresholds say.
    #[arg(long)]
    treat_205_as_unknown: bool,
    /// Do not average an alpha channel in with the colours.
    #[arg(long)]
    ignore_alpha: bool,
    /// How `mode: scale` is read: the ratio, or the percent that a ROS server publishes.
    #[arg(long, value_name = "ratio|ros1|nav2")]
    scale: Option<String>,
    /// Palette of colour pictures: auto, off (their mean counts) or a name [default: auto].
    #[arg(long, value_name = "NAME")]
    palette: Option<String>,
    /// Largest difference in a channel at which a pixel still has a colour of the palette.
    #[arg(long, value_name = "LEVELS")]
    palette_tolerance: Option<u8>,
    /// Foreign colours in a navigation layer are unknown instead of an error.
    #[arg(long)]
    lenient_colours: bool,
    /// Grey in a navigation layer means explored and not cleared.
    #[arg(long)]
    grey_is_uncleared: bool,
    /// Pixels along the edge of a map cell in a picture of the rescue league.
    #[arg(long, value_name = "N")]
    pixels_per_cell: Option<u8>,
    /// What the columns of a pose log are [default: xy-theta-t].
    #[arg(long, value_name = "xy-theta-t|t-xy-theta|xy-theta")]
    pose_columns: Option<String>,
    /// Topic of a bag to read; for transforms, such as /tf:odom.base_link. 'mapjudge info' lists the topics.
    #[cfg(feature = "bags")]
    #[arg(long, value_name = "TOPIC")]
    topic: Option<String>,
    /// Degrees from the first to the last beam, for logs that do not say it [default: by the number of beams].
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true)]
    fov_deg: Option<f64>,
    /// Ranges from here on are no returns, for logs that do not say it [default: from the ranges].
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    max_range: Option<f64>,
    /// Axes of poses in messages of USARSim: z down and yaw clockwise, or as in ROS [default: usarsim].
    #[arg(long, value_name = "usarsim|ros")]
    usarsim_frame: Option<String>,
    /// Order of the ranges in scans of USARSim [default: ccw].
    #[arg(long, value_name = "ccw|cw")]
    scan_direction: Option<String>,
    /// Share of broken lines above which a message log is refused [default: 0.01].
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    max_bad: Option<f64>,
}

impl ReadingFlags {
    /// Lays the flags over what a job says.
    pub fn lay_over(&self, read: &mut Reading) -> Result<(), Failure> {
        read.resolution_m = self.resolution.or(read.resolution_m);
        read.origin = self.origin.or(read.origin);
        read.occupied_thresh = self.occupied_thresh.or(read.occupied_thresh);
        read.free_thresh = self.free_thresh.or(read.free_thresh);
        read.negate = self.negate.then_some(true).or(read.negate);
        read.treat_205_as_unknown |= self.treat_205_as_unknown;
        read.ignore_alpha |= self.ignore_alpha;
        read.palette = self.palette.clone().or_else(|| read.palette.clone());
        read.palette_tolerance = self.palette_tolerance.or(read.palette_tolerance);
        read.lenient_colours |= self.lenient_colours;
        read.grey_is_uncleared |= self.grey_is_uncleared;
        read.pixels_per_cell = self.pixels_per_cell.or(read.pixels_per_cell);
        #[cfg(feature = "bags")]
        {
            read.topic = self.topic.clone().or_else(|| read.topic.clone());
        }
        read.fov_deg = self.fov_deg.or(read.fov_deg);
        read.max_range_m = self.max_range.or(read.max_range_m);
        read.max_bad_share = self.max_bad.or(read.max_bad_share);
        set_word(&mut read.usarsim_frame, "--usarsim-frame", self.usarsim_frame.as_deref())?;
        set_word(&mut read.scan_direction, "--scan-direction", self.scan_direction.as_deref())?;
        set_word(&mut read.pose_columns, "--pose-columns", self.pose_columns.as_deref())?;
        set_word(&mut read.scale, "--scale", self.scale.as_deref())
    }

    /// The options of the readers that these flags say.
    pub fn options(&self) -> Result<ReadOptions, Failure> {
        let mut reading = Reading::default();
        self.lay_over(&mut reading)?;
        Ok(reading.options()?)
    }
}

fn parse_origin(text: &str) -> Result<[f64; 3], String> {
    let numbers: Vec<f64> = text
        .split(',')
        .map(|part| part.trim().parse().map_err(|_| format!("'{part}' is no number: expected X,Y,YAW")))
        .collect::<Result<_, _>>()?;
    <[f64; 3]>::try_from(numbers)
        .map_err(|found| format!("expected three numbers X,Y,YAW, found {}", found.len()))
}
