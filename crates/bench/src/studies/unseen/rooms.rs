//! Rooms of plans, furnished plans, laser maps and sketches: F at an IoU above one half, mean over maps, by every method.
//!
//! `unseen-rooms-tuning` runs the half of the places that numbers were chosen by, `unseen-rooms` the other one. A plan, its
//! furnished version and the laser maps of the same building are one place. All sketches show one building, drawn by
//! different people: there a drawing is a place.
//!
//! Files are read with the default options; only the resolution of plans and laser maps is given, 0.05 m. Cells that lie in no
//! room of the reference are not judged: a found room with more than half of its cells there does not count, for instance
//! the white surroundings of a laser map.

use std::collections::BTreeMap;
use std::path::Path;

use formats::{ReadOptions, read_map};
use raster::rooms::agreement::agreement;
use raster::rooms::{RoomFinder, RoomParams, Rooms};

use crate::inputs::BenchError;
use crate::measure::cpu_s;
use crate::studies::Findings;
use crate::studies::halves::{Half, half_of, sorted, stem};

/// Smaller parts of a reference are no rooms, pixels; parts of sketches are smaller.
const MIN_ROOM_PIXELS: usize = 400;
const MIN_SKETCH_PIXELS: usize = 100;
/// Pixels of a reference above this grey are floor; doors of sketches are drawn in middle greys.
const FLOOR_GREY: u32 = 250;
const SKETCH_FLOOR_GREY: u32 = 128;
/// Two channels that differ by more make a colour; a reference with more than one coloured pixel in fifty is coloured.
const MIN_COLOUR: u8 = 25;
/// Plans and laser maps.
const RESOLUTION_M: f64 = 0.05;
const SLOWEST_S: f64 = 1.0;
const METHODS: [RoomFinder; 5] =
    [RoomFinder::Auto, RoomFinder::Combined, RoomFinder::Doors, RoomFinder::FreeSpace, RoomFinder::Watershed];
/// Kinds of maps and the F that `auto` must reach on the half that nothing was chosen by.
const KINDS: [(&str, f64); 5] = [
    ("plain", 0.95),
    ("furnished", 0.83),
    ("area-graph", 0.72),
    ("sketches, first annotator", 0.65),
    ("sketches, second annotator", 0.65),
];

/// A map with its reference.
struct Example {
    kind: &'static str,
    name: String,
    grid: model::Grid,
    reference: Rooms,
}

pub fn run(data: &Path, half: Half) -> Result<Findings, BenchError> {
    let mut examples = plans(data, half)?;
    examples.extend(laser_maps(data, half)?);
    examples.extend(sketches(data, half)?);
    let mut findings = Findings { table: vec![format!("{} maps", examples.len())], missed: Vec::new() };
    for method in METHODS {
        for (kind, must) in KINDS {
            let of_kind: Vec<&Example> = examples.iter().filter(|example| example.kind == kind).collect();
            let row = judged(method, &of_kind)?;
            findings.table.push(format!("{:10} {kind:27} {}", method.name(), row.text));
            if method != RoomFinder::Auto || of_kind.is_empty() {
                continue;
            }
            if half == Half::HeldOut && row.f1 < must {
                findings.missed.push(format!("{kind}: F {:.3}, expected at least {must}", row.f1));
            }
            if row.slowest_s > SLOWEST_S {
                findings.missed.push(format!("{kind}: {:.2} s, expected at most {SLOWEST_S}", row.slowest_s));
            }
        }
    }
    Ok(findings)
}

struct Row {
    f1: f64,
    slowest_s: f64,
    text: String,
}

fn judged(method: RoomFinder, examples: &[&Example]) -> Result<Row, BenchError> {
    let (mut f1, mut slowest_s, mut list) = (0.0, 0.0_f64, Vec::new());
    for example in examples {
        let start_s = cpu_s();
        let found = RoomParams { method, ..RoomParams::default() }.found(&example.grid);
        let found = found.ok_or_else(|| BenchError::no_value(&example.name))?;
        slowest_s = slowest_s.max(cpu_s() - start_s);
        let of_map = f1_of(&example.reference, &found.rooms);
        f1 += of_map;
        list.push(format!("{} {of_map:.2} {}", example.name, found.method.name()));
    }
    f1 /= examples.len().max(1) as f64;
    let text = format!("F {f1:.3} slowest {slowest_s:.2} s | {}", list.join(", "));
    Ok(Row { f1, slowest_s, text })
}

fn f1_of(reference: &Rooms, found: &Rooms) -> f64 {
    let count = found.count as usize + 1;
    let (mut cells, mut judged) = (vec![0_usize; count], vec![0_usize; count]);
    for (&room, &wanted) in found.labels.iter().zip(&reference.labels) {
        cells[room as usize] += 1;
        judged[room as usize] += usize::from(wanted != 0);
    }
    let counts = |room: u32| 2 * judged[room as usize] >= cells[room as usize];
    let marks: Vec<u32> = found.labels.iter().map(|&room| if counts(room) { room } else { 0 }).collect();
    agreement(reference, &Rooms::of_marks(&marks, found.width)).f1().unwrap_or(0.0)
}

/// The building that a file shows, whatever stands in it and whoever scanned it.
fn place_of(name: &str) -> String {
    let mut place = name.replace("freiburg_building", "Freiburg").replace("intel_map", "lab_intel");
    for ending in ["_gt_segmentation", "_furnitures", "_trashbins", "_scan"] {
        place = place.replace(ending, "");
    }
    place
}

fn plans(data: &Path, half: Half) -> Result<Vec<Example>, BenchError> {
    let folder = data.join("room-segmentation-ipa/test_maps");
    let mut examples = Vec::new();
    for path in sorted(&folder, "png") {
        let name = stem(&path);
        let Some(plan) = name.strip_suffix("_gt_segmentation") else { continue };
        if half_of(&place_of(plan)) != half {
            continue;
        }
        let reference = reference(&path, FLOOR_GREY, MIN_ROOM_PIXELS)?;
        for (kind, ending) in [("plain", ""), ("furnished", "_furnitures")] {
            let map = folder.join(format!("{plan}{ending}.png"));
            examples.extend(example(kind, &map, reference.clone(), Some(RESOLUTION_M))?);
        }
    }
    Ok(examples)
}

fn laser_maps(data: &Path, half: Half) -> Result<Vec<Example>, BenchError> {
    let folder = data.join("area-graph");
    let mut examples = Vec::new();
    for path in sorted(&folder.join("GT"), "png") {
        let name = stem(&path);
        if half_of(&place_of(&name)) != half {
            continue;
        }
        let reference = reference(&path, FLOOR_GREY, MIN_ROOM_PIXELS)?;
        let map = folder.join(format!("input/{name}.png"));
        examples.extend(example("area-graph", &map, reference, Some(RESOLUTION_M))?);
    }
    Ok(examples)
}

fn sketches(data: &Path, half: Half) -> Result<Vec<Example>, BenchError> {
    let folder = data.join("maoris/Sketches");
    let mut examples = Vec::new();
    for path in sorted(&folder.join("Sketches"), "png").iter().filter(|path| half_of(&stem(path)) == half) {
        for (annotator, (kind, _)) in ["EzVin_gt", "Lex_gt"].into_iter().zip(&KINDS[3..]) {
            let drawn = folder.join(annotator).join(format!("{}.png", stem(path)));
            let reference = reference(&drawn, SKETCH_FLOOR_GREY, MIN_SKETCH_PIXELS)?;
            examples.extend(example(kind, path, reference, None)?);
        }
    }
    Ok(examples)
}

/// A map with its reference; none if their sizes differ (one laser map and its reference were cropped differently).
fn example(
    kind: &'static str,
    map: &Path,
    reference: Rooms,
    resolution_m: Option<f64>,
) -> Result<Option<Example>, BenchError> {
    let grid = read_map(map, &ReadOptions { resolution_m, ..ReadOptions::default() })?.grid;
    let geometry = grid.geometry();
    let is_same = (geometry.width(), geometry.height()) == (reference.width, reference.height());
    Ok(is_same.then(|| Example { kind, name: stem(map), grid, reference }))
}

/// Rooms of a drawn reference: connected pixels of one colour, or, where it has hardly any colours, of light grey.
fn reference(path: &Path, floor_grey: u32, min_pixels: usize) -> Result<Rooms, BenchError> {
    let (pixels, width) = colours(path)?;
    let is_coloured = |[r, g, b]: [u8; 3]| r.max(g).max(b) - r.min(g).min(b) > MIN_COLOUR;
    let coloured = pixels.iter().filter(|pixel| is_coloured(**pixel)).count();
    let marks: Vec<u32> = if 50 * coloured > pixels.len() && floor_grey == FLOOR_GREY {
        numbered(&pixels, is_coloured)
    } else {
        let is_floor = |pixel: &[u8; 3]| pixel.iter().map(|&c| u32::from(c)).sum::<u32>() >= 3 * floor_grey;
        pixels.iter().map(|pixel| u32::from(is_floor(pixel))).collect()
    };
    Ok(connected(&marks, width, min_pixels))
}

/// A number for each colour; 0 for what is none.
fn numbered(pixels: &[[u8; 3]], is_coloured: impl Fn([u8; 3]) -> bool) -> Vec<u32> {
    let mut numbers = BTreeMap::new();
    let number = |&pixel: &[u8; 3]| {
        let next = numbers.len() as u32 + 1;
        if is_coloured(pixel) { *numbers.entry(pixel).or_insert(next) } else { 0 }
    };
    pixels.iter().map(number).collect()
}

/// Connected parts of equal marks, without small ones.
fn connected(marks: &[u32], width: usize, min_pixels: usize) -> Rooms {
    let mut labels = vec![0_u32; marks.len()];
    let (mut next_label, mut open) = (1, Vec::new());
    for first in 0..marks.len() {
        if marks[first] == 0 || labels[first] != 0 {
            continue;
        }
        let mut members = Vec::new();
        labels[first] = next_label;
        open.push(first);
        while let Some(cell) = open.pop() {
            members.push(cell);
            for beside in raster::neighbours::beside(cell, width, marks.len()) {
                if labels[beside] == 0 && marks[beside] == marks[first] {
                    labels[beside] = next_label;
                    open.push(beside);
                }
            }
        }
        if members.len() < min_pixels {
            // A label of its own that counts as no room.
            members.iter().for_each(|&cell| labels[cell] = u32::MAX);
        } else {
            next_label += 1;
        }
    }
    labels.iter_mut().filter(|label| **label == u32::MAX).for_each(|label| *label = 0);
    Rooms::of_marks(&labels, width)
}

/// Colours of an image, row by row, and its width.
fn colours(path: &Path) -> Result<(Vec<[u8; 3]>, usize), BenchError> {
    let wrong = |error: String| BenchError::description(path, error);
    let file = std::fs::File::open(path).map_err(|error| wrong(error.to_string()))?;
    let mut decoder = png::Decoder::new(std::io::BufReader::new(file));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(|error| wrong(error.to_string()))?;
    let size = reader.output_buffer_size().ok_or_else(|| wrong("an image of a sensible size".to_owned()))?;
    let mut samples = vec![0; size];
    let frame = reader.next_frame(&mut samples).map_err(|error| wrong(error.to_string()))?;
    let channels = frame.color_type.samples();
    let colour = |pixel: &[u8]| match pixel {
        [r, g, b, ..] => [*r, *g, *b],
        [grey, ..] => [*grey; 3],
        [] => [0; 3],
    };
    let pixels = samples[..frame.buffer_size()].chunks_exact(channels).map(colour).collect();
    Ok((pixels, frame.width as usize))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_a_building_are_one_place() {
        for name in ["lab_c", "lab_c_scan", "lab_c_scan_furnitures", "lab_c_scan_furnitures_trashbins"] {
            assert_eq!(place_of(name), "lab_c");
        }
        assert_eq!(place_of("freiburg_building101"), place_of("Freiburg101_scan"));
        assert_eq!(place_of("intel_map"), place_of("lab_intel"));
    }

    #[test]
    fn equal_colours_apart_are_two_rooms_and_specks_none() {
        let rooms = connected(&[1, 1, 0, 1, 1, 2, 0, 0, 0, 0, 3, 3], 6, 2);
        assert_eq!(rooms.labels, [1, 1, 0, 2, 2, 0, 0, 0, 0, 0, 3, 3]);
    }

    #[test]
    fn surroundings_that_the_reference_leaves_out_do_not_count() {
        let reference = Rooms::of_marks(&[1, 1, 1, 0, 0, 0, 0, 0], 8);
        let found = Rooms::of_marks(&[1, 1, 1, 0, 2, 2, 2, 2], 8);
        assert!((f1_of(&reference, &found) - 1.0).abs() < 1e-12);
        let split = Rooms::of_marks(&[1, 2, 3, 0, 4, 4, 4, 4], 8);
        assert!(f1_of(&reference, &split) < 1e-12);
    }
}
