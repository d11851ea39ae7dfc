use proptest::prelude::*;

use super::*;

fn scope(name: &str) -> Result<Quantity, Unanswered> {
    match name {
        "E" => Ok(Quantity::Number(0.5)),
        "M" => Ok(Quantity::Number(0.8)),
        "V" => Ok(Quantity::List(vec![1.0, 0.5])),
        "D" => Ok(Quantity::List(vec![0.0, 1.0, 4.0])),
        "none" => Ok(Quantity::List(Vec::new())),
        "O" => Ok(Quantity::Number(2.0)),
        "lost" => Err(Unanswered::Undefined { name: name.into(), reason: "no map".into() }),
        _ => Err(Unanswered::NoSuchName(name.into())),
    }
}

fn value(text: &str) -> Result<f64, Unanswered> {
    Formula::parse(text).unwrap().number(&scope)
}

#[test]
fn s_total_of_the_worked_example_is_computed_and_shown() {
    let formula = Formula::parse("(50*E + 50*M + 20*sum(V)) / O^2").unwrap();
    assert_eq!(formula.number(&scope), Ok(23.75));
    assert_eq!(formula.substituted(&scope), "(50 · 0.5 + 50 · 0.8 + 20 · sum([1, 0.5])) / 2^2");
    assert_eq!(formula.names().into_iter().collect::<Vec<_>>(), ["E", "M", "O", "V"]);
}

#[test]
fn operators_bind_as_on_paper() {
    assert_eq!(value("-2^2"), Ok(-4.0));
    assert_eq!(value("2^3^2"), Ok(512.0));
    assert_eq!(value("2^-1"), Ok(0.5));
    assert_eq!(value("8 - 3 - 2"), Ok(3.0));
    assert_eq!(value("8 / 4 / 2"), Ok(1.0));
    assert_eq!(value("1e1 + .5 + 2.5E-1"), Ok(10.75));
}

#[test]
fn lists_are_joined_element_by_element() {
    // 10 max(0, 1 - D/2): 10, 5, 0
    assert_eq!(value("sum(10*max(0, 1 - D/2))"), Ok(15.0));
    assert_eq!(value("mean(V) + count(D) + max(D) - min(V)"), Ok(0.75 + 3.0 + 4.0 - 0.5));
    assert_eq!(value("sum(none)"), Ok(0.0));
    assert_eq!(value("clamp(3, 0, 1) + sum(clamp(D, 1, 2))"), Ok(1.0 + 4.0));
    assert_eq!(value("mean(none)"), Err(Unanswered::Empty("mean")));
    assert_eq!(value("sum(V + D)"), Err(Unanswered::Lengths(2, 3)));
    assert_eq!(value("V"), Err(Unanswered::IsList(2)));
}

#[test]
fn a_mean_of_what_is_defined_leaves_out_the_rest_with_its_weight() {
    // (1 * 0.5 + 3 * 0.8) / 4
    assert!((value("defined_mean(1, E, 5, lost, 3, M)").unwrap() - 0.725).abs() < 1e-12);
    assert_eq!(value("defined_mean(1, lost)").unwrap_err().to_string(), "lost is undefined: no map");
    assert!(matches!(value("defined_mean(0, E)"), Err(Unanswered::DivisionByZero(_))));
    assert_eq!(value("defined_mean(1, V)"), Err(Unanswered::IsList(2)));
    assert!(Formula::parse("defined_mean(1, E, 2)").unwrap_err().hint.unwrap().contains("weight, value"));
}

#[test]
fn undefined_is_passed_on_with_its_reason_and_never_zero() {
    assert_eq!(value("0 * lost").unwrap_err().to_string(), "lost is undefined: no map");
    assert_eq!(value("E / 0").unwrap_err().to_string(), "division by zero in 0.5 / 0");
    assert!(matches!(value("10^400"), Err(Unanswered::NotFinite(_))));
    assert!(matches!(value("(0-1)^0.5"), Err(Unanswered::NotFinite(_))));
    assert_eq!(value("nobody"), Err(Unanswered::NoSuchName("nobody".into())));
    assert_eq!(value("clamp(1, 2, 0)"), Err(Unanswered::Bounds));
}

#[test]
fn errors_name_the_column_and_a_remedy() {
    let error = |text: &str| Formula::parse(text).unwrap_err();
    assert_eq!(error("50 E").to_string(), "column 4: expected an operator, found the name 'E'");
    assert_eq!(error("50 E").hint.as_deref(), Some("write * to multiply"));
    assert_eq!(error("(1 + 2").to_string(), "column 7: expected ')', found the end");
    assert_eq!(error("1 + 2)").hint.as_deref(), Some("there is no '(' for it"));
    assert_eq!(error("1 $ 2").to_string(), "column 3: '$' does not belong into a formula");
    assert_eq!(error("log(2)").to_string(), "column 1: no function 'log'");
    assert_eq!(error("clamp(1)").hint.as_deref(), Some("write clamp(value, low, high)"));
    assert_eq!(error("").to_string(), "column 1: expected a number, a name or '(', found the end");
    assert_eq!(error("1..2").to_string(), "column 3: expected an operator, found the number 0.2");
}

#[test]
fn hostile_formulas_are_refused_without_a_deep_stack() {
    for text in ["(".repeat(3000), "-".repeat(3000), "2^".repeat(1500), "max(".repeat(900)] {
        assert!(Formula::parse(&text).is_err());
    }
    assert!(Formula::parse(&"1+".repeat(5000)).unwrap_err().message.contains("more than"));
    assert!(Formula::parse(&vec!["1"; 499].join("+")).unwrap().number(&scope).is_ok());
}

proptest! {
    #[test]
    fn any_text_is_a_formula_or_an_error(text in ".{0,60}") {
        if let Ok(formula) = Formula::parse(&text) {
            if let Ok(number) = formula.number(&scope) {
                prop_assert!(number.is_finite());
            }
            let _ = formula.substituted(&scope);
        }
    }

    #[test]
    fn sums_and_products_are_those_of_rust(a in -1e3..1e3f64, b in 1e-3..1e3f64) {
        let text = format!("{a} * {b} - ({a}) / {b}");
        prop_assert_eq!(value(&text), Ok(a * b - a / b));
    }
}
