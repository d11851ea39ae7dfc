#![no_main]
//! Any text as a rule profile, and as the formula of one.

use libfuzzer_sys::fuzz_target;
use mapjudge::contest::{Formula, Profile, Quantity};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = Profile::parse(text, "profile.toml");
        if let Ok(formula) = Formula::parse(text) {
            let scope = |_: &str| Ok(Quantity::List(vec![1.0, 0.0]));
            let _ = formula.evaluate(&scope);
            let _ = formula.substituted(&scope);
        }
    }
});
