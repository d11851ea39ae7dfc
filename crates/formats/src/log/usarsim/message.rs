//! One line of the USARSim protocol (W-MSG): `HEAD {Key value} {Key value} ..`.
//!
//! Two styles exist. The server takes the first word of a segment as its key and all the rest as its value; older
//! servers and GEO, CONF and NFO lines put several keys into one segment (`{Name F1 Range 2.5098}`). [`Message::value`]
//! reads the first form, [`Message::field`] both. Keys are compared without regard to case. Nothing nests, nothing is
//! escaped. Unknown heads and keys are kept.

use std::fmt;

use crate::text::decimal;

/// The longest line that is read or taken from a client, in bytes.
pub const MAX_LINE_BYTES: usize = crate::text::lines::MAX_LINE_BYTES;

/// What stands between two braces: its first word, and the rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    pub key: String,
    /// Everything behind it, without blanks at its ends.
    pub value: String,
}

/// A message; `Display` gives its line without an end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message {
    /// SEN, STA, NFO, GEO, CONF, RES, INIT, DRIVE, ..; empty in lines of the truth server.
    pub head: String,
    /// The segments in their order.
    pub segments: Vec<Segment>,
}

/// Why a line is no message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MessageError {
    /// Longer than [`MAX_LINE_BYTES`].
    #[error("a line of at most {MAX_LINE_BYTES} bytes")]
    TooLong,
    /// Not UTF-8.
    #[error("text")]
    NotText,
    /// A brace without its partner, or one inside another.
    #[error("every brace closed before the next one opens")]
    UnbalancedBraces,
    /// The head is not one word of letters, or text stands between the segments.
    #[error("one word and then segments in braces")]
    TextOutsideBraces,
    /// A time that is no finite number.
    #[error("a number of seconds behind Time")]
    Time,
}

impl Message {
    /// A message without segments.
    #[must_use]
    pub fn new(head: &str) -> Self {
        Self { head: head.to_owned(), segments: Vec::new() }
    }

    /// The same message with one more segment.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl fmt::Display) -> Self {
        self.segments.push(Segment { key: key.to_owned(), value: value.to_string() });
        self
    }

    /// Reads a line; its end may be there or not.
    ///
    /// # Errors
    /// The line is too long, no text, or has not the form of a message.
    pub fn parse(line: &[u8]) -> Result<Self, MessageError> {
        if line.len() > MAX_LINE_BYTES {
            return Err(MessageError::TooLong);
        }
        let text = std::str::from_utf8(line).map_err(|_| MessageError::NotText)?.trim();
        let (head, mut rest) = text.find('{').map_or((text, ""), |at| text.split_at(at));
        let head = head.trim_end();
        if head.contains('}') {
            return Err(MessageError::UnbalancedBraces);
        }
        let is_word = head.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if !is_word || head.is_empty() && rest.is_empty() {
            return Err(MessageError::TextOutsideBraces);
        }
        let mut message = Self::new(head);
        while !rest.is_empty() {
            let Some(inside) = rest.strip_prefix('{') else {
                let is_brace = rest.starts_with('}');
                return Err(if is_brace {
                    MessageError::UnbalancedBraces
                } else {
                    MessageError::TextOutsideBraces
                });
            };
            let (segment, behind) = inside.split_once('}').ok_or(MessageError::UnbalancedBraces)?;
            if segment.contains('{') {
                return Err(MessageError::UnbalancedBraces);
            }
            message.segments.push(Segment::of(segment));
            rest = behind.trim_start();
        }
        message.time_s()?;
        Ok(message)
    }

    /// The whole value of the first segment that begins with this key.
    #[must_use]
    pub fn value(&self, key: &str) -> Option<&str> {
        let segment = self.segments.iter().find(|segment| segment.key.eq_ignore_ascii_case(key))?;
        Some(&segment.value)
    }

    /// The value of a key in either style: that of its own segment, without the keys that may follow it there, or
    /// that of a key inside another segment.
    #[must_use]
    pub fn field(&self, key: &str) -> Option<&str> {
        self.segments.iter().find_map(|segment| segment.field(key))
    }

    /// The numbers of a field with commas between; none if there is no such field, or one is no number.
    #[must_use]
    pub fn numbers<const N: usize>(&self, key: &str) -> Option<[f64; N]> {
        let mut values = self.field(key)?.split(',');
        let mut numbers = [0.0; N];
        for number in &mut numbers {
            *number =
                decimal::number(values.next()?.trim().as_bytes()).filter(|number| number.is_finite())?;
        }
        values.next().is_none().then_some(numbers)
    }

    /// The time of the message, where it has one.
    ///
    /// # Errors
    /// The time is no finite number.
    pub fn time_s(&self) -> Result<Option<f64>, MessageError> {
        if self.field("Time").is_none() {
            return Ok(None);
        }
        self.numbers::<1>("Time").map(|[time_s]| Some(time_s)).ok_or(MessageError::Time)
    }

    /// Whether the head is this one.
    #[must_use]
    pub fn is(&self, head: &str) -> bool {
        self.head.eq_ignore_ascii_case(head)
    }
}

impl fmt::Display for Message {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.head)?;
        for (number, segment) in self.segments.iter().enumerate() {
            let before = if number == 0 && self.head.is_empty() { "" } else { " " };
            let between = if segment.value.is_empty() { "" } else { " " };
            write!(formatter, "{before}{{{}{between}{}}}", segment.key, segment.value)?;
        }
        Ok(())
    }
}

impl Segment {
    fn of(text: &str) -> Self {
        let text = text.trim();
        let (key, value) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        Self { key: key.to_owned(), value: value.trim().to_owned() }
    }

    /// The value of a key of this segment. Further keys are there if an even number of words follows the first value
    /// and each key begins with a letter.
    pub(super) fn field(&self, key: &str) -> Option<&str> {
        let is_first = self.key.eq_ignore_ascii_case(key);
        if !self.value.contains(char::is_whitespace) {
            return is_first.then_some(&*self.value);
        }
        let words = words(&self.value);
        let pairs = words.get(1..).unwrap_or_default().chunks(2);
        let has_keys = words.len() % 2 == 1
            && pairs.clone().all(|pair| pair[0].starts_with(|first: char| first.is_ascii_alphabetic()));
        if is_first {
            return if has_keys { words.first().copied() } else { Some(&self.value) };
        }
        let mut keyed = pairs.filter(|_| has_keys);
        keyed.find(|pair| pair[0].eq_ignore_ascii_case(key)).and_then(|pair| pair.get(1).copied())
    }
}

/// The words of a value; a blank beside a comma does not end a word.
fn words(value: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let (mut start, mut end, mut at) = (0, 0, 0);
    for word in value.split_whitespace() {
        let begin = at + value[at..].find(word).unwrap_or(0);
        let is_joined = end > start && (value[..end].ends_with(',') || word.starts_with(','));
        if !is_joined {
            if end > start {
                words.push(&value[start..end]);
            }
            start = begin;
        }
        end = begin + word.len();
        at = end;
    }
    if end > start {
        words.push(&value[start..end]);
    }
    words
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parsed(line: &str) -> Message {
        Message::parse(line.as_bytes()).unwrap()
    }

    #[test]
    fn w_msg_e1_the_line_of_a_range_scanner() {
        let message = parsed(
            "SEN {Time 45.14} {Type RangeScanner} {Name Scanner1} {Resolution 0.0174} {FOV 3.1415} {Range 2.1951,2.1962,2.1956}\r\n",
        );
        assert_eq!((message.head.as_str(), message.time_s()), ("SEN", Ok(Some(45.14))));
        assert_eq!(message.numbers("Range"), Some([2.1951, 2.1962, 2.1956]));
        assert_eq!(message.value("type"), Some("RangeScanner"), "keys have no case");
    }

    #[test]
    fn w_msg_e2_odometry_without_a_time() {
        let message = parsed("SEN {Type Odometry} {Name Odometry} {Pose 0.4265,0.1643,0.9105}");
        assert_eq!(message.time_s(), Ok(None));
        assert_eq!(message.numbers("Pose"), Some([0.4265, 0.1643, 0.9105]));
    }

    #[test]
    fn both_styles_are_read() {
        let message = parsed(
            "GEO {Type RangeScanner} {Name Scanner1 Location 0.1, 0 ,-0.2 Orientation 0,0,0 Mount HARD}",
        );
        assert_eq!(
            message.value("Name"),
            Some("Scanner1 Location 0.1, 0 ,-0.2 Orientation 0,0,0 Mount HARD")
        );
        assert_eq!(message.field("Name"), Some("Scanner1"));
        assert_eq!(message.numbers("Location"), Some([0.1, 0.0, -0.2]));
        assert_eq!((message.field("mount"), message.field("HARD")), (Some("HARD"), None));
        let sonar = parsed("SEN {Type Sonar} {Name F1 Range 2.5098}");
        assert_eq!((sonar.field("Range"), sonar.field("Name")), (Some("2.5098"), Some("F1")));
        let words = parsed("SEN {Type VictSensor} {Status two words}");
        assert_eq!(words.field("Status"), Some("two words"));
    }

    #[test]
    fn a_blank_before_the_first_number_is_no_key() {
        assert_eq!(parsed("SEN {Pose  1.5, 2,3 }").numbers("Pose"), Some([1.5, 2.0, 3.0]));
    }

    #[test]
    fn lines_that_are_no_messages_say_why() {
        use MessageError::{NotText, TextOutsideBraces, Time, TooLong, UnbalancedBraces};
        for (line, expected) in [
            (&b"SEN {Time 1"[..], UnbalancedBraces),
            (b"SEN {Time 1}}", UnbalancedBraces),
            (b"SEN {Time {1}", UnbalancedBraces),
            (b"SEN } {Time 1}", UnbalancedBraces),
            (b"SEN {Time 1} lorem {Type A}", TextOutsideBraces),
            (b"lorem ipsum", TextOutsideBraces),
            (b"", TextOutsideBraces),
            (b"SEN {Time soon}", Time),
            (b"SEN {Time}", Time),
            (b"SEN {Time nan}", Time),
            (b"SEN {\xff}", NotText),
        ] {
            assert_eq!(Message::parse(line), Err(expected), "{}", line.escape_ascii());
        }
        assert_eq!(Message::parse(&vec![b'A'; MAX_LINE_BYTES + 1]), Err(TooLong));
    }

    #[test]
    fn heads_alone_unknown_heads_and_headless_lines_are_kept() {
        for line in
            ["GETSTARTPOSES", "LOREM {a b} {c}", "{Name P3AT_0} {Class P3AT} {Time 29.9739}", "NFO {}"]
        {
            assert_eq!(parsed(line).to_string(), line);
        }
    }

    proptest! {
        #[test]
        fn what_is_written_comes_back(
            head in "[A-Z]{1,8}",
            segments in prop::collection::vec(("[A-SU-Za-su-z][A-Za-z]{0,6}", "[a-z0-9.,-]{0,9}( [a-z0-9]{1,4}){0,3}"), 0..6),
        ) {
            let mut message = Message::new(&head);
            for (key, value) in segments {
                message = message.with(&key, value.trim());
            }
            prop_assert_eq!(Message::parse(message.to_string().as_bytes()), Ok(message));
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            if let Ok(message) = Message::parse(&bytes) {
                for segment in &message.segments {
                    let _ = message.field(&segment.value);
                }
            }
        }
    }
}
