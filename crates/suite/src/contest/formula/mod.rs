//! Formulas of rule profiles: an arithmetic expression over named parts, as text that a judge can read and change.
//!
//! ```text
//! (w_E*E + w_M*M + w_V*sum(V)) / O^2
//! numbers, names, + - * / ^ and parentheses; min, max, clamp(x, low, high), sum, mean, count, abs,
//! defined_mean(weight, value, weight, value ..)
//! ```
//!
//! A name stands for a number or for a list; arithmetic on a list is done for each element. `^` binds most tightly and
//! to the right, so `-2^2` is -4. `min` and `max` of one list are its smallest and largest element. A part that is
//! undefined makes the result undefined with that part's reason, never 0; only `defined_mean` leaves it out with its
//! weight.

mod evaluate;
mod parser;
mod substitute;
mod token;

pub use evaluate::{Scope, Unanswered};
pub use metrics::Quantity;
pub use parser::FormulaError;

use parser::Node;
use std::collections::BTreeSet;

/// A formula that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    text: String,
    root: Node,
}

impl Formula {
    /// Reads a formula.
    ///
    /// # Errors
    /// The text is no formula; the error names the column.
    pub fn parse(text: &str) -> Result<Self, FormulaError> {
        Ok(Self { text: text.trim().to_owned(), root: parser::parse(text)? })
    }

    /// The formula as written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The names it uses.
    #[must_use]
    pub fn names(&self) -> BTreeSet<&str> {
        let mut names = BTreeSet::new();
        self.root.collect_names(&mut names);
        names
    }

    /// Its value under the values of the names.
    ///
    /// # Errors
    /// A name is undefined, or the arithmetic has no answer.
    pub fn evaluate(&self, scope: &Scope<'_>) -> Result<Quantity, Unanswered> {
        evaluate::evaluate(&self.root, scope)
    }

    /// Its value as one number.
    ///
    /// # Errors
    /// As [`Formula::evaluate`], or the value is a list.
    pub fn number(&self, scope: &Scope<'_>) -> Result<f64, Unanswered> {
        match self.evaluate(scope)? {
            Quantity::Number(number) => Ok(number),
            Quantity::List(list) => Err(Unanswered::IsList(list.len())),
        }
    }

    /// The formula with the numbers in place of the names.
    #[must_use]
    pub fn substituted(&self, scope: &Scope<'_>) -> String {
        substitute::substituted(&self.root, scope)
    }
}

#[cfg(test)]
mod tests;
