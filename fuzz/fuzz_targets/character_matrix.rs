#![no_main]
//! Any text as a character matrix, scored against a small answer.

use libfuzzer_sys::fuzz_target;
use mapjudge::contest::{CharacterMatrix, matrix_score};

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let answer = CharacterMatrix::parse("1 1 1\n1 5 H\n1 0 1");
    if let (Ok(answer), Ok(submission)) = (answer, CharacterMatrix::parse(text)) {
        if let Ok(score) = matrix_score(&answer, &submission) {
            assert!((0.0..=1.0).contains(&score.value));
        }
    }
});
