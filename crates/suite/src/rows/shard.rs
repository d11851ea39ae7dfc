//! A shard: which lines of a manifest one process scores.

use std::fmt;
use std::str::FromStr;

/// Shard `index` of `count`: it has the lines with `(line - 1) mod count = index - 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: u32,
    count: u32,
}

impl Shard {
    /// The one shard that has all lines.
    pub const WHOLE: Self = Self { index: 1, count: 1 };
    /// More shards than this are a slip of the keyboard.
    pub const MAX: u32 = 99_999;

    /// Whether it has a line; lines are counted from 1.
    #[must_use]
    pub const fn has(self, line: u64) -> bool {
        line > 0 && (line - 1) % self.count as u64 == self.index as u64 - 1
    }

    /// How many of so many lines it has.
    #[must_use]
    pub const fn lines_of(self, lines: u64) -> u64 {
        (lines + self.count as u64 - self.index as u64) / self.count as u64
    }

    /// The name of its row file.
    #[must_use]
    pub fn file_name(self) -> String {
        format!("rows-{:05}-of-{:05}.jsonl", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parsed = || {
            let (index, count) = text.split_once('/')?;
            let (index, count): (u32, u32) = (index.parse().ok()?, count.parse().ok()?);
            (1 <= index && index <= count && count <= Self::MAX).then_some(Self { index, count })
        };
        parsed().ok_or_else(|| {
            format!("'{text}': expected I/N with whole numbers 1 <= I <= N <= {}, such as 3/16", Self::MAX)
        })
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_in_one_shard() {
        let shards: Vec<Shard> = ["1/3", "2/3", "3/3"].iter().map(|text| text.parse().unwrap()).collect();
        for line in 1..=10 {
            assert_eq!(shards.iter().filter(|shard| shard.has(line)).count(), 1, "{line}");
        }
        assert!(shards[0].has(1) && shards[1].has(2) && shards[2].has(3) && shards[0].has(4));
        assert!(!Shard::WHOLE.has(0), "lines are counted from 1");
        // 10 lines: 1 4 7 10, 2 5 8, 3 6 9.
        assert_eq!(shards.iter().map(|shard| shard.lines_of(10)).collect::<Vec<_>>(), [4, 3, 3]);
        assert_eq!(shards[2].lines_of(2), 0);
        assert_eq!(shards[2].file_name(), "rows-00003-of-00003.jsonl");
    }

    #[test]
    fn what_is_no_shard_is_refused_with_the_form() {
        for wrong in ["0/4", "5/4", "a/b", "", "3", "1/0", "-1/2", "1/2/3", "1/100000", "1 /2"] {
            let error = wrong.parse::<Shard>().unwrap_err();
            assert!(error.contains("3/16"), "{wrong}: {error}");
        }
    }
}
