//! Small valid and hostile maps.

use std::fmt::Write;

use image::ExtendedColorType;
use image::codecs::bmp::BmpEncoder;
use mapjudge_formats::{write_pgm, write_png, write_ros_map, write_text_grid};
use png::{BitDepth, ColorType};

use crate::Files;

/// Seeds by fuzz selector; for `ros_yaml` the YAML, a zero byte and the image.
pub fn seeds() -> Vec<(&'static str, Files)> {
    vec![
        ("pgm", pgm()),
        ("png", png()),
        ("bmp", bmp()),
        ("jpeg", jpeg()),
        ("ros_yaml", ros_yaml()),
        ("text_grid", text_grid()),
    ]
}

fn small_grid() -> model::Grid {
    testkit::grid(["##.?", "#..?", "..??"])
}

fn pgm() -> Files {
    vec![
        ("written", write_pgm(&small_grid())),
        ("saver", b"P5\n# CREATOR: map_saver.cpp 0.050 m/pix\n2 2\n255\n\x00\xcd\xfe\xff".to_vec()),
        ("text", b"P2\n# text\n2 2\n255\n0 205\n254 255\n".to_vec()),
        ("few_levels", b"P5 2 1 15\n\x0f\x03".to_vec()),
        ("sixteen", b"P5 2 1 65535\n\xcd\xcd\x00\x01".to_vec()),
        ("sixteen_text", b"P2 2 1 1000 1000 7".to_vec()),
        ("trailing", b"P5 1 1 255\n\xcdP5 1 1 255\n\xcd".to_vec()),
        ("bad_truncated", b"P5\n4 4\n255\n\x00\x00".to_vec()),
        ("bad_oversized", b"P5 1000000 1000000 255\n\x00".to_vec()),
        ("bad_overflowing", b"P5 18446744073709551615 18446744073709551615 255\n".to_vec()),
        ("bad_zero_sized", b"P5 0 0 255\n".to_vec()),
        ("bad_above_maxval", b"P5 2 1 15\n\x0f\xff".to_vec()),
        ("bad_no_raster", b"P5 1 1 255".to_vec()),
        ("bad_colour", b"P6 1 1 255\n\x00\x00\x00".to_vec()),
        ("bad_html", b"<html><body>404</body></html>".to_vec()),
    ]
}

fn encoded_png(width: u32, height: u32, color: ColorType, depth: BitDepth, data: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(color);
    encoder.set_depth(depth);
    if color == ColorType::Indexed {
        encoder.set_palette(vec![0, 0, 0, 205, 205, 205, 254, 254, 254, 255, 0, 0]);
        encoder.set_trns(vec![255, 0]);
    }
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(data).unwrap();
    writer.finish().unwrap();
    bytes
}

fn png() -> Files {
    let grey = write_png(&small_grid()).unwrap();
    let mut claims = grey.clone();
    claims[16..24].copy_from_slice(&[0, 0, 0x70, 0, 0, 0, 0x70, 0]);
    let mut damaged = grey.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0x55;
    vec![
        ("one_bit", encoded_png(8, 2, ColorType::Grayscale, BitDepth::One, &[0x5a, 0xa5])),
        ("two_bit", encoded_png(4, 1, ColorType::Grayscale, BitDepth::Two, &[0x1b])),
        ("four_bit", encoded_png(2, 1, ColorType::Grayscale, BitDepth::Four, &[0x0f])),
        ("sixteen", encoded_png(1, 1, ColorType::Grayscale, BitDepth::Sixteen, &[0xcd, 0xcd])),
        ("grey_alpha", encoded_png(2, 1, ColorType::GrayscaleAlpha, BitDepth::Eight, &[205, 255, 0, 7])),
        ("rgb", encoded_png(1, 2, ColorType::Rgb, BitDepth::Eight, &[1, 2, 3, 254, 254, 254])),
        ("rgba", encoded_png(1, 1, ColorType::Rgba, BitDepth::Eight, &[205, 205, 205, 255])),
        ("palette", encoded_png(4, 1, ColorType::Indexed, BitDepth::Two, &[0x1b])),
        ("bad_truncated", grey[..grey.len() - 20].to_vec()),
        ("bad_signature_only", grey[..8].to_vec()),
        ("bad_oversized", claims),
        ("bad_damaged", damaged),
        ("written", grey),
    ]
}

fn encoded_bmp(color: ExtendedColorType, data: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    BmpEncoder::new(&mut bytes).encode(data, 2, 2, color).unwrap();
    bytes
}

/// A run-length coded image of 4 x 1 pixels: three of grey 205, one of grey 0.
fn run_length_bmp() -> Vec<u8> {
    let mut bytes = b"BM\0\0\0\0\0\0\0\0".to_vec();
    let palette: Vec<u8> = [0, 205].iter().flat_map(|&grey| [grey, grey, grey, 0]).collect();
    let code = [3, 1, 1, 0, 0, 1];
    bytes.extend_from_slice(&(54 + palette.len() as u32).to_le_bytes());
    for field in [40u32, 4, 1, 1 | 8 << 16, 1, code.len() as u32, 2835, 2835, 2, 0] {
        bytes.extend_from_slice(&field.to_le_bytes());
    }
    bytes.extend_from_slice(&palette);
    bytes.extend_from_slice(&code);
    bytes
}

fn bmp() -> Files {
    let rgb = encoded_bmp(ExtendedColorType::Rgb8, &[7; 12]);
    let mut claims = rgb.clone();
    claims[18..26].copy_from_slice(&[0, 0x50, 0, 0, 0, 0x50, 0, 0]);
    let mut run_length_claims = run_length_bmp();
    run_length_claims[18..26].copy_from_slice(&[0, 0x50, 0, 0, 0, 0x50, 0, 0]);
    vec![
        ("grey", encoded_bmp(ExtendedColorType::L8, &[0, 205, 254, 255])),
        ("rgba", encoded_bmp(ExtendedColorType::Rgba8, &[205; 16])),
        ("run_length", run_length_bmp()),
        ("bad_truncated", rgb[..60].to_vec()),
        ("bad_oversized", claims),
        ("bad_oversized_run_length", run_length_claims),
        ("rgb", rgb),
    ]
}

/// 16 x 8 pixels of grey, written by GDAL.
const JPEG: &str = "ffd8ffe000104a46494600010100000100010000ffdb0043000302020302020303030304030304050805050404050a070706080c0\
    a0c0c0b0a0b0b0d0e12100d0e110e0b0b1016101113141515150c0f171816141812141514ffc0000b080008001001011100ffc4001500010100000000\
    00000000000000000000090affc40014100100000000000000000000000000000000ffda0008010100003f002a954affd9";

fn jpeg() -> Files {
    let byte = |at: usize| u8::from_str_radix(&JPEG[at..at + 2], 16).unwrap();
    let grey: Vec<u8> = (0..JPEG.len() / 2).map(|index| byte(2 * index)).collect();
    let size_at = grey.windows(2).position(|pair| pair == [0xff, 0xc0]).unwrap() + 5;
    let mut claims = grey.clone();
    claims[size_at..size_at + 4].copy_from_slice(&[0xff, 0xff, 0xff, 0xff]);
    vec![
        ("bad_truncated", grey[..120].to_vec()),
        ("bad_signature_only", grey[..3].to_vec()),
        ("bad_oversized", claims),
        ("grey", grey),
    ]
}

fn ros_yaml() -> Files {
    let rest = "resolution: 0.05\norigin: [0, 0, 0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n";
    let map = |yaml: &str| {
        let mut bytes = yaml.as_bytes().to_vec();
        bytes.extend_from_slice(b"\0P5 2 2 255\n\x00\xcd\xfe\x32");
        bytes
    };
    let field = |extra: &str| map(&format!("image: map.pgm\n{rest}{extra}\n"));
    let mut bomb = String::from("image: map.pgm\na0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for level in 1..12 {
        let part = format!("*a{}", level - 1);
        writeln!(bomb, "a{level}: &a{level} [{}]", vec![part; 9].join(", ")).unwrap();
    }
    let written = write_ros_map(&small_grid(), "map.pgm");
    vec![
        ("written", [written.0.as_bytes(), b"\0", &written.1].concat()),
        (
            "trap",
            map(
                "image: map.pgm\nresolution: 0.05\norigin: [-1, -2, 0.5]\nnegate: 1\noccupied_thresh: 0.65\nfree_thresh: 0.25",
            ),
        ),
        ("scale", field("mode: scale")),
        ("raw", field("mode: raw")),
        ("foreign_path", map(&format!("image: /home/somebody/map.pgm\n{rest}"))),
        ("byte_order_mark", map(&format!("\u{feff}image: map.pgm\r\n{rest}").replace('\n', "\r\n"))),
        ("bad_duplicate", field("resolution: 1")),
        ("bad_nan", map("image: map.pgm\nresolution: .nan\norigin: [.inf, 0, 0]\n")),
        ("bad_zero_resolution", map("image: map.pgm\nresolution: 0\norigin: [0, 0, 0]\n")),
        ("bad_two_numbers", map("image: map.pgm\nresolution: 1\norigin: [0, 0]\n")),
        ("bad_no_fields", map("{}")),
        ("bad_no_image", map("image: other.pgm\nresolution: 1\norigin: [0, 0, 0]\n")),
        ("bad_alias_bomb", map(&bomb)),
        ("bad_deep", map(&format!("image: {}", "[".repeat(2000)))),
        ("bad_deep_block", map(&"- ".repeat(2000))),
        ("bad_not_utf8", b"image: map.pgm\n\xff: 1\n".to_vec()),
    ]
}

fn text_grid() -> Files {
    let text = |content: &str| content.as_bytes().to_vec();
    vec![
        ("written", write_text_grid(&small_grid()).into_bytes()),
        ("classes", text("// a hall\nresolution: 0.05\norigin: -1 -2 0.5\n##.\n#.?\n")),
        ("probabilities", text("0 0.25 ?\n1 .5 1e-3\n")),
        ("navigation", text("gggb\ngwwb\ngrkb\n")),
        ("bad_unequal", text("##\n#\n")),
        ("bad_mixed", text("##\ngg\n")),
        ("bad_nan", text("nan 0\n")),
        ("bad_empty", Vec::new()),
        ("bad_header_only", text("resolution: 1\n")),
        ("bad_header_twice", text("resolution: 1\nresolution: 1\n#\n")),
        ("bad_wide_letters", text("#\u{1F5FA}\n")),
    ]
}
