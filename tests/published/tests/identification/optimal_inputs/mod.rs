//! Optimal inputs: the experiments of OB 5.3, and searches of every shape.

mod searches;

use costate::cost::Quadrature;
use costate::experiment::{
    Criterion, DesignedInput, EndCondition, Noise, OptimalExperiment, OptimalInput, RepetitionSettings, Sensitivities,
};
use costate::identify::UnknownParameter;
use costate::optimize::{Method, OptimizerSettings};
use costate::simulate::InputSignal;
use costate::{Identification, Model, Parameter, Simulation};
use costate_models::{CartPendulum, PendulumOnCart, TwoMasses, cart_pendulum, pendulum_on_cart, two_masses};
use costate_publications::switching::{Bound, SwitchingProblem};

use crate::switching::SingleMass;

const TAU: f64 = std::f64::consts::TAU;

/// J = -1/2 integral x_c^2 is half the trace, over the samples per second.
#[test]
fn the_iterative_method_finds_the_switching_time_of_the_single_mass() {
    let model = SingleMass::default();
    let noise = || Noise::independent([(SingleMass::POSITION, 1.0)]).unwrap();
    let run = Simulation::new(&model).input(SingleMass::U, 0.0).step(TAU / 100.0).until(TAU);
    let problem = run.problem().unwrap();
    let exact = SwitchingProblem::of_model(&problem, &model, [SingleMass::C], &noise(), SingleMass::U, (-1.0, 1.0));
    let exact = exact.unwrap().extremal(Bound::Upper, &[1.2]).unwrap();
    assert!(exact.is_minimum());
    let t1 = exact.switching_times[0];
    for steps in [100.0, 400.0] {
        let h = TAU / steps;
        let found = OptimalInput::new(&Simulation::new(&model).step(h).until(TAU))
            .unknown([SingleMass::C])
            .sensors(noise())
            .criterion(Criterion::Trace)
            .design(
                DesignedInput::samples(SingleMass::U, InputSignal::function(|t| if t < 1.5 { 0.3 } else { -0.3 }))
                    .within(-1.0, 1.0),
            )
            .run()
            .unwrap();
        let samples = found.samples(SingleMass::U);
        // one switch, through one sample at most that is between the bounds
        let last = samples.iter().rposition(|u| *u == 1.0).unwrap();
        let first = samples.iter().position(|u| *u == -1.0).unwrap();
        assert!(first > last && first - last <= 2, "{samples:?}");
        // the force goes from bound to bound in straight lines: half way between
        let inside: f64 = samples[last + 1..first].iter().map(|u| 0.5 * (u + 1.0)).sum();
        let switching = h * (last as f64 + 0.5 + inside);
        // the trace counts the last sample whole, the integral half of it, which moves the optimum in proportion to h
        assert!((switching - t1).abs() < 3.0 * h, "{switching} {t1} {h}");
        let known = Sensitivities::simulate(found.problem(), &model, [SingleMass::C]).unwrap();
        let last = known.derivatives()[0].row(steps as usize)[0];
        let cost = 0.5 * h * (found.cost() + 0.5 * last * last);
        assert!((cost - exact.cost).abs() < 4.0 * h * h * exact.cost.abs(), "{cost} {} {h}", exact.cost);
    }
}

fn two_masses_run() -> Simulation<TwoMasses> {
    Simulation::new(&TwoMasses::default()).step(two_masses::STEP).until(two_masses::DURATION)
}

fn two_masses_search() -> OptimalInput<TwoMasses> {
    two_masses_search_of(&two_masses_run())
}

fn two_masses_search_of(run: &Simulation<TwoMasses>) -> OptimalInput<TwoMasses> {
    let start = 0.5 * two_masses::LARGEST_FORCE;
    OptimalInput::new(run)
        .unknown([TwoMasses::C_2])
        .sensors(Noise::independent([(TwoMasses::POSITION, 1e-4)]).unwrap())
        .criterion(Criterion::Trace)
        .design(
            DesignedInput::samples(TwoMasses::FORCE, start)
                .within(-two_masses::LARGEST_FORCE, two_masses::LARGEST_FORCE),
        )
        .end_condition(EndCondition::velocity(TwoMasses::X_1, 0.0))
        .end_condition(EndCondition::velocity(TwoMasses::X_2, 0.0))
}

/// The best of a multistart, and the best of its random starts alone.
fn best<M: Model>(search: &OptimalInput<M>, starts: usize, seed: u64) -> (OptimalExperiment<M>, f64) {
    let members = search.multistart(starts, seed, |_| ()).unwrap();
    let random = members.iter().filter(|member| member.number > 0).filter_map(|member| member.cost());
    let random = random.fold(f64::INFINITY, f64::min);
    (members.into_iter().next().unwrap().outcome.unwrap(), random)
}

/// Velocities at the end are at most a ten-thousandth of the largest ones of the run.
fn check_rest<M: Model>(found: &OptimalExperiment<M>, model: &M, coordinates: &[costate::Coordinate<M>]) {
    let trajectory = found.problem().forward(model.parameters().as_ref()).unwrap();
    for coordinate in coordinates {
        let velocity = |i: usize| trajectory.velocities(i)[coordinate.index()].abs();
        let peak = (0..=trajectory.steps()).map(velocity).fold(0.0, f64::max);
        let end = velocity(trajectory.steps());
        assert!(end <= 1e-4 * peak, "{}: {end} of {peak}", coordinate.name());
    }
}

/// The scatter of 200 identifications, relative to the bound and to that with the input of the start.
fn check_scatter<M: Model>(
    found: &OptimalExperiment<M>,
    model: &M,
    unknown: &[Parameter<M>],
    noise: &Noise<M>,
    alpha: f64,
) {
    let input = found.inputs()[0];
    let mut deviations = Vec::new();
    for problem in [found.start_problem(), found.problem()] {
        let known = Sensitivities::simulate(problem, model, unknown.iter().copied()).unwrap();
        let repeated = known.repeat(
            noise,
            &RepetitionSettings::new(200, 1),
            |record| {
                let values = model.parameters();
                let linear = unknown.iter().map(|&parameter| {
                    UnknownParameter::from(parameter).linear(values.as_ref()[parameter.index()].abs())
                });
                let h = problem.settings().step;
                let samples = problem.inputs().rows().map(|row| row[input.index()]).collect();
                let simulation = Simulation::new(model)
                    .input(input, costate::simulate::Sampled::equidistant(h, samples))
                    .step(h)
                    .until(problem.settings().end)
                    .alpha(alpha);
                Identification::new(&simulation)
                    .unknown(linear)
                    .measured(noise.outputs()[0], record)
                    .quadrature(Quadrature::Sum)
                    .optimizer(OptimizerSettings::default().with_method(Method::GaussNewton).with_cost_tolerance(1e-9))
            },
            |_| (),
        );
        let repeated = repeated.unwrap();
        assert_eq!(repeated.failures().count(), 0, "{repeated}");
        deviations.push((repeated.standard_deviations(), repeated.information().standard_deviations()));
    }
    let (start, optimal) = (&deviations[0], &deviations[1]);
    for (k, parameter) in unknown.iter().enumerate() {
        let ratio = optimal.0[k] / optimal.1[k];
        assert!((ratio - 1.0).abs() < 0.15, "{}: {ratio} of the bound", parameter.name());
        assert!(optimal.0[k] < 0.5 * start.0[k], "{}: {:?}", parameter.name(), deviations);
    }
}

#[test]
fn two_masses_come_to_rest_and_tell_most() {
    let (found, _) = best(&two_masses_search(), 13, 1);
    assert!(found.is_converged(), "{found}");
    check_rest(&found, &TwoMasses::default(), &[TwoMasses::X_1, TwoMasses::X_2]);
    let (_, random) = best(&two_masses_search(), 21, 2);
    // maxima that are as good as equal
    assert!(found.cost() <= random + 0.005 * random.abs(), "{} {random}", found.cost());
    let noise = Noise::independent([(TwoMasses::POSITION, 1e-4)]).unwrap();
    check_scatter(&found, &TwoMasses::default(), &[TwoMasses::C_2], &noise, 0.0);
}

fn pendulum_search() -> OptimalInput<PendulumOnCart> {
    let start = |t: f64| 0.5 * pendulum_on_cart::LARGEST_FORCE * (TAU * t / pendulum_on_cart::DURATION).sin();
    let simulation = Simulation::new(&PendulumOnCart::default())
        .step(2.0 * pendulum_on_cart::STEP)
        .until(pendulum_on_cart::DURATION);
    OptimalInput::new(&simulation)
        .unknown([PendulumOnCart::S_P, PendulumOnCart::D_P])
        .sensors(Noise::independent([(PendulumOnCart::ANGLE, 1e-2)]).unwrap())
        .design(
            DesignedInput::samples(PendulumOnCart::FORCE, InputSignal::function(start))
                .within(-pendulum_on_cart::LARGEST_FORCE, pendulum_on_cart::LARGEST_FORCE),
        )
        .end_condition(EndCondition::position(PendulumOnCart::PHI, 0.0))
        .end_condition(EndCondition::velocity(PendulumOnCart::X, 0.0))
        .end_condition(EndCondition::velocity(PendulumOnCart::PHI, 0.0))
}

#[test]
fn a_pendulum_on_a_cart_comes_to_rest_and_tells_most() {
    let (found, _) = best(&pendulum_search(), 9, 1);
    assert!(found.is_converged(), "{found}");
    let model = PendulumOnCart::default();
    check_rest(&found, &model, &[PendulumOnCart::X, PendulumOnCart::PHI]);
    let angle: Vec<f64> = found.outputs().output(PendulumOnCart::ANGLE).unwrap().collect();
    let peak = angle.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
    assert!(angle.last().unwrap().abs() < 1e-4 * peak);
    let (_, random) = best(&pendulum_search(), 21, 2);
    assert!(found.cost() <= 1.02 * random, "{} {random}", found.cost());
    let noise = Noise::independent([(PendulumOnCart::ANGLE, 1e-2)]).unwrap();
    let unknown = [PendulumOnCart::S_P, PendulumOnCart::D_P];
    check_scatter(&found, &model, &unknown, &noise, 0.0);
    // better than a sine of the same amplitude too
    let sine = Simulation::new(&model)
        .input(PendulumOnCart::FORCE, |t: f64| {
            pendulum_on_cart::LARGEST_FORCE * (TAU * t / pendulum_on_cart::DURATION).sin()
        })
        .step(2.0 * pendulum_on_cart::STEP)
        .until(pendulum_on_cart::DURATION);
    let sine = Sensitivities::simulate(&sine.problem().unwrap(), &model, unknown).unwrap();
    let sine = sine.information(&noise).unwrap().standard_deviations();
    for (optimal, sine) in found.information().standard_deviations().iter().zip(sine) {
        assert!(*optimal < 0.5 * sine, "{optimal} {sine}");
    }
}

#[test]
fn a_pendulum_in_redundant_coordinates_tells_of_its_joints() {
    let model = cart_pendulum::OB.model();
    let noise = Noise::independent([(CartPendulum::ANGLE, 1e-3)]).unwrap();
    let unknown = [CartPendulum::C_F, CartPendulum::D_F];
    let found = OptimalInput::new(&Simulation::new(&model).step(0.02).until(4.0).alpha(cart_pendulum::ALPHA))
        .unknown(unknown)
        .sensors(noise.clone())
        .design(
            DesignedInput::samples(CartPendulum::DRIVE, InputSignal::function(|t| cart_pendulum::OB.force(t)))
                .within(-5.0, 5.0),
        )
        .end_condition(EndCondition::velocity(CartPendulum::X_C, 0.0))
        .run()
        .unwrap();
    assert!(found.is_converged(), "{found}");
    check_rest(&found, &model, &[CartPendulum::X_C]);
    check_scatter(&found, &model, &unknown, &noise, cart_pendulum::ALPHA);
}
