//! Tests that points of every formula are recognised as such, with their coefficients.

#![allow(clippy::unwrap_used, reason = "tests may fail")]

use super::kind::Formula;
use super::{FormulaError, formulas};

fn places() -> Vec<f64> {
    (-30..=30).map(|k| 0.05 * f64::from(k) + 0.003).collect()
}

/// Numbers between -1 and 1 that scatter.
fn scatter(k: usize) -> f64 {
    let x = (k as f64 * 12.9898).sin() * 43758.5453;
    2.0 * (x - x.floor()) - 1.0
}

/// Formulas with coefficients in the order of their documentation.
fn cases() -> Vec<(Formula, Vec<f64>)> {
    vec![
        (Formula::Polynomial(2), vec![0.5, -2.0, 3.0]),
        (Formula::OddPolynomial(3), vec![4.0, 7.0]),
        (Formula::SmoothFriction, vec![0.3, 2.0, 5.0, 0.11]),
        (Formula::Stribeck, vec![1.0, 4.0, 6.0, 0.04, 0.3]),
        (Formula::Bilinear, vec![0.2, 1.0, 8.0, 0.37]),
        (Formula::Play, vec![0.5, 9.0, 0.42]),
        (Formula::Power, vec![0.0, 3.0, 1.7]),
    ]
}

#[test]
fn formulas_are_told_apart() {
    let x = places();
    let candidates = [&Formula::USUAL[..], &[Formula::Power]].concat();
    for (formula, coefficients) in cases() {
        let exact: Vec<f64> = x.iter().map(|x| formula.value(*x, &coefficients)).collect();
        let noisy: Vec<f64> = exact.iter().enumerate().map(|(k, y)| y + 0.01 * scatter(k)).collect();
        let deviations = vec![0.01 / 3.0f64.sqrt(); x.len()];
        for given in [None, Some(&deviations[..])] {
            let all = formulas(&x, &noisy, given, &candidates).unwrap();
            let best = &all[0];
            assert_eq!(best.formula, formula, "{best}; then {}", all[1]);
            assert_eq!(best.explains_points(), given.map(|_| true), "{best}");
            assert!(best.misfit < 0.01, "{best}");
            for (found, truth) in best.coefficients.iter().zip(&coefficients) {
                let score = (found.value - truth) / found.standard_deviation;
                assert!(score.abs() < 4.0, "{formula}: {} is {score} deviations off\n{best}", found.name);
            }
        }
    }
}

/// Points that follow no formula are reported, and the longest formula is not called right.
#[test]
fn what_no_formula_follows_is_told() {
    let x = places();
    let steps: Vec<f64> = x.iter().map(|x| f64::from((3.0 * x).floor() as i32 % 2)).collect();
    let best = &formulas(&x, &steps, Some(&vec![1e-3; x.len()]), &Formula::USUAL).unwrap()[0];
    assert!(
        best.explains_points() == Some(false)
            && best.to_string().contains("times the standard deviations of the points"),
        "{best}"
    );
}

#[test]
fn texts_have_the_values_of_formulas() {
    for (text, formula, coefficients) in [
        ("1[N]*(0.5 - 2*value(x, mm) + 3*value(x, mm)^2)", Formula::Polynomial(2), vec![0.5, -2.0, 3.0]),
        ("1[N]*(4*value(x, mm) + 7*value(x, mm)^3)", Formula::OddPolynomial(3), vec![4.0, 7.0]),
        (
            "1[N]*(-0.5 + 2*value(x, mm) + 5*tanh(value(x, mm)/0.125))",
            Formula::SmoothFriction,
            vec![-0.5, 2.0, 5.0, 0.125],
        ),
        ("1[N]*(0 + 1*value(x, mm) - 8*max(value(x, mm) - 0.25, 0))", Formula::Bilinear, vec![0.0, 1.0, -8.0, 0.25]),
        (
            "1[N]*(1*value(x, mm) + 9*(max(value(x, mm) - 0.5, 0) + min(value(x, mm) + 0.5, 0)))",
            Formula::Play,
            vec![1.0, 9.0, 0.5],
        ),
        ("1[N]*(1 + 3*sign(value(x, mm))*abs(value(x, mm))^1.5)", Formula::Power, vec![1.0, 3.0, 1.5]),
        (
            "1[N]*(1*value(x, mm) + 2*tanh(value(x, mm)/0.5) + 3*exp(-(value(x, mm)/0.25)^2)*tanh(value(x, mm)/0.5))",
            Formula::Stribeck,
            vec![1.0, 2.0, 3.0, 0.5, 0.25],
        ),
    ] {
        let x = places();
        let values: Vec<f64> = x.iter().map(|x| formula.value(*x, &coefficients)).collect();
        let mut fitted = formulas(&x, &values, None, &[formula]).unwrap().remove(0);
        for (place, value) in fitted.coefficients.iter_mut().zip(&coefficients) {
            assert!((place.value - value).abs() < 1e-4 * (1.0 + value.abs()), "{fitted}");
            place.value = *value;
        }
        assert_eq!(fitted.text("x", ["mm", "N"]), text);
    }
}

#[test]
fn mistakes_are_named() {
    let refused = |x: &[f64], y: &[f64], deviations: Option<&[f64]>, all: &[Formula]| {
        formulas(x, y, deviations, all).unwrap_err()
    };
    let line = [Formula::Polynomial(1)];
    assert!(matches!(refused(&[0.0, 1.0], &[0.0], None, &line), FormulaError::Lengths { arguments: 2, values: 1, .. }));
    assert!(matches!(
        refused(&[0.0, 1.0, 2.0], &[0.0, f64::NAN, 1.0], None, &line),
        FormulaError::Point { point: 1, field: "value", .. }
    ));
    assert!(matches!(
        refused(&[0.0, 1.0, 2.0], &[0.0; 3], Some(&[1.0, 0.0, 1.0]), &line),
        FormulaError::Point { point: 1, field: "standard deviation", .. }
    ));
    assert!(matches!(
        refused(&[0.0, 1.0], &[0.0; 2], None, &line),
        FormulaError::TooFewPoints { points: 2, coefficients: 2 }
    ));
    assert!(matches!(refused(&[0.0, 1.0], &[0.0; 2], None, &[]), FormulaError::NoFormula));
    assert!(matches!(
        refused(&[0.0, 1.0], &[0.0; 2], None, &[Formula::Polynomial(12)]),
        FormulaError::Degree { most: 9, .. }
    ));
}
