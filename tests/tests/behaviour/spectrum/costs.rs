//! Costs of lines and orders, and their sums.

use costate::check_gradient;
use costate::cost::{Cost, CostWeightError, LeastSquares, Quadrature, SpectrumForm, SumCost, Window};
use costate::model::Dual;
use costate::simulate::Series;

use super::shaft::{
    FORMS, STEP, STEPS, Shaft, WINDOWS, lines_cost, measured, outputs, problem, product, start, tracking,
};

/// The cost alone: its gradient along a direction of angle and twist is the derivative that dual numbers carry.
#[test]
fn gradients_with_respect_to_the_outputs() {
    let series = outputs(&start());
    let (mut dual, mut direction) = (Series::<Dual>::zeros(STEP, 2, STEPS + 1), Series::zeros(STEP, 2, STEPS + 1));
    for i in 0..=STEPS {
        for k in 0..2 {
            let derivative = (0.01 * i as f64 + k as f64).sin() + 0.3 * ((i * i + 3 * k) as f64).cos();
            dual.row_mut(i)[k] = Dual { value: series.row(i)[k], derivative };
            direction.row_mut(i)[k] = derivative;
        }
    }
    for form in FORMS {
        for window in WINDOWS {
            for cost in [tracking(form, window), lines_cost(form)] {
                let by_outputs = cost.output_gradient(&series);
                let (found, expected) = (product(&by_outputs, &direction), cost.value_dual(&dual).derivative);
                assert!((found / expected - 1.0).abs() < 1e-11, "{form:?}, {window:?}: {found} {expected}");
            }
        }
    }
}

#[test]
fn sums_of_costs_in_time_and_frequency() {
    let (times, angle, _) = measured();
    let time = LeastSquares::new(STEP, STEPS + 1, Quadrature::Rectangle);
    let time = time.with_channel(Shaft::ANGLE, &times, &angle, 1.0).unwrap();
    let (lines, tracked) = (lines_cost(SpectrumForm::Amplitude), tracking(SpectrumForm::Decibels, Window::Hann));
    let sum = SumCost::new()
        .with(1.0, time.clone())
        .unwrap()
        .with(1e4, lines.clone())
        .unwrap()
        .with(0.1, tracked.clone())
        .unwrap();
    assert_eq!(sum.terms().len(), 3);
    let series = outputs(&start());
    let expected = time.value(&series) + 1e4 * lines.value(&series) + 0.1 * tracked.value(&series);
    assert!((sum.value(&series) / expected - 1.0).abs() < 1e-14);
    let report = check_gradient(&problem(), &start(), &sum, &[Shaft::C, Shaft::D]).unwrap();
    assert!(report.agrees(1e-9), "{report}");
    let weight = |weight| SumCost::new().with(weight, lines_cost(SpectrumForm::Amplitude)).unwrap_err();
    assert_eq!(weight(-1.0), CostWeightError { weight: -1.0 });
    assert_eq!(weight(0.0), CostWeightError { weight: 0.0 });
}

#[test]
fn residuals_are_those_of_the_cost() {
    let series = outputs(&start());
    let mut dual = Series::<Dual>::zeros(STEP, series.width(), series.samples());
    for i in 0..series.samples() {
        for (k, (to, &value)) in dual.row_mut(i).iter_mut().zip(series.row(i)).enumerate() {
            *to = Dual { value, derivative: ((i + 7 * k) as f64).sin() };
        }
    }
    for form in FORMS {
        for cost in [lines_cost(form), tracking(form, Window::Hann)] {
            let (expected, found) = (cost.value_dual(&dual), cost.residuals(&dual).unwrap().cost());
            assert!((found.value / expected.value - 1.0).abs() < 1e-13);
            assert!((found.derivative / expected.derivative - 1.0).abs() < 1e-12);
        }
    }
}

#[test]
fn vanishing_amplitudes_of_the_model_are_finite() {
    let zeros = Series::zeros(STEP, 2, STEPS + 1);
    for form in FORMS {
        let cost = lines_cost(form);
        let gradient = cost.output_gradient(&zeros);
        assert!(cost.value(&zeros).is_finite() && cost.value(&zeros) > 0.0, "{form:?}");
        assert!((0..=STEPS).all(|i| gradient.row(i).iter().all(|g| g.is_finite())), "{form:?}");
    }
}

#[test]
fn other_runs_are_refused() {
    let cost = tracking(SpectrumForm::Amplitude, Window::Hann);
    let series = outputs(&Shaft::default());
    assert!(cost.value(&Series::zeros(STEP, 2, STEPS)).is_nan());
    assert!(cost.value(&Series::zeros(STEP, 1, STEPS + 1)).is_nan());
    assert!(cost.value(&Series::zeros(2.0 * STEP, 2, STEPS + 1)).is_nan());
    assert!(cost.fits(series.step(), series.samples(), series.width()));
    // A shaft that stands still does not reach the angle.
    assert!(cost.value(&Series::zeros(STEP, 2, STEPS + 1)).is_nan());
}
