//! Comparison of estimated errors of runs with runs with an eighth of the step.

use costate::simulate::{Accuracy, Remedy, Scheme, SimulationError};
use costate::{Model, Run, Simulation};
use costate_models::four_cylinder_engine::{self, Drive};
use costate_models::{EngineMount, FourCylinderEngine, engine_mount};
use costate_tests::published;

use crate::order::{Angles, Points};

const FINER: usize = 8;

/// Computes the largest differences of coordinates and of outputs to the run with finer steps.
fn errors<M: Model>(coarse: &Run<M>, fine: &Run<M>) -> [Vec<f64>; 2] {
    let (n, width) = (M::description().coordinates.len(), M::description().outputs.len());
    let (mut coordinates, mut outputs) = (vec![0f64; n], vec![0f64; width]);
    for i in 0..=coarse.trajectory().steps() {
        let [a, b] = [(coarse, i), (fine, FINER * i)].map(|(run, i)| run.trajectory().coordinates(i));
        coordinates.iter_mut().zip(a.iter().zip(b)).for_each(|(most, (a, b))| *most = most.max((a - b).abs()));
        let [a, b] = [(coarse, i), (fine, FINER * i)].map(|(run, i)| run.outputs().row(i));
        outputs.iter_mut().zip(a.iter().zip(b)).for_each(|(most, (a, b))| *most = most.max((a - b).abs()));
    }
    [coordinates, outputs]
}

/// Runs with both steps, and compares every error estimate.
fn check<M: Model>(simulation: impl Fn() -> Simulation<M>, step: f64, scheme: Scheme) -> Accuracy {
    let run = |step: f64| simulation().step(step).scheme(scheme).error_limit(None).run().unwrap();
    let (coarse, fine) = (run(step), run(step / FINER as f64));
    let accuracy = coarse.accuracy().unwrap();
    let [coordinates, outputs] = errors(&coarse, &fine);
    let estimates = accuracy.coordinates.iter().chain(&accuracy.outputs);
    for (estimate, error) in estimates.zip(coordinates.iter().chain(&outputs)) {
        // quantities that are much more accurate than others may be rounding here, or oscillate with the
        // frequency of the steps
        if *error > (0.02 * accuracy.relative()).max(1e-10) * estimate.scale {
            let ratio = estimate.error / error;
            assert!((0.5..2.0).contains(&ratio), "{scheme:?} {}: {error:e}\n{accuracy}", estimate.quantity.name);
        }
    }
    accuracy
}

const GENERALIZED: Scheme = Scheme::GeneralizedAlpha { rho_inf: 0.8 };

#[test]
fn masses_that_depend_on_positions() {
    let model = Angles::default();
    for scheme in [GENERALIZED, Scheme::GeneralizedAlpha { rho_inf: 0.3 }, Scheme::Undamped] {
        check(|| Simulation::new(&model).until(2.0), 2e-3, scheme);
    }
    // a result of first order
    let accuracy = check(|| Simulation::new(&model).until(2.0), 2e-4, Scheme::Hht { alpha: -0.1 });
    assert_eq!(accuracy.order, 1);
}

#[test]
fn constraints() {
    let model = Points::default();
    let simulation = || Simulation::new(&model).until(2.0);
    for scheme in [Scheme::Hht { alpha: -0.1 }, Scheme::Hht { alpha: -0.3 }] {
        check(simulation, 2e-3, scheme);
    }
    let accuracy = check(simulation, 2e-3, GENERALIZED);
    // the advised step has the wanted error
    let wanted = 0.1 * accuracy.relative();
    let finer = simulation().step(accuracy.step_for(wanted)).run().unwrap().accuracy().unwrap();
    assert!((0.4..1.05).contains(&(finer.relative() / wanted)), "{wanted:e}, {finer}");
}

#[test]
fn outputs_of_driven_machines() {
    let mount = EngineMount::default();
    let driven = || Simulation::new(&mount).input(EngineMount::DRIVE, engine_mount::sweep).until(0.5);
    check(driven, 4.0 * engine_mount::STEP, GENERALIZED);
    check(driven, 4.0 * engine_mount::STEP, Scheme::Hht { alpha: -0.1 });
    let drive = Drive::constant(3000.0);
    let engine = FourCylinderEngine { speed_0: drive.from, ..FourCylinderEngine::start() };
    check(|| published::engine(&engine, drive, 0).until(0.05), four_cylinder_engine::STEP, GENERALIZED);
}

costate::model! {
    #[interpreted]
    /// A pendulum of a point mass, whose total energy is constant, beside a mass that does not move.
    Rope {
        parameters {
            m: kg = 2,
            l: m = 1.5,
            g: m/s^2 = 9.81
        }
        coordinates { x: m, y: m, still: m }
        mass { x: m, y: m, still: m }
        forces { y: -m*g, still: -1000[N/m]*still }
        constraints { length: x^2 + y^2 - l^2 }
        initial { x = 1.2[m], y = -0.9[m], dot(x) = 0, dot(y) = 0, still = 0, dot(still) = 0 }
        outputs {
            energy: J = m*(dot(x)^2 + dot(y)^2)/2 + m*g*y,
            /// Rounding of nothing.
            nothing: N = 1000[N/m]*still,
            height: m = y
        }
    }
}

/// Checks that steps of 0.2 s are refused, since a period is 2.4 s, and that the named steps are accepted.
#[test]
fn steps_that_are_too_large_are_refused_and_others_are_named() {
    let model = Rope::default();
    let run = |step: f64| Simulation::new(&model).step(step).until(10.0).run();
    let error = run(0.2).unwrap_err();
    let text = error.to_string();
    let SimulationError::Inaccurate(inaccuracy) = error else { panic!("{text}") };
    let Remedy::Step { advised, .. } = inaccuracy.remedy else { panic!("{text}") };
    assert!(["x", "y", "energy", "height"].contains(&inaccuracy.quantity) && inaccuracy.relative > 0.05, "{text}");
    assert!(text.contains("take steps of") && text.contains("% of its range"), "{text}");
    let accuracy = run(advised).unwrap().accuracy().unwrap();
    assert!(accuracy.relative() > 0.005 && accuracy.relative() <= 0.06, "{accuracy}");
    assert!(Simulation::new(&model).step(0.2).until(10.0).error_limit(None).run().is_ok());
    let refused = Simulation::new(&model).step(0.01).until(10.0).error_limit(0.0).run().unwrap_err();
    assert!(refused.to_string().contains("error_limit"), "{refused}");
}

/// Checks that quantities at rest are compared with a suitable scale, and raise no alarm.
#[test]
fn what_stands_still_is_no_error() {
    let model = Rope::default();
    let accuracy = Simulation::new(&model).step(0.01).until(10.0).run().unwrap().accuracy().unwrap();
    let [energy, nothing, _] = accuracy.outputs[..] else { panic!() };
    // the energy changes by its error alone
    assert!(energy.range < 0.1 && energy.error > 0.3 * energy.range && energy.scale > 10.0, "{accuracy}");
    assert!(energy.relative() < 0.01, "{accuracy}");
    assert!(nothing.relative() < 1e-6, "{accuracy}");
    assert!(accuracy.coordinates[2].relative() < 1e-6, "{accuracy}");
}

#[test]
fn a_step_is_found_for_a_wanted_accuracy() {
    let model = Rope::default();
    let simulation = Simulation::new(&model).until(10.0);
    let fine = simulation.clone().step(2.5e-4).run().unwrap().output(Rope::HEIGHT);
    for start in [0.1, 1e-3] {
        let step = simulation.clone().step(start).step_for(1e-3).unwrap();
        let height = simulation.clone().step(step).run().unwrap().output(Rope::HEIGHT);
        let fraction = (fine.len() - 1) as f64 / (height.len() - 1) as f64;
        assert_eq!(fraction.fract(), 0.0, "{step}");
        let error = height.iter().zip(fine.iter().step_by(fraction as usize)).map(|(a, b)| (a - b).abs());
        let error = error.fold(0.0, f64::max) / 0.6;
        assert!((2e-4..1.1e-3).contains(&error), "{step}: {error:e}");
    }
    assert!(simulation.step(0.1).step_for(-1.0).unwrap_err().to_string().contains("error_limit"));
}

costate::model! {
    #[interpreted]
    /// A mass on a spring under a load, and a mass beside it that never moves.
    Loaded {
        parameters { m: kg = 1, c: N/m = 400, d: N*s/m = 4 }
        inputs { load: N }
        coordinates { x: m, still: m }
        mass { x: m, still: m }
        forces { x: load - c*x - d*dot(x), still: -c*still }
        outputs { position: m = x, speed: m/s = dot(x), force: N = ddot(x)*m, zero: m = still }
    }
}

type Load = fn(f64) -> f64;

/// Checks that the estimate contains the effects of loads between two steps and at their ends.
#[test]
fn loads_that_jump_and_have_kinks_are_seen() {
    let model = Loaded::default();
    let half_sine = |t: f64| {
        if (0.1..0.104).contains(&t) { 200.0 * (std::f64::consts::PI * (t - 0.1) / 4e-3).sin() } else { 0.0 }
    };
    let loads: [(&str, Load); 3] = [
        ("jump", |t| if t >= 0.1 { 10.0 } else { 0.0 }),
        ("kink", |t| 100.0 * (t - 0.1).max(0.0)),
        ("impulse", half_sine),
    ];
    for (name, load) in loads {
        for h in [1e-3, 5e-4, 2.5e-4, 1.25e-4] {
            let run = |h: f64| {
                let simulation = Simulation::new(&model).input(Loaded::LOAD, load).until(0.5);
                simulation.step(h).error_limit(None).run().unwrap()
            };
            let (coarse, fine) = (run(h), run(h / 16.0));
            let accuracy = coarse.accuracy().unwrap();
            for output in [Loaded::POSITION, Loaded::SPEED] {
                let pairs = coarse.output(output).into_iter().zip(fine.output(output).into_iter().step_by(16));
                let error = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                let ratio = accuracy.output(output).unwrap().error / error;
                assert!((1.0 / 3.0..3.0).contains(&ratio), "{name} {h}: {ratio}");
            }
        }
    }
}

#[test]
fn impulses_between_samples_are_reported() {
    let model = Loaded::default();
    let run = |from: f64, to: f64, limit: Option<f64>| {
        let hit = move |t: f64| if (from..to).contains(&t) { 200.0 } else { 0.0 };
        Simulation::new(&model).input(Loaded::LOAD, hit).until(1.0).step(5e-3).error_limit(limit).run()
    };
    // even half the step does not see the impulse
    let text = run(0.1005, 0.1015, Some(0.05)).unwrap_err().to_string();
    assert!(text.contains("the input `load` is 200 at 0.10") && text.contains("take steps"), "{text}");
    assert!(run(0.1005, 0.1015, None).unwrap().accuracy().unwrap().unseen.is_some());
    // half the step sees the impulse, and the run is refused as inaccurate
    let refused = run(0.101, 0.104, Some(0.05)).unwrap_err();
    assert!(matches!(refused, SimulationError::Inaccurate(_)), "{refused}");
}

#[test]
fn outputs_that_matter_are_named() {
    let model = Rope::default();
    let simulation = Simulation::new(&model).step(0.05).until(10.0).error_limit(1e-2);
    let refused = simulation.run().unwrap_err();
    assert!(matches!(refused, SimulationError::Inaccurate(_)), "{refused}");
    simulation.clone().judge([Rope::NOTHING]).run().unwrap();
    let step = simulation.judge([Rope::NOTHING]).step_for(1e-3).unwrap();
    assert!(step >= 0.05, "{step}");
}

costate::model! {
    #[interpreted]
    /// A wheel that turns for good, with its angle from -pi to pi.
    Wheel {
        parameters { j: kg*m^2 = 0.1, spin: rad/s = 30 }
        coordinates { turn: rad }
        mass { turn: j }
        forces { turn: 0.2[N*m]*sin(3[1/s]*t) }
        initial { turn = 0, dot(turn) = spin }
        outputs { angle: rad = atan2(sin(turn), cos(turn)), energy: J = j*dot(turn)^2/2 }
    }
}

#[test]
fn angles_come_back_without_an_error() {
    let wheel = Wheel::default();
    let accuracy = Simulation::new(&wheel).step(5e-3).until(10.0).run().unwrap().accuracy().unwrap();
    assert!(accuracy.outputs[0].error < 1e-3 && accuracy.outputs[0].scale > 6.2, "{accuracy}");
}

#[test]
fn a_step_is_looked_for_with_an_end() {
    let model = Loaded::default();
    let jump = |t: f64| if t >= 0.1003 { 10.0 } else { 0.0 };
    let simulation = Simulation::new(&model).input(Loaded::LOAD, jump).until(1.0);
    // the result is of first order, and would need more steps than are tried
    let refused = simulation.step_for(1e-9).unwrap_err();
    let SimulationError::Inaccurate(inaccuracy) = &refused else { panic!("{refused}") };
    let Remedy::Step { step, advised, .. } = inaccuracy.remedy else { panic!("{refused}") };
    assert!(advised < 0.9 * step, "{refused}");
    let step = simulation.step_for(1e-2).unwrap();
    assert!(simulation.step(step).error_limit(1e-2).run().is_ok());
}
