//! The least-squares cost: its value, its gradient, its faults.

use super::{Cost, CostOutput, LeastSquares, MeasurementError, Quadrature};
use costate_numerics::scalar::Dual;
use costate_system::series::Series;

const STEP: f64 = 0.1;
const SAMPLES: usize = 11;
const OUTPUTS: [CostOutput; 2] =
    [CostOutput { index: 0, name: "sine", unit: "1" }, CostOutput { index: 1, name: "parabola", unit: "1" }];

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
        .with_samples(OUTPUTS[0], &[0.0, 0.05, 0.2, 0.333, 0.99], &[0.3, -0.2, 0.5, 0.9, 0.0], 2.0)
        .unwrap()
        .with_samples(OUTPUTS[1], &[0.1, 0.97, 1.0], &[1.3, -2.0, 0.5], 0.7)
        .unwrap()
}

#[test]
fn samples_at_all_steps_give_the_discrete_cost() {
    let series = outputs();
    let times: Vec<_> = (0..SAMPLES).map(|i| i as f64 * STEP).collect();
    let cost = LeastSquares::new(STEP, SAMPLES, Quadrature::Rectangle)
        .with_samples(OUTPUTS[1], &times, &[0.25; SAMPLES], 1.0)
        .unwrap();
    let expected: f64 = series.channel(1).unwrap().map(|s| 0.5 * STEP * (s - 0.25) * (s - 0.25)).sum();
    assert!((cost.value(&series) / expected - 1.0).abs() < 1e-14);
}

#[test]
fn quadratures_weigh_the_spacing() {
    let weights = |quadrature| {
        let cost = LeastSquares::new(STEP, SAMPLES, quadrature);
        cost.with_samples(OUTPUTS[0], &[0.0, 0.5, 0.75], &[0.0; 3], 2.0).unwrap().channels()[0].weights().to_vec()
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
        LeastSquares::new(STEP, SAMPLES, Quadrature::default()).with_samples(OUTPUTS[0], times, values, weight)
    };
    assert!(matches!(add(&[0.5, 1.05], &[0.0; 2], 1.0), Err(MeasurementError::Outside { sample: 1, .. })));
    assert!(matches!(add(&[-0.05], &[0.0], 1.0), Err(MeasurementError::Outside { sample: 0, .. })));
    assert!(matches!(add(&[], &[], 1.0), Err(MeasurementError::Empty { .. })));
    assert!(matches!(add(&[0.1], &[], 1.0), Err(MeasurementError::Length { times: 1, values: 0, .. })));
    assert!(matches!(add(&[0.1, 0.1], &[0.0; 2], 1.0), Err(MeasurementError::Order { sample: 1, .. })));
    assert!(matches!(add(&[0.1], &[f64::NAN], 1.0), Err(MeasurementError::Value { sample: 0, .. })));
    assert!(matches!(add(&[0.1], &[0.0], 0.0), Err(MeasurementError::Weight { .. })));
}

/// Delta_j of samples at these times.
fn intervals(quadrature: Quadrature, times: &[f64]) -> Vec<f64> {
    let cost = LeastSquares::new(STEP, 1 + (times[times.len() - 1] / STEP).ceil() as usize, quadrature);
    let cost = cost.with_samples(OUTPUTS[0], times, &vec![0.0; times.len()], 1.0).unwrap();
    cost.channels()[0].weights().to_vec()
}

#[test]
fn no_sample_stands_for_a_gap() {
    // 400 samples per second; half a second is missing, and one sample is alone in it.
    let times: Vec<f64> =
        (0..=800).filter(|i| !(300..500).contains(i) || *i == 400).map(|i| f64::from(i) * 2.5e-3).collect();
    for (quadrature, part) in [(Quadrature::Rectangle, 1.0), (Quadrature::Trapezoid, 0.5)] {
        let intervals = intervals(quadrature, &times);
        let at_ends = [0, 299, 301, times.len() - 1];
        for (j, interval) in intervals.iter().enumerate() {
            let expected = if at_ends.contains(&j) { part * 2.5e-3 } else { 2.5e-3 };
            assert!((interval - expected).abs() < 1e-12, "{quadrature:?} {j}: {interval}");
        }
    }
}

#[test]
fn missing_samples_leave_out_their_terms() {
    let series = outputs();
    let squares: Vec<f64> = series.channel(1).unwrap().map(|s| 0.5 * STEP * (s - 0.25) * (s - 0.25)).collect();
    for missing in [&[4, 5][..], &[0], &[1], &[9], &[10], &[0, 2, 10]] {
        let present: Vec<usize> = (0..SAMPLES).filter(|i| !missing.contains(i)).collect();
        let times: Vec<f64> = present.iter().map(|&i| i as f64 * STEP).collect();
        let cost = LeastSquares::new(STEP, SAMPLES, Quadrature::Rectangle)
            .with_samples(OUTPUTS[1], &times, &vec![0.25; times.len()], 1.0)
            .unwrap();
        let expected: f64 = present.iter().map(|&i| squares[i]).sum();
        assert!((cost.value(&series) / expected - 1.0).abs() < 1e-13, "{missing:?}");
    }
}

#[test]
fn the_trapezoid_is_the_integral_over_what_was_measured() {
    // (s - 0)^2 = t^2 sampled finely from 0 to 0.3 and from 0.7 to 1.
    let times: Vec<f64> = (0..=1000).filter(|i| !(301..700).contains(i)).map(|i| f64::from(i) * 1e-3).collect();
    let integral: f64 = intervals(Quadrature::Trapezoid, &times).iter().zip(&times).map(|(d, t)| d * t * t).sum();
    let exact = (0.3_f64.powi(3) + 1.0 - 0.7_f64.powi(3)) / 3.0;
    assert!((integral - exact).abs() < 1e-6, "{integral} {exact}");
}

#[test]
fn several_rates_and_jitter_keep_their_spacings() {
    let mut times: Vec<f64> = (0..20).map(|i| f64::from(i) * 1e-3).collect();
    times.extend((2..=40).map(|i| f64::from(i) * 1e-2));
    let jitter: Vec<f64> = (0..=50).map(|i| 1.0 + f64::from(i) + 0.1 * f64::from(i * i % 5 - 2)).collect();
    let uniform: Vec<f64> = (0..50).map(|i| f64::from(i) * 0.1).collect();
    for times in [times, jitter, uniform, vec![0.0, 0.5, 0.75], vec![0.3, 0.9]] {
        let last = times.len() - 1;
        let spacing = |j: usize| times[j + 1] - times[j];
        let rectangle: Vec<f64> = (0..=last).map(|j| spacing(j.min(last - 1))).collect();
        let trapezoid = |j: usize| match j {
            0 => 0.5 * spacing(0),
            j if j == last => 0.5 * spacing(last - 1),
            j => 0.5 * (spacing(j - 1) + spacing(j)),
        };
        assert_eq!(intervals(Quadrature::Rectangle, &times), rectangle);
        assert_eq!(intervals(Quadrature::Trapezoid, &times), (0..=last).map(trapezoid).collect::<Vec<_>>());
        assert_eq!(intervals(Quadrature::Sum, &times), vec![1.0; last + 1]);
    }
}

#[test]
fn an_output_is_measured_once_at_a_time() {
    let cost = LeastSquares::new(STEP, SAMPLES, Quadrature::default());
    let cost = cost.with_samples(OUTPUTS[1], &[0.2, 0.3, 0.4], &[0.0; 3], 1.0).unwrap();
    let again = cost.clone().with_samples(OUTPUTS[1], &[0.35, 0.5], &[0.0; 2], 3.0).unwrap_err();
    assert_eq!(again, MeasurementError::Repeated { output: "parabola", from: 0.35, to: 0.4 });
    assert!(again.to_string().starts_with("the output `parabola` is measured twice between 0.35 and 0.4 s"), "{again}");
    // What comes later may have another weight.
    let later = cost.with_samples(OUTPUTS[1], &[0.5, 0.6], &[0.0; 2], 3.0).unwrap();
    assert_eq!(later.channels().len(), 2);
    assert_eq!(later.outputs_in_time(), [1]);
}
