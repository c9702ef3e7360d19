//! The time loops allocate nothing: a run of twice as many steps makes as many allocations, but for those of the choice
//! of pivots, which is made once for a sweep, and for another matrix where the sweep begins with another state.

use costate::differentiate::{gradients, sensitivities};
use costate::experiment::{Information, Noise, Sensitivities};
use costate::simulate::{NewtonSettings, Problem, Scheme, Series};
use costate::{Model, Parameter, Simulation, Stepper, gradient};
use costate_models::four_cylinder_engine::Drive;
use costate_models::{CartPendulum, EngineMount, FourCylinderEngine, MappedEngine, cart_pendulum, engine_mount};
use costate_tests::published;

costate::model! {
    /// Rods that hang from one another: too many for factors that are written out.
    LongChain(rods: usize = 30) {
        parameters { m: kg = 0.5, l: m = 1, d: N*m*s = 0.02, g: m/s^2 = 9.81 }
        coordinates { for i in 1..=rods { x[i]: m, y[i]: m, phi[i]: rad } }
        mass { for i in 1..=rods { x[i]: m, y[i]: m, phi[i]: m*l^2/12 } }
        forces { for i in 1..=rods { y[i]: -m*g, phi[i]: -d*dot(phi[i]) } }
        constraints {
            pin_x[1]: x[1] - l/2*sin(phi[1]),
            pin_y[1]: y[1] + l/2*cos(phi[1]),
            for i in 2..=rods {
                pin_x[i]: x[i] - l/2*sin(phi[i]) - x[i - 1] - l/2*sin(phi[i - 1]),
                pin_y[i]: y[i] + l/2*cos(phi[i]) - y[i - 1] + l/2*cos(phi[i - 1]),
            },
        }
        initial { for i in 1..=rods { phi[i] = 0.4/rods*i } }
        outputs { angle: rad = phi[rods] }
    }

    /// Twice as many.
    LongerChain = LongChain(rods = 60);
}

costate::model! {
    #[interpreted]
    /// A slider on a rod of a crank that a spring holds, whose text is loaded: masses depend on positions.
    pub Slider {
        parameters { m: kg = 2, growth: kg/m = 0.5, j: kg*m^2 = 0.05, r: m = 0.1, l: m = 0.3, c: N/m = 500 }
        inputs { load: N }
        coordinates { phi: rad, x: m }
        kinetic { j/2*dot(phi)^2 + (m + growth*x)/2*dot(x)^2 }
        potential { c/2*(x - l)^2 }
        forces { x: load }
        constraints { rod: (x - r*cos(phi))^2 + (r*sin(phi))^2 - l^2 }
        initial { phi = 0.5[rad], x ~ r + l }
        outputs { force: N = multiplier(rod)*1[m], angle: rad = phi }
    }
}

costate::model! {
    #[interpreted]
    /// A slider on a rod of a crank that turns evenly.
    pub Turned {
        parameters { m: kg = 2, growth: kg/m = 0.5, r: m = 0.1, l: m = 0.3 }
        inputs { load: N }
        coordinates { phi: rad, x: m }
        kinetic { (m + growth*x)/2*dot(x)^2 }
        forces { x: load }
        constraints { rod: (x - r*cos(phi))^2 + (r*sin(phi))^2 - l^2, drive: phi - 9[rad/s]*t }
        initial { x ~ r + l, phi ~ 0 }
        outputs { torque: N*m = -multiplier(drive) }
    }
}

/// Allocations by which the choices of pivots for two matrices may differ.
const PIVOTS: u64 = 5;

/// Allocations of a forward run, a gradient, two gradients in one sweep, and of direct differentiation.
fn allocations<M: Model>(problem: &Problem, model: &M, unknown: &[Parameter<M>]) -> [u64; 4] {
    let parameters = model.parameters();
    let run = problem.forward(parameters.as_ref()).unwrap();
    let outputs = run.outputs();
    let mut derivative = Series::zeros(outputs.step(), outputs.width(), outputs.samples());
    (0..outputs.samples()).for_each(|i| derivative.row_mut(i)[0] = outputs.row(i)[0]);
    let count = |work: &dyn Fn()| {
        // functions of loaded models become machine code when they are called first
        work();
        allocation_counter::measure(work).count_total
    };
    [
        count(&|| drop(problem.forward(parameters.as_ref()).unwrap())),
        count(&|| drop(gradient(problem, &run, &derivative, unknown).unwrap())),
        count(&|| drop(gradients(problem, &run, &[&derivative, &derivative], unknown).unwrap())),
        count(&|| drop(sensitivities(problem, &run, unknown).unwrap())),
    ]
}

fn check<M: Model>(simulation: impl Fn(f64) -> Problem, model: &M, unknown: &[Parameter<M>], end: f64) {
    let [short, long] = [end, 2.0 * end].map(|end| allocations(&simulation(end), model, unknown));
    println!("{}: {short:?}", M::description().name);
    // one allocation in every ten of the further steps would be more
    let differences = short.iter().zip(&long).map(|(short, long)| short.abs_diff(*long));
    assert!(
        differences.max() < Some(PIVOTS),
        "{}: forward, gradient, two gradients, sensitivities: {short:?}, twice the steps {long:?}",
        M::description().name
    );
}

fn estimated() -> NewtonSettings {
    NewtonSettings::default().with_estimate(true)
}

#[test]
fn mount_and_pendulum() {
    let model = EngineMount::start();
    for newton in [NewtonSettings::default(), estimated()] {
        let simulation = |end| {
            let simulation = Simulation::new(&model).input(EngineMount::DRIVE, engine_mount::sweep);
            simulation.step(engine_mount::STEP).until(end).newton(newton.clone()).problem().unwrap()
        };
        check(simulation, &model, &[EngineMount::C_E1, EngineMount::D_H2], 0.1);
    }
    let model = cart_pendulum::FD.start();
    let simulation = |end| {
        let simulation = Simulation::new(&model).input(CartPendulum::DRIVE, |t: f64| cart_pendulum::FD.force(t));
        simulation.step(cart_pendulum::STEP).until(end).problem().unwrap()
    };
    check(simulation, &model, &[CartPendulum::C_F, CartPendulum::D_F], 1.0);
}

#[test]
fn steps_that_are_driven_from_outside() {
    let model = cart_pendulum::FD.start();
    let simulation = Simulation::new(&model).input(CartPendulum::DRIVE, 0.0).step(cart_pendulum::STEP);
    let mut stepper = costate::stepper::start(&simulation).unwrap();
    let mut go = |steps: usize| {
        for _ in 0..steps {
            stepper.set_input(CartPendulum::DRIVE, cart_pendulum::FD.force(stepper.time()));
            stepper.step().unwrap();
        }
    };
    go(100);
    let counted = allocation_counter::measure(|| go(1000)).count_total;
    assert!(counted < PIVOTS, "{counted}");
}

#[test]
fn models_that_are_loaded() {
    let load = |t: f64| 20.0 * (9.0 * t).sin();
    let free = Slider::default();
    for scheme in [Scheme::default(), Scheme::Hht { alpha: -0.1 }] {
        let simulation = || Simulation::new(&free).input(Slider::LOAD, load).step(1e-3).scheme(scheme);
        check(|end| simulation().until(end).problem().unwrap(), &free, &[Slider::M, Slider::R], 0.2);
        let mut stepper: Stepper<Slider> = costate::stepper::start(&simulation()).unwrap();
        let mut go = |steps: usize| {
            (0..steps).for_each(|_| {
                stepper.step().unwrap();
            })
        };
        go(100);
        let counted = allocation_counter::measure(|| go(1000)).count_total;
        assert!(counted < PIVOTS, "{scheme:?}: {counted}");
    }
    let driven = Turned::default();
    let simulation = || Simulation::new(&driven).input(Turned::LOAD, load).step(1e-3);
    check(|end| simulation().until(end).problem().unwrap(), &driven, &[Turned::M, Turned::R], 0.2);
}

#[test]
fn engines_with_formula_and_table() {
    let drive = Drive::constant(3000.0);
    let model = FourCylinderEngine { speed_0: drive.from, ..FourCylinderEngine::start() };
    let simulation = |end| published::engine(&model, drive, 0).until(end).problem().unwrap();
    check(simulation, &model, &[FourCylinderEngine::CS_1, FourCylinderEngine::R], 0.01);
    let model = MappedEngine { speed_0: drive.from, ..MappedEngine::start() };
    let simulation = |end| published::engine(&model, drive, 0).until(end).problem().unwrap();
    check(simulation, &model, &[MappedEngine::CS_1], 0.01);
}

/// Large models of like parts have factors in loops.
#[test]
fn factors_in_loops() {
    let model = LongChain::default();
    let simulation = |end| Simulation::new(&model).step(1e-3).until(end).problem().unwrap();
    assert!(LongChain::description().elimination.is_some());
    check(simulation, &model, &[LongChain::L], 0.05);
}

/// Bytes allocated by a run of one step and by the derivatives of its initial state.
fn of_start<M: Model>(model: &M) -> [u64; 2] {
    let problem = Simulation::new(model).step(1e-3).until(1e-3).problem().unwrap();
    let (parameters, all) = (model.parameters(), Parameter::<M>::all().collect::<Vec<_>>());
    let bytes = |work: &dyn Fn()| allocation_counter::measure(work).bytes_total;
    [
        bytes(&|| drop(problem.forward(parameters.as_ref()).unwrap())),
        bytes(&|| drop(problem.initial_derivatives(parameters.as_ref(), &all).unwrap())),
    ]
}

/// No dense matrix of all coordinates: that would be four times the memory.
#[test]
fn a_start_takes_memory_in_proportion_to_the_model() {
    let (long, longer) = (of_start(&LongChain::default()), of_start(&LongerChain::default()));
    for (long, longer) in long.iter().zip(longer) {
        let ratio = longer as f64 / *long as f64;
        assert!(ratio < 2.3, "{long} and {longer} bytes");
    }
}

/// The sensitivities of a step are forgotten after it: what is kept does not grow with the number of unknowns.
#[test]
fn information_keeps_no_sensitivities() {
    let model = EngineMount::start();
    let simulation = Simulation::new(&model).input(EngineMount::DRIVE, engine_mount::sweep);
    let problem = simulation.step(engine_mount::STEP).until(4.0).problem().unwrap();
    let noise = Noise::independent([(EngineMount::ACCELERATION, 0.1)]).unwrap();
    let unknown = [EngineMount::C_E1, EngineMount::D_H2, EngineMount::M_L, EngineMount::C_H, EngineMount::D_E];
    let most = |work: &dyn Fn()| allocation_counter::measure(work).bytes_max;
    let informed = |count: usize| {
        most(&|| drop(Information::simulate(&problem, &model, unknown[..count].iter().copied(), &noise).unwrap()))
    };
    let kept = |count: usize| {
        let unknown = unknown[..count].iter().copied();
        most(&|| drop(Sensitivities::simulate(&problem, &model, unknown.clone()).unwrap()))
    };
    let series = (problem.steps() + 1) as u64 * 8;
    assert!(kept(5) - kept(1) >= 4 * series);
    // work space of the unknowns: a block of rows that are reduced at once
    assert!(informed(5) - informed(1) < series, "{} and {} bytes", informed(1), informed(5));
}
