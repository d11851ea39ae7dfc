//! Small valid TIFF files, and some that claim too much, lie or end too early.

use mapjudge_formats::{GeoTiffFrame, GeoTiffLayer, GeoTiffLayerPixels, write_geotiff};
use model::NavigationClass;
use tiff::encoder::{Compression, Predictor, TiffEncoder, colortype};

use crate::Files;
use crate::tiff_builder::{PageParts, Value, tiff};

/// Seeds by fuzz selector.
pub fn seeds() -> Vec<(&'static str, Files)> {
    vec![("geotiff", [valid(), hostile()].concat())]
}

fn encoded(compression: Compression, predictor: Predictor) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let encoder =
        TiffEncoder::new(&mut bytes).unwrap().with_compression(compression).with_predictor(predictor);
    let samples: Vec<u8> = (0..60).map(|i| if i % 7 < 4 { 205 } else { i }).collect();
    let mut encoder = encoder;
    encoder.write_image::<colortype::RGB8>(5, 4, &samples).unwrap();
    bytes.into_inner()
}

/// Valid files.
fn valid() -> Files {
    let grid = testkit::grid(["##.?", "#..?", "..??"]);
    let navigation: Vec<_> = (0..12).map(|i| NavigationClass::ALL[i % 5]).collect();
    let layers = [
        GeoTiffLayer { name: "navigation", pixels: GeoTiffLayerPixels::Navigation(&navigation) },
        GeoTiffLayer { name: "occupancy", pixels: GeoTiffLayerPixels::Occupancy(&grid) },
        GeoTiffLayer { name: "probability", pixels: GeoTiffLayerPixels::Probability(&[0.5; 12]) },
    ];
    let written = write_geotiff(grid.geometry(), &GeoTiffFrame::Local("arena".to_owned()), &layers).unwrap();
    let tiled = PageParts::grey(5, 5, &[7; 256]).without(273).without(278).without(279);
    let tiled = tiled.with(322, Value::Long(vec![16])).with(323, Value::Long(vec![16]));
    let tiled = tiled.with(324, Value::Long(vec![])).with(325, Value::Long(vec![256]));
    let palette = PageParts::grey(4, 1, &[0x1b]).with(258, Value::Short(vec![2]));
    let palette =
        palette.with(262, Value::Short(vec![3])).with(320, Value::Short((0..12).map(|i| i * 5000).collect()));
    let bits = PageParts::grey(9, 2, &[0x5a, 0x80, 0xa5, 0]).with(258, Value::Short(vec![1]));
    // One row of white by a single vertical code.
    let fax = PageParts::grey(8, 1, &[0x80, 0x01, 0x00, 0x10]).with(258, Value::Short(vec![1]));
    let fax = fax.with(259, Value::Short(vec![4])).with(262, Value::Short(vec![0]));
    let placed =
        PageParts::grey(2, 2, &[0, 254, 205, 9]).placed([0.5, 0.5, 0.0], [0.0, 0.0, 0.0, 1.0, 2.0, 0.0]);
    vec![
        ("written", written),
        ("placed", tiff(&[placed])),
        ("tiled", tiff(&[tiled])),
        ("palette", tiff(&[palette])),
        ("one_bit", tiff(&[bits.clone().with(262, Value::Short(vec![0])), bits])),
        ("fax", tiff(&[fax])),
        ("lzw", encoded(Compression::Lzw, Predictor::Horizontal)),
        ("packbits", encoded(Compression::Packbits, Predictor::None)),
        ("plain", encoded(Compression::Uncompressed, Predictor::None)),
    ]
}

/// Files that claim too much, lie or end too early.
fn hostile() -> Files {
    let grey = |width, height| PageParts::grey(width, height, &[1, 2, 3, 4]);
    let tiles = |side: u32, count: usize| {
        grey(64, 64)
            .without(273)
            .without(279)
            .with(322, Value::Long(vec![side]))
            .with(323, Value::Long(vec![side]))
            .with(324, Value::Long(vec![8; count]))
            .with(325, Value::Long(vec![4; count]))
    };
    let compressed = |code: u16| grey(30_000, 30_000).with(259, Value::Short(vec![code]));
    let mut looped = tiff(&[grey(0, 1)]);
    let next = looped.len() - 8;
    looped[next..next + 4].copy_from_slice(&[8, 0, 0, 0]);
    let good = tiff(&[grey(2, 2)]);
    vec![
        ("bad_oversized", tiff(&[grey(1_000_000, 1_000_000)])),
        ("bad_overflowing", tiff(&[grey(u32::MAX, u32::MAX)])),
        ("bad_oversized_deflate", tiff(&[compressed(8)])),
        ("bad_oversized_lzw", tiff(&[compressed(5)])),
        ("bad_oversized_zstd", tiff(&[compressed(50_000)])),
        ("bad_oversized_fax", tiff(&[compressed(4).with(258, Value::Short(vec![1]))])),
        ("bad_oversized_jpeg", tiff(&[compressed(7)])),
        (
            "bad_left_out",
            tiff(&[grey(30_000, 30_000).with(273, Value::Long(vec![0])).with(279, Value::Long(vec![0]))]),
        ),
        ("bad_huge_tiles", tiff(&[tiles(0x7fff_ffff, 1)])),
        ("bad_tiny_tiles", tiff(&[tiles(1, 4)])),
        ("bad_many_strips", tiff(&[grey(1, 30_000).with(278, Value::Long(vec![1]))])),
        ("bad_zero_sized", tiff(&[grey(0, 4)])),
        ("bad_zero_rows", tiff(&[grey(2, 2).with(278, Value::Long(vec![0]))])),
        ("bad_zero_bits", tiff(&[grey(2, 2).with(258, Value::Short(vec![0]))])),
        ("bad_many_samples", tiff(&[grey(2, 2).with(277, Value::Short(vec![65_535]))])),
        ("bad_no_strips", tiff(&[grey(2, 2).without(273)])),
        ("bad_strip_beyond", tiff(&[grey(2, 2).with(273, Value::Long(vec![u32::MAX]))])),
        ("bad_long_strip", tiff(&[grey(2, 2).with(279, Value::Long(vec![u32::MAX]))])),
        ("bad_looped", looped),
        ("bad_truncated", good[..good.len() - 1].to_vec()),
        ("bad_header_only", good[..8].to_vec()),
        ("bad_signature_only", good[..4].to_vec()),
        ("bad_html", b"<html><body>404</body></html>".to_vec()),
        ("bad_empty", Vec::new()),
    ]
}
