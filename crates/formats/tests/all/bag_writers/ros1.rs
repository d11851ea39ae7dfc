//! ROS 1 bags of one chunk.

use std::io::Write;

use super::Recording;

fn header_bytes(fields: &[(&str, &[u8])]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (name, value) in fields {
        bytes.extend(((name.len() + 1 + value.len()) as u32).to_le_bytes());
        bytes.extend(name.bytes().chain(*b"=").chain(value.iter().copied()));
    }
    bytes
}

fn record(fields: &[(&str, &[u8])], data: &[u8]) -> Vec<u8> {
    let header = header_bytes(fields);
    let (header_length, data_length) =
        ((header.len() as u32).to_le_bytes(), (data.len() as u32).to_le_bytes());
    [&header_length[..], &header, &data_length, data].concat()
}

fn time_bytes(time_ns: i64) -> Vec<u8> {
    let (seconds, nanoseconds) = ((time_ns / 1_000_000_000) as u32, (time_ns % 1_000_000_000) as u32);
    [seconds.to_le_bytes(), nanoseconds.to_le_bytes()].concat()
}

fn compressed(compression: &str, content: &[u8]) -> Vec<u8> {
    match compression {
        "bz2" => {
            let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
            encoder.write_all(content).unwrap();
            encoder.finish().unwrap()
        }
        "lz4" => {
            let mut encoder = lz4_flex::frame::FrameEncoder::new(Vec::new());
            encoder.write_all(content).unwrap();
            encoder.finish().unwrap()
        }
        _ => content.to_vec(),
    }
}

/// A bag whose chunk is compressed by `none`, `bz2` or `lz4`.
pub fn ros1_bag(recording: &Recording, compression: &str) -> Vec<u8> {
    let connections: Vec<u8> = recording
        .channels
        .iter()
        .enumerate()
        .flat_map(|(id, (topic, type_name))| {
            let data = header_bytes(&[
                ("topic", topic.as_bytes()),
                ("type", type_name.as_bytes()),
                ("md5sum", b"*"),
            ]);
            let id = (id as u32).to_le_bytes();
            record(&[("op", &[7]), ("conn", &id), ("topic", topic.as_bytes())], &data)
        })
        .collect();
    let mut content = connections.clone();
    let mut indices = vec![Vec::new(); recording.channels.len()];
    for (channel, time_ns, data) in &recording.messages {
        let (id, time) = ((*channel as u32).to_le_bytes(), time_bytes(*time_ns));
        indices[*channel].extend([&time[..], &(content.len() as u32).to_le_bytes()].concat());
        content.extend(record(&[("op", &[2]), ("conn", &id), ("time", &time)], data));
    }
    let size = (content.len() as u32).to_le_bytes();
    let stored = compressed(compression, &content);
    let chunk = record(&[("op", &[5]), ("compression", compression.as_bytes()), ("size", &size)], &stored);
    let index: Vec<u8> = indices
        .iter()
        .enumerate()
        .flat_map(|(id, entries)| {
            let (id, count) = ((id as u32).to_le_bytes(), (entries.len() as u32 / 12).to_le_bytes());
            record(&[("op", &[4]), ("ver", &1_u32.to_le_bytes()), ("conn", &id), ("count", &count)], entries)
        })
        .collect();
    let start = b"#ROSBAG V2.0\n".len() + 4096;
    let index_at = ((start + chunk.len() + index.len()) as u64).to_le_bytes();
    let count = (recording.channels.len() as u32).to_le_bytes();
    let fields: [(&str, &[u8]); 4] = [
        ("op", &[3]),
        ("index_pos", &index_at),
        ("conn_count", &count),
        ("chunk_count", &1_u32.to_le_bytes()),
    ];
    let padding = 4096 - 8 - header_bytes(&fields).len();
    let bag_header = record(&fields, &vec![b' '; padding]);
    [b"#ROSBAG V2.0\n", &bag_header[..], &chunk, &index, &connections].concat()
}
