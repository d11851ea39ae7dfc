//! Which pixels hold no data: those all of whose samples but alpha are the value of tag 42113, as the file stores them.
//!
//! GDAL compares stored samples: before white and black are swapped (MinIsWhite), and the index of a palette instead of its
//! colour. Of colours it masks each band by itself; here a pixel holds no data only if none of its colours does.

use super::layout::{Layout, Photometric, SampleFormat};

/// For each pixel whether it holds no data; none where no pixel does. `stored` are interleaved samples.
pub(super) fn pixels(layout: &Layout, stored: &[u8], nodata: f64) -> Option<Vec<bool>> {
    let is_nodata = match (layout.format, layout.bits) {
        (SampleFormat::Float, 32) => {
            // The text of the tag is rounded by writers that print 32 bits.
            #[allow(clippy::cast_possible_truncation, reason = "the sample has 32 bits")]
            let nodata = nodata as f32;
            let is_nodata = |bytes: &[u8; 4]| same(f32::from_ne_bytes(*bytes).into(), nodata.into());
            of_pixels(layout, stored.as_chunks().0, is_nodata)
        }
        (SampleFormat::Float, _) => {
            of_pixels(layout, stored.as_chunks().0, |bytes| same(f64::from_ne_bytes(*bytes), nodata))
        }
        (SampleFormat::Signed, _) => {
            of_pixels(layout, stored.as_chunks().0, |bytes| same(i16::from_ne_bytes(*bytes).into(), nodata))
        }
        (SampleFormat::Unsigned, 16) => {
            of_pixels(layout, stored.as_chunks().0, |bytes| same(u16::from_ne_bytes(*bytes).into(), nodata))
        }
        (SampleFormat::Unsigned, _) => {
            of_pixels(layout, stored.as_chunks().0, |&[byte]: &[u8; 1]| same(byte.into(), nodata))
        }
    };
    is_nodata.contains(&true).then_some(is_nodata)
}

fn same(sample: f64, nodata: f64) -> bool {
    sample == nodata || sample.is_nan() && nodata.is_nan()
}

fn of_pixels<T>(layout: &Layout, samples: &[T], is_nodata: impl Fn(&T) -> bool) -> Vec<bool> {
    let colours = match (layout.photometric, layout.samples) {
        (Photometric::Rgb, samples) => samples.min(3),
        (Photometric::WhiteIsZero | Photometric::BlackIsZero, _) => 1,
        (_, samples) => samples,
    };
    samples.chunks_exact(layout.samples).map(|pixel| pixel[..colours].iter().all(&is_nodata)).collect()
}
