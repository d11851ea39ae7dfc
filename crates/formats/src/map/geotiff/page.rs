//! The pages of a TIFF: names, places and pixels. Overviews and masks are no pages of their own.

use model::Finding;

use super::directory::{Directory, Tiff};
use super::geo_keys::{GeoKeys, TEXT_TAG};
use super::georeference::{Stated, stated_by};
use super::layout::Layout;
use super::pixels::{self, Pixels};
use crate::{Place, ReadError};

const NEW_SUBFILE_TYPE: u16 = 254;
const IMAGE_DESCRIPTION: u16 = 270;
const PAGE_NAME: u16 = 285;
const GDAL_NODATA: u16 = 42113;
/// Bits of tag 254: a smaller copy of another page, and a mask of one.
const REDUCED_OR_MASK: u64 = 0b101;

/// A page of a GeoTIFF.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// Page name, else image description, else `layer<k>`.
    pub name: String,
    pub width: usize,
    pub height: usize,
    /// Pixels, top row first.
    pub pixels: Pixels,
    /// World coordinates of pixel corners, in GDAL's order; none if the file states none.
    pub geotransform: Option<[f64; 6]>,
    /// Reference system: `EPSG:n`, a name, or `local`; none if the file states none.
    pub crs: Option<String>,
    /// The value that means "no data", as the file stores it: before white and black are swapped, and before a palette.
    pub nodata: Option<f64>,
    /// For each pixel, whether all of its samples but alpha hold that value; none where no pixel does.
    pub is_nodata: Option<Vec<bool>>,
}

impl Page {
    /// Whether the page holds heights in metres and no map: 32-bit numbers named `height_m`.
    pub(super) fn is_height(&self) -> bool {
        self.name.eq_ignore_ascii_case("height_m") && matches!(self.pixels, Pixels::Float(_))
    }
}

/// A page whose pixels have not been decoded.
pub(super) struct PageHeader<'a> {
    directory: Directory<'a>,
    pub name: String,
    pub keys: GeoKeys,
    pub stated: Option<Stated>,
    /// Whether the place is its own, and not that of the first page.
    pub has_own_place: bool,
    nodata: Option<f64>,
}

impl PageHeader<'_> {
    /// Checks how the pixels are stored.
    pub fn layout(&self) -> Result<Layout, ReadError> {
        Layout::of(&self.directory)
    }

    pub fn decode(&self, layout: &Layout) -> Result<Page, ReadError> {
        let (pixels, is_nodata) = pixels::decode(&self.directory, layout, self.nodata)?;
        Ok(Page { is_nodata, ..self.page(layout, pixels) })
    }

    /// Whether a value means "no data".
    pub const fn has_nodata(&self) -> bool {
        self.nodata.is_some()
    }

    /// The page with these pixels, all of which hold data.
    pub fn page(&self, layout: &Layout, pixels: Pixels) -> Page {
        Page {
            name: self.name.clone(),
            width: layout.width,
            height: layout.height,
            pixels,
            geotransform: self.stated.map(|stated| stated.transform),
            crs: self.keys.crs(),
            nodata: self.nodata,
            is_nodata: None,
        }
    }
}

/// The pages of a file. A page without a place or keys of its own has those of the first page.
pub(super) fn headers<'a>(
    tiff: &Tiff<'a>,
    findings: &mut Vec<Finding>,
) -> Result<Vec<PageHeader<'a>>, ReadError> {
    let mut headers: Vec<PageHeader<'a>> = Vec::new();
    for directory in tiff.directories(findings)? {
        if directory.unsigned(NEW_SUBFILE_TYPE).unwrap_or(0) & REDUCED_OR_MASK != 0 {
            continue;
        }
        if directory.is_cut_off(TEXT_TAG) {
            let message =
                "the names of the reference system lie beyond the end of the file; they were ignored";
            findings.push(Finding::warning("GEO_KEYS_DAMAGED", message).hint("write the file again"));
        }
        let mut keys = GeoKeys::of(&directory);
        let mut stated = stated_by(&directory, &keys, findings)?;
        let has_own_place = stated.is_some();
        if let Some(first) = headers.first() {
            stated = stated.or(first.stated);
            if keys.is_empty() {
                keys = first.keys.clone();
            }
        }
        let name = name_of(&directory, headers.len() + 1);
        let nodata = directory.text(GDAL_NODATA).and_then(|text| text.parse().ok());
        headers.push(PageHeader { directory, name, keys, stated, has_own_place, nodata });
    }
    if headers.is_empty() {
        let found = "only overviews and masks";
        return Err(ReadError::malformed(tiff.file, Place::File, "a page with an image", found));
    }
    Ok(headers)
}

fn name_of(directory: &Directory<'_>, number: usize) -> String {
    let description = || directory.text(IMAGE_DESCRIPTION)?.lines().next().map(str::to_owned);
    directory.text(PAGE_NAME).or_else(description).unwrap_or_else(|| format!("layer{number}"))
}

/// Adds the memory of a page to what the pages before it took, and refuses too much.
pub(super) fn count_memory(file: &str, layout: &Layout, total_bytes: &mut u64) -> Result<(), ReadError> {
    *total_bytes = total_bytes.saturating_add(layout.decoded_bytes());
    let limit_bytes = model::MemoryLimit::current().bytes() / 2;
    if *total_bytes <= limit_bytes {
        return Ok(());
    }
    let expected = format!("at most {limit_bytes} decoded bytes on all pages, half of the memory limit");
    Err(ReadError::too_large(file, Place::File, expected, format!("{total_bytes} bytes")))
}
