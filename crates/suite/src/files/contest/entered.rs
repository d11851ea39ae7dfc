//! What a judge enters in a contest file, with or without a name and a reason beside it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::contest::{Quantity, Signature};

/// What a judge entered: a number or a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Entered {
    /// One number.
    Number(f64),
    /// One per victim, for instance.
    List(Vec<f64>),
    /// Either of them, with who says so and why.
    Signed(SignedValue),
}

/// A value with who entered it and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SignedValue {
    /// The number or list.
    pub value: Number,
    /// The judge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A number or a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Number {
    /// One number.
    One(f64),
    /// Several.
    List(Vec<f64>),
}

impl Entered {
    /// Numbers of a list; 1 for a single one.
    pub(super) fn length(&self) -> usize {
        match self {
            Self::List(list) | Self::Signed(SignedValue { value: Number::List(list), .. }) => list.len(),
            Self::Number(_) | Self::Signed(_) => 1,
        }
    }

    /// Who entered the value and why.
    #[must_use]
    pub fn signature(&self) -> Signature {
        match self {
            Self::Signed(signed) => Signature { by: signed.by.clone(), reason: signed.reason.clone() },
            Self::Number(_) | Self::List(_) => Signature::default(),
        }
    }
}

impl From<&Entered> for Quantity {
    fn from(entered: &Entered) -> Self {
        match entered {
            Entered::Number(number) => Self::Number(*number),
            Entered::List(list) => Self::List(list.clone()),
            Entered::Signed(SignedValue { value: Number::One(number), .. }) => Self::Number(*number),
            Entered::Signed(SignedValue { value: Number::List(list), .. }) => Self::List(list.clone()),
        }
    }
}
