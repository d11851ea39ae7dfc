//! PNG images inside a page: PDF packs pixels as PNG does, so that they are copied as they are.

use base64::Engine;

/// An image ready to be written: its dictionary without the length, and its packed pixels.
pub(super) struct PngImage {
    pub(super) dictionary: String,
    pub(super) data: Vec<u8>,
}

/// The image of a `data:` address; none if it is no PNG, is interlaced or has an alpha channel.
pub(super) fn image_of(address: &str) -> Option<PngImage> {
    let text = address.strip_prefix("data:image/png;base64,")?;
    let png = base64::engine::general_purpose::STANDARD.decode(text).ok()?;
    let mut rest = png.strip_prefix(b"\x89PNG\r\n\x1a\n")?;
    let (mut header, mut palette, mut data) = (None, Vec::new(), Vec::new());
    while let Some((kind, content, after)) = chunk(rest) {
        match kind {
            b"IHDR" => header = Some(content),
            b"PLTE" => palette = content.to_vec(),
            b"IDAT" => data.extend_from_slice(content),
            _ => {}
        }
        rest = after;
    }
    let header: &[u8; 13] = header?.try_into().ok()?;
    let side = |at: usize| u32::from_be_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
    let (width, height, bits) = (side(0), side(4), header[8]);
    if header[12] != 0 || data.is_empty() {
        return None;
    }
    let (space, colours) = match header[9] {
        0 => ("/DeviceGray".to_owned(), 1),
        2 => ("/DeviceRGB".to_owned(), 3),
        3 => {
            let hex: String = palette.iter().map(|byte| format!("{byte:02x}")).collect();
            (format!("[/Indexed /DeviceRGB {} <{hex}>]", (palette.len() / 3).checked_sub(1)?), 1)
        }
        _ => return None,
    };
    let dictionary = format!(
        "/Type /XObject /Subtype /Image /Width {width} /Height {height} /ColorSpace {space} /BitsPerComponent {bits} \
         /Filter /FlateDecode /DecodeParms << /Predictor 15 /Colors {colours} /BitsPerComponent {bits} /Columns {width} >>"
    );
    Some(PngImage { dictionary, data })
}

/// Kind and content of the next chunk, and what follows it.
fn chunk(bytes: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let length = u32::from_be_bytes(bytes.get(..4)?.try_into().ok()?) as usize;
    let end = length.checked_add(8)?;
    Some((bytes.get(4..8)?, bytes.get(8..end)?, bytes.get(end.checked_add(4)?..)?))
}
