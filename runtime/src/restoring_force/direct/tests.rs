use nalgebra::DMatrix;

use super::*;
use crate::filter::{Sample, StateSpace, Step};
use crate::restoring_force::error::RestoringForceError;
use crate::restoring_force::model::RestoringForceModel;
use crate::restoring_force::surface::SurfaceSettings;
use crate::restoring_force::{Sensor, SeriesError};

const MASS: f64 = 4.0;
const INTERVAL: f64 = 2e-5;
const SAMPLES: usize = 25_000;

fn force(z: f64, v: f64) -> f64 {
    3e6 * z + 40.0 * (z / 5e-6).tanh() + 300.0 * v + 1e5 * v * v * v
}

/// A motion of two frequencies, the base acceleration that it needs, its force, and noise that changes from sample to sample.
fn motion() -> impl Iterator<Item = ([f64; 4], f64)> {
    let mut state = 1_u64;
    let mut noise = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    };
    (0..SAMPLES).map(move |i| {
        let (mut z, mut v, mut a) = (0.0, 0.0, 0.0);
        for (amplitude, omega) in [(2e-5, 1087.0), (6e-6, 2500.0)] {
            let (sin, cos) = (omega * i as f64 * INTERVAL).sin_cos();
            z += amplitude * sin;
            v += amplitude * omega * cos;
            a -= amplitude * omega * omega * sin;
        }
        ([z, v, -(a + force(z, v) / MASS), force(z, v)], noise() + noise() + noise())
    })
}

fn identification(sensor: Sensor) -> DirectIdentification {
    let model = RestoringForceModel::on_moving_base(MASS).unwrap().with_sensors(vec![sensor]).unwrap();
    let expected = vec![ExpectedForce { deformation: 2e-5, rate: 0.02, force: 80.0 }];
    DirectIdentification::new(DirectModel::new(model).unwrap(), INTERVAL, expected).unwrap()
}

#[test]
fn displacements_show_the_surface() {
    let base: Vec<f64> = motion().map(|(of, _)| of[2]).collect();
    let measured: Vec<f64> = motion().map(|(of, noise)| of[0] + 2e-9 * noise).collect();
    let found = identification(Sensor::displacement(0)).run(&base, &measured).unwrap();
    let surface = found.surface(0, &SurfaceSettings::default()).unwrap();
    let (mut forces, mut truth) = (Vec::new(), Vec::new());
    for (i, &z) in surface.deformations.iter().enumerate() {
        for (j, &v) in surface.rates.iter().enumerate() {
            if surface.force(i, j).is_finite() {
                forces.push(surface.force(i, j));
                truth.push(force(z, v));
            }
        }
    }
    let error = SeriesError::new(&forces, &truth).unwrap().percent();
    assert!(forces.len() > 200 && error < 10.0, "{error} % at {} nodes", forces.len());
}

#[test]
fn accelerations_show_the_force_but_not_where_it_acts() {
    let base: Vec<f64> = motion().map(|(of, _)| of[2]).collect();
    let truth: Vec<f64> = motion().map(|(of, _)| of[3]).collect();
    let measured: Vec<f64> = motion().map(|(of, noise)| -of[3] / MASS + noise).collect();
    let found = identification(Sensor::acceleration(0)).run(&base, &measured).unwrap();
    let forces: Vec<f64> = found.force(0).unwrap().iter().map(|(force, _)| *force).collect();
    let error = SeriesError::new(&forces, &truth).unwrap().percent();
    assert!(error < 5.0, "{error}");
    let refused = found.surface_samples(0).unwrap_err();
    assert!(refused.to_string().contains("displacement sensor at element 1"), "{refused}");
    assert!(matches!(found.force(1).unwrap_err(), RestoringForceError::OutOfRange(_)));
}

#[test]
fn steps_and_measurements_have_their_derivatives() {
    let inverse = DMatrix::from_row_slice(2, 2, &[0.5, -0.2, -0.2, 0.7]);
    let sensors = vec![Sensor::displacement(0), Sensor::acceleration(1), Sensor::velocity(1)];
    let model = RestoringForceModel::new(inverse, sensors)
        .unwrap()
        .with_base(DMatrix::from_element(2, 1, -1.0))
        .unwrap()
        .with_forces(DMatrix::from_column_slice(2, 1, &[1.0, 0.5]))
        .unwrap()
        .with_combinations(DMatrix::from_row_slice(3, 3, &[1.0, 0.5, 0.0, 0.0, 1.0, 0.0, 0.2, 0.0, 2.0]))
        .unwrap();
    let mut model = DirectModel::new(model).unwrap();
    let (before, after, x) = ([0.3, -0.4], [0.1, 0.7], [0.1, 0.2, -0.3, 0.4, 0.5, -0.6]);
    let step = Step { time: 0.0, interval: 0.1, inputs_before: &before, inputs: &after };
    let at = Sample { time: 0.1, inputs: &after };
    let advanced = |model: &mut DirectModel, x: &[f64]| {
        let (mut next, mut y) = ([0.0; 6], [0.0; 3]);
        model.advance(&step, x, &mut next).unwrap();
        model.measure(&at, x, &mut y);
        (next, y)
    };
    let (next, y) = advanced(&mut model, &x);
    let (mut transition, mut measurement) = (DMatrix::zeros(6, 6), DMatrix::zeros(3, 6));
    model.transition(&step, &x, &next, &mut transition).unwrap();
    model.measurement_matrix(&at, &x, &mut measurement);
    for column in 0..6 {
        // linear functions have the same differences everywhere
        let mut moved = x;
        moved[column] += 1.0;
        let (other, of_other) = advanced(&mut model, &moved);
        for row in 0..6 {
            assert!((other[row] - next[row] - transition[(row, column)]).abs() < 1e-12);
        }
        for row in 0..3 {
            assert!((of_other[row] - y[row] - measurement[(row, column)]).abs() < 1e-12);
        }
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let model = || RestoringForceModel::on_moving_base(MASS).unwrap();
    let unknown = model().with_unknown_inertia(&[(0, 0)]).unwrap();
    assert!(matches!(DirectModel::new(unknown), Err(RestoringForceError::Size { given: 1, .. })));
    let expected = ExpectedForce { deformation: 1e-5, rate: 0.01, force: 0.0 };
    let refused = DirectIdentification::new(DirectModel::new(model()).unwrap(), INTERVAL, vec![expected]);
    assert!(refused.unwrap_err().to_string().contains("expected force"));
    let expected = ExpectedForce { force: 1.0, ..expected };
    let direct = DirectIdentification::new(DirectModel::new(model()).unwrap(), INTERVAL, vec![expected]);
    let refused = direct.unwrap().exponent(f64::NAN).run(&[0.0; 9], &[0.0; 9]).unwrap_err();
    assert!(refused.to_string().contains("`exponent` is NaN"), "{refused}");
    let refused = DirectIdentification::new(DirectModel::new(model()).unwrap(), INTERVAL, Vec::new());
    assert!(matches!(refused, Err(RestoringForceError::Size { field: "expected", .. })));
}
