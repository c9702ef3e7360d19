//! Published runs of both forms of a model: states, outputs, gradients, sensitivities, dual numbers, lanes.

use std::ops::ControlFlow;

use costate::command::Columns;
use costate::model::{Differentiable, Dual, Scalar, SecondOrder};
use costate::simulate::{Checkpoints, Problem, Scheme, Series};
use costate::table::{Curve, Extension};
use costate::{Model, Simulation};
use costate_interpreter::LoadedModel;
use costate_models::four_cylinder_engine::{self, Drive};
use costate_models::{CartPendulum, EngineMount, FourCylinderEngine, PendulumChain, SwingArm};
use costate_models::{cart_pendulum, engine_mount};

use super::{TOLERANCE, load};

/// All numbers that are compared, by name.
type Results = Vec<(String, Vec<f64>)>;

/// All numbers of a series, sample by sample.
fn numbers<S: Scalar>(series: &Series<S>) -> Vec<S> {
    (0..series.samples()).flat_map(|i| series.row(i)).copied().collect()
}

/// Makes the runs of one form.
fn results(
    system: &'static dyn Differentiable,
    second: &'static dyn SecondOrder,
    problem: &Problem,
    parameters: &[f64],
) -> Results {
    let run = system.forward(problem, parameters).unwrap();
    let outputs = system.outputs_of(&run);
    let mut found: Results = Vec::new();
    for (name, part) in [("q", 0), ("v", 1), ("a", 2)] {
        let n = system.description().coordinates.len();
        for j in 0..n {
            let course = (0..=run.steps()).map(|i| run.stored(i)[part * n + j]).collect();
            found.push((format!("{name}[{j}]"), course));
        }
    }
    for output in 0..outputs.width() {
        found.push((format!("s[{output}]"), (0..outputs.samples()).map(|i| outputs.row(i)[output]).collect()));
    }
    let mut by_outputs = Series::zeros(outputs.step(), outputs.width(), outputs.samples());
    for i in 0..outputs.samples() {
        for (k, derivative) in by_outputs.row_mut(i).iter_mut().enumerate() {
            *derivative = outputs.row(i)[k] + (0.01 * i as f64).sin();
        }
    }
    let unknown: Vec<usize> = (0..parameters.len()).collect();
    let gradients = system.gradients(problem, (&run).into(), &[&by_outputs, &outputs], &unknown).unwrap();
    let full = system.full_gradient(problem, (&run).into(), &by_outputs, &unknown, (true, &[])).unwrap();
    for (of, gradients) in [("two costs", &gradients[..]), ("one cost", &[full.by_parameters][..])] {
        for (k, gradient) in gradients.iter().enumerate() {
            for (parameter, derivative) in gradient.iter().enumerate() {
                found.push((format!("gradient[{parameter}] of {of}, {k}"), vec![*derivative]));
            }
        }
    }
    if let Some(by_inputs) = full.by_inputs {
        found.push(("gradient by inputs".to_owned(), numbers(&by_inputs)));
    }
    let mut columns = vec![Vec::new(); parameters.len()];
    let by = Columns { parameters: &unknown, ..Columns::default() };
    system
        .sensitivities(problem, (&run).into(), by, &mut |_, rows| {
            columns.iter_mut().zip(rows).for_each(|(column, row)| column.extend_from_slice(row));
            ControlFlow::Continue(())
        })
        .unwrap();
    found.extend(columns.into_iter().enumerate().map(|(k, column)| (format!("sensitivities by {k}"), column)));
    let directed: Vec<Dual> = parameters.iter().map(|&value| Dual { value, derivative: 0.1 * value }).collect();
    let dual = second.outputs_dual(problem, &directed).unwrap();
    found.push(("outputs in dual numbers".to_owned(), numbers(&dual).iter().map(|x| x.derivative).collect()));
    let other: Vec<f64> = parameters.iter().map(|value| value * 1.001).collect();
    let lanes = system.run_lanes(problem, &[parameters, &other, parameters]).unwrap();
    for (lane, run) in lanes.iter().enumerate().filter_map(|(lane, run)| Some((lane, run.as_ref()?))) {
        found.push((format!("outputs of lane {lane}"), numbers(run.outputs())));
    }
    found
}

/// Compares both forms; the numbers of one name are compared with their largest one.
fn compare<M: Model>(
    model: &M,
    loaded: LoadedModel,
    tolerance: f64,
    describe: impl Fn(&'static dyn Differentiable, Simulation) -> Simulation,
) {
    let parameters = model.parameters().as_ref().to_vec();
    let problem = |system: &'static dyn Differentiable| {
        describe(system, Simulation::of(system, parameters.clone())).problem().unwrap()
    };
    let (compiled, interpreted) = (M::differentiable(), loaded.system());
    let one = results(compiled, M::second_order(), &problem(compiled), &parameters);
    let other = results(interpreted, loaded.second_order(), &problem(interpreted), &parameters);
    assert_eq!(one.len(), other.len());
    let mut worst = (0.0, String::new());
    for ((name, one), (_, other)) in one.iter().zip(&other) {
        assert_eq!(one.len(), other.len(), "{name}");
        let scale = one.iter().fold(f64::MIN_POSITIVE, |most: f64, number| most.max(number.abs()));
        for (one, other) in one.iter().zip(other) {
            assert!(one.is_finite() && other.is_finite(), "{name} of {}", loaded.name());
            let difference = (one - other).abs() / scale;
            if difference > worst.0 {
                worst = (difference, name.clone());
            }
        }
    }
    println!("{}: {:e} in {}", loaded.name(), worst.0, worst.1);
    assert!(worst.0 <= tolerance, "{} of {}: {:e}", worst.1, loaded.name(), worst.0);
}

#[test]
fn the_mount_with_both_schemes() {
    let loaded = load("engine_mount.rs", "EngineMount");
    for scheme in [Scheme::Hht { alpha: engine_mount::ALPHA }, Scheme::default()] {
        compare(&EngineMount::start(), loaded, TOLERANCE, |system, simulation| {
            let simulation = simulation.input(system.input("drive").unwrap(), engine_mount::sweep);
            simulation.step(engine_mount::STEP).until(engine_mount::END).scheme(scheme)
        });
    }
}

#[test]
fn the_cart_with_three_rods() {
    compare(&cart_pendulum::FD.start(), load("cart_pendulum.rs", "CartPendulum"), TOLERANCE, |system, simulation| {
        let drive = |t: f64| cart_pendulum::FD.force(t);
        let simulation = simulation.input(system.input("drive").unwrap(), drive);
        simulation.step(cart_pendulum::STEP).until(4.0).alpha(cart_pendulum::ALPHA)
    });
    let _: fn() -> CartPendulum = CartPendulum::default;
}

#[test]
fn the_engine() {
    let drive = Drive::constant(3000.0);
    let model = FourCylinderEngine { speed_0: drive.from, ..FourCylinderEngine::start() };
    compare(&model, load("four_cylinder_engine.rs", "FourCylinderEngine"), TOLERANCE, |system, simulation| {
        let simulation = simulation.input(system.input("q_run").unwrap(), move |t: f64| drive.angle(t));
        let simulation = simulation.input(system.input("v_run").unwrap(), move |t: f64| drive.speed(t));
        simulation.step(four_cylinder_engine::STEP).until(0.05).alpha(four_cylinder_engine::ALPHA)
    });
}

#[test]
fn bodies_and_joints_with_checkpoints() {
    let chain = load("pendulum_chain.rs", "PendulumChain");
    compare(&PendulumChain::default(), chain, TOLERANCE, |system, simulation| {
        let simulation = simulation.input(system.input("drive").unwrap(), |t: f64| 3.0 * (2.0 * t).sin());
        simulation.step(1e-3).until(1.0).checkpoints(Checkpoints::Automatic)
    });
    compare(&SwingArm::default(), load("swing_arm.rs", "SwingArm"), TOLERANCE, |system, simulation| {
        let inputs = system.description().inputs;
        let with = |simulation: Simulation, name| {
            simulation.input(system.input(name).unwrap(), |t: f64| 0.01 * (20.0 * t).sin())
        };
        let simulation = inputs.iter().fold(simulation, |all, input| with(all, input.name));
        let tables = [("elastic", 2e4), ("dissipative", 300.0)];
        let simulation = tables.into_iter().fold(simulation, |all, (name, slope)| {
            let curve = Curve::new(vec![-1.0, 0.0, 1.0], vec![-slope, 0.0, slope], Extension::Linear);
            all.table(system.curve(name).unwrap(), curve.unwrap())
        });
        simulation.step(1e-3).until(0.5)
    });
}
