//! Refusals before and during runs, and the names in their messages.

mod memory;

use std::error::Error;

use costate::filter::{
    FilterError, Gaussian, ImplicitModel, KalmanFilter, KalmanMethod, ModelFailure, RungeKuttaModel, StateSpace, Step,
    Storage, run,
};
use costate::identify::IdentificationError;
use costate::simulate::{InitialStateError, Involved, SimulationError, StepError, Unknown};
use costate::{Identification, Model, Record, Simulation};
use nalgebra::DMatrix;

costate::model! {
    #[interpreted]
    pub Oscillator {
        parameters { m: kg = 1, c: N/m = 100, d: N*s/m = 0.5 }
        coordinates { x: m }
        mass { x: m }
        forces { x: -c*x - d*dot(x) }
        initial { x = 0.1[m] }
        outputs { position: m = x }
    }
}

costate::model! {
    #[interpreted]
    pub Driven {
        parameters { m: kg = 1 }
        inputs { drive: N }
        coordinates { x: m }
        mass { x: m }
        forces { x: drive }
        outputs { position: m = x }
    }
}

costate::model! {
    #[interpreted]
    /// Two rods between two pivots.
    pub Rods {
        parameters { m: kg = 1, a: m = 0.2, b: m = 0.3, distance: m = 0.4, height: m = 0.1 }
        coordinates { p: rad, q: rad, z: m }
        mass { p: m*a^2, q: m*b^2, z: m }
        forces { z: -m*1[N/kg] }
        constraints { across: a*cos(p) + b*cos(q) - distance, along: a*sin(p) + b*sin(q), level: z - height }
        initial { p ~ 0.5, q ~ -0.4 }
    }
}

costate::model! {
    #[interpreted]
    /// The second mass is pushed back and forth by a force that no step can balance.
    pub Pushed {
        parameters { m: kg = 1, push: N = 1e6 }
        coordinates { x: m, y: m }
        mass { x: m, y: m }
        forces { x: -1[N/m]*x, y: -push*sign(y) }
        outputs { position: m = x }
    }
}

costate::model! {
    #[interpreted]
    /// The second mass vanishes where the first one is at zero.
    pub Vanishing {
        parameters { m: kg = 1 }
        coordinates { x: m, y: m }
        mass { x: m, y: m*(x/1[m])^2 }
        initial { x = 1[m] }
        outputs { position: m = x }
    }
}

/// Lists the texts of an error and of its causes.
fn chain(error: &dyn Error) -> Vec<String> {
    let mut texts = vec![error.to_string()];
    let mut cause = error.source();
    while let Some(error) = cause {
        texts.push(error.to_string());
        cause = error.source();
    }
    texts
}

/// Returns the error of the simulation that stopped a filter.
fn of_simulation(failure: ModelFailure) -> SimulationError {
    failure.downcast_ref::<SimulationError>().unwrap_or_else(|| panic!("{failure:?}")).clone()
}

#[test]
fn parameters_that_are_no_numbers_are_named() {
    for (d, value) in [(f64::NAN, "NaN"), (f64::INFINITY, "inf")] {
        let model = Oscillator { d, ..Oscillator::default() };
        let simulation = Simulation::new(&model).step(0.01).until(0.1).alpha(-0.1);
        let problem = simulation.problem().unwrap();
        let parameters = model.parameters();
        let Err(FilterError::Model(of_filter)) = RungeKuttaModel::new(&problem, &model) else { panic!("no error") };
        let step = Step { time: 0.0, interval: 0.01, inputs_before: &[], inputs: &[] };
        let advanced = ImplicitModel::new(&problem, &model).advance(&step, &[0.1, 0.0, 0.0], &mut [0.0; 3]);
        let record = Record::new(vec![0.0, 0.01]).unwrap();
        let record = record.with_channel("position", Some("m"), vec![0.1; 2]).unwrap();
        let identification = Identification::new(&Simulation::new(&model)).unknown([Oscillator::C]);
        let fit = identification.measured(Oscillator::POSITION, &record).run().unwrap_err();
        let IdentificationError::Simulation(of_fit) = fit else { panic!("{fit:?}") };
        let mut errors = vec![
            simulation.run().unwrap_err(),
            problem.initial_derivatives(&parameters, &[Oscillator::D]).unwrap_err(),
            of_simulation(of_filter),
            of_simulation(advanced.unwrap_err()),
            of_fit,
        ];
        errors.extend(problem.run_each(&[parameters; 3]).into_iter().map(Result::unwrap_err));
        for error in errors {
            let SimulationError::InitialState(error) = error else { panic!("{error:?}") };
            assert_eq!(error.to_string(), format!("parameter `d` is {value}: parameters must be finite"));
        }
    }
}

#[test]
fn parameters_are_as_many_as_the_model_has() {
    let model = Oscillator::default();
    let problem = Simulation::new(&model).step(0.01).until(0.1).problem().unwrap();
    for given in [0, 2, 4] {
        let values = vec![1.0; given];
        let expected = SimulationError::ParameterCount { model: "Oscillator", expected: 3, given };
        assert_eq!(problem.run(&values).unwrap_err(), expected);
        assert_eq!(problem.forward(&values).unwrap_err(), expected);
        assert_eq!(problem.outputs(&values).unwrap_err(), expected);
        assert_eq!(problem.initial_state(&values).unwrap_err(), expected);
        assert_eq!(problem.initial_derivatives(&values, &[Oscillator::D]).unwrap_err(), expected);
        // also beside valid parameters, which are run
        let right = model.parameters().to_vec();
        let each = problem.run_each(&[right.clone(), values, right.clone(), right]);
        assert_eq!(each[1].as_ref().unwrap_err(), &expected);
        assert!([0, 2, 3].iter().all(|&i| each[i].is_ok()));
    }
}

#[test]
fn a_loop_that_cannot_close_names_its_lengths() {
    let rods = |distance| Rods { distance, ..Rods::default() };
    let initial = |model: &Rods| {
        let problem = Simulation::new(model).step(0.01).until(0.1).problem().unwrap();
        costate::simulate::initial_state_in::<Rods, f64>(&problem, &model.parameters())
    };
    assert!(initial(&rods(0.4)).is_ok());
    let problem = Simulation::new(&rods(0.4)).step(0.01).until(0.1).problem().unwrap();
    let few = costate::simulate::initial_state_in::<Rods, f64>(&problem, &[0.2]).unwrap_err();
    assert_eq!(
        few,
        SimulationError::ParameterCount { model: "Rods", expected: rods(0.4).parameters().len(), given: 1 }
    );
    let error = initial(&rods(0.6)).unwrap_err();
    let SimulationError::InitialState(InitialStateError::Positions { involved, .. }) = &error else {
        panic!("{error:?}")
    };
    let Involved { violated, parameters, specified, open, .. } = &**involved;
    assert!(violated.contains(&"across") && !violated.contains(&"level"), "{error}");
    assert_eq!(parameters, &[("a", 0.2), ("b", 0.3), ("distance", 0.6)]);
    assert_eq!((&specified[..], &open[..]), (&[][..], &["p", "q"][..]));
    let text = error.to_string();
    assert!(text.starts_with("no initial positions were found that satisfy the constraint"), "{text}");
    assert!(text.contains("with the parameters `a` = 0.2, `b` = 0.3, `distance` = 0.6;"), "{text}");
    assert!(
        text.ends_with("or give approximate values of the open positions, as in `initial { p ~ value }`"),
        "{text}"
    );
}

#[test]
fn steps_of_filters_name_the_state_and_the_step_that_fail() {
    let model = Pushed::default();
    let problem = Simulation::new(&model).step(0.01).until(0.1).alpha(-0.1).problem().unwrap();
    let mut process = ImplicitModel::new(&problem, &model);
    let step = Step { time: 0.5, interval: 0.01, inputs_before: &[], inputs: &[] };
    let (x, mut next) = ([0.1, 1e-9, 0.0, 0.0, 0.0, 0.0], [0.0; 6]);
    match process.advance(&step, &x, &mut next).map_err(of_simulation) {
        Err(SimulationError::Step(StepError::Newton { time, step, unknown, update, allowed, .. })) => {
            assert!((time - 0.51).abs() < 1e-12 && update > allowed, "{time} {update} {allowed}");
            assert_eq!((step, unknown), (51, Unknown::Coordinate("y")));
        }
        other => panic!("{other:?}"),
    }
    // several points at once give the error of the same step
    let (many, mut nexts) = ([x; 5].concat(), vec![0.0; 30]);
    match process.advance_each(&step, &many, &mut nexts).map_err(of_simulation) {
        Err(SimulationError::Step(StepError::Newton { step, unknown, .. })) => {
            assert_eq!((step, unknown), (51, Unknown::Coordinate("y")));
        }
        other => panic!("{other:?}"),
    }

    let model = Vanishing::default();
    let problem = Simulation::new(&model).step(0.01).until(0.1).problem().unwrap();
    let mut process = RungeKuttaModel::new(&problem, &model).unwrap();
    match process.advance(&step, &[0.0; 4], &mut [0.0; 4]).map_err(of_simulation) {
        Err(SimulationError::Step(StepError::Singular { step, unknown, pivot, .. })) => {
            assert_eq!((step, unknown, pivot), (51, Unknown::Coordinate("y"), 0.0));
        }
        other => panic!("{other:?}"),
    }
    match process.advance(&step, &[f64::NAN, 0.0, 0.0, 0.0], &mut [0.0; 4]).map_err(of_simulation) {
        Err(SimulationError::Step(StepError::NotFinite { step, equation, .. })) => {
            assert_eq!((step, equation), (51, Unknown::Coordinate("y")));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn filters_say_the_step_once() {
    let model = Pushed::default();
    let problem = Simulation::new(&model).step(0.01).until(0.1).alpha(-0.1).problem().unwrap();
    let process = ImplicitModel::new(&problem, &model);
    let initial = Gaussian::independent(&[0.1, 1e-9, 0.0, 0.0, 0.0, 0.0], &[0.0; 6]).unwrap();
    let (q, r) = (DMatrix::zeros(6, 6), DMatrix::identity(1, 1));
    let mut filter = KalmanFilter::new(process, KalmanMethod::Extended, 0.01, &initial, &q, &r).unwrap();
    let filtered = run(&mut filter, &[], &[0.1; 4], Storage::Means).unwrap();
    let stopped = filtered.stopped().unwrap();
    assert_eq!(stopped.sample, 1);
    let text = stopped.to_string();
    assert!(text.contains("no convergence at 0.01 s (step 1): after 20 iterations coordinate `y`"), "{text}");
    assert_eq!(chain(stopped), [text]);
}

#[test]
fn causes_are_said_once() {
    let record = Record::new(vec![0.0, 0.01]).unwrap();
    let record = record.with_channel("position", Some("m"), vec![0.1; 2]).unwrap();
    let model = Oscillator { m: 0.0, d: 0.0, ..Oscillator::default() };
    let error = Identification::new(&Simulation::new(&model))
        .unknown([Oscillator::C])
        .measured(Oscillator::POSITION, &record)
        .run();
    let texts = chain(&error.unwrap_err());
    assert_eq!(texts[0], "the simulation fails at the start values; choose others or check model and inputs");
    assert_eq!(texts.len(), 2, "{texts:?}");
    assert!(texts[1].starts_with("nothing determines the velocity of coordinate `x`"), "{texts:?}");
    let missing = chain(&Record::read_csv("/no/such/record.csv").unwrap_err());
    assert_eq!(missing[0], "cannot access `/no/such/record.csv`");
    assert_eq!(missing.len(), 2, "{missing:?}");
}

costate::model! {
    #[interpreted]
    /// A slider whose loop is closed with the wrong sign, and a block that rubs.
    pub Slip {
        parameters { m: kg = 1, j: kg*m^2 = 0.1, l: m = 0.5, mu: N = 4, start: rad = 0.47 }
        inputs { push: N }
        coordinates { angle: rad, z: m, x: m }
        mass { angle: j, z: m, x: 2*m }
        forces { x: push - mu*sign(dot(x)) }
        constraints { side: z + l*sin(angle) }
        initial { angle = start, z ~ 0.22[m], x = 0[m] }
    }
}

#[test]
fn given_values_that_cannot_be_meant_are_refused_at_the_start() {
    let error = |model: &Slip| {
        let simulation = Simulation::new(model).input(Slip::PUSH, 1.0).step(0.01).until(0.1);
        let (run, stepper) = (simulation.run().map(|_| ()), costate::stepper::start(&simulation).map(|_| ()));
        let error = run.unwrap_err();
        if !matches!(error, SimulationError::Step(_)) {
            assert_eq!(stepper.unwrap_err(), error);
        }
        error.to_string()
    };
    assert_eq!(
        error(&Slip::default()),
        "the initial position of `z` is -0.226443, in another assembly configuration than the approximate value 0.22: \
             give approximate values of other open positions too, or write `z ~ -0.226443` if this configuration is \
             intended"
    );
    let other = Slip { start: -0.47, ..Slip::default() };
    assert_eq!(error(&Slip { m: -1.0, ..other }), "the mass of `z` is -1 at the start: `m` = -1 has to be positive");
    assert_eq!(error(&Slip { m: 0.0, ..other }), "the mass of `x` is 0 at the start: `m` = 0 has to be positive");
    // a trial of a fit may have such values
    let trial = Slip { m: -1.0, mu: 0.0, ..other };
    let problem = Simulation::new(&trial).input(Slip::PUSH, 1.0).step(0.01).until(0.1).problem().unwrap();
    assert!(problem.run(&trial.parameters()).is_ok());
    // pushed with less than the friction, the block sticks
    let sticks = error(&other);
    assert!(
        sticks.ends_with(
            "The forces depend on `sign` of velocities, and where a force jumps motion that sticks has no solution: \
                 write `tanh(v/small)` \
             for `sign(v)`; if that is not the reason, a smaller step may help"
        ),
        "{sticks}"
    );
}
