//! The order of runs of high order, by a run with much shorter steps.

use costate::simulate::{Scheme, SettingsError, SimulationError};
use costate::{Model, Simulation};
use costate_tests::{Gyroscope, ParametersEverywhere, SwingingRod, Top};

costate::model! {
    #[interpreted]
    /// A driven oscillator with a cubic spring.
    pub Cubic {
        parameters { m: kg = 1, d: N*s/m = 1, c: N/m = 40, k: N/m^3 = 500 }
        inputs { drive: N }
        coordinates { x: m }
        mass { x: m }
        forces { x: drive - d*dot(x) - c*x - k*x^3 }
        initial { x = 0.1[m] }
        outputs { position: m = x }
    }
}

const END: f64 = 1.0;

/// Returns the largest errors of q, v, a and lambda at every `every`-th sample from `from` on, relative to their
/// largest values.
fn errors<M: Model>(run: &Simulation<M>, fine: &Simulation<M>, model: &M, (from, every): (f64, usize)) -> [f64; 4] {
    let forward =
        |simulation: &Simulation<M>| simulation.problem().unwrap().forward(model.parameters().as_ref()).unwrap();
    let (run, fine) = (forward(run), forward(fine));
    let ratio = (fine.samples() - 1) / (run.samples() - 1);
    let mut found = [(0.0f64, 0.0f64); 4];
    for k in (0..run.samples()).step_by(every) {
        let (own, other) = (run.step_of_sample(k), fine.step_of_sample(k * ratio));
        if run.time(own) < from {
            continue;
        }
        let parts = [
            (run.coordinates(own), fine.coordinates(other)),
            (run.velocities(own), fine.velocities(other)),
            (run.accelerations(own), fine.accelerations(other)),
            (run.multipliers(own), fine.multipliers(other)),
        ];
        for ((error, size), (own, other)) in found.iter_mut().zip(parts) {
            for (own, other) in own.iter().zip(other) {
                (*error, *size) = (error.max((own - other).abs()), size.max(other.abs()));
            }
        }
    }
    found.map(|(error, size)| if size > 0.0 { error / size } else { 0.0 })
}

/// Returns the powers with which the errors fall where this number of steps is doubled.
fn orders<M: Model>(simulation: &Simulation<M>, model: &M, order: u32, (steps, from): (usize, f64)) -> [f64; 4] {
    let with = |order: u32, steps: usize| simulation.clone().order(order).step(END / steps as f64).until(END);
    let fine = with(order.max(4), 16 * steps);
    let [coarse, halved] = [1, 2].map(|more| errors(&with(order, more * steps), &fine, model, (from, more)));
    [0, 1, 2, 3].map(|k| (coarse[k] / halved[k]).log2())
}

#[test]
fn errors_fall_with_the_order() {
    let scheme = Scheme::GeneralizedAlpha { rho_inf: 0.5 };
    for order in [3, 4] {
        let expected = f64::from(order) - 0.35;
        let model = Gyroscope::default();
        let found = orders(&Simulation::new(&model).scheme(scheme), &model, order, (25, 0.0));
        assert!(found[..3].iter().all(|found| *found > expected), "{found:?}");
        let model = SwingingRod::default();
        let found = orders(&Simulation::new(&model).scheme(scheme), &model, order, (50, 0.1));
        assert!(found[..2].iter().all(|found| *found > expected), "{found:?}");
        assert!(found[2..].iter().all(|found| *found > 2.65), "{found:?}");
        // with coordinates without mass
        let model = ParametersEverywhere::default();
        let found = orders(&Simulation::new(&model).scheme(scheme), &model, order, (50, 0.1));
        assert!(found[..2].iter().all(|found| *found > expected), "{found:?}");
    }
    let model = Top::default();
    let found = orders(&Simulation::new(&model), &model, 4, (200, 0.1));
    assert!(found[..2].iter().all(|found| *found > 3.65), "{found:?}");
}

#[test]
fn an_undamped_run_of_order_four_takes_two_runs() {
    let model = Gyroscope::default();
    let simulation = Simulation::new(&model).scheme(Scheme::Undamped);
    let found = orders(&simulation, &model, 4, (25, 0.0));
    assert!(found[..3].iter().all(|found| (found - 4.0).abs() < 0.2), "{found:?}");
    let problem = simulation.order(4).step(0.02).until(END).problem().unwrap();
    assert_eq!((problem.steps(), problem.samples()), (100, 51));
}

#[test]
fn inputs_may_jump_at_samples() {
    let model = Cubic::default();
    let jump = |t: f64| {
        if t < 0.4 {
            10.0
        } else if t > 0.4 {
            -5.0
        } else {
            2.5
        }
    };
    for scheme in [Scheme::default(), Scheme::GeneralizedAlpha { rho_inf: 0.5 }, Scheme::Undamped] {
        let found = orders(&Simulation::new(&model).input(Cubic::DRIVE, jump).scheme(scheme), &model, 4, (50, 0.6));
        assert!(found[..3].iter().all(|found| *found > 3.8), "{scheme:?}: {found:?}");
    }
}

#[test]
fn settings_without_combination_are_refused() {
    let model = Gyroscope::default();
    let refused = |simulation: Simulation<Gyroscope>| match simulation.step(0.01).until(END).problem() {
        Err(SimulationError::Settings(error)) => error,
        other => panic!("{other:?}"),
    };
    let simulation = Simulation::new(&model);
    for order in [0, 1, 7] {
        let error = refused(simulation.clone().order(order));
        assert!(matches!(error, SettingsError::OutOfRange(_)), "{error}");
    }
    for simulation in [simulation.clone().adaptive(1e-6), simulation.clone().alpha(-0.1)] {
        let error = refused(simulation.order(4));
        assert!(matches!(error, SettingsError::OrderNeeds { order: 4, .. }), "{error}");
    }
}
