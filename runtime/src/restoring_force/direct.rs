//! The direct model of restoring forces (KE 2.3): the forces themselves are states, which the filter follows as if they were constant. It
//! shows the forces over time with any sensors, and, with displacement sensors, samples of their surfaces (KE 2.4).

use nalgebra::{DMatrix, DVector};

use super::error::RestoringForceError;
use super::model::RestoringForceModel;
use super::moving_average::{central_moving_average, estimate_noise};
use super::samples::SurfaceSample;
use super::sensor::SensorKind;
use super::surface::{RestoringForceSurface, SurfaceSettings, fit_surface};
use crate::filter::{FilterRun, Gaussian, KalmanFilter, KalmanMethod, Keep, Sample, StateSpace, Step, run};
use crate::out_of_range::OutOfRange;
use crate::problem::SimulationError;

/// Deformations z, their rates v, and restoring forces f of N elements:
///
/// ```text
/// z' = v,   v' = M^-1 (G w - f) + B u,   f' = 0
/// ```
///
/// with base accelerations u and forces w, which are linear between samples. The states are z (N), v (N) and f (N), in m, m/s and N; the
/// inputs are first u, then w. All is linear, so that the extended filter is a linear one.
#[derive(Debug, Clone)]
pub struct DirectModel {
    model: RestoringForceModel,
    /// v' before and at the end of a step, and what the sensors stand for: the work space.
    accelerations: [Vec<f64>; 2],
    sensed: Vec<f64>,
}

impl DirectModel {
    /// With inertia, directions of excitation and sensors of `model`.
    ///
    /// # Errors
    /// [`RestoringForceError::Size`] if entries of M^-1 are unknown: beside an unknown force they cannot be found.
    pub fn new(model: RestoringForceModel) -> Result<Self, RestoringForceError> {
        let (field, given) = ("unknown entries of the inverse inertia", model.unknown_inertia().len());
        if given > 0 {
            return Err(RestoringForceError::Size { field, given, expected: 0 });
        }
        let n = model.elements();
        let sensed = vec![0.0; model.sensors().len()];
        Ok(Self { model, accelerations: [vec![0.0; n], vec![0.0; n]], sensed })
    }

    /// Number N of elements.
    pub fn elements(&self) -> usize {
        self.model.elements()
    }

    /// v' with the forces of a state and these inputs, in the first or second place of the work space.
    fn accelerate(&mut self, place: usize, x: &[f64], inputs: &[f64]) {
        let n = self.elements();
        let (base, given) = inputs.split_at(self.model.base().ncols());
        for i in 0..n {
            let moving: f64 = base.iter().enumerate().map(|(k, u)| self.model.base()[(i, k)] * u).sum();
            let forced: f64 = (0..n)
                .map(|j| {
                    let w: f64 = given
                        .iter()
                        .enumerate()
                        .map(|(k, w)| self.model.force_directions()[(j, k)] * w)
                        .sum();
                    self.model.inverse_inertia()[(i, j)] * (w - x[2 * n + j])
                })
                .sum();
            self.accelerations[place][i] = moving + forced;
        }
    }

    /// The row of a sensor in dw/dx.
    fn sensor_row(&self, sensor: usize, column: usize) -> f64 {
        let (n, sensor) = (self.elements(), self.model.sensors()[sensor]);
        match sensor.kind {
            SensorKind::Displacement => f64::from(column == sensor.element),
            SensorKind::Velocity => f64::from(column == n + sensor.element),
            SensorKind::Acceleration | SensorKind::RelativeAcceleration => match column.checked_sub(2 * n) {
                Some(j) => -self.model.inverse_inertia()[(sensor.element, j)],
                None => 0.0,
            },
        }
    }
}

impl StateSpace for DirectModel {
    fn states(&self) -> usize {
        3 * self.elements()
    }

    fn inputs(&self) -> usize {
        self.model.inputs()
    }

    fn measurements(&self) -> usize {
        self.model.measurements()
    }

    fn state_name(&self, state: usize) -> String {
        let n = self.elements();
        format!("{}[{}]", ["z", "v", "f"][(state / n).min(2)], state % n + 1)
    }

    fn advance(&mut self, step: &Step<'_>, x: &[f64], next: &mut [f64]) -> Result<(), SimulationError> {
        let (n, h) = (self.elements(), step.interval);
        self.accelerate(0, x, step.inputs_before);
        self.accelerate(1, x, step.inputs);
        for j in 0..n {
            let [before, after] = [0, 1].map(|place| self.accelerations[place][j]);
            next[j] = x[j] + h * x[n + j] + h * h * (2.0 * before + after) / 6.0;
            next[n + j] = x[n + j] + 0.5 * h * (before + after);
            next[2 * n + j] = x[2 * n + j];
        }
        Ok(())
    }

    fn transition(
        &mut self,
        step: &Step<'_>,
        _: &[f64],
        _: &[f64],
        matrix: &mut DMatrix<f64>,
    ) -> Result<(), SimulationError> {
        let (n, h) = (self.elements(), step.interval);
        matrix.fill_with_identity();
        for i in 0..n {
            matrix[(i, n + i)] = h;
            for j in 0..n {
                let inverse = self.model.inverse_inertia()[(i, j)];
                matrix[(i, 2 * n + j)] = -0.5 * h * h * inverse;
                matrix[(n + i, 2 * n + j)] = -h * inverse;
            }
        }
        Ok(())
    }

    fn measure(&mut self, at: &Sample<'_>, x: &[f64], y: &mut [f64]) {
        let n = self.elements();
        self.accelerate(0, x, at.inputs);
        let base = &at.inputs[..self.model.base().ncols()];
        for (k, sensor) in self.model.sensors().iter().enumerate() {
            let j = sensor.element;
            let moving: f64 = base.iter().enumerate().map(|(k, u)| self.model.base()[(j, k)] * u).sum();
            self.sensed[k] = match sensor.kind {
                SensorKind::Displacement => x[j],
                SensorKind::Velocity => x[n + j],
                SensorKind::RelativeAcceleration => self.accelerations[0][j],
                SensorKind::Acceleration => self.accelerations[0][j] - moving,
            };
        }
        match self.model.combinations() {
            None => y.copy_from_slice(&self.sensed),
            Some(matrix) => {
                for (i, y) in y.iter_mut().enumerate() {
                    *y = self.sensed.iter().enumerate().map(|(k, w)| matrix[(i, k)] * w).sum();
                }
            }
        }
    }

    fn measurement_matrix(&mut self, _: &Sample<'_>, _: &[f64], matrix: &mut DMatrix<f64>) {
        for column in 0..matrix.ncols() {
            for row in 0..matrix.nrows() {
                matrix[(row, column)] = match self.model.combinations() {
                    None => self.sensor_row(row, column),
                    Some(combinations) => (0..combinations.ncols())
                        .map(|k| combinations[(row, k)] * self.sensor_row(k, column))
                        .sum(),
                };
            }
        }
    }
}

/// What is expected of an element: root mean squares.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExpectedForce {
    /// Deformation in m.
    pub deformation: f64,
    /// Rate in m/s.
    pub rate: f64,
    /// Force in N.
    pub force: f64,
}

/// Identification of restoring forces over time by the direct model.
///
/// To the model a force is constant from sample to sample, so that what is found from displacements lags behind by one to two samples: with
/// 25 samples per period of the fastest oscillation a surface was 21 % off, with 125 less than 10 %.
#[derive(Debug, Clone)]
pub struct DirectIdentification {
    model: DirectModel,
    interval: f64,
    expected: Vec<ExpectedForce>,
    exponent: f64,
    noise: Option<DMatrix<f64>>,
}

impl DirectIdentification {
    /// For samples every `interval` s, with what is expected of every element. The exponent of the process noise is 4 without
    /// further settings.
    ///
    /// # Errors
    /// [`RestoringForceError::OutOfRange`], [`RestoringForceError::Size`].
    pub fn new(
        model: DirectModel,
        interval: f64,
        expected: Vec<ExpectedForce>,
    ) -> Result<Self, RestoringForceError> {
        let positive = |field, value: f64| match value > 0.0 && value.is_finite() {
            true => Ok(()),
            false => Err(OutOfRange { field, value, limit: "positive and finite" }),
        };
        positive("interval", interval)?;
        if expected.len() != model.elements() {
            let (given, expected) = (expected.len(), model.elements());
            return Err(RestoringForceError::Size { field: "expected", given, expected });
        }
        for of in &expected {
            positive("expected deformation", of.deformation)?;
            positive("expected rate", of.rate)?;
            positive("expected force", of.force)?;
        }
        Ok(Self { model, interval, expected, exponent: 4.0, noise: None })
    }

    /// The exponent q_f: the variance of a force grows by 10^q_f times its expected mean square per second, as in KE (2.51).
    #[must_use]
    pub fn exponent(mut self, exponent: f64) -> Self {
        self.exponent = exponent;
        self
    }

    /// The covariance R of the measurement noise, instead of its estimate from the record.
    #[must_use]
    pub fn measurement_noise(mut self, noise: DMatrix<f64>) -> Self {
        self.noise = Some(noise);
        self
    }

    /// Filters rows of inputs and of measurements in SI units, one per sample, NaN where nothing was measured.
    ///
    /// # Errors
    /// [`RestoringForceError`] for data that cannot be used; [`FilterError::Diverged`](crate::filter::FilterError::Diverged) in it if
    /// the filter was stopped.
    pub fn run(&self, inputs: &[f64], measurements: &[f64]) -> Result<DirectForces, RestoringForceError> {
        let (n, signals) = (self.model.elements(), self.model.measurements());
        let noise = match &self.noise {
            Some(noise) => noise.clone(),
            None => estimate_noise(measurements, signals)?,
        };
        if noise.nrows() != signals || noise.ncols() != signals {
            let (field, given) = ("measurement_noise", noise.nrows());
            return Err(RestoringForceError::Size { field, given, expected: signals });
        }
        let mut variances = DVector::zeros(3 * n);
        let mut process = DMatrix::zeros(3 * n, 3 * n);
        for (j, expected) in self.expected.iter().enumerate() {
            variances[j] = expected.deformation.powi(2);
            variances[n + j] = expected.rate.powi(2);
            variances[2 * n + j] = expected.force.powi(2);
            process[(2 * n + j, 2 * n + j)] =
                self.interval * 10f64.powf(self.exponent) * expected.force.powi(2);
        }
        let initial = Gaussian::new(DVector::zeros(3 * n), DMatrix::from_diagonal(&variances))?;
        let mut filter = KalmanFilter::new(
            self.model.clone(),
            KalmanMethod::Extended,
            self.interval,
            &initial,
            &process,
            &noise,
        )?;
        let found = run(&mut filter, inputs, measurements, Keep::Covariances)?;
        if let Some(stopped) = found.stopped() {
            return Err(stopped.clone().into());
        }
        Ok(DirectForces { model: self.model.clone(), run: found })
    }
}

/// Restoring forces over time.
#[derive(Debug, Clone)]
pub struct DirectForces {
    model: DirectModel,
    run: FilterRun,
}

impl DirectForces {
    /// The estimates of all samples.
    pub fn run(&self) -> &FilterRun {
        &self.run
    }

    /// The force of an element in N and its standard deviation at every sample.
    ///
    /// # Errors
    /// [`RestoringForceError::OutOfRange`] for an element that there is not.
    pub fn force(&self, element: usize) -> Result<Vec<(f64, f64)>, RestoringForceError> {
        let at = self.place(element)?[2];
        let deviation = |i| self.run.covariance_entry(i, at, at).unwrap_or(0.0).max(0.0).sqrt();
        Ok(self.run.state(at).enumerate().map(|(i, force)| (force, deviation(i))).collect())
    }

    /// The samples of an element's surface.
    ///
    /// # Errors
    /// [`RestoringForceError::Unobservable`] without a displacement sensor at the element: velocities and accelerations show its force,
    /// but not where it acts (KE 2.4). [`RestoringForceError::OutOfRange`] for an element that there is not.
    pub fn surface_samples(&self, element: usize) -> Result<Vec<SurfaceSample>, RestoringForceError> {
        let at = self.place(element)?;
        let shown = self
            .model
            .model
            .sensors()
            .iter()
            .any(|sensor| sensor.element == element && sensor.kind == SensorKind::Displacement);
        if !shown {
            return Err(RestoringForceError::Unobservable {
                states: vec![format!("z[{}]", element + 1)],
                elements: vec![format!("a displacement sensor at element {}", element + 1)],
            });
        }
        let sample = |i: usize| {
            let mean = self.run.mean(i);
            let entry = |row, column| self.run.covariance_entry(i, row, column).unwrap_or(0.0);
            SurfaceSample {
                point: at.map(|k| mean[k]),
                covariance: at.map(|row| at.map(|column| entry(row, column))),
            }
        };
        Ok((0..self.run.samples()).map(sample).collect())
    }

    /// The surface c(z, v) of an element.
    ///
    /// # Errors
    /// As [`surface_samples`](Self::surface_samples); [`RestoringForceError::TooFewSamples`] for a record that is too short.
    pub fn surface(
        &self,
        element: usize,
        settings: &SurfaceSettings,
    ) -> Result<RestoringForceSurface, RestoringForceError> {
        let (samples, [z, v, _]) = (self.surface_samples(element)?, self.place(element)?);
        let averaged = |state: usize| {
            let values: Vec<f64> = self.run.state(state).collect();
            central_moving_average(&values, settings.window)
        };
        let coordinates: Vec<_> = averaged(z).into_iter().zip(averaged(v)).map(|(z, v)| [z, v]).collect();
        fit_surface(&samples, &coordinates, settings)
    }

    /// Numbers of the states of an element.
    fn place(&self, element: usize) -> Result<[usize; 3], RestoringForceError> {
        let n = self.model.elements();
        if element < n {
            return Ok([element, n + element, 2 * n + element]);
        }
        let (field, limit) = ("element", "below the number of elements");
        Err(OutOfRange { field, value: element as f64, limit }.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
        let refused = DirectIdentification::new(DirectModel::new(model()).unwrap(), INTERVAL, Vec::new());
        assert!(matches!(refused, Err(RestoringForceError::Size { field: "expected", .. })));
    }
}
