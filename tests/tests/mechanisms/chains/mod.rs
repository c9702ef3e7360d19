//! Models with many like parts, whose emitted functions have loops: the same numbers as from the expressions that
//! they are made of, exact derivatives, exact gradients.

/// The chains in the plane once more, interpreted: the long one takes rustc long.
#[allow(dead_code, reason = "the others are compiled")]
mod long {
    include!(concat!(env!("OUT_DIR"), "/planar.rs"));
}
#[allow(missing_docs, reason = "the names say it")]
mod planar;
#[allow(missing_docs, reason = "the names say it")]
mod spatial;

use costate::cost::{LeastSquares, Quadrature};
use costate::emitted::{Point, Weights};
use costate::model::CompiledModel;
use costate::model::{Functions, Vector};
use costate::simulate::{Checkpoints, NewtonSettings, Series};
use costate::verify::{CheckPoint, random_points};
use costate::{Input, Model, Output, Parameter, Simulation, check_derivatives, check_gradient, gradient};
use costate_compiler::symbolic::{Integrator, Symbol};
use costate_compiler::{Compiled, compile_str};

use long::LongChain;
use planar::{PlanarChain, PlanarChainWithStops};
use spatial::SpatialChain;

fn weights() -> Weights {
    Weights {
        accelerations: 1.1,
        coordinates: 2e-3,
        velocities: 0.05,
        step: 0.1,
        previous: -0.07,
        ..Weights::default()
    }
}

/// Compiles the first model of a file, and checks that its functions have loops.
fn compiled(file: &str) -> Compiled {
    let (_, model) = file.split_once("costate::model! {").unwrap();
    let model = model.split("\n    }\n").next().unwrap();
    let compiled = compile_str(&format!("{model}\n    }}")).unwrap();
    let code = compiled.source().unwrap();
    for function in ["residual", "newton", "adjoint", "linearization", "kinematics_derivatives"] {
        let body = code.split(&format!("fn {function}<")).nth(1).unwrap();
        let body = body.split("\n    fn ").next().unwrap();
        // the runtime adds those of the adjoint of a large model
        let is_sums = function == "adjoint" && body.contains("AdjointTerms");
        assert!(is_sums || body.contains("for i in 0.."), "{function} has no loops");
    }
    compiled
}

/// Evaluates the emitted functions, with the names of their groups.
fn emitted<M: CompiledModel>(point: &CheckPoint<M>) -> Vec<(&'static str, Vec<f64>)> {
    fn with<V: Vector<f64>>(name: &'static str, fill: impl FnOnce(&mut V)) -> (&'static str, Vec<f64>) {
        let mut out = V::zeros(V::LENGTH.unwrap());
        // functions must fill their whole array
        out.as_mut().fill(f64::NAN);
        fill(&mut out);
        (name, out.as_ref().to_vec())
    }
    let constants = M::constants((), &point.parameters, &weights(), &point.tables);
    let at: Point<'_, M, f64> = Point {
        time: point.time,
        coordinates: &point.state.coordinates,
        velocities: &point.state.velocities,
        accelerations: &point.state.accelerations,
        multipliers: &point.state.multipliers,
        inputs: &point.inputs,
        constants: &constants,
    };
    let mut factors = M::Factors::zeros(M::lengths(()).factors);
    let mut results = vec![
        with::<M::Initial<f64>>("initial", |out| M::initial(&constants, out)),
        with::<M::InitialDerivatives<f64>>("initial_derivatives", |out| M::initial_derivatives(&constants, out)),
        with::<M::Residual<f64>>("residual", |out| M::residual(&at, out)),
        with::<M::Newton<f64>>("newton", |out| M::newton(&at, out)),
        with::<M::Adjoint<f64>>("adjoint", |out| M::adjoint(&at, out, &mut factors)),
        with::<M::Linearization<f64>>("linearization", |out| M::linearization(&at, out)),
        with::<M::Kinematics<f64>>("kinematics", |out| M::kinematics(&at, out)),
        with::<M::KinematicsDerivatives<f64>>("kinematics_derivatives", |out| {
            M::kinematics_derivatives(&at, out);
        }),
        with::<M::Outputs<f64>>("outputs", |out| M::outputs(&at, out)),
        with::<M::OutputDerivatives<f64>>("output_derivatives", |out| M::output_derivatives(&at, out)),
    ];
    if let Some((_, adjoint)) = results.iter_mut().find(|(name, _)| *name == "adjoint") {
        adjoint.extend(factors.as_ref());
    }
    results
}

/// Evaluates the expressions of the emitted functions, with the names of their groups.
fn evaluated<M: CompiledModel>(compiled: &Compiled, point: &CheckPoint<M>) -> Vec<(&'static str, Vec<f64>)> {
    let (state, weights) = (&point.state, weights());
    let value = |symbol| match symbol {
        Symbol::Time => point.time,
        Symbol::Coordinate(i) => state.coordinates.as_ref()[i],
        Symbol::Velocity(i) => state.velocities.as_ref()[i],
        Symbol::Acceleration(i) => state.accelerations.as_ref()[i],
        Symbol::Multiplier(i) => state.multipliers.as_ref()[i],
        Symbol::Input(i) => point.inputs.as_ref()[i],
        Symbol::Parameter(i) => point.parameters.as_ref()[i],
        Symbol::Integrator(Integrator::Accelerations) => weights.accelerations,
        Symbol::Integrator(Integrator::Coordinates) => weights.coordinates,
        Symbol::Integrator(Integrator::Velocities) => weights.velocities,
        Symbol::Integrator(Integrator::Step) => weights.step,
        Symbol::Integrator(Integrator::Previous) => weights.previous,
        // the arguments of adjoint steps, which occur in none of these groups
        Symbol::Given(..) => f64::NAN,
    };
    let graph = &compiled.graph;
    compiled.groups.all.iter().map(|group| (group.kind.name(), graph.evaluate(&group.values(), value))).collect()
}

fn check_values<M: CompiledModel>(model: &M, file: &str) {
    let compiled = compiled(file);
    for point in random_points(model, 20, 5) {
        for ((name, emitted), (group, expected)) in emitted(&point).into_iter().zip(evaluated(&compiled, &point)) {
            assert_eq!((name, emitted.len()), (group, expected.len()));
            for (index, (value, expected)) in emitted.iter().zip(&expected).enumerate() {
                let size = expected.abs().max(1.0);
                assert!((value - expected).abs() <= 1e-13 * size, "{name}[{index}]: {value} and {expected}");
            }
        }
    }
}

fn check_exactness<M: Model>(model: &M) {
    let report = check_derivatives(&random_points(model, 30, 3), 1e-12);
    assert!(report.mismatches.is_empty(), "{report}");
    assert_eq!(report.skipped, 0, "{report}");
}

#[test]
fn values_in_the_plane() {
    check_values(&PlanarChain::default(), include_str!("planar.rs"));
}

#[test]
fn values_in_space() {
    check_values(&SpatialChain::default(), include_str!("spatial.rs"));
}

#[test]
fn derivatives() {
    check_exactness(&PlanarChain::default());
    check_exactness(&PlanarChainWithStops::default());
    check_exactness(&SpatialChain::default());
}

/// Checks that the chain with stops differs from the one without by the torque of a stop in each joint.
#[test]
fn a_table_in_a_loop() {
    let (with, without) = (PlanarChainWithStops::default(), PlanarChain::default());
    let links = PlanarChain::LINKS;
    let mut pressed = 0;
    for (point, plain) in random_points(&with, 20, 7).iter().zip(random_points(&without, 20, 7)) {
        let constants = PlanarChainWithStops::constants((), &point.parameters, &weights(), &point.tables);
        let stop = &constants.stop;
        let (emitted, plain) = (emitted(point), emitted(&plain));
        let forces = |results: &[(&str, Vec<f64>)]| -> Vec<f64> {
            let (_, residual) = &results[2];
            (0..links).map(|i| -residual[3 * links + 3 * i + 2]).collect()
        };
        let (q, lengths) = (&point.state.coordinates, &point.parameters[links..2 * links]);
        let torque = |i: usize| {
            let bend = q[3 * i + 5] - q[3 * i + 2];
            // the argument of the table is in mm
            let [force] = stop.derivatives(1e3 * lengths[i] * bend / 10.0, [0]);
            lengths[i] * force
        };
        for (i, (with, without)) in forces(&emitted).iter().zip(forces(&plain)).enumerate() {
            let right = if i + 1 < links { torque(i) } else { 0.0 };
            let left = if i > 0 { torque(i - 1) } else { 0.0 };
            pressed += usize::from(right != 0.0);
            assert!((with - without - (right - left)).abs() < 1e-9, "{i}: {with} {without} {right} {left}");
        }
    }
    assert!(pressed > 20, "{pressed}");
}

fn simulation<M: Model>(model: &M) -> Simulation<M> {
    let simulation = Simulation::new(model).step(0.005).until(0.3);
    Input::all().fold(simulation, |simulation, input| {
        simulation.input(input, move |t: f64| (5.0 * t + input.index() as f64).sin())
    })
}

fn check_gradient_of<M: Model>(model: &M, unknown: &[Parameter<M>]) {
    let problem = simulation(model).problem().unwrap();
    let cost = LeastSquares::new(0.005, 61, Quadrature::Rectangle)
        .with_channel(Output::<M>::at(0), &[0.1, 0.2, 0.3], &[0.0, -0.1, -0.2], 1.0)
        .unwrap();
    let report = check_gradient(&problem, model, &cost, unknown).unwrap();
    assert!(report.agrees(1e-8), "{report}");
}

#[test]
fn gradients() {
    check_gradient_of(&PlanarChain::default(), &[PlanarChain::M_3, PlanarChain::L_9, PlanarChain::C, PlanarChain::D]);
    check_gradient_of(&LongChain::default(), &[LongChain::M_3, LongChain::L_70, LongChain::C, LongChain::D]);
    // the model has no pivot order that is stable everywhere: its factors use index tables
    assert!(<SpatialChain as Model>::description().elimination.is_none());
    check_gradient_of(&SpatialChain::default(), &Parameter::all().collect::<Vec<_>>());
}

/// Checks that the iteration does not wait for the rounding errors of multipliers, which grow along a chain, to vanish.
#[test]
fn long_chains_converge_in_two_iterations() {
    let model = LongChain::default();
    assert!(<LongChain as Model>::description().elimination.is_some());
    let run = simulation(&model).step(1e-3).run().unwrap();
    let (iterations, steps) = (run.statistics().iterations, run.times().len() - 1);
    assert!(iterations * 10 <= 22 * steps, "{iterations} iterations in {steps} steps");
    // the remaining error is small
    let heights: Vec<f64> = run.output(LongChain::HEIGHT_80);
    let tight = NewtonSettings::default().with_tolerance(1e-14);
    let other = simulation(&model).step(1e-3).newton(tight).run().unwrap().output(LongChain::HEIGHT_80);
    let difference = heights.iter().zip(&other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(difference < 1e-9, "{difference:e}");
}

/// Checks that steps that are recomputed with factors from loops give the same bits.
#[test]
fn long_chains_from_checkpoints() {
    let model = LongChain::default();
    let (problem, parameters) = (simulation(&model).problem().unwrap(), model.parameters());
    let trajectory = problem.forward(&parameters).unwrap();
    let outputs = trajectory.outputs();
    let mut by_outputs = Series::zeros(outputs.step(), outputs.width(), outputs.samples());
    (0..outputs.samples()).for_each(|i| by_outputs.row_mut(i).copy_from_slice(outputs.row(i)));
    let unknown = [0, 5, 100, 161].map(Parameter::<LongChain>::at);
    let expected = gradient(&problem, &trajectory, &by_outputs, &unknown).unwrap();
    let memory = problem.memory();
    let budget = memory.total() - memory.trajectory_bytes / 2;
    let problem = simulation(&model).checkpoints(Checkpoints::Within(budget)).problem().unwrap();
    assert!(problem.has_checkpoints());
    let mut run = problem.run(&parameters).unwrap();
    assert_eq!(gradient(&problem, &mut run, &by_outputs, &unknown).unwrap(), expected);
}
