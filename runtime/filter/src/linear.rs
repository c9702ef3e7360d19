//! Linear systems.

use nalgebra::DMatrix;

use costate_system::state_space::{FilterError, ModelFailure, Sample, StateSpace, Step, check_size};

/// x_i = F x_{i-1} + G u_{i-1}, y_i = H x_i + D u_i with constant matrices.
#[derive(Debug, Clone, PartialEq)]
pub struct LinearSystem {
    transition: DMatrix<f64>,
    input: DMatrix<f64>,
    measurement: DMatrix<f64>,
    feedthrough: DMatrix<f64>,
}

impl LinearSystem {
    /// F (n x n) and H (measurements x n), without inputs.
    ///
    /// # Errors
    /// [`FilterError::Length`].
    pub fn new(transition: DMatrix<f64>, measurement: DMatrix<f64>) -> Result<Self, FilterError> {
        let (n, rows) = (transition.nrows(), measurement.nrows());
        Self::with_inputs(transition, DMatrix::zeros(n, 0), measurement, DMatrix::zeros(rows, 0))
    }

    /// F (n x n), G (n x inputs), H (measurements x n) and D (measurements x inputs).
    ///
    /// # Errors
    /// [`FilterError::Length`].
    pub fn with_inputs(
        transition: DMatrix<f64>,
        input: DMatrix<f64>,
        measurement: DMatrix<f64>,
        feedthrough: DMatrix<f64>,
    ) -> Result<Self, FilterError> {
        let n = transition.nrows();
        check_size("columns of the transition matrix", transition.ncols(), n)?;
        check_size("rows of the input matrix", input.nrows(), n)?;
        check_size("columns of the measurement matrix", measurement.ncols(), n)?;
        check_size("rows of the feedthrough matrix", feedthrough.nrows(), measurement.nrows())?;
        check_size("columns of the feedthrough matrix", feedthrough.ncols(), input.ncols())?;
        Ok(Self { transition, input, measurement, feedthrough })
    }
}

/// y = a x + b u.
fn affine(a: &DMatrix<f64>, x: &[f64], b: &DMatrix<f64>, u: &[f64], y: &mut [f64]) {
    for (i, y) in y.iter_mut().enumerate() {
        *y = x.iter().enumerate().map(|(k, x)| a[(i, k)] * x).sum::<f64>()
            + u.iter().enumerate().map(|(k, u)| b[(i, k)] * u).sum::<f64>();
    }
}

impl StateSpace for LinearSystem {
    fn states(&self) -> usize {
        self.transition.nrows()
    }

    fn inputs(&self) -> usize {
        self.input.ncols()
    }

    fn measurements(&self) -> usize {
        self.measurement.nrows()
    }

    fn state_name(&self, state: usize) -> String {
        format!("x[{}]", state + 1)
    }

    fn advance(&mut self, step: &Step<'_>, x: &[f64], next: &mut [f64]) -> Result<(), ModelFailure> {
        affine(&self.transition, x, &self.input, step.inputs_before, next);
        Ok(())
    }

    fn transition(
        &mut self,
        _: &Step<'_>,
        _: &[f64],
        _: &[f64],
        matrix: &mut DMatrix<f64>,
    ) -> Result<(), ModelFailure> {
        matrix.copy_from(&self.transition);
        Ok(())
    }

    fn measure(&mut self, at: &Sample<'_>, x: &[f64], y: &mut [f64]) {
        affine(&self.measurement, x, &self.feedthrough, at.inputs, y);
    }

    fn measurement_matrix(&mut self, _: &Sample<'_>, _: &[f64], matrix: &mut DMatrix<f64>) {
        matrix.copy_from(&self.measurement);
    }
}
