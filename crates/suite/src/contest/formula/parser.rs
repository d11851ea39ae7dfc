//! From words to a tree, by precedence: sums, products, signs, powers.

use std::collections::BTreeSet;

use super::token::{Token, Word, tokens};

/// Why a text is no formula.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {message}")]
pub struct FormulaError {
    /// Where, counted from 1.
    pub column: usize,
    /// What is wrong there.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl FormulaError {
    pub(super) fn at(column: usize, message: impl Into<String>) -> Self {
        Self { column, message: message.into(), hint: None }
    }

    pub(super) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

/// What a function does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    Abs,
    Clamp,
    Count,
    DefinedMean,
    Max,
    Mean,
    Min,
    Sum,
}

impl Function {
    /// Each function with the numbers of arguments it takes.
    const ALL: [(&'static str, Self, std::ops::RangeInclusive<usize>); 8] = [
        ("abs", Self::Abs, 1..=1),
        ("clamp", Self::Clamp, 3..=3),
        ("count", Self::Count, 1..=1),
        ("defined_mean", Self::DefinedMean, 2..=16),
        ("max", Self::Max, 1..=16),
        ("mean", Self::Mean, 1..=16),
        ("min", Self::Min, 1..=16),
        ("sum", Self::Sum, 1..=16),
    ];

    pub(super) fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, function, _)| *function == self).map_or("", |(name, ..)| name)
    }
}

/// What joins two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
}

/// A formula as a tree.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node {
    Number(f64),
    Name(String),
    Negative(Box<Node>),
    Join(Box<Node>, Operator, Box<Node>),
    Call(Function, Vec<Node>),
    /// Kept, so that the formula is shown as it was written.
    Parentheses(Box<Node>),
}

impl Node {
    pub(super) fn collect_names<'a>(&'a self, names: &mut BTreeSet<&'a str>) {
        match self {
            Self::Number(_) => {}
            Self::Name(name) => {
                names.insert(name);
            }
            Self::Negative(inner) | Self::Parentheses(inner) => inner.collect_names(names),
            Self::Join(left, _, right) => {
                left.collect_names(names);
                right.collect_names(names);
            }
            Self::Call(_, arguments) => arguments.iter().for_each(|argument| argument.collect_names(names)),
        }
    }
}

/// Deeper nesting is refused: no rule needs it, and the stack is not endless.
const MAX_DEEP: usize = 40;
/// A chain `a + b + c` is a tree as deep as it is long.
const MAX_TOKENS: usize = 1000;

/// Reads a whole formula.
pub(super) fn parse(text: &str) -> Result<Node, FormulaError> {
    let tokens = tokens(text)?;
    let end = text.chars().count() + 1;
    if let Some(token) = tokens.get(MAX_TOKENS) {
        let message = format!("the formula has more than {MAX_TOKENS} words");
        return Err(FormulaError::at(token.column, message).hint("compute intermediate values as parts"));
    }
    let mut parser = Parser { tokens: &tokens, at: 0, end, depth: 0 };
    let root = parser.sum()?;
    match parser.tokens.get(parser.at) {
        None => Ok(root),
        Some(token) => {
            let found = shown(&token.word);
            let error = FormulaError::at(token.column, format!("expected an operator, found {found}"));
            Err(error.hint(if found == "')'" { "there is no '(' for it" } else { "write * to multiply" }))
        }
    }
}

struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    end: usize,
    depth: usize,
}

impl Parser<'_> {
    fn sum(&mut self) -> Result<Node, FormulaError> {
        let mut left = self.product()?;
        while let Some(operator) = self.operator(&[('+', Operator::Add), ('-', Operator::Subtract)]) {
            left = Node::Join(Box::new(left), operator, Box::new(self.product()?));
        }
        Ok(left)
    }

    fn product(&mut self) -> Result<Node, FormulaError> {
        let mut left = self.signed()?;
        while let Some(operator) = self.operator(&[('*', Operator::Multiply), ('/', Operator::Divide)]) {
            left = Node::Join(Box::new(left), operator, Box::new(self.signed()?));
        }
        Ok(left)
    }

    fn signed(&mut self) -> Result<Node, FormulaError> {
        self.deeper(|parser| match parser.sign('-') {
            true => Ok(Node::Negative(Box::new(parser.signed()?))),
            false => parser.power(),
        })
    }

    fn power(&mut self) -> Result<Node, FormulaError> {
        let base = self.value()?;
        match self.operator(&[('^', Operator::Power)]) {
            Some(operator) => Ok(Node::Join(Box::new(base), operator, Box::new(self.signed()?))),
            None => Ok(base),
        }
    }

    fn value(&mut self) -> Result<Node, FormulaError> {
        let Some(token) = self.tokens.get(self.at) else {
            return Err(FormulaError::at(self.end, "expected a number, a name or '(', found the end"));
        };
        self.at += 1;
        match &token.word {
            Word::Number(number) => Ok(Node::Number(*number)),
            Word::Name(name) if self.sign('(') => self.call(name, token.column),
            Word::Name(name) => Ok(Node::Name(name.clone())),
            Word::Sign('(') => {
                let inner = self.deeper(Self::sum)?;
                self.close()?;
                Ok(Node::Parentheses(Box::new(inner)))
            }
            Word::Sign(_) => {
                let found = shown(&token.word);
                let message = format!("expected a number, a name or '(', found {found}");
                Err(FormulaError::at(token.column, message))
            }
        }
    }

    fn call(&mut self, name: &str, column: usize) -> Result<Node, FormulaError> {
        let known = Function::ALL.iter().find(|(known, ..)| *known == name);
        let Some((_, function, counts)) = known else {
            let names: Vec<&str> = Function::ALL.iter().map(|(name, ..)| *name).collect();
            let error = FormulaError::at(column, format!("no function '{name}'"));
            return Err(error.hint(format!("there are {}; write * to multiply", names.join(", "))));
        };
        let mut arguments = vec![self.deeper(Self::sum)?];
        while self.sign(',') {
            arguments.push(self.deeper(Self::sum)?);
        }
        self.close()?;
        let is_paired = *function != Function::DefinedMean || arguments.len().is_multiple_of(2);
        if counts.contains(&arguments.len()) && is_paired {
            return Ok(Node::Call(*function, arguments));
        }
        let message = format!("{name} has {} arguments", arguments.len());
        let error = FormulaError::at(column, message);
        Err(error.hint(match function {
            Function::DefinedMean => "write defined_mean(weight, value, weight, value)".to_owned(),
            Function::Clamp => "write clamp(value, low, high)".to_owned(),
            _ => format!("{name} takes {} to {}", counts.start(), counts.end()),
        }))
    }

    fn close(&mut self) -> Result<(), FormulaError> {
        if self.sign(')') {
            return Ok(());
        }
        let token = self.tokens.get(self.at);
        let column = token.map_or(self.end, |token| token.column);
        let found = token.map_or_else(|| "the end".to_owned(), |token| shown(&token.word));
        Err(FormulaError::at(column, format!("expected ')', found {found}")))
    }

    fn deeper<T>(
        &mut self,
        inner: impl FnOnce(&mut Self) -> Result<T, FormulaError>,
    ) -> Result<T, FormulaError> {
        self.depth += 1;
        if self.depth > MAX_DEEP {
            let column = self.tokens.get(self.at).map_or(self.end, |token| token.column);
            let error = FormulaError::at(column, format!("nested more than {MAX_DEEP} deep"));
            return Err(error.hint("compute intermediate values as parts"));
        }
        let result = inner(self);
        self.depth -= 1;
        result
    }

    fn sign(&mut self, sign: char) -> bool {
        let found = self.tokens.get(self.at).is_some_and(|token| token.word == Word::Sign(sign));
        self.at += usize::from(found);
        found
    }

    fn operator(&mut self, known: &[(char, Operator)]) -> Option<Operator> {
        known.iter().find(|(sign, _)| self.sign(*sign)).map(|(_, operator)| *operator)
    }
}

fn shown(word: &Word) -> String {
    match word {
        Word::Number(number) => format!("the number {number}"),
        Word::Name(name) => format!("the name '{name}'"),
        Word::Sign(sign) => format!("'{sign}'"),
    }
}
