//! Statistics by hand and by identities.

use costate_cost::residuals::*;

use crate::series::{times, white};

#[test]
fn ljung_box_by_hand() {
    // Signs + + - - + + - - ...: C_1 = +1 -1 +1 ... over 19 pairs = 1, C_2 = -18, C_3 = +-1 over 17 pairs, beginning
    // with -1.
    let values: Vec<f64> = (0..20).map(|j| if j % 4 < 2 { 1.0 } else { -1.0 }).collect();
    let times = times(20);
    let residuals = Residuals::new("x", &times, &values, &values).unwrap();
    let found = whiteness(&residuals, Some(3), 1).unwrap();
    let correlations: Vec<f64> = found.lags.iter().map(|lag| lag.correlation).collect();
    assert_eq!(correlations, [1.0 / 20.0, -18.0 / 20.0, -1.0 / 20.0]);
    let wanted = 20.0 * 22.0 * (0.0025 / 19.0 + 0.81 / 18.0 + 0.0025 / 17.0);
    assert!((found.ljung_box - wanted).abs() < 1e-12);
    // With two degrees of freedom the tail is exponential.
    assert_eq!(found.degrees_of_freedom, 2);
    assert!((found.p_value - (-0.5 * wanted).exp()).abs() < 1e-12);
    assert_eq!((found.outside_95, found.outside_99), (1, 1));
    let partial = [1.0 / 20.0, (-0.9 - 0.0025) / (1.0 - 0.0025)].map(|partial: f64| -(1.0 - partial * partial).ln());
    let wanted = 20.0 * 22.0 * (partial[0] / 19.0 + partial[1] / 18.0);
    assert!((whiteness(&residuals, Some(2), 0).unwrap().partial - wanted).abs() < 1e-9);
    assert_eq!(whiteness(&residuals, Some(3), 3), Err(Absent::NoFreedom { lags: 3, parameters: 3 }));
}

#[test]
fn the_spectrum_integrates_to_the_mean_square() {
    let times = times(20_000);
    let values: Vec<f64> = white(7, 20_000).iter().map(|noise| 3.0 * noise + 1.0).collect();
    let residuals = Residuals::new("x", &times, &values, &values).unwrap();
    let found = spectrum(&residuals, None, 1e-3).unwrap();
    let mean_square = values.iter().map(|value| value * value).sum::<f64>() / 20_000.0;
    let integral = found.density.iter().sum::<f64>() * found.frequencies[1];
    assert!((integral / mean_square - 1.0).abs() < 0.01, "{integral} {mean_square}");
    assert!((found.white * 500.0 / mean_square - 1.0).abs() < 1e-12);
    assert_eq!(found.frequencies.last(), Some(&500.0));
}

#[test]
fn one_line_has_all_the_power_of_a_tone() {
    // A tone at line 8 of segments of 64: lines 7, 8 and 9 have 1/6, 2/3 and 1/6 of its power 2.
    let times = times(640);
    let tone = |t: &f64| 2.0 * (std::f64::consts::TAU * 125.0 * t).cos();
    let values: Vec<f64> = times.iter().map(tone).collect();
    let residuals = Residuals::new("x", &times, &values, &values).unwrap();
    let found = spectrum(&residuals, Some(64), 1e-3).unwrap();
    for (line, share) in [(6, 0.0), (7, 1.0), (8, 4.0), (9, 1.0), (10, 0.0)] {
        let power = found.density[line] * found.frequencies[1];
        assert!((power - share / 3.0).abs() < 1e-12, "{line}: {power}");
    }
    // The input is the residual: every line with power is coherent.
    let of_itself = coherence(&residuals, &values, Some(64), 1e-3).unwrap();
    assert!((of_itself.coherence[8] - 1.0).abs() < 1e-12);
}
