//! Writes an image of the office and of each damaged map of it.
//!
//! `cargo run -p mapjudge-sim --release --example gallery -- OUTDIR [SEED]`

use std::error::Error;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use mapjudge_sim::damage::EXAMPLES;
use mapjudge_sim::place::{OfficePlan, office};
use model::{CellClass, Grid};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("expected: gallery OUTDIR [SEED]")?;
    let default = OfficePlan::default();
    let seed = arguments.next().map_or(Ok(default.seed), |text| text.parse())?;
    std::fs::create_dir_all(&folder)?;
    let truth = office(&OfficePlan { seed, ..default })?;
    write_png(&Path::new(&folder).join("truth.png"), &truth)?;
    for damage in EXAMPLES {
        let map = (damage.apply)(&truth, seed)?;
        write_png(&Path::new(&folder).join(format!("{}.png", damage.name)), &map)?;
    }
    Ok(())
}

/// Black walls, white floor, grey where nothing is known.
fn write_png(path: &Path, grid: &Grid) -> Result<(), Box<dyn Error>> {
    let (width, height) = (grid.geometry().width(), grid.geometry().height());
    let mut encoder =
        png::Encoder::new(BufWriter::new(File::create(path)?), u32::try_from(width)?, u32::try_from(height)?);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Eight);
    let shade = |class: &CellClass| match class {
        CellClass::Free => 254,
        CellClass::Unknown => 205,
        CellClass::Occupied => 0,
    };
    let pixels: Vec<u8> = grid.classes().iter().map(shade).collect();
    encoder.write_header()?.write_image_data(&pixels)?;
    Ok(())
}
