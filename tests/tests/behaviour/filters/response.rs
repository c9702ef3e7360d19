//! Responses of adapted models, beside those of compiled ones with the same curves.

use costate::filter::FilterError;
use costate::restoring_force::{
    AdaptedModel, Response, RestoringForceError, RestoringForceModel, Sensor, SeriesError, Warning,
};
use costate::simulate::{Sampled, Scheme};
use costate::table::{Curve, Extension};
use costate::{Model, Output, Simulation};
use costate_models::restoring_force::{IdentifiedOscillator, IdentifiedPlate, MASS, inverse_inertia};
use nalgebra::{DMatrix, DVector};

const H: f64 = 1e-4;
const SAMPLES: usize = 301;

fn base() -> Vec<f64> {
    let at = |t: f64| 6.0 * (1100.0 * t).sin() + 4.0 * (2500.0 * t).cos();
    (0..SAMPLES).map(|i| at(i as f64 * H)).collect()
}

fn sampled(values: &[f64]) -> Sampled {
    Sampled::new((0..SAMPLES).map(|i| i as f64 * H).collect(), values.to_vec()).unwrap()
}

/// A table of a function from `-end` to `end`.
fn curve(end: f64, force: impl Fn(f64) -> f64) -> Curve {
    let x: Vec<f64> = (-40..=40).map(|k| end * f64::from(k) / 40.0).collect();
    let forces = x.iter().map(|x| force(*x)).collect();
    Curve::new(x, forces, Extension::Linear).unwrap()
}

/// A spring that is softer the farther it goes, and a damper that is harder the faster it goes.
fn curves(stiffness: f64) -> [Curve; 2] {
    let elastic = move |z: f64| 0.5 * stiffness * (z + 3e-6 * (z / 3e-6).tanh());
    [curve(4e-5, elastic), curve(0.1, |v| 200.0 * v + 2e4 * v.powi(3))]
}

/// Outputs of a simulation at the samples: its error falls with the square of the step, so that two of them are
/// extrapolated.
fn simulated<M: Model>(simulation: &Simulation<M>, outputs: &[Output<M>]) -> Vec<Vec<f64>> {
    let in_steps = |finer: usize| -> Vec<Vec<f64>> {
        let simulation = simulation.clone().step(H / finer as f64).until(H * (SAMPLES - 1) as f64);
        let run = simulation.scheme(Scheme::Undamped).run().unwrap();
        outputs.iter().map(|output| run.output(*output).into_iter().step_by(finer).collect()).collect()
    };
    let extrapolated = |(coarse, fine): (Vec<f64>, Vec<f64>)| {
        coarse.into_iter().zip(fine).map(|(coarse, fine)| (4.0 * fine - coarse) / 3.0).collect()
    };
    in_steps(20).into_iter().zip(in_steps(40)).map(extrapolated).collect()
}

fn oscillator(sensors: Vec<Sensor>) -> RestoringForceModel {
    RestoringForceModel::on_moving_base(MASS).unwrap().with_sensors(sensors).unwrap()
}

fn adapted(model: &RestoringForceModel, [elastic, dissipative]: [Curve; 2]) -> AdaptedModel {
    model.adapted(&[elastic], &[dissipative]).unwrap()
}

/// With so many steps at the end.
fn in_steps(adapted: &AdaptedModel, steps: usize) -> Response {
    let adapted = adapted.clone().tolerance(f64::MIN_POSITIVE).unwrap().most_steps(steps).unwrap();
    let response = adapted.respond(&base(), SAMPLES, H).unwrap();
    assert_eq!(response.steps, steps);
    response
}

fn percent(found: &[f64], expected: &[f64]) -> f64 {
    SeriesError::new(found, expected).unwrap().percent()
}

#[test]
fn the_plate_responds_as_its_compiled_model() {
    let plate =
        IdentifiedPlate { z_0_1: 2e-6, v_0_2: 3e-3, ..IdentifiedPlate::with_inverse_inertia(&inverse_inertia()) };
    let springs = [5e6, 6e6, 8e6].map(curves);
    let [first, second, third] = springs.clone();
    let simulation = Simulation::new(&plate)
        .table(IdentifiedPlate::ELASTIC_1, first[0].clone())
        .table(IdentifiedPlate::ELASTIC_2, second[0].clone())
        .table(IdentifiedPlate::ELASTIC_3, third[0].clone())
        .table(IdentifiedPlate::DISSIPATIVE_1, first[1].clone())
        .table(IdentifiedPlate::DISSIPATIVE_2, second[1].clone())
        .table(IdentifiedPlate::DISSIPATIVE_3, third[1].clone())
        .input(IdentifiedPlate::BASE, sampled(&base()));
    let accelerations =
        [IdentifiedPlate::ACCELERATION_1, IdentifiedPlate::ACCELERATION_2, IdentifiedPlate::ACCELERATION_3];
    let expected = simulated(&simulation, &accelerations);

    let model = RestoringForceModel::new(inverse_inertia(), (0..3).map(Sensor::acceleration).collect())
        .and_then(|model| model.with_base(DMatrix::from_element(3, 1, -1.0)))
        .unwrap();
    let [elastic, dissipative] = [0, 1].map(|k| springs.iter().map(|curves| curves[k].clone()).collect());
    let (elastic, dissipative): (Vec<Curve>, Vec<Curve>) = (elastic, dissipative);
    let adapted = model
        .adapted(&elastic, &dissipative)
        .and_then(|adapted| adapted.start(&[(2e-6, 0.0), (0.0, 3e-3), (0.0, 0.0)]))
        .unwrap();
    let response = adapted.clone().tolerance(1e-6).unwrap().respond(&base(), SAMPLES, H).unwrap();
    assert!(response.is_accurate() && response.warnings().is_empty(), "{:?}", response.moved);
    for (j, expected) in expected.iter().enumerate() {
        let error = percent(&response.signal(j), expected);
        assert!(error < 1e-4, "{j}: {error} %");
    }
    // What the default promises holds: a seventh of how far it moves, at most.
    let usual = adapted.respond(&base(), SAMPLES, H).unwrap();
    assert!(usual.is_accurate() && usual.steps < response.steps);
    for (j, expected) in expected.iter().enumerate() {
        assert!(percent(&usual.signal(j), expected) < 0.01, "{j}");
    }
    // The scale of s and d does not matter to the curves.
    let scaled = model.with_scale(1e7).and_then(|model| model.adapted(&elastic, &dissipative)).unwrap();
    let scaled = scaled.start(&[(2e-6, 0.0), (0.0, 3e-3), (0.0, 0.0)]).unwrap();
    assert_eq!(scaled.respond(&base(), SAMPLES, H).unwrap(), usual);
    assert!(response.signal(3).is_empty());
}

#[test]
fn sensors_show_what_outputs_show() {
    let model = IdentifiedOscillator { z_0: -3e-6, ..Default::default() };
    let [elastic, dissipative] = curves(5e6);
    let simulation = Simulation::new(&model)
        .table(IdentifiedOscillator::ELASTIC, elastic)
        .table(IdentifiedOscillator::DISSIPATIVE, dissipative)
        .input(IdentifiedOscillator::BASE, sampled(&base()));
    let outputs = [IdentifiedOscillator::POSITION, IdentifiedOscillator::SPEED, IdentifiedOscillator::ACCELERATION];
    let mut expected = simulated(&simulation, &outputs);
    let relative = expected[2].iter().zip(base()).map(|(a, u)| a - u).collect();
    expected.push(relative);
    let sensors =
        vec![Sensor::displacement(0), Sensor::velocity(0), Sensor::acceleration(0), Sensor::relative_acceleration(0)];
    let model = oscillator(sensors);
    let respond = |model: &RestoringForceModel| {
        let adapted = adapted(model, curves(5e6)).start(&[(-3e-6, 0.0)]).unwrap();
        adapted.tolerance(1e-6).unwrap().respond(&base(), SAMPLES, H).unwrap()
    };
    let response = respond(&model);
    for (j, expected) in expected.iter().enumerate() {
        let error = percent(&response.signal(j), expected);
        assert!(error < 1e-4, "{j}: {error} %");
    }
    for (row, motion) in response.signals.chunks(4).zip(response.motion.chunks(2)) {
        assert_eq!(row[..2], motion[..]);
    }
    // Where it has been, at the samples and between them.
    let highest = expected[0].iter().fold(0.0_f64, |most, z| most.max(*z));
    assert!((response.elastic[0].range[1] / highest - 1.0).abs() < 0.01, "{:?}", response.elastic);
    assert_eq!((response.elastic[0].beyond, response.elastic[0].farthest), (0.0, 0.0));
    // Signals that are combinations of these.
    let places = dmatrix![1e6, 0.0, 0.5, 0.0; 0.0, 100.0, 0.0, 0.1; 0.0, 0.0, 1.0, -1.0; 0.0, 0.0, 1.0, 1.0; 1e5, 10.0,
    0.0, 1.0];
    let combined = respond(&model.with_combinations(places.clone()).unwrap());
    assert_eq!(combined.moved.len(), 5);
    for (row, of) in combined.signals.chunks(5).zip(response.signals.chunks(4)).skip(1).step_by(13) {
        let (row, expected) = (DVector::from_column_slice(row), &places * DVector::from_column_slice(of));
        assert!((&row - &expected).amax() < 1e-4 * expected.amax(), "{row} {expected}");
    }
    // A force -m u moves the mass as the base does.
    let shaken = RestoringForceModel::new(dmatrix![1.0 / MASS], vec![Sensor::displacement(0)])
        .and_then(|model| model.with_forces(dmatrix![-MASS]))
        .unwrap();
    for (z, row) in respond(&shaken).signals.iter().zip(response.signals.chunks(4)) {
        assert!((z - row[0]).abs() < 1e-11, "{z} {}", row[0]);
    }
}

#[test]
fn errors_fall_with_the_cube_of_the_step() {
    // cubic curves are their splines, as far as they go
    let cubes = [curve(4e-5, |z| 4e6 * z + 4e15 * z.powi(3)), curve(0.1, |v| 200.0 * v)];
    let adapted = adapted(&oscillator(vec![Sensor::acceleration(0)]), cubes);
    let exact = in_steps(&adapted, 128).signals;
    let errors = [2, 4, 8].map(|steps| percent(&in_steps(&adapted, steps).signals, &exact));
    for pair in errors.windows(2) {
        assert!((7.0..9.0).contains(&(pair[0] / pair[1])), "{errors:?}");
    }
    let moved = 100.0 * in_steps(&adapted, 8).moved[0];
    assert!((6.0..8.0).contains(&(moved / errors[2])), "{moved} {errors:?}");
}

#[test]
fn what_is_beyond_the_curves_is_told() {
    let sensors = || vec![Sensor::displacement(0)];
    let wide = [curve(1e-4, |z| 4e6 * z), curve(1.0, |v| 300.0 * v)];
    let expected = adapted(&oscillator(sensors()), wide).respond(&base(), SAMPLES, H).unwrap();
    let range = expected.elastic[0].range;
    assert!(expected.warnings().is_empty() && expected.elastic[0].beyond == 0.0);
    // Straight lines go on as they were: the same motion, of which half of the deformations are not covered.
    let half = 0.5 * range[1];
    let narrow = [curve(half, |z| 4e6 * z), curve(1.0, |v| 300.0 * v)];
    let found = adapted(&oscillator(sensors()), narrow).respond(&base(), SAMPLES, H).unwrap();
    assert!(percent(&found.signals, &expected.signals) < 0.01);
    let visited = found.elastic[0];
    assert!((visited.range[1] / range[1] - 1.0).abs() < 1e-3 && visited.beyond > 0.2, "{visited:?}");
    let farthest = (range[1] - half).max(-range[0] - half) / (2.0 * half);
    assert!((visited.farthest / farthest - 1.0).abs() < 1e-3, "{visited:?}");
    let outside = expected.motion.chunks(2).filter(|row| row[0].abs() > half).count();
    assert!((visited.beyond - outside as f64 / SAMPLES as f64).abs() < 0.02, "{visited:?} {outside}");
    let [Warning::BeyondCurve { element: 0, curve: "elastic", part, .. }] = found.warnings()[..] else {
        panic!("{:?}", found.warnings())
    };
    assert_eq!(part, visited.beyond);
    // A curve that repeats itself has no ends.
    let x: Vec<f64> = (0..=20).map(|k| 1e-7 * f64::from(k)).collect();
    let waves = x.iter().map(|x| (std::f64::consts::PI * 1e6 * x).sin()).collect::<Vec<_>>();
    let waves = Curve::new(x, [&waves[..20], &[waves[0]]].concat(), Extension::Periodic).unwrap();
    let found = adapted(&oscillator(sensors()), [waves, curve(1.0, |v| 300.0 * v)]);
    let visited = found.respond(&base(), SAMPLES, H).unwrap().elastic[0];
    assert_eq!((visited.beyond, visited.farthest), (0.0, 0.0));
}

#[test]
fn steps_that_do_not_suffice_are_told() {
    let adapted = adapted(&oscillator(vec![Sensor::acceleration(0)]), curves(5e6));
    let response = in_steps(&adapted, 4);
    assert!(!response.is_accurate());
    let [warning @ Warning::InaccurateResponse { signal: 0, steps: 4, .. }] = &response.warnings()[..] else {
        panic!("{:?}", response.warnings())
    };
    assert!(warning.to_string().contains("halving the step changes signal 1"), "{warning}");
    // With a sampling interval that a single step cannot bear, there are more of them.
    let slow: Vec<f64> = base().into_iter().step_by(20).collect();
    let response = adapted.respond(&slow, slow.len(), 20.0 * H).unwrap();
    assert!(response.is_accurate() && response.steps > 8, "{} {:?}", response.steps, response.moved);
    // At rest nothing moves, with any steps.
    let still = adapted.respond(&[0.0; 50], 50, H).unwrap();
    assert_eq!((still.steps, still.moved), (2, vec![0.0]));
}

#[test]
fn responses_that_make_no_sense_are_refused() {
    let model = oscillator(vec![Sensor::acceleration(0)]);
    let [elastic, dissipative] = curves(5e6);
    let size = |result: Result<AdaptedModel, RestoringForceError>, name: &str| {
        matches!(result,
    Err(RestoringForceError::Size { field, .. }) if field == name)
    };
    assert!(size(model.adapted(&[], std::slice::from_ref(&dissipative)), "elastic"));
    assert!(size(model.adapted(std::slice::from_ref(&elastic), &[]), "dissipative"));
    let adapted = adapted(&model, [elastic, dissipative.clone()]);
    assert!(size(adapted.clone().start(&[]), "start"));
    for refused in [
        adapted.clone().start(&[(0.0, f64::NAN)]),
        adapted.clone().start(&[(f64::INFINITY, 0.0)]),
        adapted.clone().tolerance(0.0),
        adapted.clone().tolerance(f64::NAN),
        adapted.clone().most_steps(1),
    ] {
        assert!(matches!(refused, Err(RestoringForceError::OutOfRange(_))), "{refused:?}");
    }
    let respond = |inputs: &[f64], samples, interval| adapted.respond(inputs, samples, interval).unwrap_err();
    for interval in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(respond(&base(), SAMPLES, interval), RestoringForceError::OutOfRange(_)));
    }
    for samples in [0, SAMPLES - 1, usize::MAX] {
        assert!(matches!(respond(&base(), samples, H), RestoringForceError::Size { .. }), "{samples}");
    }
    let mut gap = base();
    gap[7] = f64::NAN;
    assert!(matches!(respond(&gap, SAMPLES, H), RestoringForceError::Signal { sample: 7, .. }));
    // Without inputs nothing else says how long it is.
    let free = RestoringForceModel::new(dmatrix![1.0 / MASS], vec![Sensor::velocity(0)]).unwrap();
    let free = free.adapted(&[curves(5e6)[0].clone()], std::slice::from_ref(&dissipative)).unwrap();
    assert_eq!(free.respond(&[], 5, H).unwrap().signals, [0.0; 5]);
    let error = free.respond(&[], usize::MAX, H).unwrap_err();
    assert!(matches!(error, RestoringForceError::Filter(FilterError::OutOfMemory(_))), "{error}");
    // A spring that pushes away where it should pull back.
    let repelling = curve(1e-5, |z| -5e9 * z);
    let away = model.adapted(&[repelling], &[dissipative]).unwrap();
    let error = away.respond(&base().repeat(8), 8 * SAMPLES, H).unwrap_err();
    let RestoringForceError::RunsAway { time, steps: 64 } = error else { panic!("{error}") };
    assert!(time > 0.0 && time < 0.24, "{time}");
    assert!(error.to_string().contains("is not finite at 0."), "{error}");
    // Excitation as large as numbers go.
    let error = respond(&[f64::MAX, -f64::MAX, f64::MAX], 3, H);
    assert!(matches!(error, RestoringForceError::RunsAway { .. }), "{error}");
}
