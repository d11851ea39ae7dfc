//! `skeleton`: Zhang-Suen thinning of the truth's free cells.

use model::CellClass;
use raster::thinning::zhang_suen;
use serde_json::json;

use super::Outcome;
use crate::Arguments;
use crate::inputs::given;
use crate::measure::measure;

pub fn run(arguments: &Arguments) -> Outcome {
    let truth = given(arguments, "truth")?;
    let (width, height) = (truth.geometry().width(), truth.geometry().height());
    let is_free = |class: &CellClass| u8::from(*class == CellClass::Free);
    let (cost, skeleton) = measure(arguments.seconds, || {
        let mut mask: Vec<u8> = truth.classes().iter().map(is_free).collect();
        zhang_suen(&mut mask, width, height);
        mask
    });
    let pixels: u64 = skeleton.iter().map(|&cell| u64::from(cell)).sum();
    Ok((cost, json!({ "pixels": pixels, "crc32": crc32fast::hash(&skeleton) })))
}
