//! Diagnostics against those of ArviZ, which `tests/reference/diagnostics.py` has written.

use std::collections::BTreeMap;

use costate_posterior::diagnostics;
use serde::Deserialize;

#[derive(Deserialize)]
struct Reference {
    draws: Vec<Vec<f64>>,
    mean: f64,
    standard_deviation: f64,
    quantiles: [f64; 3],
    r_hat: Option<f64>,
    effective: f64,
    bulk: f64,
    tail: f64,
    error_of_mean: f64,
    error_of_deviation: f64,
    energy_fractions: Vec<f64>,
}

#[test]
fn diagnostics_are_those_of_arviz() {
    let text = include_str!("../reference/diagnostics.json");
    let cases: BTreeMap<String, Reference> = serde_json::from_str(text).unwrap();
    assert_eq!(cases.len(), 11);
    for (name, case) in cases {
        let draws = &case.draws;
        let check = |what: &str, own: f64, other: f64| {
            assert!((own - other).abs() <= 1e-10 * other.abs().max(1e-3), "{what} of {name}: {own}, not {other}");
        };
        check("mean", diagnostics::mean(draws), case.mean);
        check("deviation", diagnostics::standard_deviation(draws), case.standard_deviation);
        for (part, other) in [0.05, 0.5, 0.95].into_iter().zip(case.quantiles) {
            check("quantile", diagnostics::quantile(draws, part), other);
        }
        match case.r_hat {
            Some(other) => check("R-hat", diagnostics::r_hat(draws), other),
            None => assert!(diagnostics::r_hat(draws).is_nan()),
        }
        check("effective", diagnostics::effective(draws), case.effective);
        check("bulk", diagnostics::bulk(draws), case.bulk);
        check("tail", diagnostics::tail(draws), case.tail);
        check("error of the mean", diagnostics::error_of_mean(draws), case.error_of_mean);
        check("error of the deviation", diagnostics::error_of_deviation(draws), case.error_of_deviation);
        for (chain, other) in draws.iter().zip(&case.energy_fractions) {
            check("energy fraction", diagnostics::energy_fraction(chain), *other);
        }
    }
}

#[test]
fn what_draws_do_not_tell_is_no_number() {
    let few = vec![vec![1.0, 2.0, 3.0]; 2];
    let infinite = vec![vec![1.0, 2.0, f64::INFINITY, 0.0, 1.0]; 2];
    for draws in [few, infinite, Vec::new(), vec![Vec::new()], vec![vec![1.0; 5], vec![1.0; 6]]] {
        assert!(diagnostics::r_hat(&draws).is_nan());
        assert!(diagnostics::bulk(&draws).is_nan());
        assert!(diagnostics::tail(&draws).is_nan());
        assert!(diagnostics::effective(&draws).is_nan());
    }
    assert!(diagnostics::mean(&[]).is_nan());
    assert!(diagnostics::quantile(&[], 0.5).is_nan());
    assert!(diagnostics::energy_fraction(&[1.0]).is_nan());
    // draws that are all the same count as many as they are, as in ArviZ
    assert_eq!(diagnostics::bulk(&[vec![1.0; 10], vec![1.0; 10]]), 20.0);
}
