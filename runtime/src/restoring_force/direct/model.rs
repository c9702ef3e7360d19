//! The direct model as a filter follows it.

use nalgebra::DMatrix;

use crate::filter::{Sample, StateSpace, Step};
use crate::problem::SimulationError;
use crate::restoring_force::error::RestoringForceError;
use crate::restoring_force::model::RestoringForceModel;
use crate::restoring_force::sensor::SensorKind;

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
    pub(super) model: RestoringForceModel,
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
