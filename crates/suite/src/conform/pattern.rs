//! Patterns that find a value in an output: the part of regular expressions that such files need.
//!
//! Letters stand for themselves; `.` for any but a line end; `\s \S \d \D \w \W` for classes, `\n` and `\t` for
//! themselves; `[a-z]` and `[^a-z]` for sets; `* + ?` behind any of them repeat it, as often as possible; `^` and `$` are
//! the ends of a line; one pair of brackets marks what is wanted. Anything else behind a backslash is itself.

/// A pattern.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq)]
enum Part {
    Repeated { set: Set, min: usize, max: usize },
    GroupStart,
    GroupEnd,
    LineStart,
    LineEnd,
}

/// Letters that are meant, as ranges, or all but them.
#[derive(Clone, Debug, PartialEq)]
struct Set {
    ranges: Vec<(char, char)>,
    is_negated: bool,
}

impl Set {
    fn of(ranges: &[(char, char)], is_negated: bool) -> Self {
        Self { ranges: ranges.to_vec(), is_negated }
    }

    fn letter(letter: char) -> Self {
        Self::of(&[(letter, letter)], false)
    }

    fn has(&self, letter: char) -> bool {
        self.ranges.iter().any(|(low, high)| (*low..=*high).contains(&letter)) != self.is_negated
    }

    /// The class behind a backslash.
    fn escaped(letter: char) -> Self {
        const BLANKS: &[(char, char)] = &[(' ', ' '), ('\t', '\r')];
        const WORD: &[(char, char)] = &[('a', 'z'), ('A', 'Z'), ('0', '9'), ('_', '_')];
        let set = match letter.to_ascii_lowercase() {
            's' => Self::of(BLANKS, false),
            'd' => Self::of(&[('0', '9')], false),
            'w' => Self::of(WORD, false),
            _ if letter == 'n' => return Self::letter('\n'),
            _ if letter == 't' => return Self::letter('\t'),
            _ => return Self::letter(letter),
        };
        Self { is_negated: letter.is_ascii_uppercase(), ..set }
    }
}

/// Steps after which a search gives up: a pattern of a user must not hold a run up.
const MAX_STEPS: usize = 10_000_000;

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// A bracket is not closed, there is not one group, or a sign of repetition stands alone.
    pub fn parse(text: &str) -> Result<Self, String> {
        let fault = |why: &str| format!("regex '{text}': {why}");
        let mut parts = Vec::new();
        let mut letters = text.chars().peekable();
        while let Some(letter) = letters.next() {
            let set = match letter {
                '(' => {
                    parts.push(Part::GroupStart);
                    continue;
                }
                ')' => {
                    parts.push(Part::GroupEnd);
                    continue;
                }
                '^' => {
                    parts.push(Part::LineStart);
                    continue;
                }
                '$' => {
                    parts.push(Part::LineEnd);
                    continue;
                }
                '*' | '+' | '?' => return Err(fault("there is nothing to repeat")),
                '|' | '{' => return Err(fault("| and { are not supported; write \\| or \\{ for the letter")),
                '.' => Set::of(&[('\n', '\n')], true),
                '\\' => Set::escaped(letters.next().ok_or_else(|| fault("it ends with a backslash"))?),
                '[' => set_of(&mut letters).ok_or_else(|| fault("a [ is not closed"))?,
                other => Set::letter(other),
            };
            let repeats = letters.next_if(|next| "*+?".contains(*next));
            let (min, max) = match repeats {
                Some('*') => (0, usize::MAX),
                Some('+') => (1, usize::MAX),
                Some(_) => (0, 1),
                None => (1, 1),
            };
            parts.push(Part::Repeated { set, min, max });
        }
        let at = |wanted: &Part| parts.iter().filter(|part| *part == wanted).count();
        if at(&Part::GroupStart) != 1 || at(&Part::GroupEnd) != 1 {
            return Err(fault("expected one group in brackets, which is the value"));
        }
        let place = |wanted: &Part| parts.iter().position(|part| part == wanted);
        if place(&Part::GroupEnd) < place(&Part::GroupStart) {
            return Err(fault("the group ends before it begins"));
        }
        Ok(Self { parts })
    }

    /// The group of the first place that fits; none if no place does.
    #[must_use]
    pub fn find(&self, text: &str) -> Option<String> {
        let letters: Vec<char> = text.chars().collect();
        let mut steps = 0;
        (0..=letters.len()).find_map(|start| {
            let mut group = (0, 0);
            self.matches(&letters, start, 0, &mut group, &mut steps)
                .then(|| letters.get(group.0..group.1).map(|part| part.iter().collect()))?
        })
    }

    fn matches(
        &self,
        letters: &[char],
        mut at: usize,
        mut part: usize,
        group: &mut (usize, usize),
        steps: &mut usize,
    ) -> bool {
        loop {
            *steps += 1;
            if *steps > MAX_STEPS {
                return false;
            }
            let Some(next) = self.parts.get(part) else { return true };
            part += 1;
            match next {
                Part::GroupStart => group.0 = at,
                Part::GroupEnd => group.1 = at,
                Part::LineStart if at == 0 || letters.get(at - 1) == Some(&'\n') => {}
                Part::LineEnd if letters.get(at).is_none_or(|letter| *letter == '\n' || *letter == '\r') => {}
                Part::LineStart | Part::LineEnd => return false,
                Part::Repeated { set, min, max } => {
                    let rest = letters.get(at..).unwrap_or_default();
                    let most = rest.iter().take(*max).take_while(|letter| set.has(**letter)).count();
                    if min == max {
                        if most < *min {
                            return false;
                        }
                        at += min;
                        continue;
                    }
                    *steps += most;
                    return (*min..=most)
                        .rev()
                        .any(|count| self.matches(letters, at + count, part, group, steps));
                }
            }
        }
    }
}

/// The set up to the closing bracket; none if there is none.
fn set_of(letters: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Option<Set> {
    let is_negated = letters.next_if_eq(&'^').is_some();
    let mut ranges = Vec::new();
    let mut is_first = true;
    loop {
        let letter = letters.next()?;
        if letter == ']' && !is_first {
            return Some(Set { ranges, is_negated });
        }
        is_first = false;
        if letter == '\\' {
            ranges.extend(Set::escaped(letters.next()?).ranges);
            continue;
        }
        if letters.peek() == Some(&'-') {
            let mut ahead = letters.clone();
            ahead.next();
            if let Some(high) = ahead.next().filter(|high| *high != ']') {
                *letters = ahead;
                ranges.push((letter, high));
                continue;
            }
        }
        ranges.push((letter, letter));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(pattern: &str, text: &str) -> Option<String> {
        Pattern::parse(pattern).unwrap().find(text)
    }

    #[test]
    fn a_value_is_found_behind_its_name() {
        let text =
            "APE w.r.t. translation part (m)\n\n       max\t0.25\n      rmse\t0.031\n       sse\t1e-3\n";
        assert_eq!(found(r"rmse\s+(\S+)", text).as_deref(), Some("0.031"));
        assert_eq!(found(r"sse\s+([-+0-9.e]+)$", text).as_deref(), Some("1e-3"));
        assert_eq!(found(r"^\s*max\s(.*)", text).as_deref(), Some("0.25"));
        assert_eq!(found(r"\((\w)\)", text).as_deref(), Some("m"));
        assert_eq!(found(r"([^\s]+)", "  a b").as_deref(), Some("a"));
        assert_eq!(found(r"x?(\d\d?)", "ab12c").as_deref(), Some("12"));
        assert_eq!(found(r"(\d+)!", "12 3"), None);
    }

    #[test]
    fn patterns_that_cannot_be_read_are_refused() {
        for wrong in ["", "a", "(a", "(a)(b)", "*(a)", "(a)\\", "([a)", ")a(", "(a|b)", "(a){2}"] {
            assert!(Pattern::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_pattern_that_tries_everything_gives_up() {
        let text = "a".repeat(200);
        assert_eq!(found("a*a*a*a*a*a*a*(b)", &text), None);
    }
}
