//! Puts the strips or tiles of a page together: decompress, undo the predictor, copy into place.
//!
//! The result is interleaved whatever the file does: all samples of the top-left pixel first, in the byte
//! order of this machine, one byte per sample of fewer than 8 bits.

use super::codec::{Codec, short};
use super::directory::{ByteOrder, Directory};
use super::layout::{Layout, Planes, Predictor};
use crate::{Place, ReadError};

/// All samples of a page. `left_out` is the byte with which strips that are not stored are filled.
pub(super) fn decode(directory: &Directory<'_>, layout: &Layout, left_out: u8) -> Result<Vec<u8>, ReadError> {
    let image_bytes = layout.width * layout.height * layout.samples * layout.sample_bytes();
    let mut codec = Codec::new(layout, directory.data(347));
    let mut chunk_into = |chunk: usize, decoded: &mut [u8]| -> Result<(), ReadError> {
        let (offset, length) = layout.chunks[chunk];
        if (offset, length) == (0, 0) {
            decoded.fill(left_out);
            return Ok(());
        }
        let data = stored(directory, chunk, (offset, length))?;
        codec.decode(data, decoded).map_err(|found| damaged(directory, chunk, offset, &found))?;
        restore(decoded, layout, directory.tiff.order);
        Ok(())
    };
    let bytes_of =
        |chunk: usize| layout.rows_in_chunk(chunk % layout.chunks_per_plane()) * layout.chunk_row_bytes();
    if !layout.is_tiled && layout.planes == Planes::Together && layout.bits >= 8 {
        // Strips of whole rows are decoded where they belong. Memory is touched strip by strip, so that a strip is
        // still in the cache when it is filled (4000 x 4000 cells: a fifth of the time).
        let mut image = Vec::with_capacity(image_bytes);
        for chunk in 0..layout.chunks.len() {
            let start = image.len();
            image.resize(start + bytes_of(chunk), 0);
            chunk_into(chunk, &mut image[start..])?;
        }
        return Ok(image);
    }
    let mut image = vec![0; image_bytes];
    let mut detour = vec![0; layout.chunk_row_bytes() * layout.chunk_height];
    for chunk in 0..layout.chunks.len() {
        let decoded = &mut detour[..bytes_of(chunk)];
        chunk_into(chunk, decoded)?;
        place(decoded, layout, chunk, &mut image);
    }
    Ok(image)
}

/// The bytes of a strip or tile in the file.
fn stored<'a>(
    directory: &Directory<'a>,
    chunk: usize,
    (offset, length): (u64, u64),
) -> Result<&'a [u8], ReadError> {
    let bytes = directory.tiff.bytes;
    let start = usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len());
    let left = &bytes[start..];
    match usize::try_from(length).ok().and_then(|length| left.get(..length)) {
        Some(data) if !data.is_empty() => Ok(data),
        _ => {
            let found = short(usize::try_from(length).unwrap_or(usize::MAX), left.len());
            Err(damaged(directory, chunk, offset, &found)
                .with_hint("the file was cut off, perhaps while it was copied; fetch it again"))
        }
    }
}

fn damaged(directory: &Directory<'_>, chunk: usize, offset: u64, found: &str) -> ReadError {
    let place = Place::Byte(usize::try_from(offset).unwrap_or(usize::MAX));
    let expected = format!("a complete strip or tile {}", chunk + 1);
    ReadError::malformed(directory.tiff.file, place, expected, found).with_hint("fetch the file again")
}

/// Turns stored bytes into samples of this machine: byte order first, then the predictor, row by row.
fn restore(decoded: &mut [u8], layout: &Layout, order: ByteOrder) {
    let size = layout.sample_bytes();
    if layout.predictor == Predictor::FloatingPoint {
        for row in decoded.chunks_exact_mut(layout.chunk_row_bytes()) {
            undo_floating_point(row, size, layout.chunk_samples());
        }
        return;
    }
    let is_foreign = (order == ByteOrder::Big) == cfg!(target_endian = "little");
    if size > 1 && is_foreign {
        decoded.chunks_exact_mut(size).for_each(<[u8]>::reverse);
    }
    if layout.predictor == Predictor::Horizontal {
        for row in decoded.chunks_exact_mut(layout.chunk_row_bytes()) {
            undo_horizontal(row, size, layout.chunk_samples());
        }
    }
}

/// TIFF 6.0, section 14: each sample was stored as the difference to the one left of it.
fn undo_horizontal(row: &mut [u8], size: usize, samples: usize) {
    match size {
        1 => add_up::<1>(row, samples, |left, here| [here[0].wrapping_add(left[0])]),
        2 => add_up(row, samples, |left, here| {
            u16::from_ne_bytes(here).wrapping_add(u16::from_ne_bytes(left)).to_ne_bytes()
        }),
        4 => add_up(row, samples, |left, here| {
            u32::from_ne_bytes(here).wrapping_add(u32::from_ne_bytes(left)).to_ne_bytes()
        }),
        _ => add_up(row, samples, |left, here| {
            u64::from_ne_bytes(here).wrapping_add(u64::from_ne_bytes(left)).to_ne_bytes()
        }),
    }
}

/// Adds to each number of `SIZE` bytes the one `samples` numbers before it.
fn add_up<const SIZE: usize>(
    row: &mut [u8],
    samples: usize,
    sum: impl Fn([u8; SIZE], [u8; SIZE]) -> [u8; SIZE],
) {
    let numbers = row.as_chunks_mut::<SIZE>().0;
    for at in samples..numbers.len() {
        numbers[at] = sum(numbers[at - samples], numbers[at]);
    }
}

/// Adobe's TIFF technical note 3: the bytes of the samples of a row were sorted by significance, most
/// significant first, and stored as differences.
fn undo_floating_point(row: &mut [u8], size: usize, samples: usize) {
    for at in samples..row.len() {
        row[at] = row[at].wrapping_add(row[at - samples]);
    }
    let (sorted, count) = (row.to_vec(), row.len() / size);
    for (sample, bytes) in row.chunks_exact_mut(size).enumerate() {
        for (significance, byte) in bytes.iter_mut().enumerate() {
            *byte = sorted[significance * count + sample];
        }
        if cfg!(target_endian = "little") {
            bytes.reverse();
        }
    }
}

/// Copies a strip or tile to its place in the image, cutting off what lies beyond the edges.
fn place(decoded: &[u8], layout: &Layout, chunk: usize, image: &mut [u8]) {
    let in_plane = chunk % layout.chunks_per_plane();
    let channel = chunk / layout.chunks_per_plane();
    let first_column = in_plane % layout.chunks_across() * layout.chunk_width;
    let first_row = in_plane / layout.chunks_across() * layout.chunk_height;
    let columns = layout.chunk_width.min(layout.width - first_column);
    let rows = layout.chunk_height.min(layout.height - first_row);
    let (size, pixel_bytes) = (layout.sample_bytes(), layout.samples * layout.sample_bytes());
    for (row, stored) in decoded.chunks_exact(layout.chunk_row_bytes()).take(rows).enumerate() {
        let start = ((first_row + row) * layout.width + first_column) * pixel_bytes;
        let target = &mut image[start..start + columns * pixel_bytes];
        if layout.bits < 8 {
            unpack(stored, layout.bits, target);
        } else if layout.planes == Planes::Together {
            target.copy_from_slice(&stored[..target.len()]);
        } else {
            for (pixel, sample) in target.chunks_exact_mut(pixel_bytes).zip(stored.chunks_exact(size)) {
                pixel[channel * size..(channel + 1) * size].copy_from_slice(sample);
            }
        }
    }
}

/// Samples of fewer than 8 bits, most significant first, into a byte each.
#[allow(clippy::cast_possible_truncation, reason = "fewer than 8 bits")]
fn unpack(packed: &[u8], bits: usize, samples: &mut [u8]) {
    let (per_byte, mask) = (8 / bits, (1_u16 << bits) - 1);
    for (group, &byte) in samples.chunks_mut(per_byte).zip(packed) {
        for (position, sample) in group.iter_mut().enumerate() {
            *sample = (byte >> (8 - bits * (position + 1))) & mask as u8;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_add_up_per_channel_and_wrap() {
        let mut row = vec![10, 20, 1, 2, 255, 255];
        undo_horizontal(&mut row, 1, 2);
        assert_eq!(row, [10, 20, 11, 22, 10, 21]);
        let mut wide: Vec<u8> = [1000_u16, 65000, 600].iter().flat_map(|v| v.to_ne_bytes()).collect();
        undo_horizontal(&mut wide, 2, 1);
        let words: Vec<u16> = wide.chunks_exact(2).map(|b| u16::from_ne_bytes([b[0], b[1]])).collect();
        assert_eq!(words, [1000, 464, 1064]);
    }

    #[test]
    fn sorted_bytes_of_reals_come_back() {
        let values = [1.5_f32, -0.25, 1.0e-9];
        let mut sorted: Vec<u8> = (0..4).flat_map(|s| values.map(|v| v.to_be_bytes()[s])).collect();
        for at in (1..sorted.len()).rev() {
            sorted[at] = sorted[at].wrapping_sub(sorted[at - 1]);
        }
        undo_floating_point(&mut sorted, 4, 1);
        let found: Vec<f32> =
            sorted.chunks_exact(4).map(|b| f32::from_ne_bytes([b[0], b[1], b[2], b[3]])).collect();
        assert_eq!(found, values);
    }

    #[test]
    fn bits_come_most_significant_first() {
        let mut samples = [9; 5];
        unpack(&[0b1010_0101], 1, &mut samples);
        assert_eq!(samples, [1, 0, 1, 0, 0]);
        unpack(&[0b1101_1000, 0b0100_0000], 2, &mut samples);
        assert_eq!(samples, [3, 1, 2, 0, 1]);
    }
}
