//! Atoms as text, and atoms without a text.

// Helpers of tests may unwrap and panic.
#![allow(clippy::unwrap_used, clippy::panic)]

use costate_compiler::{Compiled, compile_str};
use costate_symbolica::{Atoms, AtomsError, TextError, atoms, text};
use symbolica::prelude::*;

fn compiled(source: &str) -> Compiled {
    compile_str(source).unwrap_or_else(|errors| panic!("{errors:#?}"))
}

fn read(source: &str) -> Atoms {
    atoms(&compiled(source)).unwrap()
}

#[test]
fn operators_and_numbers() {
    let cases = [
        (parse!("a - (b - c)"), "a - (b - c)"),
        (parse!("-(a + b)*c"), "-c*(a + b)"),
        (parse!("(a + b)^2/(c*d^3)"), "(a + b)^2/(c*d^3)"),
        (parse!("1/(a + b)"), "1/(a + b)"),
        (parse!("(a^b)^c"), "(a^b)^c"),
        (parse!("a^(b + c)"), "a^(b + c)"),
        (parse!("a^(-b)"), "a^(-b)"),
        (parse!("a^(2/3) + a^(-3/2) + sqrt(b)"), "a^(2/3) + 1/a^1.5 + sqrt(b)"),
        (parse!("2*a/3 - b/8 + 10^20*c + d/10^30"), "2*a/3 - 0.125*b + 1e20*c + 1e-30*d"),
        (parse!("exp(-a^2)*log(b)"), "exp(-a^2)*ln(b)"),
        (parse!("sec(a)^2 + 1/tan(a)"), "1/tan(a) + (1/cos(a))^2"),
        (parse!("atan(a, b)"), "atan2(b, a)"),
        (Atom::var(Symbol::PI) * Atom::num(2), "2*pi"),
        (Atom::var(Symbol::E), "exp(1)"),
        (Atom::Zero, "0"),
        (Atom::num((-1, 3)), "-1/3"),
        (Atom::num((1, 10)), "0.1"),
    ];
    for (atom, expected) in cases {
        assert_eq!(text(&atom).as_deref(), Ok(expected), "{atom}");
    }
}

/// Quantities, branches and tables are written as they stand in the model.
#[test]
fn what_a_model_has() {
    let model = read(
        "Parts {
            parameters { l[1..=2]: mm, c: N/m }
            tables { stop(x: mm, v: m/s): kN }
            inputs { drive: kN }
            coordinates { x[1..=2]: m }
            mass { for i in 1..=2 { x[i]: 1[kg] } }
            forces {
                x[1]: if x[1] > l[1] && x[2] <= l[2] || !(x[1] == x[2]) { drive } else { -c*x[1] },
                x[2]: -stop(x[2], dot(x[2])) - c*abs(x[2])*sign(dot(x[2])),
            }
            outputs { a: mm/s^2 = ddot(x[1]), late: s = t }
        }",
    );
    let written = |quantity, indices: &[&str]| text(model.get(quantity, indices).unwrap()).unwrap();
    assert_eq!(written("f", &["x[1]"]), "if l[1] < x[1] && x[2] <= l[2] || !(x[1] == x[2]) { drive } else { -c*x[1] }");
    assert_eq!(written("f", &["x[2]"]), "-c*sign(dot(x[2]))*abs(x[2]) - stop(x[2], dot(x[2]))");
    assert_eq!(written("s", &["a"]), "ddot(x[1])");
    assert_eq!(written("s", &["late"]), "t");
    assert_eq!(
        written("f_p", &["x[1]", "c"]),
        "if l[1] < x[1] && x[2] <= l[2] || !(x[1] == x[2]) { 0 } else { -x[1] }"
    );
    // the derivative of a table has no name in the language
    let slope = model.get("f_q", &["x[2]", "x[2]"]).unwrap();
    assert!(matches!(text(slope), Err(TextError::Derivative { .. })));
}

/// Symbolica derives what the compiler derives: velocities are quantities of their own, tables have abstract
/// derivatives.
#[test]
fn derivatives_are_those_of_the_compiler() {
    let model = read(
        "Derived {
            parameters { m: kg, c: N/mm, d: N*s/m, k: 1 }
            tables { stop(x: mm): kN }
            coordinates { x: m, y: m }
            mass { x: m, y: m }
            forces {
                x: -c*x - d*dot(x)^2/1[m/s]*y/1[m] - stop(x*y/1[m]),
                y: -c*abs(y - x)*k^2*exp(k) + 1[N]*tanh(k*y/1[m])*atan2(x, y) + 1[N]*min(k, 2)*log10(k),
            }
        }",
    );
    let mut compared = 0;
    for one in &model.all {
        let [row, column] = &*one.expression.indices else { continue };
        let by = match &*one.expression.quantity {
            "f_q" | "f_p" => model.quantity(column).unwrap(),
            "f_v" => model.velocity(column).unwrap(),
            _ => continue,
        };
        let by = Indeterminate::try_from(by).unwrap();
        let difference = model.get("f", &[row]).unwrap().derivative(by) - &one.atom;
        // a table and its derivative are numbers like others
        let stop = symbol!("Derived::stop");
        let number = |atom: &Atom| -> f64 {
            let mut atom = atom.clone();
            let wild = symbol!("any_").to_atom();
            let slope = Symbol::DERIVATIVE.call((1, stop, &wild));
            atom = atom.replace(slope.to_pattern()).with(&wild * Atom::num((3, 10)));
            atom = atom.replace(stop.call(&wild).to_pattern()).with(wild.pow(2));
            // the branches that hold at the values below
            let less_equal = symbol!("costate::less_equal");
            let (k, y, x) = ("Derived::k", "Derived::y", "Derived::x");
            let _ = (y, x);
            atom = atom.replace(less_equal.call((symbol!(k).to_atom(), 2)).to_pattern()).with(Atom::num(1));
            let sign = symbol!("costate::sign");
            atom = atom.replace(sign.call(&wild).to_pattern()).with(Atom::num(1));
            let abs = symbol!("costate::abs");
            atom = atom.replace(abs.call(&wild).to_pattern()).with(wild.clone());
            let mut values: std::collections::HashMap<Atom, f64> = std::collections::HashMap::new();
            for (name, value) in [("m", 1.2), ("c", 3.0), ("d", 0.7), ("k", 1.4), ("x", 0.8), ("y", 0.9)] {
                values.insert(model.quantity(name).unwrap(), value);
            }
            values.insert(model.velocity("x").unwrap(), 0.3);
            atom.evaluate(&values).unwrap()
        };
        let (value, difference) = (number(&one.atom), number(&difference));
        assert!(difference.abs() <= 1e-13 * value.abs(), "{}: {difference} of {value}", one.expression);
        compared += 1;
    }
    assert!(compared >= 9, "{compared}");
}

#[test]
fn what_has_no_text() {
    let refused = |atom: &Atom| text(atom).unwrap_err();
    assert!(matches!(refused(&parse!("gamma(x)")), TextError::Function { .. }));
    assert!(matches!(refused(&parse!("f(x)")), TextError::Function { .. }));
    assert!(matches!(refused(&parse!("f(x)").derivative(symbol!("x"))), TextError::Derivative { .. }));
    assert!(matches!(refused(&parse!("2*x + 3i")), TextError::Number { .. }));
    assert!(matches!(refused(&Atom::num(10).pow(400)), TextError::Number { .. }));
    assert!(matches!(refused(&Atom::num(10).pow(-400)), TextError::Number { .. }));
    assert!(matches!(refused(&parse!("sin + 1")), TextError::Name { .. }));
    assert!(matches!(refused(&parse!("t + 1")), TextError::Reserved { .. }));
    let alike = parse!("one::x + two::x");
    match refused(&alike) {
        TextError::SameName { first, second, name } => {
            assert_eq!(name, "x");
            assert_ne!(first, second);
        }
        other => panic!("{other}"),
    }
    let mut deep = parse!("x");
    for _ in 0..120 {
        deep = (deep + Atom::num(1)).sin();
    }
    assert_eq!(refused(&deep), TextError::Depth { limit: 200 });
}

#[test]
fn models_that_symbolica_does_not_take() {
    let model = |name: &str, parameter: &str| {
        compiled(&format!(
            "{name} {{ parameters {{ {parameter}: kg }} coordinates {{ x: m }} mass {{ x: {parameter} }} }}"
        ))
    };
    assert_eq!(atoms(&model("Wild", "m_")).unwrap_err(), AtomsError::Wildcard { name: "m_".to_owned() });
    // one symbol from the names `m[1]` and `m_1` of two models
    assert!(atoms(&model("Twice", "m[1]")).is_ok());
    assert!(atoms(&model("Twice", "m[1]")).is_ok());
    match atoms(&model("Twice", "m_1")).unwrap_err() {
        AtomsError::Symbol { symbol, name, .. } => assert_eq!((&*symbol, &*name), ("Twice::m_1", "m_1")),
        other => panic!("{other}"),
    }
}

/// Doubles an expression repeatedly: small as a graph, far too large when it is written out.
#[test]
fn expressions_that_are_too_large() {
    let mut source = "Doubled { coordinates { x: 1 } mass { x: 1 } let a_0 = x;".to_owned();
    for i in 1..=30 {
        source += &format!("let a_{i} = sin(a_{0}) + cos(a_{0});", i - 1);
    }
    source += "outputs { s: 1 = a_30 } }";
    match atoms(&compiled(&source)).unwrap_err() {
        AtomsError::TooLarge { expression, limit } => {
            assert_eq!((&*expression, limit), ("s[s]", costate_symbolica::MAX_OPERATIONS));
        }
        other => panic!("{other}"),
    }
}

/// Tests denominators that are zero only after terms have been collected.
#[test]
fn expressions_without_value() {
    let output = |value: &str| {
        let model =
            format!("Bare {{ coordinates {{ x: 1, y: 1 }} mass {{ x: 1, y: 1 }} outputs {{ s: 1 = {value} }} }}");
        atoms(&compiled(&model)).unwrap_err()
    };
    for value in ["1/((x + y) - y - x)", "((x + y) - y - x)^-2"] {
        assert_eq!(output(value), AtomsError::DivisionByZero { expression: "s[s]".to_owned() });
    }
}
