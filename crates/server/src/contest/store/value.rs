//! Values that go into statements and come out of rows, alike for both databases.

use super::StoreError;

/// One value of a row, or of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// NULL.
    Null,
    /// BIGINT; truth values are 0 and 1.
    Int(i64),
    /// DOUBLE PRECISION.
    Real(f64),
    /// TEXT.
    Text(String),
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        // PostgreSQL has no such letter; nobody writes it but to see what happens.
        Self::Text(text.replace('\0', "\u{fffd}"))
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::from(text.as_str())
    }
}

impl From<&String> for Value {
    fn from(text: &String) -> Self {
        Self::from(text.as_str())
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Int(number)
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Self::Int(i64::from(number))
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Self {
        Self::Int(i64::from(truth))
    }
}

impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// One row of a query.
#[derive(Clone, Debug, PartialEq)]
pub struct Row(pub Vec<Value>);

impl Row {
    fn wrong<T>(&self, column: usize, expected: &str) -> Result<T, StoreError> {
        let found = self.0.get(column);
        Err(StoreError::Row(format!("column {column}: expected {expected}, found {found:.60?}")))
    }

    /// A text.
    ///
    /// # Errors
    /// The column holds something else.
    pub fn text(&self, column: usize) -> Result<String, StoreError> {
        match self.0.get(column) {
            Some(Value::Text(text)) => Ok(text.clone()),
            _ => self.wrong(column, "a text"),
        }
    }

    /// A text or nothing.
    ///
    /// # Errors
    /// As [`Row::text`].
    pub fn text_or_none(&self, column: usize) -> Result<Option<String>, StoreError> {
        match self.0.get(column) {
            Some(Value::Null) => Ok(None),
            _ => self.text(column).map(Some),
        }
    }

    /// A whole number.
    ///
    /// # Errors
    /// As [`Row::text`].
    pub fn int(&self, column: usize) -> Result<i64, StoreError> {
        match self.0.get(column) {
            Some(Value::Int(number)) => Ok(*number),
            _ => self.wrong(column, "a whole number"),
        }
    }

    /// A whole number or nothing.
    ///
    /// # Errors
    /// As [`Row::text`].
    pub fn int_or_none(&self, column: usize) -> Result<Option<i64>, StoreError> {
        match self.0.get(column) {
            Some(Value::Null) => Ok(None),
            _ => self.int(column).map(Some),
        }
    }

    /// A truth value, kept as 0 or 1.
    ///
    /// # Errors
    /// As [`Row::text`].
    pub fn truth(&self, column: usize) -> Result<bool, StoreError> {
        Ok(self.int(column)? != 0)
    }

    /// A number or nothing.
    ///
    /// # Errors
    /// As [`Row::text`].
    pub fn real_or_none(&self, column: usize) -> Result<Option<f64>, StoreError> {
        match self.0.get(column) {
            Some(Value::Null) => Ok(None),
            Some(Value::Real(number)) => Ok(Some(*number)),
            _ => self.wrong(column, "a number"),
        }
    }

    /// JSON in a text.
    ///
    /// # Errors
    /// As [`Row::text`].
    pub fn json(&self, column: usize) -> Result<serde_json::Value, StoreError> {
        serde_json::from_str(&self.text(column)?)
            .map_err(|error| StoreError::Row(format!("column {column}: expected JSON: {error}")))
    }
}
