//! db3, the SQLite container of ROS 2 bags (`rosbag2_storage_sqlite3`).
//!
//! ```text
//! topics(id, name, type, serialization_format, ..)    messages(id, topic_id, timestamp in ns, data)
//! ```
//!
//! Rows come in the order in which they were stored. A log of newer pages beside the file (`-wal`), which an
//! interrupted recording leaves, is not read; a finding tells.

use std::collections::BTreeMap;
use std::io::Cursor;

use model::Finding;

use super::sqlite::{Database, MAGIC, Row, Table, Value, columns};
use super::visit::{MAX_CHANNELS, checked_end, read_bag};
use super::visitor::{BagChannel, BagMessage, Encoding, Visitor};
use crate::format::{Format, Input, Reader, Sniff, by_name};
use crate::read::reopen;
use crate::{Place, ReadError};

pub(crate) const FORMAT: Format = Format {
    name: "db3",
    title: "ROS 2 db3 bag",
    sniff,
    reader: Reader::Content(|input, options| read_bag(input, options, FORMAT.name, scan)),
};

/// The most tables that are looked at for those of a bag.
const MAX_TABLES: usize = 1000;
/// The most columns of a table that are looked at.
const MAX_COLUMNS: usize = 64;

fn sniff(bytes: &[u8], name: &str) -> Sniff {
    if bytes.starts_with(MAGIC) { Sniff::ByBytes } else { by_name(name, &[".db3"]) }
}

/// Shows channels and messages to the visitor; returns what is odd.
pub(crate) fn scan(input: &mut Input<'_>, visitor: &mut dyn Visitor) -> Result<Vec<Finding>, ReadError> {
    let file = input.source.name().to_owned();
    let mut findings = Vec::new();
    let log_name = file.rsplit(['/', '\\']).next().unwrap_or(&file).to_owned() + "-wal";
    let log_exists = input.companions.exists(&log_name);
    let reopened = if input.source.is_whole() { None } else { reopen(&input.source) };
    let mut database = match reopened {
        Some(reopened) => {
            // Whoever watches the bytes of the file sees all of them, though pages are read out of order.
            input.source.stream(0, &mut |_| {})?;
            Database::open(&file, Box::new(reopened))?
        }
        None => Database::open(&file, Box::new(Cursor::new(input.source.whole()?.1)))?,
    };
    if database.has_log && log_exists {
        let message =
            format!("'{log_name}' holds messages that are not in the file itself; they were not read");
        let hint = "let SQLite merge it: sqlite3 FILE 'pragma wal_checkpoint(truncate)'";
        findings.push(Finding::warning("DB3_LOG_NOT_READ", message).hint(hint));
    }
    let tables = bag_tables(&file, &mut database)?;
    let channels = channels_of(&file, &mut database, &tables.topics)?;
    for channel in channels.values() {
        visitor.channel(channel);
    }
    let mut messages = 0;
    let end = visit_messages(&file, &mut database, (&tables.messages, &channels), visitor, &mut messages);
    checked_end(end, messages, &mut findings)?;
    Ok(findings)
}

/// A table: where its tree begins and what its columns are called.
struct Layout {
    name: &'static str,
    root: u32,
    columns: Vec<String>,
}

impl Layout {
    fn column(&self, file: &str, name: &str) -> Result<usize, ReadError> {
        self.columns.iter().position(|column| column == name).ok_or_else(|| {
            let place = Place::Field(self.name.to_owned());
            let found = if self.columns.is_empty() { "none".to_owned() } else { self.columns.join(", ") };
            ReadError::malformed(file, place, format!("a column '{name}'"), found)
        })
    }
}

struct BagTables {
    topics: Layout,
    messages: Layout,
}

/// Finds the two tables in the schema table, whose tree begins at page 1.
fn bag_tables(file: &str, database: &mut Database<'_>) -> Result<BagTables, ReadError> {
    let (mut topics, mut messages) = (None, None);
    let mut schema = Table::new(1);
    for _ in 0..MAX_TABLES {
        let Some(mut row) = schema.next_row(database)? else { break };
        database.load(&mut row, &mut schema)?;
        // Columns: type, name, tbl_name, rootpage, sql.
        let Some([kind, name, _, root, sql]) =
            columns(&row.payload, 5).and_then(|values| <[Value<'_>; 5]>::try_from(values).ok())
        else {
            return Err(broken_row(file, "sqlite_schema", row.id));
        };
        let (Value::Bytes(b"table"), Value::Integer(root), Value::Bytes(sql)) = (kind, root, sql) else {
            continue;
        };
        let root = u32::try_from(root).unwrap_or(0);
        let columns = column_names(&String::from_utf8_lossy(sql));
        match name {
            Value::Bytes(b"topics") => topics = Some(Layout { name: "topics", root, columns }),
            Value::Bytes(b"messages") => messages = Some(Layout { name: "messages", root, columns }),
            _ => {}
        }
    }
    match (topics, messages) {
        (Some(topics), Some(messages)) => Ok(BagTables { topics, messages }),
        (topics, _) => {
            let missing = if topics.is_none() { "topics" } else { "messages" };
            let error = ReadError::malformed(file, Place::File, format!("a table '{missing}'"), "none");
            Err(error.with_hint("this SQLite file is no ROS 2 bag, or one whose recording was interrupted"))
        }
    }
}

/// The names of the columns of `CREATE TABLE t(name type .., name type ..)`.
fn column_names(sql: &str) -> Vec<String> {
    let inside = sql.split_once('(').map_or("", |(_, inside)| inside);
    let names = inside.split(',').filter_map(|column| column.split_ascii_whitespace().next());
    names
        .take(MAX_COLUMNS)
        .map(|name| name.trim_matches(['\u{22}', '`', '[', ']']).to_ascii_lowercase())
        .collect()
}

fn broken_row(file: &str, table: &str, id: i64) -> ReadError {
    let place = Place::field(table);
    ReadError::malformed(file, place, "rows of the table's columns", format!("row {id} that is broken"))
}

fn channels_of(
    file: &str,
    database: &mut Database<'_>,
    layout: &Layout,
) -> Result<BTreeMap<i64, BagChannel>, ReadError> {
    let (id, name) = (layout.column(file, "id")?, layout.column(file, "name")?);
    let (type_name, encoding) = (layout.column(file, "type")?, layout.column(file, "serialization_format")?);
    let mut channels = BTreeMap::new();
    let mut table = Table::new(layout.root);
    while let Some(mut row) = table.next_row(database)? {
        database.load(&mut row, &mut table)?;
        let broken = || broken_row(file, layout.name, row.id);
        let values = columns(&row.payload, layout.columns.len()).ok_or_else(broken)?;
        let text = |column: usize| match values[column] {
            Value::Bytes(bytes) => Ok(String::from_utf8_lossy(bytes).into_owned()),
            _ => Err(broken()),
        };
        // The primary key stands in the row's id; its column is null.
        let key = if let Value::Integer(key) = values[id] { key } else { row.id };
        let encoding = Encoding::of_name(&text(encoding)?);
        channels.insert(key, BagChannel { topic: text(name)?, type_name: text(type_name)?, encoding });
        if channels.len() > MAX_CHANNELS {
            let place = Place::Field(layout.name.to_owned());
            return Err(ReadError::malformed(file, place, format!("at most {MAX_CHANNELS} topics"), "more"));
        }
    }
    Ok(channels)
}

fn visit_messages(
    file: &str,
    database: &mut Database<'_>,
    (layout, channels): (&Layout, &BTreeMap<i64, BagChannel>),
    visitor: &mut dyn Visitor,
    messages: &mut u64,
) -> Result<(), ReadError> {
    let (topic, time) = (layout.column(file, "topic_id")?, layout.column(file, "timestamp")?);
    let data = layout.column(file, "data")?;
    let mut table = Table::new(layout.root);
    while let Some(mut row) = table.next_row(database)? {
        // Topic and time stand in front of the data, mostly on the leaf page itself.
        let mut head = message_head(&row, topic, time);
        if head.is_none() && row.is_partial() {
            database.load(&mut row, &mut table)?;
            head = message_head(&row, topic, time);
        }
        let (topic_id, time_ns) = head.ok_or_else(|| broken_row(file, layout.name, row.id))?;
        let Some(channel) = channels.get(&topic_id) else {
            let place = Place::Field(layout.name.to_owned());
            let found = format!("topic {topic_id} in row {}", row.id);
            return Err(ReadError::malformed(file, place, "messages of the table's topics", found));
        };
        *messages += 1;
        if !visitor.wants(channel) {
            visitor.message(&BagMessage { channel, time_ns, data: &[] });
            continue;
        }
        database.load(&mut row, &mut table)?;
        let values = columns(&row.payload, layout.columns.len());
        let Some(&Value::Bytes(data)) = values.as_ref().and_then(|values| values.get(data)) else {
            return Err(broken_row(file, layout.name, row.id));
        };
        visitor.message(&BagMessage { channel, time_ns, data });
    }
    Ok(())
}

/// Topic and time of a message.
fn message_head(row: &Row, topic: usize, time: usize) -> Option<(i64, i64)> {
    let values = columns(&row.payload, topic.max(time) + 1)?;
    match (values[topic], values[time]) {
        (Value::Integer(topic), Value::Integer(time_ns)) => Some((topic, time_ns)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_found_in_the_statement_that_made_the_table() {
        let sql = "CREATE TABLE topics(\n  id INTEGER PRIMARY KEY,\n  \"name\" TEXT NOT NULL, [Type] TEXT)";
        assert_eq!(column_names(sql), ["id", "name", "type"]);
        assert_eq!(column_names("CREATE VIEW v AS SELECT 1"), [""; 0]);
    }
}
