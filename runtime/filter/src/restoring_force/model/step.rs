//! Steps and measurements of the augmented model, with their derivatives.

use nalgebra::DMatrix;

use costate_system::state_space::{ModelFailure, Sample, StateSpace, Step};

use super::work::Work;
use super::{RestoringForceModel, TransitionMatrix};
use crate::restoring_force::sensor::{Sensor, SensorKind};

impl RestoringForceModel {
    fn take_inertia(&mut self, x: &[f64]) {
        let first = 4 * self.elements();
        for (&(row, column), &value) in self.unknown.iter().zip(&x[first..]) {
            self.inverse_inertia[(row, column)] = value;
            self.inverse_inertia[(column, row)] = value;
        }
    }

    /// Computes net forces at (z, v) with the coefficients of `x`, accelerations in the inertial frame, and for a
    /// stage v' relative to the base.
    fn accelerate(&mut self, x: &[f64], stage: Option<usize>, inputs: &[f64]) {
        let law = self.linear(x);
        self.accelerate_by(&law, x, stage, inputs);
    }

    /// Returns the restoring forces with the coefficients of `x`.
    fn linear<'a>(&self, x: &'a [f64]) -> impl Fn(usize, f64, f64) -> f64 + use<'a> {
        let (n, scale) = (self.elements(), self.scale);
        move |j, z, v| scale * (x[2 * n + j] * z + x[3 * n + j] * v)
    }

    /// Accelerates as [`accelerate`](Self::accelerate), with the restoring force `law(j, z, v)` of element j.
    fn accelerate_by(
        &mut self,
        law: &impl Fn(usize, f64, f64) -> f64,
        x: &[f64],
        stage: Option<usize>,
        inputs: &[f64],
    ) {
        let n = self.elements();
        let Work { forces, accelerations, stages, deformations, rates, .. } = &mut self.work;
        let (z, v): (&[f64], &[f64]) = if stage.is_some() { (deformations, rates) } else { (&x[..n], &x[n..2 * n]) };
        let (base, given) = inputs.split_at(self.base.ncols());
        for j in 0..n {
            let mut force = -law(j, z[j], v[j]);
            for (k, w) in given.iter().enumerate() {
                force += self.force[(j, k)] * w;
            }
            forces[j] = force;
        }
        for (i, acceleration) in accelerations.iter_mut().enumerate() {
            *acceleration = forces.iter().enumerate().map(|(j, f)| self.inverse_inertia[(i, j)] * f).sum();
        }
        if let Some(stage) = stage {
            for (i, result) in stages[stage].iter_mut().enumerate() {
                let moving: f64 = base.iter().enumerate().map(|(k, u)| self.base[(i, k)] * u).sum();
                *result = accelerations[i] + moving;
            }
        }
    }

    /// Computes z and v of stage `stage` of the step, from the slopes of the stages before (KE 2.43 to 2.45).
    fn place(&mut self, x: &[f64], stage: usize, interval: f64) {
        let n = self.elements();
        let Work { stages, deformations, rates, .. } = &mut self.work;
        for j in 0..n {
            let (z, v) = (x[j], x[n + j]);
            (deformations[j], rates[j]) = match stage {
                0 => (z, v),
                1 => (z + 0.5 * interval * v, v + 0.5 * interval * stages[0][j]),
                _ => {
                    let second = v + 0.5 * interval * stages[0][j];
                    (
                        z - interval * v + 2.0 * interval * second,
                        v - interval * stages[0][j] + 2.0 * interval * stages[1][j],
                    )
                }
            };
        }
    }

    /// Computes the inputs of a stage, in `work.inputs`.
    fn stage_inputs(&mut self, step: &Step<'_>, stage: usize) {
        let part = 0.5 * stage as f64;
        for ((to, a), b) in self.work.inputs.iter_mut().zip(step.inputs_before).zip(step.inputs) {
            *to = if stage == 2 { *b } else { a + part * (b - a) };
        }
    }

    /// Computes d(-p_c (s z + d v)) and from it dv', for slopes dz and dv; `x` holds s, d.
    fn differentiate(&mut self, x: &[f64], stage: usize) {
        let n = self.elements();
        let Work { forces, deformations, rates, slopes, acceleration_slopes, force_slopes, .. } = &mut self.work;
        let states = force_slopes.ncols();
        let [dz, dv] = slopes;
        for column in 0..states {
            for j in 0..n {
                let mut sum = x[2 * n + j] * dz[(j, column)] + x[3 * n + j] * dv[(j, column)];
                if column == 2 * n + j {
                    sum += deformations[j];
                }
                if column == 3 * n + j {
                    sum += rates[j];
                }
                force_slopes[(j, column)] = -self.scale * sum;
            }
        }
        let result = &mut acceleration_slopes[stage];
        for column in 0..states {
            for i in 0..n {
                let mut sum = 0.0;
                for j in 0..n {
                    sum += self.inverse_inertia[(i, j)] * force_slopes[(j, column)];
                }
                result[(i, column)] = sum;
            }
        }
        for (k, &(row, column)) in self.unknown.iter().enumerate() {
            result[(row, 4 * n + k)] += forces[column];
            if row != column {
                result[(column, 4 * n + k)] += forces[row];
            }
        }
    }

    /// Computes dz and dv of a stage, from dv' of the stages before.
    fn place_slopes(&mut self, stage: usize, interval: f64) {
        let n = self.elements();
        let Work { slopes: [dz, dv], acceleration_slopes: [first, second, _], .. } = &mut self.work;
        for column in 0..dz.ncols() {
            for j in 0..n {
                let (z, v) = (f64::from(column == j), f64::from(column == n + j));
                (dz[(j, column)], dv[(j, column)]) = match stage {
                    0 => (z, v),
                    1 => (z + 0.5 * interval * v, v + 0.5 * interval * first[(j, column)]),
                    _ => {
                        let middle = v + 0.5 * interval * first[(j, column)];
                        (
                            z - interval * v + 2.0 * interval * middle,
                            v - interval * first[(j, column)] + 2.0 * interval * second[(j, column)],
                        )
                    }
                };
            }
        }
    }

    /// Computes a stage with its inputs and the restoring forces `law`; the stages before it have been computed.
    fn stage(&mut self, law: &impl Fn(usize, f64, f64) -> f64, step: &Step<'_>, x: &[f64], stage: usize) {
        self.stage_inputs(step, stage);
        self.place(x, stage, step.interval);
        let inputs = std::mem::take(&mut self.work.inputs);
        self.accelerate_by(law, x, Some(stage), &inputs);
        self.work.inputs = inputs;
    }

    /// Computes z and v after a step with the restoring forces `law(j, z, v)`; the other entries of `x` are copied.
    pub(super) fn advance_by(
        &mut self,
        law: &impl Fn(usize, f64, f64) -> f64,
        step: &Step<'_>,
        x: &[f64],
        next: &mut [f64],
    ) {
        let (n, h) = (self.elements(), step.interval);
        next.copy_from_slice(x);
        for stage in 0..3 {
            self.stage(law, step, x, stage);
            let weight = h / 6.0 * [1.0, 4.0, 1.0][stage];
            for j in 0..n {
                next[j] += weight * self.work.rates[j];
                next[n + j] += weight * self.work.stages[stage][j];
            }
        }
    }

    /// Computes the measurements at z and v with these restoring forces.
    pub(super) fn measure_by(
        &mut self,
        law: &impl Fn(usize, f64, f64) -> f64,
        inputs: &[f64],
        x: &[f64],
        y: &mut [f64],
    ) {
        self.accelerate_by(law, x, None, inputs);
        match &self.combinations {
            None => {
                for (y, sensor) in y.iter_mut().zip(&self.sensors) {
                    *y = self.quantity(*sensor, x, inputs);
                }
            }
            Some((matrix, _)) => {
                for (row, y) in y.iter_mut().enumerate() {
                    let terms = self.sensors.iter().enumerate();
                    *y = terms.map(|(k, w)| matrix[(row, k)] * self.quantity(*w, x, inputs)).sum();
                }
            }
        }
    }

    /// Returns the quantity of a sensor, after [`accelerate`](Self::accelerate).
    fn quantity(&self, sensor: Sensor, x: &[f64], inputs: &[f64]) -> f64 {
        let j = sensor.element;
        match sensor.kind {
            SensorKind::Displacement => x[j],
            SensorKind::Velocity => x[self.elements() + j],
            SensorKind::Acceleration => self.work.accelerations[j],
            SensorKind::RelativeAcceleration => {
                let base = inputs.iter().take(self.base.ncols()).enumerate();
                self.work.accelerations[j] + base.map(|(k, u)| self.base[(j, k)] * u).sum::<f64>()
            }
        }
    }

    /// Returns the derivative of a sensor's quantity with respect to a state, after
    /// [`differentiate`](Self::differentiate).
    fn slope(&self, sensor: Sensor, column: usize) -> f64 {
        let j = sensor.element;
        match sensor.kind {
            SensorKind::Displacement => f64::from(column == j),
            SensorKind::Velocity => f64::from(column == self.elements() + j),
            SensorKind::RelativeAcceleration | SensorKind::Acceleration => {
                self.work.acceleration_slopes[0][(j, column)]
            }
        }
    }

    /// Computes F by KE (2.46), (2.47).
    fn trapezoidal(&mut self, step: &Step<'_>, x: &[f64], next: &[f64], matrix: &mut DMatrix<f64>) {
        let n = self.elements();
        matrix.fill_with_identity();
        for (end, x) in [(0, x), (1, next)] {
            self.work.deformations.copy_from_slice(&x[..n]);
            self.work.rates.copy_from_slice(&x[n..2 * n]);
            self.place_slopes(0, step.interval);
            let inputs = if end == 0 { step.inputs_before } else { step.inputs };
            self.accelerate(x, None, inputs);
            self.differentiate(x, 0);
            let half = 0.5 * step.interval;
            for column in 0..matrix.ncols() {
                for j in 0..n {
                    matrix[(n + j, column)] += half * self.work.acceleration_slopes[0][(j, column)];
                }
            }
            for j in 0..n {
                matrix[(j, n + j)] += half;
            }
        }
    }
}

impl StateSpace for RestoringForceModel {
    fn states(&self) -> usize {
        4 * self.elements() + self.unknown.len()
    }

    fn inputs(&self) -> usize {
        self.base.ncols() + self.force.ncols()
    }

    fn measurements(&self) -> usize {
        self.combinations.as_ref().map_or(self.sensors.len(), |(matrix, _)| matrix.nrows())
    }

    fn state_name(&self, state: usize) -> String {
        let n = self.elements();
        match (state / n.max(1), state % n.max(1) + 1) {
            (0, j) => format!("z[{j}]"),
            (1, j) => format!("v[{j}]"),
            (2, j) => format!("s[{j}]"),
            (3, j) => format!("d[{j}]"),
            _ => match self.unknown.get(state - 4 * n) {
                Some((row, column)) => format!("mu[{},{}]", row + 1, column + 1),
                None => format!("x[{}]", state + 1),
            },
        }
    }

    fn advance(&mut self, step: &Step<'_>, x: &[f64], next: &mut [f64]) -> Result<(), ModelFailure> {
        self.take_inertia(x);
        let law = self.linear(x);
        self.advance_by(&law, step, x, next);
        Ok(())
    }

    fn transition(
        &mut self,
        step: &Step<'_>,
        x: &[f64],
        next: &[f64],
        matrix: &mut DMatrix<f64>,
    ) -> Result<(), ModelFailure> {
        self.take_inertia(x);
        if self.transition == TransitionMatrix::Trapezoidal {
            self.trapezoidal(step, x, next, matrix);
            return Ok(());
        }
        let (n, h, law) = (self.elements(), step.interval, self.linear(x));
        matrix.fill_with_identity();
        for stage in 0..3 {
            self.stage(&law, step, x, stage);
            self.place_slopes(stage, h);
            self.differentiate(x, stage);
            let weight = h / 6.0 * [1.0, 4.0, 1.0][stage];
            for column in 0..matrix.ncols() {
                for j in 0..n {
                    matrix[(j, column)] += weight * self.work.slopes[1][(j, column)];
                    matrix[(n + j, column)] += weight * self.work.acceleration_slopes[stage][(j, column)];
                }
            }
        }
        Ok(())
    }

    fn measure(&mut self, at: &Sample<'_>, x: &[f64], y: &mut [f64]) {
        self.take_inertia(x);
        let law = self.linear(x);
        self.measure_by(&law, at.inputs, x, y);
    }

    fn measurement_matrix(&mut self, at: &Sample<'_>, x: &[f64], matrix: &mut DMatrix<f64>) {
        let n = self.elements();
        self.take_inertia(x);
        self.work.deformations.copy_from_slice(&x[..n]);
        self.work.rates.copy_from_slice(&x[n..2 * n]);
        self.place_slopes(0, 0.0);
        self.accelerate(x, None, at.inputs);
        self.differentiate(x, 0);
        for column in 0..matrix.ncols() {
            for row in 0..matrix.nrows() {
                matrix[(row, column)] = match &self.combinations {
                    None => self.slope(self.sensors[row], column),
                    Some((combinations, _)) => {
                        let terms = self.sensors.iter().enumerate();
                        terms.map(|(k, w)| combinations[(row, k)] * self.slope(*w, column)).sum()
                    }
                };
            }
        }
    }
}
