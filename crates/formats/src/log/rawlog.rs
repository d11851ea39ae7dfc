//! MRPT rawlogs: a packed stream of objects, of which scans and planar odometry are read.
//!
//! An object is the byte 0x80 + length of the class name, the name, a version byte, the fields (little-endian), and
//! the end mark 0x88; objects may hold objects. Nothing states the length of an object, so an unknown class or
//! version ends the reading with an error. Seen in public files: `CSensoryFrame` 2 holding
//! `CObservation2DRangeScan` 6, and `CActionCollection` 0 holding `CActionRobotMovement2D` 6.
//!
//! The stored times may be those of a conversion, so the time of a record is the number of its frame. An action
//! between two frames leads to the later one; odometry starts at 0 in the first frame.

use model::{BeamModel, Finding, LaserScan, Level, LogRecord, Odometry, Pose2, SensorLog};

use crate::error::excerpt;
use crate::format::{Format, Input, ReadContent, Reader, Sniff, by_name};
use crate::{Content, Place, ReadError, ReadOptions};

pub(crate) const FORMAT: Format =
    Format { name: "rawlog", title: "MRPT rawlog", sniff, reader: Reader::Content(read) };

/// The mark at the end of an object.
const END: u8 = 0x88;
/// Beams of a scan, at most; a false count must not allocate.
const MAX_BEAMS: usize = 1 << 16;

fn sniff(bytes: &[u8], name: &str) -> Sniff {
    let is_ours =
        [&b"\x8DCSensoryFrame"[..], b"\x91CActionCollection"].iter().any(|start| bytes.starts_with(start));
    if is_ours { Sniff::ByBytes } else { by_name(name, &[".rawlog"]) }
}

fn read(input: &mut Input<'_>, _options: &ReadOptions) -> Result<ReadContent, ReadError> {
    let (file, bytes) = input.source.whole()?;
    let mut reader = ObjectReader { file, bytes, at: 0 };
    let mut run = Run::default();
    while reader.at < bytes.len() {
        match reader.begin()? {
            ("CSensoryFrame", 2) => reader.sensory_frame(&mut run)?,
            ("CActionCollection", 0) => reader.actions(&mut run)?,
            (class, version) => return Err(reader.unknown(class, version)),
        }
    }
    if run.log.records.is_empty() {
        return Err(ReadError::malformed(file, Place::File, "at least one scan or action", "none"));
    }
    let message =
        "the time of a record is the number of its frame; stored times may be those of a conversion";
    let mut findings = vec![Finding::new(Level::Info, "STORED_TIMES_UNUSED", message)];
    if run.invalid_beams > 0 {
        let message =
            format!("{} ranges are marked as invalid in the file; they became 0", run.invalid_beams);
        findings.push(Finding::new(Level::Info, "BEAMS_INVALID", message));
    }
    Ok(ReadContent { content: Content::Log(run.log), findings })
}

/// What was read so far.
#[derive(Default)]
struct Run {
    log: SensorLog,
    frames: usize,
    odom_from_robot: Pose2,
    /// Beams below the largest range that the file marks as invalid.
    invalid_beams: usize,
}

/// Reads objects from bytes.
struct ObjectReader<'a> {
    file: &'a str,
    bytes: &'a [u8],
    at: usize,
}

impl<'a> ObjectReader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], ReadError> {
        let rest = &self.bytes[self.at..];
        let taken = rest.get(..count).ok_or_else(|| ReadError::Truncated {
            file: self.file.to_owned(),
            place: Place::Byte(self.at),
            expected_bytes: count as u64,
            found_bytes: rest.len() as u64,
        })?;
        self.at += count;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], ReadError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    fn u8(&mut self) -> Result<u8, ReadError> {
        Ok(self.array::<1>()?[0])
    }

    fn u32(&mut self) -> Result<u32, ReadError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    fn f32(&mut self) -> Result<f32, ReadError> {
        Ok(f32::from_le_bytes(self.array()?))
    }

    fn f64(&mut self) -> Result<f64, ReadError> {
        Ok(f64::from_le_bytes(self.array()?))
    }

    fn wrong(&self, at: usize, expected: &str) -> ReadError {
        let found = excerpt(&self.bytes[at.min(self.bytes.len())..]);
        ReadError::malformed(self.file, Place::Byte(at), expected, found)
    }

    fn unknown(&self, class: &str, version: u8) -> ReadError {
        let expected = "a class and version that is known here";
        let found = format!("{class} version {version}");
        ReadError::malformed(self.file, Place::Byte(self.at), expected, found).with_hint(
            "objects do not state their length, so what follows cannot be read; convert the log to CARMEN",
        )
    }

    /// Class and version of the object that begins here.
    fn begin(&mut self) -> Result<(&'a str, u8), ReadError> {
        let at = self.at;
        let length = self.u8()?;
        if length & 0x80 == 0 {
            return Err(self.wrong(at, "the beginning of an object"));
        }
        let name = self.take(usize::from(length & 0x7F))?;
        let name = std::str::from_utf8(name).ok().filter(|name| name.bytes().all(|b| b.is_ascii_graphic()));
        let name =
            name.filter(|name| !name.is_empty()).ok_or_else(|| self.wrong(at, "the name of a class"))?;
        Ok((name, self.u8()?))
    }

    fn begin_known(&mut self, known: (&str, u8)) -> Result<(), ReadError> {
        let (class, version) = self.begin()?;
        if (class, version) == known { Ok(()) } else { Err(self.unknown(class, version)) }
    }

    fn end(&mut self) -> Result<(), ReadError> {
        let at = self.at;
        if self.u8()? == END { Ok(()) } else { Err(self.wrong(at, "the end mark 0x88 of an object")) }
    }

    fn sensory_frame(&mut self, run: &mut Run) -> Result<(), ReadError> {
        for _ in 0..self.u32()? {
            self.begin_known(("CObservation2DRangeScan", 6))?;
            let scan = self.scan(run)?;
            run.log.records.push(LogRecord::Scan(scan));
        }
        run.frames += 1;
        self.end()
    }

    fn scan(&mut self, run: &mut Run) -> Result<LaserScan, ReadError> {
        let aperture_rad = f64::from(self.f32()?);
        let is_right_to_left = self.u8()? != 0;
        let max_range_m = self.f32()?;
        self.pose_in_space()?;
        let at = self.at;
        let beams = self.u32()? as usize;
        if beams > MAX_BEAMS {
            return Err(self.wrong(at, "at most 65536 beams"));
        }
        let mut ranges_m = Vec::with_capacity(beams);
        for range_m in self.take(4 * beams)?.as_chunks().0 {
            ranges_m.push(f32::from_le_bytes(*range_m));
        }
        for (range_m, is_valid) in ranges_m.iter_mut().zip(self.take(beams)?) {
            // Ranges beyond the largest one count as no return anyway.
            if *is_valid == 0 && *range_m < max_range_m || range_m.is_nan() {
                run.invalid_beams += 1;
                *range_m = 0.0;
            }
        }
        let _standard_error_m = self.f32()?;
        let _stored_time = self.take(8)?;
        let _beam_aperture_rad = self.f32()?;
        let label_bytes = self.u32()? as usize;
        let sensor = String::from_utf8_lossy(self.take(label_bytes)?).into_owned();
        let _pitch_step_rad = self.f64()?;
        self.end()?;
        let step_rad = aperture_rad / beams.saturating_sub(1).max(1) as f64;
        let sense = if is_right_to_left { 1.0 } else { -1.0 };
        let (first_rad, step_rad) = (-sense * aperture_rad / 2.0, sense * step_rad);
        Ok(LaserScan {
            time_s: run.frames as f64,
            beams: BeamModel { first_rad, step_rad, max_range_m: f64::from(max_range_m), is_guessed: false },
            ranges_m,
            remissions: Vec::new(),
            world_from_laser: None,
            world_from_robot: None,
            sensor,
        })
    }

    /// Skips the place of the sensor on the robot, a 4 x 4 matrix.
    fn pose_in_space(&mut self) -> Result<(), ReadError> {
        self.begin_known(("CPose3D", 1))?;
        self.begin_known(("CMatrixD", 0))?;
        let at = self.at;
        if (self.u32()?, self.u32()?) != (4, 4) {
            return Err(self.wrong(at, "a matrix of 4 x 4 numbers"));
        }
        self.take(16 * 8)?;
        self.end()?;
        self.end()
    }

    fn actions(&mut self, run: &mut Run) -> Result<(), ReadError> {
        for _ in 0..self.u32()? {
            self.begin_known(("CActionRobotMovement2D", 6))?;
            let at = self.at;
            if self.u32()? != 0 {
                return Err(self.wrong(at, "a movement measured by odometry (0)"));
            }
            let increment = self.planar_pose()?;
            // The motion model: which one, 6 numbers of the first, a count and 6 numbers of the second.
            self.take(4 + 6 * 4 + 4 + 6 * 4)?;
            // Velocities and encoder ticks, each behind a flag, and the stored time.
            self.take(1 + 2 * 4 + 1 + 2 * 4 + 8)?;
            self.end()?;
            run.odom_from_robot = run.odom_from_robot * increment;
            run.log.records.push(LogRecord::Odometry(Odometry {
                time_s: run.frames as f64,
                odom_from_robot: run.odom_from_robot,
                speed_mps: None,
                turn_rate_radps: None,
            }));
        }
        self.end()
    }

    fn planar_pose(&mut self) -> Result<Pose2, ReadError> {
        self.begin_known(("CPose2D", 1))?;
        let at = self.at;
        let pose = Pose2::new(self.f64()?, self.f64()?, self.f64()?);
        if !pose.is_finite() {
            return Err(self.wrong(at, "three finite numbers"));
        }
        self.end()?;
        Ok(pose)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::{NamedBytes, read_document_bytes};

    fn object(class: &str, version: u8, fields: &[&[u8]]) -> Vec<u8> {
        let mut bytes = vec![0x80 | class.len() as u8];
        bytes.extend_from_slice(class.as_bytes());
        bytes.push(version);
        bytes.extend(fields.concat());
        bytes.push(END);
        bytes
    }

    fn frame(ranges_m: &[f32], valid: &[u8]) -> Vec<u8> {
        let matrix = object("CMatrixD", 0, &[&4u32.to_le_bytes(), &4u32.to_le_bytes(), &[0; 128]]);
        let ranges: Vec<u8> = ranges_m.iter().flat_map(|range| range.to_le_bytes()).collect();
        let scan = object(
            "CObservation2DRangeScan",
            6,
            &[
                &3.0_f32.to_le_bytes(),
                &[1],
                &30.0_f32.to_le_bytes(),
                &object("CPose3D", 1, &[&matrix]),
                &(ranges_m.len() as u32).to_le_bytes(),
                &ranges,
                valid,
                &[0; 4 + 8 + 4],
                &4u32.to_le_bytes(),
                b"SICK",
                &[0; 8],
            ],
        );
        object("CSensoryFrame", 2, &[&1u32.to_le_bytes(), &scan])
    }

    fn action(x_m: f64, theta_rad: f64) -> Vec<u8> {
        let numbers = [x_m, 0.0, theta_rad].map(f64::to_le_bytes).concat();
        let pose = object("CPose2D", 1, &[&numbers]);
        let movement = object("CActionRobotMovement2D", 6, &[&[0; 4], &pose, &[0; 56], &[0; 26]]);
        object("CActionCollection", 0, &[&1u32.to_le_bytes(), &movement])
    }

    fn read(bytes: &[u8]) -> Result<SensorLog, ReadError> {
        let file = NamedBytes { name: "run.rawlog", bytes };
        match read_document_bytes(file, &[], &ReadOptions::default())?.content {
            Content::Log(log) => Ok(log),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn scans_and_odometry_are_numbered_by_frame() {
        let quarter_turn = std::f64::consts::FRAC_PI_2;
        let bytes = [
            frame(&[1.0, 2.0, 81.83], &[1, 0, 0]),
            action(1.0, quarter_turn),
            frame(&[3.0], &[1]),
            action(2.0, 0.0),
        ];
        let log = read(&bytes.concat()).unwrap();
        let times: Vec<f64> = log.records.iter().map(LogRecord::time_s).collect();
        assert_eq!(times, [0.0, 1.0, 1.0, 2.0]);
        let scan = log.scans().next().unwrap();
        assert_eq!((scan.ranges_m.as_slice(), scan.sensor.as_str()), (&[1.0, 0.0, 81.83][..], "SICK"));
        assert_eq!((scan.beams.first_rad, scan.beams.step_rad, scan.beams.max_range_m), (-1.5, 1.5, 30.0));
        let last = log.odometry().last().unwrap().odom_from_robot;
        assert!((last.x_m - 1.0).abs() < 1e-12 && (last.y_m - 2.0).abs() < 1e-12);
    }

    #[test]
    fn cut_and_foreign_objects_are_errors_with_their_place() {
        let whole = [frame(&[1.0], &[1]), action(1.0, 0.0)].concat();
        let first_bytes = frame(&[1.0], &[1]).len();
        for length in 1..whole.len() {
            assert_eq!(read(&whole[..length]).is_ok(), length == first_bytes, "{length}");
        }
        let foreign = [object("CSensoryFrame", 9, &[]), whole].concat();
        let error = read(&foreign).unwrap_err();
        assert!(error.to_string().contains("CSensoryFrame version 9") && error.hint().is_some(), "{error}");
    }
}
