//! F-ROS: the pair of a YAML and an image that the ROS map servers load.
//!
//! Format: <http://wiki.ros.org/map_server#Map_format>. `image`, `resolution` (metres per pixel), `origin`
//! ([x, y, yaw] of the lower-left corner of the lower-left pixel, metres and radians), `occupied_thresh`,
//! `free_thresh`, `negate`, `mode` (trinary, scale, raw). Row 0 of the image is the top. Unknown is what
//! lies between the thresholds. `image` is looked for relative to the YAML's folder, then by its bare name
//! beside the YAML, because the path is often that of another computer.

use std::collections::BTreeMap;
use std::fmt;

use model::{Finding, Grid, Level, Pose2};
use serde::{Deserialize, Deserializer, de};

use crate::format::{
    Companions, Format, Input, ReadMap, Reader, Sniff, by_name, recognise, without_byte_order_mark,
};
use crate::map::classifier::Classifier;
use crate::map::occupancy::{DEFAULT_FREE_THRESH, DEFAULT_OCCUPIED_THRESH, Mode, Rule};
use crate::map::pixel_sink::PixelSink;
use crate::map::plain_image::{check_place, check_thresholds, grid_of};
use crate::options::{chosen, chosen_resolution};
use crate::source::Source;
use crate::text::misspelt::meant;
use crate::text::yaml;
use crate::{Georeference, Place, ReadError, ReadOptions};

pub(crate) const FORMAT: Format =
    Format { name: "ros_yaml", title: "ROS map (YAML + image)", sniff, reader: Reader::Map(read) };

fn sniff(bytes: &[u8], name: &str) -> Sniff {
    const LOOKED_AT_BYTES: usize = 4096;
    let head = &bytes[..bytes.len().min(LOOKED_AT_BYTES)];
    let mut lines = without_byte_order_mark(head).split(|&byte| byte == b'\n');
    if lines.any(|line| line.starts_with(b"image:")) {
        return Sniff::ByBytes;
    }
    by_name(name, &[".yaml", ".yml"])
}

fn read(input: &mut Input<'_>, options: &ReadOptions) -> Result<ReadMap, ReadError> {
    let (file, bytes) = input.source.whole()?;
    let description: Description = yaml::from_bytes(file, bytes)?;
    let mut findings = misspelt_keys(file, bytes);
    let image = required(file, "image", description.image.as_deref())?;
    let rule = description.rule(file, options, &mut findings)?;
    let place = description.place(file, options, &mut findings)?;
    let mut image = find_image(file, image, &mut *input.companions, &mut findings)?;
    let mut classifier = Classifier::new(rule);
    findings.extend(decode(&mut image, &mut classifier)?);
    let grid = grid_of(file, classifier, place, &mut findings)?;
    let georeference =
        if options.origin.is_some() { Georeference::FromOptions } else { Georeference::FromFile };
    Ok(ReadMap { grid, marks: Vec::new(), findings, georeference })
}

/// Keys that a reader of ROS maps knows.
const KEYS: [&str; 7] = ["image", "resolution", "origin", "occupied_thresh", "free_thresh", "negate", "mode"];

/// Findings about keys that are one of ours with a slip in it, and so have no effect. Other tools write keys of their own.
fn misspelt_keys(file: &str, bytes: &[u8]) -> Vec<Finding> {
    // The fields were read; a value that cannot be skipped is told with its field.
    let keys: BTreeMap<String, de::IgnoredAny> = yaml::from_bytes(file, bytes).unwrap_or_default();
    let slip = |key: &String| {
        let meant = meant(key, &KEYS).filter(|meant| !keys.contains_key(*meant))?;
        let message = format!("the key '{key}' has no effect; '{meant}' may be meant");
        let hint = format!("write '{meant}:', or remove the line");
        Some(Finding::warning("YAML_KEY_MISSPELT", message).hint(hint))
    };
    keys.keys().filter_map(slip).collect()
}

/// The fields of the YAML; keys we do not know are ignored, those that look like a slip with a finding.
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
                let place = Place::field("mode");
                Err(ReadError::malformed(file, place, "trinary, scale or raw", format!("'{mode}'")))
            }
        }
    }

    fn place(
        &self,
        file: &str,
        options: &ReadOptions,
        findings: &mut Vec<Finding>,
    ) -> Result<(f64, Pose2), ReadError> {
        let origin = self.origin.as_deref().map(|numbers| origin_of(file, numbers)).transpose()?;
        if let Some(resolution_m) = self.resolution {
            check_place(file, (resolution_m, Pose2::IDENTITY))?;
        }
        let stated_m = self.resolution.map(|metres| (metres, metres));
        let (resolution_m, _) =
            required(file, "resolution", chosen_resolution(file, stated_m, options, findings)?)?;
        let origin = chosen("origin", origin, options.origin_pose(), findings);
        let origin = required(file, "origin", origin)?;
        if origin.theta_rad != 0.0 {
            let message = format!(
                "the origin has a yaw of {} rad; it is used here, while much of ROS ignores it",
                origin.theta_rad
            );
            findings.push(Finding::new(Level::Info, "ORIGIN_HAS_YAW", message));
        }
        check_place(file, (resolution_m, origin))?;
        Ok((resolution_m, origin))
    }
}

fn origin_of(file: &str, numbers: &[f64]) -> Result<Pose2, ReadError> {
    let place = || Place::field("origin");
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

/// A default for a field that the map servers require, with a finding.
fn assumed<T: fmt::Display>(field: &str, value: T, findings: &mut Vec<Finding>) -> T {
    let message = format!("the file has no {field}; {value} was assumed. The ROS map servers refuse it");
    let hint = format!("add '{field}' to the YAML");
    findings.push(Finding::warning("FIELD_MISSING", message).hint(hint));
    value
}

fn required<T>(file: &str, field: &str, value: Option<T>) -> Result<T, ReadError> {
    value.ok_or_else(|| {
        let place = Place::field(field);
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
) -> Result<Source<'c>, ReadError> {
    // Windows paths occur too; the bare name follows either kind of slash.
    let bare = image.rsplit(['/', '\\']).next().unwrap_or(image);
    let mut candidates = vec![image];
    if bare != image && !bare.is_empty() {
        candidates.push(bare);
    }
    let tried: Vec<String> = candidates.iter().map(|path| companions.shown_path(path)).collect();
    let Some(index) = candidates.iter().position(|path| companions.exists(path)) else {
        if candidates.iter().any(|path| companions.is_outside(path)) {
            let (expected, found) = ("an image inside the folder of the team", "one outside of the folder");
            let error = ReadError::malformed(file, Place::field("image"), expected, found);
            return Err(error.with_hint("hand in every file inside the folder of the team"));
        }
        return Err(ReadError::ImageMissing { file: file.to_owned(), image: image.to_owned(), tried });
    };
    if index > 0 {
        let message = format!("image '{image}' is not there; '{}' was taken", tried[index]);
        findings.push(
            Finding::warning("IMAGE_FOUND_ELSEWHERE", message)
                .hint("write the path relative to the YAML's folder"),
        );
    }
    companions.open(candidates[index])
}

fn decode(image: &mut Source<'_>, sink: &mut dyn PixelSink) -> Result<Vec<Finding>, ReadError> {
    match recognise(crate::all(), image.head(), image.name()).map(|format| &format.reader) {
        Some(Reader::Image(decode)) => decode(image, sink),
        _ => {
            // The YAML may name any file of this machine: its bytes are not quoted.
            let (expected, found) = ("an image (PGM, PNG or BMP)", "bytes of another kind");
            Err(ReadError::malformed(image.name(), Place::Byte(0), expected, found))
        }
    }
}

/// A ROS map of a grid: the YAML, which names its image `image_name`, and the bytes of a PGM.
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
    (yaml, crate::map::pgm::write(grid))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{MapFile, NamedBytes, read_map_bytes};

    const PGM: NamedBytes<'_> = NamedBytes { name: "map.pgm", bytes: b"P5 3 1 255\n\x00\xcd\xfe" };
    const REST: &str =
        "resolution: 0.05\norigin: [-1.5, 2, 0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n";

    fn read_with(yaml: &str, options: &ReadOptions) -> Result<MapFile, ReadError> {
        read_map_bytes(NamedBytes { name: "map.yaml", bytes: yaml.as_bytes() }, &[PGM], options)
    }

    fn read(yaml: &str) -> Result<MapFile, ReadError> {
        read_with(yaml, &ReadOptions::default())
    }

    fn with(field: &str) -> String {
        let key = field.split(':').next().unwrap();
        let rest = REST.lines().filter(|line| !line.starts_with(key)).map(|line| format!("{line}\n"));
        format!("image: map.pgm\n{}{field}\n", rest.collect::<String>())
    }

    fn refusal(yaml: &str) -> String {
        read(yaml).unwrap_err().to_string()
    }

    #[test]
    fn a_usual_map_is_read_without_findings() {
        let map = read(&format!("image: map.pgm\n{REST}")).unwrap();
        assert_eq!(map.grid, testkit::grid_at(["#?."], 0.05, Pose2::new(-1.5, 2.0, 0.0)));
        assert_eq!((map.format, map.georeference), ("ros_yaml", Georeference::FromFile));
        assert!(map.findings.is_empty());
        let sources: Vec<_> = map.sources.iter().map(|source| source.path.as_str()).collect();
        assert_eq!(sources, ["map.yaml", "map.pgm"]);
    }

    #[test]
    fn a_key_with_a_slip_is_said_and_a_key_of_another_tool_is_not() {
        let codes = |more: &str| -> Vec<String> {
            let map = read(&format!("image: map.pgm\n{REST}{more}\n")).unwrap();
            map.findings.iter().map(|finding| finding.code.to_string()).collect()
        };
        assert_eq!(codes("mod: scale"), ["YAML_KEY_MISSPELT"]);
        assert_eq!(codes("Mode: raw"), ["YAML_KEY_MISSPELT"]);
        assert!(codes("frame_id: map\nname: hall\nimage_size: [3, 1]\nwidth: 3\nmode: trinary").is_empty());
    }

    #[test]
    fn byte_order_mark_crlf_extra_keys_and_a_missing_last_newline_do_not_matter() {
        let yaml = format!("\u{feff}image: map.pgm\n{REST}map_type: occupancy\nmode: trinary");
        assert_eq!(testkit::rows(&read(&yaml.replace('\n', "\r\n")).unwrap().grid), ["#?."]);
    }

    #[test]
    fn negate_is_a_number_or_a_word() {
        for word in ["1", "true", "True"] {
            let map = read(&with(&format!("negate: {word}"))).unwrap();
            assert_eq!(testkit::rows(&map.grid), [".##"], "{word}");
        }
        assert_eq!(testkit::rows(&read(&with("negate: false")).unwrap().grid), ["#?."]);
        assert!(refusal(&with("negate: 2")).contains("negate is '2', expected 0 or 1"));
    }

    #[test]
    fn modes_have_names_in_any_case() {
        assert!(read(&with("mode: Scale")).unwrap().grid.probabilities().is_some());
        assert_eq!(testkit::rows(&read(&with("mode: raw")).unwrap().grid), [".??"]);
        let error = refusal(&with("mode: linear"));
        assert_eq!(error, "map.yaml: field 'mode': expected trinary, scale or raw, found 'linear'");
    }

    #[test]
    fn raw_mode_says_that_it_ignores_negate() {
        let map = read(&format!("{}mode: raw\n", with("negate: 1"))).unwrap();
        assert!(map.finding("RAW_IGNORES_NEGATE").is_some());
        assert_eq!(testkit::rows(&map.grid), [".??"]);
    }

    #[test]
    fn a_turned_origin_is_used_and_noted() {
        let map = read(&with("origin: [2.0, 1.0, 1.5707963267948966]")).unwrap();
        assert!(map.finding("ORIGIN_HAS_YAW").is_some());
        assert_eq!(map.grid.geometry().origin().theta_rad, std::f64::consts::FRAC_PI_2);
    }

    #[test]
    fn senseless_values_are_refused_with_their_field() {
        for (field, expected) in [
            ("resolution: 0", "field 'resolution': expected a number of metres above 0, found 0"),
            ("resolution: -0.05", "field 'resolution': expected a number of metres above 0, found -0.05"),
            ("resolution: .nan", "field 'resolution': expected a number of metres above 0, found NaN"),
            ("resolution: .inf", "field 'resolution': expected a number of metres above 0, found inf"),
            ("origin: [0, 0]", "field 'origin': expected three numbers [x, y, yaw], found 2 numbers"),
            ("origin: [0, .nan, 0]", "field 'origin': expected three finite numbers [x, y, yaw]"),
            ("occupied_thresh: 1.5", "field 'occupied_thresh': expected a number from 0 to 1, found 1.5"),
            ("occupied_thresh: 0.1", "field 'free_thresh': expected at most occupied_thresh, which is 0.1"),
            ("free_thresh: .nan", "field 'free_thresh': expected a number from 0 to 1, found NaN"),
        ] {
            let error = read(&with(field)).unwrap_err();
            assert!(error.to_string().contains(expected), "{error}");
            assert!(error.hint().is_some() || field.contains("nan"), "{field}");
        }
    }

    #[test]
    fn yaml_that_is_not_a_map_is_refused_with_a_line() {
        assert!(refusal("image: map.pgm\nresolution: 1\nresolution: 2\n").starts_with("map.yaml: line 3: "));
        assert!(refusal("image: map.pgm\nresolution: five\n").starts_with("map.yaml: line 2: "));
        assert!(refusal("image: [1\n").starts_with("map.yaml: line "));
        assert!(refusal("{}").contains("field 'image': expected a value, found no such field"));
        assert!(refusal("").starts_with("map.yaml: "));
        assert!(refusal("image: map.pgm\n").contains("field 'resolution': expected a value"));
    }

    #[test]
    fn bombs_are_refused_quickly() {
        let mut aliases = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
        for level in 1..30 {
            let parts = vec![format!("*a{}", level - 1); 9].join(", ");
            aliases += &format!("a{level}: &a{level} [{parts}]\n");
        }
        assert!(read(&format!("image: map.pgm\n{REST}{aliases}")).is_err());
        assert!(read(&format!("image: {}", "[".repeat(100_000))).is_err());
        assert!(
            read(&format!("image: map.pgm\n{REST}x: {}{}", "{a: ".repeat(5000), "}".repeat(5000))).is_err()
        );
        assert!(matches!(
            read(&format!("image: a\n{}", "# \n".repeat(1 << 20))),
            Err(ReadError::TooLarge { .. })
        ));
    }

    #[test]
    fn missing_thresholds_are_assumed_aloud() {
        let map = read("image: map.pgm\nresolution: 1\norigin: [0, 0, 0]\n").unwrap();
        let missing = map.findings.iter().filter(|finding| finding.code == "FIELD_MISSING").count();
        assert_eq!(missing, 3);
        assert_eq!(testkit::rows(&map.grid), ["#?."]);
    }

    #[test]
    fn options_override_the_file_each_with_a_finding() {
        let options = ReadOptions {
            resolution_m: Some(0.1),
            origin: Some([1.0, 2.0, 0.0]),
            occupied_thresh: Some(0.9),
            free_thresh: Some(0.25),
            negate: Some(false),
            stated_resolution: crate::StatedResolution::Override,
            ..ReadOptions::default()
        };
        let map = read_with(&format!("image: map.pgm\n{REST}"), &options).unwrap();
        assert_eq!(map.grid, testkit::grid_at(["#.."], 0.1, Pose2::new(1.0, 2.0, 0.0)));
        let overrides = map.findings.iter().filter(|finding| finding.code == "OPTION_OVERRIDES_FILE");
        assert_eq!(overrides.count(), 5);
        assert!(map.finding("UNKNOWN_MAY_READ_AS_FREE").is_some());
        assert_eq!(map.georeference, Georeference::FromOptions);
    }

    #[test]
    fn foreign_paths_fall_back_to_the_name_beside_the_yaml() {
        for path in ["/home/somebody/maps/map.pgm", "./maps/map.pgm", "'C:\\maps\\map.pgm'"] {
            let map = read(&format!("image: {path}\n{REST}")).unwrap();
            assert!(map.finding("IMAGE_FOUND_ELSEWHERE").is_some(), "{path}");
        }
        let error = read(&format!("image: ./maps/other.pgm\n{REST}")).unwrap_err();
        assert!(error.hint().unwrap().ends_with("./maps/other.pgm, other.pgm"));
    }

    #[test]
    fn an_image_that_is_none_is_refused_under_its_own_name() {
        let error = read(&format!("image: map.yaml\n{REST}")).unwrap_err();
        assert!(matches!(error, ReadError::ImageMissing { .. }));
        let beside = [NamedBytes { name: "map.pgm", bytes: b"#.?" }];
        let yaml = format!("image: map.pgm\n{REST}");
        let file = NamedBytes { name: "map.yaml", bytes: yaml.as_bytes() };
        let error = read_map_bytes(file, &beside, &ReadOptions::default()).unwrap_err();
        assert!(error.to_string().starts_with("map.pgm: byte 0: expected an image"), "{error}");
    }

    proptest! {
        #[test]
        fn writing_and_reading_gives_the_same_grid(
            cells in prop::collection::vec(0usize..3, 1..40),
            resolution_m in 1e-3..10.0f64,
            x_m in -1e6..1e6f64,
            yaw_rad in -3.0..3.0f64,
        ) {
            let classes = cells.iter().map(|&class| model::CellClass::ALL[class]).collect();
            let origin = Pose2::new(x_m, -x_m, yaw_rad);
            let geometry = model::GridGeometry::new(cells.len(), 1, resolution_m, origin).unwrap();
            let grid = Grid::new(geometry, classes).unwrap();
            let (yaml, pgm) = write(&grid, "a \"b\".pgm");
            let beside = [NamedBytes { name: "a \"b\".pgm", bytes: &pgm }];
            let file = NamedBytes { name: "map.yaml", bytes: yaml.as_bytes() };
            let map = read_map_bytes(file, &beside, &ReadOptions::default()).unwrap();
            prop_assert_eq!(map.grid, grid);
            prop_assert!(map.findings.iter().all(|finding| finding.code == "ORIGIN_HAS_YAW"));
        }
    }
}
