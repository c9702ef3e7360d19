//! Filters that lose the system, or follow another motion than that of the record (KE 2.2.6): of many records of KE
//! 3.1.1 and many exponents, each has the right curve, or a warning, or no curve.

use costate_filter::KalmanMethod;
use costate_filter::restoring_force::{CurveSettings, Warning};

use super::additive::{accelerations, elastic, filtered, inputs, noisy, percent};

/// The error of the elastic curve in percent, infinite without a curve; and the warnings.
fn identified(inputs: &[f64], measurements: &[f64], exponents: (f64, f64)) -> (f64, Vec<Warning>) {
    let found = filtered(inputs, measurements, KalmanMethod::Extended, exponents);
    let curve = found.elastic_curve(0, &CurveSettings::default());
    let error = curve.map_or(f64::INFINITY, |curve| percent(&curve, elastic));
    (error, found.warnings().to_vec())
}

#[test]
fn a_filter_that_loses_the_system_says_so() {
    let signal = accelerations();
    let inputs = inputs();
    let lost = |warnings: &[Warning]| {
        warnings.iter().any(|warning| matches!(warning, Warning::LostTrack { .. } | Warning::AtBound { .. }))
    };
    for (exponents, most_warned) in [((3.0, 0.5), 6), ((3.0, 1.0), 1), ((3.0, 1.5), 1)] {
        let mut warned = 0;
        for seed in 1..=20 {
            let (error, warnings) = identified(&inputs, &noisy(&signal, 0.05, seed), exponents);
            warned += usize::from(lost(&warnings));
            assert!(error <= 5.0 || lost(&warnings), "{exponents:?}, seed {seed}: {error:.2} %, {warnings:?}");
        }
        assert!(warned <= most_warned, "{exponents:?}: {warned} warnings");
    }
    // exponents with which the filter follows noise
    for exponents in [(3.5, 0.0), (4.0, 0.0), (4.0, 2.0), (4.0, 4.0)] {
        for seed in 1..=4 {
            let (error, warnings) = identified(&inputs, &noisy(&signal, 0.05, seed), exponents);
            assert!(error <= 5.0 || lost(&warnings), "{exponents:?}, seed {seed}: {error:.2} %, {warnings:?}");
        }
    }
}
