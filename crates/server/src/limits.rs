//! Limits of the server: what a stranger, or a broken page, can take at most. A contest sets its own under `[serve.limits]`.

use std::time::Duration;

/// Connections at a time.
pub const MAX_CONNECTIONS: usize = 512;
/// Until the head of a request is there.
pub const HEAD_TIME: Duration = Duration::from_secs(10);
/// Without a byte in either direction.
pub const IDLE_TIME: Duration = Duration::from_secs(60);
/// Bytes of a JSON body.
pub const MAX_JSON_BYTES: usize = 1 << 20;
/// Pixels of a picture that is drawn for one view.
pub const MAX_PICTURE_PIXELS: usize = 4 << 20;
/// Wrong codes within a minute, before log-in is refused for the rest of it.
pub const MAX_WRONG_CODES: usize = 5;
/// Numbers and alignments that are computed at a time; more requests wait.
pub const MAX_COMPUTING: usize = 2;
/// Between signs of life of the event stream.
pub const HEARTBEAT: Duration = Duration::from_secs(15);
/// Between looks at the record under review, for lines of others.
pub const FOLLOW_EVERY: Duration = Duration::from_millis(500);
