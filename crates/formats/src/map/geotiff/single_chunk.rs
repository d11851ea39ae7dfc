//! JPEG and CCITT group 4: the strip or tile is handed to the `tiff` crate as a TIFF of its own.
//!
//! That crate reads pages its own way (planar images come back as one plane, palettes not at all), so it
//! gets a page it cannot misread: one strip of plain samples, whose size was checked before.

use std::io::Cursor;

use tiff::decoder::{Decoder, Limits};

use super::layout::{Compression, Layout};

/// Decodes one strip or tile of a page into `decoded`.
pub(super) fn decode(
    layout: &Layout,
    jpeg_tables: Option<&[u8]>,
    data: &[u8],
    decoded: &mut [u8],
) -> Result<(), String> {
    let row_bytes = layout.chunk_row_bytes();
    let rows = decoded.len() / row_bytes;
    if layout.compression == Compression::Jpeg {
        check_jpeg(data, layout, rows)?;
    }
    let page = tiff_of(layout, rows, jpeg_tables, data);
    let mut limits = Limits::default();
    limits.decoding_buffer_size = decoded.len();
    limits.intermediate_buffer_size = data.len();
    limits.ifd_value_size = page.len();
    let decoder = Decoder::new(Cursor::new(page)).map(|decoder| decoder.with_limits(limits));
    let read = decoder.and_then(|mut decoder| decoder.read_chunk_bytes(0, decoded));
    read.map_err(|error| error.to_string())
}

/// A little-endian TIFF with these data as its only strip.
#[allow(
    clippy::cast_possible_truncation,
    reason = "sides, lengths and offsets of one chunk, which has fewer than 2^32 bytes"
)]
fn tiff_of(layout: &Layout, rows: usize, jpeg_tables: Option<&[u8]>, data: &[u8]) -> Vec<u8> {
    let (long, undefined) = (4_u16, 7_u16);
    let tables = jpeg_tables.unwrap_or_default();
    let entries = [
        (256_u16, long, 1, layout.chunk_width),
        (257, long, 1, rows),
        (258, long, 1, layout.bits),
        (259, long, 1, usize::from(layout.compression.tag_value())),
        (262, long, 1, 1),
        (273, long, 1, 0),
        (277, long, 1, layout.chunk_samples()),
        (278, long, 1, rows),
        (279, long, 1, data.len()),
        (347, undefined, tables.len(), 0),
    ];
    let entries = &entries[..if tables.is_empty() { 9 } else { 10 }];
    let tables_at = 8 + 2 + 12 * entries.len() + 4;
    let mut page = b"II\x2a\0\x08\0\0\0".to_vec();
    page.extend((entries.len() as u16).to_le_bytes());
    for &(tag, field_type, count, value) in entries {
        let value = match tag {
            273 => tables_at + tables.len(),
            347 => tables_at,
            _ => value,
        };
        page.extend(tag.to_le_bytes());
        page.extend(field_type.to_le_bytes());
        page.extend((count as u32).to_le_bytes());
        page.extend((value as u32).to_le_bytes());
    }
    page.extend([0; 4]);
    page.extend(tables);
    page.extend(data);
    page
}

/// Refuses a JPEG of another size than its strip or tile, before its decoder takes memory for it.
fn check_jpeg(data: &[u8], layout: &Layout, rows: usize) -> Result<(), String> {
    let mut at = 2;
    while let Some(&[0xff, marker, high, low]) = data.get(at..at + 4) {
        // Start of frame; C4, C8 and CC are other segments.
        if matches!(marker, 0xc0..=0xcf) && !matches!(marker, 0xc4 | 0xc8 | 0xcc) {
            let Some(&[height_high, height_low, width_high, width_low, samples]) = data.get(at + 5..at + 10)
            else {
                break;
            };
            let height = usize::from(u16::from_be_bytes([height_high, height_low]));
            let width = usize::from(u16::from_be_bytes([width_high, width_low]));
            let has_rows = (rows..=layout.chunk_height).contains(&height);
            if width == layout.chunk_width && usize::from(samples) == layout.chunk_samples() && has_rows {
                return Ok(());
            }
            return Err(format!("a JPEG of {width} x {height} pixels of {samples} samples"));
        }
        at += 2 + usize::from(u16::from_be_bytes([high, low]));
    }
    Err("a JPEG without a size".to_owned())
}
