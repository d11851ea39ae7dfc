//! mcap files of one chunk.

use super::Recording;

fn record(op: u8, parts: &[&[u8]]) -> Vec<u8> {
    let content = parts.concat();
    [&[op][..], &(content.len() as u64).to_le_bytes(), &content].concat()
}

fn text(text: &str) -> Vec<u8> {
    [&(text.len() as u32).to_le_bytes()[..], text.as_bytes()].concat()
}

fn compressed(compression: &str, content: &[u8]) -> Vec<u8> {
    match compression {
        "zstd" => zstd::encode_all(content, 1).unwrap(),
        "lz4" => {
            let mut encoder = lz4_flex::frame::FrameEncoder::new(Vec::new());
            std::io::Write::write_all(&mut encoder, content).unwrap();
            encoder.finish().unwrap()
        }
        _ => content.to_vec(),
    }
}

/// A file whose chunk is compressed by nothing (empty), `lz4` or `zstd`; its messages are in CDR.
pub fn mcap(recording: &Recording, compression: &str) -> Vec<u8> {
    let mut content = Vec::new();
    for (index, (topic, type_name)) in recording.channels.iter().enumerate() {
        let type_name = type_name.replacen('/', "/msg/", 1);
        let (schema, channel) = ((index as u16 + 1).to_le_bytes(), (index as u16).to_le_bytes());
        content.extend(record(3, &[&schema, &text(&type_name), &text("ros2msg"), &text("")]));
        content.extend(record(4, &[&channel, &schema, &text(topic), &text("cdr"), &[0; 4]]));
    }
    for (channel, time_ns, data) in &recording.messages {
        let (channel, time) = ((*channel as u16).to_le_bytes(), time_ns.to_le_bytes());
        content.extend(record(5, &[&channel, &[0; 4], &time, &time, data]));
    }
    let stored = compressed(compression, &content);
    let (size, crc) = ((content.len() as u64).to_le_bytes(), crc32fast::hash(&content).to_le_bytes());
    let length = (stored.len() as u64).to_le_bytes();
    let chunk = record(6, &[&[0; 16], &size, &crc, &text(compression), &length, &stored]);
    let messages = (recording.messages.len() as u64).to_le_bytes();
    let magic = b"\x89MCAP0\r\n";
    let header = record(1, &[&text("ros2"), &text("test")]);
    let (end, statistics) = (record(15, &[&[0; 4]]), record(11, &[&messages, &[0; 38]]));
    [&magic[..], &header, &chunk, &end, &statistics, &record(2, &[&[0; 20]]), magic].concat()
}
