//! The geo keys of a page: which coordinate reference system its numbers are in.
//!
//! Specification: OGC GeoTIFF 1.1, section 7.1.3. Tag 34735 holds four numbers per key (key, place of the
//! value, count, value or index); text and reals stand in tags 34737 and 34736.

use std::collections::BTreeMap;

use super::directory::Directory;

const DIRECTORY_TAG: u16 = 34735;
const REALS_TAG: u16 = 34736;
pub(super) const TEXT_TAG: u16 = 34737;

/// Key 1024: 1 projected, 2 geographic, 3 geocentric, 32767 user-defined.
pub(super) const MODEL_TYPE: u16 = 1024;
/// Key 1025: 1 pixel is area, 2 pixel is point.
pub(super) const RASTER_TYPE: u16 = 1025;
pub(super) const CITATION: u16 = 1026;
const GEOGRAPHIC_TYPE: u16 = 2048;
const GEOGRAPHIC_CITATION: u16 = 2049;
pub(super) const PROJECTED_TYPE: u16 = 3072;
const PROJECTED_CITATION: u16 = 3073;
/// Key 3076: unit of the coordinates; 9001 is the metre.
pub(super) const LINEAR_UNITS: u16 = 3076;

pub(super) const USER_DEFINED: u16 = 32767;
const MODEL_GEOGRAPHIC: u16 = 2;
const POINT: u16 = 2;
pub(super) const METRE: u16 = 9001;

/// The keys of a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct GeoKeys {
    numbers: BTreeMap<u16, u16>,
    texts: BTreeMap<u16, String>,
}

impl GeoKeys {
    /// The keys of a page; none of them if the page has no key directory.
    pub fn of(directory: &Directory<'_>) -> Self {
        let mut keys = Self::default();
        let Some(words) = directory.unsigned_numbers(DIRECTORY_TAG) else { return keys };
        let text = directory.data(TEXT_TAG).unwrap_or_default();
        // The first four numbers are the version and the number of keys.
        for key in words.chunks_exact(4).skip(1) {
            // All four are numbers of 16 bits; a directory of wider ones is damaged.
            let [Ok(id), Ok(place), Ok(count), Ok(value)] = [0, 1, 2, 3].map(|part| u16::try_from(key[part]))
            else {
                continue;
            };
            let (count, start) = (usize::from(count), usize::from(value));
            match place {
                0 => drop(keys.numbers.insert(id, value)),
                TEXT_TAG => {
                    let found = text.get(start..start + count).unwrap_or_default();
                    let found = String::from_utf8_lossy(found);
                    keys.texts.insert(id, found.trim_matches(['|', '\0', ' ', '\n']).to_owned());
                }
                // No key that is looked at is a real number.
                REALS_TAG => {}
                _ => {}
            }
        }
        keys
    }

    /// True if there is no key at all.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty() && self.texts.is_empty()
    }

    /// True if tie points and transforms speak of the centres of pixels, not of their corners.
    pub fn pixel_is_point(&self) -> bool {
        self.numbers.get(&RASTER_TYPE) == Some(&POINT)
    }

    /// True if the coordinates are degrees.
    pub fn is_geographic(&self) -> bool {
        self.numbers.get(&MODEL_TYPE) == Some(&MODEL_GEOGRAPHIC)
    }

    /// The EPSG number of the unit of the coordinates, where the file states one other than the metre.
    pub fn foreign_unit(&self) -> Option<u16> {
        self.numbers.get(&LINEAR_UNITS).copied().filter(|&unit| unit != METRE)
    }

    /// The reference system: `EPSG:n`, else its name, else `local`; none where the keys say nothing.
    pub fn crs(&self) -> Option<String> {
        let code = if self.is_geographic() { GEOGRAPHIC_TYPE } else { PROJECTED_TYPE };
        // Numbers below 1024 are obsolete or mean "undefined" (OGC GeoTIFF 1.1, section 7.4).
        let is_code = |code: &&u16| (1024..USER_DEFINED).contains(*code);
        if let Some(code) = self.numbers.get(&code).filter(is_code) {
            return Some(format!("EPSG:{code}"));
        }
        let names = [PROJECTED_CITATION, CITATION, GEOGRAPHIC_CITATION];
        let name = names.iter().find_map(|key| self.texts.get(key).filter(|name| !name.is_empty()));
        let local = || self.numbers.contains_key(&MODEL_TYPE).then(|| "local".to_owned());
        name.cloned().or_else(local)
    }
}
