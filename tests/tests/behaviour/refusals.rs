//! Refusals before and during runs, and the names in their messages.

use std::error::Error;

use costate::cost::{FourierLine, RunUp, SpectralValue, SpectrumCost, SpectrumError, SpectrumForm, Window};
use costate::filter::{
    CovarianceFault, FilterError, Gaussian, ImplicitModel, KalmanFilter, KalmanMethod, ModelFailure, ParticleFilter,
    RungeKuttaModel, Sample, SigmaPoints, StateSpace, Step, Storage, Transformation, VectorFunction, globally_iterated,
    run,
};
use costate::identify::{IdentificationError, SpecificationError, UnknownParameter};
use costate::optimize::{Method, MultistartError, OptimizerSettings, OptimizerState, StartError, Variable};
use costate::simulate::{InitialStateError, Involved, MatrixFault, OutOfMemory, SimulationError, StepError, Unknown};
use costate::{Identification, Model, Record, Simulation};
use nalgebra::{DMatrix, DVector};

costate::model! {
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
    /// The second mass is none where the first one is at zero.
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

fn out_of_memory(error: SimulationError) -> OutOfMemory {
    match error {
        SimulationError::OutOfMemory(error) => error,
        other => panic!("{other:?}"),
    }
}

#[test]
fn runs_that_no_machine_can_store_are_refused() {
    let model = Oscillator::default();
    let long = Simulation::new(&model).step(1e-4).until(1e8);
    let error = out_of_memory(long.run().unwrap_err());
    assert_eq!((error.count, error.counted), (1_000_000_000_000, "steps"));
    assert!(error.needed >= 8_000_000_000_000, "{error}");
    assert!(error.to_string().contains("take a larger step or an earlier end"), "{error}");
    // a run with inputs whose steps take more than 2^64 bytes in all
    let driven = Driven::default();
    let longest = Simulation::new(&driven).input(Driven::DRIVE, 0.0).step(1.0).until(9e15);
    out_of_memory(longest.problem().unwrap_err());
    out_of_memory(longest.memory_limit(u64::MAX).problem().unwrap_err());
    // a limit set by the user comes first
    match Simulation::new(&model).step(1e-4).until(1e8).memory_limit(1 << 20).run().unwrap_err() {
        SimulationError::Memory { steps, limit, .. } => {
            assert_eq!((steps, limit), (1_000_000_000_000, 1 << 20))
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_record_with_one_garbled_time_is_refused() {
    let record = Record::new(vec![0.0, 0.01, 1e13]).unwrap();
    let record = record.with_channel("position", Some("m"), vec![0.0; 3]).unwrap();
    let identification =
        Identification::new(&Simulation::new(&Oscillator::default()).step(0.01)).unknown([Oscillator::C]);
    match identification.measured(Oscillator::POSITION, &record).run() {
        Err(IdentificationError::Simulation(error)) => {
            assert_eq!(out_of_memory(error).count, 1_000_000_000_000_000);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn numbers_that_somebody_chose_too_large_are_refused() {
    let record = Record::new(vec![0.0, 0.01]).unwrap();
    let record = record.with_channel("position", Some("m"), vec![0.1; 2]).unwrap();
    let bounded = UnknownParameter::from(Oscillator::C).within(50.0, 200.0);
    let starts = Identification::new(&Simulation::new(&Oscillator::default()))
        .unknown([bounded])
        .measured(Oscillator::POSITION, &record)
        .multistart(usize::MAX, 0);
    match starts {
        Err(IdentificationError::Specification(SpecificationError::Multistart(MultistartError::OutOfMemory(
            error,
        )))) => {
            assert_eq!((error.count, error.counted), (usize::MAX, "starts"));
        }
        other => panic!("{other:?}"),
    }

    let model = Oscillator::default();
    let problem = Simulation::new(&model).step(0.01).until(0.1).problem().unwrap();
    let process = RungeKuttaModel::new(&problem, &model).unwrap();
    let initial = Gaussian::independent(&[0.1, 0.0], &[0.1, 0.1]).unwrap();
    let (q, r) = (DMatrix::zeros(2, 2), DMatrix::identity(1, 1));
    match ParticleFilter::new(process, usize::MAX / 2, 0.01, &initial, &q, &r, 0) {
        Err(FilterError::OutOfMemory(error)) => assert_eq!(error.counted, "particles"),
        other => panic!("{:?}", other.err()),
    }

    let variables: Vec<_> = (0..1_000_000).map(|_| Variable::new("u", 1.0)).collect();
    match OptimizerState::new(variables, OptimizerSettings::default().with_method(Method::Bfgs)) {
        Err(StartError::OutOfMemory(error)) => {
            assert!(error.to_string().ends_with("take `Method::limited_memory_bfgs()`"), "{error}");
        }
        other => panic!("{:?}", other.err()),
    }
}

/// A system that claims to have many states.
struct Large(usize);

impl StateSpace for Large {
    fn states(&self) -> usize {
        self.0
    }
    fn inputs(&self) -> usize {
        0
    }
    fn measurements(&self) -> usize {
        self.0
    }
    fn state_name(&self, state: usize) -> String {
        state.to_string()
    }
    fn advance(&mut self, _: &Step<'_>, x: &[f64], next: &mut [f64]) -> Result<(), ModelFailure> {
        next.copy_from_slice(x);
        Ok(())
    }
    fn transition(
        &mut self,
        _: &Step<'_>,
        _: &[f64],
        _: &[f64],
        matrix: &mut DMatrix<f64>,
    ) -> Result<(), ModelFailure> {
        matrix.fill_with_identity();
        Ok(())
    }
    fn measure(&mut self, _: &Sample<'_>, x: &[f64], y: &mut [f64]) {
        y.copy_from_slice(x);
    }
    fn measurement_matrix(&mut self, _: &Sample<'_>, _: &[f64], matrix: &mut DMatrix<f64>) {
        matrix.fill_with_identity();
    }
}

/// A function that claims to have many values.
struct Long(usize);

impl VectorFunction for Long {
    fn length(&self) -> usize {
        self.0
    }
    fn value(&self, _: &[f64], y: &mut [f64]) {
        y.fill(0.0);
    }
    fn jacobian(&self, _: &[f64], matrix: &mut DMatrix<f64>) {
        matrix.fill(0.0);
    }
}

#[test]
fn matrices_that_no_machine_can_hold_are_refused() {
    let refused = |error: FilterError, count: usize, counted: &str| match error {
        FilterError::OutOfMemory(error) => {
            assert_eq!((error.count, error.counted), (count, counted));
            assert!(error.needed as f64 >= 8.0 * (count as f64).powi(2).min(2e18), "{error}");
        }
        other => panic!("{other:?}"),
    };
    let many = vec![0.0; 10_000_000];
    refused(Gaussian::independent(&many, &many).unwrap_err(), many.len(), "components");

    let one = Gaussian::independent(&[0.0], &[1.0]).unwrap();
    for transformation in [
        Transformation::Linearized,
        Transformation::Unscented(SigmaPoints::default()),
        Transformation::MonteCarlo { samples: 2, seed: 0 },
    ] {
        refused(transformation.transform(&one, &Long(usize::MAX)).unwrap_err(), usize::MAX, "components");
    }

    // a covariance of another size, and a mean that is too long for any covariance
    let small = DMatrix::identity(1, 1);
    let filter = |initial: &Gaussian, states| {
        KalmanFilter::new(Large(states), KalmanMethod::Extended, 0.1, initial, &small, &small).err().unwrap()
    };
    assert!(matches!(filter(&one, usize::MAX), FilterError::Length { given: 1, expected: usize::MAX, .. }));
    let initial = Gaussian { mean: DVector::zeros(many.len()), covariance: small.clone() };
    refused(filter(&initial, many.len()), many.len(), "states");
    let unlike = Gaussian::new(initial.mean, small.clone()).unwrap_err();
    assert!(
        matches!(unlike, FilterError::Covariance { fault: CovarianceFault::Matrix(MatrixFault::Size { .. }), .. }),
        "{unlike:?}"
    );

    let mut filter = KalmanFilter::new(Large(1), KalmanMethod::Extended, 0.1, &one, &small, &small).unwrap();
    for iterations in [usize::MAX, usize::MAX / 1024] {
        let found = globally_iterated(&mut filter, &one, &[], &[0.0; 3], &[], iterations);
        let Err(FilterError::OutOfMemory(error)) = found else { panic!("{found:?}") };
        assert_eq!((error.count, error.counted), (iterations, "iterations"));
    }
}

#[test]
fn spectra_that_no_machine_can_hold_are_refused() {
    let refused = |error: SpectrumError, count: usize, counted: &str| match error {
        SpectrumError::OutOfMemory(error) => assert_eq!((error.count, error.counted), (count, counted)),
        other => panic!("{other:?}"),
    };
    let cost = SpectrumCost::new(1e-6, 1_000_000_000_000_001, SpectrumForm::SquaredAmplitude);
    let line = FourierLine::new(1.0, 0.0, 1e9, Window::Hann);
    let amplitude = SpectralValue::Amplitude(1.0);
    refused(
        cost.clone().with_line(Oscillator::POSITION, line, amplitude, 1.0).unwrap_err(),
        999_999_999_999_999,
        "samples",
    );
    let short = FourierLine { to: 10.0, ..line };
    assert_eq!(cost.with_line(Oscillator::POSITION, short, amplitude, 1.0).map(|cost| cost.lines()), Ok(1));

    let run_up = RunUp::new(25.0..=100.0, 0.0..=10.0).unwrap();
    let speeds = std::iter::repeat_n(50.0, usize::MAX);
    refused(run_up.lines(2.0, speeds, Window::Hann).unwrap_err(), usize::MAX, "lines");
    assert_eq!(run_up.lines(2.0, [30.0, 50.0], Window::Hann).map(|lines| lines.len()), Ok(2));
}

#[test]
fn parameters_that_are_no_numbers_are_named() {
    let named = |error: &InitialStateError, value: &str| {
        assert_eq!(error.to_string(), format!("parameter `d` is {value}: parameters must be finite"));
    };
    for (d, value) in [(f64::NAN, "NaN"), (f64::INFINITY, "inf")] {
        let model = Oscillator { d, ..Oscillator::default() };
        let simulation = Simulation::new(&model).step(0.01).until(0.1).alpha(-0.1);
        let problem = simulation.problem().unwrap();
        match simulation.run() {
            Err(SimulationError::InitialState(error)) => named(&error, value),
            other => panic!("{other:?}"),
        }
        match problem.initial_derivatives(&model.parameters(), &[Oscillator::D]) {
            Err(SimulationError::InitialState(error)) => named(&error, value),
            other => panic!("{other:?}"),
        }
        for run in problem.run_each(&[model.parameters(), model.parameters(), model.parameters()]) {
            match run {
                Err(SimulationError::InitialState(error)) => named(&error, value),
                other => panic!("{other:?}"),
            }
        }
        match RungeKuttaModel::new(&problem, &model) {
            Err(FilterError::Model(failure)) => match of_simulation(failure) {
                SimulationError::InitialState(error) => named(&error, value),
                other => panic!("{other:?}"),
            },
            other => panic!("{:?}", other.err()),
        }
        let step = Step { time: 0.0, interval: 0.01, inputs_before: &[], inputs: &[] };
        let mut next = [0.0; 3];
        let advanced = ImplicitModel::new(&problem, &model).advance(&step, &[0.1, 0.0, 0.0], &mut next);
        match advanced.map_err(of_simulation) {
            Err(SimulationError::InitialState(error)) => named(&error, value),
            other => panic!("{other:?}"),
        }
        let record = Record::new(vec![0.0, 0.01]).unwrap();
        let record = record.with_channel("position", Some("m"), vec![0.1; 2]).unwrap();
        let identification = Identification::new(&Simulation::new(&model)).unknown([Oscillator::C]);
        match identification.measured(Oscillator::POSITION, &record).run() {
            Err(IdentificationError::Simulation(SimulationError::InitialState(error))) => named(&error, value),
            other => panic!("{other:?}"),
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
