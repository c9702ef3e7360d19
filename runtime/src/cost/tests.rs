//! The least-squares cost: its value, its gradient, its faults.

use super::{Cost, LeastSquares, MeasurementError, Quadrature};
use crate::dual::Dual;
use crate::series::Series;

const STEP: f64 = 0.1;
const SAMPLES: usize = 11;

fn outputs() -> Series<f64> {
    let mut series = Series::zeros(STEP, 2, SAMPLES);
    for i in 0..SAMPLES {
        let t = i as f64 * STEP;
        series.row_mut(i).copy_from_slice(&[(3.0 * t).sin(), 1.0 + t * t]);
    }
    series
}

fn cost(quadrature: Quadrature) -> LeastSquares {
    LeastSquares::new(STEP, SAMPLES, quadrature)
        .with_channel(0, &[0.0, 0.05, 0.2, 0.333, 0.99], &[0.3, -0.2, 0.5, 0.9, 0.0], 2.0)
        .unwrap()
        .with_channel(1, &[0.1, 0.97, 1.0], &[1.3, -2.0, 0.5], 0.7)
        .unwrap()
}

#[test]
fn samples_at_all_steps_give_the_discrete_cost() {
    let series = outputs();
    let times: Vec<_> = (0..SAMPLES).map(|i| i as f64 * STEP).collect();
    let cost = LeastSquares::new(STEP, SAMPLES, Quadrature::Rectangle)
        .with_channel(1, &times, &[0.25; SAMPLES], 1.0)
        .unwrap();
    let expected: f64 = series.channel(1).unwrap().map(|s| 0.5 * STEP * (s - 0.25) * (s - 0.25)).sum();
    assert!((cost.value(&series) / expected - 1.0).abs() < 1e-14);
}

#[test]
fn quadratures_weigh_the_spacing() {
    let weights = |quadrature| {
        let cost = LeastSquares::new(STEP, SAMPLES, quadrature);
        cost.with_channel(0, &[0.0, 0.5, 0.75], &[0.0; 3], 2.0).unwrap().channels()[0].weights().to_vec()
    };
    assert_eq!(weights(Quadrature::Rectangle), [1.0, 0.5, 0.5]);
    assert_eq!(weights(Quadrature::Trapezoid), [0.5, 0.75, 0.25]);
    assert_eq!(weights(Quadrature::Sum), [2.0, 2.0, 2.0]);
}

#[test]
fn the_gradient_is_the_dual_derivative() {
    let series = outputs();
    for quadrature in [Quadrature::Rectangle, Quadrature::Trapezoid, Quadrature::Sum] {
        let cost = cost(quadrature);
        let mut gradient = Series::zeros(STEP, 2, SAMPLES);
        cost.add_gradient(&series, &mut gradient);
        for i in 0..SAMPLES {
            for output in 0..2 {
                let mut dual = Series::<Dual>::zeros(STEP, 2, SAMPLES);
                for k in 0..SAMPLES {
                    for c in 0..2 {
                        let derivative = if (k, c) == (i, output) { 1.0 } else { 0.0 };
                        dual.row_mut(k)[c] = Dual { value: series.row(k)[c], derivative };
                    }
                }
                let value = cost.value_dual(&dual);
                assert!((value.value - cost.value(&series)).abs() <= 1e-15 * value.value);
                assert!((value.derivative - gradient.row(i)[output]).abs() < 1e-14, "{i} {output}");
            }
        }
    }
}

#[test]
fn gradients_are_added() {
    let series = outputs();
    let cost = cost(Quadrature::Rectangle);
    let mut once = Series::zeros(STEP, 2, SAMPLES);
    cost.add_gradient(&series, &mut once);
    let mut twice = once.clone();
    cost.add_gradient(&series, &mut twice);
    for i in 0..SAMPLES {
        assert_eq!(twice.row(i)[0], 2.0 * once.row(i)[0]);
    }
}

#[test]
fn other_runs_are_refused() {
    let cost = cost(Quadrature::Rectangle);
    assert!(cost.value(&Series::zeros(STEP, 2, SAMPLES - 1)).is_nan());
    assert!(cost.value(&Series::zeros(STEP, 1, SAMPLES)).is_nan());
    assert!(cost.value(&Series::zeros(0.2, 2, SAMPLES)).is_nan());
}

#[test]
fn faults_name_the_sample() {
    let add = |times: &[f64], values: &[f64], weight| {
        LeastSquares::new(STEP, SAMPLES, Quadrature::default()).with_channel(0, times, values, weight)
    };
    assert!(matches!(add(&[0.5, 1.05], &[0.0; 2], 1.0), Err(MeasurementError::Outside { sample: 1, .. })));
    assert!(matches!(add(&[-0.05], &[0.0], 1.0), Err(MeasurementError::Outside { sample: 0, .. })));
    assert!(matches!(add(&[], &[], 1.0), Err(MeasurementError::Empty { .. })));
    assert!(matches!(add(&[0.1], &[], 1.0), Err(MeasurementError::Length { times: 1, values: 0, .. })));
    assert!(matches!(add(&[0.1, 0.1], &[0.0; 2], 1.0), Err(MeasurementError::Order { sample: 1, .. })));
    assert!(matches!(add(&[0.1], &[f64::NAN], 1.0), Err(MeasurementError::Value { sample: 0, .. })));
    assert!(matches!(add(&[0.1], &[0.0], 0.0), Err(MeasurementError::Weight { .. })));
}
