//! A format: its name, how it is recognised, and its reader of bytes.

use model::{Finding, Grid, VectorLayer};

use crate::map::map_file::Layer;
use crate::map::pixel_sink::PixelSink;
use crate::source::Source;
use crate::{Content, Georeference, ReadError, ReadOptions};

/// Whether a file may be of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sniff {
    /// By the first bytes.
    ByBytes,
    /// By the name alone.
    ByName,
    No,
}

/// A format of map files.
pub(crate) struct Format {
    /// Stable name for reports.
    pub name: &'static str,
    pub title: &'static str,
    /// Bytes are asked first, then the lower-case name.
    pub sniff: fn(bytes: &[u8], name: &str) -> Sniff,
    pub reader: Reader,
}

/// Kinds of reader: of images, which need thresholds to become maps, of whole maps, and of all else.
pub(crate) enum Reader {
    /// Decodes pixels into a sink and returns findings; also serves the `image` of a ROS map.
    Image(fn(source: &mut Source<'_>, sink: &mut dyn PixelSink) -> Result<Vec<Finding>, ReadError>),
    /// Reads anything that is no map.
    Content(fn(input: &mut Input<'_>, options: &ReadOptions) -> Result<ReadContent, ReadError>),
    /// Reads a map and lists the other layers of its file.
    Layers(fn(input: &mut Input<'_>, options: &ReadOptions) -> Result<ReadLayers, ReadError>),
    Map(fn(input: &mut Input<'_>, options: &ReadOptions) -> Result<ReadMap, ReadError>),
}

/// Something that is no map, as a reader returns it.
pub(crate) struct ReadContent {
    pub content: Content,
    pub findings: Vec<Finding>,
}

/// A map as a reader returns it.
pub(crate) struct ReadMap {
    pub grid: Grid,
    /// What is drawn on the map.
    pub marks: Vec<VectorLayer>,
    pub findings: Vec<Finding>,
    pub georeference: Georeference,
}

/// A map of a file with several layers, as a reader returns it.
pub(crate) struct ReadLayers {
    pub map: ReadMap,
    pub layers: Vec<Layer>,
    pub crs: Option<String>,
    pub geotransform: Option<[f64; 6]>,
}

impl From<ReadMap> for ReadLayers {
    fn from(map: ReadMap) -> Self {
        Self { map, layers: Vec::new(), crs: None, geotransform: None }
    }
}

/// A file and the files beside it.
pub(crate) struct Input<'a> {
    pub source: Source<'a>,
    pub companions: &'a mut dyn Companions,
}

/// Files beside the one that is read: the image of a YAML, a world file, an attribute table.
pub(crate) trait Companions {
    /// True if there is a file of this relative (or absolute) path.
    fn exists(&self, relative_path: &str) -> bool;
    /// True if a file of this path may not be opened, whether there is one or not.
    fn is_outside(&self, _relative_path: &str) -> bool {
        false
    }
    fn open(&mut self, relative_path: &str) -> Result<Source<'_>, ReadError>;
    /// The path that is looked at, for messages.
    fn shown_path(&self, relative_path: &str) -> String;
}

/// The format of some bytes: the first that knows them by their beginning, else by the name.
pub(crate) fn recognise(
    formats: impl IntoIterator<Item = &'static Format> + Clone,
    bytes: &[u8],
    name: &str,
) -> Option<&'static Format> {
    let name = name.to_ascii_lowercase();
    let by_bytes = formats.clone().into_iter().find(|format| (format.sniff)(bytes, &name) == Sniff::ByBytes);
    by_bytes.or_else(|| formats.into_iter().find(|format| (format.sniff)(bytes, &name) == Sniff::ByName))
}

/// [`Sniff::ByName`] if the name ends like one of these, else [`Sniff::No`].
pub(crate) fn by_name(name: &str, endings: &[&str]) -> Sniff {
    if endings.iter().any(|ending| name.ends_with(ending)) { Sniff::ByName } else { Sniff::No }
}

/// Text without its byte-order marks: a file that went through several programs may have more than one.
pub(crate) fn without_byte_order_mark(mut bytes: &[u8]) -> &[u8] {
    while let Some(rest) = bytes.strip_prefix(b"\xEF\xBB\xBF") {
        bytes = rest;
    }
    bytes
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use crate::{NamedBytes, ReadOptions, read_map_bytes};

    #[test]
    fn every_format_has_its_own_name() {
        let names: BTreeSet<_> = crate::all().flat_map(|format| [format.name, format.title]).collect();
        assert_eq!(names.len(), 2 * crate::all().count());
    }

    #[test]
    fn every_format_refuses_garbage_under_its_own_ending() {
        for name in ["map.png", "map.bmp", "map.tif", "map.pgm", "map.yaml", "map.txt", "map"] {
            for bytes in [&b""[..], b"\0\x01\x02\x03\xff", b"lorem ipsum dolor", &[b'x'; 5000]] {
                let error = read_map_bytes(NamedBytes { name, bytes }, &[], &ReadOptions::default());
                assert_eq!(error.unwrap_err().file(), Some(name));
            }
        }
    }
}
