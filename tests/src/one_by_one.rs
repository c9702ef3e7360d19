//! Points of filters that are evaluated one after the other, in place of several in lanes.

use costate::filter::{ModelFailure, Sample, StateSpace, Step};
use nalgebra::DMatrix;

/// A process whose points are evaluated one after the other.
#[derive(Debug)]
pub struct OneByOne<P>(
    /// The process.
    pub P,
);

impl<P: StateSpace> StateSpace for OneByOne<P> {
    fn states(&self) -> usize {
        self.0.states()
    }

    fn inputs(&self) -> usize {
        self.0.inputs()
    }

    fn measurements(&self) -> usize {
        self.0.measurements()
    }

    fn state_name(&self, state: usize) -> String {
        self.0.state_name(state)
    }

    fn advance(&mut self, step: &Step<'_>, x: &[f64], next: &mut [f64]) -> Result<(), ModelFailure> {
        self.0.advance(step, x, next)
    }

    fn transition(
        &mut self,
        step: &Step<'_>,
        x: &[f64],
        next: &[f64],
        matrix: &mut DMatrix<f64>,
    ) -> Result<(), ModelFailure> {
        self.0.transition(step, x, next, matrix)
    }

    fn measure(&mut self, at: &Sample<'_>, x: &[f64], y: &mut [f64]) {
        self.0.measure(at, x, y);
    }

    fn measurement_matrix(&mut self, at: &Sample<'_>, x: &[f64], matrix: &mut DMatrix<f64>) {
        self.0.measurement_matrix(at, x, matrix);
    }

    fn is_constrained(&self) -> bool {
        self.0.is_constrained()
    }

    fn admit(&mut self, at: &Sample<'_>, before: &[f64], x: &mut [f64]) {
        self.0.admit(at, before, x);
    }

    fn admit_deviations(&mut self, at: &Sample<'_>, x: &[f64], factor: &mut DMatrix<f64>) {
        self.0.admit_deviations(at, x, factor);
    }
}
