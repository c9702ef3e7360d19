//! Random states that satisfy the constraints of a model.

use nalgebra::{DMatrix, DVector};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use costate_contract::{Argument, Function, Group};
use costate_numerics::linalg::block::find;
use costate_numerics::linalg::dense;
use costate_system::system::{Equations, Instant, StateVectors};

use super::error::BaseParameterError;

/// The seed of the states: the same model has the same ones.
const SEED: u64 = 65;

/// A state with random positions, velocities, accelerations and inputs, and its projector.
#[derive(Debug, Clone)]
pub(super) struct RandomState {
    pub time: f64,
    /// q, v and a; the multipliers are random in constraints and 0 in drives.
    pub state: StateVectors<f64>,
    pub inputs: Vec<f64>,
    /// The directions that C_q takes, by columns: the forces of constraints are combinations of them.
    pub held: DMatrix<f64>,
}

/// Makes the states.
pub(super) struct Sampler<'a> {
    equations: &'a dyn Equations<f64>,
    start: StateVectors<f64>,
    random: SmallRng,
    /// Constraints that the time does not move.
    kept: Vec<usize>,
}

impl<'a> Sampler<'a> {
    pub fn new(equations: &'a dyn Equations<f64>, start: StateVectors<f64>) -> Self {
        let mut new = Self { equations, start, random: SmallRng::seed_from_u64(SEED), kept: Vec::new() };
        new.kept = new.unmoved();
        new
    }

    /// Returns the constraints that the time does not move: C_t = 0. The others are drives.
    fn unmoved(&mut self) -> Vec<usize> {
        /// Times at which a drive would have to stand still to be taken for a constraint.
        const TIMES: usize = 8;
        let mut moves = vec![false; self.equations.description().constraints.len()];
        for _ in 0..TIMES {
            let mut at = self.drawn(1.0);
            at.state.velocities.fill(0.0);
            let rates = self.all(&at, Group::Kinematics, Function::ConstraintVelocity);
            moves.iter_mut().zip(rates.iter()).for_each(|(moves, rate)| *moves |= *rate != 0.0);
        }
        (0..moves.len()).filter(|&row| !moves[row]).collect()
    }

    /// Returns the names of the drives.
    pub fn drives(&self) -> Vec<&'static str> {
        let all = self.equations.description().constraints.iter().enumerate();
        all.filter(|(row, _)| !self.kept.contains(row)).map(|(_, constraint)| constraint.name).collect()
    }

    /// Returns the indices of the constraints that are no drives.
    pub fn kept(&self) -> &[usize] {
        &self.kept
    }

    /// Returns a state: positions about the initial ones, as far away as constraints allow.
    pub fn next(&mut self) -> Result<RandomState, BaseParameterError> {
        /// Random positions that are tried, each half as far away as the one before.
        const TRIALS: i32 = 12;
        for trial in 0..TRIALS {
            let mut at = self.drawn(0.5_f64.powi(trial));
            if self.close(&mut at) {
                return Ok(at);
            }
        }
        Err(BaseParameterError::NoState { model: self.equations.description().name })
    }

    fn drawn(&mut self, spread: f64) -> RandomState {
        let random = &mut self.random;
        let (inputs, mut state) = (self.equations.description().inputs.len(), self.start.clone());
        let mut draw = || random.random_range(-1.0..1.0);
        state.coordinates.iter_mut().for_each(|q| *q += spread * draw());
        let others = state.velocities.iter_mut().chain(&mut state.accelerations).chain(&mut state.multipliers);
        others.for_each(|number| *number = draw());
        let inputs = (0..inputs).map(|_| draw()).collect();
        RandomState { time: 0.5 + 0.5 * draw(), state, inputs, held: DMatrix::zeros(0, 0) }
    }

    /// Moves positions, velocities and accelerations by the least change that satisfies the constraints; false where
    /// there is none.
    fn close(&self, at: &mut RandomState) -> bool {
        /// Most steps of Newton's method, which takes five to eight from a position without contradiction.
        const MAX_STEPS: usize = 30;
        /// Change of a coordinate, in its unit, at which the next one is rounding.
        const CONVERGED: f64 = 1e-9;
        /// Singular values of C_q below this part of the largest one belong to repeated constraints.
        const MIN_RATIO: f64 = 1e-9;
        let mut last = f64::INFINITY;
        for _ in 0..MAX_STEPS {
            let jacobian = self.jacobian(at);
            if jacobian.nrows() == 0 {
                at.held = DMatrix::zeros(jacobian.ncols(), 0);
                return true;
            }
            if !jacobian.iter().all(|entry| entry.is_finite()) {
                return false;
            }
            let parts = dense::svd(jacobian, true, true);
            let (Some(left), Some(right)) = (&parts.u, &parts.v_t) else { return false };
            let largest = parts.singular_values.max();
            let counted = parts.singular_values.iter().filter(|&&s| s > MIN_RATIO * largest).count();
            let least = |rest: DVector<f64>| -> DVector<f64> {
                let along = left.tr_mul(&rest);
                let mut change = DVector::zeros(right.ncols());
                for k in 0..counted {
                    change += right.row(k).transpose() * (along[k] / parts.singular_values[k]);
                }
                change
            };
            if last <= CONVERGED {
                at.held = right.rows(0, counted).transpose();
                at.state.multipliers.iter_mut().enumerate().for_each(|(row, multiplier)| {
                    *multiplier *= if self.kept.contains(&row) { 1.0 } else { 0.0 };
                });
                let change = least(self.value(at, Group::Kinematics, Function::ConstraintVelocity));
                at.state.velocities.iter_mut().zip(change.iter()).for_each(|(v, change)| *v -= change);
                let change = least(self.value(at, Group::Kinematics, Function::ConstraintAcceleration));
                at.state.accelerations.iter_mut().zip(change.iter()).for_each(|(a, change)| *a -= change);
                return at.state.stored().iter().all(|number| number.is_finite());
            }
            let change = least(self.value(at, Group::Residual, Function::Constraint));
            at.state.coordinates.iter_mut().zip(change.iter()).for_each(|(q, change)| *q -= change);
            last = change.amax();
        }
        false
    }

    /// Evaluates all constraints.
    fn all(&self, at: &RandomState, group: Group, function: Function) -> DVector<f64> {
        let model = self.equations.description();
        let values = self.equations.group(group, instant(at));
        let mut all = DVector::zeros(model.constraints.len());
        find(model.groups.of(group), function, None).iter(&values).for_each(|(row, _, value)| all[row] = value);
        all
    }

    /// Evaluates the constraints that are no drives.
    fn value(&self, at: &RandomState, group: Group, function: Function) -> DVector<f64> {
        self.all(at, group, function).select_rows(&self.kept)
    }

    /// Evaluates C_q of the constraints that are no drives.
    fn jacobian(&self, at: &RandomState) -> DMatrix<f64> {
        let model = self.equations.description();
        let values = self.equations.group(Group::Linearization, instant(at));
        let mut all = DMatrix::zeros(model.constraints.len(), model.coordinates.len());
        let block = find(model.groups.linearization, Function::Constraint, Some(Argument::Coordinates));
        block.iter(&values).for_each(|(row, column, value)| all[(row, column)] = value);
        all.select_rows(&self.kept)
    }
}

/// Returns the point at which functions are evaluated.
pub(super) fn instant(at: &RandomState) -> Instant<'_, f64> {
    Instant { time: at.time, state: &at.state, inputs: &at.inputs }
}
