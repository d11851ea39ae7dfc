//! YAML as every reader here takes it: small documents, strict keys, and bounds on what a hostile one can do.

use serde::de::DeserializeOwned;
use serde_saphyr::options::{DuplicateKeyPolicy, MergeKeyPolicy};

use crate::text::text_encoding::utf8;
use crate::{Place, ReadError};

/// The largest YAML that is parsed. Map descriptions are a few hundred bytes; ours, with much room.
const MAX_YAML_BYTES: usize = 1 << 20;

/// Reads one YAML document. Unknown keys are left to `T`; a key that stands twice is refused.
pub(crate) fn from_bytes<T: DeserializeOwned>(file: &str, bytes: &[u8]) -> Result<T, ReadError> {
    if bytes.len() > MAX_YAML_BYTES {
        let expected = format!("at most {MAX_YAML_BYTES} bytes of YAML");
        return Err(ReadError::too_large(file, Place::File, expected, format!("{} bytes", bytes.len())));
    }
    let text = utf8(file, bytes)?;
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
    };
    serde_saphyr::from_str_with_options(text, options).map_err(|error| {
        let place = error
            .location()
            .map_or(Place::File, |at| Place::Line(usize::try_from(at.line()).unwrap_or(usize::MAX)));
        let found = error.without_snippet().to_string();
        let found = found.lines().next().unwrap_or_default().to_owned();
        ReadError::malformed(file, place, "the YAML of a map", found)
    })
}
