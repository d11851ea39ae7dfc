//! Builds small TIFF files entry by entry, right or wrong.

/// The value of an entry.
#[derive(Clone, Debug)]
pub enum Value {
    Short(Vec<u16>),
    Long(Vec<u32>),
    Double(Vec<f64>),
    Text(&'static str),
}

impl Value {
    fn field(&self) -> (u16, usize, Vec<u8>) {
        match self {
            Self::Short(v) => (3, v.len(), v.iter().flat_map(|n| n.to_le_bytes()).collect()),
            Self::Long(v) => (4, v.len(), v.iter().flat_map(|n| n.to_le_bytes()).collect()),
            Self::Double(v) => (12, v.len(), v.iter().flat_map(|n| n.to_le_bytes()).collect()),
            Self::Text(text) => (2, text.len() + 1, text.bytes().chain([0]).collect()),
        }
    }
}

/// A page: its entries and its data; entry 273 or 324 of `Long(vec![])` is filled with the place of the data.
#[derive(Clone, Debug)]
pub struct PageParts {
    pub entries: Vec<(u16, Value)>,
    pub data: Vec<u8>,
}

impl PageParts {
    /// An 8-bit grey page of one strip.
    pub fn grey(width: u32, height: u32, data: &[u8]) -> Self {
        let entries = vec![
            (256, Value::Long(vec![width])),
            (257, Value::Long(vec![height])),
            (258, Value::Short(vec![8])),
            (259, Value::Short(vec![1])),
            (262, Value::Short(vec![1])),
            (273, Value::Long(vec![])),
            (277, Value::Short(vec![1])),
            (278, Value::Long(vec![height])),
            (279, Value::Long(vec![data.len() as u32])),
        ];
        Self { entries, data: data.to_vec() }
    }

    /// The same page with an entry set.
    pub fn with(mut self, tag: u16, value: Value) -> Self {
        self.entries.retain(|(other, _)| *other != tag);
        self.entries.push((tag, value));
        self.entries.sort_by_key(|(tag, _)| *tag);
        self
    }

    /// The same page without an entry.
    pub fn without(mut self, tag: u16) -> Self {
        self.entries.retain(|(other, _)| *other != tag);
        self
    }

    /// The same page with scale and tie point.
    pub fn placed(self, scale: [f64; 3], tie: [f64; 6]) -> Self {
        self.with(33550, Value::Double(scale.to_vec())).with(33922, Value::Double(tie.to_vec()))
    }
}

/// A little-endian TIFF of these pages.
pub fn tiff(pages: &[PageParts]) -> Vec<u8> {
    let mut bytes = b"II\x2a\0\x08\0\0\0".to_vec();
    for (index, page) in pages.iter().enumerate() {
        let start = bytes.len();
        let directory_bytes = 2 + 12 * page.entries.len() + 4;
        let data_at = start + directory_bytes;
        let mut beyond = page.data.clone();
        let mut directory = (page.entries.len() as u16).to_le_bytes().to_vec();
        for (tag, value) in &page.entries {
            let (field_type, count, mut value) = value.field();
            let count = if value.is_empty() {
                value = (data_at as u32).to_le_bytes().to_vec();
                1
            } else {
                count
            };
            if value.len() > 4 {
                let place = data_at + beyond.len();
                beyond.extend(&value);
                value = (place as u32).to_le_bytes().to_vec();
            }
            value.resize(4, 0);
            directory.extend(tag.to_le_bytes());
            directory.extend(field_type.to_le_bytes());
            directory.extend((count as u32).to_le_bytes());
            directory.extend(value);
        }
        let is_last = index + 1 == pages.len();
        let next = if is_last { 0 } else { data_at + beyond.len() };
        directory.extend((next as u32).to_le_bytes());
        bytes.extend(directory);
        bytes.extend(beyond);
    }
    bytes
}
