//! Tasks that take one call: a cost with its gradient, a run as a record, a function as a signal.

use std::sync::Arc;

use costate::cost::{BolzaCost, Cost, CostDerivativeError, Residuals};
use costate::differentiate::SelectionError;
use costate::measure::RecordError;
use costate::model::Dual;
use costate::simulate::{Checkpoints, InputSignal, Problem, Sampled, Settings};
use costate::{Model, Record, Simulation, gradient};

costate::model! {
    #[interpreted]
    /// A driven mass on a spring.
    pub Mass {
        parameters { m: kg = 2, c: N/m = 300, d: N*s/m = 4 }
        inputs { drive: N }
        coordinates { x: m }
        mass { x: m }
        forces { x: drive - c*x - d*dot(x) }
        outputs { position: m = x, load: N = c*x }
    }
}

const STEP: f64 = 1e-2;
const STEPS: usize = 300;

fn simulation(mass: &Mass) -> Simulation<Mass> {
    Simulation::new(mass).input(Mass::DRIVE, |t: f64| (7.0 * t).sin()).step(STEP).until(STEP * STEPS as f64)
}

#[test]
fn a_cost_comes_with_its_gradient() {
    let mass = Mass::default();
    let problem = simulation(&mass).problem().unwrap();
    let cost = BolzaCost::new(STEP, STEPS + 1)
        .with_integral(Mass::POSITION, 2.0)
        .and_then(|cost| cost.with_end_value(Mass::LOAD, 0.1))
        .unwrap();
    let unknown = [Mass::D, Mass::M];
    let (value, found) = problem.value_and_gradient(&cost, &mass.parameters(), &unknown).unwrap();
    let run = problem.forward(&mass.parameters()).unwrap();
    assert_eq!(value, cost.value(&run.outputs()));
    let by_outputs = cost.output_gradient(&run.outputs());
    assert_eq!(found, gradient(&problem, &run, &by_outputs, &unknown).unwrap());
    let few = Checkpoints::Within(problem.memory().total() * 2 / 3);
    let stored = simulation(&mass).checkpoints(few).problem().unwrap();
    assert!(stored.has_checkpoints());
    assert_eq!(stored.value_and_gradient(&cost, &mass.parameters(), &unknown).unwrap(), (value, found));
    // parts that do not belong together are refused without a run
    let twice = problem.value_and_gradient(&cost, &mass.parameters(), &[Mass::C, Mass::C]).unwrap_err();
    assert_eq!(twice, SelectionError::Repeated { name: "c" }.into());
    let longer = BolzaCost::new(STEP, STEPS + 2).with_integral(Mass::POSITION, 1.0).unwrap();
    let refused = problem.value_and_gradient(&longer, &mass.parameters(), &unknown).unwrap_err();
    let (samples, width, step) = (STEPS + 1, 2, STEP);
    assert_eq!(refused, CostDerivativeError::Cost { samples, width, step }.into());
}

mod clock {
    costate::model! {
        #[interpreted]
        /// A model with an output whose name no channel can have.
        pub Clock {
            parameters { m: kg = 1 }
            coordinates { x: m }
            mass { x: m }
            initial { x = 0[m], dot(x) = 1[m/s] }
            outputs { time: m = x }
        }
    }
}

#[test]
fn a_run_is_a_record_of_its_outputs() {
    let mass = Mass::default();
    let run = simulation(&mass).run().unwrap();
    let record = Record::try_from(&run).unwrap();
    assert_eq!((record.name(), record.times()), ("Mass", &run.times()[..]));
    let of = |channel: &costate::measure::Channel| (channel.name().to_owned(), channel.unit().map(str::to_owned));
    let channels: Vec<_> = record.channels().iter().map(of).collect();
    let named = |name: &str, unit: &str| (name.to_owned(), Some(unit.to_owned()));
    assert_eq!(channels, [named("position", "m"), named("load", "N")]);
    assert_eq!(record.channel("load").unwrap().values(), run.output(Mass::LOAD));
    let clock = clock::Clock::default();
    let run = Simulation::new(&clock).step(0.1).until(1.0).run().unwrap();
    assert!(matches!(Record::try_from(&run), Err(RecordError::ChannelName { channel, .. }) if channel == "time"));
    // error estimates are found by the names of outputs and coordinates
    let accuracy = run.accuracy().unwrap();
    assert_eq!(accuracy.output(clock::Clock::TIME), accuracy.outputs.first());
    assert_eq!(accuracy.coordinate(clock::Clock::X), accuracy.coordinates.first());
}

#[test]
fn functions_and_shared_samples_are_signals() {
    let settings = || Settings::new(0.5, 1.0);
    let inputs = |signal: InputSignal| {
        let problem = Problem::new(settings(), &[(Mass::DRIVE, signal)]).unwrap();
        problem.inputs().rows().map(|row| row[0]).collect::<Vec<f64>>()
    };
    let line = Arc::new(Sampled::new(vec![0.0, 1.0], vec![0.0, 3.0]).unwrap());
    assert_eq!(inputs(Arc::clone(&line).into()), [0.0, 1.5, 3.0]);
    assert_eq!(inputs((|t: f64| 3.0 * t).into()), [0.0, 1.5, 3.0]);
    assert_eq!(inputs(f64::sqrt.into()), [0.0, 0.5f64.sqrt(), 1.0]);
    assert_eq!(inputs(2.0.into()), [2.0; 3]);
}

#[test]
fn residuals_are_collected() {
    let pair = |j: i32| (2.0, Dual { value: f64::from(j), derivative: 1.0 });
    let mut residuals: Residuals = (1..3).map(pair).collect();
    residuals.extend([pair(3)]);
    assert_eq!(residuals.weights, [2.0; 3]);
    // J = sum j^2, and its derivative 2 sum j
    assert_eq!(residuals.cost(), Dual { value: 14.0, derivative: 12.0 });
}
