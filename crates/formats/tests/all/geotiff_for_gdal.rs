//! GDAL sees the GeoTIFF files that we write as we mean them; without GDAL these tests skip themselves.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use mapjudge_formats::{GeoTiffFrame, GeoTiffLayer, GeoTiffLayerPixels, write_geotiff};
use model::{Grid, GridGeometry, NavigationClass, Pose2};

use crate::geotiff_gdal::{HEIGHT, WIDTH, assert_same, gdalinfo, geometry, has_gdal, pages, seen_by_gdal};

#[test]
fn gdal_sees_our_layers_with_size_place_and_frame() {
    if !has_gdal() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let classes: Vec<_> = (0..WIDTH * HEIGHT).map(|i| NavigationClass::ALL[i % 5]).collect();
    let cells = classes.iter().map(|class| class.cell_class()).collect();
    let grid = Grid::new(geometry(), cells).unwrap();
    let reals = vec![0.25_f32; WIDTH * HEIGHT];
    let layers = [
        GeoTiffLayer { name: "navigation", pixels: GeoTiffLayerPixels::Navigation(&classes) },
        GeoTiffLayer { name: "occupancy", pixels: GeoTiffLayerPixels::Occupancy(&grid) },
        GeoTiffLayer { name: "probability", pixels: GeoTiffLayerPixels::Probability(&reals) },
    ];
    let path = folder.path().join("map.tif");
    let name = path.to_str().unwrap();
    for (frame, expected) in [
        (GeoTiffFrame::Local("arena 3".to_owned()), "ENGCRS[\"arena 3\""),
        (GeoTiffFrame::Epsg(32_632), "PROJCRS[\"WGS 84 / UTM zone 32N\""),
    ] {
        std::fs::write(&path, write_geotiff(&geometry(), &frame, &layers).unwrap()).unwrap();
        for (index, bands) in [3, 1, 1].into_iter().enumerate() {
            let page = format!("GTIFF_DIR:{}:{name}", index + 1);
            let info = gdalinfo(&page);
            assert_eq!(info["size"], serde_json::json!([WIDTH, HEIGHT]));
            assert_eq!(info["bands"].as_array().unwrap().len(), bands, "{page}");
            let wkt = info["coordinateSystem"]["wkt"].as_str().unwrap();
            assert!(wkt.starts_with(expected) && wkt.contains("metre"), "{wkt}");
            let name = &info["metadata"][""]["TIFFTAG_DOCUMENTNAME"];
            assert!(name.is_null(), "{name}");
            assert_same(&page, &pages(&path).unwrap()[index], &seen_by_gdal(&page, folder.path()));
        }
        let subdatasets = &gdalinfo(name)["metadata"]["SUBDATASETS"];
        assert_eq!(subdatasets.as_object().unwrap().len(), 6, "{subdatasets}");
        let origin = gdalinfo(name)["geoTransform"].clone();
        let expected = [-3.25, 0.05, 0.0, 7.1 + 0.05 * HEIGHT as f64, 0.0, -0.05];
        let is_close =
            |(index, value): (usize, &f64)| (origin[index].as_f64().unwrap() - value).abs() < 1e-12;
        assert!(expected.iter().enumerate().all(is_close), "{origin}");
    }
}

#[test]
fn gdal_sees_a_turned_grid_turned() {
    if !has_gdal() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let geometry = GridGeometry::new(4, 3, 0.5, Pose2::new(1.0, 2.0, 0.3)).unwrap();
    let layer = GeoTiffLayer { name: "map", pixels: GeoTiffLayerPixels::Grey8(&[7; 12]) };
    let path = folder.path().join("turned.tif");
    std::fs::write(&path, write_geotiff(&geometry, &GeoTiffFrame::Epsg(32_632), &[layer]).unwrap()).unwrap();
    let seen = seen_by_gdal(path.to_str().unwrap(), folder.path());
    assert_same("turned", &pages(&path).unwrap()[0], &seen);
    let corner = geometry.world_of_grid_point(0.0, 3.0);
    let transform = seen.transform.unwrap();
    assert!((transform[0] - corner.x_m).abs() < 1e-12 && (transform[3] - corner.y_m).abs() < 1e-12);
    assert!((transform[4].atan2(transform[1]) - 0.3).abs() < 1e-12);
}
