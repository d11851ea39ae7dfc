//! From the pixels of a page to the cells of a map.
//!
//! Grey and colours go through the thresholds, as in any image. Reals are probabilities from 0 to 1 and go
//! through the same thresholds; numbers with sign are whole percents from 0 to 100, as robots publish maps,
//! with -1 for unknown. The file's "no data" value, NaN and what is transparent (alpha 0) are unknown. A page named `height_m` holds heights of the
//! floor, as an arena has them: none of its cells is free or occupied.

use model::{CellClass, Finding, Grid, Level, MemoryLimit, MemoryNeed, Pose2};

use super::georeference::Placement;
use super::page::Page;
use super::pixels::Pixels;
use crate::map::classifier::Classifier;
use crate::map::occupancy::Rule;
use crate::map::pixel_sink::{Channels, ImageHeader, PixelSink};
use crate::map::plain_image::{geometry_of, grid_with};
use crate::{Place, ReadError};

/// Most square cells that an oblong pixel becomes. Ours: a few bytes must not claim a gigabyte of cells.
const MAX_CELLS_PER_PIXEL: usize = 64;

/// The cells of a page, before they have a place.
pub(super) struct Cells {
    width: usize,
    height: usize,
    classes: Vec<CellClass>,
    probabilities: Option<Vec<f64>>,
}

impl Cells {
    /// Reads the pixels of a page by a rule.
    pub fn of(file: &str, page: &Page, rule: &Rule, findings: &mut Vec<Finding>) -> Result<Self, ReadError> {
        let (width, height) = (page.width, page.height);
        let cells = |(classes, probabilities)| Self { width, height, classes, probabilities };
        let mut cells = match &page.pixels {
            Pixels::Float(values) if page.is_height() => {
                let message =
                    "the page 'height_m' holds heights of the floor; as a map all of its cells are unknown";
                findings.push(
                    Finding::new(Level::Info, "HEIGHTS_ARE_NO_MAP", message)
                        .hint("judge the truth beside it"),
                );
                cells((vec![CellClass::Unknown; values.len()], None))
            }
            Pixels::Float(values) => {
                let known = |(index, value): (usize, &f64)| {
                    (!value.is_nan() && !holds_nodata(page, index)).then_some(*value)
                };
                let values: Vec<Option<f64>> = values.iter().enumerate().map(known).collect();
                check_range(file, values.iter().flatten(), (0.0, 1.0), "probabilities from 0 to 1")?;
                cells(of_probabilities(values.into_iter(), rule))
            }
            Pixels::Signed16(values) => {
                let known = |(index, value): (usize, &i16)| {
                    (*value != -1 && !holds_nodata(page, index)).then(|| f64::from(*value))
                };
                let values: Vec<Option<f64>> = values.iter().enumerate().map(known).collect();
                check_range(file, values.iter().flatten(), (0.0, 100.0), "whole percents from -1 to 100")?;
                cells(of_probabilities(values.into_iter().map(|value| Some(value? / 100.0)), rule))
            }
            Pixels::Grey8(samples) => Self::classified(page, (Channels::Grey, samples), *rule, findings),
            Pixels::GreyAlpha8(samples) => {
                let seen = visible::<2>(samples);
                Self::classified(page, (Channels::GreyAlpha, &seen), *rule, findings)
            }
            Pixels::Rgb8(samples) => Self::classified(page, (Channels::Rgb, samples), *rule, findings),
            Pixels::Rgba8(samples) => {
                Self::classified(page, (Channels::Rgba, &visible::<4>(samples)), *rule, findings)
            }
            Pixels::Grey16(samples) => {
                let mut classifier = Classifier::new(*rule);
                classifier.begin(ImageHeader {
                    width,
                    height,
                    channels: Channels::Grey,
                    max_value: u16::MAX,
                });
                classifier.sixteen(samples);
                Self::finished(classifier, findings)
            }
        };
        cells.forget_nodata(page, findings);
        cells.forget_transparent(page, findings);
        Ok(cells)
    }

    fn classified(
        page: &Page,
        (channels, samples): (Channels, &[u8]),
        rule: Rule,
        findings: &mut Vec<Finding>,
    ) -> Self {
        let mut classifier = Classifier::new(rule);
        classifier.begin(ImageHeader { width: page.width, height: page.height, channels, max_value: 255 });
        classifier.eight(samples);
        Self::finished(classifier, findings)
    }

    /// The cells that a classifier has read.
    pub fn finished(classifier: Classifier, findings: &mut Vec<Finding>) -> Self {
        let occupancy = classifier.finish();
        findings.extend(occupancy.findings);
        let (width, height) = (occupancy.width, occupancy.height);
        Self { width, height, classes: occupancy.classes, probabilities: occupancy.probabilities }
    }

    /// Cells of the "no data" value become unknown.
    fn forget_nodata(&mut self, page: &Page, findings: &mut Vec<Finding>) {
        let (Some(nodata), Some(is_nodata)) = (page.nodata, &page.is_nodata) else { return };
        let changed = self.forget(|index| is_nodata[index]);
        if changed > 0 {
            let message =
                format!("{changed} cells hold {nodata}, the file's no-data value; they are unknown");
            findings.push(Finding::new(Level::Info, "NODATA_IS_UNKNOWN", message));
        }
    }

    /// Cells that nobody sees become unknown.
    fn forget_transparent(&mut self, page: &Page, findings: &mut Vec<Finding>) {
        let changed = match &page.pixels {
            Pixels::GreyAlpha8(samples) => self.forget(|index| samples[2 * index + 1] == 0),
            Pixels::Rgba8(samples) => self.forget(|index| samples[4 * index + 3] == 0),
            _ => 0,
        };
        if changed > 0 {
            let message = format!("{changed} cells are transparent; they are unknown");
            findings.push(Finding::new(Level::Info, "TRANSPARENT_IS_UNKNOWN", message));
        }
    }

    /// Makes cells unknown; how many were not.
    fn forget(&mut self, is_forgotten: impl Fn(usize) -> bool) -> usize {
        let mut changed = 0;
        for (index, class) in self.classes.iter_mut().enumerate() {
            if *class != CellClass::Unknown && is_forgotten(index) {
                *class = CellClass::Unknown;
                changed += 1;
                if let Some(probabilities) = &mut self.probabilities {
                    probabilities[index] = 0.5;
                }
            }
        }
        changed
    }

    pub const fn rows(&self) -> usize {
        self.height
    }

    /// Numbers of free, unknown and occupied cells.
    pub fn class_counts(&self) -> [u64; 3] {
        CellClass::ALL.map(|wanted| self.classes.iter().filter(|&&class| class == wanted).count() as u64)
    }

    /// The same cells with square sides: each takes the pixel in which its centre lies.
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "from 0 to the number of cells that was checked"
    )]
    fn squared(self, (width_m, height_m): (f64, f64), findings: &mut Vec<Finding>) -> Option<Self> {
        let cell_m = width_m.min(height_m);
        let side = |pixels: usize, pixel_m: f64| (pixels as f64 * pixel_m / cell_m).round();
        let (width, height) = (side(self.width, width_m), side(self.height, height_m));
        let limit = (self.width * self.height).saturating_mul(MAX_CELLS_PER_PIXEL).min(model::MAX_CELLS);
        if width * height > limit as f64 {
            return None;
        }
        let (width, height) = (width as usize, height as usize);
        // A class, a probability and the pixel of each.
        let need = MemoryNeed::new(width * height, 1 + 8 + 8);
        MemoryLimit::current().of_one_map().check(need).ok()?;
        let nearest = |index: usize, cells: usize, pixels: usize| {
            (((index as f64 + 0.5) * pixels as f64 / cells as f64) as usize).min(pixels - 1)
        };
        let columns: Vec<usize> = (0..width).map(|column| nearest(column, width, self.width)).collect();
        let rows = (0..height).map(|row| nearest(row, height, self.height) * self.width);
        let indices: Vec<usize> =
            rows.flat_map(|start| columns.iter().map(move |column| start + column)).collect();
        let message =
            format!("pixels of {width_m} x {height_m} m were resampled to square cells of {cell_m} m");
        findings
            .push(Finding::warning("PIXELS_NOT_SQUARE", message).hint("write the map with square pixels"));
        let classes = indices.iter().map(|&index| self.classes[index]).collect();
        let probabilities = self.probabilities.map(|p| indices.iter().map(|&index| p[index]).collect());
        Some(Self { width, height, classes, probabilities })
    }

    /// The cells in their place.
    pub fn placed(
        self,
        file: &str,
        placement: &Placement,
        findings: &mut Vec<Finding>,
    ) -> Result<Grid, ReadError> {
        let (size, pixel_m) = ((self.width, self.height), placement.pixel_m);
        let cells = if placement.is_square() { Some(self) } else { self.squared(pixel_m, findings) };
        let Some(cells) = cells else {
            let found = format!("{} x {} pixels of {} x {} m", size.0, size.1, pixel_m.0, pixel_m.1);
            let expected = format!(
                "at most {MAX_CELLS_PER_PIXEL} square cells per pixel, {} in all, and {} bytes of memory",
                model::MAX_CELLS,
                MemoryLimit::current().of_one_map().bytes()
            );
            let place = Place::field("ModelPixelScale");
            return Err(ReadError::too_large(file, place, expected, found));
        };
        cells.at(file, placement.cell_size_m(), placement.origin)
    }

    fn at(self, file: &str, cell_size_m: f64, origin: Pose2) -> Result<Grid, ReadError> {
        let geometry = geometry_of(file, (self.width, self.height), cell_size_m, origin)?;
        grid_with(file, geometry, self.classes, self.probabilities)
    }
}

fn holds_nodata(page: &Page, index: usize) -> bool {
    page.is_nodata.as_ref().is_some_and(|is_nodata| is_nodata[index])
}

/// The samples with what is transparent made opaque: it becomes unknown, so that it must not count as changed by alpha.
fn visible<const CHANNELS: usize>(samples: &[u8]) -> Vec<u8> {
    let mut seen = samples.to_vec();
    for pixel in seen.as_chunks_mut::<CHANNELS>().0 {
        if let Some(alpha) = pixel.last_mut().filter(|alpha| **alpha == 0) {
            *alpha = u8::MAX;
        }
    }
    seen
}

/// Classes by the thresholds, and the probabilities themselves; none is unknown.
fn of_probabilities(
    probabilities: impl Iterator<Item = Option<f64>>,
    rule: &Rule,
) -> (Vec<CellClass>, Option<Vec<f64>>) {
    let class = |p: f64| {
        if p > rule.occupied_thresh {
            CellClass::Occupied
        } else if p < rule.free_thresh {
            CellClass::Free
        } else {
            CellClass::Unknown
        }
    };
    let cell = |p: Option<f64>| p.map_or((CellClass::Unknown, 0.5), |p| (class(p), p));
    let (classes, probabilities) = probabilities.map(cell).unzip();
    (classes, Some(probabilities))
}

/// Refuses numbers that are no occupancies.
fn check_range<'v>(
    file: &str,
    values: impl Iterator<Item = &'v f64>,
    (least, most): (f64, f64),
    expected: &str,
) -> Result<(), ReadError> {
    let (mut smallest, mut largest) = (f64::INFINITY, f64::NEG_INFINITY);
    for &value in values {
        (smallest, largest) = (smallest.min(value), largest.max(value));
    }
    if smallest >= least && largest <= most || smallest > largest {
        return Ok(());
    }
    let found = format!("numbers from {smallest} to {largest}");
    Err(ReadError::malformed(file, Place::File, expected, found)
        .with_hint("this is no occupancy map; convert it to 8-bit grey, or to probabilities"))
}
