//! Noise from next to nothing to half of the signal, the choice of exponents, gaps, and what a run costs.

use std::time::{Duration, Instant};

use costate::filter::{KalmanMethod, Sample, SigmaPoints, StateSpace, Step};
use costate::restoring_force::{
    CurveSettings, Exponents, RestoringForceModel, SurfaceSettings, TuningPlane, TuningSearch,
};
use costate_models::restoring_force::{INTERVAL, MASS, cases};

use crate::measure::{curve_error, noisy, record};
use crate::oscillators::identification;

#[test]
fn no_noise_makes_a_filter_fail() {
    let case = &cases::ADDITIVE;
    let motion = (case.simulate)(case.sweep).unwrap();
    let unscented = KalmanMethod::SquareRootUnscented(SigmaPoints::default());
    for (method, exponents) in
        [(KalmanMethod::Extended, Exponents::new(3.0, 1.0)), (unscented, Exponents::new(2.0, 1.0))]
    {
        for noise in [1e-5, 1e-4, 1e-3, 1e-2, 0.2, 0.5] {
            let y = noisy(&motion.accelerations, 1, noise, 1);
            let found = identification(case).method(method).exponents(exponents).run(&motion.base, &y).unwrap();
            assert_eq!(found.run().stopped(), None, "{method:?} {noise}");
            for i in (0..found.run().samples()).step_by(37) {
                let p = found.run().covariance(i).unwrap();
                assert_eq!(p, p.transpose());
                // Definite in units of the standard deviations.
                let scale = p.diagonal().map(|variance| 1.0 / variance.sqrt());
                let correlation = nalgebra::DMatrix::from_fn(4, 4, |i, j| p[(i, j)] * scale[i] * scale[j]);
                assert!(correlation.cholesky().is_some(), "{method:?} {noise} sample {i}: {p}");
            }
            if (1e-3..0.3).contains(&noise) {
                let curve = found.elastic_curve(0, &CurveSettings::default()).unwrap();
                let error = curve_error(&curve, |z| case.elastic(z), &motion.deformations);
                println!("{method:?} noise {noise}: c_E {error:.2}");
                assert!(error < 20.0, "{method:?} {noise}: {error}");
            }
        }
    }
}

#[test]
fn exponents_are_chosen_by_the_convergence_plot() {
    let case = &cases::ADDITIVE;
    let motion = (case.simulate)(case.sweep).unwrap();
    let y = record(&motion, 1);
    let (found, trials) = TuningSearch::default().run(&identification(case), &motion.base, &y).unwrap();
    println!("{:?} of {trials:#?}", found.exponents());
    let exponents = found.exponents();
    assert!((2.5..=4.5).contains(&exponents.stiffness), "{exponents:?}");
    let curve = found.elastic_curve(0, &CurveSettings::default()).unwrap();
    let error = curve_error(&curve, |z| case.elastic(z), &motion.deformations);
    assert!(error < 6.0, "{error}");
}

#[test]
fn exponents_are_chosen_in_a_plane() {
    let case = &cases::ADDITIVE;
    let motion = (case.simulate)(case.sweep).unwrap();
    let y = record(&motion, 1);
    let plane = TuningPlane { stiffness: vec![1.0, 3.0, 7.0], damping: vec![0.0, 1.0], ..TuningPlane::default() };
    let (found, trials) = plane.run(&identification(case), &motion.base, &y).unwrap();
    println!("{:?} of {trials:#?}", found.exponents());
    assert_eq!(trials.len(), 6);
    let chosen = trials.iter().find(|trial| trial.exponents == found.exponents()).unwrap();
    let most = trials.iter().fold(0.0_f64, |most, trial| most.max(trial.good_part));
    assert!(chosen.good_part >= 0.9 * most && found.run().stopped().is_none());
    for other in &trials {
        let higher =
            other.exponents.stiffness + other.exponents.damping > chosen.exponents.stiffness + chosen.exponents.damping;
        assert!(!higher || other.good_part < 0.9 * most, "{other:?}");
    }
}

#[test]
fn gaps_in_the_record_are_bridged() {
    let case = &cases::ADDITIVE;
    let motion = (case.simulate)(case.sweep).unwrap();
    let mut y = record(&motion, 1);
    y.iter_mut().enumerate().filter(|(i, _)| i % 17 == 5 || i % 1000 < 4).for_each(|(_, y)| *y = f64::NAN);
    let found = identification(case).exponents(Exponents::new(3.0, 1.0)).run(&motion.base, &y).unwrap();
    let curve = found.elastic_curve(0, &CurveSettings::default()).unwrap();
    let error = curve_error(&curve, |z| case.elastic(z), &motion.deformations);
    assert!(error < 5.0, "{error}");
}

/// Time that the processor has spent on this thread, which other programs do not lengthen; the time of day where the
/// system does not tell.
fn now(start: Instant) -> Duration {
    let spent = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = spent.and_then(|text| text.split_whitespace().next()?.parse().ok());
    nanoseconds.map_or_else(|| start.elapsed(), Duration::from_nanos)
}

/// The shortest of several runs, each of them `times` in a row.
fn time<T>(times: u32, mut work: impl FnMut() -> T) -> Duration {
    let start = Instant::now();
    let one = |_| {
        let before = now(start);
        for _ in 0..times {
            std::hint::black_box(work());
        }
        (now(start) - before) / times
    };
    (0..5).map(one).min().unwrap_or_default()
}

#[test]
fn a_run_takes_few_simulations() {
    let case = &cases::ADDITIVE;
    let motion = (case.simulate)(case.sweep).unwrap();
    let y = record(&motion, 1);
    let mut model = RestoringForceModel::on_moving_base(MASS).unwrap().with_scale(cases::SCALE).unwrap();
    let u = &motion.base;
    let simulation = time(20, || {
        let (mut x, mut next) = ([0.0, 0.0, case.a_priori.0, case.a_priori.1], [0.0; 4]);
        let (mut states, mut outputs) = (Vec::with_capacity(4 * u.len()), Vec::with_capacity(u.len()));
        let mut measured = [0.0];
        for i in 1..u.len() {
            let (inputs_before, inputs) = (&u[i - 1..i], &u[i..=i]);
            let time = (i - 1) as f64 * INTERVAL;
            model.advance(&Step { time, interval: INTERVAL, inputs_before, inputs }, &x, &mut next).unwrap();
            std::mem::swap(&mut x, &mut next);
            model.measure(&Sample { time: time + INTERVAL, inputs }, &x, &mut measured);
            states.extend_from_slice(&x);
            outputs.extend_from_slice(&measured);
        }
        (states, outputs)
    });
    let extended = identification(case).exponents(Exponents::new(3.0, 1.0));
    let unscented = identification(case)
        .method(KalmanMethod::SquareRootUnscented(SigmaPoints::default()))
        .exponents(Exponents::new(2.0, 1.0));
    let found = extended.run(u, &y).unwrap();
    let times = [
        time(2, || extended.run(u, &y).unwrap()),
        time(1, || unscented.run(u, &y).unwrap()),
        time(5, || found.elastic_curve(0, &CurveSettings::default()).unwrap()),
        time(5, || found.surface(0, &SurfaceSettings::default()).unwrap()),
    ];
    let ratio = |time: Duration| time.as_secs_f64() / simulation.as_secs_f64();
    println!("simulation {simulation:?}, filters and fits {times:?}");
    println!("extended {:.1}, unscented {:.1} simulations", ratio(times[0]), ratio(times[1]));
    assert!(ratio(times[0]) <= 25.0 && ratio(times[1]) <= 60.0, "{times:?} of {simulation:?}");
    let limit = Duration::from_millis(50);
    assert!(times[2] < limit && times[3] < limit, "{times:?}");
}
