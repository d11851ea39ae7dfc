//! The words of a formula.

use super::parser::FormulaError;

/// One word.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Word {
    Number(f64),
    Name(String),
    Sign(char),
}

/// A word and where it begins, counted from 1.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub column: usize,
    pub word: Word,
}

/// Longer texts are no formulas that a judge could check.
const MAX_LETTERS: usize = 4000;

/// Splits a formula into words.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, FormulaError> {
    let letters: Vec<char> = text.chars().take(MAX_LETTERS + 1).collect();
    if letters.len() > MAX_LETTERS {
        let message = format!("the formula has more than {MAX_LETTERS} letters");
        return Err(FormulaError::at(MAX_LETTERS, message).hint("compute intermediate values as parts"));
    }
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(&letter) = letters.get(at) {
        let column = at + 1;
        if letter.is_whitespace() {
            at += 1;
        } else if letter.is_ascii_digit() || letter == '.' {
            let end = end_of_number(&letters, at);
            let written: String = letters[at..end].iter().collect();
            let number = written.parse().ok().filter(|number: &f64| number.is_finite());
            let wrong = || FormulaError::at(column, format!("'{written}' is no number"));
            found.push(Token { column, word: Word::Number(number.ok_or_else(wrong)?) });
            at = end;
        } else if letter.is_ascii_alphabetic() || letter == '_' {
            let length = letters[at..].iter().take_while(|c| c.is_ascii_alphanumeric() || **c == '_').count();
            let name = letters[at..at + length].iter().collect();
            found.push(Token { column, word: Word::Name(name) });
            at += length;
        } else if "+-*/^(),".contains(letter) {
            found.push(Token { column, word: Word::Sign(letter) });
            at += 1;
        } else {
            let hint = "use letters, digits, underscores and + - * / ^ ( ) ,";
            let message = format!("'{}' does not belong into a formula", letter.escape_debug());
            return Err(FormulaError::at(column, message).hint(hint));
        }
    }
    Ok(found)
}

/// Digits, a point, and an exponent.
fn end_of_number(letters: &[char], start: usize) -> usize {
    let digits =
        |from: usize| letters[from.min(letters.len())..].iter().take_while(|c| c.is_ascii_digit()).count();
    let mut end = start + digits(start);
    if letters.get(end) == Some(&'.') {
        end += 1 + digits(end + 1);
    }
    if matches!(letters.get(end), Some('e' | 'E')) {
        let signed = usize::from(matches!(letters.get(end + 1), Some('+' | '-')));
        let exponent = digits(end + 1 + signed);
        if exponent > 0 {
            end += 1 + signed + exponent;
        }
    }
    end
}
