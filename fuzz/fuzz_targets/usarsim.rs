#![no_main]
//! Any bytes as a message log, as lines of a live connection, and as one message.

use libfuzzer_sys::fuzz_target;
use mapjudge_formats::usarsim::{LiveReader, Message, read_message_log_bytes};
use mapjudge_formats::{NamedBytes, read_document_bytes};

mod variants;

fuzz_target!(|bytes: &[u8]| {
    for options in variants::options() {
        let mut live = LiveReader::new(&options);
        for line in bytes.split(|byte| *byte == b'\n') {
            let _ = live.take(line);
        }
        let _ = read_document_bytes(NamedBytes { name: "run.usar", bytes }, &[], &options);
    }
    let _ = read_message_log_bytes(NamedBytes { name: "run.usar", bytes }, 0.5);
    if let Ok(message) = Message::parse(bytes) {
        assert_eq!(Message::parse(message.to_string().as_bytes()).as_ref(), Ok(&message));
    }
});
