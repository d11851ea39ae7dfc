//! F-ROS: the pair of a YAML and a picture that the ROS map servers load.
//!
//! Format: <http://wiki.ros.org/map_server#Map_format>. `image`, `resolution` (metres per pixel), `origin`
//! ([x, y, yaw] of the lower-left corner of the lower-left pixel, metres and radians), `occupied_thresh`,
//! `free_thresh`, `negate`, `mode` (trinary, scale, raw). Row 0 of the picture is the top. Unknown is what
//! lies between the thresholds. `image` is looked for relative to the YAML's folder, then by its bare name
//! beside the YAML, because paths of somebody else's computer are normal.

use std::fmt;

use model::{Finding, Grid, Level, Pose2};
use serde::{Deserialize, Deserializer, de};

use crate::format::without_byte_order_mark;
use crate::format::{Companion, Companions, Format, Input, ReadMap, Reader, Sniff, by_name, recognise};
use crate::occupancy::{DEFAULT_FREE_THRESH, DEFAULT_OCCUPIED_THRESH, Mode, Rule};
use crate::plain_picture::{check_thresholds, grid_of};
use crate::{FORMATS, Georeference, Place, ReadError, ReadOptions, yaml};

pub(crate) const FORMAT: Format =
    Format { name: "ros_yaml", title: "ROS map (YAML + picture)", sniff, reader: Reader::Map(read) };

fn sniff(bytes: &[u8], name: &str) -> Sniff {
    const LOOKED_AT_BYTES: usize = 4096;
    let head = &bytes[..bytes.len().min(LOOKED_AT_BYTES)];
    let mut lines = without_byte_order_mark(head).split(|&byte| byte == b'\n');
    if lines.any(|line| line.starts_with(b"image:")) {
        return Sniff::ByBytes;
    }
    by_name(name, &[".yaml", ".yml"])
}

fn read(input: Input<'_>, options: &ReadOptions) -> Result<ReadMap, ReadError> {
    let file = input.name;
    let description: Description = yaml::from_bytes(file, input.bytes)?;
    let mut findings = Vec::new();
    let image = required(file, "image", description.image.as_deref())?.to_owned();
    let rule = description.rule(file, options, &mut findings)?;
    let place = description.place(file, options, &mut findings)?;
    let picture_file = find_image(file, &image, input.companions, &mut findings)?;
    let decoded = decode(&picture_file)?;
    findings.extend(decoded.findings);
    let grid = grid_of(file, &decoded.picture, &rule, place, &mut findings)?;
    let georeference =
        if options.origin.is_some() { Georeference::FromOptions } else { Georeference::FromFile };
    Ok(ReadMap { grid, findings, georeference })
}

/// The fields of the YAML; keys we do not know are ignored.
#[derive(Deserialize)]
struct Description {
    image: Option<String>,
    resolution: Option<f64>,
    origin: Option<Vec<f64>>,
    occupied_thresh: Option<f64>,
    free_thresh: Option<f64>,
    #[serde(default)]
    negate: Option<Flag>,
    mode: Option<String>,
}

impl Description {
    fn rule(
        &self,
        file: &str,
        options: &ReadOptions,
        findings: &mut Vec<Finding>,
    ) -> Result<Rule, ReadError> {
        let rule = Rule {
            mode: self.mode(file)?,
            occupied_thresh: chosen(
                "occupied_thresh",
                self.occupied_thresh,
                options.occupied_thresh,
                findings,
            )
            .unwrap_or_else(|| assumed("occupied_thresh", DEFAULT_OCCUPIED_THRESH, findings)),
            free_thresh: chosen("free_thresh", self.free_thresh, options.free_thresh, findings)
                .unwrap_or_else(|| assumed("free_thresh", DEFAULT_FREE_THRESH, findings)),
            negate: chosen("negate", self.negate.map(|flag| flag.0), options.negate, findings)
                .unwrap_or_else(|| assumed("negate", false, findings)),
            ..Rule::of_options(options)
        };
        check_thresholds(file, &rule)?;
        if rule.mode == Mode::Raw && rule.negate {
            let message = "negate is set but has no meaning in mode raw, and was ignored";
            findings.push(Finding::new(Level::Info, "RAW_IGNORES_NEGATE", message));
        }
        Ok(rule)
    }

    fn mode(&self, file: &str) -> Result<Mode, ReadError> {
        let Some(mode) = &self.mode else { return Ok(Mode::Trinary) };
        match mode.to_ascii_lowercase().as_str() {
            "trinary" => Ok(Mode::Trinary),
            "scale" => Ok(Mode::Scale),
            "raw" => Ok(Mode::Raw),
            _ => {
                let place = Place::Field("mode".to_owned());
                Err(ReadError::malformed(file, place, "trinary, scale or raw", format!("'{mode}'")))
            }
        }
    }

    /// Resolution and origin.
    fn place(
        &self,
        file: &str,
        options: &ReadOptions,
        findings: &mut Vec<Finding>,
    ) -> Result<(f64, Pose2), ReadError> {
        let origin = self.origin.as_deref().map(|numbers| origin_of(file, numbers)).transpose()?;
        if let Some(resolution_m) = self.resolution {
            check_resolution(file, resolution_m)?;
        }
        let resolution_m = chosen("resolution", self.resolution, options.resolution_m, findings);
        let resolution_m = required(file, "resolution", resolution_m)?;
        let origin = chosen("origin", origin, options.origin, findings);
        let origin = required(file, "origin", origin)?;
        if origin.theta_rad != 0.0 {
            let message = format!(
                "the origin has a yaw of {} rad; it is used here, while much of ROS ignores it",
                origin.theta_rad
            );
            findings.push(Finding::new(Level::Info, "ORIGIN_HAS_YAW", message));
        }
        Ok((resolution_m, origin))
    }
}

fn check_resolution(file: &str, resolution_m: f64) -> Result<(), ReadError> {
    crate::plain_picture::geometry_of(file, (1, 1), resolution_m, Pose2::IDENTITY).map(|_| ())
}

fn origin_of(file: &str, numbers: &[f64]) -> Result<Pose2, ReadError> {
    let place = || Place::Field("origin".to_owned());
    let [x_m, y_m, theta_rad] = *numbers else {
        let found = format!("{} numbers", numbers.len());
        return Err(ReadError::malformed(file, place(), "three numbers [x, y, yaw]", found)
            .with_hint("write the yaw too, mostly 0: origin: [x, y, 0.0]"));
    };
    let origin = Pose2::new(x_m, y_m, theta_rad);
    if !origin.is_finite() {
        let found = format!("[{x_m}, {y_m}, {theta_rad}]");
        return Err(ReadError::malformed(file, place(), "three finite numbers [x, y, yaw]", found));
    }
    Ok(origin)
}

/// The option if there is one, with a finding, else what the file says.
fn chosen<T: fmt::Debug>(
    field: &str,
    in_file: Option<T>,
    option: Option<T>,
    findings: &mut Vec<Finding>,
) -> Option<T> {
    let Some(given) = option else { return in_file };
    let stated = in_file.map_or_else(|| "nothing".to_owned(), |value| format!("{value:?}"));
    let message = format!("{field}: the option {given:?} was used; the file says {stated}");
    findings.push(Finding::new(Level::Info, "OPTION_OVERRIDES_FILE", message));
    Some(given)
}

/// A default for a field that the map servers require, with a finding.
fn assumed<T: fmt::Display>(field: &str, value: T, findings: &mut Vec<Finding>) -> T {
    let message = format!("the file has no {field}; {value} was assumed. The ROS map servers refuse it");
    let hint = format!("add '{field}' to the YAML");
    findings.push(Finding::warning("FIELD_MISSING", message).hint(hint));
    value
}

fn required<T>(file: &str, field: &str, value: Option<T>) -> Result<T, ReadError> {
    value.ok_or_else(|| {
        let place = Place::Field(field.to_owned());
        ReadError::malformed(file, place, "a value", "no such field")
            .with_hint("a ROS map has image, resolution, origin, negate, occupied_thresh and free_thresh")
    })
}

/// `negate`, which is 0 or 1, and in some files true or false.
#[derive(Clone, Copy)]
struct Flag(bool);

impl<'de> Deserialize<'de> for Flag {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        match text.to_ascii_lowercase().as_str() {
            "0" | "0.0" | "false" | "no" | "off" => Ok(Self(false)),
            "1" | "1.0" | "true" | "yes" | "on" => Ok(Self(true)),
            _ => Err(de::Error::custom(format!("negate is '{text}', expected 0 or 1"))),
        }
    }
}

fn find_image<'c>(
    file: &str,
    image: &str,
    companions: &'c mut dyn Companions,
    findings: &mut Vec<Finding>,
) -> Result<Companion<'c>, ReadError> {
    // Windows paths occur too; the bare name follows either kind of slash.
    let bare = image.rsplit(['/', '\\']).next().unwrap_or(image);
    let mut candidates = vec![image];
    if bare != image && !bare.is_empty() {
        candidates.push(bare);
    }
    let tried: Vec<String> = candidates.iter().map(|path| companions.shown_path(path)).collect();
    let mut found = None;
    for (index, candidate) in candidates.iter().enumerate() {
        if let Some(companion) = companions.open(candidate)? {
            found = Some((index, companion.name, companion.bytes.into_owned()));
            break;
        }
    }
    let Some((index, name, bytes)) = found else {
        return Err(ReadError::ImageMissing { file: file.to_owned(), image: image.to_owned(), tried });
    };
    if index > 0 {
        let message = format!("image '{image}' is not there; '{}' was taken", tried[index]);
        findings.push(
            Finding::warning("IMAGE_FOUND_ELSEWHERE", message)
                .hint("write the path relative to the YAML's folder"),
        );
    }
    Ok(Companion { name, bytes: bytes.into() })
}

fn decode<'a>(picture_file: &'a Companion<'_>) -> Result<crate::format::Decoded<'a>, ReadError> {
    let (name, bytes) = (picture_file.name.as_str(), picture_file.bytes.as_ref());
    match recognise(FORMATS, bytes, name).map(|format| &format.reader) {
        Some(Reader::Picture(decode)) => decode(name, bytes),
        _ => Err(ReadError::malformed(
            name,
            Place::Byte(0),
            "a picture (PGM, PNG or BMP)",
            crate::error::excerpt(bytes),
        )),
    }
}

/// A ROS map of a grid: the YAML, which names its picture `image_name`, and the bytes of a PGM.
///
/// Greys are 0, 254 and 205 with thresholds 0.65 and 0.196, so that reading gives the same classes.
#[must_use]
pub fn write(grid: &Grid, image_name: &str) -> (String, Vec<u8>) {
    let geometry = grid.geometry();
    let origin = geometry.origin();
    let quoted = image_name.replace('\\', "\\\\").replace('"', "\\\"");
    let yaml = format!(
        "image: \"{quoted}\"\nmode: trinary\nresolution: {:?}\norigin: [{:?}, {:?}, {:?}]\nnegate: 0\n\
         occupied_thresh: {DEFAULT_OCCUPIED_THRESH}\nfree_thresh: {DEFAULT_FREE_THRESH}\n",
        geometry.cell_size_m(),
        origin.x_m,
        origin.y_m,
        origin.theta_rad
    );
    (yaml, crate::pgm::write(grid))
}
