//! SQLite files with the tables of a ROS 2 bag, pages of 512 bytes: rows overflow and the tree has two levels.

use super::Recording;

const PAGE: usize = 512;
/// Children of an interior page.
const CHILDREN: usize = 20;

enum Value<'a> {
    Null,
    Integer(i64),
    Text(&'a str),
    Blob(&'a [u8]),
}

fn varint(value: u64) -> Vec<u8> {
    let mut bytes = vec![(value & 0x7F) as u8];
    let mut rest = value >> 7;
    while rest > 0 {
        bytes.insert(0, (rest & 0x7F) as u8 | 0x80);
        rest >>= 7;
    }
    bytes
}

fn record(values: &[Value<'_>]) -> Vec<u8> {
    let (mut kinds, mut body) = (Vec::new(), Vec::new());
    for value in values {
        match value {
            Value::Null => kinds.extend(varint(0)),
            Value::Integer(number) => {
                kinds.extend(varint(6));
                body.extend(number.to_be_bytes());
            }
            Value::Text(text) => {
                kinds.extend(varint(13 + 2 * text.len() as u64));
                body.extend(text.bytes());
            }
            Value::Blob(bytes) => {
                kinds.extend(varint(12 + 2 * bytes.len() as u64));
                body.extend(*bytes);
            }
        }
    }
    [varint(kinds.len() as u64 + 1), kinds, body].concat()
}

/// Pages of a file; the first is filled in last.
struct Pages(Vec<Vec<u8>>);

impl Pages {
    fn push(&mut self, page: Vec<u8>) -> u32 {
        self.0.push(page);
        self.0.len() as u32
    }

    /// A cell of a leaf, with what is too long on pages of its own.
    fn cell(&mut self, id: u64, record: &[u8]) -> Vec<u8> {
        let (most, least) = (PAGE - 35, (PAGE - 12) * 32 / 255 - 23);
        let mut local = record.len();
        if local > most {
            let kept = least + (record.len() - least) % (PAGE - 4);
            local = if kept <= most { kept } else { least };
        }
        let mut cell = [varint(record.len() as u64), varint(id), record[..local].to_vec()].concat();
        if local < record.len() {
            let first = self.0.len() as u32 + 1;
            cell.extend(first.to_be_bytes());
            let parts: Vec<_> = record[local..].chunks(PAGE - 4).collect();
            for (index, part) in parts.iter().enumerate() {
                let next = if index + 1 < parts.len() { first + index as u32 + 1 } else { 0 };
                let mut page = [&next.to_be_bytes()[..], part].concat();
                page.resize(PAGE, 0);
                self.push(page);
            }
        }
        cell
    }

    /// A table of records with ids from 1 on; returns its root.
    fn table(&mut self, records: &[Vec<u8>]) -> u32 {
        let (mut leaves, mut cells, mut used) = (Vec::new(), Vec::new(), 8);
        for (index, record) in records.iter().enumerate() {
            let cell = self.cell(index as u64 + 1, record);
            if used + cell.len() + 2 > PAGE {
                leaves.push((self.push(page(13, 0, &cells, None)), index as u64));
                (cells, used) = (Vec::new(), 8);
            }
            used += cell.len() + 2;
            cells.push(cell);
        }
        leaves.push((self.push(page(13, 0, &cells, None)), records.len() as u64));
        let mut level = leaves;
        while level.len() > 1 {
            let groups: Vec<_> = level.chunks(CHILDREN).map(<[_]>::to_vec).collect();
            level = groups.iter().map(|children| self.interior(children)).collect();
        }
        level[0].0
    }

    /// An interior page over children, each with the largest id below it.
    fn interior(&mut self, children: &[(u32, u64)]) -> (u32, u64) {
        let (&(right, largest), others) = children.split_last().unwrap();
        let cells: Vec<_> =
            others.iter().map(|(child, id)| [child.to_be_bytes().to_vec(), varint(*id)].concat()).collect();
        (self.push(page(5, 0, &cells, Some(right))), largest)
    }
}

/// A page of a tree; its cells fill it from the end.
fn page(kind: u8, start: usize, cells: &[Vec<u8>], right: Option<u32>) -> Vec<u8> {
    let mut page = vec![0; PAGE];
    let mut end = PAGE;
    let pointers = start + if right.is_some() { 12 } else { 8 };
    for (index, cell) in cells.iter().enumerate() {
        end -= cell.len();
        assert!(pointers + 2 * cells.len() <= end, "too many cells for a page");
        page[end..end + cell.len()].copy_from_slice(cell);
        page[pointers + 2 * index..][..2].copy_from_slice(&(end as u16).to_be_bytes());
    }
    page[start] = kind;
    page[start + 3..start + 5].copy_from_slice(&(cells.len() as u16).to_be_bytes());
    page[start + 5..start + 7].copy_from_slice(&(end as u16).to_be_bytes());
    if let Some(right) = right {
        page[start + 8..start + 12].copy_from_slice(&right.to_be_bytes());
    }
    page
}

/// A db3 bag; its messages are in CDR.
pub fn db3(recording: &Recording) -> Vec<u8> {
    let mut pages = Pages(vec![Vec::new()]);
    let topics = recording.channels.iter().map(|(topic, type_name)| {
        let type_name = type_name.replacen('/', "/msg/", 1);
        record(&[
            Value::Null,
            Value::Text(topic),
            Value::Text(&type_name),
            Value::Text("cdr"),
            Value::Text(""),
        ])
    });
    let topics = topics.collect::<Vec<_>>();
    let messages = recording.messages.iter().map(|(channel, time_ns, data)| {
        let topic = Value::Integer(*channel as i64 + 1);
        record(&[Value::Null, topic, Value::Integer(*time_ns), Value::Blob(data)])
    });
    let messages = messages.collect::<Vec<_>>();
    let (topics, messages) = (pages.table(&topics), pages.table(&messages));
    let schema = [
        (
            "topics",
            topics,
            "CREATE TABLE topics(id INTEGER PRIMARY KEY,name TEXT NOT NULL,type TEXT NOT NULL,\
         serialization_format TEXT NOT NULL,offered_qos_profiles TEXT)",
        ),
        (
            "messages",
            messages,
            "CREATE TABLE messages(id INTEGER PRIMARY KEY,topic_id INTEGER,timestamp INTEGER,\
         data BLOB)",
        ),
    ];
    let cells = (1..).zip(&schema).map(|(id, (name, root, sql))| {
        let root = Value::Integer(i64::from(*root));
        let row =
            record(&[Value::Text("table"), Value::Text(name), Value::Text(name), root, Value::Text(sql)]);
        pages.cell(id, &row)
    });
    let cells = cells.collect::<Vec<_>>();
    let mut first = page(13, 100, &cells, None);
    first[..16].copy_from_slice(b"SQLite format 3\0");
    first[16..24].copy_from_slice(&[2, 0, 1, 1, 0, 64, 32, 32]);
    first[24..28].copy_from_slice(&1_u32.to_be_bytes());
    first[28..32].copy_from_slice(&(pages.0.len() as u32).to_be_bytes());
    // Schema format 4, text in UTF-8, and the version that wrote the size above.
    first[47] = 4;
    first[59] = 1;
    first[92..96].copy_from_slice(&1_u32.to_be_bytes());
    first[96..100].copy_from_slice(&3_040_001_u32.to_be_bytes());
    pages.0[0] = first;
    pages.0.concat()
}
