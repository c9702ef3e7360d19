//! Complex curves in the forms in which they are compared.

use anyhow::{Context, Result};
use costate::cost::{ComplexForm, ComplexFormError, InForm};
use costate::identify::{ComplexCurve, CurveError, NumbersError, Prediction};
use costate::{Fit, Identification, Simulation};

use super::Oscillator;
use super::closed_forms::{modes, receptance};

const FORMS: [ComplexForm; 5] = [
    ComplexForm::RealAndImaginary,
    ComplexForm::MagnitudeAndPhase,
    ComplexForm::DecibelsAndPhase,
    ComplexForm::Magnitude,
    ComplexForm::Decibels,
];

fn frequencies() -> Vec<f64> {
    (0..40).map(|k| 1.0 + 0.15 * f64::from(k)).collect()
}

/// Real and imaginary parts at the true parameters, with errors of a part of the magnitude in every second number.
fn parts(error: f64) -> Result<(Vec<f64>, Vec<f64>)> {
    let mut values = receptance(&frequencies()).values(&[2.0, 800.0, 2e5, 3.0])?;
    let mut imaginary = values.split_off(frequencies().len());
    for (k, (a, b)) in values.iter_mut().zip(&mut imaginary).enumerate() {
        let magnitude = a.hypot(*b);
        *a += error * magnitude * [1.0, -1.0, 0.5, -0.5][k % 4];
        *b += error * magnitude * [-0.5, 1.0, 1.0, -1.0][(k / 2) % 4];
    }
    Ok((values, imaginary))
}

fn fit(form: ComplexForm, curve: &ComplexCurve) -> Result<Fit<Oscillator>> {
    let predicted = InForm::new(receptance(&frequencies()), form)?;
    let numbers = curve.numbers(&predicted, "")?;
    let start = Oscillator { c: 760.0, d: 3.5, ..Oscillator::default() };
    let identification = Identification::new(&Simulation::new(&start))
        .unknown([Oscillator::C, Oscillator::D])
        .predicted(predicted, numbers);
    let check = identification.check_gradient()?;
    assert!(check.agrees(1e-5), "{form:?}: {check}");
    Ok(identification.run()?)
}

#[test]
fn all_forms_find_the_same_parameters() -> Result<()> {
    let (real, imaginary) = parts(0.01)?;
    let in_millimetres = |values: &[f64]| values.iter().map(|value| 1e3 * value).collect::<Vec<_>>();
    // a coherence of one 10001st of noise, of a hundred averages
    let (coherence, averages) = (vec![1.0 / 1.02; 40], 100.0);
    let curve = ComplexCurve::new(frequencies(), in_millimetres(&real), in_millimetres(&imaginary))
        .unit("mm/N")
        .coherence(coherence, averages);
    let reference = fit(FORMS[0], &curve)?;
    for form in FORMS {
        let found = fit(form, &curve)?;
        for ((one, other), truth) in
            found.summary().parameters.iter().zip(&reference.summary().parameters).zip([800.0, 3.0])
        {
            // magnitudes alone know less
            let alone = !form.needs_phase();
            let apart = (one.found - other.found).abs() / one.standard_deviation;
            assert!(apart < if alone { 2.0 } else { 0.1 }, "{form:?}: {found}\n{reference}");
            assert!((one.found - truth).abs() < 3.0 * one.standard_deviation, "{form:?}: {found}");
            let ratio = one.standard_deviation / other.standard_deviation;
            assert!(if alone { ratio > 1.0 } else { (ratio - 1.0).abs() < 0.02 }, "{form:?}: {ratio}");
        }
        // the standard deviation of a part is |H| sqrt((1 - 1/1.02)/(2 100/1.02)) = 0.01 |H|
        let group = &found.summary().predictions[0];
        let relative = group.standard_deviations[5] / real[5].hypot(imaginary[5]);
        let wanted = if group.unit == "dB" { 0.2 / 10f64.ln() } else { 0.01 };
        let given = if group.unit == "dB" { group.standard_deviations[5] } else { relative };
        assert!((given / wanted - 1.0).abs() < 1e-9, "{form:?}: {given}");
    }
    Ok(())
}

#[test]
fn polar_curves_and_levels_are_those_of_the_parts() -> Result<()> {
    let (real, imaginary) = parts(0.0)?;
    let both = || real.iter().zip(&imaginary);
    let magnitudes: Vec<f64> = both().map(|(a, b)| a.hypot(*b)).collect();
    let phases: Vec<f64> = both().map(|(a, b)| b.atan2(*a) + std::f64::consts::TAU).collect();
    let levels: Vec<f64> = magnitudes.iter().map(|magnitude| 20.0 * magnitude.log10()).collect();
    let deviations = vec![1e-6; 40];
    let curves = [
        ComplexCurve::new(frequencies(), real.clone(), imaginary.clone()),
        ComplexCurve::of_magnitude_and_phase(frequencies(), magnitudes.clone(), phases.clone()),
        ComplexCurve::of_decibels_and_phase(frequencies(), levels, phases),
    ];
    for form in FORMS {
        for curve in &curves {
            let found = fit(form, &curve.clone().deviations(deviations.clone()))?;
            assert!((found.model().c - 800.0).abs() < 1e-5 && (found.model().d - 3.0).abs() < 1e-6, "{found}");
        }
    }
    let alone = ComplexCurve::of_magnitude(frequencies(), magnitudes).variances(vec![2e-12; 40]);
    let found = fit(ComplexForm::Decibels, &alone)?;
    assert!((found.model().c - 800.0).abs() < 1e-5, "{found}");
    let refused = fit(ComplexForm::DecibelsAndPhase, &alone).err().context("not refused")?;
    assert!(matches!(refused.downcast_ref(), Some(CurveError::NoPhase { .. })), "{refused}");
    Ok(())
}

#[test]
fn curves_that_do_not_fit_are_refused() -> Result<()> {
    let (real, imaginary) = parts(0.0)?;
    let predicted = InForm::new(receptance(&frequencies()), ComplexForm::DecibelsAndPhase)?;
    let curve = || ComplexCurve::new(frequencies(), real.clone(), imaginary.clone());
    let refused = |curve: ComplexCurve| curve.numbers(&predicted, "").err().context("not refused");
    for coherence in [0.0, 1.0, -0.1, 1.2, f64::NAN] {
        let wrong = refused(curve().coherence([&[0.9; 39][..], &[coherence]].concat(), 10.0))?;
        assert!(matches!(wrong, CurveError::Coherence { index: 39, .. }), "{wrong}");
    }
    assert!(matches!(refused(curve().coherence(vec![0.9; 40], 0.5))?, CurveError::Averages { .. }));
    let few = refused(curve().relative_coherence(vec![0.9; 3]))?;
    assert!(matches!(few, CurveError::Numbers(NumbersError::Count { given: 3, needed: 40, .. })));
    let mut zero = (real.clone(), imaginary.clone());
    (zero.0[3], zero.1[3]) = (0.0, 0.0);
    let zero = refused(ComplexCurve::new(frequencies(), zero.0, zero.1))?;
    assert_eq!(zero, CurveError::Zero { index: 3 });
    let short = refused(ComplexCurve::new(frequencies(), real[..7].to_vec(), imaginary.clone()))?;
    assert!(matches!(short, CurveError::Numbers(NumbersError::Count { given: 7, needed: 40, .. })));
    assert!(matches!(refused(curve().unit("N/mm"))?, CurveError::Numbers(NumbersError::Unit(_))));
    let negative = ComplexCurve::of_magnitude(vec![1.0, 2.0], vec![1.0, -1.0]);
    assert!(matches!(refused(negative)?, CurveError::Magnitude { index: 1, .. }));
    let unknown = curve().numbers(&predicted, "mobility").err().context("not refused")?;
    assert!(matches!(unknown, CurveError::UnknownCurve { .. }));
    let none = InForm::new(modes(), ComplexForm::Decibels).err().context("not refused")?;
    assert!(matches!(none, ComplexFormError::NotComplex { .. }));
    Ok(())
}
