//! The derivative of the information with respect to single samples of the inputs (OB 5.10 to 5.14) against dual
//! numbers of dual numbers.

use costate::experiment::{Criterion, Noise, Sensitivities, information_gradient};
use costate::model::Scalar;
use costate::{Model, Parameter, Simulation};
use costate_driven_models::DrivenPendulum;
use costate_tests::duals::lifted;
use costate_tests::hyper_dual::HyperDual;
use nalgebra::DMatrix;

#[test]
fn information_changes_with_every_sample_as_dual_numbers_of_dual_numbers_say() {
    let model = DrivenPendulum::default();
    let problem = Simulation::new(&model)
        .input(DrivenPendulum::FORCE, |t: f64| 2.0 * (7.0 * t).sin() + 0.5)
        .input(DrivenPendulum::PULL, |t: f64| 300.0 * (5.0 * t).cos())
        .step(1e-2)
        .until(0.8)
        .alpha(-0.05)
        .problem()
        .unwrap();
    // in constraint, mass and initial state
    let unknown = [DrivenPendulum::L, DrivenPendulum::M_C, DrivenPendulum::OMEGA_0];
    let covariance = DMatrix::from_row_slice(2, 2, &[1e-4, 2e-5, 2e-5, 4e-4]);
    let sensors = [DrivenPendulum::ANGLE, DrivenPendulum::ACCELERATION];
    let noise = Noise::correlated(sensors, &covariance).unwrap();
    let weights = covariance.clone().try_inverse().unwrap();
    let pulses =
        [(DrivenPendulum::FORCE, DrivenPendulum::FORCE_PULSE), (DrivenPendulum::PULL, DrivenPendulum::PULL_PULSE)];
    let scales = unknown.map(|parameter| model.parameters()[parameter.index()]);
    for criterion in [
        Criterion::Trace,
        Criterion::Determinant,
        Criterion::SmallestEigenvalue,
        Criterion::TraceOfInverse,
        Criterion::SpectralRadius,
        Criterion::ConditionNumber,
    ] {
        let found = information_gradient(&problem, &model, unknown, &noise, criterion).unwrap();
        let direct = Sensitivities::simulate(&problem, &model, unknown).unwrap().information(&noise).unwrap();
        let cost = direct.criterion(criterion).unwrap();
        assert!((found.cost - cost).abs() < 1e-9 * cost.abs(), "{criterion}: {} {cost}", found.cost);
        let (_, of_matrix) = criterion.evaluate(&direct.relative_matrix()).unwrap();
        for (input, pulse) in pulses {
            let size = found.inputs.input(input).unwrap().fold(0.0, |size: f64, value| size.max(value.abs()));
            for k in [0, 1, 33, 79, 80] {
                // S and dS/du_k, column by column
                let columns = unknown.map(|parameter| sensitivities(&problem, &model, parameter, pulse, k, &sensors));
                let mut change = DMatrix::zeros(3, 3);
                for a in 0..3 {
                    for b in 0..3 {
                        let mut sum = 0.0;
                        for (left, right) in columns[a].chunks(2).zip(columns[b].chunks(2)) {
                            for (i, left) in left.iter().enumerate() {
                                for (j, right) in right.iter().enumerate() {
                                    sum += weights[(i, j)] * (left.0 * right.1 + left.1 * right.0);
                                }
                            }
                        }
                        change[(a, b)] = sum * scales[a] * scales[b];
                    }
                }
                let exact = of_matrix.component_mul(&change).sum();
                let found = found.inputs.row(k)[input.index()];
                let difference = (found - exact).abs() / exact.abs().max(0.05 * size);
                assert!(difference < 1e-9, "{criterion} {} {k}: {found:e} {exact:e} {difference:e}", input.name());
            }
        }
    }
}

/// ds/dp and d2s/dp du_k of the sensors, sample by sample.
fn sensitivities(
    problem: &costate::simulate::Problem,
    model: &DrivenPendulum,
    parameter: Parameter<DrivenPendulum>,
    pulse: Parameter<DrivenPendulum>,
    k: usize,
    sensors: &[costate::Output<DrivenPendulum>],
) -> Vec<(f64, f64)> {
    let mut parameters = lifted::<HyperDual, Vec<_>>(&model.parameters());
    parameters[DrivenPendulum::AT.index()] = HyperDual::constant(k as f64 * problem.settings().step);
    parameters[pulse.index()] = HyperDual::second(0.0);
    parameters[parameter.index()] = HyperDual::first(model.parameters()[parameter.index()]);
    let outputs = costate::simulate::outputs_in::<DrivenPendulum, HyperDual>(problem, &parameters).unwrap();
    let samples = (0..outputs.samples()).flat_map(|i| sensors.iter().map(move |sensor| (i, sensor.index())));
    samples
        .map(|(i, sensor)| {
            let value = outputs.row(i)[sensor];
            (value.value.derivative, value.mixed())
        })
        .collect()
}
