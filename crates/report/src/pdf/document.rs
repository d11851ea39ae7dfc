//! The objects of a PDF file of one page, and the table of where they are.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;

use super::content::Page;

/// The file: catalogue, pages, page, font, content, opacities and images.
pub(super) fn written(size_pt: [f64; 2], page: &Page) -> Vec<u8> {
    let [width, height] = size_pt.map(|side| (side * 100.0).round() / 100.0);
    let numbers = 6..6 + page.images.len();
    let images: String = numbers.clone().map(|number| format!("/Im{} {number} 0 R ", number - 6)).collect();
    let opacity = |(index, hundredths): (usize, &u8)| {
        let share = f64::from(*hundredths) / 100.0;
        format!("/G{index} << /ca {share} /CA {share} >> ")
    };
    let opacities: String = page.opacities.iter().enumerate().map(opacity).collect();
    let mut file = File::new();
    file.object("<< /Type /Catalog /Pages 2 0 R >>", None);
    file.object("<< /Type /Pages /Kids [3 0 R] /Count 1 >>", None);
    file.object(
        &format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width} {height}] /Contents 5 0 R /Resources \
             << /Font << /F0 4 0 R >> /ExtGState << {opacities}>> /XObject << {images}>> >> >>"
        ),
        None,
    );
    file.object("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>", None);
    match packed(page.content.as_bytes()) {
        Some(content) => file.object("/Filter /FlateDecode", Some(&content)),
        None => file.object("", Some(page.content.as_bytes())),
    }
    for image in &page.images {
        file.object(&image.dictionary, Some(&image.data));
    }
    file.finished()
}

fn packed(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok()
}

struct File {
    bytes: Vec<u8>,
    offsets: Vec<usize>,
}

impl File {
    fn new() -> Self {
        // Bytes above 127 tell programs that copy files that this is no text.
        Self { bytes: b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n".to_vec(), offsets: Vec::new() }
    }

    /// The next object: a dictionary, or the inside of one with a stream.
    fn object(&mut self, dictionary: &str, stream: Option<&[u8]>) {
        self.offsets.push(self.bytes.len());
        let number = self.offsets.len();
        match stream {
            None => self.bytes.extend(format!("{number} 0 obj\n{dictionary}\nendobj\n").into_bytes()),
            Some(stream) => {
                let head = format!("{number} 0 obj\n<< {dictionary} /Length {} >>\nstream\n", stream.len());
                self.bytes.extend(head.into_bytes());
                self.bytes.extend(stream);
                self.bytes.extend(b"\nendstream\nendobj\n");
            }
        }
    }

    fn finished(mut self) -> Vec<u8> {
        let start = self.bytes.len();
        let count = self.offsets.len() + 1;
        let mut table = format!("xref\n0 {count}\n0000000000 65535 f \n");
        for offset in &self.offsets {
            table.push_str(&format!("{offset:010} 00000 n \n"));
        }
        table.push_str(&format!("trailer\n<< /Size {count} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n"));
        self.bytes.extend(table.into_bytes());
        self.bytes
    }
}
