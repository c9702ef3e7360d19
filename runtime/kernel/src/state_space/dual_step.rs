//! The Runge-Kutta step with dual numbers, against which its emitted derivatives are checked.

use nalgebra::DMatrix;

use costate_numerics::scalar::{Dual, Scalar, Vector, lift_into};
use costate_system::model::Model;
use costate_system::state_space::Step;

use super::accelerations::accelerations;
use super::runge_kutta::RungeKuttaModel;
use super::stages::MASS;
use crate::evaluate;
use crate::step::State;

impl<M: Model> RungeKuttaModel<M> {
    /// F by dual numbers instead of the emitted derivatives: the same matrix, for checks.
    pub fn exact_derivatives(&self, step: &Step<'_>, x: &[f64]) -> DMatrix<f64> {
        let states = 2 * Self::N + self.selected.estimated.len();
        let mut matrix = DMatrix::identity(states, states);
        for column in 0..states {
            let seed = |k: usize| Dual { value: x[k], derivative: f64::from(k == column) };
            let moved = self.dual_step(step, &seed);
            for (row, value) in moved.into_iter().enumerate() {
                matrix[(row, column)] = value.derivative;
            }
        }
        matrix
    }

    /// q and v after a step.
    fn dual_step(&self, step: &Step<'_>, x: &dyn Fn(usize) -> Dual) -> Vec<Dual> {
        let (n, h, tableau) = (Self::N, step.interval, self.formula.tableau());
        let mut parameters = M::Parameters::<Dual>::zeros(M::lengths(()).parameters);
        lift_into(self.selected.parameters.as_ref(), parameters.as_mut());
        for (k, &index) in self.selected.estimated.iter().enumerate() {
            parameters.as_mut()[index] = x(2 * n + k);
        }
        let constants = evaluate::constants::<M, _>((), &parameters, &MASS, self.selected.problem.tables());
        let (mut group, mut mass) = (M::Newton::<Dual>::zeros(M::lengths(()).newton), DMatrix::zeros(n, n));
        let (mut rates, mut slopes) = (vec![vec![Dual::default(); n]; 4], vec![vec![Dual::default(); n]; 4]);
        let mut state = State::<M, Dual>::zeros();
        let mut inputs = M::Inputs::<Dual>::zeros(M::lengths(()).inputs);
        for stage in 0..tableau.stages {
            let part = tableau.times[stage];
            for ((to, a), b) in inputs.as_mut().iter_mut().zip(step.inputs_before).zip(step.inputs) {
                *to = Dual::constant(a + part * (b - a));
            }
            for j in 0..n {
                let (mut q, mut v) = (x(j), x(n + j));
                for before in 0..stage {
                    let weight = h * tableau.coefficients[stage][before];
                    q += rates[before][j] * weight;
                    v += slopes[before][j] * weight;
                }
                (state.coordinates.as_mut()[j], state.velocities.as_mut()[j]) = (q, v);
                rates[stage][j] = v;
            }
            let point = state.point(step.time + part * h, &inputs, &constants);
            let mut result = M::Coordinates::<Dual>::zeros(M::lengths(()).coordinates);
            accelerations::<M, Dual>(&point, &mut group, &mut mass, &mut result);
            slopes[stage].copy_from_slice(result.as_ref());
        }
        let sum = |start: Dual, of: &[Vec<Dual>], j: usize| {
            (0..tableau.stages).fold(start, |sum, stage| sum + of[stage][j] * (h * tableau.weights[stage]))
        };
        let positions = (0..n).map(|j| sum(x(j), &rates, j));
        positions.chain((0..n).map(|j| sum(x(n + j), &slopes, j))).collect()
    }
}
