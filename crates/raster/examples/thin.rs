//! Thins images after Zhang and Suen: `thin IN.pgm OUT.pgm [IN.pgm OUT.pgm ..]`, cells that are not 0 count.
//!
//! `conformance/against_opencv.py` compares the images with those of OpenCV.

use std::process::ExitCode;

use mapjudge_raster::thinning::zhang_suen;

fn main() -> ExitCode {
    let files: Vec<String> = std::env::args().skip(1).collect();
    for pair in files.chunks(2) {
        let [input, output] = pair else {
            eprintln!("error: {} has no output beside it", pair[0]);
            return ExitCode::from(2);
        };
        if let Err(error) = thin(input, output) {
            eprintln!("error: {input}: {error}");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

fn thin(input: &str, output: &str) -> Result<(), String> {
    let bytes = std::fs::read(input).map_err(|error| error.to_string())?;
    let (width, height, start) = header(&bytes).ok_or("expected P5, width, height and 255")?;
    let mut plane = bytes.get(start..start + width * height).ok_or("too few cells")?.to_vec();
    plane.iter_mut().for_each(|cell| *cell = u8::from(*cell != 0));
    zhang_suen(&mut plane, width, height);
    let mut image = format!("P5\n{width} {height}\n255\n").into_bytes();
    image.extend(plane.iter().map(|&cell| 255 * cell));
    std::fs::write(output, image).map_err(|error| error.to_string())
}

/// Width, height and where the cells begin.
fn header(bytes: &[u8]) -> Option<(usize, usize, usize)> {
    let mut words = Vec::new();
    let mut at = 0;
    while words.len() < 4 {
        let end = at + bytes.get(at..)?.iter().position(u8::is_ascii_whitespace)?;
        words.push(std::str::from_utf8(&bytes[at..end]).ok()?);
        at = end + 1;
    }
    match words[..] {
        ["P5", width, height, "255"] => Some((width.parse().ok()?, height.parse().ok()?, at)),
        _ => None,
    }
}
