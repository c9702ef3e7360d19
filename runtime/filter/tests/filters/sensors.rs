//! Sensors that measure linear combinations of the elements' quantities (KE 2.33).

use costate_filter::restoring_force::{
    APriori, Exponents, RestoringForceError, RestoringForceIdentification, RestoringForceModel, Sensor,
};
use costate_filter::{KalmanMethod, Sample, SigmaPoints, StateSpace, Step};
use nalgebra::{DMatrix, DVector};

/// A plate on two springs, with accelerometers on them and on the base's side.
fn plate() -> RestoringForceModel {
    let inverse = dmatrix![0.4, 0.05; 0.05, 0.5];
    RestoringForceModel::new(inverse, vec![Sensor::acceleration(0), Sensor::relative_acceleration(1)])
        .unwrap()
        .with_base(dmatrix![-1.0; -1.0])
        .unwrap()
        .with_scale(1e6)
        .unwrap()
}

/// Two accelerometers that are not above the springs, and a third one.
fn places() -> DMatrix<f64> {
    dmatrix![0.7, 0.4; -0.3, 1.2; 0.5, 0.5]
}

#[test]
fn combined_signals_are_combinations() {
    let (mut plain, mut combined) = (plate(), plate().with_combinations(places()).unwrap());
    assert_eq!((plain.measurements(), combined.measurements()), (2, 3));
    let x = [1e-6, -2e-6, 3e-3, 4e-3, 1.1, 0.9, 2e-4, 3e-4];
    let at = Sample { time: 0.0, inputs: &[2.5] };
    let (mut w, mut y) = ([0.0; 2], [0.0; 3]);
    plain.measure(&at, &x, &mut w);
    combined.measure(&at, &x, &mut y);
    let expected = places() * DVector::from_column_slice(&w);
    assert!((DVector::from_column_slice(&y) - expected).amax() < 1e-15);
    let (mut of_plain, mut of_combined) = (DMatrix::zeros(2, 8), DMatrix::zeros(3, 8));
    plain.measurement_matrix(&at, &x, &mut of_plain);
    combined.measurement_matrix(&at, &x, &mut of_combined);
    let expected = places() * &of_plain;
    assert!((&of_combined - &expected).amax() < 1e-15 * expected.amax());
}

#[test]
fn estimates_do_not_depend_on_where_the_sensors_are() {
    // As many signals as quantities, with the noise that belongs to them: the same information.
    let square = places().rows(0, 2).into_owned();
    let noise = dmatrix![0.04, 0.01; 0.01, 0.09];
    let u: Vec<f64> = (0..2000).map(|i| 3.0 * (0.12 * f64::from(i)).sin()).collect();
    let (mut model, mut x, mut w) = (plate(), vec![0.0, 0.0, 0.0, 0.0, 1.3, 0.8, 1e-4, 2e-4], vec![0.0; 2]);
    let random = |i: usize, j: usize| 0.3 * ((i * i * 7919 + 131 * j) as f64).sin();
    for i in 1..u.len() {
        let (inputs_before, inputs, mut next) = (&u[i - 1..i], &u[i..=i], x.clone());
        let step = Step { time: 0.0, interval: 1e-4, inputs_before, inputs };
        model.advance(&step, &x, &mut next).unwrap();
        x = next;
        let mut row = [0.0; 2];
        model.measure(&Sample { time: 0.0, inputs }, &x, &mut row);
        w.extend([row[0] + random(i, 0), row[1] + random(i, 1)]);
    }
    let combine = |w: &[f64]| (&square * DVector::from_column_slice(w)).as_slice().to_vec();
    let y: Vec<f64> = w.chunks(2).flat_map(combine).collect();
    let unscented = KalmanMethod::SquareRootUnscented(SigmaPoints::default());
    for (method, exponents) in
        [(KalmanMethod::Extended, Exponents::new(2.0, 1.0)), (unscented, Exponents::new(1.0, 0.0))]
    {
        let identify = |model, noise: DMatrix<f64>, signals: &[f64]| {
            RestoringForceIdentification::new(model, 1e-4, vec![APriori { stiffness: 1.0, damping: 2e-4 }; 2])
                .unwrap()
                .motion(&[(1e-12, 1e-5); 2])
                .unwrap()
                .method(method)
                .exponents(exponents)
                .measurement_noise(noise)
                .run(&u, signals)
                .unwrap()
        };
        let plain = identify(plate(), noise.clone(), &w);
        let of_combined = &square * &noise * square.transpose();
        let of_combined = (&of_combined + of_combined.transpose()) * 0.5;
        let combined = identify(plate().with_combinations(square.clone()).unwrap(), of_combined, &y);
        for i in (0..2000).step_by(100) {
            let covariance = plain.run().covariance(i).unwrap();
            for (k, (a, b)) in plain.run().mean(i).iter().zip(combined.run().mean(i)).enumerate() {
                let deviation = covariance[(k, k)].sqrt();
                assert!((a - b).abs() < 1e-8 * deviation, "{method:?} sample {i} state {k}: {a} {b}");
            }
        }
    }
}

#[test]
fn signals_that_leave_a_combination_open_are_refused() {
    let refused = plate().with_combinations(dmatrix![1.0, -1.0; -2.0, 2.0; 0.5, -0.5]).unwrap_err();
    let RestoringForceError::Unobservable { states, elements } = &refused else { panic!("{refused}") };
    assert_eq!((states.len(), elements.len()), (8, 2));
    let refused = plate().with_combinations(dmatrix![0.0, 1.0; 0.0, 2.0]).unwrap_err();
    let RestoringForceError::Unobservable { elements, .. } = &refused else { panic!("{refused}") };
    assert_eq!(elements, &["element 1"]);
    // One signal for two quantities.
    assert!(matches!(plate().with_combinations(dmatrix![1.0, 2.0]), Err(RestoringForceError::Unobservable { .. })));
    for (matrix, what) in [(dmatrix![1.0; 2.0], "columns"), (dmatrix![1.0, f64::NAN; 0.0, 1.0], "NaN")] {
        let message = plate().with_combinations(matrix).unwrap_err().to_string();
        assert!(message.contains("matrix H") && message.contains(what), "{message}");
    }
}
