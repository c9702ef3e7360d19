//! Optimal inputs (OB 5): the derivative of the information with respect to single samples, and the experiments of OB 5.3.

use costate::experiment::{
    Criterion, DesignedInput, EndCondition, Noise, OptimalInput, Sensitivities, information_gradient,
};
use costate::{Model, Parameter, Scalar, Simulation, Vector};
use costate_models::{PendulumOnCart, TwoMasses, pendulum_on_cart, two_masses};
use costate_tests::DrivenPendulum;
use costate_tests::hyper_dual::HyperDual;
use nalgebra::DMatrix;

const PI: f64 = std::f64::consts::PI;

#[test]
fn information_changes_with_every_sample_as_dual_numbers_of_dual_numbers_say() {
    let model = DrivenPendulum::default();
    let problem = Simulation::new(&model)
        .input(DrivenPendulum::FORCE, |t| 2.0 * (7.0 * t).sin() + 0.5)
        .input(DrivenPendulum::PULL, |t| 300.0 * (5.0 * t).cos())
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
    let pulses = [
        (DrivenPendulum::FORCE, DrivenPendulum::FORCE_PULSE),
        (DrivenPendulum::PULL, DrivenPendulum::PULL_PULSE),
    ];
    let scales = unknown.map(|parameter| model.parameters()[parameter.index()]);
    for criterion in
        [Criterion::Trace, Criterion::Determinant, Criterion::SmallestEigenvalue, Criterion::TraceOfInverse]
    {
        let found = information_gradient(&problem, &model, unknown, &noise, criterion).unwrap();
        let direct = Sensitivities::simulate(&problem, &model, unknown).unwrap().information(&noise).unwrap();
        let cost = direct.criterion(criterion).unwrap();
        assert!((found.cost - cost).abs() < 1e-9 * cost.abs(), "{criterion}: {} {cost}", found.cost);
        let (_, of_matrix) = criterion.evaluate(&direct.relative_matrix()).unwrap();
        for (input, pulse) in pulses {
            let size =
                found.inputs.channel(input.index()).fold(0.0, |size: f64, value| size.max(value.abs()));
            for k in [0, 1, 33, 79, 80] {
                // S and dS/du_k, column by column
                let columns =
                    unknown.map(|parameter| sensitivities(&problem, &model, parameter, pulse, k, &sensors));
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
                assert!(
                    difference < 1e-9,
                    "{criterion} {} {k}: {found:e} {exact:e} {difference:e}",
                    input.name()
                );
            }
        }
    }
}

/// ds/dp and d2s/dp du_k of the sensors, sample by sample.
fn sensitivities(
    problem: &costate::Problem<DrivenPendulum>,
    model: &DrivenPendulum,
    parameter: Parameter<DrivenPendulum>,
    pulse: Parameter<DrivenPendulum>,
    k: usize,
    sensors: &[costate::Output<DrivenPendulum>],
) -> Vec<(f64, f64)> {
    let mut parameters = <DrivenPendulum as Model>::Parameters::<HyperDual>::zeros();
    for (to, from) in parameters.iter_mut().zip(model.parameters()) {
        *to = HyperDual::constant(from);
    }
    parameters[DrivenPendulum::AT.index()] = HyperDual::constant(k as f64 * problem.settings().step);
    parameters[pulse.index()] = HyperDual::second(0.0);
    parameters[parameter.index()] = HyperDual::first(model.parameters()[parameter.index()]);
    let outputs = problem.outputs(&parameters).unwrap();
    let samples = (0..outputs.samples()).flat_map(|i| sensors.iter().map(move |sensor| (i, sensor.index())));
    samples
        .map(|(i, sensor)| {
            let value = outputs.row(i)[sensor];
            (value.value.derivative, value.mixed())
        })
        .collect()
}

fn two_masses_search<'a>(start: f64) -> OptimalInput<'a, TwoMasses> {
    OptimalInput::new(TwoMasses::default())
        .unknown([TwoMasses::C_2])
        .sensors(Noise::independent([(TwoMasses::POSITION, 1e-4)]).unwrap())
        .criterion(Criterion::Trace)
        .design(
            DesignedInput::samples(TwoMasses::FORCE, start)
                .within(-two_masses::LARGEST_FORCE, two_masses::LARGEST_FORCE),
        )
        .end_condition(EndCondition::velocity(TwoMasses::X_1, 0.0))
        .end_condition(EndCondition::velocity(TwoMasses::X_2, 0.0))
        .step(two_masses::STEP)
        .until(two_masses::DURATION)
}

#[test]
fn two_masses_come_to_rest_and_tell_more() {
    let found = two_masses_search(0.5 * two_masses::LARGEST_FORCE).run().unwrap();
    println!("{found}");
    for iteration in found.history().iter().step_by(10) {
        println!("{iteration:?}");
    }
}

#[test]
fn pendulum_on_cart_tells_more() {
    let found = OptimalInput::new(PendulumOnCart::default())
        .unknown([PendulumOnCart::S_P, PendulumOnCart::D_P])
        .sensors(Noise::independent([(PendulumOnCart::ANGLE, 1e-2)]).unwrap())
        .design(
            DesignedInput::samples(
                PendulumOnCart::FORCE,
                costate::InputSignal::function(|t| 2.5 * (2.0 * PI * t / 4.0).sin()),
            )
            .within(-pendulum_on_cart::LARGEST_FORCE, pendulum_on_cart::LARGEST_FORCE),
        )
        .end_condition(EndCondition::position(PendulumOnCart::PHI, 0.0))
        .end_condition(EndCondition::velocity(PendulumOnCart::X, 0.0))
        .end_condition(EndCondition::velocity(PendulumOnCart::PHI, 0.0))
        .step(pendulum_on_cart::STEP)
        .until(pendulum_on_cart::DURATION)
        .run()
        .unwrap();
    println!("{found}");
    for iteration in found.history().iter().step_by(10) {
        println!("{iteration:?}");
    }
}
