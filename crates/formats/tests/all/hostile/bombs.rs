//! Small files that claim or unpack to much: the worst of each format, under a small memory limit.

use std::io::Write;
use std::time::Instant;

use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};
use mapjudge_formats::{NamedBytes, ReadOptions, read_document_bytes};
use model::MemoryLimit;

/// What all of them may take together: the limit, the bytes of the files, and the test itself.
const MAX_PEAK_MIB: u64 = 400;
const LIMIT_BYTES: u64 = 128 << 20;

/// A file with those beside it.
type Bomb = (&'static str, Vec<u8>, Vec<(&'static str, Vec<u8>)>);

fn gzip(times: usize, piece: &[u8], head: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(head).unwrap();
    (0..times).for_each(|_| encoder.write_all(piece).unwrap());
    encoder.finish().unwrap()
}

/// A PNG of one bit per pixel, of `side` squared, all rows alike.
fn png(side: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, side, side);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::One);
    let mut writer = encoder.write_header().unwrap();
    let mut stream = writer.stream_writer().unwrap();
    let row = vec![0xAA; side.div_ceil(8) as usize];
    (0..side).for_each(|_| stream.write_all(&row).unwrap());
    stream.finish().unwrap();
    writer.finish().unwrap();
    bytes
}

/// A TIFF of one strip of deflated bytes.
fn tiff(side: u32) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    let row = vec![254; side as usize];
    (0..side).for_each(|_| encoder.write_all(&row).unwrap());
    tiff_of_strip(side, &encoder.finish().unwrap())
}

/// A TIFF of one byte per pixel whose only strip is deflated.
pub fn tiff_of_strip(side: u32, data: &[u8]) -> Vec<u8> {
    let mut bytes = b"II\x2a\0".to_vec();
    bytes.extend((8 + data.len() as u32).to_le_bytes());
    bytes.extend(data);
    let length = data.len() as u32;
    let entries: [(u16, u32); 9] = [
        (256, side),
        (257, side),
        (258, 8),
        (259, 8),
        (262, 1),
        (273, 8),
        (277, 1),
        (278, side),
        (279, length),
    ];
    bytes.extend((entries.len() as u16).to_le_bytes());
    for (tag, value) in entries {
        bytes.extend(tag.to_le_bytes());
        bytes.extend([4, 0, 1, 0, 0, 0]);
        bytes.extend(value.to_le_bytes());
    }
    bytes.extend([0; 4]);
    bytes
}

fn yaml(mode: &str) -> Vec<u8> {
    format!(
        "image: map.png\nmode: {mode}\nresolution: 0.05\norigin: [0, 0, 0]\nnegate: 0\noccupied_thresh: 0.65\n\
         free_thresh: 0.196\n"
    )
    .into_bytes()
}

fn bombs() -> Vec<Bomb> {
    let image = png(20_000);
    let odometry = b"ODOM 0 0 0 0 0 0 1 h 1\n".repeat(1 << 10);
    vec![
        ("map.png", image.clone(), Vec::new()),
        ("map.yaml", yaml("trinary"), vec![("map.png", image.clone())]),
        ("map.yaml", yaml("scale"), vec![("map.png", png(5_000))]),
        ("map.yaml", yaml("raw"), vec![("map.png", image)]),
        ("map.tif", tiff(12_000), Vec::new()),
        ("map.pgm.gz", gzip(400, &vec![254; 1 << 20], b"P5 20000 20000 255\n"), Vec::new()),
        ("map.txt.gz", gzip(1 << 16, &[b'.'; 1 << 13], b""), Vec::new()),
        ("run.log.gz", gzip(1 << 13, &odometry, b""), Vec::new()),
        ("map.pgm", b"P5 32768 32768 255\n".to_vec(), Vec::new()),
        ("map.pgm", b"P5 4294967295 4294967295 255\n".to_vec(), Vec::new()),
    ]
}

#[test]
fn bombs_are_refused_in_time_and_memory() {
    MemoryLimit::set(LIMIT_BYTES);
    for (name, bytes, beside) in bombs() {
        let beside: Vec<NamedBytes<'_>> =
            beside.iter().map(|(name, bytes)| NamedBytes { name, bytes }).collect();
        let start = Instant::now();
        let read = read_document_bytes(NamedBytes { name, bytes: &bytes }, &beside, &ReadOptions::default());
        eprintln!("{name}: {} bytes, {:?}", bytes.len(), start.elapsed());
        assert!(read.is_err(), "{name} of {} bytes was read", bytes.len());
        assert!(start.elapsed().as_secs() < 20, "{name}: {:?}", start.elapsed());
    }
    testkit::check_peak_memory(MAX_PEAK_MIB);
}
