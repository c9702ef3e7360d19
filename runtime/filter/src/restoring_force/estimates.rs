//! The motion and the coefficients of elements that a filter has tracked: z, v, s and d of each at every sample (KE
//! 2.56).

use std::cell::RefCell;

use nalgebra::DMatrix;

use costate_system::state_space::{Sample, StateSpace};

use super::error::RestoringForceError;
use super::model::RestoringForceModel;
use super::moving_average::central_moving_average;
use crate::{Factored, FilterRun, Transformation, VectorFunction};

/// Mean and covariance of (z, v, s, d) of an element.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct LocalState {
    pub mean: [f64; 4],
    pub covariance: [[f64; 4]; 4],
}

/// The states of all elements at all samples.
#[derive(Debug, Clone)]
pub(super) struct TrackedElements {
    elements: usize,
    scale: f64,
    /// States of the elements, sample by sample.
    states: Vec<LocalState>,
}

impl TrackedElements {
    /// Collects the elements of a filter's run whose states are z, v, s and d.
    pub fn of_run(model: &RestoringForceModel, run: &FilterRun) -> Self {
        let n = model.elements();
        let local = |i: usize, element: usize| {
            let (mean, at) = (run.mean(i), [0, 1, 2, 3].map(|part| part * n + element));
            let entry = |row, column| run.covariance_entry(i, row, column).unwrap_or(0.0);
            LocalState { mean: at.map(|k| mean[k]), covariance: at.map(|row| at.map(|column| entry(row, column))) }
        };
        let states = (0..run.samples()).flat_map(|i| (0..n).map(move |element| (i, element))).map(|(i, j)| local(i, j));
        Self { elements: n, scale: model.scale(), states: states.collect() }
    }
}

impl TrackedElements {
    /// Collects the elements of a filter's run in which deformations and rates are functions of the state, z =
    /// beta(x) and v = gamma(x): those of `functions`, whose measurements are z and v of one element after another;
    /// `places` has the indices of s and d in the state.
    ///
    /// # Errors
    /// [`RestoringForceError::Filter`] if the run has not kept its covariances.
    pub fn of_functions<P: StateSpace>(
        run: &FilterRun,
        inputs: &[f64],
        functions: &mut P,
        places: &[[usize; 2]],
        transformation: Transformation,
    ) -> Result<Self, RestoringForceError> {
        let width = functions.inputs();
        let mut states = Vec::with_capacity(run.samples() * places.len());
        let functions = RefCell::new(functions);
        for i in 0..run.samples() {
            let Some(factor) = run.factor(i) else { break };
            let mean = run.mean(i);
            let inputs = inputs.get(i * width..(i + 1) * width).unwrap_or_default();
            let at = Sample { time: i as f64 * run.interval(), inputs };
            let deformed = transformation
                .transform_factored(&Factored { mean, factor: &factor }, &AtSample { functions: &functions, at })?;
            for (element, place) in places.iter().enumerate() {
                let of_deformation = [2 * element, 2 * element + 1];
                let entry = |row: usize, column: usize| match (row.checked_sub(2), column.checked_sub(2)) {
                    (None, None) => deformed.covariance[(of_deformation[row], of_deformation[column])],
                    (Some(row), None) => deformed.cross_covariance[(place[row], of_deformation[column])],
                    (None, Some(column)) => deformed.cross_covariance[(place[column], of_deformation[row])],
                    (Some(row), Some(column)) => factor.row(place[row]).dot(&factor.row(place[column])),
                };
                let [z, v] = of_deformation.map(|row| deformed.mean[row]);
                let [s, d] = place.map(|k| mean[k]);
                states.push(LocalState {
                    mean: [z, v, s, d],
                    covariance: std::array::from_fn(|row| std::array::from_fn(|column| entry(row, column))),
                });
            }
        }
        Ok(Self { elements: places.len(), scale: 1.0, states })
    }

    /// Returns the number of elements.
    pub fn elements(&self) -> usize {
        self.elements
    }

    /// Returns the scale of s and d.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// Returns an element at a sample, both of which must exist.
    pub fn at(&self, sample: usize, element: usize) -> &LocalState {
        &self.states[sample * self.elements + element]
    }

    /// Returns the moving average of z (part 0) or v (part 1) of an element over all samples.
    pub fn averaged(&self, element: usize, part: usize, window: usize) -> Vec<f64> {
        let values: Vec<f64> =
            self.states.iter().skip(element).step_by(self.elements).map(|local| local.mean[part]).collect();
        central_moving_average(&values, window)
    }
}

/// The measurements of a state space at a sample, as a function of its state alone.
struct AtSample<'a, P> {
    functions: &'a RefCell<&'a mut P>,
    at: Sample<'a>,
}

impl<P: StateSpace> VectorFunction for AtSample<'_, P> {
    fn length(&self) -> usize {
        self.functions.borrow().measurements()
    }

    fn value(&self, x: &[f64], y: &mut [f64]) {
        self.functions.borrow_mut().measure(&self.at, x, y);
    }

    fn jacobian(&self, x: &[f64], matrix: &mut DMatrix<f64>) {
        self.functions.borrow_mut().measurement_matrix(&self.at, x, matrix);
    }
}
