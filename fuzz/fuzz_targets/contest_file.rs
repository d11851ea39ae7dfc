#![no_main]
//! Any text as a contest file under a shipped profile.

use libfuzzer_sys::fuzz_target;
use mapjudge::contest::Contest;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = Contest::parse(text, "contest.toml", "nowhere".into());
    }
});
