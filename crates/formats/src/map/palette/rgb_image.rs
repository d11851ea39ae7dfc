//! A colour image in memory, whatever file it came in.

use crate::{Place, ReadError};

/// Most pixels that are read through a palette: a map of 68 m x 68 m at 60 pixels per metre. The planes made
/// on the way take up to twenty bytes per pixel.
pub(crate) const MAX_PIXELS: usize = 1 << 24;

/// 8-bit colours, top row first, left to right.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RgbImage<'a> {
    pub width: usize,
    pub height: usize,
    pub pixels: &'a [[u8; 3]],
    /// One value per pixel; 0 is transparent.
    pub alpha: Option<&'a [u8]>,
}

impl RgbImage<'_> {
    /// Refuses planes of another size than the image, and images beyond [`MAX_PIXELS`].
    pub fn check(&self, file: &str) -> Result<(), ReadError> {
        let found = format!("{} x {} pixels", self.width, self.height);
        let cells = self.width.checked_mul(self.height).filter(|&cells| cells > 0);
        let same = |length: usize| Some(length) == cells;
        if !same(self.pixels.len()) || !self.alpha.is_none_or(|alpha| same(alpha.len())) {
            return Err(ReadError::malformed(file, Place::File, "one colour per pixel", found));
        }
        if self.pixels.len() > MAX_PIXELS {
            let expected = format!("at most {MAX_PIXELS} pixels in an image read through a palette");
            return Err(ReadError::too_large(file, Place::File, expected, found));
        }
        Ok(())
    }

    /// True if the pixel is transparent.
    pub fn is_transparent(&self, index: usize) -> bool {
        self.alpha.is_some_and(|alpha| alpha[index] == 0)
    }

    /// Column and row, counted from 0 at the top left, for messages.
    pub const fn position(&self, index: usize) -> (usize, usize) {
        (index % self.width, index / self.width)
    }
}

/// Largest difference of two colours in a channel.
pub(crate) fn difference(a: [u8; 3], b: [u8; 3]) -> u8 {
    a[0].abs_diff(b[0]).max(a[1].abs_diff(b[1])).max(a[2].abs_diff(b[2]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_of_another_size_are_refused() {
        let pixels = [[0; 3]; 6];
        let image = RgbImage { width: 3, height: 2, pixels: &pixels, alpha: None };
        assert!(image.check("a").is_ok());
        assert!(RgbImage { height: 3, ..image }.check("a").is_err());
        assert!(RgbImage { alpha: Some(&[0; 5]), ..image }.check("a").is_err());
        assert!(RgbImage { width: 0, height: 0, pixels: &[], alpha: None }.check("a").is_err());
    }

    #[test]
    fn the_difference_is_that_of_the_worst_channel() {
        assert_eq!(difference([0, 250, 3], [0, 255, 0]), 5);
        assert_eq!(difference([7, 7, 7], [7, 7, 7]), 0);
    }
}
