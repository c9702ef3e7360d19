//! The HHT method: order, constraints, derivatives, errors.

use costate::model::{Dual, Scalar, Vector};
use costate::simulate::{InterruptedWork, Problem, Scheme, Settings, SimulationError, StepError, Unknown};
use costate::{Model, Simulation};

costate::model! {
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

costate::model! {
    /// x'' = -c x - 2 d x' + sin t.
    pub Oscillator {
        parameters { c: 1/s^2 = 1.0, d: 1/s = 0.5 }
        coordinates { x: m }
        mass { x: 1 }
        forces { x: -c*x - 2*d*dot(x) + 1[m/s^2]*sin(1[rad/s]*t) }
    }
}

costate::model! {
    /// A double pendulum in angles: the mass matrix depends on them.
    pub DoublePendulum {
        parameters { m: kg = 1.0, l: m = 0.5, g: m/s^2 = 9.81 }
        coordinates { phi: rad, psi: rad }
        let delta = phi - psi;
        mass { phi: 2*m*l^2, psi: m*l^2, (phi, psi): m*l^2*cos(delta) }
        forces {
            phi: -m*l^2*dot(psi)^2*sin(delta) - 2*m*g*l*sin(phi),
            psi: m*l^2*dot(phi)^2*sin(delta) - m*g*l*sin(psi),
        }
        initial { phi = 1.0, psi = -0.5 }
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

/// Parameters with the derivative 1 at index `seed`.
fn seeded<M: Model>(parameters: &M::Parameters<f64>, seed: usize) -> M::Parameters<Dual> {
    let mut dual = M::Parameters::<Dual>::zeros(M::DESCRIPTION.parameters.len());
    for (index, (dual, value)) in dual.as_mut().iter_mut().zip(parameters.as_ref()).enumerate() {
        *dual = if index == seed { Dual::variable(*value) } else { Dual::constant(*value) };
    }
    dual
}

/// The largest deviation of derivatives from central differences of fourth order, relative to the derivatives.
fn deviation<M: Model>(problem: &Problem, parameters: &M::Parameters<f64>, seed: usize) -> f64 {
    let run = costate::simulate::forward_in::<M, Dual>(problem, &seeded::<M>(parameters, seed)).unwrap();
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
fn second_order_and_constraints_at_rounding() {
    let height = |step| *pendulum(step).coordinate(Pendulum::Y).last().unwrap();
    let (coarse, middle, fine) = (height(4e-3), height(2e-3), height(1e-3));
    let order = ((coarse - middle) / (middle - fine)).abs().log2();
    assert!((1.8..2.2).contains(&order), "order {order}");
    let run = pendulum(1e-3);
    let l = Pendulum::default().l;
    for (x, y) in run.coordinate(Pendulum::X).iter().zip(run.coordinate(Pendulum::Y)) {
        assert!((x * x + y * y - l * l).abs() < 4e-15, "constraint {:e}", x * x + y * y - l * l);
    }
    let iterations = run.statistics().iterations as f64 / run.statistics().steps as f64;
    assert!(iterations < 2.6, "{iterations} iterations per step");
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
fn oscillator_against_the_exact_solution() {
    // with c = 1, d = 1/2: x = e^(-t/2) (cos w t + sin(w t)/(2 w)) - cos t, w = sqrt(3)/2
    let model = Oscillator::default();
    let exact = |t: f64| {
        let w = 0.75f64.sqrt();
        (-0.5 * t).exp() * ((w * t).cos() + (w * t).sin() / (2.0 * w)) - t.cos()
    };
    let error = |step: f64| {
        let run = Simulation::new(&model).step(step).until(10.0).scheme(Scheme::Undamped).run().unwrap();
        let x = run.coordinate(Oscillator::X);
        run.times().iter().zip(x).map(|(t, x)| (x - exact(*t)).abs()).fold(0.0, f64::max)
    };
    let (coarse, fine) = (error(0.02), error(0.01));
    assert!(fine < 2e-5 && (coarse / fine - 4.0).abs() < 0.05, "errors {coarse:e}, {fine:e}");
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
    let dual = costate::simulate::forward_in::<Pendulum, Dual>(&problem, &seeded::<Pendulum>(&parameters, 1)).unwrap();
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
fn a_mass_matrix_that_depends_on_the_motion() {
    let model = DoublePendulum::default();
    let energy = |t: &costate::simulate::Trajectory, i: usize| {
        let (q, v, p) = (t.coordinates(i), t.velocities(i), t.parameters());
        let (m, l, g) = (p[0], p[1], p[2]);
        m * l * l * (v[0] * v[0] + 0.5 * v[1] * v[1] + v[0] * v[1] * (q[0] - q[1]).cos())
            - m * g * l * (2.0 * q[0].cos() + q[1].cos())
    };
    let drift = |step| {
        let run = Simulation::new(&model).step(step).until(1.0).scheme(Scheme::Undamped).run().unwrap();
        (energy(run.trajectory(), run.trajectory().steps()) - energy(run.trajectory(), 0)).abs()
    };
    let (coarse, fine) = (drift(2e-3), drift(1e-3));
    assert!(fine < 1e-3 && (3.0..5.0).contains(&(coarse / fine)), "drift {coarse:e}, {fine:e}");
    let problem = Simulation::new(&model).step(2e-3).until(0.5).problem().unwrap();
    for seed in 0..3 {
        let parameters = model.parameters();
        let width = deviation_or_zero(&problem, &parameters, seed);
        assert!(width < 1e-8, "parameter {seed}: {width:e}");
    }
}

/// The mass of the double pendulum cancels: its derivatives are rounding.
fn deviation_or_zero(problem: &Problem, parameters: &[f64; 3], seed: usize) -> f64 {
    let run =
        costate::simulate::forward_in::<DoublePendulum, Dual>(problem, &seeded::<DoublePendulum>(parameters, seed))
            .unwrap();
    let largest = (0..=run.steps())
        .flat_map(|i| run.coordinates(i).iter().map(|q| q.derivative.abs()).collect::<Vec<_>>())
        .fold(0.0, f64::max);
    if seed == 0 { largest } else { deviation::<DoublePendulum>(problem, parameters, seed) }
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
        costate::simulate::forward_in::<Pendulum, Dual>(&dual, &seeded::<Pendulum>(&model.parameters(), 0)),
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
    let weights = Settings::new(1e-4, 3.0).with_alpha(ALPHA).weights();
    let (weight, old) = (weights.accelerations, weights.previous);
    let largest = run.acceleration(Bouncing::Y).iter().fold(0.0, |most: f64, a| most.max(a.abs()));
    assert!(largest > 1e3, "it bounces");
    for i in 1..=t.steps() {
        let residual = weight * m * t.accelerations(i)[0] - force(i) + old * force(i - 1);
        assert!(residual.abs() < 1e-8, "step {i}: {residual:e}");
    }
}
