//! Runs by the HHT method: formulas of Newmark, derivatives, memory, errors.

use costate::model::Dual;
use costate::simulate::{InterruptedWork, Problem, Scheme, Settings, SimulationError, StepError, Unknown};
use costate::{Model, Simulation};
use costate_models::Oscillator;
use costate_tests::duals::seeded;

costate::model! {
    #[interpreted]
    /// A point mass on a massless rod, in redundant coordinates.
    pub Pendulum {
        parameters { m: kg = 0.7, l: m = 0.9, g: m/s^2 = 9.81, d: N*s/m = 0.1 }
        inputs { drive: N }
        coordinates { x: m, y: m }
        mass { x: m, y: m }
        forces { x: drive - d*dot(x), y: -m*g - d*dot(y) }
        constraints { rod: x^2 + y^2 - l^2 }
        initial { x = 0.6*l, y = -0.8*l }
        outputs { height: m = y, tension: N/m = multiplier(rod) }
    }
}

fn pendulum(step: f64) -> costate::Run<Pendulum> {
    let model = Pendulum::default();
    Simulation::new(&model)
        .input(Pendulum::DRIVE, |t: f64| 2.0 * (3.0 * t).sin())
        .step(step)
        .until(2.0)
        .alpha(-0.1)
        .run()
        .unwrap()
}

/// The largest deviation of derivatives from central differences of fourth order, relative to the derivatives.
fn deviation<M: Model>(problem: &Problem, parameters: &M::Values, seed: usize) -> f64 {
    let run = costate::simulate::forward_in::<M, Dual>(problem, &seeded(parameters.as_ref(), seed)).unwrap();
    let width = 1e-3 * parameters.as_ref()[seed];
    let shifted = |factor: f64| {
        let mut shifted = parameters.clone();
        shifted.as_mut()[seed] += factor * width;
        problem.forward(shifted.as_ref()).unwrap()
    };
    let runs = [shifted(-2.0), shifted(-1.0), shifted(1.0), shifted(2.0)];
    let (mut worst, mut scale) = (0f64, 0f64);
    for i in 0..=run.steps() {
        for (j, dual) in run.coordinates(i).iter().enumerate() {
            let at = |k: usize| runs[k].coordinates(i)[j];
            let difference = (at(0) - 8.0 * at(1) + 8.0 * at(2) - at(3)) / (12.0 * width);
            worst = worst.max((difference - dual.derivative).abs());
            scale = scale.max(dual.derivative.abs());
        }
    }
    worst / scale
}

#[test]
fn newmark_formulas_hold_to_rounding() {
    let run = pendulum(1e-3);
    let (scheme, t) = (Scheme::Hht { alpha: -0.1 }, run.trajectory());
    let (h, beta, gamma) = (1e-3, scheme.beta(), scheme.gamma());
    for i in 1..=t.steps() {
        for j in 0..2 {
            let (a, b) = (t.accelerations(i - 1)[j], t.accelerations(i)[j]);
            let (q, v) = (t.coordinates(i - 1)[j], t.velocities(i - 1)[j]);
            let next = q + h * v + h * h * ((0.5 - beta) * a + beta * b);
            assert!((t.coordinates(i)[j] - next).abs() < 1e-15);
            assert!((t.velocities(i)[j] - v - h * ((1.0 - gamma) * a + gamma * b)).abs() < 1e-14);
        }
    }
}

#[test]
fn a_linear_model_needs_one_factorisation_and_two_iterations() {
    let model = Oscillator::default();
    let run = Simulation::new(&model).step(0.01).until(10.0).run().unwrap();
    let statistics = run.statistics();
    assert!(statistics.factorizations <= 3, "{statistics:?}");
    assert!(statistics.iterations <= 2 * statistics.steps, "{statistics:?}");
}

#[test]
fn duals_carry_the_plain_run_and_its_derivative() {
    let model = Pendulum::default();
    let simulation = Simulation::new(&model).input(Pendulum::DRIVE, |t: f64| 2.0 * (3.0 * t).sin());
    let problem = simulation.step(2e-3).until(1.0).problem().unwrap();
    let parameters = model.parameters();
    let plain = problem.forward(&parameters).unwrap();
    let dual = costate::simulate::forward_in::<Pendulum, Dual>(&problem, &seeded(&parameters, 1)).unwrap();
    for i in 0..=plain.steps() {
        for (plain, dual) in plain.coordinates(i).iter().zip(dual.coordinates(i)) {
            assert!((plain - dual.value).abs() < 1e-13);
        }
    }
    for seed in 0..4 {
        let deviation = deviation::<Pendulum>(&problem, &parameters, seed);
        assert!(deviation < 1e-8, "parameter {seed}: {deviation:e}");
    }
}

#[test]
fn a_system_at_rest_stays_at_rest() {
    let model = Pendulum { l: 0.9, ..Pendulum::default() };
    let hanging = Simulation::new(&model).input(Pendulum::DRIVE, 0.0).step(1e-3).until(1.0);
    assert!(hanging.run().is_ok());
    let quiet = Simulation::new(&Rest::default()).step(1e-3).until(1.0).run().unwrap();
    assert!(quiet.acceleration(Rest::Y).iter().all(|a| a.abs() < 1e-8));
    assert!(quiet.coordinate(Rest::Y).iter().all(|y| (y + 0.9).abs() < 1e-15));
}

costate::model! {
    #[interpreted]
    /// A pendulum that hangs still.
    pub Rest {
        parameters { m: kg = 0.7, l: m = 0.9, g: m/s^2 = 9.81 }
        coordinates { x: m, y: m }
        mass { x: m, y: m }
        forces { y: -m*g }
        constraints { rod: x^2 + y^2 - l^2 }
        initial { x = 0.0[m], y = -l }
    }
}

costate::model! {
    #[interpreted]
    /// A force that ceases to exist when x exceeds 1.
    pub Broken {
        parameters { a: N = 1.0 }
        coordinates { x: m, y: m }
        mass { x: 1.0[kg], y: 1.0[kg] }
        forces { x: a, y: a*sqrt(1 - x/1.0[m]) }
    }
}

#[test]
fn errors_name_what_fails() {
    let broken = Broken::default();
    let error = Simulation::new(&broken).step(0.01).until(2.0).run().unwrap_err();
    match error {
        SimulationError::Step(StepError::NotFinite { time, equation, .. }) => {
            assert_eq!(equation, Unknown::Coordinate("y"));
            assert!((1.39..1.45).contains(&time), "{time}");
        }
        other => panic!("{other:?}"),
    }
    let model = Pendulum::default();
    let missing = Simulation::new(&model).step(0.01).until(1.0).run().unwrap_err();
    assert!(missing.to_string().contains("`drive`"), "{missing}");
    let endless = Simulation::new(&model).input(Pendulum::DRIVE, 0.0).step(0.01).run().unwrap_err();
    assert!(endless.to_string().contains("`end`"), "{endless}");
    let nan = Simulation::new(&model).input(Pendulum::DRIVE, |t: f64| (0.5 - t).sqrt()).step(0.1).until(1.0).run();
    assert!(nan.unwrap_err().to_string().contains("NaN at 0.6"));
}

#[test]
fn memory_is_known_and_limited() {
    let model = Pendulum::default();
    let simulation = Simulation::new(&model).input(Pendulum::DRIVE, 0.0).step(1e-3).until(1.0);
    let memory = simulation.problem().unwrap().memory();
    assert_eq!(memory.trajectory_bytes, 1001 * 7 * 8);
    assert_eq!(memory.total(), 1001 * 8 * (7 + 1 + 2));
    let limited = simulation.clone().memory_limit(memory.total() - 1).run().unwrap_err();
    assert_eq!(limited, SimulationError::Memory { steps: 1000, needed: memory.total(), limit: memory.total() - 1 });
    let dual = simulation.memory_limit(memory.total()).problem().unwrap();
    assert!(dual.forward(&model.parameters()).is_ok());
    assert!(matches!(
        costate::simulate::forward_in::<Pendulum, Dual>(&dual, &seeded(&model.parameters(), 0)),
        Err(SimulationError::Memory { .. })
    ));
}

#[test]
fn a_run_can_be_interrupted() {
    let (model, interrupt) = (Oscillator::default(), costate::simulate::Interrupt::new());
    let problem = Simulation::new(&model).step(1e-3).until(10.0).interrupt(interrupt.clone()).problem().unwrap();
    let handle = interrupt.clone();
    let problem = problem.with_progress(move |done| {
        if done > 0.25 {
            handle.trigger();
        }
    });
    let error = problem.forward(&model.parameters()).unwrap_err();
    match error {
        SimulationError::Interrupted(stopped) => {
            assert_eq!(stopped.work, InterruptedWork::Run { time: 3.0 });
            assert_eq!(stopped.to_string(), "the run was interrupted at 3 s; nothing of it is kept");
        }
        other => panic!("{other:?}"),
    }
    interrupt.reset();
}

costate::model! {
    #[interpreted]
    /// A rod that shrinks to nothing at t = 1 s.
    pub Shrinking {
        parameters { m: kg = 1.0, l: m = 1.0, g: m/s^2 = 9.81 }
        coordinates { x: m, y: m }
        mass { x: m, y: m }
        forces { y: -m*g }
        constraints { rod: x^2 + y^2 - l^2*(1 - t/1.0[s]) }
        initial { x = 0.8*l, y = -0.6*l }
    }
}

#[test]
fn a_model_without_solution_ends_in_an_error() {
    let model = Shrinking::default();
    match Simulation::new(&model).step(1e-3).until(2.0).run().unwrap_err() {
        SimulationError::Step(StepError::Newton { time, iterations, update, allowed, .. }) => {
            assert!((0.9..=1.01).contains(&time), "{time}");
            assert!(iterations > 2 && update > allowed);
        }
        SimulationError::Step(StepError::NotFinite { time, .. })
        | SimulationError::Step(StepError::Singular { time, .. }) => {
            assert!((0.9..=1.01).contains(&time), "{time}");
        }
        other => panic!("{other:?}"),
    }
}

costate::model! {
    #[interpreted]
    /// A ball on a stiff floor: the force has a kink, the stiffness jumps by a factor of a million.
    pub Bouncing {
        parameters { m: kg = 1.0, g: m/s^2 = 9.81, k: N/m = 1e6 }
        coordinates { y: m }
        mass { y: m }
        forces { y: -m*g + if y < 0.0[m] { -k*y } else { 0.0[N] } }
        initial { y = 0.5[m] }
    }
}

#[test]
fn kinks_of_a_force_leave_no_error_behind() {
    let model = Bouncing::default();
    const ALPHA: f64 = -0.1;
    let run = Simulation::new(&model).step(1e-4).until(3.0).alpha(ALPHA).run().unwrap();
    let t = run.trajectory();
    let (k, m, g) = (model.k, model.m, model.g);
    let force = |i: usize| {
        let y = t.coordinates(i)[0];
        -m * g + if y < 0.0 { -k * y } else { 0.0 }
    };
    let weights = Settings { scheme: Scheme::Hht { alpha: ALPHA }, ..Settings::new(1e-4, 3.0) }.weights();
    let (weight, old) = (weights.accelerations, weights.previous);
    let largest = run.acceleration(Bouncing::Y).iter().fold(0.0, |most: f64, a| most.max(a.abs()));
    assert!(largest > 1e3, "it bounces");
    for i in 1..=t.steps() {
        let residual = weight * m * t.accelerations(i)[0] - force(i) + old * force(i - 1);
        assert!(residual.abs() < 1e-8, "step {i}: {residual:e}");
    }
}
