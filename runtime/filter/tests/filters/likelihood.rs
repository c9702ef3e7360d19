//! The likelihood of innovations against that of all measurements by their dense covariance.

use std::f64::consts::TAU;

use costate_filter::{
    Gaussian, KalmanFilter, KalmanMethod, LinearSystem, LinearizedProcess, SigmaPoints, deviance, innovations,
};
use costate_system::state_space::ModelFailure;
use nalgebra::{DMatrix, DVector};

pub const SAMPLES: usize = 25;

pub struct Case {
    pub transition: DMatrix<f64>,
    pub measurement: DMatrix<f64>,
    pub start: Gaussian,
    pub process: DMatrix<f64>,
    pub errors: DMatrix<f64>,
    pub measured: Vec<f64>,
}

/// Three states and two signals, some samples of which are missing.
pub fn case() -> Case {
    let mut measured: Vec<f64> = (0..2 * SAMPLES).map(|i| (1.7 * i as f64).sin() + 0.3 * (i % 7) as f64).collect();
    for missing in [0, 6, 7, 20, 31] {
        measured[missing] = f64::NAN;
    }
    Case {
        transition: dmatrix!(0.9, 0.2, 0.0; -0.3, 0.8, 0.1; 0.1, 0.0, 0.95),
        measurement: dmatrix!(1.0, 0.0, 0.5; 0.0, 2.0, -1.0),
        start: Gaussian::new(dvector!(0.5, -0.2, 0.1), dmatrix!(0.5, 0.1, 0.0; 0.1, 0.4, 0.0; 0.0, 0.0, 0.2)).unwrap(),
        process: dmatrix!(0.02, 0.01, 0.0; 0.01, 0.05, 0.0; 0.0, 0.0, 0.01),
        errors: dmatrix!(0.1, 0.0; 0.0, 0.2),
        measured,
    }
}

/// -2 log L by the covariance of all measurements: y is linear in the start, the noise of every step and the errors.
fn dense(case: &Case) -> f64 {
    let powers: Vec<DMatrix<f64>> =
        std::iter::successors(Some(DMatrix::identity(3, 3)), |power| Some(&case.transition * power))
            .take(SAMPLES)
            .collect();
    let covariance_of = |i: usize, j: usize| {
        let (i, j, turned) = if i <= j { (i, j, false) } else { (j, i, true) };
        let own = (1..=i).fold(&powers[i] * &case.start.covariance * powers[i].transpose(), |sum, k| {
            sum + &powers[i - k] * &case.process * powers[i - k].transpose()
        });
        let joint = own * powers[j - i].transpose();
        if turned { joint.transpose() } else { joint }
    };
    let places: Vec<usize> = (0..2 * SAMPLES).filter(|&place| !case.measured[place].is_nan()).collect();
    let h = |place: usize| case.measurement.row(place % 2);
    let covariance = DMatrix::from_fn(places.len(), places.len(), |a, b| {
        let (one, other) = (places[a], places[b]);
        let of_state = (h(one) * covariance_of(one / 2, other / 2) * h(other).transpose())[(0, 0)];
        of_state + if one / 2 == other / 2 { case.errors[(one % 2, other % 2)] } else { 0.0 }
    });
    let deviation = places.iter().map(|&p| case.measured[p] - (h(p) * &powers[p / 2] * &case.start.mean)[(0, 0)]);
    let deviation = DVector::from_iterator(places.len(), deviation);
    let factor = covariance.cholesky().unwrap();
    let determinant: f64 = factor.l().diagonal().iter().map(|entry| 2.0 * entry.ln()).sum();
    deviation.dot(&factor.solve(&deviation)) + determinant + places.len() as f64 * TAU.ln()
}

#[test]
fn the_likelihood_of_every_filter_is_that_of_the_dense_covariance() {
    let case = case();
    let exact = dense(&case);
    let points = SigmaPoints::default();
    for method in [KalmanMethod::Extended, KalmanMethod::SquareRootUnscented(points), KalmanMethod::Unscented(points)] {
        let system = LinearSystem::new(case.transition.clone(), case.measurement.clone()).unwrap();
        let mut filter = KalmanFilter::new(system, method, 0.1, &case.start, &case.process, &case.errors).unwrap();
        let found = innovations(&mut filter, &[], &case.measured).unwrap();
        // sigma points that are close to each other cancel digits
        let limit = if method == KalmanMethod::Extended { 1e-12 } else { 1e-9 };
        assert!((found.deviance() / exact - 1.0).abs() < limit, "{method:?}: {} and {exact}", found.deviance());
        assert!(found.innovation(0)[0].is_nan() && found.innovation(3).iter().all(|e| e.is_nan()));
        let (e, s) = (found.innovation(5), found.covariance(5));
        let e = DVector::from_column_slice(e);
        assert!((e.dot(&s.cholesky().unwrap().solve(&e)) - found.squares()[5]).abs() < 1e-9);
    }
}

/// A process in plain numbers with the matrices of the system.
struct Plain<'a>(&'a Case);

impl LinearizedProcess<f64> for Plain<'_> {
    fn states(&self) -> usize {
        3
    }

    fn measurements(&self) -> usize {
        2
    }

    fn time(&self, sample: usize) -> f64 {
        0.1 * sample as f64
    }

    fn start(&mut self, mean: &mut [f64], covariance: &mut [f64]) -> Result<(), ModelFailure> {
        mean.copy_from_slice(self.0.start.mean.as_slice());
        covariance.copy_from_slice(self.0.start.covariance.as_slice());
        Ok(())
    }

    fn predict(
        &mut self,
        _: usize,
        mean: &mut [f64],
        transition: &mut [f64],
        [before, after]: [&mut [f64]; 2],
    ) -> Result<(), ModelFailure> {
        let next = &self.0.transition * DVector::from_column_slice(mean);
        mean.copy_from_slice(next.as_slice());
        transition.copy_from_slice(self.0.transition.transpose().as_slice());
        before.fill(0.0);
        after.copy_from_slice(self.0.process.as_slice());
        Ok(())
    }

    fn measure(
        &mut self,
        _: usize,
        mean: &[f64],
        measured: &mut [f64],
        matrix: &mut [f64],
        variances: &mut [f64],
    ) -> Result<(), ModelFailure> {
        let predicted = &self.0.measurement * DVector::from_column_slice(mean);
        measured.copy_from_slice(predicted.as_slice());
        matrix.copy_from_slice(self.0.measurement.transpose().as_slice());
        variances.copy_from_slice(self.0.errors.diagonal().as_slice());
        Ok(())
    }
}

#[test]
fn the_recursion_in_covariances_is_exact_for_a_linear_system() {
    let case = case();
    let found = deviance(&mut Plain(&case), &case.measured).unwrap();
    assert!((found.deviance / dense(&case) - 1.0).abs() < 1e-12);
}
