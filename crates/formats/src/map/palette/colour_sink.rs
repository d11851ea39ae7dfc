//! Keeps the colours of an image while another sink reads them as greys.
//!
//! Only 8-bit colour images are kept; grey ones pass through untouched. An image whose pixels are all grey,
//! though stored as colours, is an ordinary map and never read through a palette unless one is named.

use model::Finding;

use super::PaletteChoice;
use super::rgb_image::{MAX_PIXELS, RgbImage};
use crate::map::pixel_sink::{Channels, ImageHeader, PixelSink};
use crate::{Place, ReadError};

/// Channels that differ by more make a colour. Checkerboard greys differ by 1, compressed greys by more.
const MIN_COLOUR: u8 = 40;

/// A sink that passes everything on and keeps colours.
pub(crate) struct ColourSink<'s> {
    greys: &'s mut dyn PixelSink,
    choice: PaletteChoice,
    header: Option<ImageHeader>,
    pixels: Vec<[u8; 3]>,
    alpha: Vec<u8>,
    is_coloured: bool,
}

impl<'s> ColourSink<'s> {
    /// A sink in front of another one.
    pub fn new(greys: &'s mut dyn PixelSink, choice: PaletteChoice) -> Self {
        let (pixels, alpha) = (Vec::new(), Vec::new());
        Self { greys, choice, header: None, pixels, alpha, is_coloured: false }
    }

    const fn is_off(&self) -> bool {
        matches!(self.choice, PaletteChoice::Off)
    }

    /// The image, if it is one for a palette.
    ///
    /// # Errors
    /// A palette is named, and the image has no 8-bit colours or too many pixels.
    pub fn image(&self, file: &str) -> Result<Option<RgbImage<'_>>, ReadError> {
        let Some(header) = self.header.filter(|_| !self.is_off()) else { return Ok(None) };
        let is_named = matches!(self.choice, PaletteChoice::Named(_));
        let (width, height) = (header.width, header.height);
        if is_named && !is_colour(&header) {
            let found = format!("{:?}, brightest value {}", header.channels, header.max_value);
            return Err(ReadError::malformed(file, Place::File, "8-bit colours for the palette", found));
        }
        if is_named && is_too_large(&header) {
            let expected = format!("at most {MAX_PIXELS} pixels in an image read through a palette");
            let found = format!("{width} x {height} pixels");
            return Err(ReadError::too_large(file, Place::File, expected, found));
        }
        let alpha = (header.channels == Channels::Rgba).then_some(self.alpha.as_slice());
        let is_wanted = is_kept(&header) && (self.is_coloured || is_named);
        Ok(is_wanted.then_some(RgbImage { width, height, pixels: &self.pixels, alpha }))
    }

    /// Says that an image with colours was too large to look for a palette.
    pub fn finding(&self) -> Option<Finding> {
        let is_skipped = self.header.as_ref().is_some_and(is_too_large) && self.is_coloured;
        let message =
            format!("the image has colours and more than {MAX_PIXELS} pixels; no palette was tried");
        (is_skipped && matches!(self.choice, PaletteChoice::Auto))
            .then(|| Finding::warning("PALETTE_NOT_TRIED", message).hint("crop the image"))
    }

    fn keep<const CHANNELS: usize>(&mut self, pixels: &[[u8; CHANNELS]]) {
        let rgb = pixels.iter().map(|pixel| [pixel[0], pixel[1], pixel[2]]);
        let is_coloured = |[r, g, b]: [u8; 3]| r.max(g).max(b) - r.min(g).min(b) >= MIN_COLOUR;
        self.is_coloured = self.is_coloured || rgb.clone().any(is_coloured);
        if self.header.as_ref().is_some_and(is_kept) {
            self.pixels.extend(rgb);
        }
    }
}

fn is_colour(header: &ImageHeader) -> bool {
    matches!(header.channels, Channels::Rgb | Channels::Rgba) && header.max_value == 255
}

fn is_too_large(header: &ImageHeader) -> bool {
    is_colour(header) && header.width * header.height > MAX_PIXELS
}

fn is_kept(header: &ImageHeader) -> bool {
    is_colour(header) && !is_too_large(header)
}

impl PixelSink for ColourSink<'_> {
    fn begin(&mut self, header: ImageHeader) {
        self.greys.begin(header);
        self.header = Some(header);
        if is_kept(&header) && !self.is_off() {
            let pixels = header.width * header.height;
            self.pixels.reserve_exact(pixels);
            self.alpha.reserve_exact(if header.channels == Channels::Rgba { pixels } else { 0 });
        }
    }

    fn eight(&mut self, samples: &[u8]) {
        self.greys.eight(samples);
        let Some(header) = self.header.filter(is_colour) else { return };
        match header.channels {
            _ if self.is_off() => {}
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

    fn bytes_per_pixel(&self) -> usize {
        self.greys.bytes_per_pixel()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::pixel_sink::Kept;

    type Planes = (Vec<[u8; 3]>, Option<Vec<u8>>);

    fn named(name: &str) -> PaletteChoice {
        let options = crate::ReadOptions { palette: Some(name.to_owned()), ..crate::ReadOptions::default() };
        PaletteChoice::of(&options).unwrap()
    }

    fn fed(channels: Channels, samples: &[u8], choice: PaletteChoice) -> (Kept, Option<Planes>) {
        let mut kept = Kept::default();
        let mut sink = ColourSink::new(&mut kept, choice);
        sink.begin(ImageHeader {
            width: samples.len() / channels.count(),
            height: 1,
            channels,
            max_value: 255,
        });
        sink.eight(samples);
        let image = sink.image("map.png").unwrap().map(|p| (p.pixels.to_vec(), p.alpha.map(<[u8]>::to_vec)));
        (kept, image)
    }

    #[test]
    fn colours_are_kept_and_passed_on() {
        let (kept, image) = fed(Channels::Rgba, &[0, 40, 120, 9, 1, 2, 3, 4], PaletteChoice::Auto);
        assert_eq!(kept.samples, [0, 40, 120, 9, 1, 2, 3, 4]);
        assert_eq!(image, Some((vec![[0, 40, 120], [1, 2, 3]], Some(vec![9, 4]))));
    }

    #[test]
    fn greys_and_unwanted_colours_are_not_offered() {
        assert_eq!(fed(Channels::Grey, &[0, 205], PaletteChoice::Auto).1, None);
        assert_eq!(fed(Channels::Rgb, &[205, 205, 205, 226, 226, 227], PaletteChoice::Auto).1, None);
        assert_eq!(fed(Channels::Rgb, &[0, 40, 120], PaletteChoice::Off).1, None);
        assert!(fed(Channels::Rgb, &[205, 205, 205], named("navigation")).1.is_some());
    }

    #[test]
    fn a_named_palette_needs_colours() {
        let mut kept = Kept::default();
        let mut sink = ColourSink::new(&mut kept, named("hector"));
        sink.begin(ImageHeader { width: 1, height: 1, channels: Channels::Grey, max_value: 255 });
        let error = sink.image("map.png").unwrap_err();
        assert_eq!(
            error.to_string(),
            "map.png: file: expected 8-bit colours for the palette, found Grey, brightest value 255"
        );
    }

    #[test]
    fn an_image_beyond_the_limit_is_not_kept_and_that_is_said() {
        let header = ImageHeader { width: MAX_PIXELS, height: 2, channels: Channels::Rgb, max_value: 255 };
        for (choice, is_error) in [(PaletteChoice::Auto, false), (named("hector"), true)] {
            let mut ignored = Ignored;
            let mut sink = ColourSink::new(&mut ignored, choice);
            sink.begin(header);
            sink.eight(&[0, 40, 120]);
            assert_eq!(sink.image("map.png").is_err(), is_error);
            assert_eq!(sink.finding().is_some(), !is_error);
            assert!(sink.pixels.is_empty() && sink.pixels.capacity() == 0);
        }
    }

    struct Ignored;

    impl PixelSink for Ignored {
        fn begin(&mut self, _: ImageHeader) {}
        fn eight(&mut self, _: &[u8]) {}
        fn sixteen(&mut self, _: &[u16]) {}
        fn bytes_per_pixel(&self) -> usize {
            1
        }
    }
}
