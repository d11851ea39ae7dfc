//! Images of the Rescue Robot League, drawn from a known map and read back.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use league::{ALERT, CELL_PX, CROSBOT, HECTOR, Image, Kind, METRE_PX, PANDORA, Spoiling, Writer, draw, png};
use mapjudge_formats::{MapFile, NamedBytes, ReadOptions, read_map_bytes};
use model::{Attribute, CellClass, Point2, Shape, VectorLayer};

use crate::league;

const WRITERS: [Writer; 4] = [HECTOR, CROSBOT, PANDORA, ALERT];

fn read(image: &Image, options: &ReadOptions) -> MapFile {
    read_map_bytes(NamedBytes { name: "map.png", bytes: &png(&image.pixels) }, &[], options).unwrap()
}

/// Options with the size of a pixel, and of a cell in pixels.
fn options(pixels_per_cell: Option<u8>) -> ReadOptions {
    ReadOptions { resolution_m: Some(1.0 / METRE_PX as f64), pixels_per_cell, ..ReadOptions::default() }
}

fn share_of_equal(found: &[CellClass], expected: &[CellClass]) -> f64 {
    assert_eq!(found.len(), expected.len());
    found.iter().zip(expected).filter(|(a, b)| a == b).count() as f64 / found.len() as f64
}

fn layer<'a>(map: &'a MapFile, name: &str) -> &'a VectorLayer {
    let names: Vec<_> = map.marks.iter().map(|layer| &layer.name).collect();
    map.marks.iter().find(|layer| layer.name == name).unwrap_or_else(|| panic!("no {name} in {names:?}"))
}

fn distance_m(a: Point2, b: Point2) -> f64 {
    (a.x_m - b.x_m).hypot(a.y_m - b.y_m)
}

/// The positions of a layer, of features whose attribute has the given text.
fn points(map: &MapFile, name: &str, attribute: Option<(&str, &str)>) -> Vec<Point2> {
    let Some(layer) = map.marks.iter().find(|layer| layer.name == name) else { return Vec::new() };
    let is_wanted = |feature: &&model::Feature| {
        attribute.is_none_or(|(column, text)| {
            layer.attribute(feature, column) == Some(&Attribute::Text(text.to_owned()))
        })
    };
    let point = |feature: &model::Feature| match feature.shape {
        Shape::Point(point) => point,
        ref other => panic!("{other:?}"),
    };
    layer.features.iter().filter(is_wanted).map(point).collect()
}

/// All marks of each kind are found within one cell, and no others.
fn check_marks(map: &MapFile, image: &Image, label: &str) {
    for (kind, found) in [
        (Kind::Victim, points(map, "victims", Some(("STATUS", "confirmed")))),
        (Kind::UnconfirmedVictim, points(map, "victims", Some(("STATUS", "unconfirmed")))),
        (Kind::Hazard, points(map, "hazards", None)),
        (Kind::Qr, points(map, "labels", Some(("LABEL", "qr")))),
        (Kind::Object, points(map, "labels", Some(("LABEL", "object")))),
    ] {
        let drawn: Vec<_> = image.marks.iter().filter(|mark| mark.0 == kind).map(|mark| mark.1).collect();
        assert_eq!(found.len(), drawn.len(), "{label}: {kind:?} {found:?}");
        for place in drawn {
            let nearest_m = found.iter().map(|&f| distance_m(f, place)).fold(f64::INFINITY, f64::min);
            assert!(nearest_m <= league::CELL_M, "{label}: {kind:?} {nearest_m} m");
        }
    }
}

#[test]
fn map_cells_and_marks_of_every_dialect_come_back() {
    for writer in WRITERS {
        for (spoiling, how) in
            [(Spoiling::None, "exact"), (Spoiling::Smoothed, "smoothed"), (Spoiling::Noisy, "noisy")]
        {
            let label = format!("{}, {how}", writer.name);
            let image = draw(&writer, spoiling);
            let map = read(&image, &options(Some(CELL_PX as u8)));
            let used = &map.finding("PALETTE_USED").unwrap().message;
            assert!(used.contains(&format!("'{}'", writer.name)), "{label}: {used}");
            assert!(map.grid.geometry().same_cells_as(&league::geometry()), "{label}");
            let share = share_of_equal(map.grid.classes(), &image.cells);
            println!("{label}: {:.4} % of the cells", 100.0 * share);
            assert!(share >= 0.995, "{label}: {share}");
            check_marks(&map, &image, &label);
        }
    }
}

#[test]
fn cells_that_do_not_begin_at_the_corner_are_found() {
    let image = draw(&HECTOR, Spoiling::None);
    // Without two columns at the left and one row at the top.
    let rows = image.pixels.chunks(league::WIDTH).skip(1);
    let pixels: Vec<_> = rows.flat_map(|row| [&row[2..], &[[128; 3]; 2]].concat()).collect();
    let map = read(&Image { pixels, ..draw(&HECTOR, Spoiling::None) }, &options(Some(3)));
    let geometry = map.grid.geometry();
    // One cell of each row and the first row are cut.
    assert_eq!((geometry.width(), geometry.height()), (league::COLUMNS - 1, league::ROWS - 1));
    assert!((geometry.origin().x_m - 1.0 / METRE_PX as f64).abs() < 1e-9, "{geometry:?}");
    let expected: Vec<_> = image.cells[league::COLUMNS..]
        .chunks(league::COLUMNS)
        .flat_map(|row| row[1..].iter().copied())
        .collect();
    assert!(share_of_equal(map.grid.classes(), &expected) > 0.995);
}

#[test]
fn walls_come_back_and_ink_becomes_no_wall() {
    for writer in WRITERS {
        for spoiling in [Spoiling::None, Spoiling::Smoothed, Spoiling::Noisy] {
            let image = draw(&writer, spoiling);
            let map = read(&image, &options(Some(CELL_PX as u8)));
            let walls =
                |cells: &[CellClass]| cells.iter().filter(|&&cell| cell == CellClass::Occupied).count();
            let both = map.grid.classes().iter().zip(&image.cells);
            let right = both.filter(|&(a, b)| a == b && *b == CellClass::Occupied).count();
            let (found, drawn) = (walls(map.grid.classes()), walls(&image.cells));
            println!("{}: {right} walls right of {drawn}, {} too many", writer.name, found - right);
            assert!(right * 100 >= drawn * 98, "{}: {right} of {drawn}", writer.name);
            // Where a mark covers the foot of a wall, a cell or two are guessed wrong.
            let most = 2 * image.marks.len();
            assert!(found - right <= most, "{}: {} too many", writer.name, found - right);
        }
    }
}

#[test]
fn pixels_come_back_at_the_resolution_of_the_image() {
    for writer in WRITERS {
        let image = draw(&writer, Spoiling::None);
        let map = read(&image, &options(None));
        let expected: Vec<_> = (0..league::WIDTH * league::HEIGHT)
            .map(|i| i / league::WIDTH / CELL_PX * league::COLUMNS + i % league::WIDTH / CELL_PX)
            .map(|cell| image.cells[cell])
            .collect();
        let share = share_of_equal(map.grid.classes(), &expected);
        println!("{}: {:.4} % of the pixels", writer.name, 100.0 * share);
        assert!(share >= 0.995, "{}: {share}", writer.name);
        let message = &map.finding("PALETTE_INPAINTED").unwrap().message;
        for what in ["grid lines", "robot path", "victims", "start arrow"] {
            assert!(message.contains(what), "{message}");
        }
    }
}

#[test]
fn path_start_and_scale_bar_are_vectors_in_metres() {
    for writer in WRITERS {
        let image = draw(&writer, Spoiling::None);
        let map = read(&image, &options(None));
        let start = layer(&map, "start");
        assert!(distance_m(points(&map, "start", None)[0], image.start) < 0.1);
        let Attribute::Real(direction_rad) = start.features[0].attributes[0] else { panic!("{start:?}") };
        assert!((direction_rad - image.start_direction_rad).abs() < 0.1, "{direction_rad}");
        let Shape::Lines(lines) = &layer(&map, "robot_path").features[0].shape else { panic!() };
        // Marks lie on the path; what is left of it passes through the points where nothing lies.
        for &corner in &image.path[1..] {
            let nearest_m =
                lines.iter().flatten().map(|&p| distance_m(p, corner)).fold(f64::INFINITY, f64::min);
            assert!(nearest_m < 0.1, "{}: {corner:?} {nearest_m} m", writer.name);
        }
        assert!(lines.len() <= 3, "{}: {} lines", writer.name, lines.len());
        let bar = layer(&map, "scale_bar");
        assert_eq!(bar.features[0].attributes, [Attribute::Real(1.0)], "{}", writer.name);
        assert!(map.finding("SCALE_BAR_NOT_1M").is_none() && map.finding("SCALE_BAR_ABSENT").is_none());
    }
}

#[test]
fn a_wrong_resolution_is_told_by_the_scale_bar() {
    let image = draw(&HECTOR, Spoiling::None);
    let wrong = ReadOptions { resolution_m: Some(0.02), ..options(None) };
    let finding = read(&image, &wrong).finding("SCALE_BAR_NOT_1M").cloned().unwrap();
    assert!(finding.message.contains("60 pixels is 1.200 m long"), "{}", finding.message);
}

#[test]
fn without_a_resolution_the_checkerboard_gives_it() {
    let image = draw(&PANDORA, Spoiling::None);
    let map = read(&image, &ReadOptions { resolution_m: None, ..options(None) });
    assert!(map.finding("RESOLUTION_FROM_IMAGE").is_some() && map.finding("NO_RESOLUTION").is_none());
    assert_eq!(map.grid.geometry().cell_size_m(), 1.0 / METRE_PX as f64);
    check_marks(&map, &image, "by the checkerboard");
}

#[test]
fn grey_at_the_border_is_outside_and_said() {
    let map = read(&draw(&HECTOR, Spoiling::None), &options(None));
    let message = &map.finding("OUTSIDE_BY_BORDER").unwrap().message;
    let outside = league::WIDTH * METRE_PX;
    assert!(message.contains(&format!("{outside} pixels that reach the border")), "{message}");
}

#[test]
fn colours_of_another_writer_are_named() {
    let mut image = draw(&HECTOR, Spoiling::None);
    let magenta = image.pixels.iter_mut().filter(|pixel| **pixel == HECTOR.path);
    magenta.for_each(|pixel| *pixel = CROSBOT.path);
    let map = read(&image, &options(None));
    let deviates = map.finding("PALETTE_DEVIATES").unwrap();
    assert!(deviates.message.contains("'hector'") && deviates.message.contains("120,0,140 (Path)"));
}

#[test]
fn foreign_colours_are_listed_and_filled() {
    let mut image = draw(&HECTOR, Spoiling::None);
    image.pixels[350 * league::WIDTH + 215] = [0, 200, 200];
    let map = read(&image, &options(Some(3)));
    let finding = map.finding("PALETTE_FOREIGN_COLOURS").unwrap();
    assert!(
        finding.message.ends_with(
            "1 pixels of no colour of the palette, in-painted; first column 215 row 350 (0,200,200)"
        )
    );
}

#[test]
fn a_named_palette_is_used_and_an_unknown_one_refused() {
    let image = draw(&HECTOR, Spoiling::None);
    let named = |name: &str| ReadOptions { palette: Some(name.to_owned()), ..options(None) };
    let map = read(&image, &named("crosbot"));
    assert!(map.finding("PALETTE_USED").unwrap().message.contains("'crosbot'"));
    assert!(map.finding("PALETTE_DEVIATES").is_some());
    let off = read(&image, &named("off"));
    assert!(off.findings.is_empty() && off.marks.is_empty());
    let bytes = png(&image.pixels);
    let file = NamedBytes { name: "map.png", bytes: &bytes };
    let error = read_map_bytes(file, &[], &named("sepia")).unwrap_err();
    assert!(
        error.to_string().contains("option 'palette': expected one of auto, off, navigation, hector"),
        "{error}"
    );
}

/// Writes the image and the classes read from it, to be looked at.
#[test]
#[ignore = "writes images for eyes into the temporary folder"]
fn show() {
    for writer in WRITERS {
        for (spoiling, how) in
            [(Spoiling::None, "exact"), (Spoiling::Smoothed, "smoothed"), (Spoiling::Noisy, "noisy")]
        {
            let image = draw(&writer, spoiling);
            let map = read(&image, &options(None));
            let grey = |class: &CellClass| match class {
                CellClass::Free => [255; 3],
                CellClass::Unknown => [205; 3],
                CellClass::Occupied => [0; 3],
            };
            let classes: Vec<_> = map.grid.classes().iter().map(grey).collect();
            let folder = std::env::temp_dir();
            std::fs::write(folder.join(format!("league-{}-{how}.png", writer.name)), png(&image.pixels))
                .unwrap();
            std::fs::write(folder.join(format!("league-{}-{how}-read.png", writer.name)), png(&classes))
                .unwrap();
            map.findings.iter().for_each(|finding| println!("{how}: {}: {}", finding.code, finding.message));
        }
    }
}
