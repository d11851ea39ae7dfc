//! Keeps the colours of a picture while another sink reads them as greys.
//!
//! Only 8-bit colour pictures are kept; grey ones pass through untouched. A picture whose pixels are all grey,
//! though stored as colours, is an ordinary map and never read through a palette unless one is named.

use super::rgb_picture::{MAX_PIXELS, RgbPicture};
use super::{PaletteChoice, PaletteOptions};
use crate::picture::{Channels, PictureHeader, PixelSink};

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
        Self {
            greys,
            choice: options.choice,
            header: None,
            pixels: Vec::new(),
            alpha: Vec::new(),
            is_coloured: false,
        }
    }

    /// The picture, if it may be one for a palette.
    pub fn picture(&self) -> Option<RgbPicture<'_>> {
        let header = self.header?;
        let is_wanted = self.is_coloured || matches!(self.choice, PaletteChoice::Named(_));
        let alpha = (header.channels == Channels::Rgba).then_some(self.alpha.as_slice());
        is_wanted.then_some(RgbPicture {
            width: header.width,
            height: header.height,
            pixels: &self.pixels,
            alpha,
        })
    }

    fn keep(&mut self, rgb: [u8; 3]) {
        let [r, g, b] = rgb;
        self.is_coloured |= r.max(g).max(b) - r.min(g).min(b) >= LEAST_COLOUR;
        self.pixels.push(rgb);
    }
}

impl PixelSink for ColourSink<'_> {
    fn begin(&mut self, header: PictureHeader) {
        self.greys.begin(header);
        let pixels = header.width * header.height;
        let is_colour = matches!(header.channels, Channels::Rgb | Channels::Rgba) && header.max_value == 255;
        if is_colour && pixels <= MAX_PIXELS && self.choice != PaletteChoice::Off {
            self.header = Some(header);
            self.pixels.reserve_exact(pixels);
            if header.channels == Channels::Rgba {
                self.alpha.reserve_exact(pixels);
            }
        }
    }

    fn eight(&mut self, samples: &[u8]) {
        self.greys.eight(samples);
        match self.header.map(|header| header.channels) {
            Some(Channels::Rgb) => samples.as_chunks::<3>().0.iter().for_each(|&rgb| self.keep(rgb)),
            Some(Channels::Rgba) => {
                for &[r, g, b, alpha] in samples.as_chunks::<4>().0 {
                    self.keep([r, g, b]);
                    self.alpha.push(alpha);
                }
            }
            _ => {}
        }
    }

    fn sixteen(&mut self, samples: &[u16]) {
        self.greys.sixteen(samples);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::Kept;

    fn fed(
        channels: Channels,
        samples: &[u8],
        choice: PaletteChoice,
    ) -> (Kept, Option<(Vec<[u8; 3]>, Option<Vec<u8>>)>) {
        let mut kept = Kept::default();
        let mut sink = ColourSink::new(&mut kept, &PaletteOptions { choice, ..PaletteOptions::DEFAULT });
        sink.begin(PictureHeader {
            width: samples.len() / channels.count(),
            height: 1,
            channels,
            max_value: 255,
        });
        sink.eight(samples);
        let picture = sink.picture().map(|p| (p.pixels.to_vec(), p.alpha.map(<[u8]>::to_vec)));
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
}
