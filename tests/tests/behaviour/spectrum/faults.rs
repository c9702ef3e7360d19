//! Errors of spectra, and the faults that they name.

use std::f64::consts::{PI, TAU};

use costate::Record;
use costate::cost::{
    AmplitudeSpectrum, FourierLine, OrderLine, SpectralValue, SpectrumCost, SpectrumError, SpectrumForm, Window,
    fourier_coefficients, order_coefficients,
};

use super::shaft::Shaft;

#[test]
fn faults_are_named() {
    let cost = || SpectrumCost::new(0.01, 101, SpectrumForm::Decibels);
    let line = |f, from, to| FourierLine::new(f, from, to, Window::Hann);
    let add = |f, from, to, value, weight| {
        cost().with_line(Shaft::TWIST, line(f, from, to), SpectralValue::Amplitude(value), weight).unwrap_err()
    };
    let error = add(50.5, 0.0, 1.0, 1.0, 1.0);
    assert_eq!(error, SpectrumError::Nyquist { frequency: 50.5, nyquist: 50.0 });
    assert!(error.to_string().contains("50.5 Hz is not below 50 Hz"), "{error}");
    assert!(matches!(add(f64::NAN, 0.0, 1.0, 1.0, 1.0), SpectrumError::NotPositive { .. }));
    assert_eq!(add(5.0, 0.5, 1.2, 1.0, 1.0), SpectrumError::Outside { from: 0.5, to: 1.2, start: 0.0, end: 1.0 });
    assert!(matches!(add(5.0, 0.5, 0.4, 1.0, 1.0), SpectrumError::EmptyInterval { .. }));
    assert!(matches!(add(5.0, 0.0, 1.0, 1.0, -2.0), SpectrumError::Weight { weight: -2.0, .. }));
    assert!(matches!(add(5.0, 0.0, 1.0, -1.0, 1.0), SpectrumError::Measured { value: -1.0, .. }));
    assert!(matches!(add(5.0, 0.0, 1.0, 0.0, 1.0), SpectrumError::ZeroAmplitude { .. }));
    let both = SpectrumCost::new(0.01, 101, SpectrumForm::Coefficients);
    let amplitude = SpectralValue::Amplitude(1.0);
    assert!(matches!(
        both.with_line(Shaft::TWIST, line(5.0, 0.0, 1.0), amplitude, 1.0),
        Err(SpectrumError::NoPhase { .. })
    ));
    let nothing = SpectrumCost::new(0.01, 0, SpectrumForm::Amplitude);
    assert!(matches!(
        nothing.with_line(Shaft::TWIST, line(5.0, 0.0, 1.0), amplitude, 1.0),
        Err(SpectrumError::Samples { samples: 0 })
    ));
    let band = |low, high| FourierLine::band((low, high), 0.0, 2.0, Window::Hann);
    assert_eq!(band(1.1, 1.4), Err(SpectrumError::EmptyBand { low: 1.1, high: 1.4, spacing: 0.5 }));
    assert!(band(2.0, 1.0).is_err() && band(f64::NAN, 3.0).is_err() && band(1.0, f64::INFINITY).is_err());
    assert_eq!(band(0.0, 1.0).unwrap().len(), 2);
}

#[test]
fn faults_of_measured_signals_are_named() {
    let line = [FourierLine::new(5.0, 0.0, 1.0, Window::Hann)];
    let take = |times: &[f64], values: &[f64]| fourier_coefficients(times, values, &line).unwrap_err();
    assert!(matches!(take(&[0.0, 1.0], &[0.0]), SpectrumError::Length { times: 2, values: 1 }));
    assert!(matches!(take(&[0.0, 1.0], &[0.0, f64::NAN]), SpectrumError::Value { sample: 1, .. }));
    assert!(matches!(take(&[0.0, 1.0, 1.0], &[0.0; 3]), SpectrumError::Order { sample: 2, .. }));
    assert!(matches!(take(&[], &[]), SpectrumError::Samples { samples: 0 }));
    assert!(matches!(take(&[0.0, 1.0], &[0.0; 2]), SpectrumError::Nyquist { .. }));
    assert!(matches!(take(&[0.0, 0.1], &[0.0; 2]), SpectrumError::Outside { .. }));
    let orders = |from, order| [OrderLine::new(order, from, 2, TAU, Window::Hann).unwrap()];
    let angles: Vec<f64> = (0..=200).map(|i| 0.1 * f64::from(i)).collect();
    let take = |lines: &[OrderLine]| order_coefficients(&angles, &angles, lines).unwrap_err();
    assert!(matches!(take(&orders(10.0, 1.0)), SpectrumError::OutsideAngle { .. }));
    let SpectrumError::OrderNyquist { limit, .. } = take(&orders(1.0, 32.0)) else { panic!() };
    assert!((limit / (10.0 * PI) - 1.0).abs() < 1e-9);
    assert!(order_coefficients(&[], &[], &orders(1.0, 1.0)).is_err());
    assert!(OrderLine::new(-1.0, 0.0, 1, TAU, Window::Hann).is_err());
    assert!(OrderLine::new(1.0, 0.0, 0, TAU, Window::Hann).is_err());
    let record = Record::new(vec![0.0, 0.1, 0.3]).unwrap().with_channel("x", None, vec![0.0; 3]).unwrap();
    let spectrum = AmplitudeSpectrum::of(&record, record.channel("x").unwrap(), Window::Hann);
    assert!(matches!(spectrum, Err(SpectrumError::NotEquidistant { .. })));
    assert!(AmplitudeSpectrum::new(0.1, &[1.0], Window::Hann).is_err());
    assert!(AmplitudeSpectrum::new(0.0, &[1.0, 2.0], Window::Hann).is_err());
}
