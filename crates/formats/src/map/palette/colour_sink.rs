//! Keeps the colours of a picture while another sink reads them as greys.
//!
//! Only 8-bit colour pictures are kept; grey ones pass through untouched. A picture whose pixels are all grey,
//! though stored as colours, is an ordinary map and never read through a palette unless one is named.

use model::Finding;

use super::rgb_picture::{MAX_PIXELS, RgbPicture};
use super::{PaletteChoice, PaletteOptions};
use crate::map::picture::{Channels, PictureHeader, PixelSink};
use crate::{Place, ReadError};

/// Channels that differ by more make a colour. Checkerboard greys differ by 1, compressed greys by more.
const LEAST_COLOUR: u8 = 40;

/// A sink that passes everything on and keeps colours.
pub(crate) struct ColourSink<'s> {
    greys: &'s mut dyn PixelSink,
    choice: PaletteChoice,
    header: Option<PictureHeader>,
    pixels: Vec<[u8; 3]>,
    alpha: Vec<u8>,
    is_coloured: bool,
}

impl<'s> ColourSink<'s> {
    /// A sink in front of another one.
    pub fn new(greys: &'s mut dyn PixelSink, options: &PaletteOptions) -> Self {
        let (pixels, alpha) = (Vec::new(), Vec::new());
        Self { greys, choice: options.choice, header: None, pixels, alpha, is_coloured: false }
    }

    /// The picture, if it is one for a palette.
    ///
    /// # Errors
    /// A palette is named, and the picture has no 8-bit colours or too many pixels.
    pub fn picture(&self, file: &str) -> Result<Option<RgbPicture<'_>>, ReadError> {
        let Some(header) = self.header.filter(|_| self.choice != PaletteChoice::Off) else { return Ok(None) };
        let is_named = matches!(self.choice, PaletteChoice::Named(_));
        let (width, height) = (header.width, header.height);
        if is_named && !is_colour(&header) {
            let found = format!("{:?}, brightest value {}", header.channels, header.max_value);
            return Err(ReadError::malformed(file, Place::File, "8-bit colours for the palette", found));
        }
        if is_named && is_too_large(&header) {
            let expected = format!("at most {MAX_PIXELS} pixels in a picture read through a palette");
            let found = format!("{width} x {height} pixels");
            return Err(ReadError::TooLarge { file: file.to_owned(), place: Place::File, expected, found });
        }
        let alpha = (header.channels == Channels::Rgba).then_some(self.alpha.as_slice());
        let is_wanted = is_kept(&header) && (self.is_coloured || is_named);
        Ok(is_wanted.then_some(RgbPicture { width, height, pixels: &self.pixels, alpha }))
    }

    /// Says that a picture with colours was too large to look for a palette.
    pub fn finding(&self) -> Option<Finding> {
        let is_skipped = self.header.as_ref().is_some_and(is_too_large) && self.is_coloured;
        let message =
            format!("the picture has colours and more than {MAX_PIXELS} pixels; no palette was tried");
        (is_skipped && self.choice == PaletteChoice::Auto)
            .then(|| Finding::warning("PALETTE_NOT_TRIED", message).hint("crop the picture"))
    }

    fn keep<const CHANNELS: usize>(&mut self, pixels: &[[u8; CHANNELS]]) {
        let rgb = pixels.iter().map(|pixel| [pixel[0], pixel[1], pixel[2]]);
        let is_coloured = |[r, g, b]: [u8; 3]| r.max(g).max(b) - r.min(g).min(b) >= LEAST_COLOUR;
        self.is_coloured = self.is_coloured || rgb.clone().any(is_coloured);
        if self.header.as_ref().is_some_and(is_kept) {
            self.pixels.extend(rgb);
        }
    }
}

fn is_colour(header: &PictureHeader) -> bool {
    matches!(header.channels, Channels::Rgb | Channels::Rgba) && header.max_value == 255
}

fn is_too_large(header: &PictureHeader) -> bool {
    is_colour(header) && header.width * header.height > MAX_PIXELS
}

fn is_kept(header: &PictureHeader) -> bool {
    is_colour(header) && !is_too_large(header)
}

impl PixelSink for ColourSink<'_> {
    fn begin(&mut self, header: PictureHeader) {
        self.greys.begin(header);
        self.header = Some(header);
        if is_kept(&header) && self.choice != PaletteChoice::Off {
            let pixels = header.width * header.height;
            self.pixels.reserve_exact(pixels);
            self.alpha.reserve_exact(if header.channels == Channels::Rgba { pixels } else { 0 });
        }
    }

    fn eight(&mut self, samples: &[u8]) {
        self.greys.eight(samples);
        let Some(header) = self.header.filter(is_colour) else { return };
        match header.channels {
            _ if self.choice == PaletteChoice::Off => {}
            Channels::Rgba => {
                let pixels = samples.as_chunks::<4>().0;
                self.keep(pixels);
                if is_kept(&header) {
                    self.alpha.extend(pixels.iter().map(|pixel| pixel[3]));
                }
            }
            _ => self.keep(samples.as_chunks::<3>().0),
        }
    }

    fn sixteen(&mut self, samples: &[u16]) {
        self.greys.sixteen(samples);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::picture::Kept;

    /// Colours and alpha.
    type Planes = (Vec<[u8; 3]>, Option<Vec<u8>>);

    fn fed(channels: Channels, samples: &[u8], choice: PaletteChoice) -> (Kept, Option<Planes>) {
        let mut kept = Kept::default();
        let mut sink = ColourSink::new(&mut kept, &PaletteOptions { choice, ..PaletteOptions::DEFAULT });
        sink.begin(PictureHeader {
            width: samples.len() / channels.count(),
            height: 1,
            channels,
            max_value: 255,
        });
        sink.eight(samples);
        let picture =
            sink.picture("map.png").unwrap().map(|p| (p.pixels.to_vec(), p.alpha.map(<[u8]>::to_vec)));
        (kept, picture)
    }

    #[test]
    fn colours_are_kept_and_passed_on() {
        let (kept, picture) = fed(Channels::Rgba, &[0, 40, 120, 9, 1, 2, 3, 4], PaletteChoice::Auto);
        assert_eq!(kept.samples, [0, 40, 120, 9, 1, 2, 3, 4]);
        assert_eq!(picture, Some((vec![[0, 40, 120], [1, 2, 3]], Some(vec![9, 4]))));
    }

    #[test]
    fn greys_and_unwanted_colours_are_not_offered() {
        assert_eq!(fed(Channels::Grey, &[0, 205], PaletteChoice::Auto).1, None);
        assert_eq!(fed(Channels::Rgb, &[205, 205, 205, 226, 226, 227], PaletteChoice::Auto).1, None);
        assert_eq!(fed(Channels::Rgb, &[0, 40, 120], PaletteChoice::Off).1, None);
        assert!(fed(Channels::Rgb, &[205, 205, 205], PaletteChoice::Named("navigation")).1.is_some());
    }

    #[test]
    fn a_named_palette_needs_colours() {
        let mut kept = Kept::default();
        let options = PaletteOptions { choice: PaletteChoice::Named("hector"), ..PaletteOptions::DEFAULT };
        let mut sink = ColourSink::new(&mut kept, &options);
        sink.begin(PictureHeader { width: 1, height: 1, channels: Channels::Grey, max_value: 255 });
        let error = sink.picture("map.png").unwrap_err();
        assert_eq!(
            error.to_string(),
            "map.png: file: expected 8-bit colours for the palette, found Grey, brightest value 255"
        );
    }

    #[test]
    fn a_picture_beyond_the_limit_is_not_kept_and_that_is_said() {
        let header = PictureHeader { width: MAX_PIXELS, height: 2, channels: Channels::Rgb, max_value: 255 };
        for (choice, is_error) in [(PaletteChoice::Auto, false), (PaletteChoice::Named("hector"), true)] {
            let mut ignored = Ignored;
            let options = PaletteOptions { choice, ..PaletteOptions::DEFAULT };
            let mut sink = ColourSink::new(&mut ignored, &options);
            sink.begin(header);
            sink.eight(&[0, 40, 120]);
            assert_eq!(sink.picture("map.png").is_err(), is_error);
            assert_eq!(sink.finding().is_some(), !is_error);
            assert!(sink.pixels.is_empty() && sink.pixels.capacity() == 0);
        }
    }

    struct Ignored;

    impl PixelSink for Ignored {
        fn begin(&mut self, _: PictureHeader) {}
        fn eight(&mut self, _: &[u8]) {}
        fn sixteen(&mut self, _: &[u16]) {}
    }
}
