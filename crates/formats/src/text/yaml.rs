//! YAML as every reader here takes it: small documents, strict keys, and bounds on what a hostile one can do.

use serde::de::DeserializeOwned;
use serde_saphyr::options::{DuplicateKeyPolicy, MergeKeyPolicy};

use crate::error::excerpt;
use crate::format::without_byte_order_mark;
use crate::{Place, ReadError};

/// The largest YAML that is parsed. Map descriptions are a few hundred bytes; ours, with much room.
const MAX_YAML_BYTES: usize = 1 << 20;

/// Reads one YAML document. Unknown keys are left to `T`; a key that stands twice is refused.
pub(crate) fn from_bytes<T: DeserializeOwned>(file: &str, bytes: &[u8]) -> Result<T, ReadError> {
    if bytes.len() > MAX_YAML_BYTES {
        return Err(ReadError::TooLarge {
            file: file.to_owned(),
            place: Place::File,
            expected: format!("at most {MAX_YAML_BYTES} bytes of YAML"),
            found: format!("{} bytes", bytes.len()),
        });
    }
    let bytes = without_byte_order_mark(bytes);
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        ReadError::malformed(file, Place::Byte(at), "text in UTF-8", excerpt(&bytes[at..]))
    })?;
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_events: 20_000,
            max_nodes: 10_000,
            max_depth: 32,
            max_documents: 2,
            max_aliases: 64,
            max_anchors: 64,
        },
        alias_limits: serde_saphyr::alias_limits! {
            max_total_replayed_events: 1_000,
            max_replay_stack_depth: 8,
        },
        duplicate_keys: DuplicateKeyPolicy::Error,
        merge_keys: MergeKeyPolicy::Error,
        emit_comments: false,
    };
    serde_saphyr::from_str_with_options(text, options).map_err(|error| {
        let place = error.location().map_or(Place::File, |at| Place::Line(at.line() as usize));
        let found = error.without_snippet().to_string();
        let found = found.lines().next().unwrap_or_default().to_owned();
        ReadError::malformed(file, place, "the YAML of a map", found)
    })
}
