//! Tests that consistent expressions pass and all others fail.

use proptest::prelude::*;

use crate::units::{Dimension, Exponent};
use crate::{Diagnostic, compile_str};

/// Returns the messages about an output with this unit and value.
fn errors(unit: &str, value: &str) -> Vec<String> {
    let source = format!(
        "Model {{
            parameters {{ k: N/m = 3, l: m = 2, n: 1 = 2, m: kg = 1, w: 1/s = 3 }}
            inputs {{ u: kN }}
            coordinates {{ x: m, phi: rad }}
            mass {{ x: m, phi: m*l^2 }}
            forces {{ x: -k*x*n*1 + u, phi: -m*l^2*w^2*phi }}
            outputs {{ reading: {unit} = {value} }}
        }}"
    );
    let errors = compile_str(&source).err().into_iter().flatten();
    errors.map(|Diagnostic { message, .. }| message).collect()
}

/// An expression with a dimension. Its leaves are numbers with units, one of which can be made wrong.
#[derive(Debug, Clone)]
enum Tree {
    Leaf(Dimension),
    Sum(Box<Tree>, Box<Tree>),
    Product(Box<Tree>, Box<Tree>),
    Quotient(Box<Tree>, Box<Tree>),
    Negate(Box<Tree>),
    Square(Box<Tree>),
    Root(Box<Tree>),
    Least(Box<Tree>, Box<Tree>),
    Sine(Box<Tree>),
    Choice(Box<Tree>, Box<Tree>, Box<Tree>, Box<Tree>),
    Value(Box<Tree>, Dimension),
    ToThe(Box<Tree>, Box<Tree>),
}

fn dimension(exponents: [i8; 3]) -> Dimension {
    let [kg, m, s] = exponents;
    Dimension::new([kg, m, s, 0, 0, 0, 0])
}

/// Builds a tree of dimension `wanted` from the decisions in `choices`.
fn tree(wanted: Dimension, depth: usize, choices: &mut impl Iterator<Item = u8>) -> Tree {
    let choice = choices.next().unwrap_or(0);
    let mut part = |dimension: Dimension| Box::new(tree(dimension, depth.saturating_sub(1), choices));
    let other = dimension([choice as i8 % 2, choice as i8 % 3 - 1, (choice / 7) as i8 % 3 - 1]);
    let within = |dimension: Option<Dimension>| dimension.filter(|dimension| dimension.is_writable());
    match choice % 14 {
        _ if depth == 0 => Tree::Leaf(wanted),
        1 | 2 => Tree::Sum(part(wanted), part(wanted)),
        3 | 4 => match within(wanted.over(other)) {
            Some(rest) => Tree::Product(part(other), part(rest)),
            None => Tree::Leaf(wanted),
        },
        5 | 6 => match within(wanted.times(other)) {
            Some(product) => Tree::Quotient(part(product), part(other)),
            None => Tree::Leaf(wanted),
        },
        7 => Tree::Negate(part(wanted)),
        8 => match within(wanted.power(Exponent::ONE_HALF)) {
            Some(root) => Tree::Square(part(root)),
            None => Tree::Leaf(wanted),
        },
        9 => match within(wanted.power(Exponent::whole(2))) {
            Some(square) => Tree::Root(part(square)),
            None => Tree::Leaf(wanted),
        },
        10 => Tree::Least(part(wanted), part(wanted)),
        11 => Tree::Choice(part(other), part(other), part(wanted), part(wanted)),
        12 if wanted.is_none() => Tree::Sine(part(wanted)),
        13 if wanted.is_none() && choice % 28 < 14 => Tree::Value(part(other), other),
        13 if wanted.is_none() => Tree::ToThe(part(wanted), part(wanted)),
        _ => Tree::Leaf(wanted),
    }
}

/// Writes a tree; the unit of the leaf in position `wrong` has an additional factor m.
fn text(tree: &Tree, wrong: Option<usize>, leaves: &mut usize) -> String {
    let mut text = |tree: &Tree| text(tree, wrong, leaves);
    match tree {
        Tree::Leaf(dimension) => {
            *leaves += 1;
            match wrong {
                Some(position) if position + 1 == *leaves => format!("2[{dimension}*m]"),
                _ => format!("2[{dimension}]"),
            }
        }
        Tree::Sum(a, b) => format!("({} + {})", text(a), text(b)),
        Tree::Product(a, b) => format!("{}*{}", text(a), text(b)),
        Tree::Quotient(a, b) => format!("{}/({})", text(a), text(b)),
        Tree::Negate(a) => format!("(-{})", text(a)),
        Tree::Square(a) => format!("({})^2", text(a)),
        Tree::Root(a) => format!("sqrt(abs({}))", text(a)),
        Tree::Least(a, b) => format!("min({}, {})", text(a), text(b)),
        Tree::Sine(a) => format!("sin({})", text(a)),
        Tree::Choice(a, b, yes, no) => {
            format!("(if {} < {} {{ {} }} else {{ {} }})", text(a), text(b), text(yes), text(no))
        }
        Tree::Value(a, dimension) => format!("value({}, {dimension})", text(a)),
        Tree::ToThe(a, b) => format!("abs({})^({})", text(a), text(b)),
    }
}

/// Returns the messages about units; a division by a sum that happens to be zero is ignored.
fn unit_errors(unit: Dimension, value: &str) -> Vec<String> {
    let about_units = |message: &String| message.contains("unit");
    errors(&unit.to_string(), value).into_iter().filter(about_units).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn consistent_expressions_pass_and_inconsistent_ones_fail(
        exponents in [-1i8..=1, -2i8..=2, -2i8..=2],
        choices in prop::collection::vec(any::<u8>(), 40),
        position in any::<prop::sample::Index>(),
    ) {
        let unit = dimension(exponents);
        let tree = tree(unit, 4, &mut choices.into_iter());
        let mut leaves = 0;
        let right = text(&tree, None, &mut leaves);
        prop_assert_eq!(unit_errors(unit, &right), Vec::<String>::new(), "{}", right);
        let wrong = text(&tree, Some(position.index(leaves)), &mut 0);
        prop_assert!(!unit_errors(unit, &wrong).is_empty(), "{}", wrong);
    }
}

#[test]
fn zero_fits_every_unit() {
    for value in ["0", "-0", "x*0", "max(x, 0)", "0 + x", "if x > 0 { 0 } else { x }", "0/k + x", "sqrt(0) + x"] {
        assert_eq!(errors("m", value), Vec::<String>::new(), "{value}");
    }
    assert_eq!(errors("m", "0[s]").len(), 1);
    assert_eq!(errors("m", "n - n + x").len(), 1);
}

#[test]
fn powers() {
    for (unit, value) in [
        ("m^2", "x^2"),
        ("1/m^2", "x^-2"),
        ("m", "sqrt(x^2 + l^2)"),
        ("m", "(x^3)^(1/3)"),
        ("m^3", "x^1.5*l^1.5"),
        ("m", "x^0.1*x^0.9"),
        ("m", "x^(2/7)*x^(5/7)"),
        ("1", "(x/l)^n"),
        ("N*m", "k^0.5*k^(1/2)*x^2"),
        ("1", "2^(x/l)^3"),
        ("1", "x^0"),
    ] {
        assert_eq!(errors(unit, value), Vec::<String>::new(), "{value}");
    }
    for value in ["x^n", "2^x", "x^pi", "x^0.1234567"] {
        assert_eq!(errors("m", value).len(), 1, "{value}");
    }
}

#[test]
fn derivatives_and_casts() {
    for (unit, value) in [
        ("m/s^2", "ddot(x)"),
        ("W", "dot(k*x^2/2)"),
        ("1", "value(dot(x), km/h) + value(u, N) + value(phi, deg)"),
        ("mm", "3[mm]*value(x, m)^1.7"),
        ("rpm", "w + 3[deg/s]"),
        ("bar", "u/l^2 + 3[N/mm^2]"),
    ] {
        assert_eq!(errors(unit, value), Vec::<String>::new(), "{value}");
    }
    assert_eq!(
        errors("1", "value(x, N)"),
        ["this has the unit `m` and can't be measured in `N`; write `value(..., m)`"]
    );
    assert_eq!(errors("1", "value(x)"), ["`value` takes a quantity and a unit; write e.g. `value(x, mm)`"]);
}

#[test]
fn dimensions_beyond_all_bounds_are_not_followed() {
    assert_eq!(errors("m", "(x^64)^64").len(), 1);
    let huge = format!("({})^64", vec!["x^64"; 600].join("*"));
    assert_eq!(errors("m", &huge), Vec::<String>::new());
}
