//! A formula with the numbers in place of the names.

use super::Quantity;
use super::evaluate::Scope;
use super::parser::{Node, Operator};

/// Lists are cut after this many elements; the record has them all.
const MAX_ELEMENTS: usize = 12;

pub(super) fn substituted(node: &Node, scope: &Scope<'_>) -> String {
    match node {
        Node::Number(number) => report::shown_number(*number),
        Node::Name(name) => match scope(name) {
            Ok(Quantity::Number(number)) if number < 0.0 => format!("({})", report::shown_number(number)),
            Ok(Quantity::Number(number)) => report::shown_number(number),
            Ok(Quantity::List(list)) => shown_list(&list),
            Err(_) => format!("{name}?"),
        },
        Node::Parentheses(inner) => format!("({})", substituted(inner, scope)),
        Node::Negative(inner) => format!("-{}", substituted(inner, scope)),
        Node::Join(left, operator, right) => {
            let sign = match operator {
                Operator::Add => " + ",
                Operator::Subtract => " - ",
                Operator::Multiply => " · ",
                Operator::Divide => " / ",
                Operator::Power => "^",
            };
            format!("{}{sign}{}", substituted(left, scope), substituted(right, scope))
        }
        Node::Call(function, arguments) => {
            let arguments: Vec<String> = arguments.iter().map(|a| substituted(a, scope)).collect();
            format!("{}({})", function.name(), arguments.join(", "))
        }
    }
}

fn shown_list(list: &[f64]) -> String {
    let shown: Vec<String> =
        list.iter().take(MAX_ELEMENTS).map(|number| report::shown_number(*number)).collect();
    let rest = if list.len() > MAX_ELEMENTS { ", …" } else { "" };
    format!("[{}{rest}]", shown.join(", "))
}
