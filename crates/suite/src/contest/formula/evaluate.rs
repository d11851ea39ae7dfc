//! The value of a formula.

use metrics::Quantity;

use super::parser::{Function, Node, Operator};

/// The values of the names: looks a name up, or says why it has no value.
pub type Scope<'a> = dyn Fn(&str) -> Result<Quantity, Unanswered> + 'a;

/// Why a formula has no value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unanswered {
    /// A part is undefined.
    #[error("{name} is undefined: {reason}")]
    Undefined {
        /// The part.
        name: String,
        /// Why.
        reason: String,
    },
    /// Nothing has this name.
    #[error("there is no part or constant '{0}'")]
    NoSuchName(String),
    /// A divisor is 0.
    #[error("division by zero in {0}")]
    DivisionByZero(String),
    /// The mean, or the extreme, of nothing.
    #[error("{0} of an empty list")]
    Empty(&'static str),
    /// Lists of unequal length side by side.
    #[error("lists of {0} and {1} elements cannot be joined")]
    Lengths(usize, usize),
    /// Bounds of clamp in the wrong order.
    #[error("clamp: the lower bound is above the upper one")]
    Bounds,
    /// Too large, or no real number.
    #[error("{0} is no finite number")]
    NotFinite(String),
    /// A list where a number is wanted.
    #[error("the result is a list of {0} elements: expected one number (use sum or mean)")]
    IsList(usize),
}

pub(super) fn evaluate(node: &Node, scope: &Scope<'_>) -> Result<Quantity, Unanswered> {
    match node {
        Node::Number(number) => Ok(Quantity::Number(*number)),
        Node::Name(name) => finite(scope(name)?, || name.clone()),
        Node::Parentheses(inner) => evaluate(inner, scope),
        Node::Negative(inner) => Ok(each(evaluate(inner, scope)?, |x| -x)),
        Node::Join(left, operator, right) => {
            let values = (evaluate(left, scope)?, evaluate(right, scope)?);
            let shown = || super::substitute::substituted(node, scope);
            join(values.0, values.1, |a, b| apply(*operator, a, b, &shown))
        }
        Node::Call(Function::DefinedMean, arguments) => defined_mean(arguments, scope),
        Node::Call(function, arguments) => {
            let values = arguments.iter().map(|argument| evaluate(argument, scope));
            let result = call(*function, values.collect::<Result<_, _>>()?)?;
            finite(result, || super::substitute::substituted(node, scope))
        }
    }
}

/// The weighted mean of the values that are defined; undefined if none is.
fn defined_mean(arguments: &[Node], scope: &Scope<'_>) -> Result<Quantity, Unanswered> {
    let (mut sum, mut weights, mut missing) = (0.0, 0.0, None);
    for pair in arguments.chunks(2) {
        let [weight, value] = pair else { return Err(Unanswered::Empty("the last weight of defined_mean")) };
        let weight = single(evaluate(weight, scope)?)?;
        match evaluate(value, scope) {
            Ok(value) => (sum, weights) = (sum + weight * single(value)?, weights + weight),
            Err(Unanswered::Undefined { name, reason }) => {
                missing = Some(Unanswered::Undefined { name, reason });
            }
            Err(other) => return Err(other),
        }
    }
    match missing {
        Some(missing) if weights == 0.0 => Err(missing),
        _ if weights == 0.0 => Err(Unanswered::DivisionByZero("defined_mean: all weights are 0".to_owned())),
        _ => finite(Quantity::Number(sum / weights), || "defined_mean".to_owned()),
    }
}

fn single(value: Quantity) -> Result<f64, Unanswered> {
    match value {
        Quantity::Number(number) => Ok(number),
        Quantity::List(list) => Err(Unanswered::IsList(list.len())),
    }
}

fn finite(value: Quantity, shown: impl Fn() -> String) -> Result<Quantity, Unanswered> {
    let is_finite = match &value {
        Quantity::Number(number) => number.is_finite(),
        Quantity::List(list) => list.iter().all(|number| number.is_finite()),
    };
    if is_finite { Ok(value) } else { Err(Unanswered::NotFinite(shown())) }
}

fn apply(operator: Operator, a: f64, b: f64, shown: &dyn Fn() -> String) -> Result<f64, Unanswered> {
    if operator == Operator::Divide && b == 0.0 {
        return Err(Unanswered::DivisionByZero(shown()));
    }
    let result = match operator {
        Operator::Add => a + b,
        Operator::Subtract => a - b,
        Operator::Multiply => a * b,
        Operator::Divide => a / b,
        Operator::Power => a.powf(b),
    };
    if result.is_finite() { Ok(result) } else { Err(Unanswered::NotFinite(shown())) }
}

/// Joins two values; a number meets each element of a list, lists meet element by element.
fn join(
    left: Quantity,
    right: Quantity,
    apply: impl Fn(f64, f64) -> Result<f64, Unanswered>,
) -> Result<Quantity, Unanswered> {
    use Quantity::{List, Number};
    Ok(match (left, right) {
        (Number(a), Number(b)) => Number(apply(a, b)?),
        (Number(a), List(b)) => List(b.into_iter().map(|b| apply(a, b)).collect::<Result<_, _>>()?),
        (List(a), Number(b)) => List(a.into_iter().map(|a| apply(a, b)).collect::<Result<_, _>>()?),
        (List(a), List(b)) if a.len() == b.len() => {
            List(a.into_iter().zip(b).map(|(a, b)| apply(a, b)).collect::<Result<_, _>>()?)
        }
        (List(a), List(b)) => return Err(Unanswered::Lengths(a.len(), b.len())),
    })
}

fn each(value: Quantity, apply: impl Fn(f64) -> f64) -> Quantity {
    match value {
        Quantity::Number(number) => Quantity::Number(apply(number)),
        Quantity::List(list) => Quantity::List(list.into_iter().map(apply).collect()),
    }
}

fn call(function: Function, arguments: Vec<Quantity>) -> Result<Quantity, Unanswered> {
    match function {
        Function::Sum => Ok(Quantity::Number(all(&arguments).iter().sum())),
        Function::Count => Ok(Quantity::Number(all(&arguments).len() as f64)),
        Function::Mean => {
            let all = all(&arguments);
            if all.is_empty() {
                return Err(Unanswered::Empty("mean"));
            }
            Ok(Quantity::Number(all.iter().sum::<f64>() / all.len() as f64))
        }
        Function::Abs => first(arguments).map(|value| each(value, f64::abs)),
        Function::Min => extreme("min", arguments, f64::min),
        Function::Max => extreme("max", arguments, f64::max),
        Function::Clamp => clamp(arguments),
        // Evaluated before its arguments are: see `evaluate`.
        Function::DefinedMean => Err(Unanswered::Empty("defined_mean")),
    }
}

fn all(arguments: &[Quantity]) -> Vec<f64> {
    let numbers = |argument: &Quantity| match argument {
        Quantity::Number(number) => vec![*number],
        Quantity::List(list) => list.clone(),
    };
    arguments.iter().flat_map(numbers).collect()
}

fn first(arguments: Vec<Quantity>) -> Result<Quantity, Unanswered> {
    arguments.into_iter().next().ok_or(Unanswered::Empty("a function"))
}

/// The extreme of one list; of several arguments, element by element.
fn extreme(
    name: &'static str,
    arguments: Vec<Quantity>,
    pick: fn(f64, f64) -> f64,
) -> Result<Quantity, Unanswered> {
    if let [Quantity::List(list)] = arguments.as_slice() {
        let best = list.iter().copied().reduce(pick);
        return best.map(Quantity::Number).ok_or(Unanswered::Empty(name));
    }
    let mut arguments = arguments.into_iter();
    let first = arguments.next().ok_or(Unanswered::Empty(name))?;
    arguments.try_fold(first, |best, next| join(best, next, |a, b| Ok(pick(a, b))))
}

fn clamp(arguments: Vec<Quantity>) -> Result<Quantity, Unanswered> {
    let [value, low, high]: [Quantity; 3] = arguments.try_into().map_err(|_| Unanswered::Empty("clamp"))?;
    if let (Quantity::Number(low), Quantity::Number(high)) = (&low, &high)
        && low > high
    {
        return Err(Unanswered::Bounds);
    }
    join(join(value, low, |a, b| Ok(a.max(b)))?, high, |a, b| Ok(a.min(b)))
}
