//! Our own figures as vector PDF for papers: one page as large as the figure, text as text in Helvetica.
//!
//! Reads the SVG that this crate writes and nothing else: lines, paths, circles, rectangles, text and PNG images.
//! Helvetica is one of the fonts that every PDF reader has, so that it is named and not embedded. Letters outside of
//! Latin-1 print as `?`.

mod content;
mod document;
mod element;
mod font;
mod image;
mod path;

use content::Drawing;
use element::elements;

/// Width of a page in points: 7.5 inches, the text width of most papers and more.
const PAGE_WIDTH_PT: f64 = 540.0;
/// PDF readers refuse longer pages.
const MAX_PAGE_PT: f64 = 14_000.0;

/// The SVG of a figure as a PDF of one page; none if it is no SVG with a size.
pub(crate) fn pdf_of_svg(svg: &str) -> Option<Vec<u8>> {
    let elements = elements(svg);
    let [left, top, width, height] = elements.first().filter(|root| root.name == "svg")?.view_box()?;
    if !(width > 0.0 && height > 0.0) {
        return None;
    }
    let pt_per_unit = (PAGE_WIDTH_PT / width).min(MAX_PAGE_PT / height);
    let mut drawing = Drawing::new(pt_per_unit, [left, top + height]);
    for element in &elements {
        drawing.draw(element);
    }
    let size_pt = [width * pt_per_unit, height * pt_per_unit];
    Some(document::written(size_pt, &drawing.finished()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SVG: &str = "<svg class=\"plot\" viewBox=\"0 0 720 300\" font-size=\"13\" xmlns=\"x\">\n\
        <line x1=\"0\" y1=\"0\" x2=\"720\" y2=\"300\" stroke=\"currentColor\" opacity=\"0.18\"/>\
        <path d=\"M10 20h0M1 2l3 -4v5H9V8m1-1L2,3A5 5 0 1 0 9 9\" fill=\"none\" stroke=\"#d55e00\" stroke-dasharray=\"2 3\"/>\
        <g opacity=\"0.5\"><text x=\"100\" y=\"50\" text-anchor=\"end\" fill=\"currentColor\">5 &lt; 6 (≥ 7) \\ ü地</text></g>\
        <rect x=\"1\" y=\"2\" width=\"3\" height=\"4\" fill=\"#fff\"/></svg>\n";

    fn text(bytes: &[u8]) -> String {
        String::from_utf8_lossy(bytes).into_owned()
    }

    /// The offsets of the table of objects, checked against the objects themselves.
    fn check_offsets(pdf: &[u8]) -> usize {
        let whole = text(pdf);
        let start: usize =
            whole.rsplit("startxref\n").next().unwrap().split('\n').next().unwrap().parse().unwrap();
        let table = text(&pdf[start..]);
        let mut lines = table.lines();
        assert_eq!(lines.next(), Some("xref"));
        let count: usize = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        for (number, line) in lines.skip(1).take(count - 1).enumerate() {
            let offset: usize = line[..10].parse().unwrap();
            let object = text(&pdf[offset..offset + 12]);
            assert!(object.starts_with(&format!("{} 0 obj", number + 1)), "{object}");
        }
        count
    }

    #[test]
    fn a_figure_becomes_one_page_with_text_as_text() {
        let pdf = pdf_of_svg(SVG).unwrap();
        assert!(pdf.starts_with(b"%PDF-1.4") && pdf.ends_with(b"%%EOF\n"));
        assert!(check_offsets(&pdf) > 4);
        let whole = text(&pdf);
        assert!(whole.contains("/MediaBox [0 0 540 225]"), "{whole}");
        assert!(whole.contains("/BaseFont /Helvetica"));
        assert_eq!(pdf, pdf_of_svg(SVG).unwrap(), "same figure, same bytes");
    }

    #[test]
    fn lines_keep_their_place_and_opacity() {
        let mut drawing = Drawing::new(1.0, [0.0, 300.0]);
        elements(SVG).iter().for_each(|element| drawing.draw(element));
        let content = drawing.finished().content;
        assert!(content.contains("0 300 m\n720 0 l\n"), "{content}");
        assert!(content.contains("[2 3] 0 d"), "{content}");
        // The bracket and the backslash are escaped, the letter of another script is not known.
        assert!(content.contains("(5 < 6 \\(>= 7\\) \\\\ \\374?) Tj"), "{content}");
    }

    #[test]
    fn what_is_no_figure_is_no_page() {
        for text in [
            "",
            "<svg>",
            "<svg viewBox=\"0 0 0 5\">",
            "<p>",
            "<svg viewBox=\"a b c d\">",
            "<svg viewBox=\"0 0 1 1",
        ] {
            assert!(pdf_of_svg(text).is_none(), "{text}");
        }
    }

    #[test]
    fn damaged_paths_and_images_are_left_out() {
        let svg = "<svg viewBox=\"0 0 9 9\"><path d=\"M1 xx 3\"/><image href=\"data:image/png;base64,AAAA\" width=\"3\" height=\"3\"/>\
                   <text x=\"NaN\" y=\"1\">a</text></svg>";
        let pdf = text(&pdf_of_svg(svg).unwrap());
        assert!(!pdf.contains("NaN") && !pdf.contains("/Subtype /Image"));
    }
}
