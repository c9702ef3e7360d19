//! Coefficients of single lines and spectra of whole records.

use std::f64::consts::TAU;

use costate::Record;
use costate::cost::{AmplitudeSpectrum, FourierLine, Window, fourier_coefficients};

use super::shaft::WINDOWS;

#[test]
fn windows_keep_the_amplitude_of_a_line() {
    let times: Vec<f64> = (0..=2000).map(|i| f64::from(i) * 1e-3).collect();
    let values: Vec<f64> = times.iter().map(|t| 0.6 * (TAU * 20.0 * t).cos() + 0.8 * (TAU * 20.0 * t).sin()).collect();
    for window in WINDOWS {
        let line = FourierLine::new(20.0, 0.25, 1.75, window);
        let found = fourier_coefficients(&times, &values, &[line]).unwrap()[0];
        assert!((found.cosine - 0.6).abs() < 1e-12 && (found.sine - 0.8).abs() < 1e-12, "{window:?}: {found:?}");
        assert!((found.amplitude() - 1.0).abs() < 1e-12);
        assert!((found.phase() - 0.8_f64.atan2(0.6)).abs() < 1e-12);
    }
    // Between two lines of the interval only the flat top keeps it.
    let between = |window| {
        let line = FourierLine::new(20.0, 0.0, 0.775, window);
        fourier_coefficients(&times, &values, &[line]).unwrap()[0].amplitude()
    };
    assert!((between(Window::FlatTop) - 1.0).abs() < 1e-2, "{}", between(Window::FlatTop));
}

#[test]
fn spectra_of_records_have_the_direct_coefficients() {
    for samples in [2, 3, 64, 65, 1000, 1009] {
        let times: Vec<f64> = (0..samples).map(|i| 5.0 + f64::from(i) * 0.01).collect();
        let values: Vec<f64> = times.iter().map(|t| 0.4 + t.sin() + (40.0 * t * t).cos()).collect();
        let record = Record::new(times.clone()).unwrap().with_channel("x", None, values.clone()).unwrap();
        let channel = record.channel("x").unwrap();
        for window in WINDOWS {
            let spectrum = AmplitudeSpectrum::of(&record, channel, window).unwrap();
            assert_eq!(spectrum.frequencies.len(), (samples as usize - 1) / 2 + 1);
            let (from, to) = (times[0], times[samples as usize - 1]);
            for (k, (&f, amplitude)) in spectrum.frequencies.iter().zip(&spectrum.amplitudes).enumerate().skip(1) {
                if 2 * k + 1 == samples as usize {
                    continue; // half of the sampling rate is no line
                }
                let line = FourierLine::new(f, from, to, window);
                let direct = fourier_coefficients(&times, &values, &[line]).unwrap()[0].amplitude();
                assert!((direct - amplitude).abs() < 1e-10, "{samples}, {k}, {window:?}: {amplitude} {direct}");
            }
        }
    }
    // The mean, and an alternating signal at half of the sampling rate.
    let values: Vec<f64> = (0..=64).map(|i| if i % 2 == 0 { 3.5 } else { 2.5 }).collect();
    let spectrum = AmplitudeSpectrum::new(0.1, &values, Window::Rectangular).unwrap();
    assert!((spectrum.amplitudes[0] - 3.0).abs() < 1e-14);
    assert!((spectrum.amplitudes[32] - 0.5).abs() < 1e-14 && (spectrum.frequencies[32] - 5.0).abs() < 1e-12);
}
