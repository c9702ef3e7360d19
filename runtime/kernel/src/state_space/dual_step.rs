//! The Runge-Kutta step with dual numbers, against which its emitted derivatives are checked.

use nalgebra::DMatrix;

use costate_numerics::scalar::{CollectVec, Dual};
use costate_system::model::Functions;
use costate_system::state_space::Step;

use super::runge_kutta::RungeKuttaModel;
use super::stages::{MASS, Stages};
use crate::evaluate;

impl<M: Functions> RungeKuttaModel<M> {
    /// F by dual numbers instead of the emitted derivatives: the same matrix, for checks.
    pub fn exact_derivatives(&self, step: &Step<'_>, x: &[f64]) -> DMatrix<f64> {
        let tableau = self.formula.tableau();
        let mut matrix = DMatrix::identity(x.len(), x.len());
        for column in 0..x.len() {
            let seed = |(k, value): (usize, &f64)| Dual { value: *value, derivative: f64::from(k == column) };
            let mut moved: Vec<Dual> = x.iter().enumerate().map(seed).collect_vec();
            let parameters = self.selected.parameters(&moved[2 * self.n()..]);
            let constants =
                evaluate::constants::<M, _>(self.selected.program, &parameters, &MASS, self.selected.problem.tables());
            let mut stages = Stages::<M, Dual>::new(constants);
            for stage in 0..tableau.stages {
                stages.begin(step, &tableau, stage, &moved);
                stages.accelerate(step.time + tableau.times[stage] * step.interval, stage);
            }
            stages.finish(step.interval, &tableau, &mut moved);
            for (row, value) in moved.iter().enumerate() {
                matrix[(row, column)] = value.derivative;
            }
        }
        matrix
    }
}
