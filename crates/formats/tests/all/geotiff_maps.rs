//! Maps out of GeoTIFF files: places, layers, pixels of every kind, and round trips.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use mapjudge_formats::{
    GeoTiffFrame, GeoTiffLayer, GeoTiffLayerPixels, GeoTiffPixels, GeoTiffWriteError, Georeference, MapFile,
    NamedBytes, ReadError, ReadOptions, StatedResolution, read_geotiff_pages, read_geotiff_pages_of,
    read_map_bytes, write_geotiff,
};
use model::{CellClass, Grid, GridGeometry, NavigationClass, Pose2};
use proptest::prelude::*;

use crate::tiff_builder::{PageParts, Value, tiff};

fn read(bytes: &[u8]) -> Result<MapFile, ReadError> {
    read_map_bytes(NamedBytes { name: "map.tif", bytes }, &[], &ReadOptions::default())
}

fn refusal(pages: &[PageParts]) -> String {
    read(&tiff(pages)).unwrap_err().to_string()
}

fn codes(map: &MapFile) -> Vec<&str> {
    map.findings.iter().map(|finding| finding.code.as_ref()).collect()
}

/// Greys of the map savers: `#.` over `?.`.
const GREYS: [u8; 4] = [0, 254, 205, 254];

fn small() -> PageParts {
    PageParts::grey(2, 2, &GREYS).placed([0.5, 0.5, 0.0], [0.0, 0.0, 0.0, 10.0, 20.0, 0.0])
}

/// Key directory with these (key, number) pairs.
fn keys(pairs: &[(u16, u16)]) -> Value {
    let head = [1, 1, 0, pairs.len() as u16];
    Value::Short(
        head.into_iter().chain(pairs.iter().flat_map(|&(key, number)| [key, 0, 1, number])).collect(),
    )
}

#[test]
fn the_worked_example_of_area_and_point() {
    // F-TIF: 200 x 100 pixels, scale 0.1, tie (0, 0, 0, 5, 20, 0).
    let page =
        PageParts::grey(200, 100, &[254; 20_000]).placed([0.1, 0.1, 0.0], [0.0, 0.0, 0.0, 5.0, 20.0, 0.0]);
    for (raster_type, origin, centre) in [(1, (5.0, 10.0), (5.05, 19.95)), (2, (4.95, 10.05), (5.0, 20.0))] {
        let bytes = tiff(&[page.clone().with(34735, keys(&[(1024, 32767), (1025, raster_type)]))]);
        let map = read(&bytes).unwrap();
        let (found, top_left) = (map.grid.geometry().origin(), map.grid.geometry().cell_of(0));
        let top_left = map.grid.geometry().center_of(top_left);
        let is_near = |a: f64, b: f64| (a - b).abs() < 1e-9;
        assert!(is_near(found.x_m, origin.0) && is_near(found.y_m, origin.1), "{found:?}");
        assert!(is_near(top_left.x_m, centre.0) && is_near(top_left.y_m, centre.1), "{top_left:?}");
        assert_eq!((map.crs.as_deref(), map.georeference), (Some("local"), Georeference::FromFile));
    }
}

#[test]
fn a_grey_page_is_a_map_with_its_layer_listed() {
    let map = read(&tiff(&[small().with(285, Value::Text("floor"))])).unwrap();
    assert_eq!(map.grid, testkit::grid_at(["#.", "?."], 0.5, Pose2::new(10.0, 19.0, 0.0)));
    assert_eq!((map.format, map.geotransform), ("geotiff", Some([10.0, 0.5, 0.0, 20.0, 0.0, -0.5])));
    let layer = &map.layers[0];
    assert_eq!((layer.name.as_str(), layer.kind, layer.class_counts), ("floor", "grey", Some([2, 1, 1])));
}

#[test]
fn the_layer_named_navigation_is_the_map_and_overviews_are_none() {
    let first = small().with(270, Value::Text("extra\nmore"));
    let overview = PageParts::grey(1, 1, &[9]).with(254, Value::Long(vec![1]));
    let second = PageParts::grey(1, 2, &[0, 254]).with(285, Value::Text("Navigation"));
    let third = PageParts::grey(1, 1, &[0]).with(258, Value::Short(vec![7]));
    let map = read(&tiff(&[first, overview, second, third])).unwrap();
    assert_eq!(testkit::rows(&map.grid), ["#", "."], "the second page, at the place of the first");
    assert_eq!(map.grid.geometry().origin(), Pose2::new(10.0, 19.0, 0.0));
    let names: Vec<_> = map.layers.iter().map(|layer| (layer.name.as_str(), layer.kind)).collect();
    assert_eq!(names, [("extra", "grey"), ("Navigation", "grey"), ("layer3", "unreadable")]);
    assert_eq!(
        codes(&map),
        ["LAYER_WITHOUT_PLACE", "LAYER_NOT_READ"],
        "the map has the place of another page"
    );
}

#[test]
fn a_page_without_a_place_needs_a_world_file_or_options() {
    let bytes = tiff(&[PageParts::grey(2, 2, &GREYS)]);
    assert!(read(&bytes).unwrap_err().to_string().contains("expected a georeference"));
    let file = NamedBytes { name: "maps/a.tif", bytes: &bytes };
    let world = NamedBytes { name: "a.tfw", bytes: b"0.5\n0\n0\n0.5\n10.25\n19.75\n" };
    let map = read_map_bytes(file, &[world], &ReadOptions::default()).unwrap();
    assert_eq!(map.grid, testkit::grid_at(["#.", "?."], 0.5, Pose2::new(10.0, 19.0, 0.0)));
    assert_eq!(codes(&map), ["WORLD_FILE_Y_POSITIVE"]);
    let origin = Pose2::new(1.0, 2.0, 3.0);
    let options =
        ReadOptions { resolution_m: Some(0.1), origin: Some([1.0, 2.0, 3.0]), ..ReadOptions::default() };
    let map = read_map_bytes(file, &[], &options).unwrap();
    assert_eq!(map.grid, testkit::grid_at(["#.", "?."], 0.1, origin));
    assert_eq!((map.georeference, codes(&map)), (Georeference::FromOptions, vec!["NO_GEOREFERENCE"]));
    let half = ReadOptions { origin: None, ..options };
    assert!(read_map_bytes(file, &[], &half).is_err(), "the origin is missing");
}

#[test]
fn an_image_of_another_format_lies_where_its_world_file_says() {
    let file = NamedBytes { name: "maps/a.pgm", bytes: b"P5 2 1 255\n\x00\xfe" };
    let world = NamedBytes { name: "a.wld", bytes: b"0.5\n0\n0\n-0.5\n10.25\n19.75\n" };
    let map = read_map_bytes(file, &[world], &ReadOptions::default()).unwrap();
    assert_eq!(map.grid, testkit::grid_at(["#."], 0.5, Pose2::new(10.0, 19.5, 0.0)));
    assert_eq!((map.georeference, codes(&map)), (Georeference::FromFile, vec![]));
    assert_eq!(map.sources.len(), 2, "the world file is a source");
    let damaged = NamedBytes { name: "a.wld", bytes: b"half" };
    let error = read_map_bytes(file, &[damaged], &ReadOptions::default()).unwrap_err();
    assert_eq!((error.file(), error.to_string().contains("line 1")), (Some("a.wld"), true));
}

#[test]
fn options_go_over_the_file_and_say_so() {
    let stated_resolution = StatedResolution::Override;
    let options = ReadOptions { resolution_m: Some(0.25), stated_resolution, ..ReadOptions::default() };
    let map = read_map_bytes(NamedBytes { name: "m.tif", bytes: &tiff(&[small()]) }, &[], &options).unwrap();
    assert_eq!((map.grid.geometry().cell_size_m(), codes(&map)), (0.25, vec!["OPTION_OVERRIDES_FILE"]));
}

#[test]
fn a_transformation_turns_the_grid_and_shear_is_refused() {
    let matrix = |a: f64, b: f64, d: f64, e: f64| {
        let rows = [[a, b, 0.0, 2.0], [d, e, 0.0, 1.0], [0.0; 4], [0.0, 0.0, 0.0, 1.0]];
        PageParts::grey(2, 2, &GREYS).with(34264, Value::Double(rows.concat()))
    };
    let turned = read(&tiff(&[matrix(0.0, 0.5, 0.5, 0.0)])).unwrap();
    assert_eq!(turned.grid.geometry().origin(), Pose2::new(3.0, 1.0, std::f64::consts::FRAC_PI_2));
    assert!(refusal(&[matrix(0.5, 0.1, 0.0, -0.5)]).contains("shear"));
    assert!(refusal(&[matrix(0.5, 0.0, 0.0, 0.5)]).contains("mirror"));
    assert!(refusal(&[matrix(f64::NAN, 0.0, 0.0, 0.5)]).contains("finite"));
}

#[test]
fn several_tie_points_are_taken_where_they_agree_with_the_scale() {
    let ties = |second_x: f64| {
        Value::Double(vec![0.0, 0.0, 0.0, 10.0, 20.0, 0.0, 2.0, 2.0, 0.0, second_x, 19.0, 0.0])
    };
    let agreeing = small().with(33922, ties(11.0));
    assert_eq!(read(&tiff(&[agreeing])).unwrap().grid.geometry().origin(), Pose2::new(10.0, 19.0, 0.0));
    assert!(refusal(&[small().with(33922, ties(11.1))]).contains("2 tie points"));
    assert!(refusal(&[small().with(33922, ties(11.0)).without(33550)]).contains("2 tie points"));
}

#[test]
fn oblong_pixels_become_square_cells() {
    let page = PageParts::grey(2, 1, &[0, 254]).placed([1.0, 0.5, 0.0], [0.0, 0.0, 0.0, 0.0, 0.5, 0.0]);
    let map = read(&tiff(&[page])).unwrap();
    assert_eq!((testkit::rows(&map.grid), map.grid.geometry().cell_size_m()), (vec!["##..".to_owned()], 0.5));
    assert_eq!(codes(&map), ["PIXELS_NOT_SQUARE"]);
    for height_m in [1e-12, 1e-8, 0.01] {
        let absurd = PageParts::grey(2, 1, &[0, 254]).placed([1.0, height_m, 0.0], [0.0; 6]);
        assert!(refusal(&[absurd]).contains("square cells per pixel"));
    }
}

#[test]
fn a_negative_scale_is_read_as_gdal_reads_it() {
    let page = PageParts::grey(2, 2, &GREYS).placed([0.5, -0.5, 0.0], [0.0, 0.0, 0.0, 10.0, 20.0, 0.0]);
    let map = read(&tiff(&[page])).unwrap();
    assert_eq!(map.grid.geometry().origin(), Pose2::new(10.0, 19.0, 0.0));
    assert_eq!(codes(&map), ["NEGATIVE_SCALE_Y"]);
}

#[test]
fn degrees_and_feet_are_no_metres() {
    assert!(
        refusal(&[small().with(34735, keys(&[(1024, 2), (2048, 4326)]))]).contains("degrees (EPSG:4326)")
    );
    assert!(refusal(&[small().with(34735, keys(&[(1024, 1), (3076, 9003)]))]).contains("EPSG:9003"));
    let metres =
        read(&tiff(&[small().with(34735, keys(&[(1024, 1), (3072, 32632), (3076, 9001)]))])).unwrap();
    assert_eq!(metres.crs.as_deref(), Some("EPSG:32632"));
}

#[test]
fn planes_stored_apart_come_back_as_whole_pixels() {
    let page = PageParts::grey(2, 1, &[1, 2, 30, 40, 5, 6])
        .with(258, Value::Short(vec![8, 8, 8]))
        .with(262, Value::Short(vec![2]))
        .with(277, Value::Short(vec![3]))
        .with(284, Value::Short(vec![2]))
        .with(279, Value::Long(vec![2, 2, 2]));
    let data_at = 8 + 2 + 12 * 10 + 4;
    let page = page.with(273, Value::Long(vec![data_at, data_at + 2, data_at + 4]));
    let bytes = tiff(&[page]);
    let pages = read_geotiff_pages(NamedBytes { name: "m.tif", bytes: &bytes }).unwrap();
    assert_eq!(pages[0].pixels, GeoTiffPixels::Rgb8(vec![1, 30, 5, 2, 40, 6]));
}

#[test]
fn palettes_bits_and_white_zeros_count_by_what_they_show() {
    let pixels = |page: PageParts| {
        let bytes = tiff(&[page]);
        read_geotiff_pages(NamedBytes { name: "m.tif", bytes: &bytes }).unwrap().remove(0).pixels
    };
    let bits = PageParts::grey(3, 2, &[0b1010_0000, 0b0110_0000]).with(258, Value::Short(vec![1]));
    assert_eq!(pixels(bits.clone()), GeoTiffPixels::Grey8(vec![255, 0, 255, 0, 255, 255]));
    let white_is_zero = bits.clone().with(262, Value::Short(vec![0]));
    assert_eq!(pixels(white_is_zero), GeoTiffPixels::Grey8(vec![0, 255, 0, 255, 0, 0]));
    let reversed = bits.with(266, Value::Short(vec![2]));
    assert_eq!(pixels(reversed), GeoTiffPixels::Grey8(vec![0, 0, 0, 0, 0, 0]));
    let mut colours = vec![0; 12];
    (colours[1], colours[4 + 2], colours[8 + 3]) = (0xffff, 0x8080, 0x0100);
    let palette = PageParts::grey(4, 1, &[0b0001_1011])
        .with(258, Value::Short(vec![2]))
        .with(262, Value::Short(vec![3]))
        .with(320, Value::Short(colours));
    assert_eq!(pixels(palette), GeoTiffPixels::Rgb8(vec![0, 0, 0, 255, 0, 0, 0, 128, 0, 0, 0, 1]));
}

#[test]
fn no_data_is_unknown_and_counted() {
    let map = read(&tiff(&[small().with(42113, Value::Text("254"))])).unwrap();
    assert_eq!(
        (testkit::rows(&map.grid), codes(&map)),
        (vec!["#?".to_owned(), "??".to_owned()], vec!["NODATA_IS_UNKNOWN"])
    );
}

#[test]
fn reals_are_probabilities_and_signed_numbers_percents() {
    let of_reals = |reals: [f64; 4]| {
        let data: Vec<u8> = reals.iter().flat_map(|real| real.to_le_bytes()).collect();
        let page =
            PageParts::grey(2, 2, &data).with(258, Value::Short(vec![64])).with(339, Value::Short(vec![3]));
        page.placed([1.0; 3], [0.0; 6])
    };
    let map = read(&tiff(&[of_reals([0.9, 0.1, 0.5, f64::NAN])])).unwrap();
    assert_eq!(testkit::rows(&map.grid), ["#.", "??"]);
    assert_eq!(map.grid.probabilities(), Some(&[0.9, 0.1, 0.5, 0.5][..]));
    assert!(refusal(&[of_reals([0.9, 107.0, 0.5, 0.0])]).contains("from 0 to 107"));
    let of_percents = |percents: [i16; 4]| {
        let data: Vec<u8> = percents.iter().flat_map(|percent| percent.to_le_bytes()).collect();
        let page =
            PageParts::grey(2, 2, &data).with(258, Value::Short(vec![16])).with(339, Value::Short(vec![2]));
        page.placed([1.0; 3], [0.0; 6])
    };
    assert_eq!(testkit::rows(&read(&tiff(&[of_percents([100, 0, 50, -1])])).unwrap().grid), ["#.", "??"]);
    assert!(refusal(&[of_percents([255, 0, 50, -1])]).contains("percents"));
}

#[test]
fn a_writer_keeps_the_navigation_colours_to_the_navigation_layer() {
    let grid = testkit::grid(["#."]);
    let navigation = [NavigationClass::Victim, NavigationClass::Cleared];
    let navigation = GeoTiffLayer { name: "navigation", pixels: GeoTiffLayerPixels::Navigation(&navigation) };
    let frame = GeoTiffFrame::Local("arena".to_owned());
    let with = |pixels: GeoTiffLayerPixels<'_>| {
        write_geotiff(grid.geometry(), &frame, &[navigation, GeoTiffLayer { name: "extra", pixels }])
    };
    let error = with(GeoTiffLayerPixels::Rgb8(&[1, 2, 3, 0, 0, 255])).unwrap_err();
    assert!(matches!(
        error,
        GeoTiffWriteError::NavigationColour { column: 1, row: 0, colour: [0, 0, 255], .. }
    ));
    assert!(with(GeoTiffLayerPixels::Grey8(&[255, 3])).is_err(), "grey 255 is white");
    assert!(
        with(GeoTiffLayerPixels::Grey8(&[254]))
            .unwrap_err()
            .to_string()
            .contains("expected 2 samples, found 1")
    );
    let bytes = with(GeoTiffLayerPixels::Occupancy(&grid)).unwrap();
    let pages = read_geotiff_pages(NamedBytes { name: "m.tif", bytes: &bytes }).unwrap();
    assert_eq!(pages[0].pixels, GeoTiffPixels::Rgb8(vec![255, 0, 0, 0, 255, 0]));
    assert_eq!(pages[1].pixels, GeoTiffPixels::Grey8(vec![1, 254]));
    let alone = GeoTiffLayer { name: "extra", pixels: GeoTiffLayerPixels::Grey8(&[255, 0]) };
    assert!(write_geotiff(grid.geometry(), &frame, &[alone]).is_ok());
    assert!(matches!(write_geotiff(grid.geometry(), &frame, &[]), Err(GeoTiffWriteError::NoLayers)));
}

#[test]
fn owned_bytes_give_the_same_pages() {
    let plain = tiff(&[PageParts::grey(2, 2, &GREYS)]);
    let grid = testkit::grid(["#.", "?#"]);
    let layer = GeoTiffLayer { name: "a", pixels: GeoTiffLayerPixels::Occupancy(&grid) };
    let packed = write_geotiff(grid.geometry(), &GeoTiffFrame::Epsg(32632), &[layer, layer]).unwrap();
    for bytes in
        [plain.clone(), packed, tiff(&[PageParts::grey(2, 2, &GREYS), PageParts::grey(2, 2, &GREYS)])]
    {
        let borrowed = read_geotiff_pages(NamedBytes { name: "m.tif", bytes: &bytes }).unwrap();
        assert_eq!(read_geotiff_pages_of("m.tif", bytes).unwrap(), borrowed);
    }
    assert!(read_geotiff_pages_of("m.tif", plain[..plain.len() - 1].to_vec()).is_err());
}

fn any_grid() -> impl Strategy<Value = Grid> {
    let place = (1e-3_f64..10.0, -1e6_f64..1e6, -1e6_f64..1e6);
    (1_usize..40, 1_usize..40, place).prop_flat_map(|(width, height, (cell_size_m, x_m, y_m))| {
        let geometry = GridGeometry::new(width, height, cell_size_m, Pose2::new(x_m, y_m, 0.0)).unwrap();
        let class = (0_usize..3).prop_map(|index| CellClass::ALL[index]);
        let classes = prop::collection::vec(class, geometry.cells());
        classes.prop_map(move |classes| Grid::new(geometry, classes).unwrap())
    })
}

proptest! {
    #[test]
    fn a_map_comes_back_exactly(grid in any_grid(), theta_rad in -3.0_f64..3.0) {
        let frame = GeoTiffFrame::Local("arena".to_owned());
        let layer = GeoTiffLayer { name: "occupancy", pixels: GeoTiffLayerPixels::Occupancy(&grid) };
        let map = read(&write_geotiff(grid.geometry(), &frame, &[layer]).unwrap()).unwrap();
        prop_assert_eq!(&map.grid, &grid);
        prop_assert_eq!(map.crs.as_deref(), Some("arena"));
        prop_assert_eq!(map.findings, vec![]);
        // A turned grid goes through sine and cosine.
        let (old, size_m) = (grid.geometry().origin(), grid.geometry().cell_size_m());
        let turned = Pose2::new(old.x_m, old.y_m, theta_rad);
        let turned = GridGeometry::new(grid.geometry().width(), grid.geometry().height(), size_m, turned).unwrap();
        let map = read(&write_geotiff(&turned, &frame, &[layer]).unwrap()).unwrap();
        let found = map.grid.geometry();
        prop_assert!((found.origin().x_m - old.x_m).abs() < 1e-8 && (found.origin().y_m - old.y_m).abs() < 1e-8);
        prop_assert!((found.origin().theta_rad - theta_rad).abs() < 1e-12 && (found.cell_size_m() - size_m).abs() < 1e-12 * size_m);
        prop_assert_eq!(map.grid.classes(), grid.classes());
    }

    #[test]
    fn probabilities_come_back_exactly(values in prop::collection::vec(0.0_f32..=1.0, 12)) {
        let geometry = GridGeometry::new(4, 3, 0.05, Pose2::IDENTITY).unwrap();
        let layer = GeoTiffLayer { name: "p", pixels: GeoTiffLayerPixels::Probability(&values) };
        let map = read(&write_geotiff(&geometry, &GeoTiffFrame::Epsg(32632), &[layer]).unwrap()).unwrap();
        let wide: Vec<f64> = values.iter().map(|&value| f64::from(value)).collect();
        prop_assert_eq!(map.grid.probabilities(), Some(&wide[..]));
    }
}
