//! Pose tables of a public SLAM comparison: `timestamp_sec,slam_x,slam_y,gt_x,gt_y` with one row per timestamp.
//!
//! Fields are parted by `,` or `;`, a byte-order mark may stand in front, and the column of the time may be missing.
//! Columns are found by their names. The table holds two trajectories, the estimate and the truth: reading it as
//! a document gives the estimate and says so; [`read_pair`] gives both. There is no heading: it is 0.

use model::{Dimension, Finding, Level, Pose3, PoseSource, StampedPose, TimeBase, Trajectory};

use crate::error::excerpt;
use crate::format::{Format, Input, ReadContent, Reader, Sniff, without_byte_order_mark};
use crate::source::Source;
use crate::text::decimal;
use crate::text::lines::each_line;
use crate::text::row_faults::RowFaults;
use crate::trajectory::stamps;
use crate::{BadRows, Content, NamedBytes, Place, ReadError, ReadOptions};

pub(crate) const FORMAT: Format = Format {
    name: "slam_csv",
    title: "table of estimated and true positions",
    sniff,
    reader: Reader::Content(read),
};

/// Names of the columns that must be there.
const POSITIONS: [&str; 4] = ["slam_x", "slam_y", "gt_x", "gt_y"];
/// Name of the column of the time.
const TIME: &str = "timestamp_sec";

/// The two trajectories of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct SlamCsv {
    /// What the SLAM program said.
    pub estimate: Trajectory,
    /// Where the robot was.
    pub truth: Trajectory,
}

fn sniff(bytes: &[u8], _name: &str) -> Sniff {
    let header = without_byte_order_mark(bytes).split(|byte| *byte == b'\n').next().unwrap_or_default();
    if Columns::of(header).is_some() { Sniff::ByBytes } else { Sniff::No }
}

fn read(input: &mut Input<'_>, options: &ReadOptions) -> Result<ReadContent, ReadError> {
    let (pair, mut findings) = read_source(&mut input.source, options.bad_rows)?;
    let message =
        "the file holds an estimate (slam_x, slam_y) and the truth (gt_x, gt_y); the estimate was taken";
    findings.push(Finding::new(Level::Info, "ESTIMATE_CHOSEN", message));
    let message = "the file has positions only; headings are 0 and mean nothing";
    findings.push(Finding::new(Level::Info, "NO_HEADING", message).hint("do not score rotations"));
    Ok(ReadContent { content: Content::Trajectory(pair.estimate), findings })
}

/// Both trajectories of a table.
///
/// # Errors
/// The table has not the columns `slam_x`, `slam_y`, `gt_x` and `gt_y`, or no row.
pub fn read_pair(file: NamedBytes<'_>) -> Result<SlamCsv, ReadError> {
    Ok(read_source(&mut Source::of_bytes(file.name, file.bytes), BadRows::Report)?.0)
}

/// Where the columns stand.
struct Columns {
    separator: u8,
    time: Option<usize>,
    positions: [usize; 4],
}

impl Columns {
    fn of(header: &[u8]) -> Option<Self> {
        let separator = if header.contains(&b';') { b';' } else { b',' };
        let names: Vec<&[u8]> = header.split(|byte| *byte == separator).map(<[u8]>::trim_ascii).collect();
        let place = |name: &str| names.iter().position(|found| found.eq_ignore_ascii_case(name.as_bytes()));
        let [slam_x, slam_y, truth_x, truth_y] = POSITIONS.map(place);
        Some(Self { separator, time: place(TIME), positions: [slam_x?, slam_y?, truth_x?, truth_y?] })
    }

    /// The time, where there is one, and the four coordinates.
    fn row(&self, line: &[u8]) -> Option<(Option<f64>, [f64; 4])> {
        let fields: Vec<&[u8]> = line.split(|byte| *byte == self.separator).map(<[u8]>::trim_ascii).collect();
        let number = |place: usize| fields.get(place).and_then(|field| decimal::number(field));
        let [a, b, c, d] = self.positions.map(number);
        let time_s = match self.time {
            Some(place) => Some(number(place)?),
            None => None,
        };
        Some((time_s, [a?, b?, c?, d?]))
    }
}

fn read_source(source: &mut Source<'_>, allowed: BadRows) -> Result<(SlamCsv, Vec<Finding>), ReadError> {
    let file = source.name().to_owned();
    let mut columns = None;
    let (mut estimate, mut truth) = (Vec::new(), Vec::new());
    let mut faults = RowFaults::allowing(allowed);
    let mut empty_rows = 0;
    each_line(source, |line, text| {
        let Some(columns) = &columns else {
            columns = Some(Columns::of(text).ok_or_else(|| {
                let expected = format!("a header with {}", POSITIONS.join(", "));
                ReadError::malformed(&file, Place::Line(line), expected, excerpt(text))
            })?);
            return Ok(());
        };
        if text.iter().all(|byte| *byte == columns.separator || byte.is_ascii_whitespace()) {
            empty_rows += usize::from(!text.is_empty());
            return Ok(());
        }
        match columns.row(text) {
            None => faults.add("ROW_NOT_NUMBERS", line, "a number in each column", text),
            Some((time_s, numbers)) if numbers.iter().chain(&time_s).all(|number| number.is_finite()) => {
                let time_s = time_s.unwrap_or(estimate.len() as f64);
                let [slam_x, slam_y, truth_x, truth_y] = numbers;
                estimate.push(stamped(time_s, slam_x, slam_y));
                truth.push(stamped(time_s, truth_x, truth_y));
            }
            Some(_) => faults.add("ROW_NOT_FINITE", line, "finite numbers", text),
        }
        Ok(())
    })?;
    let mut findings = faults.findings(&file, estimate.len(), "row")?;
    if empty_rows > 0 {
        let message = format!("{empty_rows} rows hold separators only, as spreadsheets write them");
        findings.push(Finding::warning("ROWS_EMPTY", message).hint("remove them"));
    }
    let has_time = columns.is_some_and(|columns| columns.time.is_some());
    if has_time {
        findings.extend(stamps::diagnose(estimate.iter().map(|pose| pose.time_s), "rows"));
    } else {
        let message = format!("there is no column {TIME}; poses are known by their number only");
        findings.push(Finding::new(Level::Info, "NO_TIME_STAMPS", message));
    }
    let time_base = if has_time { TimeBase::Seconds } else { TimeBase::Index };
    let of = |poses| Trajectory { time_base, dimension: Dimension::Planar, poses };
    Ok((SlamCsv { estimate: of(estimate), truth: of(truth) }, findings))
}

fn stamped(time_s: f64, x_m: f64, y_m: f64) -> StampedPose {
    let world_from_robot = Pose3 { position_m: [x_m, y_m, 0.0], ..Pose3::IDENTITY };
    StampedPose { time_s, world_from_robot, source: PoseSource::Measured }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trajectory::tum::tests::{codes, document, trajectory};

    #[test]
    fn the_estimate_is_taken_and_both_can_be_had() {
        let text = "timestamp_sec,slam_x,slam_y,gt_x,gt_y\r\n40.00,1,2,3,4\r\n45.00,5,6,7,8";
        let document = document("pose_log.csv", text).unwrap();
        let second = trajectory(&document).poses[1];
        assert_eq!((second.time_s, second.world_from_robot.position_m), (45.0, [5.0, 6.0, 0.0]));
        assert_eq!(codes(&document), [("ESTIMATE_CHOSEN", None), ("NO_HEADING", None)]);
        let pair = read_pair(NamedBytes { name: "pose_log.csv", bytes: text.as_bytes() }).unwrap();
        assert_eq!(&pair.estimate, trajectory(&document));
        assert_eq!(pair.truth.poses[0].world_from_robot.position_m, [3.0, 4.0, 0.0]);
    }

    #[test]
    fn semicolons_a_mark_and_no_time_are_read() {
        let text =
            "\u{feff}slam_x;slam_y;gt_x;gt_y;error\n1;2;3;-2.41092E-05;0.5\nx;2;3;4;0\n1;nan;3;4;0\n;;;;\n";
        let document = document("Office.csv", text).unwrap();
        assert_eq!(
            (trajectory(&document).time_base, trajectory(&document).poses.len()),
            (TimeBase::Index, 1)
        );
        let found: Vec<_> = codes(&document).into_iter().take(4).collect();
        let codes = ["ROW_NOT_NUMBERS", "ROW_NOT_FINITE", "ROWS_EMPTY", "NO_TIME_STAMPS"];
        assert_eq!(found, std::array::from_fn::<_, 4, _>(|i| (codes[i], [Some(3), Some(4), None, None][i])));
    }

    #[test]
    fn a_header_alone_or_another_one_is_an_error() {
        assert!(document("a.csv", "timestamp_sec,slam_x,slam_y,gt_x,gt_y\n").is_err());
        let error = read_pair(NamedBytes { name: "a.csv", bytes: b"x,y\n1,2\n" }).unwrap_err();
        assert!(error.to_string().starts_with("a.csv: line 1: expected a header with slam_x"), "{error}");
    }
}
